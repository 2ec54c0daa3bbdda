"""A scripted model: says what it is told to say, in order, and raises when there is nothing left to say."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable

from specgen.errors import SpecgenError
from specgen.lm._errors import ScriptExhaustedError
from specgen.lm._ledger import Price
from specgen.lm._provider import CallError, ProviderReply
from specgen.lm._types import ModelRequest, joined_text
from specgen.lm.simulated._tokens import count_tokens

ScriptItem = str | ProviderReply | CallError | SpecgenError | Callable[[ModelRequest], str]


class ScriptedModel:
    """A provider for tests: `Gateway(providers={"sim/script": ScriptedModel(["first", "second"])})`.

    Each item is a text, a whole `ProviderReply`, an error to raise, or a function of the request. `requests` keeps what
    was asked, in order.
    """

    simulated = True
    fingerprint = ""

    def __init__(self, script: Iterable[ScriptItem]) -> None:
        self._script = iter(script)
        self._lock = threading.Lock()
        self.requests: list[ModelRequest] = []

    def prepare(self, model: str) -> None:
        """Nothing to prepare."""

    def price(self, model: str) -> Price | None:
        """Return a price of 0, which is simulated."""
        return Price(0.0, 0.0)

    async def send(self, request: ModelRequest, *, timeout_s: float) -> ProviderReply:
        """Return the next item of the script.

        Raises:
            ScriptExhaustedError: when the script has ended.
            CallError, SpecgenError: when the item is one.
        """
        with self._lock:
            self.requests.append(request)
            number = len(self.requests)
            try:
                item = next(self._script)
            except StopIteration:
                raise ScriptExhaustedError(
                    f"{request.model} was called {number} times, and its script has {number - 1} replies",
                    remedy="Give it more replies, or find the call that was not expected",
                ) from None
        if isinstance(item, CallError | SpecgenError):
            raise item
        if isinstance(item, ProviderReply):
            return item
        text = item if isinstance(item, str) else item(request)
        return ProviderReply(text=text, usage=count_tokens(joined_text(request.messages), text), cost_usd=0.0)
