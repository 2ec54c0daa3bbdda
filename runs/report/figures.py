"""What the plots show, apart from how they are drawn: facets of dots with intervals, of stacked bars, of curves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from runs.report.analysis import Analysis, label, run_labels
from runs.report.load import RunData
from runs.report.tables import interval_text, pair_name, signed_text
from runs.table import number

BINS = ("0", "(0, ¼]", "(¼, ½]", "(½, ¾]", "(¾, 1)", "1", "no value")
"""Bins of the values of candidates: the ends stand alone, since most scores are exactly 0 or 1."""
ALPHA = 0.05


@dataclass(frozen=True, slots=True)
class Dot:
    """An estimate with its interval. `series` chooses colour and marker; `strong` fills the marker."""

    label: str
    series: int
    mean: float | None
    low: float | None
    high: float | None
    text: str
    strong: bool = True


@dataclass(frozen=True, slots=True)
class DotFacet:
    """Dots on a common axis from `low` to `high`; `zero` draws the line of no difference."""

    title: str
    dots: tuple[Dot, ...]
    low: float
    high: float
    zero: bool = False


@dataclass(frozen=True, slots=True)
class Bar:
    """Counts by bin (`BINS`)."""

    label: str
    counts: tuple[int, ...]
    text: str


@dataclass(frozen=True, slots=True)
class BarFacet:
    """Stacked bars, each as long as the whole."""

    title: str
    bars: tuple[Bar, ...]


@dataclass(frozen=True, slots=True)
class Curve:
    """Scores in the order in which they came, None where there is none; `best` is the index that was kept, or -1."""

    label: str
    series: int
    scores: tuple[float | None, ...]
    best: int


@dataclass(frozen=True, slots=True)
class CurveFacet:
    """Curves on axes of their own; scores from `low` to `high`."""

    title: str
    curves: tuple[Curve, ...]
    low: float
    high: float


Facet = DotFacet | BarFacet | CurveFacet


@dataclass(frozen=True, slots=True)
class Figure:
    """Facets under a title; `name` is for files."""

    name: str
    title: str
    facets: tuple[Facet, ...]
    note: str


def arms_figure(analysis: Analysis) -> Figure:
    """Return the means of the arms with their intervals, a facet for each metric that any arm has a value of."""
    facets = []
    for metric in analysis.metrics:
        dots = []
        for i, arm in enumerate(analysis.arms):
            cell = arm.metrics[metric]
            value = cell.interval
            text = f"{number(value.mean)}{interval_text(value.low, value.high)} · {value.n}/{cell.attempted}"
            dots.append(Dot(arm.label, i, value.mean, value.low, value.high, text))
        if any(d.mean is not None for d in dots):
            facets.append(DotFacet(label(metric), tuple(dots), 0.0, 1.0))
    note = "Mean over tasks with two-level 95 % intervals; tasks with a value / attempted."
    return Figure("arms", "Arms", tuple(facets), note)


def differences_figure(analysis: Analysis) -> Figure:
    """Return the paired differences, a facet for each metric, all on one scale."""
    facets = []
    ends = [abs(v) for p in analysis.pairs for v in _ends(p.comparison.difference.low, p.comparison.difference.high)]
    means = [abs(p.comparison.difference.mean or 0.0) for p in analysis.pairs]
    reach = max([*ends, *means, 0.05]) * 1.05
    for metric in analysis.metrics:
        dots = []
        for i, pair in enumerate(p for p in analysis.pairs if p.metric == metric):
            d = pair.comparison.difference
            text = f"{signed_text(d.mean)}{interval_text(d.low, d.high, sign=True)} · n={d.n}"
            found = pair.adjusted is not None and pair.adjusted < ALPHA
            if d.mean is not None:
                dots.append(Dot(pair_name(analysis, pair), i, d.mean, d.low, d.high, text, found))
        if dots:
            facets.append(DotFacet(label(metric), tuple(dots), -reach, reach, zero=True))
    note = "Second − first, paired by task. Filled: p < 0.05 after Holm's correction; hollow: not distinguished from 0."
    return Figure("differences", "Paired differences", tuple(facets), note)


def _ends(low: float | None, high: float | None) -> tuple[float, ...]:
    return () if low is None or high is None else (low, high)


def bin_of(value: float | None) -> int:
    """Return the bin of a value (`BINS`)."""
    if value is None:
        return 6
    if value <= 0.0 or value >= 1.0:
        return 0 if value <= 0.0 else 5
    return 1 if value <= 0.25 else 2 if value <= 0.5 else 3 if value <= 0.75 else 4


def distributions_figure(analysis: Analysis) -> Figure:
    """Return how the candidates' values are distributed, a facet for each metric; what has no value is shown too."""
    facets = []
    for metric in analysis.metrics:
        bars = []
        for arm in analysis.arms:
            counts = _counts(analysis.runs[arm.run], arm.name, metric)
            if counts is not None:
                bars.append(Bar(arm.label, counts, f"{sum(counts)} candidates"))
        if any(sum(b.counts[:6]) for b in bars):
            facets.append(BarFacet(label(metric), tuple(bars)))
    note = "Share of candidates by value. Grey stripes: no value (not applicable, not decided, or no candidate)."
    return Figure("distributions", "Distributions", tuple(facets), note)


def _counts(run: RunData, arm: str, metric: str) -> tuple[int, ...] | None:
    if metric not in run.metrics:
        return None
    index = run.metrics.index(metric)
    found: Counter[int] = Counter()
    for row in run.rows:
        if row.arm == arm:
            measure = row.measure(index)
            found[bin_of(measure.value if measure is not None else None)] += 1
    return tuple(found[i] for i in range(len(BINS)))


def optimisation_figure(analysis: Analysis) -> Figure:
    """Return the validation scores of the prompts that optimisations tried, a facet for each run and reward."""
    facets = []
    several = len(analysis.runs) > 1
    for run, text in zip(analysis.runs, run_labels(analysis.runs), strict=True):
        seeds = list(dict.fromkeys(o.seed for o in run.optimisations))
        for reward in dict.fromkeys(o.reward for o in run.optimisations):
            curves = [
                Curve(o.seed, seeds.index(o.seed), o.validation_scores, o.best)
                for o in run.optimisations
                if o.reward == reward and any(s is not None for s in o.validation_scores)
            ]
            if curves:
                low, high = _range([s for c in curves for s in c.scores if s is not None])
                title = f"{text}: reward {reward}" if several else f"reward {reward}"
                facets.append(CurveFacet(title, tuple(curves), low, high))
    note = (
        "Dots: reward on the validation tasks of each prompt that was tried, in order, from the seed prompt; line: "
        "best so far; ring: kept. Scores of different rewards are not comparable."
    )
    return Figure("optimisation", "Optimisation", tuple(facets), note)


def _range(scores: Sequence[float]) -> tuple[float, float]:
    margin = max(0.02, 0.1 * (max(scores) - min(scores)))
    return max(0.0, min(scores) - margin), min(1.0, max(scores) + margin)


def all_figures(analysis: Analysis) -> list[Figure]:
    """Return the figures that show anything."""
    figures = [
        arms_figure(analysis),
        differences_figure(analysis),
        distributions_figure(analysis),
        optimisation_figure(analysis),
    ]
    return [f for f in figures if f.facets]


__all__ = ["Figure", "all_figures"]
