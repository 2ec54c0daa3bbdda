"""From records to the table: per arm, mean of each score with count, coverage and interval; differences between
arms.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from statistics import fmean
from typing import Any

from runs.statistics import Cell, PairedDifference, Summary, paired, summarise

METRICS = ("verifier_grade", "R+", "R-", "R_req", "R_rej", "BAcc", "pass", "pass_all")
"""Scores of the table. `pass_all` is pass over everything attempted: a candidate without output or not well formed
counts as not passing, one that could not be decided is left out and lowers the coverage. Where `pass` cannot be had,
on a task without accepted or without rejected pairs, there is no `pass_all` either."""

OUTCOMES = ("well_formed", "not_well_formed", "unsupported", "no_output")


@dataclass(frozen=True, slots=True)
class ArmSummary:
    """One arm: candidates by outcome, a summary for each metric, and the statuses of its evidence over candidates."""

    arm: str
    status: str
    candidates: int
    outcomes: Mapping[str, int]
    metrics: Mapping[str, Summary]
    message: str = ""
    statuses: Mapping[str, Mapping[str, int]] = field(default_factory=dict)

    def as_record(self) -> dict[str, Any]:
        """Return plain JSON data."""
        record = asdict(self)
        for name, summary in self.metrics.items():
            record["metrics"][name]["coverage"] = summary.coverage
        return record


def metric_values(record: Mapping[str, Any]) -> dict[str, float]:
    """Return the observed values of one scored candidate's record, `pass_all` included."""
    values = {e["metric"]: e["value"] for e in record["evidence"] if e["status"] == "observed"}
    can_pass = record["labels"]["accepted"] and record["labels"]["rejected"]
    # A call that failed on its way has no grade, and is no failure to pass.
    if record["outcome"] in ("no_output", "not_well_formed") and can_pass and "verifier_grade" in values:
        values["pass_all"] = 0.0
    elif "pass" in values:
        values["pass_all"] = values["pass"]
    return values


def by_task(records: Iterable[Mapping[str, Any]], metric: str) -> dict[str, float]:
    """Return the mean of a metric for each task over the candidates on which it was observed."""
    found: dict[str, list[float]] = defaultdict(list)
    for record in records:
        value = metric_values(record).get(metric)
        if value is not None:
            found[record["task"]].append(value)
    return {task: fmean(values) for task, values in found.items()}


def by_cell(records: Iterable[Mapping[str, Any]], metric: str) -> dict[Cell, float]:
    """Return a metric for each task, seed prompt and sample on which it was observed."""
    found = {}
    for record in records:
        value = metric_values(record).get(metric)
        if value is not None:
            found[(record["task"], record["seed"], record["candidate"]["sample"])] = value
    return found


def summarise_arm(
    arm: str,
    records: Sequence[Mapping[str, Any]],
    attempted: int,
    resamples: int,
    seed: int,
    status: str = "completed",
    message: str = "",
    metrics: Sequence[str] = METRICS,
) -> ArmSummary:
    """Summarise the scored candidates of one arm over `attempted` tasks."""
    outcomes = Counter(r["outcome"] for r in records)
    found = {m: summarise(by_task(records, m), attempted, resamples, seed) for m in metrics}
    counted = {o: outcomes.get(o, 0) for o in OUTCOMES}
    return ArmSummary(arm, status, len(records), counted, found, message, statuses(records, metrics))


def statuses(records: Iterable[Mapping[str, Any]], metrics: Sequence[str]) -> dict[str, dict[str, int]]:
    """Return for each metric how many candidates ended in each status."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for record in records:
        for e in record["evidence"]:
            counts[e["metric"]][e["status"]] += 1
    return {m: dict(counts[m]) for m in metrics if m in counts}


def compare_arms(
    first: Sequence[Mapping[str, Any]],
    second: Sequence[Mapping[str, Any]],
    resamples: int,
    seed: int,
    metrics: Sequence[str] = METRICS,
) -> dict[str, PairedDifference]:
    """Return the paired difference second - first of every metric, over what was observed on both sides."""
    return {m: paired(by_cell(first, m), by_cell(second, m), resamples, seed) for m in metrics}
