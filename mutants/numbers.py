"""Breakages of arithmetic: natural numbers, integers, fixed width, floats."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from mutants.patching import replace_primitive, rewrite_table
from mutants.registry import add

_TESTS = ("tests/lean/test_semantics.py", "tests/lean/eval", "tests/lean/library")
Function = Callable[..., Any]


def _primitive(name: str, breaks: str, target: str, new: Function, sample: tuple[Any, ...]) -> None:
    def apply() -> None:
        replace_primitive(target, lambda old: new, sample)

    add(name, breaks, _TESTS, apply)


def _wrapping(name: str, breaks: str, target: str, change: Callable[[Function], Function], *sample: Any) -> None:
    add(name, breaks, _TESTS, lambda: replace_primitive(target, change, sample))


def _crash(_: Any, b: Any) -> Any:
    raise ZeroDivisionError


def _truncated(a: int, b: int) -> int:
    q = abs(a) // abs(b) if b else 0
    return q if (a < 0) == (b < 0) else -q


def _remainder(a: int, b: int) -> int:
    return a - b * _truncated(a, b)


def _floor(a: int, b: int) -> int:
    return a // b if b else 0


# ---- natural numbers
_primitive("nat-sub-signed", "Nat subtraction does not truncate at 0", "Nat.sub", lambda a, b: a - b, (2, 3))
_wrapping(
    "nat-div-zero-crash",
    "Nat division by 0 crashes",
    "Nat.div",
    lambda old: lambda a, b: old(a, b) if b else _crash(a, b),
    5,
    0,
)
_primitive("nat-div-zero-value", "n / 0 is n on Nat", "Nat.div", lambda a, b: a // b if b else a, (5, 0))
_primitive("nat-mod-zero", "n % 0 is 0 on Nat", "Nat.mod", lambda a, b: a % b if b else 0, (5, 0))
_primitive(
    "nat-dvd-swapped",
    "a ∣ b asks whether b divides a",
    "Nat.dvdInternal",
    lambda a, b: (a % b if b else a) == 0,
    (2, 6),
)
_primitive("nat-dvd-zero", "0 ∣ n holds of every n", "Nat.dvdInternal", lambda a, b: b % a == 0 if a else True, (0, 3))
_primitive("nat-pow-zero", "0 ^ 0 is 0", "Nat.pow", lambda a, b: a**b if a else 0, (0, 0))
_primitive("nat-gcd-zero", "gcd with 0 is 0", "Nat.gcd", lambda a, b: math.gcd(a, b) if a and b else 0, (0, 4))
_primitive("nat-log2-up", "log2 rounds up", "Nat.log2", lambda a: (a - 1).bit_length() if a else 0, (5,))
_primitive("nat-sqrt-up", "the square root rounds up", "Nat.sqrt", lambda a: math.isqrt(a - 1) + 1 if a else 0, (5,))
_primitive("nat-shift-divides", "n >>> k divides by 2k", "Nat.shiftRight", lambda a, b: a // (2 * b or 1), (40, 3))
_primitive("nat-lt-or-equal", "n < n holds", "Nat.lt", lambda a, b: a <= b, (3, 3))

# ---- integers
_primitive("int-div-truncates", "Int / rounds towards zero", "Int.ediv", _truncated, (-5, 2))
_primitive("int-div-floors", "Int / rounds down for negative divisors too", "Int.ediv", _floor, (5, -2))
_wrapping(
    "int-div-zero-crash",
    "Int division by 0 crashes",
    "Int.ediv",
    lambda old: lambda a, b: old(a, b) if b else _crash(a, b),
    5,
    0,
)
_primitive("int-mod-sign", "Int % has the sign of the dividend", "Int.emod", _remainder, (-5, 2))
_primitive(
    "int-mod-divisor-sign", "Int % has the sign of the divisor", "Int.emod", lambda a, b: a % b if b else a, (5, -3)
)
_primitive("int-mod-zero", "n % 0 is 0 on Int", "Int.emod", lambda a, b: a % abs(b) if b else 0, (5, 0))
_primitive("int-tdiv-floors", "Int.tdiv rounds down", "Int.tdiv", _floor, (-5, 2))
_primitive("int-tmod-euclidean", "Int.tmod is never negative", "Int.tmod", lambda a, b: a % abs(b) if b else a, (-5, 2))
_primitive("int-fdiv-truncates", "Int.fdiv rounds towards zero", "Int.fdiv", _truncated, (-5, 2))
_primitive("int-fmod-euclidean", "Int.fmod is never negative", "Int.fmod", lambda a, b: a % abs(b) if b else a, (5, -3))
_primitive("int-bmod-unbalanced", "Int.bmod is not balanced", "Int.bmod", lambda a, b: a % b if b else a, (3, 4))
_primitive("int-to-nat-absolute", "Int.toNat of a negative number is its absolute value", "Int.toNat", abs, (-3,))
_primitive("int-nat-abs-clamps", "Int.natAbs of a negative number is 0", "Int.natAbs", lambda a: max(a, 0), (-3,))
_primitive("int-sign-of-zero", "Int.sign of 0 is 1", "Int.sign", lambda a: 1 if a >= 0 else -1, (0,))
_primitive(
    "int-dvd-swapped",
    "a ∣ b on Int asks whether b divides a",
    "Int.dvdInternal",
    lambda a, b: (a % b if b else a) == 0,
    (2, 6),
)
_primitive(
    "int-shift-towards-zero",
    "n >>> k of a negative integer rounds towards zero",
    "Int.shiftRight",
    lambda a, b: _truncated(a, 1 << b),
    (-5, 1),
)
_primitive(
    "int-repr-unsigned", "toString drops the sign of a negative number", "Int.repr", lambda a: str(abs(a)), (-3,)
)

# ---- fixed width
_primitive("uint8-no-wrap", "UInt8 addition does not wrap around", "UInt8.add", lambda a, b: a + b, (250, 10))
_primitive("uint8-sub-truncates", "UInt8 subtraction stops at 0", "UInt8.sub", lambda a, b: max(a - b, 0), (1, 2))
_primitive(
    "uint32-mul-no-wrap",
    "UInt32 multiplication does not wrap around",
    "UInt32.mul",
    lambda a, b: a * b,
    (1 << 20, 1 << 20),
)
_primitive(
    "uint8-shift-out", "UInt8 shifts by 8 or more give 0", "UInt8.shiftLeft", lambda a, b: (a << b) & 255, (1, 9)
)
_primitive("int8-no-wrap", "Int8 addition does not wrap around", "Int8.add", lambda a, b: a + b, (127, 1))
_primitive("int8-div-floors", "Int8 division rounds down", "Int8.div", _floor, (-5, 2))
_primitive("bitvec-unsigned-order", "BitVec.slt compares without sign", "BitVec.slt", lambda w, x, y: x < y, (4, 9, 1))
_primitive("fin-no-wrap", "Fin addition does not wrap around", "Fin.add", lambda n, a, b: a + b, (3, 2, 2))

# ---- floats
_wrapping(
    "float-nan-equal",
    "NaN == NaN holds",
    "Float.beq",
    lambda old: lambda a, b: bool(a == b) or a != a,
    math.nan,
    math.nan,
)
_wrapping(
    "float-div-zero-crash",
    "Float division by 0 crashes",
    "Float.div",
    lambda old: lambda a, b: old(a, b) if b else _crash(a, b),
    1.0,
    0.0,
)

# ---- defaults
add(
    "nat-default-one",
    "the default natural number (of `xs[i]!` out of range) is 1",
    _TESTS,
    lambda: rewrite_table("instInhabitedNat", "Nat.zero", "Nat.succ Nat.zero"),
)
