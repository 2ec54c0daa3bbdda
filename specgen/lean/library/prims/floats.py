"""Primitives of `Float`: IEEE double arithmetic, conversions, text."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable

from specgen.lean.eval.runtime import charge_bits
from specgen.lean.library.prims.bits import SIGNED, UNSIGNED
from specgen.lean.library.prims.registry import prim

_INF = math.inf
_NAN = math.nan


@prim("Float.add")
def add(a: float, b: float) -> float:
    """`a + b`."""
    return a + b


@prim("Float.sub")
def sub(a: float, b: float) -> float:
    """`a - b`."""
    return a - b


@prim("Float.mul")
def mul(a: float, b: float) -> float:
    """`a * b`."""
    return a * b


@prim("Float.div")
def div(a: float, b: float) -> float:
    """`a / b`, IEEE: infinities and NaN by zero."""
    if b == 0:
        if a == 0 or math.isnan(a):
            return _NAN
        return math.copysign(_INF, a) * math.copysign(1.0, b)
    return a / b


@prim("Float.neg")
def neg(a: float) -> float:
    """`-a`."""
    return -a


@prim("Float.lt")
def lt(a: float, b: float) -> bool:
    """`a < b`."""
    return a < b


@prim("Float.le")
def le(a: float, b: float) -> bool:
    """`a ≤ b`."""
    return a <= b


@prim("Float.beq")
def beq(a: float, b: float) -> bool:
    """`a == b`, IEEE: NaN differs from itself, the zeros are equal."""
    return a == b


@prim("Float.abs")
def abs_(a: float) -> float:
    """The absolute value."""
    return abs(a)


@prim("Float.isNaN")
def is_nan(a: float) -> bool:
    """Whether it is NaN."""
    return math.isnan(a)


@prim("Float.isFinite")
def is_finite(a: float) -> bool:
    """Whether it is finite."""
    return math.isfinite(a)


@prim("Float.isInf")
def is_inf(a: float) -> bool:
    """Whether it is infinite."""
    return math.isinf(a)


# ------------------------------------------------------------------------------------------------------- C's functions


def _total(f: Callable[[float], float], domain: float, overflow: float) -> Callable[[float], float]:
    """Make a function of `math` total: `domain` outside its domain, `overflow` where the result is too large."""

    def call(a: float) -> float:
        if math.isnan(a):
            return _NAN
        try:
            return f(a)
        except ValueError:
            return domain
        except OverflowError:
            return overflow

    return call


for _name in ("sin", "cos", "tan", "asin", "acos", "atan", "tanh", "acosh", "asinh"):
    prim(f"Float.{_name}")(_total(getattr(math, _name), _NAN, _INF))
for _name in ("exp", "cosh"):
    prim(f"Float.{_name}")(_total(getattr(math, _name), _NAN, _INF))


@prim("Float.sqrt")
def sqrt(a: float) -> float:
    """The square root; NaN of negative numbers."""
    return math.sqrt(a) if a >= 0 else a if a == 0 else _NAN


@prim("Float.cbrt")
def cbrt(a: float) -> float:
    """The cube root."""
    return math.cbrt(a)


@prim("Float.sinh")
def sinh(a: float) -> float:
    """The hyperbolic sine."""
    return _total(math.sinh, _NAN, math.copysign(_INF, a))(a)


@prim("Float.exp2")
def exp2(a: float) -> float:
    """2 to the a."""
    return _total(math.exp2, _NAN, _INF)(a)


@prim("Float.atanh")
def atanh(a: float) -> float:
    """The inverse hyperbolic tangent; infinite at 1 and -1."""
    return math.copysign(_INF, a) if abs(a) == 1 else _total(math.atanh, _NAN, _INF)(a)


def _logarithm(name: str, f: Callable[[float], float]) -> None:
    def log(a: float) -> float:
        """A logarithm: minus infinity of 0, NaN of negative numbers."""
        if a == 0:
            return -_INF
        return _NAN if a < 0 or math.isnan(a) else f(a)

    prim(name)(log)


_logarithm("Float.log", math.log)
_logarithm("Float.log2", math.log2)
_logarithm("Float.log10", math.log10)


@prim("Float.pow")
def pow_(a: float, b: float) -> float:
    """C's `pow`."""
    try:
        return math.pow(a, b)
    except OverflowError:
        odd = b == math.floor(b) and math.fmod(b, 2.0) != 0
        return -_INF if a < 0 and odd else _INF
    except ValueError:
        if a == 0:
            odd = b == math.floor(b) and math.fmod(b, 2.0) != 0
            return math.copysign(_INF, a) if odd else _INF
        return _NAN


