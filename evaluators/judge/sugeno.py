"""The score of a judged contract: the Sugeno integral of its items' verdicts (LeanScorer, arXiv 2506.07047).

A verdict is A (match, f = 1), B (minor inconsistency, f = 1/2) or C (major inconsistency, f = 0). The measure of a set
S of items, with n the number of all items and b the number of B in S:

    mu(S) = 0                          when any item at all is C
    mu(S) = 1                          when all items are A and S holds all of them
    mu(S) = |S|/n * (1 - 0.2 b)        for b >= 2, not below 0
    mu(S) = |S|/n * (1 - 0.1 b)        otherwise

With the items in ascending order of f the score is max over i of min(f_(i), mu(items from i on)). It takes any number
of items as they are. Everything is exact: verdicts and scores are rational numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import Literal, TypeAlias

Verdict: TypeAlias = Literal["A", "B", "C"]

VALUE: Mapping[Verdict, Fraction] = MappingProxyType({"A": Fraction(1), "B": Fraction(1, 2), "C": Fraction(0)})
"""f, how well an item is met."""


def measure(subset: Sequence[Verdict], verdicts: Sequence[Verdict]) -> Fraction:
    """Return mu of a subset of the items, in [0, 1]; `verdicts` are those of all items.

    Raises:
        ValueError: there are no items.
    """
    if not verdicts:
        raise ValueError("the measure needs at least one item")
    if "C" in verdicts:
        return Fraction(0)
    b = subset.count("B")
    penalty = Fraction(b, 5) if b >= 2 else Fraction(b, 10)
    return Fraction(len(subset), len(verdicts)) * max(Fraction(0), 1 - penalty)


def sugeno(verdicts: Sequence[Verdict]) -> Fraction:
    """Return the score of a contract from the verdicts on its items, in [0, 1]; 1 is best.

    Raises:
        ValueError: there are no items.
    """
    ascending = sorted(verdicts, key=lambda v: VALUE[v])
    if not ascending:
        raise ValueError("the score needs at least one item")
    return max(min(VALUE[v], measure(ascending[i:], ascending)) for i, v in enumerate(ascending))


def bounds(verdicts: Sequence[Verdict | None]) -> tuple[Fraction, Fraction]:
    """Return the least and the greatest score that verdicts which are not known (None) leave possible.

    The score never falls when one verdict improves, so the ends are those with every unknown C, and every unknown A.

    Raises:
        ValueError: there are no items.
    """
    return sugeno([v or "C" for v in verdicts]), sugeno([v or "A" for v in verdicts])
