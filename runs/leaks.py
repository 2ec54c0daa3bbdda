"""The leak check: which pieces of a prompt occur in material that only evaluation may use.

A piece is a run of `n` neighbouring tokens (words, numbers and single symbols; letter case and white space do not
count). Evaluation-only material of a task is its reference contracts, its reference implementation and its held-out
examples. What everybody may see anyway (requirements, signatures and the heads of definitions that follow from them,
preambles, a generator's own templates and seeds) is no leak.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from evaluators.execution import shown
from specgen.tasks.model import Signature, Task

Material: TypeAlias = Literal["reference", "implementation", "held-out example"]
Gram: TypeAlias = tuple[str, ...]

REFERENCE_GRAM = 8
"""Tokens of a piece of Lean text: shorter ones (`∀ i, i < xs.length →`) are idioms that everybody writes."""
EXAMPLE_GRAM = 6
"""Tokens of a piece of an example; one with fewer tokens is too common to be told apart and is not looked for."""

_TOKEN = re.compile(r"[^\W\d_][\w'!?]*|\d+(?:\.\d+)?|[^\s\w]")


@dataclass(frozen=True, slots=True)
class Leak:
    """One piece of a prompt that occurs in evaluation-only material of a task: how often, and the first one."""

    prompt: str
    task_id: str
    material: Material
    pieces: int
    first: str


def tokens(text: str) -> list[str]:
    """Return the tokens of a text, in lower case."""
    return [t.lower() for t in _TOKEN.findall(text)]


def grams(text: str, n: int) -> set[Gram]:
    """Return the runs of `n` neighbouring tokens."""
    found = tokens(text)
    return {tuple(found[i : i + n]) for i in range(len(found) - n + 1)}


def evaluation_only(task: Task) -> Iterator[tuple[Material, str, int]]:
    """Yield each piece of evaluation-only material with the size of its grams; labels are taken as held out."""
    for reference in task.references:
        yield "reference", reference.text, REFERENCE_GRAM
    if task.implementation is not None:
        yield "implementation", task.implementation.text, REFERENCE_GRAM
    for pair in (*task.labels.accepted, *task.labels.rejected):
        yield "held-out example", shown(pair.inputs, pair.output), EXAMPLE_GRAM
    for inputs in (*task.labels.required, *task.labels.forbidden):
        yield "held-out example", shown(inputs), EXAMPLE_GRAM


def visible(tasks: Iterable[Task], more: Sequence[str] = ()) -> str:
    """Return the text that everybody may see: generation views, and further texts (templates, seed prompts)."""
    parts = list(more)
    for task in tasks:
        parts += [task.requirement, task.context.preamble, *_heads(task.signature)]
    return "\n\n".join(parts)


def _heads(signature: Signature) -> Iterator[str]:
    """Yield the heads of definitions that any contract of this signature begins with."""
    binders, result = signature.binders(), signature.result_type
    ends = (f": {result} :=", ": Prop :=", f"(result : {result}) : Prop :=", f"(result : {result}) (h_precond :")
    for end in ends:
        for suffix in ("", "_precond", "_postcond"):
            yield f"def {signature.name}{suffix} {binders} {end}"
    yield f"def generated_spec (impl : {signature.function_type()}) {binders} : Prop :="


def find_leaks(prompts: Mapping[str, str], evaluated: Sequence[Task], seen_anyway: str) -> list[Leak]:
    """Look for evaluation-only material in prompts.

    Args:
        prompts: texts by name.
        evaluated: tasks of the evaluated split, with the labels that are held out.
        seen_anyway: what everybody may see (`visible`).

    Returns:
        One entry for each prompt, task and kind of material with at least one piece in common.
    """
    out = []
    free = {n: grams(seen_anyway, n) for n in (REFERENCE_GRAM, EXAMPLE_GRAM)}
    written = {name: {n: grams(text, n) - free[n] for n in free} for name, text in prompts.items()}
    for task in evaluated:
        secret: dict[Material, dict[int, set[Gram]]] = {}
        for material, text, n in evaluation_only(task):
            secret.setdefault(material, {}).setdefault(n, set()).update(grams(text, n))
        for name, mine in written.items():
            for material, by_size in secret.items():
                common = sorted(g for n, found in by_size.items() for g in found & mine[n])
                if common:
                    out.append(Leak(name, task.id, material, len(common), " ".join(common[0])))
    return out
