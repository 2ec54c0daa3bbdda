"""Literals of a search: propositions with a sign, taken apart only as far as is needed.

Every quantifier is decided as a search for values of variables that make a conjunction of literals true: `∃ x, p` as it
stands, `∀ x, p` by the search for a counterexample. Taking a literal apart is an equivalence of classical logic.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from specgen.lean import core
from specgen.lean.core import App, Const, FVar, Lam, Let, Match, Pi, Proof, Term
from specgen.lean.elab.subst import beta, subst
from specgen.lean.eval.compile import Compiler
from specgen.lean.eval.types import head_const

NOT: Final = Const("Not")
_UNFOLD_STEPS: Final = 12
_TRANSPARENT: Final = frozenset({"bne", "id", "List.Subset", "setOf", "lowerBounds", "upperBounds"})


@dataclass(frozen=True, slots=True)
class Literal:
    """A proposition (or a Bool term) and its sign."""

    term: Term
    positive: bool = True


class Variables:
    """Which of the search's variables a term mentions, remembered by term."""

    def __init__(self) -> None:
        self._seen: dict[Term, frozenset[int]] = {}

    def of(self, term: Term) -> frozenset[int]:
        """Return the ids of the free variables of a term."""
        if not term.has_fvar:
            return frozenset()
        if isinstance(term, FVar):
            return frozenset((term.id,))
        found = self._seen.get(term)
        if found is None:
            ids: set[int] = set()

            def child(t: Term, _: int) -> Term:
                ids.update(self.of(t))
                return t

            core.map_children(term, child)
            found = frozenset(ids)
            self._seen[term] = found
        return found


def expose(c: Compiler, term: Term) -> tuple[str, tuple[Term, ...], Term]:
    """Reduce class methods and reducible names at the head; returns head name, arguments and the term itself.

    The name of a constant that the text declares has `@` in front: rules speak of the library's constants only.
    """
    for _ in range(_UNFOLD_STEPS):
        if isinstance(term, App):
            if isinstance(term.fn, Lam):
                term = beta(term.fn, term.args)
                continue
            reduced = c.types.method(term)
            if reduced is not None:
                term = reduced
                continue
        elif isinstance(term, Let):
            term = subst(term.body, (term.value,))
            continue
        name = head_const(term)
        found = c.env.get(name) if name else None
        if found is None or found.value is None or found.recursive or name == "Ne":
            break
        if found.reducible or (name not in c.env.constants and (name in _TRANSPARENT or name.startswith("Set."))):
            fresh = beta(found.value, core.unfold_app(term)[1])
            if fresh != term:
                term = fresh
                continue
        break
    fn, args = core.unfold_app(term)
    return (_rule_name(c, fn.name) if isinstance(fn, Const) else ""), args, term


def _rule_name(c: Compiler, name: str) -> str:
    """Return the name by which rules know a constant: one that the text declares itself is marked with `@`."""
    return "@" + name if name in c.env.constants else name


def conjuncts(c: Compiler, lit: Literal) -> list[Literal]:
    """Take a literal apart into literals that hold together; a literal that is no conjunction comes back alone."""
    out: list[Literal] = []
    stack = [lit]
    while stack:
        one = stack.pop()
        parts = _conjunction(c, one)
        if parts is None:
            out.append(one)
        else:
            stack.extend(reversed(parts))
    return out


def _conjunction(c: Compiler, lit: Literal) -> list[Literal] | None:
    name, args, term = expose(c, lit.term)
    sign = lit.positive
    if isinstance(term, Pi):
        if not sign and c.types.is_proposition(term.type):
            return [Literal(term.type), Literal(subst(term.body, (Proof(term.type),)), False)]
        return None if term is lit.term else [Literal(term, sign)]
    match name:
        case "And" | "and" | "Bool.and" if sign and len(args) == 2:
            return [Literal(args[0]), Literal(args[1])]
        case "Or" | "or" | "Bool.or" if not sign and len(args) == 2:
            return [Literal(args[0], False), Literal(args[1], False)]
        case "Not" | "not" | "Bool.not" if len(args) == 1:
            return [Literal(args[0], not sign)]
        case "Ne" if len(args) == 3:
            return [Literal(core.mk_app(Const("Eq"), *args), not sign)]
        case "Decidable.decide" if args:
            return [Literal(args[0], sign)]
        case "Eq" if len(args) == 3 and head_const(args[0]) == "Bool":
            for this, other in ((args[1], args[2]), (args[2], args[1])):
                if head_const(this) in ("Bool.true", "Bool.false"):
                    return [Literal(other, sign is (head_const(this) == "Bool.true"))]
            return None
        case "Exists" if sign and len(args) == 2 and c.types.is_proposition(args[0]):
            return [Literal(args[0]), Literal(beta(args[1], (Proof(args[0]),)))]
        case "":
            return None
        case _:
            return None if term is lit.term or term == lit.term else [Literal(term, sign)]


