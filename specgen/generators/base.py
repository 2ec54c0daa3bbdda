"""What a generator is: it renders a prompt for a task's generation view and reads the reply.

A generator never calls a model itself and never sees a `Task`: `generate` does the call through a narrow client, so
that the same prompt is what an optimiser tunes and what the final comparison scores.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from importlib import resources
from string import Formatter
from types import MappingProxyType
from typing import Protocol, runtime_checkable

from specgen.errors import UserError
from specgen.generators.candidate import Candidate, FailureKind
from specgen.lm import ChatMessage, ModelFailure, ModelOutcome, ModelRequest
from specgen.tasks.model import GenerationView


@dataclass(frozen=True, slots=True)
class Parsed:
    """What was read from a reply: structured fields, or the Lean part where it is marked as such (empty: the reply as
    it is), or why nothing usable was found.
    """

    lean: str = ""
    fields: Mapping[str, str] | None = None
    failure: FailureKind = ""
    message: str = ""
    notes: tuple[str, ...] = ()


@runtime_checkable
class Generator(Protocol):
    """One way of asking for a specification.

    Attributes:
        name: registered name.
        version: changes when the prompt or the reading of replies changes; recorded with every candidate.
        demonstration_ids: ids and function names that must be kept out of every evaluation.
    """

    @property
    def name(self) -> str: ...  # noqa: D102

    @property
    def version(self) -> str: ...  # noqa: D102

    @property
    def demonstration_ids(self) -> frozenset[str]: ...  # noqa: D102

    def render(self, view: GenerationView, instructions: str) -> tuple[ChatMessage, ...]:
        """Return the conversation to send; `instructions` is the part an optimiser may rewrite."""
        ...

    def parse(self, view: GenerationView, text: str) -> Parsed:
        """Read a reply. Never raises: a reply that cannot be read is a `Parsed` with a failure."""
        ...


class ModelClient(Protocol):
    """The part of the gateway that generation needs."""

    def complete(self, request: ModelRequest) -> ModelOutcome:
        """Answer one request; a failed call is data, a fatal one raises."""
        ...


@dataclass(frozen=True, slots=True)
class CallOptions:
    """How the model is called: name, temperature, token limit, and the split that the call belongs to."""

    model: str
    temperature: float | None = None
    max_tokens: int | None = None
    seed: int | None = None
    split: str = ""
    options: Mapping[str, object] = field(default_factory=lambda: MappingProxyType({}))


def prompt_text(name: str) -> str:
    """Return a prompt template of the package by file name."""
    return resources.files("specgen.generators").joinpath("prompts", name).read_text(encoding="utf-8")


def check_template(template: str, needed: Iterable[str], allowed: Iterable[str], origin: str) -> None:
    """Refuse a template that lacks a placeholder, has an unknown one, or whose braces do not pair.

    Raises:
        UserError: names the file and the placeholder.
    """
    try:
        found = {name for _, name, _, _ in Formatter().parse(template) if name is not None}
    except ValueError as exc:
        raise UserError(f"{origin}: {exc}", remedy="Write a brace that is no placeholder twice: {{ or }}") from exc
    missing = [name for name in needed if name not in found]
    if missing:
        raise UserError(
            f"{origin}: the placeholder {{{missing[0]}}} is missing", remedy=f"Put {{{missing[0]}}} into the template"
        )
    known = [*needed, *allowed]
    unknown = sorted(found - set(known))
    if unknown:
        near = get_close_matches(unknown[0], known, n=1)
        hint = f"Did you mean {{{near[0]}}}? " if near else ""
        listed = ", ".join(f"{{{name}}}" for name in known)
        raise UserError(f"{origin}: no such placeholder: {{{unknown[0]}}}", remedy=f"{hint}Known: {listed}")


PLACEHOLDERS = (
    "instructions",
    "requirement",
    "version",
    "imports",
    "name",
    "binders",
    "result_type",
    "function_type",
    "arguments",
    "preamble",
)
"""What a template may refer to (`fill`)."""


def fill(template: str, view: GenerationView, instructions: str = "", **more: str) -> str:
    """Fill a template's placeholders from a generation view and `more`. Braces in the values are left alone."""
    signature = view.signature
    imports = f" with {', '.join(view.context.imports)}" if view.context.imports else ""
    preamble = (
        f"\nDefinitions already there:\n{view.context.preamble.strip()}\n" if view.context.preamble.strip() else ""
    )
    values = {
        "instructions": instructions.strip(),
        "requirement": view.requirement.strip(),
        "version": view.context.version,
        "imports": imports,
        "name": signature.name,
        "binders": signature.binders(),
        "result_type": signature.result_type,
        "function_type": signature.function_type(),
        "arguments": " ".join(p.name for p in signature.parameters),
        "preamble": preamble,
        **more,
    }
    return template.format_map(values)


