"""Binding forms: binders, `fun`, `∀`, `∃` and other quantifiers, arrows, `let`, `have`, `show`, `let rec`, `do`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from specgen.lean import core, syntax
from specgen.lean.core import App, Const, FVar, MVar, Pi, Proof, Sort, Term
from specgen.lean.elab.app import Args
from specgen.lean.elab.context import AutoBound, ElabError
from specgen.lean.elab.match import MatchElab
from specgen.lean.elab.subst import beta, subst
from specgen.lean.library.notation import BINDERS
from specgen.lean.syntax import Span

if TYPE_CHECKING:
    from specgen.lean.elab.terms import TermElab


class BinderElab(MatchElab):
    """Adds binding forms."""

    exact: tuple[Term | None, Term | None] = (None, None)
    """The last term elaborated part by part against an expected type, and that type: it needs no further check."""

    # ---- binders

    def elab_type(self, stx: syntax.Term) -> Term:
        """Elaborate a type or proposition, coercing to a sort where Lean does."""
        term = self.elab_term(stx, core.SORT)
        return self.ensure_type(term, stx.span)

    def ensure_type(self, term: Term, span: Span) -> Term:
        """Return a term as a type; raises ElabError (type expected)."""
        found = self.whnf(self.infer_type(term))
        if isinstance(found, Sort):
            return term
        if isinstance(found, MVar) and self.is_defeq(found, core.SORT):
            return term
        coerced = None if self.is_open(found) else self.coerce_to_sort(term)
        if coerced is None:
            shown = f"({self.show(term)} : {self.show(found)})"
            raise ElabError("type", f"type expected, got\n  {shown}", span)
        return coerced

    def elab_binders(self, binders: Sequence[syntax.Binder]) -> list[FVar]:
        """Elaborate binders, extending the local context; may raise AutoBound (the context is then unchanged)."""
        saved = self.lctx
        made: list[FVar] = []
        try:
            for binder in binders:
                made += self._binder(binder)
        except (AutoBound, ElabError):
            self.lctx = saved
            raise
        return made

    def _binder(self, binder: syntax.Binder) -> list[FVar]:
        if binder.pattern is not None or binder.pred is not None:
            raise ElabError("unsupported", "a pattern binder is not supported here", binder.span)
        names = binder.names or (f"inst✝{self._next}",)
        made: list[FVar] = []
        type_: Term | None = None
        for name in names:
            if type_ is None or type_.has_mvar:
                type_ = self._binder_type(binder)
            made.append(self.local(name, type_, binder.kind))
        return made

    def _binder_type(self, binder: syntax.Binder) -> Term:
        if binder.type is None:
            return self.fresh_type(span=binder.span)
        type_ = self.elab_type(binder.type)
        if binder.kind == "instance" and self.class_of(type_) is None and not self.is_open(type_):
            head = type_.fn if isinstance(type_, App) else type_
            if not isinstance(head, FVar):
                what = f"invalid binder annotation, type is not a class instance\n  {self.show(type_)}"
                raise ElabError("type", what, binder.span)
        return type_

    # ---- functions

    def elab_fun(self, stx: syntax.Fun, expected: Term | None) -> Term:
        """Elaborate `fun binders => body`."""
        with self.scoped():
            return self._fun(list(stx.binders), stx.body, expected, stx.span)

    def _fun(self, binders: list[syntax.Binder], body: syntax.Term, expected: Term | None, span: Span) -> Term:
        fvars: list[FVar] = []
        target = expected
        exact = expected is not None
        while binders:
            binder = binders.pop(0)
            if binder.pattern is not None:
                return self._fun_pattern(fvars, binder, binders, body, target, span)
            names = binder.names or (f"inst✝{self._next}",)
            for name in names:
                pi = None if target is None else self.whnf(target)
                if not isinstance(pi, Pi):
                    pi = None
                declared = None if binder.type is None else self._binder_type(binder)
                if pi is None:
                    type_, exact, target = declared or self.fresh_type(span=binder.span), False, None
                elif declared is None:
                    type_ = pi.type
                else:
                    type_ = declared
                    if not self.is_defeq(declared, pi.type):
                        exact = False
                x = self.local(name, type_, binder.kind)
                fvars.append(x)
                if pi is not None:
                    target = subst(pi.body, (x,))
        result = self.elab_term_ensuring(body, target)
        value = self.mk_lambda(fvars, result)
        if exact:
            self.exact = (value, expected)
        return value

    def _fun_pattern(
        self,
        fvars: list[FVar],
        binder: syntax.Binder,
        rest: list[syntax.Binder],
        body: syntax.Term,
        target: Term | None,
        span: Span,
    ) -> Term:
        """Elaborate `fun p rest => body` as `fun x => match x with | p => fun rest => body`."""
        assert binder.pattern is not None
        pi = None if target is None else self.whnf(target)
        pattern = binder.pattern
        if isinstance(pi, Pi):
            type_: Term = pi.type
            if isinstance(pattern, syntax.Ascription) and pattern.type is not None:
                self.is_defeq(type_, self.elab_type(pattern.type))
            if self.is_open(type_):
                self.try_postpone()
            x = self.local("x✝", type_)
            result = subst(pi.body, (x,))
        else:
            if target is None or self.is_open(target):
                self.try_postpone()
            if isinstance(pattern, syntax.Ascription) and pattern.type is not None:
                type_ = self.elab_type(pattern.type)
            else:
                type_ = self.fresh_type()
            x = self.local("x✝", type_)
            result = self.fresh_type()
        inner: syntax.Term = syntax.Fun(span, tuple(rest), body) if rest else body
        value = self.bind_pattern(pattern, x, inner, result, binder.span)
        return self.mk_lambda([*fvars, x], value)

    # ---- types that bind

    def elab_arrow(self, stx: syntax.Arrow, expected: Term | None) -> Term:
        """Elaborate `A → B`."""
        domain = self.elab_type(stx.domain)
        codomain = self.elab_type(stx.codomain)
        return Pi("a✝", domain, core.lift(codomain, 1) if codomain.loose else codomain)

    def elab_dep_arrow(self, stx: syntax.DepArrow, expected: Term | None) -> Term:
        """Elaborate `(x : A) → B`."""
        with self.scoped():
            fvars = self.elab_binders([stx.binder])
            return self.mk_pi(fvars, self.elab_type(stx.body))

    def elab_dep_prod(self, stx: syntax.DepProd, expected: Term | None) -> Term:
        """Elaborate `(x : A) × B` and `(x : A) ×' B`."""
        name = "Sigma" if stx.op == "×" else "PSigma"
        return self._nest(name, [stx.binder], stx.body, expected, stx.span, is_type=True)

    def elab_quantifier(self, stx: syntax.Quantifier, expected: Term | None) -> Term:
        """Elaborate `∀`, `∃`, `∃!`, `Σ`, `∑`, …."""
        symbol = {"forall": "∀", "exists": "∃"}.get(stx.symbol, stx.symbol.rstrip("ᵉ"))
        if symbol in ("∀", "Π"):
            with self.scoped():
                return self._forall(list(_single(stx.binders)), stx.body)
        recipe = BINDERS.get(symbol)
        if recipe is None:
            raise ElabError("unsupported", f"notation '{stx.symbol}' is not supported", stx.span)
        self.check_recipe(recipe, symbol, stx.span)
        if self.env.get(recipe.fn) is None:
            raise ElabError("unsupported", f"notation '{symbol}' ({recipe.fn}) is not supported", stx.span)
        if recipe.kind == "app":
            return self._nest(recipe.fn, stx.binders, stx.body, expected, stx.span, symbol in ("Σ", "Σ'"))
        return self._big_operator(recipe.fn, stx, expected)

    def _forall(self, binders: list[syntax.Binder], body: syntax.Term) -> Term:
        """Elaborate `∀ binders, body`; `∀ x ∈ s, p` is `∀ x, x ∈ s → p`, whose sides do not see each other."""
        fvars: list[FVar] = []
        while binders:
            binder = binders.pop(0)
            if binder.pattern is None and binder.pred is None:
                fvars += self.elab_binders([binder])
                continue
            if binder.pattern is None:
                fvars += self.elab_binders([replace(binder, pred=None)])
                condition: Term | None = self._predicate(binder, fvars[-1])
                inner = self._forall(binders, body)
            else:
                fvars.append(self.local("x✝", self._pattern_type(binder)))
                condition = self._predicate(binder, fvars[-1]) if binder.pred is not None else None
                rest = syntax.Quantifier(binder.span, "∀", tuple(binders), body) if binders else body
                inner = self.bind_pattern(binder.pattern, fvars[-1], rest, core.PROP, binder.span)
            return self.mk_pi(fvars, inner if condition is None else Pi("h✝", condition, inner))
        return self.mk_pi(fvars, self.elab_type(body))

    def _pattern_type(self, binder: syntax.Binder) -> Term:
        if binder.type is not None:
            return self.elab_type(binder.type)
        return self.fresh_type(span=binder.span)

    def _predicate(self, binder: syntax.Binder, x: FVar) -> Term:
        """Elaborate the condition of a bounded binder, `x ∈ s` or `x < n`, on a variable just declared."""
        assert binder.pred is not None
        op, bound = binder.pred
        saved, self.lctx = self.lctx, self.lctx
        name = syntax.Ident(binder.span, (x.name,))
        try:
            if self.lookup_local(x.name) is not self.decls[x.id]:
                raise ElabError("unsupported", "a bounded binder of this form is not supported", binder.span)
            term = self.elab_infix(syntax.BinOp((binder.span[0], bound.span[1]), op, name, bound), core.PROP)
            return self.ensure_type(term, binder.span)
        finally:
            self.lctx = saved

    def _nest(
        self,
        fn: str,
        binders: Sequence[syntax.Binder],
        body: syntax.Term,
        expected: Term | None,
        span: Span,
        is_type: bool = False,
    ) -> Term:
        """Elaborate `fn fun x => fn fun y => … body`; a bounded binder adds its condition with `∧`."""
        todo = list(_single(binders))

        def go() -> Term:
            if not todo:
                return self.elab_type(body) if is_type else self.elab_term_ensuring(body, core.PROP)
            binder = todo.pop(0)
            with self.scoped():
                if binder.pattern is not None:
                    x = self.local("x✝", self._pattern_type(binder))
                else:
                    x = self.elab_binders([replace(binder, pred=None)])[0]
                condition = None if binder.pred is None else self._predicate(binder, x)
                if binder.pattern is not None:
                    rest: syntax.Term = body
                    if todo:
                        symbol = {"Exists": "∃", "ExistsUnique": "∃!", "Sigma": "Σ", "PSigma": "Σ'"}[fn]
                        rest = syntax.Quantifier(span, symbol, tuple(todo), body)
                    inner = self.bind_pattern(binder.pattern, x, rest, core.PROP, binder.span)
                else:
                    inner = go()
                if condition is not None:
                    inner = App(Const("And"), (condition, inner))
                type_ = self.instantiate_mvars(self.local_type(x))
                return App(Const(fn), (type_, self.mk_lambda((x,), inner)))

        return go()

    def _big_operator(self, fn: str, stx: syntax.Quantifier, expected: Term | None) -> Term:
        """Elaborate `∑ x ∈ s, f x` and its kin."""
        body = stx.body
        for binder in reversed(list(_single(stx.binders))):
            over: syntax.Term
            if binder.pred is not None:
                op, over = binder.pred
                if op not in ("∈", "in"):
                    raise ElabError("unsupported", f"'{stx.symbol}' over '{op}' is not supported", stx.span)
            else:
                over = syntax.Ident(binder.span, ("Finset", "univ"), True)
            plain = replace(binder, pred=None)
            if fn in ("Finset.sum", "Finset.prod"):
                if stx.filter is not None and len(stx.binders) == 1:
                    test = syntax.Fun(stx.span, (plain,), stx.filter)
                    head = syntax.Ident(stx.span, ("Finset", "filter"), True)
                    over = syntax.App(stx.span, head, (test, over))
                fun = syntax.Fun(stx.span, (plain,), body)
                body = syntax.App(stx.span, syntax.Ident(stx.span, tuple(fn.split(".")), True), (over, fun))
            elif binder.pred is None:
                fun = syntax.Fun(stx.span, (plain,), body)
                body = syntax.App(stx.span, syntax.Ident(stx.span, tuple(fn.split(".")), True), (fun,))
            else:
                raise ElabError("unsupported", f"'{stx.symbol}' over a set is not supported", stx.span)
        if stx.filter is not None and len(stx.binders) != 1:
            raise ElabError("unsupported", f"'{stx.symbol}' with a condition on several variables", stx.span)
        return self.elab_term(body, expected)

    def elab_subtype(self, stx: syntax.Subtype, expected: Term | None) -> Term:
        """Elaborate `{x : T // p}`."""
        with self.scoped():
            x = self.elab_binders([replace(stx.binder, pred=None)])[0]
            body = self.elab_term_ensuring(stx.body, core.PROP)
            type_ = self.instantiate_mvars(self.local_type(x))
            return App(Const("Subtype"), (type_, self.mk_lambda((x,), body)))

    # ---- let and have

    def elab_let(self, stx: syntax.Let, expected: Term | None) -> Term:
        """Elaborate `let`, `have`, `suffices`."""
        decl = stx.decl
        if decl.pattern is not None:
            return self._let_pattern(stx, expected)
        if stx.keyword == "suffices":
            raise ElabError("unsupported", "'suffices' for data is not supported", stx.span)
        is_have = stx.keyword in ("have", "haveI", "let_fun")
        type_, value = self._let_value(decl, is_have)
        name = decl.name or "this"
        if is_have and self.is_prop(type_):
            return self._have_proof(name, type_, value, stx.body, expected)
        with self.scoped():
            x = self.local(name, type_, "explicit", value)
            body = self.elab_term_ensuring(stx.body, expected)
            result = self.mk_lambda((x,), body)
        if expected is not None:
            self.exact = (result, expected)
        return result

    def _let_value(self, decl: syntax.LetDecl, is_have: bool) -> tuple[Term, Term]:
        with self.scoped():
            fvars = self.elab_binders(decl.binders)
            type_ = self.fresh_type(span=decl.span) if decl.type is None else self.elab_type(decl.type)
            if decl.alts:
                stx: syntax.Term = syntax.FunMatch(decl.span, decl.alts)
            elif decl.value is None:
                raise ElabError("type", "a value is expected", decl.span)
            else:
                stx = decl.value
            if is_have and decl.type is None and not fvars:
                value = self._have_value(stx, type_)
            else:
                value = self.elab_term_ensuring(stx, type_)
            type_ = self.mk_pi(fvars, self.instantiate_mvars(type_))
            return type_, self.mk_lambda(fvars, self.instantiate_mvars(value))

    def _have_value(self, stx: syntax.Term, type_: Term) -> Term:
        """Elaborate the value of a `have` without a type; a lemma we do not know proves something we do not know."""
        mark, pending = self.mark(), self.pending
        try:
            return self.elab_term_ensuring(stx, type_)
        except ElabError as error:
            if error.kind != "unsupported":
                raise
            self.undo(mark)
            self.pending = pending
            unknown = self.fresh(core.PROP, name="lemma")
            self.is_defeq(type_, unknown)
            return Proof(unknown)

    def _have_proof(self, name: str, type_: Term, value: Term, stx: syntax.Term, expected: Term | None) -> Term:
        """Elaborate the body under a hypothesis; the hypothesis is erased from it."""
        with self.scoped():
            h = self.local(name, type_)
            body = self._closable(self.elab_term_ensuring(stx, expected), (h,))
        if expected is not None:
            body = subst(core.abstract(body, (h,)), (Proof(type_, isinstance(value, Proof) and value.sorry),))
            self.exact = (body, expected)
            return body
        return subst(core.abstract(body, (h,)), (Proof(type_),))

    def _let_pattern(self, stx: syntax.Let, expected: Term | None) -> Term:
        decl = stx.decl
        assert decl.pattern is not None and decl.value is not None
        if expected is None:
            self.try_postpone()
            expected = self.fresh_type(span=stx.span)
        with self.own_problems("light"):
            if decl.type is not None:
                value = self.elab_term_ensuring(decl.value, self.elab_type(decl.type))
            else:
                value = self.elab_term(decl.value, None)
        if self.is_open(self.infer_type(value)):
            self.try_postpone()
            self.synthesize()
        alts = [syntax.MatchAlt(stx.span, ((decl.pattern,),), stx.body)]
        if decl.otherwise is not None:
            alts.append(syntax.MatchAlt(stx.span, ((syntax.Hole(decl.span),),), decl.otherwise))
        return self.match_on([self.instantiate_mvars(value)], alts, expected, stx.span)

    def elab_let_rec(self, stx: syntax.LetRec, expected: Term | None) -> Term:
        """Elaborate `let rec …; body` through the hook that lifts the functions to constants."""
        if self.let_rec is None:
            raise ElabError("unsupported", "'let rec' is not supported here", stx.span)
        found = self.let_rec(cast("TermElab", self), stx)
        with self.scoped():
            fvars = [self.local(name, type_, "explicit", term) for name, type_, term in found]
            body = self._closable(self.elab_term_ensuring(stx.body, expected), fvars)
        return subst(core.abstract(body, fvars), [term for _, _, term in found])

    def elab_show(self, stx: syntax.Show, expected: Term | None) -> Term:
        """Elaborate `show T from e`."""
        type_ = self.elab_type(stx.type)
        if expected is not None:
            self.is_defeq(expected, type_)
        value = self.elab_term_ensuring(stx.value, type_)
        if self.is_prop(type_) or self.instantiate_mvars(self.infer_type(value)) == self.instantiate_mvars(type_):
            return value
        # The term keeps the type that is shown: field notation looks at it.
        return App(core.Lam("this", type_, core.BVar(0), "explicit"), (value,))

    # ---- if

    def elab_if(self, stx: syntax.If, expected: Term | None) -> Term:
        """Elaborate `if c then a else b` and `if h : c then a else b`."""
        condition = self.elab_term(stx.cond, None)
        if self.is_open(self.infer_type(condition)):
            self.try_postpone()
        condition = self.ensure_has_type(core.PROP, condition, stx.cond.span)
        type_: Term = expected if expected is not None else self.fresh_type(span=stx.span)
        goal = App(Const("Decidable"), (condition,))
        if not stx.hyp:
            then = self.elab_branch(stx.then, type_)
            otherwise = self.elab_branch(stx.otherwise, type_)
            type_ = core.PROP if type_ is core.SORT and self.branch_is_prop else type_
            instance = self.instance_mvar(goal, stx.cond.span)
            result = App(Const("ite"), (type_, condition, instance, then, otherwise))
        else:
            then = self._branch(stx.hyp, condition, stx.then, type_)
            otherwise = self._branch(stx.hyp, App(Const("Not"), (condition,)), stx.otherwise, type_)
            type_ = core.PROP if type_ is core.SORT and self.branch_is_prop else type_
            instance = self.instance_mvar(goal, stx.cond.span)
            result = App(Const("dite"), (type_, condition, instance, then, otherwise))
        if expected is not None:
            self.exact = (result, expected)
        return result

    def _branch(self, name: str, condition: Term, stx: syntax.Term, type_: Term) -> Term:
        with self.scoped():
            h = self.local(name, condition)
            return self.mk_lambda((h,), self.elab_branch(stx, type_))

    # ---- do, open … in

    def elab_do(self, stx: syntax.Do, expected: Term | None) -> Term:
        """Elaborate a `do` block through its translation to terms."""
        from specgen.lean.elab.do_notation import elab_do

        if expected is None or self.is_open(expected):
            self.try_postpone()
        return elab_do(cast("TermElab", self), stx, expected)

    def elab_scoped(self, stx: syntax.ScopedTerm, expected: Term | None) -> Term:
        """Elaborate `open N in e` and `set_option … in e`."""
        if not isinstance(stx.command, syntax.Open):
            return self.elab_term(stx.term, expected)
        saved, classical = self.scope, self.open_classical
        opened = getattr(self.scope, "opened", None)
        if opened is None:
            raise ElabError("unsupported", "'open … in' is not supported here", stx.span)
        self.scope = opened(stx.command)
        self.open_classical = self.scope.is_open("Classical")
        try:
            term = self.elab_term(stx.term, expected)
            self.synthesize(False)
            return term
        finally:
            self.scope, self.open_classical = saved, classical

    # ---- macros

    def elab_macro(self, stx: syntax.TermMacro, expected: Term | None) -> Term:
        """Elaborate `panic!`, `unreachable!`, `assert!`, `nofun`, …."""
        word = stx.keyword
        if word in ("nofun", "nomatch"):
            return Proof(expected if expected is not None else self.fresh_type())
        if word == "panic!":
            return self.apply(Const("panic"), Args(list(stx.args[:1])), expected, stx.span)
        if word in ("unreachable!", "todo!"):
            text = "unreachable code has been reached" if word == "unreachable!" else "not yet implemented"
            return self.apply(Const("panic"), Args([syntax.StrLit(stx.span, text)]), expected, stx.span)
        if word == "assert!" and len(stx.args) == 2:
            failed = syntax.TermMacro(stx.span, "panic!", (syntax.StrLit(stx.span, "assertion violation"),))
            return self.elab_if(syntax.If(stx.span, stx.args[0], stx.args[1], failed), expected)
        if word == "dbg_trace" and stx.args:
            return self.elab_term(stx.args[-1], expected)
        if word == "⦃⦄" and len(stx.args) == 3:
            return self._triple(stx.args[0], stx.args[1], stx.args[2], stx.span)
        if word == "type_of%":
            return self.instantiate_mvars(self.infer_type(self.elab_term(stx.args[0], None)))
        raise ElabError("unsupported", f"'{word}' is not supported", stx.span)

    def _triple(self, pre: syntax.Term, program: syntax.Term, post: syntax.Term, span: Span) -> Term:
        """Elaborate `⦃⌜P⌝⦄ e ⦃⇓ r => ⌜Q⌝⦄` for a pure program (in `Id`): `P → (fun r => Q) e`."""
        fun = post.args[0] if isinstance(post, syntax.TermMacro) and post.keyword == "⇓" else None
        pure_pre = isinstance(pre, syntax.Bracketed) and pre.kind == "⌜"
        if not pure_pre or not isinstance(fun, syntax.Fun):
            raise ElabError("unsupported", "a Hoare triple of this form is not supported", span)
        condition = self.elab_term_ensuring(pre, core.PROP)
        with self.own_problems("default"):
            value = self.elab_term(program, None)
        type_ = self.whnf_reducible(self.infer_type(value))
        if not (isinstance(type_, App) and type_.fn == Const("Id")):
            raise ElabError("unsupported", "a Hoare triple of this monad is not supported", span)
        result = self.elab_term_ensuring(fun, Pi("r", type_.args[0], core.PROP))
        body = beta(self.instantiate_mvars(result), (value,))
        return Pi("h✝", condition, core.lift(body, 1) if body.loose else body)


def _single(binders: Sequence[syntax.Binder]) -> Sequence[syntax.Binder]:
    """Split bounded binder groups of several names into one group a name."""
    out: list[syntax.Binder] = []
    for b in binders:
        if len(b.names) > 1 and b.kind == "explicit":
            out.extend(replace(b, names=(n,)) for n in b.names)
        else:
            out.append(b)
    return out
