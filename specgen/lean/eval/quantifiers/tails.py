"""Tail intervals: beyond some K the literals have one truth value, so only finitely many values need be looked at.

Soundness. The literals are evaluated abstractly with x ranging over [K, ∞) (for an integer also over (-∞, -K]): an
abstract value is a set that contains the concrete value for every x of the range: one known value, an interval of
integers, or everything. Each operation below maps sets that contain its arguments to a set that contains its result. If
some literal is false on the whole range, no solution lies there, and the candidates are the integers up to K. If all
literals (they mention no other unbound variable then) are true on the whole range, K itself is a solution, and it is
among the candidates. When no K up to a bound does, the rule does not apply.

Two operations need more than ends. How many elements of a known list satisfy a predicate in x lies between the number
of those for which it is true on the whole range and the number of those for which it is not false on it. Comparisons
of polynomials in x with known integer coefficients have one value on a range beyond Cauchy's bound: every real root of
aₙxⁿ + … + a₀ has |x| ≤ 1 + max |aᵢ| / |aₙ|, so past it the sign is that of aₙ (of aₙ(-1)ⁿ on the negative side).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final, TypeAlias

from specgen.lean import core
from specgen.lean.core import FVar, Proof, Term
from specgen.lean.elab.subst import beta
from specgen.lean.eval.nodes import CAUGHT, Frame, is_fatal
from specgen.lean.eval.quantifiers.bounds import numeric
from specgen.lean.eval.quantifiers.literals import expose
from specgen.lean.eval.quantifiers.members import items_of
from specgen.lean.eval.quantifiers.search import Generator, Search, State
from specgen.lean.eval.runtime import Unknown, charge
from specgen.lean.eval.types import head_const
from specgen.lean.eval.values import Arr, equal, from_list

INF: Final = math.inf
_MAX_K: Final = 1 << 14


class Known:
    """One value, the same for every x of the range."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value


class Interval:
    """Some integer between `low` and `high`, ends included; infinite ends are floats."""

    __slots__ = ("high", "low")

    def __init__(self, low: float, high: float) -> None:
        self.low = low
        self.high = high


Abstract: TypeAlias = "Known | Interval | None"
"""None: could be anything."""
AbstractCode: TypeAlias = Callable[[Frame, float, float], Abstract]


def propose(search: Search, x: FVar, s: State) -> list[Generator]:
    """Propose the integers up to where the literals become constant."""
    type_ = search.c.types.local_type(x)
    if not numeric(search, type_) or head_const(search.c.types.normal_type(type_)) == "Fin":
        return []
    integer = head_const(search.c.types.normal_type(type_)) == "Int"
    others = s.ids - {x.id}
    about = [lit for lit in s.literals if search.mentions(lit.term, (x.id,))]
    usable = [lit for lit in about if not search.mentions(lit.term, others)]
    if not usable:
        return []
    compiler = _Abstraction(search, x)
    codes = tuple([(compiler.code(lit.term), lit.positive) for lit in usable])
    whole = len(usable) == len(s.literals)

    def settled(fr: Frame, low: float, high: float) -> bool:
        all_true = True
        for code, positive in codes:
            value = code(fr, low, high)
            if isinstance(value, Known) and value.value in (True, False):
                if value.value is not positive:
                    return True
            else:
                all_true = False
        return all_true and whole

    def run(fr: Frame) -> Any:
        k = 1
        while k <= _MAX_K:
            charge(10)
            try:
                if settled(fr, k, INF) and (not integer or settled(fr, -INF, -k)):
                    return range(-k if integer else 0, k + 1)
            except CAUGHT as error:
                if is_fatal(error):
                    raise
                return None
            k *= 2
        return None

    return [Generator(60, run, total=False, covers=False)]


