"""Unification: first-order, Miller patterns, eta, lazy unfolding, proof irrelevance."""

from __future__ import annotations

from collections.abc import Sequence

from specgen.lean import core
from specgen.lean.core import App, Const, FVar, Lam, Let, Lit, Match, MVar, Pi, Proj, Proof, Sort, Term
from specgen.lean.elab.context import ElabError, LocalDecl, MVarDecl
from specgen.lean.elab.subst import beta, subst
from specgen.lean.elab.whnf import INSTANCES, NAT, Whnf
from specgen.lean.environment import Constant


class StuckInstance(Exception):  # noqa: N818
    """Instance search met a metavariable of the problem itself: it must wait until more is known."""


class _OutOfScope(Exception):  # noqa: N818
    """A value mentions a variable that its metavariable may not use, or the metavariable itself."""


class Unifier(Whnf):
    """Adds `is_defeq`."""

    stuck_matters: bool = False
    """Set during instance search: meeting an outer metavariable raises StuckInstance."""

    def is_defeq(self, a: Term, b: Term) -> bool:
        """Unify two terms; assignments stay only when it succeeds."""
        mark = len(self.trail)
        if self._eq(a, b):
            return True
        self.undo(mark)
        return False

    def is_defeq_rigid(self, a: Term, b: Term) -> bool:
        """Compare two terms without assigning any metavariable that exists now."""
        mark = len(self.trail)
        self.level += 1
        try:
            if self._eq(a, b):
                return True
        finally:
            self.level -= 1
        self.undo(mark)
        return False

    # ---- the relation

    def _eq(self, a: Term, b: Term) -> bool:
        if a is b:
            return True
        if a.has_mvar:
            a = self.head_inst(a)
        if b.has_mvar:
            b = self.head_inst(b)
        if isinstance(a, Sort) and isinstance(b, Sort):
            return a.is_prop == b.is_prop or a is core.SORT or b is core.SORT
        if a == b:
            return True
        flex_a, flex_b = self._flex(a), self._flex(b)
        if flex_a is not None or flex_b is not None:
            return self._eq_flex(a, b, flex_a, flex_b)
        return self._eq_rigid(a, b)

    def _flex(self, term: Term) -> MVar | None:
        head = term.fn if isinstance(term, App) else term
        if isinstance(head, MVar):
            decl = self.mvars[head.id]
            if decl.kind != "opaque" and decl.level >= self.level:
                return head
        return None

    def _eq_flex(self, a: Term, b: Term, fa: MVar | None, fb: MVar | None) -> bool:
        args_a = a.args if isinstance(a, App) else ()
        args_b = b.args if isinstance(b, App) else ()
        if fa is not None and fb is not None:
            if fa == fb and len(args_a) == len(args_b) and self._try_args(args_a, args_b):
                return True
            first_a = self._prefer_left(fa, fb, bool(args_a), bool(args_b))
            order = ((fa, args_a, b), (fb, args_b, a)) if first_a else ((fb, args_b, a), (fa, args_a, b))
        elif fa is not None:
            order = ((fa, args_a, b),)  # type: ignore[assignment]
        else:
            assert fb is not None
            order = ((fb, args_b, a),)  # type: ignore[assignment]
        for mvar, args, value in order:
            mark = len(self.trail)
            if self._solve(mvar, args, value):
                return True
            self.undo(mark)
        return self._eq_flex_reduced(a, b, fa, fb)

    def _eq_flex_reduced(self, a: Term, b: Term, fa: MVar | None, fb: MVar | None) -> bool:
        """Try again with the rigid side reduced (it may lose the variable that stood in the way)."""
        if fa is not None and fb is not None:
            return False
        rigid = b if fa is not None else a
        new = self.whnf_core(rigid)
        if new is rigid or new == rigid:
            unfolded = self.unfold(rigid)
            if unfolded is None:
                return False
            new = unfolded
        return self._eq(a, new) if fa is not None else self._eq(new, b)

    def _prefer_left(self, fa: MVar, fb: MVar, has_a: bool, has_b: bool) -> bool:
        """Choose which of two metavariables to assign: without arguments, natural, and of the larger context."""
        da, db = self.mvars[fa.id], self.mvars[fb.id]
        if has_a != has_b:
            return has_b
        if (da.kind == "natural") != (db.kind == "natural"):
            return da.kind == "natural"
        size_a = -1 if da.lctx is None else da.lctx.depth
        size_b = -1 if db.lctx is None else db.lctx.depth
        return size_a >= size_b

    def _try_args(self, xs: Sequence[Term], ys: Sequence[Term]) -> bool:
        mark = len(self.trail)
        if all(self._eq(x, y) for x, y in zip(xs, ys, strict=True)):
            return True
        self.undo(mark)
        return False

    # ---- assignment

    def _solve(self, mvar: MVar, args: tuple[Term, ...], value: Term) -> bool:
        """Solve `?m args = value`."""
        decl = self.mvars[mvar.id]
        pattern = self._pattern_vars(decl, args)
        if pattern is None:
            return self._approximate(mvar, decl, args, value)
        mark = len(self.trail)
        value = self._inst(value)
        try:
            value = self._restrict(mvar, decl, pattern, value)
            if pattern:
                value = eta_reduce(self._function_of(mvar, decl, pattern, value))
        except _OutOfScope:
            self.undo(mark)
            return bool(args) and self._approximate(mvar, decl, args, value)
        if not self._same_type(decl, value):
            self.undo(mark)
            return bool(args) and self._approximate(mvar, decl, args, value)
        self.assign(mvar, value)
        return True

    def _function_of(self, mvar: MVar, decl: MVarDecl, fvars: tuple[FVar, ...], body: Term) -> Term:
        """Return `fun fvars => body` with binder types that make sense where `mvar` stands."""
        body = core.abstract(self._closable(body, fvars), fvars)
        for i in range(len(fvars) - 1, -1, -1):
            local = self.decls[fvars[i].id]
            type_ = self._restrict(mvar, decl, fvars[:i], self._closable(local.type, fvars[:i]))
            body = Lam(local.name, core.abstract(type_, fvars[:i]), body, local.info)
        return body

    def _pattern_vars(self, decl: MVarDecl, args: tuple[Term, ...]) -> tuple[FVar, ...] | None:
        """Return the arguments as distinct variables that are not in the metavariable's own context, or None."""
        found: list[FVar] = []
        for arg in args:
            arg = self.head_inst(arg)
            if not isinstance(arg, FVar):
                arg = eta_reduce(self._inst(arg))
            if not isinstance(arg, FVar) or arg in found:
                return None
            if self.in_context(self.decls[arg.id], decl.lctx):
                return None
            found.append(arg)
        return tuple(found)

    def _approximate(self, mvar: MVar, decl: MVarDecl, args: tuple[Term, ...], value: Term) -> bool:
        """Solve `?m args = value` where `args` is no pattern, or `value` says more than they allow."""
        mark = len(self.trail)
        if self._first_order(mvar, args, value):
            return True
        self.undo(mark)
        return decl.scope_args == len(args) and self._constant(mvar, decl, args, value)

    def _constant(self, mvar: MVar, decl: MVarDecl, args: tuple[Term, ...], value: Term) -> bool:
        """Take a function that ignores its arguments, as Lean does when these only stand for the scope of a hole."""
        value, type_ = self._inst(value), decl.type
        domains: list[Pi] = []
        for _ in args:
            type_ = self.whnf(type_)
            if not isinstance(type_, Pi) or type_.body.loose:
                return False
            domains.append(type_)
            type_ = type_.body
        mark = len(self.trail)
        try:
            body = self._restrict(mvar, decl, (), value)
            for domain in reversed(domains):
                body = Lam(domain.name, domain.type, body, domain.info)
        except _OutOfScope:
            self.undo(mark)
            return False
        if not self._same_type(decl, body):
            self.undo(mark)
            return False
        self.assign(mvar, body)
        return True

    def _first_order(self, mvar: MVar, args: tuple[Term, ...], value: Term) -> bool:
        """Unify `?m a₁ … aₙ` with `f b₁ … bₘ` by the trailing arguments."""
        value = self.whnf_core(value)
        if not isinstance(value, App):
            return False
        n, m = len(args), len(value.args)
        if n <= m:
            head = core.mk_app(value.fn, *value.args[: m - n])
            return self._eq(mvar, head) and self._try_args(args, value.args[m - n :])
        return self._eq(core.mk_app(mvar, *args[: n - m]), value.fn) and self._try_args(args[n - m :], value.args)

    def _restrict(self, mvar: MVar, decl: MVarDecl, extra: tuple[FVar, ...], value: Term) -> Term:
        """Check that `value` may be assigned; metavariables in it are narrowed to the context of `mvar`."""
        if not value.has_fvar and not value.has_mvar:
            return value

        def go(t: Term, depth: int) -> Term:
            if not t.has_fvar and not t.has_mvar:
                return t
            if isinstance(t, FVar):
                local = self.decls[t.id]
                if t in extra or self.in_context(local, decl.lctx):
                    return t
                if local.value is not None:
                    return go(self._inst(local.value), depth)
                raise _OutOfScope
            if isinstance(t, MVar):
                return self._narrow(mvar, decl, t)
            if isinstance(t, App):
                args = tuple([go(a, depth) if a.has_fvar or a.has_mvar else a for a in t.args])
                fn = go(t.fn, depth) if t.fn.has_fvar or t.fn.has_mvar else t.fn
                return beta(fn, args)
            return core.map_children(t, go, depth)

        return go(value, 0)

    def _narrow(self, mvar: MVar, decl: MVarDecl, other: MVar) -> Term:
        if other.id in self.assigned:
            return self._restrict(mvar, decl, (), self._inst(other))
        if other == mvar:
            raise _OutOfScope
        inner = self.mvars[other.id]
        if inner.delayed is not None and inner.delayed[1] == mvar:
            raise _OutOfScope
        if _is_prefix(inner.lctx, decl.lctx):
            return other
        if inner.kind == "opaque" or inner.level < self.level:
            raise _OutOfScope
        new = MVar(self._next)
        self._next += 1
        type_ = self._restrict(mvar, decl, (), self._inst(inner.type))
        self.mvars[new.id] = MVarDecl(type_, decl.lctx, inner.kind, inner.level, inner.span, inner.name)
        self.assign(other, new)
        return new

    def _same_type(self, decl: MVarDecl, value: Term) -> bool:
        expected = decl.type
        if isinstance(value, MVar):
            return self._eq(expected, self.mvars[value.id].type)
        if isinstance(expected, Sort):
            if expected is core.SORT:
                return True
            found = self.infer_type(value)
            if isinstance(found, Sort):
                return found.is_prop == expected.is_prop or found is core.SORT
            return self._eq(expected, found)
        saved, self.transparency = self.transparency, max(self.transparency, 2)
        try:
            return self._eq(expected, self.infer_type(value))
        finally:
            self.transparency = saved

    # ---- rigid terms

    def _eq_rigid(self, a: Term, b: Term) -> bool:
        if isinstance(a, Proof) or isinstance(b, Proof):
            return self._eq_proofs(a, b)
        new_a, new_b = self.whnf_core(a), self.whnf_core(b)
        if new_a is not a or new_b is not b:
            return self._eq(new_a, new_b)
        if isinstance(a, (Lam, Pi)) and type(a) is type(b):
            assert isinstance(b, (Lam, Pi))
            return self._eq_binding(a, b)
        if isinstance(a, Lam):
            return self._eq_eta(a, b)
        if isinstance(b, Lam):
            return self._eq_eta(b, a)
        verdict = self._eq_literals(a, b)
        if verdict is not None:
            return verdict
        mark = len(self.trail)
        if self._eq_heads(a, b):
            return True
        self.undo(mark)
        verdict = self._eq_unfold(a, b)
        if verdict is not None:
            return verdict
        return self._eq_last(a, b)

    def _eq_proofs(self, a: Term, b: Term) -> bool:
        return self._eq(self.infer_type(a), self.infer_type(b))

    def _eq_binding(self, a: Lam | Pi, b: Lam | Pi) -> bool:
        if not self._eq(a.type, b.type):
            return False
        if not a.body.loose and not b.body.loose:
            return self._eq(a.body, b.body)
        with self.scoped():
            x = self.local(a.name, a.type, a.info)
            return self._eq(subst(a.body, (x,)), subst(b.body, (x,)))

    def _eq_eta(self, lam: Lam, other: Term) -> bool:
        if isinstance(other, (Sort, Pi, Lit)):
            return False
        with self.scoped():
            x = self.local(lam.name, lam.type, lam.info)
            if self._eq(subst(lam.body, (x,)), core.mk_app(other, x)):
                return True
        new = self.unfold(other)
        return new is not None and self._eq(lam, new)

    def _eq_literals(self, a: Term, b: Term) -> bool | None:
        """Compare Nat literals with each other and with `n + k`; None when that does not decide."""
        if isinstance(a, Lit) and isinstance(b, Lit):
            return bool(a.value == b.value)
        la, lb = self.nat_literal(a), self.nat_literal(b)
        if la is not None and lb is not None:
            return la == lb
        if la is None and lb is None:
            return None
        lit, other = (la, b) if la is not None else (lb, a)
        assert lit is not None
        offset = self._offset(other)
        if offset is None:
            return None
        rest, k = offset
        return lit >= k and self._eq(rest, Lit(lit - k))

    def _offset(self, term: Term) -> tuple[Term, int] | None:
        """Read a Nat term as `rest + k` with k > 0."""
        fn, args = core.unfold_app(term)
        if not isinstance(fn, Const):
            return None
        if fn.name == "Nat.succ" and len(args) == 1:
            return args[0], 1
        if fn.name == "HAdd.hAdd" and len(args) == 6 and self.head_inst(args[0]) == NAT:
            k = self.nat_literal(args[5])
            return (args[4], k) if k else None
        return None

    def _eq_heads(self, a: Term, b: Term) -> bool:
        """Compare heads and arguments without unfolding."""
        if isinstance(a, App) and isinstance(b, App):
            if len(a.args) != len(b.args):
                return False
            if isinstance(a.fn, Const) and isinstance(b.fn, Const):
                return a.fn.name == b.fn.name and self._eq_const_args(a.fn, a.args, b.args)
            same = a.fn == b.fn if isinstance(a.fn, (FVar, MVar)) else self._eq(a.fn, b.fn)
            return same and self._try_args(a.args, b.args)
        if isinstance(a, Proj) and isinstance(b, Proj):
            return a.struct == b.struct and a.index == b.index and self._eq(a.target, b.target)
        if isinstance(a, Match) and isinstance(b, Match):
            return self._eq_match(a, b)
        if isinstance(a, Let) and isinstance(b, Let):
            return self._eq(subst(a.body, (a.value,)), subst(b.body, (b.value,)))
        return False

    def _eq_const_args(self, fn: Const, xs: tuple[Term, ...], ys: tuple[Term, ...]) -> bool:
        """Compare explicit arguments first: they decide most, and fix the implicit ones."""
        infos = self.binder_infos(fn.name)
        later: list[int] = []
        for i, (x, y) in enumerate(zip(xs, ys, strict=True)):
            if i < len(infos) and infos[i] != "explicit":
                later.append(i)
            elif not self._eq(x, y):
                return False
        return all(self._eq_instance(fn, xs[i], ys[i], infos[i] == "instance") for i in later)

    def _eq_instance(self, fn: Const, x: Term, y: Term, is_instance: bool) -> bool:
        if not is_instance:
            return self._eq(x, y)
        for side in (x, y):
            if side.has_mvar:
                pending = self.head_inst(side)
                head = pending.fn if isinstance(pending, App) else pending
                if isinstance(head, MVar):
                    self.solve_pending(head)
        # Two instances of `Decidable` decide the same proposition: Lean identifies them by `Subsingleton` lemmas in
        # proofs only, but in types they come from the same search.
        if self._eq(x, y):
            return True
        return fn.name in ("ite", "dite", "Decidable.decide")

    def binder_infos(self, name: str) -> tuple[core.BinderInfo, ...]:
        """Return the binder infos of a constant's type as written."""
        cache = self.env.caches.setdefault("infos", {})
        found: tuple[core.BinderInfo, ...] | None = cache.get(name)
        if found is None:
            constant = self.env.get(name)
            infos: list[core.BinderInfo] = []
            type_ = constant.type if constant is not None else core.TYPE
            while isinstance(type_, Pi):
                infos.append(type_.info)
                type_ = type_.body
            found = tuple(infos)
            cache[name] = found
        return found

    def _eq_match(self, a: Match, b: Match) -> bool:
        if len(a.discrs) != len(b.discrs) or len(a.alts) != len(b.alts):
            return False
        if not self._try_args(a.discrs, b.discrs):
            return False
        for x, y in zip(a.alts, b.alts, strict=True):
            if core.pattern_key(x.patterns) != core.pattern_key(y.patterns):
                return False
            with self.scoped():
                fresh = [self.local(n, core.TYPE) for n in x.names]
                if not self._eq(subst(x.body, fresh), subst(y.body, fresh)):
                    return False
        return True

    # ---- unfolding

    def _eq_unfold(self, a: Term, b: Term) -> bool | None:
        """Unfold the definition that stands higher; None when nothing unfolds."""
        new_a, new_b = self.unfold(a), self.unfold(b)
        if new_a is None and new_b is None:
            return None
        if new_a is not None and new_b is not None:
            height_a, height_b = self._height(a), self._height(b)
            if height_a > height_b:
                new_b = None
            elif height_b > height_a:
                new_a = None
        return self._eq(a if new_a is None else new_a, b if new_b is None else new_b)

    def _height(self, term: Term) -> int:
        fn = term.fn if isinstance(term, App) else term
        return self.const_height(fn.name) if isinstance(fn, Const) else 0

    def const_height(self, name: str) -> int:
        """Return how deep a definition stands on others (0 for what does not unfold)."""
        cache: dict[str, int] = self.env.caches.setdefault("heights", {})
        known = cache.get(name)
        if known is not None:
            return known
        cache[name] = 0
        constant: Constant | None = self.env.get(name)
        if constant is None or constant.value is None or constant.recursive:
            return 0
        best = 0
        for used in constants_of(constant.value):
            best = max(best, self.const_height(used))
        cache[name] = best + 1
        return best + 1

    def _eq_last(self, a: Term, b: Term) -> bool:
        """What is left: structure eta, stuck instances, unit-like types, proof irrelevance."""
        if self._eq_struct(a, b) or self._eq_struct(b, a):
            return True
        if self._unstick(a) or self._unstick(b):
            return self._eq(a, b)
        if self.stuck_matters and (isinstance(a, MVar) or isinstance(b, MVar)):
            raise StuckInstance
        if isinstance(a, (Sort, Pi, Lit)) or isinstance(b, (Sort, Pi, Lit)):
            return False
        if self.transparency <= INSTANCES and not (isinstance(a, FVar) or isinstance(b, FVar)):
            return False
        try:
            type_a = self.infer_type(a)
            if isinstance(type_a, Sort):
                return False
            if isinstance(type_a, Const) and type_a.name == "PUnit":
                return self._eq(type_a, self.infer_type(b))
            return self.is_prop(type_a) and self._eq(type_a, self.infer_type(b))
        except ElabError:
            return False

    def _eq_struct(self, a: Term, b: Term) -> bool:
        """Eta for structures: `a = C.mk b₁ … bₙ` when each projection of `a` is `bᵢ`."""
        fn = b.fn if isinstance(b, App) else b
        if not isinstance(fn, Const) or not isinstance(b, App):
            return False
        found = self.env.get(fn.name)
        if found is None or found.kind != "constructor":
            return False
        info = self.env.get_inductive(found.inductive)
        if info is None or not info.is_structure or len(b.args) != info.params + len(info.fields):
            return False
        if self.constructor_fields(a) is not None:
            return False
        type_a = self.whnf(self.infer_type(a))
        head, params = core.unfold_app(type_a)
        if not (isinstance(head, Const) and head.name == info.name):
            return False
        for i, field in enumerate(info.fields):
            projection = core.mk_app(Const(f"{info.name}.{field}"), *params, a)
            if not self._eq(projection, b.args[info.params + i]):
                return False
        return True

    def _unstick(self, term: Term) -> bool:
        """Solve the pending instance that keeps a projection from reducing; True when something was solved."""
        fn, args = core.unfold_app(term)
        if not isinstance(fn, Const):
            return False
        found = self.env.get(fn.name)
        if found is None or found.kind != "projection":
            return False
        info = self.env.get_inductive(found.inductive)
        if info is None or len(args) <= info.params:
            return False
        target = self.head_inst(args[info.params])
        if isinstance(target, MVar):
            return self.solve_pending(target)
        return self._unstick(target)

    def solve_pending(self, mvar: MVar) -> bool:
        """Try to solve one pending instance problem now."""
        raise NotImplementedError


