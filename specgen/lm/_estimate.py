"""What a run will take, before it is begun: calls, tokens, dollars and minutes from a plan and a few measured calls."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Protocol

from specgen.lm._ledger import Price
from specgen.lm._limits import Limits, longest_prefix
from specgen.lm._types import ModelOutcome, ModelReply, ModelRequest, Role


@dataclass(frozen=True, kw_only=True)
class PlannedCalls:
    """Calls that a run will make: at most `calls`, so many of them at once."""

    role: Role
    model: str
    calls: int
    concurrency: int = 1


@dataclass(frozen=True, kw_only=True)
class MeasuredCalls:
    """What a few calls took: means of tokens and seconds over `calls` replies, and the share that failed."""

    calls: int
    input_tokens: float
    output_tokens: float
    latency_s: float
    failed_share: float = 0.0


@dataclass(frozen=True, kw_only=True)
class EstimateLine:
    """One role and model. None is unknown: nothing was measured, or the model has no known price."""

    role: Role
    model: str
    calls: int
    input_tokens: int | None
    output_tokens: int | None
    cost_usd: float | None
    minutes: float | None
    measured_calls: int


@dataclass(frozen=True)
class Estimate:
    """Lines by role and model. The parts follow each other, so their minutes are summed."""

    lines: tuple[EstimateLine, ...]

    @property
    def calls(self) -> int:
        """Calls of all lines."""
        return sum(line.calls for line in self.lines)

    @property
    def tokens(self) -> int | None:
        """Input and output tokens, None when some are unknown."""
        parts = [t for line in self.lines for t in (line.input_tokens, line.output_tokens)]
        known = [t for t in parts if t is not None]
        return sum(known) if len(known) == len(parts) else None

    @property
    def cost_usd(self) -> float | None:
        """Dollars, None when some are unknown."""
        known = [line.cost_usd for line in self.lines if line.cost_usd is not None]
        return sum(known) if len(known) == len(self.lines) else None

    @property
    def minutes(self) -> float | None:
        """Minutes spent on calls, None when some are unknown."""
        known = [line.minutes for line in self.lines if line.minutes is not None]
        return sum(known) if len(known) == len(self.lines) else None

    def to_json(self) -> dict[str, Any]:
        """Return totals and lines as JSON values; unknown is null."""
        return {
            "calls": self.calls,
            "tokens": self.tokens,
            "cost_usd": self.cost_usd,
            "minutes": self.minutes,
            "lines": [asdict(line) for line in self.lines],
        }


class ManyCalls(Protocol):
    """The part of the gateway that measuring needs."""

    def complete_many(self, requests: Iterable[ModelRequest]) -> list[ModelOutcome]:
        """Make calls and return their outcomes in order."""
        ...


def measure(gateway: ManyCalls, requests: Sequence[ModelRequest]) -> MeasuredCalls | None:
    """Make a few of the run's own calls (the run then has them from the store) and return what they took.

    None when none was answered: nothing is known then.
    """
    return measured(gateway.complete_many(requests))


def measured(outcomes: Sequence[ModelOutcome]) -> MeasuredCalls | None:
    """Return the means over outcomes, None without a single reply."""
    replies = [o for o in outcomes if isinstance(o, ModelReply)]
    if not replies:
        return None
    n = len(replies)
    return MeasuredCalls(
        calls=n,
        input_tokens=sum(r.usage.input_tokens for r in replies) / n,
        output_tokens=sum(r.usage.output_tokens for r in replies) / n,
        latency_s=sum(r.latency_s for r in replies) / n,
        failed_share=1 - n / len(outcomes),
    )


def estimate(
    planned: Sequence[PlannedCalls],
    known: Mapping[tuple[Role, str], MeasuredCalls | None],
    prices: Mapping[str, Price | None],
    limits: Mapping[str, Limits] | None = None,
) -> Estimate:
    """Estimate a run.

    Args:
        planned: the calls, by role and model.
        known: what calls of a role and model were measured to take.
        prices: by model, None where unknown; a price of 0 is 0 dollars.
        limits: as the gateway's; minutes are at least what they allow.
    """
    return Estimate(
        tuple(_line(part, known.get((part.role, part.model)), prices.get(part.model), limits or {}) for part in planned)
    )


def _line(
    part: PlannedCalls, found: MeasuredCalls | None, price: Price | None, limits: Mapping[str, Limits]
) -> EstimateLine:
    if found is None:
        unknown = 0 if part.calls == 0 else None
        return EstimateLine(
            role=part.role,
            model=part.model,
            calls=part.calls,
            input_tokens=unknown,
            output_tokens=unknown,
            cost_usd=unknown,
            minutes=unknown,
            measured_calls=0,
        )
    tokens_in, tokens_out = round(part.calls * found.input_tokens), round(part.calls * found.output_tokens)
    limit = limits.get(longest_prefix(part.model, limits), Limits())
    at_once = min(part.concurrency, limit.concurrency or part.concurrency)
    minutes = part.calls * found.latency_s / at_once / 60
    if limit.requests_per_minute is not None:
        minutes = max(minutes, part.calls / limit.requests_per_minute)
    if limit.tokens_per_minute is not None:
        minutes = max(minutes, (tokens_in + tokens_out) / limit.tokens_per_minute)
    return EstimateLine(
        role=part.role,
        model=part.model,
        calls=part.calls,
        input_tokens=tokens_in,
        output_tokens=tokens_out,
        cost_usd=None if price is None else price.cost_usd(tokens_in, tokens_out),
        minutes=minutes,
        measured_calls=found.calls,
    )
