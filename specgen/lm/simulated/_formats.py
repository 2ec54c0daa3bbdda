"""Reading a prompt as a model would: what it asks, in which format, and how to answer in it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from specgen.lm._types import ChatMessage, joined_text

AnswerFormat = Literal["headings", "json", "plain", "sections", "theorem", "actions"]

_OUTPUT_FIELDS: Final = re.compile(
    r"^Your output fields are:\n(?P<list>(?:\d+\. .*(?:\n(?!\d+\. |\w).*)*\n?)+)", re.MULTILINE
)
_FIELD: Final = re.compile(r"^\d+\. `(?P<name>\w+)`", re.MULTILINE)
_OBJECTIVE: Final = "your objective is:"
_JSON_ASKED: Final = re.compile(r"Respond with a JSON object|Outputs will be a JSON object", re.IGNORECASE)
_MARKER: Final = re.compile(r"^\W*output format\W*:\W*(?P<format>[\w ,-]+)", re.IGNORECASE | re.MULTILINE)
_HEADING: Final = re.compile(r"\[\[ ## (\w+) ## \]\]")
_HEADINGS_ASKED: Final = re.compile(
    r"^Respond with [^\n]*\[\[ ## .*?\[\[ ## completed ## \]\]", re.MULTILINE | re.DOTALL
)
_TASK_LINE: Final = re.compile(
    r"^\W{0,8}(task|requirement|problem|problem statement|description|signature|docstring|natural language)\b\W*(:|$)",
    re.IGNORECASE | re.MULTILINE,
)


@dataclass(frozen=True)
class ReadPrompt:
    """A prompt taken apart.

    Attributes:
        instructions: what the model is told to do in general, without the input at hand.
        input_text: the last user message, where the input at hand stands.
        answer_format: DSPy's `[[ ## field ## ]]` headings, one JSON object, plain text, marked sections (thoughts and
            specification), a theorem, or a turn of an agent that calls tools.
        output_fields: names of the asked output fields in order; empty for plain text and for JSON whose fields are
            not named.
    """

    instructions: str
    input_text: str
    answer_format: AnswerFormat
    output_fields: tuple[str, ...]


def read_prompt(messages: Sequence[ChatMessage]) -> ReadPrompt:
    """Take a prompt apart: DSPy's chat and JSON adapters, or plain text with an optional `Output format:` line."""
    system = joined_text([m for m in messages if m.role == "system"])
    users = [m.content for m in messages if m.role == "user"]
    last = users[-1] if users else ""
    listed = _OUTPUT_FIELDS.search(system)
    if listed is not None:
        fields = tuple(m["name"] for m in _FIELD.finditer(listed["list"]))
        wants_json = bool(_JSON_ASKED.search(system) or _JSON_ASKED.search(last))
        _, found, objective = system.partition(_OBJECTIVE)
        return ReadPrompt(objective if found else system, last, "json" if wants_json else "headings", fields)
    whole = joined_text(messages)
    instructions = "\n\n".join(part for part in (_before_fields(system), _before_task(last)) if part)
    if (asked_fields := _HEADINGS_ASKED.search(last) or _HEADINGS_ASKED.search(system)) is not None:
        fields = tuple(name for name in _HEADING.findall(asked_fields[0]) if name != "completed")
        return ReadPrompt(instructions, last, "headings", fields)
    marker = _MARKER.search(last) or _MARKER.search(whole)
    asked = marker["format"].lower() if marker else ""
    for special in ("sections", "theorem", "actions"):
        if special in asked:
            return ReadPrompt(instructions, last, special, ())
    wants_json = "json" in asked or "field" in asked or (not asked and bool(_JSON_ASKED.search(whole)))
    return ReadPrompt(instructions, last, "json" if wants_json else "plain", ())


def _before_fields(text: str) -> str:
    """Return the text before a paragraph that lists the fields of the answer: form, not instruction."""
    match = re.search(r"\n\n[^\n]*\b(\d|two|three|four|five|six|following) fields\b", text)
    return text[: match.start()] if match else text


def _before_task(text: str) -> str:
    match = _TASK_LINE.search(text)
    return text[: match.start()] if match else text


def answer(prompt: ReadPrompt, value: Callable[[str], str], default_fields: Sequence[str], plain: str) -> str:
    """Write an answer in the format the prompt asks for.

    Args:
        prompt: the prompt.
        value: text of an output field by its name.
        default_fields: fields of a JSON answer when the prompt names none.
        plain: the answer as plain text.
    """
    if prompt.answer_format in ("plain", "theorem"):
        return plain
    if prompt.answer_format == "sections":
        return f"[THOUGHTS]\n{value('thoughts')}\n[SPECIFICATION]\n{plain}\n[END]"
    names = prompt.output_fields or tuple(default_fields)
    if prompt.answer_format == "json":
        return json.dumps({name: value(name) for name in names}, ensure_ascii=False, indent=2)
    sections = [f"[[ ## {name} ## ]]\n{value(name)}" for name in names]
    return "\n\n".join([*sections, "[[ ## completed ## ]]"])


def section(text: str, name: str) -> str | None:
    """Return the text under DSPy's heading `[[ ## name ## ]]`, up to the next heading; None without the heading."""
    match = re.search(
        rf"\[\[ ## {re.escape(name)} ## \]\]\n(?P<body>.*?)(?=\n\[\[ ## \w+ ## \]\]|\n\nRespond with |\Z)",
        text,
        re.DOTALL,
    )
    return match["body"].strip() if match else None
