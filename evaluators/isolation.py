"""Candidates are untrusted: what reads, elaborates or evaluates them runs in processes of their own, with limits on
memory and wall time.

Two ways to use a worker. A `Job` is any small picklable piece of work: `Confined.run(job, wall_s)` gives its result, or
says what stopped it. The checks of a contract are streamed (`IsolatedChecker`): when one takes too long or its worker
dies, the checks that were answered are kept, the one that was running is unknown (`timeout` or `memory`), the worker is
replaced, and the rest goes on in the new one.
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
from evaluators.jobs import Job, JobError, Runner, Stopped
from evaluators.scoring import Checker
from specgen.errors import EnvironmentMissingError
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


@dataclass(frozen=True, slots=True)
class _Stream:
    """Check a contract, answering check by check."""

    contract: Contract
    task: Task
    limits: EvalLimits
    skip: frozenset[str]

    def answers(self) -> Iterator[Head | Check]:
        return stream_checks(self.contract, self.task, self.limits, self.skip)


@dataclass(frozen=True, slots=True)
class _Done:
    value: Any = None


@dataclass(frozen=True, slots=True)
class _Raised:
    type: str
    message: str


def _serve(connection: Connection, memory_mb: int) -> None:
    """Answer requests until the connection closes. Runs in the worker."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    room = (memory_mb + STACK_ROOM_MB) * 1024 * 1024
    resource.setrlimit(resource.RLIMIT_AS, (room, room))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    connection.send("ready")
    while True:
        try:
            request = connection.recv()
        except (EOFError, OSError):
            return
        try:
            if isinstance(request, _Stream):
                for item in request.answers():
                    connection.send(item)
                connection.send(_Done())
            else:
                connection.send(_Done(request.run()))
        except MemoryError:
            os._exit(75)
        except Exception as error:  # noqa: BLE001 - handed over: the other side decides what a fault means
            if "start new thread" in str(error):  # no room for the stack of an evaluation
                os._exit(75)
            connection.send(_Raised(type(error).__name__, str(error)[:2000]))


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
            raise EnvironmentMissingError(
                "a worker for candidates did not start", remedy="Free memory, or give fewer workers"
            )

    def stop(self) -> None:
        """Kill the process and wait for it."""
        with contextlib.suppress(OSError):
            self.connection.close()
        if self.process.is_alive():
            self.process.kill()
        self.process.join()

    def answers(self, request: Any, first_s: float, each_s: float) -> Iterator[Any]:
        """Yield answers; the last is `_Done` or `_Raised`, or a string (`timeout` or `memory`) when the worker had to
        be given up.
        """
        try:
            self.connection.send(request)
            wait = first_s
            while True:
                if not self.connection.poll(wait):
                    yield "timeout"
                    return
                answer = self.connection.recv()
                yield answer
                if isinstance(answer, _Done | _Raised):
                    return
                wait = each_s
        except (EOFError, OSError):
            yield "memory"


class Confined:
    """A pool of confined workers. Thread-safe; close it, or use it as a context manager.

    Workers are started when they are needed and kept for the next job. A job waits for a worker that is free; its wall
    time runs from then on.
    """

    def __init__(self, memory_mb: int = 1024, workers: int = 2) -> None:
        self._memory_mb = memory_mb
        self._idle: queue.LifoQueue[_Worker | None] = queue.LifoQueue()
        for _ in range(workers):
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

    @contextlib.contextmanager
    def lease(self) -> Iterator[_Lease]:
        """Lend one worker's place to the caller."""
        held = _Lease(self._memory_mb, self._idle.get())
        try:
            yield held
        finally:
            self._idle.put(held.worker)

    def run(self, job: Job, wall_s: float) -> Any:
        """Run a job and return its result, or `Stopped`.

        Args:
            job: what to run; it and its result must be picklable.
            wall_s: seconds after which the worker is killed.

        Raises:
            JobError: for an exception inside the job.
            EnvironmentMissingError: when no worker could be started.
        """
        with self.lease() as held:
            answer = next(iter(held.ask(job, wall_s, wall_s)))
        match answer:
            case _Done():
                return answer.value
            case _Raised():
                raise JobError(answer.type, answer.message)
            case "timeout":
                return Stopped("timeout", f"stopped at its limit of {wall_s:g} s")
            case _:
                return Stopped("memory", f"its process died, most likely at its limit of {self._memory_mb} MB")


