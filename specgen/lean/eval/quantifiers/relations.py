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

    def solutions(self, *known: Any) -> list[tuple[Any, ...]]:
        """Return the values of the open indices, a tuple each (one empty tuple when none is open and it holds)."""
        charge(1)
        try:
            k: Hashable = key(known)
        except Unknown:
            k = None
        if k is not None and k in self.remembered:
            return self.remembered[k]
        if self.body is None:
            self._compile()
        assert self.body is not None  # noqa: S101 - compiled just now
        frame: Frame = [*known, {}, *[None] * (self.size - len(known) - 1)]
        self.body(frame)
        found = list(frame[len(known)].values())
        if k is not None:
            if len(self.remembered) >= _MAX_REMEMBERED:
                self.remembered.clear()
            self.remembered[k] = found
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
