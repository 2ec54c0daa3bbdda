"""Retries: jittered exponential waits by class of failure, a server's Retry-After honoured, transient failures only."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, TypeVar

from tenacity import AsyncRetrying, RetryCallState, retry_if_exception
from tenacity.wait import wait_random_exponential

from specgen.errors import UserError
from specgen.lm._provider import CallError
from specgen.lm._types import FailureKind

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class RetryRule:
    """How often and how soon attempts that failed in one way are repeated: attempts in all, and waits in seconds."""

    max_attempts: int
    first_wait_s: float
    max_wait_s: float


RETRY_RULES: Final[Mapping[FailureKind, RetryRule]] = MappingProxyType(
    {
        "rate_limited": RetryRule(8, 2.0, 60.0),
        "server_error": RetryRule(5, 1.0, 30.0),
        "timeout": RetryRule(3, 1.0, 10.0),
        "connection": RetryRule(5, 1.0, 30.0),
        "malformed": RetryRule(3, 0.5, 5.0),
    }
)
"""The classes that are retried. A class that is not here is an answer of its own, and is not."""


@dataclass(frozen=True, kw_only=True)
class RetryPolicy:
    """How often and how soon a failed attempt is repeated: by class (`RETRY_RULES`), or alike for all classes.

    The wait after the n-th attempt is drawn between 0 and `first_wait_s * 2**(n-1)`, at most `max_wait_s`.

    Attributes:
        max_attempts: attempts of one call, the first included; None: by class.
        first_wait_s: scale of the waits; None: by class.
        max_wait_s: longest drawn wait; None: by class.
        max_retry_after_s: longest wait a server may ask for; a call that is told to wait longer fails at once.

    Raises:
        UserError: for fewer than one attempt or a negative wait.
    """

    max_attempts: int | None = None
    first_wait_s: float | None = None
    max_wait_s: float | None = None
    max_retry_after_s: float = 300.0

    def __post_init__(self) -> None:
        waits = [w for w in (self.first_wait_s, self.max_wait_s, self.max_retry_after_s) if w is not None]
        if (self.max_attempts is not None and self.max_attempts < 1) or min(waits) < 0:
            raise UserError("a retry policy needs at least one attempt and waits that are not negative")

    def rule(self, kind: FailureKind) -> RetryRule:
        """Return what applies to one class of failure."""
        found = RETRY_RULES.get(kind, RetryRule(1, 0.0, 0.0))
        return RetryRule(
            found.max_attempts if self.max_attempts is None else self.max_attempts,
            found.first_wait_s if self.first_wait_s is None else self.first_wait_s,
            found.max_wait_s if self.max_wait_s is None else self.max_wait_s,
        )

    async def run(
        self, attempt: Callable[[], Awaitable[T]], sleep: Callable[[float], Awaitable[None]] | None = None
    ) -> T:
        """Run `attempt` until it succeeds or gives up; `sleep` waits between attempts and may end the run by raising.

        Raises:
            CallError: the last failure. Anything else that `attempt` raises passes through at once.
        """

        try:
            return await attempt()  # almost every call ends here, and the machinery below is not free
        except CallError as exc:
            if not exc.transient:
                raise
            first: list[CallError] = [exc]

        def wait(state: RetryCallState) -> float:
            error = _error(state)
            if error.retry_after_s is None:
                rule = self.rule(error.kind)
                return float(wait_random_exponential(multiplier=rule.first_wait_s, max=rule.max_wait_s)(state))
            # A little more than asked, so that callers told the same do not come back together.
            return error.retry_after_s + random.uniform(0, min(1.0, 0.1 * error.retry_after_s))

        def stop(state: RetryCallState) -> bool:
            error = _error(state)
            asked = error.retry_after_s or 0.0
            return state.attempt_number >= self.rule(error.kind).max_attempts or asked > self.max_retry_after_s

        async def one() -> T:
            if first:
                raise first.pop()
            return await attempt()

        async def rest(seconds: float) -> None:
            await (asyncio.sleep(seconds) if sleep is None else sleep(seconds))

        again = retry_if_exception(_transient)
        return await AsyncRetrying(stop=stop, wait=wait, sleep=rest, retry=again, reraise=True)(one)


def _transient(exc: BaseException) -> bool:
    return isinstance(exc, CallError) and exc.transient


def _error(state: RetryCallState) -> CallError:
    exc = state.outcome.exception() if state.outcome is not None else None
    return exc if isinstance(exc, CallError) else CallError("server_error", "")
