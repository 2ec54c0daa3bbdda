"""The types of a task's signature, read in the task's own text."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from evaluators.projection.form import lean_env, with_preamble
from specgen.lean.core import Term
from specgen.lean.engine import Program, load
from specgen.lean.environment import LeanEnv
from specgen.tasks.model import Task


@dataclass(frozen=True, slots=True)
class SignatureTypes:
    """The types of a task's signature as core terms."""

    inputs: tuple[Term, ...]
    result: Term
    function: Term


@lru_cache(maxsize=256)
def loaded(text: str, lean: LeanEnv) -> Program:
    """Return a trusted text, loaded once."""
    return load(text, lean)


def task_program(task: Task) -> Program:
    """Return the task's own text, loaded: its types and labels mean what they mean there, whatever a candidate declares
    (a coercion, a numeral's instance, a type of the same name).
    """
    return loaded(with_preamble(task)[0], lean_env(task.context))


def signature_types(task: Task) -> SignatureTypes:
    """Return the types of a task's signature; raises ReadError where one is not a type."""
    program, signature = task_program(task), task.signature
    inputs = tuple([program.type(p.type) for p in signature.parameters])
    return SignatureTypes(inputs, program.type(signature.result_type), program.type(signature.function_type()))
