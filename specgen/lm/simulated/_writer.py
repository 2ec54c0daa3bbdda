"""`sim/writer`: writes a task's contract, well or badly, according to what its instructions ask for."""

from __future__ import annotations

import hashlib
import math
import random
import re
from dataclasses import dataclass, replace
from typing import Final

from specgen.lm._types import ModelRequest, joined_text
from specgen.lm.simulated._formats import ReadPrompt, answer, read_prompt
from specgen.lm.simulated._instructions import kind_odds, recognised
from specgen.lm.simulated._knowledge import (
    SPOIL_KINDS,
    STRUCTURED_FIELDS,
    SimulatedKnowledge,
    SimulatedTask,
    SimulatedVariant,
)
from specgen.lm.simulated._lessons import lessons_of

_REASONING_FIELDS: Final = frozenset({"reasoning", "rationale", "thoughts", "thinking", "plan", "analysis"})
_UNKNOWN: Final = SimulatedVariant(
    lean="def generated_spec : Prop := True", fields={"precond": "True", "postcond": "True"}
)
_DIFFICULTY_SPREAD: Final = 0.6
_FRESH_SHARE: Final = 0.25
"""Share of draws in which a change of the prompt makes everything new. In the others the luck belongs to the task and
the sample, and the prompt changes the odds only: a model tends to make the same mistakes on the same task."""


@dataclass(frozen=True)
class Draw:
    """A reply's text and how it came about."""

    text: str
    metadata: dict[str, str]


def generator(*parts: object) -> random.Random:
    """Return a random generator seeded by a hash of `parts`, the same on every machine and Python."""
    digest = hashlib.sha256("\x1f".join(str(part) for part in parts).encode("utf-8", "surrogatepass")).digest()
    return random.Random(int.from_bytes(digest[:16], "big"))


def write(request: ModelRequest, knowledge: SimulatedKnowledge | None, *, quality: str, seed: int) -> Draw:
    """Write one reply.

    The draw depends on the model's seed, the task, the whole prompt, the sample index and the sampling seed, and on
    nothing else. A task that is not known gets a contract that says nothing.
    """
    prompt = read_prompt(request.messages)
    whole = joined_text(request.messages)
    if prompt.answer_format == "actions":
        return _act(request, prompt, knowledge, quality, seed)
    task = _lookup(knowledge, prompt.input_text, whole)
    cues = recognised(prompt.instructions)
    metadata = {"writer": quality, "cues": ",".join(cues)}
    if task is None or not any(task.variants.values()):
        variant = _UNKNOWN
        metadata |= {"kind": "unknown_task", "task_id": ""}
    else:
        kind, variant = _draw(task, quality, cues, seed, whole, request)
        metadata |= {"kind": kind, "task_id": task.task_id}

    def value(name: str) -> str:
        if name in variant.fields:
            return variant.fields[name]
        if name in _REASONING_FIELDS:
            return "The requirement is read clause by clause, and each clause becomes one condition."
        return "" if name in STRUCTURED_FIELDS else variant.lean

    forms = {"sections": variant.relational, "theorem": variant.theorem}
    plain = forms.get(prompt.answer_format) or variant.lean
    return Draw(answer(prompt, value, STRUCTURED_FIELDS, plain), metadata)


def _act(
    request: ModelRequest, prompt: ReadPrompt, knowledge: SimulatedKnowledge | None, quality: str, seed: int
) -> Draw:
    """Take one turn as an agent: hand in what a tool was content with, else write anew, mindful of what the tools found
    wrong so far.
    """
    tools = [m.content for m in request.messages if m.role == "user"][1:]
    written = [m.content for m in request.messages if m.role == "assistant"]
    if tools and "You may finish." in tools[-1]:
        return Draw(re.sub(r"^\[ACTION\].*$", "[ACTION] finish", written[-1], flags=re.MULTILINE), {"writer": quality})
    whole = joined_text(request.messages)
    task = _lookup(knowledge, prompt.input_text, whole)
    system = "\n".join(m.content for m in request.messages if m.role == "system")
    lessons = lessons_of(tools)
    cues = recognised(f"{system.partition('You write a specification')[0]}\n{lessons}")
    metadata = {"writer": quality, "cues": ",".join(cues), "step": str(len(written))}
    if task is None or not any(task.variants.values()):
        kind, variant = "unknown_task", _UNKNOWN
    else:
        drawn = replace(request, sample=request.sample + 7919 * len(written))
        kind, variant = _draw(task, quality, cues, seed, whole, drawn)
    action = "score" if "`score`" in system else "verify"
    lean = variant.lean if variant.fields else variant.relational or variant.lean
    text = f"[ACTION] {action}\n[SPECIFICATION]\n{lean}\n[END]"
    return Draw(text, metadata | {"kind": kind, "task_id": task.task_id if task else ""})


def _lookup(knowledge: SimulatedKnowledge | None, input_text: str, whole: str) -> SimulatedTask | None:
    if knowledge is None:
        return None
    return knowledge.lookup(input_text) or knowledge.lookup(whole)


def _draw(
    task: SimulatedTask, quality: str, cues: tuple[str, ...], seed: int, prompt: str, request: ModelRequest
) -> tuple[str, SimulatedVariant]:
    # How hard a task is does not depend on the prompt, so that tasks differ in a way that pairing can remove.
    hardness = generator("difficulty", seed, task.task_id).uniform(1 - _DIFFICULTY_SPREAD, 1 + _DIFFICULTY_SPREAD)
    available = frozenset(kind for kind, variants in task.variants.items() if variants)
    odds = kind_odds(quality, cues, available, hardness)
    place = (seed, task.task_id, request.sample, request.seed)
    fresh = generator("fresh", prompt, *place).random() < _FRESH_SHARE
    luck = generator("luck", prompt if fresh else "", *place)
    # The largest of log-odds plus Gumbel noise is a draw from the odds, and with the noise held fixed a change of the
    # odds moves only the draws that it must.
    noise = {kind: -math.log(-math.log(luck.random() or 1e-12)) for kind in SPOIL_KINDS}
    kind = max(odds, key=lambda kind: math.log(odds[kind]) + noise[kind])
    return kind, generator("variant", kind, *place).choice(task.variants[kind])
