"""Rewards: the number an optimiser climbs, with its parts and the rule for parts that are unavailable.

`verifier` is the grade alone. `verifier+adequacy` is a weighted mean of the grade and the four adequacy ratios. The
rule for unavailable parts (status other than `observed`) is recorded with each reward:

- `renormalise`: the weights of the available parts are scaled to sum to 1; with no part available the reward is
unavailable.
- `lower`: an unavailable part counts as the lower end of its interval where it has one, and is left out otherwise.

A candidate that is not well formed, or without output, has reward 0 under every rule: its grade is 0 and nothing
else can be measured. An unavailable reward is never 0 in a record; an optimiser that must have a number is given
`fallback`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal, TypeAlias

from evaluators.evidence import Evidence
from specgen.errors import UserError

UnavailableRule: TypeAlias = Literal["renormalise", "lower"]
RewardName: TypeAlias = Literal["verifier", "verifier+adequacy"]

DEFAULT_WEIGHTS: Mapping[str, float] = MappingProxyType(
    {"verifier_grade": 0.3, "R+": 0.2, "R-": 0.3, "R_req": 0.1, "R_rej": 0.1}
)


@dataclass(frozen=True, slots=True)
class RewardSpec:
    """A reward: its name, the weight of each metric, the rule for unavailable parts, and an optimiser's fallback."""

    name: str
    weights: Mapping[str, float]
    unavailable: UnavailableRule = "renormalise"
    fallback: float = 0.0

    def __post_init__(self) -> None:
        if not self.weights or any(w < 0 for w in self.weights.values()) or sum(self.weights.values()) <= 0:
            raise UserError(
                f"reward {self.name!r}: weights must be non-negative and not all zero",
                remedy="Give at least one metric a positive weight",
            )


@dataclass(frozen=True, slots=True)
class Reward:
    """A reward's value in [0, 1] (None when unavailable), the parts it was made of, and the parts left out with the
    reason.
    """

    name: str
    value: float | None
    parts: Mapping[str, float] = field(default_factory=dict)
    left_out: Mapping[str, str] = field(default_factory=dict)


def make_reward(
    name: str, weights: Mapping[str, float] | None = None, unavailable: UnavailableRule = "renormalise"
) -> RewardSpec:
    """Return a reward by name; `weights` replace the default ones of `verifier+adequacy`.

    Raises:
        UserError: for an unknown name, or weights on a metric that is not one of the reward's.
    """
    if name == "verifier":
        return RewardSpec(name, MappingProxyType({"verifier_grade": 1.0}), unavailable)
    if name == "verifier+adequacy":
        chosen = dict(weights or DEFAULT_WEIGHTS)
        unknown = [k for k in chosen if k not in DEFAULT_WEIGHTS]
        if unknown:
            raise UserError(
                f"reward {name!r} has no part {unknown[0]!r}", remedy=f"Its parts are {', '.join(DEFAULT_WEIGHTS)}"
            )
        return RewardSpec(name, MappingProxyType(chosen), unavailable)
    raise UserError(f"unknown reward {name!r}", remedy="Known: verifier, verifier+adequacy")


def reward(spec: RewardSpec, evidence: Sequence[Evidence]) -> Reward:
    """Combine evidence into a reward."""
    by_name = {e.metric: e for e in evidence}
    grade = by_name.get("verifier_grade")
    if grade is not None and grade.status == "observed" and grade.value == 0.0:
        left = {m: by_name[m].status if m in by_name else "missing" for m in spec.weights if m != "verifier_grade"}
        return Reward(spec.name, 0.0, MappingProxyType({"verifier_grade": 0.0}), MappingProxyType(left))
    parts: dict[str, float] = {}
    left_out: dict[str, str] = {}
    total = weight = 0.0
    for metric, w in spec.weights.items():
        e = by_name.get(metric)
        value = None if e is None else e.value
        if value is None and e is not None and spec.unavailable == "lower":
            value = e.lower
        if value is None:
            left_out[metric] = "missing" if e is None else e.status
            continue
        parts[metric] = value
        total += w * value
        weight += w
    combined = total / weight if weight > 0 else None
    return Reward(spec.name, combined, MappingProxyType(parts), MappingProxyType(left_out))
