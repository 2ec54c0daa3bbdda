"""`sim/reflector`: rewrites an instruction from the feedback it is shown, and from nothing else.

It reads two things in a reflection prompt: the current instruction and the feedback texts. It looks in the feedback
for failures it knows and adds, for the failures that are named there, a sentence that asks for the opposite. A failure
that the feedback does not name adds nothing: what the reward does not measure, the feedback does not say, and the
instruction does not learn.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from specgen.lm._types import ModelRequest, joined_text
from specgen.lm.simulated._feedback import named_failures
from specgen.lm.simulated._formats import answer, read_prompt, section
from specgen.lm.simulated._lessons import SENTENCES
from specgen.lm.simulated._writer import Draw, generator


@dataclass(frozen=True)
class Reflection:
    """What a reflection prompt shows: the current instruction and the feedback texts."""

    instruction: str
    feedback: tuple[str, ...]


def improve(
    instruction: str, feedback: Sequence[str], *, seed: int, sentences: int = 2, levels: int = 3
) -> tuple[str, tuple[str, ...]]:
    """Return the edited instruction and the kinds of failure that each added sentence addresses.

    The most frequent failures come first; a failure whose first sentence is there already gets the next, finer one; at
    most `sentences` are added. `levels` is how many sentences it knows for each kind. Without a named failure the
    instruction comes back unchanged.
    """
    counts = named_failures(feedback)
    draw = generator("reflect", seed, instruction, *sorted(f"{kind}={n}" for kind, n in counts.items()))
    added: list[str] = []
    kinds: list[str] = []
    for kind, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        if len(added) == sentences:
            break
        for level in SENTENCES[kind][:levels]:
            if not any(sentence in instruction for sentence in level):
                added.append(draw.choice(level))
                kinds.append(kind)
                break
    if not added:
        return instruction, ()
    return f"{instruction.rstrip()}\n{' '.join(added)}", tuple(kinds)


def reflect(request: ModelRequest, *, seed: int, sentences: int = 2, levels: int = 3) -> Draw:
    """Answer a reflection prompt: GEPA's in DSPy (JSON or headings), or gepa's own with fenced blocks."""
    shown = read_reflection(request)
    text, kinds = improve(
        shown.instruction, shown.feedback, seed=seed + request.sample, sentences=sentences, levels=levels
    )
    prompt = read_prompt(request.messages)
    names = prompt.output_fields or ("new_instruction",)
    plain = f"```\n{text}\n```"
    return Draw(answer(prompt, lambda _: text, names, plain), {"addressed": ",".join(kinds)})


def read_reflection(request: ModelRequest) -> Reflection:
    """Find the current instruction and the feedback in a reflection prompt."""
    users = [m.content for m in request.messages if m.role == "user"]
    last = users[-1] if users else joined_text(request.messages)
    instruction = section(last, "current_instruction") or section(last, "instruction")
    if instruction is not None:
        examples = section(last, "examples_with_feedback") or ""
        return Reflection(instruction, tuple(_feedback(examples)))
    blocks = re.findall(r"```\w*\n(.*?)\n```", last, re.DOTALL)
    instruction = blocks[0].strip() if blocks else last.strip()
    return Reflection(instruction, tuple(_feedback("\n".join(blocks[1:]))))


def _feedback(examples: str) -> Iterator[str]:
    try:
        parsed = json.loads(examples)
    except ValueError:
        yield from _markdown_feedback(examples)
    else:
        yield from _feedback_values(parsed)


def _feedback_values(value: Any) -> Iterator[str]:
    if isinstance(value, list):
        for item in value:
            yield from _feedback_values(item)
    elif isinstance(value, dict):
        for name, item in value.items():
            if str(name).lower() == "feedback":
                yield str(item)


def _markdown_feedback(text: str) -> Iterator[str]:
    for match in re.finditer(
        r"^#+ Feedback\s*\n(?P<body>.*?)(?=^# |^## (?!#)|\Z)", text, re.DOTALL | re.MULTILINE | re.IGNORECASE
    ):
        yield match["body"].strip()
