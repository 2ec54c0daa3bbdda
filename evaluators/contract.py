"""Contracts: a candidate or a reference in a form that can be checked.

A contract here is Lean text that elaborates on its own, with the names of its precondition and postcondition. How it
was made from what a generator returned is recorded in `notes`; what cannot be made into one is a
`ProjectionFailure`, which is data.
"""

from __future__ import annotations

from collections.abc import Mapping

from evaluators.projection.form import (
    KNOWN_IMPORTS,
    Contract,
    FailureKind,
    ProjectionFailure,
    indent_body,
    lean_env,
    with_preamble,
)
from evaluators.projection.reply import imported_modules
from evaluators.projection.text import text_contract
from specgen.generators import Candidate
from specgen.tasks.model import ContractSource, Representation, Task


def fields_contract(task: Task, fields: Mapping[str, str]) -> Contract | ProjectionFailure:
    """Assemble a pre/post contract from structured fields."""
    signature = task.signature
    notes: list[str] = []
    imports = imported_modules(fields.get("imports", ""))
    unknown = [m for m in imports if m.split(".")[0] not in KNOWN_IMPORTS]
    if unknown:
        return ProjectionFailure("not_well_formed", f"unknown module {unknown[0]}")
    precondition = fields.get("precond", "").strip() or "True"
    if not fields.get("postcond", "").strip():
        return ProjectionFailure("no_output", "the field postcond is empty")
    pre_name, post_name = f"{signature.name}_precond", f"{signature.name}_postcond"
    proof = " ".join([pre_name, *(f"({p.name})" for p in signature.parameters)])
    parts = [
        fields.get("precond_aux", ""),
        f"@[reducible, simp]\ndef {pre_name} {signature.binders()} : Prop :=\n"
        + indent_body(fields.get("precond", "").strip() and fields["precond"] or precondition, notes, "precond"),
        fields.get("postcond_aux", ""),
        f"@[reducible, simp]\ndef {post_name} {signature.binders()} (result : {signature.result_type}) "
        f"(h_precond : {proof}) : Prop :=\n" + indent_body(fields["postcond"], notes, "postcond"),
    ]
    source, own_from = with_preamble(task, *parts)
    lean = lean_env(task.context, imports)
    return Contract(task.id, "prepost", source, lean, post_name, pre_name, tuple(notes), own_from)


def project(task: Task, candidate: Candidate) -> Contract | ProjectionFailure:
    """Return the contract of a candidate, or why there is none."""
    if candidate.failure == "unparsable":
        return ProjectionFailure("not_well_formed", candidate.message, candidate.notes)
    if candidate.failure:
        return ProjectionFailure("no_output", f"{candidate.failure}: {candidate.message}", candidate.notes)
    if candidate.fields is not None:
        return fields_contract(task, candidate.fields)
    return text_contract(task, candidate.lean or candidate.text)


def reference_contract(task: Task, representation: Representation | None = None) -> Contract | None:
    """Return the reference as a contract, the main representation unless one is named; None where there is none."""
    source: ContractSource | None
    source = task.reference(representation) if representation else next(iter(task.references), None)
    if source is None:
        return None
    text, own_from = with_preamble(task, source.text)
    lean = lean_env(task.context)
    return Contract(task.id, source.representation, text, lean, source.postcondition, source.precondition, (), own_from)


__all__ = [
    "KNOWN_IMPORTS",
    "Contract",
    "FailureKind",
    "ProjectionFailure",
    "fields_contract",
    "indent_body",
    "lean_env",
    "project",
    "reference_contract",
    "text_contract",
    "with_preamble",
]
