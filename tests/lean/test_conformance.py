"""The conformance table: closed terms and their values, each from Lean's own documentation, docstrings or tests.

`conformance/*.tsv` hold one term a line; `conformance/programs.toml` holds terms over short texts. No value in them
comes from this engine. A row with a reason in `xfail` is one that the engine does not decide yet.
"""

from __future__ import annotations

import csv
import functools
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from specgen.lean.engine import Program, load
from specgen.lean.environment import LeanEnv

FOLDER = Path(__file__).parent / "conformance"
COLUMNS = ["term", "value", "source", "version", "imports", "xfail"]
AREAS = {
    "array", "bitvec", "char", "fin", "fixed", "float", "int", "list", "maps", "mathlib", "mathlib_norm", "monadic",
    "nat", "option", "panics", "props", "rat", "string", "syntax",
}  # fmt: skip


@dataclass(frozen=True)
class Row:
    """A closed term and the value that Lean prints for it; `context` is a text of declarations before it."""

    place: str
    term: str
    value: str
    source: str
    env: LeanEnv
    context: str = ""
    xfail: str = ""


def environment(version: str, imports: str) -> LeanEnv:
    names = tuple(imports.split())
    if not version:
        return LeanEnv(imports=names)
    major, minor, patch = [int(part) for part in version.split(".")]
    return LeanEnv((major, minor, patch), names)


def table_rows(path: Path) -> list[Row]:
    with path.open(encoding="utf-8", newline="") as file:
        header, *lines = list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    assert header == COLUMNS, path.name
    return [
        Row(f"{path.name}:{number}", term, value, source, environment(version, imports), xfail=xfail)
        for number, (term, value, source, version, imports, xfail) in enumerate(lines, start=2)
    ]


def program_rows(path: Path) -> list[Row]:
    programs: list[dict[str, Any]] = tomllib.loads(path.read_text(encoding="utf-8"))["program"]
    return [
        Row(
            f"{path.name}:{i}.{j}",
            term.removeprefix("\n"),
            value,
            program["source"],
            environment(program.get("version", ""), program.get("imports", "")),
            program.get("context", ""),
            program.get("xfail", ""),
        )
        for i, program in enumerate(programs, start=1)
        for j, (term, value) in enumerate(program["rows"], start=1)
    ]


def all_rows() -> list[Row]:
    rows = [row for path in sorted(FOLDER.glob("*.tsv")) for row in table_rows(path)]
    return rows + program_rows(FOLDER / "programs.toml")


ROWS = all_rows()


@functools.lru_cache(maxsize=8)
def program(context: str, env: LeanEnv) -> Program:
    return load(context, env)


def mark(row: Row) -> Any:
    marks = [pytest.mark.xfail(reason=row.xfail, strict=True)] if row.xfail else []
    return pytest.param(row, id=row.place, marks=marks)


@pytest.mark.parametrize("row", [mark(row) for row in ROWS])
def test_value(row: Row) -> None:
    loaded = program(row.context, row.env)
    errors = [d.message for d in loaded.report.diagnostics if d.severity == "error"]
    assert not errors, (row.source, errors)
    result = loaded.evaluate(row.term)
    assert result.status == "value", (row.term, row.source, result.status, result.reason)
    assert result.value == row.value, (row.term, row.source)


def test_the_table_is_wide_and_sourced() -> None:
    assert len(ROWS) >= 450
    assert {path.stem for path in FOLDER.glob("*.tsv")} >= AREAS
    assert all(row.source and row.term and row.value for row in ROWS)
    keys = [(row.term, row.context, row.env) for row in ROWS]
    assert len(keys) == len(set(keys)), "the same term stands twice"


def test_few_rows_are_given_up() -> None:
    assert sum(bool(row.xfail) for row in ROWS) <= len(ROWS) // 100
