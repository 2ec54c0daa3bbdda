"""The seam between the gateway and whatever answers: a provider sends one request once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from specgen.lm._ledger import Price
from specgen.lm._types import TRANSIENT, FailureKind, FinishReason, ModelRequest, ToolCall, Usage


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a model is served: the API base of an OpenAI-compatible server, and its key (never shown or stored).

    Both may be None: the provider's own address, and the provider's own environment variable.
    """

    api_base: str | None = None
    api_key: str | None = field(default=None, repr=False)


@dataclass(frozen=True, kw_only=True)
class ProviderReply:
    """What one attempt brought.

    `cost_usd` is set only by providers that know it (simulated ones: 0); `tool_calls` and `flags` as in `ModelReply`;
    `raw` is the response as it came, for the audit; `exhausted_s` the seconds until the provider's own limits let
    another request through, by its headers.
    """

    text: str
    finish_reason: FinishReason = "stop"
    usage: Usage = Usage()
    cost_usd: float | None = None
    response_id: str = ""
    metadata: Mapping[str, str] = field(default_factory=dict)
    tool_calls: tuple[ToolCall, ...] = ()
    flags: tuple[str, ...] = ()
    raw: str = ""
    exhausted_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Embeddings:
    """Vectors of one embedding request, in the order of its texts, with what it used."""

    vectors: tuple[tuple[float, ...], ...]
    usage: Usage = Usage()
    cost_usd: float | None = None
    exhausted_s: float = 0.0


class CallError(Exception):
    """One attempt failed. The gateway retries the transient kinds and turns the last one into a `ModelFailure`.

    Args:
        kind: the class of failure.
        message: one line.
        status: HTTP status, if any.
        retry_after_s: seconds the server asked to wait, if it did.
        unreachable: no connection could be made at all (refused, unknown host).
        usage: tokens that were paid for although the call failed.
        raw: the response as it came, for the audit; empty when there was none.
    """

    def __init__(
        self,
        kind: FailureKind,
        message: str,
        *,
        status: int | None = None,
        retry_after_s: float | None = None,
        unreachable: bool = False,
        usage: Usage | None = None,
        raw: str = "",
    ) -> None:
        super().__init__(message)
        self.kind: FailureKind = kind
        self.message = message
        self.status = status
        self.retry_after_s = retry_after_s
        self.unreachable = unreachable
        self.usage = usage or Usage()
        self.raw = raw

    @property
    def transient(self) -> bool:
        """Whether trying again may help."""
        return self.kind in TRANSIENT


class ModelProvider(Protocol):
    """Sends one request once. Implementations neither retry nor cache nor count."""

    @property
    def simulated(self) -> bool:
        """Whether replies are simulated; every record made from one says so."""

    @property
    def fingerprint(self) -> str:
        """What else the answer depends on besides the request; part of the cache key."""

    def prepare(self, model: str) -> None:
        """Check what can be checked without a call (name, key). May be slow the first time (imports).

        Raises:
            UnknownModelError, MissingKeyError: when calls to the model cannot work.
        """

    def price(self, model: str) -> Price | None:
        """Return the model's price, None when it is unknown."""

    async def send(self, request: ModelRequest, *, timeout_s: float) -> ProviderReply:
        """Send one request once.

        Raises:
            CallError: the attempt failed.
            SpecgenError: the run must stop (wrong key, malformed request).
        """


@runtime_checkable
class EmbeddingProvider(Protocol):
    """A provider that can also embed texts. Raises as `ModelProvider.send`."""

    async def embed(self, model: str, texts: Sequence[str], *, timeout_s: float) -> Embeddings:
        """Send one embedding request once."""
        ...


@runtime_checkable
class Closable(Protocol):
    """A provider that holds connections."""

    async def aclose(self) -> None:
        """Close them; called on the loop that the requests were sent on."""
        ...