class _Lease:
    """One place of the pool, with the worker in it, if one is alive."""

    def __init__(self, memory_mb: int, worker: _Worker | None) -> None:
        self._memory_mb = memory_mb
        self.worker = worker

    def ask(self, request: Any, first_s: float, each_s: float) -> Iterator[Any]:
        """Yield the answers to a request (see `_Worker.answers`); a worker that was given up is stopped.

        The caller takes answers to their end: one that leaves early costs the worker.
        """
        worker = self.worker or _Worker(self._memory_mb)
        self.worker = None  # whatever ends this early, an interrupt too, leaves no half-read pipe behind
        ended = False
        try:
            for answer in worker.answers(request, first_s, each_s):
                ended = isinstance(answer, _Done | _Raised)
                if ended:
                    self.worker = worker
                yield answer
        finally:
            if not ended:
                worker.stop()


class OpenRunner:
    """Runs jobs in this process, without limits: for trusted text only."""

    def run(self, job: Job, wall_s: float) -> Any:
        """Return the job's result; its wall time is not enforced."""
        try:
            return job.run()
        except Exception as error:
            raise JobError(type(error).__name__, str(error)) from error


class IsolatedChecker:
    """A `Checker` over a pool of confined workers. Thread-safe; close it, or use it as a context manager.

    `confined` is the pool, which runs jobs too.
    """

    def __init__(self, limits: EvalLimits, confinement: Confinement | None = None) -> None:
        self._limits = limits
        self._confinement = confinement or Confinement()
        self.confined = Confined(self._confinement.memory_mb, self._confinement.workers)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, exc: BaseException | None, tb: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Stop the workers that are idle."""
        self.confined.close()

    def run(self, job: Job, wall_s: float) -> Any:
        """Run a job in the same pool (see `Confined.run`)."""
        return self.confined.run(job, wall_s)

    def check(self, contract: Contract, task: Task) -> ContractChecks:
        """Return the outcome of every check; what stopped a worker is unknown, never a verdict.

        Raises:
            JobError: when our own code fails on the contract before its first check. Later its check is unknown.
        """
        began = time.perf_counter()
        head: Head | None = None
        done: dict[str, Check] = {}
        plan = plan_checks(contract, task)
        with self.confined.lease() as held:
            for _ in range(MAX_KILLS):
                head, stopped = self._ask(held, contract, task, head, done)
                if stopped is None:
                    break
                if head is None:
                    if isinstance(stopped, _Raised):
                        raise JobError(stopped.type, stopped.message)
                    return _not_loaded(stopped, contract, time.perf_counter() - began)
                _mark_running(plan, done, stopped)
        return _assemble(plan, head, done, contract, time.perf_counter() - began)

    def _ask(
        self, held: _Lease, contract: Contract, task: Task, head: Head | None, done: dict[str, Check]
    ) -> tuple[Head | None, str | _Raised | None]:
        # A check has one time limit a clause inside; the worker is given twice that and a little before it is killed.
        each_s = 2 * self._confinement.check_wall_s + 1.0
        # The metadata view does not travel, and no check looks at it.
        request = _Stream(contract, replace(task, metadata={}), self._limits, frozenset(done))
        stopped: str | _Raised | None = None
        for answer in held.ask(request, LOAD_S, each_s):
            match answer:
                case Check():
                    done[answer.item] = answer
                case Head():
                    head = answer
                case str() | _Raised():
                    stopped = answer
        return head, stopped


def _mark_running(plan: Plan, done: dict[str, Check], stopped: str | _Raised) -> None:
    """Mark the first check that was not answered as what stopped the worker."""
    if isinstance(stopped, _Raised):
        kind, reason = "error", f"{stopped.type}: {stopped.message}"
    else:
        kind = stopped
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


@dataclass(frozen=True, slots=True)
class Tools:
    """What evaluators work with: the checker of contracts, and the runner of jobs, over the same workers."""

    checker: Checker
    runner: Runner


@contextlib.contextmanager
def make_tools(isolate: bool = True, check_timeout_s: float = 2.0, memory_mb: int = 1024) -> Iterator[Tools]:
    """Yield checker and runner for candidates: confined workers, or this process (for trusted text only)."""
    limits = EvalLimits(wall_s=check_timeout_s)
    if not isolate:
        yield Tools(BuiltinChecker(limits), OpenRunner())
        return
    workers = max(1, min(4, os.cpu_count() or 1))
    with IsolatedChecker(limits, Confinement(memory_mb, check_timeout_s, workers)) as checker:
        yield Tools(checker, checker)


@contextlib.contextmanager
def make_checker(isolate: bool = True, check_timeout_s: float = 2.0, memory_mb: int = 1024) -> Iterator[Checker]:
    """Yield a checker for candidates (see `make_tools`)."""
    with make_tools(isolate, check_timeout_s, memory_mb) as tools:
        yield tools.checker


__all__ = [
    "Confined",
    "Confinement",
    "IsolatedChecker",
    "Job",
    "JobError",
    "OpenRunner",
    "Runner",
    "Stopped",
    "Tools",
    "make_checker",
    "make_tools",
]
