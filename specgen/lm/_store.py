"""Replies and ledger in one SQLite file, so that a paid reply and its ledger row are saved in one transaction.

Several threads and several processes may use one file. Nothing is ever updated or deleted: a reply is inserted once
(the first wins), ledger rows and sent rows are appended. `kill -9` therefore loses at most the calls in flight, and
those stay visible as sent without an outcome.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, TypeVar

from specgen.lm._errors import StoreError
from specgen.lm._ledger import Ledger, LedgerLine, LedgerRow
from specgen.lm._types import ROLES, Role

SCHEMA_VERSION: Final = 1
BUSY_TIMEOUT_S: Final = 30.0

_SCHEMA: Final = (
    "CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS replies (key TEXT PRIMARY KEY, made_at REAL NOT NULL, model TEXT NOT NULL,"
    " request BLOB NOT NULL, reply BLOB NOT NULL) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS sent (id INTEGER PRIMARY KEY, run TEXT NOT NULL, at REAL NOT NULL,"
    " role TEXT NOT NULL, model TEXT NOT NULL, key TEXT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS ledger (id INTEGER PRIMARY KEY, run TEXT NOT NULL, at REAL NOT NULL,"
    " role TEXT NOT NULL, model TEXT NOT NULL, split TEXT NOT NULL, task_id TEXT NOT NULL, key TEXT NOT NULL,"
    " outcome TEXT NOT NULL, attempts INTEGER NOT NULL, input_tokens INTEGER NOT NULL,"
    " output_tokens INTEGER NOT NULL, cost_pico_usd INTEGER, latency_s REAL NOT NULL, simulated INTEGER NOT NULL)",
    "CREATE INDEX IF NOT EXISTS sent_by_run ON sent (run, role)",
    "CREATE INDEX IF NOT EXISTS ledger_by_run ON ledger (run, role)",
)
_INSERT_REPLY: Final = "INSERT OR IGNORE INTO replies (key, made_at, model, request, reply) VALUES (?, ?, ?, ?, ?)"
_INSERT_SENT: Final = "INSERT INTO sent (run, at, role, model, key) VALUES (?, ?, ?, ?, ?)"
_INSERT_LEDGER: Final = (
    "INSERT INTO ledger (run, at, role, model, split, task_id, key, outcome, attempts, input_tokens, output_tokens,"
    " cost_pico_usd, latency_s, simulated) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_SUMS: Final = (
    "SELECT role, sum(outcome <> 'cached'), sum(outcome = 'cached'), sum(outcome NOT IN ('cached', 'reply')),"
    " sum(CASE WHEN outcome = 'cached' THEN 0 ELSE attempts END), sum(input_tokens), sum(output_tokens),"
    " sum(outcome <> 'cached' AND cost_pico_usd IS NULL), sum(coalesce(cost_pico_usd, 0)),"
    " sum(latency_s), sum(outcome <> 'cached' AND simulated) FROM ledger WHERE run = ? GROUP BY role"
)

_T = TypeVar("_T")


class Store:
    """One run's view of a store file.

    Args:
        path: the file, created with its folders when missing; None keeps everything in memory.
        run: name of the run whose ledger this is. Replies are shared by all runs of a file.

    Raises:
        StoreError: when the file cannot be opened, written or is of another schema.
    """

    def __init__(self, path: Path | None, run: str) -> None:
        self._path = path
        self._run = run
        self._lock = threading.RLock()
        self._pid = os.getpid()
        if path is not None:
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
            except OSError as exc:
                raise self._error(exc) from exc
        self._connection = self._open()

    def _open(self) -> sqlite3.Connection:
        deadline = time.monotonic() + BUSY_TIMEOUT_S
        while True:
            try:
                connection, version = self._connect()
                break
            except sqlite3.Error as exc:
                # The change to write-ahead logging does not wait for other processes that open the file just now.
                if "locked" not in str(exc) or time.monotonic() > deadline:
                    raise self._error(exc) from exc
                time.sleep(0.01)
        if version != str(SCHEMA_VERSION):
            raise StoreError(
                f"{self._path} has schema {version}, and this specgen reads schema {SCHEMA_VERSION}",
                remedy="Use the specgen version that wrote it, or another file",
            )
        return connection

    def _connect(self) -> tuple[sqlite3.Connection, str]:
        connection = sqlite3.connect(
            self._path or ":memory:", timeout=BUSY_TIMEOUT_S, check_same_thread=False, isolation_level=None
        )
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=NORMAL")
            with self._transaction(connection):
                for statement in _SCHEMA:
                    connection.execute(statement)
                connection.execute("INSERT OR IGNORE INTO meta VALUES ('schema', ?)", (str(SCHEMA_VERSION),))
            (version,) = connection.execute("SELECT value FROM meta WHERE name = 'schema'").fetchone()
        except BaseException:
            connection.close()
            raise
        return connection, str(version)

    def _error(self, exc: Exception) -> StoreError:
        where = self._path or "the in-memory store"
        text = str(exc).lower()
        if "full" in text or "no space" in text:
            remedy = "Free some disk space and run again: what was saved is kept"
        elif "not a database" in text:
            remedy = "Name a file that specgen wrote, or one that does not exist yet"
        elif "locked" in text:
            remedy = "Another process is holding the file; end it or wait, then run again"
        else:
            remedy = "Check that the folder exists, may be written and has free space"
        return StoreError(f"cannot use {where} for model replies: {exc}", remedy=remedy)

    def _guarded(self, work: Callable[[sqlite3.Connection], _T]) -> _T:
        with self._lock:
            if self._pid != os.getpid():  # a connection must not be carried across a fork
                self._connection, self._pid = self._open(), os.getpid()
            try:
                return work(self._connection)
            except sqlite3.Error as exc:
                raise self._error(exc) from exc

    @contextmanager
    def _transaction(self, connection: sqlite3.Connection) -> Iterator[None]:
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise

    def reply(self, key: str) -> str | None:
        """Return the stored outcome (JSON) under a key, None when there is none."""

        def read(connection: sqlite3.Connection) -> str | None:
            row = connection.execute("SELECT reply FROM replies WHERE key = ?", (key,)).fetchone()
            return None if row is None else zlib.decompress(row[0]).decode("utf-8", "surrogatepass")

        return self._guarded(read)

    def record_sent(self, *, role: Role, model: str, key: str) -> None:
        """Note that a request is about to be sent."""
        row = (self._run, time.time(), role, model, key)

        def write(connection: sqlite3.Connection) -> None:
            connection.execute(_INSERT_SENT, row)

        self._guarded(write)

    def settle(self, row: LedgerRow, *, request: str | None = None, reply: str | None = None) -> None:
        """Append a ledger row and, when given, insert the request and its outcome (both JSON): one transaction."""
        now = time.time()
        values = (
            self._run, now, row.role, row.model, row.split, row.task_id, row.key, row.outcome, row.attempts,
            row.input_tokens, row.output_tokens, row.cost_pico_usd, row.latency_s, int(row.simulated),
        )  # fmt: skip

        def write(connection: sqlite3.Connection) -> None:
            with self._transaction(connection):
                if request is not None and reply is not None:
                    entry = (row.key, now, row.model, _pack(request), _pack(reply))
                    connection.execute(_INSERT_REPLY, entry)
                connection.execute(_INSERT_LEDGER, values)

        self._guarded(write)

    def ledger(self) -> Ledger:
        """Sum the run's rows, one line a role."""

        def read(connection: sqlite3.Connection) -> Ledger:
            sent = dict(
                connection.execute(
                    "SELECT role, count(*) FROM sent WHERE run = ? GROUP BY role", (self._run,)
                ).fetchall()
            )
            lines: dict[Role, LedgerLine] = {}
            found = {row[0]: row[1:] for row in connection.execute(_SUMS, (self._run,))}
            for role in ROLES:
                if role not in found and role not in sent:
                    continue
                calls, cached, failed, attempts, tokens_in, tokens_out, unpriced, pico, seconds, simulated = found.get(
                    role, (0,) * 10
                )
                lines[role] = LedgerLine(
                    calls=calls,
                    cached_calls=cached,
                    failed_calls=failed,
                    retries=attempts - calls,
                    interrupted_requests=sent.get(role, 0) - attempts,
                    input_tokens=tokens_in,
                    output_tokens=tokens_out,
                    unpriced_calls=unpriced,
                    cost_pico_usd=pico,
                    model_s=seconds,
                    simulated_calls=simulated,
                )
            return Ledger(lines)

        return self._guarded(read)

    def close(self) -> None:
        """Close the file. Further use raises `StoreError`."""
        with self._lock:
            self._connection.close()


def _pack(text: str) -> bytes:
    return zlib.compress(text.encode("utf-8", "surrogatepass"), 1)
