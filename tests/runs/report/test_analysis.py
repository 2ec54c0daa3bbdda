"""The analysis against numbers that are computed again, simply, from the same records."""

from __future__ import annotations

import json
from collections import defaultdict
from itertools import product
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

from runs.report.analysis import analyse
from runs.report.load import load_run
from runs.report.rates import rates
from specgen.errors import UserError
from tests.runs.report.synthetic import Shape, evidence, scored, write_run


def naive(folder: Path, arm: str, metric: str) -> dict[str, dict[tuple[str, int], float]]:
    """Values by task and repeat, read by hand."""
    found: dict[str, dict[tuple[str, int], float]] = defaultdict(dict)
    for line in (folder / "records.jsonl").read_text(encoding="utf-8").split("\n"):
        record: dict[str, Any] = json.loads(line) if line else {"kind": ""}
        if record["kind"] != "scored" or record["arm"] != arm:
            continue
        values = {e["metric"]: e["value"] for e in record["evidence"] if e["status"] == "observed"}
        if metric == "pass_all":
            value = 0.0 if record["outcome"] == "not_well_formed" else values.get("pass")
        else:
            value = values.get(metric)
        if value is not None:
            found[record["task"]][(record["seed"], record["candidate"]["sample"])] = value
    return found


def test_means_counts_and_coverage_are_those_of_the_records(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "a", Shape(tasks=20, samples=2))
    analysis = analyse([load_run(folder)])
    assert [a.name for a in analysis.arms] == ["seed", "verifier"]
    for arm, metric in product(analysis.arms, ("verifier_grade", "R+", "R-", "pass", "pass_all")):
        values = naive(folder, arm.name, metric)
        cell = arm.metrics[metric]
        assert cell.interval.n == len(values)
        assert cell.interval.mean == pytest.approx(fmean(fmean(v.values()) for v in values.values()))
        assert cell.values == sum(map(len, values.values()))
        assert cell.candidates == 80 and cell.attempted == 20
        assert cell.interval.low is not None and cell.interval.mean is not None and cell.interval.high is not None
        assert cell.interval.low <= cell.interval.mean <= cell.interval.high


def test_differences_are_paired_by_task_prompt_and_sample(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "a", Shape(tasks=20, samples=2))
    analysis = analyse([load_run(folder)])
    for metric in ("R-", "pass_all"):
        first, second = naive(folder, "seed", metric), naive(folder, "verifier", metric)
        differences = []
        for task in first.keys() & second.keys():
            common = first[task].keys() & second[task].keys()
            if common:
                differences.append(fmean(second[task][c] - first[task][c] for c in common))
        pair = next(p for p in analysis.pairs if p.metric == metric)
        assert pair.paired_by == "cell"
        assert pair.comparison.difference.n == len(differences)
        assert pair.comparison.difference.mean == pytest.approx(fmean(differences))


def test_p_values_are_adjusted_over_all_comparisons(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "a", Shape(tasks=20, arms=("seed", "verifier", "both")))
    pairs = analyse([load_run(folder)]).pairs
    raw = sorted((p.comparison.p_value, p.adjusted) for p in pairs if p.comparison.p_value is not None)
    assert len(raw) == len(pairs) == 3 * 6
    smallest, adjusted = raw[0]
    assert adjusted == pytest.approx(min(1.0, smallest * len(raw)))
    alone = analyse([load_run(folder)], ["R-"], ("seed", "both")).pairs[0]
    assert alone.adjusted == alone.comparison.p_value


def test_what_is_open_has_statuses_and_bounds_and_no_value(tmp_path: Path) -> None:
    def values(*_: object) -> dict[str, float | str]:
        return {"typecheck": 1.0, "R-": "timeout", "R_rej": "not_applicable"}

    analysis = analyse([load_run(write_run(tmp_path / "a", Shape(values=values)))])
    cell = analysis.arms[0].metrics["R-"]
    assert cell.interval.mean is None and cell.interval.n == 0 and cell.coverage == 0.0
    assert cell.statuses == {"timeout": 24}
    assert cell.bounds == (0.25, 0.75)
    pair = next(p for p in analysis.pairs if p.metric == "R-")
    assert pair.comparison.difference.mean is None and pair.comparison.p_value is None and pair.adjusted is None
    assert analysis.arms[0].metrics["R_rej"].bounds is None


def test_a_changed_order_on_common_support_is_warned_of(tmp_path: Path) -> None:
    def values(rng: object, arm: str, task: int) -> dict[str, float | str]:
        if arm == "seed":  # measured on the easy half only
            return {"typecheck": 1.0, "R-": 0.9 if task < 6 else "timeout"}
        return {"typecheck": 1.0, "R-": 1.0 if task < 6 else 0.0}

    analysis = analyse([load_run(write_run(tmp_path / "a", Shape(values=values)))])
    assert any("seed is above verifier" in w and w.startswith("R−") for w in analysis.warnings)
    support = next(s.support for s in analysis.supports if s.metric == "R-")
    n, mean = support.available["seed"]
    assert n == 6 and mean == pytest.approx(0.9)
    assert support.common["verifier"] == (6, 1.0)


def test_an_arm_whose_optimisations_failed_is_shown(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "a", Shape(arms=("seed", "verifier", "both"), failed=("both",)))
    arm = analyse([load_run(folder)]).arms[2]
    assert (arm.name, arm.status, arm.candidates) == ("both", "failed", 0)
    assert arm.metrics["R+"].interval.mean is None


