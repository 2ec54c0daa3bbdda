"""The worker process: same answers as in process, and what exhausts it is unknown while the rest goes on."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from specgen.lean.engine import FAILS, HOLDS, EvalLimits, UnknownOutcome
from specgen.lean.worker import (
    Argument,
    Evaluator,
    InProcessEvaluator,
    Job,
    Question,
    WorkerEvaluator,
    WorkerLimits,
)
from tests.lean.eval.programs import ENV

TEXT = """
def post (xs : List Nat) (n : Nat) : Prop := xs.length = n ∧ n < 3
def spin (n : Nat) (acc : Nat) : Nat := match n with
  | 0 => acc
  | k + 1 => spin k ((acc * 3 + 1) % 1000003)
def double (n : Nat) : Nat := 2 * n
def spec (impl : Nat → Nat) (x : Nat) : Prop := impl x > x
"""


def nat(text: str) -> Argument:
    return Argument("Nat", text)


def table(backing: str = "") -> Argument:
    return Argument("Nat → Nat", pairs=((("1",), "5"), (("2",), "0")), backing=backing, is_table=True)


QUESTIONS = (
    Question("decide", "post", (Argument("List Nat", "[1, 2]"), nat("2"))),
    Question("clauses", "post", (Argument("List Nat", "[1, 2, 3]"), nat("3"))),
    Question("run", "double", (nat("21"),)),
    Question("decide", "spec", (table(), nat("1"))),
    Question("decide", "spec", (table(), nat("2"))),
    Question("decide", "spec", (table(), nat("3"))),
    Question("decide", "spec", (table("double"), nat("3"))),
    Question("decide", "post", (nat("oops"), nat("2"))),
)


@pytest.fixture(scope="module")
def worker() -> Iterator[WorkerEvaluator]:
    evaluator = WorkerEvaluator(WorkerLimits(grace_s=0.5))
    yield evaluator
    evaluator.close()


@pytest.fixture(params=["here", "worker"])
def evaluator(request: pytest.FixtureRequest, worker: WorkerEvaluator) -> Evaluator:
    return InProcessEvaluator() if request.param == "here" else worker


def test_answers(evaluator: Evaluator) -> None:
    result = evaluator.evaluate(Job(ENV, TEXT, QUESTIONS))
    assert result.report is not None
    assert result.report.verdict == "accepted"
    outcomes = [r.outcome for r in result.results]
    assert outcomes[:5] == [HOLDS, FAILS, HOLDS, HOLDS, FAILS]
    assert isinstance(outcomes[5], UnknownOutcome)
    assert outcomes[5].kind == "undecided"
    assert outcomes[6] == HOLDS
    assert isinstance(outcomes[7], UnknownOutcome)
    assert [c.outcome for c in result.results[1].clauses] == [HOLDS, FAILS]
    assert result.results[2].value == "42"


def test_a_rejected_text_has_a_report_and_unknown_answers(evaluator: Evaluator) -> None:
    result = evaluator.evaluate(Job(ENV, 'def post : Nat := "a"', QUESTIONS[:1]))
    assert result.report is not None
    assert result.report.verdict == "rejected"
    assert isinstance(result.results[0].outcome, UnknownOutcome)


def test_a_question_that_hangs_is_killed_and_the_rest_goes_on(worker: WorkerEvaluator) -> None:
    # A single step of arithmetic on large numbers does not look at the clock.
    text = TEXT + "\ndef slow (n : Nat) : Nat := ((2 ^ n) * (2 ^ n - 1) % (2 ^ (n / 2) + 1)) % 10\n"
    limits = EvalLimits(fuel=10**12, cells=10**9, wall_s=0.3)
    questions = (QUESTIONS[0], Question("run", "slow", (nat("60000000"),)), QUESTIONS[0])
    result = worker.evaluate(Job(ENV, text, questions, limits))
    assert [r.outcome for r in (result.results[0], result.results[2])] == [HOLDS, HOLDS]
    assert isinstance(result.results[1].outcome, UnknownOutcome)
    assert result.results[1].outcome.kind in ("timeout", "memory", "fuel")


def test_memory_is_limited() -> None:
    evaluator = WorkerEvaluator(WorkerLimits(memory_bytes=1 << 30))
    text = TEXT + "\ndef big (n : Nat) : Nat := ((List.range n).map (fun x => List.replicate 10 x)).length\n"
    questions = (Question("run", "big", (nat("3000000"),)), QUESTIONS[0])
    result = evaluator.evaluate(Job(ENV, text, questions, EvalLimits(fuel=10**10, cells=10**10, wall_s=60)))
    evaluator.close()
    first = result.results[0].outcome
    assert isinstance(first, UnknownOutcome)
    assert first.kind == "memory"
    assert result.results[1].outcome == HOLDS


def test_a_closed_worker_starts_again(worker: WorkerEvaluator) -> None:
    worker.close()
    result = worker.evaluate(Job(ENV, TEXT, QUESTIONS[:1]))
    assert result.results[0].outcome == HOLDS
