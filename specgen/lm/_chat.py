"""Chat calls: the cache, equal calls made once, and the follow-up of replies that were cut."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from specgen.errors import SpecgenError
from specgen.lm._core import Call, Core, MadeElsewhere, claim_waits, ledger_row
from specgen.lm._limits import estimated_tokens
from specgen.lm._provider import CallError, ProviderReply
from specgen.lm._store import Settlement
from specgen.lm._types import (
    ChatMessage,
    FailureKind,
    ModelFailure,
    ModelOutcome,
    ModelReply,
    ModelRequest,
    OnLength,
    Usage,
    outcome_from_json,
    outcome_to_json,
)

CACHED_FAILURES: Final[frozenset[FailureKind]] = frozenset({"content_filter", "refusal", "unoffered_tool_call"})
"""Failures that are the model's answer: paid for, and not asked for again."""
CONTINUE: Final = (
    "Your reply was cut off at its length limit. Go on exactly where it stopped: repeat nothing, add no remark."
)


class Chat:
    """Serves chat calls of one gateway; used on its loop only.

    Args:
        core: what the gateway's calls share.
        use_cache: whether stored replies are served.
        on_length: what to do with cut replies, where a request does not say.
    """

    def __init__(self, core: Core, use_cache: bool, on_length: OnLength) -> None:
        self._core = core
        self._use_cache = use_cache
        self._on_length: OnLength = on_length
        self._open_keys: dict[str, asyncio.Future[None]] = {}

    async def serve_all(self, requests: Sequence[ModelRequest]) -> list[ModelOutcome]:
        """Serve calls at once; raises the first error that stops the run, when all have ended."""
        tasks = [asyncio.ensure_future(self.serve(request)) for request in requests]
        outcomes = await asyncio.gather(*tasks, return_exceptions=True)
        failed = [outcome for outcome in outcomes if isinstance(outcome, BaseException)]
        if failed:
            raise failed[0]
        return [outcome for outcome in outcomes if not isinstance(outcome, BaseException)]

    async def serve(self, request: ModelRequest) -> ModelOutcome:
        """Serve one call, and the follow-up of a reply that was cut."""
        outcome = await self._serve_one(request)
        if not isinstance(outcome, ModelReply) or outcome.finish_reason != "length":
            return outcome
        follow_up = _follow_up(request, outcome, request.on_length or self._on_length)
        if follow_up is None:
            return outcome
        flag, asked = follow_up
        return _joined(outcome, await self._serve_one(asked), flag)

    def key(self, request: ModelRequest) -> str:
        """Return the key that a request's reply is stored under."""
        core = self._core
        provider = core.provider(request.model)
        # Where a model is served counts for those that are served somewhere.
        base = None if provider.simulated else core.endpoints.of(request.model).api_base
        return request.key(api_base=base, provider=provider.fingerprint or None)

    def call(self, request: ModelRequest) -> Call:
        """Return a request as a call that has not been sent."""
        return Call(
            role=request.role,
            model=request.model,
            split=request.split,
            task_id=request.task_id,
            key=self.key(request),
            provider=self._core.provider(request.model),
            request=request.canonical_json(),
            tokens=estimated_tokens(request),
        )

    async def stored(self, call: Call) -> ModelOutcome | None:
        """Return the stored outcome of a call, with its line in the ledger; None when there is none."""
        if not self._use_cache or (found := self._core.store.reply(call.key)) is None:
            return None
        await self._core.save(Settlement(ledger_row(call, "cached")))
        return outcome_from_json(found)

    async def _serve_one(self, request: ModelRequest) -> ModelOutcome:
        try:
            call = self.call(request)
            return await (self._once(call, request) if self._use_cache else self._slotted(call, request))
        except SpecgenError as exc:
            self._core.stop(exc)
            raise

    async def _once(self, call: Call, request: ModelRequest) -> ModelOutcome:
        """Serve from the cache, or make the call while equal calls wait for its reply."""
        while True:
            self._core.raise_if_fatal()
            if (stored := await self.stored(call)) is not None:
                return stored
            if (other := self._open_keys.get(call.key)) is None:
                break
            await asyncio.shield(other)
        mine = self._open_keys[call.key] = asyncio.get_running_loop().create_future()
        try:
            return await self._claim_and_send(call, request)
        finally:
            self._core.unclaim(call)
            del self._open_keys[call.key]
            mine.set_result(None)

    async def _claim_and_send(self, call: Call, request: ModelRequest) -> ModelOutcome:
        """Make the call unless another process is making it; then take its reply."""
        waits = claim_waits()
        call.to_claim = self._core.contested(call)
        while True:
            try:
                return await self._slotted(call, request)
            except MadeElsewhere as exc:
                if exc.replied and (stored := await self.stored(call)) is not None:
                    return stored
            await self._core.pause(next(waits))

    async def _slotted(self, call: Call, request: ModelRequest) -> ModelOutcome:
        async with self._core.slots:
            outcome, raw = await self._send(call, request)
        return await self._saved(call, outcome, raw)

    async def _saved(self, call: Call, outcome: ModelOutcome, raw: str) -> ModelOutcome:
        """Save a call that ended, when its slot is another's already; a call that is cancelled here is saved too."""
        await self._core.save(self.settlement(call, outcome, raw))
        call.claimed = False
        return outcome

    async def _send(self, call: Call, request: ModelRequest) -> tuple[ModelOutcome, str]:
        call.started = time.monotonic()
        ended = False
        try:
            found = await self._outcome(call, request)
            ended = True
            return found
        finally:
            if call.attempts and not ended:
                latency_s = time.monotonic() - call.started
                self._core.save_now(Settlement(ledger_row(call, "stopped", latency_s=latency_s)))

    async def _outcome(self, call: Call, request: ModelRequest) -> tuple[ModelOutcome, str]:
        timeout_s = self._core.policies.timeout_s
        try:
            reply = await self._core.attempts(call, lambda: call.provider.send(request, timeout_s=timeout_s))
        except CallError as exc:
            return self.failure(call, exc), ""
        return self.reply(call, reply), reply.raw

    def reply(self, call: Call, reply: ProviderReply, cost_usd: float | None = None) -> ModelReply:
        """Return a provider's reply as the outcome of a call."""
        return ModelReply(
            text=self._core.redacted_exactly(reply.text),
            finish_reason=reply.finish_reason,
            usage=reply.usage,
            cost_usd=self._core.cost_usd(call, reply.usage, reply.cost_usd if cost_usd is None else cost_usd),
            latency_s=time.monotonic() - call.started,
            attempts=max(1, call.attempts),
            simulated=call.provider.simulated,
            response_id=reply.response_id,
            metadata=dict(reply.metadata),
            tool_calls=reply.tool_calls,
            flags=reply.flags,
        )

    def failure(self, call: Call, exc: CallError) -> ModelFailure:
        """Return a failed call's outcome: its last attempt, with the tokens that were paid for."""
        return ModelFailure(
            kind=exc.kind,
            message=self._core.redacted(exc.message),
            status=exc.status,
            usage=exc.usage,
            # Failed attempts report no tokens, save those whose reply was withheld or empty.
            cost_usd=self._core.cost_usd(call, exc.usage),
            latency_s=time.monotonic() - call.started,
            attempts=max(1, call.attempts),
            simulated=call.provider.simulated,
        )

    def settlement(self, call: Call, outcome: ModelOutcome, raw: str) -> Settlement:
        """Return what is saved of a call that ended."""
        name = "reply" if isinstance(outcome, ModelReply) else outcome.kind
        keep = isinstance(outcome, ModelReply) or outcome.kind in CACHED_FAILURES
        row = ledger_row(call, name, usage=outcome.usage, cost_usd=outcome.cost_usd, latency_s=outcome.latency_s)
        return Settlement(
            row,
            request=self._core.redacted_exactly(call.request) if keep else "",
            reply=self._core.redacted_exactly(outcome_to_json(outcome)) if keep else None,
            response="" if call.provider.simulated else self._core.redacted(raw),
            claimed_by=self._core.owner if call.claimed else "",
        )