class _Abstraction:
    """Compiles terms in x to functions from a frame and a range of x to abstract values."""

    def __init__(self, search: Search, x: FVar) -> None:
        self.search = search
        self.x = x

    def code(self, term: Term) -> AbstractCode:
        """Return the abstract code of a term."""
        if term == self.x:
            return lambda fr, low, high: Interval(low, high)
        if not self.search.mentions(term, (self.x.id,)):
            exact = self.search.c.code(term, self.search.scope)
            return lambda fr, low, high: Known(exact(fr))
        name, args, exposed = expose(self.search.c, term)
        if isinstance(exposed, core.Pi) and self.search.c.types.is_proposition(exposed.type):
            premise = self.code(exposed.type)
            conclusion = self.code(core.instantiate(exposed.body, (Proof(exposed.type),)))
            return _either(_flip(premise), conclusion)
        return self._operation(name, args)

    def _operation(self, name: str, args: tuple[Term, ...]) -> AbstractCode:
        n = len(args)
        match name:
            case "Int.ofNat" | "Decidable.decide" if args:
                return self.code(args[-1] if name == "Int.ofNat" else args[0])
            case "Not" | "not" | "Bool.not" if n == 1:
                return _flip(self.code(args[0]))
            case "And" | "and" | "Bool.and" if n == 2:
                return _flip(_either(_flip(self.code(args[0])), _flip(self.code(args[1]))))
            case "Or" | "or" | "Bool.or" if n == 2:
                return _either(self.code(args[0]), self.code(args[1]))
            case "Eq" | "Ne" if n == 3:
                same = self._compared(_same, args[1], args[2])
                return same if name == "Eq" else _flip(same)
            case "Iff" if n == 2:
                return _lift2(_same, self.code(args[0]), self.code(args[1]))
            case "ite" if n == 5:
                return _choice(self.code(args[1]), self.code(args[3]), self.code(args[4]))
            case "Bool.true" | "Bool.false":
                return lambda fr, low, high: Known(name == "Bool.true")
        if name in _COMPARISONS and n == 2:
            return self._compared(_COMPARISONS[name], args[0], args[1])
        if name in _DIVIDES and n == 2:
            return self._divides(args[0], args[1])
        if name in _COUNTS or name in _LENGTHS:
            return self._count(name, args)
        if name in _ARITHMETIC and n == 2:
            return _lift2(_ARITHMETIC[name], self.code(args[0]), self.code(args[1]))
        if name in _ACCESS:
            return self._access(name, args)
        return lambda fr, low, high: None

    def _compared(self, op: Callable[[Abstract, Abstract], Abstract], a: Term, b: Term) -> AbstractCode:
        """Compare by ends, and where these do not tell, by the sign of a polynomial."""
        by_ends = _lift2(op, self.code(a), self.code(b))
        left, right = self._polynomial(a), self._polynomial(b)
        if left is None or right is None:
            return by_ends
        minuend, subtrahend = left, right

        def run(fr: Frame, low: float, high: float) -> Abstract:
            found = by_ends(fr, low, high)
            if found is not None:
                return found
            try:
                sign = _sign(_sum(minuend(fr), subtrahend(fr), -1), low, high)
            except CAUGHT as error:
                if is_fatal(error):
                    raise
                return None
            return None if sign is None else op(Known(sign), Known(0))

        return run

    def _polynomial(self, term: Term) -> Callable[[Frame], list[int]] | None:
        """Return the coefficients of a term as a polynomial in x, the constant one first."""
        if term == self.x:
            return lambda fr: [0, 1]
        if not self.search.mentions(term, (self.x.id,)):
            exact = self.search.c.code(term, self.search.scope)
            return lambda fr: [_integer(exact(fr))]
        name, args, _ = expose(self.search.c, term)
        if name == "Int.ofNat" and args:
            return self._polynomial(args[0])
        if name == "Int.neg" and len(args) == 1:
            inner = self._polynomial(args[0])
            return None if inner is None else lambda fr: _sum([0], inner(fr), -1)
        if len(args) != 2 or name not in _POLYNOMIAL:
            return None
        a, b = self._polynomial(args[0]), self._polynomial(args[1])
        if a is None or b is None:
            return None
        op = _POLYNOMIAL[name]
        left, right = a, b
        return lambda fr: op(left(fr), right(fr))

    def _divides(self, a: Term, b: Term) -> AbstractCode:
        """Everything divides 0, and no number divides a smaller one."""
        divisor, dividend = self.code(a), self.code(b)

        def run(fr: Frame, low: float, high: float) -> Abstract:
            y = _ends(dividend(fr, low, high))
            if y is None or y[0] != y[1]:
                return None
            if y[0] == 0:
                return Known(True)
            x = _ends(divisor(fr, low, high))
            if x is None or not (x[0] > abs(y[0]) or x[1] < -abs(y[0])):
                return None
            return Known(False)

        return run

    def _count(self, name: str, args: tuple[Term, ...]) -> AbstractCode:
        """Count the elements of a known collection that satisfy a predicate in x."""
        if name in _LENGTHS and args:
            name, args, _ = expose(self.search.c, args[-1])
        if name not in _COUNTS or len(args) <= max(_COUNTS[name]):
            return lambda fr, low, high: None
        at_predicate, at_items = _COUNTS[name]
        predicate, items = args[at_predicate], args[at_items]
        whole = len(args) == at_items + 1  # an array may be counted in part
        if self.search.mentions(items, (self.x.id,)):
            return lambda fr, low, high: None
        y = self.search.c.types.local("element", args[0])
        slot = self.search.scope.bind(y)
        test = self.code(beta(predicate, (y,)))
        collection = self.search.c.code(items, self.search.scope)

        def run(fr: Frame, low: float, high: float) -> Abstract:
            least = most = 0
            for item in items_of(collection(fr)):
                charge(1)
                fr[slot] = item
                truth = _truth(test(fr, low, high))
                least += whole and truth is True
                most += truth is not False
            return Interval(least, most)

        return run

    def _access(self, name: str, args: tuple[Term, ...]) -> AbstractCode:
        instances, at, index, fallback = _ACCESS[name]
        if len(args) <= max(at, index, fallback) or self.search.mentions(args[at], (self.x.id,)):
            return lambda fr, low, high: None
        collection = self.search.c.code(args[at], self.search.scope)
        position = self.code(args[index])
        default: Any = None
        if fallback >= 0:
            if self.search.mentions(args[fallback], (self.x.id,)):
                return lambda fr, low, high: None
            default = self.search.c.code(args[fallback], self.search.scope)

        def run(fr: Frame, low: float, high: float) -> Abstract:
            where = position(fr, low, high)
            if not isinstance(where, Interval):
                return None
            value = collection(fr)
            size = value.size if type(value) is Arr else len(from_list(value))
            if where.low < size:
                return None
            if default is None:
                return Known(None)
            found = default(fr)
            return Known(found[0] if instances else found)

        return run


