"""Contracts: a candidate or a reference in a form that can be checked.

A contract here is Lean text that elaborates on its own, with the names of its precondition and postcondition. How it
was made from what a generator returned is recorded in `notes`; what cannot be made into one is a
`ProjectionFailure`, which is data.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from specgen.generators import Candidate
from specgen.lean.environment import LeanEnv
from specgen.tasks.model import ContractSource, LeanContext, Representation, Task

FailureKind: TypeAlias = Literal["no_output", "not_well_formed", "unsupported"]

KNOWN_IMPORTS = ("Mathlib", "Std", "Batteries", "Aesop", "Init", "Lean")
"""Roots of modules whose names the engine has tables for, or that bring nothing a contract needs."""

_IMPORT = re.compile(r"^[ \t]*import[ \t]+(\S+)[ \t]*$", re.MULTILINE)
_FENCE = re.compile(r"^[ \t]*```[ \t]*([\w+-]*)[ \t]*\n(.*?)^[ \t]*```[ \t]*$", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Contract:
    """A checkable contract.

    Attributes:
        task_id: the task it speaks of.
        representation: `prepost` (predicates over the inputs, and over inputs and result) or `relational` (a
            predicate over the implementation and the inputs).
        source: complete Lean text, without imports.
        lean: version and imports that the text is judged in.
        postcondition, precondition: names of definitions in `source`; an empty precondition means `True`.
        notes: how it was projected, in words.
        own_from: offset in `source` at which the candidate's own text begins, after the task's preamble.
    """

    task_id: str
    representation: Representation
    source: str
    lean: LeanEnv
    postcondition: str
    precondition: str = ""
    notes: tuple[str, ...] = ()
    own_from: int = 0


@dataclass(frozen=True, slots=True)
class ProjectionFailure:
    """Why there is no contract: nothing came back, it is not well formed, or we cannot project it."""

    kind: FailureKind
    message: str
    notes: tuple[str, ...] = ()


def lean_env(context: LeanContext, imports: Sequence[str] = ()) -> LeanEnv:
    """Return the engine's environment for a task's context with further imports."""
    parts = [int(p) for p in re.findall(r"\d+", context.version)[:3]] + [0, 0, 0]
    merged = dict.fromkeys([*context.imports, *imports])
    return LeanEnv(version=(parts[0], parts[1], parts[2]), imports=tuple(merged))


def indent_body(text: str, notes: list[str], field: str) -> str:
    """Indent the body of a definition below its head.

    A field whose text was stripped has lost the column of its first line, and Lean's layout would read it differently:
    the first line gets the common indentation of the others (`notes` says so).
    """
    lines = text.strip("\n").rstrip().split("\n")
    rest = [line for line in lines[1:] if line.strip()]
    if rest and not lines[0].startswith((" ", "\t")):
        common = min(len(line) - len(line.lstrip()) for line in rest)
        if common:
            lines[0] = " " * common + lines[0]
            notes.append(f"first line of {field} re-indented by {common}")
    return "\n".join("  " + line if line.strip() else "" for line in lines)


def with_preamble(task: Task, *parts: str) -> tuple[str, int]:
    """Join parts after the task's preamble; return the text and the offset at which the parts begin."""
    preamble = task.context.preamble.strip("\n")
    head = f"{preamble}\n\n" if preamble.strip() else ""
    body = "\n\n".join(p.strip("\n") for p in parts if p.strip())
    return f"{head}{body}\n", len(head)


def fields_contract(task: Task, fields: Mapping[str, str]) -> Contract | ProjectionFailure:
    """Assemble a pre/post contract from structured fields."""
    signature = task.signature
    notes: list[str] = []
    imports = tuple(m for m in _IMPORT.findall(fields.get("imports", "")))
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


def extract_lean(text: str, notes: list[str]) -> str:
    """Return the Lean part of a reply: the text itself, or its fenced Lean blocks joined (a note says so)."""
    blocks = [(lang.lower(), body) for lang, body in _FENCE.findall(text)]
    chosen = [body for lang, body in blocks if lang.startswith("lean")] or [body for lang, body in blocks if not lang]
    if not chosen:
        return text
    notes.append("fenced Lean taken" if len(chosen) == 1 else f"{len(chosen)} fenced Lean blocks joined")
    return "\n\n".join(chosen)


def text_contract(task: Task, text: str) -> Contract | ProjectionFailure:
    """Find a contract in free Lean text: `NAME_precond`/`NAME_postcond`, or a relational
    `NAME_spec`/`generated_spec`.
    """
    notes: list[str] = []
    lean_text = extract_lean(text, notes)
    imports = tuple(_IMPORT.findall(lean_text))
    unknown = [m for m in imports if m.split(".")[0] not in KNOWN_IMPORTS]
    if unknown:
        return ProjectionFailure("not_well_formed", f"unknown module {unknown[0]}", tuple(notes))
    body = _IMPORT.sub("", lean_text).strip("\n")
    name = task.signature.name
    declared = set(re.findall(r"\b(?:def|abbrev)[ \t]+(?:_root_\.)?([^\s({\[:]+)", body))
    source, own_from = with_preamble(task, body)
    lean = lean_env(task.context, imports)
    if f"{name}_postcond" in declared:
        pre = f"{name}_precond" if f"{name}_precond" in declared else ""
        if not pre:
            notes.append("no precondition defined, read as True")
        return Contract(task.id, "prepost", source, lean, f"{name}_postcond", pre, tuple(notes), own_from)
    for relational in (f"{name}_spec", "generated_spec", "problem_spec"):
        if relational in declared:
            return Contract(task.id, "relational", source, lean, relational, "", tuple(notes), own_from)
    if not body.strip():
        return ProjectionFailure("no_output", "no Lean text in the reply", tuple(notes))
    wanted = f"{name}_postcond, {name}_spec or generated_spec"
    return ProjectionFailure("not_well_formed", f"the text defines none of {wanted}", tuple(notes))


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
