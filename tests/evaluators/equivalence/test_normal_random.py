"""The normal form against the engine: what it calls equal, or implied, is so on every value of a grid.

Pairs of random propositions, one made from the other by a random edit: a law, or a near miss of one.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator

import pytest

from evaluators.equivalence.normal import Normal, compare, normal
from evaluators.equivalence.sides import NotCompared, candidate_side
from specgen.lean.engine import EvalLimits, Fails, Holds, Value
from tests.evaluators.equivalence.contracts import PARAMETERS, SIGNATURE, contract, task

PAIRS_A_SEED = 60
LIMITS = EvalLimits(wall_s=1.0)
GRID_ALL = list(
    itertools.product((-2, 0, 1, 3), (-1, 0, 2), (0, 1, 2), (0, 1, 3), (False, True), ((), (1, ()), (0, (2, ()))))
)
GRID = GRID_ALL[::7]


class Formulas:
    """Random terms and propositions in Lean notation over `PARAMETERS` and `y : Int`."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.bound: list[tuple[str, str]] = []

    def number(self, type_: str, depth: int) -> str:
        """A term of type Int or Nat."""
        r = self.rng
        names = [n for n, t in self.bound if t == type_] + (["a", "b", "y"] if type_ == "Int" else ["n", "m"])
        if depth <= 0 or r.random() < 0.3:
            return r.choice([*names, *names, r.choice(["0", "1", "2", "3"])])
        a, b = self.number(type_, depth - 1), self.number(type_, depth - 1)
        options = [f"({a} + {b})", f"({a} - {b})", f"({a} * {b})", f"({a} + 1)", f"(2 * {a})", f"({a} % 3)", f"{a} / 2"]
        options.append(f"(if {self.prop(depth - 2)} then {a} else {b})")
        if type_ == "Int":
            options += [f"(-{a})", f"(({self.number('Nat', depth - 1)} : Nat) : Int)", f"({a} ^ 2)"]
        else:
            options += [
                "xs.length",
                f"({a} - {b} + 1)",
                f"(Nat.succ {a})",
                f"(Int.toNat {self.number('Int', depth - 1)})",
            ]
        return f"({r.choice(options)})"

    def atom(self, depth: int) -> str:
        """An atomic proposition."""
        r = self.rng
        type_ = r.choice(["Int", "Nat"])
        a, b = self.number(type_, depth), self.number(type_, depth)
        op = r.choice(["<", "≤", ">", "≥", "=", "≠"])
        options = [f"({a} : {type_}) {op} {b}"] * 5 + [f"({a} : {type_}) + 1 ≤ {b}", f"¬ ({a} : {type_}) {op} {b}"]
        options += ["p = true", "p = false", f"(p == decide (({a} : {type_}) {op} {b})) = true", "y ∈ xs"]
        options += [f"(!p && decide (({a} : {type_}) < {b})) = true", f"({a}, p) = (({b} : {type_}), true)"]
        return f"({r.choice(options)})"

    def prop(self, depth: int) -> str:
        """A proposition."""
        r = self.rng
        if depth <= 0 or r.random() < 0.2:
            return self.atom(max(0, depth - 1) if depth < 2 else 1)
        if r.random() < 0.3:
            return self._quantified(depth)
        op = r.choice(["∧", "∧", "∨", "∨", "→", "↔", "¬", "if"])
        a, b = self.prop(depth - 1), self.prop(depth - 1)
        if op == "¬":
            return f"(¬ {a})"
        if op == "if":
            return f"(if {self.atom(0)} then {a} else {b})"
        return f"({a} {op} {b})"

    def _quantified(self, depth: int) -> str:
        r = self.rng
        name = f"v{len(self.bound)}"
        kind, bound, type_ = r.choice(
            [
                ("∀", f"{name} ∈ xs", "Int"),
                ("∃", f"{name} ∈ xs", "Int"),
                ("∀", f"{name} < 3", "Nat"),
                ("∃", f"{name} < 3", "Nat"),
            ]
            + [("one∃", "", "Int"), ("one∀", "", "Nat")]
        )
        value = self.number(type_, 1)
        self.bound.append((name, type_))
        body = self.prop(depth - 1)
        self.bound.pop()
        if kind == "one∃":
            return f"(∃ {name} : Int, {name} = {value} ∧ {body})"
        if kind == "one∀":
            return f"(∀ {name} : Nat, {name} = {value} → {body})"
        if type_ == "Nat":
            joined = "→" if kind == "∀" else "∧"
            return f"({kind} {name} : Nat, {name} < 3 {joined} {body})"
        return f"({kind} {bound}, {body})"


