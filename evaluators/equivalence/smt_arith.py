"""Rules for truth values, numbers and characters.

SMT-LIB's `div` and `mod` on the integers are Euclidean for every divisor but 0 (`0 ≤ a mod b < |b|`), which is Lean's
`Int.ediv` and `Int.emod`, and Nat's `/` and `%`; Lean's values at divisor 0 (`a / 0 = 0`, `a % 0 = a`) are made
explicit. `Int.tdiv` rounds towards 0 and `Int.fdiv` down, their remainders are what is left. Subtraction of Nat stops
at 0. Rational numbers are among z3's reals, and what is valid for all reals is valid for them; they are never
quantified over, for there `∃ q, q * q = 2` would come out true (`Kinds`: Rat is not exact).
"""

from __future__ import annotations

from collections.abc import Callable

import z3

from evaluators.equivalence.smt_core import OutsideFragment
from evaluators.equivalence.smt_kinds import Expr
from evaluators.equivalence.smt_translate import Handler, Translator
from specgen.lean import core
from specgen.lean.core import Const, Lit, Proof, Sort, Term
from specgen.lean.elab.subst import beta

MAX_POWER = 8
"""Exponents up to which a power is written out as a product; beyond them it is an uninterpreted symbol."""


def _clamp(e: Expr) -> Expr:
    return z3.If(e >= 0, e, z3.IntVal(0, e.ctx))


def _abs(e: Expr) -> Expr:
    return z3.If(e >= 0, e, -e)


def ediv(a: Expr, b: Expr) -> Expr:
    """`Int.ediv`, `Nat.div`: SMT-LIB's `div`; 0 by 0."""
    if z3.is_int_value(b):
        return a / b if b.as_long() else z3.IntVal(0, a.ctx)
    return z3.If(b == 0, z3.IntVal(0, a.ctx), a / b)


def emod(a: Expr, b: Expr) -> Expr:
    """`Int.emod`, `Nat.mod`: SMT-LIB's `mod`; a by 0."""
    if z3.is_int_value(b):
        return a % b if b.as_long() else a
    return z3.If(b == 0, a, a % b)


def tdiv(a: Expr, b: Expr) -> Expr:
    """`Int.tdiv`: for a ≥ 0 the Euclidean quotient is the truncated one; `tdiv (-a) b = -tdiv a b`."""
    return z3.If(a >= 0, ediv(a, b), -ediv(-a, b))


def fdiv(a: Expr, b: Expr) -> Expr:
    """`Int.fdiv`: Euclidean for b ≥ 0; for b < 0 the quotient of `-a` and `-b`, which is the same fraction."""
    return z3.If(b >= 0, ediv(a, b), ediv(-a, -b))


def divides(a: Expr, b: Expr) -> Expr:
    """`a ∣ b`: `b % a = 0` where a ≠ 0; 0 divides only 0. This is `emod b a = 0` in both cases."""
    return emod(b, a) == 0


def rdiv(a: Expr, b: Expr) -> Expr:
    """Division of rational numbers; 0 by 0."""
    if z3.is_rational_value(b) and b.numerator_as_long() != 0:
        return a / b
    return z3.If(b == 0, z3.RealVal(0, a.ctx), a / b)


def _two(rule: Callable[[Expr, Expr], Expr]) -> tuple[int, Handler]:
    return 2, lambda tr, args, _: rule(tr.expr(args[0]), tr.expr(args[1]))


def _one(rule: Callable[[Expr], Expr]) -> tuple[int, Handler]:
    return 1, lambda tr, args, _: rule(tr.expr(args[0]))


