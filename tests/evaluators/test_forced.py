"""Values of an implementation that a relational contract forces."""

from __future__ import annotations

import pytest

from evaluators.forced import Forced
from specgen.lean.engine import EvalLimits, Program, Unknown, Value, load
from specgen.lean.environment import LeanEnv

ENV = LeanEnv((4, 24, 0), ("Mathlib",))


def forced(spec: str, type_text: str, at: str, input_type: str, known: dict[str, str] | None = None) -> str:
    """Return the value forced at an input, `known` giving results elsewhere."""
    program: Program = load(spec, ENV)
    assert program.report.verdict == "accepted", program.report.diagnostics
    result = type_text.rpartition("→")[2].strip()
    table = {a: program.read(b, result) for a, b in (known or {}).items()}

    def look_up(given: tuple[Value, ...]) -> Value | None:
        return table.get(program.text(given[0]))

    found = Forced(program, "P", type_text, look_up)
    return program.text(found.value((program.read(at, input_type),), EvalLimits()))


@pytest.mark.parametrize(
    ("spec", "type_text", "at", "input_type", "expected"),
    [
        # recursion on a smaller number, down to a base case
        (
            "def P (f : Nat → Nat) (n : Nat) : Prop := ∃ r, f n = r ∧ (n = 0 → r = 1) ∧ (n > 0 → r = n * f (n - 1))",
            "Nat → Nat",
            "5",
            "Nat",
            "120",
        ),
        # the equation the other way round, and an integer that is shifted
        (
            "def P (f : List Int → Int) (l : List Int) : Prop := ∃ r, f l = r ∧ (l = [] → r = 0) ∧\n"
            "  (l ≠ [] → f (l.drop 1) = r - l[0]! ^ 2)",
            "List Int → Int",
            "[1, 2, 3]",
            "List Int",
            "14",
        ),
        # the value only as a call, a Bool, a pair, a text, a list
        ("def P (f : Nat → Nat) (n : Nat) : Prop := f n = n + 7", "Nat → Nat", "3", "Nat", "10"),
        ("def P (f : Nat → Bool) (n : Nat) : Prop := f n ↔ n < 5", "Nat → Bool", "3", "Nat", "true"),
        (
            "def P (f : Nat → Nat × Nat) (n : Nat) : Prop := (f n).1 = n + 1 ∧ (f n).2 = 2 * n",
            "Nat → Nat × Nat",
            "3",
            "Nat",
            "(4, 6)",
        ),
        ('def P (f : Nat → String) (n : Nat) : Prop := f n = "a" ++ toString n', "Nat → String", "3", "Nat", '"a3"'),
        (
            "def P (f : Nat → List Nat) (n : Nat) : Prop := ∃ r, f n = r ∧ (r = [] ↔ n = 0) ∧\n"
            "  (r.length > 0 → r.head! = n ∧ r.tail! = f (n - 1))",
            "Nat → List Nat",
            "3",
            "Nat",
            "[3, 2, 1]",
        ),
    ],
)
def test_what_is_forced(spec: str, type_text: str, at: str, input_type: str, expected: str) -> None:
    assert forced(spec, type_text, at, input_type) == expected


@pytest.mark.parametrize(
    "body",
    [
        "True",
        "f n ≥ 3",
        "f n = 3 ∨ f n = 4",
        "f n = 3 ∧ f n = 4",
        "f n = f n",
        "n < 2 → f n = 3",
        "f n = f (n + 1)",
        "f n ≠ 3",
        "f n * 2 = 6",
        "n > 100 ∧ f n = 3",
    ],
)
def test_what_is_not_forced_is_unknown(body: str) -> None:
    with pytest.raises(Unknown):
        forced(f"def P (f : Nat → Nat) (n : Nat) : Prop := {body}", "Nat → Nat", "5", "Nat")


def test_known_values_are_used_elsewhere() -> None:
    spec = "def P (f : Nat → Nat) (n : Nat) : Prop := f n = f (n + 1) + 1"
    assert forced(spec, "Nat → Nat", "5", "Nat", {"7": "10"}) == "12"
    with pytest.raises(Unknown):
        forced(spec, "Nat → Nat", "5", "Nat")
