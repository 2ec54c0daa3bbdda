"""Types of terms and weak head normal forms."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from specgen.lean import core
from specgen.lean.core import App, Const, FVar, Lam, Let, Lit, Match, MVar, Pi, Proj, Proof, Sort, Term
from specgen.lean.elab.context import ElabError, MetaContext
from specgen.lean.elab.subst import beta, subst
from specgen.lean.environment import Constant

REDUCIBLE, INSTANCES, DEFAULT = 0, 1, 2
NAT = Const("Nat")
STRING = Const("String")
_NAT_OPS: dict[str, Callable[[int, int], int]] = {
    "Nat.add": operator.add,
    "Nat.sub": lambda a, b: max(0, a - b),
    "Nat.mul": operator.mul,
    "Nat.div": lambda a, b: a // b if b else 0,
    "Nat.mod": lambda a, b: a % b if b else a,
    "Nat.pow": operator.pow,
}
_MAX_EXPONENT = 256
_MAX_STEPS = 4000


class IllTyped(Exception):  # noqa: N818
    """A term has no type; callers turn it into an ElabError where they know the place."""


class Whnf(MetaContext):
    """Adds `infer_type`, `whnf` and the tests for propositions."""

    transparency: int = DEFAULT
    steps: int = 0

    # ---- transparency

    @contextmanager
    def with_transparency(self, level: int) -> Iterator[None]:
        """Unfold only what `level` allows: 0 reducible, 1 instances too, 2 every definition."""
        saved = self.transparency
        self.transparency = level
        try:
            yield
        finally:
            self.transparency = saved

    # ---- types

    def infer_type(self, term: Term) -> Term:
        """Return the type of a well-typed term; raises ElabError when it has none."""
        if isinstance(term, App):
            return self._infer_app(term)
        if isinstance(term, Const):
            found = self.env.get(term.name)
            if found is None:
                raise ElabError("unsupported", f"unknown constant '{term.name}'", self.span)
            return found.type
        if isinstance(term, FVar):
            return self.decls[term.id].type
        if isinstance(term, MVar):
            return self.mvars[term.id].type
        return self._infer_other(term)

    def _infer_other(self, term: Term) -> Term:
        match term:
            case Lit():
                return NAT if isinstance(term.value, int) else STRING
            case Sort():
                return core.TYPE
            case Proof():
                return term.type
            case Match():
                return term.type
            case Lam():
                with self.scoped():
                    x = self.local(term.name, term.type, term.info)
                    return self.mk_pi((x,), self.infer_type(subst(term.body, (x,))))
            case Pi():
                return core.PROP if self.is_prop(term) else core.TYPE
            case Let():
                return self.infer_type(subst(term.body, (term.value,)))
            case Proj():
                return self._infer_proj(term)
            case _:
                raise IllTyped(repr(term))

    def _infer_proj(self, term: Proj) -> Term:
        info = self.env.get_inductive(term.struct)
        if info is None:
            raise IllTyped(repr(term))
        const = Const(f"{term.struct}.{info.fields[term.index]}")
        _, args = core.unfold_app(self.whnf(self.infer_type(term.target)))
        return self.infer_type(core.mk_app(const, *args[: info.params], term.target))

    def _infer_app(self, term: App) -> Term:
        ftype = self.infer_type(term.fn)
        args = term.args
        start = 0
        for i in range(len(args)):
            if ftype.__class__ is Pi:
                ftype = ftype.body
                continue
            ftype = self.whnf(subst(ftype, args[start:i]))
            start = i
            if ftype.__class__ is not Pi:
                raise ElabError("type", f"function expected: {term.fn!r}", self.span)
            ftype = ftype.body
        return subst(ftype, args[start:])

    def is_prop(self, term: Term) -> bool:
        """Tell whether a term is a proposition (its type is `Prop`)."""
        term = self.whnf_core(term)
        kind = term.__class__
        if kind is Pi:
            assert isinstance(term, Pi)
            body = term.body
            if body.loose:
                with self.scoped():
                    return self.is_prop(subst(body, (self.local(term.name, term.type, term.info),)))
            return self.is_prop(body)
        if kind is Sort or kind is Lit or kind is Lam:
            return False
        found = self.whnf(self.infer_type(term))
        return isinstance(found, Sort) and found.is_prop

    def is_proof(self, term: Term) -> bool:
        """Tell whether a term is a proof (its type is a proposition)."""
        kind = term.__class__
        if kind is Sort or kind is Pi or kind is Lit:
            return False
        type_ = self.infer_type(term)
        if type_.__class__ is Sort:
            return False
        return self.is_prop(type_)

    # ---- reduction

    def head_inst(self, term: Term) -> Term:
        """Replace an assigned metavariable at the head, reducing the application it stands in."""
        while True:
            if term.__class__ is MVar:
                value = self.assigned.get(term.id)
                if value is None:
                    return self._inst(term)
                term = value
            elif term.__class__ is App and term.fn.__class__ is MVar:
                assert isinstance(term, App)
                assert isinstance(term.fn, MVar)
                value = self.assigned.get(term.fn.id)
                if value is None:
                    if self.mvars[term.fn.id].delayed is None:
                        return term
                    new = self._inst_app(term)
                    if new == term:
                        return term
                    term = new
                else:
                    term = beta(value, term.args)
            else:
                return term

    def whnf_core(self, term: Term) -> Term:
        """Reduce at the head without unfolding definitions: beta, let, projections of constructors, matches."""
        while True:
            kind = term.__class__
            if kind is Const or kind is Pi or kind is Lam or kind is Sort or kind is Lit:
                return term
            new = self._app_step(term) if isinstance(term, App) else self._core_step(term)
            if new is None or new is term:
                return term
            term = new

    def _app_step(self, term: App) -> Term | None:
        fn = term.fn
        if isinstance(fn, Const):
            return None
        if isinstance(fn, Lam):
            return beta(fn, term.args)
        if isinstance(fn, MVar):
            return self.head_inst(term)
        new = self.whnf_core(fn)
        return None if new is fn else beta(new, term.args)

    def _core_step(self, term: Term) -> Term | None:
        match term:
            case MVar():
                return self.head_inst(term)
            case FVar():
                return self.decls[term.id].value
            case Let():
                return subst(term.body, (term.value,))
            case Proj():
                target = self.whnf(term.target)
                fields = self.constructor_fields(target)
                return fields[term.index] if fields is not None else None
            case Match():
                return self.reduce_match(term)
            case _:
                return None

    def constructor_fields(self, term: Term) -> tuple[Term, ...] | None:
        """Return the fields of a fully applied constructor, or None."""
        fn, args = core.unfold_app(term)
        if not isinstance(fn, Const):
            return None
        found = self.env.get(fn.name)
        if found is None or found.kind != "constructor":
            return None
        info = self.env.get_inductive(found.inductive)
        if info is None:
            return None
        return args[info.params :]

    def whnf(self, term: Term) -> Term:
        """Return the weak head normal form, unfolding what the transparency allows."""
        while True:
            term = self.whnf_core(term)
            new = self.unfold(term)
            if new is None:
                return term
            term = new

    def whnf_reducible(self, term: Term) -> Term:
        """Return the weak head normal form, unfolding only reducible definitions."""
        saved, self.transparency = self.transparency, REDUCIBLE
        try:
            return self.whnf(term)
        finally:
            self.transparency = saved

    def unfold(self, term: Term) -> Term | None:
        """Unfold the constant at the head one step, or return None."""
        if term.__class__ is App:
            fn, args = term.fn, term.args
        else:
            fn, args = term, ()
        if fn.__class__ is not Const:
            return None
        found = self.env.get(fn.name)
        if found is None:
            return None
        if found.kind == "projection":
            return self._unfold_projection(found, args)
        value = found.value
        if value is None:
            return self._fold_primitive(found.name, args) if args else None
        if not self.may_unfold(found):
            return None
        self._tick()
        if found.recursive:
            return self._unfold_recursive(found, args)
        return beta(value, args)

    def _tick(self) -> None:
        self.steps += 1
        if self.steps > _MAX_STEPS:
            raise ElabError("unsupported", "(deterministic) timeout at `whnf`", self.span)

    def may_unfold(self, constant: Constant) -> bool:
        """Tell whether the present transparency unfolds a definition."""
        if constant.kind != "def":
            return False
        if self.transparency == DEFAULT or constant.reducible:
            return True
        return self.transparency == INSTANCES and bool(constant.instance_of)

    def _unfold_projection(self, found: Constant, args: Sequence[Term]) -> Term | None:
        info = self.env.get_inductive(found.inductive)
        if info is None or len(args) <= info.params:
            return None
        if self.transparency == REDUCIBLE and not info.is_class:
            target = self.whnf_core(args[info.params])
        elif info.is_class and self.transparency == REDUCIBLE:
            with self.with_transparency(INSTANCES):
                target = self.whnf(args[info.params])
        else:
            target = self.whnf(args[info.params])
        fields = self.constructor_fields(target)
        if fields is None or found.index >= len(fields):
            return None
        return beta(fields[found.index], args[info.params + 1 :])

    def _unfold_recursive(self, found: Constant, args: Sequence[Term]) -> Term | None:
        """Unfold a recursive definition only when that leads past its own match (so that it ends)."""
        assert found.value is not None
        body = found.value
        arity = 0
        while isinstance(body, Lam):
            body = body.body
            arity += 1
        if len(args) < arity:
            return None
        new = self.whnf_core(beta(found.value, args))
        head, _ = core.unfold_app(new)
        if isinstance(head, Match) or (isinstance(head, Const) and head.name in ("ite", "dite", "cond")):
            return None
        return new

    def _fold_primitive(self, name: str, args: Sequence[Term]) -> Term | None:
        """Unfold what is a primitive of the table but a definition in Lean, where types come to depend on it."""
        if name == "String.length" and self.transparency == DEFAULT and self.env.lean.version < (4, 26, 0):
            return core.mk_app(Const("List.length"), Const("Char"), core.mk_app(Const("String.data"), args[0]))
        if name in ("Nat.sub", "Nat.add") and len(args) == 2:
            shifted = self._shift(name, args[0], args[1])
            if shifted is not None:
                return shifted
        if name in ("List.length", "Array.size") and len(args) == 2 and self.transparency == DEFAULT:
            return self._fold_length(args[1])
        return self._fold_literals(name, args)

    def _fold_length(self, term: Term) -> Term | None:
        """Compute the length of a list or array whose elements are all there."""
        n = 0
        while True:
            fn, args = core.unfold_app(self.whnf(term))
            name = fn.name if isinstance(fn, Const) else ""
            if name in ("List.toArray", "Array.mk") and len(args) == 2:
                term = args[1]
            elif name == "List.cons" and len(args) == 3:
                term, n = args[2], n + 1
            else:
                return Lit(n) if name == "List.nil" else None

    def _shift(self, name: str, left: Term, right: Term) -> Term | None:
        """Compute `(x + k) - n` for literals n ≤ k, and `x + 0`, as recursion on the second argument does."""
        n = self.nat_literal(right)
        if n == 0:
            return left
        if n is None or name != "Nat.sub":
            return None
        fn, args = core.unfold_app(self.whnf_core(left))
        if isinstance(fn, Const) and fn.name == "HAdd.hAdd" and len(args) == 6:
            k = self.nat_literal(args[5])
            if k is not None and k >= n:
                rest = args[4]
                return rest if k == n else core.mk_app(Const("Nat.add"), rest, Lit(k - n))
        return None

    def _fold_literals(self, name: str, args: Sequence[Term]) -> Term | None:
        if name == "Nat.succ" and len(args) == 1:
            n = self.nat_literal(args[0])
            return None if n is None else Lit(n + 1)
        op = _NAT_OPS.get(name)
        if op is None or len(args) != 2 or self.transparency < INSTANCES:
            return None
        a = self.nat_literal(self.whnf(args[0]))
        b = self.nat_literal(self.whnf(args[1])) if a is not None else None
        if a is None or b is None or (name == "Nat.pow" and b > _MAX_EXPONENT):
            return None
        return Lit(op(a, b))

    def nat_literal(self, term: Term) -> int | None:
        """Return the value of a Nat literal (raw, or through `OfNat.ofNat`, or `Nat.zero`)."""
        term = self.head_inst(term)
        if isinstance(term, Lit):
            return term.value if isinstance(term.value, int) else None
        fn, args = core.unfold_app(term)
        if not isinstance(fn, Const):
            return None
        if fn.name == "OfNat.ofNat" and len(args) == 3 and self.head_inst(args[0]) == NAT:
            lit = self.head_inst(args[1])
            return lit.value if isinstance(lit, Lit) and isinstance(lit.value, int) else None
        if fn.name == "Nat.zero":
            return 0
        return None

    # ---- matches

    def reduce_match(self, term: Match) -> Term | None:
        """Choose the alternative of a match when the discriminants decide it, else return None."""
        values = [self.whnf(d) for d in term.discrs]
        for alt in term.alts:
            found: list[Term] = []
            verdict: bool | None = True
            for pattern, value in zip(alt.patterns, values, strict=True):
                verdict = self._match_pattern(pattern, value, found)
                if not verdict:
                    break
            if verdict is None:
                return None
            if verdict:
                return subst(alt.body, found)
        return None

    def _match_pattern(self, pattern: core.Pattern, value: Term, found: list[Term]) -> bool | None:
        """Match one pattern: True with the values bound appended, False, or None when undecided."""
        match pattern:
            case core.PVar():
                found.append(value)
                return True
            case core.PWild():
                return True
            case core.PAs():
                found.append(value)
                return self._match_pattern(pattern.pattern, value, found)
            case core.PCtor():
                return self._match_ctor(pattern, self.whnf(value), found)
            case core.PSucc():
                n = self.nat_literal(self.whnf(value))
                if n is None:
                    return None
                if n < pattern.offset:
                    return False
                return self._match_pattern(pattern.pattern, Lit(n - pattern.offset), found)
            case core.PLit() if pattern.kind in ("Nat", "String"):
                reduced = self.whnf(value)
                lit: object = self.nat_literal(reduced)
                if isinstance(reduced, Lit):
                    lit = reduced.value
                return None if lit is None else bool(lit == pattern.value)
            case _:
                return None

    def _match_ctor(self, pattern: core.PCtor, value: Term, found: list[Term]) -> bool | None:
        n = self.nat_literal(value)
        if n is not None and pattern.name in ("Nat.zero", "Nat.succ"):
            if pattern.name == "Nat.zero":
                return n == 0
            return n > 0 and self._match_pattern(pattern.args[0], Lit(n - 1), found)
        fn, _ = core.unfold_app(value)
        fields = self.constructor_fields(value)
        if fields is None or not isinstance(fn, Const):
            return None
        if fn.name != pattern.name:
            return False
        for sub, field in zip(pattern.args, fields, strict=False):
            verdict = self._match_pattern(sub, field, found)
            if not verdict:
                return verdict
        return True
