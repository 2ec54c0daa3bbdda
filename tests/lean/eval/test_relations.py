"""Inductive predicates whose derivations go round, against closures computed by the plain method."""

from __future__ import annotations

import random

import pytest

from tests.lean.eval.programs import evaluate, value

REACH = """
inductive FromLeft (g : List (Nat × Nat)) : Nat → Nat → Prop
  | refl (a) : FromLeft g a a
  | step {a b c} : FromLeft g a b → (b, c) ∈ g → FromLeft g a c

inductive FromRight (g : List (Nat × Nat)) : Nat → Nat → Prop
  | refl (a) : FromRight g a a
  | step {a b c} : (a, b) ∈ g → FromRight g b c → FromRight g a c

inductive Whole (g : List (Nat × Nat)) : Nat → Nat → Prop
  | refl (a) : Whole g a a
  | edge {a b} : (a, b) ∈ g → Whole g a b
  | trans {a b c} : Whole g a b → Whole g b c → Whole g a c

mutual
inductive EvenWalk (g : List (Nat × Nat)) : Nat → Nat → Prop
  | none (a) : EvenWalk g a a
  | step {a b c} : OddWalk g a b → (b, c) ∈ g → EvenWalk g a c
inductive OddWalk (g : List (Nat × Nat)) : Nat → Nat → Prop
  | step {a b c} : EvenWalk g a b → (b, c) ∈ g → OddWalk g a c
end
"""


def closure(graph: list[tuple[int, int]], start: int) -> tuple[set[int], set[int]]:
    """Return the ends of walks of an even and of an odd number of steps."""
    seen = ({start}, set[int]())
    todo = [(start, 0)]
    while todo:
        at, parity = todo.pop()
        for a, b in graph:
            if a == at and b not in seen[1 - parity]:
                seen[1 - parity].add(b)
                todo.append((b, 1 - parity))
    return seen


@pytest.mark.parametrize("seed", range(12))
def test_walks_of_random_graphs(seed: int) -> None:
    rng = random.Random(seed)
    size = rng.randint(2, 5)
    graph = sorted({(rng.randrange(size), rng.randrange(size)) for _ in range(rng.randint(1, 2 * size))})
    text = "[" + ", ".join(f"({a}, {b})" for a, b in graph) + "]"
    for start in range(size):
        even, odd = closure(graph, start)
        reached = even | odd
        for end in range(size):
            for name in ("FromLeft", "FromRight", "Whole"):
                assert value(f"{name} {text} {start} {end}", REACH) == ("true" if end in reached else "false"), name
            assert value(f"EvenWalk {text} {start} {end}", REACH) == ("true" if end in even else "false")
            assert value(f"OddWalk {text} {start} {end}", REACH) == ("true" if end in odd else "false")
        listed = "[" + ", ".join(map(str, sorted(reached))) + "]"
        for name in ("FromLeft", "FromRight", "Whole"):
            assert value(f"∀ x, {name} {text} {start} x → x ∈ {listed}", REACH) == "true"
            assert value(f"∀ x ∈ {listed}, {name} {text} {start} x", REACH) == "true"
            if len(reached) > 1:
                fewer = "[" + ", ".join(map(str, sorted(reached)[1:])) + "]"
                assert value(f"∀ x, {name} {text} {start} x → x ∈ {fewer}", REACH) == "false"


def test_what_leads_to_ever_new_questions_is_unknown() -> None:
    text = """
inductive Grows : Nat → Nat → Prop
  | up (a b) : Grows (a + 1) b → Grows a b
"""
    assert evaluate("Grows 0 3", text).status == "unknown"
