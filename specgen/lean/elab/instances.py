"""Type class synthesis: depth-first search with backtracking, local instances first, closed goals cached."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from specgen.lean import core
from specgen.lean.core import App, Const, MVar, Pi, Proof, Term
from specgen.lean.elab.context import ElabError, LocalDecl, ScopeProtocol, open_mvars
from specgen.lean.elab.subst import subst
from specgen.lean.elab.unify import StuckInstance, Unifier, constants_of
from specgen.lean.elab.whnf import INSTANCES
from specgen.lean.environment import Constant, Environment, InductiveInfo

_MAX_DEPTH = 24
_MAX_TRIES = 6000
_DECIDABLE_ALIASES = ("DecidableEq", "DecidablePred", "DecidableRel", "DecidableLT", "DecidableLE")


_TYPE_ARGUMENT = {"Eq": 0, "LT.lt": 0, "LE.le": 0, "Membership.mem": 1, "HasSubset.Subset": 0, "Dvd.dvd": 0}
"""Relations by which instances of `Decidable` are sorted, and the argument that is the type they are about.

Methods among them count as rigid: Lean's index of instances does not look through them either.
"""


class _TooDeep(Exception):  # noqa: N818
    """The search gave up; the goal is neither solved nor refuted."""


class Instances(Unifier):
    """Adds `synth_instance`."""

    def __init__(self, env: Environment, scope: ScopeProtocol, report: Callable[[ElabError], None]) -> None:
        super().__init__(env, scope, report)
        self._tries = 0
        self._cut = False
        self._own_cache: dict[object, Term | None] = {}
        self._local_classes: dict[int, bool] = {}

    def class_of(self, type_: Term) -> InductiveInfo | None:
        """Return the class that a type is an instance goal of (under its own binders), or None."""
        while True:
            type_ = self.whnf_core(type_)
            if isinstance(type_, Pi):
                type_ = type_.body
                continue
            fn = type_.fn if isinstance(type_, App) else type_
            if not isinstance(fn, Const):
                return None
            info = self.env.get_inductive(fn.name)
            if info is not None:
                return info if info.is_class else None
            found = self.env.get(fn.name)
            if found is None or not found.reducible or found.value is None:
                return None
            new = self.unfold(type_)
            if new is None:
                return None
            type_ = new

    def synth_instance(self, goal: Term) -> Term | None:
        """Find an instance of a class type, or None when there is none or the goal is not yet known enough."""
        try:
            return self.find_instance(goal)
        except StuckInstance:
            return None

    def find_instance(self, goal: Term) -> Term | None:
        """Find an instance; None when there is none. Raises StuckInstance when metavariables stand in the way.

        Output parameters of the goal are unified with those of the instance found.
        """
        goal = self.instantiate_mvars(goal)
        mark = len(self.trail)
        saved = self.stuck_matters, self.transparency
        self.stuck_matters, self.transparency = True, INSTANCES
        outermost = self.level == 0
        if outermost:
            self._tries = 0
        self.level += 1
        try:
            found = self._first(self._open_outputs(goal), 0, ())
        except _TooDeep:
            found = None
        finally:
            self.level -= 1
            self.stuck_matters, self.transparency = saved
        if found is None:
            self.undo(mark)
            if goal.has_mvar and self._has_open_inputs(goal):
                raise StuckInstance
            return None
        if (goal.has_mvar or self._outputs_of(goal)) and not self._unify_outputs(goal, found):
            self.undo(mark)
            return None
        return found

    def _outputs_of(self, goal: Term) -> frozenset[int]:
        """Return the positions of output parameters among the arguments of a goal."""
        fn = goal.fn if isinstance(goal, App) else goal
        info = self.env.get_inductive(fn.name) if isinstance(fn, Const) else None
        return info.out_params if info is not None else frozenset()

    def _open_outputs(self, goal: Term) -> Term:
        """Replace the output parameters of a goal by metavariables of the search."""
        outputs = self._outputs_of(goal)
        if not outputs or not isinstance(goal, App):
            return goal
        args: list[Term] = []
        ftype = self.infer_type(goal.fn)
        for i, arg in enumerate(goal.args):
            assert isinstance(ftype, Pi)
            args.append(self.fresh(subst(ftype.type, args)) if i in outputs else arg)
            ftype = ftype.body
        return App(goal.fn, tuple(args))

    def _has_open_inputs(self, goal: Term) -> bool:
        """Tell whether an input (not an output parameter) of the goal has an open metavariable."""
        goal = self.whnf_core(goal)
        while isinstance(goal, Pi):
            goal = goal.body
        info = self.class_of(goal)
        args = goal.args if isinstance(goal, App) else ()
        return info is None or any(a.has_mvar for i, a in enumerate(args) if i not in info.out_params)

    def _unify_outputs(self, goal: Term, found: Term) -> bool:
        """Unify the goal with the type of what was found (this is what fixes output parameters)."""
        return self.is_defeq(goal, self.infer_type(found))

    # ---- search

    def _first(self, goal: Term, depth: int, stack: tuple[Term, ...]) -> Term | None:
        """Return the first solution of a goal, with its assignments in force."""
        closed = not goal.has_mvar
        key: object = None
        if not closed and depth == 0:
            inputs = self._closed_inputs(goal)
            if inputs is not None:
                return self._first_by_inputs(goal, inputs)
        cache: dict[object, Term | None] = {}
        if closed:
            local = self._local_instances()
            key = (goal, tuple([d.fvar.id for d in local]))
            cache = self._cache(goal, bool(local))
            if key in cache:
                return cache[key]
        if goal in stack:
            self._cut = True
            return None
        outer_cut, self._cut = self._cut, False
        result: Term | None = None
        for solution in self._solutions(goal, depth, (*stack, goal)):
            result = solution
            break
        if closed and (result is not None or not self._cut):
            cache[key] = result
        self._cut = self._cut or outer_cut
        return result

    def _closed_inputs(self, goal: Term) -> tuple[Term, ...] | None:
        """Return the inputs of a goal when they are closed (its outputs being open), else None."""
        outputs = self._outputs_of(goal)
        if not outputs or not isinstance(goal, App):
            return None
        inputs = tuple([a for i, a in enumerate(goal.args) if i not in outputs])
        return None if any(a.has_mvar for a in inputs) else inputs

    def _first_by_inputs(self, goal: Term, inputs: tuple[Term, ...]) -> Term | None:
        assert isinstance(goal, App)
        local = self._local_instances()
        key = (goal.fn, inputs, tuple([d.fvar.id for d in local]))
        cache = self._cache(App(goal.fn, inputs), bool(local))
        if key in cache:
            return cache[key]
        self._cut = False
        result = next(self._solutions(goal, 0, (goal,)), None)
        if (result is None and not self._cut) or (result is not None and not result.has_mvar):
            cache[key] = result
        return result

    def _cache(self, goal: Term, local: bool) -> dict[object, Term | None]:
        """Return the cache for a closed goal: of the environment, or of this declaration if it has local variables."""
        if goal.has_fvar or local:
            return self._own_cache
        return self.lasting_cache(f"instances {self.open_classical}", goal)

    def lasting_cache(self, kind: str, *terms: Term) -> dict[Any, Any]:
        """Return a cache for what instances make of closed terms.

        It outlives the text where neither its instances nor its constants have a part in the answer.
        """
        if self._loading():
            return self._own_cache
        own = self.env.instance_names
        if not own and all(self.env.constants.keys().isdisjoint(constants_of(t)) for t in terms):
            found: dict[Any, Any] = self._shared_caches().setdefault(f"shared {kind}", {})
        else:
            count = sum(len(v) for v in own.values())
            found = self.env.caches.setdefault(f"{kind} {count}", {})
        return found

    def _solutions(self, goal: Term, depth: int, stack: tuple[Term, ...]) -> Iterator[Term]:
        """Yield solutions one by one, each with its assignments in force until the next is asked for."""
        if depth > _MAX_DEPTH:
            self._cut = True
            return
        goal = self.whnf_reducible(goal)
        if isinstance(goal, Pi):
            with self.scoped():
                x = self.local(goal.name, goal.type, "instance" if self.class_of(goal.type) else "explicit")
                for solution in self._solutions(subst(goal.body, (x,)), depth, stack):
                    yield self.mk_lambda((x,), solution)
            return
        fn, args = core.unfold_app(goal)
        if not isinstance(fn, Const):
            return
        info = self.env.get_inductive(fn.name)
        if info is None or not info.is_class:
            return
        inputs = [i for i in range(len(args)) if i not in info.out_params]
        reduced = tuple([self._indexed(a) if i in inputs else a for i, a in enumerate(args)])
        first = self._rigid_head(self.head_inst(reduced[inputs[0]])) if inputs else None
        for type_, value, shape in self._candidates(info, inputs[0] if inputs else 0, first):
            if shape is not None and self._mismatch(info, shape, reduced, inputs):
                continue
            self._tries += 1
            if self._tries > _MAX_TRIES:
                raise _TooDeep
            mark = len(self.trail)
            yield from self._apply(type_, value, args, info, depth, stack)
            self.undo(mark)

    def _candidates(
        self, info: InductiveInfo, place: int, head: str | None
    ) -> Iterator[tuple[Term, Term, tuple[str | None, ...] | None]]:
        """Yield instances of a class: type, term, and the shape of its conclusion for a quick test.

        `head` is the head of the argument at `place` of the goal: instances made for another are left out.
        """
        for decl in self._local_instances():
            found = self.class_of(decl.type)
            if found is not None and found.name == info.name:
                yield decl.type, decl.fvar, None
        yield from self._global_candidates(info, place, head)
        if info.name == "Decidable" and self.open_classical:
            yield self._classical()

    def _global_candidates(
        self, info: InductiveInfo, place: int, head: str | None
    ) -> list[tuple[Term, Term, tuple[str | None, ...] | None]]:
        """Return the declared instances of a class in the order of Lean's index: those made for a type come first."""
        own = self.env.instance_names
        count = len(own.get(info.name, ()))
        if info.name == "Decidable":
            count += sum(len(own.get(a, ())) for a in _DECIDABLE_ALIASES)
        caches = self.env.caches if count or info.name in self.env.inductives else self._shared_caches()
        cache = caches.setdefault("candidates", {})
        key = (info.name, count, head)
        found: list[tuple[Term, Term, tuple[str | None, ...] | None]] | None = cache.get(key)
        if found is None:
            constants = list(self.env.instances(info.name))
            if info.name == "Decidable":
                names = {c.name for c in constants}
                for alias in _DECIDABLE_ALIASES:
                    constants.extend(c for c in self.env.instances(alias) if c.name not in names)
            found = [
                (c.type, Const(c.name), self._shape(c, info)) for c in constants if c.name != "Classical.propDecidable"
            ]
            found.sort(key=lambda f: () if f[2] is None else tuple([h is None for h in f[2]]))
            if head is not None:
                found = [
                    f for f in found if f[2] is None or len(f[2]) <= place or f[2][place] is None or f[2][place] == head
                ]
            if not self._loading():
                cache[key] = found
        return found

    def _loading(self) -> bool:
        """Tell whether the library is elaborating a chunk: what it then says of instances is not the whole."""
        return bool(getattr(self.env.library, "_busy", None))

    def _classical(self) -> tuple[Term, Term, None]:
        decidable = core.mk_app(Const("Decidable"), core.BVar(0))
        return Pi("p", core.PROP, decidable), core.Lam("p", core.PROP, Proof(decidable)), None

    def _local_instances(self) -> list[LocalDecl]:
        """Return the local variables whose type is a class, innermost first."""
        found: list[LocalDecl] = []
        known = self._local_classes
        decl = self.lctx
        while decl is not None:
            flag = known.get(decl.fvar.id)
            if flag is None:
                head = decl.type.fn if isinstance(decl.type, App) else decl.type
                flag = isinstance(head, (Const, Pi)) and self.class_of(decl.type) is not None
                known[decl.fvar.id] = flag
            if flag:
                found.append(decl)
            decl = decl.parent
        return found

    def _shape(self, constant: Constant, info: InductiveInfo) -> tuple[str | None, ...] | None:
        """Return the head constants of the conclusion's arguments (None where it is a variable or may unfold)."""
        caches = self.env.caches if constant.name in self.env.constants else self._shared_caches()
        cache: dict[str, tuple[str | None, ...] | None] = caches.setdefault("shapes", {})
        if constant.name in cache:
            return cache[constant.name]
        type_ = constant.type
        while isinstance(type_, Pi):
            type_ = type_.body
        fn, args = core.unfold_app(type_)
        shape: tuple[str | None, ...] | None = None
        if isinstance(fn, Const) and fn.name == info.name:
            shape = tuple([self._rigid_head(a) for a in args])
            if info.name == "Decidable":
                shape = (shape[0], self._about(args[0]))
        elif isinstance(fn, Const) and fn.name == "DecidableEq":
            shape = ("Eq", self._rigid_head(args[0]))
        cache[constant.name] = shape
        return shape

    def _indexed(self, term: Term) -> Term:
        """Reduce an input of a goal as far as its head matters to the choice of candidates."""
        while True:
            term = self.whnf_core(term)
            fn = term.fn if isinstance(term, App) else term
            if not isinstance(fn, Const) or fn.name in _TYPE_ARGUMENT:
                return term
            found = self.env.get(fn.name)
            if found is None or not found.reducible or found.kind == "projection":
                return self.whnf_reducible(term)
            new = self.unfold(term)
            if new is None:
                return term
            term = new

    def _shared_caches(self) -> dict[str, Any]:
        """Return the caches of the library's own environment, which outlive a text."""
        shared: Environment | None = getattr(self.env.library, "env", None)
        return self.env.caches if shared is None else shared.caches

    def _about(self, prop: Term) -> str | None:
        """Return the head of the type that a comparison or membership is about."""
        fn, args = core.unfold_app(prop)
        place = _TYPE_ARGUMENT.get(fn.name) if isinstance(fn, Const) else None
        return self._rigid_head(self.head_inst(args[place])) if place is not None and place < len(args) else None

    def _rigid_head(self, term: Term) -> str | None:
        """Return the name of a head constant that no reducible unfolding changes."""
        fn = term.fn if isinstance(term, App) else term
        if isinstance(fn, core.Sort):
            return "Prop" if fn.is_prop else "Type"
        if isinstance(fn, Pi):
            return "∀"
        if not isinstance(fn, Const):
            return None
        if fn.name in _TYPE_ARGUMENT:
            return fn.name
        found = self.env.get(fn.name)
        if found is None or found.reducible or found.kind == "projection" or fn.name.startswith("Nat.succ"):
            return None
        return fn.name if found.kind in ("inductive", "opaque", "def") else None

    def _mismatch(
        self, info: InductiveInfo, shape: tuple[str | None, ...], args: tuple[Term, ...], inputs: list[int]
    ) -> bool:
        if info.name == "Decidable" and len(shape) == 2 and shape[1] is not None:
            have = self._about(self.head_inst(args[0]))
            if have is not None and have != shape[1]:
                return True
        for i in inputs:
            want = shape[i] if i < len(shape) else None
            if want is not None:
                have = self._rigid_head(self.head_inst(args[i]))
                if have is not None and have != want:
                    return True
        return False

    def _apply(
        self,
        type_: Term,
        value: Term,
        goal_args: tuple[Term, ...],
        info: InductiveInfo,
        depth: int,
        stack: tuple[Term, ...],
    ) -> Iterator[Term]:
        """Try one instance: unify its conclusion with the goal, then solve its own instance arguments."""
        made: list[MVar] = []
        pending: list[MVar] = []
        base = 0
        while True:
            if not isinstance(type_, Pi):
                type_ = self.whnf_reducible(subst(type_, made[base:]))
                base = len(made)
                if not isinstance(type_, Pi):
                    break
            mvar = self.fresh(subst(type_.type, made[base:]))
            made.append(mvar)
            if type_.info == "instance":
                pending.append(mvar)
            type_ = type_.body
        _, concl_args = core.unfold_app(type_)
        if len(concl_args) != len(goal_args):
            return
        for i, (want, have) in enumerate(zip(goal_args, concl_args, strict=True)):
            if i not in info.out_params and not self._eq(have, want):
                return
        for _ in self._solve_all(pending, depth, stack):
            if not self._outputs_agree(goal_args, concl_args, info):
                continue
            result = self.instantiate_mvars(core.mk_app(value, *made))
            if result.has_mvar and any(m.id not in self.assigned for m in made):
                continue
            yield result

    def _outputs_agree(self, goal_args: tuple[Term, ...], concl_args: tuple[Term, ...], info: InductiveInfo) -> bool:
        """Unify output parameters where the goal's are the search's own (the outermost goal's are unified later)."""
        for i in info.out_params:
            want, have = goal_args[i], concl_args[i]
            head = self.head_inst(want)
            if isinstance(head, MVar) and self.mvars[head.id].level < self.level:
                continue
            if want.has_mvar and any(
                self.mvars[m.id].level < self.level for m in open_mvars(self.instantiate_mvars(want))
            ):
                continue
            if not self._eq(have, want):
                return False
        return True

    def _solve_all(self, goals: list[MVar], depth: int, stack: tuple[Term, ...]) -> Iterator[None]:
        """Solve instance arguments, those with known inputs first; yields once for each joint solution."""
        goals = [g for g in goals if g.id not in self.assigned]
        if not goals:
            yield None
            return
        types = [self.instantiate_mvars(self.mvars[g.id].type) for g in goals]
        pick = next((i for i, t in enumerate(types) if not t.has_mvar), None)
        if pick is None:
            pick = next((i for i, t in enumerate(types) if not self._has_open_inputs(t)), 0)
        goal, rest = goals[pick], goals[:pick] + goals[pick + 1 :]
        if not types[pick].has_mvar:
            solution = self._first(types[pick], depth + 1, stack)
            if solution is not None and self._eq(goal, solution):
                yield from self._solve_all(rest, depth, stack)
            return
        if types[pick] in stack:
            self._cut = True
            return
        for solution in self._solutions(types[pick], depth + 1, (*stack, types[pick])):
            mark = len(self.trail)
            if self._eq(goal, solution):
                yield from self._solve_all(rest, depth, stack)
            self.undo(mark)
