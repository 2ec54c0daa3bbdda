"""The facade: loading, reading, deciding clause by clause, printing."""

from __future__ import annotations

import threading
from fractions import Fraction
from typing import Any

import pytest

from specgen.lean.engine import (
    FAILS,
    HOLDS,
    EvalLimits,
    Program,
    ReadError,
    Unknown,
    UnknownOutcome,
    Value,
    check,
    load,
)
from specgen.lean.environment import LeanEnv
from tests.lean.eval.programs import ENV, program

TEXT = """
structure Pt where
  x : Nat
  y : Int
deriving Repr, DecidableEq

@[reducible]
def f_pre (xs : List Int) : Prop := xs ≠ []

def f (xs : List Int) (h : f_pre xs) : Int := xs.foldl max (xs[0]!)

def f_post (xs : List Int) (result : Int) (h : f_pre xs) : Prop :=
  let n := xs.length
  result ∈ xs ∧ (∀ x ∈ xs, x ≤ result) ∧ n > 0

def wrapped (impl : List Int → Int) (xs : List Int) : Prop :=
  let spec (result : Int) := result ∈ xs ∧ result ≥ 0
  ∃ result, impl xs = result ∧ spec result

def guarded (n m : Nat) : Prop := n > 0 → m > n ∧ m < 10

def boolean (n : Nat) : Bool := n > 0 && n < 5

def flipPt (p : Pt) : Pt := { x := p.y.toNat, y := p.x }
def fails_late (n : Nat) : Prop := n = 0 ∧ (∀ k : Nat, k * k * k + 1 ≠ 2 * (k * k) + 100000007) ∧ n < 3
"""


def read(type_text: str, *texts: str) -> list[Value]:
    return [program(TEXT).read(t, type_text) for t in texts]


def test_report_counts_declarations() -> None:
    report = check(TEXT, ENV)
    assert report.verdict == "accepted"
    assert report.total == report.elaborated == 9


def test_a_faulty_text_is_rejected_with_a_place() -> None:
    report = check('def f : Nat := "a"', ENV)
    assert report.verdict == "rejected"
    assert report.diagnostics[0].start.line == 1


@pytest.mark.parametrize("text", ["", "def", "(" * 3000, "\0", "def f := " + "[" * 500, "sorry", "{}"])
def test_garbage_never_raises(text: str) -> None:
    check(text, ENV)


def test_names_and_signature() -> None:
    p = program(TEXT)
    assert "f_post" in p.names()
    signature = p.signature("flipPt")
    assert signature.parameters == (("p", "Pt"),)
    assert signature.result == "Pt"


def test_decide_leaves_proofs_out() -> None:
    p = program(TEXT)
    (xs,) = read("List Int", "[1, 3, 2]")
    good, bad = read("Int", "3", "-4")
    assert p.decide("f_pre", (xs,)) == HOLDS
    assert p.decide("f_post", (xs, good)) == HOLDS
    assert p.decide("f_post", (xs, bad)) == FAILS
    assert isinstance(p.decide("nothing", (xs,)), UnknownOutcome)


def test_clauses_have_text_and_outcome() -> None:
    p = program(TEXT)
    (xs,) = read("List Int", "[1, 3, 2]")
    (two,) = read("Int", "2")
    clauses = p.decide_clauses("f_post", (xs, two))
    assert [c.text for c in clauses] == ["result ∈ xs", "∀ x ∈ xs, x ≤ result", "n > 0"]
    assert [c.outcome for c in clauses] == [HOLDS, FAILS, HOLDS]


def test_clauses_of_a_relational_contract() -> None:
    p = program(TEXT)
    (xs,) = read("List Int", "[1, -3]")

    def last(values: Value) -> Value:
        return Value(p.type("Int"), values.data[1][0])

    impl = p.function("List Int → Int", last)
    clauses = p.decide_clauses("wrapped", (impl, xs))
    assert [c.outcome for c in clauses] == [HOLDS, FAILS]
    assert p.decide("wrapped", (impl, xs)) == FAILS


def test_an_implication_guards_each_clause() -> None:
    p = program(TEXT)
    zero, three, twelve = read("Nat", "0", "3", "12")
    assert [c.outcome for c in p.decide_clauses("guarded", (zero, zero))] == [HOLDS, HOLDS]
    assert [c.outcome for c in p.decide_clauses("guarded", (three, twelve))] == [HOLDS, FAILS]


def test_a_bool_predicate_is_decided_too() -> None:
    p = program(TEXT)
    assert p.decide("boolean", read("Nat", "3")) == HOLDS
    assert [c.outcome for c in p.decide_clauses("boolean", read("Nat", "7"))] == [HOLDS, FAILS]


