"""Feedback in words for a reflection model, from feedback examples only.

It says which clause failed on which accepted pair, which rejected pair slipped through, which required input was
refused. It shows examples, never the reference contract.
"""

from __future__ import annotations

from evaluators.checks import Check, ContractChecks
from evaluators.verifiers.grade import clause_reports

MAX_EXAMPLES = 3


def _examples(checks: tuple[Check, ...], outcome: str) -> list[str]:
    return [c.shown for c in checks if c.whole.outcome == outcome][:MAX_EXAMPLES]


def verifier_feedback(checks: ContractChecks) -> str:
    """Return what the verifier alone can say: well-formedness, and clauses that fail on known-correct behaviour."""
    if checks.well_formed == "no":
        return f"The specification is not well formed: {checks.message}"
    if checks.well_formed == "unsupported":
        return f"The specification uses a construct that could not be checked: {checks.message}"
    lines = []
    for report in clause_reports(checks):
        if report.fails:
            lines.append(f"The clause `{report.text}` fails on known-correct behaviour, e.g. {report.witness}.")
        elif not report.holds:
            lines.append(f"The clause `{report.text}` could not be decided on any example.")
    return "\n".join(lines) or "The specification is well formed and holds on all known-correct behaviour."


def adequacy_feedback(checks: ContractChecks) -> str:
    """Return what the labelled examples say beyond the verifier; empty when there is nothing to say."""
    if checks.well_formed != "yes":
        return ""
    lines = []
    for shown in _examples(checks.rejected, "holds"):
        lines.append(f"A wrong result slips through: the postcondition accepts {shown}, which must be rejected.")
    for shown in _examples(checks.required, "fails"):
        lines.append(f"A valid input is refused: the precondition rejects {shown}, which must be admitted.")
    for shown in _examples(checks.forbidden, "holds"):
        lines.append(f"An invalid input is admitted: the precondition accepts {shown}, which must be refused.")
    return "\n".join(lines)


def feedback(checks: ContractChecks, reward_name: str) -> str:
    """Return the feedback that goes with a reward: the verifier's words, and the adequacy's where the reward sees
    it.
    """
    parts = [verifier_feedback(checks)]
    if reward_name != "verifier":
        parts.append(adequacy_feedback(checks))
        if parts[-1] == "" and checks.well_formed == "yes":
            parts.append("All wrong results shown are rejected and all valid inputs shown are admitted.")
    return "\n".join(p for p in parts if p)
