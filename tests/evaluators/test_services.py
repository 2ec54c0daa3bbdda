"""The verifier that generators ask about their own candidates."""

from __future__ import annotations

import pytest

from evaluators.execution import BuiltinChecker
from evaluators.relation import view_safe
from evaluators.services import TaskVerifier, feedback_task
from specgen.generators import Candidate
from specgen.lean.engine import EvalLimits
from specgen.tasks import load_dataset, split_labels

TASK = next(t for t in load_dataset("starter").tasks if t.id.endswith("any_over_limit"))
NAME = TASK.signature.name
HEAD = f"{TASK.signature.binders()} (result : {TASK.signature.result_type}) : Prop"


def contract(postcondition: str, precondition: str = "True") -> Candidate:
    text = (
        f"def {NAME}_precond {TASK.signature.binders()} : Prop := {precondition}\n"
        f"def {NAME}_postcond {HEAD} := {postcondition}"
    )
    return Candidate(TASK.id, "direct", text)


@pytest.fixture
def verifier() -> TaskVerifier:
    labels = split_labels(TASK, 0, 0.5).feedback
    return TaskVerifier(feedback_task(TASK.with_labels(labels)), BuiltinChecker(EvalLimits()))


def test_elaboration_is_the_verifiers_verdict(verifier: TaskVerifier) -> None:
    assert verifier.elaborate(contract("True")).verdict == "accepted"
    refused = verifier.elaborate(contract("noSuchName"))
    assert refused.verdict == "rejected" and "noSuchName" in refused.message
    assert verifier.elaborate(Candidate(TASK.id, "direct", "", failure="empty")).verdict == "rejected"


def test_a_contract_that_says_nothing_is_verified_and_not_adequate(verifier: TaskVerifier) -> None:
    found = verifier.harness(contract("True"))
    assert found.verified
    assert (found.scores["PostCorr"].value, found.scores["PostComp"].value) == (1.0, 0.0)
    assert "slips through" in found.feedback


def test_the_right_contract_is_adequate(verifier: TaskVerifier) -> None:
    right = contract("result < readings.length ∧ limit < readings[result]!", "∃ x ∈ readings, limit < x")
    found = verifier.harness(right)
    assert found.verified and {s.value for s in found.scores.values()} == {1.0}


def test_a_verifier_only_report_tells_nothing_of_rejected_pairs(verifier: TaskVerifier) -> None:
    found = verifier.harness(contract("True", "False"), verifier_only=True)
    assert found.verified and dict(found.scores) == {}
    assert "slips through" not in found.feedback and "refused" not in found.feedback


def test_what_a_verifier_says_is_from_feedback_examples_only() -> None:
    split = split_labels(TASK, 0, 0.5)
    verifier = TaskVerifier(feedback_task(TASK.with_labels(split.feedback)), BuiltinChecker(EvalLimits()))
    said = " ".join(
        verifier.harness(contract(post, pre)).feedback for post in ("True", "False") for pre in ("True", "False")
    )
    for pair in (*split.held_out.accepted, *split.held_out.rejected):
        assert f"({', '.join(pair.inputs)}) ↦ {pair.output}" not in said
    assert verifier.task.references == ()


RIGHT = "result < readings.length ∧ limit < readings[result]!"


@pytest.mark.parametrize(
    ("first", "second", "relation"),
    [
        ("True", "True", "identical"),
        (RIGHT, f"{RIGHT} -- the same", "identical"),
        (RIGHT, "result + 1 ≤ readings.length ∧ ¬ readings[result]! ≤ limit", "proved"),
        (RIGHT, "True", "different"),
        (RIGHT, "noSuchName", "unknown"),
    ],
)
def test_relations_of_candidates(verifier: TaskVerifier, first: str, second: str, relation: str) -> None:
    assert verifier.relation(contract(first), contract(second)) == relation


def test_a_comparison_sees_neither_reference_nor_labels() -> None:
    seen = view_safe(TASK)
    assert (seen.references, seen.implementation, seen.labels.size()) == ((), None, 0)
    assert seen.view() == TASK.view()
