"""Primitives of `Nat`: arithmetic, bits, digits, iteration."""

from __future__ import annotations

import math

from specgen.lean.eval.runtime import Unknown, charge, charge_bits, charge_cells
from specgen.lean.library.prims.registry import prim
from specgen.lean.library.prims.seq import NIL, Fn, Lst, V, bounded, lean

# ---------------------------------------------------------------------------------------------------------- arithmetic


def power(base: int, exponent: int) -> int:
    """Return `base ^ exponent`, after taking memory for the result."""
    if base not in (-1, 0, 1):
        bits = base.bit_length() * exponent
        charge_bits(bits)
        if bits > 1 << 20:
            charge(int((bits >> 9) ** 1.585))  # Python multiplies long numbers by Karatsuba's method, in one piece
    elif base == -1:
        return -1 if exponent & 1 else 1
    elif exponent:
        return base
    return int(base**exponent)


def times(a: int, b: int) -> int:
    """Return `a * b`, after taking memory for the result."""
    bits = a.bit_length() + b.bit_length()
    if bits > 512:
        charge_bits(bits)
    return a * b


@prim("Nat.add")
def add(a: int, b: int) -> int:
    """`a + b`."""
    return a + b


@prim("Nat.sub")
def sub(a: int, b: int) -> int:
    """`a - b`, truncated at 0."""
    return a - b if a > b else 0


@prim("Nat.mul")
def mul(a: int, b: int) -> int:
    """`a * b`."""
    return times(a, b)


@prim("Nat.div")
def div(a: int, b: int) -> int:
    """`a / b`; `a / 0 = 0`."""
    return a // b if b else 0


@prim("Nat.mod")
def mod(a: int, b: int) -> int:
    """`a % b`; `a % 0 = a`."""
    return a % b if b else a


@prim("Nat.pow")
def pow_(a: int, b: int) -> int:
    """`a ^ b`."""
    return power(a, b)


@prim("Nat.pred")
def pred(a: int) -> int:
    """`a - 1`, 0 of 0."""
    return a - 1 if a else 0


@prim("Nat.beq")
def beq(a: int, b: int) -> bool:
    """`a == b`."""
    return a == b


@prim("Nat.ble", "Nat.le")
def ble(a: int, b: int) -> bool:
    """`a ≤ b`."""
    return a <= b


@prim("Nat.blt", "Nat.lt")
def blt(a: int, b: int) -> bool:
    """`a < b`."""
    return a < b


@prim("Nat.max")
def max_(a: int, b: int) -> int:
    """The larger."""
    return a if a >= b else b


@prim("Nat.min")
def min_(a: int, b: int) -> int:
    """The smaller."""
    return a if a <= b else b


@prim("Nat.imax")
def imax(a: int, b: int) -> int:
    """`Nat.imax a b`: 0 when b is 0, else the larger."""
    return max(a, b) if b else 0


def ordering(a: V, b: V) -> int:
    """Return an `Ordering`: lt, eq, gt = 0, 1, 2."""
    return 0 if a < b else 1 if a == b else 2


@prim("Nat.compareInternal", "Int.compareInternal", "Bool.compareInternal", "Char.compareInternal")
def compare(a: V, b: V) -> int:
    """`compare a b` as an `Ordering`."""
    return ordering(a, b)


@prim("Nat.dvdInternal")
def dvd(a: int, b: int) -> bool:
    """`a ∣ b`; `0 ∣ b` only for 0."""
    return b % a == 0 if a else b == 0


@prim("Nat.gcd", "Int.gcd")
def gcd(a: int, b: int) -> int:
    """The greatest common divisor of the absolute values, a natural."""
    return math.gcd(a, b)


@prim("Nat.lcm", "Int.lcm")
def lcm(a: int, b: int) -> int:
    """The least common multiple of the absolute values; 0 when one is 0."""
    return math.lcm(a, b)


@prim("Nat.Coprime")
def coprime(a: int, b: int) -> bool:
    """`Nat.Coprime a b`: the gcd is 1."""
    return math.gcd(a, b) == 1


# ---------------------------------------------------------------------------------------------------------------- bits


@prim("Nat.land")
def land(a: int, b: int) -> int:
    """`a &&& b`."""
    return a & b