def _power(tr: Translator, args: tuple[Term, ...], term: Term) -> Expr:
    """`a ^ n` for a numeral n is a product (the empty one is 1, `0 ^ 0` too); other powers are uninterpreted."""
    n = z3.simplify(tr.expr(args[1]))
    if not z3.is_int_value(n) or not -MAX_POWER <= n.as_long() <= MAX_POWER:
        return tr.opaque(term)
    base = tr.expr(args[0])
    one = z3.RealVal(1, base.ctx) if z3.is_real(base) else z3.IntVal(1, base.ctx)
    k = n.as_long()
    out = base if k else one
    for _ in range(abs(k) - 1):
        out = out * base
    return out if k >= 0 else rdiv(one, out)  # `Rat.zpow`: the inverse of the power, 0 of 0


def _eq(tr: Translator, args: tuple[Term, ...], _: Term) -> Expr:
    """`a = b`: equality of values; of propositions it is equivalence (propositional extensionality)."""
    if tr.reader.types.is_proposition(args[0]):
        return z3.BoolVal(True, tr.shared.ctx)
    if isinstance(tr.reader.types.normal_type(args[0]), Sort) and not tr.kind(args[0]).shape == "bool":
        raise OutsideFragment("equality of types")
    kind = tr.kind(args[0])
    if kind.shape == "fn" and kind.name.endswith("proofs)"):
        raise OutsideFragment("equality of functions that take proofs")
    if kind.shape == "list":
        from evaluators.equivalence.smt_lists import equation, is_empty, length

        for this, other in ((args[1], args[2]), (args[2], args[1])):
            if is_empty(tr, this):  # the empty list is the only one of length 0
                return length(tr, tr.expr(other)) == 0
        return equation(tr, tr.expr(args[1]), tr.expr(args[2]))
    return tr.expr(args[1]) == tr.expr(args[2])


def _ite(tr: Translator, args: tuple[Term, ...], _: Term) -> Expr:
    return z3.If(tr.expr(args[1]), tr.expr(args[3]), tr.expr(args[4]))


def _dite(tr: Translator, args: tuple[Term, ...], _: Term) -> Expr:
    condition = args[1]
    then = beta(tr.reader.head(args[3]), (Proof(condition),))
    otherwise = beta(tr.reader.head(args[4]), (Proof(core.mk_app(Const("Not"), condition)),))
    return z3.If(tr.expr(condition), tr.expr(then), tr.expr(otherwise))


def _cast(tr: Translator, args: tuple[Term, ...], _: Term) -> Expr:
    if tr.kind(args[0]).name != tr.kind(args[1]).name:
        raise OutsideFragment("a cast between types")
    return tr.expr(args[3])


def _char(tr: Translator, args: tuple[Term, ...], _: Term) -> Expr:
    """`Char.ofNat n`: the character of code n where there is one, else that of code 0."""
    n = tr.expr(args[0])
    if isinstance(args[0], Lit) and isinstance(args[0].value, int):
        k = args[0].value
        return z3.IntVal(k if k < 0xD800 or 0xDFFF < k < 0x110000 else 0, tr.shared.ctx)
    return z3.If(z3.Or(n < 0xD800, z3.And(n > 0xDFFF, n < 0x110000)), n, z3.IntVal(0, n.ctx))


def _between(low: str, high: str) -> Callable[[Expr], Expr]:
    return lambda c: z3.And(c >= ord(low), c <= ord(high))


_upper, _lower, _digit = _between("A", "Z"), _between("a", "z"), _between("0", "9")


def _alpha(c: Expr) -> Expr:
    return z3.Or(_upper(c), _lower(c))


def _scientific(tr: Translator, args: tuple[Term, ...], term: Term) -> Expr:
    """`Rat.ofScientific m s e` is `m / 10 ^ e` where s, else `m * 10 ^ e`, for numerals."""
    m, s, e = (z3.simplify(tr.expr(a)) for a in args)
    if not (z3.is_int_value(m) and z3.is_int_value(e)) or e.as_long() > 60 or not (z3.is_true(s) or z3.is_false(s)):
        return tr.opaque(term)
    power = 10 ** e.as_long()
    text = f"{m.as_long()}/{power}" if z3.is_true(s) else str(m.as_long() * power)
    return z3.RealVal(text, tr.shared.ctx)


