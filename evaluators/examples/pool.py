"""The values that a task's examples are made of, by kind: what mutation and generation take parts from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from evaluators.examples.kinds import Kind, Plain, show

_MAX_PARTS = 400
"""Most parts of one kind that are kept: enough for any shape, and long lists stay cheap."""

_MAX_DEPTH = 4
"""Deepest nesting of simplest values of inductive types that are built."""


def parts(kind: Kind, value: Plain) -> Iterator[tuple[Kind, Plain]]:
    """Yield a value and all values inside it, from the outside in, with their kinds; characters of strings too."""
    left: list[tuple[Kind, Plain]] = [(kind, value)]
    while left:
        kind, value = left.pop()
        yield kind, value
        match kind.head:
            case "String":
                left.extend((CHAR, c) for c in reversed(value))
            case "List" | "Array" | "Vector":
                left.extend((kind.args[0], x) for x in reversed(value))
            case "Option" if value is not None:
                left.append((kind.args[0], value[0]))
            case "Prod":
                left += [(kind.args[1], value[1]), (kind.args[0], value[0])]
            case "Data":
                kinds = kind.constructors[value[0]][1]
                left.extend(zip(reversed(kinds), reversed(value[1:]), strict=True))
            case _:
                pass


CHAR = Kind("Char")


@dataclass(slots=True)
class Pool:
    """Values seen in examples by kind, each once, in the order in which they were seen."""

    _seen: dict[Kind, dict[str, Plain]] = field(default_factory=dict)

    def add(self, kind: Kind, value: Plain) -> None:
        """Add a value and everything inside it."""
        for part_kind, part in parts(kind, value):
            row = self._seen.setdefault(part_kind, {})
            if len(row) < _MAX_PARTS:
                row.setdefault(show(part_kind, part), part)

    def of(self, kind: Kind) -> list[Plain]:
        """Return the values of a kind."""
        return list(self._seen.get(kind, {}).values())

    def kinds(self) -> list[Kind]:
        """Return the kinds of which there are values."""
        return list(self._seen)


def pool_of(items: Iterable[tuple[Kind, Plain]]) -> Pool:
    """Return the pool of some values."""
    out = Pool()
    for kind, value in items:
        if not kind.opaque():
            out.add(kind, value)
    return out


def simplest(kind: Kind, depth: int = 0) -> tuple[Plain] | None:
    """Return a simplest value of a kind as a tuple of one, None where none was found (nothing is known of the type)."""
    if depth > _MAX_DEPTH:
        return None
    match kind.head:
        case "Nat" | "Int":
            return (0,)
        case "Bounded":
            return (max(0, kind.low),)
        case "Vector":
            return _simplest_vector(kind, depth)
        case "Prod":
            left, right = simplest(kind.args[0], depth + 1), simplest(kind.args[1], depth + 1)
            return None if left is None or right is None else ((left[0], right[0]),)
        case "Data":
            return _simplest_data(kind, depth)
        case _:
            return _SIMPLEST.get(kind.head)


_SIMPLEST: dict[str, tuple[Plain]] = {
    "Bool": (False,),
    "Char": ("a",),
    "String": ("",),
    "Rat": (Fraction(0),),
    "Float": (0.0,),
    "Unit": ((),),
    "List": ((),),
    "Array": ((),),
    "Option": (None,),
}


def _simplest_vector(kind: Kind, depth: int) -> tuple[Plain] | None:
    item = simplest(kind.args[0], depth + 1)
    return None if item is None or kind.high > _MAX_PARTS else ((item[0],) * kind.high,)


def _simplest_data(kind: Kind, depth: int) -> tuple[Plain] | None:
    best: tuple[Plain] | None = None
    for tag, (_, fields) in enumerate(kind.constructors):
        values = [simplest(f, depth + 1) for f in fields]
        whole = (tag, *[v[0] for v in values if v is not None])
        if len(whole) == len(fields) + 1 and (best is None or len(show(kind, whole)) < len(show(kind, best[0]))):
            best = (whole,)
    return best