# name: (the default comes out of an Inhabited instance, position of the collection, of the index, of the default or -1)
_ACCESS: Final[dict[str, tuple[bool, int, int, int]]] = {
    "List.get?Internal": (False, 1, 2, -1),
    "Array.get?Internal": (False, 1, 2, -1),
    "List.get?": (False, 1, 2, -1),
    "List.get!Internal": (True, 2, 3, 1),
    "Array.get!Internal": (True, 2, 3, 1),
    "List.getD": (False, 1, 2, 3),
    "Array.getD": (False, 1, 2, 3),
}


def _lift2(op: Callable[[Abstract, Abstract], Abstract], a: AbstractCode, b: AbstractCode) -> AbstractCode:
    def run(fr: Frame, low: float, high: float) -> Abstract:
        return op(a(fr, low, high), b(fr, low, high))

    return run


def _truth(value: Abstract) -> bool | None:
    return value.value if isinstance(value, Known) and isinstance(value.value, bool) else None


def _flip(a: AbstractCode) -> AbstractCode:
    def run(fr: Frame, low: float, high: float) -> Abstract:
        value = _truth(a(fr, low, high))
        return None if value is None else Known(not value)

    return run


def _either(a: AbstractCode, b: AbstractCode) -> AbstractCode:
    def run(fr: Frame, low: float, high: float) -> Abstract:
        first = _truth(a(fr, low, high))
        if first is True:
            return Known(True)
        second = _truth(b(fr, low, high))
        if second is True:
            return Known(True)
        return Known(False) if first is False and second is False else None

    return run


