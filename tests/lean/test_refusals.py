"""What Lean refuses must be refused; a text beside it that Lean accepts shows that nothing else is the reason.

Each pair stands for a leniency that would let an ill-typed contract through (`make mutants` switches them on).
"""

from __future__ import annotations

import pytest

from specgen.lean import LeanEnv, check

CORE = LeanEnv((4, 24, 0))
MATHLIB = LeanEnv((4, 24, 0), ("Mathlib",))
OLD = LeanEnv((4, 18, 0))

# (reason, refused, accepted)
PAIRS = [
    ("a Nat is no list of integers", "def f (xs : List Nat) : List Int := xs", "def f (n : Nat) : Int := n"),
    ("an integer is no natural number", "def f (n : Int) : Nat := n", "def f (n : Int) : Nat := n.toNat"),
    (
        "a function on integers does not take one on natural numbers",
        "def f (g : Nat → Nat) : Int → Int := g",
        "def f (g : Int → Int) : Int → Int := g",
    ),
    ("a string is no number", 'def f : Nat := "a"', "def f : Nat := 1"),
    ("a list of Bool is no list of Prop", "def f (xs : List Bool) : List Prop := xs", "def f (b : Bool) : Prop := b"),
    (
        "a Prop needs a decision to be a Bool",
        "def f (p : Nat → Prop) : Bool := p 0",
        "def f (p : Nat → Prop) [DecidablePred p] : Bool := p 0",
    ),
    (
        "a branch needs a decision",
        "def f (p : Nat → Prop) : Nat := if p 0 then 1 else 2",
        "def f (n : Nat) : Nat := if n = 0 then 1 else 2",
    ),
    (
        "a branch on a quantifier needs a bound",
        "def f : Nat := if ∀ n : Nat, n < n + 1 then 1 else 2",
        "def f : Nat := if ∀ n, n < 3 → n < 4 then 1 else 2",
    ),
    (
        "a structure has no == by itself",
        "structure P where\n  x : Nat\ndef f (a b : P) : Bool := a == b",
        "structure P where\n  x : Nat\n  deriving BEq\ndef f (a b : P) : Bool := a == b",
    ),
    (
        "no addition of Booleans",
        "def f (a b : Bool) : Bool := a + b",
        "def f (a b : Bool) : Bool := a && b",
    ),
    ("an unknown name", "def f (n : Nat) : Nat := m + n", "def f (n m : Nat) : Nat := m + n"),
    (
        "an unknown member in the type",
        "def f (n : Nat) : n = Nat.noSuch := sorry",
        "def f (n : Nat) : n = Nat.zero := sorry",
    ),
    (
        "missing cases",
        "def f (n : Nat) : Nat := match n with\n  | 0 => 1",
        "def f (n : Nat) : Nat := match n with\n  | 0 => 1\n  | _ => 2",
    ),
    (
        "missing cases of a list",
        "def f : List Nat → Nat\n  | [] => 1\n  | [_] => 2",
        "def f : List Nat → Nat\n  | [] => 1\n  | _ :: _ => 2",
    ),
    (
        "a redundant case",
        "def f (n : Nat) : Nat := match n with\n  | _ => 1\n  | 0 => 2",
        "def f (n : Nat) : Nat := match n with\n  | 0 => 2\n  | _ => 1",
    ),
    ("declared twice", "def f : Nat := 1\ndef f : Nat := 2", "def f : Nat := 1\ndef g : Nat := 2"),
    ("too many arguments", "def f (n : Nat) : Nat := Nat.succ n n", "def f (n : Nat) : Nat := Nat.succ n"),
    ("a missing argument", "def f (n : Nat) : Nat := Nat.add n", "def f (n : Nat) : Nat → Nat := Nat.add n"),
    ("negation of a natural number", "def f (n : Nat) : Nat := -n", "def f (n : Nat) : Int := -n"),
    (
        "an ascription is not the type that is expected around it",
        "def f : String := ((if 1 = 1 then 0 else 1) : Nat)",
        "def f : String := toString ((if 1 = 1 then 0 else 1) : Nat)",
    ),
    (
        "an ascription of a let",
        "def f : List String := [((let x : Nat := 0; x) : Nat)]",
        "def f : List Int := [((let x : Nat := 0; x) : Nat)]",
    ),
    (
        "an ascription of a function",
        "def f : Int → Int := ((fun x => x) : Nat → Nat)",
        "def f : Nat → Nat := ((fun x => x) : Nat → Nat)",
    ),
    (
        "a type that is shown",
        "def f : String := (show Nat from (if 1 = 1 then 0 else 1))",
        "def f : Nat := (show Nat from (if 1 = 1 then 0 else 1))",
    ),
    ("a chain of comparisons", "def f (n : Nat) : Prop := 0 < n < 3", "def f (n : Nat) : Prop := 0 < n ∧ n < 3"),
    ("a proposition as a number", "def f (n : Nat) : Nat := n = 1", "def f (n : Nat) : Bool := n = 1"),
]


@pytest.mark.parametrize(("reason", "refused", "accepted"), PAIRS, ids=[p[0] for p in PAIRS])
def test_refused_and_accepted(reason: str, refused: str, accepted: str) -> None:
    report = check(refused, CORE)
    assert report.verdict == "rejected", (reason, report)
    report = check(accepted, CORE)
    assert report.verdict == "accepted", (reason, report)


@pytest.mark.parametrize(
    ("text", "env", "verdict"),
    [
        ("def f (n : Nat) : Nat := Nat.noSuchFunction n", CORE, "rejected"),
        ("def f (xs : List Nat) : Nat := xs.noSuchField", CORE, "rejected"),
        ("def f (n : ℕ) : ℕ := n + 1", CORE, "rejected"),
        ("def f (n : ℕ) : ℕ := n + 1", MATHLIB, "accepted"),
        ("def f (n : Nat) : Prop := Nat.Prime n", MATHLIB, "accepted"),
        ("def f (xs : List Nat) : List (Nat × Nat) := xs.enum.map fun p => (p.1, p.2)", OLD, "accepted"),
    ],
)
def test_names_depend_on_version_and_imports(text: str, env: LeanEnv, verdict: str) -> None:
    assert check(text, env).verdict == verdict


def test_what_an_import_brings_is_not_known_without_it() -> None:
    assert check("def f (n : Nat) : Prop := Nat.Prime n", CORE).verdict != "accepted"


def test_what_a_version_took_away_is_not_known_after_it() -> None:
    text = "def f (xs : List Nat) : List (Nat × Nat) := xs.enum"
    assert check(text, LeanEnv((4, 99, 0))).verdict != "accepted"


@pytest.mark.parametrize(
    "statement",
    [
        "∀ k ∈ (match 0 with | 0 => ([] : List Int) | x + 1 => []), k ∣ k",
        "∀ k ∈ (match 0 with | 0 => ([] : List Int) | x + 1 => []), ∀ b : Bool, k == k",
    ],
)
def test_the_body_of_a_bounded_binder_does_not_wait_for_its_bound(statement: str) -> None:
    """Found by fuzzing: Lean elaborates the two sides of `x ∈ s → p` apart from each other."""
    report = check(f"def f : Prop := {statement}", CORE)
    assert report.verdict == "accepted", report
