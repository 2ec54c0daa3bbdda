"""Numbers of which only a remainder matters: `x % m`, `m ∣ x`, `x.gcd m` with m known, `l.rotate x`.

Soundness. In the literals (definitions unfolded) x stands only in `x % m`, `m ∣ x`, `gcd x m` and `List.rotate l x`,
which depend on x modulo m and modulo the length of l (for the empty list on nothing). So their truth is periodic with
the least common multiple of these numbers, and if there is a solution there is one below it. For m = 0 (`x % 0 = x`)
the rule does not apply.
"""

from __future__ import annotations

import math
from typing import Any, Final

from specgen.lean import core
from specgen.lean.core import App, Const, FVar, Lam, Term
from specgen.lean.elab.subst import beta
from specgen.lean.eval import nodes
from specgen.lean.eval.nodes import Code, Frame
from specgen.lean.eval.quantifiers.literals import expose
from specgen.lean.eval.quantifiers.search import Generator, Search, State
from specgen.lean.eval.types import head_const
from specgen.lean.eval.values import list_length

_MAX_PERIOD: Final = 200_000
_MAX_DEPTH: Final = 6


def propose(search: Search, x: FVar, s: State) -> list[Generator]:
    """Propose one period."""
    if head_const(search.c.types.normal_type(search.c.types.local_type(x))) not in ("Nat", "Int"):
        return []
    found: list[Code] = []
    for lit in s.literals:
        if search.mentions(lit.term, (x.id,)) and not _collect(search, lit.term, x, s.ids, found, 0):
            return []

    def run(fr: Frame) -> Any:
        period = 1
        for code in found:
            m = abs(code(fr))
            if m == 0:
                return None
            period = math.lcm(period, m)
        return range(period) if period <= _MAX_PERIOD else None

    return [Generator(54, run, total=False, covers=False)] if found else []


def _collect(search: Search, term: Term, x: FVar, ids: frozenset[int], found: list[Code], depth: int) -> bool:
    """Gather the moduli by which x is taken; False when x stands anywhere else."""
    if not search.mentions(term, (x.id,)):
        return True
    if isinstance(term, App):
        name, args, exposed = expose(search.c, term)
        if name in ("Nat.mod", "Int.emod") and args[0] == x and _known(search, args[1], ids):
            found.append(search.c.code(args[1], search.scope))
            return True
        divides = name in ("Nat.dvdInternal", "Int.dvdInternal")
        if (divides or name == "Nat.gcd") and len(args) == 2 and x in args:
            other = args[0] if args[1] == x else args[1]
            if (args[1] == x or not divides) and _known(search, other, ids):
                found.append(search.c.code(other, search.scope))
                return True
        if name == "List.rotate" and len(args) == 3 and args[2] == x and _known(search, args[1], ids):
            length = nodes.apply1(lambda cells: list_length(cells) or 1, search.c.code(args[1], search.scope))
            found.append(length)
            return True
        if exposed is not term and exposed != term:
            return _collect(search, exposed, x, ids, found, depth)
        opened = _definition(search, term) if depth < _MAX_DEPTH else None
        if opened is not None:
            return _collect(search, opened, x, ids, found, depth + 1)
    elif isinstance(term, FVar):
        return False
    ok = True

    def child(t: Term, _: int) -> Term:
        nonlocal ok
        ok = ok and _collect(search, t, x, ids, found, depth)
        return t

    core.map_children(term, child)
    return ok


def _known(search: Search, term: Term, ids: frozenset[int]) -> bool:
    return term.loose == 0 and not search.mentions(term, ids)


def _definition(search: Search, term: App) -> Term | None:
    """Unfold a definition of the text at the head of a term."""
    fn = term.fn
    if isinstance(fn, FVar):
        value = search.c.types.decls[fn.id].value
        return beta(value, term.args) if isinstance(value, Lam) else None
    found = search.c.env.constants.get(fn.name) if isinstance(fn, Const) else None
    if found is None or found.value is None or found.recursive or found.kind != "def":
        return None
    return beta(found.value, term.args)
