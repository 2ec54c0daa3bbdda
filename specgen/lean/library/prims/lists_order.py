"""Primitives of `List` that compare by an order or a relation: sorting, extrema, chains."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from specgen.lean.eval.runtime import charge
from specgen.lean.library.prims.registry import prim
from specgen.lean.library.prims.seq import NIL, Fn, Lst, V, all_hold, applied, items, later, later2, lean

# ------------------------------------------------------------------------------------------------------------- sorting


def merge_lists(a: list[V], b: list[V], le: Fn) -> list[V]:
    """Merge: the left one goes first where `le left right` holds."""
    charge(len(a) + len(b))
    out: list[V] = []
    i = j = 0
    while i < len(a) and j < len(b):
        if le(a[i])(b[j]):
            out.append(a[i])
            i += 1
        else:
            out.append(b[j])
            j += 1
    return out + a[i:] + b[j:]


def merge_sort_list(a: list[V], le: Fn) -> list[V]:
    """Sort as `List.mergeSort` does, half by half: the same result for a relation that is no order, too."""
    if len(a) <= 1:
        return a
    half = (len(a) + 1) // 2
    return merge_lists(merge_sort_list(a[:half], le), merge_sort_list(a[half:], le), le)


@prim("List.mergeSort")
def merge_sort(xs: Lst, le: Fn) -> Lst:
    """`xs.mergeSort le`: stable."""
    return lean(merge_sort_list(items(xs), le))


@prim("List.merge")
def merge(xs: Lst, ys: Lst, le: Fn) -> Lst:
    """`List.merge xs ys le`."""
    return lean(merge_lists(items(xs), items(ys), le))


@prim("List.insertionSort")
def insertion_sort(r: Fn, xs: Lst) -> Lst:
    """Mathlib's `List.insertionSort r xs`: from the right, each in front of the first y with `r x y`."""
    out: Lst = NIL
    for x in reversed(items(xs)):
        out = ordered_insert(r, x, out)
    return out


@prim("List.orderedInsert")
def ordered_insert(r: Fn, a: V, xs: Lst) -> Lst:
    """`List.orderedInsert r a xs`."""
    front: list[V] = []
    rest = xs
    while rest:
        charge(1)
        if r(a)(rest[0]):
            break
        front.append(rest[0])
        rest = rest[1]
    return lean([*front, a], rest)


# ------------------------------------------------------------------------------------------------------------- extrema


def fold_opt(op: Fn, xs: Lst) -> tuple[V] | None:
    """Fold from the first element with a curried operation."""
    if not xs:
        return None
    acc = xs[0]
    for x in items(xs[1]):
        acc = op(acc)(x)
    return (acc,)


@prim("List.max?", "List.maximum?")
def max_opt(inst: V, xs: Lst) -> tuple[V] | None:
    """`xs.max?` by the `Max` instance."""
    return fold_opt(inst[0], xs)


@prim("List.min?", "List.minimum?")
def min_opt(inst: V, xs: Lst) -> tuple[V] | None:
    """`xs.min?` by the `Min` instance."""
    return fold_opt(inst[0], xs)


@prim("List.max", "List.min")
def max_(inst: V, xs: Lst) -> V:
    """`xs.max h`, `xs.min h` of a list that is not empty."""
    found = fold_opt(inst[0], xs)
    if found is None:
        raise IndexError("extremum of an empty list")
    return found[0]


# ----------------------------------------------------------------------------------------------------- lexicographic


@prim("List.lex")
def lex(beq: V, xs: Lst, ys: Lst, lt: Fn) -> bool:
    """`List.lex xs ys lt`: first difference by lt, `==` going on; a proper prefix is less."""
    while xs and ys:
        charge(1)
        if lt(xs[0])(ys[0]):
            return True
        if not beq[0](xs[0])(ys[0]):
            return False
        xs, ys = xs[1], ys[1]
    return not xs and bool(ys)


