"""Sums of products over Nat, Int and Rat in one form, and comparisons of them (part of the normal form).

A polynomial maps a product of atoms (sorted) to its coefficient; an atom is any term that is not itself a sum or a
product. Laws used, all of them theorems: Nat and Int are commutative (semi)rings, Rat is a field with `x / 0 = 0`
(only division by a constant other than 0 is opened), the cast of a natural number keeps sums, products and order.
Natural subtraction, division and remainder stay atoms.

Comparisons are brought to `p ≤ 0`, `p < 0` (Rat only) and `p = 0`. Over Int, with g the greatest common divisor of
the coefficients before the constant c: `g·q + c ≤ 0` is `q + ⌈c/g⌉ ≤ 0`, and `g·q + c = 0` has no solution unless g
divides c. Comparisons of natural numbers are those of their casts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import gcd
from typing import Final, Literal, TypeAlias

from evaluators.equivalence.normal_terms import FALSE, NOT, TRUE, Token, code
from specgen.lean import core
from specgen.lean.core import App, Const, Lit, Term

Kind: TypeAlias = Literal["Nat", "Int", "Rat"]
Monomial: TypeAlias = tuple[Term, ...]
Polynomial: TypeAlias = Mapping[Monomial, Fraction]

CAST: Final = Const("Cast")
"""A natural number among the integers, or an integer or natural number among the rationals (atoms only)."""

_MAX_TERMS: Final = 200
_MAX_POWER: Final = 4

LESS: Final[dict[str, tuple[Kind, bool]]] = {
    "Nat.lt": ("Nat", True),
    "Nat.le": ("Nat", False),
    "Int.lt": ("Int", True),
    "Int.le": ("Int", False),
    "Rat.ltInternal": ("Rat", True),
    "Rat.lt": ("Rat", True),
    "Rat.le": ("Rat", False),
}
"""Primitive comparisons: the type, and whether they are strict."""


class TooLarge(Exception):  # noqa: N818 - it is an answer, not an error
    """A polynomial has too many terms: the term stays an atom."""


def constant(value: int | Fraction) -> Polynomial:
    """Return a constant."""
    return {(): Fraction(value)} if value else {}


def plus(p: Polynomial, q: Polynomial) -> Polynomial:
    """Add."""
    out = dict(p)
    for m, c in q.items():
        out[m] = out.get(m, Fraction(0)) + c
        if not out[m]:
            del out[m]
    if len(out) > _MAX_TERMS:
        raise TooLarge
    return out


def scaled(p: Polynomial, by: Fraction) -> Polynomial:
    """Multiply by a number."""
    return {m: c * by for m, c in p.items()} if by else {}


def times(p: Polynomial, q: Polynomial) -> Polynomial:
    """Multiply."""
    if len(p) * len(q) > _MAX_TERMS:
        raise TooLarge
    out: Polynomial = {}
    for m, c in p.items():
        for n, d in q.items():
            out = plus(out, {tuple(sorted((*m, *n), key=code)): c * d})
    return out


def _head(term: Term) -> tuple[str, tuple[Term, ...]]:
    fn, args = core.unfold_app(term)
    return (fn.name if isinstance(fn, Const) else ""), args


def minus(p: Polynomial, q: Polynomial) -> Polynomial:
    """Subtract."""
    return plus(p, scaled(q, Fraction(-1)))


_BINARY: Final = {"add": plus, "sub": minus, "mul": times}


class Numbers:
    """Reads polynomials off terms; `canon` gives the normal form of an atom."""

    def __init__(self, canon: Callable[[Term], Term]) -> None:
        self._canon = canon

    def polynomial(self, kind: Kind, term: Term) -> Polynomial:
        """Return a term of that type as a polynomial."""
        opened = self._opened(kind, term)
        return {(self._canon(term),): Fraction(1)} if opened is None else opened

    def _opened(self, kind: Kind, term: Term) -> Polynomial | None:
        """Return a literal, a sum, a product, a cast, … as a polynomial; None for an atom."""
        name, args = _head(term)
        space, _, op = name.rpartition(".")
        if kind == "Nat" and isinstance(term, Lit) and isinstance(term.value, int):
            return constant(term.value)
        if space == kind and op in _BINARY and len(args) == 2 and not (kind == "Nat" and op == "sub"):
            p, q = self.polynomial(kind, args[0]), self.polynomial(kind, args[1])
            return _BINARY[op](p, q)
        if space == kind and op == "pow" and len(args) == 2:
            n = args[1].value if isinstance(args[1], Lit) else None
            if isinstance(n, int) and n <= _MAX_POWER:
                out, base = constant(1), self.polynomial(kind, args[0])
                for _ in range(n):
                    out = times(out, base)
                return out
        return self._special(kind, name, args)

    def _special(self, kind: Kind, name: str, args: tuple[Term, ...]) -> Polynomial | None:
        match kind, name, len(args):
            case "Nat", "Nat.succ", 1:
                return plus(self.polynomial("Nat", args[0]), constant(1))
            case (("Int" | "Rat"), ("Int.neg" | "Rat.neg"), 1) if name.startswith(kind):
                return scaled(self.polynomial(kind, args[0]), Fraction(-1))
            case "Int", "Int.ofNat", 1:
                return self.cast(self.polynomial("Nat", args[0]))
            case "Int", ("Nat.cast" | "NatCast.natCast"), 3 if args[0] == Const("Int") and _of_library(args[1]):
                return self.cast(self.polynomial("Nat", args[2]))
            case "Rat", ("Nat.cast" | "NatCast.natCast"), 3 if args[0] == Const("Rat") and _of_library(args[1]):
                return self.cast(self.polynomial("Nat", args[2]))
            case "Rat", ("Int.cast" | "IntCast.intCast"), 3 if args[0] == Const("Rat") and _of_library(args[1]):
                return self.cast(self.polynomial("Int", args[2]))
            case "Rat", "Rat.ofInt", 1:
                return self.cast(self.polynomial("Int", args[0]))
            case "Rat", "Rat.ofScientific", 3:
                return _scientific(args)
            case "Rat", "Rat.div", 2:
                divisor = self.polynomial("Rat", args[1])
                if set(divisor) == {()}:
                    return scaled(self.polynomial("Rat", args[0]), 1 / divisor[()])
                return None
            case _:
                return None

    @staticmethod
    def cast(p: Polynomial) -> Polynomial:
        """Return a polynomial with every atom cast."""
        out: Polynomial = {}
        for m, c in p.items():
            atoms = [a if _head(a)[0] == "Cast" else App(CAST, (a,)) for a in m]
            out = plus(out, {tuple(sorted(atoms, key=code)): c})
        return out

    def data(self, kind: Kind, term: Term) -> Term | None:
        """Return the normal form of a number; None when it is an atom."""
        p = self._opened(kind, term)
        return None if p is None else rebuilt(kind, p)

    def less(self, kind: Kind, strict: bool, left: Term, right: Term) -> Term:
        """Return the normal form of `left < right` or `left ≤ right`."""
        return order(kind, self._difference(kind, left, right), strict)

    def equal(self, kind: Kind, left: Term, right: Term) -> Term:
        """Return the normal form of `left = right`."""
        return zero(kind, self._difference(kind, left, right))

    def _difference(self, kind: Kind, left: Term, right: Term) -> Polynomial:
        p, q = self.polynomial(kind, left), self.polynomial(kind, right)
        if kind == "Nat":
            p, q = self.cast(p), self.cast(q)
        return minus(p, q)


def _of_library(instance: Term) -> bool:
    name = _head(instance)[0]
    return name in ("instNatCastInt", "Rat.instNatCast", "Rat.instIntCast", "Int.instNatCast", "IntCast.instNatCast")


def _scientific(args: tuple[Term, ...]) -> Polynomial | None:
    mantissa, down, exponent = args
    if not (isinstance(mantissa, Lit) and isinstance(exponent, Lit)):
        return None
    m, e = mantissa.value, exponent.value
    if not isinstance(m, int) or not isinstance(e, int) or e > 40 or down not in (_TRUE, _FALSE):
        return None
    return constant(Fraction(m, 10**e) if down == _TRUE else Fraction(m * 10**e))


_TRUE: Final = Const("Bool.true")
_FALSE: Final = Const("Bool.false")


def rebuilt(kind: Kind, p: Polynomial) -> Term:
    """Return the term of a polynomial: a literal, an atom, or a sum in order."""
    if not p:
        return Lit(0) if kind == "Nat" else Token("number", kind, 0, 1)
    if set(p) == {()}:
        value = p[()]
        return Lit(int(value)) if kind == "Nat" else Token("number", kind, value.numerator, value.denominator)
    if len(p) == 1:
        ((m, c),) = p.items()
        if c == 1 and len(m) == 1:
            return m[0]
    parts = [App(Token("product", c.numerator, c.denominator), m) if m else _number(c) for m, c in p.items()]
    return App(Const(f"Sum{kind}"), tuple(sorted(parts, key=code)))


def _number(c: Fraction) -> Term:
    return Token("coefficient", c.numerator, c.denominator)


def _polynomial_term(p: Polynomial) -> Term:
    parts = [App(Token("product", c.numerator, c.denominator), m) if m else _number(c) for m, c in p.items()]
    return App(Const("Sum"), tuple(sorted(parts, key=code)))


def _read(term: Term) -> Polynomial:
    """Return the polynomial of `_polynomial_term`."""
    out: dict[Monomial, Fraction] = {}
    for part in term.args if isinstance(term, App) else ():
        fn, args = core.unfold_app(part)
        assert isinstance(fn, Token)  # noqa: S101 - `_polynomial_term` made it
        _, n, d = fn.content
        assert isinstance(n, int) and isinstance(d, int)  # noqa: S101 - as above
        out[args] = Fraction(n, d)
    return out


def order(kind: Kind, p: Polynomial, strict: bool) -> Term:
    """Return the normal form of `p ≤ 0`, or `p < 0`; over Nat, `p` has been cast."""
    rest = {m: c for m, c in p.items() if m}
    c0 = p.get((), Fraction(0))
    if not rest:
        return TRUE if (c0 < 0 if strict else c0 <= 0) else FALSE
    if kind == "Rat":
        scale = abs(next(c for _, c in sorted(rest.items(), key=lambda mc: [code(a) for a in mc[0]])))
        return App(Const("RatNegative" if strict else "RatNotPositive"), (_polynomial_term(scaled(p, 1 / scale)),))
    if strict:
        c0 += 1
    g = gcd(*[int(c) for c in rest.values()])
    c0 = Fraction(-((-c0.numerator) // g))
    rest = {m: c / g for m, c in rest.items()}
    signs = {c > 0 for c in rest.values()}
    if all(_natural(m) for m in rest) and len(signs) == 1:
        rising = signs == {True}
        if not rising and c0 <= 0:
            return TRUE
        if rising and c0 > 0:
            return FALSE
        if rising and c0 == 0 and len(rest) == 1:
            return zero("Int", {next(iter(rest)): Fraction(1)})
        if not rising and len(rest) == 1 and c0 == 1:  # n ≥ 1 is n ≠ 0
            return negation(zero("Int", {next(iter(rest)): Fraction(1)}))
    return App(Const("IntNotPositive"), (_polynomial_term(rest | ({(): c0} if c0 else {})),))


def _natural(m: Monomial) -> bool:
    return all(_head(a)[0] == "Cast" for a in m)


def zero(kind: Kind, p: Polynomial) -> Term:
    """Return the normal form of `p = 0`."""
    rest = {m: c for m, c in p.items() if m}
    c0 = p.get((), Fraction(0))
    if not rest:
        return FALSE if c0 else TRUE
    first = min(rest, key=lambda m: [code(a) for a in m])
    if kind == "Rat":
        return App(Const("RatZero"), (_polynomial_term(scaled(p, 1 / rest[first])),))
    g = gcd(*[int(c) for c in rest.values()])
    if c0.numerator % g:
        return FALSE
    by = Fraction(1, g) if rest[first] > 0 else Fraction(-1, g)
    return App(Const("IntZero"), (_polynomial_term(scaled(p, by)),))


def negation(term: Term) -> Term:
    """Return the normal form of the negation of an atom."""
    name, args = _head(term)
    match name:
        case "IntNotPositive":
            return order("Int", plus(scaled(_read(args[0]), Fraction(-1)), constant(1)), strict=False)
        case "RatNotPositive" | "RatNegative":
            return order("Rat", scaled(_read(args[0]), Fraction(-1)), strict=name == "RatNotPositive")
        case _:
            return App(NOT, (term,))


__all__ = ["LESS", "Kind", "Numbers", "TooLarge", "negation"]
