"""Small tasks and contracts for tests of equivalence."""

from __future__ import annotations

from evaluators.contract import Contract
from evaluators.equivalence.evaluate import Comparison, EquivalenceOptions, compare
from specgen.lean.environment import LeanEnv
from specgen.tasks.model import (
    ContractSource,
    Implementation,
    Labels,
    LeanContext,
    Parameter,
    Provenance,
    Representation,
    Signature,
    Task,
)

VERSION = "4.24.0"
ENV = LeanEnv((4, 24, 0), ("Mathlib",))
PARAMETERS = "(a b : Int) (n m : Nat) (p : Bool) (xs : List Int)"
SIGNATURE = Signature(
    "f",
    (
        Parameter("a", "Int"),
        Parameter("b", "Int"),
        Parameter("n", "Nat"),
        Parameter("m", "Nat"),
        Parameter("p", "Bool"),
        Parameter("xs", "List Int"),
    ),
    "Int",
)


def task(
    signature: Signature,
    reference: str,
    *,
    representation: Representation = "prepost",
    pre: str = "",
    post: str = "post",
    implementation: str = "",
    preamble: str = "",
    labels: Labels | None = None,
) -> Task:
    """A task with one reference."""
    return Task(
        "t",
        "",
        signature,
        LeanContext(VERSION, ("Mathlib",), preamble),
        Provenance("test", "t", "Apache-2.0"),
        references=(ContractSource(representation, reference, post, pre),),
        implementation=Implementation(implementation, "impl") if implementation else None,
        labels=labels or Labels(),
    )


def contract(
    text: str, *, representation: Representation = "prepost", pre: str = "", post: str = "post", preamble: str = ""
) -> Contract:
    """A candidate."""
    head = f"{preamble}\n\n" if preamble else ""
    return Contract("t", representation, head + text, ENV, post, pre, (), len(head))


NAT = Signature("f", (Parameter("n", "Nat"),), "Nat")
INT = Signature("f", (Parameter("x", "Int"),), "Int")
LIST = Signature("f", (Parameter("xs", "List Int"),), "List Int")


def compared(of: Task, candidate: Contract, **options: float) -> Comparison:
    """Compare, which must be possible."""
    found = compare(of, candidate, EquivalenceOptions(**{"wall_s": 4.0, **options}))  # type: ignore[arg-type]
    assert isinstance(found, Comparison), found
    return found


def ends(found: Comparison) -> str:
    """The four directions' ends by their first letters: identical, proved, refuted, inconclusive (`?`)."""
    letters = {"identical": "i", "proved": "p", "refuted": "r", "inconclusive": "?"}
    return "".join(letters[r.status] for r in found.results)