@prim("List.Lex")
def lex_prop(r: Fn, xs: Lst, ys: Lst) -> bool:
    """`List.Lex r xs ys`: at some place r holds, and all before are equal; or xs is a proper prefix."""
    from specgen.lean.eval.values import equal

    while xs and ys:
        charge(1)
        if r(xs[0])(ys[0]):
            return True
        if not equal(xs[0], ys[0]):
            return False
        xs, ys = xs[1], ys[1]
    return not xs and bool(ys)


@prim("List.lt")
def lt_prop(inst: V, xs: Lst, ys: Lst) -> bool:
    """`xs < ys` by the `LT` instance of the elements."""
    return lex_prop(inst[0], xs, ys)


@prim("List.le")
def le_prop(inst: V, xs: Lst, ys: Lst) -> bool:
    """`xs ≤ ys`: not `ys < xs`."""
    return not lex_prop(inst[0], ys, xs)


@prim("List.compareLex")
def compare_lex(cmp: Fn, xs: Lst, ys: Lst) -> int:
    """`List.compareLex cmp xs ys` as an `Ordering` (lt, eq, gt = 0, 1, 2)."""
    while xs and ys:
        charge(1)
        order: int = cmp(xs[0])(ys[0])
        if order != 1:
            return order
        xs, ys = xs[1], ys[1]
    return 1 if not xs and not ys else 0 if not xs else 2


# ------------------------------------------------------------------------------------------------------------ relations


def _pairs(r: Fn, a: list[V]) -> Iterator[Callable[[], V]]:
    for i, x in enumerate(a):
        holds = r(x)
        for y in a[i + 1 :]:
            yield later(holds, y)


@prim("List.Pairwise", "List.Sorted")
def pairwise(r: Fn, xs: Lst) -> bool:
    """`xs.Pairwise r`: r of every earlier with every later one; three-valued."""
    return all_hold(_pairs(r, items(xs)))


def _steps(r: Fn, a: list[V]) -> Iterator[Callable[[], V]]:
    for x, y in zip(a, a[1:], strict=False):
        yield later2(r, x, y)


@prim("List.Chain'", "List.IsChain")
def chain_prime(r: Fn, xs: Lst) -> bool:
    """`List.Chain' r xs`: r of each with the next."""
    return all_hold(_steps(r, items(xs)))


@prim("List.Chain")
def chain(r: Fn, a: V, xs: Lst) -> bool:
    """`List.Chain r a xs`: r along `a :: xs`."""
    return all_hold(_steps(r, [a, *items(xs)]))


@prim("List.Forall")
def forall_(p: Fn, xs: Lst) -> bool:
    """`List.Forall p xs`."""
    return all_hold(applied(p, items(xs)))


@prim("List.Forall₂")
def forall2(r: Fn, xs: Lst, ys: Lst) -> bool:
    """`List.Forall₂ r xs ys`: same length and r pairwise."""
    a, b = items(xs), items(ys)
    return len(a) == len(b) and all_hold(_side_by_side(r, a, b))


def _side_by_side(r: Fn, a: list[V], b: list[V]) -> Iterator[Callable[[], V]]:
    for x, y in zip(a, b, strict=True):
        yield later2(r, x, y)


# ---------------------------------------------------------------------------------------------------------- arithmetic


@prim("List.sum")
def sum_(add: V, zero: V, xs: Lst) -> V:
    """`xs.sum`: from the right, onto zero."""
    acc = zero[0]
    for x in reversed(items(xs)):
        acc = add[0](x)(acc)
    return acc


@prim("List.prod")
def prod(mul: V, one: V, xs: Lst) -> V:
    """`xs.prod`: from the right, onto one."""
    acc = one[0]
    for x in reversed(items(xs)):
        acc = mul[0](x)(acc)
    return acc


@prim("Nat.sum")
def nat_sum(xs: Lst) -> int:
    """The sum of a list of naturals."""
    return sum(items(xs))
