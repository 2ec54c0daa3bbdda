"""Tuned prompts as small readable JSON files, and their use from plain Python:

    from optimizers import load_tuned
    tuned = load_tuned("run/prompts/adequacy.json")
    messages = tuned.messages(task.view())

A file holds instructions, worked examples, the generator with its options, where the prompt comes from and what it
scored, and hashes of what was tuned. A file that somebody edited still loads; it then says so (`edited`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from optimizers.seeds import Prompt
from specgen.errors import UserError
from specgen.generators import (
    CallOptions,
    Candidate,
    Generator,
    ModelClient,
    Shot,
    Verifier,
    generate,
    make_generator,
    render_prompt,
)
from specgen.lm import ChatMessage
from specgen.tasks.model import GenerationView, LeanContext, Parameter, Signature

SCHEMA = 1
KIND = "specgen tuned prompt"


@dataclass(frozen=True, slots=True)
class Tuned:
    """A prompt with all that is needed to use it, and where it comes from.

    Attributes:
        prompt: instructions and worked examples.
        generator, generator_options: how the prompt is rendered and replies are read.
        optimizer, reward: what tuned it, empty for a seed prompt.
        scores: by name, e.g. `validation`: mean reward over validation tasks in [0, 1].
        simulated: whether simulated models had a part in it.
        edited: whether the file was changed after it was written.
    """

    prompt: Prompt
    generator: str
    generator_options: Mapping[str, object] = field(default_factory=lambda: MappingProxyType({}))
    optimizer: str = ""
    reward: str = ""
    scores: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    simulated: bool = False
    edited: bool = False

    def make_generator(self) -> Generator:
        """Return the generator; `UserError` for one that is not known here."""
        return make_generator(self.generator, self.generator_options)

    def messages(self, view: GenerationView) -> tuple[ChatMessage, ...]:
        """Return the conversation to send for a task."""
        return render_prompt(self.make_generator(), view, self.prompt.instructions, self.prompt.shots)

    def generate(
        self, view: GenerationView, client: ModelClient, model: str, sample: int = 0, verifier: Verifier | None = None
    ) -> Candidate:
        """Ask a model for a specification of a task."""
        return generate(
            self.make_generator(),
            view,
            self.prompt.instructions,
            client,
            CallOptions(model),
            sample,
            verifier,
            self.prompt.shots,
        )


def as_json(tuned: Tuned) -> str:
    """Return the file's text: JSON with indentation, ending with a newline."""
    body = {
        "kind": KIND,
        "schema": SCHEMA,
        "name": tuned.prompt.name,
        "origin": tuned.prompt.origin,
        "optimizer": tuned.optimizer,
        "reward": tuned.reward,
        "simulated": tuned.simulated,
        "scores": dict(tuned.scores),
        "generator": {"name": tuned.generator, "options": dict(tuned.generator_options)},
        "signature": {"inputs": ["requirement", "function signature"], "output": "specification"},
        "instructions": tuned.prompt.instructions,
        "demonstrations": [{"task": asdict(s.view), "reply": s.reply} for s in tuned.prompt.shots],
        "hash": tuned.prompt.hash(),
    }
    return json.dumps(body, ensure_ascii=False, indent=2) + "\n"


def load_tuned(path: str | Path) -> Tuned:
    """Read a tuned prompt.

    Raises:
        UserError: the file cannot be read, is no such file, or lacks something; what and where is named.
    """
    path = Path(path)
    remedy = "Name a file that an experiment wrote to its folder prompts/"
    try:
        body = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, ValueError, RecursionError) as exc:
        raise UserError(f"cannot read the prompt {path}: {exc}", remedy=remedy) from exc
    if not isinstance(body, dict) or body.get("kind") != KIND:
        raise UserError(f"{path} is no {KIND}", remedy=remedy)
    if body.get("schema") != SCHEMA:
        raise UserError(f"{path} has schema {body.get('schema')!r}, this specgen reads {SCHEMA}", remedy=remedy)
    try:
        return _read(body)
    except (KeyError, TypeError, AttributeError) as exc:
        raise UserError(f"{path}: {type(exc).__name__}: {exc}", remedy=remedy) from exc


def _read(body: Mapping[str, Any]) -> Tuned:
    shots = tuple(Shot(_view(d["task"]), str(d["reply"])) for d in body["demonstrations"])
    prompt = Prompt(str(body["name"]), str(body["instructions"]), str(body["origin"]), shots)
    return Tuned(
        prompt,
        str(body["generator"]["name"]),
        MappingProxyType(dict(body["generator"]["options"])),
        str(body["optimizer"]),
        str(body["reward"]),
        MappingProxyType({str(k): float(v) for k, v in body["scores"].items()}),
        bool(body["simulated"]),
        prompt.hash() != body["hash"],
    )


def _view(record: Mapping[str, Any]) -> GenerationView:
    signature, context = record["signature"], record["context"]
    parameters = tuple(Parameter(str(p["name"]), str(p["type"])) for p in signature["parameters"])
    return GenerationView(
        str(record["task_id"]),
        str(record["requirement"]),
        Signature(str(signature["name"]), parameters, str(signature["result_type"])),
        LeanContext(str(context["version"]), tuple(context["imports"]), str(context["preamble"])),
    )
