"""Primitives of `Array`. Most go through a Python list, as their counterparts on lists do."""

from __future__ import annotations

from collections.abc import Callable

from specgen.lean.eval.runtime import charge, charge_cells
from specgen.lean.eval.values import Arr, equal
from specgen.lean.library.prims import lists_eq
from specgen.lean.library.prims.lists import joined
from specgen.lean.library.prims.lists_order import fold_opt
from specgen.lean.library.prims.registry import prim
from specgen.lean.library.prims.seq import Fn, Lst, V, any_holds, applied, bounded, items, lean, some


def elements(xs: Arr) -> list[V]:
    """Return a fresh Python list of the elements; spends a step for each."""
    charge(xs.size + 1)
    return xs.tolist()


def array(elements_: list[V]) -> Arr:
    """Build an array of a list that the caller gives away; takes cells first."""
    charge_cells(len(elements_))
    return Arr(elements_)


def part(xs: Arr, start: int, stop: int) -> list[V]:
    """Return the elements from `start` up to `stop`, both cut to the size."""
    charge(max(0, min(stop, xs.size) - start) + 1)
    return xs.tolist()[start:stop] if start < stop else []


# ------------------------------------------------------------------------------------------------------------- building


@prim("Array.empty")
def empty() -> Arr:
    """`#[]`."""
    return Arr([])


@prim("Array.mkEmpty", "Array.emptyWithCapacity")
def mk_empty(_capacity: int) -> Arr:
    """`#[]`, whatever the capacity."""
    return Arr([])


@prim("Array.singleton")
def singleton(a: V) -> Arr:
    """`#[a]`."""
    return Arr([a])


@prim("Array.replicate", "Array.mkArray", "mkArray")
def replicate(n: int, a: V) -> Arr:
    """n times a."""
    bounded(n)
    return Arr([a] * n)


@prim("Array.ofFn")
def of_fn(n: int, f: Fn) -> Arr:
    """`Array.ofFn f` for `f : Fin n → α`."""
    bounded(n)
    out: list[V] = []
    for i in range(n):
        out.append(f(i))
    return Arr(out)


@prim("Array.range", "Array.finRange")
def range_(n: int) -> Arr:
    """0 to n - 1."""
    bounded(n)
    return Arr(list(range(n)))


@prim("Array.range'")
def range_from(start: int, n: int, step: int) -> Arr:
    """n numbers from start by step."""
    bounded(n)
    return Arr([start + i * step for i in range(n)])


@prim("List.toArray")
def of_list(xs: Lst) -> Arr:
    """`xs.toArray`."""
    return array(items(xs))


@prim("Array.append")
def append(xs: Arr, ys: Arr) -> Arr:
    """`xs ++ ys`."""
    return array(elements(xs) + elements(ys))


@prim("Array.appendList")
def append_list(xs: Arr, ys: Lst) -> Arr:
    """`xs ++ ys` with a list."""
    return array(elements(xs) + items(ys))


@prim("Array.flatten")
def flatten(xss: Arr) -> Arr:
    """`xss.flatten`."""
    out: list[V] = []
    for xs in elements(xss):
        out.extend(elements(xs))
    return array(out)


@prim("Array.leftpad")
def leftpad(n: int, a: V, xs: Arr) -> Arr:
    """a's in front up to size n."""
    missing = bounded(max(0, n - xs.size))
    return array([a] * missing + elements(xs))


@prim("Array.rightpad")
def rightpad(n: int, a: V, xs: Arr) -> Arr:
    """a's behind up to size n."""
    missing = bounded(max(0, n - xs.size))
    return array(elements(xs) + [a] * missing)


# --------------------------------------------------------------------------------------------------------------- access


@prim("Array.size", "Array.usize")
def size(xs: Arr) -> int:
    """`xs.size`."""
    return xs.size


@prim("Array.isEmpty")
def is_empty(xs: Arr) -> bool:
    """`xs.isEmpty`."""
    return xs.size == 0


@prim("Array.getInternal", "Array.get")
def get(xs: Arr, i: int) -> V:
    """`xs[i]`, in range."""
    return xs[i]


@prim("Array.get?Internal", "Array.get?")
def get_opt(xs: Arr, i: int) -> tuple[V] | None:
    """`xs[i]?`."""
    return (xs[i],) if i < xs.size else None


