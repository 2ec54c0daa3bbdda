"""Headers of declarations: section variables, binders with defaults, auto-bound implicit arguments, the type."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from specgen.lean import core, syntax
from specgen.lean.core import FVar, Term
from specgen.lean.elab.context import AutoBound, ElabError
from specgen.lean.elab.scope import Scope
from specgen.lean.elab.session import Session
from specgen.lean.elab.surface import names_in
from specgen.lean.elab.terms import TermElab
from specgen.lean.source import DiagnosticKind

_GREEK: Final = "αβγδεζηθικμνξοπρστυφχψω"


@dataclass(slots=True)
class Header:
    """An elaborated header, in the context of its elaborator.

    `variables` are section variables and auto-bound ones, `params` the declaration's own binders; `type` is the type
    after the colon (None when it is left out). `defaults` are default values by position among `variables + params`.
    """

    te: TermElab
    variables: list[FVar]
    params: list[FVar]
    type: Term | None
    defaults: list[tuple[int, Term]] = field(default_factory=list)

    @property
    def all(self) -> list[FVar]:
        """Variables and parameters."""
        return [*self.variables, *self.params]


def short_auto_name(name: str) -> bool:
    """Tell whether a name is auto-bound even without `relaxedAutoImplicit`: a letter or Greek letter, then digits."""
    rest = name[1:].rstrip("'").strip("0123456789₀₁₂₃₄₅₆₇₈₉_")
    return (name[:1].isalpha() and name[:1].islower() and name[:1].isascii() or name[:1] in _GREEK) and not rest


def may_auto_bind(session: Session, scope: Scope, name: str) -> bool:
    """Tell whether Lean would bind an unknown identifier of a header as an implicit variable."""
    if session.table or scope.option("autoImplicit") == "false" or name in session.failed:
        return False
    if short_auto_name(name) or len(name) == 1:
        return True
    return scope.option("relaxedAutoImplicit") != "false" and not session.env.lean.mathlib


def elaborate_header(
    session: Session,
    scope: Scope,
    variables: Sequence[syntax.Binder],
    binders: Sequence[syntax.Binder],
    type_: syntax.Term | None,
) -> Header:
    """Elaborate section variables, binders and type; an unknown identifier becomes an implicit variable as in Lean."""
    auto: list[str] = []
    while True:
        te = session.elaborator(scope)
        te.auto_bound = True
        try:
            return _attempt(te, auto, variables, binders, type_)
        except AutoBound as unknown:
            if unknown.name in auto or not may_auto_bind(session, scope, unknown.name):
                raise unknown_identifier(session, unknown) from None
            auto.append(unknown.name)


def unknown_identifier(session: Session, unknown: AutoBound) -> ElabError:
    """Return the error for an identifier that may not be auto-bound; of kind `unsupported` under an open library."""
    complete = session.env.library.is_complete("") and not session.env.lean.mathlib
    kind: DiagnosticKind = "name" if complete else "unsupported"
    return ElabError(kind, f"unknown identifier '{unknown.name}'", unknown.span)


def _attempt(
    te: TermElab,
    auto: Sequence[str],
    variables: Sequence[syntax.Binder],
    binders: Sequence[syntax.Binder],
    type_: syntax.Term | None,
) -> Header:
    first = [te.local(name, te.fresh_type(name), "implicit") for name in auto]
    first += te.elab_binders(variables)
    header = Header(te, first, [], None)
    for binder in binders:
        _binder(te, header, binder)
    if type_ is not None:
        header.type = te.elab_type(type_)
    te.synthesize(False)
    te.auto_bound = False
    return header


def _binder(te: TermElab, header: Header, binder: syntax.Binder) -> None:
    """Elaborate one binder group with its default value."""
    if binder.default is None:
        header.params += te.elab_binders([binder])
        return
    fvars = te.elab_binders([replace(binder, default=None)])
    for fvar in fvars:
        before = header.all
        type_ = te.local_type(fvar)
        default: Term
        if isinstance(binder.default, syntax.By):
            default = core.Proof(type_)
        else:
            default = te.elab_term_ensuring(binder.default, type_)
            te.synthesize(True)
        header.defaults.append((len(before), te.mk_lambda(before, default)))
        header.params.append(fvar)


# -------------------------------------------------------------------------------------------------- section variables


def select_variables(scope: Scope, mentioned: set[str], extra: frozenset[str] = frozenset()) -> list[syntax.Binder]:
    """Return the section variables that a declaration needs, by the names it mentions.

    Names of types of needed variables are needed as well; an instance binder is taken when all variables in it are.
    """
    binders = scope.variables
    if not binders:
        return []
    declared = {name for b in binders for name in b.names}
    needed = (mentioned | scope.top.included | extra) & declared
    chosen: set[int] = set()
    changed = True
    while changed:
        changed = False
        for i, binder in enumerate(binders):
            if i in chosen:
                continue
            inside = names_in(binder.type) & declared if binder.type is not None else set()
            if needed.intersection(binder.names) or (binder.kind == "instance" and inside and inside <= needed):
                chosen.add(i)
                new = inside - needed
                needed |= new
                changed = True
    return [_only(b, needed) for i, b in enumerate(binders) if i in chosen]


def _only(binder: syntax.Binder, needed: set[str]) -> syntax.Binder:
    """Leave the unneeded names of a group out (an instance binder stays whole)."""
    if len(binder.names) <= 1 or binder.kind == "instance":
        return binder
    return replace(binder, names=tuple([n for n in binder.names if n in needed]))
