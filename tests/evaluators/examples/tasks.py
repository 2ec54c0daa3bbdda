"""Small tasks with reference contracts and implementations, for tests of what is made from them."""

from __future__ import annotations

from specgen.tasks.model import (
    ContractSource,
    Implementation,
    Labels,
    LeanContext,
    Pair,
    Parameter,
    Provenance,
    Signature,
    Task,
)

CONTEXT = LeanContext("4.24.0")


def task(
    name: str,
    parameters: str,
    result: str,
    post: str,
    *,
    pre: str = "True",
    body: str = "",
    preamble: str = "",
    labels: Labels | None = None,
    relational: str = "",
) -> Task:
    """A task; `parameters` as `x : Int; xs : List Int`, contract and implementation as bodies over them and `result`.

    `relational` is the body of a reference over `impl` instead.
    """
    named = tuple(Parameter(*(part.strip() for part in p.split(":", 1))) for p in parameters.split(";"))
    signature = Signature(name, named, result)
    binders = signature.binders()
    pre_text = f"def {name}_precond {binders} : Prop := {pre}\n"
    post_text = f"def {name}_postcond {binders} (result : {result}) : Prop := {post}\n"
    reference = ContractSource("prepost", pre_text + post_text, f"{name}_postcond", f"{name}_precond")
    if relational:
        text = f"def {name}_spec (impl : {signature.function_type()}) {binders} : Prop := {relational}\n"
        reference = ContractSource("relational", text, f"{name}_spec")
    implementation = Implementation(f"def {name} {binders} : {result} := {body}\n", name) if body else None
    return Task(
        name,
        "",
        signature,
        LeanContext("4.24.0", (), preamble),
        Provenance("test", name, "Apache-2.0"),
        (reference,) if post or relational else (),
        implementation,
        labels or Labels(),
    )


def pairs(*rows: tuple[str, ...]) -> tuple[Pair, ...]:
    """Pairs; the last text of a row is the output."""
    return tuple(Pair(row[:-1], row[-1]) for row in rows)


LARGER = task(
    "larger",
    "x : Int",
    "Int",
    "result > x",
    body="x + 1",
    labels=Labels(
        accepted=pairs(*[(str(x), str(x + d)) for x in (-1, 0, 1) for d in (1, 2)]),
        required=(("-1",), ("0",), ("1",)),
    ),
)
"""Every larger number is right."""

FIRST = task(
    "first",
    "xs : List Nat; i : Nat",
    "Nat",
    "xs[i]? = some result",
    pre="i < xs.length",
    body="xs.getD i 0",
    labels=Labels(
        accepted=pairs(("[4, 5, 6]", "0", "4"), ("[7, 8]", "1", "8"), ("[3]", "0", "3")),
        rejected=pairs(("[4, 5, 6]", "0", "5")),
        required=(("[4, 5, 6]", "0"), ("[7, 8]", "1"), ("[3]", "0"), ("[9, 9, 1]", "2")),
        forbidden=(("[]", "0"),),
    ),
)
"""An index below the length."""

PLACES = task(
    "place",
    "xs : List Int; x : Int",
    "Option Nat",
    "match result with | none => x ∉ xs | some i => xs[i]? = some x",
    pre="xs.Pairwise (· ≤ ·)",
    body="xs.findIdx? (· == x)",
    labels=Labels(
        accepted=pairs(
            ("[1, 2, 2, 3]", "2", "some 1"),
            ("[1, 2, 2, 3]", "2", "some 2"),
            ("[-4, 5, 9]", "7", "none"),
            ("[]", "0", "none"),
        ),
        required=(("[1, 2, 2, 3]", "2"), ("[-4, 5, 9]", "7"), ("[]", "0")),
    ),
)
"""A sorted list; any place is right."""

SHAPES = """structure Box where
  size : Nat
  tags : List String
  deriving Repr, DecidableEq, Inhabited

inductive Tree where
  | leaf
  | node (left : Tree) (key : Int) (right : Tree)
  deriving Repr, DecidableEq, Inhabited

inductive Colour where
  | red | green | blue
  deriving Repr, DecidableEq, Inhabited

structure Bounded where
  value : Nat
  small : value < 10

abbrev Row := List Nat
"""
"""A preamble with types of every layout."""