@prim("Array.get!Internal", "Array.get!")
def get_bang(inh: V, xs: Arr, i: int) -> V:
    """`xs[i]!`: the type's default out of range."""
    return xs[i] if i < xs.size else inh[0]


@prim("Array.getD")
def get_d(xs: Arr, i: int, fallback: V) -> V:
    """`xs.getD i fallback`."""
    return xs[i] if i < xs.size else fallback


@prim("Array.back")
def back(xs: Arr) -> V:
    """The last element of an array that is not empty."""
    return xs[xs.size - 1]


@prim("Array.back!")
def back_bang(inh: V, xs: Arr) -> V:
    """`xs.back!`: the type's default of the empty array."""
    return xs[xs.size - 1] if xs.size else inh[0]


@prim("Array.back?")
def back_opt(xs: Arr) -> tuple[V] | None:
    """`xs.back?`."""
    return (xs[xs.size - 1],) if xs.size else None


# ------------------------------------------------------------------------------------------------------------- changing


@prim("Array.set", "Array.set!", "Array.setIfInBounds", "Array.setD")
def set_(xs: Arr, i: int, a: V) -> Arr:
    """`xs.set i a`; unchanged out of range."""
    charge(1)
    return xs.set(i, a) if i < xs.size else xs


@prim("Array.push")
def push(xs: Arr, a: V) -> Arr:
    """`xs.push a`."""
    charge_cells(1)
    return xs.push(a)


@prim("Array.pop")
def pop(xs: Arr) -> Arr:
    """`xs.pop`."""
    charge(1)
    return xs.pop()


@prim("Array.swap", "Array.swapIfInBounds", "Array.swap!")
def swap(xs: Arr, i: int, j: int) -> Arr:
    """`xs.swap i j`; unchanged where one is out of range."""
    charge(1)
    if i >= xs.size or j >= xs.size:
        return xs
    a, b = xs[i], xs[j]
    return xs.set(i, b).set(j, a)


@prim("Array.swapAt")
def swap_at(xs: Arr, i: int, a: V) -> tuple[V, Arr]:
    """`xs.swapAt i a`: the old element and the new array."""
    return (xs[i], xs.set(i, a))


@prim("Array.swapAt!")
def swap_at_bang(xs: Arr, i: int, a: V) -> tuple[V, Arr]:
    """`xs.swapAt! i a`; panics with `(a, xs)` out of range."""
    return (xs[i], xs.set(i, a)) if i < xs.size else (a, xs)


@prim("Array.modify")
def modify(xs: Arr, i: int, f: Fn) -> Arr:
    """`xs.modify i f`; unchanged out of range."""
    return xs.set(i, f(xs[i])) if i < xs.size else xs


@prim("Array.modifyOp")
def modify_op(xs: Arr, i: int, f: Fn) -> Arr:
    """`xs.modifyOp i f`."""
    return modify(xs, i, f)


@prim("Array.extract")
def extract(xs: Arr, start: int, stop: int) -> Arr:
    """`xs.extract start stop`."""
    return array(part(xs, start, stop))


@prim("Array.take", "Array.shrink")
def take(xs: Arr, n: int) -> Arr:
    """The first n elements."""
    return xs if n >= xs.size else array(part(xs, 0, n))


@prim("Array.drop")
def drop(xs: Arr, n: int) -> Arr:
    """All but the first n elements."""
    return array(part(xs, n, xs.size))


@prim("Array.reverse")
def reverse(xs: Arr) -> Arr:
    """`xs.reverse`."""
    return array(elements(xs)[::-1])


@prim("Array.takeWhile")
def take_while(p: Fn, xs: Arr) -> Arr:
    """`xs.takeWhile p`."""
    out: list[V] = []
    for x in elements(xs):
        if not p(x):
            break
        out.append(x)
    return array(out)


@prim("Array.popWhile")
def pop_while(p: Fn, xs: Arr) -> Arr:
    """`xs.popWhile p`: from the end."""
    out = elements(xs)
    while out and p(out[-1]):
        out.pop()
    return array(out)


