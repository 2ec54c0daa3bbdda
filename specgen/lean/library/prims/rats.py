"""Primitives of `Rat` over `fractions.Fraction`; division by zero gives zero."""

from __future__ import annotations

import math
from fractions import Fraction

from specgen.lean.eval.runtime import charge_bits, unsupported
from specgen.lean.library.prims.nats import decimal, ordering
from specgen.lean.library.prims.registry import prim


def _bits(a: Fraction) -> int:
    return a.numerator.bit_length() + a.denominator.bit_length()


@prim("Rat.num")
def num(q: Fraction) -> int:
    """The numerator in lowest terms."""
    return q.numerator


@prim("Rat.den")
def den(q: Fraction) -> int:
    """The denominator in lowest terms, positive."""
    return q.denominator


@prim("mkRat", "Rat.divInt", "Rat.normalize", "Rat.mk'")
def mk_rat(n: int, d: int) -> Fraction:
    """`n / d` in lowest terms; 0 by 0."""
    return Fraction(n, d) if d else Fraction(0)


@prim("Rat.ofInt")
def of_int(n: int) -> Fraction:
    """The integer n."""
    return Fraction(n)


@prim("Rat.ofScientific")
def of_scientific(m: int, negative: bool, e: int) -> Fraction:
    """m * 10 ^ ±e, exactly."""
    charge_bits(4 * e)
    return Fraction(m, int(10**e)) if negative else Fraction(m * int(10**e))


@prim("Rat.add")
def add(a: Fraction, b: Fraction) -> Fraction:
    """`a + b`."""
    charge_bits(_bits(a) + _bits(b))
    return a + b


@prim("Rat.sub")
def sub(a: Fraction, b: Fraction) -> Fraction:
    """`a - b`."""
    charge_bits(_bits(a) + _bits(b))
    return a - b


@prim("Rat.mul")
def mul(a: Fraction, b: Fraction) -> Fraction:
    """`a * b`."""
    charge_bits(_bits(a) + _bits(b))
    return a * b


@prim("Rat.div")
def div(a: Fraction, b: Fraction) -> Fraction:
    """`a / b`; 0 by 0."""
    charge_bits(_bits(a) + _bits(b))
    return a / b if b else Fraction(0)


@prim("Rat.neg")
def neg(a: Fraction) -> Fraction:
    """`-a`."""
    return -a


@prim("Rat.inv")
def inv(a: Fraction) -> Fraction:
    """`a⁻¹`; 0 of 0."""
    return 1 / a if a else Fraction(0)


@prim("Rat.pow")
def pow_(a: Fraction, n: int) -> Fraction:
    """`a ^ n` for a natural n."""
    if a in (0, 1, -1):
        return Fraction(1) if n == 0 or a == 1 or (a == -1 and n % 2 == 0) else a
    charge_bits(_bits(a) * n)
    return Fraction(a.numerator**n, a.denominator**n)


@prim("Rat.zpow")
def zpow(a: Fraction, n: int) -> Fraction:
    """`a ^ n` for an integer n; 0 to a negative power is 0."""
    return pow_(a, n) if n >= 0 else inv(pow_(a, -n))


@prim("Rat.ltInternal", "Rat.blt")
def lt(a: Fraction, b: Fraction) -> bool:
    """`a < b`."""
    return a < b


@prim("Rat.le")
def le(a: Fraction, b: Fraction) -> bool:
    """`a ≤ b`."""
    return a <= b


@prim("Rat.floor")
def floor(a: Fraction) -> int:
    """The greatest integer at most a."""
    return math.floor(a)


@prim("Rat.ceil")
def ceil(a: Fraction) -> int:
    """The least integer at least a."""
    return math.ceil(a)


@prim("Rat.isInt")
def is_int(a: Fraction) -> bool:
    """Whether the denominator is 1."""
    return a.denominator == 1


@prim("Rat.compareInternal")
def compare(a: Fraction, b: Fraction) -> int:
    """`compare a b` as an `Ordering`."""
    return ordering(a, b)


@prim("Rat.toStringInternal")
def to_string(a: Fraction) -> str:
    """`n` for an integer, else `n/d`."""
    if a.denominator == 1:
        return decimal(a.numerator)
    return f"{decimal(a.numerator)}/{decimal(a.denominator)}"


@prim("Rat.sqrt")
def sqrt(a: Fraction) -> Fraction:
    """Mathlib's `Rat.sqrt`: the square root of a square, else of the parts separately, 0 of negative numbers."""
    if a <= 0:
        return Fraction(0)
    return Fraction(math.isqrt(a.numerator), math.isqrt(a.denominator))


@prim("Rat.toFloat")
def to_float(a: Fraction) -> float:
    """Not covered: how it rounds is not documented."""
    unsupported("Rat.toFloat")
