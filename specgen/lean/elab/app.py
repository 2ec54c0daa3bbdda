"""Applications: implicit, named and default arguments, propagation of the expected type, missing arguments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from specgen.lean import core, syntax
from specgen.lean.core import App, Const, FVar, MVar, Pi, Sort, Term
from specgen.lean.elab.coerce import Coercions
from specgen.lean.elab.context import ElabError
from specgen.lean.elab.subst import subst
from specgen.lean.elab.whnf import IllTyped
from specgen.lean.parser import parse_term
from specgen.lean.syntax import Span

AUTOMATIC: Final = "specgen.automatic"
"""Stands in a default value for `by exact e`, applied to the text of `e`."""

Arg = Term | syntax.Term
"""An argument: a core term already elaborated, or syntax."""


@dataclass(slots=True)
class Args:
    """The arguments of one application: positional, named, `@`, `..`."""

    positional: list[Arg] = field(default_factory=list)
    named: list[tuple[str, Arg, Span]] = field(default_factory=list)
    explicit: bool = False
    ellipsis: bool = False

    @property
    def empty(self) -> bool:
        """Whether there is no argument."""
        return not self.positional and not self.named


class AppElab(Coercions):
    """Adds `apply`: elaboration of one function applied to arguments."""

    def apply(self, fn: Term, args: Args, expected: Term | None, span: Span, out_support: bool = True) -> Term:
        """Apply a function to arguments as Lean's `elabAppArgs`.

        `out_support` is off for operators: then no default instance settles a result type that an instance is to give.
        """
        if args.empty and not args.explicit and not isinstance(fn, Const):
            type_ = self.whnf_core(self.infer_type(fn))
            if not isinstance(type_, (Pi, Const)):
                return fn
        return _Application(self, fn, args, expected, span, out_support).run()

    def apply_terms(self, name: str, args: Sequence[Arg], expected: Term | None, span: Span) -> Term:
        """Apply a constant to explicit arguments, inserting implicit ones."""
        return self.apply(Const(name), Args(list(args)), expected, span)

    def elab_arg(self, arg: Arg, expected: Term, span: Span) -> Term:
        """Elaborate one argument against its type."""
        if isinstance(arg, Term):
            return self.ensure_has_type(expected, arg, span)
        return self.elab_term_ensuring(arg, expected)

    def gives_result(self, fn: Term, position: int) -> bool:
        """Tell whether a parameter is the result type and an output of an instance (`elem` of `GetElem.getElem`)."""
        if not isinstance(fn, Const):
            return False
        cache: dict[tuple[str, int], bool] = self.env.caches.setdefault("outputs", {})
        key = (fn.name, position)
        known = cache.get(key)
        if known is None:
            constant = self.env.get(fn.name)
            known = constant is not None and self._gives_result(constant.type, position)
            cache[key] = known
        return known

    def _gives_result(self, type_: Term, position: int) -> bool:
        found = False
        depth = 0
        while isinstance(type_, Pi):
            if depth > position and type_.info == "instance" and not found:
                head, args = core.unfold_app(type_.type)
                info = self.env.get_inductive(head.name) if isinstance(head, Const) else None
                wanted = core.BVar(depth - position - 1)
                found = info is not None and any(args[i] == wanted for i in info.out_params if i < len(args))
            type_ = type_.body
            depth += 1
        return found and type_ == core.BVar(depth - position - 1)

    def default_of(self, fn: Term, position: int, given: Sequence[Term]) -> Term | None:
        """Return the default value of a parameter of a constant, over the arguments before it."""
        if isinstance(fn, core.FVar):
            # A local function stands for a constant applied to the variables that it captures.
            value = self.decls[fn.id].value
            fn, captured = core.unfold_app(value) if value is not None else (fn, ())
            position, given = position + len(captured), (*captured, *given)
        if not isinstance(fn, Const):
            return None
        constant = self.env.get(fn.name)
        if constant is None or not constant.defaults:
            return None
        for index, value in constant.defaults:
            if index == position:
                body = value
                n = 0
                while n < len(given) and isinstance(body, core.Lam):
                    body = body.body
                    n += 1
                return subst(body, given[:n])
        return None


class _Application:
    """The state of one application being elaborated."""

    def __init__(
        self, elab: AppElab, fn: Term, args: Args, expected: Term | None, span: Span, out_support: bool
    ) -> None:
        self.elab = elab
        self.head, given = core.unfold_app(fn)
        self.fn = fn
        self.given: list[Term] = list(given)
        self.type = elab.infer_type(fn)
        self.args = list(args.positional)
        self.named = list(args.named)
        self.explicit = args.explicit
        self.ellipsis = args.ellipsis
        self.expected = expected
        self.span = span
        self.propagate = expected is not None
        self.out_support = out_support and not args.explicit
        self.out_result: MVar | None = None
        self.instances: list[MVar] = []
        self.eta: list[FVar] = []
        self.saved_lctx = elab.lctx

    # ---- the main loop

    def run(self) -> Term:
        elab = self.elab
        try:
            while True:
                type_ = elab.whnf_core(self.type)
                if not isinstance(type_, Pi):
                    type_ = elab.whnf(type_) if self.args or self.named else elab.whnf_reducible(type_)
                if not isinstance(type_, Pi):
                    if not self.args and not self.named:
                        return self.finish()
                    self.coerce_head()
                    continue
                self.type = type_
                if not self.step(type_):
                    return self.finish()
        finally:
            elab.lctx = self.saved_lctx

    def step(self, binder: Pi) -> bool:
        """Process one parameter; False when the application ends before it."""
        for i, (name, arg, _) in enumerate(self.named):
            if name == binder.name:
                del self.named[i]
                self.add(self.elab.elab_arg(arg, binder.type, self.span))
                return True
        if self.explicit and binder.info == "instance" and self.args and _is_hole(self.args[0]):
            self.args.pop(0)  # `_` for an instance is still searched for under `@`; `(_)` is not
        elif self.explicit or binder.info == "explicit":
            return self.explicit_param(binder)
        if binder.info == "instance":
            mvar = self.elab.fresh(binder.type, "synthetic", binder.name, self.span)
            self.instances.append(mvar)
            self.add(mvar)
            return True
        if binder.info == "strict" and not self.args and not self.named:
            return False
        mvar = self.elab.fresh(binder.type, "natural", binder.name, self.span)
        if self.out_support and self.elab.gives_result(self.head, len(self.given)):
            self.out_result, self.propagate = mvar, False
        self.add(mvar)
        return True

    def automatic(self, default: Term, expected: Term) -> Term:
        """Return a default value; that of `by exact e` is elaborated here, against the type it has here."""
        fn, args = core.unfold_app(default)
        if not (isinstance(fn, Const) and fn.name == AUTOMATIC and isinstance(args[0], core.Lit)):
            return default
        parsed = parse_term(str(args[0].value))
        if parsed.term is None:
            raise ElabError("unsupported", "a default value given by a tactic", self.span)
        return self.elab.elab_arg(parsed.term, expected, self.span)

    def add(self, arg: Term) -> None:
        """Add an argument and go on to the rest of the function's type."""
        assert isinstance(self.type, Pi)
        self.given.append(arg)
        self.type = subst(self.type.body, (arg,))

    def explicit_param(self, binder: Pi) -> bool:
        if self.args:
            arg = self.args.pop(0)
            self.propagate_expected(arg, binder)
            if binder.type.has_mvar and self.instances:
                self.early_instances()
            span = self.span if isinstance(arg, Term) else arg.span
            assert isinstance(self.type, Pi)
            self.add(self.elab.elab_arg(arg, self.type.type, span))
            return True
        if self.ellipsis:
            self.add(self.elab.fresh(binder.type, "natural", binder.name, self.span))
            return True
        default = None
        if not self.explicit:
            default = self.elab.default_of(self.head, len(self.given), self.given)
        if default is not None:
            self.add(self.automatic(default, binder.type))
            return True
        if not self.named:
            return False
        if self.named_depends():
            self.add(self.elab.fresh(binder.type, "natural", binder.name, self.span))
            return True
        if not self.has_named():
            return False
        x = self.elab.local(binder.name, binder.type)
        self.eta.append(x)
        self.add(x)
        return True

    def has_named(self) -> bool:
        """Whether some named argument still has its parameter ahead; if not, the first one is an error."""
        names = set()
        type_: Term = self.type
        while isinstance(type_, Pi):
            names.add(type_.name)
            type_ = type_.body
        for name, _, span in self.named:
            if name not in names:
                raise self.bad_name(name, span)
        return True

    def named_depends(self) -> bool:
        """Whether the type of the parameter of some named argument mentions the present parameter."""
        assert isinstance(self.type, Pi)
        type_: Term = self.type.body
        depth = 0
        names = {n for n, _, _ in self.named}
        while isinstance(type_, Pi):
            if type_.name in names and _mentions(type_.type, depth):
                return True
            type_ = type_.body
            depth += 1
        return False

    def bad_name(self, name: str, span: Span) -> ElabError:
        shown = self.elab.show(self.head)
        head = "Invalid" if self.elab.env.lean.version >= (4, 23, 0) else "invalid"
        return ElabError("type", f"{head} argument name '{name}' for function '{shown}'", span)

    # ---- the expected type

    def propagate_expected(self, arg: Arg, binder: Pi) -> None:
        """Unify the expected type with the result type before the first argument that is syntax is elaborated."""
        if not self.propagate or self.eta or isinstance(arg, (Term, syntax.Hole, syntax.By)):
            return
        elab = self.elab
        assert self.expected is not None
        expected = elab.head_inst(self.expected)
        if isinstance(expected, Sort) and expected.is_prop:
            self.propagate = False
            return
        body = self.result_type(binder, len(self.args) + 1)
        if body is None or body.loose:
            return
        self.try_instances()
        if elab.is_defeq(expected, body):
            self.propagate = False

    def result_type(self, binder: Pi, remaining: int) -> Term | None:
        """Return the type after the remaining explicit arguments, or None when there are too many."""
        names = {n for n, _, _ in self.named}
        type_: Term = binder
        depth = 0
        position = len(self.given)
        while isinstance(type_, Pi):
            if type_.name in names or (type_.info != "explicit" and not self.explicit):
                pass
            elif remaining > 0:
                remaining -= 1
            elif self.elab.default_of(self.head, position, self.given) is None:
                break
            type_ = type_.body
            depth += 1
            position += 1
        if remaining > 0:
            return None
        return _drop(type_, depth)

    def try_instances(self) -> None:
        """Find the instances that are ready; the others wait."""
        elab = self.elab
        rest: list[MVar] = []
        for instance in self.instances:
            if instance.id not in elab.assigned:
                found = elab.synth_instance(elab.mvars[instance.id].type)
                if found is None:
                    rest.append(instance)
                    continue
                elab.assign(instance, found)
        self.instances = rest

    def early_instances(self) -> None:
        """Find instances whose inputs are known: their outputs may type the next argument."""
        elab = self.elab
        for instance in self.instances:
            if instance.id in elab.assigned:
                continue
            type_ = elab.instantiate_mvars(elab.mvars[instance.id].type)
            info = elab.class_of(type_)
            if info is None or not info.out_params or elab._has_open_inputs(type_):
                continue
            found = elab.synth_instance(type_)
            if found is not None:
                elab.assign(instance, found)

    # ---- the end

    def finish(self) -> Term:
        elab = self.elab
        if self.named:
            name, _, span = self.named[0]
            raise self.bad_name(name, span)
        term = core.mk_app(self.head, *self.given)
        type_ = self.type
        if self.eta:
            term, type_ = elab.mk_lambda(self.eta, term), elab.mk_pi(self.eta, type_)
            elab.lctx = self.saved_lctx
        if self.out_result is not None:
            self.solve_instances()
            if elab.head_inst(type_) == self.out_result:
                elab.use_defaults()
            return term
        if self.expected is not None:
            self.try_instances()
            elab.is_defeq(self.expected, type_)
        self.solve_instances()
        return term

    def solve_instances(self) -> None:
        """Solve the instance arguments, or leave them pending."""
        for instance in self.instances:
            self.elab.queue_instance(instance, self.span)
        self.instances = []

    def coerce_head(self) -> None:
        """Turn what has been applied so far into a function, for the arguments left over."""
        elab = self.elab
        if self.named and not self.args:
            name, _, span = self.named[0]
            raise self.bad_name(name, span)
        term = core.mk_app(self.head, *self.given)
        self.solve_instances()
        elab.synthesize()
        type_ = elab.whnf(self.type)
        if isinstance(type_, Pi):
            self.type = type_
            return
        if isinstance(type_, MVar) or (isinstance(type_, App) and isinstance(type_.fn, MVar)):
            elab.try_postpone()
            if isinstance(type_, MVar):
                domain = elab.fresh_type()
                codomain = elab.fresh_type()
                arrow = Pi("a", domain, codomain)
                if elab.is_defeq(type_, arrow):
                    self.type = arrow
                    return
        fn = elab.coerce_to_function(term)
        if fn is None:
            raise self.not_a_function(term)
        self.head, given = core.unfold_app(fn)
        self.given = list(given)
        self.type = elab.infer_type(fn)

    def not_a_function(self, term: Term) -> ElabError:
        elab = self.elab
        try:
            shown = elab.show(elab.infer_type(term))
        except IllTyped:
            shown = "?"
        if elab.env.lean.version >= (4, 23, 0):
            message = f"Function expected at\n  {elab.show(term)}\nbut this term has type\n  {shown}"
        else:
            message = f"function expected\n  {elab.show(term)}\nterm has type\n  {shown}"
        return ElabError("type", message, self.span)


def _mentions(term: Term, index: int) -> bool:
    """Tell whether a loose bound variable occurs in a term."""
    found = False

    def go(t: Term, depth: int) -> Term:
        nonlocal found
        if found or t.loose <= depth:
            return t
        if isinstance(t, core.BVar):
            found = t.index == depth + index
            return t
        return core.map_children(t, go, depth)

    go(term, 0)
    return found


def _drop(type_: Term, depth: int) -> Term | None:
    """Take a type out of `depth` binders; None when it mentions one of them."""
    if not type_.loose:
        return type_
    if any(_mentions(type_, i) for i in range(depth)):
        return None
    return core.instantiate(type_, [core.TYPE] * depth)


def _is_hole(arg: Arg) -> bool:
    return isinstance(arg, syntax.Hole) and not arg.name
