"""Collections given by their elements: `∀ y, y ∈ x ↔ P y`.

Soundness. A `Finset` x with this property is the set of all y with P y, P being free of x; `sets.members` lists it,
or raises `Unknown`. A list with it has the same elements; with `x.Nodup` it is a rearrangement of them. If besides
only membership, the length and `Nodup` are asked of x, one rearrangement has what another has, and any one will do.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations
from typing import Any, Final

from specgen.lean import core
from specgen.lean.core import App, Const, FVar, Lam, Term
from specgen.lean.eval.nodes import Code, Frame
from specgen.lean.eval.quantifiers.literals import Literal, expose, quantified
from specgen.lean.eval.quantifiers.search import Generator, Search, State
from specgen.lean.eval.quantifiers.sets import members
from specgen.lean.eval.runtime import charge_cells
from specgen.lean.eval.values import Finset, to_list

_MEMBER: Final = {"List.Mem": (1, 2), "Finset.Mem": (2, 1)}
_INVARIANT: Final = frozenset({"List.length", "List.Nodup", "List.Mem"})


def propose(search: Search, x: FVar, s: State) -> list[Generator]:
    """Propose the collections with the elements that a literal names."""
    head, args = core.unfold_app(search.c.types.normal_type(search.c.types.local_type(x)))
    if not isinstance(head, Const) or head.name not in ("Finset", "List") or head.name in search.c.env.constants:
        return []
    distinct = head.name == "Finset" or any(_says_distinct(search, lit, x) for lit in s.literals)
    if not distinct:
        return []
    for lit in s.literals:
        listed = _elements(search, lit, x, s.ids, args[0]) if search.mentions(lit.term, (x.id,)) else None
        if listed is None:
            continue
        if head.name == "Finset":
            return [Generator(22, _one(listed, Finset.of), settles=(lit,))]
        alike = all(_invariant(search, one.term, x) for one in s.literals)
        if alike:
            return [Generator(22, _one(listed, to_list), settles=(lit,), covers=False)]
        return [Generator(47, _arranged(listed), settles=(lit,))]
    return []


def _one(listed: Callable[[Frame], list[Any]], make: Callable[[list[Any]], Any]) -> Code:
    return lambda fr: (make(listed(fr)),)


def _arranged(listed: Callable[[Frame], list[Any]]) -> Code:
    def run(fr: Frame) -> Any:
        for order in permutations(listed(fr)):
            charge_cells(len(order))
            yield to_list(order)

    return run


def _says_distinct(search: Search, lit: Literal, x: FVar) -> bool:
    name, args, _ = expose(search.c, lit.term)
    return lit.positive and name == "List.Nodup" and args[-1] == x


def _elements(
    search: Search, lit: Literal, x: FVar, ids: frozenset[int], element: Term
) -> Callable[[Frame], list[Any]] | None:
    """Return what lists the y with `P y`, for a literal `∀ y, y ∈ x ↔ P y`, either way round."""
    opened = quantified(search.c, Literal(lit.term, not lit.positive))
    if opened is None:
        return None
    y, body = opened
    term = _reduced(search, body.term, y)
    name, args, _ = expose(search.c, term)
    if body.positive or name not in ("Iff", "Eq") or (name == "Eq" and len(args) != 3):
        return None
    for this, other in ((args[-2], args[-1]), (args[-1], args[-2])):
        member, parts, _ = expose(search.c, this)
        where = _MEMBER.get(member)
        if where is None or parts[where[0]] != y or parts[where[1]] != x:
            continue
        if search.mentions(other, ids):
            return None
        predicate = Lam(y.name, element, core.abstract(other, (y,)))
        return members(search.c, search.scope, element, predicate)
    return None


def _reduced(search: Search, term: Term, y: FVar) -> Term:
    """Bring a match on a pair, `match y with | (i, j) => …`, into the form of projections."""
    if not isinstance(term, core.Match) or term.discrs != (y,) or len(term.alts) != 1:
        return term
    value = _projections(search, y, term.alts[0].patterns[0])
    return term if value is None else core.instantiate(term.alts[0].body, value)


def _projections(search: Search, value: Term, pattern: core.Pattern) -> list[Term] | None:
    if isinstance(pattern, core.PVar):
        return [value]
    if not isinstance(pattern, core.PCtor) or pattern.name != "Prod.mk" or len(pattern.args) != 2:
        return None
    type_ = search.c.types.type_of(value)
    _, args = core.unfold_app(search.c.types.normal_type(type_)) if type_ is not None else (None, ())
    if len(args) != 2:
        return None
    left = _projections(search, App(Const("Prod.fst"), (*args, value)), pattern.args[0])
    right = _projections(search, App(Const("Prod.snd"), (*args, value)), pattern.args[1])
    return None if left is None or right is None else [*left, *right]


def _invariant(search: Search, term: Term, x: FVar) -> bool:
    """Tell whether x stands only where rearranging it changes nothing."""
    if not search.mentions(term, (x.id,)):
        return True
    if isinstance(term, App):
        name, args, exposed = expose(search.c, term)
        if name in _INVARIANT and args[-1] == x and not any(search.mentions(a, (x.id,)) for a in args[:-1]):
            return True
        if exposed is not term and exposed != term:
            return _invariant(search, exposed, x)
    elif isinstance(term, FVar):
        return False
    ok = True

    def child(t: Term, _: int) -> Term:
        nonlocal ok
        ok = ok and _invariant(search, t, x)
        return t

    core.map_children(term, child)
    return ok
