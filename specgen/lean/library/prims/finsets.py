"""Primitives of `Finset`, `Multiset`, and the classes of numbers of Mathlib. Elements are compared structurally."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

from specgen.lean.eval.runtime import Unknown, charge, charge_cells
from specgen.lean.eval.values import Finset, Multiset, equal, key
from specgen.lean.library.prims.lists_order import merge_sort_list
from specgen.lean.library.prims.nats import divisor_list, prime_factors, unbounded
from specgen.lean.library.prims.registry import prim
from specgen.lean.library.prims.seq import Fn, Lst, V, bounded, items, lean

_INF_SEARCH = 100_000
_PROBE = 10**40


def elements(s: Finset | Multiset) -> list[V]:
    """Return the elements (with repetition for a multiset); spends a step for each."""
    out = list(s)
    charge(len(out) + 1)
    return out


def finset(elements_: list[V]) -> Finset:
    """Build a finite set; takes cells first."""
    charge_cells(len(elements_))
    charge(len(elements_))
    return Finset.of(elements_)


def multiset(elements_: list[V]) -> Multiset:
    """Build a multiset; takes cells first."""
    charge_cells(len(elements_))
    charge(len(elements_))
    return Multiset.of(elements_)


def sorted_by(r: Fn, elements_: list[V]) -> list[V]:
    """Sort by a relation that the caller proves to be a total order; raise Unknown where it is not antisymmetric."""
    out = merge_sort_list(elements_, r)
    for x, y in zip(out, out[1:], strict=False):
        if r(y)(x) and not equal(x, y):
            raise Unknown("undecided", "sorting by a relation that is not antisymmetric")
    return out


# -------------------------------------------------------------------------------------------------------------- Finset


@prim("Finset.Mem")
def mem(s: Finset, a: V) -> bool:
    """`a ∈ s`."""
    charge(1)
    return a in s


@prim("List.toFinset")
def of_list(xs: Lst) -> Finset:
    """`xs.toFinset`."""
    return finset(items(xs))


@prim("Multiset.toFinset")
def of_multiset(s: Multiset) -> Finset:
    """`s.toFinset`."""
    return finset(elements(s))


@prim("Finset.card")
def card(s: Finset) -> int:
    """The number of elements."""
    return len(s)


@prim("Finset.val")
def val(s: Finset) -> Multiset:
    """The elements as a multiset."""
    return multiset(elements(s))


@prim("Finset.empty")
def empty() -> Finset:
    """`∅`."""
    return Finset({})


@prim("Finset.range", "Fin.universeInternal")
def range_(n: int) -> Finset:
    """0 to n - 1."""
    bounded(n)
    return Finset({i: i for i in range(n)})


@prim("Bool.universeInternal")
def booleans() -> Finset:
    """Both booleans."""
    return Finset.of([False, True])


@prim("Nat.intervalInternal", "Int.intervalInternal")
def interval(a: int, b: int) -> Finset:
    """a to b - 1."""
    bounded(max(0, b - a))
    return Finset({i: i for i in range(a, b)})


@prim("Finset.insertInternal")
def insert(a: V, s: Finset) -> Finset:
    """`insert a s`."""
    charge_cells(len(s) + 1)
    charge(len(s) + 1)
    return s if a in s else Finset({**s.entries, key(a): a})


@prim("Finset.unionInternal")
def union(s: Finset, t: Finset) -> Finset:
    """`s ∪ t`."""
    charge_cells(len(s) + len(t))
    charge(len(s) + len(t) + 1)
    return Finset({**t.entries, **s.entries})


@prim("Finset.interInternal")
def inter(s: Finset, t: Finset) -> Finset:
    """`s ∩ t`."""
    charge(len(s) + 1)
    return Finset({k: x for k, x in s.entries.items() if k in t.entries})


@prim("Finset.sdiffInternal")
def sdiff(s: Finset, t: Finset) -> Finset:
    """`s \\ t`."""
    charge(len(s) + 1)
    return Finset({k: x for k, x in s.entries.items() if k not in t.entries})


@prim("Finset.erase")
def erase(s: Finset, a: V) -> Finset:
    """`s.erase a`."""
    gone = key(a)
    charge(len(s) + 1)
    return Finset({k: x for k, x in s.entries.items() if k != gone})


@prim("Finset.filter")
def filter_(p: Fn, s: Finset) -> Finset:
    """`s.filter p`."""
    out: list[V] = []
    for x in elements(s):
        if p(x):
            out.append(x)
    return finset(out)


@prim("Finset.image")
def image(f: Fn, s: Finset) -> Finset:
    """`s.image f`."""
    out: list[V] = []
    for x in elements(s):
        out.append(f(x))
    return finset(out)


@prim("Finset.biUnion")
def bi_union(s: Finset, f: Fn) -> Finset:
    """`s.biUnion f`."""
    out: list[V] = []
    for x in elements(s):
        out.extend(elements(f(x)))
    return finset(out)


@prim("Finset.product")
def product(s: Finset, t: Finset) -> Finset:
    """`s ×ˢ t`."""
    bounded(len(s) * len(t))
    return finset([(x, y) for x in elements(s) for y in elements(t)])


@prim("Finset.powerset")
def powerset(s: Finset) -> Finset:
    """`s.powerset`."""
    n = len(s)
    charge_cells((n + 1) << n)
    charge((n + 1) << n)
    a = list(s.entries.items())
    return Finset.of([Finset(dict(c)) for k in range(n + 1) for c in itertools.combinations(a, k)])


@prim("Finset.powersetCard")
def powerset_card(k: int, s: Finset) -> Finset:
    """`s.powersetCard k`: the subsets of k elements."""
    n = math.comb(len(s), k) if k <= len(s) else 0
    charge_cells(n * (k + 1))
    charge(n * (k + 1) + 1)
    return Finset.of([Finset(dict(c)) for c in itertools.combinations(s.entries.items(), k)]) if n else empty()


def _add(monoid: V) -> tuple[Fn, V]:
    """Return operation and neutral element of an instance of `AddCommMonoid` or `CommMonoid`."""
    (operation,), (neutral,) = monoid[0]
    return operation, neutral


def _fold(monoid: V, values: list[V]) -> V:
    operation, acc = _add(monoid)
    for x in values:
        acc = operation(acc)(x)
    return acc


@prim("Finset.sum", "Finset.prod")
def sum_(monoid: V, s: Finset, f: Fn) -> V:
    """`∑ x ∈ s, f x`, `∏ x ∈ s, f x`: the operation is commutative."""
    out: list[V] = []
    for x in elements(s):
        out.append(f(x))
    return _fold(monoid, out)


@prim("Finset.sup", "Finset.inf")
def sup(op: V, bound: V, s: Finset, f: Fn) -> V:
    """`s.sup f`, `s.inf f` with the least or greatest element as start."""
    acc = bound[0]
    for x in elements(s):
        acc = op[0](acc)(f(x))
    return acc


@prim("Finset.max'", "Finset.min'")
def extremum(op: V, s: Finset) -> V:
    """`s.max' h`, `s.min' h`."""
    found = extremum_opt(op, s)
    if found is None:
        raise Unknown("undecided", "an extremum of the empty set")
    return found[0]


@prim("Finset.maxInternal", "Finset.minInternal")
def extremum_opt(op: V, s: Finset) -> tuple[V] | None:
    """The extremum as an option."""
    a = elements(s)
    if not a:
        return None
    acc = a[0]
    for x in a[1:]:
        acc = op[0](acc)(x)
    return (acc,)


@prim("Finset.sort")
def sort(r: Fn, s: Finset) -> Lst:
    """`s.sort r`."""
    return lean(sorted_by(r, elements(s)))


@prim("Finset.toList")
def to_list(s: Finset) -> Lst:
    """`s.toList`: some order, not computable; known only for at most one element."""
    if len(s) > 1:
        raise Unknown("noncomputable", "Finset.toList: the order is not specified")
    return lean(elements(s))


@prim("Nat.divisors")
def divisors(n: int) -> Finset:
    """The divisors of n; none of 0."""
    return finset(divisor_list(n) if n else [])


@prim("Nat.properDivisors")
def proper_divisors(n: int) -> Finset:
    """The divisors below n; none of 0."""
    return finset(divisor_list(n)[:-1] if n else [])


@prim("Nat.primeFactors")
def prime_factor_set(n: int) -> Finset:
    """The prime factors."""
    return finset(prime_factors(n))


# ------------------------------------------------------------------------------------------------------------ Multiset


@prim("Multiset.ofList")
def multiset_of_list(xs: Lst) -> Multiset:
    """`(xs : Multiset α)`."""
    return multiset(items(xs))


@prim("Multiset.Mem")
def multiset_mem(s: Multiset, a: V) -> bool:
    """`a ∈ s`."""
    charge(1)
    return s.count(a) > 0


@prim("Multiset.count")
def multiset_count(a: V, s: Multiset) -> int:
    """`s.count a`."""
    charge(1)
    return s.count(a)


@prim("Multiset.card")
def multiset_card(s: Multiset) -> int:
    """The number of elements, with repetition."""
    return s.card


@prim("Multiset.countP")
def multiset_count_p(p: Fn, s: Multiset) -> int:
    """`s.countP p`."""
    return multiset_filter(p, s).card


@prim("Multiset.add")
def multiset_add(s: Multiset, t: Multiset) -> Multiset:
    """`s + t`."""
    return multiset(elements(s) + elements(t))


def _pointwise(s: Multiset, t: Multiset, f: str) -> Multiset:
    charge(len(s) + len(t) + 1)
    out = {}
    for k, (x, n) in {**t.entries, **s.entries}.items():
        a = s.entries[k][1] if k in s.entries else 0
        b = t.entries[k][1] if k in t.entries else 0
        n = max(0, a - b) if f == "sub" else max(a, b) if f == "union" else min(a, b)
        if n:
            out[k] = (x, n)
    return Multiset(out)


@prim("Multiset.sub")
def multiset_sub(s: Multiset, t: Multiset) -> Multiset:
    """`s - t`: counts truncated at 0."""
    return _pointwise(s, t, "sub")


@prim("Multiset.union")
def multiset_union(s: Multiset, t: Multiset) -> Multiset:
    """`s ∪ t`: the larger counts."""
    return _pointwise(s, t, "union")


@prim("Multiset.inter")
def multiset_inter(s: Multiset, t: Multiset) -> Multiset:
    """`s ∩ t`: the smaller counts."""
    return _pointwise(s, t, "inter")


@prim("Multiset.Le")
def multiset_le(s: Multiset, t: Multiset) -> bool:
    """`s ≤ t`."""
    charge(len(s) + 1)
    return all(k in t.entries and n <= t.entries[k][1] for k, (_, n) in s.entries.items())


@prim("Multiset.cons")
def multiset_cons(a: V, s: Multiset) -> Multiset:
    """`a ::ₘ s`."""
    return multiset([*elements(s), a])


@prim("Multiset.map")
def multiset_map(f: Fn, s: Multiset) -> Multiset:
    """`s.map f`."""
    out: list[V] = []
    for x in elements(s):
        out.append(f(x))
    return multiset(out)


@prim("Multiset.filter")
def multiset_filter(p: Fn, s: Multiset) -> Multiset:
    """`s.filter p`."""
    out: list[V] = []
    for x in elements(s):
        if p(x):
            out.append(x)
    return multiset(out)


@prim("Multiset.erase")
def multiset_erase(s: Multiset, a: V) -> Multiset:
    """`s.erase a`: one occurrence less."""
    return multiset_sub(s, Multiset.of([a]))


@prim("Multiset.replicate")
def multiset_replicate(n: int, a: V) -> Multiset:
    """n times a."""
    return Multiset({key(a): (a, n)} if n else {})


@prim("Multiset.range")
def multiset_range(n: int) -> Multiset:
    """0 to n - 1."""
    bounded(n)
    return Multiset.of(range(n))


@prim("Multiset.sum", "Multiset.prod")
def multiset_sum(monoid: V, s: Multiset) -> V:
    """`s.sum`, `s.prod`."""
    return _fold(monoid, elements(s))


@prim("Multiset.dedup")
def multiset_dedup(s: Multiset) -> Multiset:
    """Each element once."""
    return Multiset({k: (x, 1) for k, (x, _) in s.entries.items()})


@prim("Multiset.Nodup")
def multiset_nodup(s: Multiset) -> bool:
    """Whether no element occurs twice."""
    return all(n == 1 for _, n in s.entries.values())


@prim("Multiset.sort")
def multiset_sort(r: Fn, s: Multiset) -> Lst:
    """`s.sort r`."""
    return lean(sorted_by(r, elements(s)))


# ------------------------------------------------------------------------------------------------------------- numbers


@prim("Nat.sInfInternal")
def nat_s_inf(s: Fn) -> int:
    """The least natural of a set, found by looking; unknown when none shows (0 of the empty set is not found)."""
    for n in range(_INF_SEARCH):
        charge(1)
        if s(n):
            return n
    raise Unknown("undecided", f"sInf of a set without a member below {_INF_SEARCH}")


@prim("Squarefree")
def squarefree(mul: V, _one: V, a: V) -> bool:
    """`Squarefree a` over Nat and Int."""
    if not isinstance(a, int) or not unbounded(mul, _PROBE, _PROBE * _PROBE):
        raise Unknown("unsupported", "Squarefree over this type")
    factors = prime_factors(abs(a))
    return a != 0 and len(set(factors)) == len(factors)


def _number(a: V) -> Fraction:
    if isinstance(a, int | Fraction):
        return Fraction(a)
    raise Unknown("noncomputable", "rounding of a real number")


@prim("Int.floor")
def int_floor(_ring: V, a: V) -> int:
    """`⌊a⌋`."""
    return math.floor(_number(a))


@prim("Int.ceil")
def int_ceil(_ring: V, a: V) -> int:
    """`⌈a⌉`."""
    return math.ceil(_number(a))


@prim("Nat.floor")
def nat_floor(_ring: V, a: V) -> int:
    """`⌊a⌋₊`: 0 of negative numbers."""
    return max(0, math.floor(_number(a)))


@prim("Nat.ceil")
def nat_ceil(_ring: V, a: V) -> int:
    """`⌈a⌉₊`: 0 of negative numbers."""
    return max(0, math.ceil(_number(a)))


@prim("Int.fract")
def int_fract(_ring: V, a: V) -> V:
    """`a - ⌊a⌋`."""
    q = _number(a)
    return a - math.floor(q)


@prim("round")
def round_(_ring: V, a: V) -> int:
    """To the nearest integer, halves up."""
    return math.floor(_number(a) + Fraction(1, 2))
