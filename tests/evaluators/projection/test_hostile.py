"""Candidates that try to change what their checks mean: Lean's own semantics decides, and labels stay what they are."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evaluators.execution import BuiltinChecker
from evaluators.scoring import Scored, score
from specgen.generators import Candidate
from specgen.tasks.model import Labels, LeanContext, Pair, Parameter, Provenance, Signature, Task
from tests.evaluators.projection.replies import LARGER, SORT

CHECKER = BuiltinChecker()

BOX = Task(
    "grow",
    "grow",
    Signature("grow", (Parameter("b", "Box"),), "Box"),
    LeanContext("4.24.0", (), "structure Box where\n  n : Nat\n  deriving DecidableEq, Repr"),
    Provenance("test", "grow", "x"),
    labels=Labels((Pair(("⟨2 + 1⟩",), "⟨2 + 2⟩"),), (Pair(("⟨2 + 1⟩",), "⟨2 + 1⟩"),), (("⟨2 + 1⟩",),)),
)


def scored(task: Task, reply: str) -> Scored:
    return score(task, Candidate(task.id, "test", reply), CHECKER)


def test_an_own_instance_counts_as_lean_counts_it() -> None:
    own = "instance : LT Int := ⟨fun a b => Int.lt b a⟩\n"
    contract = "def larger_post (x r : Int) : Prop := x < r"
    assert (scored(LARGER, contract).get("R+").value, scored(LARGER, contract).get("R-").value) == (1.0, 1.0)
    turned = scored(LARGER, own + contract)
    assert turned.outcome == "well_formed", turned.checks.message
    assert turned.get("R+").value == 0.0


def test_labels_mean_what_they_mean_in_the_task() -> None:
    own = "instance : Add Nat := ⟨fun a b => a * b + 7⟩\n"
    contract = "def grow_post (b r : Box) : Prop := r.n = Nat.succ b.n"
    for text in (contract, own + contract):
        s = scored(BOX, text)
        assert s.outcome == "well_formed", s.checks.message
        assert (s.get("R+").value, s.get("R-").value) == (1.0, 1.0)


@pytest.mark.parametrize(
    "text",
    [
        "def Box := Nat\ndef grow_post (b r : Box) : Prop := True",
        "structure Box where\n  m : Nat\ndef grow_post (b r : Box) : Prop := True",
        "namespace Mine\nstructure Box where\n  n : Nat\ndef grow_post (b r : Box) : Prop := True\nend Mine",
        "def List.length (l : List Nat) : Nat := 0\ndef grow_post (b r : Box) : Prop := True",
    ],
)
def test_the_task_s_and_the_library_s_own_names_cannot_be_taken(text: str) -> None:
    s = scored(BOX, text)
    assert s.outcome == "not_well_formed", s.checks
    assert s.get("verifier_grade").value == 0.0


@pytest.mark.parametrize(
    "before",
    [
        "set_option maxRecDepth 1000\nset_option autoImplicit false",
        "open Classical",
        "attribute [local simp] Int.add_comm",
        "universe u",
        "/-! Notes on the task. -/",
        "section\nvariable (n : Nat)\nend",
        "private def helper (x : Int) : Int := x",
    ],
)
def test_harmless_commands_are_harmless(before: str) -> None:
    s = scored(LARGER, f"{before}\n\ndef larger_post (x r : Int) : Prop := r > x")
    assert s.outcome == "well_formed", s.checks.message
    assert (s.get("R+").value, s.get("R-").value) == (1.0, 1.0)


def test_a_name_of_a_reference_or_of_the_function_is_free() -> None:
    s = scored(LARGER, "def larger (x : Int) : Int := 0\n\ndef larger_post (x r : Int) : Prop := r > larger x + x")
    assert s.outcome == "well_formed", s.checks.message
    assert s.get("R-").value == 1.0


@pytest.mark.parametrize(
    "text",
    [
        "def larger_post (x r : Int) : Prop := " + "(" * 5000 + "r > x" + ")" * 5000,
        "theorem t (x : Int) : " + "¬" * 20000 + "larger x > x := sorry",
        "theorem t (x : Int) : larger x > x ∧ " * 400 + "True := sorry",
        "```lean\n" * 3000,
        "<think>" * 20000,
        "import " * 5000,
        "/-" * 20000,
        "def larger_post (x r : Int) : Prop := r > x\n" + "theorem t : larger 1 = 2\n" * 100,
    ],
)
def test_absurd_texts_have_an_answer(text: str) -> None:
    s = scored(LARGER, text)
    assert s.outcome in {"no_output", "not_well_formed", "unsupported", "well_formed"}
    assert s.outcome == "well_formed" or s.checks.message


def test_a_lie_in_a_theorem_beside_the_contract_changes_nothing() -> None:
    lie = "theorem larger_small (x : Int) : larger x < x := by sorry\n"
    s = scored(LARGER, lie + "def larger_post (x r : Int) : Prop := r > x")
    assert (s.outcome, s.get("R+").value) == ("well_formed", 1.0)
    # Two statements of which one is wrong are both meant.
    both = scored(
        SORT, "theorem a (l : List Int) : sortUp l = l := sorry\ntheorem b (l : List Int) : sortUp l ≠ l := sorry"
    )
    assert both.get("R+").value == 0.0


def test_a_contract_of_a_task_with_unreadable_types_is_our_limit() -> None:
    odd = replace(LARGER, signature=replace(LARGER.signature, result_type="Nowhere"))
    assert scored(odd, "def larger_post (x r : Int) : Prop := r > x").outcome == "unsupported"
