"""`match` and what is made of it: `fun |`, `if let`, pattern `let`, `matches`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from specgen.lean import core, syntax
from specgen.lean.core import Alt, Const, FVar, Match, Pi, Proof, Term
from specgen.lean.elab.context import ElabError
from specgen.lean.elab.coverage import Coverage, Undecided
from specgen.lean.elab.patterns import PatternElab, PatternVars, bound_vars, strip
from specgen.lean.elab.subst import subst
from specgen.lean.environment import InductiveInfo
from specgen.lean.source import DiagnosticKind
from specgen.lean.syntax import Span

Branch = Callable[[Term], Term]
"""Elaborates a branch in the context of its pattern variables, given the type it must have."""


class MatchElab(PatternElab):
    """Adds pattern matching."""

    branch_is_prop: bool = False
    """Whether the last branch elaborated against a sort of unknown level was a proposition."""

    def elab_match(self, stx: syntax.Match, expected: Term | None) -> Term:
        """Elaborate `match … with …`."""
        if not stx.alts:
            return self._no_match(stx, expected)
        if stx.motive is not None:
            raise ElabError("unsupported", "match with an explicit motive is not supported", stx.span)
        if expected is None:
            self.try_postpone()
            expected = self.fresh_type(span=stx.span)
        discrs = [self._discriminant(d) for d in stx.discrs]
        hyps = [d.hyp for d in stx.discrs]
        return self.match_on(discrs, stx.alts, expected, stx.span, hyps)

    def _no_match(self, stx: syntax.Match, expected: Term | None) -> Term:
        for d in stx.discrs:
            self.elab_term(d.term, None)
        return Proof(expected if expected is not None else self.fresh_type())

    def _discriminant(self, discr: syntax.Discr) -> Term:
        with self.own_problems("light"):
            term = self.elab_term(discr.term, None)
        type_ = self.infer_type(term)
        if self.is_open(type_):
            self.try_postpone()
            self.synthesize()
        return self.instantiate_mvars(term)

    def match_on(
        self,
        discrs: Sequence[Term],
        alts: Sequence[syntax.MatchAlt],
        expected: Term,
        span: Span,
        hyps: Sequence[str] = (),
    ) -> Term:
        """Build a match on terms already elaborated."""
        made: list[Alt] = []
        rows: list[tuple[core.Pattern, ...]] = []
        spans: list[Span] = []
        indexed = False
        for alt in alts:
            for group in alt.patterns:
                if len(group) != len(discrs):
                    raise self._wrong_count(len(group), len(discrs), alt.span)
                new, deep = self._alternative(discrs, group, alt.rhs, expected, hyps)
                indexed = indexed or deep
                made.append(new)
                rows.append(new.patterns)
                spans.append((group[0].span[0], group[-1].span[1]))
        if not indexed:
            self._check_coverage(discrs, rows, spans, span)
        if expected is core.SORT and self.branch_is_prop:
            expected = core.PROP
        return Match(tuple(discrs), tuple(made), expected)

    def elab_branch(self, stx: syntax.Term, type_: Term) -> Term:
        """Elaborate a branch; of a type or proposition it is noted which of the two it is."""
        body = self.elab_term_ensuring(stx, type_)
        self.branch_is_prop = type_ is core.SORT and self.is_prop(body)
        return body

    def _wrong_count(self, have: int, want: int, span: Span) -> ElabError:
        message = f"incorrect number of patterns for `match`, {have} pattern(s) given, but {want} expected"
        return ElabError("type", message, span)

    def _alternative(
        self,
        discrs: Sequence[Term],
        group: Sequence[syntax.Term],
        rhs: syntax.Term,
        expected: Term,
        hyps: Sequence[str],
    ) -> tuple[Alt, bool]:
        with self.scoped():
            seen = PatternVars()
            patterns: list[core.Pattern] = []
            terms: list[Term] = []
            with self.own_problems("light"):
                for stx, discr in zip(group, discrs, strict=True):
                    type_ = self.instantiate_mvars(self.infer_type(discr))
                    pattern, term = self.elab_pattern(stx, self._refined(type_, discrs, terms), seen)
                    patterns.append(pattern)
                    terms.append(term)
            equations = list(seen.equations)
            for hyp, discr, term in zip(hyps, discrs, terms, strict=False):
                if hyp:
                    equation = core.mk_app(Const("Eq"), self.infer_type(discr), discr, term)
                    equations.append((self.local(hyp, equation), equation))
            target = self._refined(expected, discrs, terms)
            if seen.indexed and target.has_fvar and target != expected:
                target = self.whnf_core(target)
            try:
                body = self.elab_branch(rhs, target)
            except ElabError as error:
                if self._refines(discrs):
                    error.kind = "unsupported"
                raise
            return self._close_alternative(patterns, body, equations), seen.indexed

    def _refined(self, type_: Term, discrs: Sequence[Term], terms: Sequence[Term]) -> Term:
        """Replace discriminants that are variables by the patterns' terms in a type that depends on them."""
        if not type_.has_fvar and not type_.has_mvar:
            return type_
        type_ = self.instantiate_mvars(type_)
        for discr, term in zip(discrs, terms, strict=False):
            if isinstance(discr, FVar) and type_.has_fvar:
                type_ = subst(core.abstract(type_, (discr,)), (term,))
        return type_

    def _close_alternative(
        self, patterns: Sequence[core.Pattern], body: Term, equations: Sequence[tuple[FVar, Term]]
    ) -> Alt:
        """Bind the pattern variables in a branch; equations `h : d = p` become erased proofs."""
        bound = [v for p in patterns for v in bound_vars(p)]
        fvars = [f for f, _ in bound]
        all_vars = [*fvars, *[h for h, _ in equations]]
        body = self._closable(body, all_vars)
        for hyp, equation in equations:
            if body.has_fvar:
                body = subst(core.abstract(body, (hyp,)), (Proof(self.instantiate_mvars(equation)),))
        used = free_vars(body)
        keep = {f.id for f, wild in bound if not wild or f.id in used}
        fvars = [f for f in fvars if f.id in keep]
        final = tuple([strip(p, keep) for p in patterns])
        return Alt(final, tuple([f.name for f in fvars]), core.abstract(body, fvars))

    def _check_coverage(
        self, discrs: Sequence[Term], rows: Sequence[tuple[core.Pattern, ...]], spans: Sequence[Span], span: Span
    ) -> None:
        coverage = Coverage(self._inductive_of)
        try:
            missing = coverage.missing(rows, len(discrs))
            again = coverage.redundant(rows)
        except Undecided:
            return
        new = self.env.lean.version >= (4, 23, 0)
        if missing is not None and not self._absurd_types(discrs):
            doubtful = self._may_be_absurd(discrs) or self._proof_fields(rows)
            kind: DiagnosticKind = "unsupported" if doubtful else "type"
            raise ElabError(kind, f"{'Missing' if new else 'missing'} cases:\n{', '.join(missing)}", span)
        if again is not None:
            what = f"redundant alternative #{again + 1}"
            if new:
                what = (
                    "Redundant alternative: Any expression matching this pattern will match one of the preceding ones"
                )
            raise ElabError("type", what, spans[again])

    def _inductive_of(self, constructor: str) -> InductiveInfo | None:
        constant = self.env.get(constructor)
        return None if constant is None else self.env.get_inductive(constant.inductive)

    def _may_be_absurd(self, discrs: Sequence[Term]) -> bool:
        """Tell whether a hypothesis about a discriminant might rule out a case: Lean generalises it with the match."""
        ids = {d.id for d in discrs if isinstance(d, FVar)}
        decl = self.lctx
        while decl is not None:
            type_ = self.instantiate_mvars(decl.type)
            if type_.has_fvar and free_vars(type_) & ids and self.is_prop(type_):
                return True
            decl = decl.parent
        return False

    def _proof_fields(self, rows: Sequence[tuple[core.Pattern, ...]]) -> bool:
        """Tell whether a constructor in the patterns has a proof for a field, which might rule out a case."""
        names = {p.name for row in rows for top in row for p in _inner(top) if isinstance(p, core.PCtor)}
        for name in names:
            constant = self.env.get(name)
            type_ = constant.type if constant is not None else core.TYPE
            with self.scoped():
                while isinstance(type_, Pi):
                    if type_.info == "explicit" and self.is_prop(type_.type):
                        return True
                    type_ = subst(type_.body, (self.local(type_.name, type_.type),))
        return False

    def _refines(self, discrs: Sequence[Term]) -> bool:
        """Tell whether Lean's generalisation may change types of the context in a branch, which ours does not."""
        ids = {d.id for d in discrs if isinstance(d, FVar)}
        for discr in discrs:
            head = core.unfold_app(self.whnf(self.infer_type(discr)))[0]
            info = self.env.get_inductive(head.name) if isinstance(head, Const) else None
            if info is not None and info.indices:
                return True
        decl = self.lctx
        while decl is not None and ids:
            type_ = self.instantiate_mvars(decl.type)
            if type_.has_fvar and free_vars(type_) & ids and not self.is_prop(type_):
                return True
            decl = decl.parent
        return False

    def _absurd_types(self, discrs: Sequence[Term]) -> bool:
        """Tell whether a hypothesis could rule out the cases that are missing (then Lean may find it; we do not)."""
        return any(self.is_proof(discr) for discr in discrs)

    # ---- other forms

    def elab_fun_match(self, stx: syntax.FunMatch, expected: Term | None) -> Term:
        """Elaborate `fun | p => e | …`."""
        if expected is None:
            self.try_postpone()
        count = len(stx.alts[0].patterns[0])
        with self.scoped():
            fvars: list[FVar] = []
            target: Term | None = expected
            for i in range(count):
                binder = self.whnf(target) if target is not None else None
                if isinstance(binder, Pi) and binder.info != "explicit":
                    break
                if not isinstance(binder, Pi):
                    if binder is not None and self.is_open(binder):
                        self.try_postpone()
                    domain: Term = self.fresh_type()
                    fvars.append(self.local(f"x{i}", domain))
                    codomain = self.fresh_type()
                    if target is not None and not self.is_defeq(target, Pi("x", domain, codomain)):
                        raise self._not_a_function_type(target, stx.span)
                    target = codomain
                    continue
                x = self.local(f"x{i}", binder.type)
                fvars.append(x)
                target = subst(binder.body, (x,))
            if target is None:
                target = self.fresh_type()
            body = self.match_on(fvars, stx.alts, target, stx.span)
            return self.mk_lambda(fvars, body)

    def _not_a_function_type(self, type_: Term, span: Span) -> ElabError:
        return ElabError("type", f"type mismatch\n  fun …\nis expected to have type\n  {self.show(type_)}", span)

    def elab_if_let(self, stx: syntax.IfLet, expected: Term | None) -> Term:
        """Elaborate `if let p := e then a else b`."""
        return self.elab_term(if_let_match(stx), expected)

    def elab_matches(self, stx: syntax.Matches, expected: Term | None) -> Term:
        """Elaborate `e matches p | q` (a Bool)."""
        yes, no = syntax.Ident(stx.span, ("true",), True), syntax.Ident(stx.span, ("false",), True)
        hole = syntax.Hole(stx.span)
        alts = [syntax.MatchAlt(stx.span, tuple([(p,) for p in stx.patterns]), yes)]
        with self.own_problems("light"):
            discr = self._discriminant(syntax.Discr(stx.span, stx.term))
        if not all(self._irrefutable(p) for p in stx.patterns):
            alts.append(syntax.MatchAlt(stx.span, ((hole,),), no))
        return self.match_on([discr], alts, Const("Bool"), stx.span)

    def _irrefutable(self, stx: syntax.Term) -> bool:
        if isinstance(stx, syntax.Hole):
            return True
        return isinstance(stx, syntax.Ident) and self._constructor_named(stx) is None

    def bind_pattern(self, pattern: syntax.Term, value: Term, branch: syntax.Term, expected: Term, span: Span) -> Term:
        """Elaborate `match value with | pattern => branch`."""
        return self.match_on([value], [syntax.MatchAlt(span, ((pattern,),), branch)], expected, span)


def _inner(pattern: core.Pattern) -> Iterator[core.Pattern]:
    """Yield a pattern and those inside it."""
    yield pattern
    if isinstance(pattern, core.PCtor):
        for p in pattern.args:
            yield from _inner(p)
    elif isinstance(pattern, core.PArray):
        for p in pattern.items:
            yield from _inner(p)
    elif isinstance(pattern, (core.PAs, core.PSucc)):
        yield from _inner(pattern.pattern)


def if_let_match(stx: syntax.IfLet) -> syntax.Match:
    """Return the match that an `if let` stands for."""
    return syntax.Match(
        stx.span,
        (syntax.Discr(stx.value.span, stx.value),),
        (
            syntax.MatchAlt(stx.then.span, ((stx.pattern,),), stx.then),
            syntax.MatchAlt(stx.otherwise.span, ((syntax.Hole(stx.pattern.span),),), stx.otherwise),
        ),
    )


def free_vars(term: Term) -> set[int]:
    """Return the ids of the free variables of a term."""
    found: set[int] = set()

    def go(t: Term, _: int) -> Term:
        if t.has_fvar:
            if isinstance(t, FVar):
                found.add(t.id)
            else:
                core.map_children(t, go)
        return t

    go(term, 0)
    return found
