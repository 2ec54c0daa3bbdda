"""`specgen calibrate`: measurements whose right result is known beforehand."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from evaluators.isolation import make_checker, make_tools
from runs.calibration.controls import FORMS, METRICS, ControlRow, Measured, measure_controls
from runs.calibration.published import Comparison, RowReport, measure_published
from specgen.errors import ExitCode


def _fraction(value: Fraction | None) -> str | None:
    return None if value is None else str(value)


def _scores(row: ControlRow) -> dict[str, Any]:
    return {
        m.metric: {"value": _fraction(m.found), "status": m.status, **({"message": m.message} if m.message else {})}
        for m in row.measured
    }


def controls_json(by_form: Sequence[Sequence[ControlRow]], wall_s: float) -> dict[str, Any]:
    """Return the stable JSON shape; rational numbers are strings such as `1/3`.

    `{"schema": 1, "exact": bool, "rows": [{"precondition", "postcondition", "expected": {METRIC: "1/2"}, "measured":
    {FORM: {METRIC: {"value", "status"}}}, "exact"}], "wall_s"}`
    """
    rows = []
    for forms in zip(*by_form, strict=True):
        control = forms[0].control
        rows.append(
            {
                "precondition": control.precondition,
                "postcondition": control.postcondition,
                "expected": {m.metric: str(m.expected) for m in forms[0].measured},
                "measured": {row.form: _scores(row) for row in forms},
                "exact": all(row.exact for row in forms),
            }
        )
    return {"schema": 1, "exact": all(r["exact"] for r in rows), "rows": rows, "wall_s": round(wall_s, 3)}


def run_controls(as_json: bool) -> None:
    """Score the eight controls in both representations and print them; exit 1 when a score is not exact."""
    began = time.perf_counter()
    with make_checker() as checker:
        by_form = [measure_controls(checker, form) for form in FORMS]
    result = controls_json(by_form, time.perf_counter() - began)
    if as_json:
        print(json.dumps(result, ensure_ascii=False))
    else:
        _print_controls(by_form)
    if not result["exact"]:
        raise SystemExit(ExitCode.FINDINGS)


def _cell(m: Measured) -> str:
    found = str(m.found) if m.found is not None else f"– ({m.status})"
    return found if m.exact else f"{found} not {m.expected}"


def _print_controls(by_form: Sequence[Sequence[ControlRow]]) -> None:
    for rows in by_form:
        print(f"controls as {rows[0].form} contracts: expected and measured")
        table = [["P", "Q", *METRICS, ""]]
        for row in rows:
            cells = [f"{m.expected} = {_cell(m)}" if m.exact else _cell(m) for m in row.measured]
            table.append([row.control.precondition, row.control.postcondition, *cells, "exact" if row.exact else "NOT"])
        _print_table(table)
        for row in rows:
            for m in row.measured:
                if m.message:
                    print(f"    {row.control.postcondition}: {m.metric}: {m.message}")
    total = [row.exact for rows in by_form for row in rows]
    print(f"{sum(total)} of {len(total)} exact")


def _print_table(rows: Sequence[Sequence[str]]) -> None:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        print("  " + "  ".join(f"{text:<{w}}" for text, w in zip(row, widths, strict=True)).rstrip())


def published_json(reports: Sequence[RowReport], wall_s: float) -> dict[str, Any]:
    """Return the stable JSON shape.

    `{"schema": 1, "rows": [{"task", "name", "available", "reason", "scores": [{"metric", "published", "right", "ours",
    "value", "status", "verdict", "message", "witness"}]}], "unmet": int, "wall_s"}`
    """
    rows = [
        {
            "task": r.row.task_id,
            "name": r.row.name,
            "available": not r.unavailable,
            "reason": r.unavailable,
            "scores": [_comparison(c) for c in r.comparisons],
        }
        for r in reports
    ]
    unmet = sum(c.unmet for r in reports for c in r.comparisons)
    return {"schema": 1, "rows": rows, "unmet": unmet, "wall_s": round(wall_s, 3)}


def _comparison(c: Comparison) -> dict[str, Any]:
    return {
        "metric": c.metric,
        "published": c.published or None,
        "right": c.right or None,
        "ours": c.found,
        "value": c.value,
        "status": c.status,
        "verdict": c.verdict,
        "message": c.message,
        "witness": c.witness,
    }


def run_published(path: Path | None, as_json: bool) -> None:
    """Measure the published rows and print them; exit 1 when one of ours is not what must come out, or not decided."""
    began = time.perf_counter()
    with make_tools() as tools:
        reports = measure_published(tools, path)
    result = published_json(reports, time.perf_counter() - began)
    if as_json:
        print(json.dumps(result, ensure_ascii=False))
    else:
        _print_published(reports)
    if result["unmet"]:
        raise SystemExit(ExitCode.FINDINGS)


def _print_published(reports: Sequence[RowReport]) -> None:
    remarks: dict[str, int] = {}
    for report in reports:
        print(f"{report.row.name} ({report.row.task_id})")
        if report.unavailable:
            print(f"  {report.unavailable}")
            continue
        table = [["", "published", "must be", "ours", "", ""]]
        for c in report.comparisons:
            mark = f"[{remarks.setdefault(c.message, len(remarks) + 1)}]" if c.message else ""
            table.append([c.metric, c.published or "–", c.right or "–", c.found, c.verdict, mark])
        _print_table(table)
        for c in report.comparisons:
            if c.witness and c.metric == "equivalence":
                print(f"    witness: {c.witness}")
    for text, number in remarks.items():
        print(f"[{number}] {text}")
