"""Relational predicates as precondition and postcondition."""

from __future__ import annotations

import pytest

from specgen.lean.engine import Fails, Holds, Program, load
from specgen.lean.environment import LeanEnv

ENV = LeanEnv(version=(4, 24, 0), imports=())
HEAD = "def spec (f : Int → Int) (x : Int) : Prop :=\n  "
OWN = "def pre (x : Int) : Prop := x > 0\ndef post (x r : Int) : Prop := r > x ∧ r < 5\n"


def program(text: str) -> Program:
    loaded = load(text, ENV)
    assert loaded.report.verdict == "accepted", loaded.report.diagnostics
    return loaded


def admits(loaded: Program, name: str) -> list[bool]:
    outcomes = [loaded.decide(name, [loaded.read(v, "Int")]) for v in ("-1", "0", "1")]
    assert all(isinstance(o, Holds | Fails) for o in outcomes)
    return [isinstance(o, Holds) for o in outcomes]


@pytest.mark.parametrize(
    ("text", "clauses"),
    [
        (HEAD + "x > 0 → f x > x ∧ f x < 5", 2),
        (HEAD + "x > 0 → x < 9 → f x > x ∧ f x < 5", 2),
        (HEAD + "x > 0 ∧ x < 9 → f x > x", 1),
        (HEAD + "∃ r, f x = r ∧ (x > 0 → r > x ∧ r < 5)", 2),
        (HEAD + "∃ r, (x > 0 → r > x ∧ r < 5) ∧ r = f x", 2),
        (HEAD + "∀ r, r = f x → x > 0 → r > x ∧ r < 5", 2),
        (HEAD + "∀ r, x > 0 → f x = r → r > x ∧ r < 5", 2),
        (HEAD + "let r := f x\n  let y := x + 0\n  y > 0 → r > x ∧ r < 5", 2),
        (HEAD + "let q (r : Int) := x > 0 → r > x ∧ r < 5\n  ∃ r, f x = r ∧ q r", 2),
        (HEAD + "∀ (h : x > 0), f x > x ∧ f x < 5", 2),
        (HEAD + "(x > 0 → f x > x) ∧ (x > 0 → f x < 5)", 2),
        (OWN + HEAD + "pre x → post x (f x)", 2),
        (OWN + "def all (f : Int → Int) (x : Int) : Prop := pre x → post x (f x)\n" + HEAD + "all f x", 2),
        ("def spec (f : Int → Int) (x : Int) (h : x > 0) (_ : x < 9) : Prop := f x > x ∧ f x < 5", 2),
    ],
)
def test_guards_around_the_whole_body_are_the_precondition(text: str, clauses: int) -> None:
    loaded = program(text)
    form = loaded.normal_form("spec")
    assert (form.unknown, bool(form.guards)) == ("", True)
    assert admits(loaded, form.precondition) == [False, False, True]
    assert len(loaded.clause_texts(form.postcondition)) == clauses
    f = loaded.function("Int → Int", lambda x: loaded.read(str(x.data + 1), "Int"))
    minus = loaded.function("Int → Int", lambda x: loaded.read(str(x.data - 1), "Int"))
    # The guard is taken for granted: the postcondition decides also where it fails.
    for x in ("-1", "1"):
        assert loaded.decide(form.postcondition, [f, loaded.read(x, "Int")]) == Holds()
        assert loaded.decide(form.postcondition, [minus, loaded.read(x, "Int")]) == Fails()


@pytest.mark.parametrize(
    "text",
    [
        HEAD + "f x > x",
        HEAD + "f x > 0 → f x > x",
        HEAD + "let r := f x\n  r > 0 → r > x",
        HEAD + "(x > 0 → f x > x) ∧ f x < 5",
        HEAD + "(x > 0 → f x > x) ∧ (x < 0 → f x < 5)",
        HEAD + "∀ y : Int, y > x → x > 0 → f x > x",
        HEAD + "x ≤ 0 ∨ f x > x",
        "def spec (f : Int → Int) (x : Int) (h : f x > 0) : Prop := f x > x",
    ],
)
def test_other_premises_are_no_precondition(text: str) -> None:
    form = program(text).normal_form("spec")
    assert (form.precondition, form.postcondition, form.guards) == ("", "spec", ())


def test_a_premise_that_one_conjunct_has_more_stays_there() -> None:
    loaded = program(HEAD + "(x > 0 → f x > x) ∧ (x > 0 → x < 7 → f x < 5)")
    form = loaded.normal_form("spec")
    assert form.guards == ("x > 0",)
    big = loaded.function("Int → Int", lambda x: loaded.read(str(x.data + 100), "Int"))
    assert loaded.decide(form.postcondition, [big, loaded.read("8", "Int")]) == Holds()
    assert loaded.decide(form.postcondition, [big, loaded.read("6", "Int")]) == Fails()


def test_a_later_guard_may_need_an_earlier_one() -> None:
    loaded = program(
        "def spec (f : List Int → Int) (l : List Int) : Prop :=\n  ∀ h : 0 < l.length, l[0]'h > 3 → f l = l[0]'h"
    )
    form = loaded.normal_form("spec")
    assert len(form.guards) == 2
    outcomes = [loaded.decide(form.precondition, [loaded.read(v, "List Int")]) for v in ("[]", "[1]", "[4]")]
    assert outcomes == [Fails(), Fails(), Holds()]


def test_an_equation_with_a_variable_is_a_definition() -> None:
    loaded = program(HEAD + "∃ a, a > x ∧ f x = a ∧ a < 9")
    form = loaded.normal_form("spec")
    assert len(loaded.clause_texts(form.postcondition)) == 2
    assert len(loaded.clause_texts("spec")) == 2


def test_an_equation_of_other_things_is_none() -> None:
    loaded = program(HEAD + "∃ r : Int, f x = x + 1 ∧ r > x")
    minus = loaded.function("Int → Int", lambda x: loaded.read(str(x.data - 1), "Int"))
    clauses = loaded.decide_clauses("spec", [minus, loaded.read("1", "Int")])
    assert [c.outcome for c in clauses] == [Fails()]


def test_what_has_no_body_cannot_be_taken_apart() -> None:
    loaded = load("opaque spec (f : Int → Int) (x : Int) : Prop", ENV)
    assert loaded.normal_form("spec").unknown
