"""What a simulated model knows of the tasks: nothing but what the upper layers hand it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, Protocol, get_args

SpoilKind = Literal[
    "reference",
    "dropped_clause",
    "weakened",
    "strengthened",
    "restricted_input",
    "vacuous",
    "ill_typed",
    "unparsable",
]
"""How a written contract relates to the reference.

`reference`: correct. `dropped_clause`: one clause of the postcondition is missing. `weakened`, `strengthened`: a
comparison or quantifier admits wrong outputs, or refuses right ones. `restricted_input`: the precondition refuses
required inputs. `vacuous`: the postcondition admits everything. `ill_typed`: parses but does not elaborate.
`unparsable`: does not parse.
"""

SPOIL_KINDS: Final[tuple[SpoilKind, ...]] = get_args(SpoilKind)

STRUCTURED_FIELDS: Final = ("imports", "precond_aux", "precond", "postcond_aux", "postcond")


@dataclass(frozen=True)
class SimulatedVariant:
    """One way of writing a task's contract, ready in all formats that prompts ask for.

    Attributes:
        lean: the whole contract as plain Lean text, for prompts that ask for Lean.
        fields: text by field name (`imports`, `precond_aux`, `precond`, `postcond_aux`, `postcond`; missing ones are
            empty), for prompts that ask for fields.
        relational: a proposition over the implementation, for prompts that ask for marked sections.
        theorem: a statement about the function itself, for prompts that ask for a theorem.
    """

    lean: str = ""
    fields: Mapping[str, str] = field(default_factory=dict, hash=False)
    relational: str = ""
    theorem: str = ""


@dataclass(frozen=True)
class SimulatedTask:
    """A task as a simulated model knows it: for each kind, the variants it may write (kinds may be missing)."""

    task_id: str
    variants: Mapping[SpoilKind, tuple[SimulatedVariant, ...]] = field(hash=False)


class SimulatedKnowledge(Protocol):
    """Finds the task that a prompt speaks of.

    An implementation may also have a `fingerprint: str` attribute that names the version of its variants: it becomes
    part of the cache key, so that replies made from older variants are not reused.
    """

    def lookup(self, prompt_text: str) -> SimulatedTask | None:
        """Return the task whose requirement and signature stand in the text, None when there is none.

        Called first with the last user message, and when that finds nothing with the whole prompt.
        """
