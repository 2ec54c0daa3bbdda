"""Statements about all numbers below a bound: `∀ i, i < n → P i`, as a condition on n, or on what else P speaks of.

Soundness. With n the variable, and P free of n, the statement for n + 1 implies that for n, and it fails for every n
above the first i at which P fails. So the candidates 0, 1, … up to and with that i are all. With another variable x
and n ≥ 1 (known, or by the lower bounds of n) the statement implies P 0, and the candidates are those for P 0 alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from specgen.lean import core
from specgen.lean.core import FVar, Lit, Term
from specgen.lean.eval.nodes import Code, Frame
from specgen.lean.eval.quantifiers import bounds, equations, members
from specgen.lean.eval.quantifiers.literals import Literal, as_term, conjuncts, quantified
from specgen.lean.eval.quantifiers.search import Generator, Search, State
from specgen.lean.eval.runtime import Unknown, charge
from specgen.lean.eval.types import head_const

_MAX: Final = 100_000


def propose(search: Search, x: FVar, s: State) -> list[Generator]:
    """Propose candidates for x from such literals."""
    out: list[Generator] = []
    for lit in s.literals:
        if search.mentions(lit.term, (x.id,)):
            found = _below(search, lit)
            if found is not None:
                out.extend(_from_statement(search, x, s, *found))
    return out


def _below(search: Search, lit: Literal) -> tuple[FVar, Term, list[Literal]] | None:
    """Take `∀ i, i < n → …` apart: i, n, and the literals that hold at an i where it is violated, `i < n` left out."""
    opened = quantified(search.c, Literal(lit.term, not lit.positive))
    if opened is None or head_const(search.c.types.normal_type(search.c.types.local_type(opened[0]))) != "Nat":
        return None
    i, body = opened
    parts = conjuncts(search.c, body)
    for k, part in enumerate(parts):
        for a, b, strict in bounds.inequalities(search, part):
            if a == i and strict == 1 and not search.mentions(b, (i.id,)):
                return i, b, [*parts[:k], *parts[k + 1 :]]
    return None


def _from_statement(search: Search, x: FVar, s: State, i: FVar, n: Term, rest: list[Literal]) -> list[Generator]:
    if n == x:
        if any(search.mentions(lit.term, s.ids) for lit in rest):
            return []
        at = search.scope.bind(i)
        violated = [search.check(lit) for lit in rest]
        return [Generator(35, lambda fr: _upwards(fr, at, violated))]
    if search.mentions(n, (x.id,)) or len(rest) != 1:
        return []
    low = _at_least(search, n, s)
    if low is None:
        return []
    term = core.instantiate(core.abstract(as_term(rest[0]), (i,)), (Lit(0),))
    inner = State([x], conjuncts(search.c, Literal(term, False)))
    found = [*equations.propose(search, x, inner), *members.propose(search, x, inner)]
    return [Generator(36, _when_positive(low, g.code), total=False) for g in found if g.covers and g.complete][:1]


def _when_positive(low: Code, code: Code) -> Code:
    def run(fr: Frame) -> Any:
        n = low(fr)
        return code(fr) if n is not None and n >= 1 else None

    return run


def _at_least(search: Search, n: Term, s: State) -> Code | None:
    """Return code for a lower bound of n."""
    if not search.mentions(n, s.ids):
        return search.c.code(n, search.scope)
    if not isinstance(n, FVar):
        return None
    lowers = [code for upper, code in bounds.bounds_of(search, n, s)[0] if not upper]
    if not lowers:
        return None

    def run(fr: Frame) -> Any:
        known = [v for code in lowers if (v := code(fr)) is not None]
        return max(known, default=None)

    return run


def _upwards(fr: Frame, at: int, violated: list[Code]) -> Iterator[int]:
    for n in range(_MAX):
        yield n
        charge(1)
        fr[at] = n
        if all(code(fr) for code in violated):
            return
    raise Unknown("undecided", "a quantifier without a bound")
