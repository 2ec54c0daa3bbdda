"""The Sugeno integral against its definition by brute force, and against an algebraic form."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import chain, combinations, permutations

import pytest

from evaluators.judge.sugeno import Verdict, bounds, measure, sugeno

MOST = 11


def multisets() -> Iterator[tuple[int, int, int]]:
    """Counts of A, B and C, of 1 to 11 items."""
    for n in range(1, MOST + 1):
        for a in range(n + 1):
            for b in range(n - a + 1):
                yield a, b, n - a - b


def labels(a: int, b: int, c: int) -> list[Verdict]:
    order: list[tuple[Verdict, int]] = [("A", a), ("B", b), ("C", c)]
    return [v for v, count in order for _ in range(count)]


def mu(a: int, b: int, of: tuple[int, int, int]) -> Fraction:
    """The measure of a set with so many A and B (and no C), as the definition has it."""
    n = sum(of)
    if of[2]:
        return Fraction(0)
    if a == n:
        return Fraction(1)
    share = Fraction(a + b, n)
    return max(Fraction(0), share * (1 - Fraction(2, 10) * b) if b >= 2 else share * (1 - Fraction(1, 10) * b))


def by_thresholds(a: int, b: int, c: int) -> Fraction:
    """Sugeno's other form for a chain: the greatest over subsets that are tails of the order of min(least f, mu)."""
    f = sorted([*[Fraction(1)] * a, *[Fraction(1, 2)] * b, *[Fraction(0)] * c])
    best = Fraction(0)
    for size in range(1, len(f) + 1):
        tail = f[len(f) - size :]
        kept_a, kept_b = tail.count(Fraction(1)), tail.count(Fraction(1, 2))
        best = max(best, min(*tail, mu(kept_a, kept_b, (a, b, c))))
    return best


def algebraic(a: int, b: int, c: int) -> Fraction:
    """Any C is 0. Else a/n from the A alone, or with one or two B more, which is worth at most 1/2. A third B never
    wins: (a + 3)(1 - 3/5) <= (a + 2)(1 - 2/5), and later ones lose more.
    """
    if c:
        return Fraction(0)
    n = a + b
    candidates = [Fraction(a, n)]
    half = Fraction(1, 2)
    if b >= 1:
        candidates.append(min(half, Fraction(9 * (a + 1), 10 * n)))
    if b >= 2:
        candidates.append(min(half, Fraction(3 * (a + 2), 5 * n)))
    return max(candidates)


@pytest.mark.parametrize("n", range(1, MOST + 1))
def test_every_multiset_of_labels(n: int) -> None:
    seen = 0
    for counts in multisets():
        if sum(counts) != n:
            continue
        seen += 1
        score = sugeno(labels(*counts))
        assert score == by_thresholds(*counts) == algebraic(*counts), counts
    assert seen == (n + 1) * (n + 2) // 2


@pytest.mark.parametrize("n", range(1, 6))
def test_order_of_items_does_not_matter(n: int) -> None:
    for counts in multisets():
        if sum(counts) == n:
            assert {sugeno(list(p)) for p in permutations(labels(*counts))} == {sugeno(labels(*counts))}


def test_a_better_verdict_never_lowers_the_score() -> None:
    for a, b, c in multisets():
        here = sugeno(labels(a, b, c))
        if c:
            assert sugeno(labels(a, b + 1, c - 1)) >= here
            assert sugeno(labels(a + 1, b, c - 1)) >= here
        if b:
            assert sugeno(labels(a + 1, b - 1, c)) >= here


def test_bounds_enclose_every_completion() -> None:
    for a, b, c in multisets():
        for unknown in range(1, 4):
            if a + b + c > 6:
                continue
            lower, upper = bounds([*labels(a, b, c), *[None] * unknown])
            more = [labels(x, y, unknown - x - y) for x in range(unknown + 1) for y in range(unknown - x + 1)]
            scores = [sugeno(labels(a, b, c) + extra) for extra in more]
            assert (lower, upper) == (min(scores), max(scores))


@pytest.mark.parametrize(
    ("verdicts", "score"),
    [
        ("A", Fraction(1)),
        ("B", Fraction(1, 2)),
        ("C", Fraction(0)),
        ("AAAAAAAAAAAAAAA", Fraction(1)),
        ("AAAAAAAAAAAAAAC", Fraction(0)),
        ("AAB", Fraction(2, 3)),
        ("ABB", Fraction(1, 2)),
        ("BBB", Fraction(2, 5)),
        ("BBBBB", Fraction(6, 25)),
        ("BBBBBBBBBBB", Fraction(6, 55)),
    ],
)
def test_scores_by_hand(verdicts: str, score: Fraction) -> None:
    assert sugeno(labels(*(verdicts.count(v) for v in "ABC"))) == score


def test_the_measure_on_all_subsets() -> None:
    """Any C anywhere is 0; b counts the B inside the set; never below 0."""
    whole: list[Verdict] = labels(3, 7, 0)
    subsets = chain.from_iterable(combinations(whole, k) for k in range(len(whole) + 1))
    for subset in subsets:
        assert measure(subset, whole) == mu(subset.count("A"), subset.count("B"), (3, 7, 0))
    assert measure(["A", "A"], ["A", "A", "C"]) == 0
    assert measure(labels(1, 5, 0), whole) == measure(labels(1, 6, 0), whole) == 0


@pytest.mark.parametrize("function", [sugeno, bounds])
def test_no_items_have_no_score(function: object) -> None:
    assert callable(function)
    with pytest.raises(ValueError, match="at least one item"):
        function([])
