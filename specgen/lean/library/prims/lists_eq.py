"""Primitives of `List` that compare elements: by a `BEq` instance, or by equality."""

from __future__ import annotations

from collections.abc import Hashable

from specgen.lean.eval.runtime import charge, charge_cells
from specgen.lean.eval.values import Multiset, equal, key
from specgen.lean.library.prims.registry import prim
from specgen.lean.library.prims.seq import NIL, Fn, Lst, V, all_hold, any_holds, applied, items, lean

# ------------------------------------------------------------------------------------------------- by a BEq instance


def position(p: Fn, xs: Lst) -> int | None:
    """Return the index of the first element that satisfies p."""
    i = 0
    while xs:
        charge(1)
        if p(xs[0]):
            return i
        xs = xs[1]
        i += 1
    return None


@prim("List.elem")
def elem(beq: V, a: V, xs: Lst) -> bool:
    """`List.elem a xs`."""
    return position(beq[0](a), xs) is not None


@prim("List.contains")
def contains(beq: V, xs: Lst, a: V) -> bool:
    """`xs.contains a`."""
    return position(beq[0](a), xs) is not None


@prim("List.notElem")
def not_elem(beq: V, a: V, xs: Lst) -> bool:
    """`List.notElem a xs`."""
    return position(beq[0](a), xs) is None


@prim("List.beq")
def beq_list(beq: V, xs: Lst, ys: Lst) -> bool:
    """`List.beq xs ys`."""
    while xs and ys:
        charge(1)
        if not beq[0](xs[0])(ys[0]):
            return False
        xs, ys = xs[1], ys[1]
    return not xs and not ys


@prim("List.isEqv")
def is_eqv(xs: Lst, ys: Lst, eqv: Fn) -> bool:
    """`xs.isEqv ys eqv`: same length and pairwise eqv."""
    while xs and ys:
        charge(1)
        if not eqv(xs[0])(ys[0]):
            return False
        xs, ys = xs[1], ys[1]
    return not xs and not ys


def without_first(p: Fn, xs: Lst) -> tuple[Lst] | None:
    """Return the list without the first element that satisfies p, or None."""
    front: list[V] = []
    while xs:
        charge(1)
        if p(xs[0]):
            return (lean(front, xs[1]),)
        front.append(xs[0])
        xs = xs[1]
    return None


@prim("List.erase")
def erase(beq: V, xs: Lst, a: V) -> Lst:
    """`xs.erase a`: without the first x with `x == a`."""
    found = without_first(lambda x: beq[0](x)(a), xs)
    return xs if found is None else found[0]


@prim("List.insert")
def insert(beq: V, a: V, xs: Lst) -> Lst:
    """`xs.insert a`: in front, unless there already."""
    if elem(beq, a, xs):
        return xs
    return lean([a], xs)


@prim("List.union")
def union(beq: V, xs: Lst, ys: Lst) -> Lst:
    """`xs ∪ ys`: the elements of xs inserted one by one, the last first, into ys."""
    out = ys
    for x in reversed(items(xs)):
        out = insert(beq, x, out)
    return out


@prim("List.inter")
def inter(beq: V, xs: Lst, ys: Lst) -> Lst:
    """`xs ∩ ys`: the elements of xs that are in ys."""
    return lean([x for x in items(xs) if elem(beq, x, ys)])


@prim("List.bagInter")
def bag_inter(beq: V, xs: Lst, ys: Lst) -> Lst:
    """`xs.bagInter ys`: elements of xs, each using up one of ys."""
    out: list[V] = []
    rest = ys
    for x in items(xs):
        if elem(beq, x, rest):
            rest = erase(beq, rest, x)
            out.append(x)
    return lean(out)


@prim("List.diff")
def diff(beq: V, xs: Lst, ys: Lst) -> Lst:
    """`xs.diff ys`: xs without one occurrence for each element of ys."""
    out = xs
    for y in items(ys):
        if elem(beq, y, out):
            out = erase(beq, out, y)
    return out


@prim("List.removeAll")
def remove_all(beq: V, xs: Lst, ys: Lst) -> Lst:
    """`xs.removeAll ys`: the elements of xs that are not in ys."""
    return lean([x for x in items(xs) if not elem(beq, x, ys)])


