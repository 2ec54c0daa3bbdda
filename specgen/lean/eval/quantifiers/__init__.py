"""Quantified propositions: finite domains from guards, and the rules for the rest."""

from __future__ import annotations

from specgen.lean.core import App, Const, Pi, Proof, Term, mk_app
from specgen.lean.elab.subst import beta, subst
from specgen.lean.eval import logic, nodes
from specgen.lean.eval.compile import Compiler, Scope
from specgen.lean.eval.nodes import Code
from specgen.lean.eval.quantifiers.literals import Literal
from specgen.lean.eval.quantifiers.search import solve_literal


def compile_pi(c: Compiler, term: Pi, scope: Scope) -> Code:
    """Compile `∀ x, p` or `p → q`."""
    if c.types.is_proposition(term.type):
        return logic.implies(c.code(term.type, scope), c.code(subst(term.body, (Proof(term.type),)), scope))
    if c.types.erased(term.type):
        return nodes.failing("undecided", "a quantifier over types")
    return logic.negate(solve_literal(c, scope, Literal(term, False)))


def compile_exists(c: Compiler, domain: Term, predicate: Term, scope: Scope) -> Code:
    """Compile `∃ x : domain, predicate x`."""
    if c.types.is_proposition(domain):
        return logic.conj(c.code(domain, scope), c.code(beta(predicate, (Proof(domain),)), scope))
    return solve_literal(c, scope, Literal(mk_app(Const("Exists"), domain, predicate)))


def compile_function_equality(c: Compiler, type_: Pi, left: Term, right: Term, scope: Scope) -> Code:
    """Compile `f = g` as `∀ x, f x = g x`, which is the same by function extensionality."""
    x = c.types.local(type_.name, type_.type)
    codomain = subst(type_.body, (x,))
    equation = App(Const("Eq"), (codomain, beta(left, (x,)), beta(right, (x,))))
    return c.code(c.types.mk_pi((x,), equation), scope)


__all__ = ["compile_exists", "compile_function_equality", "compile_pi"]
