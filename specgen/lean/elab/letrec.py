"""Lifting `let rec` and `where` functions to constants, with the variables they capture as leading parameters.

The captured variables must be known before the body is elaborated, because the function's constant, applied to them,
stands for it everywhere. They are chosen by name: every local variable whose name the function mentions, every local
type and instance, and whatever their types depend on. Too many do no harm; one too few is noticed at the end, and the
declaration is elaborated again with all local variables captured.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from specgen.lean import core, syntax
from specgen.lean.core import FVar, Term
from specgen.lean.elab.context import ElabError, LocalDecl
from specgen.lean.elab.header import automatic
from specgen.lean.elab.session import Session, bind_all, constants_in, free_vars, has_sorry, pi_names, replace_fvars
from specgen.lean.elab.surface import names_in
from specgen.lean.elab.terms import TermElab
from specgen.lean.environment import Constant


class CaptureMissed(Exception):  # noqa: N818
    """A lifted function uses a local variable that was not captured."""


@dataclass(slots=True)
class Lifted:
    """One local function on its way to become a constant."""

    name: str
    captured: list[FVar]
    type: Term
    value: Term
    span: syntax.Span
    decl: syntax.LetDecl


@dataclass(slots=True)
class Lifter:
    """The `let rec` hook of one declaration; `finish` defines the constants."""

    session: Session
    outer: str
    capture_all: bool = False
    lifted: list[Lifted] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    aliases: dict[int, Term] = field(default_factory=dict)
    """Local variables that stand for a constant applied to what it captures."""

    def __call__(self, te: TermElab, node: syntax.LetRec) -> list[tuple[str, Term, Term]]:
        """Elaborate the functions of a `let rec`; returns their local names, types and terms."""
        captured = self._captured(te, node)
        found: list[tuple[str, Term, Term]] = []
        for decl in node.decls:
            found.append(self._header(te, decl, captured))
        with te.scoped():
            for name, type_, term in found:
                self.aliases[te.local(name, type_, value=term).id] = term
            for decl, (_, type_, term) in zip(node.decls, found, strict=True):
                self._body(te, decl, captured, type_, term)
        return found

    def _header(self, te: TermElab, decl: syntax.LetDecl, captured: list[FVar]) -> tuple[str, Term, Term]:
        if decl.pattern is not None or not decl.name:
            raise ElabError("type", "invalid 'let rec', a function name is expected", decl.span)
        with te.scoped():
            params = te.elab_binders(decl.binders)
            result = te.elab_type(decl.type) if decl.type is not None else te.fresh_type(span=decl.span)
            type_ = te.mk_pi(params, result)
            defaults = self._defaults(te, decl, captured, params)
        te.synthesize(False)
        type_ = te.instantiate_mvars(type_)
        if type_.has_mvar:
            type_ = self._type_from_body(te, decl, type_)
        full = self.session.fresh_name(f"{self.outer}.{decl.name}")
        self.names.append(full)
        const_type = bind_all(te, captured, type_, pi=True, info="explicit")
        names = pi_names(const_type)
        self.session.declare(Constant(full, "def", const_type, params=names, defaults=defaults, recursive=True))
        return decl.name, type_, core.mk_app(core.Const(full), *captured)

    def _defaults(
        self, te: TermElab, decl: syntax.LetDecl, captured: list[FVar], params: list[FVar]
    ) -> tuple[tuple[int, Term], ...]:
        """Return the default values of parameters by position, as functions of the parameters before."""
        given = [b.default for b in decl.binders for _ in (b.names or ("",))]
        found: list[tuple[int, Term]] = []
        for i, default in enumerate(given):
            if default is None:
                continue
            type_, before = te.local_type(params[i]), [*captured, *params[:i]]
            if isinstance(default, syntax.By):
                value = automatic(default, type_)
            else:
                value = te.elab_term_ensuring(default, type_)
                te.synthesize(True)
            found.append((len(before), bind_all(te, before, te.instantiate_mvars(value), pi=False)))
        return tuple(found)

    def _type_from_body(self, te: TermElab, decl: syntax.LetDecl, type_: Term) -> Term:
        """Find a type that is not written out by elaborating the body once, with the function as a plain variable."""
        if any(b.default is not None for b in decl.binders):
            raise ElabError("unsupported", "a 'let rec' with default values needs a type", decl.span)
        mark = len(self.lifted), len(self.names)
        with te.scoped():
            te.local(decl.name, type_)
            params = te.elab_binders(decl.binders)
            result = te.elab_type(decl.type) if decl.type is not None else te.fresh_type(span=decl.span)
            if not te.is_defeq(type_, te.mk_pi(params, result)):
                raise ElabError("unsupported", "the type of this 'let rec' is not understood", decl.span)
            te.elab_term_ensuring(function_body(decl), result)
        te.synthesize(False)
        del self.lifted[mark[0] :], self.names[mark[1] :]
        type_ = te.instantiate_mvars(type_)
        if type_.has_mvar:
            raise ElabError("unsupported", "the type of this 'let rec' could not be inferred", decl.span)
        return type_

    def _body(self, te: TermElab, decl: syntax.LetDecl, captured: list[FVar], type_: Term, term: Term) -> None:
        head = core.unfold_app(term)[0]
        assert isinstance(head, core.Const)
        saved, self.outer = self.outer, head.name
        try:
            with te.scoped():
                params = te.elab_binders(decl.binders)
                result = te.elab_type(decl.type) if decl.type is not None else te.fresh_type(span=decl.span)
                if decl.type is None and not te.is_defeq(te.mk_pi(params, result), type_):
                    raise ElabError("unsupported", "the type of this 'let rec' is not understood", decl.span)
                value = te.elab_term_ensuring(function_body(decl), result)
                value = te.mk_lambda(params, value)
        finally:
            self.outer = saved
        self.lifted.append(Lifted(head.name, captured, type_, value, decl.span, decl))

    # ---- captured variables

    def _captured(self, te: TermElab, node: syntax.LetRec) -> list[FVar]:
        mentioned = names_in(node)
        chosen: dict[int, LocalDecl] = {}
        todo: list[LocalDecl] = []
        hidden: set[str] = set()
        local = te.lctx
        while local is not None:
            by_name = local.name in mentioned and local.name not in hidden
            hidden.add(local.name)
            if self.capture_all or by_name or local.info == "instance" or self._is_sort(te, local.type):
                todo.append(local)
            local = local.parent
        while todo:
            local = todo.pop()
            if local.fvar.id in chosen:
                continue
            alias = self.aliases.get(local.fvar.id)
            if alias is None:
                chosen[local.fvar.id] = local
                needs = free_vars(te.instantiate_mvars(local.type))
            else:
                needs = free_vars(alias)
            todo.extend(te.decls[i] for i in needs if i not in chosen)
        return [d.fvar for d in sorted(chosen.values(), key=lambda d: d.depth)]

    @staticmethod
    def _is_sort(te: TermElab, type_: Term) -> bool:
        type_ = te.instantiate_mvars(type_)
        while isinstance(type_, core.Pi):
            type_ = type_.body
        return isinstance(type_, core.Sort)

    # ---- the end

    def finish(self, te: TermElab, *terms: Term) -> list[Term]:
        """Define the lifted constants and return `terms` with local names replaced; raises CaptureMissed."""
        values = self._closed_aliases(te)
        for item in self.lifted:
            value = replace_fvars(te.instantiate_mvars(item.value), values)
            known = {f.id for f in item.captured}
            if any(i not in known for i in free_vars(value)):
                raise CaptureMissed
            value = bind_all(te, item.captured, value, pi=False, info="explicit")
            old = self.session.env.constants[item.name]
            recursive = bool(constants_in(value) & {item.name, *self.names})
            type_ = te.instantiate_mvars(old.type)  # of captured variables the types may have been open before
            self.session.env.add(replace(old, type=type_, value=value, recursive=recursive, sorry=has_sorry(value)))
        return [replace_fvars(te.instantiate_mvars(t), values) for t in terms]

    def _closed_aliases(self, te: TermElab) -> dict[int, Term]:
        """Return the aliases with no alias left inside their terms."""
        return {i: te.instantiate_mvars(t) for i, t in self.aliases.items()}


def function_body(decl: syntax.LetDecl) -> syntax.Term:
    """Return the body of a local function as a term."""
    if decl.alts:
        return syntax.FunMatch(decl.span, decl.alts)
    if decl.value is None:
        raise ElabError("unsupported", "a local function without a body", decl.span)
    return decl.value


def where_to_let(decl: syntax.Declaration) -> syntax.LetDecl:
    """Turn a function after `where` into one of a `let rec`."""
    value = decl.value
    alts = decl.alts
    if decl.where_decls:
        inner: syntax.Term = syntax.FunMatch(decl.span, alts) if alts else value or syntax.Sorry(decl.span)
        value, alts = with_where(inner, decl.where_decls), ()
    return syntax.LetDecl(decl.span, decl.name, decl.binders, decl.type, value, None, alts)


def with_where(body: syntax.Term, decls: tuple[syntax.Declaration, ...]) -> syntax.Term:
    """Put the functions after `where` around a body."""
    if not decls:
        return body
    return syntax.LetRec(body.span, tuple([where_to_let(d) for d in decls]), body)