def test_tasks_with_other_labels_are_not_paired(tmp_path: Path) -> None:
    runs = [
        load_run(write_run(tmp_path / name, Shape(name=name, arms=("seed",), fingerprint=mark, seed=n)))
        for n, (name, mark) in enumerate([("a", "x"), ("b", "x"), ("c", "y")])
    ]
    same, other = analyse(runs[:2]), analyse(runs[1:])
    assert [a.label for a in same.arms] == ["a: seed", "b: seed"]
    assert same.pairs[0].comparison.difference.n == 12 and not same.warnings
    assert other.pairs[0].comparison.difference.n == 0
    assert any("12 tasks have different content" in w for w in other.warnings)


def test_runs_of_one_name_get_different_labels(tmp_path: Path) -> None:
    runs = [load_run(write_run(tmp_path / name, Shape(arms=("seed",)))) for name in ("a", "b")]
    assert [a.label for a in analyse(runs).arms] == ["a: seed", "b: seed"]
    assert len({a.label for a in analyse([runs[0], runs[0]]).arms}) == 2


def test_superseded_and_torn_records_do_not_count(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "a", Shape(tasks=2, arms=("seed",), seeds=("zero-shot",)))
    import random

    shape = Shape(values=lambda *_: {"typecheck": 1.0, "R+": 0.125})
    newer = scored(shape, random.Random(0), "seed", "zero-shot", 0, 0)
    newer |= {"key": newer["key"] + "#2", "supersedes": newer["key"]}
    with open(folder / "records.jsonl", "a", encoding="utf-8") as out:
        out.write(json.dumps(newer) + "\n" + json.dumps({**newer, "key": "torn"})[:50])
    run = load_run(folder)
    assert len(run.rows) == 2
    changed = next(r for r in run.rows if r.task == "task_0000")
    measure = changed.measure(run.metrics.index("R+"))
    assert measure is not None and measure.value == 0.125


@pytest.mark.parametrize("line", ["{", "[]", '{"kind": "scored", "key": "k"}', "nul"])
def test_a_damaged_record_is_a_users_error_with_its_line(tmp_path: Path, line: str) -> None:
    folder = write_run(tmp_path / "a")
    with open(folder / "records.jsonl", "a", encoding="utf-8") as out:
        out.write(line + "\n")
    with pytest.raises(UserError, match=r"record \d+"):
        load_run(folder)


def test_metrics_that_appear_late_are_missing_before_not_zero(tmp_path: Path) -> None:
    def values(rng: object, arm: str, task: int) -> dict[str, float | str]:
        return {"typecheck": 1.0, **({"gted": 0.5} if arm == "verifier" else {})}

    seed, verifier = analyse([load_run(write_run(tmp_path / "a", Shape(values=values)))]).arms
    assert seed.metrics["gted"].interval.mean is None and seed.metrics["gted"].statuses == {}
    assert verifier.metrics["gted"].interval.mean == 0.5


def test_evidence_of_the_made_runs_is_valid() -> None:
    from evaluators.evidence import from_record

    assert from_record(evidence("R-", "timeout", "")).value is None
    assert from_record(evidence("R-", 0.5, "")).value == 0.5


def test_an_evaluation_has_its_generators_as_arms(tmp_path: Path) -> None:
    tasks = [{"id": f"task_{i:04d}", "fingerprint": f"f{i}"} for i in range(14)]
    folder = write_run(tmp_path / "a", Shape(arms=("",), seeds=("",), extra={"kind": "evaluation", "tasks": tasks}))
    lines = (folder / "records.jsonl").read_text(encoding="utf-8").split("\n")
    kept = [x for x in lines if '"kind": "scored"' in x]
    (folder / "records.jsonl").write_text("\n".join(kept) + "\n", encoding="utf-8")
    (arm,) = analyse([load_run(folder)]).arms
    assert (arm.label, arm.status, arm.candidates) == ("direct", "none", 12)
    assert arm.metrics["typecheck"].interval.n == 12 and arm.metrics["typecheck"].attempted == 14


def test_harness_and_pass_at_k_count_candidates(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "a", Shape(tasks=14, samples=2, seeds=("zero-shot",)))
    found = {(r.name, r.over): r for r in rates(load_run(folder), "verifier")}
    plus, minus, grade, passed = (naive(folder, "verifier", m) for m in ("R+", "R-", "verifier_grade", "pass_all"))
    cells = [(t, c) for t, repeats in grade.items() for c in repeats]
    assert len(cells) == 28
    at_half = [c for c in cells if (plus[c[0]].get(c[1]) or 0) >= 0.5 and (minus[c[0]].get(c[1]) or 0) >= 0.5]
    rate = found[("Harness@0.50", "attempted")]
    assert rate.n == 28 and rate.lower == pytest.approx(len(at_half) / 28)
    # R- is open, and R+ does not decide it already.
    assert rate.unknown == sum(c[1] not in minus[c[0]] and plus[c[0]].get(c[1], 0) >= 0.5 for c in cells) > 0
    accepted = [c for c in cells if grade[c[0]][c[1]] == 1.0]
    assert found[("Harness@0.50", "verifier-accepted")].n == len(accepted)
    first = found[("pass@1", "tasks")]
    sums = [sum(v.values()) / 2 for v in (passed.get(t, {}) for t in grade)]
    assert first.n == 14 and first.lower == pytest.approx(fmean(sums))
    assert ("pass@2", "tasks") in found and ("pass@5", "tasks") not in found
