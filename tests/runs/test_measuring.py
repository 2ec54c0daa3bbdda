"""What an experiment measures: chosen evaluators and further labels on held-out tasks, and never for an optimiser."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evaluators.registry import metrics_of
from runs.commands.experiment import execute
from runs.config import parse_config
from runs.evidence import open_evidence
from runs.records import read_records
from runs.table import missing_table, tables
from specgen.errors import UserError
from tests.runs.evaluations import command

EVALUATORS = ["adequacy", "similarity", "equivalence"]


def config(**evaluation: Any) -> dict[str, Any]:
    return {
        "experiment": {"name": "measured", "seed": 5},
        "data": {"limit": 12, "train": 0.3, "validation": 0.3, "test": 0.4},
        "generator": {"seeds": ["zero-shot"]},
        "optimizer": {"max_metric_calls": 8},
        "reward": {"compare": ["verifier"]},
        "evaluation": {"isolate": False, "bootstrap": 100, **evaluation},
    }


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("measured") / "run"
    chosen = {"evaluators": EVALUATORS, "mutants": "extend", "judge": "sim/judge", "equivalence_s": 1.0}
    execute(parse_config(config(**chosen), "test"), folder, resume=False, as_json=True)
    return folder


def test_the_comparison_has_the_chosen_evaluators_and_optimisers_do_not(done: Path) -> None:
    further = set(metrics_of([*EVALUATORS, "judge"]))
    scored, rollouts = read_records(done, "scored"), read_records(done, "rollout")
    assert scored
    assert all(further <= {e["metric"] for e in r["evidence"]} for r in scored)
    assert not [e for r in scored for e in r["evidence"] if e["status"] == "evaluator_error"]
    assert rollouts
    assert not [r for r in rollouts if further & set(r["evidence"])]
    summary = json.loads((done / "summary.json").read_text(encoding="utf-8"))
    for arm in summary["arms"]:
        assert further <= set(arm["metrics"])
        for metric in further:
            assert sum(arm["statuses"][metric].values()) == arm["candidates"]
            assert arm["metrics"][metric]["n"] <= arm["statuses"][metric].get("observed", 0)
    labels = {label for head, rows in tables(summary) for label, *_ in rows}
    assert {"GTED", "equivalence", "judge"} <= labels


def test_further_labels_are_made_for_held_out_tasks_only(done: Path) -> None:
    manifest = json.loads((done / "manifest.json").read_text(encoding="utf-8"))
    held_out = {t["id"] for t in manifest["tasks"]["test"]}
    made = {r["task"]: r for r in read_records(done, "enrichment")}
    assert set(made) == held_out
    for record in read_records(done, "scored"):
        tally = made[record["task"]]["tallies"]["rejected"]
        assert record["labels"]["rejected"] == tally["labelled"] + tally["generated"]
    summary = json.loads((done / "summary.json").read_text(encoding="utf-8"))
    assert summary["enrichment"]["kinds"]["rejected"]["generated"] > 0


def test_the_run_has_its_database_and_can_be_shown(
    done: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert (done / "evidence.sqlite").is_file()
    with open_evidence(done) as connection:
        arms = {arm for (arm,) in connection.execute("SELECT DISTINCT arm FROM candidates")}
    assert arms == {"seed", "verifier"}
    task = read_records(done, "scored")[0]["task"]
    assert command(["show", str(done), task, "--arm", "seed"], monkeypatch) == 0
    out = capsys.readouterr().out
    assert "(simulated)" in out
    assert "equivalence" in out
    assert "Judge" in out


def test_a_judge_without_a_model_and_an_unknown_evaluator_are_refused_before_the_run(tmp_path: Path) -> None:
    for section, said in (({"evaluators": ["judge"]}, "needs a model"), ({"evaluators": ["x"]}, "unknown evaluator")):
        with pytest.raises(UserError, match=said):
            execute(parse_config(config(**section), "test"), tmp_path / "run", resume=False, as_json=True)
    assert not (tmp_path / "run").exists()


def test_what_was_not_decided_is_counted_by_arm() -> None:
    statuses = {"gted": {"observed": 3, "inconclusive": 1, "not_applicable": 2}, "R+": {"observed": 6}}
    first = {"arm": "a", "metrics": {"gted": None}, "statuses": statuses}
    second = {"arm": "b", "metrics": {"gted": None}, "statuses": {"gted": {"timeout": 2}}}
    head, rows = missing_table([first, second])
    assert head[1:] == ["a", "b"]
    assert rows == [["GTED", "1 inconclusive", "2 timeout"]]
