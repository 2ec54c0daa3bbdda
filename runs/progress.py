"""Progress on standard error: a bar in a terminal, a line a stage elsewhere."""

from __future__ import annotations

import sys
import time
from threading import Lock
from types import TracebackType
from typing import Any, Self


class ConsoleProgress:
    """Shows stages with rich in a terminal; otherwise prints when a stage begins, and every ten seconds how far it
    is.
    """

    def __init__(self) -> None:
        self._tty = sys.stderr.isatty()
        self._lock = Lock()
        self._bar: Any = None
        self._task: Any = None
        self._stage = ""
        self._done = 0
        self._total: int | None = None
        self._printed = 0.0

    def __enter__(self) -> Self:
        if self._tty:
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

            columns = (
                TextColumn("{task.description}"),
                BarColumn(),
                MofNCompleteColumn(),
                TimeElapsedColumn(),
                TextColumn("{task.fields[note]}"),
            )
            self._bar = Progress(*columns, console=Console(stderr=True))
            self._bar.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, exc: BaseException | None, tb: TracebackType | None) -> None:
        if self._bar is not None:
            self._bar.stop()

    def start(self, stage: str, total: int | None) -> None:
        """Begin a stage."""
        with self._lock:
            self._stage, self._done, self._total, self._printed = stage, 0, total, time.monotonic()
            if self._bar is not None:
                self._task = self._bar.add_task(stage, total=total, note="")
            else:
                print(f"{stage}: {'' if total is None else f'{total} steps'}", file=sys.stderr, flush=True)

    def step(self, note: str = "") -> None:
        """One step is done."""
        with self._lock:
            self._done += 1
            if self._bar is not None:
                self._bar.update(self._task, advance=1, note=note)
                return
            now = time.monotonic()
            if note or now - self._printed >= 10 or self._done == self._total:
                self._printed = now
                print(f"  {self._stage} {self._done}/{self._total or '?'} {note}".rstrip(), file=sys.stderr, flush=True)

    def say(self, text: str) -> None:
        """Print a line beside the progress: an outage, a limit."""
        with self._lock:
            if self._bar is not None:
                self._bar.console.print(text, markup=False)
            else:
                print(text, file=sys.stderr, flush=True)
