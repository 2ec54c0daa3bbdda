"""The data behind the interactive part of the page: tasks with their cells, and candidates with all that is known.

Texts are stored once, in one list of strings that everything else points into. What the page has no room for is left
out by a stated order, and counted.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any

from runs.report.analysis import OUTCOMES, Analysis, label
from runs.report.load import Row, RunData, read_details, requirements
from runs.report.text import visible

DETAIL_BYTES = 1_800_000
"""Most bytes of candidates' details in the page."""
TASK_BYTES = 700_000
"""Most bytes of the tasks' cells and texts; further tasks are in the CSV files only."""
MAX_TEXT = 20_000
"""Longest text of one candidate in the page, in characters."""
MAX_SHOWN = 400
"""Longest example or message in the page, in characters."""

LETTERS = {"holds": "h", "fails": "f", "unknown": "u"}


_ESCAPED = "<>&\u2028\u2029"
"""Characters that do not stand in a script element as themselves."""


def _size(data: Any) -> int:
    return len(json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "backslashreplace"))


@dataclass(slots=True)
class Strings:
    """Texts by number, each stored once."""

    numbers: dict[str, int] = field(default_factory=dict)
    size: int = 0

    def add(self, text: str, limit: int = MAX_SHOWN) -> int:
        """Return the number of a text, which is cut at the limit and made visible."""
        if len(text) > limit:
            text = f"{text[:limit]}… ({len(text) - limit} characters more)"
        text = visible(text)
        if text not in self.numbers:
            self.numbers[text] = len(self.numbers)
            self.size += _size(text) + 1 + 5 * sum(map(text.count, _ESCAPED))
        return self.numbers[text]


@dataclass(frozen=True, slots=True)
class Left:
    """What the page leaves out: candidates without details and tasks without a row, of how many."""

    candidates: int
    all_candidates: int
    tasks: int
    all_tasks: int


def page_data(analysis: Analysis) -> tuple[dict[str, Any], Left]:
    """Return the page's data as plain JSON, and what it leaves out."""
    strings = Strings()
    rows = _rows_by_task(analysis)
    order = sorted(rows)
    cells = {task: _cells(analysis, rows[task]) for task in order}
    about = _requirements(analysis.runs, order)
    made: dict[str, list[Any]] = {}
    used = 0
    for task in sorted(order, key=lambda t: (-_interest(cells[t]), t)):
        texts = [strings.add(task), *(strings.add(part, 4000) for part in about.get(task, ("", "")))]
        used += _size(cells[task]) + 24
        if used + strings.size > TASK_BYTES and made:
            break
        made[task] = [*texts, cells[task]]
    shown = sorted(made)
    candidates, details = _details(analysis, rows, shown, strings)
    data = {
        "simulated": analysis.simulated,
        "metrics": [[m, label(m)] for m in analysis.metrics],
        "arms": [visible(a.label) for a in analysis.arms],
        "outcomes": list(OUTCOMES),
        "tasks": [made[t] for t in shown],
        "candidates": details,
        "strings": [],
    }
    data["strings"] = list(strings.numbers)
    total = sum(len(found) for found in rows.values())
    return data, Left(total - candidates, total, len(order) - len(shown), len(order))


_ByTask = Mapping[str, Sequence[tuple[int, Row]]]


def _rows_by_task(analysis: Analysis) -> _ByTask:
    """Return the rows of each task with the index of their arm."""
    arms = {(a.run, a.name): i for i, a in enumerate(analysis.arms)}
    found: dict[str, list[tuple[int, Row]]] = defaultdict(list)
    for at, run in enumerate(analysis.runs):
        for task in run.tasks:
            found.setdefault(task, [])
        for row in run.rows:
            if (at, row.arm) in arms:
                found[row.task].append((arms[(at, row.arm)], row))
    return found


def _cells(analysis: Analysis, rows: Sequence[tuple[int, Row]]) -> list[Any]:
    """Return for each arm 0 without candidates, else counts of outcomes and for each metric the mean of the observed
    values (None without one) and how many are neither observed nor without application.
    """
    out: list[Any] = []
    for i, arm in enumerate(analysis.arms):
        mine = [r for a, r in rows if a == i]
        if not mine:
            out.append(0)
            continue
        outcomes = Counter(r.outcome for r in mine)
        run = analysis.runs[arm.run]
        means, undecided = [], 0
        for metric in analysis.metrics:
            measures = _measures(run, mine, metric)
            values = [m.value for m in measures if m.value is not None]
            undecided += sum(m.status not in ("observed", "not_applicable", "generation_failure") for m in measures)
            means.append(round(fmean(values), 4) if values else None)
        out.append([[outcomes.get(o, 0) for o in OUTCOMES], means, undecided])
    return out


def _measures(run: RunData, rows: Iterable[Row], metric: str) -> list[Any]:
    if metric not in run.metrics:
        return []
    index = run.metrics.index(metric)
    return [m for r in rows if (m := r.measure(index)) is not None]


def _interest(cells: Sequence[Any]) -> float:
    """Return how much a task tells: spread between arms, what was not decided, what was not well formed."""
    total = 0.0
    means: list[list[float | None]] = [c[1] for c in cells if c]
    for values in zip(*means, strict=True):
        known = [v for v in values if v is not None]
        total += max(known) - min(known) if len(known) > 1 else 0.0
    return total + float(sum(c[2] + c[0][1] + c[0][2] + c[0][3] for c in cells if c))