@prim("List.replace")
def replace(beq: V, xs: Lst, a: V, b: V) -> Lst:
    """`xs.replace a b`: b for the first x with `x == a` (the comparison is `a == x` before Lean 4.16)."""
    front: list[V] = []
    rest = xs
    while rest:
        charge(1)
        if beq[0](rest[0])(a):
            return lean([*front, b], rest[1])
        front.append(rest[0])
        rest = rest[1]
    return xs


@prim("List.eraseDups")
def erase_dups(beq: V, xs: Lst) -> Lst:
    """`xs.eraseDups`: the first of each."""
    kept: list[V] = []
    for x in items(xs):
        fresh = True
        for k in reversed(kept):
            charge(1)
            if beq[0](x)(k):
                fresh = False
                break
        if fresh:
            kept.append(x)
    return lean(kept)


@prim("List.eraseDupsBy")
def erase_dups_by(r: Fn, xs: Lst) -> Lst:
    """`List.eraseDupsBy r xs`: x is dropped when `r x k` holds of a kept k."""
    kept: list[V] = []
    for x in items(xs):
        fresh = True
        for k in reversed(kept):
            charge(1)
            if r(x)(k):
                fresh = False
                break
        if fresh:
            kept.append(x)
    return lean(kept)


@prim("List.eraseRepsBy")
def erase_reps_by(r: Fn, xs: Lst) -> Lst:
    """`List.eraseRepsBy r xs`: the first of each run; each element is compared with the last one kept."""
    out: list[V] = []
    for x in items(xs):
        if not out or not r(out[-1])(x):
            out.append(x)
    return lean(out)


@prim("List.eraseReps")
def erase_reps(beq: V, xs: Lst) -> Lst:
    """`xs.eraseReps`: the first of each run of equals."""
    return erase_reps_by(beq[0], xs)


@prim("List.count")
def count(beq: V, a: V, xs: Lst) -> int:
    """`xs.count a`: how many x have `x == a`."""
    n = 0
    for x in items(xs):
        if beq[0](x)(a):
            n += 1
    return n


@prim("List.countP")
def count_p(p: Fn, xs: Lst) -> int:
    """`xs.countP p`."""
    n = 0
    for x in items(xs):
        if p(x):
            n += 1
    return n


@prim("List.find?")
def find(p: Fn, xs: Lst) -> tuple[V] | None:
    """`xs.find? p`."""
    while xs:
        charge(1)
        if p(xs[0]):
            return (xs[0],)
        xs = xs[1]
    return None


@prim("List.findSome?")
def find_some(f: Fn, xs: Lst) -> V:
    """`xs.findSome? f`."""
    while xs:
        charge(1)
        found = f(xs[0])
        if found is not None:
            return found
        xs = xs[1]
    return None


@prim("List.findRev?")
def find_rev(p: Fn, xs: Lst) -> tuple[V] | None:
    """`xs.findRev? p`: the last that satisfies p."""
    for x in reversed(items(xs)):
        if p(x):
            return (x,)
    return None


@prim("List.findIdx")
def find_idx(p: Fn, xs: Lst) -> int:
    """`xs.findIdx p`: the length when there is none."""
    found = position(p, xs)
    return len(items(xs)) if found is None else found


@prim("List.findIdx?", "List.findFinIdx?")
def find_idx_opt(p: Fn, xs: Lst) -> tuple[int] | None:
    """`xs.findIdx? p`."""
    found = position(p, xs)
    return None if found is None else (found,)


@prim("List.idxOf", "List.indexOf")
def idx_of(beq: V, a: V, xs: Lst) -> int:
    """`xs.idxOf a`: the length when there is none."""
    return find_idx(lambda x: beq[0](x)(a), xs)


@prim("List.idxOf?", "List.indexOf?")
def idx_of_opt(beq: V, a: V, xs: Lst) -> tuple[int] | None:
    """`xs.idxOf? a`."""
    return find_idx_opt(lambda x: beq[0](x)(a), xs)


@prim("List.finIdxOf?")
def fin_idx_of_opt(beq: V, a: V, xs: Lst) -> tuple[int] | None:
    """`xs.finIdxOf? a`."""
    return find_idx_opt(lambda x: beq[0](x)(a), xs)


