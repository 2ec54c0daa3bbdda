"""Ways to cut a known list or text into pieces: `x.flatten = l`, `String.join x = s`.

Soundness. x is a list of consecutive pieces of l that together make up l. Each piece satisfies what the literals say of
every element of x. Where they exclude the empty piece there are no more pieces than elements; otherwise the literals
must bound the length of x. All cuts within these bounds are listed; where they are too many the rule does not apply.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from specgen.lean import core
from specgen.lean.core import Const, FVar, Term
from specgen.lean.eval.nodes import Frame
from specgen.lean.eval.quantifiers.lists import length_bounds, may_be, of_elements
from specgen.lean.eval.quantifiers.literals import Literal, equation, expose
from specgen.lean.eval.quantifiers.search import Generator, Search, State
from specgen.lean.eval.runtime import charge, charge_cells
from specgen.lean.eval.values import from_list, to_list

_MAX_CUTS: Final = 100_000
_JOINS: Final = frozenset({"List.flatten", "List.join", "String.join"})


def propose(search: Search, x: FVar, s: State) -> list[Generator]:
    """Propose the cuts of what the pieces make up."""
    head, args = core.unfold_app(search.c.types.normal_type(search.c.types.local_type(x)))
    if head != Const("List") or len(args) != 1:
        return []
    whole = next((w for lit in s.literals if (w := _whole(search, x, lit, s)) is not None), None)
    if whole is None:
        return []
    e = search.c.types.local("piece", args[0])
    about = [one for lit in s.literals for one in of_elements(search, lit, x, e, s.ids)]
    known = [lit for lit in about if not search.mentions(lit.term, s.ids)]
    lows, highs, _ = length_bounds(search, x, s)
    at = search.scope.bind(e)
    checks = tuple([search.check(lit) for lit in known])
    code = search.c.code(whole, search.scope)

    def run(fr: Frame) -> Any:
        value = code(fr)
        text = type(value) is str
        items: Any = value if text else from_list(value)
        low = max([0, *[bound(fr) for bound in lows]])
        high = min([bound(fr) for bound in highs], default=None)

        def piece(i: int, j: int) -> Any:
            return items[i:j] if text else to_list(items[i:j])

        n = len(items)
        if high is None:
            if may_be(checks, fr, at, piece(0, 0)):
                return None
            high = n
        if n > _MAX_CUTS or high > _MAX_CUTS:
            return None
        charge_cells(n * n // 2)
        ends = [[j for j in range(i, n + 1) if may_be(checks, fr, at, piece(i, j))] for i in range(n + 1)]
        return None if _count(ends, high) > _MAX_CUTS else _cuts(ends, low, high, piece)

    return [Generator(44, run, total=False)]


def _whole(search: Search, x: FVar, lit: Literal, s: State) -> Term | None:
    """Return the known side of an equation whose other side joins x."""
    sides = equation(search.c, lit)
    if sides is None:
        return None
    _, left, right = sides
    for this, other in ((left, right), (right, left)):
        name, args, _ = expose(search.c, this)
        if name in _JOINS and args[-1] == x and not search.mentions(other, s.ids):
            return other
    return None


def _count(ends: list[list[int]], high: int) -> int:
    """Return how many cuts into at most `high` pieces there are, or something above the limit."""
    ways = [1] + [0] * (len(ends) - 1)
    total = ways[-1]
    for _ in range(high):
        charge(sum(map(len, ends)) + 1)
        new = [0] * len(ends)
        for i, found in enumerate(ends):
            if ways[i]:
                for j in found:
                    new[j] += ways[i]
        ways = new
        total += ways[-1]
        if sum(ways) > _MAX_CUTS or total > _MAX_CUTS:
            return _MAX_CUTS + 1
        if not any(ways):
            break
    return total


def _cuts(ends: list[list[int]], low: int, high: int, piece: Callable[[int, int], Any]) -> Iterator[Any]:
    """Yield the cuts by their number of pieces."""
    last = len(ends) - 1
    level: list[tuple[int, ...]] = [(0,)]
    for n in range(high + 1):
        if n >= low:
            for cut in level:
                if cut[-1] == last:
                    charge_cells(last + n)
                    yield to_list([piece(i, j) for i, j in zip(cut, cut[1:], strict=False)])
        level = [(*cut, j) for cut in level for j in ends[cut[-1]]]
        charge(len(level) * (n + 1))
        if not level:
            return
