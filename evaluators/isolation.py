"""Candidates are untrusted: their checks run in processes of their own, with limits on memory, CPU and wall time.

A worker answers check by check. When one takes too long or dies, the checks that were answered are kept, the one that
was running is unknown (`timeout` or `memory`), the worker is replaced, and the rest goes on in the new one.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import queue
import resource
import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from types import TracebackType
from typing import Any, Self

from evaluators.checks import Check, ContractChecks, Tri
from evaluators.contract import Contract
from evaluators.execution import BuiltinChecker, Head, Plan, plan_checks, stream_checks
from evaluators.scoring import Checker
from specgen.lean.engine import EvalLimits
from specgen.tasks.model import Task

STACK_ROOM_MB = 1536
"""Address space beyond the memory limit: interpreter, libraries, and the deep evaluation stack (mostly unused)."""

START_S = 30.0
"""Most seconds that a worker may take to start."""

LOAD_S = 20.0
"""Most seconds that parsing and elaborating one contract may take."""

MAX_KILLS = 3
"""Workers that one contract may cost; after that its remaining checks are unknown."""


@dataclass(frozen=True, slots=True)
class Confinement:
    """Limits of one worker: memory in MB, and seconds of wall time that one check may take before it is killed."""

    memory_mb: int = 1024
    check_wall_s: float = 2.0
    workers: int = 2


def _serve(connection: Connection, memory_mb: int) -> None:
    """Answer requests until the connection closes. Runs in the worker."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    room = (memory_mb + STACK_ROOM_MB) * 1024 * 1024
    resource.setrlimit(resource.RLIMIT_AS, (room, room))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    connection.send("ready")
    while True:
        try:
            contract, task, limits, skip = connection.recv()
        except (EOFError, OSError):
            return
        try:
            for item in stream_checks(contract, task, limits, skip):
                connection.send(item)
            connection.send(None)
        except MemoryError:
            os._exit(75)


class _Worker:
    """One process and the pipe to it."""

    def __init__(self, memory_mb: int) -> None:
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        self.process = context.Process(target=_serve, args=(theirs, memory_mb), daemon=True)
        self.process.start()
        theirs.close()
        if not self.connection.poll(START_S) or self.connection.recv() != "ready":
            self.stop()
            raise RuntimeError("a worker for candidate checks did not start")

    def stop(self) -> None:
        """Kill the process and wait for it."""
        with contextlib.suppress(OSError):
            self.connection.close()
        if self.process.is_alive():
            self.process.kill()
        self.process.join()

    def answers(self, request: Any, first_s: float, each_s: float) -> Iterator[Head | Check | str]:
        """Yield answers; the last item is a string (`timeout` or `memory`) when the worker had to be given up."""
        try:
            self.connection.send(request)
            wait = first_s
            while True:
                if not self.connection.poll(wait):
                    yield "timeout"
                    return
                answer = self.connection.recv()
                if answer is None:
                    return
                yield answer
                wait = each_s
        except (EOFError, OSError):
            yield "memory"


class IsolatedChecker:
    """A `Checker` over a pool of confined workers. Thread-safe; close it, or use it as a context manager."""

    def __init__(self, limits: EvalLimits, confinement: Confinement | None = None) -> None:
        self._limits = limits
        self._confinement = confinement or Confinement()
        self._idle: queue.LifoQueue[_Worker | None] = queue.LifoQueue()
        for _ in range(self._confinement.workers):
            self._idle.put(None)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, exc: BaseException | None, tb: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Stop the workers that are idle."""
        while True:
            try:
                worker = self._idle.get_nowait()
            except queue.Empty:
                return
            if worker is not None:
                worker.stop()

    def check(self, contract: Contract, task: Task) -> ContractChecks:
        """Return the outcome of every check; what killed a worker is unknown, never a verdict."""
        began = time.perf_counter()
        worker = self._idle.get()
        try:
            head: Head | None = None
            done: dict[str, Check] = {}
            plan = plan_checks(contract, task)
            for _ in range(MAX_KILLS):
                worker = worker or _Worker(self._confinement.memory_mb)
                head, stopped = self._ask(worker, contract, task, head, done)
                if stopped is None:
                    break
                worker.stop()
                worker = None
                if head is None:
                    return _not_loaded(stopped, contract, time.perf_counter() - began)
                _mark_running(plan, done, stopped)
            return _assemble(plan, head, done, contract, time.perf_counter() - began)
        finally:
            self._idle.put(worker)

    def _ask(
        self, worker: _Worker, contract: Contract, task: Task, head: Head | None, done: dict[str, Check]
    ) -> tuple[Head | None, str | None]:
        # A check has one time limit a clause inside; the worker is given twice that and a little before it is killed.
        each_s = 2 * self._confinement.check_wall_s + 1.0
        # The metadata view does not travel, and no check looks at it.
        request = (contract, replace(task, metadata={}), self._limits, frozenset(done))
        for answer in worker.answers(request, LOAD_S, each_s):
            if isinstance(answer, str):
                return head, answer
            if isinstance(answer, Check):
                done[answer.item] = answer
            else:
                head = answer
        return head, None


def _mark_running(plan: Plan, done: dict[str, Check], kind: str) -> None:
    """Mark the first check that was not answered as what stopped the worker."""
    reason = "the check was stopped at its wall-time limit" if kind == "timeout" else "the check ran out of memory"
    running = next((p for p in plan.items if p.item not in done), None)
    if running is not None:
        done[running.item] = Check(running.item, running.shown, Tri("unknown", kind, reason))


def _not_loaded(kind: str, contract: Contract, runtime_s: float) -> ContractChecks:
    reason = (
        "parsing and elaborating took too long" if kind == "timeout" else "parsing and elaborating ran out of memory"
    )
    return ContractChecks("unsupported", reason, notes=contract.notes, runtime_s=runtime_s)


def _assemble(
    plan: Plan, head: Head | None, done: dict[str, Check], contract: Contract, runtime_s: float
) -> ContractChecks:
    if head is None or head.well_formed != "yes":
        base = head.checks(contract) if head is not None else _not_loaded("timeout", contract, runtime_s)
        return replace(base, runtime_s=runtime_s)
    left = Tri("unknown", "timeout", f"not reached: {MAX_KILLS} workers were stopped by this contract")
    groups: dict[str, list[Check]] = {}
    for p in plan.items:
        if p.optional and p.item not in done:
            continue
        groups.setdefault(p.kind, []).append(done.get(p.item) or Check(p.item, p.shown, left))
    return replace(
        head.checks(contract),
        runtime_s=runtime_s,
        **{kind: tuple(found) for kind, found in groups.items()},  # type: ignore[arg-type]
    )


@contextlib.contextmanager
def make_checker(isolate: bool = True, check_timeout_s: float = 2.0, memory_mb: int = 1024) -> Iterator[Checker]:
    """Yield a checker for candidates: confined workers, or this process (for trusted text only)."""
    limits = EvalLimits(wall_s=check_timeout_s)
    if not isolate:
        yield BuiltinChecker(limits)
        return
    workers = max(1, min(4, os.cpu_count() or 1))
    with IsolatedChecker(limits, Confinement(memory_mb, check_timeout_s, workers)) as checker:
        yield checker
