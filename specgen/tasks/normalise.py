"""Neutral names: a task whose function and parameters tell nothing of what they are for.

Names are evidence: a generator may write the right contract because a function is called `isSorted`. A task with
neutral names measures what the requirement alone gives. Renaming is global and fresh: every occurrence of an identifier
is renamed to one that occurs nowhere in the task, so binding is preserved; components after a dot are never touched.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from specgen.tasks._text import mask, words
from specgen.tasks.model import ContractSource, Implementation, Parameter, Signature, Task

_WORD = re.compile(r"(?<![\w'.!?])[^\W\d][\w'!?₀-₉]*")
_SUFFIXES = ("", "_precond", "_postcond")


def neutral_names(task: Task, function: str = "target", parameter: str = "x") -> Mapping[str, str]:
    """Return old name → new name for a task's function (and its `_precond`, `_postcond`) and its parameters.

    A parameter whose name the task's preamble uses too (a field, say) keeps it: renaming one would break the other.
    """
    taken = {word for text in _texts(task) for word in words(text)}
    names: dict[str, str] = {}
    old = task.signature.name
    new = _fresh(function, taken)
    for suffix in _SUFFIXES:
        names[old + suffix] = new + suffix
    fixed = set(words(task.context.preamble))
    for at, item in enumerate(task.signature.parameters, start=1):
        if item.name not in fixed and item.name not in names:
            names[item.name] = _fresh(f"{parameter}{at}", taken)
    return names


def _texts(task: Task) -> list[str]:
    implementation = [task.implementation.text] if task.implementation else []
    return [task.context.preamble, *(r.text for r in task.references), *implementation, task.signature.binders()]


def _fresh(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "'"
    return name


def rename(text: str, names: Mapping[str, str]) -> str:
    """Rename identifiers in Lean text: whole identifiers and first components; comments and literals are left alone."""
    out, last = list[str](), 0
    for found in _WORD.finditer(mask(text)):
        new = names.get(found.group())
        if new is not None:
            out += [text[last : found.start()], new]
            last = found.end()
    return "".join([*out, text[last:]])


def rename_prose(text: str, names: Mapping[str, str]) -> str:
    """Rename identifiers in a requirement.

    Short plain words (`a`, `s`) may be words of English: they are renamed only in code quotes and before a colon.
    """

    def swap(found: re.Match[str]) -> str:
        word = found.group()
        new = names.get(word)
        if new is None:
            return word
        around = text[max(0, found.start() - 1) : found.start()] + text[found.end() : found.end() + 1]
        telling = len(word) > 2 and (not word.islower() or "_" in word or any(c.isdigit() for c in word))
        return new if telling or any(mark in around for mark in "`:'\"") else word

    return _WORD.sub(swap, text)


def neutral_task(task: Task, function: str = "target", parameter: str = "x") -> Task:
    """Return the task under neutral names; its id gets the suffix `~neutral`, its labels are the same."""
    names = neutral_names(task, function, parameter)
    signature = Signature(
        names[task.signature.name],
        tuple(Parameter(names.get(p.name, p.name), rename(p.type, names)) for p in task.signature.parameters),
        rename(task.signature.result_type, names),
    )
    references = tuple(
        ContractSource(
            r.representation,
            rename(r.text, names),
            names.get(r.postcondition, r.postcondition),
            names.get(r.precondition, r.precondition),
        )
        for r in task.references
    )
    code = task.implementation
    return replace(
        task,
        id=f"{task.id}~neutral",
        requirement=rename_prose(task.requirement, names),
        signature=signature,
        references=references,
        implementation=Implementation(rename(code.text, names), names.get(code.name, code.name)) if code else None,
    )
