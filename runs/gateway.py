"""The gateway of an experiment from its configuration, what it will take, and the confirmation before it begins."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from runs.config import ExperimentConfig
from specgen.errors import UserError
from specgen.lm import (
    Budget,
    Estimate,
    Gateway,
    Limits,
    MeasuredCalls,
    OutagePolicy,
    PlannedCalls,
    Price,
    Role,
    estimate,
)
from specgen.lm.simulated import SIMULATED_PREFIX, SimulatedKnowledge


def open_gateway(
    config: ExperimentConfig,
    store: Path | None = None,
    known: SimulatedKnowledge | None = None,
    notify: Callable[[str], None] | None = None,
) -> Gateway:
    """Return the gateway that a configuration describes: caps, prices, limits, outages, time.

    Raises:
        UserError, StoreError: as `Gateway`.
    """
    model, budget = config.model, config.budget
    return Gateway(
        store,
        run=config.experiment.name,
        budget=Budget(max_usd=budget.max_usd, max_calls=budget.max_calls, max_tokens=budget.max_tokens),
        api_base=model.api_base or None,
        knowledge=known,
        concurrency=model.concurrency,
        timeout_s=model.timeout_s,
        prices=prices(config),
        limits=limits(config),
        outage=OutagePolicy(**model.outage.model_dump()),
        deadline_s=None if budget.max_minutes is None else 60 * budget.max_minutes,
        on_length=model.on_length,
        notify=notify,
    )


def prices(config: ExperimentConfig) -> dict[str, Price]:
    """Return `[model.prices]`: dollars for a million tokens."""
    return {name: Price(p.input, p.output, p.cached_input, p.batch_factor) for name, p in config.model.prices.items()}


def limits(config: ExperimentConfig) -> dict[str, Limits]:
    """Return `[model.limits]`, by model name or prefix."""
    return {name: Limits(**limit.model_dump()) for name, limit in config.model.limits.items()}


def experiment_calls(
    config: ExperimentConfig, test_tasks: int, rewards: int, calls_per_candidate: int = 1
) -> list[PlannedCalls]:
    """Return the most calls that an experiment makes, by role.

    Optimisation: its budget of metric calls for each seed prompt and reward, and one reflection for each minibatch, one
    after the other. Comparison: every arm, seed prompt, test task and sample. `calls_per_candidate` is for generators
    that make several.
    """
    model, optimizer = config.model, config.optimizer
    optimisations = len(config.generator.seeds) * rewards
    tuned = 0 if optimizer.name == "none" else optimisations * optimizer.max_metric_calls
    compared = (len(config.generator.seeds) + optimisations) * test_tasks * config.generator.samples
    task = (tuned + compared) * calls_per_candidate
    planned = [PlannedCalls(role="task", model=model.task, calls=task, concurrency=model.concurrency)]
    if tuned:
        reflections = -(-tuned // optimizer.minibatch)
        planned.append(PlannedCalls(role="reflection", model=model.reflection, calls=reflections))
    return planned


def experiment_estimate(
    config: ExperimentConfig,
    gateway: Gateway,
    planned: Sequence[PlannedCalls],
    known: Mapping[tuple[Role, str], MeasuredCalls | None],
) -> Estimate:
    """Estimate planned calls at the gateway's prices and the configuration's limits."""
    return estimate(planned, known, {p.model: gateway.price(p.model) for p in planned}, limits(config))


def confirm(
    found: Estimate,
    yes: bool,
    ask: Callable[[str], bool] | None = None,
    show: Callable[[str], None] | None = None,
) -> None:
    """Show what a run will take and have it confirmed; a run of simulated models alone needs no word.

    Args:
        found: the estimate.
        yes: it was confirmed beforehand (`--yes`).
        ask: asks the user; None asks on the terminal.
        show: prints a line; None prints to standard error.

    Raises:
        UserError: it was refused, or there is nobody to ask.
    """
    if all(line.model.startswith(SIMULATED_PREFIX) for line in found.lines):
        return
    for text in estimate_lines(found):
        (show or _show)(text)
    if yes:
        return
    if ask is None and not sys.stdin.isatty():
        raise UserError("the run needs a confirmation, and nobody can be asked", remedy="Give --yes to begin it")
    if not (ask or _ask)("Begin?"):
        raise UserError("the run was not begun", remedy="Lower its size or its caps, then run again")


def estimate_lines(found: Estimate) -> list[str]:
    """Return an estimate as lines of text; what is unknown is said to be."""
    lines = []
    for line in found.lines:
        tokens = None if line.input_tokens is None else line.input_tokens + (line.output_tokens or 0)
        lines.append(f"  {line.role} ({line.model}): {_amounts(line.calls, tokens, line.cost_usd, line.minutes)}")
    measured = sum(line.measured_calls for line in found.lines)
    head = f"at most {_amounts(found.calls, found.tokens, found.cost_usd, found.minutes)}"
    return [f"{head}, by {measured} measured calls; retries not counted", *lines]


def _amounts(calls: int, tokens: int | None, cost_usd: float | None, minutes: float | None) -> str:
    shown_tokens = "tokens unknown" if tokens is None else f"{tokens:,} tokens"
    shown_cost = "cost unknown" if cost_usd is None else f"${cost_usd:.2f}"
    shown_time = "time unknown" if minutes is None else f"{minutes:.1f} min of calls"
    return f"{calls:,} calls, {shown_tokens}, {shown_cost}, {shown_time}"


def _show(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _ask(question: str) -> bool:
    import typer

    return typer.confirm(question, err=True)
