"""The seam between the gateway and whatever answers: a provider sends one request once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from specgen.lm._ledger import Price
from specgen.lm._types import TRANSIENT, FailureKind, FinishReason, ModelRequest, Usage


@dataclass(frozen=True, kw_only=True)
class ProviderReply:
    """What one attempt brought. `cost_usd` is set only by providers that know it (simulated ones: 0)."""

    text: str
    finish_reason: FinishReason = "stop"
    usage: Usage = Usage()
    cost_usd: float | None = None
    response_id: str = ""
    metadata: Mapping[str, str] = field(default_factory=dict)


class CallError(Exception):
    """One attempt failed. The gateway retries the transient kinds and turns the last one into a `ModelFailure`.

    Args:
        kind: the class of failure.
        message: one line.
        status: HTTP status, if any.
        retry_after_s: seconds the server asked to wait, if it did.
        unreachable: no connection could be made at all (refused, unknown host).
        usage: tokens that were paid for although the call failed.
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
    ) -> None:
        super().__init__(message)
        self.kind: FailureKind = kind
        self.message = message
        self.status = status
        self.retry_after_s = retry_after_s
        self.unreachable = unreachable
        self.usage = usage or Usage()

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