@prim("Array.eraseIdx", "Array.eraseIdxIfInBounds")
def erase_idx(xs: Arr, i: int) -> Arr:
    """Without element i; unchanged out of range."""
    out = elements(xs)
    if i < len(out):
        del out[i]
    return array(out)


@prim("Array.eraseIdx!")
def erase_idx_bang(xs: Arr, i: int) -> Arr:
    """`xs.eraseIdx! i`; panics, with the empty array, out of range."""
    return erase_idx(xs, i) if i < xs.size else Arr([])


@prim("Array.insertIdx", "Array.insertIdxIfInBounds")
def insert_idx(xs: Arr, i: int, a: V) -> Arr:
    """`xs.insertIdx i a`; unchanged when i exceeds the size."""
    out = elements(xs)
    if i <= len(out):
        out.insert(i, a)
    return array(out)


@prim("Array.insertIdx!", "Array.insertAt!")
def insert_idx_bang(xs: Arr, i: int, a: V) -> Arr:
    """`xs.insertIdx! i a`; panics, with the empty array, when i exceeds the size."""
    return insert_idx(xs, i, a) if i <= xs.size else Arr([])


@prim("Array.toListRev")
def to_list_rev(xs: Arr) -> Lst:
    """The elements as a list, last first."""
    return lean(elements(xs)[::-1])


@prim("Array.toListAppend")
def to_list_append(xs: Arr, ys: Lst) -> Lst:
    """`xs.toList ++ ys`."""
    return lean(elements(xs), ys)


# --------------------------------------------------------------------------------------------------------- higher order


@prim("Array.map")
def map_(f: Fn, xs: Arr) -> Arr:
    """`xs.map f`."""
    out: list[V] = []
    for x in elements(xs):
        out.append(f(x))
    return array(out)


@prim("Array.mapIdx")
def map_idx(f: Fn, xs: Arr) -> Arr:
    """`xs.mapIdx f`."""
    out: list[V] = []
    for i, x in enumerate(elements(xs)):
        out.append(f(i)(x))
    return array(out)


@prim("Array.mapFinIdx")
def map_fin_idx(xs: Arr, f: Fn) -> Arr:
    """`xs.mapFinIdx f`; a proof is the last of f's arguments."""
    out: list[V] = []
    for i, x in enumerate(elements(xs)):
        out.append(f(i)(x)(None))
    return array(out)


@prim("Array.filter")
def filter_(p: Fn, xs: Arr, start: int, stop: int) -> Arr:
    """`xs.filter p start stop`: of that part only."""
    out: list[V] = []
    for x in part(xs, start, stop):
        if p(x):
            out.append(x)
    return array(out)


@prim("Array.filterMap")
def filter_map(f: Fn, xs: Arr, start: int, stop: int) -> Arr:
    """`xs.filterMap f start stop`."""
    out: list[V] = []
    for x in part(xs, start, stop):
        y = f(x)
        if y is not None:
            out.append(y[0])
    return array(out)


@prim("Array.flatMap", "Array.concatMap")
def flat_map(f: Fn, xs: Arr) -> Arr:
    """`xs.flatMap f`."""
    out: list[V] = []
    for x in elements(xs):
        out.extend(elements(f(x)))
    return array(out)


@prim("Array.foldl")
def foldl(f: Fn, init: V, xs: Arr, start: int, stop: int) -> V:
    """`xs.foldl f init start stop`."""
    acc = init
    for x in part(xs, start, stop):
        acc = f(acc)(x)
    return acc


@prim("Array.foldr")
def foldr(f: Fn, init: V, xs: Arr, start: int, stop: int) -> V:
    """`xs.foldr f init start stop`: from before `start` down to `stop`."""
    acc = init
    for x in reversed(part(xs, stop, min(start, xs.size))):
        acc = f(x)(acc)
    return acc


@prim("Array.any")
def any_(xs: Arr, p: Fn, start: int, stop: int) -> bool:
    """`xs.any p start stop`."""
    for x in part(xs, start, stop):  # noqa: SIM110 - any() would use up the C stack
        if p(x):
            return True
    return False


@prim("Array.all")
def all_(xs: Arr, p: Fn, start: int, stop: int) -> bool:
    """`xs.all p start stop`."""
    for x in part(xs, start, stop):  # noqa: SIM110 - any() would use up the C stack
        if not p(x):
            return False
    return True


