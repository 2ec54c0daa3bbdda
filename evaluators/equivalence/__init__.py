"""Reference equivalence: is a candidate the same contract as the reference, and if not, what tells them apart."""

from evaluators.equivalence.evaluate import METRICS, Comparison, EquivalenceOptions, compare, equivalence

__all__ = ["METRICS", "Comparison", "EquivalenceOptions", "compare", "equivalence"]