def _follow_up(request: ModelRequest, reply: ModelReply, how: OnLength) -> tuple[str, ModelRequest] | None:
    """Return the flag and the request of the one follow-up, None where there is none to make."""
    if how == "enlarge" and request.max_tokens is not None:
        return "enlarged", replace(request, max_tokens=2 * request.max_tokens)
    if how == "keep" or not reply.text or reply.tool_calls:
        return None
    turns = (ChatMessage("assistant", reply.text), ChatMessage("user", CONTINUE))
    return "continued", replace(request, messages=(*request.messages, *turns))


def _joined(first: ModelReply, second: ModelOutcome, flag: str) -> ModelReply:
    """Return a cut reply with its follow-up: both are paid for, so usage, cost, time and attempts are summed."""
    costs = (first.cost_usd, second.cost_usd)
    known = [cost for cost in costs if cost is not None]
    usage = Usage(
        first.usage.input_tokens + second.usage.input_tokens,
        first.usage.output_tokens + second.usage.output_tokens,
        first.usage.cached_input_tokens + second.usage.cached_input_tokens,
    )
    both = replace(
        first,
        usage=usage,
        cost_usd=sum(known) if len(known) == len(costs) else None,
        latency_s=first.latency_s + second.latency_s,
        attempts=first.attempts + second.attempts,
        cached=first.cached and second.cached,
    )
    if not isinstance(second, ModelReply):
        return replace(both, flags=(*first.flags, "follow_up_failed"))
    return replace(
        both,
        text=second.text if flag == "enlarged" else first.text + second.text,
        finish_reason=second.finish_reason,
        response_id=second.response_id,
        tool_calls=second.tool_calls,
        flags=(*first.flags, *second.flags, flag),
    )
