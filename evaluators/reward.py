"""Rewards: the number an optimiser climbs, with its parts and the rule for parts that are unavailable.

A reward is a weighted mean of parts, possibly behind gates. A part is a metric (`verifier_grade`, `R+`, `gted`,
`judge`, …), a harness threshold `post-harness@t`, or another reward by name. The named ones:

- `verifier`: the grade alone. `adequacy`: R+, R-, R_req, R_rej. `verifier+adequacy`: both.
- `post-harness@t`: 1 when R+ >= t and R- >= t, else 0 (Spec-Harness, arXiv 2604.00280).
- `typecheck`: formal validity. `similarity`: GTED, atom F1, signature F1. `equivalence`, `judge`: those metrics.

Similarity and equivalence look at the reference contract: a reward that names them trains on it, by choice.

The rule for unavailable parts (status other than `observed`) is recorded with each reward:

- `renormalise`: the weights of the available parts are scaled to sum to 1; with no part available the reward is
unavailable.
- `lower`: an unavailable part counts as the lower end of its interval where it has one, and is left out otherwise.

A gate lets a candidate through when its metric is known to reach a value; known to miss it, the reward is 0; not known,
the reward is unavailable. A candidate that is not well formed, or without output, has reward 0 under every rule: its
grade is 0 and nothing else can be measured. An unavailable reward is never 0 in a record; an optimiser that must have a
number is given `fallback`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from types import MappingProxyType
from typing import Literal, TypeAlias, get_args

from evaluators.evidence import Evidence
from specgen.errors import UserError

UnavailableRule: TypeAlias = Literal["renormalise", "lower"]
FeedbackKind: TypeAlias = Literal["verifier", "adequacy", "typecheck", "similarity", "equivalence", "judge"]
FEEDBACK_KINDS: tuple[FeedbackKind, ...] = get_args(FeedbackKind)

DEFAULT_WEIGHTS: Mapping[str, float] = MappingProxyType(
    {"verifier_grade": 0.3, "R+": 0.2, "R-": 0.3, "R_req": 0.1, "R_rej": 0.1}
)

NAMED: Mapping[str, tuple[Mapping[str, float], tuple[FeedbackKind, ...]]] = MappingProxyType(
    {
        "verifier": ({"verifier_grade": 1.0}, ("verifier",)),
        "adequacy": ({"R+": 0.3, "R-": 0.4, "R_req": 0.15, "R_rej": 0.15}, ("verifier", "adequacy")),
        "verifier+adequacy": (DEFAULT_WEIGHTS, ("verifier", "adequacy")),
        "typecheck": ({"typecheck": 1.0}, ("typecheck",)),
        "similarity": ({"gted": 0.5, "atom_f1": 0.25, "signature_f1": 0.25}, ("typecheck", "similarity")),
        "equivalence": ({"equivalence": 1.0}, ("typecheck", "equivalence")),
        "judge": ({"judge": 1.0}, ("typecheck", "judge")),
    }
)
"""Weights of the parts, and which feedback a reflection model is shown, by reward."""

METRICS: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys(("typecheck", "verifier_grade", "R+", "R-", "R_req", "R_rej", "BAcc", "pass"), ""),
        **dict.fromkeys(("NEM", "signature_f1", "atom_f1", "gted", "gted_freecost"), "similarity"),
        "equivalence": "equivalence",
        "judge": "judge",
    }
)
"""The metrics that may be parts, each with the evaluator that gives it beyond the checks (empty: none)."""

_HARNESS = re.compile(r"post-harness@(0?\.\d+|1(?:\.0*)?|0)")


@dataclass(frozen=True, slots=True)
class Gate:
    """A metric and the value that it must be known to reach."""

    metric: str
    at_least: float


@dataclass(frozen=True, slots=True)
class RewardSpec:
    """A reward.

    Attributes:
        name: what records call it.
        weights: of its parts: metrics and `post-harness@t`.
        unavailable: the rule for parts without a value.
        fallback: what an optimiser gets where the reward is unavailable.
        gates: all must be passed.
        feedback: what a reflection model is told, in this order.
    """

    name: str
    weights: Mapping[str, float]
    unavailable: UnavailableRule = "renormalise"
    fallback: float = 0.0
    gates: tuple[Gate, ...] = ()
    feedback: tuple[FeedbackKind, ...] = ("verifier",)

    def __post_init__(self) -> None:
        if not self.weights or any(w < 0 for w in self.weights.values()) or sum(self.weights.values()) <= 0:
            raise UserError(
                f"reward {self.name!r}: weights must be non-negative and not all zero",
                remedy="Give at least one metric a positive weight",
            )

    def evaluators(self) -> tuple[str, ...]:
        """Return the evaluators that the parts and gates need beside the checks."""
        metrics = [*self.weights, *(g.metric for g in self.gates)]
        return tuple(dict.fromkeys(METRICS[m] for m in metrics if METRICS.get(m)))


@dataclass(frozen=True, slots=True)
class Reward:
    """A reward's value in [0, 1] (None when unavailable), the parts it was made of, and the parts left out with the
    reason.
    """

    name: str
    value: float | None
    parts: Mapping[str, float] = field(default_factory=dict)
    left_out: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Definition:
    """A reward of the user's own: weights of metrics, thresholds or named rewards; gates; feedback (None: that of the
    rewards named in it, else the verifier's).
    """

    weights: Mapping[str, float]
    gates: Mapping[str, float] = field(default_factory=dict)
    feedback: tuple[str, ...] | None = None
    unavailable: UnavailableRule | None = None


def make_reward(
    name: str,
    weights: Mapping[str, float] | None = None,
    unavailable: UnavailableRule = "renormalise",
    definitions: Mapping[str, Definition] = MappingProxyType({}),
) -> RewardSpec:
    """Return a reward by name.

    Args:
        name: one of `NAMED`, `post-harness@t`, or one of `definitions`.
        weights: replace those of `verifier+adequacy`.
        unavailable: the rule for unavailable parts, where a definition does not give its own.
        definitions: further rewards by name.

    Raises:
        UserError: for an unknown name, part, metric or feedback, or weights on a part that the reward does not have.
    """
    if name in definitions:
        return _defined(name, definitions[name], unavailable, definitions)
    if _HARNESS.fullmatch(name):
        return RewardSpec(name, MappingProxyType({name: 1.0}), unavailable, feedback=("verifier", "adequacy"))
    if name not in NAMED:
        known = [*NAMED, *definitions, "post-harness@t"]
        raise UserError(f"unknown reward {name!r}", remedy=f"{_nearest(name, known)}Known: {', '.join(known)}")
    own, feedback = NAMED[name]
    chosen = dict(weights) if weights and name == "verifier+adequacy" else dict(own)
    unknown = [k for k in chosen if k not in own]
    if unknown:
        raise UserError(f"reward {name!r} has no part {unknown[0]!r}", remedy=f"Its parts are {', '.join(own)}")
    return RewardSpec(name, MappingProxyType(chosen), unavailable, feedback=feedback)


def _defined(
    name: str, definition: Definition, unavailable: UnavailableRule, definitions: Mapping[str, Definition]
) -> RewardSpec:
    parts: dict[str, float] = {}
    feedback: list[str] = []
    others = {k: v for k, v in definitions.items() if k != name}
    for part, weight in definition.weights.items():
        if part in METRICS and part not in others:
            parts[part] = parts.get(part, 0.0) + weight
            continue
        inner = make_reward(part, None, unavailable, others)
        total = sum(inner.weights.values())
        for metric, share in inner.weights.items():
            parts[metric] = parts.get(metric, 0.0) + weight * share / total
        feedback += inner.feedback
    for metric in definition.gates:
        if metric not in METRICS:
            raise UserError(
                f"reward {name!r}: a gate on {metric!r}, which is no metric",
                remedy=f"{_nearest(metric, list(METRICS))}Known: {', '.join(METRICS)}",
            )
    wanted = tuple(dict.fromkeys(feedback or ["verifier"])) if definition.feedback is None else definition.feedback
    unknown = [k for k in wanted if k not in FEEDBACK_KINDS]
    if unknown:
        raise UserError(f"reward {name!r}: no feedback {unknown[0]!r}", remedy=f"Known: {', '.join(FEEDBACK_KINDS)}")
    kinds = tuple(k for k in FEEDBACK_KINDS if k in wanted)
    gates = tuple(Gate(m, v) for m, v in definition.gates.items())
    spec = RewardSpec(name, MappingProxyType(parts), definition.unavailable or unavailable, gates=gates)
    return replace(spec, feedback=kinds)


def _nearest(name: str, known: Sequence[str]) -> str:
    near = get_close_matches(name, known, n=1)
    return f"Did you mean {near[0]!r}? " if near else ""


@dataclass(frozen=True, slots=True)
class _Part:
    """What is known of a part: a value, or bounds, and the status."""

    value: float | None
    lower: float | None
    upper: float | None
    status: str


def _part(name: str, by_name: Mapping[str, Evidence]) -> _Part:
    threshold = _HARNESS.fullmatch(name)
    if threshold is not None:
        return _reached(float(threshold[1]), by_name.get("R+"), by_name.get("R-"))
    e = by_name.get(name)
    return _Part(None, None, None, "missing") if e is None else _Part(e.value, e.lower, e.upper, e.status)


def _reached(t: float, plus: Evidence | None, minus: Evidence | None) -> _Part:
    """Return post-harness@t from the bounds of R+ and R-: decided also where the unknown outcomes cannot change it."""
    if plus is None or minus is None:
        return _Part(None, None, None, "missing")
    sides = (plus, minus)
    for e in sides:
        if e.lower is None or e.upper is None:
            return _Part(None, None, None, e.status)
    if any(e.upper is not None and e.upper < t for e in sides):
        return _Part(0.0, 0.0, 0.0, "observed")
    if all(e.lower is not None and e.lower >= t for e in sides):
        return _Part(1.0, 1.0, 1.0, "observed")
    return _Part(None, 0.0, 1.0, "inconclusive")


def _gate(gate: Gate, by_name: Mapping[str, Evidence]) -> bool | None:
    """Return whether a gate is passed, None where that is not known."""
    part = _part(gate.metric, by_name)
    lower = part.value if part.value is not None else part.lower
    upper = part.value if part.value is not None else part.upper
    if lower is not None and lower >= gate.at_least:
        return True
    return False if upper is not None and upper < gate.at_least else None


def reward(spec: RewardSpec, evidence: Sequence[Evidence]) -> Reward:
    """Combine evidence into a reward."""
    by_name = {e.metric: e for e in evidence}
    grade = by_name.get("verifier_grade")
    if grade is not None and grade.status == "observed" and grade.value == 0.0:
        left = {m: _part(m, by_name).status for m in spec.weights if m != "verifier_grade"}
        return Reward(spec.name, 0.0, MappingProxyType({"verifier_grade": 0.0}), MappingProxyType(left))
    gates = {f"gate {g.metric}": _gate(g, by_name) for g in spec.gates}
    if False in gates.values():
        shut = {name: 0.0 for name, passed in gates.items() if passed is False}
        return Reward(spec.name, 0.0, MappingProxyType(shut))
    parts: dict[str, float] = {}
    left_out = {name: "not known" for name, passed in gates.items() if passed is None}
    total = weight = 0.0
    for metric, w in spec.weights.items():
        part = _part(metric, by_name)
        value = part.value
        if value is None and spec.unavailable == "lower":
            value = part.lower
        if value is None:
            left_out[metric] = part.status
            continue
        parts[metric] = value
        total += w * value
        weight += w
    combined = total / weight if weight > 0 and None not in gates.values() else None
    return Reward(spec.name, combined, MappingProxyType(parts), MappingProxyType(left_out))
