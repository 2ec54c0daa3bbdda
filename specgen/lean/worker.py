"""Evaluation of texts that nobody vouches for, in a process of its own.

`WorkerEvaluator` keeps one child process with limits on memory and time. A job goes to it as JSON, its answers come
back one by one; when a question exhausts what it may use, the child is killed, that question is `unknown`, and a fresh
child goes on with the next. `InProcessEvaluator` answers the same jobs here, for data sets' own texts.

Start the child's side with `python -m specgen.lean.worker`.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import IO, Any, Literal, Protocol

from specgen.lean.engine import (
    FAILS,
    HOLDS,
    CheckReport,
    Clause,
    EvalLimits,
    Fails,
    Holds,
    Outcome,
    Program,
    ReadError,
    Unknown,
    UnknownOutcome,
    Value,
    load,
)
from specgen.lean.environment import LeanEnv
from specgen.lean.source import Diagnostic, Position


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of a question.

    Either a term of a type (`type`, `text`), or a function given as a table: `pairs` of argument texts and a result
    text, beyond which the text's own function `backing` answers (`""`: nothing does, and the call is unknown).
    """

    type: str
    text: str = ""
    pairs: tuple[tuple[tuple[str, ...], str], ...] = ()
    backing: str = ""
    is_table: bool = False


@dataclass(frozen=True, slots=True)
class Question:
    """One question about a loaded text: decide a predicate, decide it clause by clause, or run a function."""

    kind: Literal["decide", "clauses", "run"]
    name: str
    arguments: tuple[Argument, ...]


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The answer to one question.

    `outcome` is that of `decide`, of all clauses together for `clauses` (three-valued conjunction), and for `run`
    `Holds` when there is a value, which `value` gives in Lean notation. `clauses` is empty but for `clauses`.
    """

    outcome: Outcome
    clauses: tuple[Clause, ...] = ()
    value: str = ""
    runtime_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Job:
    """A text and questions about it. Values are read in the environment of the text."""

    env: LeanEnv
    text: str
    questions: tuple[Question, ...]
    limits: EvalLimits = EvalLimits()


@dataclass(frozen=True, slots=True)
class JobResult:
    """The report on a job's text (None when it killed the worker), and one result a question, in order."""

    report: CheckReport | None
    results: tuple[CheckResult, ...]


class Evaluator(Protocol):
    """Answers jobs; `close` frees what it holds."""

    def evaluate(self, job: Job) -> JobResult:
        """Answer all questions of a job; never raises for what the text says."""
        ...

    def close(self) -> None:
        """Free processes; further jobs are an error."""
        ...


# ------------------------------------------------------------------------------------------------------------ answering


class _Table:
    """A function known by some of its values."""

    def __init__(self, program: Program, argument: Argument, limits: EvalLimits) -> None:
        from specgen.lean.eval.values import key

        self._key = key
        self.program = program
        self.limits = limits
        self.backing = argument.backing
        signature = program.function_type(argument.type)
        types = [type_ for _, type_ in signature.parameters]
        self.known: dict[Any, Value] = {}
        for inputs, output in argument.pairs:
            data = tuple([program.read(t, ty).data for t, ty in zip(inputs, types, strict=True)])
            self.known[key(data)] = program.read(output, signature.result)

    def __call__(self, *arguments: Value) -> Value:
        found = self.known.get(self._key(tuple([a.data for a in arguments])))
        if found is not None:
            return found
        if not self.backing:
            raise Unknown("undecided", "the implementation is not known at this input")
        return self.program.apply(self.backing, arguments)


def answer(program: Program, question: Question, limits: EvalLimits) -> CheckResult:
    """Answer one question in this process."""
    start = time.perf_counter()

    def result(outcome: Outcome, clauses: tuple[Clause, ...] = (), value: str = "") -> CheckResult:
        return CheckResult(outcome, clauses, value, time.perf_counter() - start)

    try:
        arguments = [_argument(program, a, limits) for a in question.arguments]
        if question.kind == "decide":
            return result(program.decide(question.name, arguments, limits))
        if question.kind == "clauses":
            clauses = program.decide_clauses(question.name, arguments, limits)
            return result(together([c.outcome for c in clauses]), clauses)
        value = program.run(question.name, arguments, limits)
        if isinstance(value, UnknownOutcome):
            return result(value)
        return result(HOLDS, value=program.text(value))
    except ReadError as error:
        return result(UnknownOutcome("unsupported", str(error)))
    except Unknown as error:
        return result(UnknownOutcome(error.kind, error.message))


