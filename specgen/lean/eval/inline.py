"""Primitives that are one Python operation, built into the code without a call of their own where that is possible.

Each must agree with the primitive of the same name in `library/prims`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, Final

from specgen.lean.eval import nodes
from specgen.lean.eval.nodes import Code
from specgen.lean.eval.runtime import charge_bits

_SMALL: Final = 1 << 200


def _mul(a: int, b: int) -> int:
    if -_SMALL < a < _SMALL and -_SMALL < b < _SMALL:
        return a * b
    charge_bits(a.bit_length() + b.bit_length())
    return a * b


def _sub(a: int, b: int) -> int:
    return a - b if a > b else 0


def _div(a: int, b: int) -> int:
    return a // b if b else 0


def _mod(a: int, b: int) -> int:
    return a % b if b else a


def _ediv(a: int, b: int) -> int:
    """Euclidean: the remainder is never negative."""
    if b > 0:
        return a // b
    return -(a // -b) if b else 0


def _emod(a: int, b: int) -> int:
    return a % abs(b) if b else a


def _succ(n: int) -> int:
    return n + 1


def _negate(n: int) -> int:
    return -n


def _to_nat(n: int) -> int:
    return n if n > 0 else 0


def _binary(op: Callable[[Any, Any], Any]) -> Callable[..., Code]:
    def build(a: Code, b: Code) -> Code:
        return nodes.apply2(op, a, b)

    return build


def _unary(op: Callable[[Any], Any]) -> Callable[..., Code]:
    def build(a: Code) -> Code:
        return nodes.apply1(op, a)

    return build


def _identity(a: Code) -> Code:
    return a


def _add(a: Code, b: Code) -> Code:
    i, known = nodes.slot_of(a), nodes.constant_of(b)
    if i is not None and known is not None:
        k = known[0]
        return lambda fr: fr[i] + k
    return nodes.apply2(operator.add, a, b)


def _by(zero: Callable[[Any, Any], Any], other: Callable[[Any, Any], Any]) -> Callable[..., Code]:
    """A quotient or remainder of natural numbers: Python's own where the divisor is known and not 0."""

    def build(a: Code, b: Code) -> Code:
        known = nodes.constant_of(b)
        return nodes.apply2(other if known is not None and known[0] else zero, a, b)

    return build


INLINE: Final[dict[str, Callable[..., Code]]] = {
    "Nat.add": _add,
    "Nat.sub": _binary(_sub),
    "Nat.mul": _binary(_mul),
    "Nat.div": _by(_div, operator.floordiv),
    "Nat.mod": _by(_mod, operator.mod),
    "Nat.beq": _binary(operator.eq),
    "Nat.ble": _binary(operator.le),
    "Nat.blt": _binary(operator.lt),
    "Nat.le": _binary(operator.le),
    "Nat.lt": _binary(operator.lt),
    "Nat.max": _binary(max),
    "Nat.min": _binary(min),
    "Nat.succ": _unary(_succ),
    "Int.add": _add,
    "Int.sub": _binary(operator.sub),
    "Int.mul": _binary(_mul),
    "Int.neg": _unary(_negate),
    "Int.ediv": _binary(_ediv),
    "Int.emod": _binary(_emod),
    "Int.le": _binary(operator.le),
    "Int.lt": _binary(operator.lt),
    "Int.maxInternal": _binary(max),
    "Int.minInternal": _binary(min),
    "Int.ofNat": _identity,
    "Int.toNat": _unary(_to_nat),
    "Int.natAbs": _unary(abs),
    "Char.toNat": _unary(ord),
    "Char.lt": _binary(operator.lt),
    "Char.le": _binary(operator.le),
}
