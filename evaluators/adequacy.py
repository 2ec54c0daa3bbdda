"""Adequacy on finite examples: does a contract accept what it must, reject what it must, admit the inputs it must.

Definitions: R+ and R- over accepted and rejected pairs, R_req and R_rej over required and forbidden inputs (VERINA,
arXiv 2505.23135, names them completeness and soundness of post- and precondition; Spec-Harness, arXiv 2604.00280,
PostCorr, PostComp, PreCorr, PreComp). BAcc = (R+ + R-) / 2; pass = [R+ = 1 and R- = 1].
"""

from __future__ import annotations

from functools import partial

from evaluators.checks import Check, ContractChecks, items
from evaluators.evidence import Evidence, Status, ratio

EVALUATOR = "adequacy"
VERSION = "1"
METRICS = ("R+", "R-", "R_req", "R_rej", "BAcc", "pass")


def _witness(checks: tuple[Check, ...], bad: str) -> str:
    return next((c.shown for c in checks if c.whole.outcome == bad), "")


def adequacy(checks: ContractChecks) -> list[Evidence]:
    """Return R+, R-, R_req, R_rej, BAcc and pass of a well-formed contract."""
    measure = partial(ratio, evaluator=EVALUATOR, version=VERSION, runtime_s=checks.runtime_s)
    plus = measure(
        "R+",
        items(checks.accepted, checks.clauses),
        "holds",
        noun="accepted pairs",
        witness=_witness(checks.accepted, "fails"),
    )
    minus = measure(
        "R-",
        items(checks.rejected, checks.clauses),
        "fails",
        noun="rejected pairs",
        witness=_witness(checks.rejected, "holds"),
    )
    required = measure(
        "R_req",
        items(checks.required),
        "holds",
        noun="required inputs",
        witness=_witness(checks.required, "fails"),
    )
    forbidden = measure(
        "R_rej",
        items(checks.forbidden),
        "fails",
        noun="forbidden inputs",
        witness=_witness(checks.forbidden, "holds"),
    )
    return [plus, minus, required, forbidden, balanced_accuracy(plus, minus), passes(plus, minus)]


def _joint_status(parts: tuple[Evidence, ...]) -> Status:
    """Return the status of a score over parts of which some have no value."""
    order: tuple[Status, ...] = ("not_applicable", "inconclusive", "unsupported", "timeout")
    statuses = {p.status for p in parts if p.status != "observed"}
    return next((s for s in order if s in statuses), "inconclusive")


def balanced_accuracy(plus: Evidence, minus: Evidence) -> Evidence:
    """Return BAcc = (R+ + R-) / 2, open where either part is."""
    status: Status = "observed" if plus.status == minus.status == "observed" else _joint_status((plus, minus))
    lower = upper = None
    if None not in (plus.lower, minus.lower, plus.upper, minus.upper):
        lower = ((plus.lower or 0.0) + (minus.lower or 0.0)) / 2
        upper = ((plus.upper or 0.0) + (minus.upper or 0.0)) / 2
    value = lower if status == "observed" else None
    message = "" if value is not None else f"R+ is {plus.status}, R- is {minus.status}"
    return Evidence(
        "BAcc", status, value, lower, upper, evaluator=EVALUATOR, version=VERSION, scope=plus.scope, message=message
    )


def passes(plus: Evidence, minus: Evidence) -> Evidence:
    """Return pass = [R+ = 1 and R- = 1].

    It has a value also where unknown outcomes cannot change it: one known failure on either side decides it.
    """
    if "not_applicable" in (plus.status, minus.status):
        return Evidence(
            "pass",
            "not_applicable",
            evaluator=EVALUATOR,
            version=VERSION,
            message=f"R+ is {plus.status}, R- is {minus.status}",
        )
    lower = float(plus.lower == 1.0 and minus.lower == 1.0)
    upper = float(plus.upper == 1.0 and minus.upper == 1.0)
    decided = lower == upper
    status: Status = "observed" if decided else _joint_status((plus, minus))
    return Evidence(
        "pass",
        status,
        lower if decided else None,
        lower,
        upper,
        evaluator=EVALUATOR,
        version=VERSION,
        scope=f"{plus.scope}, {minus.scope}",
        message="" if decided else "unknown outcomes leave it open",
    )
