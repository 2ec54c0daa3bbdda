"""The analysis of one or several runs: arms by metrics with intervals, paired comparisons, common support.

Every number is a function of the runs' records. A value that could not be had is None and comes with its statuses.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from statistics import fmean, stdev
from typing import Literal

from runs.inference import (
    Comparison,
    Interval,
    PassComparison,
    Support,
    common_support,
    compare,
    holm,
    mcnemar,
    minimum_detectable_difference,
    two_level,
)
from runs.report.load import Row, RunData
from specgen.errors import UserError

METRIC_LABELS = {
    "verifier_grade": "grade",
    "R+": "R+",
    "R-": "R−",
    "R_req": "R_req",
    "R_rej": "R_rej",
    "BAcc": "BAcc",
    "pass": "pass",
    "pass_all": "pass (all)",
    "typecheck": "typecheck",
    "equivalence": "equivalence",
    "pre_forward": "P_ref → P_cand",
    "pre_backward": "P_cand → P_ref",
    "post_forward": "Q_ref → Q_cand",
    "post_backward": "Q_cand → Q_ref",
    "gted": "GTED",
    "gted_freecost": "GTED (free cost)",
    "atom_f1": "atom F1",
    "signature_f1": "signature F1",
    "NEM": "NEM",
    "judge": "judge",
}
"""Known metrics in the order in which they are shown, with labels; others follow under their own names."""

PASSES = ("pass", "pass_all")
OUTCOMES = ("well_formed", "not_well_formed", "unsupported", "no_output")
MAX_DRAWS = 4_000_000
"""Draws of one interval above which fewer bootstrap samples are taken, so that large runs can be analysed."""
MIN_RESAMPLES = 400
ALL_PAIRS_UP_TO = 8
"""Arms up to which every pair is compared; with more, every arm is compared with the first."""

Cell = tuple[str, int]
"""Seed prompt and sample: a repeat of a task."""


@dataclass(frozen=True, slots=True)
class MetricCell:
    """One metric of one arm.

    Attributes:
        interval: mean over tasks with its two-level interval; `n` is the number of tasks with a value.
        attempted: tasks attempted.
        values, candidates: candidates with a value, and all of the arm.
        statuses: candidates by status of this metric.
        bounds: mean over tasks of what is certain, [lower, upper], where candidates without a value have an interval
            too; None when nothing of the kind adds to the mean.
    """

    interval: Interval
    attempted: int
    values: int
    candidates: int
    statuses: Mapping[str, int]
    bounds: tuple[float, float] | None = None

    @property
    def coverage(self) -> float | None:
        """Share of attempted tasks with a value."""
        return self.interval.n / self.attempted if self.attempted else None


@dataclass(frozen=True, slots=True)
class ArmResult:
    """One arm of one run (`run` is its index). `label` is unique within the analysis."""

    label: str
    run: int
    name: str
    simulated: bool
    status: str
    message: str
    candidates: int
    outcomes: Mapping[str, int]
    metrics: Mapping[str, MetricCell]


@dataclass(frozen=True, slots=True)
class PairResult:
    """One metric of a pair of arms (indices): second minus first, paired by task.

    Attributes:
        paired_by: `cell` when seed prompt and sample are matched too, `task` when the arms have no seed prompt in
            common and task means are compared.
        adjusted: the permutation p-value after Holm's correction over all comparisons of the analysis.
        passes: McNemar's test where the metric is a pass rate: a task passes when more than half of its compared
            candidates do; `ties` tasks are even and are in neither group.
        passes_adjusted: its p-value after Holm's correction over the McNemar tests of the analysis.
        detectable: smallest true difference that this many tasks with this spread would show with 80 % power at the
            strictest step of the correction.
    """

    first: int
    second: int
    metric: str
    comparison: Comparison
    paired_by: Literal["cell", "task"]
    adjusted: float | None
    passes: PassComparison | None
    ties: int
    passes_adjusted: float | None
    detectable: float | None


@dataclass(frozen=True, slots=True)
class SupportResult:
    """One metric over all that is available and over common support; arms by label."""

    metric: str
    support: Support


@dataclass(frozen=True, slots=True)
class Analysis:
    """All of it. `warnings` are sentences about what limits the numbers; `resamples` is what the intervals used."""

    runs: tuple[RunData, ...]
    arms: tuple[ArmResult, ...]
    metrics: tuple[str, ...]
    pairs: tuple[PairResult, ...]
    supports: tuple[SupportResult, ...]
    resamples: int
    seed: int
    warnings: tuple[str, ...]

    @property
    def simulated(self) -> bool:
        """Whether any model of any run was simulated."""
        return any(r.simulated for r in self.runs)


def label(metric: str) -> str:
    """Return a metric's label."""
    return METRIC_LABELS.get(metric, metric)


