"""What elaboration of terms stands on: errors, the scope's protocol, local variables, metavariables.

The public class is `TermElab` (`specgen.lean.elab.terms`), one instance a declaration. It is built as a chain of
classes, a module each, that starts with `MetaContext` here:

    MetaContext (context) → Whnf (whnf) → Unifier (unify) → Instances (instances) → Synthetic (synthetic)
    → Coercions (coerce) → AppElab (app) → OpElab (binop) → … → TermElab (terms)

A local context is a linked list of `LocalDecl`, innermost first; every metavariable remembers the one it may use.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias

from specgen.lean import core
from specgen.lean.core import FVar, MVar, Term
from specgen.lean.elab.subst import beta, subst
from specgen.lean.environment import Environment
from specgen.lean.source import DiagnosticKind, Severity
from specgen.lean.syntax import Binder, LetRec, Span
from specgen.lean.syntax import Term as Syntax

if TYPE_CHECKING:
    from specgen.lean.elab.terms import TermElab

BinderInfo: TypeAlias = core.BinderInfo
MVarKind: TypeAlias = Literal["natural", "synthetic", "opaque"]
"""`natural`: unification assigns it; `synthetic`: an instance to be found; `opaque`: left to its own problem."""


class ElabError(Exception):
    """A fault of one term. Kind `unsupported` means that we cannot tell, never that Lean refuses it."""

    def __init__(self, kind: DiagnosticKind, message: str, span: Span, severity: Severity = "error") -> None:
        super().__init__(message)
        self.kind: DiagnosticKind = kind
        self.message = message
        self.span = span
        self.severity: Severity = severity


class AutoBound(Exception):  # noqa: N818
    """An unknown identifier that Lean binds as an implicit variable; raised only while `TermElab.auto_bound` is set."""

    def __init__(self, name: str, span: Span) -> None:
        super().__init__(name)
        self.name = name
        self.span = span


class Postpone(Exception):  # noqa: N818
    """A term cannot be elaborated before more is known."""


class ScopeProtocol(Protocol):
    """Global names as the text sees them at one place."""

    def resolve(self, parts: tuple[str, ...], root: bool) -> list[tuple[str, tuple[str, ...]]]:
        """Return the constants that an identifier may mean, each with the components left over as field accesses."""
        ...

    def certainly_unknown(self, parts: tuple[str, ...]) -> bool:
        """Tell whether an identifier that does not resolve cannot exist in Lean either."""
        ...

    def is_open(self, namespace: str) -> bool:
        """Tell whether a namespace is open here (or is the current one)."""
        ...


class LocalDecl:
    """One local variable. `depth` is the number of declarations outside it."""

    __slots__ = ("depth", "fvar", "info", "name", "parent", "type", "value")

    def __init__(self, fvar: FVar, type: Term, info: BinderInfo, value: Term | None, parent: LocalDecl | None) -> None:
        self.fvar = fvar
        self.name = fvar.name
        self.type = type
        self.info: BinderInfo = info
        self.value = value
        self.parent = parent
        self.depth: int = 0 if parent is None else parent.depth + 1


class MVarDecl:
    """A metavariable: its type, the local context its value may use, and its kind.

    `delayed` is set for a metavariable that stands for `fun fvars => target` while `target` is still unsolved.
    `level` is the depth of instance search at which it was made: outer ones are not assigned by an inner search.
    `scope_args` is the number of leading arguments that stand for variables of the scope where it was first made.
    """

    __slots__ = ("delayed", "kind", "lctx", "level", "name", "scope_args", "span", "type")

    def __init__(
        self, type: Term, lctx: LocalDecl | None, kind: MVarKind, level: int, span: Span | None, name: str
    ) -> None:
        self.type = type
        self.lctx = lctx
        self.kind: MVarKind = kind
        self.level = level
        self.span = span
        self.name = name
        self.scope_args = 0
        self.delayed: tuple[tuple[FVar, ...], MVar] | None = None


LetRecHook: TypeAlias = "Callable[[TermElab, LetRec], list[tuple[str, Term, Term]]]"
"""Lifts the functions of a `let rec` to constants.