@prim("Nat.lor")
def lor(a: int, b: int) -> int:
    """`a ||| b`."""
    return a | b


@prim("Nat.xor")
def xor(a: int, b: int) -> int:
    """`a ^^^ b`."""
    return a ^ b


@prim("Nat.shiftLeft")
def shift_left(a: int, b: int) -> int:
    """`a <<< b`."""
    if a == 0:
        return 0
    charge_bits(a.bit_length() + b)
    return a << b


@prim("Nat.shiftRight")
def shift_right(a: int, b: int) -> int:
    """`a >>> b`."""
    return a >> b if b < 1 << 60 else 0


@prim("Nat.testBit")
def test_bit(a: int, i: int) -> bool:
    """`a.testBit i`."""
    return i < a.bit_length() and bool(a >> i & 1)


@prim("Nat.bitwise")
def bitwise(f: Fn, a: int, b: int) -> int:
    """`Nat.bitwise f a b`: bit by bit while both are positive, then all of the other or nothing."""
    if a == 0:
        return b if f(False)(True) else 0
    if b == 0:
        return a if f(True)(False) else 0
    n = min(a.bit_length(), b.bit_length())
    charge(n)
    out = 0
    for i in range(n):
        if f(bool(a >> i & 1))(bool(b >> i & 1)):
            out |= 1 << i
    return out | bitwise(f, a >> n, b >> n) << n if a >> n or b >> n else out


@prim("Nat.log2")
def log2(a: int) -> int:
    """`a.log2`: floor of the binary logarithm; 0 of 0."""
    return a.bit_length() - 1 if a else 0


@prim("Nat.nextPowerOfTwo")
def next_power_of_two(a: int) -> int:
    """The least power of two that is at least a; 1 of 0."""
    return 1 << (a - 1).bit_length() if a > 1 else 1


@prim("Nat.isPowerOfTwo")
def is_power_of_two(a: int) -> bool:
    """`a.isPowerOfTwo`."""
    return a > 0 and a & (a - 1) == 0


@prim("Nat.size")
def size(a: int) -> int:
    """Mathlib's `a.size`: the number of binary digits."""
    return a.bit_length()


@prim("Nat.bits")
def bits(a: int) -> Lst:
    """Mathlib's `a.bits`: least significant first."""
    return lean([bool(a >> i & 1) for i in range(a.bit_length())])


@prim("Nat.bodd", "Int.bodd")
def bodd(a: int) -> bool:
    """Whether a is odd."""
    return bool(a & 1)


@prim("Nat.div2", "Int.div2")
def div2(a: int) -> int:
    """The floor of a half."""
    return a >> 1


# -------------------------------------------------------------------------------------------------------------- digits


@prim("Nat.digitChar")
def digit_char(n: int) -> str:
    """`n.digitChar`: 0 to 9, a to f, else `*`."""
    return "0123456789abcdef"[n] if n < 16 else "*"


