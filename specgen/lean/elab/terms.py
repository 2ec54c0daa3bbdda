"""`TermElab`: elaboration of terms, the end of the chain of classes described in `context.py`."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, TypeAlias

from specgen.lean import core, syntax
from specgen.lean.core import App, Const, Lam, Pi, Proof, Sort, Term
from specgen.lean.elab.context import ElabError, Postpone, open_mvars
from specgen.lean.elab.data import DataElab
from specgen.lean.elab.quoted import Quoted
from specgen.lean.elab.subst import subst
from specgen.lean.elab.unify import StuckInstance

_SORRY = re.compile(r"\b(sorry|admit)\b")
_PROOF_LOCAL = (syntax.Ident,)
_Handler: TypeAlias = Callable[["TermElab", Any, Term | None], Term]


class TermElab(DataElab):
    """Elaborates the terms of one declaration: see `MetaContext` for the interface."""

    def elab_term(self, stx: syntax.Term, expected: Term | None = None) -> Term:
        """Elaborate a term; `expected` guides, and need not be the type of the result (see `elab_term_ensuring`)."""
        mark, pending = len(self.trail), self.pending
        try:
            return self.elab_core(stx, expected)
        except Postpone:
            self.undo(mark)
            self.pending = pending
            return self.postpone_term(stx, expected)

    def elab_term_ensuring(self, stx: syntax.Term, expected: Term | None) -> Term:
        """Elaborate a term and coerce it to the expected type, or raise ElabError (type mismatch)."""
        term = self.elab_term(stx, expected)
        if expected is None or (term is self.exact[0] and expected is self.exact[1]):
            return term
        return self.ensure_has_type(expected, term, stx.span)

    def elab_core(self, stx: syntax.Term, expected: Term | None) -> Term:
        """Elaborate a term without catching Postpone; what is under binders keeps the context as it was."""
        handler = _HANDLERS.get(type(stx))
        if handler is None:
            raise ElabError("unsupported", f"{type(stx).__name__} is not supported", stx.span)
        span, lctx = self.span, self.lctx
        self.span = stx.span
        try:
            if expected is not None:
                expected = self.head_inst(expected) if expected.has_mvar else expected
                if self._known_prop(expected):
                    return self.elab_proof(stx, expected)
                if isinstance(expected, (Pi, App, Const)):
                    implicit = self._implicit_lambda(stx, expected)
                    if implicit is not None:
                        return implicit
            return handler(self, stx, expected)
        finally:
            self.span, self.lctx = span, lctx

    # ---- proofs

    def _known_prop(self, type_: Term) -> bool:
        """Tell cheaply whether an expected type is a proposition."""
        head = type_.fn if isinstance(type_, App) else type_
        if isinstance(head, Const):
            verdict = self._result_sort(head.name, len(type_.args) if isinstance(type_, App) else 0)
            if verdict is not None:
                return verdict
            return self.is_prop(type_)
        if isinstance(type_, Pi) or isinstance(head, core.FVar):
            return self.is_prop(type_)
        if isinstance(head, (core.Let, core.Match, Lam)):
            return self.is_prop(type_)
        return False

    def _result_sort(self, name: str, arity: int) -> bool | None:
        """Tell whether a constant applied to `arity` arguments is a proposition, None when its type hides it."""
        cache: dict[tuple[str, int], bool | None] = self.env.caches.setdefault("sorts", {})
        key = (name, arity)
        if key in cache:
            return cache[key]
        constant = self.env.get(name)
        type_ = constant.type if constant is not None else core.TYPE
        for _ in range(arity):
            if not isinstance(type_, Pi):
                return None
            type_ = type_.body
        verdict = type_.is_prop if isinstance(type_, Sort) and type_ is not core.SORT else None
        if isinstance(type_, Pi):
            verdict = False
        cache[key] = verdict
        return verdict

    def elab_proof(self, stx: syntax.Term, expected: Term) -> Term:
        """Take a term as the proof of a proposition: only variables and what is written as data are looked at."""
        while isinstance(stx, syntax.Paren):
            stx = stx.inner
        if isinstance(stx, syntax.Ident) and len(stx.parts) == 1:
            local = self.lookup_local(stx.parts[0])
            if local is not None:
                return self._proof_variable(local.fvar, expected, stx)
        if isinstance(stx, syntax.Hole):
            return self.elab_hole(stx, expected)
        if isinstance(stx, Quoted):
            return stx.term
        if isinstance(stx, (syntax.NumLit, syntax.StrLit, syntax.CharLit, syntax.ListLit, syntax.ArrayLit)):
            handler = _HANDLERS[type(stx)]
            return handler(self, stx, expected)
        stated = stx.type if isinstance(stx, (syntax.Show, syntax.Ascription)) else None
        if stated is not None and self.instantiate_mvars(expected).has_mvar:
            # The statement may be what determines implicit arguments.
            self.is_defeq(expected, self.elab_type(stated))
        elif isinstance(stx, (syntax.App, syntax.Ident)) and self.instantiate_mvars(expected).has_mvar:
            self._statement_of(stx, expected)
        return Proof(expected, _admits(stx))

    def _statement_of(self, stx: syntax.Term, expected: Term) -> None:
        """Let what a proof term proves determine implicit arguments; a proof that we cannot follow does nothing."""
        mark, pending = self.mark(), self.pending
        self.pending = ()
        try:
            term = _HANDLERS[type(stx)](self, stx, expected)
            if self.is_defeq(expected, self.infer_type(term)) and not self.pending:
                self.pending = pending
                return
        except (ElabError, Postpone, StuckInstance):
            pass
        self.undo(mark)
        self.pending = pending

    def _proof_variable(self, fvar: core.FVar, expected: Term, stx: syntax.Term) -> Term:
        """Check a variable used as a proof; what we cannot show to be the same proposition is `unsupported`."""
        found = self.local_type(fvar)
        if self.is_defeq(expected, found):
            return fvar
        error = self.mismatch(expected, fvar, stx.span)
        if self.is_prop(found) and self._may_agree(expected, found):
            error.kind = "unsupported"
        raise error

    def _may_agree(self, a: Term, b: Term) -> bool:
        """Tell whether two propositions that did not unify might still be the same by computation."""
        a, b = self.whnf(self.instantiate_mvars(a)), self.whnf(self.instantiate_mvars(b))
        head_a, head_b = core.unfold_app(a)[0], core.unfold_app(b)[0]
        return not (
            isinstance(head_a, Const) and isinstance(head_b, Const) and head_a != head_b and _rigid(head_a, head_b)
        )

    # ---- implicit lambdas

    def _implicit_lambda(self, stx: syntax.Term, expected: Term) -> Term | None:
        """Introduce the implicit parameters of an expected function type, as Lean's implicit lambdas do."""
        type_ = expected if isinstance(expected, Pi) else self.whnf_reducible(expected)
        if not isinstance(type_, Pi) or type_.info == "explicit":
            return None
        inner = stx
        while isinstance(inner, syntax.Paren):
            inner = inner.inner
        if isinstance(inner, (syntax.Explicit, syntax.Hole, syntax.By)):
            return None
        if isinstance(inner, syntax.App) and isinstance(inner.fn, syntax.Explicit):
            return None
        if isinstance(inner, syntax.Fun) and inner.binders and inner.binders[0].kind != "explicit":
            return None
        fvars: list[core.FVar] = []
        with self.scoped():
            rest: Term = type_
            while isinstance(rest, Pi) and rest.info != "explicit":
                x = self.local(f"{rest.name}✝", rest.type, rest.info)
                fvars.append(x)
                rest = self.whnf_reducible(subst(rest.body, (x,)))
            body = self.elab_term_ensuring(stx, rest)
            value = self.mk_lambda(fvars, body)
        self.exact = (value, expected)
        return value

    # ---- small forms

    def elab_by(self, stx: syntax.By | syntax.Calc, expected: Term | None) -> Term:
        """Take a tactic block as an opaque value of the expected type."""
        type_: Term = expected if expected is not None else self.fresh_type(span=stx.span)
        return Proof(type_, _SORRY.search(stx.text) is not None)

    def elab_sorry(self, stx: syntax.Sorry, expected: Term | None) -> Term:
        """Elaborate `sorry`."""
        return Proof(expected if expected is not None else self.fresh_type(span=stx.span), True)

    def elab_paren(self, stx: syntax.Paren, expected: Term | None) -> Term:
        """Elaborate `(e)`."""
        return self.elab_core(stx.inner, expected)

    def elab_quoted(self, stx: Quoted, expected: Term | None) -> Term:
        """Return the core term inside."""
        return stx.term

    def elab_misplaced(self, stx: syntax.Term, expected: Term | None) -> Term:
        """Refuse a form that only stands in other places (patterns, `do` blocks)."""
        raise ElabError("type", "this form of term cannot stand here", stx.span)

    def elab_unsupported(self, stx: syntax.Term, expected: Term | None) -> Term:
        """Refuse a form that we do not do."""
        raise ElabError("unsupported", f"{type(stx).__name__} is not supported", stx.span)

    # ---- the end of a declaration

    def close(self, term: Term, span: syntax.Span) -> Term:
        """Instantiate a finished term; a metavariable left in it is an ElabError. Call after `synthesize(True)`."""
        term = self.instantiate_mvars(term)
        if term.has_mvar:
            mvar = open_mvars(term)[0]
            decl = self.mvars[mvar.id]
            what = "don't know how to synthesize placeholder"
            if decl.name not in ("", "_"):
                what = f"don't know how to synthesize implicit argument '{decl.name}'"
            raise ElabError("type", what, decl.span or span)
        return term


