"""Tables as CSV, LaTeX and Markdown."""

from __future__ import annotations

import contextlib
import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from runs.report.analysis import OUTCOMES, Analysis
from runs.report.tables import Table
from runs.report.text import visible
from specgen.errors import UserError

Cell = str | int | float | None

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
"""Beginnings by which a spreadsheet takes text for a formula."""


def csv_cell(value: Cell) -> str:
    """Return a cell: numbers at full precision, what is not there empty, text that no spreadsheet runs."""
    match value:
        case None:
            return ""
        case bool():
            return str(value)
        case int() | float():
            return repr(value)
    text = visible(value)
    return f"'{text}" if text.lstrip(" ").startswith(FORMULA) else text


def write_csv(path: Path, head: Sequence[str], rows: Iterable[Sequence[Cell]]) -> None:
    """Write a CSV file (UTF-8, RFC 4180), row by row.

    Raises:
        UserError: when it cannot be written.
    """
    with _replacing(path) as part, open(part, "w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out)
        writer.writerow([csv_cell(h) for h in head])
        writer.writerows([csv_cell(c) for c in row] for row in rows)


@contextlib.contextmanager
def _replacing(path: Path) -> Iterator[Path]:
    """Give a path beside a file to write to, which takes the file's place at the end.

    A report is made to be handed on: its files have the permissions that new files have.
    """
    part = path.with_name(f".{path.name}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        yield part
        part.replace(path)
    except OSError as exc:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
        raise UserError(
            f"cannot write {path}: {exc.strerror or exc}", remedy="Free space, or choose another folder with --out"
        ) from exc


def csv_tables(analysis: Analysis) -> Iterator[tuple[str, list[str], Iterable[Sequence[Cell]]]]:
    """Yield name, head and rows of each CSV file."""
    yield "arms", ["arm", "metric", *_ARM_HEAD], _arm_rows(analysis)
    yield "outcomes", ["arm", "optimisation", "candidates", *OUTCOMES], _outcome_rows(analysis)
    yield "comparisons", ["first", "second", "metric", *_PAIR_HEAD], _pair_rows(analysis)
    yield "common_support", ["metric", "arm", "n", "mean", "common_n", "common_mean"], _support_rows(analysis)
    yield "tasks", ["task", "arm", "metric", "candidates", "values", "mean"], _task_rows(analysis)
    yield "candidates", ["run", "arm", "prompt", "task", "sample", "outcome", *_per_metric(analysis)], _rows(analysis)
    if any(run.optimisations for run in analysis.runs):
        head = ["run", "reward", "prompt", "status", "tried", "validation_score", "kept"]
        yield "tried_prompts", head, _tried_rows(analysis)
    costs = [(run.name, c) for run in analysis.runs for c in run.costs]
    if costs:
        keys = list(costs[0][1])
        yield "costs", ["run", *keys], [[name, *(c.get(k) for k in keys)] for name, c in costs]


_ARM_HEAD = ["n", "attempted", "mean", "low", "high", "values", "candidates", "statuses", "lower_bound", "upper_bound"]
_PAIR_HEAD = [
    *("n", "difference", "low", "high", "p_value", "exact", "p_holm", "detectable"),
    *("mcnemar_n", "only_first", "only_second", "ties", "mcnemar_p", "mcnemar_p_holm"),
]


def _arm_rows(analysis: Analysis) -> Iterator[Sequence[Cell]]:
    for arm in analysis.arms:
        for metric, cell in arm.metrics.items():
            i = cell.interval
            statuses = "; ".join(f"{n} {s}" for s, n in cell.statuses.items())
            counts = [cell.values, cell.candidates, statuses, *(cell.bounds or (None, None))]
            yield [arm.label, metric, i.n, cell.attempted, i.mean, i.low, i.high, *counts]


def _outcome_rows(analysis: Analysis) -> Iterator[Sequence[Cell]]:
    for a in analysis.arms:
        yield [a.label, f"{a.status}: {a.message}" if a.message else a.status, a.candidates, *a.outcomes.values()]


def _pair_rows(analysis: Analysis) -> Iterator[Sequence[Cell]]:
    for p in analysis.pairs:
        d, m = p.comparison.difference, p.passes
        passes = [m.n, m.only_first, m.only_second, p.ties, m.p_value, p.passes_adjusted] if m else [None] * 6
        arms = [analysis.arms[p.first].label, analysis.arms[p.second].label, p.metric]
        tests = [p.comparison.p_value, p.comparison.exact, p.adjusted, p.detectable]
        yield [*arms, d.n, d.mean, d.low, d.high, *tests, *passes]


def _support_rows(analysis: Analysis) -> Iterator[Sequence[Cell]]:
    for s in analysis.supports:
        for arm, (n, mean) in s.support.available.items():
            yield [s.metric, arm, n, mean, *s.support.common[arm]]


def _task_rows(analysis: Analysis) -> Iterator[Sequence[Cell]]:
    for arm in analysis.arms:
        run = analysis.runs[arm.run]
        mine: dict[str, list[int]] = {}
        for i, row in enumerate(run.rows):
            if row.arm == arm.name:
                mine.setdefault(row.task, []).append(i)
        for task in sorted(mine):
            for metric in analysis.metrics:
                at = run.metrics.index(metric) if metric in run.metrics else len(run.metrics)
                found = [m.value for i in mine[task] if (m := run.rows[i].measure(at)) is not None]
                values = [v for v in found if v is not None]
                mean = sum(values) / len(values) if values else None
                yield [task, arm.label, metric, len(mine[task]), len(values), mean]


def _per_metric(analysis: Analysis) -> list[str]:
    return [f"{m} {part}" for m in analysis.metrics for part in ("value", "status")]


def _rows(analysis: Analysis) -> Iterator[Sequence[Cell]]:
    arms = {(a.run, a.name) for a in analysis.arms}
    for i, run in enumerate(analysis.runs):
        at = [run.metrics.index(m) if m in run.metrics else len(run.metrics) for m in analysis.metrics]
        for row in run.rows:
            if (i, row.arm) not in arms:
                continue
            cells: list[Cell] = [run.name, row.arm, row.seed, row.task, row.sample, row.outcome]
            for index in at:
                m = row.measure(index)
                cells += [m.value, m.status] if m is not None else [None, None]
            yield cells


def _tried_rows(analysis: Analysis) -> Iterator[Sequence[Cell]]:
    for run in analysis.runs:
        for o in run.optimisations:
            for i, (text, score) in enumerate(zip(o.tried, o.validation_scores, strict=False)):
                yield [run.name, o.reward, o.seed, o.status, text, score, i == o.best]


# LaTeX

_LATEX = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "[": "{[}",
    "]": "{]}",
    "–": "--",
    "−": "$-$",
    "→": r"$\to$",
    "≤": r"$\le$",
    "≥": r"$\ge$",
    "≠": r"$\ne$",
    "∧": r"$\land$",
    "∨": r"$\lor$",
    "¬": r"$\neg$",
    "∀": r"$\forall$",
    "∃": r"$\exists$",
    "…": r"\dots{}",
    "·": r"$\cdot$",
    "⟨": r"$\langle$",
    "⟩": r"$\rangle$",
}
_LETTERS = range(0xA1, 0x180)
"""Letters and signs of Latin-1 and Latin Extended-A, which every LaTeX of today reads as UTF-8."""


def latex_text(text: str) -> str:
    """Return text for LaTeX; a sign that plain LaTeX has no glyph for becomes its code point."""

    def one(char: str) -> str:
        if char in _LATEX:
            return _LATEX[char]
        if char in "\n\t":
            return " "
        return char if char.isascii() or ord(char) in _LETTERS else f"{{[}}U+{ord(char):04X}{{]}}"

    return "".join(map(one, visible(text)))


def latex(table: Table) -> str:
    """Return a table as LaTeX (packages booktabs; wide ones are scaled by the user), with its note as a comment."""
    columns = "l" * len(table.head)
    head = " & ".join(latex_text(h) for h in table.head)
    rows = [" & ".join(latex_text(c.strip()) for c in row) + r" \\" for row in table.rows]
    note = f"% {' '.join(visible(table.note).split())}\n" if table.note else ""
    body = "\n".join(rows)
    return (
        f"% {' '.join(visible(table.title).split())}. Needs \\usepackage{{booktabs}}.\n{note}"
        f"\\begin{{tabular}}{{{columns}}}\n\\toprule\n{head} \\\\\n\\midrule\n{body}\n\\bottomrule\n\\end{{tabular}}\n"
    )


# Markdown


def markdown_table(table: Table) -> str:
    """Return a table in Markdown; nothing in a cell is taken for markup."""

    def line(cells: Sequence[str]) -> str:
        return "| " + " | ".join(markdown_text(c) for c in cells) + " |"

    rows = [line(table.head), "|" + " --- |" * len(table.head), *map(line, table.rows)]
    return "\n".join(rows)


def markdown_text(text: str) -> str:
    """Return text in which no sign is markup."""
    out = io.StringIO()
    for char in " ".join(visible(text).split()):
        out.write({"<": "&lt;", ">": "&gt;", "&": "&amp;"}.get(char, f"\\{char}" if char in "\\`*_[]|#" else char))
    return out.getvalue()


def markdown(title: str, lead: Sequence[str], tables: Sequence[Table], plots: Sequence[tuple[str, str]]) -> str:
    """Return the report in Markdown. `plots` are titles and file names."""
    parts = [f"# {markdown_text(title)}", *(markdown_text(p) for p in lead)]
    for table in tables:
        parts += [f"## {markdown_text(table.title)}", markdown_table(table)]
        parts += [markdown_text(table.note)] if table.note else []
    for text, file in plots:
        parts += [f"## {markdown_text(text)} (plot)", f"![{markdown_text(text)}]({file})"]
    return "\n\n".join(parts) + "\n"


def write_text(path: Path, text: str) -> Path:
    """Write a text file (UTF-8) whole or not at all and return its path. Raises as `write_bytes`."""
    return write_bytes(path, text.encode("utf-8", "backslashreplace"))


def write_bytes(path: Path, content: bytes) -> Path:
    """Write a file whole or not at all and return its path.

    Raises:
        UserError: when it cannot be written.
    """
    with _replacing(path) as part:
        part.write_bytes(content)
    return path


__all__ = [
    "csv_cell",
    "csv_tables",
    "latex",
    "latex_text",
    "markdown",
    "markdown_text",
    "write_bytes",
    "write_csv",
    "write_text",
]
