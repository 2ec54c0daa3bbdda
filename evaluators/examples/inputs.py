"""Further inputs of a task: like its examples, and just outside what its precondition admits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import islice
from random import Random

from evaluators.examples.kinds import Kind, Plain
from evaluators.examples.model import OriginKind
from evaluators.examples.mutations import FAR, MIDDLE, NEAR, Mutation, in_turns, mutations
from evaluators.examples.pool import pool_of
from evaluators.examples.shapes import BOLD, Caution, Shape, diagonal

_SMALL = 24
"""Small values of one parameter that are combined."""

_SMALL_INPUTS = 80
_DRAWS = 400

Values = tuple[Plain, ...]
"""An input as plain values; None for a parameter of an opaque type, which an example lends its own value."""

Proposal = tuple[OriginKind, str, int, Values]
"""Origin, operator, the example that it was made from (-1: none), and the input."""


class InputSpace:
    """The inputs of a task as far as its examples show them.

    Args:
        kinds: kinds of the parameters.
        examples: inputs that the task admits, None for opaque parameters.
        caution: what must be as in the examples.
    """

    def __init__(self, kinds: Sequence[Kind], examples: Sequence[Values], caution: Caution = BOLD) -> None:
        self.kinds = list(kinds)
        self.examples = list(examples)
        self.open = [i for i, k in enumerate(kinds) if not k.opaque()]
        self.shapes = {i: Shape(self.kinds[i], [x[i] for x in examples], caution) for i in self.open}
        self.pool = pool_of((self.kinds[i], x[i]) for x in examples for i in self.open)
        self.tied = self._tied()

    def _lengths(self, x: Values) -> dict[int, int]:
        return {i: len(x[i]) for i in self.open if self.kinds[i].is_sequence or self.kinds[i].head == "String"}

    def _tied(self) -> list[tuple[int, int]]:
        """Return pairs of parameters that were of equal length in every example, when that says something."""
        rows = [self._lengths(x) for x in self.examples]
        if len({tuple(r.values()) for r in rows}) < 3:
            return []
        ids = sorted(rows[0])
        return [(i, j) for a, i in enumerate(ids) for j in ids[a + 1 :] if all(r[i] == r[j] for r in rows)]

    def conforms(self, x: Values) -> bool:
        """Tell whether an input is in range and keeps to what the examples have in common."""
        if not all(self.kinds[i].admits(x[i]) and self.shapes[i].conforms(x[i]) for i in self.open):
            return False
        return all(len(x[i]) == len(x[j]) for i, j in self.tied)

    # ---- inputs like the examples

    def further(self, rng: Random) -> Iterator[Proposal]:
        """Yield inputs that conform, the sources taking turns: small, perturbed, recombined, drawn ones."""
        if not self.examples or not self.open:
            return
        sources = [self._small(), self._perturbed(rng), self._recombined(rng), self._shaped(rng)]
        while sources:
            for source in list(sources):
                found = next(source, None)
                if found is None:
                    sources.remove(source)
                elif self.conforms(found[3]):
                    yield found

    def _small(self) -> Iterator[Proposal]:
        if len(self.open) < len(self.kinds):
            return
        rows = [self.shapes[i].small(_SMALL) for i in self.open]
        for x in islice(diagonal(rows), _SMALL_INPUTS):
            yield "small", "", -1, x

    def _perturbed(self, rng: Random) -> Iterator[Proposal]:
        rows = [self._mutated(i, rng) for i in range(len(self.examples))]
        longest = max(map(len, rows), default=0)
        for turn in range(longest):
            for row in rows:
                if turn < len(row):
                    yield row[turn]

    def _mutated(self, at: int, rng: Random) -> list[Proposal]:
        x = self.examples[at]
        found: list[Mutation] = []
        for i in self.open:
            for m in mutations(self.kinds[i], x[i], rng, self.pool):
                found.append(Mutation(f"parameter {i + 1}: {m.operator}", m.distance, (*x[:i], m.value, *x[i + 1 :])))
        return [("perturbed", m.operator, at, m.value) for m in in_turns(found, rng)[:40]]

    def _recombined(self, rng: Random) -> Iterator[Proposal]:
        if len(self.open) < 2 or len(self.examples) < 2:
            return
        for _ in range(_DRAWS // 4):
            at = rng.randrange(len(self.examples))
            x = list(self.examples[at])
            for i in self.open:
                if rng.random() < 0.5:
                    x[i] = rng.choice(self.examples)[i]
            yield "recombined", "", at, tuple(x)

    def _shaped(self, rng: Random) -> Iterator[Proposal]:
        for _ in range(_DRAWS):
            at = rng.randrange(len(self.examples))
            x = list(self.examples[at])
            for i in self.open:
                if rng.random() < 0.8:
                    x[i] = self.shapes[i].sample(rng)
            for i, j in self.tied:
                shorter = min(len(x[i]), len(x[j]))
                x[i], x[j] = x[i][:shorter], x[j][:shorter]
            self._indices(x, rng)
            yield "shaped", "", at, tuple(x)

    def _indices(self, x: list[Plain], rng: Random) -> None:
        """Let a number sometimes be a place in one of the sequences."""
        lengths = [n for n in self._lengths(tuple(x)).values() if n]
        for i in self.open:
            if lengths and self.kinds[i].is_number and rng.random() < 0.3:
                x[i] = rng.randrange(rng.choice(lengths))

    # ---- inputs just outside

    def outside(self, rng: Random) -> Iterator[Proposal]:
        """Yield inputs near the examples that a precondition might refuse, spread over examples and parameters."""
        rows = [in_turns(self._boundary(x, rng), rng) for x in self.examples]
        order = list(range(len(rows)))
        rng.shuffle(order)
        longest = max(map(len, rows), default=0)
        for turn in range(longest):
            for at in order:
                if turn < len(rows[at]):
                    made = rows[at][turn]
                    yield "boundary", made.operator, at, made.value

    def _boundary(self, x: Values, rng: Random) -> list[Mutation]:
        found: list[Mutation] = []
        for i in self.open:
            kind = self.kinds[i]
            changed = [*self._numbers(i, x), *_foreign(kind, x[i]), *mutations(kind, x[i], rng, self.pool)]
            for m in changed:
                if kind.head == "Rat":
                    m = replace(m, value=Fraction(m.value))
                if kind.admits(m.value) and m.value != x[i]:
                    whole = (*x[:i], m.value, *x[i + 1 :])
                    found.append(Mutation(f"parameter {i + 1}: {m.operator}", m.distance, whole))
            for j in self.open:
                if j > i and kind == self.kinds[j]:
                    swapped = list(x)
                    swapped[i], swapped[j] = x[j], x[i]
                    found.append(Mutation(f"parameters {i + 1} and {j + 1} swapped", NEAR, tuple(swapped)))
        return found

    def _numbers(self, at: int, x: Values) -> Iterator[Mutation]:
        """Yield boundary values of a number: 0, -1, lengths, other numbers of the input, and beyond what was seen."""
        if not self.kinds[at].is_number and self.kinds[at].head != "Rat":
            return
        yield Mutation("zero", NEAR, 0)
        yield Mutation("minus one as a value", NEAR, -1)
        for length in self._lengths(x).values():
            yield Mutation("a length", NEAR, length)
            yield Mutation("a length plus one", MIDDLE, length + 1)
        for j in self.open:
            if j != at and self.kinds[j].is_number:
                yield Mutation("another number", NEAR, x[j])
                yield Mutation("another number plus one", MIDDLE, x[j] + 1)
                yield Mutation("another number minus one", MIDDLE, x[j] - 1)
        largest = max((abs(v[at]) for v in self.examples), default=0)
        yield Mutation("beyond the largest", MIDDLE, 2 * largest + 1)
        yield Mutation("huge", FAR, 10**6 + largest)


def _foreign(kind: Kind, value: Plain) -> Iterator[Mutation]:
    """Yield texts with a character that texts of a special form do not have."""
    if kind.head == "String":
        yield Mutation("foreign character", NEAR, value + "#")
        yield Mutation("foreign character", NEAR, "x" + value[1:])
        yield Mutation("foreign character", MIDDLE, " " + value)
        yield Mutation("foreign character", MIDDLE, value + "7")
    elif kind.head == "Char":
        for c in "#x7 ":
            yield Mutation("foreign character", NEAR, c)
