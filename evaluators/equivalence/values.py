"""Values by type: small ones in order, random ones, near misses of a value, and smaller ones than a value.

A `Domain` speaks of the evaluator's data (docs/engine.md, "Values"). Types without one (functions, maps, structures
with proofs inside) are `None`: their values come from labelled examples only.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any, Final, Protocol, TypeAlias

from specgen.lean import core
from specgen.lean.core import Const, Term
from specgen.lean.eval.printing import Printer
from specgen.lean.eval.types import Types
from specgen.lean.eval.values import Arr, from_list, to_list

Weight: TypeAlias = tuple[int, int, int]
"""How big a value is: cells, then magnitudes, then signs. Smaller is simpler, compared in this order."""

_CHARS: Final = "ab 0A1zZ-9.(,"
_WIDTHS: Final = {"UInt8": 8, "UInt16": 16, "UInt32": 32, "UInt64": 64}
_MAX_DEPTH: Final = 3


@dataclass(frozen=True, slots=True)
class Pool:
    """Constants worth trying: those the contracts mention, and their neighbours."""

    numbers: tuple[int, ...] = ()
    texts: tuple[str, ...] = ()

    def of(self, head: str) -> tuple[Any, ...]:
        """Return those of a scalar type."""
        match head:
            case "Nat":
                return tuple([n for n in self.numbers if n >= 0])
            case "Int":
                return self.numbers
            case "Rat":
                return tuple([Fraction(n) for n in self.numbers])
            case "Char":
                return tuple([t for t in self.texts if len(t) == 1])
            case "String":
                return self.texts
            case _:
                return ()


class Domain(Protocol):
    """The values of one type."""

    def small(self, level: int) -> list[Any]:
        """Return the values up to a level (0, 1, 2, …), simplest first; every value has a level, a level is finite."""
        ...

    def random(self, rng: Random, size: int, pool: Pool) -> Any:
        """Return a value of about that size."""
        ...

    def near(self, value: Any, pool: Pool) -> Iterator[Any]:
        """Yield values near one, nearest first; some may be equal to it."""
        ...

    def smaller(self, value: Any) -> Iterator[Any]:
        """Yield values of less weight, the biggest steps first."""
        ...

    def weight(self, value: Any) -> Weight:
        """Return how big a value is."""
        ...


def add(weights: Sequence[Weight], cells: int = 0) -> Weight:
    """Return the weight of something made of parts, in some further cells."""
    return (cells + sum(w[0] for w in weights), sum(w[1] for w in weights), sum(w[2] for w in weights))


@dataclass(frozen=True, slots=True)
class Number:
    """Nat, Int, Rat, Float, and what is bounded: values in `least … most` where those are given."""

    head: str
    least: int | None = None
    most: int | None = None

    def _fits(self, value: Any) -> bool:
        return (self.least is None or value >= self.least) and (self.most is None or value <= self.most)

    def _cast(self, value: Any) -> Any:
        if self.head == "Float":
            return float(value)
        return Fraction(value) if self.head == "Rat" else int(value)

    def small(self, level: int) -> list[Any]:
        """Return 0, 1, -1, … and for rationals the halves between."""
        out = [0]
        for n in range(1, (1, 3, 5, 9)[min(level, 3)] + 1):
            out += [n, -n]
        values = [self._cast(n) for n in out if self._fits(n)]
        if self.head == "Rat" and level:
            values += [Fraction(n, 2) for n in (1, -1, 3, -3)]
        return values

    def random(self, rng: Random, size: int, pool: Pool) -> Any:
        """Return a number of about `size` digits' worth, now and then one of the pool."""
        known = [n for n in pool.of(self.head) if self._fits(n)]
        if known and rng.random() < 0.3:
            return rng.choice(known)
        bound = rng.choice((3, 10, 10, 10 * size + 1, 1000, 10**6))
        low = max(-bound, self.least) if self.least is not None else -bound
        high = min(bound, self.most) if self.most is not None else bound
        n = rng.randint(low, max(low, high))
        return Fraction(n, rng.choice((1, 1, 2, 3, 4))) if self.head == "Rat" else self._cast(n)

    def near(self, value: Any, pool: Pool) -> Iterator[Any]:
        """Yield neighbours, the negation, the double, zero, constants of the pool."""
        if value != value:  # not a number
            yield self._cast(0)
            return
        for new in (value + 1, value - 1, -value, 0, 1, 2 * value, value + 2, value - 2, *pool.of(self.head), 999):
            if self._fits(new):
                yield self._cast(new)
        if self.head == "Rat":
            yield value / 2
        elif self.head != "Float" and self._fits(value // 2):
            yield value // 2

    def smaller(self, value: Any) -> Iterator[Any]:
        """Yield numbers nearer to 0, then whole ones, then the positive one of the same size."""
        if self.head == "Float":
            if value == value and abs(value) > 0 and abs(value) < 1e300:
                yield from [v for v in (0.0, float(int(value) // 2), float(int(value))) if v != value]
            return
        whole = int(value)
        seen = [value]
        for new in (0, whole // 2 if whole > 0 else -(-whole // 2), whole, whole - 1, whole + 1, -whole, -value):
            cast = self._cast(new)
            if self._fits(cast) and cast not in seen and self.weight(cast) < self.weight(value):
                seen.append(cast)
                yield cast

    def weight(self, value: Any) -> Weight:
        """Return the distance from 0; a denominator counts beside it."""
        if self.head == "Float":
            finite = value == value and abs(value) < 1e300
            return (1, int(abs(value) * 1024) if finite else 1 << 1000, int(value < 0))
        if isinstance(value, Fraction):
            return (1, abs(value.numerator) + value.denominator - 1, int(value < 0))
        return (1, abs(value), int(value < 0))


@dataclass(frozen=True, slots=True)
class Choice:
    """A few values: those of a finite type, or those that are known; as big as each other but for their place."""

    values: tuple[Any, ...]

    def small(self, level: int) -> list[Any]:
        """Return all of them."""
        return list(self.values)

    def random(self, rng: Random, size: int, pool: Pool) -> Any:
        """Return one of them."""
        return rng.choice(self.values)

    def near(self, value: Any, pool: Pool) -> Iterator[Any]:
        """Yield the others."""
        yield from [v for v in self.values if v is not value]

    def smaller(self, value: Any) -> Iterator[Any]:
        """Yield those before it."""
        yield from self.values[: self._place(value)]

    def weight(self, value: Any) -> Weight:
        """Return the place."""
        return (1, self._place(value), 0)

    def _place(self, value: Any) -> int:
        """Return the place of a value; one that is not among them comes last."""
        return next((i for i, v in enumerate(self.values) if v is value or v == value), len(self.values))


@dataclass(frozen=True, slots=True)
class Character:
    """Char: simple letters first."""

    def small(self, level: int) -> list[Any]:
        """Return the first few simple characters."""
        return list(_CHARS[: (2, 4, 7, 13)[min(level, 3)]])

    def random(self, rng: Random, size: int, pool: Pool) -> Any:
        """Return a printable character."""
        known = pool.of("Char")
        if known and rng.random() < 0.4:
            return rng.choice(known)
        return rng.choice(_CHARS) if rng.random() < 0.6 else chr(rng.randint(32, 126))

    def near(self, value: Any, pool: Pool) -> Iterator[Any]:
        """Yield neighbours, the other case, and simple ones."""
        for code in (ord(value) + 1, ord(value) - 1):
            if 0 <= code < 0xD800:
                yield chr(code)
        swapped = value.swapcase()
        if len(swapped) == 1:
            yield swapped
        yield from ("a", " ", "0", *pool.of("Char"))

    def smaller(self, value: Any) -> Iterator[Any]:
        """Yield simple characters before it."""
        yield from [c for c in _CHARS if self.weight(c) < self.weight(value)]

    def weight(self, value: Any) -> Weight:
        """Return the place among the simple characters; others come after them."""
        at = _CHARS.find(value)
        return (1, at if at >= 0 else 20 + ord(value), 0)


@dataclass(frozen=True, slots=True)
class Sequence_:  # noqa: N801 - `Sequence` is the abstract class
    """Lists, arrays and strings: sequences of a domain, by how they are stored."""

    kind: str
    item: Domain

    def items(self, value: Any) -> list[Any]:
        """Return the elements."""
        if self.kind == "List":
            return from_list(value)
        return value.tolist() if self.kind == "Array" else list(value)

    def build(self, items: Sequence[Any]) -> Any:
        """Return the value with these elements."""
        if self.kind == "List":
            return to_list(list(items))
        return Arr(list(items)) if self.kind == "Array" else "".join(items)

    def small(self, level: int) -> list[Any]:
        """Return sequences up to a length over few elements."""
        longest, many = ((1, 2), (2, 3), (3, 4), (4, 4))[min(level, 3)]
        alphabet = self.item.small(max(0, level - 1))[:many]
        if self.kind == "String" and level < 2:
            alphabet = alphabet[:2]
        out: list[Any] = []
        for n in range(longest + 1):
            out += [self.build(xs) for xs in itertools.islice(itertools.product(alphabet, repeat=n), 200)]
        return out

    def random(self, rng: Random, size: int, pool: Pool) -> Any:
        """Return a sequence of length up to `size`; now and then sorted, or with repetitions."""
        if self.kind == "String" and pool.texts and rng.random() < 0.2:
            return rng.choice(pool.texts)
        xs = [self.item.random(rng, max(1, size // 2), pool) for _ in range(rng.randint(0, size))]
        shape = rng.random()
        if xs and shape < 0.25:
            xs = [rng.choice(xs[: max(1, len(xs) // 2)]) for _ in xs]
        if shape > 0.7:
            xs.sort(key=self.item.weight)
        if shape > 0.85 and all(isinstance(x, int) for x in xs):
            xs.sort()
        return self.build(xs)

    def near(self, value: Any, pool: Pool) -> Iterator[Any]:
        """Yield sequences with an element dropped, doubled, swapped, changed, added; reversed, sorted, empty."""
        xs = self.items(value)
        for at in dict.fromkeys((0, len(xs) - 1, len(xs) // 2)):
            if not 0 <= at < len(xs):
                continue
            yield self.build(xs[:at] + xs[at + 1 :])
            yield self.build([*xs[: at + 1], *xs[at:]])
            for new in itertools.islice(self.item.near(xs[at], pool), 3):
                yield self.build([*xs[:at], new, *xs[at + 1 :]])
            if at + 1 < len(xs):
                yield self.build([*xs[:at], xs[at + 1], xs[at], *xs[at + 2 :]])
        for new in self.item.small(0)[:2]:
            yield self.build([*xs, new])
            yield self.build([new, *xs])
        yield self.build(xs[::-1])
        yield self.build(sorted(xs, key=self.item.weight))
        yield self.build([])
        if self.kind == "String":
            yield from pool.texts

    def smaller(self, value: Any) -> Iterator[Any]:
        """Yield sequences with fewer elements, then with smaller ones."""
        xs = self.items(value)
        n = len(xs)
        size = n
        while size:
            for at in range(0, n, size):
                yield self.build(xs[:at] + xs[at + size :])
            size //= 2
        for at, x in enumerate(xs[:12]):
            for new in self.item.smaller(x):
                yield self.build([*xs[:at], new, *xs[at + 1 :]])

    def weight(self, value: Any) -> Weight:
        """Return one cell and those of the elements."""
        return add([self.item.weight(x) for x in self.items(value)], 1)


@dataclass(frozen=True, slots=True)
class Optional_:  # noqa: N801 - `Optional` is typing's
    """Option: `none`, and `some` of a domain."""

    item: Domain

    def small(self, level: int) -> list[Any]:
        """Return `none` and the small values."""
        return [None, *[(x,) for x in self.item.small(level)]]

    def random(self, rng: Random, size: int, pool: Pool) -> Any:
        """Return `none` one time in four."""
        return None if rng.random() < 0.25 else (self.item.random(rng, size, pool),)

    def near(self, value: Any, pool: Pool) -> Iterator[Any]:
        """Yield `none`, and neighbours of what is inside."""
        if value is None:
            yield from [(x,) for x in self.item.small(0)[:3]]
        else:
            yield None
            yield from [(x,) for x in self.item.near(value[0], pool)]

    def smaller(self, value: Any) -> Iterator[Any]:
        """Yield `none`, and smaller insides."""
        if value is not None:
            yield None
            yield from [(x,) for x in self.item.smaller(value[0])]

    def weight(self, value: Any) -> Weight:
        """Return one cell, and that of the inside."""
        return (1, 0, 0) if value is None else add([self.item.weight(value[0])], 1)


@dataclass(frozen=True, slots=True)
class Tuple:
    """Pairs and structures: a tuple of fields (`tag` in front for a constructor of an inductive type)."""

    fields: tuple[Domain, ...]
    tag: int | None = None

    def parts(self, value: Any) -> tuple[Any, ...]:
        """Return the fields of a value."""
        found: tuple[Any, ...] = value if self.tag is None else value[1:]
        return found

    def build(self, parts: Sequence[Any]) -> Any:
        """Return the value with these fields."""
        return tuple(parts) if self.tag is None else (self.tag, *parts)

    def small(self, level: int) -> list[Any]:
        """Return combinations of small fields."""
        most = (3, 5, 7, 9)[min(level, 3)]
        options = [f.small(level)[:most] for f in self.fields]
        return [self.build(c) for c in itertools.islice(itertools.product(*options), 100)]

    def random(self, rng: Random, size: int, pool: Pool) -> Any:
        """Return random fields."""
        return self.build([f.random(rng, size, pool) for f in self.fields])

    def near(self, value: Any, pool: Pool) -> Iterator[Any]:
        """Yield values with one field changed, and the first two swapped where they have the same domain."""
        parts = self.parts(value)
        for i, (field, part) in enumerate(zip(self.fields, parts, strict=True)):
            for new in field.near(part, pool):
                yield self.build([*parts[:i], new, *parts[i + 1 :]])
        if len(parts) >= 2 and self.fields[0] == self.fields[1]:
            yield self.build([parts[1], parts[0], *parts[2:]])

    def smaller(self, value: Any) -> Iterator[Any]:
        """Yield values with one smaller field."""
        parts = self.parts(value)
        for i, (field, part) in enumerate(zip(self.fields, parts, strict=True)):
            for new in field.smaller(part):
                yield self.build([*parts[:i], new, *parts[i + 1 :]])

    def weight(self, value: Any) -> Weight:
        """Return the fields' together."""
        return add([f.weight(p) for f, p in zip(self.fields, self.parts(value), strict=True)], 1)


@dataclass(frozen=True, slots=True)
class Tagged:
    """An inductive type: one `Tuple` for each constructor, recursive fields cut off at some depth."""

    constructors: tuple[Tuple, ...]

    def _of(self, value: Any) -> Tuple | None:
        return next((c for c in self.constructors if c.tag == value[0]), None)

    def small(self, level: int) -> list[Any]:
        """Return the small values of each constructor."""
        return [v for c in self.constructors for v in c.small(level)][:200]

    def random(self, rng: Random, size: int, pool: Pool) -> Any:
        """Return a value of a random constructor."""
        return rng.choice(self.constructors).random(rng, size, pool)

    def near(self, value: Any, pool: Pool) -> Iterator[Any]:
        """Yield neighbours under the same constructor, and simple values of the others."""
        own = self._of(value)
        if own is not None and self._known(own, value):
            yield from own.near(value, pool)
        for other in self.constructors:
            if other is not own:
                yield from other.small(0)[:2]

    def smaller(self, value: Any) -> Iterator[Any]:
        """Yield simple values of less weight."""
        weight = self.weight(value)
        yield from [v for v in self.small(0) if self.weight(v) < weight]

    def _known(self, own: Tuple, value: Any) -> bool:
        return len(own.fields) == len(value) - 1 and _cells(value) <= 12

    def weight(self, value: Any) -> Weight:
        """Return the number of cells; magnitudes inside are not looked at."""
        return (_cells(value), value[0], 0)


def _cells(value: Any) -> int:
    """Count the scalars and constructors of a value of nested tuples (iterative: values may be deep)."""
    count, left = 0, [value]
    while left:
        v = left.pop()
        count += 1
        if isinstance(v, tuple):
            left.extend(v)
    return count


def domain(types: Types, type_: Term, depth: int = 0) -> Domain | None:
    """Return the domain of a type, None where there is none."""
    head, args = core.unfold_app(types.normal_type(type_))
    name = head.name if isinstance(head, Const) else ""
    own = name in types.env.constants
    scalar = None if own else _scalar(types, name, args)
    if scalar is not None or depth > _MAX_DEPTH:
        return scalar
    if not own and name in ("List", "Array", "Option"):
        item = domain(types, args[0], depth + 1)
        if item is None:
            return None
        return Optional_(item) if name == "Option" else Sequence_(name, item)
    return _inductive(types, name, args, depth)


def _scalar(types: Types, name: str, args: tuple[Term, ...]) -> Domain | None:
    match name:
        case "Nat":
            return Number("Nat", 0)
        case "Int" | "Rat" | "Float":
            return Number(name)
        case "Bool":
            return Choice((False, True))
        case "Unit" | "PUnit":
            return Choice(((),))
        case "Char":
            return Character()
        case "String":
            return Sequence_("String", Character())
        case "Fin":
            n = types.nat_literal(types.normal_type(args[0]))
            return Number(name, 0, n - 1) if n else None
        case "BitVec":
            n = types.nat_literal(types.normal_type(args[0]))
            return Number(name, 0, (1 << n) - 1) if n else None
        case _:
            return Number(name, 0, (1 << _WIDTHS[name]) - 1) if name in _WIDTHS else None


def _inductive(types: Types, name: str, args: tuple[Term, ...], depth: int) -> Domain | None:
    layout = types.layout(name)
    if layout is None or layout.shape not in ("tuple", "enum", "tagged") or not all(all(r) for r in layout.relevant):
        return None
    if layout.info.is_class or layout.info.indices:
        return None
    if layout.shape == "enum":
        return Choice(tuple(range(len(layout.info.constructors))))
    printer, found = Printer(types), []
    for tag in range(len(layout.info.constructors)):
        fields = [domain(types, t, depth + 1) for _, t in printer.fields(layout, tag, args)]
        if all(f is not None for f in fields):
            kept = tuple([f for f in fields if f is not None])
            found.append(Tuple(kept, tag if layout.shape == "tagged" else None))
    if layout.shape == "tuple":
        return found[0] if found else None
    return Tagged(tuple(found)) if found else None
