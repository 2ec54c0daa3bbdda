"""The provider behind `sim/…` names: parses the name, dispatches, and marks every reply as simulated."""

from __future__ import annotations

import asyncio
import difflib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, cast
from urllib.parse import parse_qsl

from specgen.lm._errors import UnknownModelError
from specgen.lm._ledger import Price
from specgen.lm._provider import Embeddings, ProviderReply
from specgen.lm._types import ModelRequest, joined_text
from specgen.lm.simulated._embedder import embed_words
from specgen.lm.simulated._judge import BIASES, JudgeBias, judge
from specgen.lm.simulated._knowledge import SimulatedKnowledge
from specgen.lm.simulated._reflector import reflect
from specgen.lm.simulated._tokens import count_tokens
from specgen.lm.simulated._writer import Draw, write

SIMULATED_PREFIX: Final = "sim/"
SIMULATION_VERSION: Final = "1"
"""Raised when a simulated model would answer differently; part of the cache key."""

_WRITERS: Final[Mapping[str, str]] = {"writer": "normal", "writer-strong": "strong", "writer-weak": "weak"}
_REFLECTOR: Final = "reflector"
_JUDGE: Final = "judge"
_EMBEDDER: Final = "embedder"
MODEL_NAMES: Final[tuple[str, ...]] = (
    *(f"sim/{name}" for name in _WRITERS),
    "sim/reflector",
    "sim/judge",
    "sim/embedder",
)
_OPTIONS: Final[Mapping[str, int]] = {"seed": 0, "latency_ms": 0, "sentences": 2, "levels": 3}


@dataclass(frozen=True)
class _Model:
    name: str
    seed: int
    latency_s: float
    sentences: int
    levels: int = 3
    bias: JudgeBias = ""


@lru_cache(maxsize=256)
def parse_name(model: str) -> _Model:
    """Read a name such as `sim/writer?seed=3&latency_ms=200`.

    Raises:
        UnknownModelError: when there is no such model or option, naming the nearest.
    """
    head, _, query = model.partition("?")
    if head not in MODEL_NAMES:
        near = difflib.get_close_matches(head, MODEL_NAMES, n=1)
        hint = f"Did you mean {near[0]}? " if near else ""
        raise UnknownModelError(
            f"there is no simulated model {head!r}",
            remedy=f"{hint}There are {', '.join(MODEL_NAMES)} (sim/script only where a script is given)",
        )
    values = dict(_OPTIONS)
    bias: JudgeBias = ""
    for name, text in parse_qsl(query, keep_blank_values=True):
        if name == "bias" and head == f"{SIMULATED_PREFIX}{_JUDGE}":
            bias = _bias(model, text)
            continue
        if name not in values or not text.lstrip("-").isdecimal() or (name != "seed" and int(text) < 0):
            raise UnknownModelError(
                f"option {name}={text} of {model!r} is not understood",
                remedy=f"Options are {', '.join(_OPTIONS)}, each a whole number",
            )
        values[name] = int(text)
    name = head.removeprefix(SIMULATED_PREFIX)
    return _Model(name, values["seed"], values["latency_ms"] / 1000, values["sentences"], values["levels"], bias)


def _bias(model: str, text: str) -> JudgeBias:
    if text not in BIASES:
        raise UnknownModelError(
            f"bias {text!r} of {model!r} is not known", remedy=f"Biases of sim/judge are {', '.join(BIASES)}"
        )
    return cast(JudgeBias, text)


class SimulatedProvider:
    """Answers `sim/…` models. Deterministic; no network; a simulated price of 0.

    Args:
        knowledge: how the writers find the task of a prompt; None makes every task unknown to them.
    """

    simulated = True

    def __init__(self, knowledge: SimulatedKnowledge | None = None) -> None:
        self._knowledge = knowledge
        version = str(getattr(knowledge, "fingerprint", ""))
        self.fingerprint = f"sim-{SIMULATION_VERSION}:{version}"

    def prepare(self, model: str) -> None:
        """Check the name; raises `UnknownModelError`."""
        parse_name(model)

    def price(self, model: str) -> Price | None:
        """Return a price of 0, which is simulated."""
        return Price(0.0, 0.0)

    async def send(self, request: ModelRequest, *, timeout_s: float) -> ProviderReply:
        """Answer one request after the simulated latency."""
        model = parse_name(request.model)
        if model.latency_s:
            await asyncio.sleep(model.latency_s)
        draw = self._work(model)(request)
        return ProviderReply(
            text=draw.text,
            usage=count_tokens(joined_text(request.messages), draw.text),
            cost_usd=0.0,
            response_id=f"sim-{request.key()[:16]}",
            metadata=draw.metadata,
        )

    async def embed(self, model: str, texts: Sequence[str], *, timeout_s: float) -> Embeddings:
        """Embed texts after the simulated latency.

        Raises:
            UnknownModelError: the model is not `sim/embedder`.
        """
        parsed = parse_name(model)
        if parsed.name != _EMBEDDER:
            raise UnknownModelError(f"{model} makes no embeddings", remedy="The simulated one is sim/embedder")
        if parsed.latency_s:
            await asyncio.sleep(parsed.latency_s)
        usage = count_tokens("\n".join(texts), "")
        return Embeddings(embed_words(texts, parsed.seed), usage, cost_usd=0.0)

    def _work(self, model: _Model) -> Callable[[ModelRequest], Draw]:
        if model.name == _EMBEDDER:
            raise UnknownModelError("sim/embedder writes no text", remedy="Name sim/writer, sim/reflector or sim/judge")
        if model.name == _REFLECTOR:
            return lambda request: reflect(request, seed=model.seed, sentences=model.sentences, levels=model.levels)
        if model.name == _JUDGE:
            return lambda request: judge(request, self._knowledge, bias=model.bias, seed=model.seed)
        quality = _WRITERS[model.name]
        return lambda request: write(request, self._knowledge, quality=quality, seed=model.seed)
