"""The normal forms of a contract, and what can be told from them alone.

`normal_terms` turns core terms into terms that two programs have in common. Two forms are made of these. Equal plain
forms (`normal_plain`) mean that the contracts are the same but for the way they are written: `identical`. Equal full
forms (`normal_logic`, `normal_numbers`) mean that they are equivalent by classical logic and by arithmetic of sums and
products: `proved`. Every step is an equality, an equivalence, or a theorem; different forms mean nothing.

An implication is told from full forms when what is to be shown follows from the parts of the premise by propositional
steps: a part is there, or a part of a disjunction is, or a premise of a disjunction is settled.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from evaluators.equivalence.fields import may_be_opaque
from evaluators.equivalence.model import DIRECTIONS, Direction, Side
from evaluators.equivalence.normal_logic import Logic, conjunction, head, negated, parts_of
from evaluators.equivalence.normal_plain import Plain
from evaluators.equivalence.normal_terms import (
    BOOL,
    BOOL_TRUE,
    EQ,
    FALSE,
    TRUE,
    NoNormalForm,
    Reducer,
    Steps,
    Token,
    limited,
)
from specgen.lean.core import App, FVar, Lam, Pi, Proof, Term
from specgen.lean.elab.context import ElabError
from specgen.lean.elab.subst import beta, subst
from specgen.lean.elab.whnf import IllTyped

MAX_STEPS: Final = 60_000
MAX_WALL_S: Final = 2.0


@dataclass(frozen=True, slots=True)
class Normal:
    """The normal forms of a contract's precondition and postcondition; inputs, result and function are tokens."""

    precondition: Term
    postcondition: Term
    plain: tuple[Term, Term]


def normal(side: Side, wall_s: float = MAX_WALL_S) -> Normal | str:
    """Return the normal form of a side, or why there is none."""
    steps = Steps(MAX_STEPS, wall_s)
    if side.form.unknown:
        return side.form.unknown
    try:
        with limited(steps):
            logic, plain = Logic(steps), Plain(steps)
            pre: Term = TRUE
            if side.form.precondition:
                pre = _reduced(side, side.form.precondition, steps, post=False)
            post = _reduced(side, side.form.postcondition, steps, post=True)
            return Normal(logic.prop(pre), logic.prop(post), (plain.canon(pre), plain.canon(post)))
    except NoNormalForm as error:
        return str(error)
    except RecursionError:
        return "the contract is nested too deeply"
    except (ElabError, IllTyped):
        return "a term whose type is not known"


def _reduced(side: Side, name: str, steps: Steps, post: bool) -> Term:
    """Return the reduced body of a predicate, over tokens for its parameters."""
    program = side.program
    constant = program.environment.constants[name]
    if constant.value is None or constant.recursive:
        raise NoNormalForm(f"{name} has no definition that can be opened")
    reducer = Reducer(program.environment, may_be_opaque(program.source), steps)
    types = reducer.types
    inputs = tuple([types.local(f"x{i}", t) for i, t in enumerate(side.types.inputs)])
    result = types.local("y", side.types.result)
    function = types.local("f", side.types.function)
    for i, x in enumerate(inputs):
        reducer.marks[x.id] = Token("input", i)
    reducer.marks[result.id] = Token("result")
    reducer.marks[function.id] = Token("function")
    given: tuple[FVar, ...] = inputs
    if post and side.relational:
        given = (function, *inputs)
        reducer.calls = (function.id, inputs, result)
    elif post:
        given = (*inputs, result)
    body = _applied(reducer, constant.value, constant.type, list(given))
    reduced = reducer.term(body)
    if program.truth_kind(name) == "Bool":
        reduced = App(EQ, (BOOL, reduced, BOOL_TRUE))
    return reduced


def _applied(reducer: Reducer, value: Term, type_: Term, given: list[FVar]) -> Term:
    """Apply a predicate to its data arguments; parameters that are proofs get a proof."""
    term, left = value, list(given)
    kind = reducer.types.normal_type(type_)
    while isinstance(kind, Pi):
        argument: Term
        if reducer.types.is_proposition(kind.type):
            argument = Proof(kind.type)
        elif reducer.types.erased(kind.type):
            raise NoNormalForm("the predicate takes a type or an instance")
        elif left:
            argument = left.pop(0)
        else:
            raise NoNormalForm("the predicate takes more arguments")
        term = subst(term.body, (argument,)) if isinstance(term, Lam) else beta(term, (argument,))
        kind = reducer.types.normal_type(subst(kind.body, (argument,)))
    if left:
        raise NoNormalForm("the predicate takes fewer arguments")
    return term


@dataclass(frozen=True, slots=True)
class Told:
    """What normal forms tell of a direction."""

    status: Literal["identical", "proved"]


def compare(reference: Normal, candidate: Normal, wall_s: float = MAX_WALL_S) -> dict[Direction, Told]:
    """Return the directions that hold by normal forms alone.

    Postconditions are compared where the reference's precondition holds. What takes too long is not told.
    """
    pre, pre_other = reference.precondition, candidate.precondition
    post, post_other = reference.postcondition, candidate.postcondition
    sides: dict[Direction, tuple[bool, tuple[Term, ...], Term]] = {
        "pre_forward": (reference.plain[0] == candidate.plain[0], (pre,), pre_other),
        "pre_backward": (reference.plain[0] == candidate.plain[0], (pre_other,), pre),
        "post_forward": (reference.plain[1] == candidate.plain[1], (pre, post), post_other),
        "post_backward": (reference.plain[1] == candidate.plain[1], (pre, post_other), post),
    }
    found = {d: Told("identical") for d in DIRECTIONS if sides[d][0]}
    try:
        with limited(Steps(MAX_STEPS, wall_s)):
            for direction in DIRECTIONS:
                same, premises, goal = sides[direction]
                if not same and implies(conjunction(premises), goal):
                    found[direction] = Told("proved")
    except (NoNormalForm, RecursionError):
        pass
    return found


def implies(premise: Term, goal: Term) -> bool:
    """Tell whether a goal follows from a premise by propositional steps (both are normal forms)."""
    facts = set(parts_of("And", premise))
    if premise == FALSE:
        return True
    return all(_follows(facts, part) for part in parts_of("And", goal))


def _follows(facts: set[Term], part: Term) -> bool:
    if part in facts:
        return True
    pieces = set(parts_of("Or", part))
    if any(head(f)[0] != "Or" and f in pieces for f in facts):
        return True
    if any(set(parts_of("Or", f)) <= pieces for f in facts if head(f)[0] == "Or"):
        return True
    if any(head(p)[0] == "And" and all(_follows(facts, q) for q in parts_of("And", p)) for p in pieces if p != part):
        return True
    # Suppose that no piece but the last holds: that may settle a premise.
    return conjunction([*facts, *[negated(p) for p in pieces]]) == FALSE


__all__ = ["MAX_STEPS", "Normal", "Told", "compare", "implies", "normal"]
