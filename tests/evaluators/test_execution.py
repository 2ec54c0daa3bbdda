"""Checks of contracts through the engine."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evaluators.execution import BuiltinChecker, Planned, plan_checks, run_implementation
from evaluators.scoring import Scored, score
from specgen.generators import Candidate
from specgen.tasks.model import Implementation, Labels, LeanContext, Pair, Parameter, Provenance, Signature, Task
from tests.evaluators.contracts import LARGER, fields, text

CHECKER = BuiltinChecker()


def scored(candidate: Candidate, task: Task = LARGER) -> Scored:
    return score(task, candidate, CHECKER)


@pytest.mark.parametrize(
    ("precond", "postcond", "plus", "minus", "req"),
    [
        ("True", "result > x", 1, 1, 1),
        ("True", "x < result", 1, 1, 1),
        ("True", "result >= x", 1, 1 / 2, 1),
        ("True", "result = x+1", 1 / 2, 1, 1),
        ("True", "True", 1, 0, 1),
        ("True", "False", 0, 1, 1),
        ("x > 0", "result > x", 1, 1, 1 / 3),
        ("False", "result > x", 1, 1, 0),
    ],
)
def test_the_controls_come_out_exactly(precond: str, postcond: str, plus: float, minus: float, req: float) -> None:
    s = scored(fields(postcond, precond))
    assert s.outcome == "well_formed"
    values = {m: s.get(m).value for m in ("R+", "R-", "R_req", "R_rej", "BAcc")}
    assert values == {"R+": plus, "R-": minus, "R_req": pytest.approx(req), "R_rej": None, "BAcc": (plus + minus) / 2}


@pytest.mark.parametrize(
    ("postcond", "grade"),
    [
        ("result > x", 1.0),
        ("True", 1.0),
        ("result > x ∧ result = x + 1", 0.3),
        ("result < x ∧ result = x + 1", 0.1),
        ("let y := x; result > y ∧ result < y", 0.3),
    ],
)
def test_the_grade_counts_clauses(postcond: str, grade: float) -> None:
    assert scored(fields(postcond)).get("verifier_grade").value == grade


@pytest.mark.parametrize(
    "lean",
    [
        "def larger_spec (impl : Int → Int) (x : Int) : Prop := impl x > x",
        "def larger_spec (impl : Int → Int) (x : Int) : Prop := ∃ result, impl x = result ∧ result > x",
        "def generated_spec (impl : Int → Int) (x : Int) : Prop := let r := impl x\n  r ≥ x + 1",
        "def larger_postcond (x : Int) (result : Int) : Prop := result > x",
    ],
)
def test_both_representations_are_checked(lean: str) -> None:
    s = scored(text(lean))
    assert s.outcome == "well_formed", s.checks.message
    assert (s.get("R+").value, s.get("R-").value, s.get("verifier_grade").value) == (1.0, 1.0, 1.0)


def test_a_relational_contract_may_call_the_implementation_elsewhere() -> None:
    s = scored(text("def larger_spec (impl : Int → Int) (x : Int) : Prop := impl x > x ∧ impl (x + 100) > x + 100"))
    assert (s.get("R+").value, s.get("R-").value) == (1.0, 1.0)
    without = replace(LARGER, implementation=None)
    s = score(without, text("def larger_spec (impl : Int → Int) (x : Int) : Prop := impl (x + 100) > x"), CHECKER)
    assert s.get("R+").status == "inconclusive"
    assert "outside the table" in s.get("R+").message


@pytest.mark.parametrize(
    ("candidate", "message"),
    [
        (fields("result >"), "unexpected"),
        (fields("result > y"), "y"),
        (fields("result + 1"), "line"),
        (fields("sorry"), "sorry"),
        (fields("result > x", precond_aux="axiom cheat : False"), "axiom"),
        (fields("result > x", precond_aux="#eval 1"), "#eval"),
        (fields("result > x", precond_aux="run_cmd pure ()"), "run_cmd"),
        (fields("result > x", precond_aux="def larger_precond (x : Int) : Prop := True"), "larger_precond"),
        (text("def larger_postcond (x : Nat) (result : Int) : Prop := True"), "argument 1"),
        (text("def larger_postcond (x : Int) : Prop := True"), "takes 1 arguments, 2 wanted"),
        (text("def larger_spec (x : Int) (impl : Int → Nat) : Prop := True"), "argument 1"),
        (text("theorem larger_postcond : True := trivial"), "no statement of the text speaks of larger"),
    ],
)
def test_what_is_not_a_contract_of_the_task_is_not_well_formed(candidate: Candidate, message: str) -> None:
    s = scored(candidate)
    assert s.outcome == "not_well_formed"
    assert message in s.checks.message
    assert s.get("verifier_grade").value == 0.0
    assert s.get("typecheck").value == 0.0
    assert s.get("R+").status == "not_applicable"


def test_no_output_is_its_own_outcome() -> None:
    assert scored(Candidate("larger", "test", "", failure="empty")).outcome == "no_output"


def test_undecided_checks_are_unknown_and_leave_intervals() -> None:
    s = scored(fields("∃ n : Nat, n > 1000000007 ∧ (n * n) % 1000000009 = 5 ∧ result > x"))
    plus = s.get("R+")
    assert s.outcome == "well_formed"
    assert plus.status in {"inconclusive", "timeout", "observed"}
    assert (plus.value is None) == (plus.status != "observed")


def test_known_correct_behaviour_beyond_the_pairs_counts_for_the_grade() -> None:
    task = LARGER.with_labels(Labels(accepted=(Pair(("0",), "1"),), required=(("0",), ("5",))))
    assert score(task, fields("result = x + 1 ∧ x < 3"), CHECKER).get("verifier_grade").value == 0.3
    assert [p.item for p in plan_checks_of(task)] == ["required[0]", "required[1]", "accepted[0]", "known[0]"]


def plan_checks_of(task: Task) -> list[Planned]:
    from evaluators.contract import Contract, project

    contract = project(task, fields("True"))
    assert isinstance(contract, Contract)
    return list(plan_checks(contract, task).items)


def test_the_implementation_is_run_on_its_pairs() -> None:
    assert {r.verdict for r in run_implementation(LARGER)} == {"agree"}
    wrong = replace(LARGER, implementation=Implementation("def larger (x : Int) : Int := x", "larger"))
    assert {r.verdict for r in run_implementation(wrong)} == {"disagree"}
    missing = replace(LARGER, implementation=Implementation("def smaller (x : Int) : Int := x", "larger"))
    assert [r.verdict for r in run_implementation(missing)] == ["disagree"]
    unsure = replace(LARGER, implementation=Implementation("def larger (x : Int) : Int := sorry", "larger"))
    assert {r.verdict for r in run_implementation(unsure)} == {"unknown"}


def test_types_of_the_preamble_are_known_to_contract_and_labels() -> None:
    task = Task(
        "flip",
        "Flip the light.",
        Signature("flip", (Parameter("l", "Light"),), "Light"),
        LeanContext("4.24.0", (), "inductive Light where\n  | on\n  | off\n  deriving DecidableEq, Repr"),
        Provenance("test", "flip", "Apache-2.0"),
        labels=Labels(
            accepted=(Pair(("Light.on",), "Light.off"),), rejected=(Pair(("Light.off",), ".off"),), required=((".on",),)
        ),
    )
    s = score(task, Candidate("flip", "t", "def flip_postcond (l result : Light) : Prop := l ≠ result"), CHECKER)
    assert s.outcome == "well_formed", s.checks.message
    assert (s.get("R+").value, s.get("R-").value) == (1.0, 1.0)


def test_the_preamble_of_a_task_may_hold_what_a_candidate_may_not() -> None:
    task = replace(LARGER, context=replace(LARGER.context, preamble="axiom given : 1 = 1\n#eval 1"))
    assert scored(fields("result > x"), task).outcome == "well_formed"
    assert scored(fields("result > x", precond_aux="axiom cheat : 1 = 2"), task).outcome == "not_well_formed"


def test_own_notation_is_our_limit() -> None:
    s = scored(fields("result > x", precond_aux='notation "yes" => True'))
    assert s.outcome == "unsupported"
    assert "notation" in s.checks.message
    assert s.get("verifier_grade").value is None
