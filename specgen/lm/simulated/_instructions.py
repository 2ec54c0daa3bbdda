"""What a simulated writer makes of its instructions: requests it recognises, and how each changes its mistakes.

The table is the model's whole character. A request lowers the odds of the mistakes it speaks of, and some requests
raise the odds of the opposite mistake, as they do with real models: told only not to over-constrain, a model writes
weaker contracts. So a reward that never looks at rejected outputs rewards instructions that lead to weak contracts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from specgen.lm.simulated._knowledge import SPOIL_KINDS, SpoilKind

QUALITIES: Final[Mapping[str, Mapping[SpoilKind, float]]] = MappingProxyType(
    {
        "weak": {
            "reference": 0.18,
            "dropped_clause": 0.20,
            "weakened": 0.16,
            "strengthened": 0.12,
            "restricted_input": 0.08,
            "vacuous": 0.08,
            "ill_typed": 0.10,
            "unparsable": 0.08,
        },
        "normal": {
            "reference": 0.34,
            "dropped_clause": 0.18,
            "weakened": 0.13,
            "strengthened": 0.10,
            "restricted_input": 0.07,
            "vacuous": 0.05,
            "ill_typed": 0.08,
            "unparsable": 0.05,
        },
        "strong": {
            "reference": 0.60,
            "dropped_clause": 0.12,
            "weakened": 0.09,
            "strengthened": 0.06,
            "restricted_input": 0.04,
            "vacuous": 0.02,
            "ill_typed": 0.05,
            "unparsable": 0.02,
        },
    }
)
"""Odds of each kind when the instructions ask for nothing in particular, by quality of the model."""


@dataclass(frozen=True)
class Cue:
    """A request that the writer recognises in its instructions, and the factors it puts on the odds of mistakes."""

    name: str
    pattern: re.Pattern[str]
    factors: Mapping[SpoilKind, float]


def _cue(name: str, pattern: str, factors: dict[SpoilKind, float]) -> Cue:
    return Cue(name, re.compile(pattern, re.IGNORECASE), MappingProxyType(factors))


CUES: Final[tuple[Cue, ...]] = (
    _cue(
        "exclude_wrong_outputs",
        r"(exclud|rul(e|es|ing) out|refus|reject)\w*[^.]{0,60}\b(wrong|incorrect|unintended|bad|other)\b|"
        r"\bno (wrong|incorrect|other) (output|result)|strong enough|too weak|fully determin|complete postcondition",
        {"weakened": 0.35, "dropped_clause": 0.45, "vacuous": 0.15, "strengthened": 1.25},
    ),
    _cue(
        "never_trivial",
        r"\b(trivial|vacuous)\w*|never (write|answer|return|use) `?true\b|not merely true",
        {"vacuous": 0.10, "weakened": 0.85},
    ),
    _cue(
        "every_clause",
        r"(every|each|all)( of the| the)? (clause|condition|obligation|part|sentence|claim|demand)s?\b|"
        r"one conjunct (for|per)|list (the|all|every)[^.]{0,30}(condition|obligation|demand|fact)s?",
        {"dropped_clause": 0.30, "weakened": 0.85},
    ),
    _cue(
        "do_not_over_constrain",
        r"over-?constrain|over-?specif|too strong|(accept|admit|allow)\w*[^.]{0,30}(every|all|any)[^.]{0,20}"
        r"(correct|right|valid|intended) (output|result|answer)|not demand more",
        {"strengthened": 0.25, "weakened": 1.15, "dropped_clause": 1.1, "vacuous": 1.15},
    ),
    _cue(
        "weak_precondition",
        r"precondition[^.]{0,80}\b(weak|permissive|admit|accept|nothing more|only what)|"
        r"(admit|accept|keep|allow)\w*[^.]{0,30}(every|all|any)[^.]{0,25}inputs?\b|not restrict (the )?input",
        {"restricted_input": 0.20},
    ),
    _cue(
        "edge_cases",
        r"edge[- ]case|corner[- ]case|boundary|empty (list|input|string|array|case)|\bzero\b[^.]{0,30}negative",
        {"strengthened": 0.75, "restricted_input": 0.70, "weakened": 0.80, "dropped_clause": 0.85},
    ),
    _cue(
        "check_examples",
        r"(check|test|try|verify|compare)\w*[^.]{0,60}\b(example|concrete|by hand|small (value|input))",
        {"strengthened": 0.60, "restricted_input": 0.75, "weakened": 0.80},
    ),
    _cue(
        "quantifier_bounds",
        r"quantif|index(es)? bound|bounds? of (every|each|the) ind|in range|off[- ]by[- ]one|"
        r"strict(ly)?[^.]{0,30}(comparison|inequalit|less|greater)",
        {"weakened": 0.65, "strengthened": 0.75, "ill_typed": 0.90},
    ),
    _cue(
        "only_lean",
        r"\b(only|nothing but|just)\b[^.]{0,30}\b(lean|code|the (fields|specification|contract))|no prose|"
        r"without (any )?(explanation|commentary|markdown)|well-?formed|must parse|balanced? (paren|bracket)",
        {"unparsable": 0.25, "ill_typed": 0.90},
    ),
    _cue(
        "types",
        r"type-?check|well-?typed|elaborat|type of (every|each)|declared (names|types)|compil",
        {"ill_typed": 0.30, "unparsable": 0.80},
    ),
    _cue(
        "reasoning",
        r"step[- ]by[- ]step|think (first|carefully|it through|about)|reason(ing)? (first|through|about)|"
        r"sub-?(problem|question)s?|break[^.]{0,30}(down|into)",
        {"dropped_clause": 0.80, "weakened": 0.90, "ill_typed": 0.90},
    ),
)


def recognised(instructions: str) -> tuple[str, ...]:
    """Return the names of the requests found in the instructions, in the table's order."""
    return tuple(cue.name for cue in CUES if cue.pattern.search(instructions))


def kind_odds(
    quality: str, cues: tuple[str, ...], available: frozenset[SpoilKind], difficulty: float = 1.0
) -> dict[SpoilKind, float]:
    """Return the probability of each available kind; they sum to 1.

    Args:
        quality: `weak`, `normal` or `strong`.
        cues: names of recognised requests.
        available: kinds that the task has variants of, at least one.
        difficulty: factor on all mistakes, 1 for a task of middling difficulty.
    """
    odds = {kind: weight for kind, weight in QUALITIES[quality].items() if kind in available}
    for cue in CUES:
        if cue.name in cues:
            odds = {kind: weight * cue.factors.get(kind, 1.0) for kind, weight in odds.items()}
    odds = {kind: weight * (1.0 if kind == "reference" else difficulty) for kind, weight in odds.items()}
    total = sum(odds.values())
    return {kind: odds[kind] / total for kind in SPOIL_KINDS if kind in odds}
