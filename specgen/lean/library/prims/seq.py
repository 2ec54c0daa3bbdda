"""Helpers that the primitives share: Lean lists to and from Python lists, equality, three-valued folds.

No primitives here. `V` is a Lean value as `docs/engine.md` ("Values") lays it out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final, TypeAlias

from specgen.lean.eval.runtime import Unknown, charge, charge_cells

V: TypeAlias = Any
Lst: TypeAlias = Any
Fn: TypeAlias = Callable[[Any], Any]

NIL: Final[tuple[()]] = ()

SOFT: Final = frozenset({"undecided", "unsupported", "noncomputable", "sorry"})
"""Kinds of `Unknown` after which looking further still makes sense (a limit that is hit stays hit)."""


def items(xs: Lst) -> list[V]:
    """Return the elements of a Lean list; spends a step for each."""
    out: list[V] = []
    while xs:
        out.append(xs[0])
        xs = xs[1]
    charge(len(out) + 1)
    return out


def first_items(xs: Lst, n: int) -> list[V]:
    """Return at most the first `n` elements of a Lean list."""
    out: list[V] = []
    while xs and n > 0:
        out.append(xs[0])
        xs = xs[1]
        n -= 1
    charge(len(out) + 1)
    return out


def lean(elements: Sequence[V], tail: Lst = NIL) -> Lst:
    """Build a Lean list of the elements in front of `tail`; takes cells and steps first."""
    n = len(elements)
    if n:
        charge_cells(n)
        charge(n)
    for x in reversed(elements):
        tail = (x, tail)
    return tail


def some(x: V) -> tuple[V]:
    """Return `some x`."""
    return (x,)


def all_hold(outcomes: Iterable[Callable[[], V]]) -> bool:
    """Return the conjunction, three-valued: one that is false decides, even after one that is unknown.

    Raises:
        Unknown: no conjunct is false and one is not known.
    """
    open_: Unknown | None = None
    for thunk in outcomes:
        charge(1)
        try:
            if not thunk():
                return False
        except Unknown as e:
            if e.kind not in SOFT:
                raise
            open_ = open_ or e
    if open_ is not None:
        raise open_
    return True


def any_holds(outcomes: Iterable[Callable[[], V]]) -> bool:
    """Return the disjunction, three-valued: one that is true decides, even after one that is unknown.

    Raises:
        Unknown: no disjunct is true and one is not known.
    """
    open_: Unknown | None = None
    for thunk in outcomes:
        charge(1)
        try:
            if thunk():
                return True
        except Unknown as e:
            if e.kind not in SOFT:
                raise
            open_ = open_ or e
    if open_ is not None:
        raise open_
    return False


def later(p: Fn, x: V) -> Callable[[], V]:
    """Return `p x`, not yet evaluated."""
    return lambda: p(x)


def later2(r: Fn, x: V, y: V) -> Callable[[], V]:
    """Return `r x y`, not yet evaluated."""
    return lambda: r(x)(y)


def applied(p: Fn, elements: Iterable[V]) -> Iterator[Callable[[], V]]:
    """Yield `p x` for each element, not yet evaluated."""
    for x in elements:
        yield later(p, x)


def bounded(n: int) -> int:
    """Take memory and steps for `n` new cells, or raise at once where that is too many."""
    if n > 0:
        charge_cells(n)
        charge(n)
    return n


def utf8_length(c: str) -> int:
    """Return the number of bytes of a character in UTF-8."""
    code = ord(c)
    return 1 if code < 0x80 else 2 if code < 0x800 else 3 if code < 0x10000 else 4
