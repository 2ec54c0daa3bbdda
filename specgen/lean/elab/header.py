"""Headers of declarations: section variables, binders with defaults, auto-bound implicit arguments, the type."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from specgen.lean import core, syntax
from specgen.lean.core import FVar, Term
from specgen.lean.elab.app import AUTOMATIC
from specgen.lean.elab.context import AutoBound, ElabError
from specgen.lean.elab.scope import Scope
from specgen.lean.elab.session import Session
from specgen.lean.elab.surface import names_in
from specgen.lean.elab.terms import TermElab
from specgen.lean.source import DiagnosticKind


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
    """Tell whether a name is auto-bound even without `relaxedAutoImplicit`: one character, then digits."""
    return not name[1:].strip("'_0123456789₀₁₂₃₄₅₆₇₈₉")


def auto_bind(session: Session, scope: Scope, unknown: AutoBound, bound: Sequence[str]) -> None:
    """Let an unknown identifier of a header become an implicit variable, or raise the error that it is unknown.

    Whether a longer name is bound depends on `relaxedAutoImplicit`, which Lean sets and Lake's templates unset. Where
    the text does not say, the name is bound and an `unsupported` diagnostic keeps the text from being accepted.
    """
    name = unknown.name
    relaxed = scope.option("relaxedAutoImplicit")
    if session.table or scope.option("autoImplicit") == "false" or name in session.failed or name in bound:
        raise unknown_identifier(session, unknown)
    if short_auto_name(name) or relaxed == "true":
        return
    if relaxed == "false" or not scope.certainly_unknown((name,)):
        raise unknown_identifier(session, unknown)
    what = f"{unknown_identifier(session, unknown).message} (an implicit variable only under relaxedAutoImplicit)"
    session.report(ElabError("unsupported", what, unknown.span))


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
            auto_bind(session, scope, unknown, auto)
            auto.append(unknown.name)


def settle_parameters(header: Header) -> bool:
    """Take parameters whose types nothing has fixed for types themselves; tell whether there were any."""
    te, found = header.te, False
    for fvar in header.all:
        type_ = te.instantiate_mvars(te.local_type(fvar))
        if isinstance(type_, core.MVar):
            found = te.is_defeq(type_, core.TYPE) or found
    return found


def unknown_identifier(session: Session, unknown: AutoBound) -> ElabError:
    """Return the error for an identifier that may not be auto-bound; of kind `unsupported` under an open library."""
    kind: DiagnosticKind = "name" if session.scope.certainly_unknown((unknown.name,)) else "unsupported"
    new = session.env.lean.version >= (4, 23, 0)
    return ElabError(kind, f"{'Unknown' if new else 'unknown'} identifier `{unknown.name}`", unknown.span)


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
    te.synthesize(type_ is not None)
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
            default = automatic(binder.default, type_)
        else:
            default = te.elab_term_ensuring(binder.default, type_)
            te.synthesize(True)
        header.defaults.append((len(before), te.mk_lambda(before, default)))
        header.params.append(fvar)


def automatic(tactic: syntax.By, type_: Term) -> Term:
    """Return the default that a tactic gives: `by exact e` is the text of `e`, elaborated where it is needed."""
    text = tactic.text.strip().removeprefix("by").strip()
    if text.startswith("exact "):
        return core.mk_app(core.Const(AUTOMATIC), core.Lit(text.removeprefix("exact ").strip()))
    return core.Proof(type_)


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
