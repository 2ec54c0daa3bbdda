"""Caps and running totals, kept in memory beside the store so that no call needs to sum rows."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import replace

from specgen.errors import BudgetReachedError
from specgen.lm._ledger import PICO, Budget, Ledger, LedgerLine, LedgerRow
from specgen.lm._types import Role


class Meter:
    """Reserves each request against the budget before it is sent, and adds up what settled.

    `reserve`, `release` and `settle` are called on the gateway's loop; `ledger` from any thread. A request counts
    against `max_calls` from the moment it is reserved. For tokens and dollars the size of a call is known only when it
    has settled: near a cap, calls wait for those in flight instead of being refused on a guess. `pending` requests
    are in batches that have been submitted and not collected; they count against `max_calls` only.
    """

    def __init__(self, budget: Budget, ledger: Ledger, pending: int = 0) -> None:
        self._budget = budget
        self._lock = threading.Lock()
        self._lines: dict[Role, LedgerLine] = dict(ledger.by_role)
        self._total = ledger.total
        self._lost = {role: line.interrupted_requests for role, line in ledger.by_role.items()}
        self._requests = ledger.total.requests + pending
        self._sent: dict[Role, int] = {}
        self._settled: dict[Role, int] = {}
        self._in_flight = 0
        self._changed: asyncio.Future[None] | None = None

    def ledger(self) -> Ledger:
        """Return the totals; requests in flight count as interrupted until they settle."""
        with self._lock:
            lines = dict(self._lines)
            for role, sent in self._sent.items():
                open_requests = sent - self._settled.get(role, 0)
                line = lines.get(role, LedgerLine())
                lines[role] = replace(line, interrupted_requests=self._lost.get(role, 0) + open_requests)
            return Ledger(lines)

    async def reserve(self, role: Role) -> None:
        """Take the right to send one request, waiting near a cap for calls in flight.

        Raises:
            BudgetReachedError: a cap is reached.
        """
        while True:
            self._refuse_if_reached()
            if not (self._in_flight and self._near()):
                break
            if self._changed is None:
                self._changed = asyncio.get_running_loop().create_future()
            await asyncio.shield(self._changed)
        with self._lock:
            self._requests += 1
            self._in_flight += 1
            self._sent[role] = self._sent.get(role, 0) + 1

    def release(self, role: Role) -> None:
        """Say that a request has come back, whatever it brought."""
        with self._lock:
            self._in_flight -= 1
        if self._changed is not None:
            # After the current step, so that the call that came back has settled when others look again.
            asyncio.get_running_loop().call_soon(_wake, self._changed)
            self._changed = None

    def withdraw(self, role: Role) -> None:
        """Say that a reserved request is not sent; before its `release`."""
        with self._lock:
            self._requests -= 1
            self._sent[role] -= 1

    def settle(self, row: LedgerRow) -> None:
        """Add one settled call."""
        with self._lock:
            self._total = self._total.with_row(row)
            self._lines[row.role] = self._lines.get(row.role, LedgerLine()).with_row(row)
            self._settled[row.role] = self._settled.get(row.role, 0) + row.attempts

    def reserve_batch(self, requests: int, tokens: int, usd: float | None) -> None:
        """Take the right to submit a batch: it is refused whole when its estimated size would pass a cap.

        Raises:
            BudgetReachedError: as said.
        """
        self._refuse_if_reached()
        budget, total = self._budget, self._total
        over = ""
        if budget.max_calls is not None and self._requests + requests > budget.max_calls:
            over = f"{self._requests} + {requests} of at most {budget.max_calls} calls"
        elif budget.max_tokens is not None and total.tokens + tokens > budget.max_tokens:
            over = f"{total.tokens} + about {tokens} of at most {budget.max_tokens} tokens"
        elif budget.max_usd is not None and usd is not None and total.known_cost_usd + usd > budget.max_usd:
            over = f"${total.known_cost_usd:.4f} + about ${usd:.4f} of at most ${budget.max_usd:g}"
        if over:
            raise BudgetReachedError(
                f"budget reached: the batch would make it {over}; what was paid for is saved",
                remedy="Raise the cap and resume",
            )
        with self._lock:
            self._requests += requests

    def return_batch(self, requests: int) -> None:
        """Say that a reserved batch was not submitted after all, or refused whole."""
        with self._lock:
            self._requests -= requests

    def settle_batched(self, row: LedgerRow) -> None:
        """Add one call that came back in a batch: it was reserved, but not counted as sent."""
        with self._lock:
            self._sent[row.role] = self._sent.get(row.role, 0) + row.attempts
        self.settle(row)

    def _refuse_if_reached(self) -> None:
        budget, total = self._budget, self._total
        reached = ""
        if budget.max_calls is not None and self._requests >= budget.max_calls:
            reached = f"{self._requests} of at most {budget.max_calls} calls"
        elif budget.max_tokens is not None and total.tokens >= budget.max_tokens:
            reached = f"{total.tokens} of at most {budget.max_tokens} tokens"
        elif budget.max_usd is not None and total.cost_pico_usd >= round(budget.max_usd * PICO):
            reached = f"${total.known_cost_usd:.4f} of at most ${budget.max_usd:g}"
        if reached:
            raise BudgetReachedError(
                f"budget reached: {reached} spent; what was paid for is saved", remedy="Raise the cap and resume"
            )

    def _near(self) -> bool:
        budget, total = self._budget, self._total
        if not total.calls:
            return False
        pending = self._in_flight + 1
        if budget.max_tokens is not None and total.tokens + pending * total.tokens / total.calls > budget.max_tokens:
            return True
        if budget.max_usd is None:
            return False
        return total.cost_pico_usd * (1 + pending / total.calls) > budget.max_usd * PICO


def _wake(changed: asyncio.Future[None]) -> None:
    if not changed.done():
        changed.set_result(None)
