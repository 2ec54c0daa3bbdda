"""Primitives of `List` that Batteries and Mathlib add."""

from __future__ import annotations

import math

from specgen.lean.eval.runtime import charge, charge_cells
from specgen.lean.library.prims.lists import nth
from specgen.lean.library.prims.registry import prim
from specgen.lean.library.prims.seq import Fn, Lst, V, bounded, first_items, items, lean


@prim("List.getI")
def get_i(inh: V, xs: Lst, i: int) -> V:
    """`xs.getI i`: the type's default out of range."""
    found = nth(xs, i)
    return inh[0] if found is None else found[0]


@prim("List.product")
def product(xs: Lst, ys: Lst) -> Lst:
    """`xs ×ˢ ys`: for each of xs all of ys."""
    a, b = items(xs), items(ys)
    bounded(len(a) * len(b))
    return lean([(x, y) for x in a for y in b])


@prim("List.splitOnP")
def split_on_p(p: Fn, xs: Lst) -> Lst:
    """`xs.splitOnP p`: the pieces between elements that satisfy p; `[[]]` of `[]`."""
    pieces: list[list[V]] = [[]]
    for x in items(xs):
        if p(x):
            pieces.append([])
        else:
            pieces[-1].append(x)
    return lean([lean(piece) for piece in pieces])


@prim("List.splitOn")
def split_on(beq: V, a: V, xs: Lst) -> Lst:
    """`xs.splitOn a`."""
    return split_on_p(lambda x: beq[0](x)(a), xs)


@prim("List.transpose")
def transpose(xss: Lst) -> Lst:
    """`xss.transpose`: column i holds element i of every row that is that long."""
    columns: list[list[V]] = []
    for xs in items(xss):
        for i, x in enumerate(items(xs)):
            if i == len(columns):
                columns.append([])
            columns[i].append(x)
    return lean([lean(c) for c in columns])


@prim("List.iterate")
def iterate(f: Fn, a: V, n: int) -> Lst:
    """`List.iterate f a n`: `[a, f a, …]`, n elements."""
    bounded(n)
    out: list[V] = []
    for _ in range(n):
        out.append(a)
        if len(out) < n:
            a = f(a)
    return lean(out)


@prim("List.findIdxs")
def find_idxs(p: Fn, xs: Lst) -> Lst:
    """The indices of the elements that satisfy p."""
    return lean([i for i, x in enumerate(items(xs)) if p(x)])


@prim("List.indexesOf", "List.idxsOf")
def idxs_of(beq: V, a: V, xs: Lst) -> Lst:
    """The indices of the elements that are `== a`."""
    return find_idxs(lambda x: beq[0](x)(a), xs)


@prim("List.Ico")
def ico(n: int, m: int) -> Lst:
    """`List.Ico n m`: n to m - 1."""
    bounded(max(0, m - n))
    return lean(list(range(n, m)))


@prim("List.takeD")
def take_d(n: int, xs: Lst, a: V) -> Lst:
    """`xs.takeD n a`: exactly n elements, filled with a."""
    bounded(n)
    found = first_items(xs, n)
    return lean(found + [a] * (n - len(found)))


@prim("List.takeI")
def take_i(inh: V, n: int, xs: Lst) -> Lst:
    """`xs.takeI n`: exactly n elements, filled with the type's default."""
    return take_d(n, xs, inh[0])


@prim("List.dropSlice")
def drop_slice(n: int, m: int, xs: Lst) -> Lst:
    """`List.dropSlice n m xs`: without m elements from index n on."""
    a = items(xs)
    return lean(a[:n] + a[n + m :]) if n < len(a) else xs


@prim("List.zipWith3")
def zip_with3(f: Fn, xs: Lst, ys: Lst, zs: Lst) -> Lst:
    """`List.zipWith3 f xs ys zs`."""
    out: list[V] = []
    for x, y, z in zip(items(xs), items(ys), items(zs), strict=False):
        out.append(f(x)(y)(z))
    return lean(out)


def _arg_best(better: Fn, f: Fn, xs: Lst) -> tuple[V] | None:
    """Return the first element whose image no later one is strictly better than."""
    best: tuple[V, V] | None = None
    for x in items(xs):
        image = f(x)
        if best is None or better(image)(best[1]):
            best = (x, image)
    return None if best is None else (best[0],)


@prim("List.argmax")
def argmax(lt: V, f: Fn, xs: Lst) -> tuple[V] | None:
    """`xs.argmax f`: the first with the greatest image."""
    return _arg_best(lambda new: lambda old: lt[0](old)(new), f, xs)


@prim("List.argmin")
def argmin(lt: V, f: Fn, xs: Lst) -> tuple[V] | None:
    """`xs.argmin f`: the first with the least image."""
    return _arg_best(lt[0], f, xs)


def _interleave(t: V, rest: list[V], tail: list[list[V]], y: list[V]) -> list[list[V]]:
    """Return y with t inserted at every place but the last, each followed by `rest`, in front of `tail`."""
    return [y[:i] + [t] + y[i:] + rest for i in range(len(y))] + tail


def _permutations_aux(todo: list[V], done: list[V]) -> list[list[V]]:
    if not todo:
        return []
    t, rest = todo[0], todo[1:]
    charge(len(todo) + len(done))
    out = _permutations_aux(rest, [t, *done])
    for y in reversed([done, *_permutations_aux(done, [])]):
        charge((len(y) + 1) * (len(y) + len(rest) + 1))
        out = _interleave(t, rest, out, y)
    return out


@prim("List.permutations")
def permutations(xs: Lst) -> Lst:
    """`xs.permutations`, in the order of Mathlib's definition."""
    a = items(xs)
    charge_cells(math.factorial(min(len(a), 50)) * (len(a) + 1))
    return lean([lean(p) for p in [a, *_permutations_aux(a, [])]])
