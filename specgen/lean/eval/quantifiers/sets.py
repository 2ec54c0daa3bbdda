"""Sets by enumeration: `ncard`, `Finite` and the extrema of a `Set` whose elements a search can list.

Soundness. `members` runs the search for `x ∈ s` through all its candidates; it gives every element, or raises `Unknown`
when some literal is unknown or a variable has no bound. The least natural number of a set is found by trying them in
order, which needs no bound.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from specgen.lean.core import Const, Term
from specgen.lean.elab.subst import beta
from specgen.lean.eval.compile import Compiler, Scope
from specgen.lean.eval.nodes import Code, Frame
from specgen.lean.eval.quantifiers.literals import Literal
from specgen.lean.eval.quantifiers.search import Search
from specgen.lean.eval.runtime import charge, charge_cells
from specgen.lean.eval.values import Value, key


def members(c: Compiler, scope: Scope, element: Term, set_: Term) -> Callable[[Frame], list[Value]]:
    """Return code that lists the elements of a set, each once."""
    x = c.types.local("x", element)
    at = scope.fresh()
    search = Search(c, scope)

    def note() -> Code:
        # Each branch of the plan may give the variable a slot of its own.
        where = scope.slots[x.id]

        def run(fr: Frame) -> Any:
            value = fr[where]
            charge_cells(1)
            fr[at].setdefault(key(value), value)
            return False

        return run

    search.finish = note
    search.enumerating = True
    run = search.solve([x], [Literal(beta(set_, (x,)))])

    def code(fr: Frame) -> list[Value]:
        fr[at] = {}
        run(fr)
        return list(fr[at].values())

    return code


def compile_ncard(c: Compiler, args: tuple[Term, ...], scope: Scope) -> Code:
    """Compile `s.ncard`."""
    listed = members(c, scope, args[0], args[1])
    return lambda fr: len(listed(fr))


def compile_finite(c: Compiler, args: tuple[Term, ...], scope: Scope) -> Code:
    """Compile `s.Finite`: true when the elements can be listed, else unknown."""
    listed = members(c, scope, args[0], args[1])
    return lambda fr: len(listed(fr)) >= 0


def compile_greatest(c: Compiler, args: tuple[Term, ...], scope: Scope) -> Code:
    """Compile `sSup s` for a set of natural numbers that can be listed: its greatest element, 0 for the empty set."""
    listed = members(c, scope, Const("Nat"), args[0])

    def run(fr: Frame) -> Any:
        found = listed(fr)
        charge(len(found) + 1)
        return max(found, default=0)

    return run


SETS: Final[dict[str, tuple[int, Callable[..., Code]]]] = {
    "Set.ncard": (2, compile_ncard),
    "Set.Finite": (2, compile_finite),
    "Nat.sSupInternal": (1, compile_greatest),
}
