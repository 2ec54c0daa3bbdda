"""Projection of candidates to contracts."""

from __future__ import annotations

from types import MappingProxyType

import pytest

from evaluators.contract import Contract, ProjectionFailure, indent_body, lean_env, project, reference_contract
from specgen.generators import Candidate
from specgen.tasks.model import ContractSource, LeanContext, Parameter, Provenance, Signature, Task

TASK = Task(
    "t1",
    "Return something larger.",
    Signature("larger", (Parameter("x", "Int"),), "Int"),
    LeanContext("4.18.0", ("Mathlib",), "def unit : Int := 1"),
    Provenance("test", "t1", "Apache-2.0"),
    (
        ContractSource(
            "prepost", "def larger_postcond (x : Int) (result : Int) : Prop := result > x", "larger_postcond"
        ),
    ),
)


def candidate(text: str = "", **fields: str) -> Candidate:
    return Candidate("t1", "g", text, fields=MappingProxyType(fields) if fields else None)


def contract(c: Candidate) -> Contract:
    found = project(TASK, c)
    assert isinstance(found, Contract), found
    return found


def failure(c: Candidate) -> ProjectionFailure:
    found = project(TASK, c)
    assert isinstance(found, ProjectionFailure), found
    return found


def test_fields_become_two_definitions() -> None:
    c = contract(
        candidate(
            precond="x > 0", postcond="result > x", precond_aux="def a : Nat := 1", imports="import Std.Data.HashMap"
        )
    )
    assert c.source == (
        "def unit : Int := 1\n\ndef a : Nat := 1\n\n"
        "@[reducible, simp]\ndef larger_precond (x : Int) : Prop :=\n  x > 0\n\n"
        "@[reducible, simp]\ndef larger_postcond (x : Int) (result : Int) (h_precond : larger_precond (x)) : Prop :=\n"
        "  result > x\n"
    )
    assert (c.precondition, c.postcondition) == ("larger_precond", "larger_postcond")
    assert c.lean.version == (4, 18, 0)
    assert c.lean.imports == ("Mathlib", "Std.Data.HashMap")


def test_a_stripped_field_gets_its_first_column_back() -> None:
    notes: list[str] = []
    assert indent_body("a ∧\n  b ∧\n    c", notes, "postcond") == "    a ∧\n    b ∧\n      c"
    assert notes == ["first line of postcond re-indented by 2"]
    assert indent_body("  a ∧\n  b", notes, "x") == "    a ∧\n    b"
    assert indent_body("a", notes, "x") == "  a"
    assert len(notes) == 1


@pytest.mark.parametrize(
    ("text", "representation", "pre", "post"),
    [
        (
            "def larger_precond (x : Int) : Prop := True\ndef larger_postcond (x r : Int) : Prop := r > x",
            "prepost",
            "larger_precond",
            "larger_postcond",
        ),
        ("def larger_postcond (x r : Int) : Prop := r > x", "prepost", "", "larger_postcond"),
        ("abbrev larger_spec (impl : Int → Int) (x : Int) : Prop := impl x > x", "relational", "", "larger_spec"),
        ("def generated_spec (impl : Int → Int) (x : Int) : Prop := impl x > x", "relational", "", "generated_spec"),
    ],
)
def test_free_text_is_searched_for_the_contract(text: str, representation: str, pre: str, post: str) -> None:
    c = contract(candidate(text))
    assert (c.representation, c.precondition, c.postcondition) == (representation, pre, post)


def test_fenced_lean_is_taken_and_said() -> None:
    c = contract(
        candidate("Here it is:\n```lean\nimport Mathlib\ndef larger_postcond (x r : Int) : Prop := r > x\n```\nDone.")
    )
    assert c.source == "def unit : Int := 1\n\ndef larger_postcond (x r : Int) : Prop := r > x\n"
    assert "fenced Lean taken" in c.notes


@pytest.mark.parametrize(
    ("c", "kind"),
    [
        (candidate("I cannot help with that."), "no_output"),
        (candidate("```lean\n```"), "no_output"),
        (candidate(postcond="  ", precond="x > 0"), "no_output"),
        (candidate(postcond="True", imports="import Foo.Bar"), "not_well_formed"),
        (Candidate("t1", "g", "", failure="empty", message="the reply is empty"), "no_output"),
        (Candidate("t1", "g", "x", failure="unparsable", message="no heading"), "not_well_formed"),
    ],
)
def test_what_has_no_contract_says_why(c: Candidate, kind: str) -> None:
    found = failure(c)
    assert found.kind == kind
    assert found.message


def test_the_reference_is_a_contract_too() -> None:
    c = reference_contract(TASK)
    assert c is not None
    assert c.source.startswith("def unit : Int := 1\n\ndef larger_postcond")
    assert reference_contract(TASK, "relational") is None


@pytest.mark.parametrize(("text", "version"), [("4.18.0", (4, 18, 0)), ("v4.24", (4, 24, 0)), ("4.9.1-rc2", (4, 9, 1))])
def test_versions(text: str, version: tuple[int, int, int]) -> None:
    assert lean_env(LeanContext(text)).version == version
