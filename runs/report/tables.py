"""The tables of a report as text cells, shared by the terminal, Markdown, LaTeX and HTML."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from runs.report.analysis import OUTCOMES, Analysis, MetricCell, PairResult, label
from runs.table import COST_HEAD, OUTCOME_LABELS, cost_rows, number, signed

EXPLAINED = ("observed", "not_applicable", "generation_failure")
"""Statuses that need no word beside a mean: the rows of outcomes tell them."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table: a short name for files, a title, head and rows of text, and a note of what the cells mean."""

    name: str
    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""


def interval_text(low: float | None, high: float | None, sign: bool = False) -> str:
    """Return ` [low, high]`, or nothing where there is no interval."""
    if low is None or high is None:
        return ""
    show = signed_text if sign else number
    return f" [{show(low, 2)}, {show(high, 2)}]"


def signed_text(value: float | None, digits: int = 3) -> str:
    """Return a difference with its sign, as wide as a plus; what rounds to zero has none."""
    text = signed(value, digits)
    return text[1:] if value is not None and float(text) == 0.0 else text.replace("-", "−")


def metric_text(cell: MetricCell) -> str:
    """Return a mean with interval and coverage; without a value a dash with the statuses that explain it."""
    if not cell.statuses and cell.candidates:
        return "not measured"
    tasks = f"{cell.interval.n}/{cell.attempted}"
    if cell.interval.mean is None:
        return f"– {tasks}" + (f" ({text})" if (text := status_text(cell.statuses)) else "")
    return f"{number(cell.interval.mean)}{interval_text(cell.interval.low, cell.interval.high)} {tasks}"


def status_text(statuses: Mapping[str, int], leave_out: Sequence[str] = ("observed",)) -> str:
    """Return counts by status, e.g. `3 timeout, 1 unsupported`."""
    return ", ".join(f"{n} {s.replace('_', ' ')}" for s, n in statuses.items() if s not in leave_out and n)


def undecided_text(cell: MetricCell) -> str:
    """Return what of a metric was not decided, with the bounds that are certain all the same; empty when nothing."""
    text = status_text(cell.statuses, EXPLAINED)
    if text and cell.bounds is not None:
        text += f"; mean within [{number(cell.bounds[0])}, {number(cell.bounds[1])}]"
    return text


def p_text(p: float | None) -> str:
    """Return a p-value; small ones as a bound."""
    if p is None:
        return "–"
    return "<0.001" if p < 0.001 else f"{p:.3f}"


def arm_table(analysis: Analysis) -> Table:
    """Return the table of arms: a column for each, a row for each metric and outcome."""
    arms = analysis.arms
    status = [f"{a.status}: {a.message}" if a.message else a.status for a in arms]
    rows = [("optimisation", *status)]
    rows += [(label(m), *(metric_text(a.metrics[m]) for a in arms)) for m in analysis.metrics]
    rows.append(("candidates", *(str(a.candidates) for a in arms)))
    rows += [(f"  {OUTCOME_LABELS[o]}", *(str(a.outcomes[o]) for a in arms)) for o in OUTCOMES]
    note = (
        f"Mean over tasks [95 % interval of a two-level bootstrap (tasks, then repeats), {analysis.resamples} samples] "
        "tasks with a value/tasks attempted. pass (all) counts candidates without output or not well formed as not "
        "passing. A dash means that there is no value, never 0."
    )
    return Table("arms", "Arms", ("score", *(a.label for a in arms)), tuple(rows), note)


def undecided_table(analysis: Analysis) -> Table:
    """Return for each metric that could not be decided on some candidates what became of them."""
    rows = []
    for metric in analysis.metrics:
        cells = [undecided_text(a.metrics[metric]) for a in analysis.arms]
        if any(cells):
            rows.append((label(metric), *cells))
    head = ("not decided, candidates", *(a.label for a in analysis.arms))
    note = "Candidates whose value is open. The bounds hold whatever the open checks would have given."
    return Table("undecided", "Not decided", head, tuple(rows), note)


def pair_name(analysis: Analysis, pair: PairResult) -> str:
    """Return `second − first`."""
    return f"{analysis.arms[pair.second].label} − {analysis.arms[pair.first].label}"


def pair_row(pair: PairResult) -> tuple[str, ...]:
    """Return the cells of one comparison, from the difference on."""
    d = pair.comparison.difference
    difference = "–" if d.mean is None else signed_text(d.mean) + interval_text(d.low, d.high, sign=True)
    passes = pair.passes
    counts = "" if passes is None else f"{passes.only_second} : {passes.only_first}"
    counts += f" ({pair.ties} even)" if pair.ties else ""
    return (
        difference,
        str(d.n),
        p_text(pair.comparison.p_value) + (" (exact)" if pair.comparison.exact and d.n else ""),
        p_text(pair.adjusted),
        number(pair.detectable),
        counts,
        "" if passes is None else f"{p_text(passes.p_value)} ({p_text(pair.passes_adjusted)})",
    )


