"""Matched budgets: configurations that are compared may spend the same on each task.

Generators differ in what one candidate costs: one call, several samples, a loop with tools. A comparison at equal
numbers of candidates favours those that spend more. With a matched budget every configuration makes its first candidate
of a task; the one that spent most sets the task's budget, and the others draw further candidates as long as another one
is expected to bring them nearer to the budget. What is spent is recorded with each candidate.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from specgen.errors import UserError
from specgen.generators import Candidate

Resource: TypeAlias = Literal["calls", "tokens", "usd"]
RESOURCES: tuple[Resource, ...] = get_args(Resource)

MAX_SAMPLES = 64
"""Candidates of one configuration for one task, whatever the budget."""


@dataclass(frozen=True, slots=True)
class Matched:
    """The candidates of one task by configuration, the budget, and what each configuration spent of it."""

    candidates: Mapping[str, tuple[Candidate, ...]]
    budget: float
    spent: Mapping[str, float]


def read_resource(text: str) -> Resource | None:
    """Return the resource of a name, None for an empty one; `UserError` for others."""
    if not text:
        return None
    if text not in RESOURCES:
        raise UserError(f"--match {text}: no such budget", remedy=f"Known: {', '.join(RESOURCES)}")
    return text


def spend(candidate: Candidate, resource: Resource) -> float:
    """Return what a candidate cost, in calls, tokens (input and output) or dollars.

    Raises:
        UserError: its price in dollars is not known.
    """
    if resource == "calls":
        return float(candidate.calls)
    if resource == "tokens":
        return float(candidate.input_tokens + candidate.output_tokens)
    if candidate.cost_usd is None:
        raise UserError(
            f"the price of {candidate.model} is not known, so dollars cannot be matched",
            remedy="Match calls or tokens, or give the model's price",
        )
    return candidate.cost_usd


def match(makers: Mapping[str, Callable[[int], Candidate]], resource: Resource) -> Matched:
    """Make the candidates of one task.

    Args:
        makers: by configuration, a function from a sample's index to its candidate.
        resource: what is matched.

    Returns:
        At least one candidate a configuration. A configuration whose candidates cost nothing makes one.
    """
    made = {name: [make(0)] for name, make in makers.items()}
    spent = {name: spend(found[0], resource) for name, found in made.items()}
    budget = max(spent.values(), default=0.0)
    for name, make in makers.items():
        while len(made[name]) < MAX_SAMPLES:
            mean = spent[name] / len(made[name])
            if mean <= 0 or spent[name] + mean / 2 >= budget:
                break
            candidate = make(len(made[name]))
            made[name].append(candidate)
            spent[name] += spend(candidate, resource)
    return Matched({n: tuple(found) for n, found in made.items()}, budget, spent)
