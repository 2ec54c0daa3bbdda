"""Score one candidate: project, check, and turn the checks into evidence."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from evaluators import adequacy as adequacy_module
from evaluators.adequacy import adequacy
from evaluators.checks import ContractChecks, WellFormed
from evaluators.contract import Contract, ProjectionFailure, project
from evaluators.evidence import Evidence, Status, without_value
from evaluators.jobs import JobError, Runner, Stopped
from evaluators.registry import Evaluator, Subject
from evaluators.verifiers.grade import grade
from specgen.errors import SpecgenError
from specgen.generators import Candidate
from specgen.tasks.model import Labels, Task

VALIDITY = "validity"
VALIDITY_VERSION = "1"

MAX_CHARS = 500_000
"""Longest candidate, in characters, that is read. The longest contract that we have seen has some 20,000; a larger text
would take its worker's whole time to parse, and says nothing that a person would read.
"""

PROJECTION_S = 20.0
"""Most seconds that finding the contract in a reply may take."""

MISSING = "this evaluator gave no such evidence"


class Checker(Protocol):
    """Runs the checks of a contract against a task's labels."""

    def check(self, contract: Contract, task: Task) -> ContractChecks:
        """Return the outcome of every check; never raises for what a candidate does."""
        ...


@dataclass(frozen=True, slots=True)
class Scored:
    """A candidate with its evidence, and the checks behind it."""

    candidate: Candidate
    checks: ContractChecks
    evidence: tuple[Evidence, ...]

    def get(self, metric: str) -> Evidence:
        """Return the evidence of a metric."""
        return next(e for e in self.evidence if e.metric == metric)

    @property
    def outcome(self) -> str:
        """One of `no_output`, `not_well_formed`, `unsupported`, `well_formed`."""
        if self.get("typecheck").status == "generation_failure":
            return "no_output"
        return {"yes": "well_formed", "no": "not_well_formed", "unsupported": "unsupported"}[self.checks.well_formed]


def typecheck_evidence(checks: ContractChecks) -> Evidence:
    """Return the formal validity of a contract: 1 when it is accepted as a declaration in its environment."""
    if checks.well_formed == "unsupported":
        return Evidence(
            "typecheck",
            "unsupported",
            scope=checks.backend,
            message=checks.message,
            evaluator=VALIDITY,
            version=VALIDITY_VERSION,
        )
    value = float(checks.well_formed == "yes")
    return Evidence(
        "typecheck",
        "observed",
        value,
        value,
        value,
        scope=checks.backend,
        runtime_s=checks.runtime_s,
        message=checks.message,
        evaluator=VALIDITY,
        version=VALIDITY_VERSION,
    )


def evidence_of(checks: ContractChecks) -> tuple[Evidence, ...]:
    """Return all evidence that the checks of a contract give."""
    head = [typecheck_evidence(checks), grade(checks)]
    if checks.well_formed == "yes":
        return (*head, *adequacy(checks))
    status: Status = "not_applicable" if checks.well_formed == "no" else "unsupported"
    rest = without_value(
        adequacy_module.METRICS,
        status,
        f"the contract is not checked: {checks.message}",
        adequacy_module.EVALUATOR,
        adequacy_module.VERSION,
    )
    return (*head, *rest)


def no_output(message: str) -> tuple[Evidence, ...]:
    """Return the evidence of a candidate without output: grade 0, everything else a generation failure."""
    graded = grade(ContractChecks("no", message))
    metrics = ("typecheck", *adequacy_module.METRICS)
    return (graded, *without_value(metrics, "generation_failure", message, VALIDITY, VALIDITY_VERSION))


def call_failed(message: str) -> tuple[Evidence, ...]:
    """Return the evidence of a call that failed on its way: nothing was measured, and no grade is given."""
    metrics = ("typecheck", "verifier_grade", *adequacy_module.METRICS)
    return tuple(without_value(metrics, "generation_failure", message, VALIDITY, VALIDITY_VERSION))


def evaluator_failed(message: str) -> tuple[Evidence, ...]:
    """Return the evidence of a candidate on which our own code failed: no grade, no value."""
    metrics = ("typecheck", "verifier_grade", *adequacy_module.METRICS)
    return tuple(without_value(metrics, "evaluator_error", message, VALIDITY, VALIDITY_VERSION))


@dataclass(frozen=True, slots=True)
class ProjectJob:
    """Find the contract in a candidate."""

    task: Task
    candidate: Candidate

    def run(self) -> Contract | ProjectionFailure:
        """Return the contract, or why there is none."""
        return project(self.task, self.candidate)