def digit_list(base: int, n: int) -> list[int]:
    """Return the digits, least significant first, none of 0; base at least 2."""
    charge_cells(n.bit_length() // max(1, base.bit_length() - 1) + 1)
    charge((n.bit_length() // max(1, base.bit_length() - 1) + 1) * (n.bit_length() // 500 + 1))
    out: list[int] = []
    while n:
        n, d = divmod(n, base)
        out.append(d)
    return out


@prim("Nat.toDigits")
def to_digits(base: int, n: int) -> Lst:
    """`Nat.toDigits base n`: most significant first, `0` of 0. Follows the fuel of n + 1 steps for bases below 2."""
    return to_digits_core(base, n + 1, n, NIL)


@prim("Nat.toDigitsCore")
def to_digits_core(base: int, fuel: int, n: int, acc: Lst) -> Lst:
    """`Nat.toDigitsCore base fuel n acc`."""
    if base >= 2 and fuel > n.bit_length():
        for d in digit_list(base, n) if n else [0]:
            acc = (digit_char(d), acc)
        return acc
    steps = 0
    while fuel > 0:
        steps += 1
        if steps % 64 == 0:
            bounded(64)
        acc = (digit_char(mod(n, base)), acc)
        n = div(n, base)
        if n == 0:
            return acc
        fuel -= 1
    return acc


def decimal(n: int) -> str:
    """Return the decimal text of an integer of any size, after charging for it."""
    size_ = n.bit_length()
    if size_ > 512:
        charge_cells(size_ // 256)
        charge((size_ // 64) ** 2 // 16)
    if size_ <= 13_000:
        return str(n)
    # Python's own conversion refuses very long numbers: go by halves.
    digits = size_ * 30103 // 200000
    high, low = divmod(abs(n), 10**digits)
    return ("-" if n < 0 else "") + decimal(high) + decimal(low).rjust(digits, "0")


@prim("Nat.repr", "Int.repr")
def repr_(n: int) -> str:
    """The decimal text."""
    return decimal(n)


_SUPER = dict(zip("0123456789abcdef", "⁰¹²³⁴⁵⁶⁷⁸⁹ᵃᵇᶜᵈᵉᶠ", strict=True))
_SUB = dict(zip("0123456789", "₀₁₂₃₄₅₆₇₈₉", strict=True))


@prim("Nat.superDigitChar")
def super_digit_char(n: int) -> str:
    """The superscript digit for n below 10, else `*`."""
    return "⁰¹²³⁴⁵⁶⁷⁸⁹"[n] if n < 10 else "*"


@prim("Nat.subDigitChar")
def sub_digit_char(n: int) -> str:
    """The subscript digit for n below 10, else `*`."""
    return "₀₁₂₃₄₅₆₇₈₉"[n] if n < 10 else "*"


@prim("Nat.toSuperscriptString")
def superscript(n: int) -> str:
    """The decimal text in superscript."""
    return "".join([_SUPER[c] for c in decimal(n)])


@prim("Nat.toSubscriptString")
def subscript(n: int) -> str:
    """The decimal text in subscript."""
    return "".join([_SUB[c] for c in decimal(n)])


@prim("Nat.toSuperDigits")
def super_digits(n: int) -> Lst:
    """The superscript digits as characters."""
    return lean(list(superscript(n)))


@prim("Nat.toSubDigits")
def sub_digits(n: int) -> Lst:
    """The subscript digits as characters."""
    return lean(list(subscript(n)))


@prim("Nat.digits")
def digits(base: int, n: int) -> Lst:
    """Mathlib's `Nat.digits base n`: least significant first; base 0 gives `[n]`, base 1 gives n ones; `[]` of 0."""
    if base >= 2:
        return lean(digit_list(base, n))
    if n == 0:
        return NIL
    if base == 0:
        return (n, NIL)
    bounded(n)
    out: Lst = NIL
    for _ in range(n):
        out = (1, out)
    return out


# ----------------------------------------------------------------------------------------------------------- iteration


@prim("Nat.repeat", "Nat.repeatTR", "Nat.iterate")
def repeat(f: Fn, n: int, a: V) -> V:
    """`Nat.repeat f n a`: f applied n times."""
    for _ in range(n):
        charge(1)
        a = f(a)
    return a


@prim("Nat.fold", "Nat.foldTR")
def fold(n: int, f: Fn, init: V) -> V:
    """`Nat.fold n f init`: i from 0 upwards."""
    acc = init
    for i in range(n):
        charge(1)
        acc = f(i)(None)(acc)
    return acc


@prim("Nat.foldRev")
def fold_rev(n: int, f: Fn, init: V) -> V:
    """`Nat.foldRev n f init`: i from n - 1 downwards."""
    acc = init
    for i in range(n - 1, -1, -1):
        charge(1)
        acc = f(i)(None)(acc)
    return acc


@prim("Nat.any")
def any_(n: int, f: Fn) -> bool:
    """`n.any f`."""
    for i in range(n):
        charge(1)
        if f(i)(None):
            return True
    return False


@prim("Nat.all")
def all_(n: int, f: Fn) -> bool:
    """`n.all f`."""
    for i in range(n):
        charge(1)
        if not f(i)(None):
            return False
    return True


@prim("Nat.find")
def find(p: Fn) -> int:
    """Mathlib's `Nat.find`: the least n with `p n`; its existence is what the proof says."""
    n = 0
    while True:
        charge(1)
        if p(n):
            return n
        n += 1


@prim("Nat.nth")
def nth(p: Fn, n: int) -> int:
    """Mathlib's `Nat.nth p n`: the number with exactly n smaller ones among those that have p.

    Where there are no more than n of them Mathlib's value is 0; the search for one more does not end then (`Unknown`).
    """
    i = 0
    while True:
        charge(1)
        if p(i):
            if n == 0:
                return i
            n -= 1
        i += 1


@prim("Nat.findGreatest")
def find_greatest(p: Fn, n: int) -> int:
    """Mathlib's `Nat.findGreatest p n`: the greatest i ≤ n with `p i`, 0 when there is none."""
    for i in range(n, 0, -1):
        charge(1)
        if p(i):
            return i
    return 0


@prim("Nat.count")
def count(p: Fn, n: int) -> int:
    """Mathlib's `Nat.count p n`: how many i < n have `p i`."""
    c = 0
    for i in range(n):
        charge(1)
        if p(i):
            c += 1
    return c


# ------------------------------------------------------------------------------------------------------- number theory


@prim("Nat.sqrt")
def sqrt(n: int) -> int:
    """The floor of the square root."""
    return math.isqrt(n)


def least_factor(n: int) -> int:
    """Return the least factor above 1 of n ≥ 2, by trial division."""
    if n % 2 == 0:
        return 2
    d = 3
    while d * d <= n:
        charge(1)
        if n % d == 0:
            return d
        d += 2
    return n


_WITNESSES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41)
_WITNESSED_BELOW = 3317044064679887385961981
"""Miller-Rabin with the first 13 primes is exact below this bound (Sorenson and Webster, 2017)."""


def is_prime(n: int) -> bool:
    """Decide primality exactly; by trial division where the strong-probable-prime test would not be a proof."""
    if n < 2:
        return False
    for p in _WITNESSES:
        if n % p == 0:
            return n == p
    if n >= _WITNESSED_BELOW:
        return least_factor(n) == n
    d, s = n - 1, 0
    while d % 2 == 0:
        d //= 2
        s += 1
    charge(20 * n.bit_length())
    for a in _WITNESSES:
        x = pow(a, d, n)
        if x in (1, n - 1):
            continue
        for _ in range(s - 1):
            x = x * x % n
            if x == n - 1:
                break
        else:
            return False
    return True


def prime_factors(n: int) -> list[int]:
    """Return the prime factors in ascending order with repetition; none of 0 and 1."""
    out: list[int] = []
    while n > 1:
        if n > 10**6 and is_prime(n):
            out.append(n)
            break
        p = least_factor(n)
        out.append(p)
        n //= p
    return out


@prim("Nat.Prime")
def prime(n: int) -> bool:
    """`Nat.Prime n`."""
    return is_prime(n)


@prim("Nat.minFac")
def min_fac(n: int) -> int:
    """Mathlib's `n.minFac`: 2 of 0, 1 of 1."""
    return 2 if n == 0 else 1 if n == 1 else least_factor(n)


@prim("Nat.primeFactorsList")
def prime_factors_list(n: int) -> Lst:
    """Mathlib's `n.primeFactorsList`."""
    return lean(prime_factors(n))


def divisor_list(n: int) -> list[int]:
    """Return the divisors of n ≥ 1 in ascending order."""
    low: list[int] = []
    high: list[int] = []
    d = 1
    while d * d <= n:
        charge(1)
        if n % d == 0:
            low.append(d)
            if d * d != n:
                high.append(n // d)
        d += 1
    return low + high[::-1]


@prim("Nat.totient")
def totient(n: int) -> int:
    """Euler's function; 0 of 0."""
    out = n
    for p in set(prime_factors(n)):
        out = out // p * (p - 1)
    return out


@prim("Nat.Perfect")
def perfect(n: int) -> bool:
    """Mathlib's `n.Perfect`: positive, and the sum of its proper divisors."""
    return n > 0 and sum(divisor_list(n)) == 2 * n


@prim("Nat.factorial")
def factorial(n: int) -> int:
    """`n !`."""
    return asc_factorial(1, n)


@prim("Nat.ascFactorial")
def asc_factorial(n: int, k: int) -> int:
    """Mathlib's `n.ascFactorial k`: `n * (n + 1) * … * (n + k - 1)`."""
    if k == 0:
        return 1
    charge_bits(min(k, 1 << 60) * (n + k).bit_length())
    charge(k)
    return math.prod(range(n, n + k))


@prim("Nat.descFactorial")
def desc_factorial(n: int, k: int) -> int:
    """Mathlib's `n.descFactorial k`: `n * (n - 1) * … * (n - k + 1)`, 0 for k > n."""
    return 0 if k > n else asc_factorial(n - k + 1, k)


@prim("Nat.choose")
def choose(n: int, k: int) -> int:
    """The binomial coefficient."""
    if k > n:
        return 0
    steps = min(k, n - k)
    charge_bits(steps * n.bit_length())
    charge(steps)
    return math.comb(n, k)


@prim("Nat.fib")
def fib(n: int) -> int:
    """The Fibonacci numbers: `fib 0 = 0`, `fib 1 = 1`."""
    charge_bits(n)
    charge(n // 100)
    a, b = 0, 1
    for bit in bin(n)[2:] if n else "":
        a, b = a * (2 * b - a), a * a + b * b
        if bit == "1":
            a, b = b, a + b
    return a


@prim("Nat.ofDigits")
def of_digits(add_: V, mul_: V, zero: V, cast: V, b: V, xs: Lst) -> V:
    """Mathlib's `Nat.ofDigits b xs`: least significant first."""
    out: list[int] = []
    while xs:
        charge(1)
        out.append(xs[0])
        xs = xs[1]
    acc = zero[0]
    for d in reversed(out):
        acc = add_[0](cast[0](d))(mul_[0](b)(acc))
    return acc


@prim("Nat.log")
def log(b: int, n: int) -> int:
    """Mathlib's `Nat.log b n`: the greatest k with `b ^ k ≤ n`; 0 for b < 2 or n < b."""
    if b < 2:
        return 0
    k = 0
    while n >= b:
        charge(1)
        n //= b
        k += 1
    return k


@prim("Nat.clog")
def clog(b: int, n: int) -> int:
    """Mathlib's `Nat.clog b n`: the least k with `n ≤ b ^ k`; 0 for b < 2 or n < 2."""
    if b < 2 or n < 2:
        return 0
    k, value = 0, 1
    while value < n:
        charge(1)
        value *= b
        k += 1
    return k


@prim("Nat.dist")
def dist(a: int, b: int) -> int:
    """`Nat.dist a b`."""
    return abs(a - b)


@prim("Nat.psub")
def psub(a: int, b: int) -> tuple[int] | None:
    """Mathlib's `a.psub b`: none when b > a."""
    return (a - b,) if a >= b else None


@prim("Nat.ppred")
def ppred(a: int) -> tuple[int] | None:
    """Mathlib's `a.ppred`: none of 0."""
    return (a - 1,) if a else None


# ------------------------------------------------------------------------------- classes of numbers, told by arithmetic


def unbounded(op: V, probe: int, result: int) -> bool:
    """Tell whether an operation of an instance is that of all naturals or integers, not of a bounded type."""
    return bool(op[0](probe)(probe) == result)


_PROBE = 10**40


@prim("Even")
def even(add_: V, a: V) -> bool:
    """Mathlib's `Even a` over Nat and Int."""
    if isinstance(a, int) and unbounded(add_, _PROBE, 2 * _PROBE):
        return a % 2 == 0
    raise Unknown("unsupported", "Even over this type")


@prim("Odd")
def odd(add_: V, mul_: V, one: V, a: V) -> bool:
    """Mathlib's `Odd a` over Nat and Int."""
    if isinstance(a, int) and unbounded(add_, _PROBE, 2 * _PROBE):
        return a % 2 == 1
    raise Unknown("unsupported", "Odd over this type")


@prim("IsSquare")
def is_square(mul_: V, a: V) -> bool:
    """Mathlib's `IsSquare a` over Nat and Int."""
    if isinstance(a, int) and unbounded(mul_, _PROBE, _PROBE * _PROBE):
        return a >= 0 and math.isqrt(a) ** 2 == a
    raise Unknown("unsupported", "IsSquare over this type")


@prim("Prime", "Irreducible")
def prime_element(mul_: V, zero: V, one: V, dvd_: V, a: V) -> bool:
    """Mathlib's `Prime a` over Nat and Int: up to sign the prime numbers."""
    if isinstance(a, int) and unbounded(mul_, _PROBE, _PROBE * _PROBE):
        return is_prime(abs(a))
    raise Unknown("unsupported", "Prime over this type")
