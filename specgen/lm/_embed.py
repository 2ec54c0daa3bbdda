"""Embeddings through the gateway: each text sent once, stored by itself, metered under its own role."""

from __future__ import annotations

import base64
import hashlib
import json
import time
from array import array
from collections.abc import Sequence
from typing import Final

from specgen.errors import UserError
from specgen.lm._core import Call, Core, ledger_row
from specgen.lm._errors import EmbeddingFailedError
from specgen.lm._provider import CallError, EmbeddingProvider, Embeddings
from specgen.lm._store import Settlement

CHUNK: Final = 64
"""Texts in one request."""
_CHARS_A_TOKEN: Final = 4

Vector = tuple[float, ...]


async def embed_texts(core: Core, texts: Sequence[str], model: str, split: str) -> list[Vector]:
    """Return one vector a text; see `Gateway.embed`."""
    if any(not text.strip() for text in texts):
        raise UserError("an empty text has no embedding", remedy="Leave empty texts out")
    keys = [_key(core, model, text) for text in texts]
    found: dict[str, Vector] = {}
    todo: dict[str, str] = {}
    for key, text in zip(keys, texts, strict=True):
        if key in found or key in todo:
            continue
        stored = core.store.reply(key)
        if stored is None:
            todo[key] = text
        else:
            found[key] = _unpacked(stored)
    if found:
        await core.save(Settlement(ledger_row(_call(core, model, split, list(found), []), "cached")))
    pairs = list(todo.items())
    for start in range(0, len(pairs), CHUNK):
        found |= await _chunk(core, model, split, dict(pairs[start : start + CHUNK]))
    return [found[key] for key in keys]


async def _chunk(core: Core, model: str, split: str, texts: dict[str, str]) -> dict[str, Vector]:
    """Embed a few texts with one request, or take them from the store when another process was faster."""
    call = _call(core, model, split, list(texts), list(texts.values()))
    try:
        await core.claimed(call)
        stored = {key: core.store.reply(key) for key in texts}
        if all(stored.values()):
            await core.save(Settlement(ledger_row(call, "cached")))
            return {key: _unpacked(text) for key, text in stored.items() if text is not None}
        async with core.slots:
            return await _ask(core, call, texts)
    finally:
        core.unclaim(call)


async def _ask(core: Core, call: Call, texts: dict[str, str]) -> dict[str, Vector]:
    provider = call.provider
    if not isinstance(provider, EmbeddingProvider):
        raise UserError(f"{call.model} makes no embeddings", remedy="Name an embedding model, or rank without one")
    call.started = time.monotonic()
    saved = False
    timeout_s = core.policies.timeout_s
    try:

        async def send() -> Embeddings:
            return await provider.embed(call.model, list(texts.values()), timeout_s=timeout_s)

        try:
            answer = await core.attempts(call, send)
        except CallError as exc:
            cost = core.cost_usd(call, exc.usage)
            row = ledger_row(call, exc.kind, usage=exc.usage, cost_usd=cost, latency_s=time.monotonic() - call.started)
            saved = True
            await core.save(Settlement(row, claimed_by=core.owner if call.claimed else ""))
            raise EmbeddingFailedError(
                f"{call.model} embedded no texts: {exc.kind} after {call.attempts} attempts: {exc.message}",
                remedy="Run again, or rank without embeddings",
            ) from exc
        vectors = dict(zip(texts, answer.vectors, strict=True))
        cost = core.cost_usd(call, answer.usage, answer.cost_usd)
        row = ledger_row(call, "reply", usage=answer.usage, cost_usd=cost, latency_s=time.monotonic() - call.started)
        further = tuple(
            (key, call.model, json.dumps({"model": call.model, "input": core.redacted(texts[key])}), _packed(vector))
            for key, vector in vectors.items()
        )
        saved = True
        await core.save(Settlement(row, claimed_by=core.owner if call.claimed else "", further=further))
        return vectors
    finally:
        if call.attempts and not saved:
            core.save_now(Settlement(ledger_row(call, "stopped", latency_s=time.monotonic() - call.started)))


def _call(core: Core, model: str, split: str, keys: Sequence[str], texts: Sequence[str]) -> Call:
    digest = hashlib.sha256("\n".join(keys).encode()).hexdigest()
    return Call(
        role="embedding",
        model=model,
        split=split,
        task_id="",
        key=digest,
        provider=core.provider(model),
        request=json.dumps({"model": model, "input": list(texts)}, ensure_ascii=False),
        tokens=sum(map(len, texts)) // _CHARS_A_TOKEN,
    )


def _key(core: Core, model: str, text: str) -> str:
    provider = core.provider(model)
    base = None if provider.simulated else core.endpoints.of(model).api_base
    body = ["embedding", 1, model, base.rstrip("/") if base else None, provider.fingerprint or None, text]
    return hashlib.sha256(json.dumps(body).encode()).hexdigest()


def _packed(vector: Vector) -> str:
    return json.dumps({"embedding": base64.b64encode(array("d", vector).tobytes()).decode()})


def _unpacked(text: str) -> Vector:
    values = array("d")
    values.frombytes(base64.b64decode(json.loads(text)["embedding"]))
    return tuple(values)
