"""What both readings of contracts share (normal forms, z3's): fields of constructors, what Lean keeps opaque."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from specgen.lean.core import App, Proj, Term
from specgen.lean.elab.subst import beta
from specgen.lean.environment import Constant, Environment
from specgen.lean.eval.types import Types
from specgen.lean.lexer import IDENT, SYM, lex

OPAQUE: Final = frozenset({"partial", "unsafe", "opaque", "axiom", "implemented_by", "extern", "irreducible"})

Head = Callable[[Term], Term]
"""Brings a term to where its head can be seen."""


def field_of(types: Types, term: Proj, head: Head) -> Term | None:
    """Return the field that a projection takes, None where the constructor is not seen."""
    fields = types.constructor_fields(head(term.target))
    return None if fields is None or term.index >= len(fields) else fields[term.index]


def constant_step(
    types: Types,
    env: Environment,
    name: str,
    args: Sequence[Term],
    term: Term,
    head: Head,
    may_unfold: Callable[[str], bool],
) -> Term | None:
    """Return a term after one step at the constant at its head, None where there is none.

    A class method of a known instance, a field of a seen constructor, or the definition of a constant that is not
    recursive and that `may_unfold` allows.
    """
    if isinstance(term, App):
        reduced = types.method(term)
        if reduced is not None:
            return reduced
    found = env.get(name)
    if found is None:
        return None
    if found.kind == "projection":
        return _projected(types, env, found, args, head)
    if found.kind != "def" or found.recursive or found.sorry or found.value is None or not may_unfold(name):
        return None
    return beta(found.value, args)


def _projected(types: Types, env: Environment, found: Constant, args: Sequence[Term], head: Head) -> Term | None:
    """Return what a projection function of a structure gives, None for a class or where the constructor is not seen."""
    info = env.get_inductive(found.inductive)
    if info is None or info.is_class or len(args) <= info.params:
        return None
    fields = types.constructor_fields(head(args[info.params]))
    if fields is None or found.index >= len(fields):
        return None
    return beta(fields[found.index], args[info.params + 1 :])


def may_be_opaque(source: str) -> bool:
    """Tell whether a text may contain definitions that Lean does not unfold."""
    tokens = lex(source)
    return any(t in OPAQUE for t, k in zip(tokens.texts, tokens.kinds, strict=True) if k in (IDENT, SYM)) or any(
        t in source for t in ("implemented_by", "irreducible", "partial", "opaque")
    )
