"""Inductive predicates: `R a b` by search for a derivation, and the values of arguments that are still unknown.

Soundness. `R a₁ … aₙ` holds exactly when some constructor's conclusion is `R a₁ … aₙ` for some values of its variables
that make its premises true. The search over these variables is a search like any other: complete, or `Unknown`. It
calls itself for premises that are of the same predicate; where that does not end, the limits end it (`Unknown`). So an
answer is reached only along finite derivations, or after all of them have been excluded. With some arguments left open
the same search lists their values, which is a generator for a variable that stands there.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, Final

from specgen.lean import core
from specgen.lean.core import Const, FVar, Pi, Term, mk_app
from specgen.lean.elab.subst import subst
from specgen.lean.environment import InductiveInfo
from specgen.lean.eval import logic, nodes
from specgen.lean.eval.compile import Compiler, Scope
from specgen.lean.eval.nodes import Code, Frame
from specgen.lean.eval.quantifiers.literals import Literal, expose
from specgen.lean.eval.quantifiers.search import Generator, Search, State
from specgen.lean.eval.runtime import Unknown, charge
from specgen.lean.eval.values import key

_MAX_REMEMBERED: Final = 20_000
_MAX_NAMELESS: Final = 1_000


class _Question:
    """A question with the answers found so far; `oldest` is the place of the oldest open one that it depends on."""

    __slots__ = ("asked", "found", "number", "oldest", "round")

    def __init__(self) -> None:
        self.number = -1
        self.oldest = -1
        self.asked = False
        self.round = -1
        self.found: dict[Hashable, tuple[Any, ...]] = {}


class Circle:
    """The questions that are being answered, the oldest first, and the number of the round."""

    __slots__ = ("grown", "nameless", "nameless_open", "open", "round", "waiting")

    def __init__(self) -> None:
        self.open: list[_Question] = []
        self.waiting: list[tuple[_Question, dict[Hashable, list[tuple[Any, ...]]], Hashable]] = []
        self.round = 0
        self.grown = 0
        self.nameless = self.nameless_open = 0

    def depend(self, on: int) -> None:
        """Note that everything younger than an open question depends on it."""
        for later in self.open[on:]:
            later.oldest = min(later.oldest, on)


class Relation:
    """An inductive predicate in one mode: `given` says of each index whether its value is known."""

    def __init__(self, c: Compiler, info: InductiveInfo, given: tuple[bool, ...]) -> None:
        self.c = c
        self.info = info
        self.given = given
        self.kept: tuple[bool, ...] = c.types.relevance(_constant(c, info.name))[: info.params]
        self.body: Code | None = None
        self.size = 0
        self.remembered: dict[Hashable, list[tuple[Any, ...]]] = {}
        self.unfinished: dict[Hashable, _Question] = {}

    def solutions(self, *known: Any) -> list[tuple[Any, ...]]:
        """Return the values of the open indices, a tuple each (one empty tuple when none is open and it holds)."""
        charge(1)
        try:
            k: Hashable = key(known)
        except Unknown:
            k = None
        if self.body is None:
            self._compile()
        if self.c.circle is None:
            self.c.circle = Circle()
        circle: Circle = self.c.circle
        if k is None:
            return self._nameless(circle, known)
        if k in self.remembered:
            return self.remembered[k]
        question = self.unfinished.setdefault(k, _Question())
        if question.number >= 0 or question.round == circle.round:
            question.asked = True
            circle.depend(question.number if question.number >= 0 else question.oldest)
            return list(question.found.values())
        return self._answer(circle, k, question, known)

    def _nameless(self, circle: Circle, known: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        """Search where a value cannot be recognised when it comes up again: only so often."""
        circle.nameless += 1
        depth = circle.nameless_open
        circle.nameless_open += 1
        try:
            if circle.nameless > _MAX_NAMELESS:
                raise Unknown("undecided", "a predicate of a free value that leads to itself")
            return list(self._round(known).values())
        finally:
            circle.nameless_open = depth
            if depth == 0:
                circle.nameless = 0

    def _answer(
        self, circle: Circle, k: Hashable, question: _Question, known: tuple[Any, ...]
    ) -> list[tuple[Any, ...]]:
        """Search, again and again when it is the oldest of a circle."""
        question.number = question.oldest = len(circle.open)
        circle.open.append(question)
        question.asked = finished = False
        waiting = len(circle.waiting)
        try:
            while True:
                before = circle.grown
                self._grow(circle, question, known)
                sure = bool(question.found) and all(self.given)
                if sure or question.oldest < question.number or not question.asked or circle.grown == before:
                    break
                circle.round += 1
            finished = True
        finally:
            if not finished:
                circle.round += 1
            del circle.open[question.number :]
            question.number = -1
        found = list(question.found.values())
        if not sure and question.oldest < len(circle.open):
            for other, _, _ in circle.waiting[waiting:]:
                other.oldest = min(other.oldest, question.oldest)
            question.round = circle.round
            circle.waiting.append((question, self.remembered, k))
            return found
        if question.asked:
            self._close(circle, sure)
        del self.unfinished[k]
        if len(self.remembered) >= _MAX_REMEMBERED:
            self.remembered.clear()
        self.remembered[k] = found
        return found

    def _close(self, circle: Circle, sure: bool) -> None:
        """Remember what the questions of a finished circle found in its last round."""
        at = len(circle.open)
        while circle.waiting and circle.waiting[-1][0].oldest >= at:
            question, remembered, k = circle.waiting.pop()
            if question.round == circle.round and not sure:
                remembered[k] = list(question.found.values())
        circle.round += 1

    def _grow(self, circle: Circle, question: _Question, known: tuple[Any, ...]) -> None:
        before = len(question.found)
        question.found.update(self._round(known))
        circle.grown += len(question.found) - before

    def _round(self, known: tuple[Any, ...]) -> dict[Hashable, tuple[Any, ...]]:
        """Search once, with what is known so far of the questions that are open."""
        assert self.body is not None  # noqa: S101 - compiled by the caller
        frame: Frame = [*known, {}, *[None] * (self.size - len(known) - 1)]
        self.body(frame)
        found: dict[Hashable, tuple[Any, ...]] = frame[len(known)]
        return found

    def holds(self, *known: Any) -> bool:
        """Decide it, when all indices are given."""
        return bool(self.solutions(*known))

    def _compile(self) -> None:
        c, scope = self.c, Scope()
        params, rest = c.types.telescope(_constant(c, self.info.name).type, self.info.params)
        indices, _ = c.types.telescope(rest)
        for x, keep in zip(params, self.kept, strict=True):
            if keep:
                scope.bind(x)
            else:
                c.erased_vars.add(x.id)
        known = [x if g else None for x, g in zip(indices, self.given, strict=True)]
        for index in known:
            if index is not None:
                scope.bind(index)
        results = scope.fresh()
        codes = [self._constructor(scope, name, params, known, results) for name in self.info.constructors]
        out: Code = nodes.constant(False)
        for code in reversed(codes):
            out = logic.disj(code, out)
        self.size = scope.size
        self.body = out

    def _constructor(self, scope: Scope, name: str, params: list[FVar], known: list[FVar | None], results: int) -> Code:
        c = self.c
        type_: Term = _constant(c, name).type
        for x in params:
            type_ = subst(type_.body, (x,)) if isinstance(type_, Pi) else type_
        variables: list[FVar] = []
        premises: list[Literal] = []
        while isinstance(type_, Pi):
            if c.types.is_proposition(type_.type):
                premises.append(Literal(type_.type))
                type_ = subst(type_.body, (core.Proof(type_.type),))
                continue
            x = c.types.local(type_.name, type_.type)
            if c.types.erased(type_.type):
                c.erased_vars.add(x.id)
            else:
                variables.append(x)
            type_ = subst(type_.body, (x,))
        _, args = core.unfold_app(type_)
        ends = args[self.info.params :]
        equations: list[Literal] = []
        outputs: list[Term] = []
        for end, index in zip(ends, known, strict=True):
            if index is None:
                outputs.append(end)
            else:
                equations.append(Literal(mk_app(Const("Eq"), c.types.local_type(index), end, index)))
        search = Search(c, scope)
        search.enumerating = bool(outputs)

        def finish() -> Code:
            codes = tuple([c.code(t, scope) for t in outputs])

            def run(fr: Frame) -> Any:
                values = tuple([code(fr) for code in codes])
                fr[results].setdefault(key(values), values)
                return not values

            return run

        search.finish = finish
        return search.solve(variables, [*equations, *premises])


def _constant(c: Compiler, name: str) -> Any:
    found = c.env.get(name)
    if found is None:
        raise Unknown("unsupported", f"the constant {name}")
    return found


def relation(c: Compiler, name: str, given: tuple[bool, ...]) -> Relation | None:
    """Return an inductive predicate in a mode, or None for what is not one that can be searched."""
    found = c.relations.get((name, given))
    if isinstance(found, Relation):
        return found
    info = c.env.get_inductive(name)
    if info is None or not info.is_prop or not info.constructors or name not in c.env.constants:
        return None
    made = Relation(c, info, given)
    c.relations[name, given] = made
    return made


def compile_relation(c: Compiler, name: str, args: tuple[Term, ...], scope: Scope) -> Code | None:
    """Compile a full application of an inductive predicate of the text."""
    info = c.env.get_inductive(name)
    if info is None or len(args) != info.params + info.indices:
        return None
    found = relation(c, name, (True,) * info.indices)
    if found is None:
        return None
    kept = [a for a, keep in zip(args, found.kept, strict=False) if keep]
    codes = [c.code(a, scope) for a in (*kept, *args[info.params :])]
    return nodes.call_python(found.holds, codes)


def propose(search: Search, x: FVar, s: State) -> list[Generator]:
    """Propose the values of x that a predicate with known other arguments allows."""
    ids = s.ids
    out: list[Generator] = []
    for lit in s.literals:
        if not lit.positive or not search.mentions(lit.term, (x.id,)):
            continue
        name, args, _ = expose(search.c, lit.term)
        name = name.removeprefix("@")
        info = search.c.env.get_inductive(name) if name else None
        if info is None or not info.is_prop or len(args) != info.params + info.indices:
            continue
        indices = args[info.params :]
        if any(search.mentions(a, ids) for a in args[: info.params]):
            continue
        given = tuple([not search.mentions(a, ids) for a in indices])
        open_ = [a for a, g in zip(indices, given, strict=True) if not g]
        if x not in open_ or not any(given):
            continue
        found = relation(search.c, name, given)
        if found is not None:
            out.append(Generator(36, _values(search, found, args, open_.index(x))))
    return out


def _values(search: Search, found: Relation, args: tuple[Term, ...], at: int) -> Code:
    params = [a for a, keep in zip(args, found.kept, strict=False) if keep]
    indices = args[found.info.params :]
    inputs = [*params, *[a for a, g in zip(indices, found.given, strict=True) if g]]
    codes = tuple([search.c.code(a, search.scope) for a in inputs])
    return lambda fr: [row[at] for row in found.solutions(*[code(fr) for code in codes])]
