"""The gateway: the one place through which every model call goes."""

from __future__ import annotations

import asyncio
import contextlib
import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from specgen.errors import SpecgenError, UserError
from specgen.lm._errors import PriceUnknownError, StoreError, UnreachableServerError
from specgen.lm._ledger import Budget, Ledger, LedgerRow, Price, to_pico
from specgen.lm._litellm import Endpoint, LiteLLMProvider
from specgen.lm._loop import LoopThread
from specgen.lm._meter import Meter
from specgen.lm._provider import CallError, ModelProvider, ProviderReply
from specgen.lm._retry import RetryPolicy
from specgen.lm._store import Store
from specgen.lm._types import (
    FailureKind,
    ModelFailure,
    ModelOutcome,
    ModelReply,
    ModelRequest,
    Role,
    outcome_from_json,
    outcome_to_json,
)
from specgen.lm.simulated import SIMULATED_PREFIX, SimulatedKnowledge, SimulatedProvider

if TYPE_CHECKING:
    import dspy

_TAGS: ContextVar[Mapping[str, Any] | None] = ContextVar("specgen_lm_tags", default=None)
_UNREACHABLE_ATTEMPTS = 2
"""Attempts before a server that never answered is taken as not there; one that did answer is given all retries."""
_CACHED_FAILURES: frozenset[FailureKind] = frozenset({"content_filter"})


@dataclass
class _Call:
    """One call on its way: mutable, touched on the gateway's loop only."""

    request: ModelRequest
    provider: ModelProvider
    key: str
    started: float = field(default_factory=time.monotonic)
    attempts: int = 0