def test_one_unknown_clause_leaves_the_others_decided() -> None:
    p = program(TEXT)
    (five,) = read("Nat", "5")
    outcomes = [c.outcome for c in p.decide_clauses("fails_late", (five,), EvalLimits(fuel=200_000))]
    assert outcomes[0] == FAILS
    assert isinstance(outcomes[1], UnknownOutcome)
    assert outcomes[2] == FAILS
    assert p.decide("fails_late", (five,)) == FAILS


def test_run_gives_a_value_that_prints() -> None:
    p = program(TEXT)
    result = p.run("f", read("List Int", "[1, 3, 2]"))
    assert isinstance(result, Value)
    assert p.text(result) == "3"
    flipped = p.run("flipPt", [p.read("{ x := 1, y := 7 }", "Pt")])
    assert isinstance(flipped, Value)
    assert p.text(flipped) == "{ x := 7, y := 1 }"


@pytest.mark.parametrize(
    ("text", "type_text"),
    [
        ("[1, 2, 3]", "List Nat"),
        ("[]", "List Int"),
        ("-5", "Int"),
        ('(1, "a")', "Nat × String"),
        ("(1, 'c', true)", "Nat × Char × Bool"),
        ("((1, 2), 3)", "(Nat × Nat) × Nat"),
        ("#[[1], []]", "Array (List Nat)"),
        ("some 3", "Option Nat"),
        ("none", "Option Nat"),
        ("some (-3)", "Option Int"),
        ('"a\\n\\"b\\\\"', "String"),
        ("'\\''", "Char"),
        ("{ x := 1, y := -2 }", "Pt"),
        ("()", "Unit"),
        ("[some [1], none]", "List (Option (List Nat))"),
    ],
)
def test_values_are_read_and_printed_back(text: str, type_text: str) -> None:
    p = program(TEXT)
    value = p.read(text, type_text)
    assert p.text(value) == text
    assert p.read(p.text(value), type_text) == value


@pytest.mark.parametrize(
    ("text", "type_text"),
    [("-5", "Nat"), ("[1, 2", "List Nat"), ('"a"', "Nat"), ("x", "Nat"), ("1.5", "Nat"), ("(1, 2, 3)", "Nat × Nat")],
)
def test_what_is_no_term_of_the_type_is_refused(text: str, type_text: str) -> None:
    with pytest.raises(ReadError):
        program(TEXT).read(text, type_text)


def test_expressions_are_read_by_evaluation() -> None:
    p = program(TEXT)
    assert p.read("[1, 2].map (· + 1)", "List Nat") == p.read("[2, 3]", "List Nat")


@pytest.mark.parametrize(
    ("value", "type_text", "expected"),
    [
        (5, "Nat", 5),
        (-5, "Int", -5),
        (True, "Bool", True),
        ("abc", "String", "abc"),
        ('a"b', "String", 'a"b'),
        ("c", "Char", "c"),
        ("[1, 2]", "List Nat", (1, (2, ()))),
        ([1, 2], "List Int", (1, (2, ()))),
        ([["a"], []], "List (List String)", (("a", ()), ((), ()))),
        (1.5, "Float", 1.5),
        (7.5, "Rat", Fraction(15, 2)),
        ("none", "Option Nat", None),
        (123456789012345678901234567890, "Nat", 123456789012345678901234567890),
    ],
)
def test_json_values_are_read_exactly(value: Any, type_text: str, expected: Any) -> None:
    assert program(TEXT).read_json(value, type_text).data == expected


def test_json_of_the_wrong_kind_is_refused() -> None:
    with pytest.raises(ReadError):
        program(TEXT).read_json({"a": 1}, "Nat")
    with pytest.raises(ReadError):
        program(TEXT).read_json(-1, "Nat")


def test_a_function_of_python_may_not_know() -> None:
    p = program(TEXT)

    def nothing(_: Value) -> Value:
        raise Unknown("undecided", "not in the table")

    outcome = p.decide("wrapped", (p.function("List Int → Int", nothing), *read("List Int", "[1]")))
    assert outcome == UnknownOutcome("undecided", "not in the table")


def test_threads_do_not_disturb_each_other() -> None:
    p: Program = load(TEXT, LeanEnv((4, 18, 0), ("Mathlib",)))
    wrong: list[object] = []

    def work(n: int) -> None:
        for i in range(20):
            xs = p.read(f"[{n}, {i}]", "List Int")
            result = p.run("f", (xs,))
            if not isinstance(result, Value) or result.data != max(n, i):
                wrong.append(result)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not wrong
