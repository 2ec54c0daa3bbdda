"""Bounds of a number from the order literals it stands in.

Soundness. For a variable x and a literal `t ≤ e` (or `t < e`, `t = e`, or a negated one) with `e` known and `t` a term
in x, `invert` derives bounds that every solution satisfies: it peels operations off `t` by inequalities that hold for
all values of the other parts (each case of `_invert` names its own). The candidates are the integers between the
greatest lower and the least upper bound; a Nat has the lower bound 0. Without both bounds the rule does not apply.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

from specgen.lean import core
from specgen.lean.core import FVar, Term
from specgen.lean.eval import nodes
from specgen.lean.eval.nodes import Code, Frame
from specgen.lean.eval.quantifiers.literals import Literal, expose
from specgen.lean.eval.quantifiers.search import Generator, Search, State

Bound = tuple[bool, Code]
"""Whether it is an upper bound, and code for it: an int, or None for no bound."""

_ORDER: Final = {"Nat.le": 0, "Nat.lt": 1, "Int.le": 0, "Int.lt": 1, "Nat.ble": 0, "Nat.blt": 1}
_CASTS: Final = frozenset({"Int.ofNat", "Fin.val"})
_GROWING: Final = frozenset({"Nat.fib", "Nat.factorial"})
_ADD: Final = frozenset({"Nat.add", "Int.add"})
_SUB: Final = frozenset({"Nat.sub", "Int.sub"})
_MUL: Final = frozenset({"Nat.mul", "Int.mul"})
_DIV: Final = frozenset({"Nat.div", "Int.ediv"})


def inequalities(search: Search, lit: Literal) -> list[tuple[Term, Term, int]]:
    """Return `(a, b, k)` with the meaning `a + k ≤ b` for what a literal says about order."""
    name, args, _ = expose(search.c, lit.term)
    if name in _ORDER and len(args) == 2:
        k = _ORDER[name]
        if lit.positive:
            return [(args[0], args[1], k)]
        return [(args[1], args[0], 1 - k)]
    if not lit.positive:
        return []
    if name == "Eq" and len(args) == 3 and numeric(search, args[0]):
        return [(args[1], args[2], 0), (args[2], args[1], 0)]
    if name == "Nat.beq" and len(args) == 2:
        return [(args[0], args[1], 0), (args[1], args[0], 0)]
    return []


def numeric(search: Search, type_: Term) -> bool:
    """Tell whether a type is Nat, Int or Fin, whose values are integers in their order."""
    return _kind(search, type_) in ("Nat", "Int", "Fin")


def _kind(search: Search, type_: Term) -> str:
    fn, _ = core.unfold_app(search.c.types.normal_type(type_))
    name = fn.name if isinstance(fn, core.Const) else ""
    return "" if name in search.c.env.constants else name


def bounds_of(search: Search, x: FVar, s: State) -> tuple[list[Bound], list[Literal]]:
    """Return the bounds of x that known terms give, and the literals that say no more than such a bound."""
    ids = s.ids
    out: list[Bound] = []
    exact: list[Literal] = []
    for lit in s.literals:
        if not search.mentions(lit.term, (x.id,)):
            continue
        found: list[Bound] = []
        for a, b, k in inequalities(search, lit):
            if not search.mentions(b, ids) and search.mentions(a, (x.id,)):
                found.extend(invert(search, a, x, _shift(search.c.code(b, search.scope), -k), True))
            elif not search.mentions(a, ids) and search.mentions(b, (x.id,)):
                found.extend(invert(search, b, x, _shift(search.c.code(a, search.scope), k), False))
            if found and (is_variable(search, a, x) or is_variable(search, b, x)):
                exact.append(lit)
        out.extend(found or _of_product(search, lit, x, ids))
    return out, exact


def _of_product(search: Search, lit: Literal, x: FVar, ids: frozenset[int]) -> list[Bound]:
    """Return bounds from `u * v * w = b` with b ≠ 0, a product of natural numbers (also as integers).

    No factor is 0, so each is at most b. For b = 0 there is no solution when no factor can be 0.
    """
    name, args, _ = expose(search.c, lit.term)
    if not lit.positive or name not in ("Eq", "Nat.beq"):
        return []
    for this, other in ((args[-2], args[-1]), (args[-1], args[-2])):
        if search.mentions(other, ids):
            continue
        factors = natural_factors(search, this)
        if len(factors) < 2 or None in factors:
            continue
        nothing = -1 if all(f is not None and _positive(search, f) for f in factors) else None
        bound = _unless_zero(search.c.code(other, search.scope), nothing)
        out: list[Bound] = []
        for factor in factors:
            if factor is not None and search.mentions(factor, (x.id,)):
                out.extend(invert(search, factor, x, bound, True))
        search.conditional = True
        return out
    return []


def _unless_zero(code: Code, otherwise: int | None) -> Code:
    return nodes.apply1(lambda b: b if b else otherwise, code)


def _positive(search: Search, term: Term) -> bool:
    """Tell whether a natural number is surely not 0: a literal, a successor, a power of one that is not."""
    name, args, exposed = expose(search.c, term)
    value = search.c.types.nat_literal(exposed)
    if value is not None:
        return bool(value > 0)
    return name == "Nat.succ" or (name == "Nat.pow" and len(args) == 2 and _positive(search, args[0]))


def natural_factors(search: Search, term: Term) -> list[Term | None]:
    """Return the factors of a product as natural numbers; None for one that is not."""
    name, args, exposed = expose(search.c, term)
    if name in _MUL and len(args) == 2:
        return [*natural_factors(search, args[0]), *natural_factors(search, args[1])]
    if name == "Int.ofNat" and args:
        return natural_factors(search, args[-1])
    type_ = search.c.types.type_of(exposed)
    return [exposed if type_ is not None and _kind(search, type_) == "Nat" else None]


def is_variable(search: Search, term: Term, x: FVar) -> bool:
    """Tell whether a term is x itself, or x cast to another type of numbers."""
    while True:
        if term is x or term == x:
            return True
        name, args, _ = expose(search.c, term)
        if name in _CASTS and args:
            term = args[-1]
            continue
        return False


def _shift(code: Code, k: int) -> Code:
    return code if k == 0 else nodes.apply1(lambda v: v + k, code)


def invert(search: Search, term: Term, x: FVar, bound: Code, upper: bool) -> list[Bound]:
    """Return bounds of x implied by `term ≤ bound` (`upper`) or `bound ≤ term`."""
    if term == x:
        return [(upper, bound)]
    name, args, _ = expose(search.c, term)
    inside = [search.mentions(a, (x.id,)) for a in args]
    if name in _CASTS and args:
        return invert(search, args[-1], x, bound, upper)
    if name == "Nat.succ" and args:
        return invert(search, args[0], x, _shift(bound, -1), upper)
    if name == "Int.neg" and args:
        return invert(search, args[0], x, nodes.apply1(_neg, bound), not upper)
    if name == "Nat.shiftLeft" and len(args) == 2:
        power = core.mk_app(core.Const("Nat.pow"), core.Lit(2), args[1])
        return invert(search, core.mk_app(core.Const("Nat.mul"), args[0], power), x, bound, upper)
    if name in _GROWING and len(args) == 1:
        grow = _growing(search, name)
        return invert(search, args[0], x, nodes.apply1(grow.below if upper else grow.above, bound), upper)
    if len(args) == 2 and sum(inside) == 1:
        at = 0 if inside[0] else 1
        return _one_side(search, name, args, at, x, bound, upper)
    if len(args) == 2 and all(inside):
        return _both_sides(search, name, args, x, bound, upper)
    if name == "Int.natAbs" and args and upper:
        # |u| ≤ b gives -b ≤ u ≤ b.
        return [*invert(search, args[0], x, bound, True), *invert(search, args[0], x, nodes.apply1(_neg, bound), False)]
    if name == "Int.toNat" and args:
        # max u 0 ≤ b gives u ≤ b; b ≤ max u 0 gives b ≤ u when b > 0.
        search.conditional |= not upper
        code = bound if upper else nodes.apply1(lambda b: b if b is not None and b > 0 else None, bound)
        return invert(search, args[0], x, code, upper)
    return []


class _Growing:
    """A function on natural numbers that never falls and grows without bound, from a call of it."""

    def __init__(self, call: Callable[[int], int]) -> None:
        self.call = call

    def above(self, b: int | None) -> int | None:
        """Return the least u with b ≤ f u."""
        if b is None:
            return None
        high = 1
        while self.call(high) < b:
            high *= 2
        low = 0
        while low < high:
            mid = (low + high) // 2
            if self.call(mid) < b:
                low = mid + 1
            else:
                high = mid
        return low

    def below(self, b: int | None) -> int | None:
        """Return the greatest u with f u ≤ b; a number below 0 when there is none."""
        if b is None:
            return None
        beyond = self.above(b + 1)
        return None if beyond is None else beyond - 1


def _growing(search: Search, name: str) -> _Growing:
    primitive = search.c.prims.get(name)
    if primitive is not None:
        return _Growing(primitive)
    constant = search.c.env.get(name)
    assert constant is not None  # noqa: S101 - expose has found it
    return _Growing(search.c.function(constant).call)


def _neg(v: Any) -> Any:
    return None if v is None else -v


def _one_side(
    search: Search, name: str, args: tuple[Term, ...], at: int, x: FVar, bound: Code, upper: bool
) -> list[Bound]:
    inner, other = args[at], args[1 - at]
    nat = name.startswith("Nat.")
    known = not search.mentions(other, search.open_ids)
    if name in _ADD:
        if known:
            return invert(
                search, inner, x, _combine(lambda b, o: b - o, bound, search.c.code(other, search.scope)), upper
            )
        # u + v ≤ b with v a natural number gives u ≤ b.
        return invert(search, inner, x, bound, True) if upper and nat else []
    if name in _SUB:
        return _subtraction(search, inner, other, at, x, bound, upper, nat, known)
    if not known:
        return []
    o = search.c.code(other, search.scope)
    if name == "Int.pow" and at == 0:
        return _integer_root(search, inner, x, bound, o, upper)
    if name in _MUL:
        factor = nodes.constant_of(o)
        out: list[Bound] = []
        if factor is None or factor[0] > 0:
            out.extend(invert(search, inner, x, _combine(_over_positive(upper), bound, o), upper))
        if factor is None or factor[0] < 0:
            out.extend(invert(search, inner, x, _combine(_over_negative(upper), bound, o), not upper))
        search.conditional |= factor is None
        return out
    search.conditional |= nodes.constant_of(o) is None or at == 1
    if name in _DIV and at == 0:
        # u / k ≤ b gives u ≤ k b + k - 1, and b ≤ u / k gives k b ≤ u, for k > 0.
        return invert(search, inner, x, _combine(_undivide(upper), bound, o), upper)
    if name == "Nat.pow" or (name == "Int.pow" and at == 1):
        return _power(search, inner, at, x, bound, o, upper)
    if name in ("Nat.max", "Int.maxInternal") and upper:
        return invert(search, inner, x, bound, True)
    if name in ("Nat.min", "Int.minInternal") and not upper:
        return invert(search, inner, x, bound, False)
    return []


def _subtraction(
    search: Search, inner: Term, other: Term, at: int, x: FVar, bound: Code, upper: bool, nat: bool, known: bool
) -> list[Bound]:
    if not known:
        return []
    o = search.c.code(other, search.scope)
    if at == 0:
        if nat and not upper:
            search.conditional = True
            # b ≤ u - o (truncated) gives b + o ≤ u only when b > 0.
            return invert(search, inner, x, _combine(lambda b, k: b + k if b > 0 else None, bound, o), False)
        return invert(search, inner, x, _combine(lambda b, k: b + k, bound, o), upper)
    if upper:
        # o - u ≤ b gives o - b ≤ u, truncated or not (b is not negative when it is met by a natural number).
        return invert(search, inner, x, _combine(lambda b, k: k - b, bound, o), False)
    if nat:
        search.conditional = True
        return invert(search, inner, x, _combine(lambda b, k: k - b if b > 0 else None, bound, o), True)
    return invert(search, inner, x, _combine(lambda b, k: k - b, bound, o), True)


def _both_sides(search: Search, name: str, args: tuple[Term, ...], x: FVar, bound: Code, upper: bool) -> list[Bound]:
    if name == "Nat.mul" and args[0] == args[1]:
        return invert(search, args[0], x, nodes.apply1(_root if upper else _root_above, bound), upper)
    if name == "Int.mul" and upper and args[0] == args[1]:
        root = nodes.apply1(_root, bound)
        return [*invert(search, args[0], x, root, True), *invert(search, args[0], x, nodes.apply1(_neg, root), False)]
    if name == "Nat.add" and upper:
        # Both parts are natural numbers, so each is at most the bound.
        return [*invert(search, args[0], x, bound, True), *invert(search, args[1], x, bound, True)]
    if name == "Nat.mul" and upper:
        # u (u + k) ≤ b: when one factor is at least the other, the lesser one is at most the root.
        for u, v in ((args[0], args[1]), (args[1], args[0])):
            if _at_least(search, v, u):
                return invert(search, u, x, nodes.apply1(_root, bound), True)
    return []


def _at_least(search: Search, big: Term, small: Term) -> bool:
    """Tell whether `big` is `small + …` on natural numbers."""
    name, args, _ = expose(search.c, big)
    return name == "Nat.add" and len(args) == 2 and small in args


def _root(b: Any) -> Any:
    """u * u ≤ b gives u ≤ √b; for b < 0 there is no u, and any bound below 0 says so."""
    return None if b is None else math.isqrt(b) if b >= 0 else -1


def _root_above(b: Any) -> Any:
    """b ≤ u * u gives ⌈√b⌉ ≤ u."""
    return None if b is None else math.isqrt(b - 1) + 1 if b > 0 else 0


def _power(search: Search, inner: Term, at: int, x: FVar, bound: Code, other: Code, upper: bool) -> list[Bound]:
    if not upper:
        if at == 0:
            return []
        # b ≤ k ^ u gives log₂ b ≤ u for k ≥ 2, rounded up.
        return invert(search, inner, x, _combine(_log_above, bound, other), False)
    if at == 0:
        # u ^ k ≥ u for k ≥ 1.
        return invert(search, inner, x, _combine(_kth_root, bound, other), True)
    # k ^ u ≤ b gives u ≤ log₂ b for k ≥ 2.
    return invert(search, inner, x, _combine(_log, bound, other), True)


def _integer_root(search: Search, inner: Term, x: FVar, bound: Code, o: Code, upper: bool) -> list[Bound]:
    """Invert u ^ k on integers by the k-th root.

    For k odd the power grows with its base. For k even and positive, u ^ k ≤ b bounds |u|; there is no u for b < 0.
    """
    exponent = nodes.constant_of(o)
    if exponent is None or exponent[0] < 1:
        return []
    k = exponent[0]
    if k % 2 == 1:
        if upper:
            return invert(search, inner, x, nodes.apply1(lambda b: None if b is None else _odd_root(b, k), bound), True)
        least = nodes.apply1(lambda b: None if b is None else -_odd_root(-b, k), bound)
        return invert(search, inner, x, least, False)
    if not upper:
        return []
    root = nodes.apply1(lambda b: None if b is None else _kth_root(b, k), bound)
    return [*invert(search, inner, x, root, True), *invert(search, inner, x, nodes.apply1(_neg, root), False)]


def _odd_root(b: int, k: int) -> int:
    """Return the greatest u with u ^ k ≤ b, for odd k."""
    if b >= 0:
        root = _kth_root(b, k)
        return b if root is None else root
    root = _kth_root(-b, k)
    below = -b if root is None else root
    return -below if below**k == -b else -below - 1


def _kth_root(b: int, k: int) -> int | None:
    if k < 1:
        return None
    if b < 1:
        return 0 if b == 0 else -1
    if k == 2:
        return math.isqrt(b)
    low, high = 0, 1 << (b.bit_length() // k + 1)
    while low < high:
        mid = (low + high + 1) // 2
        if mid**k <= b:
            low = mid
        else:
            high = mid - 1
    return low


def _log(b: int, k: int) -> int | None:
    if k < 2:
        return None
    if b < 1:
        return -1
    n, power = 0, 1
    while power * k <= b:
        power *= k
        n += 1
    return n


def _log_above(b: int, k: int) -> int | None:
    if k < 2 or b < 2:
        return None
    below = _log(b - 1, k)
    return None if below is None else below + 1


def _over_positive(upper: bool) -> Callable[[int, int], int | None]:
    """k u ≤ b gives u ≤ ⌊b / k⌋, b ≤ k u gives ⌈b / k⌉ ≤ u, for k > 0."""
    if upper:
        return lambda b, k: b // k if k > 0 else None
    return lambda b, k: -(-b // k) if k > 0 else None


def _over_negative(upper: bool) -> Callable[[int, int], int | None]:
    if upper:
        return lambda b, k: -(b // -k) if k < 0 else None
    return lambda b, k: (-b) // -k if k < 0 else None


def _undivide(upper: bool) -> Callable[[int, int], int | None]:
    if upper:
        return lambda b, k: k * b + k - 1 if k > 0 else None
    return lambda b, k: k * b if k > 0 else None


def _combine(op: Callable[[int, int], int | None], bound: Code, other: Code) -> Code:
    def run(fr: Frame) -> Any:
        b = bound(fr)
        return None if b is None else op(b, other(fr))

    return run


def propose(search: Search, x: FVar, s: State) -> list[Generator]:
    """Propose the integers between the bounds of x."""
    kind = _kind(search, search.c.types.local_type(x))
    if kind not in ("Nat", "Int", "Fin"):
        return []
    search.conditional = False
    found, exact = bounds_of(search, x, s)
    uppers = tuple([code for upper, code in found if upper])
    lowers = tuple([code for upper, code in found if not upper])
    if kind != "Fin" and (not uppers or (kind == "Int" and not lowers)):
        return []
    limit: Code | None = None
    if kind == "Fin":
        _, args = core.unfold_app(search.c.types.normal_type(search.c.types.local_type(x)))
        limit = search.c.code(args[0], search.scope)
    natural = kind != "Int"

    def run(fr: Frame) -> Any:
        low: int | None = 0 if natural else None
        high: int | None = limit(fr) - 1 if limit is not None else None
        for code in lowers:
            v = code(fr)
            if v is not None and (low is None or v > low):
                low = v
        for code in uppers:
            v = code(fr)
            if v is not None and (high is None or v < high):
                high = v
        if low is None or high is None:
            return None
        return range(low, high + 1)

    # An operation that is inverted only under a condition may leave a side open at run time.
    total = kind == "Fin" or not search.conditional
    return [Generator(30 if kind != "Fin" else 28, run, settles=tuple(exact), total=total)]