class Gateway:
    """Sends model calls, with retries, a cache, a ledger and hard caps. Thread-safe; usable from any event loop.

    A call that fails after its retries comes back as a `ModelFailure`. What makes further calls pointless (wrong or
    missing key, unknown model, malformed request, budget reached, store unusable) raises a `SpecgenError`, is kept in
    `fatal`, and makes every later call of this gateway raise it at once.

    Args:
        store: SQLite file for replies and ledger (created with its folders); None keeps them in memory.
        run: name of the run whose ledger is continued. The cache is shared by all runs of one store.
        budget: hard caps, counted over the whole run, earlier processes included.
        api_base, api_key: server and key for all models that are not in `endpoints`.
        endpoints: server and key by model name.
        prices: price by model name, before the built-in table.
        knowledge: what the simulated models know of tasks.
        providers: models served by something else, by exact name or by name before a `?`; also how a `ScriptedModel`
            is put in place.
        concurrency: most calls in flight at once.
        timeout_s: most seconds of one attempt.
        retry: how failed attempts are repeated.
        use_cache: False sends every call, but still stores replies and ledger.

    Raises:
        StoreError: when the store cannot be opened or written.
        UserError: for a concurrency or timeout that is not positive.
    """

    def __init__(
        self,
        store: Path | str | None = None,
        *,
        run: str = "run",
        budget: Budget | None = None,
        api_base: str | None = None,
        api_key: str | None = None,
        endpoints: Mapping[str, Endpoint] | None = None,
        prices: Mapping[str, Price] | None = None,
        knowledge: SimulatedKnowledge | None = None,
        providers: Mapping[str, ModelProvider] | None = None,
        concurrency: int = 16,
        timeout_s: float = 120.0,
        retry: RetryPolicy | None = None,
        use_cache: bool = True,
    ) -> None:
        if concurrency < 1 or timeout_s <= 0:
            raise UserError(f"concurrency {concurrency} and timeout_s {timeout_s} must be positive")
        self._budget = budget or Budget()
        self._retry = retry or RetryPolicy()
        self._timeout_s = timeout_s
        self._use_cache = use_cache
        self._providers = dict(providers or {})
        self._simulated = SimulatedProvider(knowledge)
        self._litellm = LiteLLMProvider(Endpoint(api_base, api_key), endpoints or {}, prices or {})
        self._store = Store(Path(store) if store is not None else None, run)
        self._meter = Meter(self._budget, self._store.ledger())
        self._loop = LoopThread("specgen-lm")
        self._slots = asyncio.Semaphore(concurrency)
        self._open_keys: dict[str, asyncio.Future[None]] = {}
        self._prepared: set[str] = set()
        self._prepare_lock = threading.Lock()
        self._reached: set[str] = set()
        self._unsaved: list[tuple[LedgerRow, str | None, str | None]] = []
        self._fatal: SpecgenError | None = None
        self._fatal_lock = threading.Lock()

    # Calls

    def complete(self, request: ModelRequest) -> ModelOutcome:
        """Make one call and wait for it; from any thread.

        Raises:
            SpecgenError: what stops the run (see the class).
        """
        self._before(request)
        return self._loop.run(self._serve(request))

    async def acomplete(self, request: ModelRequest) -> ModelOutcome:
        """Make one call; from any event loop. Raises as `complete`."""
        if request.model not in self._prepared:
            await asyncio.to_thread(self._before, request)
        else:
            self._before(request)
        return await asyncio.wrap_future(self._loop.submit(self._serve(request)))

    def complete_many(self, requests: Iterable[ModelRequest]) -> list[ModelOutcome]:
        """Make calls at the gateway's concurrency and return their outcomes in order.

        Raises:
            SpecgenError: what stopped the run; calls that had finished are in the cache.
        """
        todo = list(requests)
        for request in {r.model: r for r in todo}.values():
            self._before(request)
        return self._loop.run(self._serve_all(todo))

    def preflight(self, models: Sequence[str]) -> None:
        """Check before a run what can be checked without a call: names, keys, and prices where dollars are capped.

        Raises:
            UnknownModelError, MissingKeyError, PriceUnknownError: as they say. They are not kept in `fatal`.
        """
        for model in models:
            self._prepare(model)

    @staticmethod
    @contextlib.contextmanager
    def tags(*, split: str | None = None, task_id: str | None = None, sample: int | None = None) -> Iterator[None]:
        """Set split, task and sample index of the DSPy calls made inside (in this thread or task); None leaves it."""
        given = {"split": split, "task_id": task_id, "sample": sample}
        merged = {**(_TAGS.get() or {}), **{name: value for name, value in given.items() if value is not None}}
        token = _TAGS.set(merged)
        try:
            yield
        finally:
            _TAGS.reset(token)

    @staticmethod
    def tagged(request: ModelRequest) -> ModelRequest:
        """Return the request with the tags in force (see `tags`)."""
        tags = _TAGS.get()
        return replace(request, **tags) if tags else request

    def dspy_lm(
        self,
        model: str,
        *,
        role: Role = "task",
        split: str = "",
        before: Callable[[], None] | None = None,
        **settings: Any,
    ) -> dspy.LM:
        """Return a `dspy.LM` whose every call goes through this gateway, with DSPy's cache and retries off.

        An error that stops the run reaches DSPy as an exception that DSPy may swallow: call `raise_if_fatal` after
        every DSPy run. `settings` are `temperature`, `max_tokens` and the like. `before` is called before each call and
        may refuse it by raising.
        """
        from specgen.lm._dspy import make_lm

        return make_lm(self, model, role=role, split=split, settings=settings, before=before)

    # Money and errors

    def ledger(self) -> Ledger:
        """Return what the run has spent so far, earlier processes included."""
        return self._meter.ledger()

    @property
    def budget(self) -> Budget:
        """The caps in force."""
        return self._budget

    @property
    def fatal(self) -> SpecgenError | None:
        """The first error that stopped this gateway, None while it works."""
        return self._fatal

    def raise_if_fatal(self) -> None:
        """Raise the error that stopped this gateway, if there is one."""
        if self._fatal is not None:
            raise _copy(self._fatal) from self._fatal

    def is_simulated(self, model: str) -> bool:
        """Whether replies of this model are simulated."""
        return self._provider(model).simulated

    def close(self) -> None:
        """Save what could not be saved before, stop the loop, close the store. May be called twice.

        Raises:
            StoreError: when paid replies could not be saved even now.
        """
        self._loop.close()
        try:
            self._save_unsaved()
        finally:
            self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, exc: BaseException | None, tb: TracebackType | None) -> None:
        if exc is None:
            self.close()
        else:
            with contextlib.suppress(StoreError):
                self.close()

    # Before the loop

    def _before(self, request: ModelRequest) -> None:
        self.raise_if_fatal()
        try:
            self._prepare(request.model)
        except SpecgenError as exc:
            self._stop(exc)
            raise

    def _prepare(self, model: str) -> None:
        if model in self._prepared:
            return
        with self._prepare_lock:
            provider = self._provider(model)
            provider.prepare(model)
            if self._budget.max_usd is not None and not provider.simulated and provider.price(model) is None:
                raise PriceUnknownError(
                    f"a dollar cap is set, but the price of {model} is not known",
                    remedy="Cap calls or tokens instead of dollars, or give the gateway its price",
                )
            self._prepared.add(model)

    def _provider(self, model: str) -> ModelProvider:
        for name in (model, model.partition("?")[0]):
            if name in self._providers:
                return self._providers[name]
        return self._simulated if model.startswith(SIMULATED_PREFIX) else self._litellm

    def _stop(self, exc: SpecgenError) -> None:
        with self._fatal_lock:
            if self._fatal is None:
                self._fatal = exc

    # On the loop

    async def _serve_all(self, requests: Sequence[ModelRequest]) -> list[ModelOutcome]:
        tasks = [asyncio.ensure_future(self._serve(request)) for request in requests]
        outcomes = await asyncio.gather(*tasks, return_exceptions=True)
        failed = [outcome for outcome in outcomes if isinstance(outcome, BaseException)]
        if failed:
            raise failed[0]
        return [outcome for outcome in outcomes if not isinstance(outcome, BaseException)]

    async def _serve(self, request: ModelRequest) -> ModelOutcome:
        try:
            provider = self._provider(request.model)
            base = self._litellm.endpoint(request.model).api_base if provider is self._litellm else None
            key = request.key(api_base=base, provider=provider.fingerprint or None)
            call = _Call(request, provider, key)
            if not self._use_cache:
                return await self._slotted(call)
            return await self._once(call)
        except SpecgenError as exc:
            self._stop(exc)
            raise

    async def _once(self, call: _Call) -> ModelOutcome:
        """Serve from the cache, or make the call while equal calls wait for its reply."""
        while True:
            self.raise_if_fatal()
            if (stored := self._store.reply(call.key)) is not None:
                self._settle(call, _row(call, "cached"), None)
                return outcome_from_json(stored)
            if (other := self._open_keys.get(call.key)) is None:
                break
            await asyncio.shield(other)
        mine = self._open_keys[call.key] = asyncio.get_running_loop().create_future()
        try:
            return await self._slotted(call)
        finally:
            del self._open_keys[call.key]
            mine.set_result(None)

    async def _slotted(self, call: _Call) -> ModelOutcome:
        async with self._slots:
            call.started = time.monotonic()
            saved = False
            try:
                outcome = await self._attempt_until_settled(call)
                self._settle(call, _row(call, _name(outcome), outcome), outcome)
                saved = True
                return outcome
            finally:
                if call.attempts and not saved:
                    self._settle(call, _row(call, "stopped"), None)

    async def _attempt_until_settled(self, call: _Call) -> ModelOutcome:
        try:
            reply = await self._retry.run(lambda: self._attempt(call))
        except CallError as exc:
            return self._failure(call, exc)
        self._reached.add(self._server(call.request.model))
        return ModelReply(
            text=reply.text,
            finish_reason=reply.finish_reason,
            usage=reply.usage,
            cost_usd=self._cost(call, reply),
            latency_s=time.monotonic() - call.started,
            attempts=call.attempts,
            simulated=call.provider.simulated,
            response_id=reply.response_id,
            metadata=dict(reply.metadata),
        )

    async def _attempt(self, call: _Call) -> ProviderReply:
        self.raise_if_fatal()
        role = call.request.role
        await self._meter.reserve(role)
        try:
            self._store.record_sent(role=role, model=call.request.model, key=call.key)
            call.attempts += 1
            async with asyncio.timeout(self._timeout_s):
                return await call.provider.send(call.request, timeout_s=self._timeout_s)
        except TimeoutError as exc:
            raise CallError("timeout", f"no reply within {self._timeout_s:g} s") from exc
        except CallError as exc:
            server = self._server(call.request.model)
            if not exc.unreachable:
                self._reached.add(server)
            elif server not in self._reached and call.attempts >= _UNREACHABLE_ATTEMPTS:
                raise UnreachableServerError(
                    f"cannot reach {server} for {call.request.model}: {exc.message}",
                    remedy="Start the server, or correct the API base or the network settings",
                ) from exc
            raise
        finally:
            self._meter.release(role)

    def _failure(self, call: _Call, exc: CallError) -> ModelFailure:
        price = call.provider.price(call.request.model)
        tokens = exc.usage
        cost = 0.0 if call.provider.simulated else None
        if price is not None:
            # Failed attempts report no tokens, save those whose reply was withheld or empty.
            cost = price.cost_usd(tokens.input_tokens, tokens.output_tokens, tokens.cached_input_tokens)
        return ModelFailure(
            kind=exc.kind,
            message=exc.message,
            status=exc.status,
            usage=tokens,
            cost_usd=cost,
            latency_s=time.monotonic() - call.started,
            attempts=call.attempts,
            simulated=call.provider.simulated,
        )

    def _server(self, model: str) -> str:
        return self._litellm.endpoint(model).api_base or f"the provider of {model}"

    def _cost(self, call: _Call, reply: ProviderReply) -> float | None:
        if reply.cost_usd is not None:
            return reply.cost_usd
        price = call.provider.price(call.request.model)
        if price is None:
            return None
        tokens = reply.usage
        return price.cost_usd(tokens.input_tokens, tokens.output_tokens, tokens.cached_input_tokens)

    def _settle(self, call: _Call, row: LedgerRow, outcome: ModelOutcome | None) -> None:
        """Save outcome and ledger row together. A paid reply that cannot be saved is kept, and the run stops."""
        keep = isinstance(outcome, ModelReply) or (outcome is not None and outcome.kind in _CACHED_FAILURES)
        request = call.request.canonical_json() if keep else None
        reply = outcome_to_json(outcome) if outcome is not None and keep else None
        self._meter.settle(row)
        try:
            self._save_unsaved()
            self._store.settle(row, request=request, reply=reply)
        except StoreError as exc:
            self._unsaved.append((row, request, reply))
            self._stop(exc)

    def _save_unsaved(self) -> None:
        while self._unsaved:
            row, request, reply = self._unsaved[0]
            self._store.settle(row, request=request, reply=reply)
            del self._unsaved[0]

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        return self

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        raise TypeError(f"a Gateway belongs to its process ({os.getpid()}); open the store again in the other one")


def _name(outcome: ModelOutcome) -> str:
    return "reply" if isinstance(outcome, ModelReply) else outcome.kind


def _row(call: _Call, name: str, outcome: ModelOutcome | None = None) -> LedgerRow:
    request = call.request
    priced = call.provider.simulated or call.provider.price(request.model) is not None
    stopped_cost = 0 if priced or name == "cached" else None
    return LedgerRow(
        role=request.role,
        model=request.model,
        split=request.split,
        task_id=request.task_id,
        key=call.key,
        outcome=name,
        attempts=call.attempts,
        input_tokens=outcome.usage.input_tokens if outcome else 0,
        output_tokens=outcome.usage.output_tokens if outcome else 0,
        cost_pico_usd=to_pico(outcome.cost_usd) if outcome else stopped_cost,
        latency_s=outcome.latency_s if outcome else (0.0 if name == "cached" else time.monotonic() - call.started),
        simulated=call.provider.simulated,
    )


def _copy(exc: SpecgenError) -> SpecgenError:
    """Return an equal error, so that threads do not share one traceback."""
    return type(exc)(exc.message, remedy=exc.remedy)
