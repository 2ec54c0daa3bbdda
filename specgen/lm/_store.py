"""Replies and ledger in one SQLite file, so that a paid reply and its ledger row are saved in one transaction.

Several threads and several processes may use one file. Replies, requests, responses, ledger rows and sent rows are
only ever added (of two replies to one request the first wins). `kill -9` therefore loses at most the calls in flight,
and those stay visible as sent without an outcome. A claim says that a call is under way, so that another process waits
for its reply instead of paying for it too; it ends with its call, its process, or its lease.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import threading
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, Literal, TypeVar

from specgen.lm._errors import StoreError
from specgen.lm._ledger import Ledger, LedgerLine, LedgerRow
from specgen.lm._owner import is_dead
from specgen.lm._types import ROLES, Role

SCHEMA_VERSION: Final = 2
OLDER_VERSIONS: Final = frozenset({"1"})
"""Versions whose files are brought up to date when they are opened: they only lack tables."""
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
    "CREATE TABLE IF NOT EXISTS requests (key TEXT PRIMARY KEY, at REAL NOT NULL, request BLOB NOT NULL) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS responses (id INTEGER PRIMARY KEY, run TEXT NOT NULL, at REAL NOT NULL,"
    " key TEXT NOT NULL, attempt INTEGER NOT NULL, outcome TEXT NOT NULL, response BLOB NOT NULL)",
    "CREATE TABLE IF NOT EXISTS claims (key TEXT PRIMARY KEY, owner TEXT NOT NULL, until REAL NOT NULL) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS batches (id TEXT PRIMARY KEY, run TEXT NOT NULL, at REAL NOT NULL, model TEXT NOT NULL,"
    " state TEXT NOT NULL, file_id TEXT NOT NULL, batch_id TEXT NOT NULL, requests INTEGER NOT NULL,"
    " items BLOB NOT NULL)",
    "CREATE INDEX IF NOT EXISTS sent_by_run ON sent (run, role)",
    "CREATE INDEX IF NOT EXISTS ledger_by_run ON ledger (run, role)",
)
_INSERT_REPLY: Final = "INSERT OR IGNORE INTO replies (key, made_at, model, request, reply) VALUES (?, ?, ?, ?, ?)"
_INSERT_SENT: Final = "INSERT INTO sent (run, at, role, model, key) VALUES (?, ?, ?, ?, ?)"
_INSERT_REQUEST: Final = "INSERT OR IGNORE INTO requests (key, at, request) VALUES (?, ?, ?)"
_INSERT_RESPONSE: Final = "INSERT INTO responses (run, at, key, attempt, outcome, response) VALUES (?, ?, ?, ?, ?, ?)"
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

_CHECKPOINT_PAGES: Final = 50_000
"""Pages (of 4 KB) in the log after which SQLite makes a checkpoint of its own accord, should nobody else."""

_T = TypeVar("_T")
ClaimResult = Literal["mine", "replied", "taken"]


@dataclass(frozen=True, slots=True)
class Settlement:
    """What is saved of one call that ended: its ledger row and, where there is one, what goes with it.

    Attributes:
        row: the ledger row.
        request: the request as JSON.
        reply: the outcome as JSON, when it is to be served from the cache.
        response: the provider's last response as it came; `outcome` names what was made of it.
        claimed_by: the owner of the claim that ends with this call; empty for none.
        further: further outcomes that came with it: key, model, request and outcome (both JSON).
    """

    row: LedgerRow
    request: str = ""
    reply: str | None = None
    response: str = ""
    claimed_by: str = ""
    further: tuple[tuple[str, str, str, str], ...] = ()


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
            # A checkpoint waits for the disk, and calls would wait for it: it is made beside them (`checkpoint`).
            connection.execute(f"PRAGMA wal_autocheckpoint={_CHECKPOINT_PAGES}")
            with self.transaction(connection):
                for statement in _SCHEMA:
                    connection.execute(statement)
                connection.execute("INSERT OR IGNORE INTO meta VALUES ('schema', ?)", (str(SCHEMA_VERSION),))
                for older in OLDER_VERSIONS:
                    change = "UPDATE meta SET value = ? WHERE name = 'schema' AND value = ?"
                    connection.execute(change, (str(SCHEMA_VERSION), older))
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

    def guarded(self, work: Callable[[sqlite3.Connection], _T]) -> _T:
        """Run `work` on the connection, one thread at a time.

        Raises:
            StoreError: in place of SQLite's errors.
        """
        with self._lock:
            if self._pid != os.getpid():  # a connection must not be carried across a fork
                self._connection, self._pid = self._open(), os.getpid()
            try:
                return work(self._connection)
            except sqlite3.Error as exc:
                raise self._error(exc) from exc

    @contextmanager
    def transaction(self, connection: sqlite3.Connection) -> Iterator[None]:
        """Open a transaction that is rolled back when the body raises."""
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise

    def together(self, writes: Sequence[Callable[[sqlite3.Connection], Any]]) -> list[Any]:
        """Do several writes in one transaction and return their results."""

        def work(connection: sqlite3.Connection) -> list[Any]:
            with self.transaction(connection):
                return [write(connection) for write in writes]

        return self.guarded(work)

    def checkpoint(self) -> None:
        """Bring what is in the write-ahead log into the file, on a connection of its own; others go on meanwhile."""
        if self._path is None:
            return
        with contextlib.suppress(sqlite3.Error), closing(sqlite3.connect(self._path, timeout=1.0)) as connection:
            connection.execute("PRAGMA wal_checkpoint(PASSIVE)")

    def reply(self, key: str) -> str | None:
        """Return the stored outcome (JSON) under a key, None when there is none."""

        def read(connection: sqlite3.Connection) -> str | None:
            row = connection.execute("SELECT reply FROM replies WHERE key = ?", (key,)).fetchone()
            return None if row is None else unpack(row[0])

        return self.guarded(read)

    @property
    def run(self) -> str:
        """Name of the run whose ledger this is."""
        return self._run

    @property
    def shared(self) -> bool:
        """Whether other processes can see it."""
        return self._path is not None

    def record_sent(self, *, role: Role, model: str, key: str, request: str = "") -> None:
        """Note that a request is about to be sent, with its JSON where it is to be kept."""
        self.together([self.sending(role, model, key, request)])

    def sending(self, role: Role, model: str, key: str, request: str) -> Callable[[sqlite3.Connection], None]:
        """Return the write of `record_sent`."""
        now = time.time()
        packed = _pack_request(request) if request else b""

        def write(connection: sqlite3.Connection) -> None:
            connection.execute(_INSERT_SENT, (self._run, now, role, model, key))
            if packed:
                connection.execute(_INSERT_REQUEST, (key, now, packed))

        return write

    def record_response(self, key: str, attempt: int, outcome: str, response: str) -> None:
        """Keep what a failed attempt brought; `attempt` counts from 1."""
        row = (self._run, time.time(), key, attempt, outcome, pack(response))
        self.guarded(lambda connection: connection.execute(_INSERT_RESPONSE, row))

    def settle(self, *settlements: Settlement, more: Callable[[sqlite3.Connection], None] | None = None) -> None:
        """Save calls that ended, and `more` with them: one transaction."""

        def write(connection: sqlite3.Connection) -> None:
            with self.transaction(connection):
                for one in settlements:
                    self._settle_one(connection, one)
                if more is not None:
                    more(connection)

        self.guarded(write)

    def settling(self, one: Settlement) -> Callable[[sqlite3.Connection], None]:
        """Return the write of `settle` for one call."""
        return lambda connection: self._settle_one(connection, one)

    def _settle_one(self, connection: sqlite3.Connection, one: Settlement) -> None:
        row, now = one.row, time.time()
        if one.reply is not None:
            entry = (row.key, now, row.model, _pack_request(one.request), pack(one.reply))
            connection.execute(_INSERT_REPLY, entry)
        for key, model, request, reply in one.further:
            connection.execute(_INSERT_REPLY, (key, now, model, pack(request), pack(reply)))
        if one.response:
            response = (self._run, now, row.key, row.attempts, row.outcome, pack(one.response))
            connection.execute(_INSERT_RESPONSE, response)
        values = (
            self._run, now, row.role, row.model, row.split, row.task_id, row.key, row.outcome, row.attempts,
            row.input_tokens, row.output_tokens, row.cost_pico_usd, row.latency_s, int(row.simulated),
        )  # fmt: skip
        connection.execute(_INSERT_LEDGER, values)
        if one.claimed_by:
            connection.execute("DELETE FROM claims WHERE key = ? AND owner = ?", (row.key, one.claimed_by))

    def claim(self, key: str, owner: str, lease_s: float) -> ClaimResult:
        """Take the right to make a call, for so many seconds: `mine`, or `taken` by another that still holds it, or
        `replied` when the reply is there.
        """
        (found,) = self.together([self.claiming(key, owner, lease_s)])
        result: ClaimResult = found
        return result

    def claiming(self, key: str, owner: str, lease_s: float) -> Callable[[sqlite3.Connection], ClaimResult]:
        """Return the write of `claim`."""

        def write(connection: sqlite3.Connection) -> ClaimResult:
            now = time.time()
            if connection.execute("SELECT 1 FROM replies WHERE key = ?", (key,)).fetchone():
                return "replied"
            held = connection.execute("SELECT owner, until FROM claims WHERE key = ?", (key,)).fetchone()
            if held is not None and held[0] != owner and held[1] > now and not is_dead(held[0]):
                return "taken"
            connection.execute("INSERT OR REPLACE INTO claims VALUES (?, ?, ?)", (key, owner, now + lease_s))
            return "mine"

        return write

    def renew_claims(self, owner: str, lease_s: float) -> None:
        """Hold all claims of an owner for so many seconds more."""
        until = time.time() + lease_s
        self.guarded(
            lambda connection: connection.execute("UPDATE claims SET until = ? WHERE owner = ?", (until, owner))
        )

    def release_claim(self, key: str, owner: str) -> None:
        """Give up a claim."""
        self.together([self.releasing(key, owner)])

    def releasing(self, key: str, owner: str) -> Callable[[sqlite3.Connection], None]:
        """Return the write of `release_claim`."""

        def write(connection: sqlite3.Connection) -> None:
            connection.execute("DELETE FROM claims WHERE key = ? AND owner = ?", (key, owner))

        return write

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

        return self.guarded(read)

    def close(self) -> None:
        """Close the file. Further use raises `StoreError`."""
        with self._lock:
            self._connection.close()


def pack(text: str) -> bytes:
    """Compress text."""
    return zlib.compress(text.encode("utf-8", "surrogatepass"), 1)


@lru_cache(maxsize=256)
def _pack_request(text: str) -> bytes:
    """As `pack`: a request is kept when it is sent and again with its reply."""
    return pack(text)


def unpack(data: bytes) -> str:
    """Return the text that `pack` compressed."""
    return zlib.decompress(data).decode("utf-8", "surrogatepass")
