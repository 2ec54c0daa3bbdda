"""Primitives of `for` and `while`: `forIn` over lists, arrays, ranges and `Loop`, in any monad.

In `Id`, `Option` and `Except` the loop runs as a loop; in other monads it is a chain of binds, as Lean defines it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from specgen.lean.eval.monads import bind, is_identity, pure
from specgen.lean.eval.runtime import charge
from specgen.lean.library.prims.registry import prim
from specgen.lean.library.prims.seq import Fn, Lst, V, items

_DONE: Final = 0
"""Tag of `ForInStep.done`; `ForInStep.yield` has tag 1."""


def run_loop(monad: V, elements: Iterator[V], b: V, f: Fn) -> V:
    """Return `forIn elements b f`, where f takes element and state."""
    if is_identity(monad):
        for x in elements:
            charge(1)
            step = f(x)(b)
            b = step[1]
            if step[0] == _DONE:
                break
        return b
    token = object()
    unit = pure(monad, token)
    if unit in ((token,), (1, token)):
        return _failing_loop(monad, elements, b, f, 0 if len(unit) == 1 else 1)
    return _chain(monad, elements, b, f)


def _failing_loop(monad: V, elements: Iterator[V], b: V, f: Fn, at: int) -> V:
    """Loop in `Option` or `Except`, whose values are `pure` ones or failures that end everything."""
    for x in elements:
        charge(1)
        result = f(x)(b)
        if result is None or (at == 1 and result[0] == 0):
            return result
        step = result[at]
        b = step[1]
        if step[0] == _DONE:
            break
    return pure(monad, b)


def _chain(monad: V, elements: Iterator[V], b: V, f: Fn) -> V:
    """Loop by binds. The elements are kept, since a monad may run a continuation more than once."""
    seen: list[V] = []

    def element(i: int) -> tuple[V] | None:
        while len(seen) <= i:
            try:
                seen.append(next(elements))
            except StopIteration:
                return None
        return (seen[i],)

    def loop(i: int, state: V) -> V:
        charge(1)
        found = element(i)
        if found is None:
            return pure(monad, state)
        return bind(
            monad,
            f(found[0])(state),
            lambda step: pure(monad, step[1]) if step[0] == _DONE else loop(i + 1, step[1]),
        )

    return loop(0, b)


@prim("List.forIn")
def for_in_list(monad: V, xs: Lst, b: V, f: Fn) -> V:
    """`forIn xs b f`."""
    return run_loop(monad, iter(items(xs)), b, f)


@prim("Array.forIn")
def for_in_array(monad: V, xs: V, b: V, f: Fn) -> V:
    """`forIn xs b f`."""
    charge(xs.size)
    return run_loop(monad, iter(xs.tolist()), b, f)


@prim("Std.Range.forIn")
def for_in_range(monad: V, span: V, b: V, f: Fn) -> V:
    """`forIn [start:stop:step] b f`."""
    start, stop, step = span[:3]
    return run_loop(monad, iter(range(start, stop, max(step, 1))), b, f)


@prim("Lean.Loop.forIn")
def for_in_loop(monad: V, _loop: Any, b: V, f: Fn) -> V:
    """`repeat`: turns until the body is done."""
    return run_loop(monad, _units(), b, f)


def _units() -> Iterator[V]:
    while True:
        yield ()
