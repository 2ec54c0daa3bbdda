"""Tests and intervals for comparisons of arms.

Everything works on paired data by task. A value of an arm on a task may have several repeats (samples, seeds of the
model); a repeat is a draw within its task, so intervals resample tasks first and repeats within tasks second.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from statistics import NormalDist, fmean

import numpy as np
from numpy.typing import NDArray

EXACT_UP_TO = 14
"""Tasks up to which a permutation test enumerates all sign changes (2^14), exactly and without a seed."""


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate with its two-sided 95 % interval; `low` and `high` are None with fewer than two tasks."""

    n: int
    mean: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """Second minus first, paired by task.

    Attributes:
        difference: mean over tasks of the difference of task means, with its two-level interval.
        p_value: two-sided permutation test that signs of the tasks' differences are exchangeable; None without tasks.
        exact: whether all sign changes were enumerated.
    """

    difference: Interval
    p_value: float | None
    exact: bool


@dataclass(frozen=True, slots=True)
class PassComparison:
    """McNemar's exact test on paired passes.

    `only_first` and `only_second` count tasks that only one side passes; `p_value` is two-sided, 1.0 with none such.
    """

    n: int
    only_first: int
    only_second: int
    p_value: float | None


@dataclass(frozen=True, slots=True)
class Support:
    """One metric's mean of each arm over all that is available, and over the tasks on which every arm has a value.

    `reordered` names pairs of arms (higher on all-available first) whose order differs on common support.
    """

    available: Mapping[str, tuple[int, float | None]]
    common: Mapping[str, tuple[int, float | None]]
    reordered: tuple[tuple[str, str], ...]


def two_level(repeats: Sequence[Sequence[float]], resamples: int, seed: int) -> Interval:
    """Return the mean over tasks of the mean over repeats with a 95 % percentile interval of a two-level bootstrap.

    Args:
        repeats: for each task at least one value.
        resamples: number of bootstrap samples: tasks with replacement, then repeats of each with replacement.
        seed: of the resampling.
    """
    if not repeats:
        return Interval(0, None, None, None)
    mean = fmean(fmean(r) for r in repeats)
    if len(repeats) < 2:
        return Interval(1, mean, None, None)
    rng = np.random.default_rng(seed)
    means = _resampled_means(repeats, resamples, rng)
    low, high = np.quantile(means, [0.025, 0.975])
    return Interval(len(repeats), mean, float(low), float(high))


def _resampled_means(
    repeats: Sequence[Sequence[float]], resamples: int, rng: np.random.Generator
) -> NDArray[np.float64]:
    tasks, most = len(repeats), max(map(len, repeats))
    sizes = np.array([len(r) for r in repeats])
    table = np.zeros((tasks, most))
    for i, values in enumerate(repeats):
        table[i, : len(values)] = values
    chosen = rng.integers(0, tasks, size=(resamples, tasks))
    total = np.zeros((resamples, tasks))
    for k in range(most):
        # The k-th draw within a task counts only where the task has so many repeats.
        within = np.floor(rng.random((resamples, tasks)) * sizes[chosen]).astype(int)
        total += np.where(k < sizes[chosen], table[chosen, within], 0.0)
    return np.asarray((total / sizes[chosen]).mean(axis=1))


def permutation_test(differences: Sequence[float], permutations: int, seed: int) -> tuple[float | None, bool]:
    """Return the two-sided p-value of the paired permutation (sign-flip) test of a mean of zero, and whether exact.

    Up to `EXACT_UP_TO` differences all sign changes are enumerated; beyond, `permutations` random ones with the
    observed one counted in (Phipson and Smyth 2010), so that p is never 0.
    """
    data = np.asarray(differences, dtype=float)
    if not len(data):
        return None, True
    observed = abs(float(data.sum()))
    slack = 1e-12 * max(1.0, float(np.abs(data).sum()))
    if len(data) <= EXACT_UP_TO:
        signs = np.array(list(product((-1.0, 1.0), repeat=len(data))))
        return float((np.abs(signs @ data) >= observed - slack).mean()), True
    rng = np.random.default_rng(seed)
    hits = 0
    for start in range(0, permutations, 1000):
        size = min(1000, permutations - start)
        signs = rng.integers(0, 2, size=(size, len(data))) * 2.0 - 1.0
        hits += int((np.abs(signs @ data) >= observed - slack).sum())
    return (hits + 1) / (permutations + 1), False


