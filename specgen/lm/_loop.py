"""One background thread with one event loop, on which every model call of a gateway runs.

Callers may be threads (they block) or other event loops (they await). Because all state of a gateway is touched on
this one loop, reservations and the ledger need no locks between calls.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

T = TypeVar("T")


class LoopThread:
    """Starts on first use, again after a fork, and ends with `close` or with the program."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._pid = 0

    def _running(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None or self._pid != os.getpid():
                self._loop = asyncio.new_event_loop()
                self._pid = os.getpid()
                self._thread = threading.Thread(target=self._loop.run_forever, name=self._name, daemon=True)
                self._thread.start()
            return self._loop

    def submit(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        """Start `work` on the loop."""
        loop = self._running()
        if threading.current_thread() is self._thread:
            work.close()
            raise RuntimeError("a blocking model call was made from the gateway's own loop")
        return asyncio.run_coroutine_threadsafe(work, loop)

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Run `work` and wait for it. When the wait is interrupted, `work` is cancelled."""
        future = self.submit(work)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def close(self, last: Callable[[], Coroutine[Any, Any, None]] | None = None) -> None:
        """Cancel what is running, run `last` on the loop, and end the thread."""
        with self._lock:
            loop, thread, pid = self._loop, self._thread, self._pid
            self._loop = self._thread = None
        if loop is None or thread is None or pid != os.getpid():
            return
        asyncio.run_coroutine_threadsafe(_cancel_all(), loop).result(10)
        if last is not None:
            asyncio.run_coroutine_threadsafe(last(), loop).result(10)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)
        loop.close()


async def _cancel_all() -> None:
    tasks = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