_OPENING = re.compile(r"```[\w+-]*[ \t]*")


def without_fence(body: str) -> str:
    """Return a marked part of a reply without a code fence around it, closed or not. Linear in its length."""
    opening, newline, rest = body.lstrip().partition("\n")
    if not newline or not _OPENING.fullmatch(opening):
        return body
    closed = rest.rstrip()
    return closed.removesuffix("```").rstrip(" \t").removesuffix("\n") if closed.endswith("```") else rest


@dataclass(frozen=True, slots=True)
class Shot:
    """A worked example that an optimiser chose: a training task as a generator sees it, and a whole reply to it."""

    view: GenerationView
    reply: str


def render_prompt(
    generator: Generator, view: GenerationView, instructions: str, shots: Sequence[Shot] = ()
) -> tuple[ChatMessage, ...]:
    """Return the conversation to send: the generator's own, with worked examples as turns before the task.

    A shot of the task at hand is left out.
    """
    messages = generator.render(view, instructions)
    turns: list[ChatMessage] = []
    for shot in shots:
        if shot.view.task_id != view.task_id:
            turns += [generator.render(shot.view, instructions)[-1], ChatMessage("assistant", shot.reply)]
    return (*messages[:-1], *turns, messages[-1])


def prompt_hash(messages: tuple[ChatMessage, ...]) -> str:
    """Return the SHA-256 (hex) of a rendered prompt."""
    content = json.dumps([[m.role, m.content] for m in messages], ensure_ascii=False)
    return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()


def read_reply(generator: Generator, view: GenerationView, text: str) -> Parsed:
    """Read a reply, an empty one included."""
    if not text.strip():
        return Parsed(failure="empty", message="the reply is empty")
    return generator.parse(view, text)


def task_request(
    view: GenerationView, messages: tuple[ChatMessage, ...], call: CallOptions, sample: int = 0
) -> ModelRequest:
    """Return the request of one call."""
    return ModelRequest(
        model=call.model,
        messages=messages,
        temperature=call.temperature,
        max_tokens=call.max_tokens,
        seed=call.seed,
        options=dict(call.options),
        sample=sample,
        role="task",
        split=call.split,
        task_id=view.task_id,
    )


def generate_once(
    generator: Generator,
    view: GenerationView,
    messages: tuple[ChatMessage, ...],
    client: ModelClient,
    call: CallOptions,
    sample: int = 0,
) -> Candidate:
    """Make one call and return its candidate, whatever came back. Fatal gateway errors (budget, key) pass through."""
    outcome = client.complete(task_request(view, messages, call, sample))
    if isinstance(outcome, ModelFailure):
        failure: FailureKind = "call_failed" if outcome.transient else "no_reply"
        parsed = Parsed(failure=failure, message=f"{outcome.kind}: {outcome.message}")
        text = ""
    else:
        text = outcome.text
        parsed = read_reply(generator, view, text)
        notes = tuple(f"reply: {flag.replace('_', ' ')}" for flag in outcome.flags)
        if outcome.finish_reason == "length":
            notes = (*notes, "reply: cut off at the token limit")
        parsed = replace(parsed, notes=(*notes, *parsed.notes))
    return Candidate(
        task_id=view.task_id,
        generator=generator.name,
        text=text,
        sample=sample,
        fields=parsed.fields,
        lean=parsed.lean,
        failure=parsed.failure,
        message=parsed.message,
        prompt_hash=prompt_hash(messages),
        model=call.model,
        simulated=outcome.simulated,
        input_tokens=outcome.usage.input_tokens,
        output_tokens=outcome.usage.output_tokens,
        cost_usd=outcome.cost_usd,
        latency_s=outcome.latency_s,
        attempts=outcome.attempts,
        notes=parsed.notes,
    )
