"""The checks of one contract against one task's labels: plain data, made by an execution and read by every score."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from evaluators.evidence import ItemOutcome, OutcomeName

WellFormed: TypeAlias = Literal["yes", "no", "unsupported"]


@dataclass(frozen=True, slots=True)
class Tri:
    """A three-valued answer; `kind` and `reason` explain an unknown."""

    outcome: OutcomeName
    kind: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Check:
    """One check of a precondition (no clauses) or of a postcondition, clause by clause.

    `item` names the example (`accepted[2]`); `shown` is the example in Lean notation.
    """

    item: str
    shown: str
    whole: Tri
    clauses: tuple[Tri, ...] = ()

    def failing_clauses(self) -> tuple[int, ...]:
        """Return the indices of the clauses that fail."""
        return tuple(i for i, c in enumerate(self.clauses) if c.outcome == "fails")


@dataclass(frozen=True, slots=True)
class ContractChecks:
    """Everything that was checked of one contract.

    Attributes:
        well_formed: whether the text elaborates as a contract of this task.
        message: first diagnostic when it does not.
        clauses: text of the postcondition's clauses, in order.
        required, forbidden: precondition checks; of a relational contract, checks of the guard around its whole body.
        accepted, rejected: postcondition checks on labelled pairs.
        known: postcondition checks on further known-correct pairs (reference implementation run on required inputs).
        runtime_s: seconds of wall time.
        backend: what decided, e.g. `builtin`.
        notes: how the contract was projected.
    """

    well_formed: WellFormed
    message: str = ""
    clauses: tuple[str, ...] = ()
    required: tuple[Check, ...] = ()
    forbidden: tuple[Check, ...] = ()
    accepted: tuple[Check, ...] = ()
    rejected: tuple[Check, ...] = ()
    known: tuple[Check, ...] = ()
    runtime_s: float = 0.0
    backend: str = "builtin"
    notes: tuple[str, ...] = ()

    def behavioural(self) -> tuple[Check, ...]:
        """Return the checks on the task's labels, of all four kinds."""
        return (*self.required, *self.forbidden, *self.accepted, *self.rejected)


def items(checks: tuple[Check, ...], clauses: tuple[str, ...] = ()) -> tuple[ItemOutcome, ...]:
    """Return the outcomes of checks as evidence items; a failing clause is named by its text."""
    out = []
    for c in checks:
        failing = c.failing_clauses()
        clause = clauses[failing[0]] if failing and failing[0] < len(clauses) else ""
        out.append(ItemOutcome(c.item, c.whole.outcome, c.whole.kind, c.whole.reason, clause))
    return tuple(out)
