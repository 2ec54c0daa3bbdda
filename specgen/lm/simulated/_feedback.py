"""Which failures a feedback text names: a reader of plain sentences, one failure a sentence at most."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final, Literal

FeedbackKind = Literal[
    "not_parsed",
    "not_elaborated",
    "wrong_output_admitted",
    "forbidden_input_admitted",
    "required_input_refused",
    "right_output_refused",
]

_WRONG: Final = r"(rejected pair|(wrong|unintended|incorrect) (output|result|answer|behaviou?r))s?\b"
_RIGHT: Final = r"(accepted pair|(known-correct|correct|right|intended) (output|result|answer|behaviou?r))s?\b"
_REQUIRED: Final = r"\b(required|admissible|valid|legal) inputs?\b"
_FORBIDDEN: Final = r"\b(forbidden|inadmissible|invalid|illegal) inputs?\b"
_LET_IN: Final = (
    r"(slip\w*|(?<!not )(accept(s|ed)?|admit(s|ted)?|allow(s|ed)?|satisf(y|ies|ied))\b|lets? through|"
    r"(not|n't|never) (reject|exclude|refuse|rule)\w*|still holds|holds for)"
)
_KEPT_OUT: Final = (
    r"((?<!not )(refus|reject(s\b|ed by)|fail|exclud|violat)\w*|(not|n't|never) (accept|satisf|hold|admit)\w*|"
    r"(is|are|was|came out|evaluates to|becomes) false)"
)

_PATTERNS: Final[dict[FeedbackKind, tuple[str, ...]]] = {
    "not_parsed": (
        r"(not|n't|cannot be|could not be|failed to) parse",
        r"unparsable|syntax error|parse (error|failure)|not valid lean|unexpected (token|character|end)",
        r"\bno (output|specification|contract|answer) (was|could|found)",
    ),
    "not_elaborated": (
        r"(not|n't|failed to) (elaborate|type-?check|compile)",
        r"not well[- ](formed|typed)|ill-?(formed|typed)|elaboration (error|failed|failure)",
        r"type (error|mismatch)|unknown (identifier|constant|name)",
    ),
    "wrong_output_admitted": (
        rf"{_WRONG}.*{_LET_IN}",
        rf"{_LET_IN}.*{_WRONG}",
        r"slipped through|postcondition (is )?too weak|\b(trivial|vacuous)\b",
    ),
    "forbidden_input_admitted": (
        rf"{_FORBIDDEN}.*{_LET_IN}",
        rf"{_LET_IN}.*{_FORBIDDEN}",
        r"precondition (is )?too weak",
    ),
    "required_input_refused": (
        rf"{_REQUIRED}.*{_KEPT_OUT}",
        rf"{_KEPT_OUT}.*{_REQUIRED}",
        r"precondition (is )?too strong",
    ),
    "right_output_refused": (
        rf"{_RIGHT}.*{_KEPT_OUT}",
        rf"{_KEPT_OUT}.*{_RIGHT}",
        rf"clause.*{_KEPT_OUT}",
        r"postcondition (is )?too strong",
    ),
}
_COMPILED: Final = {kind: re.compile("|".join(parts), re.IGNORECASE) for kind, parts in _PATTERNS.items()}
_NOTHING_WRONG: Final = re.compile(r"^\W*(no|none|0 of|0/|zero|nothing|not one|neither)\b", re.IGNORECASE)
_ALL_WELL: Final = re.compile(r"^\W*(all|every|each)\b(?!.*\b(fails?|not|never|slips?)\b)", re.IGNORECASE)
_SENTENCES: Final = re.compile(r"\n+|(?<=[.;!])\s+")


def named_failures(feedback: Sequence[str]) -> Counter[FeedbackKind]:
    """Count the sentences that name each kind of failure; a sentence that says nothing is wrong counts nothing."""
    counts: Counter[FeedbackKind] = Counter()
    for text in feedback:
        for sentence in _SENTENCES.split(text):
            kind = _named(sentence)
            if kind is not None:
                counts[kind] += 1
    return counts


def _named(sentence: str) -> FeedbackKind | None:
    if _COMPILED["not_parsed"].search(sentence):
        return "not_parsed"  # first, because it may be said with a "no": no specification was found
    if not sentence.strip() or _NOTHING_WRONG.match(sentence) or _ALL_WELL.match(sentence):
        return None
    for kind, pattern in _COMPILED.items():
        if pattern.search(sentence):
            return kind
    return None
