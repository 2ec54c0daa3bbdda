"""How two candidates of one task relate in meaning, seen without the task's reference and labels.

A generator that groups its own samples may use this: what is behind it is the generation view alone. Inputs come from
the types, and from the constants that the two contracts mention.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from evaluators.contract import Contract, ProjectionFailure, project
from evaluators.equivalence.evaluate import Comparison, EquivalenceOptions, compare_sides
from evaluators.equivalence.sides import NotCompared, candidate_side
from specgen.generators import Candidate, Relation
from specgen.tasks.model import Labels, Task

ENOUGH = 20
"""Values on which both contracts must be decided, and agree, for `same_outcomes`."""

OPTIONS = EquivalenceOptions(wall_s=1.5, smt_s=0.5, inputs=200, pairs=1500)
WALL_S = 10.0
"""Seconds that a confined worker is given for one comparison, loading included."""


def view_safe(task: Task) -> Task:
    """Return a task with nothing but what a generator may see."""
    return replace(task, references=(), implementation=None, labels=Labels(), metadata={})


@dataclass(frozen=True, slots=True)
class RelationJob:
    """Compare two candidates; untrusted text, for a confined worker."""

    task: Task
    first: Candidate
    second: Candidate

    def run(self) -> Relation:
        """Return the relation."""
        contracts = [project(self.task, c) for c in (self.first, self.second)]
        sides = [candidate_side(self.task, c) if isinstance(c, Contract) else c for c in contracts]
        first, second = sides
        if isinstance(first, NotCompared | ProjectionFailure) or isinstance(second, NotCompared | ProjectionFailure):
            return "unknown"
        return relation_of(compare_sides(self.task, first, second, OPTIONS))


def relation_of(comparison: Comparison) -> Relation:
    """Return the relation that a comparison found: refuted in one direction is `different`; a search without a witness
    among enough values is `same_outcomes`.
    """
    deciding = comparison.deciding
    if any(r.status == "refuted" for r in deciding):
        return "different"
    if all(r.established for r in deciding):
        return "identical" if all(r.status == "identical" for r in deciding) else "proved"
    open_ = [r for r in deciding if not r.established]
    looked_at = min(sum(n for _, n in r.tried.counts) for r in open_)
    return "same_outcomes" if looked_at >= ENOUGH else "unknown"