PAIR_HEAD = ("difference", "tasks", "p", "p (Holm)", "detectable", "only 2nd : only 1st", "McNemar p (Holm)")


def pair_table(analysis: Analysis) -> Table:
    """Return the table of comparisons, a row for each pair of arms and metric."""
    rows = [(pair_name(analysis, p), label(p.metric), *pair_row(p)) for p in analysis.pairs]
    tested = sum(p.comparison.p_value is not None for p in analysis.pairs)
    note = (
        "Second minus first, paired by task (seed prompt and sample matched), with a two-level 95 % interval; "
        f"two-sided permutation p, adjusted by Holm over the {tested} comparisons here; the true difference that this "
        "many tasks would show with 80 % power at the strictest step; for pass rates, tasks that only one side passes "
        "(a task passes when more than half of its compared candidates do) with McNemar's exact p, adjusted among "
        "themselves."
    )
    return Table("comparisons", "Comparisons", ("arms", "metric", *PAIR_HEAD), tuple(rows), note)


def support_table(analysis: Analysis) -> Table:
    """Return means over all that is available beside means over common support, where the two differ in tasks."""
    rows = []
    for s in analysis.supports:
        cells, differs = [], False
        for arm in analysis.arms:
            n, mean = s.support.available.get(arm.label, (0, None))
            common_n, common = s.support.common.get(arm.label, (0, None))
            differs = differs or n != common_n
            cells.append(f"{number(mean)} ({n}) → {number(common)} ({common_n})")
        if differs:
            rows.append((label(s.metric), *cells, "order changes" if s.support.reordered else ""))
    head = ("score", *(a.label for a in analysis.arms), "")
    note = "Mean over all tasks with a value (tasks) → mean over the tasks that every arm has a value for (tasks)."
    return Table("common_support", "Common support", head, tuple(rows), note)


def cost_tables(analysis: Analysis) -> list[Table]:
    """Return a table of costs for each run that has them."""
    from runs.report.analysis import run_labels

    several = len(analysis.runs) > 1
    return [
        Table(
            f"costs_{i}" if several else "costs",
            f"Costs, {text}" if several else "Costs",
            tuple(COST_HEAD),
            tuple(map(tuple, cost_rows(run.costs))),
            "An unknown price is unknown, not 0.",
        )
        for i, (run, text) in enumerate(zip(analysis.runs, run_labels(analysis.runs), strict=True), 1)
        if run.costs
    ]


def all_tables(analysis: Analysis) -> list[Table]:
    """Return the tables that have rows."""
    tables = [
        arm_table(analysis),
        undecided_table(analysis),
        pair_table(analysis),
        support_table(analysis),
        *cost_tables(analysis),
    ]
    return [t for t in tables if t.rows]


def as_record(analysis: Analysis) -> dict[str, Any]:
    """Return the analysis as plain JSON data (`specgen compare --json`)."""
    return {
        "schema": 1,
        "simulated": analysis.simulated,
        "runs": [{"name": r.name, "kind": r.kind, "finished": r.finished} for r in analysis.runs],
        "resamples": analysis.resamples,
        "seed": analysis.seed,
        "arms": [
            {
                "arm": a.label,
                "run": a.run,
                "status": a.status,
                "message": a.message,
                "candidates": a.candidates,
                "outcomes": dict(a.outcomes),
                "metrics": {m: _metric_record(c) for m, c in a.metrics.items()},
            }
            for a in analysis.arms
        ],
        "comparisons": [_pair_record(analysis, p) for p in analysis.pairs],
        "common_support": {s.metric: asdict(s.support) for s in analysis.supports},
        "warnings": list(analysis.warnings),
    }


def _metric_record(cell: MetricCell) -> dict[str, Any]:
    return {
        **asdict(cell.interval),
        "attempted": cell.attempted,
        "coverage": cell.coverage,
        "values": cell.values,
        "candidates": cell.candidates,
        "statuses": dict(cell.statuses),
        "bounds": list(cell.bounds) if cell.bounds is not None else None,
    }


def _pair_record(analysis: Analysis, pair: PairResult) -> dict[str, Any]:
    record = {
        "first": analysis.arms[pair.first].label,
        "second": analysis.arms[pair.second].label,
        "metric": pair.metric,
        "paired_by": pair.paired_by,
        **asdict(pair.comparison.difference),
        "p_value": pair.comparison.p_value,
        "exact": pair.comparison.exact,
        "p_holm": pair.adjusted,
        "detectable": pair.detectable,
    }
    if pair.passes is not None:
        record["mcnemar"] = {**asdict(pair.passes), "ties": pair.ties, "p_holm": pair.passes_adjusted}
    return record


__all__ = ["Table", "all_tables", "as_record", "metric_text", "pair_row"]