@prim("List.lookup")
def lookup(beq: V, a: V, xs: Lst) -> tuple[V] | None:
    """`xs.lookup a` in a list of pairs."""
    while xs:
        charge(1)
        if beq[0](a)(xs[0][0]):
            return (xs[0][1],)
        xs = xs[1]
    return None


@prim("List.isPrefixOf")
def is_prefix_of(beq: V, xs: Lst, ys: Lst) -> bool:
    """`xs.isPrefixOf ys`."""
    return is_prefix_of_opt(beq, xs, ys) is not None


@prim("List.isPrefixOf?")
def is_prefix_of_opt(beq: V, xs: Lst, ys: Lst) -> tuple[Lst] | None:
    """`xs.isPrefixOf? ys`: what is left of ys."""
    while xs:
        charge(1)
        if not ys or not beq[0](xs[0])(ys[0]):
            return None
        xs, ys = xs[1], ys[1]
    return (ys,)


@prim("List.isSuffixOf")
def is_suffix_of(beq: V, xs: Lst, ys: Lst) -> bool:
    """`xs.isSuffixOf ys`."""
    return is_suffix_of_opt(beq, xs, ys) is not None


@prim("List.isSuffixOf?")
def is_suffix_of_opt(beq: V, xs: Lst, ys: Lst) -> tuple[Lst] | None:
    """`xs.isSuffixOf? ys`: what is left of ys in front."""
    a, b = items(xs), items(ys)
    if len(a) > len(b):
        return None
    for x, y in zip(reversed(a), reversed(b), strict=False):
        if not beq[0](x)(y):
            return None
    return (lean(b[: len(b) - len(a)]),)


@prim("List.isSublist")
def is_sublist(beq: V, xs: Lst, ys: Lst) -> bool:
    """`xs.isSublist ys`, in order, not necessarily contiguous."""
    while xs:
        if not ys:
            return False
        charge(1)
        if beq[0](xs[0])(ys[0]):
            xs = xs[1]
        ys = ys[1]
    return True


@prim("List.isPerm")
def is_perm(beq: V, xs: Lst, ys: Lst) -> bool:
    """`xs.isPerm ys`: each element of xs uses up one of ys."""
    rest = ys
    for x in items(xs):
        if not elem(beq, x, rest):
            return False
        rest = erase(beq, rest, x)
    return not rest


# --------------------------------------------------------------------------------------------------------- by equality


@prim("List.Mem")
def mem(a: V, xs: Lst) -> bool:
    """`a ∈ xs`; three-valued."""
    return any_holds(applied(lambda x: equal(a, x), items(xs)))


@prim("List.Nodup")
def nodup(xs: Lst) -> bool:
    """`xs.Nodup`."""
    seen: set[Hashable] = set()
    for x in items(xs):
        k = key(x)
        if k in seen:
            return False
        seen.add(k)
    return True


@prim("List.Duplicate")
def duplicate(a: V, xs: Lst) -> bool:
    """`List.Duplicate a xs`: at least twice."""
    return sum(1 for x in items(xs) if equal(a, x)) >= 2


@prim("List.Perm")
def perm(xs: Lst, ys: Lst) -> bool:
    """`xs.Perm ys`."""
    a, b = items(xs), items(ys)
    return len(a) == len(b) and Multiset.of(a) == Multiset.of(b)


@prim("List.Subperm")
def subperm(xs: Lst, ys: Lst) -> bool:
    """`xs <+~ ys`: as multisets."""
    return sub_bag(items(xs), items(ys))


def sub_bag(a: list[V], b: list[V]) -> bool:
    """Tell whether a is contained in b, repetitions counted."""
    have = Multiset.of(b)
    need = Multiset.of(a)
    return all(k in have.entries and n <= have.entries[k][1] for k, (_, n) in need.entries.items())


@prim("List.Disjoint")
def disjoint(xs: Lst, ys: Lst) -> bool:
    """`List.Disjoint xs ys`."""
    have = {key(y) for y in items(ys)}
    return not any(key(x) in have for x in items(xs))


@prim("List.Sublist")
def sublist(xs: Lst, ys: Lst) -> bool:
    """`xs.Sublist ys`."""
    return is_subsequence(items(xs), items(ys))


