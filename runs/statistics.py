"""Means with coverage, bootstrap intervals over tasks, and paired differences.

The unit is the task: samples and prompts of one arm on one task are averaged first. Only observed values enter; how
many of the attempted are observed is the coverage, which stands beside every mean.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np


@dataclass(frozen=True, slots=True)
class Summary:
    """A mean over tasks: number of tasks with a value, tasks attempted, mean, and a 95 % bootstrap interval.

    `mean` is None when no task has a value; the interval needs at least two.
    """

    n: int
    attempted: int
    mean: float | None
    low: float | None
    high: float | None

    @property
    def coverage(self) -> float | None:
        """Share of attempted tasks with a value."""
        return self.n / self.attempted if self.attempted else None


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """Mean of (second - first) over the tasks on which both have a value, with a 95 % bootstrap interval.

    `n` is the number of such tasks.
    """

    n: int
    mean: float | None
    low: float | None
    high: float | None


def _interval(values: Sequence[float], resamples: int, seed: int) -> tuple[float | None, float | None]:
    if len(values) < 2:
        return None, None
    rng = np.random.default_rng(seed)
    data = np.asarray(values, dtype=float)
    means = data[rng.integers(0, len(data), size=(resamples, len(data)))].mean(axis=1)
    low, high = np.quantile(means, [0.025, 0.975])
    return float(low), float(high)


def summarise(values: Mapping[str, float], attempted: int, resamples: int, seed: int) -> Summary:
    """Summarise one value a task (`values` maps task id to value)."""
    data = [values[k] for k in sorted(values)]
    if not data:
        return Summary(0, attempted, None, None, None)
    low, high = _interval(data, resamples, seed)
    return Summary(len(data), attempted, float(np.mean(data)), low, high)


Cell = tuple[str, str, int]
"""Task id, seed prompt, sample: what two arms have in common. The task is the unit, so its cells are averaged first."""


def paired(first: Mapping[Cell, float], second: Mapping[Cell, float], resamples: int, seed: int) -> PairedDifference:
    """Return the paired difference second - first over the tasks of their common cells.

    A cell that only one side has a value for enters on neither: a task's mean over three prompts is not compared with
    its mean over the two prompts that happened to have a value.
    """
    differences: dict[str, list[float]] = defaultdict(list)
    for cell in sorted(first.keys() & second.keys()):
        differences[cell[0]].append(second[cell] - first[cell])
    data = [fmean(differences[task]) for task in sorted(differences)]
    if not data:
        return PairedDifference(0, None, None, None)
    low, high = _interval(data, resamples, seed)
    return PairedDifference(len(data), float(np.mean(data)), low, high)
