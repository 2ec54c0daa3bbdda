"""What simulated models learn from feedback: for each kind of failure, sentences that ask for the opposite."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from specgen.lm.simulated._feedback import FeedbackKind, named_failures

SENTENCES: Final[dict[FeedbackKind, tuple[tuple[str, ...], ...]]] = {
    "wrong_output_admitted": (
        (
            "The postcondition must exclude every wrong output: ask which incorrect results it still admits.",
            "Make the postcondition strong enough to rule out any incorrect result, not only to admit the right one.",
        ),
        (
            "Write one conjunct for each demand of the requirement, and never a trivial condition.",
            "List every condition that the requirement states, and never leave a vacuous clause.",
        ),
        ("Look at quantifier ranges and at strict comparisons, where off-by-one mistakes let results through.",),
    ),
    "right_output_refused": (
        (
            "Do not over-constrain the result: the postcondition must admit every correct output.",
            "Do not demand more than the requirement says: a clause that is too strong refuses right results.",
        ),
        (
            "Check each clause on a concrete example worked out by hand.",
            "Try every clause on small values before you answer, as an example would.",
        ),
        ("Think about edge cases such as empty inputs and boundary values.",),
    ),
    "required_input_refused": (
        (
            "Keep the precondition weak: it must admit every input that the requirement allows.",
            "The precondition should accept all inputs that the requirement speaks of, and state nothing more.",
        ),
        ("Think about edge cases such as the empty list: they are inputs too unless the requirement says not.",),
    ),
    "forbidden_input_admitted": (
        ("State in the precondition each restriction on inputs that the requirement names, and only what it names.",),
    ),
    "not_elaborated": (
        (
            "The text must type-check: use only declared names and mind the type of every expression.",
            "Make sure that everything is well-typed and that each name exists in Lean.",
        ),
    ),
    "not_parsed": (
        (
            "Answer with only Lean code that is well-formed, with balanced brackets and no prose.",
            "Write nothing but Lean in the answer, without any explanation, so that it must parse.",
        ),
    ),
}  # fmt: skip


def lessons_of(feedback: Sequence[str]) -> str:
    """Return what is to be minded after feedback: the first sentences for every failure that it names."""
    kinds = sorted(named_failures(feedback))
    return " ".join(level[0] for kind in kinds for level in SENTENCES[kind])