def _rigid(a: Const, b: Const) -> bool:
    """Tell whether two different heads can never be the same proposition."""
    logical = {"And", "Or", "Iff", "Exists", "Eq", "True", "False"}
    return a.name in logical and b.name in logical


def _admits(stx: syntax.Term) -> bool:
    """Tell whether a proof term says `sorry` somewhere."""
    from specgen.lean.elab.surface import has_sorry

    return has_sorry(stx)


_HANDLERS: dict[type, _Handler] = {
    syntax.Ident: TermElab.elab_application,
    syntax.App: TermElab.elab_application,
    syntax.Explicit: TermElab.elab_application,
    syntax.Proj: TermElab.elab_application,
    syntax.DotIdent: TermElab.elab_application,
    syntax.Hole: TermElab.elab_hole,
    syntax.NumLit: TermElab.elab_number,
    syntax.SciLit: TermElab.elab_scientific,
    syntax.StrLit: TermElab.elab_string,
    syntax.CharLit: TermElab.elab_char,
    syntax.InterpStr: TermElab.elab_interpolated,
    syntax.SortTerm: TermElab.elab_sort,
    syntax.Paren: TermElab.elab_paren,
    syntax.Ascription: TermElab.elab_ascription,
    syntax.Tuple: TermElab.elab_tuple,
    syntax.AnonCtor: TermElab.elab_anonymous,
    syntax.ListLit: TermElab.elab_list,
    syntax.ArrayLit: TermElab.elab_array,
    syntax.RangeLit: TermElab.elab_range,
    syntax.PolyRange: TermElab.elab_unsupported,
    syntax.Fun: TermElab.elab_fun,
    syntax.FunMatch: TermElab.elab_fun_match,
    syntax.Quantifier: TermElab.elab_quantifier,
    syntax.DepArrow: TermElab.elab_dep_arrow,
    syntax.DepProd: TermElab.elab_dep_prod,
    syntax.Arrow: TermElab.elab_arrow,
    syntax.BinOp: TermElab.elab_infix,
    syntax.ModEq: TermElab.elab_mod_eq,
    syntax.PrefixOp: TermElab.elab_prefix,
    syntax.PostfixOp: TermElab.elab_postfix,
    syntax.Bracketed: TermElab.elab_bracketed,
    syntax.Index: TermElab.elab_index,
    syntax.Slice: TermElab.elab_slice,
    syntax.StructInst: TermElab.elab_structure,
    syntax.SetLit: TermElab.elab_set_literal,
    syntax.SetBuilder: TermElab.elab_set_builder,
    syntax.Subtype: TermElab.elab_subtype,
    syntax.Let: TermElab.elab_let,
    syntax.LetRec: TermElab.elab_let_rec,
    syntax.Show: TermElab.elab_show,
    syntax.If: TermElab.elab_if,
    syntax.IfLet: TermElab.elab_if_let,
    syntax.Match: TermElab.elab_match,
    syntax.NamedPattern: TermElab.elab_misplaced,
    syntax.Inaccessible: TermElab.elab_misplaced,
    syntax.Matches: TermElab.elab_matches,
    syntax.By: TermElab.elab_by,
    syntax.Calc: TermElab.elab_by,
    syntax.Sorry: TermElab.elab_sorry,
    syntax.Do: TermElab.elab_do,
    syntax.NestedAction: TermElab.elab_misplaced,
    syntax.ScopedTerm: TermElab.elab_scoped,
    syntax.TermMacro: TermElab.elab_macro,
    Quoted: TermElab.elab_quoted,
}