def analyse(runs: Sequence[RunData], metrics: Sequence[str] = (), pair: tuple[str, str] | None = None) -> Analysis:
    """Analyse runs.

    Args:
        runs: at least one.
        metrics: only these; all that were measured by default.
        pair: labels of the only two arms to look at, first and second.

    Raises:
        UserError: a metric or an arm that no run has.
    """
    measured = _metrics(runs, metrics)
    everything = dict(zip(arm_labels(runs), _arms(runs), strict=True))
    chosen = _chosen(everything, pair)
    names = list(chosen)
    values = [_values(run, name, measured, runs) for run, name in chosen.values()]
    resamples = _resamples(runs, values)
    seed = runs[0].seed
    arms = tuple(
        _arm(runs[run], run, name, text, measured, mine, resamples, seed)
        for (text, (run, name)), mine in zip(chosen.items(), values, strict=True)
    )
    pairs = _compare_all(values, _pairs(len(names)), measured, resamples, seed)
    supports = tuple(SupportResult(m, _support(names, values, m)) for m in measured)
    return Analysis(
        tuple(runs), arms, measured, pairs, supports, resamples, seed, _warnings(runs, arms, pairs, supports, resamples)
    )


def _chosen(arms: Mapping[str, tuple[int, str]], pair: tuple[str, str] | None) -> dict[str, tuple[int, str]]:
    """Return the arms to analyse by label: all, or the two that were named, in that order."""
    if pair is None:
        return dict(arms)
    for name in pair:
        if name not in arms:
            raise UserError(f"no arm {name!r} in these runs", remedy=f"There are: {', '.join(arms) or 'none'}")
    if pair[0] == pair[1]:
        raise UserError(f"an arm is compared with itself: {pair[0]!r}", remedy="Name two arms")
    return {name: arms[name] for name in pair}


def _metrics(runs: Sequence[RunData], wanted: Sequence[str]) -> tuple[str, ...]:
    there = dict.fromkeys(m for run in runs for m in run.metrics)
    known = [m for m in METRIC_LABELS if m in there]
    ordered = (*known, *(m for m in there if m not in METRIC_LABELS))
    for name in wanted:
        if name not in there:
            raise UserError(f"no metric {name!r} in these runs", remedy=f"There are: {', '.join(ordered) or 'none'}")
    return tuple(m for m in ordered if not wanted or m in wanted)


def _arms(runs: Sequence[RunData]) -> list[tuple[int, str]]:
    return [(i, name) for i, run in enumerate(runs) for name in run.arms]


def arm_labels(runs: Sequence[RunData]) -> list[str]:
    """Return a label for each arm: its name, with its run before it when there are several runs."""
    if len(runs) == 1:
        return list(runs[0].arms)
    return [f"{text}: {name}" for run, text in zip(runs, run_labels(runs), strict=True) for name in run.arms]


def run_labels(runs: Sequence[RunData]) -> list[str]:
    """Return a different label for each run: its name, its folder's name where names are the same, else a number."""
    for texts in ([r.name for r in runs], [r.folder.resolve().name for r in runs], [str(r.folder) for r in runs]):
        if len(set(texts)) == len(texts):
            return texts
    return [f"{r.name} {i}" for i, r in enumerate(runs, 1)]


_Values = Mapping[str, Mapping[str, Mapping[Cell, float]]]
"""Observed values of one arm: metric, task, repeat."""


def _values(run: int, name: str, metrics: Sequence[str], runs: Sequence[RunData]) -> _Values:
    data = runs[run]
    at = {m: data.metrics.index(m) for m in metrics if m in data.metrics}
    found: dict[str, dict[str, dict[Cell, float]]] = {m: defaultdict(dict) for m in metrics}
    differing = differing_tasks(runs)
    for row in data.rows:
        if row.arm != name:
            continue
        # The same name with other labels is another task: it is not paired.
        task = f"{row.task} ({run})" if row.task in differing else row.task
        for metric, index in at.items():
            measure = row.measure(index)
            if measure is not None and measure.value is not None:
                found[metric][task][(row.seed, row.sample)] = measure.value
    return found


def differing_tasks(runs: Sequence[RunData]) -> frozenset[str]:
    """Return the tasks that several runs attempted with different content or labels."""
    prints: dict[str, set[str]] = defaultdict(set)
    for run in runs:
        for task, fingerprint in run.tasks.items():
            prints[task].add(fingerprint)
    return frozenset(t for t, found in prints.items() if len(found) > 1)


