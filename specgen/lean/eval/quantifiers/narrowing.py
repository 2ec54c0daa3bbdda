"""Lists found by narrowing (`eval/narrowing.py`, where the soundness argument stands).

The literals, the list being the last variable without a value, are run on a list of which no more is fixed than they
ask for. Where the literals bound its length, longer lists are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from specgen.lean import core
from specgen.lean.core import Const, FVar
from specgen.lean.eval import logic
from specgen.lean.eval.generic import KINDS
from specgen.lean.eval.narrowing import Narrowing
from specgen.lean.eval.nodes import Frame
from specgen.lean.eval.quantifiers.lists import length_bounds
from specgen.lean.eval.quantifiers.search import Generator, Search, State
from specgen.lean.eval.types import head_const


def propose(search: Search, x: FVar, s: State) -> list[Generator]:
    """Propose solutions found by narrowing: one at least, if there is any."""
    head, args = core.unfold_app(search.c.types.normal_type(search.c.types.local_type(x)))
    if not isinstance(head, Const) or head.name != "List" or "List" in search.c.env.constants or len(s.unbound) != 1:
        return []
    kind = head_const(search.c.types.normal_type(args[0]))
    if kind not in KINDS or kind in search.c.env.constants:
        return []
    highs = length_bounds(search, x, s)[1]
    at = search.scope.bind(x)
    body = logic.all_of([search.check(lit) for lit in s.literals])

    def run(fr: Frame) -> Any:
        def attempt(value: Any) -> bool:
            fr[at] = value
            return bool(body(fr))

        longest = min([code(fr) for code in highs], default=None)
        return _values(Narrowing(kind, attempt, longest)) if longest is None or longest >= 0 else ()

    return [Generator(58, run, covers=False)]


def _values(search: Narrowing) -> Iterator[Any]:
    for solution in search.solutions():
        yield solution.value
