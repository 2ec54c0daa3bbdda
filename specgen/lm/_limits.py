"""Limits a provider: requests and tokens a minute, calls at once, and the adaptive part that learns from refusals.

`Throttle` is the arithmetic, with the time passed in; `Lane` makes calls wait by it, first come first served.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Final

from specgen.errors import UserError
from specgen.lm._types import ModelRequest

MINUTE_S: Final = 60.0
_LEAST_FACTOR: Final = 1 / 32
_ONE_EVENT_S: Final = 1.0
"""Refusals of calls that were in flight together are one event."""
_RECOVER_S: Final = 10.0
_RECOVER_STEP: Final = 0.1
_CHARS_A_TOKEN: Final = 4
_USUAL_REPLY_TOKENS: Final = 512


@dataclass(frozen=True, kw_only=True)
class Limits:
    """What one provider or model may be sent, None for no limit. Held in every window of 60 seconds.

    Attributes:
        requests_per_minute: requests, retries included.
        tokens_per_minute: input and output tokens together; a call counts by an estimate until its size is known.
        concurrency: calls in flight at once.

    Raises:
        UserError: for a limit below 1.
    """

    requests_per_minute: int | None = None
    tokens_per_minute: int | None = None
    concurrency: int | None = None

    def __post_init__(self) -> None:
        for name in ("requests_per_minute", "tokens_per_minute", "concurrency"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise UserError(f"{name} is {value}", remedy="A limit is 1 or more")


def longest_prefix(model: str, by_prefix: Mapping[str, Limits]) -> str:
    """Return the longest key that is the model's name, or a prefix of it that ends at `/`, `:` or `?`; else ``""``."""

    def fits(prefix: str) -> bool:
        rest = model[len(prefix) :]
        return model.startswith(prefix) and (not rest or prefix.endswith(("/", ":")) or rest[0] in "/:?")

    return max((prefix for prefix in by_prefix if fits(prefix)), key=len, default="")


def estimated_tokens(request: ModelRequest) -> int:
    """Return a guess of a call's tokens before it is made: a token for four characters, and the reply's limit."""
    chars = sum(len(message.content) for message in request.messages)
    return chars // _CHARS_A_TOKEN + (request.max_tokens or _USUAL_REPLY_TOKENS)


class Throttle:
    """Decides how long the next request must wait. Times are seconds of any steady clock, passed in.

    A refusal for the rate (429) halves what is allowed, down to 1/32, and holds everything for as long as the server
    asks; each ten seconds without one give a tenth back.
    """

    def __init__(self, limits: Limits, concurrency: int) -> None:
        self._limits = limits
        self._concurrency = min(concurrency, limits.concurrency or concurrency)
        self._requests: deque[float] = deque()
        self._tokens: deque[list[float]] = deque()
        self._token_sum = 0.0
        self._in_flight = 0
        self._hold_until = 0.0
        self._factor = 1.0
        self._last_event = float("-inf")
        self._last_change = float("-inf")

    @property
    def factor(self) -> float:
        """What part of the limits is used now, in (0, 1]."""
        return self._factor

    @property
    def allowed(self) -> int:
        """Calls that may be in flight now, at least 1."""
        return max(1, int(self._concurrency * self._factor))

    def full(self) -> bool:
        """Whether no further call may be in flight."""
        return self._in_flight >= self.allowed

    def delay_s(self, now: float, tokens: int) -> float:
        """Return the seconds that a request of so many tokens must wait, 0 when it may go."""
        wait = max(0.0, self._hold_until - now)
        if self._limits.requests_per_minute is not None:
            wait = max(wait, self._requests_delay(now, self._limits.requests_per_minute))
        if self._limits.tokens_per_minute is not None:
            wait = max(wait, self._tokens_delay(now, tokens, self._limits.tokens_per_minute))
        return wait

    def _requests_delay(self, now: float, limit: int) -> float:
        while self._requests and self._requests[0] <= now - MINUTE_S:
            self._requests.popleft()
        allowed = max(1, int(limit * self._factor))
        over = len(self._requests) - allowed
        return self._requests[over] + MINUTE_S - now if over >= 0 else 0.0

    def _tokens_delay(self, now: float, tokens: int, limit: int) -> float:
        while self._tokens and self._tokens[0][0] <= now - MINUTE_S:
            self._token_sum -= self._tokens.popleft()[1]
        allowed = max(1.0, limit * self._factor)
        # A single call above the limit goes alone: it could never go otherwise.
        over = self._token_sum + min(tokens, allowed) - allowed
        for at, size in self._tokens:
            if over <= 0:
                break
            over -= size
            if over <= 0:
                return at + MINUTE_S - now
        return 0.0

    def take(self, now: float, tokens: int) -> list[float] | None:
        """Count a request that goes now; returns its entry, to be corrected by `settle`."""
        self._in_flight += 1
        if self._limits.requests_per_minute is not None:
            self._requests.append(now)
        if self._limits.tokens_per_minute is None:
            return None
        entry = [now, float(tokens)]
        self._tokens.append(entry)
        self._token_sum += tokens
        return entry

    def settle(self, entry: list[float] | None, tokens: int | None) -> None:
        """Say that a request has come back, with its tokens where known."""
        self._in_flight -= 1
        if entry is not None and tokens is not None and self._tokens and entry[0] >= self._tokens[0][0]:
            self._token_sum += tokens - entry[1]
            entry[1] = float(tokens)

    def refused(self, now: float, hold_s: float = 0.0) -> None:
        """Learn from a refusal for the rate; `hold_s` is the wait that the server asked for."""
        self._hold_until = max(self._hold_until, now + hold_s)
        if now - self._last_event >= _ONE_EVENT_S:
            self._factor = max(_LEAST_FACTOR, self._factor / 2)
            self._last_event = self._last_change = now

    def hold(self, now: float, hold_s: float) -> None:
        """Let nothing go for so many seconds."""
        self._hold_until = max(self._hold_until, now + hold_s)

    def succeeded(self, now: float) -> None:
        """Learn from a request that was let through."""
        if self._factor < 1.0 and now - self._last_change >= _RECOVER_S:
            self._factor = min(1.0, self._factor + _RECOVER_STEP)
            self._last_change = now


class Lane:
    """Calls of one provider or model on their way through its throttle. Used on the gateway's loop only."""

    def __init__(self, limits: Limits, concurrency: int) -> None:
        self.throttle = Throttle(limits, concurrency)
        self._turn = asyncio.Lock()
        self._freed: asyncio.Event | None = None

    async def enter(self, tokens: int, sleep: Callable[[float], Awaitable[None]]) -> list[float] | None:
        """Wait until a request of so many tokens may go, and count it. `sleep` may raise to end the wait."""
        throttle = self.throttle
        if not self._turn.locked() and not throttle.full() and throttle.delay_s(time.monotonic(), tokens) <= 0:
            return throttle.take(time.monotonic(), tokens)
        async with self._turn:
            while True:
                if throttle.full():
                    self._freed = asyncio.Event()
                    await self._freed.wait()
                    continue
                wait_s = throttle.delay_s(time.monotonic(), tokens)
                if wait_s <= 0:
                    return throttle.take(time.monotonic(), tokens)
                await sleep(wait_s)

    def leave(self, entry: list[float] | None, tokens: int | None) -> None:
        """Say that a request has come back."""
        self.throttle.settle(entry, tokens)
        if self._freed is not None and not self.throttle.full():
            self._freed.set()
            self._freed = None
