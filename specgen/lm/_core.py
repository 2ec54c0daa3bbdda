"""What every kind of call shares: attempts with limits, breaker, retries and caps, and how calls are saved.

Chat calls, embeddings and batches are built on this; nothing else sends anything.
"""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
import threading
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, Protocol, TypeVar

from specgen.errors import SpecgenError
from specgen.lm._batch_store import pending_requests
from specgen.lm._breaker import OutageGuard, OutagePolicy
from specgen.lm._endpoints import Endpoints, provider_of
from specgen.lm._errors import DeadlineReachedError, PriceUnknownError, StoreError, UnreachableServerError
from specgen.lm._ledger import Budget, LedgerRow, Price, to_pico
from specgen.lm._limits import Lane, Limits, longest_prefix
from specgen.lm._litellm import LiteLLMProvider
from specgen.lm._meter import Meter
from specgen.lm._openai import OPENAI_PREFIX, OpenAIProvider
from specgen.lm._owner import make_owner
from specgen.lm._provider import CallError, Closable, ModelProvider
from specgen.lm._retry import RetryPolicy
from specgen.lm._store import ClaimResult, Settlement, Store
from specgen.lm._types import Role, Usage
from specgen.lm._wire import redacted
from specgen.lm._writer import GroupWriter
from specgen.lm.simulated import SIMULATED_PREFIX, SimulatedProvider

LEASE_S: Final = 60.0
"""How long a claim holds without a sign of life from another machine; on the same machine the process is looked for."""
_UNREACHABLE_ATTEMPTS: Final = 2
"""Attempts before a server that never answered is taken as not there; one that did answer is given all retries."""
_SLICE_S: Final = 0.5
_CLAIM_POLL_S: Final = 0.02
_CLAIM_POLL_MAX_S: Final = 1.0


class Answer(Protocol):
    """What an attempt brings, whatever was asked."""

    @property
    def usage(self) -> Usage: ...  # noqa: D102

    @property
    def cost_usd(self) -> float | None: ...  # noqa: D102

    @property
    def exhausted_s(self) -> float: ...  # noqa: D102


A = TypeVar("A", bound=Answer)


@dataclass
class Call:
    """One call on its way: mutable, touched on the gateway's loop only.

    `request` is its JSON, `tokens` a guess of its size, `claimed` whether other processes are kept from making it,
    `to_claim` whether it is to be claimed when it is first sent.
    """

    role: Role
    model: str
    split: str
    task_id: str
    key: str
    provider: ModelProvider
    request: str
    tokens: int
    started: float = field(default_factory=time.monotonic)
    attempts: int = 0
    claimed: bool = False
    to_claim: bool = False


class MadeElsewhere(Exception):  # noqa: N818 - no error: another process has the reply, or is making the call
    """The call was not sent."""

    def __init__(self, replied: bool) -> None:
        super().__init__("another process makes this call")
        self.replied = replied


@dataclass(frozen=True, kw_only=True)
class Policies:
    """How calls are made: see `Gateway` for each."""

    budget: Budget
    retry: RetryPolicy
    outage: OutagePolicy
    limits: Mapping[str, Limits]
    concurrency: int
    timeout_s: float
    deadline_s: float | None
    notify: Callable[[str], None]