def _resamples(runs: Sequence[RunData], values: Sequence[_Values]) -> int:
    asked = runs[0].resamples
    cells = max((sum(map(len, tasks.values())) for arm in values for tasks in arm.values()), default=1)
    return min(asked, max(MIN_RESAMPLES, MAX_DRAWS // max(cells, 1)))


def _arm(
    data: RunData,
    run: int,
    name: str,
    text: str,
    metrics: Sequence[str],
    values: _Values,
    resamples: int,
    seed: int,
) -> ArmResult:
    rows = [r for r in data.rows if r.arm == name]
    outcomes = Counter(r.outcome for r in rows)
    cells = {}
    for metric in metrics:
        tasks = values[metric]
        interval = two_level([list(tasks[t].values()) for t in sorted(tasks)], resamples, seed)
        counts = _statuses(data, rows, metric)
        bounds = _bounds(data, rows, metric)
        cells[metric] = MetricCell(interval, len(data.tasks), counts.get("observed", 0), len(rows), counts, bounds)
    status, message = _optimisation_status(data, name)
    simulated = bool(data.manifest.get("simulated")) or any(r.simulated for r in rows)
    return ArmResult(
        text, run, name, simulated, status, message, len(rows), {o: outcomes.get(o, 0) for o in OUTCOMES}, cells
    )


def _statuses(data: RunData, rows: Sequence[Row], metric: str) -> dict[str, int]:
    if metric not in data.metrics:
        return {}
    index = data.metrics.index(metric)
    counts = Counter(m.status for r in rows if (m := r.measure(index)) is not None)
    return dict(sorted(counts.items(), key=lambda pair: -pair[1]))


def _bounds(data: RunData, rows: Sequence[Row], metric: str) -> tuple[float, float] | None:
    """Return the mean over tasks of the certain bounds of all candidates that have any, None when all have values."""
    if metric not in data.metrics:
        return None
    index = data.metrics.index(metric)
    found: dict[str, list[tuple[float, float]]] = defaultdict(list)
    open_ones = 0
    for row in rows:
        m = row.measure(index)
        if m is not None and m.lower is not None and m.upper is not None:
            found[row.task].append((m.lower, m.upper))
            open_ones += m.value is None
    if not open_ones:
        return None
    low = fmean(fmean(a for a, _ in bounds) for bounds in found.values())
    return low, fmean(fmean(b for _, b in bounds) for bounds in found.values())


def _optimisation_status(data: RunData, name: str) -> tuple[str, str]:
    """Return how the optimisations of an arm ended; `none` for an arm that is none's result."""
    mine = [o for o in data.optimisations if o.reward == name]
    if not mine:
        return "none", ""
    failed = [o for o in mine if o.instructions is None]
    if not failed:
        return "completed", ""
    status = "failed" if len(failed) == len(mine) else f"{len(failed)} of {len(mine)} failed"
    return status, failed[0].message


def _pairs(arms: int) -> list[tuple[int, int]]:
    if arms > ALL_PAIRS_UP_TO:
        return [(0, i) for i in range(1, arms)]
    return list(combinations(range(arms), 2))


def _compare_all(
    values: Sequence[_Values], pairs: Sequence[tuple[int, int]], metrics: Sequence[str], resamples: int, seed: int
) -> tuple[PairResult, ...]:
    """Compare pairs of arms, and correct over all of the comparisons that have a p-value."""
    found = [_compare(values, a, b, m, resamples, seed) for a, b in pairs for m in metrics]
    raw = {str(i): p.comparison.p_value for i, p in enumerate(found)}
    adjusted = holm({k: p for k, p in raw.items() if p is not None})
    passes = {str(i): p.passes.p_value for i, p in enumerate(found) if p.passes is not None}
    passes_adjusted = holm({k: p for k, p in passes.items() if p is not None})
    family = max(1, len(adjusted))
    return tuple(
        replace(
            p,
            adjusted=adjusted.get(str(i)),
            passes_adjusted=passes_adjusted.get(str(i)),
            detectable=_detectable(values[p.first][p.metric], values[p.second][p.metric], p.paired_by, family),
        )
        for i, p in enumerate(found)
    )


def _aligned(
    first: Mapping[str, Mapping[Cell, float]], second: Mapping[str, Mapping[Cell, float]], by: str
) -> tuple[dict[str, list[float]], dict[str, list[float]]]:
    """Return the repeats of each common task on both sides, in the same order, only those that both have."""
    left, right = {}, {}
    for task in sorted(first.keys() & second.keys()):
        if by == "task":
            left[task], right[task] = [fmean(first[task].values())], [fmean(second[task].values())]
            continue
        common = sorted(first[task].keys() & second[task].keys())
        if common:
            left[task] = [first[task][c] for c in common]
            right[task] = [second[task][c] for c in common]
    return left, right


def _pairing(first: _Values, second: _Values) -> Literal["cell", "task"]:
    """Tell whether two arms share seed prompts and samples, over all of their metrics."""

    def cells(arm: _Values) -> set[str]:
        return {seed for tasks in arm.values() for repeats in tasks.values() for seed, _ in repeats}

    left, right = cells(first), cells(second)
    return "cell" if left & right or not left or not right else "task"


def _compare(values: Sequence[_Values], first: int, second: int, metric: str, resamples: int, seed: int) -> PairResult:
    by = _pairing(values[first], values[second])
    left, right = _aligned(values[first][metric], values[second][metric], by)
    comparison = compare(left, right, resamples, seed)
    passes, ties = None, 0
    if metric in PASSES:
        votes = [{t: fmean(v) for t, v in side.items()} for side in (left, right)]
        even = {t for side in votes for t, share in side.items() if share == 0.5}
        ties = len(even)
        passes = mcnemar(*({t: share > 0.5 for t, share in side.items() if t not in even} for side in votes))
    return PairResult(first, second, metric, comparison, by, None, passes, ties, None, None)


def _detectable(
    first: Mapping[str, Mapping[Cell, float]], second: Mapping[str, Mapping[Cell, float]], by: str, family: int
) -> float | None:
    left, right = _aligned(first, second, by)
    differences = [fmean(b - a for a, b in zip(left[t], right[t], strict=True)) for t in left]
    if len(differences) < 2:
        return None
    spread = stdev(differences)
    # Without any spread the formula gives 0, which would promise that every difference is found.
    return minimum_detectable_difference(len(differences), spread, comparisons=family) if spread > 0 else None


def _support(names: Sequence[str], values: Sequence[_Values], metric: str) -> Support:
    """Compare all-available with common support over the arms that have any value."""
    means = {
        name: {t: fmean(cells.values()) for t, cells in arm[metric].items()}
        for name, arm in zip(names, values, strict=True)
        if arm[metric]
    }
    return common_support(means)


def _warnings(
    runs: Sequence[RunData],
    arms: Sequence[ArmResult],
    pairs: Sequence[PairResult],
    supports: Sequence[SupportResult],
    resamples: int,
) -> tuple[str, ...]:
    found = []
    for run, text in zip(runs, run_labels(runs), strict=True):
        if not run.finished:
            found.append(f"{text} is not finished: its costs are not known, and candidates may be missing.")
        if unanswered := run.summary.get("unanswered"):
            found.append(f"{text}: {unanswered} candidates got no answer and no score; --resume asks again.")
        if run.skipped:
            parts = ", ".join(f"{n} {kind.replace('_', ' ')}" for kind, n in run.skipped.items())
            found.append(f"{text}: parts of the input were no candidates: {parts}.")
        if leaks := run.summary.get("leaks"):
            found.append(f"{text}: {len(leaks)} pieces of prompts occur in held-out material (see Manifest).")
    if differing := differing_tasks(runs):
        found.append(
            f"{len(differing)} tasks have different content or labels in different runs and are not paired: "
            f"{', '.join(sorted(differing)[:3])}{' and others' if len(differing) > 3 else ''}."
        )
    for arm in arms:
        if arm.status not in ("none", "completed"):
            found.append(f"{arm.label}: optimisation {arm.status}{': ' + arm.message if arm.message else ''}.")
    for s in supports:
        for higher, lower in s.support.reordered:
            found.append(
                f"{label(s.metric)}: {higher} is above {lower} over all that is available, and below it over the "
                "tasks that every arm has a value for. Read the paired differences."
            )
    if any(p.paired_by == "task" and p.comparison.difference.n for p in pairs):
        found.append("Arms without a seed prompt in common are compared by task means.")
    if len(arms) > ALL_PAIRS_UP_TO and len(pairs) > 0:
        found.append(f"{len(arms)} arms: each is compared with the first only; specgen compare compares any two.")
    if resamples < runs[0].resamples:
        found.append(f"Intervals use {resamples} bootstrap samples instead of {runs[0].resamples}, for the size.")
    return tuple(found)


__all__ = ["Analysis", "ArmResult", "MetricCell", "PairResult", "SupportResult", "analyse", "label"]