def together(outcomes: Sequence[Outcome]) -> Outcome:
    """Return the three-valued conjunction of some outcomes."""
    if any(isinstance(o, Fails) for o in outcomes):
        return FAILS
    return next((o for o in outcomes if isinstance(o, UnknownOutcome)), HOLDS)


def _argument(program: Program, argument: Argument, limits: EvalLimits) -> Value:
    if argument.is_table:
        return program.function(argument.type, _Table(program, argument, limits))
    return program.read(argument.text, argument.type, limits)


class InProcessEvaluator:
    """Answers in this process, under the evaluator's own limits; keeps the programs it loaded last."""

    def __init__(self, keep: int = 16) -> None:
        self.keep = keep
        self._programs: dict[tuple[LeanEnv, str], Program] = {}

    def evaluate(self, job: Job) -> JobResult:
        """Answer all questions of a job."""
        program = self._program(job.env, job.text)
        return JobResult(program.report, tuple([answer(program, q, job.limits) for q in job.questions]))

    def _program(self, env: LeanEnv, text: str) -> Program:
        found = self._programs.pop((env, text), None)
        if found is None:
            found = load(text, env)
        self._programs[env, text] = found
        while len(self._programs) > self.keep:
            self._programs.pop(next(iter(self._programs)))
        return found

    def close(self) -> None:
        """Forget the loaded programs."""
        self._programs.clear()


# ---------------------------------------------------------------------------------------------------------- the process


@dataclass(frozen=True, slots=True)
class WorkerLimits:
    """Limits of the child process.

    Attributes:
        memory_bytes: address space; what a question needs beyond it is `unknown(memory)`.
        cpu_s: processor seconds of one child before it is replaced.
        load_s: wall-clock seconds for parsing and elaborating a text.
        grace_s: wall-clock seconds that a question may take beyond the limits it was given.
    """

    memory_bytes: int = 4 << 30
    cpu_s: int = 1800
    load_s: float = 30.0
    grace_s: float = 3.0


