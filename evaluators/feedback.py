"""Feedback in words for a reflection model, from feedback examples only.

It says which clause failed on which accepted pair, which rejected pair slipped through, which required input was
refused. It shows examples, never the reference contract.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from evaluators.checks import Check, ContractChecks
from evaluators.evidence import Evidence
from evaluators.reward import FeedbackKind
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


def typecheck_feedback(checks: ContractChecks) -> str:
    """Return what formal validity alone says."""
    if checks.well_formed == "yes":
        return "The specification is well formed."
    return verifier_feedback(checks)


def similarity_feedback(evidence: Mapping[str, Evidence]) -> str:
    """Return how near the specification is to the reference, in numbers: never the reference's text."""
    known = [(m, evidence[m].value) for m in ("gted", "atom_f1", "signature_f1") if m in evidence]
    shown = ", ".join(f"{m} {v:.2f}" for m, v in known if v is not None)
    return f"Similarity to a good specification (1 is the same): {shown}." if shown else ""


def equivalence_feedback(evidence: Mapping[str, Evidence]) -> str:
    """Return whether the specification means what a good one means, with the witness where it does not."""
    found = evidence.get("equivalence")
    if found is None or found.status not in ("observed", "inconclusive"):
        return ""
    if found.value == 1.0:
        return "The specification is equivalent to a good one."
    if found.value is None:
        return "It could not be decided whether the specification is equivalent to a good one."
    return f"The specification is not equivalent to a good one: {found.witness or found.message}."


def judge_feedback(evidence: Mapping[str, Evidence]) -> str:
    """Return what the judge found wrong, item by item."""
    found = evidence.get("judge")
    if found is None:
        return ""
    wrong = [f"The judge finds fault: {i.item}: {i.reason}" for i in found.items if i.outcome == "fails"]
    if wrong:
        return "\n".join(wrong[:MAX_EXAMPLES])
    return "The judge finds no fault." if found.value == 1.0 else ""


def feedback(checks: ContractChecks, evidence: Sequence[Evidence], kinds: Sequence[FeedbackKind]) -> str:
    """Return the feedback that goes with a reward: what its kinds of feedback have to say, in their order."""
    by_name = {e.metric: e for e in evidence}
    parts = []
    for kind in kinds:
        match kind:
            case "verifier":
                parts.append(verifier_feedback(checks))
            case "adequacy":
                parts.append(adequacy_feedback(checks))
                if parts[-1] == "" and checks.well_formed == "yes":
                    parts.append("All wrong results shown are rejected and all valid inputs shown are admitted.")
            case "typecheck":
                parts.append(typecheck_feedback(checks))
            case "similarity":
                parts.append(similarity_feedback(by_name))
            case "equivalence":
                parts.append(equivalence_feedback(by_name))
            case "judge":
                parts.append(judge_feedback(by_name))
    return "\n".join(p for p in parts if p)
