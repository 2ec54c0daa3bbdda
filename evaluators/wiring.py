"""The built-in evaluators beside `adequacy`, each as a job for a confined worker.

Similarity and equivalence use the reference contract, and labels that an optimiser must not see: their evidence is for
held-out comparison, and no reward has a part of their names.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from evaluators import similarity as similarity_package
from evaluators.contract import Contract, ProjectionFailure
from evaluators.evidence import Evidence, Status, without_value
from evaluators.jobs import Job, Runner, Stopped
from evaluators.registry import Entry, Evaluator, EvaluatorTools, Subject
from specgen.errors import UserError
from specgen.tasks.model import Labels, Task

SIMILARITY_S = 10.0
"""Most seconds that the similarity of one contract may take; usual are some milliseconds."""

EQUIVALENCE_MARGIN_S = 10.0
"""Seconds beyond twice its own limit that an equivalence is given, for loading and for z3 to notice its time."""

EQUIVALENCE_METRICS = ("equivalence", "pre_forward", "pre_backward", "post_forward", "post_backward")
EQUIVALENCE_VERSION = "1"
"""As in `evaluators.equivalence`, which is not imported before it runs: z3 is heavy."""

NOT_FORMED: dict[str, Status] = {"no": "not_applicable", "unsupported": "unsupported"}


def portable(task: Task, labels: bool) -> Task:
    """Return a task that can be pickled: without metadata, which no evaluator looks at, and without labels if so."""
    return replace(task, metadata={}, labels=task.labels if labels else Labels())


def without_contract(subject: Subject) -> tuple[Status, str] | None:
    """Return status and message of a subject that has no well-formed contract, None for one that has."""
    contract, checks = subject.contract, subject.checks
    if isinstance(contract, ProjectionFailure) and contract.kind == "no_output":
        return "generation_failure", contract.message
    if isinstance(contract, ProjectionFailure) or checks.well_formed != "yes":
        return NOT_FORMED.get(checks.well_formed, "not_applicable"), f"there is no contract: {checks.message}"
    return None


@dataclass(frozen=True, slots=True)
class JobEvaluator:
    """An evaluator that is one job.

    Attributes:
        name, metrics, version: what it is.
        runner: where the job runs.
        wall_s: seconds of wall time that the job is given.
        job: makes the job of a subject, or the evidence where none is needed.
    """

    name: str
    metrics: tuple[str, ...]
    version: str
    runner: Runner
    wall_s: float
    job: Callable[[Subject], Job | list[Evidence]]

    def evidence(self, subject: Subject) -> Sequence[Evidence]:
        """Return the job's evidence; a job that was stopped gives none (`timeout`, or `inconclusive` for memory)."""
        job = self.job(subject)
        if isinstance(job, list):
            return job
        began = time.perf_counter()
        found = self.runner.run(job, self.wall_s)
        if isinstance(found, Stopped):
            status: Status = "timeout" if found.kind == "timeout" else "inconclusive"
            spent = time.perf_counter() - began
            nothing = without_value(self.metrics, status, found.message, self.name, self.version)
            return [replace(e, runtime_s=spent) for e in nothing]
        evidence: list[Evidence] = found
        return evidence


@dataclass(frozen=True, slots=True)
class SimilarityJob:
    """Compare a contract with its task's reference."""

    task: Task
    contract: Contract | ProjectionFailure

    def run(self) -> list[Evidence]:
        """Return the similarity evidence."""
        return similarity_package.similarity(self.task, self.contract)


def _similarity(tools: EvaluatorTools) -> Evaluator:
    from evaluators.similarity.evaluate import VERSION

    def job(subject: Subject) -> Job | list[Evidence]:
        if isinstance(subject.contract, ProjectionFailure):
            return similarity_package.similarity(subject.task, subject.contract)
        return SimilarityJob(portable(subject.task, labels=False), subject.contract)

    return JobEvaluator("similarity", similarity_package.METRICS, VERSION, tools.runner, SIMILARITY_S, job)


@dataclass(frozen=True, slots=True)
class EquivalenceJob:
    """Compare the meaning of a contract with that of its task's reference."""

    task: Task
    contract: Contract
    wall_s: float

    def run(self) -> list[Evidence]:
        """Return the equivalence evidence."""
        from evaluators.equivalence import EquivalenceOptions, equivalence

        return equivalence(self.task, self.contract, EquivalenceOptions(wall_s=self.wall_s))


def _equivalence(tools: EvaluatorTools) -> Evaluator:
    def job(subject: Subject) -> Job | list[Evidence]:
        missing = without_contract(subject)
        if missing is not None:
            return without_value(EQUIVALENCE_METRICS, *missing, "equivalence", EQUIVALENCE_VERSION)
        assert isinstance(subject.contract, Contract)  # noqa: S101 - else something is missing
        return EquivalenceJob(portable(subject.task, labels=True), subject.contract, tools.equivalence_s)

    wall_s = 2 * tools.equivalence_s + EQUIVALENCE_MARGIN_S
    return JobEvaluator("equivalence", EQUIVALENCE_METRICS, EQUIVALENCE_VERSION, tools.runner, wall_s, job)


@dataclass(frozen=True, slots=True)
class JudgeEvaluator:
    """A language model's opinion."""

    tools: EvaluatorTools
    name: str = "judge"
    metrics: tuple[str, ...] = ("judge",)

    def evidence(self, subject: Subject) -> Sequence[Evidence]:
        """Return the judge's evidence on the candidate's own text."""
        from evaluators.judge import judge

        missing = without_contract(subject)
        if missing is not None:
            return without_value(self.metrics, *missing, self.name, "1")
        assert self.tools.judge is not None and self.tools.judge_options is not None  # noqa: S101 - see `_judge`
        contract = subject.contract
        text = contract.source[contract.own_from :] if isinstance(contract, Contract) else ""
        return [judge(subject.task.view(), text, self.tools.judge, self.tools.judge_options)]


def _judge(tools: EvaluatorTools) -> Evaluator:
    if tools.judge is None or tools.judge_options is None:
        raise UserError("the evaluator judge needs a model", remedy="Name one, e.g. --judge openai/gpt-4.1-mini")
    return JudgeEvaluator(tools)


BUILT_IN: tuple[Entry, ...] = (
    Entry("similarity", "text and structure compared with the reference", similarity_package.METRICS, _similarity),
    Entry("equivalence", "proved or refuted against the reference", EQUIVALENCE_METRICS, _equivalence),
    Entry("judge", "a language model's opinion of the contract", ("judge",), _judge),
)
