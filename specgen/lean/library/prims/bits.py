"""Primitives of `Fin`, `BitVec` and the fixed-width integers.

Unsigned values and bit vectors are the canonical residue; the signed types hold the signed value.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from specgen.lean.eval.runtime import charge_bits
from specgen.lean.library.prims.ints import tdiv, tmod
from specgen.lean.library.prims.nats import decimal, div, ordering
from specgen.lean.library.prims.nats import mod as nat_mod
from specgen.lean.library.prims.registry import prim

UNSIGNED: Final = {"UInt8": 8, "UInt16": 16, "UInt32": 32, "UInt64": 64, "USize": 64}
SIGNED: Final = {"Int8": 8, "Int16": 16, "Int32": 32, "Int64": 64, "ISize": 64}


def signed(x: int, width: int) -> int:
    """Return the signed value of the lowest `width` bits of x."""
    if width == 0:
        return 0
    x &= (1 << width) - 1
    return x - (1 << width) if x >> (width - 1) else x


def mask(width: int) -> int:
    """Return 2 ^ width - 1, after taking memory for it."""
    charge_bits(width)
    return (1 << width) - 1


# ----------------------------------------------------------------------------------------------------------------- Fin


@prim("Fin.ofNatInternal")
def fin_of_nat(n: int, i: int) -> int:
    """`i` modulo n."""
    return i % n if n else i


@prim("Fin.add")
def fin_add(n: int, a: int, b: int) -> int:
    """`a + b` modulo n."""
    return (a + b) % n


@prim("Fin.sub")
def fin_sub(n: int, a: int, b: int) -> int:
    """`a - b` modulo n."""
    return (a - b) % n


@prim("Fin.mul")
def fin_mul(n: int, a: int, b: int) -> int:
    """`a * b` modulo n."""
    return a * b % n


@prim("Fin.neg")
def fin_neg(n: int, a: int) -> int:
    """`-a` modulo n."""
    return -a % n


@prim("Fin.div")
def fin_div(_n: int, a: int, b: int) -> int:
    """`a / b`, 0 by 0."""
    return div(a, b)


@prim("Fin.mod")
def fin_mod(_n: int, a: int, b: int) -> int:
    """`a % b`, a by 0."""
    return nat_mod(a, b)


@prim("Fin.land")
def fin_land(n: int, a: int, b: int) -> int:
    """`a &&& b` modulo n."""
    return (a & b) % n


@prim("Fin.lor")
def fin_lor(n: int, a: int, b: int) -> int:
    """`a ||| b` modulo n."""
    return (a | b) % n


@prim("Fin.shiftLeft")
def fin_shift_left(n: int, a: int, b: int) -> int:
    """`a <<< b` modulo n."""
    charge_bits(b)
    return (a << b) % n


@prim("Fin.shiftRight")
def fin_shift_right(n: int, a: int, b: int) -> int:
    """`a >>> b`."""
    return (a >> b) % n


@prim("Fin.xor")
def fin_xor(n: int, a: int, b: int) -> int:
    """`a ^^^ b` modulo n."""
    return (a ^ b) % n


# -------------------------------------------------------------------------------------------------------------- BitVec


@prim("BitVec.ofNat", "BitVec.ofInt")
def bv_of_nat(w: int, i: int) -> int:
    """`i` modulo 2 ^ w."""
    return i & mask(w)


@prim("BitVec.ofNatLT", "BitVec.ofFin", "BitVec.toFin", "BitVec.toNat")
def bv_same(_w: int, x: int) -> int:
    """The same number."""
    return x


@prim("BitVec.toInt")
def bv_to_int(w: int, x: int) -> int:
    """The signed value."""
    return signed(x, w)


@prim("BitVec.add")
def bv_add(w: int, x: int, y: int) -> int:
    """`x + y`, wrapping."""
    return (x + y) & mask(w)


@prim("BitVec.sub")
def bv_sub(w: int, x: int, y: int) -> int:
    """`x - y`, wrapping."""
    return (x - y) & mask(w)


@prim("BitVec.mul")
def bv_mul(w: int, x: int, y: int) -> int:
    """`x * y`, wrapping."""
    return x * y & mask(w)


@prim("BitVec.neg")
def bv_neg(w: int, x: int) -> int:
    """`-x`, wrapping."""
    return -x & mask(w)


@prim("BitVec.udiv")
def bv_udiv(_w: int, x: int, y: int) -> int:
    """`x / y` unsigned, 0 by 0."""
    return div(x, y)


@prim("BitVec.umod")
def bv_umod(_w: int, x: int, y: int) -> int:
    """`x % y` unsigned, x by 0."""
    return nat_mod(x, y)


@prim("BitVec.sdiv")
def bv_sdiv(w: int, x: int, y: int) -> int:
    """Signed division towards zero; 0 by 0."""
    return tdiv(signed(x, w), signed(y, w)) & mask(w)


@prim("BitVec.srem")
def bv_srem(w: int, x: int, y: int) -> int:
    """The remainder of `sdiv`; x by 0."""
    return tmod(signed(x, w), signed(y, w)) & mask(w)


@prim("BitVec.smod")
def bv_smod(w: int, x: int, y: int) -> int:
    """The remainder with the sign of y; x by 0."""
    a, b = signed(x, w), signed(y, w)
    return (a % b if b else a) & mask(w)


@prim("BitVec.and")
def bv_and(_w: int, x: int, y: int) -> int:
    """`x &&& y`."""
    return x & y


@prim("BitVec.or")
def bv_or(_w: int, x: int, y: int) -> int:
    """`x ||| y`."""
    return x | y


@prim("BitVec.xor")
def bv_xor(_w: int, x: int, y: int) -> int:
    """`x ^^^ y`."""
    return x ^ y


@prim("BitVec.not")
def bv_not(w: int, x: int) -> int:
    """`~~~x`."""
    return ~x & mask(w)


@prim("BitVec.shiftLeft")
def bv_shift_left(w: int, x: int, n: int) -> int:
    """`x <<< n`."""
    return 0 if n >= w else x << n & mask(w)


@prim("BitVec.ushiftRight")
def bv_shift_right(w: int, x: int, n: int) -> int:
    """`x >>> n`, filling with zeros."""
    return 0 if n >= w else x >> n


@prim("BitVec.sshiftRight")
def bv_sshift_right(w: int, x: int, n: int) -> int:
    """Arithmetic shift."""
    return signed(x, w) >> min(n, w) & mask(w)


@prim("BitVec.rotateLeft")
def bv_rotate_left(w: int, x: int, n: int) -> int:
    """Rotation by n modulo w."""
    if w == 0:
        return 0
    n %= w
    return (x << n | x >> (w - n)) & mask(w)


@prim("BitVec.rotateRight")
def bv_rotate_right(w: int, x: int, n: int) -> int:
    """Rotation by n modulo w."""
    return bv_rotate_left(w, x, w - n % w) if w else 0


@prim("BitVec.ult")
def bv_ult(_w: int, x: int, y: int) -> bool:
    """Unsigned less."""
    return x < y


@prim("BitVec.ule")
def bv_ule(_w: int, x: int, y: int) -> bool:
    """Unsigned less or equal."""
    return x <= y


@prim("BitVec.slt")
def bv_slt(w: int, x: int, y: int) -> bool:
    """Signed less."""
    return signed(x, w) < signed(y, w)


@prim("BitVec.sle")
def bv_sle(w: int, x: int, y: int) -> bool:
    """Signed less or equal."""
    return signed(x, w) <= signed(y, w)


@prim("BitVec.getLsbD", "BitVec.getLsb")
def bv_get_lsb(_w: int, x: int, i: int) -> bool:
    """Bit i from the least significant; false out of range."""
    return i < x.bit_length() and bool(x >> i & 1)


@prim("BitVec.getMsbD")
def bv_get_msb(w: int, x: int, i: int) -> bool:
    """Bit i from the most significant; false out of range."""
    return i < w and bool(x >> (w - 1 - i) & 1)


@prim("BitVec.msb")
def bv_msb(w: int, x: int) -> bool:
    """The most significant bit; false for width 0."""
    return w > 0 and bool(x >> (w - 1) & 1)


@prim("BitVec.allOnes")
def bv_all_ones(w: int) -> int:
    """All bits set."""
    return mask(w)


@prim("BitVec.zero")
def bv_zero(_w: int) -> int:
    """No bit set."""
    return 0


@prim("BitVec.twoPow")
def bv_two_pow(w: int, i: int) -> int:
    """Bit i set, when there is one."""
    if i >= w:
        return 0
    charge_bits(i)
    return 1 << i


@prim("BitVec.setWidth", "BitVec.zeroExtend", "BitVec.truncate")
def bv_set_width(_w: int, v: int, x: int) -> int:
    """The lowest v bits, filled with zeros."""
    return x & mask(v)


@prim("BitVec.signExtend")
def bv_sign_extend(w: int, v: int, x: int) -> int:
    """The lowest v bits, filled with the sign."""
    return signed(x, w) & mask(v)


@prim("BitVec.append")
def bv_append(_n: int, m: int, high: int, low: int) -> int:
    """`high ++ low`."""
    charge_bits(m)
    return high << m | low


@prim("BitVec.replicate")
def bv_replicate(w: int, i: int, x: int) -> int:
    """`i` copies of x, one after the other."""
    charge_bits(w * i)
    return x * (mask(w * i) // mask(w)) if w and i else 0


@prim("BitVec.extractLsb'")
def bv_extract(_n: int, start: int, length: int, x: int) -> int:
    """Bits start to start + length - 1."""
    return x >> min(start, x.bit_length()) & mask(length)


@prim("BitVec.extractLsb")
def bv_extract_range(_n: int, high: int, low: int, x: int) -> int:
    """Bits low to high."""
    return bv_extract(_n, low, max(0, high - low) + 1, x)


@prim("BitVec.toHex")
def bv_to_hex(w: int, x: int) -> str:
    """Hexadecimal digits, as many as the width needs."""
    return f"{x:x}".rjust((w + 3) // 4, "0")


@prim("BitVec.toStringInternal")
def bv_to_string(w: int, x: int) -> str:
    """`x#w` in hexadecimal, as `toString` writes it."""
    return f"0x{bv_to_hex(w, x)}#{w}"


# ------------------------------------------------------------------------------------------------- fixed-width integers


def _register_common(name: str, width: int, wrap: Callable[[int], int], is_signed: bool) -> None:
    divide = tdiv if is_signed else div
    remainder = tmod if is_signed else nat_mod

    def amount(b: int) -> int:
        return b % width

    def shift_right(a: int, b: int) -> int:
        return a >> amount(b)

    def shift_left(a: int, b: int) -> int:
        return wrap(a << amount(b))

    table: dict[str, Callable[..., object]] = {
        "ofNat": wrap,
        "add": lambda a, b: wrap(a + b),
        "sub": lambda a, b: wrap(a - b),
        "mul": lambda a, b: wrap(a * b),
        "div": lambda a, b: wrap(divide(a, b)),
        "mod": lambda a, b: wrap(remainder(a, b)),
        "land": lambda a, b: wrap(a & b),
        "lor": lambda a, b: wrap(a | b),
        "xor": lambda a, b: wrap(a ^ b),
        "shiftLeft": shift_left,
        "shiftRight": shift_right,
        "complement": lambda a: wrap(~a),
        "neg": lambda a: wrap(-a),
        "lt": lambda a, b: a < b,
        "le": lambda a, b: a <= b,
        "compareInternal": ordering,
        "toStringInternal": decimal,
        "toFloat": float,
        "ofBitVec": wrap,
        "toBitVec": lambda a: a & ((1 << width) - 1),
    }
    if name in ("USize", "ISize"):
        del table["ofBitVec"], table["toBitVec"]
    for operation, function in table.items():
        prim(f"{name}.{operation}")(function)


def _wrapper(width: int, is_signed: bool) -> Callable[[int], int]:
    if is_signed:
        return lambda x: signed(x, width)
    return lambda x: x & ((1 << width) - 1)


def _identity(x: int) -> int:
    return x


def _register_conversions() -> None:
    for name, width in UNSIGNED.items():
        _register_common(name, width, _wrapper(width, False), False)
        wrap = _wrapper(width, False)
        prim(f"{name}.ofNatLT", f"{name}.toNat", f"{name}.toFin", f"{name}.ofFin")(_identity)
        prim(f"{name}.ofNatTruncate")(lambda n, top=(1 << width) - 1: min(n, top))
        prim(f"{name}.log2")(lambda a: a.bit_length() - 1 if a else 0)
        prim(f"Nat.to{name}")(wrap)
        for other, other_width in UNSIGNED.items():
            if other != name:
                prim(f"{name}.to{other}")(_wrapper(other_width, False))
        if name != "USize":
            prim(f"{name}.toInt{width}")(_wrapper(width, True))
    for name, width in SIGNED.items():
        wrap = _wrapper(width, True)
        _register_common(name, width, wrap, True)
        prim(f"{name}.ofInt", f"Int.to{name}")(wrap)
        if name != "ISize":
            prim(f"Nat.to{name}")(wrap)
            prim(f"{name}.toUInt{width}")(_wrapper(width, False))
        prim(f"{name}.toInt")(_identity)
        prim(f"{name}.toNatClampNeg")(lambda a: max(0, a))
        prim(f"{name}.abs")(lambda a, wrap=wrap: wrap(abs(a)))
        for other, other_width in SIGNED.items():
            if other != name:
                prim(f"{name}.to{other}")(_wrapper(other_width, True))


_register_conversions()


@prim("UInt8.toChar")
def uint8_to_char(n: int) -> str:
    """The character of a byte."""
    return chr(n)
