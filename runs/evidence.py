"""The evidence of a run as a database: `RUN/evidence.sqlite`, made from `RUN/records.jsonl`, which stays the truth.

Opening it takes in what the records have beyond what it holds, in one transaction, so that a kill at any moment loses
nothing. A database that is missing, damaged, of another version, or made from other records is made anew.

    candidates  one row a scored candidate: who asked, what came back, what became of it, what it cost
    evidence    one row a metric of a candidate
    items       one row a check or judged item behind a piece of evidence
    enrichment  one row a task and kind of label: what was made of it
    skipped     one row a part of the input that was no candidate

Booleans are 0 and 1; lists and objects are JSON text; a missing value is NULL, never 0.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from specgen.errors import UserError

VERSION = 1
"""Of the tables; another one is made anew from the records."""

RECORDS, DATABASE = "records.jsonl", "evidence.sqlite"

CANDIDATE_COLUMNS: Mapping[str, str] = {
    "key": "TEXT NOT NULL UNIQUE",
    "arm": "TEXT NOT NULL",
    "seed": "TEXT NOT NULL",
    "task": "TEXT NOT NULL",
    "generator": "TEXT NOT NULL",
    "sample": "INTEGER NOT NULL",
    "outcome": "TEXT NOT NULL",
    "simulated": "INTEGER NOT NULL",
    "model": "TEXT NOT NULL",
    "failure": "TEXT NOT NULL",
    "failure_message": "TEXT NOT NULL",
    "calls": "INTEGER",
    "attempts": "INTEGER",
    "input_tokens": "INTEGER",
    "output_tokens": "INTEGER",
    "cost_usd": "REAL",
    "latency_s": "REAL",
    "prompt_hash": "TEXT NOT NULL",
    "labels_accepted": "INTEGER",
    "labels_rejected": "INTEGER",
    "labels_required": "INTEGER",
    "labels_forbidden": "INTEGER",
}
CANDIDATE_TEXTS: Mapping[str, str] = {
    "text": "TEXT NOT NULL",
    "fields": "TEXT",
    "lean": "TEXT NOT NULL",
    "clauses": "TEXT NOT NULL",
    "notes": "TEXT NOT NULL",
}
EVIDENCE_COLUMNS: Mapping[str, str] = {
    "metric": "TEXT NOT NULL",
    "status": "TEXT NOT NULL",
    "value": "REAL",
    "lower": "REAL",
    "upper": "REAL",
    "scope": "TEXT NOT NULL",
    "numerator": "INTEGER",
    "denominator": "INTEGER",
    "unknown": "INTEGER",
    "runtime_s": "REAL",
    "evaluator": "TEXT NOT NULL",
    "version": "TEXT NOT NULL",
    "witness": "TEXT NOT NULL",
    "message": "TEXT NOT NULL",
}
ITEM_COLUMNS = ("item", "outcome", "kind", "reason", "clause")
TALLY_COLUMNS = (
    "labelled",
    "generated",
    "tried",
    "equivalent",
    "undecided",
    "duplicate",
    "outside",
    "unfinished",
    "inconsistent",
    "unwritable",
)


def _columns(columns: Mapping[str, str]) -> str:
    return ", ".join(f'"{name}" {kind}' for name, kind in columns.items())


TABLES = f"""
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE candidates (id INTEGER PRIMARY KEY, {_columns({**CANDIDATE_COLUMNS, **CANDIDATE_TEXTS})});
CREATE TABLE evidence (
    id INTEGER PRIMARY KEY,
    candidate INTEGER NOT NULL REFERENCES candidates(id) ON DELETE CASCADE,
    {_columns(EVIDENCE_COLUMNS)}
);
CREATE TABLE items (
    evidence INTEGER NOT NULL REFERENCES evidence(id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    item TEXT NOT NULL, outcome TEXT NOT NULL, kind TEXT NOT NULL, reason TEXT NOT NULL, clause TEXT NOT NULL,
    PRIMARY KEY (evidence, position)
) WITHOUT ROWID;
CREATE TABLE enrichment (
    task TEXT NOT NULL, kind TEXT NOT NULL, mode TEXT NOT NULL, seed INTEGER NOT NULL,
    {", ".join(f"{name} INTEGER" for name in TALLY_COLUMNS)}, reason TEXT NOT NULL,
    PRIMARY KEY (task, kind)
);
CREATE TABLE skipped (place TEXT NOT NULL, kind TEXT NOT NULL, reason TEXT NOT NULL);
CREATE INDEX candidates_task ON candidates(task);
CREATE INDEX evidence_candidate ON evidence(candidate);
CREATE INDEX evidence_metric ON evidence(metric, status);
"""
_TAIL_BYTES = 4096


def open_evidence(folder: Path) -> sqlite3.Connection:
    """Open the evidence of a run, up to date with its records. The caller closes it.

    Where the folder cannot be written, the database is made in memory.

    Raises:
        UserError: when there are no records, or one cannot be read.
    """
    records = folder / RECORDS
    if not records.is_file():
        raise UserError(
            f"{folder} has no {RECORDS}", remedy="Name the folder of a run of specgen experiment or evaluate --out"
        )
    path = folder / DATABASE
    for _ in range(2):
        connection = None
        try:
            connection = _connect(path)
            _catch_up(connection, records)
            return connection
        except sqlite3.OperationalError as exc:
            if connection is not None:
                connection.close()
            if "locked" in str(exc):
                raise UserError(f"{path} is in use by another process", remedy="Try again when it is done") from exc
            break  # a folder that cannot be written, a full disk
        except sqlite3.DatabaseError:
            if connection is not None:
                connection.close()
            try:
                for suffix in ("", "-wal", "-shm"):
                    path.with_name(path.name + suffix).unlink(missing_ok=True)
            except OSError:
                break
    connection = _connect(None)
    _catch_up(connection, records)
    return connection


def _connect(path: Path | None) -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:" if path is None else path, timeout=30.0, isolation_level=None)
    connection.execute("PRAGMA foreign_keys = ON")
    if path is not None:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
    return connection


@contextlib.contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def _meta(connection: sqlite3.Connection) -> dict[str, str]:
    if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'meta'").fetchone():
        return {}
    return dict(connection.execute("SELECT name, value FROM meta"))


def _catch_up(connection: sqlite3.Connection, records: Path) -> None:
    """Take in the records that are not there yet."""
    with _transaction(connection):
        meta = _meta(connection)
        with open(records, "rb") as log:
            offset = int(meta.get("offset", "0"))
            if meta.get("version") != str(VERSION) or _tail(log, offset) != meta.get("tail"):
                _make_tables(connection)
                offset = 0
            log.seek(offset)
            for line in log:
                if not line.endswith(b"\n"):
                    break  # torn, or being written
                _take(connection, line, records)
                offset += len(line)
            tail = _tail(log, offset)
        rows = {"version": str(VERSION), "offset": str(offset), "tail": tail}
        connection.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", rows.items())


def _tail(log: Any, offset: int) -> str:
    """Return a hash of the bytes before an offset, by which records that were replaced are noticed."""
    start = max(0, offset - _TAIL_BYTES)
    log.seek(start)
    return hashlib.sha256(log.read(offset - start)).hexdigest() + f":{offset}"


def _make_tables(connection: sqlite3.Connection) -> None:
    found = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    names = [name for (name,) in connection.execute(found)]
    for name in names:
        connection.execute(f'DROP TABLE "{name}"')
    for statement in TABLES.split(";\n"):
        connection.execute(statement)


def _take(connection: sqlite3.Connection, line: bytes, records: Path) -> None:
    if not line.strip():
        return
    try:
        record = json.loads(line)
        match record["kind"]:
            case "scored":
                _take_scored(connection, record)
            case "enrichment":
                _take_enrichment(connection, record)
            case "skipped":
                place = record.get("file", record.get("line"))
                row = [_plain(v) for v in (str(place), record["skip"], record["reason"])]
                connection.execute("INSERT INTO skipped VALUES (?, ?, ?)", row)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, sqlite3.IntegrityError) as exc:
        raise UserError(
            f"{records}: a line is not a record of a run ({type(exc).__name__}: {exc})",
            remedy="Restore the file, or start a new run in another folder",
        ) from exc


def _take_scored(connection: sqlite3.Connection, record: Mapping[str, Any]) -> None:
    if "supersedes" in record:
        connection.execute("DELETE FROM candidates WHERE key = ?", (_plain(record["supersedes"]),))
    if connection.execute("SELECT 1 FROM candidates WHERE key = ?", (_plain(record["key"]),)).fetchone():
        return  # the first of a key counts
    candidate, labels = record["candidate"], record.get("labels", {})
    given: dict[str, Any] = {
        **{name: candidate.get(name) for name in (*CANDIDATE_COLUMNS, *CANDIDATE_TEXTS)},
        **{f"labels_{kind}": labels.get(kind) for kind in ("accepted", "rejected", "required", "forbidden")},
        "failure_message": candidate["message"],
        "key": record["key"],
        "arm": record.get("arm", ""),
        "seed": record.get("seed", ""),
        "task": record["task"],
        "outcome": record["outcome"],
        "simulated": bool(record.get("simulated", candidate.get("simulated", False))),
        "clauses": record["clauses"],
        "notes": record["notes"],
        "lean": candidate.get("lean", ""),
    }
    columns = (*CANDIDATE_COLUMNS, *CANDIDATE_TEXTS)
    row = _insert(connection, "candidates", columns, [given[c] for c in columns])
    for evidence in record["evidence"]:
        values = [row, *(evidence[c] for c in EVIDENCE_COLUMNS)]
        at = _insert(connection, "evidence", ("candidate", *EVIDENCE_COLUMNS), values)
        items = [[at, n, *(_plain(item[c]) for c in ITEM_COLUMNS)] for n, item in enumerate(evidence["items"])]
        connection.executemany("INSERT INTO items VALUES (?, ?, ?, ?, ?, ?, ?)", items)


def _take_enrichment(connection: sqlite3.Connection, record: Mapping[str, Any]) -> None:
    options = record["options"]
    for kind, tally in record["tallies"].items():
        counts = [tally.get(c) for c in TALLY_COLUMNS]
        reason = record.get("reasons", {}).get(kind, "")
        row = [_plain(v) for v in (record["task"], kind, options["mode"], options["seed"], *counts, reason)]
        marks = ", ".join("?" * len(row))
        connection.execute(f"INSERT OR REPLACE INTO enrichment VALUES ({marks})", row)


def _insert(connection: sqlite3.Connection, table: str, columns: Sequence[str], values: Sequence[Any]) -> int:
    names, marks = ", ".join(f'"{c}"' for c in columns), ", ".join("?" * len(columns))
    cursor = connection.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", [_plain(v) for v in values])
    return cursor.lastrowid or 0


def _plain(value: Any) -> Any:
    """Return a value that SQLite can hold: lone surrogates as escapes, numbers beyond 64 bits as text."""
    match value:
        case str():
            return value.encode("utf-8", "backslashreplace").decode("utf-8")
        case bool():
            return int(value)
        case int() if abs(value) >= 2**63:
            return str(value)
        case list() | tuple() | dict():
            return _plain(json.dumps(value, ensure_ascii=False))
        case _:
            return value


__all__ = ["CANDIDATE_COLUMNS", "DATABASE", "EVIDENCE_COLUMNS", "RECORDS", "open_evidence"]
