"""Run a lab experiment over seeds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from statistics import fmean

from runs.lab.experiments import LabExperiment, Outcome
from runs.lab.setting import make_setting


@dataclass(frozen=True, slots=True)
class Finding:
    """What an experiment gave: whether the expected answer came out, the reason, and every seed's outcome."""

    name: str
    holds: bool
    reason: str
    outcomes: tuple[Outcome, ...]

    def means(self) -> dict[str, float]:
        """Return the mean of each number over seeds."""
        return {k: fmean(o.values[k] for o in self.outcomes) for k in self.outcomes[0].values}


def run_lab(experiment: LabExperiment, seeds: int, first: int = 0, step: Callable[[], None] | None = None) -> Finding:
    """Run `seeds` seeds from `first`; `step` is called after each.

    Raises:
        ValueError: no seeds.
    """
    if seeds < 1:
        raise ValueError("a lab experiment needs at least one seed")
    outcomes = []
    for seed in range(first, first + seeds):
        outcomes.append(experiment.run(make_setting(seed)))
        if step is not None:
            step()
    holds, reason = experiment.verdict([o.effect for o in outcomes])
    return Finding(experiment.name, holds, reason, tuple(outcomes))
