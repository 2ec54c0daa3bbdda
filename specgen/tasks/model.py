"""The task model: what is to be specified, and, for evaluation only, what is known to be right about it.

`Task` holds everything; `GenerationView` holds what a generator may see. They are different types on purpose: a
generator takes a `GenerationView`, so a leak of a reference or of a labelled example into a prompt is a type error.

Values in labels are Lean terms as text, one per parameter in signature order; loaders turn JSON values into exact Lean
terms before they get here.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from types import MappingProxyType
from typing import Literal, TypeAlias

Representation: TypeAlias = Literal["prepost", "relational"]
Inputs: TypeAlias = tuple[str, ...]
Difficulty: TypeAlias = Literal["basic", "intermediate", "advanced", "unknown"]


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter: its name and its type as Lean text."""

    name: str
    type: str


@dataclass(frozen=True, slots=True)
class Signature:
    """The function to be specified."""

    name: str
    parameters: tuple[Parameter, ...]
    result_type: str

    def function_type(self) -> str:
        """Return the Lean type of the function, e.g. `Nat → List Int → Bool`."""
        types = [f"({p.type})" if "→" in p.type or "->" in p.type else p.type for p in self.parameters]
        return " → ".join([*types, self.result_type])

    def binders(self) -> str:
        """Return the parameters as Lean binders, e.g. `(n : Nat) (xs : List Int)`."""
        return " ".join(f"({p.name} : {p.type})" for p in self.parameters)


@dataclass(frozen=True, slots=True)
class LeanContext:
    """The Lean environment of a task: version, imports, text that precedes every contract (user types, helpers)."""

    version: str
    imports: tuple[str, ...] = ()
    preamble: str = ""


@dataclass(frozen=True, slots=True)
class Pair:
    """An input and an output."""

    inputs: Inputs
    output: str


@dataclass(frozen=True, slots=True)
class Labels:
    """Labelled examples (the project's words): pairs to accept and to reject, inputs to admit and to refuse."""

    accepted: tuple[Pair, ...] = ()
    rejected: tuple[Pair, ...] = ()
    required: tuple[Inputs, ...] = ()
    forbidden: tuple[Inputs, ...] = ()

    def size(self) -> int:
        """Return the number of labelled examples of all four kinds."""
        return len(self.accepted) + len(self.rejected) + len(self.required) + len(self.forbidden)


@dataclass(frozen=True, slots=True)
class ContractSource:
    """A contract as Lean text with the names of its parts.

    `prepost`: `precondition` names a predicate over the parameters (empty when there is none), `postcondition` one over
    the parameters and the result (and possibly a proof of the precondition, last). `relational`: `postcondition` names
    a predicate over the implementation and the parameters, and `precondition` is empty. `text` is complete but for the
    task's imports and preamble: load it as a program of its own, not together with the implementation's.
    """

    representation: Representation
    text: str
    postcondition: str
    precondition: str = ""


@dataclass(frozen=True, slots=True)
class Implementation:
    """A reference implementation: Lean text, and the name of the function (parameters, then possibly a proof).

    `text` is complete but for the task's imports and preamble, and is a program of its own: it may repeat definitions
    of the reference contract (its proof argument names the precondition).
    """

    text: str
    name: str


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a task comes from and under which licence."""

    dataset: str
    upstream_id: str
    licence: str
    source: str = ""


@dataclass(frozen=True, slots=True)
class GenerationView:
    """What a generator may see of a task: no reference, no labelled example."""

    task_id: str
    requirement: str
    signature: Signature
    context: LeanContext


@dataclass(frozen=True, slots=True)
class Task:
    """One thing to specify, with what evaluation knows about it.

    `references` holds the reference contract in one or more representations, the first being the main one.
    `metadata` holds strings such as `result_kind` and `control_flow`, used to stratify splits.
    """

    id: str
    requirement: str
    signature: Signature
    context: LeanContext
    provenance: Provenance
    references: tuple[ContractSource, ...] = ()
    implementation: Implementation | None = None
    labels: Labels = Labels()
    difficulty: Difficulty = "unknown"
    metadata: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    def view(self) -> GenerationView:
        """Return what a generator may see."""
        return GenerationView(self.id, self.requirement, self.signature, self.context)

    def reference(self, representation: Representation) -> ContractSource | None:
        """Return the reference contract in a representation, or None."""
        return next((r for r in self.references if r.representation == representation), None)

    def with_labels(self, labels: Labels) -> Task:
        """Return the same task with other labelled examples (a split of them, say)."""
        return replace(self, labels=labels)

    def fingerprint(self) -> str:
        """Return the SHA-256 (hex) of the task's whole content, stable over processes and versions of Python."""
        content = {k: v for k, v in asdict(replace(self, metadata={})).items() if k != "metadata"}
        content["metadata"] = dict(sorted(self.metadata.items()))
        return hashlib.sha256(json.dumps(content, sort_keys=True, ensure_ascii=False).encode()).hexdigest()