@dataclass
class WorkerEvaluator:
    """Answers in a child process, which is started on first use and replaced when it dies. One job at a time."""

    limits: WorkerLimits = WorkerLimits()
    _process: subprocess.Popen[bytes] | None = field(default=None, init=False)
    _answers: queue.Queue[dict[str, Any] | None] = field(default_factory=queue.Queue, init=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False)

    def evaluate(self, job: Job) -> JobResult:
        """Answer all questions of a job."""
        with self._lock:
            return self._evaluate(job)

    def _evaluate(self, job: Job) -> JobResult:
        report: CheckReport | None = None
        results: list[CheckResult] = []
        n = len(job.questions)
        while True:
            self._send(job, job.questions[len(results) :])
            message, why = self._receive(self.limits.load_s)
            if message is None:
                lost = CheckResult(UnknownOutcome(why, "the text could not be loaded within the worker's limits"))
                return JobResult(report, (*results, *[lost] * (n - len(results))))
            report = _report_from(message["report"])
            while len(results) < n:
                message, why = self._receive(job.limits.wall_s + self.limits.grace_s)
                if message is None:
                    results.append(CheckResult(UnknownOutcome(why, "the worker was stopped")))
                    break
                results.append(_result_from(message))
            if len(results) == n:
                return JobResult(report, tuple(results))

    def _send(self, job: Job, questions: Sequence[Question]) -> None:
        request = {
            "version": list(job.env.version),
            "imports": list(job.env.imports),
            "text": job.text,
            "questions": [asdict(q) for q in questions],
            "limits": asdict(job.limits),
        }
        data = json.dumps(request).encode() + b"\n"
        for _ in range(2):
            process = self._start()
            assert process.stdin is not None  # noqa: S101 - opened with a pipe
            try:
                process.stdin.write(data)
                process.stdin.flush()
                return
            except OSError:
                self._stop()

    def _start(self) -> subprocess.Popen[bytes]:
        if self._process is not None and self._process.poll() is None:
            return self._process
        env = dict(os.environ, PYTHONIOENCODING="utf-8")
        arguments = [str(self.limits.memory_bytes), str(self.limits.cpu_s)]
        process = subprocess.Popen(
            [sys.executable, "-m", "specgen.lean.worker", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=env,
        )
        self._process = process
        self._answers = queue.Queue()
        assert process.stdout is not None  # noqa: S101 - opened with a pipe
        threading.Thread(target=_pump, args=(process.stdout, self._answers), daemon=True).start()
        return process

    def _receive(self, timeout_s: float) -> tuple[dict[str, Any] | None, Literal["timeout", "memory"]]:
        """Return the next message, or None and why there is none; the child is dead in that case."""
        try:
            message = self._answers.get(timeout=timeout_s)
        except queue.Empty:
            self._stop()
            return None, "timeout"
        if message is None:
            self._stop()
            return None, "memory"
        return message, "timeout"

    def _stop(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()

    def close(self) -> None:
        """Stop the child process."""
        with self._lock:
            self._stop()


def _pump(stream: IO[bytes], answers: queue.Queue[dict[str, Any] | None]) -> None:
    """Pass the child's lines on; None when it has ended."""
    try:
        for line in stream:
            answers.put(json.loads(line))
    except (OSError, ValueError):
        pass
    answers.put(None)


# ----------------------------------------------------------------------------------------------------- the child's side


def main() -> None:
    """Read jobs from standard input, one JSON object a line, and write a report and then one answer a question."""
    memory, cpu = int(sys.argv[1]), int(sys.argv[2])
    _restrict(memory, cpu)
    out = sys.stdout
    evaluator = InProcessEvaluator(keep=4)
    for line in sys.stdin:
        request = json.loads(line)
        limits = EvalLimits(**request["limits"])
        env = LeanEnv(tuple(request["version"]), tuple(request["imports"]))
        program = evaluator._program(env, request["text"])
        _write(out, {"report": asdict(program.report)})
        for raw in request["questions"]:
            try:
                result = answer(program, _question_from(raw), limits)
            except MemoryError:
                result = CheckResult(UnknownOutcome("memory", "out of memory"))
            _write(out, _result_to(result))


def _restrict(memory: int, cpu: int) -> None:
    try:
        import resource
    except ImportError:  # not a POSIX system: only the wall clock protects
        return
    if memory:
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    if cpu:
        resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _write(out: IO[str], message: dict[str, Any]) -> None:
    out.write(json.dumps(message) + "\n")
    out.flush()


def _outcome_to(outcome: Outcome) -> list[str]:
    if isinstance(outcome, UnknownOutcome):
        return ["unknown", outcome.kind, outcome.message]
    return ["holds" if isinstance(outcome, Holds) else "fails"]


def _outcome_from(data: Sequence[Any]) -> Outcome:
    match data:
        case ["holds"]:
            return HOLDS
        case ["fails"]:
            return FAILS
        case _:
            return UnknownOutcome(data[1], data[2])


def _result_to(result: CheckResult) -> dict[str, Any]:
    return {
        "outcome": _outcome_to(result.outcome),
        "clauses": [[c.text, _outcome_to(c.outcome)] for c in result.clauses],
        "value": result.value,
        "runtime_s": result.runtime_s,
    }


def _result_from(data: dict[str, Any]) -> CheckResult:
    clauses = tuple([Clause(text, _outcome_from(o)) for text, o in data["clauses"]])
    return CheckResult(_outcome_from(data["outcome"]), clauses, data["value"], data["runtime_s"])


def _report_from(data: dict[str, Any]) -> CheckReport:
    diagnostics = tuple(
        [
            Diagnostic(d["severity"], d["kind"], d["message"], Position(**d["start"]), Position(**d["end"]))
            for d in data["diagnostics"]
        ]
    )
    return CheckReport(data["verdict"], diagnostics, data["total"], data["elaborated"], data["runtime_s"])


def _question_from(data: dict[str, Any]) -> Question:
    arguments = tuple(
        [
            Argument(
                a["type"],
                a["text"],
                tuple([(tuple(i), o) for i, o in a["pairs"]]),
                a["backing"],
                a["is_table"],
            )
            for a in data["arguments"]
        ]
    )
    return Question(data["kind"], data["name"], arguments)


if __name__ == "__main__":
    main()