def _fraction(a: Expr, b: Expr) -> Expr:
    return rdiv(z3.ToReal(a), z3.ToReal(b))


def _even(remainder: int) -> Handler:
    def rule(tr: Translator, args: tuple[Term, ...], term: Term) -> Expr:
        """`Even a`: a = r + r; `Odd a`: a = 2 * r + 1. On Nat and Int the remainder by 2."""
        if tr.kind(args[0]).name not in ("Nat", "Int") or not all(tr.reader.of_library(a) for a in args[1:-1]):
            return tr.opaque(term)
        return tr.expr(args[-1]) % 2 == remainder

    return rule


def _compare(a: Expr, b: Expr) -> Expr:
    """`Ordering.lt`, `eq`, `gt` are the numbers of the constructors."""
    return z3.If(a < b, z3.IntVal(0, a.ctx), z3.If(a == b, z3.IntVal(1, a.ctx), z3.IntVal(2, a.ctx)))


def _value(index: int) -> Handler:
    return lambda tr, args, _: tr.expr(args[index])


_MINUS_ONE: Callable[[Expr], Expr] = lambda n: _clamp(n - 1)  # noqa: E731 - a table of rules

LOGIC: dict[str, tuple[int, Handler]] = {
    "True": (0, lambda tr, a, _: z3.BoolVal(True, tr.shared.ctx)),
    "False": (0, lambda tr, a, _: z3.BoolVal(False, tr.shared.ctx)),
    "Bool.true": (0, lambda tr, a, _: z3.BoolVal(True, tr.shared.ctx)),
    "Bool.false": (0, lambda tr, a, _: z3.BoolVal(False, tr.shared.ctx)),
    "And": _two(z3.And),
    "Or": _two(z3.Or),
    "and": _two(z3.And),
    "or": _two(z3.Or),
    "Bool.and": _two(z3.And),
    "Bool.or": _two(z3.Or),
    "xor": _two(z3.Xor),
    "Bool.xor": _two(z3.Xor),
    "Iff": _two(lambda p, q: p == q),
    "Not": _one(z3.Not),
    "not": _one(z3.Not),
    "Bool.not": _one(z3.Not),
    "Decidable.decide": (2, _value(0)),
    "Eq": (3, _eq),
    "Ne": (3, lambda tr, a, t: z3.Not(_eq(tr, a, t))),
    "Exists": (2, lambda tr, a, _: tr.exists(a[0], a[1])),
    "ite": (5, _ite),
    "dite": (5, _dite),
    "cond": (4, lambda tr, a, _: z3.If(tr.expr(a[1]), tr.expr(a[2]), tr.expr(a[3]))),
    "id": (2, _value(1)),
    "cast": (4, _cast),
    "Eq.mp": (4, _cast),
    "Eq.mpr": (4, _cast),
}