class Core:
    """The state of a gateway. `prepare`, `provider`, `stop` and `raise_if_fatal` may be called from any thread."""

    def __init__(
        self,
        policies: Policies,
        store: Store,
        endpoints: Endpoints,
        prices: Mapping[str, Price],
        providers: Mapping[str, ModelProvider],
        simulated: SimulatedProvider,
    ) -> None:
        self.policies = policies
        self.store = store
        self.endpoints = endpoints
        self.meter = Meter(policies.budget, store.ledger(), pending=pending_requests(store))
        self.write = GroupWriter(store)
        self.openai = OpenAIProvider(endpoints, prices)
        self.slots = asyncio.Semaphore(policies.concurrency)
        self.fatal: SpecgenError | None = None
        self.owner = make_owner()
        self._litellm = LiteLLMProvider(endpoints, prices)
        self._providers = dict(providers)
        self._simulated = simulated
        self._guard = OutageGuard(policies.outage, policies.notify)
        self._lanes: dict[str, Lane] = {}
        self._lane_of: dict[str, Lane] = {}
        self._started = time.monotonic()
        self._secrets = endpoints.secrets()
        self._prepared: set[str] = set()
        self._prepare_lock = threading.Lock()
        self._fatal_lock = threading.Lock()
        self._reached: set[str] = set()
        self._unsaved: list[Settlement] = []
        self._beat: asyncio.Task[None] | None = None

    # Before a call

    def provider(self, model: str) -> ModelProvider:
        """Return what answers a model."""
        for name in (model, model.partition("?")[0]):
            if name in self._providers:
                return self._providers[name]
        if model.startswith(SIMULATED_PREFIX):
            return self._simulated
        return self.openai if model.startswith(OPENAI_PREFIX) else self._litellm

    def prepared(self, model: str) -> bool:
        """Whether `prepare` has been done, and returns at once."""
        return model in self._prepared

    def prepare(self, model: str) -> None:
        """Check name, key and price once.

        Raises:
            SpecgenError: as `ModelProvider.prepare`, or `PriceUnknownError` where dollars are capped.
        """
        if model in self._prepared:
            return
        with self._prepare_lock:
            provider = self.provider(model)
            provider.prepare(model)
            capped = self.policies.budget.max_usd is not None
            if capped and not provider.simulated and provider.price(model) is None:
                raise PriceUnknownError(
                    f"a dollar cap is set, but the price of {model} is not known",
                    remedy="Give its price (model.prices in the configuration), or cap calls or tokens",
                )
            self._prepared.add(model)

    def server(self, model: str) -> str:
        """Name the server of a model, in messages and for the breaker."""
        return self.endpoints.of(model).api_base or f"the provider of {model}"

    def lane(self, model: str) -> Lane:
        """Return the queue of a model: its own limits', its provider's, or its server's."""
        found = self._lane_of.get(model)
        if found is None:
            policies = self.policies
            prefix = longest_prefix(model, policies.limits)
            name = prefix or f"{provider_of(model)} {self.endpoints.of(model).api_base or ''}"
            found = self._lanes.setdefault(name, Lane(policies.limits.get(prefix, Limits()), policies.concurrency))
            self._lane_of[model] = found
        return found

    # What stops the run

    def stop(self, exc: SpecgenError) -> None:
        """Make every later call fail with this error; the first one counts."""
        with self._fatal_lock:
            if self.fatal is None:
                self.fatal = exc

    def raise_if_fatal(self) -> None:
        """Raise the error that stopped the gateway, if there is one."""
        if self.fatal is not None:
            raise copy_error(self.fatal) from self.fatal

    def check_deadline(self) -> None:
        """Raise when the run's time is up.

        Raises:
            DeadlineReachedError: as said.
        """
        limit = self.policies.deadline_s
        if limit is not None and time.monotonic() - self._started >= limit:
            raise DeadlineReachedError(
                f"the run's time is up ({limit / 60:g} min); what was paid for is saved",
                remedy="Give it more time and resume",
            )

    async def pause(self, seconds: float) -> None:
        """Wait, but not beyond the end of the run, whatever ends it."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            limit = self.policies.deadline_s
            if limit is not None:
                left = min(left, max(0.0, self._started + limit - time.monotonic()))
            await asyncio.sleep(min(left, _SLICE_S))
            self.raise_if_fatal()
            self.check_deadline()

    # Attempts

    async def attempts(self, call: Call, send: Callable[[], Awaitable[A]]) -> A:
        """Send until there is an answer or the retries are used up.

        Raises:
            CallError: the last failed attempt.
            SpecgenError: the run must stop.
        """
        answer = await self.policies.retry.run(lambda: self._attempt(call, send), self.pause)
        self._reached.add(self.server(call.model))
        return answer

    async def _attempt(self, call: Call, send: Callable[[], Awaitable[A]]) -> A:
        self.raise_if_fatal()
        self.check_deadline()
        if call.provider.simulated:
            return await self._sent(call, send)
        server, lane = self.server(call.model), self.lane(call.model)
        probe = await self._guard.enter(server, self.pause)
        answer: A | None = None
        told = False
        try:
            entry = await lane.enter(call.tokens, self.pause)
            try:
                answer = await self._sent(call, send)
            except CallError as exc:
                told = True
                self._learn(call, exc, lane, server)
                raise
            finally:
                lane.leave(entry, answer.usage.total_tokens if answer is not None else None)
        finally:
            if answer is None and not told:
                self._guard.abandoned(server, probe)
        now = time.monotonic()
        self._guard.succeeded(server)
        lane.throttle.succeeded(now)
        if answer.exhausted_s:
            lane.throttle.hold(now, min(answer.exhausted_s, self.policies.retry.max_retry_after_s))
        return answer

    async def _sent(self, call: Call, send: Callable[[], Awaitable[A]]) -> A:
        """Send once, within the caps and the time of one attempt."""
        await self.meter.reserve(call.role)
        try:
            request = "" if call.provider.simulated or call.attempts else self.redacted(call.request)
            await self._note_sending(call, self.store.sending(call.role, call.model, call.key, request))
            call.attempts += 1
            timeout_s = self.policies.timeout_s
            try:
                async with asyncio.timeout(timeout_s):
                    return await send()
            except TimeoutError as exc:
                raise CallError("timeout", f"no reply within {timeout_s:g} s") from exc
        except (CallError, SpecgenError) as exc:
            if not call.provider.simulated and call.attempts:
                name = exc.kind if isinstance(exc, CallError) else exc.code
                raw = exc.raw if isinstance(exc, CallError) else ""
                self.store.record_response(call.key, call.attempts, name, self.redacted(raw or exc.message))
            raise
        finally:
            self.meter.release(call.role)

    async def _note_sending(self, call: Call, sending: Callable[[sqlite3.Connection], None]) -> None:
        """Write down that a request is about to be sent and, where it is to be, claim the call with it.

        Raises:
            MadeElsewhere: nothing is to be sent.
        """
        if not call.to_claim or call.claimed:
            await self.write(sending)
            return
        claiming = self.store.claiming(call.key, self.owner, LEASE_S)

        def both(connection: sqlite3.Connection) -> ClaimResult:
            if (found := claiming(connection)) == "mine":
                sending(connection)
            return found

        call.claimed = True  # should this be cancelled: it may be made all the same
        found = await self.write(both)
        call.claimed = found == "mine"
        if found != "mine":
            self.meter.withdraw(call.role)
            raise MadeElsewhere(found == "replied")
        self.keep_claims()

    def _learn(self, call: Call, exc: CallError, lane: Lane, server: str) -> None:
        """Tell throttle and breaker of a failed attempt.

        Raises:
            UnreachableServerError: there has never been a connection.
        """
        now, asked = time.monotonic(), exc.retry_after_s or 0.0
        if not exc.transient:
            self._guard.succeeded(server)
        else:
            self._guard.failed(server, exc.kind, exc.message, asked)
        if exc.kind == "rate_limited":
            lane.throttle.refused(now, asked if asked <= self.policies.retry.max_retry_after_s else 0.0)
        if not exc.unreachable:
            self._reached.add(server)
        elif server not in self._reached and call.attempts >= _UNREACHABLE_ATTEMPTS:
            raise UnreachableServerError(
                f"cannot reach {server} for {call.model}: {exc.message}",
                remedy="Start the server, or correct the API base or the network settings",
            ) from exc

    # Claims

    def contested(self, call: Call) -> bool:
        """Whether other processes might make a call too, and pay for it."""
        return self.store.shared and not call.provider.simulated

    async def claimed(self, call: Call) -> None:
        """Wait until no other process is making the call: it is ours then, or its reply is there."""
        waits = claim_waits()
        while self.contested(call):
            call.claimed = True  # should this be cancelled: it may be made all the same
            found = await self.write(self.store.claiming(call.key, self.owner, LEASE_S))
            call.claimed = found == "mine"
            if call.claimed:
                self.keep_claims()
            if found != "taken":
                return
            await self.pause(next(waits))

    def unclaim(self, call: Call) -> None:
        """Give up a claim that no settlement has ended; after writes that were begun before."""
        if call.claimed:
            call.claimed = False
            self.write.later(self.store.releasing(call.key, self.owner))

    def keep_claims(self) -> None:
        """Begin to renew what is claimed."""
        if self._beat is None or self._beat.done():
            self._beat = asyncio.ensure_future(self._keep_claims())

    async def _keep_claims(self) -> None:
        while True:
            await asyncio.sleep(LEASE_S / 4)
            with contextlib.suppress(StoreError):  # a store that cannot be written stops the run where it matters
                self.store.renew_claims(self.owner, LEASE_S)

    # Saving

    def redacted(self, text: str) -> str:
        """Return text without the keys in use."""
        return redacted(text, self._secrets)

    def redacted_exactly(self, text: str) -> str:
        """Return text without the keys in use, and otherwise as it is: what is evaluated must not be changed."""
        for secret in self._secrets:
            if secret in text:
                text = text.replace(secret, "[key]")
        return text

    def cost_usd(self, call: Call, usage: Usage, known: float | None = None) -> float | None:
        """Return what an answer cost, None when the price is unknown."""
        if known is not None:
            return known
        if call.provider.simulated:
            return 0.0
        price = call.provider.price(call.model)
        return None if price is None else price.cost_usd(*_counts(usage))

    async def save(self, settlement: Settlement) -> None:
        """Save a call that ended. One that cannot be saved is kept for later, and the run stops."""
        if self._unsaved:
            self.save_now(settlement)
            return

        def failed(exc: StoreError) -> None:
            self._unsaved.append(settlement)
            self.stop(exc)

        self.meter.settle(settlement.row)
        await self.write(self.store.settling(settlement), failed)

    def save_now(self, settlement: Settlement) -> None:
        """Save a call that ended, as `save`, without waiting: for calls that are being cancelled."""
        self.meter.settle(settlement.row)
        try:
            self.save_unsaved()
            self.store.settle(settlement)
        except StoreError as exc:
            self._unsaved.append(settlement)
            self.stop(exc)

    def save_unsaved(self) -> None:
        """Save what could not be saved before.

        Raises:
            StoreError: it still cannot be.
        """
        while self._unsaved:
            self.store.settle(self._unsaved[0])
            del self._unsaved[0]

    async def aclose(self) -> None:
        """Write what is waiting to be written and close connections; on the loop that the calls were made on."""
        await self.write.drain()
        self.write.close()
        for provider in {id(p): p for p in (self.openai, *self._providers.values())}.values():
            if isinstance(provider, Closable):
                await provider.aclose()


def ledger_row(
    call: Call, outcome: str, *, usage: Usage | None = None, cost_usd: float | None = None, latency_s: float = 0.0
) -> LedgerRow:
    """Return the ledger's row of a call that ended. A stopped call of a priced model cost nothing that is known of."""
    priced = call.provider.simulated or call.provider.price(call.model) is not None
    stopped_cost = 0 if priced or outcome == "cached" else None
    return LedgerRow(
        role=call.role,
        model=call.model,
        split=call.split,
        task_id=call.task_id,
        key=call.key,
        outcome=outcome,
        attempts=call.attempts,
        input_tokens=usage.input_tokens if usage else 0,
        output_tokens=usage.output_tokens if usage else 0,
        cost_pico_usd=to_pico(cost_usd) if usage else stopped_cost,
        latency_s=latency_s,
        simulated=call.provider.simulated,
    )


def claim_waits() -> Iterator[float]:
    """Return the seconds between looks at a claim of another process."""
    wait_s = _CLAIM_POLL_S
    while True:
        yield wait_s
        wait_s = min(_CLAIM_POLL_MAX_S, 2 * wait_s)


def copy_error(exc: SpecgenError) -> SpecgenError:
    """Return an equal error, so that threads do not share one traceback."""
    return type(exc)(exc.message, remedy=exc.remedy)


def _counts(usage: Usage) -> tuple[int, int, int]:
    return usage.input_tokens, usage.output_tokens, usage.cached_input_tokens
