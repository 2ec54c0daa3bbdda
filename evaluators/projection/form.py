"""What projection makes: a contract in a form that can be checked, or the reason why there is none."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from specgen.lean.environment import LeanEnv
from specgen.tasks.model import LeanContext, Representation, Task

FailureKind: TypeAlias = Literal["no_output", "not_well_formed", "unsupported"]

KNOWN_IMPORTS = ("Mathlib", "Std", "Batteries", "Aesop", "Init", "Lean")
"""Roots of modules whose names the engine has tables for, or that bring nothing a contract needs."""


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
