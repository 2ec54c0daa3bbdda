"""Sequences whose length is known, from what is said of every position: `∀ i, i < n → x[i]! = f i`, or `x[i]! ∈ l i`.

Soundness. The literals say that x has n elements, and for each position i < n some of them says something of the
element there from which the rules derive finitely many candidates (for that literal alone, so the more literals the
fewer). Hence x is one of the sequences with a candidate at each place. `x[i]!`, `x[i]?`, `x.getD i d`, `x[i]` with i
< n all speak of the element at i. Where a position has no such literal, or the sequences are too many, the rule does
not apply.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any, Final

from specgen.lean import core
from specgen.lean.core import App, Const, FVar, Term, mk_app
from specgen.lean.eval.nodes import Frame
from specgen.lean.eval.quantifiers import bounds
from specgen.lean.eval.quantifiers.literals import Literal, conjuncts, expose, quantified
from specgen.lean.eval.quantifiers.search import Generator, Search, State
from specgen.lean.eval.runtime import charge, charge_cells
from specgen.lean.eval.values import Arr, to_list

_MAX_WORDS: Final = 300_000
_LENGTHS: Final = frozenset({"List.length", "Array.size"})
_AT: Final = {
    "List.get!Internal": (2, 3),
    "List.get!": (2, 3),
    "Array.get!Internal": (2, 3),
    "Array.get!": (2, 3),
    "List.getInternal": (1, 2),
    "Array.getInternal": (1, 2),
    "List.getD": (1, 2),
    "Array.getD": (1, 2),
}
"""Where collection and index stand in what gives an element."""
_SOME: Final = frozenset({"List.get?Internal", "Array.get?Internal", "List.get?"})
_BUILD: Final[dict[str, Callable[[tuple[Any, ...]], Any]]] = {"List": to_list, "Array": lambda word: Arr(list(word))}


def propose(search: Search, x: FVar, s: State) -> list[Generator]:
    """Propose the sequences with a candidate at each position."""
    head, args = core.unfold_app(search.c.types.normal_type(search.c.types.local_type(x)))
    build = _BUILD.get(head.name) if isinstance(head, Const) and head.name not in search.c.env.constants else None
    if build is None:
        return []
    length = _length(search, x, s)
    if length is None:
        return []
    columns = [column for lit in s.literals if (column := _column(search, x, length, lit, s, args[0])) is not None]
    if not columns:
        return []
    size = search.c.code(length, search.scope)

    def run(fr: Frame) -> Any:
        n = size(fr)
        if n < 0:
            return ()
        charge(n)
        places: list[list[Any]] = []
        total = 1
        for i in range(n):
            found = [c for column in columns if (c := column(fr, i)) is not None]
            if not found:
                return None
            best = min(found, key=len)
            total *= len(best)
            if total > _MAX_WORDS:
                return None
            places.append(best)
        return _spell(places, build)

    return [Generator(38, run, total=False)]


def _spell(places: list[list[Any]], build: Callable[[tuple[Any, ...]], Any]) -> Iterator[Any]:
    for word in product(*places):
        charge_cells(len(word))
        yield build(word)


def _length(search: Search, x: FVar, s: State) -> Term | None:
    """Return a known term that a literal says is the length of x."""
    for lit in s.literals:
        name, args, _ = expose(search.c, lit.term)
        if not lit.positive or name != "Eq" or len(args) != 3 or not bounds.numeric(search, args[0]):
            continue
        for this, other in ((args[1], args[2]), (args[2], args[1])):
            if _is_length(search, this, x) and not search.mentions(other, s.ids):
                return other
    return None


def _is_length(search: Search, term: Term, x: FVar) -> bool:
    name, args, _ = expose(search.c, term)
    if name == "Int.ofNat" and args:
        return _is_length(search, args[0], x)
    return name in _LENGTHS and args[-1] == x


Column = Callable[[Frame, int], "list[Any] | None"]
"""Gives the candidates at a position, or None where the literal says nothing of it."""


def _column(search: Search, x: FVar, length: Term, lit: Literal, s: State, element: Term) -> Column | None:
    """Return the candidates by position that `∀ i, guards → body about x[i]` gives."""
    from specgen.lean.eval.quantifiers.rules import proposals

    if not search.mentions(lit.term, (x.id,)):
        return None
    opened = quantified(search.c, Literal(lit.term, not lit.positive))
    if opened is None or not bounds.numeric(search, search.c.types.local_type(opened[0])):
        return None
    i, body = opened
    e = search.c.types.local("element", element)
    guards: list[Literal] = []
    about: list[Literal] = []
    for part in conjuncts(search.c, body):
        term = _at_index(search, part.term, x, i, e, length)
        if search.mentions(term, s.ids):
            return None
        (about if search.mentions(term, (e.id,)) else guards).append(Literal(term, part.positive))
    if len(about) != 1:
        return None
    at = search.scope.bind(i)
    inner = State([e], conjuncts(search.c, Literal(_peeled(search, about[0].term), not about[0].positive)))
    found = [g for g in proposals(search, e, inner) if g.covers and g.complete]
    if not found:
        return None
    code = min(found, key=lambda g: g.rank).code
    checks = [search.check(g) for g in guards]

    def run(fr: Frame, position: int) -> list[Any] | None:
        fr[at] = position
        for check in checks:
            if not check(fr):
                return None
        candidates = code(fr)
        return None if candidates is None else list(candidates)

    return run


def _peeled(search: Search, term: Term) -> Term:
    """Return `a = b` for `some a = some b`."""
    name, args, _ = expose(search.c, term)
    if name == "Eq" and len(args) == 3:
        sides = [expose(search.c, a) for a in args[1:]]
        if all(side[0] == "Option.some" for side in sides):
            inner = [side[1] for side in sides]
            return mk_app(Const("Eq"), inner[0][0], inner[0][1], inner[1][1])
    return term


def _at_index(search: Search, term: Term, x: FVar, i: FVar, e: Term, length: Term) -> Term:
    """Put e for the element of x at i, and the known length for that of x."""
    if not search.mentions(term, (x.id,)):
        return term
    if isinstance(term, App):
        name, args, _ = expose(search.c, term)
        where = _AT.get(name)
        if where is not None and len(args) > where[1] and args[where[0]] == x and args[where[1]] == i:
            return e
        if name in _SOME and args[1] == x and args[2] == i:
            return mk_app(Const("Option.some"), args[0], e)
        if name in _LENGTHS and args[-1] == x:
            return length
    return core.map_children(term, lambda t, _: _at_index(search, t, x, i, e, length))


__all__: Final = ["propose"]
