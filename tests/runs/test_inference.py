"""Tests and intervals against exact enumeration, closed forms and simulation."""

from __future__ import annotations

import math
from itertools import product
from statistics import fmean

import numpy as np
import pytest

from runs.inference import (
    EXACT_UP_TO,
    common_support,
    compare,
    holm,
    mcnemar,
    minimum_detectable_difference,
    permutation_test,
    two_level,
)


def enumerated(data: list[float]) -> float:
    observed = abs(sum(data))
    hits = [
        abs(sum(s * d for s, d in zip(signs, data, strict=True))) >= observed - 1e-9
        for signs in product((1, -1), repeat=len(data))
    ]
    return sum(hits) / len(hits)


@pytest.mark.parametrize("data", [[1.0], [1.0, -1.0], [0.5, 0.25, 0.125], [0.0, 0.0], [1.0, 2.0, 3.0, -0.5, 0.1, 0.7]])
def test_small_permutation_tests_are_exact(data: list[float]) -> None:
    p, exact = permutation_test(data, 10, 0)
    assert exact and p == pytest.approx(enumerated(data))


def test_a_large_permutation_test_agrees_with_the_normal_one() -> None:
    rng = np.random.default_rng(3)
    data = list(rng.normal(0.2, 1.0, 200))
    p, exact = permutation_test(data, 20_000, 0)
    z = fmean(data) / math.sqrt(fmean([d * d for d in data]) / len(data))
    assert not exact and p is not None
    assert p == pytest.approx(math.erfc(abs(z) / math.sqrt(2)), abs=0.01)


def test_a_permutation_p_value_is_never_zero_and_none_without_data() -> None:
    p, _ = permutation_test([1.0] * (EXACT_UP_TO + 20), 99, 0)
    assert p == pytest.approx(1 / 100)
    assert permutation_test([], 99, 0) == (None, True)


def test_an_a_a_comparison_is_significant_about_as_often_as_it_says() -> None:
    rng = np.random.default_rng(11)
    found = 0
    for i in range(300):
        tasks = rng.random(30)
        first = {str(t): [float(v) for v in tasks[t] + rng.normal(0, 0.2, 3)] for t in range(30)}
        second = {str(t): [float(v) for v in tasks[t] + rng.normal(0, 0.2, 3)] for t in range(30)}
        p = compare(first, second, 400, i).p_value
        found += p is not None and p <= 0.05
    assert 4 <= found <= 29


def test_the_two_level_interval_is_wider_than_one_that_takes_repeats_for_tasks() -> None:
    rng = np.random.default_rng(5)
    tasks = rng.normal(0, 1, 12)
    repeats = [[float(v) for v in t + rng.normal(0, 0.1, 8)] for t in tasks]
    honest = two_level(repeats, 4000, 0)
    flat = two_level([[v] for r in repeats for v in r], 4000, 0)
    assert honest.low is not None and honest.high is not None and flat.low is not None and flat.high is not None
    assert honest.high - honest.low > 2 * (flat.high - flat.low)
    assert honest.mean == pytest.approx(fmean(fmean(r) for r in repeats))


def test_the_two_level_interval_covers_about_as_often_as_it_says() -> None:
    rng = np.random.default_rng(2)
    covered = 0
    for i in range(250):
        repeats = [[float(t + v) for v in rng.normal(0, 0.5, 1 + k % 3)] for k, t in enumerate(rng.normal(0.3, 1, 40))]
        found = two_level(repeats, 300, i)
        covered += found.low is not None and found.high is not None and found.low <= 0.3 <= found.high
    assert 0.88 <= covered / 250 <= 1.0


def test_intervals_of_next_to_nothing() -> None:
    assert two_level([], 10, 0).mean is None
    assert (two_level([[1.0, 0.0]], 10, 0).mean, two_level([[1.0, 0.0]], 10, 0).low) == (0.5, None)


def test_comparison_is_paired_on_common_tasks() -> None:
    found = compare({"a": [0.0, 1.0], "b": [0.5], "c": [9.0]}, {"a": [1.0, 1.0], "b": [0.5], "d": [9.0]}, 100, 0)
    assert (found.difference.n, found.difference.mean) == (2, 0.25)
    assert found.exact and found.p_value == 1.0


@pytest.mark.parametrize(
    ("only_first", "only_second", "p"), [(0, 0, 1.0), (0, 5, 0.0625), (1, 9, 2 * 11 / 1024), (3, 3, 1.0)]
)
def test_mcnemar_is_the_exact_binomial(only_first: int, only_second: int, p: float) -> None:
    first = {f"f{i}": True for i in range(only_first)} | {f"s{i}": False for i in range(only_second)} | {"both": True}
    second = {f"f{i}": False for i in range(only_first)} | {f"s{i}": True for i in range(only_second)} | {"both": True}
    found = mcnemar(first, second | {"alone": True})
    assert (found.n, found.only_first, found.only_second) == (only_first + only_second + 1, only_first, only_second)
    assert found.p_value == pytest.approx(p)


def test_mcnemar_without_common_tasks_says_nothing() -> None:
    assert mcnemar({"a": True}, {"b": False}).p_value is None


def test_holm_on_a_worked_example() -> None:
    assert holm({"a": 0.01, "b": 0.04, "c": 0.03, "d": 0.005}) == pytest.approx(
        {"d": 0.02, "a": 0.03, "c": 0.06, "b": 0.06}
    )
    assert holm({}) == {} and holm({"x": 0.9, "y": 0.8}) == {"y": 1.0, "x": 1.0}


def test_the_minimum_detectable_difference_is_found_with_about_its_power() -> None:
    n, deviation = 60, 0.4
    effect = minimum_detectable_difference(n, deviation)
    assert effect is not None
    rng = np.random.default_rng(9)
    found = 0
    for i in range(200):
        p, _ = permutation_test(list(rng.normal(effect, deviation, n)), 400, i)
        found += p is not None and p <= 0.05
    assert 0.7 <= found / 200 <= 0.9
    assert minimum_detectable_difference(1, 1.0) is None
    more = minimum_detectable_difference(n, deviation, comparisons=10)
    assert more is not None and more > effect


def test_common_support_warns_when_the_order_of_arms_changes() -> None:
    found = common_support({"a": {"x": 0.4, "easy": 1.0}, "b": {"x": 0.5}, "c": {"x": 0.1, "easy": 0.2}})
    assert found.available["a"] == (2, 0.7) and found.common["a"] == (1, 0.4)
    assert found.reordered == (("a", "b"),)
    assert common_support({}).reordered == ()
    assert common_support({"a": {"x": 1.0}, "b": {}}).common == {"a": (0, None), "b": (0, None)}
