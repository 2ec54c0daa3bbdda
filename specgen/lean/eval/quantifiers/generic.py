"""Candidates by a run with a generic value: statements that only ask of x what it equals.

Soundness (see `eval/generic.py`). The literals, x being the last variable without a value, are run with a generic
value for x. If one of them is false, they have no solution outside the values that x was compared with, which are the
candidates. If all are true, any other value is a solution. If the run does not end in a truth value the rule does not
apply.
"""

from __future__ import annotations

from typing import Any

from specgen.lean.core import FVar
from specgen.lean.eval import logic
from specgen.lean.eval.generic import KINDS, Cell, Generic
from specgen.lean.eval.nodes import CAUGHT, Frame, is_fatal
from specgen.lean.eval.quantifiers.search import Generator, Search, State
from specgen.lean.eval.types import head_const


def propose(search: Search, x: FVar, s: State) -> list[Generator]:
    """Propose the values that x is compared with, or a fresh one."""
    kind = head_const(search.c.types.normal_type(search.c.types.local_type(x)))
    if kind not in KINDS or kind in search.c.env.constants or len(s.unbound) != 1:
        return []
    at = search.scope.bind(x)
    body = logic.all_of([search.check(lit) for lit in s.literals])
    every = search.enumerating

    def run(fr: Frame) -> Any:
        cell = Cell(kind)
        fr[at] = Generic(cell)
        try:
            verdict = body(fr)
        except CAUGHT as error:
            if is_fatal(error):
                raise
            return None
        if verdict:
            return None if every else (cell.fresh(),)
        return list(cell.seen)

    return [Generator(52, run, total=False, covers=every)]
