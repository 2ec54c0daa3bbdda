"""Means over tasks, intervals, coverage, paired differences."""

from __future__ import annotations

import pytest

from runs.statistics import paired, summarise
from runs.summary import by_task, compare_arms, metric_values, summarise_arm


def record(
    task: str, outcome: str = "well_formed", seed: str = "s", sample: int = 0, rejected: int = 1, **named: float | None
) -> dict[str, object]:
    """A scored record; the keyword `plus` stands for R+."""
    values = {{"plus": "R+", "passes": "pass"}[name]: v for name, v in named.items()}
    if outcome in ("no_output", "not_well_formed"):
        values["verifier_grade"] = 0.0
    evidence = [
        {"metric": m, "status": "observed" if v is not None else "inconclusive", "value": v} for m, v in values.items()
    ]
    return {
        "task": task,
        "seed": seed,
        "outcome": outcome,
        "evidence": evidence,
        "candidate": {"sample": sample},
        "labels": {"accepted": 1, "rejected": rejected, "required": 1, "forbidden": 0},
    }


def test_mean_interval_and_coverage() -> None:
    s = summarise({"a": 0.0, "b": 1.0, "c": 0.5, "d": 0.5}, 8, 2000, 0)
    assert (s.n, s.attempted, s.mean, s.coverage) == (4, 8, 0.5, 0.5)
    assert s.low is not None and s.high is not None
    assert 0.0 <= s.low < 0.5 < s.high <= 1.0


def test_the_interval_of_a_constant_is_a_point_and_of_one_value_unknown() -> None:
    assert summarise({"a": 0.3, "b": 0.3}, 2, 100, 0).low == pytest.approx(0.3)
    assert summarise({"a": 0.3}, 2, 100, 0).low is None


def test_nothing_measured_has_no_mean() -> None:
    s = summarise({}, 5, 100, 0)
    assert (s.n, s.mean, s.coverage) == (0, None, 0.0)


def test_the_interval_covers_the_truth_about_as_often_as_it_says() -> None:
    import numpy as np

    rng = np.random.default_rng(7)
    covered = 0
    for i in range(300):
        data = {str(k): float(v) for k, v in enumerate(rng.random(40))}
        s = summarise(data, 40, 400, i)
        covered += s.low is not None and s.high is not None and s.low <= 0.5 <= s.high
    assert 0.89 <= covered / 300 <= 0.99


def test_pairs_are_the_common_tasks() -> None:
    def cells(**values: float) -> dict[tuple[str, str, int], float]:
        return {(task, "s", 0): value for task, value in values.items()}

    d = paired(cells(a=0.0, b=0.5), cells(b=1.0, c=1.0), 100, 0)
    assert (d.n, d.mean) == (1, 0.5)
    assert paired(cells(a=0.0), cells(b=1.0), 100, 0).mean is None


def test_a_prompt_that_only_one_arm_has_enters_no_difference() -> None:
    # Both arms are alike on prompt s; the first has also prompt t, which is good, and sample 1, which is bad.
    first = [record("a", plus=0.5), record("a", seed="t", plus=1.0), record("a", sample=1, plus=0.0)]
    second = [record("a", plus=0.5), record("a", seed="t", plus=None)]
    assert compare_arms(first, second, 100, 0)["R+"].mean == 0.0
    # Several cells of one task are one pair.
    both = compare_arms([*first, record("b", plus=1.0)], [*first, record("b", plus=0.5)], 100, 0)["R+"]
    assert (both.n, both.mean) == (2, -0.25)


def test_samples_of_a_task_are_averaged_first() -> None:
    records = [
        record("a", plus=1.0),
        record("a", plus=0.0),
        record("b", plus=1.0),
        record("c", plus=None),
    ]
    assert by_task(records, "R+") == {"a": 0.5, "b": 1.0}
    arm = summarise_arm("x", records, 3, 100, 0)
    assert arm.metrics["R+"].mean == 0.75
    assert arm.metrics["R+"].coverage == pytest.approx(2 / 3)
    assert arm.metrics["BAcc"].mean is None


def test_pass_all_counts_what_failed_to_be_a_contract() -> None:
    assert metric_values(record("a", "not_well_formed"))["pass_all"] == 0.0
    assert metric_values(record("a", "no_output"))["pass_all"] == 0.0
    assert "pass_all" not in metric_values(record("a", "unsupported"))
    assert metric_values(record("a", passes=1.0))["pass_all"] == 1.0
    assert "pass_all" not in metric_values(record("a", passes=None))


def test_pass_all_is_not_measured_where_nothing_could_pass_or_nobody_answered() -> None:
    assert "pass_all" not in metric_values(record("a", "not_well_formed", rejected=0))
    unanswered = record("a", "no_output")
    unanswered["evidence"] = [{"metric": "verifier_grade", "status": "generation_failure", "value": None}]
    assert metric_values(unanswered) == {}


def test_outcomes_are_counted_not_dropped() -> None:
    arm = summarise_arm("x", [record("a", "unsupported"), record("b", "no_output")], 2, 100, 0)
    assert dict(arm.outcomes) == {"well_formed": 0, "not_well_formed": 0, "unsupported": 1, "no_output": 1}
    assert compare_arms([record("a", plus=0.0)], [record("a", plus=1.0)], 100, 0)["R+"].mean == 1.0
