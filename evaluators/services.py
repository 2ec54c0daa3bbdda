"""What a generator may ask while it works: the verifier protocol of `specgen.generators`, over our own evaluators.

A `TaskVerifier` is made from a task that carries feedback examples only; held-out examples and the reference contract
are not behind it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import MappingProxyType

from evaluators.evidence import Evidence
from evaluators.feedback import feedback
from evaluators.isolation import OpenRunner
from evaluators.jobs import Runner, Stopped
from evaluators.relation import WALL_S, RelationJob, view_safe
from evaluators.scoring import Checker, Scored, score
from specgen.generators import Candidate, Elaboration, HarnessReport, HarnessScore, Relation
from specgen.tasks.model import Labels, Task

HARNESS_METRICS = MappingProxyType({"PostCorr": "R+", "PostComp": "R-", "PreCorr": "R_req", "PreComp": "R_rej"})
"""The harness's names (arXiv 2604.00280) of our metrics."""


def feedback_task(task: Task) -> Task:
    """Return a task without its reference contracts: what a verifier for a generator may hold.

    The reference implementation stays, as the verifier runs it on required inputs.
    """
    return replace(task, references=())


@dataclass(frozen=True, slots=True)
class TaskVerifier:
    """Answers a generator's questions about its candidates for one task; `task` has feedback labels only."""

    task: Task
    checker: Checker

    def elaborate(self, candidate: Candidate) -> Elaboration:
        """Tell whether a candidate is well formed."""
        checks = score(self.task.with_labels(Labels()), candidate, self.checker).checks
        verdicts = {"yes": "accepted", "no": "rejected", "unsupported": "unsupported"}
        return Elaboration(verdicts[checks.well_formed], checks.message)  # type: ignore[arg-type]

    def harness(self, candidate: Candidate, verifier_only: bool = False) -> HarnessReport:
        """Check a candidate on the feedback examples; `verifier_only` reports nothing but the verifier's findings."""
        labels = self.task.labels
        kept = Labels(accepted=labels.accepted) if verifier_only else labels
        scored = score(self.task.with_labels(kept), candidate, self.checker)
        return report(scored, verifier_only)

    def relation(self, first: Candidate, second: Candidate) -> Relation:
        """Compare the meanings of two candidates, by what a generator may see; a comparison that was stopped is
        unknown.
        """
        if (first.text, first.lean, first.fields) == (second.text, second.lean, second.fields):
            return "identical"
        given = [replace(c, fields=None if c.fields is None else dict(c.fields)) for c in (first, second)]
        job = RelationJob(view_safe(self.task), *given)
        runner = self.checker if isinstance(self.checker, Runner) else OpenRunner()
        found = runner.run(job, WALL_S)
        relation: Relation = "unknown" if isinstance(found, Stopped) else found
        return relation


def harness_score(evidence: Evidence) -> HarnessScore:
    """Return evidence as a harness score."""
    return HarnessScore(
        evidence.value,
        evidence.lower,
        evidence.upper,
        evidence.status,
        evidence.numerator,
        evidence.denominator,
    )


def report(scored: Scored, verifier_only: bool) -> HarnessReport:
    """Return the findings about a scored candidate as a harness report."""
    grade = scored.get("verifier_grade")
    scores = {} if verifier_only else {n: harness_score(scored.get(m)) for n, m in HARNESS_METRICS.items()}
    words = feedback(scored.checks, scored.evidence, ("verifier",) if verifier_only else ("verifier", "adequacy"))
    return HarnessReport(grade.value == 1.0, MappingProxyType(scores), words)
