"""Lists found by narrowing (`eval/narrowing.py`, where the soundness argument stands).

The literals, the list being the last variable without a value, are run on a list of which no more is fixed than they
ask for. Where the literals bound its length, longer lists are left out.
"""

from __future__ import annotations

from typing import Any

from specgen.lean import core
from specgen.lean.core import Const
from specgen.lean.eval import logic
from specgen.lean.eval.generic import KINDS
from specgen.lean.eval.narrowing import Narrowing
from specgen.lean.eval.nodes import Code, Frame
from specgen.lean.eval.quantifiers.lists import length_bounds
from specgen.lean.eval.quantifiers.literals import unfolded
from specgen.lean.eval.quantifiers.search import Search, State
from specgen.lean.eval.types import head_const


def decide(search: Search, s: State) -> Code | None:
    """Return code that looks for a list by narrowing, or None where that is not to be tried (yet)."""
    if len(s.unbound) != 1 or s.narrowed or search.enumerating:
        return None
    x = s.unbound[0]
    head, args = core.unfold_app(search.c.types.normal_type(search.c.types.local_type(x)))
    if not isinstance(head, Const) or head.name != "List" or "List" in search.c.env.constants:
        return None
    kind = head_const(search.c.types.normal_type(args[0]))
    if kind not in KINDS or kind in search.c.env.constants:
        return None
    if any(unfolded(search.c, lit) is not None for lit in s.literals):
        return None
    highs = length_bounds(search, x, s)[1]
    at = search.scope.bind(x)
    body = logic.all_of([search.check(lit) for lit in s.literals])

    def run(fr: Frame) -> Any:
        def attempt(value: Any) -> bool:
            fr[at] = value
            return bool(body(fr))

        longest = min([code(fr) for code in highs], default=None)
        if longest is not None and longest < 0:
            return False
        return next(Narrowing(kind, attempt, longest).solutions(), None) is not None

    return run
