"""Spoiled references: meaning, the metric made for a kind, the summary, and the command."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from evaluators.isolation import make_tools
from runs.calibration.mutants import Bench, Meaning, SpoiledRow, made_for, measure_spoiled, spoiled_of, summarise
from runs.commands.calibrate_mutants import MutantsOptions, run_mutants
from specgen.tasks import load_dataset
from specgen.tasks.spoil import SPOIL_KINDS, SpoilKind

TASKS = {t.id: t for t in load_dataset("starter").tasks}


def row(
    task: str, kind: SpoilKind, meaning: Meaning, values: Mapping[str, float | None], part: str = "postcondition"
) -> SpoiledRow:
    return SpoiledRow(task, kind, part, "", "prepost", meaning, values)


def test_a_kind_is_noticed_by_the_metric_made_for_it() -> None:
    for kind in SPOIL_KINDS:
        for part in ("precondition", "postcondition"):
            for representation in ("prepost", "relational"):
                assert made_for(kind, part, representation)
    assert made_for("weakened", "postcondition", "prepost") == ("R-",)
    assert made_for("vacuous", "precondition", "prepost") == ("R_req",)
    assert "R_req" in made_for("weakened", "postcondition", "relational")


def test_a_refuted_direction_names_the_score_that_is_to_see_it() -> None:
    weaker = SpoiledRow("a", "weakened", "postcondition", "", "prepost", "changed", {}, ("post_backward",))
    assert weaker.made_for() == ("R-",)
    whole = SpoiledRow("a", "weakened", "postcondition", "", "relational", "changed", {}, ("post_backward",))
    assert whole.made_for() == ("R-", "R_req")
    broken = SpoiledRow("a", "ill_typed", "postcondition", "", "prepost", "changed", {}, ())
    assert broken.made_for() == ("typecheck",)


def test_only_contracts_whose_meaning_changed_count_and_every_one_of_a_task_must_be_noticed() -> None:
    rows = [
        row("a", "weakened", "changed", {"R-": 0.5, "gted": 0.9}),
        row("a", "weakened", "changed", {"R-": 1.0, "gted": 0.8}),
        row("b", "weakened", "changed", {"R-": 0.0, "gted": None}),
        row("c", "weakened", "same", {"R-": 1.0}),
        row("d", "weakened", "open", {"R-": None}),
    ]
    (found,) = summarise(rows)
    assert (found.contracts, found.changed, found.same, found.open) == (5, 3, 1, 1)
    assert (found.tasks, found.tasks_noticed, found.share, found.missed) == (2, 1, 0.5, ("a",))
    seen = row("a", "weakened", "changed", {"R-": 1.0, "equivalence": 0.0})
    assert [(s.tasks_noticed, s.tasks_either) for s in summarise([seen])] == [(0, 1)]
    assert found.noticed["R-"] == (2, 3) and found.noticed["gted"] == (2, 2) and found.noticed["R+"] == (0, 0)


def test_a_kind_without_a_change_has_no_share() -> None:
    (found,) = summarise([row("a", "weakened", "same", {"R-": 1.0})])
    assert found.share is None


@pytest.mark.parametrize("task_id", ["starter_any_over_limit", "starter_clamp_reading"])
def test_real_references_spoiled(task_id: str) -> None:
    with make_tools(isolate=False) as tools:
        rows = measure_spoiled([TASKS[task_id]], Bench(tools, 2.0), 1, lambda t: t, lambda works: [w() for w in works])
    by_kind = {r.kind: r for r in rows}
    assert {"vacuous", "ill_typed", "unparsable"} <= by_kind.keys()
    assert by_kind["unparsable"].values["typecheck"] == 0.0 and by_kind["unparsable"].meaning == "changed"
    vacuous = by_kind["vacuous"]
    assert vacuous.meaning == "changed" and vacuous.values["equivalence"] == 0.0
    assert vacuous.refuted and vacuous.noticed(vacuous.made_for())
    assert all(r.values["equivalence"] != 1.0 for r in rows if r.meaning == "changed")


def test_a_task_without_reference_is_left_out() -> None:
    from dataclasses import replace

    assert spoiled_of(replace(TASKS["starter_any_over_limit"], references=()), 2) == ()


def test_the_command_prints_a_table_and_writes_the_rows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "rows.jsonl"
    run_mutants(MutantsOptions(("starter",), None, 2, 1, out, True))
    shown = json.loads(capsys.readouterr().out)
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert shown["schema"] == 1 and rows and {r["dataset"] for r in rows} == {"starter"}
    total = sum(k["contracts"] for k in shown["datasets"]["starter"])
    assert total == len(rows)


def test_a_label_that_the_reference_itself_fails_tells_nothing_of_an_edit() -> None:
    from dataclasses import replace

    task = TASKS["starter_any_over_limit"]
    good, bad = task.labels.accepted[0], task.labels.rejected[0]
    with make_tools(isolate=False) as tools:
        bench = Bench(tools, 1.0)
        assert set(bench.telling(task)) == {"R+", "R-", "R_req", "R_rej"}
        faulty = task.with_labels(replace(task.labels, accepted=(good, bad)))
        assert set(bench.telling(faulty)) == {"R-", "R_req", "R_rej"}
