"""`verina`: structured fields with two demonstrations, after the prompting of VERINA (arXiv 2505.23135).

Source: VERINA asks for a specification in separate fields (imports, auxiliary definitions, precondition and
postcondition bodies) and shows solved examples. Deviations: wording and demonstrations are ours; fields stand under
headings in plain text; the demonstrations are kept out of every evaluation.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from specgen.generators.base import Parsed, fill, prompt_text, without_fence
from specgen.generators.candidate import FIELD_NAMES
from specgen.lm import ChatMessage
from specgen.tasks.model import GenerationView, LeanContext, Parameter, Signature

_HEADING = re.compile(r"^[ \t]*\[\[ ## (\w+) ## \]\][ \t]*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Demonstration:
    """A solved example: a view and the fields of its specification."""

    view: GenerationView
    fields: MappingProxyType[str, str]


@lru_cache(maxsize=1)
def demonstrations() -> tuple[Demonstration, ...]:
    """Return the two demonstrations of the package."""
    out = []
    for demo in tomllib.loads(prompt_text("verina_demos.toml"))["demo"]:
        parameters = tuple(Parameter(n, t) for n, t in demo["parameters"])
        signature = Signature(demo["name"], parameters, demo["result_type"])
        view = GenerationView(demo["id"], demo["requirement"].strip(), signature, LeanContext("4.24.0"))
        out.append(Demonstration(view, MappingProxyType({f: demo[f].strip("\n") for f in FIELD_NAMES})))
    return tuple(out)


def write_fields(fields: MappingProxyType[str, str]) -> str:
    """Return fields under their headings, as a reply should have them."""
    parts = [f"[[ ## {name} ## ]]\n{fields[name]}" for name in FIELD_NAMES]
    return "\n\n".join([*parts, "[[ ## completed ## ]]"])


def read_fields(text: str) -> Parsed:
    """Read the fields of a reply; code fences around a field are taken off, and a note says so.

    A field that is left out is read as empty, with a note; a reply without `postcond` is a parse failure.
    """
    found: dict[str, str] = {}
    notes: list[str] = []
    marks = list(_HEADING.finditer(text))
    for i, mark in enumerate(marks):
        name = mark.group(1)
        end = marks[i + 1].start() if i + 1 < len(marks) else len(text)
        body = text[mark.end() : end].strip("\n").rstrip()
        bare = without_fence(body)
        if bare != body:
            body = bare
            notes.append(f"code fence taken off {name}")
        if name in FIELD_NAMES:
            if name in found:
                notes.append(f"field {name} given twice, the last one taken")
            found[name] = body
    if "postcond" not in found or not found["postcond"].strip():
        reason = "no heading [[ ## postcond ## ]]" if "postcond" not in found else "the field postcond is empty"
        return Parsed(failure="unparsable", message=reason, notes=tuple(notes))
    missing = [f for f in FIELD_NAMES if f not in found]
    if missing:
        notes.append(f"fields left out, read as empty: {', '.join(missing)}")
    return Parsed(fields=MappingProxyType({f: found.get(f, "") for f in FIELD_NAMES}), notes=tuple(notes))


@dataclass(frozen=True, slots=True)
class VerinaGenerator:
    """A system message with the instructions, two solved examples as turns, then the task."""

    name: str = "verina"
    version: str = "1"

    @property
    def demonstration_ids(self) -> frozenset[str]:
        """Ids and function names of the demonstrations."""
        return frozenset(x for d in demonstrations() for x in (d.view.task_id, d.view.signature.name))

    def render(self, view: GenerationView, instructions: str) -> tuple[ChatMessage, ...]:
        """Return system message, demonstrations, task."""
        task = prompt_text("verina_task.md")
        messages = [ChatMessage("system", fill(prompt_text("verina_system.md"), view, instructions))]
        for demo in demonstrations():
            messages.append(ChatMessage("user", fill(task, demo.view)))
            messages.append(ChatMessage("assistant", write_fields(demo.fields)))
        messages.append(ChatMessage("user", fill(task, view)))
        return tuple(messages)

    def parse(self, view: GenerationView, text: str) -> Parsed:
        """Read the fields under their headings."""
        return read_fields(text)