def compare(
    first: Mapping[str, Sequence[float]], second: Mapping[str, Sequence[float]], resamples: int, seed: int
) -> Comparison:
    """Compare two arms on the tasks on which both have values.

    The i-th repeats of a task are one pair (same seed prompt and sample index); the values must be aligned, as
    long as the shorter of the two.
    """
    paired = []
    for task in sorted(first.keys() & second.keys()):
        pairs = [b - a for a, b in zip(first[task], second[task], strict=False)]
        if pairs:
            paired.append(pairs)
    p_value, exact = permutation_test([fmean(p) for p in paired], resamples, seed)
    return Comparison(two_level(paired, resamples, seed), p_value, exact)


def mcnemar(first: Mapping[str, bool], second: Mapping[str, bool]) -> PassComparison:
    """Return McNemar's exact (binomial) test on the tasks that both sides decided."""
    common = first.keys() & second.keys()
    only_first = sum(first[t] and not second[t] for t in common)
    only_second = sum(second[t] and not first[t] for t in common)
    if not common:
        return PassComparison(0, 0, 0, None)
    n, k = only_first + only_second, min(only_first, only_second)
    tail = sum(math.comb(n, i) for i in range(k + 1)) / 2**n
    return PassComparison(len(common), only_first, only_second, min(1.0, 2 * tail))


def holm(p_values: Mapping[str, float]) -> dict[str, float]:
    """Return p-values adjusted for several comparisons (Holm 1979): family-wise error at most alpha."""
    order = sorted(p_values, key=lambda name: (p_values[name], name))
    out: dict[str, float] = {}
    largest = 0.0
    for rank, name in enumerate(order):
        largest = max(largest, min(1.0, (len(order) - rank) * p_values[name]))
        out[name] = largest
    return out


def minimum_detectable_difference(
    n: int, deviation: float, power: float = 0.8, alpha: float = 0.05, comparisons: int = 1
) -> float | None:
    """Return the smallest mean paired difference that a comparison of `n` tasks finds with the given power.

    Normal approximation: (z_{1-alpha/2m} + z_{power}) * deviation / sqrt(n), with `deviation` the standard deviation of
    the tasks' paired differences and m the number of comparisons (the strictest step of Holm's correction). None with
    fewer than two tasks.
    """
    if n < 2:
        return None
    normal = NormalDist()
    z = normal.inv_cdf(1 - alpha / (2 * comparisons)) + normal.inv_cdf(power)
    return z * deviation / math.sqrt(n)


def common_support(values: Mapping[str, Mapping[str, float]]) -> Support:
    """Compare the arms' means over what each has with their means over the tasks that all have.

    Args:
        values: by arm, one value a task.
    """
    shared = set.intersection(*(set(v) for v in values.values())) if values else set()
    available = {arm: _mean(list(v.values())) for arm, v in values.items()}
    common = {arm: _mean([v[t] for t in sorted(shared)]) for arm, v in values.items()}
    arms = list(values)
    reordered = []
    for a in arms:
        for b in arms:
            (_, all_a), (_, all_b), (_, com_a), (_, com_b) = available[a], available[b], common[a], common[b]
            if None in (all_a, all_b, com_a, com_b):
                continue
            assert all_a is not None and all_b is not None and com_a is not None and com_b is not None  # noqa: S101
            if all_a > all_b and com_a < com_b:
                reordered.append((a, b))
    return Support(available, common, tuple(reordered))


def _mean(values: Sequence[float]) -> tuple[int, float | None]:
    return len(values), fmean(values) if values else None
