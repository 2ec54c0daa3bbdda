"""Primitives of `Array` that sort and search by an order, with the result of Lean's own algorithms."""

from __future__ import annotations

from specgen.lean.eval.runtime import charge, charge_cells
from specgen.lean.eval.values import Arr
from specgen.lean.library.prims.arrays import array, elements
from specgen.lean.library.prims.lists_order import lex as lex_lists
from specgen.lean.library.prims.registry import prim
from specgen.lean.library.prims.seq import Fn, V, lean


def _partition(a: list[V], lt: Fn, low: int, high: int) -> int:
    """Partition around the median of three, which is brought to `high` first; return its final place."""

    def order(i: int, j: int) -> None:
        if lt(a[i])(a[j]):
            a[i], a[j] = a[j], a[i]

    middle = (low + high) // 2
    order(middle, low)
    order(high, low)
    order(middle, high)
    pivot = a[high]
    i = low
    for j in range(low, high):
        charge(1)
        if lt(a[j])(pivot):
            a[i], a[j] = a[j], a[i]
            i += 1
    a[i], a[high] = a[high], a[i]
    return i


@prim("Array.qsort")
def qsort(xs: Arr, lt: Fn, low: int, high: int) -> Arr:
    """`xs.qsort lt low high`, quicksort: not stable, so the places of equivalent elements follow from the algorithm."""
    a = elements(xs)
    if not a:
        return xs
    todo = [(low, min(high, len(a) - 1))]
    while todo:
        lo, hi = todo.pop()
        if lo >= hi:
            continue
        middle = _partition(a, lt, lo, hi)
        if middle < hi:
            todo.append((middle + 1, hi))
            todo.append((lo, middle))
    return array(a)


@prim("Array.qsortOrd")
def qsort_ord(ord_: V, xs: Arr) -> Arr:
    """`xs.qsortOrd`: by the `Ord` instance."""
    return qsort(xs, lambda x: lambda y: ord_[0](x)(y) == 0, 0, xs.size - 1)


@prim("Array.insertionSort")
def insertion_sort(xs: Arr, lt: Fn) -> Arr:
    """`xs.insertionSort lt`: each moves left while it is less than its neighbour."""
    a = elements(xs)
    for i in range(1, len(a)):
        j = i
        while j > 0 and lt(a[j])(a[j - 1]):
            charge(1)
            a[j - 1], a[j] = a[j], a[j - 1]
            j -= 1
    return array(a)


def _search(xs: Arr, k: V, lt: Fn, low: int, high: int) -> int | None:
    """Return the index at which binary search stops with neither less than the other."""
    if low >= xs.size:
        return None
    high = min(high, xs.size - 1)
    while low <= high:
        charge(1)
        middle = (low + high) // 2
        a = xs[middle]
        if lt(a)(k):
            low = middle + 1
        elif lt(k)(a):
            if middle == 0:
                return None
            high = middle - 1
        else:
            return middle
    return None


@prim("Array.binSearch")
def bin_search(xs: Arr, k: V, lt: Fn, low: int, high: int) -> tuple[V] | None:
    """`xs.binSearch k lt low high`; `high` is brought into range."""
    at = _search(xs, k, lt, low, high)
    return None if at is None else (xs[at],)


@prim("Array.binSearchContains")
def bin_search_contains(xs: Arr, k: V, lt: Fn, low: int, high: int) -> bool:
    """`xs.binSearchContains k lt low high`."""
    return _search(xs, k, lt, low, high) is not None


@prim("Array.binInsert")
def bin_insert(lt: Fn, xs: Arr, k: V) -> Arr:
    """`xs.binInsert lt k`: by halving, so that an array that is not sorted gives what Lean gives."""
    items = xs.tolist()
    charge_cells(len(items) + 1)
    at, same = _place(items, k, lt)
    return Arr([*items[:at], k, *items[at + 1 if same else at :]])


def _place(items: list[V], k: V, lt: Fn) -> tuple[int, bool]:
    """Return where `k` goes, and whether it replaces the element there."""
    if not items:
        return 0, False
    for i in (0, len(items) - 1):
        before, after = (lt(k)(items[i]), lt(items[i])(k)) if i == 0 else (lt(items[i])(k), lt(k)(items[i]))
        if before:
            return (0 if i == 0 else len(items)), False
        if not after:
            return i, True
    low, high = 0, len(items) - 1
    while True:
        charge(1)
        mid = (low + high) // 2
        if lt(items[mid])(k):
            if mid == low:
                return low + 1, False
            low = mid
        elif lt(k)(items[mid]):
            high = mid
        else:
            return mid, True


@prim("Array.getEvenElems")
def get_even_elems(xs: Arr) -> Arr:
    """The elements at even indices."""
    charge_cells(len(xs) + 1)
    return Arr(xs.tolist()[::2])


@prim("Array.lex")
def lex(beq: V, xs: Arr, ys: Arr, lt: Fn) -> bool:
    """`Array.lex xs ys lt`."""
    return lex_lists(beq, lean(elements(xs)), lean(elements(ys)), lt)