@prim("Array.partition")
def partition(p: Fn, xs: Arr) -> tuple[Arr, Arr]:
    """`xs.partition p`."""
    yes: list[V] = []
    no: list[V] = []
    for x in elements(xs):
        (yes if p(x) else no).append(x)
    return (array(yes), array(no))


@prim("Array.zip")
def zip_(xs: Arr, ys: Arr) -> Arr:
    """`xs.zip ys`."""
    return array(list(zip(elements(xs), elements(ys), strict=False)))


@prim("Array.zipWith")
def zip_with(f: Fn, xs: Arr, ys: Arr) -> Arr:
    """`Array.zipWith f xs ys`."""
    out: list[V] = []
    for x, y in zip(elements(xs), elements(ys), strict=False):
        out.append(f(x)(y))
    return array(out)


@prim("Array.zipWithAll")
def zip_with_all(f: Fn, xs: Arr, ys: Arr) -> Arr:
    """`Array.zipWithAll f xs ys`: as long as the longer."""
    a, b = elements(xs), elements(ys)
    out: list[V] = []
    for i in range(max(len(a), len(b))):
        out.append(f(some(a[i]) if i < len(a) else None)(some(b[i]) if i < len(b) else None))
    return array(out)


@prim("Array.unzip")
def unzip(xs: Arr) -> tuple[Arr, Arr]:
    """`xs.unzip`."""
    pairs = elements(xs)
    return (array([p[0] for p in pairs]), array([p[1] for p in pairs]))


@prim("Array.zipIdx")
def zip_idx(xs: Arr, start: int) -> Arr:
    """`xs.zipIdx start`: pairs (element, index)."""
    return array([(x, start + i) for i, x in enumerate(elements(xs))])


@prim("Array.zipWithIndex")
def zip_with_index(xs: Arr) -> Arr:
    """`xs.zipWithIndex`: pairs (element, index)."""
    return zip_idx(xs, 0)


@prim("Array.sum")
def sum_(add: V, zero: V, xs: Arr) -> V:
    """`xs.sum`: from the right, onto zero."""
    acc = zero[0]
    for x in reversed(elements(xs)):
        acc = add[0](x)(acc)
    return acc


# ----------------------------------------------------------------------------------------------------- as lists do it


@prim("Array.Mem")
def mem(xs: Arr, a: V) -> bool:
    """`a ∈ xs`; three-valued."""
    return any_holds(applied(lambda x: equal(a, x), elements(xs)))


def _as_list(xs: Arr) -> Lst:
    return lean(elements(xs))


def _back(xs: Lst) -> Arr:
    return array(items(xs))


@prim("Array.contains")
def contains(beq: V, xs: Arr, a: V) -> bool:
    """`xs.contains a`: some x with `a == x`."""
    for x in elements(xs):  # noqa: SIM110 - any() would use up the C stack
        if beq[0](a)(x):
            return True
    return False


@prim("Array.elem")
def elem(beq: V, a: V, xs: Arr) -> bool:
    """`Array.elem a xs`."""
    return contains(beq, xs, a)


@prim("Array.count")
def count(beq: V, a: V, xs: Arr) -> int:
    """`xs.count a`."""
    return lists_eq.count(beq, a, _as_list(xs))


@prim("Array.countP")
def count_p(p: Fn, xs: Arr) -> int:
    """`xs.countP p`."""
    return lists_eq.count_p(p, _as_list(xs))


@prim("Array.find?")
def find(p: Fn, xs: Arr) -> tuple[V] | None:
    """`xs.find? p`."""
    return lists_eq.find(p, _as_list(xs))


@prim("Array.findSome?")
def find_some(f: Fn, xs: Arr) -> V:
    """`xs.findSome? f`."""
    return lists_eq.find_some(f, _as_list(xs))


@prim("Array.findSome!")
def find_some_bang(inh: V, f: Fn, xs: Arr) -> V:
    """`xs.findSome! f`: the type's default when there is none."""
    found = find_some(f, xs)
    return inh[0] if found is None else found[0]


@prim("Array.findRev?")
def find_rev(p: Fn, xs: Arr) -> tuple[V] | None:
    """`xs.findRev? p`."""
    return lists_eq.find_rev(p, _as_list(xs))