def _choice(c: AbstractCode, a: AbstractCode, b: AbstractCode) -> AbstractCode:
    def run(fr: Frame, low: float, high: float) -> Abstract:
        test = _truth(c(fr, low, high))
        if test is None:
            return None
        return a(fr, low, high) if test else b(fr, low, high)

    return run


def _ends(value: Abstract) -> tuple[float, float] | None:
    if isinstance(value, Interval):
        return value.low, value.high
    if isinstance(value, Known) and type(value.value) is int:
        # Only finite ends that floats hold exactly enter into float arithmetic.
        return (value.value, value.value)
    return None


def _same(a: Abstract, b: Abstract) -> Abstract:
    if isinstance(a, Known) and isinstance(b, Known):
        return Known(equal(a.value, b.value))
    x, y = _ends(a), _ends(b)
    if x is None or y is None:
        return None
    if x[1] < y[0] or y[1] < x[0]:
        return Known(False)
    return Known(True) if x[0] == x[1] == y[0] == y[1] else None


def _compare(strict: bool) -> Callable[[Abstract, Abstract], Abstract]:
    def op(a: Abstract, b: Abstract) -> Abstract:
        x, y = _ends(a), _ends(b)
        if x is None or y is None:
            return None
        if x[1] < y[0] or (not strict and x[1] == y[0]):
            return Known(True)
        if y[1] < x[0] or (strict and y[1] == x[0]):
            return Known(False)
        return None

    return op


def _add(a: Abstract, b: Abstract) -> Abstract:
    x, y = _ends(a), _ends(b)
    return None if x is None or y is None else Interval(x[0] + y[0], x[1] + y[1])


def _subtract(natural: bool) -> Callable[[Abstract, Abstract], Abstract]:
    def op(a: Abstract, b: Abstract) -> Abstract:
        x, y = _ends(a), _ends(b)
        if x is None or y is None:
            return None
        if INF in (abs(x[0]), abs(x[1])) and INF in (abs(y[0]), abs(y[1])):
            return None
        low, high = x[0] - y[1], x[1] - y[0]
        return Interval(max(low, 0), max(high, 0)) if natural else Interval(low, high)

    return op


def _multiply(a: Abstract, b: Abstract) -> Abstract:
    x, y = _ends(a), _ends(b)
    if x is None or y is None:
        return None
    if min(x[0], y[0]) < 0:
        return None
    low = x[0] * y[0]
    high = 0 if 0 in (x[1], y[1]) else x[1] * y[1]
    return Interval(low, high)


def _power(a: Abstract, b: Abstract) -> Abstract:
    """A power grows in the base, and in the exponent for a base of at least 1."""
    x, y = _ends(a), _ends(b)
    if x is None or y is None or x[0] < 1 or y[0] < 0:
        return None
    if INF in (x[0], y[0]) or x[0] > 1 << 64 or y[0] > 1 << 16:
        return None
    high: float = 1 if x[1] == 1 else INF if INF in (x[1], y[1]) or y[1] > 1 << 16 else x[1] ** y[1]
    return Interval(x[0] ** y[0], high)


