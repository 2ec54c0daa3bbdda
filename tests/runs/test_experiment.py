"""The main job, end to end on the starter set with simulated models, killed and resumed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

CONFIG = """
[experiment]
name = "tiny"
seed = 3

[data]
train = 0.2
validation = 0.2
test = 0.6
limit = 30

[model]
task = "sim/writer?latency_ms=20"
reflection = "sim/reflector"
concurrency = 4

[generator]
seeds = ["zero-shot"]

[optimizer]
max_metric_calls = 24
"""


def command(folder: Path, *more: str) -> list[str]:
    return [
        sys.executable,
        "-m",
        "runs.cli",
        "experiment",
        str(folder / "config.toml"),
        "--out",
        str(folder / "run"),
        *more,
    ]


def start(folder: Path, *more: str) -> subprocess.Popen[str]:
    return subprocess.Popen(command(folder, *more), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def run(arguments: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(arguments, check=False, capture_output=True, text=True, timeout=300)


def finish(folder: Path, *more: str) -> dict[str, Any]:
    done = run(command(folder, "--json", *more))
    assert done.returncode == 0, done.stderr
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def records(folder: Path, kind: str) -> list[dict[str, Any]]:
    path = folder / "run" / "records.jsonl"
    if not path.exists():
        return []
    lines = path.read_text().split("\n")[:-1]
    return [r for r in map(json.loads, lines) if r["kind"] == kind]


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    folder = tmp_path_factory.mktemp("unbroken")
    (folder / "config.toml").write_text(CONFIG)
    return folder, finish(folder)


def scores(summary: dict[str, Any]) -> dict[str, Any]:
    return {k: summary[k] for k in ("arms", "differences", "prompts", "tasks")}


def task_calls(summary: dict[str, Any]) -> int:
    return sum(c["calls"] for c in summary["costs"])


def test_the_run_ends_with_three_arms_on_held_out_tasks(unbroken: tuple[Path, dict[str, Any]]) -> None:
    folder, summary = unbroken
    assert [a["arm"] for a in summary["arms"]] == ["seed", "verifier", "verifier+adequacy"]
    assert summary["tasks"]["test"] >= 10
    for arm in summary["arms"]:
        assert arm["status"] == "completed"
        assert sum(arm["outcomes"].values()) == arm["candidates"] == summary["tasks"]["test"]
        assert arm["metrics"]["verifier_grade"]["mean"] is not None
    assert len(summary["differences"]) == 3


def test_everything_made_with_a_simulated_model_says_so(unbroken: tuple[Path, dict[str, Any]]) -> None:
    folder, summary = unbroken
    manifest = json.loads((folder / "run" / "manifest.json").read_text())
    assert summary["simulated"] is True
    assert manifest["simulated"] is True
    assert "SIMULATED" in (folder / "run" / "summary.md").read_text()
    found = [r for kind in ("scored", "rollout", "optimisation") for r in records(folder, kind)]
    assert found
    assert all(r["simulated"] is True for r in found)
    assert all(r["candidate"]["simulated"] is True for r in records(folder, "scored"))


def test_optimisers_and_comparison_share_no_task_and_no_example(unbroken: tuple[Path, dict[str, Any]]) -> None:
    folder, _ = unbroken
    manifest = json.loads((folder / "run" / "manifest.json").read_text())
    sides = {name: {t["id"] for t in tasks} for name, tasks in manifest["tasks"].items()}
    assert not sides["train"] & sides["test"]
    assert not sides["validation"] & sides["test"]
    assert {r["task"] for r in records(folder, "rollout")} <= sides["train"] | sides["validation"]
    assert {r["task"] for r in records(folder, "scored")} == sides["test"]


def after_rollouts(folder: Path) -> bool:
    return len(records(folder, "rollout")) >= 4


def after_first_optimisation(folder: Path) -> bool:
    return len(records(folder, "optimisation")) >= 1


def in_the_comparison(folder: Path) -> bool:
    return len(records(folder, "scored")) >= 7


@pytest.mark.parametrize("moment", [after_rollouts, after_first_optimisation, in_the_comparison])
def test_a_killed_run_resumes_to_the_numbers_of_an_unbroken_one(
    unbroken: tuple[Path, dict[str, Any]], tmp_path: Path, moment: Callable[[Path], bool]
) -> None:
    (tmp_path / "config.toml").write_text(CONFIG)
    process = start(tmp_path)
    deadline = time.monotonic() + 240
    while not moment(tmp_path):
        assert process.poll() is None, process.stderr.read() if process.stderr else ""
        assert time.monotonic() < deadline
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    assert not (tmp_path / "run" / "summary.json").exists()
    resumed = finish(tmp_path, "--resume")
    assert scores(resumed) == scores(unbroken[1])
    # A finished call is in the store and is not made again. One in flight at the kill may be, and is not counted twice.
    assert task_calls(resumed) == task_calls(unbroken[1])


def test_a_finished_run_resumes_to_its_table_without_a_call(unbroken: tuple[Path, dict[str, Any]]) -> None:
    folder, summary = unbroken
    again = finish(folder, "--resume")
    assert scores(again) == scores(summary)
    assert task_calls(again) == task_calls(summary)


def test_a_run_is_not_overwritten_and_a_changed_configuration_is_refused(unbroken: tuple[Path, dict[str, Any]]) -> None:
    folder, _ = unbroken
    done = run(command(folder))
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "already a run" in done.stderr
    other = folder / "other.toml"
    other.write_text(CONFIG.replace("seed = 3", "seed = 5"))
    changed = [*command(folder, "--resume")]
    changed[4] = str(other)
    done = run(changed)
    assert done.returncode == 2
    assert "config.experiment.seed: 3 -> 5" in done.stderr


def test_a_cap_stops_cleanly_and_the_run_goes_on_with_a_higher_one(
    unbroken: tuple[Path, dict[str, Any]], tmp_path: Path
) -> None:
    (tmp_path / "config.toml").write_text(CONFIG)
    done = run(command(tmp_path, "--max-calls", "20"))
    assert done.returncode == 4, done.stderr
    assert "Traceback" not in done.stderr
    resumed = finish(tmp_path, "--resume", "--max-calls", "100000")
    assert scores(resumed) == scores(unbroken[1])
    assert task_calls(resumed) == task_calls(unbroken[1])
