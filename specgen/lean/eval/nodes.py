"""Building blocks of compiled code.

`Code` is a function from a frame (a Python list with a slot for every variable of one function body) to a value. A code
that reads one slot, or is constant, says so (`slot_of`, `constant_of`), so that the nodes above it can skip a call.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

from specgen.lean.eval.runtime import METER, Unknown, UnknownKind, refill

Frame: TypeAlias = list[Any]
Code: TypeAlias = Callable[[Frame], Any]

FATAL: Final = frozenset({"fuel", "memory", "timeout"})
"""Kinds of `Unknown` after which nothing else is tried: the check has used up what it had."""

CAUGHT: Final = (
    Unknown,
    RecursionError,
    LookupError,
    TypeError,
    ValueError,
    ArithmeticError,
    AttributeError,
)
"""What a part that cannot be evaluated raises.

The Python errors come from terms that no well-typed run reaches (an index whose proof would be false): no answer.
"""

LOOP: Final = object()
"""Returned by a self tail call after it has put its arguments into the frame."""


def is_fatal(error: BaseException) -> bool:
    """Tell whether an error ends the whole check."""
    return isinstance(error, Unknown) and error.kind in FATAL


def constant(value: Any) -> Code:
    """Return code that gives a value."""

    def run(_: Frame) -> Any:
        return value

    run.constant = (value,)  # type: ignore[attr-defined]
    return run


def constant_of(code: Code) -> tuple[Any] | None:
    """Return `(value,)` of constant code, else None."""
    return getattr(code, "constant", None)


def slot(index: int) -> Code:
    """Return code that reads a slot."""

    def run(fr: Frame) -> Any:
        return fr[index]

    run.slot = index  # type: ignore[attr-defined]
    return run


def note_comparison(code: Code, op: Callable[[Any, Any], Any], i: int, j: int) -> Code:
    """Note that code compares two slots, so that a branch on it can do so itself."""
    code.comparison = (op, i, j)  # type: ignore[attr-defined]
    return code


def slot_of(code: Code) -> int | None:
    """Return the slot that code reads, or None for other code."""
    return getattr(code, "slot", None)


def failing(kind: UnknownKind, message: str) -> Code:
    """Return code that raises `Unknown`."""

    def run(_: Frame) -> Any:
        raise Unknown(kind, message)

    return run


def apply1(op: Callable[[Any], Any], a: Code) -> Code:
    """Return code that calls a Python function of one argument."""
    i = slot_of(a)
    if i is not None:
        return lambda fr: op(fr[i])
    return lambda fr: op(a(fr))


def apply2(op: Callable[[Any, Any], Any], a: Code, b: Code) -> Code:
    """Return code that calls a Python function of two arguments."""
    i, j = slot_of(a), slot_of(b)
    ca, cb = constant_of(a), constant_of(b)
    if i is not None:
        if j is not None:
            return note_comparison(lambda fr: op(fr[i], fr[j]), op, i, j)
        if cb is not None:
            v = cb[0]
            return lambda fr: op(fr[i], v)
        return lambda fr: op(fr[i], b(fr))
    if cb is not None:
        w = cb[0]
        return lambda fr: op(a(fr), w)
    if ca is not None:
        u = ca[0]
        return lambda fr: op(u, b(fr))
    if j is not None:
        return lambda fr: op(a(fr), fr[j])
    return lambda fr: op(a(fr), b(fr))


def call_python(fn: Callable[..., Any], args: Sequence[Code]) -> Code:
    """Return code that calls a Python function of any number of arguments."""
    match args:
        case []:
            return lambda fr: fn()
        case [a]:
            return apply1(fn, a)
        case [a, b]:
            return apply2(fn, a, b)
        case [a, b, c]:
            return lambda fr: fn(a(fr), b(fr), c(fr))
        case [a, b, c, d]:
            return lambda fr: fn(a(fr), b(fr), c(fr), d(fr))
        case _:
            codes = tuple(args)
            return lambda fr: fn(*[code(fr) for code in codes])


def make_tuple(args: Sequence[Code]) -> Code:
    """Return code that builds a tuple of its arguments."""
    match args:
        case [a]:
            return lambda fr: (a(fr),)
        case [a, b]:
            i, j = slot_of(a), slot_of(b)
            if i is not None and j is not None:
                return lambda fr: (fr[i], fr[j])
            if i is not None:
                return lambda fr: (fr[i], b(fr))
            return lambda fr: (a(fr), b(fr))
        case [a, b, c]:
            return lambda fr: (a(fr), b(fr), c(fr))
        case _:
            codes = tuple(args)
            return lambda fr: tuple([code(fr) for code in codes])


def apply_curried(fn: Code, args: Sequence[Code]) -> Code:
    """Return code that applies a function value to arguments one by one."""
    match args:
        case []:
            return fn
        case [a]:
            return lambda fr: fn(fr)(a(fr))
        case [a, b]:
            return lambda fr: fn(fr)(a(fr))(b(fr))
        case _:
            codes = tuple(args)

            def run(fr: Frame) -> Any:
                f = fn(fr)
                for code in codes:
                    f = f(code(fr))
                return f

            return run


def curried(fn: Callable[..., Any], mask: tuple[bool, ...], have: tuple[Any, ...] = ()) -> Any:
    """Return the function value of `fn` over parameters of which `mask` says whether they are passed on."""
    if not mask:
        return fn(*have)
    keep, rest = mask[0], mask[1:]
    if not rest:
        if not keep:
            return lambda _: fn(*have)
        if not have:
            return fn
        if len(have) == 1:
            first = have[0]
            return lambda x: fn(first, x)
        return lambda x: fn(*have, x)
    if keep:
        return lambda x: curried(fn, rest, (*have, x))
    return lambda _: curried(fn, rest, have)


def assign(index: int, value: Code, body: Code) -> Code:
    """Return code that puts a value into a slot and goes on."""

    def run(fr: Frame) -> Any:
        fr[index] = value(fr)
        return body(fr)

    return run


def branch(cond: Code, then: Code, otherwise: Code) -> Code:
    """Return code for `if`."""
    known = constant_of(cond)
    if known is not None:
        return then if known[0] else otherwise
    fused = getattr(cond, "comparison", None)
    if fused is not None:
        op, i, j = fused
        return lambda fr: then(fr) if op(fr[i], fr[j]) else otherwise(fr)
    return lambda fr: then(fr) if cond(fr) else otherwise(fr)


def closure(body: Code, params: Sequence[int | None], captures: Sequence[tuple[int, int]], size: int) -> Code:
    """Return code that makes a curried function value.

    `params` are the slots of the parameters in the function's own frame (None for one that is not kept), `captures`
    pairs a slot here with a slot there, and `size` is the size of the function's frame. Variables are captured by
    value, since a frame's slots change when a loop goes round.
    """
    pairs = tuple(captures)
    slots = tuple(params)
    if len(slots) == 1:
        return _closure1(body, slots[0], pairs, size)

    def make(fr: Frame) -> Any:
        env = [None] * size
        for i, j in pairs:
            env[j] = fr[i]
        return _take(body, slots, 0, env)

    return make if pairs else _made_once(make)


def _made_once(make: Code) -> Code:
    """Return code for a function that captures nothing: one value serves for all, since a call copies its frame."""
    made = make([])
    return lambda fr: made


def _closure1(body: Code, at: int | None, pairs: tuple[tuple[int, int], ...], size: int) -> Code:
    def make(fr: Frame) -> Any:
        env: Frame = [None] * size
        for i, j in pairs:
            env[j] = fr[i]

        def call(x: Any) -> Any:
            METER.slice -= 1
            if METER.slice < 0:
                refill()
            inner = env.copy()
            if at is not None:
                inner[at] = x
            return body(inner)

        return call

    return make if pairs else _made_once(make)


def _take(body: Code, slots: tuple[int | None, ...], k: int, env: Frame) -> Callable[[Any], Any]:
    at = slots[k]
    last = k + 1 == len(slots)

    def call(x: Any) -> Any:
        inner = env.copy()
        if at is not None:
            inner[at] = x
        if not last:
            return _take(body, slots, k + 1, inner)
        METER.slice -= 1
        if METER.slice < 0:
            refill()
        return body(inner)

    return call
