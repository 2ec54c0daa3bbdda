"""What both readings of contracts share (normal forms, z3's): fields of constructors, what Lean keeps opaque."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from specgen.lean.core import Proj, Term
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


def projected(types: Types, env: Environment, found: Constant, args: Sequence[Term], head: Head) -> Term | None:
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