@prim("Array.findSomeRev?")
def find_some_rev(f: Fn, xs: Arr) -> V:
    """`xs.findSomeRev? f`."""
    for x in reversed(elements(xs)):
        found = f(x)
        if found is not None:
            return found
    return None


@prim("Array.findIdx")
def find_idx(p: Fn, xs: Arr) -> int:
    """`xs.findIdx p`: the size when there is none."""
    return lists_eq.find_idx(p, _as_list(xs))


@prim("Array.findIdx?", "Array.findFinIdx?")
def find_idx_opt(p: Fn, xs: Arr) -> tuple[int] | None:
    """`xs.findIdx? p`."""
    return lists_eq.find_idx_opt(p, _as_list(xs))


def equals(beq: V, a: V) -> Callable[[V], bool]:
    """Return the test `x == a`."""
    return lambda x: bool(beq[0](x)(a))


@prim("Array.idxOf")
def idx_of(beq: V, a: V, xs: Arr) -> int:
    """`xs.idxOf a`: the size when there is none."""
    return find_idx(equals(beq, a), xs)


@prim("Array.idxOf?", "Array.finIdxOf?", "Array.indexOf?", "Array.getIdx?")
def idx_of_opt(beq: V, xs: Arr, a: V) -> tuple[int] | None:
    """`xs.idxOf? a`."""
    return find_idx_opt(equals(beq, a), xs)


@prim("Array.erase")
def erase(beq: V, xs: Arr, a: V) -> Arr:
    """`xs.erase a`: without the first x with `x == a`."""
    return erase_p(xs, equals(beq, a))


@prim("Array.eraseP")
def erase_p(xs: Arr, p: Fn) -> Arr:
    """`xs.eraseP p`: without the first that satisfies p."""
    found = find_idx_opt(p, xs)
    return xs if found is None else erase_idx(xs, found[0])


@prim("Array.eraseReps")
def erase_reps(beq: V, xs: Arr) -> Arr:
    """`xs.eraseReps`."""
    return _back(lists_eq.erase_reps(beq, _as_list(xs)))


@prim("Array.replace")
def replace(beq: V, xs: Arr, a: V, b: V) -> Arr:
    """`xs.replace a b`: the first."""
    return _back(lists_eq.replace(beq, _as_list(xs), a, b))


@prim("Array.isEqv")
def is_eqv(xs: Arr, ys: Arr, eqv: Fn) -> bool:
    """`xs.isEqv ys eqv`; compared from the end, as it is total the same as from the front."""
    return lists_eq.is_eqv(_as_list(xs), _as_list(ys), eqv)


@prim("Array.isEqvInternal")
def beq_array(beq: V, xs: Arr, ys: Arr) -> bool:
    """`xs == ys`."""
    return xs.size == ys.size and lists_eq.is_eqv(_as_list(xs), _as_list(ys), beq[0])


@prim("Array.isPrefixOf")
def is_prefix_of(beq: V, xs: Arr, ys: Arr) -> bool:
    """`xs.isPrefixOf ys`."""
    return lists_eq.is_prefix_of(beq, _as_list(xs), _as_list(ys))


@prim("Array.allDiff")
def all_diff(beq: V, xs: Arr) -> bool:
    """`xs.allDiff`: no two are `==`."""
    a = elements(xs)
    for i, x in enumerate(a):
        for y in a[:i]:
            charge(1)
            if beq[0](x)(y):
                return False
    return True


@prim("Array.max?", "Array.min?")
def extremum(inst: V, xs: Arr) -> tuple[V] | None:
    """`xs.max?`, `xs.min?` by the instance."""
    return fold_opt(inst[0], _as_list(xs))


@prim("Array.getMax?")
def get_max(xs: Arr, lt: Fn) -> tuple[V] | None:
    """`xs.getMax? lt`: the first of the greatest."""
    if xs.size == 0:
        return None
    best = xs[0]
    for x in elements(xs)[1:]:
        if lt(best)(x):
            best = x
    return (best,)


@prim("Array.toStringInternal")
def to_string(show: V, xs: Arr) -> str:
    """`toString xs`: `#[a, b]`."""
    return "#[" + joined(show, elements(xs)) + "]"
