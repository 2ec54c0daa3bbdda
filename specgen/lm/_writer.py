"""Writes of calls that are under way together go into one transaction: with many calls the store would be the brake."""

from __future__ import annotations

import asyncio
import os
import sqlite3
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from specgen.lm._errors import StoreError
from specgen.lm._store import Store

_CHECKPOINT_WRITES: Final = 2000

T = TypeVar("T")
Write = Callable[[sqlite3.Connection], T]


@dataclass
class _Entry:
    write: Write[Any]
    done: asyncio.Future[Any]
    failed: Callable[[StoreError], None] | None


class GroupWriter:
    """Collects writes while the last ones are being committed, and commits them together. Used on one loop only.

    The commits are made in a thread of their own: they wait for the disk, and calls need not.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._queue: list[_Entry] = []
        self._busy: asyncio.Future[Any] | None = None
        self._pool: ThreadPoolExecutor | None = None
        self._pid = 0
        self._writes = 0
        self._checkpointing: asyncio.Future[None] | None = None

    async def __call__(self, write: Write[T], failed: Callable[[StoreError], None] | None = None) -> T:
        """Commit a write with others and return its result. A write that was begun is made even if nobody waits.

        Args:
            write: what to do; it may be done again by itself, so it must not have other effects.
            failed: takes the error in place of the caller, who then gets None.

        Raises:
            StoreError: the write failed, and there is no `failed`.
        """
        loop = asyncio.get_running_loop()
        entry = _Entry(write, loop.create_future(), failed)
        self._queue.append(entry)
        if len(self._queue) == 1 and self._busy is None:
            loop.call_soon(self._begin)
        result: T = await entry.done
        return result

    def later(self, write: Write[None]) -> None:
        """Commit a write after those before it, without waiting; an error is of no interest."""
        loop = asyncio.get_running_loop()
        self._queue.append(_Entry(write, loop.create_future(), lambda _: None))
        if len(self._queue) == 1 and self._busy is None:
            loop.call_soon(self._begin)

    async def drain(self) -> None:
        """Wait until everything is written."""
        while self._queue or self._busy is not None:
            self._begin()
            if self._busy is not None:
                await asyncio.wait([self._busy])
                await asyncio.sleep(0)  # its end is handled then
        if self._checkpointing is not None:
            await asyncio.wait([self._checkpointing])

    def close(self) -> None:
        """End the thread; after `drain`."""
        if self._pool is not None and self._pid == os.getpid():
            self._pool.shutdown()
        self._pool = None

    def _begin(self) -> None:
        if self._busy is not None or not self._queue:
            return
        if self._pool is None or self._pid != os.getpid():  # a thread is not carried across a fork
            self._pool, self._pid = ThreadPoolExecutor(1, "specgen-lm-store"), os.getpid()
        entries, self._queue = self._queue, []
        self._busy = asyncio.get_running_loop().run_in_executor(self._pool, self._commit, entries)
        self._busy.add_done_callback(lambda done: self._ended(entries, done))

    def _commit(self, entries: Sequence[_Entry]) -> list[Any]:
        """Return a result or a `StoreError` for each; one that cannot be written does not take the others with it."""
        try:
            return self._store.together([entry.write for entry in entries])
        except StoreError as exc:
            return [exc] if len(entries) == 1 else [self._commit([entry])[0] for entry in entries]

    def _checkpoint(self, writes: int) -> None:
        """Have the log shortened from time to time, beside the calls."""
        self._writes += writes
        if self._writes >= _CHECKPOINT_WRITES and (self._checkpointing is None or self._checkpointing.done()):
            self._writes = 0
            self._checkpointing = asyncio.get_running_loop().run_in_executor(None, self._store.checkpoint)

    def _ended(self, entries: Sequence[_Entry], done: asyncio.Future[Any]) -> None:
        self._busy = None
        self._checkpoint(len(entries))
        error = None if done.cancelled() else done.exception()
        for n, entry in enumerate(entries):
            if error is not None:
                if not entry.done.done():
                    entry.done.set_exception(error)
            elif not done.cancelled():
                _finish(entry, done.result()[n])
        self._begin()


def _finish(entry: _Entry, result: object) -> None:
    if isinstance(result, StoreError):
        if entry.failed is None:
            if not entry.done.done():
                entry.done.set_exception(result)
            return
        entry.failed(result)
        result = None
    if not entry.done.done():
        entry.done.set_result(result)