def _is_prefix(inner: LocalDecl | None, outer: LocalDecl | None) -> bool:
    """Tell whether the context `inner` is part of `outer`."""
    if inner is None:
        return True
    while outer is not None and outer.depth > inner.depth:
        outer = outer.parent
    return outer is inner


def eta_reduce(term: Term) -> Term:
    """Reduce `fun x => f x` to `f` where `f` does not use x."""
    if not isinstance(term, Lam):
        return term
    body = eta_reduce(term.body)
    if isinstance(body, App) and isinstance(body.args[-1], core.BVar) and body.args[-1].index == 0:
        head = core.mk_app(body.fn, *body.args[:-1])
        if not _uses_bvar0(head):
            return subst(head, (core.TYPE,))
    return term


def _uses_bvar0(term: Term) -> bool:
    found = False

    def go(t: Term, depth: int) -> Term:
        nonlocal found
        if found or t.loose <= depth:
            return t
        if isinstance(t, core.BVar):
            found = t.index == depth
            return t
        return core.map_children(t, go, depth)

    go(term, 0)
    return found


def constants_of(term: Term) -> set[str]:
    """Return the names of the constants that occur in a term."""
    found: set[str] = set()

    def go(t: Term, depth: int) -> Term:
        if isinstance(t, Const):
            found.add(t.name)
        else:
            core.map_children(t, go, depth)
        return t

    go(term, 0)
    return found
