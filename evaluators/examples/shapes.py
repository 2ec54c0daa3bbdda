"""What inputs of a task look like, as far as its examples show, and further inputs of that look.

A pool of seen values of one kind stands for its shape: the range of its numbers, the lengths of its sequences, the
characters of its strings, and what all of its sequences have in common (`Structure`). `small` lists the smallest
values, `sample` draws one at random, `conforms` says whether a value keeps to what was seen. What the examples do not
show is not generated: where no negative number was seen there will be none.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice, product
from random import Random
from typing import Any

from evaluators.examples.kinds import Kind, Plain, show
from evaluators.examples.mutations import in_order
from evaluators.examples.pool import simplest

MAX_LENGTH = 10
"""Longest sequence that is drawn."""

_MAX_DEPTH = 5
_SMALL_LENGTH = 3
_ENOUGH = 4
"""Neighbouring elements that must all agree before an order counts as a property of the shape."""

_CLASSES = ("abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789")


@dataclass(frozen=True, slots=True)
class Structure:
    """What all sequences seen have in common: rising or falling (ties as seen), no repetitions, a rearrangement of
    0, …, n - 1 (or of 1, …, n), rows of equal length.
    """

    rising: bool = False
    falling: bool = False
    distinct: bool = False
    permutation: int | None = None
    rectangular: bool = False


def structure(kind: Kind, seen: Sequence[Plain]) -> Structure:
    """Return what the sequences seen have in common; nothing where too few were seen to tell."""
    long = [xs for xs in seen if len(xs) > 1]
    if len(long) < 2 or sum(len(xs) - 1 for xs in long) < _ENOUGH:
        return Structure()
    item = kind.args[0]
    ordered = [(xs, in_order(xs)) for xs in long]
    rising = all(o is not None and o == xs for xs, o in ordered)
    falling = all(o is not None and o[::-1] == xs for xs, o in ordered)
    if rising and falling:  # all elements equal
        rising = falling = False
    distinct = all(len({show(item, x) for x in xs}) == len(xs) for xs in long)
    start = None
    if item.is_number:
        start = next((s for s in (0, 1) if all(sorted(xs) == list(range(s, s + len(xs))) for xs in long)), None)
    equal_rows = item.head in ("List", "Array") and all(len({len(row) for row in xs}) == 1 for xs in long)
    return Structure(rising, falling, distinct, start, equal_rows)


def alphabet(chars: Iterable[str]) -> str:
    """Return the characters to draw from: those seen, and the rest of a class (small, capital, digit) of which more
    than three different ones were seen.
    """
    seen = dict.fromkeys(chars)
    for row in _CLASSES:
        if sum(c in seen for c in row) > 3:
            seen.update(dict.fromkeys(row))
    return "".join(seen)


@dataclass(frozen=True, slots=True)
class Caution:
    """What must be as in the examples because nothing else says what is allowed.

    Attributes:
        ranges: numbers stay between the smallest and the largest seen, lengths between the shortest and the longest.
        formats: strings with more in them than letters alone or digits alone (dates, notes, brackets and blanks) have a
            format that we do not know, so only those seen are taken.
    """

    ranges: bool = False
    formats: bool = False


BOLD = Caution()


class Shape:
    """The shape of one position of the inputs: a kind and the values seen there."""

    def __init__(self, kind: Kind, seen: Sequence[Plain], caution: Caution = BOLD, depth: int = 0) -> None:
        self.kind, self.caution = kind, caution
        self.seen = list({show(kind, v): v for v in seen}.values())
        self.parts: tuple[Shape, ...] = ()
        self.structure = Structure()
        self.alphabet = ""
        self.formatted = False
        self.rows: dict[int, tuple[Shape, ...]] = {}
        self.longest = 0
        self._open(depth)

    def _part(self, kind: Kind, seen: Sequence[Plain], depth: int) -> Shape:
        return Shape(kind, seen, self.caution, depth + 1)

    def _open(self, depth: int) -> None:
        kind, seen = self.kind, self.seen
        if kind.is_sequence:
            self.parts = (self._part(kind.args[0], [x for xs in seen for x in xs], depth),)
            self.structure = structure(kind, seen)
            self.longest = min(max(map(len, seen), default=0), MAX_LENGTH)
        elif kind.head == "String":
            self.alphabet = alphabet(c for text in seen for c in text)
            self.longest = min(max(map(len, seen), default=0), 2 * MAX_LENGTH)
            one_sort = any(all(c in row for c in self.alphabet) for row in ("".join(_CLASSES[:2]), _CLASSES[2]))
            self.formatted = self.caution.formats and not one_sort
        elif kind.head == "Char":
            self.alphabet = alphabet(seen)
        elif kind.head == "Option":
            self.parts = (self._part(kind.args[0], [v[0] for v in seen if v is not None], depth),)
        elif kind.head == "Prod":
            self.parts = tuple([self._part(k, [v[i] for v in seen], depth) for i, k in enumerate(kind.args)])
        elif kind.head == "Data" and depth < _MAX_DEPTH:
            for tag, (_, fields) in enumerate(kind.constructors):
                mine = [v for v in seen if v[0] == tag]
                if mine or not fields:
                    self.rows[tag] = tuple(
                        [self._part(f, [v[i + 1] for v in mine], depth) for i, f in enumerate(fields)]
                    )

    # ---- a value like those seen

    def conforms(self, value: Plain) -> bool:
        """Tell whether a value keeps to signs, characters and structure of what was seen, and to what caution asks."""
        if self.caution.ranges and not self._in_range(value):
            return False
        match self.kind.head:
            case "Nat" | "Int" | "Bounded" | "Rat":
                return bool(value >= 0) or any(v < 0 for v in self.seen)
            case "Float":
                return math.isfinite(value) and (value >= 0 or any(v < 0 for v in self.seen))
            case "Char":
                return value in self.alphabet
            case "String":
                return value in self.seen if self.formatted else all(c in self.alphabet for c in value)
            case "List" | "Array" | "Vector":
                return all(self.parts[0].conforms(x) for x in value) and self._structured(value)
            case "Option":
                return value is None or self.parts[0].conforms(value[0])
            case "Prod":
                return all(p.conforms(v) for p, v in zip(self.parts, value, strict=True))
            case "Data":
                row = self.rows.get(value[0])
                return row is None or all(p.conforms(v) for p, v in zip(row, value[1:], strict=True))
            case _:
                return True

    def _in_range(self, value: Plain) -> bool:
        if self.kind.is_sequence or self.kind.head == "String":
            lengths = [len(v) for v in self.seen]
            return bool(lengths) and min(lengths) <= len(value) <= max(lengths)
        if self.kind.is_number or self.kind.head in ("Rat", "Float"):
            return bool(self.seen) and bool(min(self.seen) <= value <= max(self.seen))
        return True

    def _structured(self, xs: tuple[Plain, ...]) -> bool:
        s, item = self.structure, self.kind.args[0]
        if s.permutation is not None and sorted(xs) != list(range(s.permutation, s.permutation + len(xs))):
            return False
        if s.distinct and len({show(item, x) for x in xs}) != len(xs):
            return False
        if s.rectangular and len({len(row) for row in xs}) > 1:
            return False
        if s.rising or s.falling:
            rising = in_order(xs)
            return rising is not None and xs == (rising if s.rising else rising[::-1])
        return True

    # ---- the smallest values

    def small(self, limit: int, depth: int = 0) -> list[Plain]:
        """Return at most `limit` of the smallest values, smallest first, that conform."""
        if depth > 3:
            first = simplest(self.kind)
            return [] if first is None else [first[0]]
        found: dict[str, Plain] = {}
        for value in islice(self._small(limit, depth), 8 * limit):
            if self.kind.admits(value) and self.conforms(value):
                found.setdefault(show(self.kind, value), value)
            if len(found) == limit:
                break
        return list(found.values())

    def _small(self, limit: int, depth: int) -> Iterator[Plain]:
        match self.kind.head:
            case "Nat" | "Int" | "Bounded":
                for n in range(limit):
                    yield n
                    if n:
                        yield -n
            case "Rat":
                yield from map(Fraction, (0, 1, -1))
                yield from (Fraction(1, 2), Fraction(-1, 2), Fraction(2))
            case "Float":
                yield from (0.0, 1.0, -1.0, 0.5, 2.0)
            case "Bool":
                yield from (False, True)
            case "Char":
                yield from self.alphabet[:limit]
            case "String":
                yield from sorted(self.seen, key=len) if self.formatted else []
                yield from ("".join(w) for w in _words(self.alphabet[:3], limit))
            case "List" | "Array" | "Vector":
                yield from self._small_sequences(limit, depth)
            case "Option":
                yield None
                yield from ((v,) for v in self.parts[0].small(limit, depth + 1))
            case "Prod":
                yield from diagonal([p.small(limit, depth + 1) for p in self.parts])
            case "Unit":
                yield ()
            case _:
                for tag, row in self.rows.items():
                    for fields in islice(diagonal([p.small(4, depth + 1) for p in row]), limit):
                        yield (tag, *fields)

    def _small_sequences(self, limit: int, depth: int) -> Iterator[Plain]:
        if self.kind.head == "Vector":
            items = self.parts[0].small(3, depth + 1)
            yield from islice(product(items, repeat=self.kind.high), limit)
            return
        yield from _words(self.parts[0].small(3, depth + 1), limit)
        if self.structure.permutation is not None:
            for n in range(1, self.longest + 1):
                yield tuple(range(self.structure.permutation, self.structure.permutation + n))

    # ---- a random value

    def sample(self, rng: Random, depth: int = 0) -> Plain:
        """Return a random value of the shape; raises LookupError where nothing is known to make one from."""
        if self.seen and (self.formatted or depth > _MAX_DEPTH or rng.random() < 0.1):
            return rng.choice(self.seen)
        match self.kind.head:
            case "Nat" | "Int" | "Bounded":
                return self._sample_number(rng)
            case "Rat" | "Float":
                return self._sample_fraction(rng)
            case "Bool":
                return rng.random() < 0.5
            case "Char":
                return rng.choice(self.alphabet or "a")
            case "String":
                return "".join(rng.choice(self.alphabet or "a") for _ in range(rng.randint(0, self.longest)))
            case "List" | "Array" | "Vector":
                return self._sample_sequence(rng, depth)
            case "Option":
                nothing = not self.parts[0].seen or rng.random() < 0.3
                return None if nothing else (self.parts[0].sample(rng, depth + 1),)
            case "Prod":
                return tuple([p.sample(rng, depth + 1) for p in self.parts])
            case "Unit":
                return ()
            case _:
                tag = rng.choice(sorted(self.rows))
                return (tag, *[p.sample(rng, depth + 1) for p in self.rows[tag]])

    def _sample_number(self, rng: Random) -> int:
        if not self.seen:
            return int(self._simplest_sample())
        low, high = int(min(self.seen)), int(max(self.seen))
        if rng.random() < 0.2:
            return self._kept(rng.choice(self.seen) + rng.choice((-1, 1)), low)
        if high - low > 1000 and rng.random() < 0.7:  # a few huge numbers among small ones: keep to the sizes seen
            size = abs(rng.choice(self.seen))
            return self._kept(rng.randint(0, size) * (-1 if low < 0 and rng.random() < 0.4 else 1), low)
        return rng.randint(low, high)

    def _kept(self, n: int, low: int) -> int:
        n = abs(n) if low >= 0 else n
        return n if self.kind.admits(n) else low

    def _simplest_sample(self) -> Any:
        first = simplest(self.kind)
        if first is None:
            raise LookupError(self.kind.name)
        return first[0]

    def _sample_fraction(self, rng: Random) -> Plain:
        if not self.seen:
            return self._simplest_sample()
        value = rng.choice(self.seen)
        step = rng.choice((0, 1, -1, 2)) if self.kind.head == "Float" else Fraction(rng.choice((0, 1, -1, 2, 5)), 2)
        moved = value + step
        return moved if self.conforms(moved) else value

    def _sample_sequence(self, rng: Random, depth: int) -> Plain:
        s, item = self.structure, self.parts[0]
        n = self.kind.high if self.kind.head == "Vector" else rng.randint(0, max(self.longest, 1))
        if not item.seen and self.kind.head != "Vector":
            return ()
        if s.permutation is not None:
            return tuple(rng.sample(range(s.permutation, s.permutation + n), n))
        xs = [item.sample(rng, depth + 1) for _ in range(n)]
        if n > 1 and not s.distinct and rng.random() < 0.5:  # repetitions are rare otherwise
            xs[rng.randrange(n)] = rng.choice(xs)
        if s.rectangular and xs:
            width = len(xs[0])
            xs = [self._of_width(row, width, item, rng) for row in xs]
        if s.distinct and self.kind.head != "Vector":
            xs = list({show(item.kind, x): x for x in xs}.values())
        if s.rising or s.falling:
            xs = list(in_order(xs) or xs)
        return tuple(reversed(xs)) if s.falling else tuple(xs)

    @staticmethod
    def _of_width(row: tuple[Plain, ...], width: int, shape: Shape, rng: Random) -> tuple[Plain, ...]:
        inner = shape.parts[0]
        return (*row[:width], *[inner.sample(rng, _MAX_DEPTH + 1) for _ in range(width - len(row))])


def _words(items: Sequence[Any], limit: int) -> Iterator[tuple[Any, ...]]:
    """Yield words over some items, the shortest first."""
    longest = _SMALL_LENGTH if limit > 4 else 2
    for n in range(longest + 1):
        yield from product(items, repeat=n)


def diagonal(rows: Sequence[Sequence[Any]]) -> Iterator[tuple[Any, ...]]:
    """Yield the tuples with one item of each row, by the sum of the places, so that small ones come first."""
    if not all(rows):
        return
    most = sum(len(row) - 1 for row in rows)

    def at(total: int, rest: Sequence[Sequence[Any]]) -> Iterator[tuple[Any, ...]]:
        if len(rest) == 1:
            if total < len(rest[0]):
                yield (rest[0][total],)
            return
        for i in range(min(total, len(rest[0]) - 1) + 1):
            for others in at(total - i, rest[1:]):
                yield (rest[0][i], *others)

    if not rows:
        yield ()
        return
    for total in range(most + 1):
        yield from at(total, rows)