def is_subsequence(a: list[V], b: list[V]) -> bool:
    """Tell whether a is a subsequence of b, greedily from the left."""
    if len(a) > len(b):
        return False
    i = 0
    for y in b:
        if i < len(a) and equal(a[i], y):
            i += 1
    return i == len(a)


def same(a: list[V], b: list[V]) -> bool:
    """Tell whether two sequences of the same length are equal; three-valued."""
    return all_hold(applied(lambda i: equal(a[i], b[i]), range(len(a))))


@prim("List.IsPrefix")
def is_prefix(xs: Lst, ys: Lst) -> bool:
    """`xs <+: ys`."""
    a, b = items(xs), items(ys)
    return len(a) <= len(b) and same(a, b[: len(a)])


@prim("List.IsSuffix")
def is_suffix(xs: Lst, ys: Lst) -> bool:
    """`xs <:+ ys`."""
    a, b = items(xs), items(ys)
    return len(a) <= len(b) and same(a, b[len(b) - len(a) :])


@prim("List.IsInfix")
def is_infix(xs: Lst, ys: Lst) -> bool:
    """`xs <:+: ys`."""
    a, b = [key(x) for x in items(xs)], [key(y) for y in items(ys)]
    n = len(a)
    charge(n * max(1, len(b) - n + 1))
    return any(a == b[i : i + n] for i in range(len(b) - n + 1))


@prim("List.dedup")
def dedup(xs: Lst) -> Lst:
    """Mathlib's `xs.dedup`: the LAST of each stays."""
    seen: set[Hashable] = set()
    out: list[V] = []
    for x in reversed(items(xs)):
        k = key(x)
        if k not in seen:
            seen.add(k)
            out.append(x)
    out.reverse()
    return lean(out)


@prim("List.Palindrome")
def palindrome(xs: Lst) -> bool:
    """`List.Palindrome xs`."""
    a = items(xs)
    return same(a, a[::-1])


# ------------------------------------------------------------------------------------------------------- enumerations


@prim("List.tails")
def tails(xs: Lst) -> Lst:
    """`xs.tails`: xs first, `[]` last."""
    out: list[V] = []
    while xs:
        out.append(xs)
        xs = xs[1]
    out.append(NIL)
    return lean(out)


@prim("List.inits")
def inits(xs: Lst) -> Lst:
    """`xs.inits`: `[]` first, xs last."""
    a = items(xs)
    charge(len(a) * (len(a) + 1) // 2)
    return lean([lean(a[:i]) for i in range(len(a) + 1)])


@prim("List.sublists")
def sublists(xs: Lst) -> Lst:
    """`xs.sublists`: `[[], [1], [2], [1, 2], [3], …]`."""
    a = items(xs)
    charge_cells((len(a) + 2) << len(a))
    charge((len(a) + 1) << len(a))
    out: list[list[V]] = [[]]
    for x in a:
        out += [s + [x] for s in out]
    return lean([lean(s) for s in out])


@prim("List.sublists'")
def sublists_prime(xs: Lst) -> Lst:
    """`xs.sublists'`: `[[], [3], [2], [2, 3], [1], …]`."""
    a = items(xs)
    charge_cells((len(a) + 2) << len(a))
    charge((len(a) + 1) << len(a))
    out: list[Lst] = [NIL]
    for x in reversed(a):
        out += [(x, s) for s in out]
    return lean(out)


@prim("List.sublistsLen")
def sublists_len(n: int, xs: Lst) -> Lst:
    """`List.sublistsLen n xs`: the sublists of length n, in the order of `sublists'`."""
    return lean([s for s in items(sublists_prime(xs)) if len(items(s)) == n])


@prim("List.permutations'")
def permutations_prime(xs: Lst) -> Lst:
    """`xs.permutations'`: each element inserted at every place of the permutations of the rest."""
    out: list[list[V]] = [[]]
    for x in reversed(items(xs)):
        charge_cells(len(out) * (len(out[0]) + 1) * (len(out[0]) + 2))
        charge(len(out) * (len(out[0]) + 1) * (len(out[0]) + 2))
        out = [p[:i] + [x] + p[i:] for p in out for i in range(len(p) + 1)]
    return lean([lean(p) for p in out])