@prim("Float.atan2")
def atan2(a: float, b: float) -> float:
    """C's `atan2`."""
    return math.atan2(a, b)


def _integral(f: Callable[[float], int]) -> Callable[[float], float]:
    def call(a: float) -> float:
        if not math.isfinite(a) or abs(a) >= 2.0**52:
            return a
        return math.copysign(float(f(a)), a)

    return call


prim("Float.floor")(_integral(math.floor))
prim("Float.ceil")(_integral(math.ceil))


@prim("Float.round")
def round_(a: float) -> float:
    """To the nearest integer, halves away from zero."""
    if not math.isfinite(a) or abs(a) >= 2.0**52:
        return a
    whole = math.floor(abs(a))
    return math.copysign(float(whole + (abs(a) - whole >= 0.5)), a)


# --------------------------------------------------------------------------------------------------------- conversions


def truncated(a: float, low: int, high: int) -> int:
    """Return a without its fraction, cut to the range; 0 of NaN."""
    if math.isnan(a):
        return 0
    if math.isinf(a):
        return high if a > 0 else low
    return min(high, max(low, math.trunc(a)))


def _to_fixed(low: int, high: int) -> Callable[[float], int]:
    return lambda a: truncated(a, low, high)


for _name, _width in UNSIGNED.items():
    prim(f"Float.to{_name}")(_to_fixed(0, (1 << _width) - 1))
for _name, _width in SIGNED.items():
    prim(f"Float.to{_name}")(_to_fixed(-(1 << (_width - 1)), (1 << (_width - 1)) - 1))


def scale(x: float, e: int) -> float:
    """Return x * 2 ^ e, rounded once, infinite where too large."""
    try:
        return math.ldexp(x, max(-5000, min(5000, e)))
    except OverflowError:
        return math.copysign(_INF, x)


def binary_scientific(m: int, e: int) -> float:
    """Return what `Float.ofBinaryScientific m e` gives: m cut to 64 bits, rounded to a double, then scaled."""
    s = max(0, m.bit_length() - 64)
    return scale(float(m >> s), e + s)


@prim("Float.ofBinaryScientific")
def of_binary_scientific(m: int, e: int) -> float:
    """`Float.ofBinaryScientific m e`: m * 2 ^ e."""
    return binary_scientific(m, e)


@prim("Float.ofScientific")
def of_scientific(m: int, negative: bool, e: int) -> float:
    """`Float.ofScientific m negative e`: m * 10 ^ ±e, by the algorithm of the library."""
    if m == 0:
        return 0.0
    if negative:
        charge_bits(3 * e)
        s = max(0, 64 - (m.bit_length() - 1))
        return binary_scientific((m << (3 * e + s)) // int(5**e), -4 * e - s)
    if e > 5000:
        return _INF
    charge_bits(3 * e)
    return binary_scientific(m * int(5**e), e)


@prim("Float.ofNat", "Nat.toFloat")
def of_nat(n: int) -> float:
    """`Float.ofNat n`."""
    return of_scientific(n, False, 0)


@prim("Float.ofInt", "Int.toFloat")
def of_int(n: int) -> float:
    """`Float.ofInt n`."""
    return of_nat(n) if n >= 0 else -of_nat(-n)


@prim("Float.scaleB")
def scale_b(x: float, e: int) -> float:
    """`x.scaleB e`: x * 2 ^ e; beyond 32 bits of exponent 0, or x times infinity, whatever x is."""
    if not -(2**31) <= e < 2**31:
        return 0.0 if x == 0 or e < 0 else x * math.inf
    return x if x == 0 or not math.isfinite(x) else scale(x, e)


@prim("Float.frExp")
def fr_exp(a: float) -> tuple[float, int]:
    """C's `frexp`; `(a, 0)` where a is not finite."""
    return math.frexp(a) if math.isfinite(a) else (a, 0)


@prim("Float.toBits")
def to_bits(a: float) -> int:
    """The bits; the canonical NaN of any NaN."""
    if math.isnan(a):
        return 0x7FF8000000000000
    return int(struct.unpack("<Q", struct.pack("<d", a))[0])


@prim("Float.ofBits")
def of_bits(b: int) -> float:
    """The number of the bits."""
    return float(struct.unpack("<d", struct.pack("<Q", b))[0])


@prim("Float.toString")
def to_string(a: float) -> str:
    """Six digits behind the point; `NaN`, `inf`, `-inf`."""
    if math.isnan(a):
        return "NaN"
    if math.isinf(a):
        return "inf" if a > 0 else "-inf"
    return f"{a:.6f}"
