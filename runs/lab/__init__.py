"""The training-signal lab: experiments with simulated models whose answer is known by construction.

They test the instrument, not any model: whether rewards, feedback, splits, judges and statistics show what is there,
and show nothing where there is nothing.
"""

from runs.lab.experiments import EXPERIMENTS, LabExperiment, Outcome
from runs.lab.run import Finding, run_lab

__all__ = ["EXPERIMENTS", "Finding", "LabExperiment", "Outcome", "run_lab"]
