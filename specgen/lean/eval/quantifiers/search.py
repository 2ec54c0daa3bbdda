"""The planner: turns a conjunction of literals over variables into nested loops.

A plan binds one variable after the other. For each the rules propose *generators*: code for the candidates of a
variable in terms of what is bound already. Soundness: a generator must give every value for which its literal can hold
(more do no harm), so that a search through its candidates that finds nothing proves that there is nothing. Literals are
checked as soon as their variables are bound, in the order in which they were written, with three-valued conjunction: an
unknown literal is outweighed by a false one. A plan with no generator for some variable tries a bounded number of
candidates, and can then only find, never exclude.

When no rule has a generator, a literal is opened: a nested quantifier gives its variable and its literals, a definition
its body, a disjunction its cases (each case is a search of its own).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final

from specgen.lean.core import Const, FVar, Term, abstract, instantiate, mk_app
from specgen.lean.eval import logic, nodes
from specgen.lean.eval.compile import Compiler, Scope
from specgen.lean.eval.nodes import CAUGHT, Code, Frame, is_fatal
from specgen.lean.eval.quantifiers.literals import (
    Literal,
    Variables,
    alternatives,
    as_term,
    conjuncts,
    quantified,
    unfolded,
)
from specgen.lean.eval.runtime import METER, Unknown, refill

_MAX_CASES: Final = 48
_LAST_RANKS: Final = 50
"""From here on a rule is tried after a variable has been replaced by its parts."""


@dataclass(frozen=True, slots=True)
class Generator:
    """Candidates for a variable.

    `code` gives an iterable, or None where the rule does not apply at run time (the next generator is tried). `rank`
    orders the proposals, the cheapest first. `complete` is false when the candidates need not cover every solution.
    `settles` lists the literals that every candidate makes true. `total` says that the code never gives None. `covers`
    is false when the candidates have some solution if there is any, but need not have all of them.
    """

    rank: int
    code: Code
    complete: bool = True
    settles: tuple[Literal, ...] = ()
    total: bool = True
    covers: bool = True


@dataclass(frozen=True, slots=True)
class Unpack:
    """The value of a term of known variables must have a shape; `test` puts the parts of it into slots."""

    value: Code
    test: Callable[[Any, Frame], bool]
    variables: tuple[FVar, ...]


@dataclass(slots=True)
class State:
    """What is left to plan: variables without a value yet, literals not yet checked."""

    unbound: list[FVar]
    literals: list[Literal]
    cases: int = 1
    narrowed: bool = False

    @property
    def ids(self) -> frozenset[int]:
        """The ids of the unbound variables."""
        return frozenset([x.id for x in self.unbound])


def _found() -> Code:
    return nodes.constant(True)


class Search:
    """Plans one search; `scope` is where its code runs."""

    def __init__(self, c: Compiler, scope: Scope) -> None:
        self.c = c
        self.scope = scope
        self.variables = Variables()
        self.finish: Callable[[], Code] = _found
        """Makes the code for a solution, once all variables have slots; a code that gives False goes on to the next."""
        self.enumerating = False
        """Whether all solutions are wanted: rules that merely keep one of them are not used then."""
        self.brief = False
        """Whether only a few samples are to be tried, before z3 is asked about all variables at once."""
        self.open_ids: frozenset[int] = frozenset()
        """The variables without a value at the point for which rules are asked (a slot may be left from elsewhere)."""
        self.conditional = False
        """Set by the rule of bounds when one of its bounds may turn out to be none."""

    def mentions(self, term: Term, ids: Iterable[int]) -> bool:
        """Tell whether a term mentions one of the variables."""
        found = self.variables.of(term)
        return any(i in found for i in ids)

    def solve(self, unbound: list[FVar], literals: list[Literal]) -> Code:
        """Return code that is True when some values of the variables make all literals true, False when none do."""
        flat: list[Literal] = []
        for lit in literals:
            flat.extend(conjuncts(self.c, lit))
        return self.plan(State(unbound, flat))

    # ---- planning

    def plan(self, s: State) -> Code:
        """Return code for what is left."""
        ids = s.ids
        ready = [lit for lit in s.literals if not self.mentions(lit.term, ids)]
        if ready:
            rest = State(s.unbound, [lit for lit in s.literals if self.mentions(lit.term, ids)], s.cases)
            checks = [self.check(lit) for lit in ready]
            return logic.all_of([*checks, self.plan(rest)])
        if not s.unbound:
            return self.finish()
        direct = self._chain(s)
        if direct is not None:
            return direct
        bound = self._bind(s)
        return bound if bound is not None else self._open(s)

    def _chain(self, s: State) -> Code | None:
        """Open `∃ x, ∃ y, p` at once when the inner quantifier is all there is to check."""
        if len(s.literals) != 1:
            return None
        opened = quantified(self.c, s.literals[0])
        if opened is None:
            return None
        x, body = opened
        return self.plan(State([*s.unbound, x], conjuncts(self.c, body), s.cases))

    def check(self, lit: Literal) -> Code:
        """Return code for a literal of known variables."""
        code = self.c.code(lit.term, self.scope)
        return code if lit.positive else logic.negate(code)

    def _bind(self, s: State) -> Code | None:
        from specgen.lean.eval.quantifiers.rules import proposals, unpackings

        self.open_ids = s.ids
        for unpack in unpackings(self, s):
            return self._unpack(s, unpack)
        best: tuple[int, FVar, list[Generator]] | None = None
        for x in s.unbound:
            usable = [g for g in proposals(self, x, s) if g.covers or not self.enumerating]
            found = sorted(usable, key=lambda g: g.rank)
            if found and (best is None or found[0].rank < best[0]):
                best = (found[0].rank, x, found)
        if best is None or best[0] >= _LAST_RANKS:
            from specgen.lean.eval.quantifiers.shapes import split

            parts = split(self, s)
            if parts is not None:
                return self.plan(parts)
        return None if best is None else self._loop(s, best[1], best[2])

    def _unpack(self, s: State, unpack: Unpack) -> Code:
        taken = {x.id for x in unpack.variables}
        rest = self.plan(State([x for x in s.unbound if x.id not in taken], s.literals, s.cases))
        value, test = unpack.value, unpack.test

        def run(fr: Frame) -> Any:
            return test(value(fr), fr) and rest(fr)

        return run

    def _loop(self, s: State, x: FVar, generators: list[Generator]) -> Code:
        at = self.scope.bind(x)
        others = [y for y in s.unbound if y is not x]
        settled = {id(lit) for lit in generators[0].settles}
        lighter = State(others, [lit for lit in s.literals if id(lit) not in settled], s.cases)
        if len(generators) == 1:
            at_first = rest = self.plan(lighter)
        else:
            rest = self.plan(State(others, s.literals, s.cases))
            # What the first generator settles needs no check when it is the one used; planning twice must not nest.
            at_first = self.plan(lighter) if settled and not others else rest
        otherwise: Code | None = None
        if not any(g.total for g in generators) and s.cases < _MAX_CASES:
            otherwise = self._open(State(s.unbound, s.literals, s.cases * 2))
        return loop_code(at, tuple(generators), at_first, rest, otherwise)

    def _open(self, s: State) -> Code:
        """Take apart one literal that stands in the way, or try narrowing first where nothing is left to unfold."""
        from specgen.lean.eval.quantifiers.arithmetic import first_then
        from specgen.lean.eval.quantifiers.narrowing import decide

        narrowed = decide(self, s)
        if narrowed is None:
            return self._taken_apart(s)
        s.narrowed = True
        return first_then(narrowed, self._taken_apart(s))

    def _taken_apart(self, s: State) -> Code:
        from specgen.lean.eval.quantifiers.members import member_pattern

        order = range(len(s.literals))
        for i in order:
            named = member_pattern(self, s.literals[i], s.ids)
            if named is not None:
                x, pair = named
                return self.plan(State([*s.unbound, x], [*s.literals[:i], *pair, *s.literals[i + 1 :]], s.cases))
        for i in order:
            opened = quantified(self.c, s.literals[i])
            if opened is not None:
                x, body = opened
                literals = [*s.literals[:i], *conjuncts(self.c, body), *s.literals[i + 1 :]]
                return self.plan(State([*s.unbound, x], literals, s.cases))
        for i in order:
            parts = self._instances(s.literals[i])
            if parts is not None:
                return self.plan(State(s.unbound, [*s.literals[:i], *parts, *s.literals[i + 1 :]], s.cases))
        for i in order:
            lit = unfolded(self.c, s.literals[i])
            if lit is not None:
                literals = [*s.literals[:i], *conjuncts(self.c, lit), *s.literals[i + 1 :]]
                return self.plan(State(s.unbound, literals, s.cases))
        for i in order:
            cases = alternatives(self.c, s.literals[i])
            if cases is not None and s.cases * len(cases) <= _MAX_CASES:
                codes: list[Code] = []
                for case in cases:
                    flat = [one for lit in case for one in conjuncts(self.c, lit)]
                    literals = [*s.literals[:i], *flat, *s.literals[i + 1 :]]
                    codes.append(self.plan(State(list(s.unbound), literals, s.cases * len(cases))))
                out = codes[-1]
                for code in reversed(codes[:-1]):
                    out = logic.disj(code, out)
                return out
        from specgen.lean.eval.quantifiers.fallback import last_resort

        return last_resort(self, s)

    def _instances(self, lit: Literal) -> list[Literal] | None:
        """Replace `∀ a, a = t ∨ a = u → p a` by `p t ∧ p u` (so for `{t, u} ⊆ s`), where t and u may be unknown yet."""
        from specgen.lean.eval.quantifiers.equations import exact_points, points

        opened = quantified(self.c, Literal(lit.term, not lit.positive))
        if opened is None:
            return None
        a, body = opened
        parts = conjuncts(self.c, body)
        found: list[Term] | None = None
        for i, part in enumerate(parts):
            found = exact_points(self, part, a) if len(parts) > 1 else None
            if found is not None:
                # The premise is no more than this choice, so nothing of it is left to check.
                parts = [*parts[:i], *parts[i + 1 :]]
                break
        if found is None:
            found = next((p for p in (points(self, part, a) for part in parts) if p is not None), None)
        if found is None:
            return None
        whole = as_term(parts[-1])
        for part in reversed(parts[:-1]):
            whole = mk_app(Const("And"), as_term(part), whole)
        abstracted = abstract(whole, (a,))
        return [one for t in found for one in conjuncts(self.c, Literal(instantiate(abstracted, (t,)), False))]


def loop_code(
    at: int, generators: tuple[Generator, ...], at_first: Code, rest: Code, otherwise: Code | None = None
) -> Code:
    """Return code that tries the candidates of the first generator that applies; when none does, runs `otherwise`."""

    def run(fr: Frame) -> Any:
        body = at_first
        candidates: Any = None
        complete = True
        for generator in generators:
            candidates = generator.code(fr)
            if candidates is not None:
                complete = generator.complete
                break
            body = rest
        if candidates is None:
            if otherwise is not None:
                return otherwise(fr)
            raise Unknown("undecided", "no bound for a quantified variable")
        unknown: BaseException | None = None
        for value in candidates:
            METER.slice -= 1
            if METER.slice < 0:
                refill()
            fr[at] = value
            try:
                if body(fr):
                    return True
            except CAUGHT as error:
                if is_fatal(error):
                    raise
                unknown = error
        if unknown is not None:
            raise unknown
        if not complete:
            raise Unknown("undecided", "a quantifier without a bound")
        return False

    return run


def solve_literal(c: Compiler, scope: Scope, lit: Literal) -> Code:
    """Return code for an existential literal (`∃ x, p`, or the negation of `∀ x, p`)."""
    opened = quantified(c, lit)
    if opened is None:
        return nodes.failing("undecided", "a quantifier over types")
    x, body = opened
    return Search(c, scope).solve([x], [body])


__all__ = ["Generator", "Literal", "Search", "State", "Unpack", "as_term", "solve_literal"]
