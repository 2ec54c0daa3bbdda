"""Score one candidate: project, check, and turn the checks into evidence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from evaluators import adequacy as adequacy_module
from evaluators.adequacy import adequacy
from evaluators.checks import ContractChecks, WellFormed
from evaluators.contract import Contract, ProjectionFailure, project
from evaluators.evidence import Evidence, Status, without_value
from evaluators.verifiers.grade import grade
from specgen.generators import Candidate
from specgen.tasks.model import Task

VALIDITY = "validity"
VALIDITY_VERSION = "1"


class JobError(Exception):
    """A fault of our own code on a candidate: the type and message of the exception inside. Evidence says so
    (`evaluator_error`); it is no verdict on the candidate.
    """

    def __init__(self, type_name: str, message: str) -> None:
        super().__init__(f"{type_name}: {message}")
        self.type_name = type_name


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


def score(task: Task, candidate: Candidate, checker: Checker) -> Scored:
    """Score a candidate on the labels of `task` (pass a task with the labels of one split)."""
    contract = project(task, candidate)
    if isinstance(contract, ProjectionFailure):
        if contract.kind == "no_output":
            evidence = (call_failed if candidate.failure == "call_failed" else no_output)(contract.message)
            return Scored(candidate, ContractChecks("no", contract.message, notes=contract.notes), evidence)
        well_formed: WellFormed = "unsupported" if contract.kind == "unsupported" else "no"
        checks = ContractChecks(well_formed, contract.message, notes=contract.notes)
        return Scored(candidate, checks, evidence_of(checks))
    checks = checker.check(contract, task)
    return Scored(candidate, checks, evidence_of(checks))
