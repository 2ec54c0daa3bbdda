"""Sides of comparisons made from bodies of contracts, and what the engine says of them on small values."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from evaluators.contract import Contract
from evaluators.equivalence.model import DIRECTIONS, Direction, Side
from evaluators.equivalence.smt import ProofResult, Proved, SmtLimits, prove_all
from evaluators.projection.task_types import SignatureTypes
from specgen.lean.core import TYPE
from specgen.lean.engine import EvalLimits, Fails, Holds, NormalForm, Program, load
from specgen.lean.environment import LeanEnv
from specgen.tasks.model import Representation

ENV = LeanEnv(imports=("Mathlib",))
LIMITS = EvalLimits(wall_s=1.0)
TYPES = SignatureTypes((), TYPE, TYPE)
"""The types of a task's signature, which a proof does not look at."""


def side(text: str, representation: Representation = "prepost", precondition: str = "") -> Side:
    """Return a text that declares `post` as a side."""
    program = load(text, ENV)
    assert program.report.verdict == "accepted", (text, program.report.diagnostics)
    contract = Contract("task", representation, text, ENV, "post", precondition)
    form = program.normal_form("post") if representation == "relational" else NormalForm(precondition, "post")
    return Side(program, contract, form, TYPES)


def body(signature: str, formula: str, helpers: str = "", representation: Representation = "prepost") -> Side:
    """Return a side whose postcondition is a formula over parameters."""
    return side(f"{helpers}\ndef post {signature} : Prop := {formula}", representation)


def proofs(reference: Side, candidate: Side, timeout_s: float = 2.0) -> dict[Direction, ProofResult]:
    """Return all four answers."""
    return prove_all(reference, candidate, DIRECTIONS, SmtLimits(timeout_s=timeout_s))


def proved(reference: Side, candidate: Side, timeout_s: float = 2.0) -> set[Direction]:
    """Return the directions that are proved."""
    return {d for d, r in proofs(reference, candidate, timeout_s).items() if isinstance(r, Proved)}


def truths(program: Program, types: Sequence[str], grid: Sequence[Sequence[str]]) -> list[bool | None]:
    """Return what `post` is on every combination of values, None where the engine does not know."""
    columns = [[program.read(text, type_) for text in texts] for texts, type_ in zip(grid, types, strict=True)]
    out: list[bool | None] = []
    for values in product(*columns):
        outcome = program.decide("post", values, LIMITS)
        out.append(True if isinstance(outcome, Holds) else False if isinstance(outcome, Fails) else None)
    return out


def contradicted(first: Sequence[bool | None], second: Sequence[bool | None]) -> bool:
    """Tell whether some values make the first true and the second false."""
    return any(a is True and b is False for a, b in zip(first, second, strict=True))
