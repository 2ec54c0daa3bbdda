"""Further labels are made once a task, recorded, and the same for every candidate of the task."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from evaluators.examples import EnrichOptions
from evaluators.isolation import JobError, OpenRunner, Stopped
from runs.enrichment import Enricher
from runs.store import RecordLog
from specgen.tasks import load_dataset

TASK = next(t for t in load_dataset("starter").tasks if t.id == "starter_clamp_reading")
EXTEND = EnrichOptions(mode="extend", rejected=25)


class Counting:
    """Runs jobs and counts them, or does to each what it is told to."""

    def __init__(self, instead: Stopped | JobError | None = None) -> None:
        self.jobs = 0
        self.instead = instead

    def run(self, job: Any, wall_s: float) -> Any:
        self.jobs += 1
        if isinstance(self.instead, JobError):
            raise self.instead
        return self.instead or OpenRunner().run(job, wall_s)


def test_a_task_is_enriched_once_whoever_asks(tmp_path: Path) -> None:
    runner = Counting()
    with RecordLog(tmp_path / "records.jsonl") as log:
        enricher = Enricher(runner, EXTEND, log)
        with ThreadPoolExecutor(4) as pool:
            tasks = list(pool.map(enricher.task, [TASK] * 8))
        assert len(list(log.all("enrichment"))) == 1
    assert runner.jobs == 1
    assert all(t == tasks[0] for t in tasks)
    assert len(tasks[0].labels.rejected) == 25
    assert enricher.counts()["kinds"]["rejected"]["labelled"] == len(TASK.labels.rejected)


def test_off_makes_nothing_and_asks_nobody() -> None:
    runner = Counting()
    for options in (None, EnrichOptions(mode="off")):
        enricher = Enricher(runner, options)
        assert enricher.task(TASK) is TASK
        assert enricher.counts() == {"mode": "off"}
    assert runner.jobs == 0


def test_labels_that_were_seen_are_not_made_again() -> None:
    made = Enricher(OpenRunner(), EXTEND).task(TASK).labels
    seen = made.rejected[len(TASK.labels.rejected) :]
    assert seen
    others = Enricher(OpenRunner(), EXTEND, exclude={TASK.id: TASK.labels.__class__(rejected=seen)}).task(TASK).labels
    assert not set(seen) & set(others.rejected)


@pytest.mark.parametrize(
    ("instead", "said"),
    [
        (Stopped("timeout", "stopped at its limit of 60 s"), "timeout: stopped"),
        (JobError("KeyError", "'x'"), "evaluator_error: KeyError: 'x'"),
    ],
)
def test_a_task_without_further_labels_stays_so_when_the_run_goes_on(
    instead: Stopped | JobError, said: str, tmp_path: Path
) -> None:
    with RecordLog(tmp_path / "records.jsonl") as log:
        enricher = Enricher(Counting(instead), EXTEND, log)
        assert enricher.task(TASK) is TASK
        assert said in enricher.counts()["failed"][TASK.id]
    with RecordLog(tmp_path / "records.jsonl") as log:
        again = Enricher(OpenRunner(), EXTEND, log)
        assert said in again.counts()["failed"][TASK.id]
        assert again.task(TASK) is TASK