LAWS = [
    (" < ", " + 0 < "),
    (" ∧ ", " ∨ "),
    (" → ", " ∧ "),
    ("1", "2"),
    (" ≤ ", " < "),
    (" < ", " ≤ "),
    (" + ", " - "),
    ("∀", "∃"),
    ("(¬ ", "("),
    (" ↔ ", " → "),
    ("a", "b"),
    (" n", " m"),
    (" = ", " ≤ "),
    ("true", "false"),
]


def edited(rng: random.Random, text: str) -> str:
    """Another proposition that is near: wrapped by a law, or with a token changed."""
    whole = [
        f"¬ ¬ {text}",
        f"{text} ∧ {text}",
        f"{text} ∨ (a < a)",
        f"(a ≤ a) → {text}",
        f"¬ ({text} → False)",
        f"(decide {text} = true)",
        f"(∃ w : Int, w = y ∧ {text})",
        f"let w := y + 1; {text} ∧ w > y",
        f"{text} ∧ b < a",
        f"if p then {text} else {text}",
        f"(p = true → {text}) ∧ (p = false → {text})",
    ]
    if rng.random() < 0.35:
        return rng.choice(whole)
    old, new = rng.choice(LAWS)
    places = [i for i in range(len(text)) if text.startswith(old, i)]
    if not places:
        return rng.choice(whole)
    at = rng.choice(places)
    return text[:at] + new + text[at + len(old) :]


def pairs(seed: int) -> Iterator[tuple[str, str]]:
    rng = random.Random(seed)
    for _ in range(PAIRS_A_SEED):
        first = Formulas(rng).prop(3)
        yield first, edited(rng, first)


def check(first: str, second: str) -> int:
    """Check one pair; returns how many of its directions the normal forms tell."""
    of = task(SIGNATURE, f"def post {PARAMETERS} (y : Int) : Prop := {first}")
    sides = [
        candidate_side(of, contract(f"def post {PARAMETERS} (y : Int) : Prop := {text}")) for text in (first, second)
    ]
    if any(isinstance(side, NotCompared) for side in sides):
        return 0
    left, right = sides
    assert not isinstance(left, NotCompared) and not isinstance(right, NotCompared)
    one, other = normal(left), normal(right)
    if not (isinstance(one, Normal) and isinstance(other, Normal)):
        return 0
    told = compare(one, other)
    wanted = [d for d in ("post_forward", "post_backward") if d in told]
    if not wanted:
        return 0
    for k, point in enumerate(GRID):
        values = [Value(t, x) for t, x in zip(left.types.inputs, point, strict=True)]
        y = Value(left.types.result, (-1, 0, 1, 2)[k % 4])
        outcomes = [s.program.decide("post", [*values, y], LIMITS) for s in (left, right)]
        if not all(isinstance(o, Holds | Fails) for o in outcomes):
            continue
        a, b = [isinstance(o, Holds) for o in outcomes]
        for d in wanted:
            implied = (not a or b) if d == "post_forward" else (not b or a)
            assert implied, f"{d} told wrongly at {point}, y = {y.data}:\n{first}\n{second}"
        if any(told[d].status == "identical" for d in wanted):
            assert a == b
    return len(wanted)


@pytest.mark.parametrize("seed", range(4))
def test_what_normal_forms_tell_is_so_on_a_grid(seed: int) -> None:
    told = sum(check(first, second) for first, second in pairs(seed))
    assert told >= PAIRS_A_SEED // 3  # else the test has lost its bite