def quantified(c: Compiler, lit: Literal) -> tuple[FVar, Literal] | None:
    """Open an existential literal: `∃ x, p`, or `¬ ∀ x, p`; returns the fresh variable and what must hold of it."""
    name, args, term = expose(c, lit.term)
    if isinstance(term, Pi) and not lit.positive:
        if c.types.is_proposition(term.type) or c.types.erased(term.type):
            return None
        x = c.types.local(term.name, term.type)
        return x, Literal(subst(term.body, (x,)), False)
    if name == "Exists" and lit.positive and len(args) == 2:
        if c.types.erased(args[0]):
            return None
        label = args[1].name if isinstance(args[1], Lam) else "x"
        x = c.types.local(label, args[0])
        return x, Literal(beta(args[1], (x,)))
    return None


def alternatives(c: Compiler, lit: Literal) -> list[list[Literal]] | None:
    """Return the cases of a literal that is a disjunction, else None."""
    name, args, term = expose(c, lit.term)
    sign = lit.positive
    if isinstance(term, Pi):
        if sign and c.types.is_proposition(term.type):
            return [[Literal(term.type, False)], [Literal(term.type), Literal(subst(term.body, (Proof(term.type),)))]]
        return None
    match name:
        case "And" | "and" | "Bool.and" if not sign and len(args) == 2:
            return [[Literal(args[0], False)], [Literal(args[0]), Literal(args[1], False)]]
        case "Or" | "or" | "Bool.or" if sign and len(args) == 2:
            return [[Literal(args[0])], [Literal(args[0], False), Literal(args[1])]]
        case "Iff" if len(args) == 2:
            return _both_ways(args[0], args[1], sign)
        case "Eq" if len(args) == 3 and _truth_type(args[0]):
            return _both_ways(args[1], args[2], sign)
        case "ite" if len(args) == 5:
            return [[Literal(args[1]), Literal(args[3], sign)], [Literal(args[1], False), Literal(args[4], sign)]]
        case "dite" if len(args) == 5:
            then = beta(args[3], (Proof(args[1]),))
            otherwise = beta(args[4], (Proof(App(NOT, (args[1],))),))
            return [[Literal(args[1]), Literal(then, sign)], [Literal(args[1], False), Literal(otherwise, sign)]]
        case "cond" if len(args) == 4:
            return [[Literal(args[1]), Literal(args[2], sign)], [Literal(args[1], False), Literal(args[3], sign)]]
        case _:
            return None


def _both_ways(p: Term, q: Term, sign: bool) -> list[list[Literal]]:
    return [[Literal(p), Literal(q, sign)], [Literal(p, False), Literal(q, not sign)]]


def _truth_type(type_: Term) -> bool:
    return head_const(type_) == "Bool" or (isinstance(type_, core.Sort) and type_.is_prop)


def unfolded(c: Compiler, lit: Literal) -> Literal | None:
    """Unfold a definition (a local one too) at the head of a literal, or reduce a match; None for others."""
    name, args, term = expose(c, lit.term)
    if isinstance(term, Match):
        c.types.steps = 0
        reduced = c.types.reduce_match(term)
        return None if reduced is None else Literal(reduced, lit.positive)
    if isinstance(term, App) and isinstance(term.fn, FVar):
        local = c.types.decls[term.fn.id].value
        return Literal(beta(local, term.args), lit.positive) if isinstance(local, Lam) else None
    found = c.env.get(name.removeprefix("@")) if name else None
    if found is None or found.value is None or found.recursive or found.kind != "def" or name in c.prims:
        return None
    body = found.value
    n = 0
    while isinstance(body, Lam):
        body, n = body.body, n + 1
    if len(args) < n:
        return None
    return Literal(beta(found.value, args), lit.positive)


def as_term(lit: Literal) -> Term:
    """Return a literal as a proposition."""
    return lit.term if lit.positive else App(NOT, (lit.term,))


def equation(c: Compiler, lit: Literal) -> tuple[Term, Term, Term] | None:
    """Return type and sides of a positive equation."""
    if not lit.positive:
        return None
    name, args, _ = expose(c, lit.term)
    if name == "Eq" and len(args) == 3:
        return args[0], args[1], args[2]
    if name == "Nat.beq" and len(args) == 2:
        return Const("Nat"), args[0], args[1]
    return None


def mentions(variables: Variables, term: Term, ids: Iterable[int]) -> bool:
    """Tell whether a term mentions one of the variables."""
    found = variables.of(term)
    return any(i in found for i in ids)
