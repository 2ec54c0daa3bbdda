"""Linear arithmetic over integers and natural numbers, decided by z3 when no other rule has a bound.

Soundness. The literals are translated exactly: known terms are evaluated and become numerals, a natural number becomes
an integer that is at least 0, truncated subtraction an if-then-else, division and remainder by a known positive number
those of SMT-LIB (Euclidean, as in Lean). A literal that cannot be translated makes the rule inapplicable. `sat` is the
existence of values, `unsat` their absence; z3's `unknown`, or its time running out, is `Unknown`.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Final

from specgen.lean import core
from specgen.lean.core import FVar, Pi, Proof, Term
from specgen.lean.eval.nodes import CAUGHT, Code, Frame, is_fatal
from specgen.lean.eval.quantifiers.literals import expose, quantified
from specgen.lean.eval.quantifiers.search import Literal, Search, State
from specgen.lean.eval.runtime import METER, Unknown
from specgen.lean.eval.types import head_const

_MAX_MS: Final = 2000

Translated = Callable[[Frame, dict[int, Any]], Any]
"""Gives a z3 expression from the frame and the z3 variables by id."""


class _NotLinearError(Exception):
    """The literals are not linear arithmetic."""


def decide(search: Search, s: State) -> Code | None:
    """Return code that asks z3 about all literals of a state, or None where they are not linear arithmetic."""
    translator = _Translator(search, {x.id for x in s.unbound})
    try:
        kinds = [(x, translator.kind(search.c.types.local_type(x))) for x in s.unbound]
        parts = [(translator.proposition(lit.term), lit.positive) for lit in s.literals]
    except _NotLinearError:
        return None

    def run(fr: Frame) -> Any:
        import z3

        variables: dict[int, Any] = {}
        solver = z3.Solver()
        left = min(METER.deadline - time.monotonic(), _MAX_MS / 1000)
        solver.set("timeout", max(1, int(left * 1000)))
        for x, kind in kinds:
            variables[x.id] = z3.Int(f"x{x.id}")
            if kind == "Nat":
                solver.add(variables[x.id] >= 0)
        for build, positive in parts:
            formula = build(fr, variables)
            solver.add(formula if positive else z3.Not(formula))
        answer = solver.check()
        if answer == z3.sat:
            return True
        if answer == z3.unsat:
            return False
        raise Unknown("undecided", f"z3: {solver.reason_unknown()}")

    return run


def first_then(attempt: Code, otherwise: Code) -> Code:
    """Return code that uses the second code when the first does not know."""

    def run(fr: Frame) -> Any:
        try:
            return attempt(fr)
        except CAUGHT as error:
            if is_fatal(error):
                raise
        return otherwise(fr)

    return run


class _Translator:
    """Translates propositions and integer terms; `ids` are the variables that z3 is to find."""

    def __init__(self, search: Search, ids: set[int]) -> None:
        self.search = search
        self.ids = ids

    def kind(self, type_: Term) -> str:
        """Return `Nat` or `Int`, or raise."""
        name = head_const(self.search.c.types.normal_type(type_))
        if name not in ("Nat", "Int") or name in self.search.c.env.constants:
            raise _NotLinearError
        return name

    def proposition(self, term: Term) -> Translated:
        """Return the translation of a proposition or Bool term."""
        if not self.search.mentions(term, self.ids):
            known = self.search.c.code(term, self.search.scope)
            return lambda fr, vs: _z3().BoolVal(bool(known(fr)))
        name, args, exposed = expose(self.search.c, term)
        if isinstance(exposed, Pi):
            return self._pi(exposed)
        n = len(args)
        match name:
            case "And" | "and" | "Or" | "or" | "Iff" if n == 2:
                a, b = self.proposition(args[0]), self.proposition(args[1])
                return _connective(name, a, b)
            case "Not" | "not" if n == 1:
                p = self.proposition(args[0])
                return lambda fr, vs: _z3().Not(p(fr, vs))
            case "Decidable.decide" if args:
                return self.proposition(args[0])
            case "Exists" if n == 2:
                return self._quantifier(Literal(exposed), True)
            case "Eq" | "Ne" if n == 3:
                return self._equation(name, args)
            case "Nat.le" | "Int.le" | "Nat.lt" | "Int.lt" | "Nat.ble" | "Nat.blt" | "Nat.beq":
                x, y = self.integer(args[0]), self.integer(args[1])
                return _relation(name[4:].lstrip("b"), x, y)
            case "Nat.dvdInternal" | "Int.dvdInternal":
                return self._divides(args)
            case _:
                raise _NotLinearError

    def _pi(self, term: Pi) -> Translated:
        types = self.search.c.types
        if types.is_proposition(term.type):
            p = self.proposition(term.type)
            q = self.proposition(core.instantiate(term.body, (Proof(term.type),)))
            return lambda fr, vs: _z3().Implies(p(fr, vs), q(fr, vs))
        return self._quantifier(Literal(term, False), False)

    def _quantifier(self, lit: Literal, exists: bool) -> Translated:
        opened = quantified(self.search.c, lit)
        if opened is None:
            raise _NotLinearError
        x, body = opened
        kind = self.kind(self.search.c.types.local_type(x))
        self.ids.add(x.id)
        inner = self.proposition(body.term)

        def run(fr: Frame, vs: dict[int, Any]) -> Any:
            z3 = _z3()
            v = z3.Int(f"x{x.id}")
            formula = inner(fr, {**vs, x.id: v})
            natural = v >= 0 if kind == "Nat" else z3.BoolVal(True)
            return z3.Exists([v], z3.And(natural, formula)) if exists else z3.ForAll([v], z3.Implies(natural, formula))

        return run

    def _equation(self, name: str, args: tuple[Term, ...]) -> Translated:
        head = head_const(self.search.c.types.normal_type(args[0]))
        if head in ("Nat", "Int"):
            built = _relation("eq", self.integer(args[1]), self.integer(args[2]))
        elif head == "Bool" or (isinstance(args[0], core.Sort) and args[0].is_prop):
            built = _connective("Iff", self._bool(args[1]), self._bool(args[2]))
        else:
            raise _NotLinearError
        if name == "Eq":
            return built
        return lambda fr, vs: _z3().Not(built(fr, vs))

    def _bool(self, term: Term) -> Translated:
        head = head_const(term)
        if head in ("Bool.true", "Bool.false"):
            return lambda fr, vs: _z3().BoolVal(head == "Bool.true")
        return self.proposition(term)

    def _divides(self, args: tuple[Term, ...]) -> Translated:
        if self.search.mentions(args[0], self.ids):
            raise _NotLinearError
        k = self.search.c.code(args[0], self.search.scope)
        x = self.integer(args[1])

        def run(fr: Frame, vs: dict[int, Any]) -> Any:
            m = abs(k(fr))
            return x(fr, vs) % m == 0 if m else x(fr, vs) == 0

        return run

    def integer(self, term: Term) -> Translated:
        """Return the translation of a Nat or Int term."""
        if isinstance(term, FVar) and term.id in self.ids:
            ident = term.id
            return lambda fr, vs: vs[ident]
        if not self.search.mentions(term, self.ids):
            known = self.search.c.code(term, self.search.scope)
            return lambda fr, vs: _z3().IntVal(known(fr))
        name, args, _ = expose(self.search.c, term)
        match name:
            case "Int.ofNat":
                return self.integer(args[-1])
            case "Nat.succ":
                inner = self.integer(args[0])
                return lambda fr, vs: inner(fr, vs) + 1
            case "Int.neg":
                inner = self.integer(args[0])
                return lambda fr, vs: -inner(fr, vs)
            case "Int.toNat":
                inner = self.integer(args[0])
                return lambda fr, vs: _clamped(inner(fr, vs))
            case "Int.natAbs":
                inner = self.integer(args[0])
                return lambda fr, vs: _absolute(inner(fr, vs))
            case "ite" if len(args) == 5:
                c, a, b = self.proposition(args[1]), self.integer(args[3]), self.integer(args[4])
                return lambda fr, vs: _z3().If(c(fr, vs), a(fr, vs), b(fr, vs))
            case _:
                return self._binary(name, args)

    def _binary(self, name: str, args: tuple[Term, ...]) -> Translated:
        if len(args) != 2:
            raise _NotLinearError
        if name in ("Nat.mul", "Int.mul", "Nat.div", "Int.ediv", "Nat.mod", "Int.emod"):
            return self._scaled(name, args)
        a, b = self.integer(args[0]), self.integer(args[1])
        match name:
            case "Nat.add" | "Int.add":
                return lambda fr, vs: a(fr, vs) + b(fr, vs)
            case "Int.sub":
                return lambda fr, vs: a(fr, vs) - b(fr, vs)
            case "Nat.sub":
                return lambda fr, vs: _clamped(a(fr, vs) - b(fr, vs))
            case "Nat.max" | "Int.maxInternal":
                return lambda fr, vs: _larger(a(fr, vs), b(fr, vs))
            case "Nat.min" | "Int.minInternal":
                return lambda fr, vs: -_larger(-a(fr, vs), -b(fr, vs))
            case _:
                raise _NotLinearError

    def _scaled(self, name: str, args: tuple[Term, ...]) -> Translated:
        known = 1 if self.search.mentions(args[0], self.ids) else 0
        if self.search.mentions(args[known], self.ids) or (known == 0 and not name.endswith(".mul")):
            raise _NotLinearError
        k = self.search.c.code(args[known], self.search.scope)
        x = self.integer(args[1 - known])

        def run(fr: Frame, vs: dict[int, Any]) -> Any:
            m, v = k(fr), x(fr, vs)
            if name.endswith(".mul"):
                return v * m
            if m == 0:
                return _z3().IntVal(0) if name.endswith("div") else v
            if m < 0:
                return -(v / -m) if name.endswith("div") else v % -m
            return v / m if name.endswith("div") else v % m

        return run


def _z3() -> Any:
    import z3

    return z3


def _clamped(v: Any) -> Any:
    return _z3().If(v >= 0, v, 0)


def _absolute(v: Any) -> Any:
    return _z3().If(v >= 0, v, -v)


def _larger(a: Any, b: Any) -> Any:
    return _z3().If(a >= b, a, b)


def _connective(name: str, a: Translated, b: Translated) -> Translated:
    def run(fr: Frame, vs: dict[int, Any]) -> Any:
        z3 = _z3()
        p, q = a(fr, vs), b(fr, vs)
        if name in ("And", "and"):
            return z3.And(p, q)
        if name in ("Or", "or"):
            return z3.Or(p, q)
        return p == q

    return run


def _relation(name: str, a: Translated, b: Translated) -> Translated:
    def run(fr: Frame, vs: dict[int, Any]) -> Any:
        x, y = a(fr, vs), b(fr, vs)
        return x <= y if name == "le" else x < y if name == "lt" else x == y

    return run
