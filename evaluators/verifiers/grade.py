"""The graded verifier score: 1.0, 0.3, 0.1 or 0.0, clause by clause, and blind to rejected pairs.

1.0: well formed, and no clause fails on known-correct behaviour. 0.3: exactly one clause fails. 0.1: two or more.
0.0: no output or not well formed. `True` gets 1.0, by design: that is the weakness that the adequacy scores expose.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from evaluators.checks import ContractChecks
from evaluators.evidence import Evidence

EVALUATOR = "verifier"
VERSION = "1"
GRADES = (1.0, 0.3, 0.1, 0.0)


@dataclass(frozen=True, slots=True)
class ClauseReport:
    """What known-correct behaviour says of one clause: counts of outcomes, and an example on which it fails."""

    text: str
    holds: int
    fails: int
    unknown: int
    witness: str = ""


def clause_reports(checks: ContractChecks) -> tuple[ClauseReport, ...]:
    """Return a report for each clause over accepted pairs and further known-correct pairs."""
    pairs = (*checks.accepted, *checks.known)
    out = []
    for i, text in enumerate(checks.clauses):
        outcomes = [(c.clauses[i], c.shown) for c in pairs if i < len(c.clauses)]
        failing = [shown for tri, shown in outcomes if tri.outcome == "fails"]
        unknown = sum(tri.outcome == "unknown" for tri, _ in outcomes)
        holds = len(outcomes) - len(failing) - unknown
        out.append(ClauseReport(text, holds, len(failing), unknown, failing[0] if failing else ""))
    return tuple(out)


def grade(checks: ContractChecks) -> Evidence:
    """Return the verifier grade of a contract that was checked.

    A contract that is not well formed is graded 0.0; one that we do not support has no grade. A clause whose checks are
    all unknown does not count as failing; the message says how many there are.
    """
    scope = checks.backend
    answer = partial(Evidence, "verifier_grade", evaluator=EVALUATOR, version=VERSION, runtime_s=checks.runtime_s)
    if checks.well_formed == "no":
        return answer("observed", 0.0, 0.0, 0.0, scope=scope, message=checks.message)
    if checks.well_formed == "unsupported":
        return answer("unsupported", scope=scope, message=checks.message)
    pairs = (*checks.accepted, *checks.known)
    if not pairs:
        return answer("not_applicable", scope=scope, message="no known-correct behaviour")
    reports = clause_reports(checks)
    failing = [r for r in reports if r.fails]
    undecided = sum(1 for r in reports if not r.holds and not r.fails)
    value = 1.0 if not failing else 0.3 if len(failing) == 1 else 0.1
    message = f"{len(failing)} of {len(reports)} clauses fail" if failing else ""
    if undecided:
        message = "; ".join(filter(None, [message, f"{undecided} of {len(reports)} clauses undecided"]))
    if reports and undecided == len(reports):
        return answer("inconclusive", None, 0.1, 1.0, scope=scope, message=message)
    return answer(
        "observed",
        value,
        value,
        value,
        scope=f"{scope}, finite({len(pairs)} known-correct pairs)",
        numerator=len(reports) - len(failing),
        denominator=len(reports),
        unknown=undecided,
        witness=failing[0].witness if failing else "",
        message=message,
    )