Called with the elaborator in the context of the `let rec`; returns for each function its local name, its type and the
term to use for it there (the constant applied to the variables it captures).
"""


class MetaContext:
    """Local variables, metavariables and their assignments, with undo."""

    def __init__(self, env: Environment, scope: ScopeProtocol, report: Callable[[ElabError], None]) -> None:
        self.env = env
        self.scope = scope
        self.report = report
        self.lctx: LocalDecl | None = None
        self.decls: dict[int, LocalDecl] = {}
        self.mvars: dict[int, MVarDecl] = {}
        self.assigned: dict[int, Term] = {}
        self.trail: list[int] = []
        self.level = 0
        self.span: Span = (0, 0)
        self.auto_bound: bool = False
        """Whether an unknown atomic identifier raises `AutoBound` (set by the reader of declaration headers)."""
        self.let_rec: LetRecHook | None = None
        self.open_classical: bool = False
        """Whether `Classical.propDecidable` is an instance here (`open Classical`, `open scoped Classical`)."""
        self.defining: str = ""
        """The constant whose value is elaborated (empty where it has none)."""
        self._next = 1
        self._delayed: dict[tuple[int, tuple[FVar, ...]], MVar] = {}

    # ---- to be completed by later classes of the chain

    def elab_term(self, stx: Syntax, expected: Term | None = None) -> Term:
        """Elaborate a term; `expected` guides, and need not be the type of the result (see `elab_term_ensuring`)."""
        raise NotImplementedError

    def elab_term_ensuring(self, stx: Syntax, expected: Term | None) -> Term:
        """Elaborate a term and coerce it to the expected type, or raise ElabError (type mismatch)."""
        raise NotImplementedError

    def elab_type(self, stx: Syntax) -> Term:
        """Elaborate a type or proposition (coercing to a sort where Lean does)."""
        raise NotImplementedError

    def elab_binders(self, binders: Sequence[Binder]) -> list[FVar]:
        """Elaborate binders, extending the local context; may raise AutoBound (the context is then unchanged)."""
        raise NotImplementedError

    def synthesize(self, final: bool = False) -> None:
        """Solve what was postponed; in final mode what stays open is an ElabError."""
        raise NotImplementedError

    def infer_type(self, term: Term) -> Term:
        """Return the type of a well-typed term."""
        raise NotImplementedError

    def whnf(self, term: Term) -> Term:
        """Return the weak head normal form, unfolding definitions."""
        raise NotImplementedError

    def is_defeq(self, a: Term, b: Term) -> bool:
        """Unify two terms; assignments stay only when it succeeds."""
        raise NotImplementedError

    def synth_instance(self, goal: Term) -> Term | None:
        """Find an instance of a class type, or None."""
        raise NotImplementedError

    # ---- local variables

    def local(self, name: str, type: Term, info: BinderInfo = "explicit", value: Term | None = None) -> FVar:
        """Declare a local variable in the current context."""
        fvar = FVar(self._next, name)
        self._next += 1
        self.lctx = LocalDecl(fvar, type, info, value, self.lctx)
        self.decls[fvar.id] = self.lctx
        return fvar

    def local_type(self, fvar: FVar) -> Term:
        """Return the type of a local variable."""
        return self.decls[fvar.id].type

    def lookup_local(self, name: str) -> LocalDecl | None:
        """Return the innermost local variable of that name."""
        decl = self.lctx
        while decl is not None:
            if decl.name == name:
                return decl
            decl = decl.parent
        return None

    @contextmanager
    def scoped(self) -> Iterator[None]:
        """Forget the local variables declared inside."""
        saved = self.lctx
        try:
            yield
        finally:
            self.lctx = saved

    @staticmethod
    def in_context(decl: LocalDecl, lctx: LocalDecl | None) -> bool:
        """Tell whether a local variable belongs to a context."""
        while lctx is not None and lctx.depth > decl.depth:
            lctx = lctx.parent
        return lctx is decl

    # ---- metavariables

    def fresh(self, type: Term, kind: MVarKind = "natural", name: str = "", span: Span | None = None) -> MVar:
        """Make a metavariable in the current context."""
        mvar = MVar(self._next)
        self._next += 1
        self.mvars[mvar.id] = MVarDecl(type, self.lctx, kind, self.level, span or self.span, name)
        return mvar

    def fresh_type(self, name: str = "", span: Span | None = None) -> MVar:
        """Make a metavariable for a type or proposition."""
        return self.fresh(core.SORT, name=name, span=span)

    def assign(self, mvar: MVar, value: Term) -> None:
        """Assign without any check; undone by `undo`."""
        self.assigned[mvar.id] = value
        self.trail.append(mvar.id)

    def mark(self) -> int:
        """Return a point to which `undo` can go back."""
        return len(self.trail)

    def undo(self, mark: int) -> None:
        """Take back every assignment made since `mark`."""
        trail = self.trail
        while len(trail) > mark:
            self.assigned.pop(trail.pop(), None)

    # ---- instantiation

    def instantiate_mvars(self, term: Term) -> Term:
        """Replace assigned metavariables by their values, with beta reduction where one stood at a head."""
        if not term.has_mvar:
            return term
        return self._inst(term)

    def _inst(self, term: Term) -> Term:
        if not term.has_mvar:
            return term
        kind = type(term)
        if kind is MVar:
            assert isinstance(term, MVar)
            value = self.assigned.get(term.id)
            if value is None:
                return self._inst_delayed(term, ())
            if value.has_mvar:
                value = self._inst(value)
            return value
        if kind is core.App:
            assert isinstance(term, core.App)
            return self._inst_app(term)
        return core.map_children(term, lambda t, _: self._inst(t))

    def _inst_app(self, term: core.App) -> Term:
        fn = term.fn
        args = tuple([self._inst(a) if a.has_mvar else a for a in term.args])
        if not fn.has_mvar:
            return core.App(fn, args)
        if isinstance(fn, MVar) and fn.id not in self.assigned:
            return self._inst_delayed(fn, args)
        head = self._inst(fn)
        return beta(head, args)

    def _inst_delayed(self, mvar: MVar, args: tuple[Term, ...]) -> Term:
        delayed = self.mvars[mvar.id].delayed
        if delayed is not None and len(args) >= len(delayed[0]):
            value = self._inst(delayed[1])
            if not value.has_mvar:
                n = len(delayed[0])
                body = subst(core.abstract(value, delayed[0]), args[:n])
                return beta(body, args[n:]) if len(args) > n else body
        return core.mk_app(mvar, *args)

    # ---- abstraction

    def mk_lambda(self, fvars: Sequence[FVar], body: Term) -> Term:
        """Return `fun fvars => body`; a variable with a value becomes a `let`."""
        return self._bind(fvars, body, core.Lam)

    def mk_pi(self, fvars: Sequence[FVar], body: Term) -> Term:
        """Return `(fvars) → body`; a variable with a value becomes a `let`."""
        return self._bind(fvars, body, core.Pi)

    def _bind(self, fvars: Sequence[FVar], body: Term, make: type[core.Lam] | type[core.Pi]) -> Term:
        if not fvars:
            return body
        body = core.abstract(self._closable(body, fvars), fvars)
        for i in range(len(fvars) - 1, -1, -1):
            decl = self.decls[fvars[i].id]
            outer = fvars[:i]
            type_ = core.abstract(self._closable(decl.type, outer), outer)
            if decl.value is None:
                body = make(decl.name, type_, body, decl.info)
            else:
                body = core.Let(decl.name, type_, core.abstract(self._closable(decl.value, outer), outer), body)
        return body

    def _closable(self, term: Term, fvars: Sequence[FVar]) -> Term:
        """Instantiate, and make every open metavariable that may use `fvars` a function of them."""
        if not term.has_mvar:
            return term
        term = self._inst(term)
        if not term.has_mvar or not fvars:
            return term
        swap: dict[int, Term] = {}
        for mvar in open_mvars(term):
            self._eliminate(mvar, fvars, swap)
        if swap:
            term = replace_mvars(term, swap)
        return self._inst(term)

    def _eliminate(self, mvar: MVar, fvars: Sequence[FVar], swap: dict[int, Term]) -> None:
        """Make `mvar` a function of those of `fvars` that it may use: by assignment, or delayed (then in `swap`)."""
        decl = self.mvars[mvar.id]
        inside = tuple([f for f in fvars if self.in_context(self.decls[f.id], decl.lctx)])
        if not inside:
            return
        plain = decl.kind != "opaque" and decl.delayed is None
        # As in Lean, only what has its own problem may come to depend on a variable with a value.
        used = tuple([f for f in inside if self.decls[f.id].value is None]) if plain else inside
        known = self._delayed.get((mvar.id, inside))
        if known is None:
            known = self._lifted_mvar(decl, inside, used)
            self._delayed[mvar.id, inside] = known
            if plain:
                self.assign(mvar, core.mk_app(known, *used))
                return
            inner, target = decl.delayed or ((), mvar)
            new_decl = self.mvars[known.id]
            new_decl.kind, new_decl.delayed = "opaque", ((*used, *inner), target)
        swap[mvar.id] = core.mk_app(known, *used)

    def _lifted_mvar(self, decl: MVarDecl, inside: tuple[FVar, ...], used: tuple[FVar, ...]) -> MVar:
        """Make a metavariable outside `inside` for functions of `used` to the type of `decl`."""
        new = MVar(self._next)
        self._next += 1
        new_decl = MVarDecl(core.TYPE, self.decls[inside[0].id].parent, decl.kind, decl.level, decl.span, decl.name)
        self.mvars[new.id] = new_decl
        dropped = [f for f in inside if f not in used]
        type_ = core.abstract(self._without(dropped, self._closable(decl.type, inside)), used)
        for i in range(len(used) - 1, -1, -1):
            local, outer = self.decls[used[i].id], used[:i]
            local_type = self._without(dropped, self._closable(local.type, inside))
            type_ = core.Pi(local.name, core.abstract(local_type, outer), type_)
        new_decl.type = type_
        new_decl.scope_args = decl.scope_args + len(used)
        return new

    def _without(self, fvars: Sequence[FVar], term: Term) -> Term:
        """Replace variables that have values by these, innermost first."""
        for f in reversed(fvars):
            value = self.decls[f.id].value
            if value is not None and term.has_fvar:
                term = subst(core.abstract(self._closable(term, fvars), (f,)), (self._closable(value, fvars),))
        return term


def open_mvars(term: Term) -> list[MVar]:
    """Return the metavariables that occur in a term, outermost first, without repetition."""
    found: dict[int, MVar] = {}

    def go(t: Term, _: int) -> Term:
        if t.has_mvar:
            if isinstance(t, MVar):
                found.setdefault(t.id, t)
            else:
                core.map_children(t, go)
        return t

    go(term, 0)
    return list(found.values())


def replace_mvars(term: Term, values: dict[int, Term]) -> Term:
    """Replace metavariables by terms without loose bound variables."""

    def go(t: Term, _: int) -> Term:
        if not t.has_mvar:
            return t
        if isinstance(t, MVar):
            return values.get(t.id, t)
        return core.map_children(t, go)

    return go(term, 0)
