"""Evaluators by name, and what becomes of one that fails."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest

from evaluators.checks import ContractChecks
from evaluators.contract import Contract
from evaluators.evidence import Evidence
from evaluators.execution import BuiltinChecker
from evaluators.isolation import JobError, OpenRunner, Stopped
from evaluators.registry import (
    ADEQUACY,
    Entry,
    EvaluatorTools,
    Subject,
    check_names,
    known_evaluators,
    make_evaluators,
    metrics_of,
    registry,
)
from evaluators.reward import DEFAULT_WEIGHTS, make_reward
from evaluators.scoring import MAX_CHARS, score
from specgen.errors import BudgetReachedError, UserError
from specgen.tasks.model import ContractSource, Task
from tests.evaluators.contracts import LARGER, fields, text

REFERENCE = ContractSource(
    "prepost",
    "def larger_precond (x : Int) : Prop := True\ndef larger_postcond (x result : Int) : Prop := result > x",
    "larger_postcond",
    "larger_precond",
)
WITH_REFERENCE = replace(LARGER, references=(REFERENCE,))


@dataclass(frozen=True)
class Planned:
    """Gives what it is told to, or raises it."""

    gives: tuple[Evidence, ...] | Exception
    name: str = "planned"
    metrics: tuple[str, ...] = ("first", "second")

    def evidence(self, subject: Subject) -> Sequence[Evidence]:
        if isinstance(self.gives, Exception):
            raise self.gives
        return self.gives


def observed(metric: str, value: float = 0.5) -> Evidence:
    return Evidence(metric, "observed", value, value, value, evaluator="planned")


def found(gives: tuple[Evidence, ...] | Exception, postcond: str = "result > x") -> list[tuple[str, str, str]]:
    scored = score(LARGER, fields(postcond), BuiltinChecker(), [Planned(gives)])
    assert scored.get("R+").status == "observed"
    return [(e.metric, e.status, e.message) for e in scored.evidence if e.evaluator == "planned"]


def test_evidence_of_an_evaluator_stands_beside_that_of_the_checks() -> None:
    assert found((observed("second"), observed("first"))) == [("second", "observed", ""), ("first", "observed", "")]


def test_an_evaluator_that_raises_is_an_error_with_type_and_message_and_no_value() -> None:
    assert found(ZeroDivisionError("no items")) == [
        ("first", "evaluator_error", "ZeroDivisionError: no items"),
        ("second", "evaluator_error", "ZeroDivisionError: no items"),
    ]
    assert found(JobError("KeyError", "'x'"))[0] == ("first", "evaluator_error", "KeyError: 'x'")


def test_a_metric_that_is_missing_is_an_error_and_so_are_foreign_or_double_ones() -> None:
    assert [status for _, status, _ in found((observed("first"),))] == ["observed", "evaluator_error"]
    for wrong in ((observed("first"), observed("R+")), (observed("first"), observed("first"))):
        assert [status for _, status, _ in found(wrong)] == ["evaluator_error"] * 2


def test_an_error_of_the_system_passes_through() -> None:
    with pytest.raises(BudgetReachedError):
        found(BudgetReachedError("the cap is reached"))


def entry(name: str, *metrics: str) -> Entry:
    return Entry(name, "for a test", metrics, lambda tools: Planned(()))


@pytest.mark.parametrize(
    "entries",
    [
        [entry("a", "m"), entry("a", "n")],
        [entry("a", "m"), entry("b", "m")],
        [entry("a", "R+")],
        [entry(ADEQUACY, "m")],
    ],
)
def test_the_registry_refuses_what_two_would_share(entries: list[Entry]) -> None:
    with pytest.raises(ValueError, match="named|both give"):
        registry(entries)


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (["similarty"], "Did you mean 'similarity'?"),
        (["similarity", "similarity"], "named twice"),
        ([], "no evaluator is named"),
        (["judge"], "needs a model"),
    ],
)
def test_a_choice_that_cannot_be_made_is_said(names: list[str], said: str) -> None:
    with pytest.raises(UserError) as caught:
        make_evaluators(names, EvaluatorTools(OpenRunner()))
    assert said in caught.value.one_line()


def test_known_evaluators_give_what_they_say() -> None:
    assert check_names([ADEQUACY, "similarity"]) == (ADEQUACY, "similarity")
    names = [n for n in known_evaluators() if n != "judge"]
    evaluators = make_evaluators(names, EvaluatorTools(OpenRunner()))
    assert tuple(m for e in evaluators for m in e.metrics) == metrics_of(names)
    for candidate in (fields("result > x"), fields("result >"), fields(""), text("def larger_spec := 3")):
        scored = score(WITH_REFERENCE, candidate, BuiltinChecker(), evaluators)
        assert {e.metric for e in scored.evidence} >= set(metrics_of(names))
        assert not [e for e in scored.evidence if e.status == "evaluator_error"]
    assert scored.candidate == candidate


def test_similarity_to_the_reference_is_measured() -> None:
    evaluators = make_evaluators(["similarity"], EvaluatorTools(OpenRunner()))
    same = score(WITH_REFERENCE, fields("result > x"), BuiltinChecker(), evaluators)
    other = score(WITH_REFERENCE, fields("result = x + 1"), BuiltinChecker(), evaluators)
    assert same.get("gted").value == 1.0
    assert (other.get("gted").value or 0.0) < 1.0
    assert score(LARGER, fields("result > x"), BuiltinChecker(), evaluators).get("gted").status == "not_applicable"


def test_no_reward_has_a_part_that_uses_the_reference() -> None:
    held_out = set(metrics_of(list(known_evaluators())))
    assert not held_out & set(DEFAULT_WEIGHTS)
    for metric in held_out:
        with pytest.raises(UserError):
            make_reward("verifier+adequacy", {metric: 1.0})


class StoppingRunner:
    """Gives up every job."""

    def run(self, job: Any, wall_s: float) -> Any:
        return Stopped("timeout" if wall_s else "memory", "given up")


def test_a_job_that_was_stopped_is_a_timeout_and_never_a_value() -> None:
    evaluators = make_evaluators(["similarity"], EvaluatorTools(StoppingRunner()))
    scored = score(WITH_REFERENCE, fields("result > x"), BuiltinChecker(), evaluators)
    assert {(scored.get(m).status, scored.get(m).value) for m in metrics_of(["similarity"])} == {("timeout", None)}


def test_without_adequacy_there_is_validity_and_no_grade() -> None:
    scored = score(WITH_REFERENCE, fields("result > x"), BuiltinChecker(), with_adequacy=False)
    assert [(e.metric, e.value) for e in scored.evidence] == [("typecheck", 1.0)]
    assert scored.outcome == "well_formed"


def test_a_text_beyond_the_limit_is_not_read() -> None:
    for candidate in (text("-- " + "x" * MAX_CHARS), fields("result > x", postcond_aux=" " * MAX_CHARS)):
        scored = score(LARGER, candidate, BuiltinChecker())
        assert scored.outcome == "unsupported"
        assert scored.get("verifier_grade").value is None
        assert f"longer than {MAX_CHARS}" in scored.get("typecheck").message


class BrokenChecker:
    """A checker whose own code fails."""

    def check(self, contract: Contract, task: Task) -> ContractChecks:
        raise JobError("AttributeError", "no such part")


def test_a_fault_of_the_checker_is_an_error_and_no_verdict() -> None:
    scored = score(LARGER, fields("result > x"), BrokenChecker())
    assert {e.status for e in scored.evidence} == {"evaluator_error"}
    assert scored.outcome == "unsupported"
    assert "AttributeError: no such part" in scored.get("R+").message
