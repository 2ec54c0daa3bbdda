"""Coercions: Lean's chain of `CoeHead`, `CoeOut`, `Coe`, `CoeTail`, to functions, to sorts, and the type errors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from specgen.lean import core
from specgen.lean.core import App, Const, FVar, MVar, Pi, Sort, Term
from specgen.lean.elab.context import ElabError
from specgen.lean.elab.subst import subst
from specgen.lean.elab.synthetic import Synthetic
from specgen.lean.elab.unify import StuckInstance
from specgen.lean.elab.whnf import INSTANCES
from specgen.lean.source import DiagnosticKind
from specgen.lean.syntax import Span

_MAX_CHAIN = 4
_CONNECTIVES = frozenset(("And", "Or", "Iff", "Exists", "Eq", "True", "False"))


class Coercions(Synthetic):
    """Adds `coerce` and `ensure_has_type`."""

    def ensure_has_type(self, expected: Term | None, value: Term, span: Span) -> Term:
        """Return `value`, coerced when its type is not the expected one; raises ElabError (type mismatch)."""
        if expected is None:
            return value
        found = self.infer_type(value)
        if self.is_defeq(expected, found):
            return value
        return self.mk_coe(expected, value, span)

    def mk_coe(self, expected: Term, value: Term, span: Span) -> Term:
        """Insert a coercion, now or (when the types are not known enough) later."""
        try:
            coerced = self.coerce(value, expected)
        except StuckInstance:
            return self.postpone_coe(value, expected, span)
        if coerced is None:
            raise self.mismatch(expected, value, span)
        return coerced

    def mismatch(self, expected: Term, value: Term, span: Span, what: str = "") -> ElabError:
        """Make the error for a value of the wrong type."""
        value, expected = self.instantiate_mvars(value), self.instantiate_mvars(expected)
        found = self.instantiate_mvars(self.infer_type(value))
        head = "Type mismatch" if self.env.lean.version >= (4, 23, 0) else "type mismatch"
        message = (
            f"{head}\n  {self.show(value)}\nhas type\n  {self.show(found)}\n"
            f"but is expected to have type\n  {self.show(expected)}"
        )
        doubtful = self._proofs_differ(expected, found) or self._may_be_same(expected, found)
        if self.env.instance_names.get("CoeSort") and any(isinstance(c, Sort) for c in core.unfold_app(expected)[1]):
            doubtful = True
        kind: DiagnosticKind = "unsupported" if doubtful else "type"
        return ElabError(kind, what + message, span)

    def _proofs_differ(self, expected: Term, found: Term) -> bool:
        """Tell whether a proof of one proposition stands for one of another that may be the same by computation."""
        if self.is_open(expected) or self.is_open(found) or not (self.is_prop(expected) and self.is_prop(found)):
            return False
        heads = [core.unfold_app(self.whnf(t))[0] for t in (expected, found)]
        return not all(isinstance(h, Const) and h.name in _CONNECTIVES for h in heads) or heads[0] == heads[1]

    def _may_be_same(self, a: Term, b: Term) -> bool:
        """Tell whether two types that do not unify might in Lean, by computation that we do not carry out."""
        if self.is_defeq_rigid(a, b):
            return True
        a, b = self.whnf(a), self.whnf(b)
        if self._may_compute(a) or self._may_compute(b):
            return True
        (f, xs), (g, ys) = core.unfold_app(a), core.unfold_app(b)
        if f != g or len(xs) != len(ys) or not isinstance(f, Const):
            return False
        return all(self.is_proof(x) or self._may_be_same(x, y) for x, y in zip(xs, ys, strict=True))

    def _may_compute(self, term: Term) -> bool:
        """Tell whether a term in weak head normal form is stuck only because a function is built in."""
        if isinstance(term, core.Match):
            return not any(d.has_fvar for d in term.discrs)
        if not isinstance(term, App) or not isinstance(term.fn, Const):
            return False
        constant = self.env.get(term.fn.name)
        if constant is None or constant.kind not in ("def", "opaque") or constant.name in self.env.constants:
            return False
        return any(self._is_value(arg) for arg in term.args)

    def _is_value(self, term: Term) -> bool:
        """Tell whether an argument is a literal, a constructor's or closed, and no type."""
        term = self.whnf(term)
        if isinstance(term, core.Lit):
            return True
        if term.has_mvar or isinstance(self.whnf(self.infer_type(term)), Sort) or self.is_proof(term):
            return isinstance(term, App) and not term.has_fvar and not term.has_mvar and self.is_prop(term)
        head = core.unfold_app(term)[0]
        constant = self.env.get(head.name) if isinstance(head, Const) else None
        return constant is not None and (constant.kind == "constructor" or not term.has_fvar)

    def coerce(self, value: Term, expected: Term) -> Term | None:
        """Coerce a value to a type; None when there is no coercion. Raises StuckInstance."""
        expected = self.instantiate_mvars(expected)
        source = self.instantiate_mvars(self.infer_type(value))
        if isinstance(self.whnf_reducible(expected), Pi):
            fn = self.coerce_to_function(value)
            if fn is not None and self.is_defeq(self.infer_type(fn), expected):
                return fn
        if self.is_open(source) or self.is_open(expected):
            raise StuckInstance
        reduced = self.whnf_reducible(expected)
        if isinstance(reduced, Sort) and not reduced.is_prop:
            return self.coerce_to_sort(value)
        lifted = self._lift_monad(value, source, expected)
        if lifted is not None:
            return lifted
        return self._coerce_simple(value, source, expected)

    def _coerce_simple(self, value: Term, source: Term, target: Term) -> Term | None:
        closed = not (source.has_mvar or target.has_mvar or source.has_fvar or target.has_fvar)
        source_r, target_r = self.whnf_reducible(source), self.whnf_reducible(target)
        if isinstance(source_r, Sort) and source_r.is_prop:
            return self._by_class("CoeDep", (source, value, target), ())
        key = ("coe", source_r, target_r)
        if closed:
            cache = self.lasting_cache("coercions", source_r, target_r)
            if key in cache:
                chain = cache[key]
                if chain is None:
                    return self._by_class("CoeDep", (source, value, target), ())
                return self._apply_chain(chain, value)
        with self.scoped():
            x = self.local("x", source)
            found = self._search_apart(x, source_r, target_r)
            chain = None if found is None else self.mk_lambda((x,), self.instantiate_mvars(found))
        if closed:
            cache[key] = chain
        if chain is None:
            return self._by_class("CoeDep", (source, value, target), ())
        return self._apply_chain(chain, value)

    def _apply_chain(self, chain: Term, value: Term) -> Term:
        assert isinstance(chain, core.Lam)
        return subst(chain.body, (value,))

    def _search_apart(self, x: Term, source: Term, target: Term) -> Term | None:
        """Search without assigning the metavariables of the two types; meeting one raises StuckInstance."""
        saved = self.stuck_matters
        self.level, self.stuck_matters = self.level + 1, True
        self._tries = 0
        try:
            return self._search(x, source, target)
        finally:
            self.level, self.stuck_matters = self.level - 1, saved

    def _search(self, x: Term, source: Term, target: Term) -> Term | None:
        """Find a chain from `source` to `target` in Lean's order: head, outs, plain ones, tail."""
        direct = self._by_class("CoeHTCT", (source, target), (x,))
        if direct is not None:
            return direct
        found = self._head_chain(x, source, target)
        if found is not None:
            return found
        for middle, step in self._steps("CoeTail", None, target):
            if self.is_defeq(middle, source):
                return self._coe_app(step, x)
            inner = None if self.is_open(middle) else self._head_chain(x, source, self.instantiate_mvars(middle))
            if inner is not None:
                return self._coe_app(step, inner)
        return None

    def _head_chain(self, x: Term, source: Term, target: Term) -> Term | None:
        found = self._out_chain(x, source, target, 0)
        if found is not None:
            return found
        for middle, step in self._steps("CoeHead", source, None):
            value = self._coe_app(step, x)
            if self.is_defeq(middle, target):
                return value
            inner = self._out_chain(value, self.instantiate_mvars(middle), target, 0)
            if inner is not None:
                return inner
        return None

    def _out_chain(self, x: Term, source: Term, target: Term, depth: int) -> Term | None:
        found = self._plain_chain(x, source, target, 0)
        if found is not None or depth >= _MAX_CHAIN:
            return found
        for middle, step in self._steps("CoeOut", source, None):
            value = self._coe_app(step, x)
            if self.is_defeq(middle, target):
                return value
            inner = self._out_chain(value, self.instantiate_mvars(middle), target, depth + 1)
            if inner is not None:
                return inner
        return None

    def _plain_chain(self, x: Term, source: Term, target: Term, depth: int) -> Term | None:
        if depth >= _MAX_CHAIN:
            return None
        for middle, step in self._steps("Coe", None, target):
            if self.is_defeq(middle, source):
                return self._coe_app(step, x)
            if self.is_open(middle):
                continue
            inner = self._plain_chain(x, source, self.instantiate_mvars(middle), depth + 1)
            if inner is not None:
                return self._coe_app(step, inner)
        return None

    def _steps(self, class_name: str, source: Term | None, target: Term | None) -> Iterator[tuple[Term, Term]]:
        """Yield one step from a source or to a target: the other end, and `coe` with its instance."""
        if self.env.get_inductive(class_name) is None:
            return
        middle = self.fresh(core.SORT)
        ends = (middle if source is None else source, middle if target is None else target)
        goal = core.mk_app(Const(class_name), *ends)
        saved = self.transparency
        solutions = self._solutions(goal, 1, ())
        while True:
            self.transparency = INSTANCES
            try:
                instance = next(solutions, None)
            finally:
                self.transparency = saved
            if instance is None:
                return
            yield middle, core.mk_app(Const(f"{class_name}.coe"), *ends, self.instantiate_mvars(instance))

    def _coe_app(self, step: Term, value: Term) -> Term:
        """Apply a coercion and unfold its instance, as Lean's `expandCoe` does."""
        term = self.instantiate_mvars(core.mk_app(step, value))
        return self._expand(term)

    def _expand(self, term: Term) -> Term:
        saved, self.transparency = self.transparency, INSTANCES
        try:
            new = self.unfold(term)
        finally:
            self.transparency = saved
        return term if new is None else new

    def _by_class(self, class_name: str, params: tuple[Term, ...], args: tuple[Term, ...]) -> Term | None:
        if self.env.get_inductive(class_name) is None:
            return None
        instance = self.find_instance(core.mk_app(Const(class_name), *params))
        if instance is None:
            return None
        return self._expand(core.mk_app(Const(f"{class_name}.coe"), *params, instance, *args))

    # ---- functions, sorts, monads

    def coerce_to_function(self, value: Term) -> Term | None:
        """Coerce a value to a function through `CoeFun`, or return None."""
        source = self.instantiate_mvars(self.infer_type(value))
        if isinstance(self.whnf_core(source), (Pi, MVar)) or self.env.get_inductive("CoeFun") is None:
            return None
        gamma = self.fresh(Pi("a", source, core.SORT))
        goal = core.mk_app(Const("CoeFun"), source, gamma)
        instance = self.synth_instance(goal)
        if instance is None:
            return None
        return self._expand(self.instantiate_mvars(core.mk_app(Const("CoeFun.coe"), source, gamma, instance, value)))

    def coerce_to_sort(self, value: Term) -> Term | None:
        """Coerce a value to a type or proposition through `CoeSort`, or return None."""
        source = self.instantiate_mvars(self.infer_type(value))
        if self.env.get_inductive("CoeSort") is None:
            return None
        beta = self.fresh(core.SORT)
        instance = self.synth_instance(core.mk_app(Const("CoeSort"), source, beta))
        if instance is None:
            return None
        return self._expand(self.instantiate_mvars(core.mk_app(Const("CoeSort.coe"), source, beta, instance, value)))

    def _coerce_inside(self, monad: Term, value: Term, source: Term, target: Term) -> Term | None:
        """Coerce `m α` to `m β` by coercing each `α`, as Lean's `coeM`: `do let a ← x; pure ↑a`."""
        if source.has_mvar or target.has_mvar or not self._is_type(source):
            return None
        instance = self.synth_instance(core.mk_app(Const("Monad"), monad))
        if instance is None:
            return None
        with self.scoped():
            x = self.local("a", source)
            inner = self.coerce(x, target)
            if inner is None:
                return None
            made = self.apply_terms("Pure.pure", [inner], core.mk_app(monad, target), self.span)
            function = self.mk_lambda((x,), self.instantiate_mvars(made))
        return self.instantiate_mvars(
            self.apply_terms("Bind.bind", [value, function], core.mk_app(monad, target), self.span)
        )

    def _is_type(self, term: Term) -> bool:
        return isinstance(self.whnf(self.infer_type(term)), Sort)

    def apply_terms(self, name: str, args: Sequence[Term], expected: Term | None, span: Span) -> Term:
        """Apply a constant to explicit arguments, inserting implicit ones."""
        raise NotImplementedError

    def _lift_monad(self, value: Term, source: Term, target: Term) -> Term | None:
        """Lift `m α` to `n α` by `MonadLiftT` where both are monads."""
        if not isinstance(source, App) or not isinstance(target, App):
            return None
        m, n = core.mk_app(source.fn, *source.args[:-1]), core.mk_app(target.fn, *target.args[:-1])
        if not isinstance(source.fn, (Const, FVar)):
            return None
        if m == n:
            return self._coerce_inside(m, value, source.args[-1], target.args[-1])
        if source.has_mvar or target.has_mvar:
            return None
        if self.env.get_inductive("MonadLiftT") is None or not self.is_defeq(source.args[-1], target.args[-1]):
            return None
        try:
            if self.synth_instance(core.mk_app(Const("Monad"), n)) is None:
                return None
            instance = self.synth_instance(core.mk_app(Const("MonadLiftT"), m, n))
        except ElabError:
            return None
        if instance is None:
            return None
        return core.mk_app(Const("MonadLiftT.monadLift"), m, n, instance, source.args[-1], value)
