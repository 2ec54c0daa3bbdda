"""Batches in the store: what was prepared, uploaded, submitted and collected, so that a kill between any two steps
neither loses a batch nor submits one twice.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, cast

from specgen.lm._store import Settlement, Store, pack, unpack
from specgen.lm._types import Role

BatchState = Literal["prepared", "uploaded", "submitted", "collected", "failed"]
_OPEN: Final = "('prepared', 'uploaded', 'submitted')"


@dataclass(frozen=True, slots=True)
class BatchItem:
    """One request of a batch: its key (also its `custom_id`), what the ledger needs, and the body to send."""

    key: str
    role: Role
    split: str
    task_id: str
    request: str
    body: dict[str, Any]


@dataclass(frozen=True, slots=True)
class BatchRecord:
    """One batch; `id` is ours, `file_id` and `batch_id` are the provider's (empty: not known yet)."""

    id: str
    model: str
    state: BatchState
    at: float
    file_id: str = ""
    batch_id: str = ""
    items: tuple[BatchItem, ...] = ()


def add_batch(store: Store, record: BatchRecord) -> None:
    """Save a new batch."""
    items = json.dumps(
        [[i.key, i.role, i.split, i.task_id, i.request, i.body] for i in record.items], ensure_ascii=False
    )
    row = (
        record.id, store.run, record.at, record.model, record.state, record.file_id, record.batch_id,
        len(record.items), pack(items),
    )  # fmt: skip
    store.guarded(lambda c: c.execute("INSERT INTO batches VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", row))


def set_state(store: Store, ours: str, state: BatchState, **ids: str) -> None:
    """Save a step of a batch, named by our id; `ids` are `file_id` or `batch_id`."""
    store.guarded(lambda connection: _set_state(connection, ours, state, ids))


def _set_state(connection: sqlite3.Connection, ours: str, state: str, ids: dict[str, str]) -> None:
    connection.execute(
        "UPDATE batches SET state = ?, file_id = coalesce(?, file_id), batch_id = coalesce(?, batch_id) WHERE id = ?",
        (state, ids.get("file_id"), ids.get("batch_id"), ours),
    )


def collect(store: Store, record: BatchRecord, settlements: Sequence[Settlement]) -> None:
    """Save all outcomes of a batch and that it is collected: one transaction, so never twice."""

    def more(connection: sqlite3.Connection) -> None:
        now = time.time()
        for one in settlements:
            row = one.row
            sent = (store.run, now, row.role, row.model, row.key)
            connection.execute("INSERT INTO sent (run, at, role, model, key) VALUES (?, ?, ?, ?, ?)", sent)
        _set_state(connection, record.id, "collected", {})

    store.settle(*settlements, more=more)


def read_batch(store: Store, batch_id: str) -> BatchRecord:
    """Return a batch as it is now."""

    def read(connection: sqlite3.Connection) -> BatchRecord:
        return _record(connection.execute(f"{_SELECT} WHERE id = ?", (batch_id,)).fetchone())

    return store.guarded(read)


def open_batches(store: Store, keys: Collection[str]) -> list[BatchRecord]:
    """Return the batches under way that hold any of these keys, whichever run prepared them."""

    def read(connection: sqlite3.Connection) -> list[BatchRecord]:
        rows = connection.execute(f"{_SELECT} WHERE state IN {_OPEN} ORDER BY at").fetchall()
        return [_record(row) for row in rows]

    wanted = set(keys)
    return [record for record in store.guarded(read) if any(item.key in wanted for item in record.items)]


def pending_requests(store: Store) -> int:
    """Return how many of the run's requests are in batches under way."""

    def read(connection: sqlite3.Connection) -> int:
        query = f"SELECT coalesce(sum(requests), 0) FROM batches WHERE run = ? AND state IN {_OPEN}"
        (count,) = connection.execute(query, (store.run,)).fetchone()
        return int(count)

    return store.guarded(read)


_SELECT: Final = "SELECT id, model, state, at, file_id, batch_id, items FROM batches"


def _record(row: tuple[Any, ...]) -> BatchRecord:
    items = tuple(BatchItem(*entry) for entry in json.loads(unpack(row[6])))
    return BatchRecord(row[0], row[1], cast(BatchState, row[2]), row[3], row[4], row[5], items)
