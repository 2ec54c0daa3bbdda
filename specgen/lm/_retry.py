"""Retries: jittered exponential waits, a server's Retry-After honoured, transient failures only."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

from tenacity import AsyncRetrying, RetryCallState, retry_if_exception, stop_after_attempt
from tenacity.wait import wait_random_exponential

from specgen.errors import UserError
from specgen.lm._provider import CallError

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class RetryPolicy:
    """How often and how soon a failed attempt is repeated.

    Attributes:
        max_attempts: attempts of one call, the first included.
        first_wait_s: scale of the waits: the n-th wait is drawn between 0 and `first_wait_s * 2**(n-1)`.
        max_wait_s: longest drawn wait.
        max_retry_after_s: longest wait a server may ask for; a call that is told to wait longer fails at once.

    Raises:
        UserError: for fewer than one attempt or a negative wait.
    """

    max_attempts: int = 5
    first_wait_s: float = 1.0
    max_wait_s: float = 60.0
    max_retry_after_s: float = 300.0

    def __post_init__(self) -> None:
        if self.max_attempts < 1 or min(self.first_wait_s, self.max_wait_s, self.max_retry_after_s) < 0:
            raise UserError("a retry policy needs at least one attempt and waits that are not negative")

    async def run(self, attempt: Callable[[], Awaitable[T]]) -> T:
        """Run `attempt` until it succeeds or gives up.

        Raises:
            CallError: the last failure. Anything else that `attempt` raises passes through at once.
        """
        drawn = wait_random_exponential(multiplier=self.first_wait_s, max=self.max_wait_s)

        def wait(state: RetryCallState) -> float:
            asked = _error(state).retry_after_s
            if asked is None:
                return float(drawn(state))
            # A little more than asked, so that callers told the same do not come back together.
            return asked + random.uniform(0, min(1.0, 0.1 * asked))

        def stop(state: RetryCallState) -> bool:
            asked = _error(state).retry_after_s or 0.0
            return stop_after_attempt(self.max_attempts)(state) or asked > self.max_retry_after_s

        async def one() -> T:
            return await attempt()

        retrying = AsyncRetrying(stop=stop, wait=wait, retry=retry_if_exception(_transient), reraise=True)
        return await retrying(one)


def _transient(exc: BaseException) -> bool:
    return isinstance(exc, CallError) and exc.transient


def _error(state: RetryCallState) -> CallError:
    exc = state.outcome.exception() if state.outcome is not None else None
    return exc if isinstance(exc, CallError) else CallError("server_error", "")