def _divide(a: Abstract, b: Abstract) -> Abstract:
    """A quotient of numbers that are not negative grows in the dividend and falls in the divisor."""
    x, y = _ends(a), _ends(b)
    if x is None or y is None or x[0] < 0 or y[0] < 1 or INF in (x[0], y[0]):
        return None
    low: float = 0 if y[1] == INF else x[0] // y[1]
    return Interval(low, INF if x[1] == INF else x[1] // y[0])


def _remainder(a: Abstract, b: Abstract) -> Abstract:
    """A remainder by one positive number repeats with every multiple."""
    x, y = _ends(a), _ends(b)
    if x is None or y is None or x[0] < 0 or y[0] < 1 or y[0] != y[1] or INF in (x[0], y[0]):
        return None
    k = y[0]
    if x[1] != INF and x[0] // k == x[1] // k:
        return Interval(x[0] % k, x[1] % k)
    return Interval(0, k - 1)


_ARITHMETIC: Final[dict[str, Callable[[Abstract, Abstract], Abstract]]] = {
    "Nat.add": _add,
    "Int.add": _add,
    "Nat.sub": _subtract(True),
    "Int.sub": _subtract(False),
    "Nat.mul": _multiply,
    "Int.mul": _multiply,
    "Nat.pow": _power,
    "Nat.div": _divide,
    "Int.ediv": _divide,
    "Nat.mod": _remainder,
    "Int.emod": _remainder,
}
_COMPARISONS: Final[dict[str, Callable[[Abstract, Abstract], Abstract]]] = {
    "Nat.le": _compare(False),
    "Int.le": _compare(False),
    "Nat.ble": _compare(False),
    "Nat.lt": _compare(True),
    "Int.lt": _compare(True),
    "Nat.blt": _compare(True),
    "Nat.beq": _same,
}
_DIVIDES: Final = frozenset({"Nat.dvdInternal", "Int.dvdInternal"})
_LENGTHS: Final = frozenset({"List.length", "Array.size", "Finset.card", "Multiset.card"})
_COUNTS: Final = {
    "List.filter": (1, 2),
    "List.countP": (1, 2),
    "Array.filter": (1, 2),
    "Array.countP": (1, 2),
    "Finset.filter": (1, 3),
    "Multiset.filter": (1, 3),
}
"""Positions of the predicate and of the collection."""


def _integer(value: Any) -> int:
    if type(value) is not int:
        raise Unknown("undecided", "a coefficient that is not an integer")
    return value


def _sum(a: list[int], b: list[int], sign: int) -> list[int]:
    n = max(len(a), len(b))
    return [(a[i] if i < len(a) else 0) + sign * (b[i] if i < len(b) else 0) for i in range(n)]


def _product(a: list[int], b: list[int]) -> list[int]:
    if len(a) + len(b) > _MAX_DEGREE:
        raise Unknown("undecided", "a polynomial of a large degree")
    out = [0] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            out[i + j] += x * y
    return out


def _raised(a: list[int], b: list[int]) -> list[int]:
    if len(b) != 1 or not 0 <= b[0] <= _MAX_DEGREE:
        raise Unknown("undecided", "a power that is no polynomial")
    out = [1]
    for _ in range(b[0]):
        out = _product(out, a)
    return out


_MAX_DEGREE: Final = 12
_POLYNOMIAL: Final[dict[str, Callable[[list[int], list[int]], list[int]]]] = {
    "Nat.add": lambda a, b: _sum(a, b, 1),
    "Int.add": lambda a, b: _sum(a, b, 1),
    "Int.sub": lambda a, b: _sum(a, b, -1),
    "Nat.mul": _product,
    "Int.mul": _product,
    "Nat.pow": _raised,
    "Int.pow": _raised,
}


def _sign(coefficients: list[int], low: float, high: float) -> int | None:
    """Return the sign (-1, 0, 1) that a polynomial has on the whole range, None where that is not known."""
    while coefficients and coefficients[-1] == 0:
        coefficients = coefficients[:-1]
    if not coefficients:
        return 0
    lead, degree = coefficients[-1], len(coefficients) - 1
    sign = 1 if lead > 0 else -1
    bound = 1 + max([0, *[-(-abs(c) // abs(lead)) for c in coefficients[:-1]]])
    if degree == 0 or low > bound:
        return sign
    return (sign if degree % 2 == 0 else -sign) if high < -bound else None
