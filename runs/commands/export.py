"""`specgen export`: the evidence of a run as one table, a row for each metric of each candidate."""

from __future__ import annotations

import csv
import json
import os
import sqlite3
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import IO, Any

from runs.evidence import CANDIDATE_COLUMNS, EVIDENCE_COLUMNS, ITEM_COLUMNS, open_evidence
from runs.store import check_writable
from specgen.errors import EnvironmentMissingError, UserError

FORMATS = ("jsonl", "csv", "parquet")
COLUMNS = (*CANDIDATE_COLUMNS, *EVIDENCE_COLUMNS, "items")
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
"""First characters by which a spreadsheet takes a text for a formula (or skips to what follows)."""

BATCH = 5000
_FLAGS = ("simulated",)


def run_export(run: Path, out: Path, form: str) -> None:
    """Write the table to a file, or to standard output for `-`.

    Raises:
        UserError: for an unknown format, a folder that is no run, or a file that cannot be written.
        EnvironmentMissingError: for Parquet without pyarrow.
    """
    if form not in FORMATS:
        raise UserError(f"unknown format {form!r}", remedy=f"Give one of {', '.join(FORMATS)}")
    if form == "parquet":
        _need_pyarrow()
        if str(out) == "-":
            raise UserError("Parquet is not written to standard output", remedy="Name a file with --out")
    if str(out) != "-":
        check_writable(out)
    with closing(open_evidence(run)) as connection:
        if str(out) == "-":
            _write(connection, form, sys.stdout)
            return
        temporary = out.with_name(f".{out.name}.{os.getpid()}")
        try:
            if form == "parquet":
                _write_parquet(connection, temporary)
            else:
                # The mark tells spreadsheets that the text is UTF-8.
                encoding = "utf-8-sig" if form == "csv" else "utf-8"
                with open(temporary, "w", encoding=encoding, errors="backslashreplace", newline="") as file:
                    _write(connection, form, file)
            os.replace(temporary, out)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise


def rows(connection: sqlite3.Connection) -> Iterator[list[Any]]:
    """Yield the values of `COLUMNS` for each piece of evidence, in the order of the records; `items` is a list of
    objects.
    """
    chosen = ", ".join([f'c."{n}"' for n in CANDIDATE_COLUMNS] + [f'e."{n}"' for n in EVIDENCE_COLUMNS])
    query = f"SELECT e.id, {chosen} FROM evidence e JOIN candidates c ON c.id = e.candidate ORDER BY e.id"
    items = f"SELECT {', '.join(ITEM_COLUMNS)} FROM items WHERE evidence = ? ORDER BY position"
    for at, *values in connection.execute(query):
        found = [dict(zip(ITEM_COLUMNS, item, strict=True)) for item in connection.execute(items, (at,))]
        for flag in _FLAGS:
            values[COLUMNS.index(flag)] = bool(values[COLUMNS.index(flag)])
        yield [*values, found]


def _write(connection: sqlite3.Connection, form: str, file: IO[str]) -> None:
    if form == "jsonl":
        for row in rows(connection):
            file.write(json.dumps(dict(zip(COLUMNS, row, strict=True)), ensure_ascii=False) + "\n")
        return
    writer = csv.writer(file, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for row in rows(connection):
        writer.writerow([cell(value) for value in row])


def cell(value: Any) -> Any:
    """Return a value as a cell of a CSV file. A text that a spreadsheet would run as a formula gets an apostrophe
    before it, a NUL byte is written as a picture of it, and a missing value is empty.
    """
    if isinstance(value, list):
        value = json.dumps(value, ensure_ascii=False) if value else ""
    if isinstance(value, bool):
        return int(value)
    if not isinstance(value, str):
        return value
    value = value.replace("\x00", "␀")
    return f"'{value}" if value.startswith(FORMULA) else value


def _need_pyarrow() -> None:
    try:
        import pyarrow.parquet  # noqa: F401
    except ImportError as exc:
        raise EnvironmentMissingError(
            "Parquet needs pyarrow, which is not installed", remedy="pip install 'specgen[parquet]', or use csv"
        ) from exc


def _write_parquet(connection: sqlite3.Connection, path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    kinds = {"TEXT": pa.string(), "INTEGER": pa.int64(), "REAL": pa.float64()}
    declared = {**CANDIDATE_COLUMNS, **EVIDENCE_COLUMNS}
    fields = [pa.field(n, pa.bool_() if n in _FLAGS else kinds[k.split()[0]]) for n, k in declared.items()]
    item = pa.struct([pa.field(name, pa.string()) for name in ITEM_COLUMNS])
    schema = pa.schema([*fields, pa.field("items", pa.list_(item))])
    with pq.ParquetWriter(path, schema) as writer:
        batch: list[list[Any]] = []
        for row in rows(connection):
            batch.append(row)
            if len(batch) == BATCH:
                _flush(writer, batch, schema)
                batch = []
        _flush(writer, batch, schema)


def _flush(writer: Any, batch: Sequence[Sequence[Any]], schema: Any) -> None:
    import pyarrow as pa

    if batch:
        columns = [
            pa.array(list(column), type=field.type)
            for column, field in zip(zip(*batch, strict=True), schema, strict=True)
        ]
        writer.write_table(pa.Table.from_arrays(columns, schema=schema))


__all__ = ["COLUMNS", "cell", "rows", "run_export"]