def telling(run: RunData, row: Row) -> int:
    """Return how much a candidate tells, more first: 4 accepted by the verifier though its scores are not full,
    3 not decided, 2 not well formed or without output, 1 scores that are not full, 0 the rest.
    """
    values, open_ones = {}, False
    for name, measure in zip(run.metrics, row.measures, strict=False):
        if measure is None:
            continue
        values[name] = measure.value
        open_ones = open_ones or measure.status in ("inconclusive", "unsupported", "timeout", "evaluator_error")
    scores = [values.get(m) for m in ("R+", "R-", "R_req", "R_rej", "equivalence")]
    full = all(v is None or v >= 1.0 for v in scores)
    accepted = values.get("verifier_grade") == 1.0
    if accepted and not full:
        return 4
    if open_ones:
        return 3
    if row.outcome != "well_formed":
        return 2
    return 0 if full else 1


def _details(analysis: Analysis, rows: _ByTask, shown: Sequence[str], strings: Strings) -> tuple[int, list[list[Any]]]:
    """Return how many candidates have details, and the details in the order of tasks."""
    place = {task: i for i, task in enumerate(shown)}
    out: list[list[Any]] = []
    used = 0
    for arm, row, record in _in_order(analysis, rows, shown):
        before = strings.size
        detail = [place[row.task], arm, *_detail(record, row, analysis, strings)]
        size = _size(detail) + 1 + strings.size - before
        # The first that has no room ends it: which are left out must follow from the order alone.
        if used + size > DETAIL_BYTES and out:
            break
        used += size
        out.append(detail)
    out.sort(key=lambda d: (d[0], d[1]))
    return len(out), out


def _in_order(analysis: Analysis, rows: _ByTask, shown: Sequence[str]) -> Iterator[tuple[int, Row, dict[str, Any]]]:
    """Yield candidates with their records: of each task and arm the most telling first, then the second of each, …"""
    ranked: list[tuple[int, int, str, int, Row]] = []
    for task in shown:
        groups: dict[int, list[Row]] = defaultdict(list)
        for arm, row in rows[task]:
            groups[arm].append(row)
        for arm, mine in groups.items():
            run = analysis.runs[analysis.arms[arm].run]
            told = sorted(((-telling(run, r), r.seed, r.sample, r) for r in mine), key=lambda t: t[:3])
            ranked += [(rank, key, task, arm, row) for rank, (key, _, _, row) in enumerate(told)]
    ranked.sort(key=lambda t: t[:4])
    for _, _, _, arm, row in ranked:
        for _, record in read_details(analysis.runs[analysis.arms[arm].run], [row]):
            yield arm, row, record


def _detail(record: Mapping[str, Any], row: Row, analysis: Analysis, strings: Strings) -> list[Any]:
    """Return a candidate: seed, sample, outcome, text, facts, messages, clauses, evidence, checks, judge's items."""
    candidate = record["candidate"]
    seen = record.get("message") or candidate.get("message", "")
    facts = [
        strings.add(str(candidate.get("model", ""))),
        candidate.get("input_tokens"),
        candidate.get("output_tokens"),
        candidate.get("cost_usd"),
        candidate.get("calls"),
        1 if row.simulated else 0,
        strings.add(str(candidate.get("failure", ""))),
    ]
    notes = dict.fromkeys([*record["notes"], *candidate.get("notes", ())])
    return [
        strings.add(row.seed),
        row.sample,
        OUTCOMES.index(row.outcome) if row.outcome in OUTCOMES else 3,
        strings.add(candidate_text(candidate), MAX_TEXT),
        facts,
        strings.add(seen),
        [strings.add(n) for n in notes],
        [strings.add(c, 4000) for c in record["clauses"]],
        [_evidence(e, strings) for e in record["evidence"]],
        [_check(c, strings) for c in record.get("checks", ())],
        [_judged(i, strings) for e in record["evidence"] if e["evaluator"] == "judge" for i in e["items"]],
    ]


def candidate_text(candidate: Mapping[str, Any]) -> str:
    """Return a candidate's Lean text: its fields with their names, what was read out of the reply, or the reply."""
    if candidate.get("fields") is not None:
        return "\n".join(f"-- {name}\n{value}" for name, value in candidate["fields"].items() if value.strip())
    return str(candidate.get("lean") or candidate["text"])


def _evidence(e: Mapping[str, Any], strings: Strings) -> list[Any]:
    counts = [e["numerator"], e["denominator"], e["unknown"]]
    texts = [strings.add(str(e[k])) for k in ("scope", "witness", "message")]
    who = strings.add(f"{e['evaluator']} {e['version']}")
    return [strings.add(e["metric"]), strings.add(e["status"]), e["value"], e["lower"], e["upper"], counts, *texts, who]


def _check(c: Mapping[str, Any], strings: Strings) -> list[Any]:
    reason = f"{c.get('kind', '')}: {c.get('reason', '')}" if c["outcome"] == "unknown" else ""
    return [
        strings.add(c["item"]),
        strings.add(c["shown"]),
        LETTERS[c["outcome"]],
        strings.add(c.get("clauses", ""), 4000),
        strings.add(reason),
    ]


def _judged(item: Mapping[str, Any], strings: Strings) -> list[int]:
    return [strings.add(str(item[k])) for k in ("item", "kind", "clause", "reason")]


def _requirements(runs: Sequence[RunData], shown: Sequence[str]) -> dict[str, tuple[str, str]]:
    found: dict[str, tuple[str, str]] = {}
    for run in reversed(runs):
        found |= requirements(run, [t for t in shown if t in run.tasks])
    return found


def as_script(data: Mapping[str, Any]) -> str:
    """Return JSON that may stand in a script element: no character of it can end the element or begin a comment."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for char in _ESCAPED:
        text = text.replace(char, f"\\u{ord(char):04x}")
    return text


__all__ = ["Left", "as_script", "candidate_text", "page_data", "telling"]
