"""Mutations of values by type: what a wrong program might return instead, from near to far.

A mutation stays in its type and differs from the value it was made from. Whether it is wrong is not known here: that is
for the reference to decide (`enrich.py`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice
from random import Random
from typing import Any

from evaluators.examples.kinds import Kind, Plain, show
from evaluators.examples.pool import CHAR, Pool, parts, simplest

NEAR, MIDDLE, FAR = 1, 2, 3

_TURNS = (NEAR, MIDDLE, NEAR, FAR, NEAR, MIDDLE)
"""How often the nearer kinds of mutations come first."""

_MAX_DEPTH = 4
_MAX_ELEMENTS = 2_000
"""A longer sequence is mutated at its ends only."""


@dataclass(frozen=True, slots=True)
class Mutation:
    """A changed value: the operator that changed it (`element: plus one`), and how far it goes (1 near, 3 far)."""

    operator: str
    distance: int
    value: Plain


def mutations(kind: Kind, value: Plain, rng: Random, pool: Pool) -> list[Mutation]:
    """Return mutations of a value, each value once, in the type's range, never the value itself.

    Args:
        kind: the value's kind, with nothing opaque in it.
        value: the value.
        rng: chooses positions; the same state gives the same mutations.
        pool: values that stand in the task's examples, for parts to be put in.
    """
    out: dict[str, Mutation] = {}
    own = show(kind, value)
    for made in _of(kind, value, rng, pool, 0):
        if kind.admits(made.value):
            text = show(kind, made.value)
            if text != own:
                out.setdefault(text, made)
    return list(out.values())


def in_turns(found: Sequence[Mutation], rng: Random) -> list[Mutation]:
    """Order mutations so that near ones come first, and each operator has its turn before one has its second."""
    rows: dict[int, dict[str, list[Mutation]]] = {}
    for made in found:
        rows.setdefault(made.distance, {}).setdefault(made.operator, []).append(made)
    queues = {distance: _round_robin(list(by.values()), rng) for distance, by in rows.items()}
    out: list[Mutation] = []
    turn = 0
    while queues:
        distance = _TURNS[turn % len(_TURNS)]
        turn += 1
        queue = queues.get(distance)
        if queue is not None:
            out.append(queue.pop(0))
            if not queue:
                del queues[distance]
    return out


def _round_robin(rows: list[list[Mutation]], rng: Random) -> list[Mutation]:
    rng.shuffle(rows)
    longest = max(map(len, rows))
    return [row[i] for i in range(longest) for row in rows if i < len(row)]


def _of(kind: Kind, value: Plain, rng: Random, pool: Pool, depth: int) -> Iterator[Mutation]:
    if depth > _MAX_DEPTH:
        return
    match kind.head:
        case "Nat" | "Int" | "Bounded":
            yield from _number(value)
        case "Rat":
            yield from _rational(value)
        case "Float":
            yield from _float(value)
        case "Bool":
            yield Mutation("flipped", NEAR, not value)
        case "Char":
            yield from _char(value, pool)
        case "String":
            yield from _string(value, rng, pool)
        case "List" | "Array" | "Vector":
            yield from _sequence(kind.args[0], value, rng, pool, depth)
        case "Option":
            yield from _option(kind.args[0], value, rng, pool, depth)
        case "Prod":
            yield from _pair(kind, value, rng, pool, depth)
        case "Data":
            yield from _data(kind, value, rng, pool, depth)
        case _:
            return


# -------------------------------------------------------------------------------------------------------------- scalars


def _number(n: int) -> Iterator[Mutation]:
    yield Mutation("plus one", NEAR, n + 1)
    yield Mutation("minus one", NEAR, n - 1)
    yield Mutation("off by two", MIDDLE, n + 2)
    yield Mutation("off by two", MIDDLE, n - 2)
    yield Mutation("negated", MIDDLE, -n)
    yield Mutation("doubled", MIDDLE, 2 * n)
    yield Mutation("halved", MIDDLE, n // 2)
    yield Mutation("zero", FAR, 0)


def _rational(q: Fraction) -> Iterator[Mutation]:
    yield Mutation("plus one", NEAR, q + 1)
    yield Mutation("minus one", NEAR, q - 1)
    yield Mutation("slightly more", NEAR, q + Fraction(1, 1000))
    yield Mutation("rounded down", MIDDLE, Fraction(math.floor(q)))
    yield Mutation("negated", MIDDLE, -q)
    yield Mutation("doubled", MIDDLE, 2 * q)
    if q:
        yield Mutation("inverted", FAR, 1 / q)
    yield Mutation("zero", FAR, Fraction(0))


def _float(x: float) -> Iterator[Mutation]:
    if math.isfinite(x):
        yield Mutation("plus one", NEAR, x + 1.0)
        yield Mutation("minus one", NEAR, x - 1.0)
        yield Mutation("slightly more", NEAR, x + max(abs(x), 1.0) * 1e-6)
        yield Mutation("negated", MIDDLE, -x)
        yield Mutation("doubled", MIDDLE, 2.0 * x)
        yield Mutation("not a number", FAR, math.nan)
    yield Mutation("zero", FAR, 0.0)


def _char(c: str, pool: Pool) -> Iterator[Mutation]:
    for step, name in ((1, "next character"), (-1, "previous character")):
        code = ord(c) + step
        if 32 <= code < 127:  # the neighbours that a reader can see
            yield Mutation(name, NEAR, chr(code))
    if c.isascii():
        yield Mutation("other case", NEAR, c.swapcase())
    for other in pool.of(CHAR)[:6]:
        yield Mutation("another's character", MIDDLE, other)
    yield Mutation("space", FAR, " ")


# ------------------------------------------------------------------------------------------------------------ sequences


def _string(text: str, rng: Random, pool: Pool) -> Iterator[Mutation]:
    for made in _sequence(CHAR, tuple(text), rng, pool, 0):
        yield replace(made, operator=made.operator.replace("element", "character"), value="".join(made.value))
    if text.isascii():
        yield Mutation("upper case", MIDDLE, text.upper())
        yield Mutation("lower case", MIDDLE, text.lower())
    yield Mutation("without outer spaces", NEAR, text.strip())
    yield Mutation("with a space", MIDDLE, text + " ")


def _positions(n: int, rng: Random) -> list[int]:
    """Return up to three positions: both ends and one between."""
    if n == 0:
        return []
    middle = [rng.randrange(1, n - 1)] if n > 2 else []
    return list(dict.fromkeys([0, n - 1, *middle]))


def _sequence(item: Kind, xs: tuple[Plain, ...], rng: Random, pool: Pool, depth: int) -> Iterator[Mutation]:
    n = len(xs)
    yield from _shorter(xs, rng)
    yield from _elements(item, xs, rng, pool, depth)
    for i in _positions(n, rng):
        yield Mutation("duplicate", NEAR, (*xs[: i + 1], *xs[i:]))
    extra = _extra(item, xs, rng, pool)
    if extra is not None:
        yield Mutation("append", MIDDLE, (*xs, extra[0]))
        yield Mutation("prepend", MIDDLE, (extra[0], *xs))
    if 1 < n <= _MAX_ELEMENTS:
        yield from _rearranged(item, xs, rng)
    yield Mutation("empty", FAR, ())


def _shorter(xs: tuple[Plain, ...], rng: Random) -> Iterator[Mutation]:
    n = len(xs)
    if n:
        yield Mutation("drop last", NEAR, xs[:-1])
        yield Mutation("drop first", NEAR, xs[1:])
    if n > 2:
        i = rng.randrange(1, n - 1)
        yield Mutation("drop from the middle", NEAR, xs[:i] + xs[i + 1 :])
    if n > 3:
        yield Mutation("first half", FAR, xs[: n // 2])


def _elements(item: Kind, xs: tuple[Plain, ...], rng: Random, pool: Pool, depth: int) -> Iterator[Mutation]:
    """Change one element, at up to three places."""
    for i in _positions(len(xs), rng):
        inner = in_turns(_distinct(item, xs[i], _of(item, xs[i], rng, pool, depth + 1)), rng)
        for made in inner[:4]:
            yield Mutation(f"element: {made.operator}", made.distance, (*xs[:i], made.value, *xs[i + 1 :]))


def _distinct(kind: Kind, value: Plain, found: Iterable[Mutation]) -> list[Mutation]:
    own = show(kind, value)
    return [m for m in islice(found, 60) if kind.admits(m.value) and show(kind, m.value) != own]


def _extra(item: Kind, xs: tuple[Plain, ...], rng: Random, pool: Pool) -> tuple[Plain] | None:
    """Return a value to add to a sequence, as a tuple of one: one that is not in it when there is such."""
    inside = {show(item, x) for x in xs[:_MAX_ELEMENTS]}
    seen = pool.of(item)
    fresh = [x for x in seen if show(item, x) not in inside]
    choice = fresh or seen
    return (rng.choice(choice),) if choice else simplest(item)


def _rearranged(item: Kind, xs: tuple[Plain, ...], rng: Random) -> Iterator[Mutation]:
    n = len(xs)
    for i in list(dict.fromkeys([0, n - 2, rng.randrange(n - 1)])):
        yield Mutation("swap neighbours", NEAR, (*xs[:i], xs[i + 1], xs[i], *xs[i + 2 :]))
    if n > 2:
        yield Mutation("swap ends", MIDDLE, (xs[-1], *xs[1:-1], xs[0]))
    yield Mutation("rotate", MIDDLE, (*xs[1:], xs[0]))
    yield Mutation("reverse", MIDDLE, xs[::-1])
    once: dict[str, Plain] = {}
    for x in xs:
        once.setdefault(show(item, x), x)
    yield Mutation("without repetitions", MIDDLE, tuple(once.values()))
    rising = in_order(xs)
    if rising is not None:
        yield Mutation("sort", FAR, rising)
        yield Mutation("sort falling", FAR, rising[::-1])


def in_order(xs: Sequence[Plain]) -> tuple[Plain, ...] | None:
    """Return values in rising order, None for values that have no order of their own."""
    try:
        return tuple(sorted(xs))
    except TypeError:
        return None


# ------------------------------------------------------------------------------------------------------------ compounds


def _option(item: Kind, value: Plain, rng: Random, pool: Pool, depth: int) -> Iterator[Mutation]:
    if value is not None:
        yield Mutation("none", MIDDLE, None)
        for made in _of(item, value[0], rng, pool, depth + 1):
            yield Mutation(f"inside: {made.operator}", made.distance, (made.value,))
        return
    found = pool.of(item)[:4]
    lowest = simplest(item)
    for x in [*found, *(lowest or ())]:
        yield Mutation("some instead of none", NEAR, (x,))


def _pair(kind: Kind, value: Plain, rng: Random, pool: Pool, depth: int) -> Iterator[Mutation]:
    left, right = kind.args
    for made in _of(left, value[0], rng, pool, depth + 1):
        yield Mutation(f"first: {made.operator}", made.distance, (made.value, value[1]))
    for made in _of(right, value[1], rng, pool, depth + 1):
        yield Mutation(f"second: {made.operator}", made.distance, (value[0], made.value))
    if left == right:
        yield Mutation("swap components", NEAR, (value[1], value[0]))
    elif right.head == "Prod" and left == right.args[0]:
        yield Mutation("swap components", NEAR, (value[1][0], (value[0], value[1][1])))


def _data(kind: Kind, value: Plain, rng: Random, pool: Pool, depth: int) -> Iterator[Mutation]:
    name, fields = kind.constructors[value[0]]
    for i, field in enumerate(fields):
        for made in _of(field, value[i + 1], rng, pool, depth + 1):
            changed = (*value[: i + 1], made.value, *value[i + 2 :])
            yield Mutation(f"field {i + 1}: {made.operator}", made.distance, changed)
        for j in range(i + 1, len(fields)):
            if fields[j] == field:
                swapped = list(value)
                swapped[i + 1], swapped[j + 1] = value[j + 1], value[i + 1]
                yield Mutation("swap fields", NEAR, tuple(swapped))
        if field == kind:
            yield Mutation("only a part", MIDDLE, value[i + 1])
    for tag, (_, wanted) in enumerate(kind.constructors):
        if tag != value[0]:
            other = _rebuilt(tag, wanted, list(zip(fields, value[1:], strict=True)))
            if other is not None:
                yield Mutation("other constructor", NEAR if not wanted else MIDDLE, other)


def _rebuilt(tag: int, wanted: tuple[Kind, ...], have: list[tuple[Kind, Plain]]) -> Plain | None:
    """Return a value of a constructor that keeps the fields that fit, the others as simple as possible."""
    out: list[Any] = [tag]
    for kind in wanted:
        at = next((i for i, (k, _) in enumerate(have) if k == kind), None)
        found = (have.pop(at)[1],) if at is not None else simplest(kind)
        if found is None:
            return None
        out.append(found[0])
    return tuple(out)


# ---------------------------------------------------------------------------------------------- outputs from elsewhere


def borrowed(
    kind: Kind, value: Plain, outputs: Sequence[Plain], inputs: Sequence[tuple[Kind, Plain]]
) -> list[Mutation]:
    """Return values of a result's kind that stand elsewhere: outputs of other pairs, parts of the pair's own input, and
    the lengths of its sequences.
    """
    own = show(kind, value)
    found: dict[str, Mutation] = {}

    def add(operator: str, distance: int, other: Plain) -> None:
        if kind.admits(other):
            text = show(kind, other)
            if text != own:
                found.setdefault(text, Mutation(operator, distance, other))

    for whole_kind, whole in inputs:
        for part_kind, part in islice(_parts_of(whole_kind, whole), 40):
            if part_kind == kind:
                add("from the input", MIDDLE, part)
            for fitted in _refitted(part_kind, part, kind):
                add("from the input", MIDDLE, fitted)
            if kind.head in ("Nat", "Int") and (part_kind.is_sequence or part_kind.head == "String"):
                add("a length", MIDDLE, len(part))
    for output in outputs:
        add("another's output", FAR, output)
    return list(found.values())


def _parts_of(kind: Kind, value: Plain) -> Iterator[tuple[Kind, Plain]]:
    return iter(()) if kind.opaque() else parts(kind, value)


def _refitted(have: Kind, value: Plain, want: Kind) -> Iterator[Plain]:
    """Return the value as one of a kind that differs in Nat for Int, or List for Array, only."""
    numbers, rows = ("Nat", "Int"), ("List", "Array")
    if have.head in numbers and want.head in numbers:
        yield value
    if have.head in rows and want.head in rows and have.args == want.args:
        yield value