NUMBERS: dict[str, tuple[int, Handler]] = {
    "Nat.zero": (0, lambda tr, a, _: z3.IntVal(0, tr.shared.ctx)),
    "Nat.succ": _one(lambda n: n + 1),
    "Nat.pred": _one(_MINUS_ONE),
    "Nat.add": _two(lambda a, b: a + b),
    "Nat.sub": _two(lambda a, b: _clamp(a - b)),
    "Nat.mul": _two(lambda a, b: a * b),
    "Nat.div": _two(ediv),
    "Nat.mod": _two(emod),
    "Nat.pow": (2, _power),
    "Nat.beq": _two(lambda a, b: a == b),
    "Nat.ble": _two(lambda a, b: a <= b),
    "Nat.blt": _two(lambda a, b: a < b),
    "Nat.le": _two(lambda a, b: a <= b),
    "Nat.lt": _two(lambda a, b: a < b),
    "Nat.max": _two(lambda a, b: z3.If(a >= b, a, b)),
    "Nat.min": _two(lambda a, b: z3.If(a <= b, a, b)),
    "Nat.dvdInternal": _two(divides),
    "Nat.compareInternal": _two(_compare),
    "Int.ofNat": (1, _value(0)),
    "Int.negSucc": _one(lambda n: -n - 1),
    "Int.negOfNat": _one(lambda n: -n),
    "Int.subNatNat": _two(lambda a, b: a - b),
    "Int.neg": _one(lambda n: -n),
    "Int.add": _two(lambda a, b: a + b),
    "Int.sub": _two(lambda a, b: a - b),
    "Int.mul": _two(lambda a, b: a * b),
    "Int.ediv": _two(ediv),
    "Int.emod": _two(emod),
    "Int.tdiv": _two(tdiv),
    "Int.tmod": _two(lambda a, b: a - b * tdiv(a, b)),
    "Int.fdiv": _two(fdiv),
    "Int.fmod": _two(lambda a, b: a - b * fdiv(a, b)),
    "Int.pow": (2, _power),
    "Int.le": _two(lambda a, b: a <= b),
    "Int.lt": _two(lambda a, b: a < b),
    "Int.maxInternal": _two(lambda a, b: z3.If(a >= b, a, b)),
    "Int.minInternal": _two(lambda a, b: z3.If(a <= b, a, b)),
    "Int.dvdInternal": _two(divides),
    "Int.compareInternal": _two(_compare),
    "Int.natAbs": _one(_abs),
    "Int.toNat": _one(_clamp),
    "Int.sign": _one(lambda n: z3.If(n > 0, z3.IntVal(1, n.ctx), z3.If(n == 0, n, z3.IntVal(-1, n.ctx)))),
    "Even": (3, _even(0)),
    "Odd": (5, _even(1)),
    "Fin.mk": (3, _value(1)),
    "Fin.val": (2, _value(1)),
}

RATIONALS: dict[str, tuple[int, Handler]] = {
    "Rat.ofInt": _one(z3.ToReal),
    "Rat.add": _two(lambda a, b: a + b),
    "Rat.sub": _two(lambda a, b: a - b),
    "Rat.mul": _two(lambda a, b: a * b),
    "Rat.div": _two(rdiv),
    "Rat.neg": _one(lambda a: -a),
    "Rat.inv": _one(lambda a: rdiv(z3.RealVal(1, a.ctx), a)),
    "Rat.pow": (2, _power),
    "Rat.zpow": (2, _power),
    "Rat.blt": _two(lambda a, b: a < b),
    "Rat.ltInternal": _two(lambda a, b: a < b),
    "Rat.le": _two(lambda a, b: a <= b),
    "Rat.floor": _one(z3.ToInt),
    "Rat.ceil": _one(lambda a: -z3.ToInt(-a)),
    "Rat.divInt": _two(_fraction),
    "mkRat": _two(_fraction),
    "Rat.compareInternal": _two(_compare),
    "Rat.ofScientific": (3, _scientific),
}

CHARACTERS: dict[str, tuple[int, Handler]] = {
    "Char.ofNat": (1, _char),
    "Char.toNat": (1, _value(0)),
    "Char.lt": _two(lambda a, b: a < b),
    "Char.le": _two(lambda a, b: a <= b),
    "Char.compareInternal": _two(_compare),
    "Char.isUpper": _one(_upper),
    "Char.isLower": _one(_lower),
    "Char.isDigit": _one(_digit),
    "Char.isAlpha": _one(_alpha),
    "Char.isAlphanum": _one(lambda c: z3.Or(_alpha(c), _digit(c))),
    "Char.toUpper": _one(lambda c: z3.If(_lower(c), c - 32, c)),
    "Char.toLower": _one(lambda c: z3.If(_upper(c), c + 32, c)),
}

RULES: dict[str, tuple[int, Handler]] = {**LOGIC, **NUMBERS, **RATIONALS, **CHARACTERS}
"""Library constants with an exact translation: number of arguments, and the rule."""
