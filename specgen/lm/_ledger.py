"""The ledger: what a run spent, exact, kept apart for task model, reflection model and judge."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final

from specgen.errors import UserError
from specgen.lm._types import ROLES, Role

PICO: Final = 10**12
"""Dollars are summed as whole picodollars, so that the total does not depend on the order of the calls."""


def to_pico(usd: float | None) -> int | None:
    """Return dollars as whole picodollars (1e-12 USD), None for an unknown price."""
    return None if usd is None else round(usd * PICO)


@dataclass(frozen=True, kw_only=True)
class LedgerRow:
    """One settled call, as written to the store.

    `outcome` is `reply`, a failure kind, `cached`, or `stopped` (given up because the run was stopping).
    """

    role: Role
    model: str
    split: str
    task_id: str
    key: str
    outcome: str
    attempts: int
    input_tokens: int
    output_tokens: int
    cost_pico_usd: int | None
    latency_s: float
    simulated: bool


@dataclass(frozen=True, kw_only=True)
class LedgerLine:
    """Sums over some calls.

    Attributes:
        calls: calls that were sent to a model, whatever came back; calls served from the cache are not among them.
        cached_calls: calls served from the cache, which cost nothing.
        failed_calls: the part of `calls` that ended in a failure.
        retries: requests beyond the first of each call; `calls + retries` requests were sent.
        interrupted_requests: requests sent whose outcome is not recorded: in flight now, or cut off when the
            process died. Their cost is unknown.
        input_tokens, output_tokens: as the providers counted them, cached calls excluded.
        unpriced_calls: the part of `calls` whose price is unknown.
        known_cost_usd: dollars of the calls with a known price.
        model_s: seconds spent in calls, summed over calls (not wall time).
        simulated_calls: the part of `calls` made to simulated models.
    """

    calls: int = 0
    cached_calls: int = 0
    failed_calls: int = 0
    retries: int = 0
    interrupted_requests: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    unpriced_calls: int = 0
    cost_pico_usd: int = 0
    model_s: float = 0.0
    simulated_calls: int = 0

    @property
    def requests(self) -> int:
        """Requests sent, retries and interrupted ones included: what a server counts."""
        return self.calls + self.retries + self.interrupted_requests

    @property
    def tokens(self) -> int:
        """Input and output tokens together."""
        return self.input_tokens + self.output_tokens

    @property
    def known_cost_usd(self) -> float:
        """Dollars of the calls with a known price."""
        return self.cost_pico_usd / PICO

    @property
    def cost_usd(self) -> float | None:
        """Dollars of all calls, None when the price of any of them is unknown."""
        return None if self.unpriced_calls else self.known_cost_usd

    def plus(self, other: LedgerLine) -> LedgerLine:
        """Return the sum of two lines."""
        mine, theirs = asdict(self), asdict(other)
        return LedgerLine(**{name: mine[name] + theirs[name] for name in mine})

    def with_row(self, row: LedgerRow) -> LedgerLine:
        """Return this line with one more settled call."""
        if row.outcome == "cached":
            return replace(self, cached_calls=self.cached_calls + 1)
        return replace(
            self,
            calls=self.calls + 1,
            failed_calls=self.failed_calls + (row.outcome != "reply"),
            retries=self.retries + row.attempts - 1,
            input_tokens=self.input_tokens + row.input_tokens,
            output_tokens=self.output_tokens + row.output_tokens,
            unpriced_calls=self.unpriced_calls + (row.cost_pico_usd is None),
            cost_pico_usd=self.cost_pico_usd + (row.cost_pico_usd or 0),
            model_s=self.model_s + row.latency_s,
            simulated_calls=self.simulated_calls + row.simulated,
        )

    def to_json(self) -> dict[str, Any]:
        """Return the line as JSON values, with `cost_usd` null when unknown."""
        body = asdict(self)
        del body["cost_pico_usd"]
        return {
            **body,
            "requests": self.requests,
            "model_s": round(self.model_s, 6),
            "cost_usd": self.cost_usd,
            "known_cost_usd": self.known_cost_usd,
        }


@dataclass(frozen=True)
class Ledger:
    """A reading of the ledger: one line a role. Immutable; ask the gateway again for a newer one."""

    by_role: Mapping[Role, LedgerLine] = field(default_factory=dict)

    @property
    def total(self) -> LedgerLine:
        """All roles together."""
        line = LedgerLine()
        for other in self.by_role.values():
            line = line.plus(other)
        return line

    def line(self, role: Role) -> LedgerLine:
        """Return the line of one role, all zero when it made no call."""
        return self.by_role.get(role, LedgerLine())

    def to_json(self) -> dict[str, Any]:
        """Return `{"total": …, "task": …, "reflection": …, "judge": …, "embedding": …}`."""
        return {"total": self.total.to_json(), **{role: self.line(role).to_json() for role in ROLES}}


@dataclass(frozen=True, kw_only=True)
class Budget:
    """Hard caps on a run, None for no cap. Calls served from the cache are free.

    Attributes:
        max_usd: dollars. Exceeded by at most the calls in flight when it is reached.
        max_calls: requests sent to models, retries included. Never exceeded.
        max_tokens: input and output tokens together. Exceeded by at most the calls in flight when it is reached.

    Raises:
        UserError: when a cap is negative.
    """

    max_usd: float | None = None
    max_calls: int | None = None
    max_tokens: int | None = None

    def __post_init__(self) -> None:
        for name, value in asdict(self).items():
            if value is not None and value < 0:
                raise UserError(f"{name} is {value}", remedy="A cap is 0 or more")


@dataclass(frozen=True, slots=True)
class Price:
    """Dollars for a million tokens. Cached input is charged as input when no price is given for it.

    `batch_factor` is what the provider's batch mode costs against single calls; None: not known.

    Raises:
        UserError: for a price that is negative or no number.
    """

    input_usd_per_million: float
    output_usd_per_million: float
    cached_input_usd_per_million: float | None = None
    batch_factor: float | None = None

    def __post_init__(self) -> None:
        for value in (
            self.input_usd_per_million,
            self.output_usd_per_million,
            self.cached_input_usd_per_million,
            self.batch_factor,
        ):
            if value is not None and not 0 <= value < float("inf"):
                raise UserError(
                    f"a price of {value} dollars", remedy="Prices are dollars for a million tokens, 0 or more"
                )

    def for_batches(self) -> Price | None:
        """Return the price in batch mode, None when it is not known."""
        if self.batch_factor is None:
            return None
        cached, factor = self.cached_input_usd_per_million, self.batch_factor
        return Price(
            self.input_usd_per_million * factor,
            self.output_usd_per_million * factor,
            None if cached is None else cached * factor,
        )

    def cost_usd(self, input_tokens: int, output_tokens: int, cached_input_tokens: int = 0) -> float:
        """Return the price of one call in dollars."""
        cached = self.input_usd_per_million
        if self.cached_input_usd_per_million is not None:
            cached = self.cached_input_usd_per_million
        fresh = max(0, input_tokens - cached_input_tokens)
        micro = fresh * self.input_usd_per_million + min(cached_input_tokens, input_tokens) * cached
        return (micro + output_tokens * self.output_usd_per_million) / 1e6
