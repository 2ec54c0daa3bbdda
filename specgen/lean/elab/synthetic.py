"""Postponed problems: instances, coercions and whole terms, and the default instances that settle numerals."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal, TypeAlias

from specgen.lean import core
from specgen.lean.core import App, Const, MVar, Pi, Sort, Term
from specgen.lean.elab.context import ElabError, Postpone, ScopeProtocol
from specgen.lean.elab.instances import Instances
from specgen.lean.elab.show import Shower
from specgen.lean.elab.subst import subst
from specgen.lean.elab.unify import StuckInstance, constants_of
from specgen.lean.environment import Constant, Environment
from specgen.lean.syntax import Span
from specgen.lean.syntax import Term as Syntax

ProblemKind: TypeAlias = Literal["instance", "coe", "term"]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_PRIORITIES = (10000, 1000, 501, 500, 100)
_CLASS_PRIORITY = {"OfNat": 100, "Neg": 500, "OfScientific": 501}
_CORE_CLASSES = _words(
    """Decidable DecidableEq DecidablePred DecidableRel BEq HAdd HSub HMul HDiv HMod HPow Add Sub Mul Div Mod Neg Pow
    OfNat LT LE Ord Inhabited Nonempty ToString Repr Append HAppend Membership GetElem GetElem? Min Max Monad Functor
    Pure Bind Hashable Zero One NatCast Dvd ForIn HasSubset Union Inter SDiff EmptyCollection Insert OfScientific
    IntCast Coe CoeTail CoeOut CoeHead CoeFun CoeSort CoeT HOrElse HAnd HOr HXor Complement HShiftLeft HShiftRight"""
)
_CORE_TYPES = _words(
    """Nat Int Bool Char String List Array Option Prod Unit PUnit Eq Ne And Or Not Iff Exists LT.lt LE.le GT.gt GE.ge
    Membership.mem BEq.beq Sum Except Bool.true Bool.false List.nil List.cons List.length Array.size String.length
    OfNat.ofNat instOfNatNat HAdd.hAdd HSub.hSub HMul.hMul HDiv.hDiv HMod.hMod GetElem.getElem GetElem?.getElem?
    GetElem?.getElem! Option.some Option.none Prod.fst Prod.snd Prod.mk"""
)
_ALGEBRA = _words("HAdd HSub HMul HDiv HMod HPow Add Sub Mul Div Mod Neg Pow OfNat LT LE Min Max Zero One")


@dataclass(frozen=True, slots=True)
class Problem:
    """One postponed problem; `mvar` stands for its solution, in whose context it is to be solved."""

    kind: ProblemKind
    mvar: MVar
    span: Span
    stx: Syntax | None = None
    expected: Term | None = None
    value: Term | None = None
    what: str = ""


class Synthetic(Instances):
    """Adds postponement and `synthesize`."""

    def __init__(self, env: Environment, scope: ScopeProtocol, report: Callable[[ElabError], None]) -> None:
        super().__init__(env, scope, report)
        self.pending: tuple[Problem, ...] = ()
        self.may_postpone = True

    # ---- for later classes

    def coerce(self, value: Term, expected: Term) -> Term | None:
        """Coerce a value to a type; None when there is no coercion. Raises StuckInstance."""
        raise NotImplementedError

    def ensure_has_type(self, expected: Term | None, value: Term, span: Span) -> Term:
        """Return `value`, coerced when its type is not the expected one."""
        raise NotImplementedError

    def elab_core(self, stx: Syntax, expected: Term | None) -> Term:
        """Elaborate a term without catching Postpone."""
        raise NotImplementedError

    def mismatch(self, expected: Term, value: Term, span: Span, what: str = "") -> ElabError:
        """Make the error for a value of the wrong type."""
        raise NotImplementedError

    # ---- making problems

    def try_postpone(self) -> None:
        """Raise Postpone where that is still allowed."""
        if self.may_postpone:
            raise Postpone

    def try_postpone_if_open(self, type_: Term | None) -> None:
        """Raise Postpone when a type is missing or a metavariable, where that is still allowed."""
        if self.may_postpone and (type_ is None or self.is_open(type_)):
            raise Postpone

    def is_open(self, type_: Term) -> bool:
        """Tell whether the head of a type is an unassigned metavariable."""
        type_ = self.whnf_core(type_)
        head = type_.fn if isinstance(type_, App) else type_
        return isinstance(head, MVar)

    def postpone_term(self, stx: Syntax, expected: Term | None) -> MVar:
        """Make a metavariable for a term to be elaborated later."""
        type_ = expected if expected is not None else self.fresh_type(span=stx.span)
        mvar = self.fresh(type_, "opaque", span=stx.span)
        self.pending = (*self.pending, Problem("term", mvar, stx.span, stx=stx))
        return mvar

    def postpone_coe(self, value: Term, expected: Term, span: Span) -> MVar:
        """Make a metavariable for a coercion that cannot be decided yet."""
        mvar = self.fresh(expected, "opaque", span=span)
        self.pending = (*self.pending, Problem("coe", mvar, span, expected=expected, value=value))
        return mvar

    def instance_mvar(self, type_: Term, span: Span) -> MVar:
        """Make a metavariable for an instance and try to solve it at once; what is stuck becomes pending."""
        mvar = self.fresh(type_, "synthetic", span=span)
        self.queue_instance(mvar, span)
        return mvar

    def queue_instance(self, mvar: MVar, span: Span) -> None:
        """Try to solve an instance metavariable; what is stuck becomes pending."""
        problem = Problem("instance", mvar, span)
        if not self._solve_instance(problem):
            self.pending = (*self.pending, problem)

    @contextmanager
    def no_postponing(self) -> Iterator[None]:
        """Forbid postponement inside."""
        saved, self.may_postpone = self.may_postpone, False
        try:
            yield
        finally:
            self.may_postpone = saved

    @contextmanager
    def own_problems(self, mode: Literal["light", "default", "final"]) -> Iterator[None]:
        """Solve what was postponed inside before going on.

        `light` takes what is ready, `default` applies default instances as well, `final` leaves nothing open.
        """
        saved, self.pending = self.pending, ()
        try:
            yield
            self.synthesize(mode == "final")
            if mode == "default":
                self.use_defaults()
        finally:
            self.pending = saved + self.pending

    # ---- solving

    def synthesize(self, final: bool = False) -> None:
        """Solve what was postponed; in final mode what stays open is an ElabError."""
        while self.pending:
            if self._step(False):
                continue
            if not final:
                return
            with self.no_postponing():
                if self._step(True):
                    continue
            if self._use_defaults():
                continue
            with self.no_postponing():
                if self._step(False):
                    continue
            self._report_stuck()

    def use_defaults(self) -> None:
        """Solve what is ready, and apply default instances as long as that helps."""
        self.synthesize()
        while self._use_defaults():
            self.synthesize()

    def _step(self, postpone_on_error: bool) -> bool:
        todo, self.pending = self.pending, ()
        rest: list[Problem] = []
        for problem in todo:
            if not self._try(problem, postpone_on_error):
                rest.append(problem)
        self.pending = (*rest, *self.pending)
        return len(rest) != len(todo)

    def _try(self, problem: Problem, postpone_on_error: bool) -> bool:
        saved_lctx, saved_span = self.lctx, self.span
        self.lctx, self.span = self.mvars[problem.mvar.id].lctx, problem.span
        try:
            if problem.kind == "instance":
                return self._solve_instance(problem)
            if problem.kind == "coe":
                return self._solve_coe(problem)
            return self._resume(problem, postpone_on_error)
        finally:
            self.lctx, self.span = saved_lctx, saved_span

    def _solve_instance(self, problem: Problem) -> bool:
        mvar = problem.mvar
        type_ = self.instantiate_mvars(self.mvars[mvar.id].type)
        try:
            found = self.find_instance(type_)
        except StuckInstance:
            return False
        if found is None:
            raise self.missing_instance(type_, problem.span)
        current = self.head_inst(mvar)
        if current == mvar:
            self.assign(mvar, found)
            return True
        if self.is_defeq(current, found):
            return True
        if self._is_decidable(type_):
            return True
        raise ElabError(
            "type",
            "synthesized type class instance is not definitionally equal to expression inferred by typing rules, "
            f"synthesized\n  {self.show(found)}\ninferred\n  {self.show(current)}",
            problem.span,
        )

    def _is_decidable(self, type_: Term) -> bool:
        info = self.class_of(type_)
        return info is not None and info.name == "Decidable"

    def solve_pending(self, mvar: MVar) -> bool:
        """Try to solve one pending instance problem now."""
        if self.mvars[mvar.id].kind != "synthetic" or mvar.id in self.assigned:
            return False
        for problem in self.pending:
            if problem.kind == "instance":
                current = self.head_inst(problem.mvar)
                if (current.fn if isinstance(current, App) else current) == mvar:
                    return self._solve_now(problem, current)
        return False

    def _solve_now(self, problem: Problem, current: Term) -> bool:
        decl = self.mvars[problem.mvar.id]
        saved, level = self.lctx, self.level
        self.lctx, self.level = decl.lctx, decl.level
        try:
            found = self.synth_instance(decl.type)
            return found is not None and self.is_defeq(current, found)
        finally:
            self.lctx, self.level = saved, level

    def _solve_coe(self, problem: Problem) -> bool:
        assert problem.value is not None and problem.expected is not None
        value, expected = self.instantiate_mvars(problem.value), self.instantiate_mvars(problem.expected)
        if self.is_defeq(self.infer_type(value), expected):
            self.assign(problem.mvar, value)
            return True
        try:
            coerced = self.coerce(value, expected)
        except StuckInstance:
            return False
        if coerced is None:
            raise self.mismatch(expected, value, problem.span)
        self.assign(problem.mvar, coerced)
        return True

    def _resume(self, problem: Problem, postpone_on_error: bool) -> bool:
        assert problem.stx is not None
        mark, saved = self.mark(), self.pending
        expected = self.instantiate_mvars(self.mvars[problem.mvar.id].type)
        try:
            value = self.elab_core(problem.stx, expected)
            value = self.ensure_has_type(expected, value, problem.span)
        except Postpone:
            self.undo(mark)
            self.pending = saved
            return False
        except ElabError:
            if not postpone_on_error:
                raise
            self.undo(mark)
            self.pending = saved
            return False
        self.assign(problem.mvar, value)
        return True

    # ---- default instances

    def _use_defaults(self) -> bool:
        instances = [p for p in self.pending if p.kind == "instance"]
        if not instances:
            return False
        for priority in _PRIORITIES:
            for problem in instances:
                if self._use_default(problem.mvar, priority):
                    self.pending = tuple([p for p in self.pending if p is not problem])
                    return True
        return False

    def _use_default(self, mvar: MVar, priority: int) -> bool:
        current = self.head_inst(mvar)
        if not isinstance(current.fn if isinstance(current, App) else current, MVar):
            return False
        decl = self.mvars[mvar.id]
        info = self.class_of(self.instantiate_mvars(decl.type))
        if info is None:
            return False
        for constant in self.default_instances(info.name):
            have = _CLASS_PRIORITY.get(info.name, 1000)
            if have == priority and self._apply_default(mvar, constant):
                return True
        return False

    def default_instances(self, class_name: str) -> tuple[Constant, ...]:
        """Return the default instances of a class."""
        return self.env.library.default_instances(class_name)

    def _apply_default(self, mvar: MVar, constant: Constant) -> bool:
        mark, saved = self.mark(), self.lctx
        self.lctx = self.mvars[mvar.id].lctx
        try:
            args: list[Term] = []
            goals: list[MVar] = []
            type_ = constant.type
            while isinstance(type_, Pi):
                arg = self.fresh(subst(type_.type, args), "synthetic" if type_.info == "instance" else "natural")
                if type_.info == "instance":
                    goals.append(arg)
                args.append(arg)
                type_ = type_.body
            if self.is_defeq(mvar, core.mk_app(Const(constant.name), *args)) and self._settle(goals):
                return True
        finally:
            self.lctx = saved
        self.undo(mark)
        return False

    def _settle(self, goals: list[MVar]) -> bool:
        """Solve the instance arguments of a default instance, by further defaults where need be."""
        while goals:
            rest: list[MVar] = []
            for goal in goals:
                found = self.synth_instance(self.mvars[goal.id].type)
                if found is None or not self.is_defeq(goal, found):
                    rest.append(goal)
            if len(rest) == len(goals):
                chosen = next((g for p in _PRIORITIES for g in rest if self._use_default(g, p)), None)
                if chosen is None:
                    return False
                rest = [g for g in rest if g is not chosen]
            goals = rest
        return True

    # ---- errors

    def show(self, term: Term) -> str:
        """Render a term as Lean would, for messages."""
        return Shower(self).show(self.instantiate_mvars(term))

    def missing_instance(self, type_: Term, span: Span) -> ElabError:
        """Make the error for an instance that does not exist; `unsupported` where our table may just lack it."""
        type_ = self.instantiate_mvars(type_)
        known = self._is_charted(type_)
        what = "failed to synthesize"
        if self.env.lean.version >= (4, 25, 0):
            what = "failed to synthesize instance of type class"
        return ElabError("instance" if known else "unsupported", f"{what}\n  {self.show(type_)}", span)

    def _is_charted(self, goal: Term) -> bool:
        """Tell whether our table has every instance that Lean could use for a goal."""
        info = self.class_of(goal)
        if info is None:
            return False
        library = self.env.library
        if info.name in self.env.inductives:
            return not self._computes(goal)
        if info.name not in _CORE_CLASSES:
            return False
        if info.name == "OfNat" and self.env.instance_names.get("OfNat") and _large_literal(goal):
            return False
        for name in constants_of(goal):
            if name == info.name or name in self.env.constants or name in _CORE_TYPES:
                continue
            if library.constant(name) is not None and name.split(".")[0] in _CORE_TYPES and "." in name:
                continue
            if name.startswith("inst") or ".inst" in name or name in _CORE_CLASSES:
                continue
            return False
        if info.name == "GetElem?" and any(True for _ in self.env.instances("GetElem")) and self._own_collection(goal):
            return False
        if self.env.lean.mathlib and info.name in _ALGEBRA:
            return not self._has_algebra(goal)
        return True

    def _computes(self, goal: Term) -> bool:
        """Tell whether a class of the text is asked about a number that Lean might compute to fit an instance."""
        args = goal.args if isinstance(goal, App) else ()
        for arg in args:
            head = arg.fn if isinstance(arg, App) else arg
            constant = self.env.get(head.name) if isinstance(head, Const) else None
            if constant is None or constant.kind in ("inductive", "constructor"):
                continue
            if not isinstance(self.whnf(self.infer_type(arg)), Sort):
                return True
        return False

    def _own_collection(self, goal: Term) -> bool:
        """Tell whether a goal is about a type of the text that has a plain `GetElem` instance."""
        head, _ = core.unfold_app(goal.args[0] if isinstance(goal, App) else goal)
        return isinstance(head, Const) and head.name in self.env.constants

    def _has_algebra(self, goal: Term) -> bool:
        """Tell whether a goal is about pairs or functions, to which Mathlib lifts algebraic structure."""
        args = goal.args if isinstance(goal, App) else ()
        for arg in args:
            head = arg.fn if isinstance(arg, App) else arg
            if isinstance(arg, Pi) or (isinstance(head, Const) and head.name in ("Prod", "Set", "Option")):
                return True
        return False

    def _report_stuck(self) -> None:
        problem = self.pending[0]
        self.pending = ()
        self.lctx = self.mvars[problem.mvar.id].lctx
        type_ = self.instantiate_mvars(self.mvars[problem.mvar.id].type)
        if problem.kind == "coe":
            assert problem.value is not None and problem.expected is not None
            raise self.mismatch(problem.expected, problem.value, problem.span)
        if problem.kind == "instance" and _has_applied_mvar(type_):
            raise ElabError("unsupported", f"instance problem with dependent holes\n  {self.show(type_)}", problem.span)
        message = f"typeclass instance problem is stuck, it is often due to metavariables\n  {self.show(type_)}"
        if self.env.lean.version >= (4, 26, 0):
            message = f"typeclass instance problem is stuck\n  {self.show(type_)}"
        raise ElabError("type", message, problem.span)


def _large_literal(goal: Term) -> bool:
    """Tell whether a numeral is so large that instances for successors would be searched deeper than we go."""
    args = goal.args if isinstance(goal, App) else ()
    return any(isinstance(a, core.Lit) and isinstance(a.value, int) and a.value > 20 for a in args)


def _has_applied_mvar(term: Term) -> bool:
    """Tell whether a metavariable applied to arguments occurs in a term."""
    found = False

    def go(t: Term, _: int) -> Term:
        nonlocal found
        if t.has_mvar and not found:
            if isinstance(t, App) and isinstance(t.fn, MVar):
                found = True
            else:
                core.map_children(t, go)
        return t

    go(term, 0)
    return found
