"""The circuit breaker: a server that fails again and again is left alone for a while, and the run ends if it stays so.

`Breaker` is one server's state; `OutageGuard` keeps one a server and makes calls wait.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

from specgen.errors import UserError
from specgen.lm._errors import OutageError
from specgen.lm._types import FailureKind

_OUTAGES: Final[frozenset[FailureKind]] = frozenset({"server_error", "timeout", "connection", "malformed"})
"""Failures that speak of the server. A refusal for the rate does not open the breaker, but it is no success either."""


@dataclass(frozen=True, kw_only=True)
class OutagePolicy:
    """When a server counts as down, and how long that is borne.

    Attributes:
        failures: failures in a row, over all calls to the server, that open the breaker.
        pause_s: first pause; each probe that fails doubles it.
        max_pause_s: longest pause.
        max_outage_s: seconds without one success after which the run ends, from the first of the failures on.
        max_start_s: the same for a server that has not answered once in this process.

    Raises:
        UserError: for fewer than one failure or a negative time.
    """

    failures: int = 10
    pause_s: float = 10.0
    max_pause_s: float = 60.0
    max_outage_s: float = 600.0
    max_start_s: float = 120.0

    def __post_init__(self) -> None:
        if self.failures < 1 or min(self.pause_s, self.max_pause_s, self.max_outage_s, self.max_start_s) < 0:
            raise UserError("an outage policy needs at least one failure and times that are not negative")


class Breaker:
    """One server's state: closed, open until a time, or half open with one probe on its way. Times are passed in."""

    def __init__(self, policy: OutagePolicy, server: str) -> None:
        self._policy = policy
        self.server = server
        self.ever_answered = False
        self._in_a_row = 0
        self._misses = 0
        self._sent_away = False
        self._since: float | None = None
        self._open_until: float | None = None
        self._pause_s = policy.pause_s
        self._probing = False
        self._last = ""

    @property
    def open(self) -> bool:
        """Whether calls are being held back."""
        return self._open_until is not None

    def delay_s(self, now: float) -> float | None:
        """Return the seconds that a call must wait, 0 when it may go, None while another call is the probe."""
        if self._open_until is None:
            return 0.0
        if self._probing:
            return None
        return max(0.0, self._open_until - now)

    def begin(self) -> bool:
        """Say that a call goes; returns whether it is the probe."""
        if self._open_until is not None:
            self._probing = True
        return self._probing

    def succeeded(self) -> str:
        """Learn from an answer; returns a line to show, empty for none."""
        was_open = self.open
        self.ever_answered = True
        self._in_a_row, self._misses, self._sent_away = 0, 0, False
        self._since, self._open_until, self._probing = None, None, False
        self._pause_s = self._policy.pause_s
        return f"{self.server} answers again; going on" if was_open else ""

    def failed(self, now: float, kind: FailureKind, message: str, asked_s: float = 0.0) -> str:
        """Learn from a failed attempt (`asked_s`: the wait the server asked for); returns a line to show when the
        breaker opens, empty for none.
        """
        self._since = now if self._since is None else self._since
        self._misses += 1
        self._last = f"{kind}: {message}"
        if kind not in _OUTAGES:  # the server is there, and the throttle sees to the rate
            self._in_a_row, self._open_until, self._probing = 0, None, False
            self.ever_answered = True
            self._sent_away = asked_s > self._policy.max_outage_s
            return ""
        self._in_a_row += 1
        if self._open_until is not None:
            if self._probing:
                self._probing = False
                self._pause_s = min(self._policy.max_pause_s, 2 * self._pause_s)
                self._open_until = now + self._pause_s
            return ""
        if self._in_a_row < self._policy.failures:
            return ""
        self._open_until = now + self._pause_s
        return (
            f"{self.server} failed {self._in_a_row} times in a row ({self._last}); "
            f"calls wait, it is tried again in {self._pause_s:g} s"
        )

    def abandoned(self) -> None:
        """Say that the probe was cancelled and told nothing."""
        self._probing = False

    def limit_s(self) -> float:
        """Return the seconds without a success that are borne."""
        return self._policy.max_outage_s if self.ever_answered else self._policy.max_start_s

    def check(self, now: float) -> None:
        """Raise when the outage has lasted too long.

        Raises:
            OutageError: as said.
        """
        if self._since is None or self._misses < self._policy.failures:
            return
        if self._sent_away or now - self._since >= self.limit_s():
            raise OutageError(
                f"{self.server} has not answered for {now - self._since:.0f} s ({self._last}); "
                "what was paid for is saved",
                remedy="Look after the server, then run again or resume",
            )


class OutageGuard:
    """The breakers of all servers. Used on the gateway's loop only."""

    def __init__(self, policy: OutagePolicy, notify: Callable[[str], None]) -> None:
        self._policy = policy
        self._notify = notify
        self._breakers: dict[str, Breaker] = {}
        self._changed: dict[str, asyncio.Event] = {}

    def of(self, server: str) -> Breaker:
        """Return a server's breaker."""
        found = self._breakers.get(server)
        if found is None:
            found = self._breakers[server] = Breaker(self._policy, server)
        return found

    async def enter(self, server: str, sleep: Callable[[float], Awaitable[None]]) -> bool:
        """Wait while the server is held to be down; returns whether the call is the probe.

        Raises:
            OutageError: the outage has lasted too long.
        """
        breaker = self.of(server)
        while True:
            now = time.monotonic()
            breaker.check(now)
            wait_s = breaker.delay_s(now)
            if wait_s == 0.0:
                return breaker.begin()
            if wait_s is None:
                await self._event(server).wait()
            else:
                await sleep(wait_s)

    def succeeded(self, server: str) -> None:
        """Learn from an answer."""
        self._say(self.of(server).succeeded())
        self._wake(server)

    def failed(self, server: str, kind: FailureKind, message: str, asked_s: float = 0.0) -> None:
        """Learn from a failed attempt."""
        self._say(self.of(server).failed(time.monotonic(), kind, message, asked_s))
        self._wake(server)

    def abandoned(self, server: str, probe: bool) -> None:
        """Say that a call was cancelled."""
        if probe:
            self.of(server).abandoned()
            self._wake(server)

    def _event(self, server: str) -> asyncio.Event:
        found = self._changed.get(server)
        if found is None:
            found = self._changed[server] = asyncio.Event()
        return found

    def _wake(self, server: str) -> None:
        event = self._changed.pop(server, None)
        if event is not None:
            event.set()

    def _say(self, line: str) -> None:
        if line:
            self._notify(line)
