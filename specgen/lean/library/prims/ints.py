"""Primitives of `Int`: arithmetic and the families of division."""

from __future__ import annotations

import math

from specgen.lean.eval.runtime import charge_bits
from specgen.lean.library.prims.nats import power, times
from specgen.lean.library.prims.registry import prim


@prim("Int.negOfNat")
def neg_of_nat(n: int) -> int:
    """`-n`."""
    return -n


@prim("Int.subNatNat")
def sub_nat_nat(m: int, n: int) -> int:
    """`m - n` of two naturals, an integer."""
    return m - n


@prim("Int.add")
def add(m: int, n: int) -> int:
    """`m + n`."""
    return m + n


@prim("Int.sub")
def sub(m: int, n: int) -> int:
    """`m - n`."""
    return m - n


@prim("Int.mul")
def mul(m: int, n: int) -> int:
    """`m * n`."""
    return times(m, n)


@prim("Int.neg")
def neg(n: int) -> int:
    """`-n`."""
    return -n


@prim("Int.pow")
def pow_(m: int, n: int) -> int:
    """`m ^ n`."""
    return power(m, n)


@prim("Int.ediv")
def ediv(m: int, n: int) -> int:
    """`m / n`, Euclidean: the remainder is not negative; `m / 0 = 0`."""
    if n == 0:
        return 0
    return m // n if n > 0 else -(m // -n)


@prim("Int.emod")
def emod(m: int, n: int) -> int:
    """`m % n`, Euclidean: in [0, |n|); `m % 0 = m`."""
    return m % abs(n) if n else m


@prim("Int.tdiv", "Int.div")
def tdiv(m: int, n: int) -> int:
    """Division rounding towards zero; 0 by 0."""
    if n == 0:
        return 0
    q = abs(m) // abs(n)
    return q if (m < 0) == (n < 0) else -q


@prim("Int.tmod", "Int.mod")
def tmod(m: int, n: int) -> int:
    """The remainder of `tdiv`: the sign of m; m by 0."""
    if n == 0:
        return m
    r = abs(m) % abs(n)
    return -r if m < 0 else r


@prim("Int.fdiv")
def fdiv(m: int, n: int) -> int:
    """Division rounding down; 0 by 0."""
    return m // n if n else 0


@prim("Int.fmod")
def fmod(m: int, n: int) -> int:
    """The remainder of `fdiv`: the sign of n; m by 0."""
    return m % n if n else m


@prim("Int.bmod")
def bmod(x: int, m: int) -> int:
    """Balanced remainder for a natural m: in [-m/2, m/2); x by 0."""
    r = emod(x, m)
    return r if r < (m + 1) // 2 else r - m


@prim("Int.bdiv")
def bdiv(x: int, m: int) -> int:
    """The quotient that belongs to `bmod`; 0 by 0."""
    if m == 0:
        return 0
    q, r = x // m, x % m
    return q if r < (m + 1) // 2 else q + 1


@prim("Int.natAbs")
def nat_abs(m: int) -> int:
    """The absolute value, a natural."""
    return abs(m)


@prim("Int.toNat")
def to_nat(n: int) -> int:
    """n, or 0 when negative."""
    return n if n > 0 else 0


@prim("Int.toNat?", "Int.toNat'")
def to_nat_opt(n: int) -> tuple[int] | None:
    """`some n`, or none when negative."""
    return (n,) if n >= 0 else None


@prim("Int.sign")
def sign(n: int) -> int:
    """1, 0 or -1."""
    return (n > 0) - (n < 0)


@prim("Int.le", "Int.ble'")
def le(m: int, n: int) -> bool:
    """`m ≤ n`."""
    return m <= n


@prim("Int.lt", "Int.blt'")
def lt(m: int, n: int) -> bool:
    """`m < n`."""
    return m < n


@prim("Int.beq'")
def beq(m: int, n: int) -> bool:
    """`m == n`."""
    return m == n


@prim("Int.maxInternal")
def max_(m: int, n: int) -> int:
    """The larger."""
    return m if m >= n else n


@prim("Int.minInternal")
def min_(m: int, n: int) -> int:
    """The smaller."""
    return m if m <= n else n


@prim("Int.dvdInternal")
def dvd(m: int, n: int) -> bool:
    """`m ∣ n`; `0 ∣ n` only for 0."""
    return n % m == 0 if m else n == 0


@prim("Int.shiftRight")
def shift_right(m: int, n: int) -> int:
    """`m >>> n`: arithmetic, rounds down."""
    return m >> min(n, 1 << 60)


@prim("Int.shiftLeft")
def shift_left(m: int, n: int) -> int:
    """`m <<< n`."""
    if m == 0:
        return 0
    charge_bits(m.bit_length() + n)
    return m << n


@prim("Int.not")
def not_(m: int) -> int:
    """`~~~m`: `-m - 1`."""
    return ~m


@prim("Int.land")
def land(m: int, n: int) -> int:
    """Mathlib's `Int.land`, two's complement."""
    return m & n


@prim("Int.lor")
def lor(m: int, n: int) -> int:
    """Mathlib's `Int.lor`, two's complement."""
    return m | n


@prim("Int.xor")
def xor(m: int, n: int) -> int:
    """Mathlib's `Int.xor`, two's complement."""
    return m ^ n


@prim("Int.testBit")
def test_bit(m: int, i: int) -> bool:
    """Mathlib's `Int.testBit`, two's complement."""
    return bool(m >> min(i, 1 << 60) & 1)


@prim("Int.sqrt")
def sqrt(n: int) -> int:
    """Mathlib's `Int.sqrt`: of negative numbers 0."""
    return math.isqrt(n) if n > 0 else 0


@prim("Int.natMod")
def nat_mod(m: int, n: int) -> int:
    """Mathlib's `Int.natMod m n`: `(m % n).toNat`."""
    return max(0, emod(m, n))
