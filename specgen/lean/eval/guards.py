"""The normal form of a relational predicate: what it asks of the inputs alone, and what it says of the function.

`fun f x => P x → Q f x` is the precondition P with the postcondition Q: every premise around the whole body that does
not speak of `f` goes into P, and Q is what stands under it (a proof of P is at hand there). Looked through: `let`, the
wrapper `∃ r, f x = r ∧ …`, `∀ r, r = f x → …`, hypotheses among the predicate's own parameters, calls of the text's own
definitions. A conjunction has the premises that all its conjuncts have. All of these steps are equivalences of logic.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from specgen.lean import core
from specgen.lean.core import Const, FVar, Lam, Let, Pi, Term
from specgen.lean.elab.subst import beta, subst
from specgen.lean.eval.types import Types, head_const

_MAX_UNFOLD = 4
_MAX_STEPS = 400


@dataclass(frozen=True, slots=True)
class Guarded:
    """A predicate over (function, inputs…) taken apart; all terms are closed.

    Attributes:
        guards: one predicate over the inputs for each premise, in order.
        precondition: their conjunction, None when there is none.
        postcondition: the rest, over function and inputs.
    """

    guards: tuple[Term, ...]
    precondition: Term | None
    postcondition: Term


@dataclass
class _State:
    """Where the peeling stands: `speaking` are the variables that depend on the function, `lets` the definitions that
    were opened on the way."""

    types: Types
    speaking: set[int]
    lets: list[FVar] = field(default_factory=list)
    steps: int = 0

    def branch(self) -> _State:
        return _State(self.types, set(self.speaking), list(self.lets), self.steps)

    def speaks(self, term: Term) -> bool:
        """Tell whether a term depends on the function."""
        return mentions(term, self.speaking)


def mentions(term: Term, ids: set[int]) -> bool:
    """Tell whether one of the free variables occurs in a term."""
    if not term.has_fvar:
        return False
    if isinstance(term, FVar):
        return term.id in ids
    found = False

    def child(t: Term, depth: int) -> Term:
        nonlocal found
        found = found or mentions(t, ids)
        return t

    core.map_children(term, child)
    return found


def split_guard(types: Types, value: Term) -> Guarded:
    """Take a predicate apart; its first parameter that is data is the function."""
    params: list[FVar] = []
    state = _State(types, set())
    guards: list[Term] = []
    body = value
    while isinstance(body, Lam):
        hypothesis = types.is_proposition(body.type)
        if hypothesis and state.speaking and not state.speaks(body.type):
            guards.append(body.type)
            body = subst(body.body, (core.Proof(body.type),))
            continue
        x = types.local(body.name, body.type, body.info)
        if not hypothesis and not state.speaking and not types.erased(body.type):
            state.speaking.add(x.id)
        params.append(x)
        body = subst(body.body, (x,))
    found, body = _peel(state, body, 0)
    guards += found
    inputs = [x for x in params if x.id not in state.speaking and not types.is_proposition(types.local_type(x))]

    def closed(term: Term) -> Term:
        needed: list[FVar] = []
        for x in reversed(state.lets):
            if any(mentions(t, {x.id}) for t in (term, *(types.decls[n.id].value or core.PROP for n in needed))):
                needed.insert(0, x)
        return types.mk_lambda([*inputs, *needed], term)

    whole: Term | None = None
    for guard in reversed(guards):
        whole = guard if whole is None else core.mk_app(Const("And"), guard, whole)
    return Guarded(
        tuple([closed(g) for g in guards]),
        None if whole is None else closed(whole),
        types.mk_lambda([*params, *state.lets], body),
    )


def _peel(state: _State, body: Term, depth: int) -> tuple[list[Term], Term]:
    """Return the premises of a body (over the variables that are open) and what stands under them."""
    types, guards = state.types, []
    while state.steps < _MAX_STEPS:
        state.steps += 1
        wrapped = one_point(types, body)
        body = body if wrapped is None else wrapped
        fn, args = core.unfold_app(body)
        if isinstance(body, Let):
            x = types.local(body.name, body.type, value=body.value)
            if state.speaks(body.value):
                state.speaking.add(x.id)
            state.lets.append(x)
            body = subst(body.body, (x,))
        elif isinstance(body, Pi) and types.is_proposition(body.type) and not state.speaks(body.type):
            guards.append(body.type)
            body = subst(body.body, (core.Proof(body.type),))
        elif isinstance(fn, FVar) and depth < _MAX_UNFOLD and isinstance(types.decls[fn.id].value, Lam):
            local = types.decls[fn.id].value
            assert local is not None  # noqa: S101 - it is a Lam
            body, depth = beta(local, args), depth + 1
        elif isinstance(fn, Const) and depth < _MAX_UNFOLD and unfolds(types, fn.name):
            opened = types.env.constants[fn.name].value
            assert opened is not None  # noqa: S101 - unfolds has looked
            found, rest = _try(state, beta(opened, args), depth + 1)
            return ([*guards, *found], rest) if found else (guards, body)
        elif isinstance(fn, Const) and fn.name == "And" and len(args) == 2:
            common, rest = _conjunction(state, args, depth)
            return ([*guards, *common], rest) if common else (guards, body)
        else:
            break
    return guards, body


def _try(state: _State, body: Term, depth: int) -> tuple[list[Term], Term]:
    """Peel on a copy of the state, which is kept only when something was found."""
    branch = state.branch()
    found, rest = _peel(branch, body, depth)
    state.steps = branch.steps
    if found:
        state.lets, state.speaking = branch.lets, branch.speaking
    return found, rest


def _conjunction(state: _State, sides: Sequence[Term], depth: int) -> tuple[list[Term], Term]:
    """Return the premises that both sides of a conjunction have, and the conjunction of what is left of them."""
    parts: list[tuple[_State, list[Term], Term]] = []
    for side in sides:
        branch = state.branch()
        found, rest = _peel(branch, side, depth)
        state.steps = branch.steps
        parts.append((branch, found, rest))
    (_, first, _), (_, second, _) = parts
    fresh = {x.id for branch, _, _ in parts for x in branch.lets[len(state.lets) :]}
    common = [g for g in first if g in second and not mentions(g, fresh)]
    left = []
    for branch, found, rest in parts:
        for guard in reversed([g for g in found if g not in common]):
            rest = Pi("h", guard, core.lift(rest, 1))
        left.append(state.types.mk_lambda(branch.lets[len(state.lets) :], rest))
    return common, core.mk_app(Const("And"), *left)


def unfolds(types: Types, name: str) -> bool:
    """Tell whether a constant is a definition of the text that can be opened where it is called."""
    constant = types.env.constants.get(name)
    return constant is not None and constant.value is not None and not constant.recursive and constant.kind == "def"


def one_point(types: Types, body: Term) -> Term | None:
    """Return `let r := e; Q` for `∃ r, … r = e ∧ …` and for `∀ r, r = e → Q`, else None. The equation may stand either
    way round and anywhere among the conjuncts or the premises."""
    if isinstance(body, Pi) and body.body.loose and not types.is_proposition(body.type):
        premises: list[Term] = []
        rest = body.body
        # `rest` stands under r and under the premises before it, which it must not name.
        while isinstance(rest, Pi):
            value = _equation(rest.type)
            lowered = _lower(rest.body)
            if lowered is None:
                return None
            if value is not None:
                for premise in reversed(premises):
                    lowered = Pi("h", premise, core.lift(lowered, 1))
                return Let(body.name, body.type, value, lowered)
            premises.append(rest.type)
            rest = lowered
        return None
    fn, args = core.unfold_app(body)
    if not (isinstance(fn, Const) and fn.name == "Exists" and len(args) == 2 and isinstance(args[1], Lam)):
        return None
    lam = args[1]
    conjuncts = _conjuncts(lam.body)
    for i, part in enumerate(conjuncts):
        value = _equation(part)
        if value is not None and len(conjuncts) > 1:
            others = conjuncts[:i] + conjuncts[i + 1 :]
            whole = others[-1]
            for other in reversed(others[:-1]):
                whole = core.mk_app(Const("And"), other, whole)
            return Let(lam.name, lam.type, value, whole)
    return None


def _lower(body: Term) -> Term | None:
    """Take away a binder that a body does not use; None when it does."""
    if mentions_bound(body, 0):
        return None
    return core.instantiate(body, (core.PROP,))


def _conjuncts(body: Term) -> list[Term]:
    fn, args = core.unfold_app(body)
    if isinstance(fn, Const) and fn.name == "And" and len(args) == 2:
        return [*_conjuncts(args[0]), *_conjuncts(args[1])]
    return [body]


def _equation(part: Term) -> Term | None:
    """Return e of `BVar(0) = e` or `e = BVar(0)`, lowered by that binder, when e does not mention it."""
    if head_const(part) != "Eq":
        return None
    _, sides = core.unfold_app(part)
    if len(sides) != 3:
        return None
    for this, other in ((sides[1], sides[2]), (sides[2], sides[1])):
        if isinstance(this, core.BVar) and this.index == 0 and not mentions_bound(other, 0):
            return core.instantiate(other, (core.PROP,))
    return None


def mentions_bound(term: Term, index: int) -> bool:
    """Tell whether a loose bound variable occurs in a term."""
    if term.loose <= index:
        return False
    if isinstance(term, core.BVar):
        return term.index == index
    found = False

    def child(t: Term, depth: int) -> Term:
        nonlocal found
        found = found or mentions_bound(t, depth)
        return t

    core.map_children(term, child, index)
    return found