def find_contract(task: Task, candidate: Candidate, runner: Runner | None) -> Contract | ProjectionFailure:
    """Return the contract of a candidate, or why there is none; in a confined worker where there is a runner."""
    size = len(candidate.lean or candidate.text) + sum(map(len, (candidate.fields or {}).values()))
    if size > MAX_CHARS and not candidate.failure:
        return ProjectionFailure("unsupported", f"a text of {size} characters is longer than {MAX_CHARS}: not read")
    if runner is None or candidate.failure:
        return project(task, candidate)
    # Examples, which projection does not look at, stay here.
    found = runner.run(ProjectJob(replace(task, labels=Labels(), metadata={}), candidate), PROJECTION_S)
    if isinstance(found, Stopped):
        return ProjectionFailure("unsupported", f"finding the contract: {found.kind}: {found.message}")
    contract: Contract | ProjectionFailure = found
    return contract


def score(
    task: Task,
    candidate: Candidate,
    checker: Checker,
    evaluators: Sequence[Evaluator] = (),
    *,
    with_adequacy: bool = True,
) -> Scored:
    """Score a candidate on the labels of `task` (pass a task with the labels of one split).

    Args:
        task: the task; its reference is used by evaluators that compare with it, so their evidence must not reach an
            optimiser.
        candidate: what was generated.
        checker: runs the checks; one that is a `Runner` too also finds the contract in a confined worker.
        evaluators: what is measured beside validity, grade and adequacy.
        with_adequacy: without it only the formal validity is checked, and neither grade nor adequacy is given.
    """
    checked = task if with_adequacy else replace(task.with_labels(Labels()), implementation=None)
    try:
        contract = find_contract(task, candidate, checker if isinstance(checker, Runner) else None)
        scored = _checked(checked, candidate, contract, checker)
    except JobError as error:
        contract = ProjectionFailure("unsupported", str(error))
        scored = Scored(candidate, ContractChecks("unsupported", str(error)), evaluator_failed(str(error)))
    subject = Subject(task, candidate, contract, scored.checks)
    further = [e for evaluator in evaluators for e in measure(evaluator, subject)]
    own = scored.evidence if with_adequacy else tuple(e for e in scored.evidence if e.metric == "typecheck")
    return replace(scored, evidence=(*own, *further))


def _checked(task: Task, candidate: Candidate, contract: Contract | ProjectionFailure, checker: Checker) -> Scored:
    if isinstance(contract, ProjectionFailure):
        if contract.kind == "no_output":
            evidence = (call_failed if candidate.failure == "call_failed" else no_output)(contract.message)
            return Scored(candidate, ContractChecks("no", contract.message, notes=contract.notes), evidence)
        well_formed: WellFormed = "unsupported" if contract.kind == "unsupported" else "no"
        checks = ContractChecks(well_formed, contract.message, notes=contract.notes)
        return Scored(candidate, checks, evidence_of(checks))
    checks = checker.check(contract, task)
    return Scored(candidate, checks, evidence_of(checks))


def measure(evaluator: Evaluator, subject: Subject) -> list[Evidence]:
    """Return the evidence of one evaluator, one for each of its metrics, whatever it does.

    An exception is `evaluator_error` with its type and message, and so is a metric that is missing. An error of
    the system (a missing key, a reached budget) passes through.
    """
    began = time.perf_counter()
    try:
        given = list(evaluator.evidence(subject))
    except SpecgenError:
        raise
    except Exception as error:  # noqa: BLE001 - the boundary: a fault of an evaluator is data
        message = str(error) if isinstance(error, JobError) else f"{type(error).__name__}: {error}"
        return _failed(evaluator, message, time.perf_counter() - began)
    names = [e.metric for e in given]
    if len(set(names)) != len(names) or not set(names) <= set(evaluator.metrics):
        return _failed(evaluator, f"it gave evidence for {', '.join(names)}", time.perf_counter() - began)
    left = [m for m in evaluator.metrics if m not in names]
    return [*given, *without_value(left, "evaluator_error", MISSING, evaluator.name, "")]


def _failed(evaluator: Evaluator, message: str, runtime_s: float) -> list[Evidence]:
    failed = without_value(evaluator.metrics, "evaluator_error", message, evaluator.name, "")
    return [replace(e, runtime_s=runtime_s) for e in failed]
