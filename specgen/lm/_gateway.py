"""The gateway: the one place through which every model call goes."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar

from specgen.errors import SpecgenError, UserError
from specgen.lm._batch import BatchOptions, complete_batch
from specgen.lm._breaker import OutagePolicy
from specgen.lm._chat import Chat
from specgen.lm._core import Core, Policies
from specgen.lm._embed import embed_texts
from specgen.lm._endpoints import Endpoints
from specgen.lm._errors import EmbeddingFailedError, StoreError
from specgen.lm._ledger import Budget, Ledger, Price
from specgen.lm._limits import Limits
from specgen.lm._loop import LoopThread
from specgen.lm._provider import Endpoint, ModelProvider
from specgen.lm._retry import RetryPolicy
from specgen.lm._store import Store
from specgen.lm._types import ModelOutcome, ModelRequest, OnLength, Role
from specgen.lm.simulated import SimulatedKnowledge, SimulatedProvider

if TYPE_CHECKING:
    from collections.abc import Coroutine

    import dspy

_TAGS: ContextVar[Mapping[str, Any] | None] = ContextVar("specgen_lm_tags", default=None)
_LOG = logging.getLogger("specgen.lm")
T = TypeVar("T")


class Gateway:
    """Sends model calls, with retries, limits, a cache, a ledger and hard caps. Thread-safe; usable from any loop.

    A call that fails after its retries comes back as a `ModelFailure`. What makes further calls pointless (wrong or
    missing key, unknown model, malformed request, budget or time used up, a server down for long, store unusable)
    raises a `SpecgenError`, is kept in `fatal`, and makes every later call of this gateway raise it at once.

    Args:
        store: SQLite file for replies, ledger and audit (created with its folders); None keeps them in memory.
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
        limits: what may be sent a minute and at once, by model name or prefix (`openai/`); the longest applies, and
            all models under one prefix share it.
        outage: when a server counts as down, and how long that is borne.
        deadline_s: seconds from now after which no further request is sent (`DeadlineReachedError`); what is in
            flight then is still awaited and saved.
        on_length: what to do with replies cut at their token limit, where a request does not say.
        notify: is told, in one line, when a server goes down and when it answers again; the default logs a warning.

    Raises:
        StoreError: when the store cannot be opened or written.
        UserError: for a concurrency, timeout or deadline that is not positive.
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
        limits: Mapping[str, Limits] | None = None,
        outage: OutagePolicy | None = None,
        deadline_s: float | None = None,
        on_length: OnLength = "keep",
        notify: Callable[[str], None] | None = None,
    ) -> None:
        if concurrency < 1 or timeout_s <= 0 or (deadline_s is not None and deadline_s <= 0):
            raise UserError(
                f"concurrency {concurrency}, timeout_s {timeout_s} and deadline_s {deadline_s} must be positive"
            )
        policies = Policies(
            budget=budget or Budget(),
            retry=retry or RetryPolicy(),
            outage=outage or OutagePolicy(),
            limits=dict(limits or {}),
            concurrency=concurrency,
            timeout_s=timeout_s,
            deadline_s=deadline_s,
            notify=notify or _LOG.warning,
        )
        self._core = Core(
            policies,
            Store(Path(store) if store is not None else None, run),
            Endpoints(Endpoint(api_base, api_key), endpoints or {}),
            prices or {},
            providers or {},
            SimulatedProvider(knowledge),
        )
        self._chat = Chat(self._core, use_cache, on_length)
        self._loop = LoopThread("specgen-lm")

    # Calls

    def complete(self, request: ModelRequest) -> ModelOutcome:
        """Make one call and wait for it; from any thread.

        Raises:
            SpecgenError: what stops the run (see the class).
        """
        self._before(request.model)
        return self._loop.run(self._chat.serve(request))

    async def acomplete(self, request: ModelRequest) -> ModelOutcome:
        """Make one call; from any event loop. Raises as `complete`."""
        if not self._core.prepared(request.model):
            await asyncio.to_thread(self._before, request.model)
        else:
            self._before(request.model)
        return await asyncio.wrap_future(self._loop.submit(self._chat.serve(request)))

    def complete_many(self, requests: Iterable[ModelRequest]) -> list[ModelOutcome]:
        """Make calls at the gateway's concurrency and return their outcomes in order.

        Raises:
            SpecgenError: what stopped the run; calls that had finished are in the cache.
        """
        todo = list(requests)
        for model in dict.fromkeys(r.model for r in todo):
            self._before(model)
        return self._loop.run(self._chat.serve_all(todo))

    def complete_batch(
        self, requests: Iterable[ModelRequest], options: BatchOptions | None = None
    ) -> list[ModelOutcome]:
        """Make calls through the provider's batch mode (OpenAI's Batch API) and return their outcomes in order.

        Blocks until every batch has ended. A process that is killed meanwhile goes on with the same batches when it
        is given the same requests again on the same store; nothing is submitted twice. Models without a batch mode
        (simulated ones, LiteLLM's) are called one by one. `options.on_length` does not apply: cut replies are kept.

        Raises:
            SpecgenError: what stops the run (see the class).
        """
        todo = list(requests)
        for model in dict.fromkeys(r.model for r in todo):
            self._before(model)
        return self._loop.run(self._stopping(complete_batch(self._core, self._chat, todo, options or BatchOptions())))

    def embed(self, texts: Sequence[str], model: str, *, split: str = "") -> list[tuple[float, ...]]:
        """Return one vector a text. Each text is sent once and then served from the store; the role is `embedding`.

        Raises:
            EmbeddingFailedError: the texts could not be embedded, retries included.
            SpecgenError: what stops the run (see the class).
        """
        self._before(model)
        return self._loop.run(self._stopping(embed_texts(self._core, list(texts), model, split)))

    def preflight(self, models: Sequence[str]) -> None:
        """Check before a run what can be checked without a call: names, keys, and prices where dollars are capped.

        Raises:
            UnknownModelError, MissingKeyError, PriceUnknownError: as they say. They are not kept in `fatal`.
        """
        for model in models:
            self._core.prepare(model)

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
        return self._core.meter.ledger()

    @property
    def budget(self) -> Budget:
        """The caps in force."""
        return self._core.policies.budget

    @property
    def fatal(self) -> SpecgenError | None:
        """The first error that stopped this gateway, None while it works."""
        return self._core.fatal

    def raise_if_fatal(self) -> None:
        """Raise the error that stopped this gateway, if there is one."""
        self._core.raise_if_fatal()

    def price(self, model: str) -> Price | None:
        """Return the price that calls to a model are counted at, None when it is unknown."""
        self._core.prepare(model)
        return self._core.provider(model).price(model)

    def is_simulated(self, model: str) -> bool:
        """Whether replies of this model are simulated."""
        return self._core.provider(model).simulated

    def close(self) -> None:
        """Save what could not be saved before, stop the loop, close the store. May be called twice.

        Raises:
            StoreError: when paid replies could not be saved even now.
        """
        self._loop.close(self._core.aclose)
        try:
            self._core.save_unsaved()
        finally:
            self._core.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, exc: BaseException | None, tb: TracebackType | None) -> None:
        if exc is None:
            self.close()
        else:
            with contextlib.suppress(StoreError):
                self.close()

    def _before(self, model: str) -> None:
        self._core.raise_if_fatal()
        try:
            self._core.prepare(model)
        except SpecgenError as exc:
            self._core.stop(exc)
            raise

    async def _stopping(self, work: Coroutine[Any, Any, T]) -> T:
        """Run `work`; an error that stops the run is kept."""
        try:
            return await work
        except EmbeddingFailedError:
            raise
        except SpecgenError as exc:
            self._core.stop(exc)
            raise

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        return self

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        raise TypeError(f"a Gateway belongs to its process ({os.getpid()}); open the store again in the other one")
