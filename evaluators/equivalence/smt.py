"""Proofs of equivalence by z3: each direction as a statement whose negation z3 finds unsatisfiable.

A statement (`model.STATEMENTS`) is translated with the inputs and the result as constants, so it is proved for all of
them. Translated exactly are truth values, Nat, Int, rationals, characters, `Fin n`, enumerations, options, pairs and
other types that are not recursive, with quantifiers, conditionals and matches; lists, arrays and texts by their
length, elements and membership. Any other function, a recursive definition too, is an uninterpreted symbol that both
contracts share when it is the same function. The argument for each rule stands in the `smt_` module that has it. An
implementation that a relational contract speaks of is an uninterpreted function f with f x = y, so the proof is for
every f.

What z3 cannot prove is not proved, and nothing more: its model, where every construct was exact, is a hint for a
search.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from evaluators.equivalence.model import DIRECTIONS, Direction, Hint, Side

if TYPE_CHECKING:
    from evaluators.equivalence.smt_prove import Comparison

Fragment: TypeAlias = Literal["exact", "uninterpreted"]
Failure: TypeAlias = Literal["outside_fragment", "gave_up", "not_valid_in_fragment"]

_FRAMES = 20_000


@dataclass(frozen=True, slots=True)
class SmtLimits:
    """Limits of one proof.

    Attributes:
        timeout_s: seconds of wall time that z3 may take for one direction.
        nodes: steps of the translation of both contracts.
        translation_s: seconds of wall time that the translation of both contracts may take.
        memory_mb: memory that z3 may take.
        seed: z3's random seed.
    """

    timeout_s: float = 2.0
    nodes: int = 200_000
    translation_s: float = 5.0
    memory_mb: int = 512
    seed: int = 7


@dataclass(frozen=True, slots=True)
class Proved:
    """The direction holds for all inputs and results.

    `fragment` says whether every construct was translated exactly, or some functions were left uninterpreted.
    """

    method: str
    seconds: float
    fragment: Fragment


@dataclass(frozen=True, slots=True)
class NotProved:
    """No proof, which says nothing about whether the direction holds.

    Attributes:
        kind: `outside_fragment` (something has no translation), `gave_up` (time, memory or size), or
            `not_valid_in_fragment` (z3 found a model; with uninterpreted functions it may mean nothing).
        reason: in words.
        hint: the model, where every construct was exact and its values can be written in Lean.
        seconds: of wall time.
    """

    kind: Failure
    reason: str
    hint: Hint | None = None
    seconds: float = 0.0


ProofResult: TypeAlias = Proved | NotProved


def prove(reference: Side, candidate: Side, direction: Direction, limits: SmtLimits | None = None) -> ProofResult:
    """Try to prove one direction; see `prove_all`."""
    return prove_all(reference, candidate, (direction,), limits)[direction]


def prove_all(
    reference: Side,
    candidate: Side,
    directions: Iterable[Direction] = DIRECTIONS,
    limits: SmtLimits | None = None,
) -> dict[Direction, ProofResult]:
    """Try to prove directions; the contracts are translated once.

    Never raises for what the contracts say. The same answer for the same contracts, but for what a time limit decides.
    """
    limits = limits or SmtLimits()
    wanted = tuple(directions)
    began = time.perf_counter()
    from evaluators.equivalence.smt_prove import Comparison, failure

    try:
        with _deep():
            comparison = Comparison(reference, candidate, limits)
    except Exception as error:  # noqa: BLE001 - `failure` sorts them, and raises what is our own fault
        found = failure(error, time.perf_counter() - began)
        return dict.fromkeys(wanted, found)
    return {d: _one(comparison, d) for d in wanted}


def _one(comparison: Comparison, direction: Direction) -> ProofResult:
    from evaluators.equivalence.smt_prove import failure

    began = time.perf_counter()
    try:
        with _deep():
            return comparison.prove(direction)
    except Exception as error:  # noqa: BLE001 - `failure` sorts them, and raises what is our own fault
        return failure(error, time.perf_counter() - began)


@contextmanager
def _deep() -> Iterator[None]:
    """Let the translation nest; its own limit of depth stops it before the stack does."""
    old = sys.getrecursionlimit()
    sys.setrecursionlimit(max(old, _FRAMES))
    try:
        yield
    finally:
        sys.setrecursionlimit(old)


__all__ = ["NotProved", "ProofResult", "Proved", "SmtLimits", "prove", "prove_all"]
