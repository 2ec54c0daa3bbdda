"""Primitives of `List`: access, building, slicing, searching, and higher-order functions."""

from __future__ import annotations

from specgen.lean.eval.runtime import METER, charge, refill
from specgen.lean.library.prims.registry import prim
from specgen.lean.library.prims.seq import NIL, Fn, Lst, V, bounded, first_items, items, lean, some

# ----------------------------------------------------------------------------------------------------------- access


@prim("List.length", "List.lengthTR")
def length(xs: Lst) -> int:
    """`xs.length`."""
    n = 0
    while xs:
        n += 1
        xs = xs[1]
    charge(n + 1)
    return n


def nth(xs: Lst, i: int) -> tuple[V] | None:
    """Return element `i` as an option."""
    k = i
    while xs and k > 0:
        xs = xs[1]
        k -= 1
    charge(i - k + 1)
    return (xs[0],) if xs else None


@prim("List.get", "List.getInternal")
def get(xs: Lst, i: int) -> V:
    """`xs.get i` with `i : Fin xs.length`."""
    found = nth(xs, i)
    if found is None:
        raise IndexError("List.get: the index is no member of Fin xs.length")
    return found[0]


@prim("List.get?", "List.get?Internal")
def get_opt(xs: Lst, i: int) -> tuple[V] | None:
    """`xs.get? i`."""
    return nth(xs, i)


@prim("List.get!", "List.get!Internal")
def get_bang(inh: V, xs: Lst, i: int) -> V:
    """`xs.get! i`: the type's default out of range."""
    found = nth(xs, i)
    return inh[0] if found is None else found[0]


@prim("List.getD")
def get_d(xs: Lst, i: int, fallback: V) -> V:
    """`xs.getD i fallback`."""
    found = nth(xs, i)
    return fallback if found is None else found[0]


@prim("List.head")
def head(xs: Lst) -> V:
    """`xs.head h`."""
    return xs[0]


@prim("List.head?")
def head_opt(xs: Lst) -> tuple[V] | None:
    """`xs.head?`."""
    return (xs[0],) if xs else None


@prim("List.head!", "List.headI")
def head_bang(inh: V, xs: Lst) -> V:
    """`xs.head!`."""
    return xs[0] if xs else inh[0]


@prim("List.headD")
def head_d(xs: Lst, fallback: V) -> V:
    """`xs.headD fallback`."""
    return xs[0] if xs else fallback


@prim("List.tail")
def tail(xs: Lst) -> Lst:
    """`xs.tail`; `[]` of `[]`."""
    return xs[1] if xs else NIL


@prim("List.tail!")
def tail_bang(xs: Lst) -> Lst:
    """`xs.tail!`: panics on `[]`, whose default is `[]`."""
    return xs[1] if xs else NIL


@prim("List.tail?")
def tail_opt(xs: Lst) -> tuple[Lst] | None:
    """`xs.tail?`."""
    return (xs[1],) if xs else None


@prim("List.tailD")
def tail_d(xs: Lst, fallback: Lst) -> Lst:
    """`xs.tailD fallback`."""
    return xs[1] if xs else fallback


def last(xs: Lst) -> tuple[V] | None:
    """Return the last element as an option."""
    if not xs:
        return None
    n = 1
    while xs[1]:
        xs = xs[1]
        n += 1
    charge(n)
    return (xs[0],)


@prim("List.getLast")
def get_last(xs: Lst) -> V:
    """`xs.getLast h`."""
    found = last(xs)
    if found is None:
        raise IndexError("List.getLast of an empty list")
    return found[0]


@prim("List.getLast?")
def get_last_opt(xs: Lst) -> tuple[V] | None:
    """`xs.getLast?`."""
    return last(xs)


@prim("List.getLast!", "List.getLastI")
def get_last_bang(inh: V, xs: Lst) -> V:
    """`xs.getLast!`."""
    found = last(xs)
    return inh[0] if found is None else found[0]


@prim("List.getLastD")
def get_last_d(xs: Lst, fallback: V) -> V:
    """`xs.getLastD fallback`."""
    found = last(xs)
    return fallback if found is None else found[0]


@prim("List.isEmpty")
def is_empty(xs: Lst) -> bool:
    """`xs.isEmpty`."""
    return not xs


# --------------------------------------------------------------------------------------------------------- building


@prim("List.append", "List.appendTR")
def append(xs: Lst, ys: Lst) -> Lst:
    """`xs ++ ys`."""
    if not ys:
        return xs
    return lean(items(xs), ys)


@prim("List.concat")
def concat(xs: Lst, a: V) -> Lst:
    """`xs.concat a`: `xs ++ [a]`."""
    return lean([*items(xs), a])


@prim("List.reverse")
def reverse(xs: Lst) -> Lst:
    """`xs.reverse`."""
    return reverse_aux(xs, NIL)


@prim("List.reverseAux")
def reverse_aux(xs: Lst, acc: Lst) -> Lst:
    """`reverseAux xs acc`: the reverse of xs in front of acc."""
    n = 0
    while xs:
        acc = (xs[0], acc)
        xs = xs[1]
        n += 1
    bounded(n)
    return acc


@prim("List.replicate")
def replicate(n: int, a: V) -> Lst:
    """`List.replicate n a`."""
    bounded(n)
    out: Lst = NIL
    for _ in range(n):
        out = (a, out)
    return out


@prim("List.singleton", "List.pure")
def singleton(a: V) -> Lst:
    """`[a]`."""
    return (a, NIL)


@prim("List.range")
def range_(n: int) -> Lst:
    """`List.range n`: 0 to n - 1."""
    bounded(n)
    out: Lst = NIL
    for i in range(n - 1, -1, -1):
        out = (i, out)
    return out


@prim("List.range'")
def range_from(start: int, n: int, step: int) -> Lst:
    """`List.range' start n step`: n numbers."""
    bounded(n)
    out: Lst = NIL
    for i in range(n - 1, -1, -1):
        out = (start + i * step, out)
    return out


@prim("List.iota")
def iota(n: int) -> Lst:
    """`List.iota n`: n down to 1."""
    bounded(n)
    out: Lst = NIL
    for i in range(1, n + 1):
        out = (i, out)
    return out


@prim("List.finRange")
def fin_range(n: int) -> Lst:
    """`List.finRange n`: all of `Fin n` in order."""
    return range_(n)


@prim("List.ofFn")
def of_fn(n: int, f: Fn) -> Lst:
    """`List.ofFn f` for `f : Fin n → α`."""
    bounded(n)
    out: list[V] = []
    for i in range(n):
        out.append(f(i))
    return lean(out)


@prim("List.leftpad")
def leftpad(n: int, a: V, xs: Lst) -> Lst:
    """`xs.leftpad n a`: a's in front up to length n."""
    missing = max(0, n - length(xs))
    bounded(missing)
    out = xs
    for _ in range(missing):
        out = (a, out)
    return out


@prim("List.rightpad")
def rightpad(n: int, a: V, xs: Lst) -> Lst:
    """`xs.rightpad n a`: a's behind up to length n."""
    missing = max(0, n - length(xs))
    return append(xs, replicate(missing, a))


# ---------------------------------------------------------------------------------------------------------- slicing


@prim("List.take")
def take(n: int, xs: Lst) -> Lst:
    """`xs.take n`."""
    return lean(first_items(xs, n))


@prim("List.drop")
def drop(n: int, xs: Lst) -> Lst:
    """`xs.drop n`."""
    k = n
    while xs and k > 0:
        xs = xs[1]
        k -= 1
    charge(n - k + 1)
    return xs


@prim("List.extract")
def extract(xs: Lst, start: int, stop: int) -> Lst:
    """`xs.extract start stop`: `(xs.drop start).take (stop - start)`."""
    return take(max(0, stop - start), drop(start, xs))


@prim("List.splitAt")
def split_at(n: int, xs: Lst) -> tuple[Lst, Lst]:
    """`xs.splitAt n`."""
    return (take(n, xs), drop(n, xs))


@prim("List.dropLast")
def drop_last(xs: Lst) -> Lst:
    """`xs.dropLast`."""
    return lean(items(xs)[:-1])


@prim("List.rotateLeft", "List.rotate")
def rotate_left(xs: Lst, n: int) -> Lst:
    """`xs.rotateLeft n`: n modulo the length."""
    elements = items(xs)
    if len(elements) <= 1:
        return xs
    k = n % len(elements)
    return lean(elements[k:] + elements[:k])


@prim("List.rotateRight")
def rotate_right(xs: Lst, n: int) -> Lst:
    """`xs.rotateRight n`: n modulo the length."""
    elements = items(xs)
    if len(elements) <= 1:
        return xs
    k = len(elements) - n % len(elements)
    return lean(elements[k:] + elements[:k])


@prim("List.takeWhile")
def take_while(p: Fn, xs: Lst) -> Lst:
    """`xs.takeWhile p`."""
    out: list[V] = []
    while xs and p(xs[0]):
        out.append(xs[0])
        xs = xs[1]
        charge(1)
    return lean(out)


@prim("List.dropWhile")
def drop_while(p: Fn, xs: Lst) -> Lst:
    """`xs.dropWhile p`."""
    while xs and p(xs[0]):
        xs = xs[1]
        charge(1)
    return xs


@prim("List.span")
def span(p: Fn, xs: Lst) -> tuple[Lst, Lst]:
    """`xs.span p`: `(xs.takeWhile p, xs.dropWhile p)` in one pass."""
    out: list[V] = []
    while xs and p(xs[0]):
        out.append(xs[0])
        xs = xs[1]
        charge(1)
    return (lean(out), xs)


@prim("List.splitBy", "List.groupBy")
def split_by(r: Fn, xs: Lst) -> Lst:
    """`xs.splitBy r`: maximal runs in which `r previous next` holds."""
    elements = items(xs)
    if not elements:
        return NIL
    groups: list[list[V]] = [[elements[0]]]
    for previous, x in zip(elements, elements[1:], strict=False):
        if r(previous)(x):
            groups[-1].append(x)
        else:
            groups.append([x])
    return lean([lean(g) for g in groups])


# -------------------------------------------------------------------------------------------------------- changing


@prim("List.set")
def set_(xs: Lst, i: int, a: V) -> Lst:
    """`xs.set i a`; unchanged out of range."""
    front = first_items(xs, i)
    rest = drop(i, xs)
    if len(front) < i or not rest:
        return xs
    return lean([*front, a], rest[1])


@prim("List.modify")
def modify(xs: Lst, i: int, f: Fn) -> Lst:
    """`xs.modify i f`; unchanged out of range."""
    rest = drop(i, xs)
    return set_(xs, i, f(rest[0])) if rest else xs


@prim("List.modifyHead")
def modify_head(f: Fn, xs: Lst) -> Lst:
    """`xs.modifyHead f`."""
    return (f(xs[0]), xs[1]) if xs else xs


@prim("List.modifyTailIdx")
def modify_tail_idx(xs: Lst, i: int, f: Fn) -> Lst:
    """`xs.modifyTailIdx i f`: f on what is left after i elements; unchanged when the list is shorter."""
    front = first_items(xs, i)
    if len(front) < i:
        return xs
    return lean(front, f(drop(i, xs)))


@prim("List.insertIdx")
def insert_idx(xs: Lst, i: int, a: V) -> Lst:
    """`xs.insertIdx i a`; unchanged when i exceeds the length."""
    front = first_items(xs, i)
    if len(front) < i:
        return xs
    return lean([*front, a], drop(i, xs))


@prim("List.eraseIdx")
def erase_idx(xs: Lst, i: int) -> Lst:
    """`xs.eraseIdx i`; unchanged out of range."""
    rest = drop(i, xs)
    if not rest:
        return xs
    return lean(first_items(xs, i), rest[1])


@prim("List.eraseP")
def erase_p(p: Fn, xs: Lst) -> Lst:
    """`xs.eraseP p`: without the first that satisfies p."""
    front: list[V] = []
    rest = xs
    while rest:
        charge(1)
        if p(rest[0]):
            return lean(front, rest[1])
        front.append(rest[0])
        rest = rest[1]
    return xs


@prim("List.replaceF")
def replace_f(f: Fn, xs: Lst) -> Lst:
    """`xs.replaceF f`: the first element with `f x = some y` becomes y."""
    front: list[V] = []
    rest = xs
    while rest:
        charge(1)
        y = f(rest[0])
        if y is not None:
            return lean([*front, y[0]], rest[1])
        front.append(rest[0])
        rest = rest[1]
    return xs


@prim("List.intersperse")
def intersperse(sep: V, xs: Lst) -> Lst:
    """`xs.intersperse sep`."""
    out: list[V] = []
    for x in items(xs):
        if out:
            out.append(sep)
        out.append(x)
    return lean(out)


@prim("List.intercalate")
def intercalate(sep: Lst, xss: Lst) -> Lst:
    """`sep.intercalate xss`."""
    out: list[V] = []
    between = items(sep)
    for i, xs in enumerate(items(xss)):
        if i:
            out.extend(between)
        out.extend(items(xs))
        charge(len(between))
    return lean(out)


@prim("List.flatten", "List.join")
def flatten(xss: Lst) -> Lst:
    """`xss.flatten`."""
    out: list[V] = []
    for xs in items(xss):
        out.extend(items(xs))
    return lean(out)


# ----------------------------------------------------------------------------------------------------- higher order


@prim("List.map", "List.mapTR")
def map_(f: Fn, xs: Lst) -> Lst:
    """`xs.map f`."""
    out: list[V] = []
    while xs:
        METER.slice -= 1
        if METER.slice < 0:
            refill()
        out.append(f(xs[0]))
        xs = xs[1]
    return lean(out)


@prim("List.filter", "List.filterTR")
def filter_(p: Fn, xs: Lst) -> Lst:
    """`xs.filter p`."""
    out: list[V] = []
    while xs:
        METER.slice -= 1
        if METER.slice < 0:
            refill()
        x = xs[0]
        if p(x):
            out.append(x)
        xs = xs[1]
    return lean(out)


@prim("List.filterMap")
def filter_map(f: Fn, xs: Lst) -> Lst:
    """`xs.filterMap f`."""
    out: list[V] = []
    while xs:
        charge(1)
        y = f(xs[0])
        if y is not None:
            out.append(y[0])
        xs = xs[1]
    return lean(out)


@prim("List.flatMap")
def flat_map(f: Fn, xs: Lst) -> Lst:
    """`xs.flatMap f` (the function first, as in `List.flatMap f xs`)."""
    out: list[V] = []
    while xs:
        charge(1)
        out.extend(items(f(xs[0])))
        xs = xs[1]
    return lean(out)


@prim("List.bind")
def bind(xs: Lst, f: Fn) -> Lst:
    """The argument order of `List.bind xs f`."""
    return flat_map(f, xs)


@prim("List.foldl")
def foldl(f: Fn, init: V, xs: Lst) -> V:
    """`xs.foldl f init`."""
    acc = init
    while xs:
        charge(1)
        acc = f(acc)(xs[0])
        xs = xs[1]
    return acc


@prim("List.foldr")
def foldr(f: Fn, init: V, xs: Lst) -> V:
    """`xs.foldr f init`."""
    acc = init
    for x in reversed(items(xs)):
        acc = f(x)(acc)
    return acc


@prim("List.scanl")
def scanl(f: Fn, init: V, xs: Lst) -> Lst:
    """`xs.scanl f init`: all accumulators, the first included."""
    out = [init]
    for x in items(xs):
        out.append(f(out[-1])(x))
    return lean(out)


@prim("List.scanr")
def scanr(f: Fn, init: V, xs: Lst) -> Lst:
    """`xs.scanr f init`: all accumulators from the right, the last is init."""
    out: Lst = (init, NIL)
    for x in reversed(items(xs)):
        bounded(1)
        out = (f(x)(out[0]), out)
    return out


@prim("List.all")
def all_(xs: Lst, p: Fn) -> bool:
    """`xs.all p`."""
    while xs:
        METER.slice -= 1
        if METER.slice < 0:
            refill()
        if not p(xs[0]):
            return False
        xs = xs[1]
    return True


@prim("List.any")
def any_(xs: Lst, p: Fn) -> bool:
    """`xs.any p`."""
    while xs:
        METER.slice -= 1
        if METER.slice < 0:
            refill()
        if p(xs[0]):
            return True
        xs = xs[1]
    return False


@prim("List.and")
def and_(xs: Lst) -> bool:
    """`xs.and`."""
    return all(items(xs))


@prim("List.or")
def or_(xs: Lst) -> bool:
    """`xs.or`."""
    return any(items(xs))


@prim("List.partition")
def partition(p: Fn, xs: Lst) -> tuple[Lst, Lst]:
    """`xs.partition p`."""
    yes: list[V] = []
    no: list[V] = []
    for x in items(xs):
        (yes if p(x) else no).append(x)
    return (lean(yes), lean(no))


@prim("List.partitionMap")
def partition_map(f: Fn, xs: Lst) -> tuple[Lst, Lst]:
    """`xs.partitionMap f`: lefts and rights of `f x : Sum`."""
    sides: tuple[list[V], list[V]] = ([], [])
    for x in items(xs):
        tag, value = f(x)
        sides[tag].append(value)
    return (lean(sides[0]), lean(sides[1]))


@prim("List.mapIdx")
def map_idx(f: Fn, xs: Lst) -> Lst:
    """`List.mapIdx f xs`."""
    return lean([f(i)(x) for i, x in enumerate(items(xs))])


@prim("List.mapFinIdx")
def map_fin_idx(xs: Lst, f: Fn) -> Lst:
    """`List.mapFinIdx xs f`; a proof is the last of f's arguments."""
    return lean([f(i)(x)(None) for i, x in enumerate(items(xs))])


@prim("List.enum")
def enum(xs: Lst) -> Lst:
    """`xs.enum`: pairs (index, element)."""
    return enum_from(0, xs)


@prim("List.enumFrom")
def enum_from(n: int, xs: Lst) -> Lst:
    """`xs.enumFrom n`: pairs (index, element)."""
    return lean([(n + i, x) for i, x in enumerate(items(xs))])


@prim("List.zipIdx")
def zip_idx(xs: Lst, start: int) -> Lst:
    """`xs.zipIdx start`: pairs (element, index)."""
    return lean([(x, start + i) for i, x in enumerate(items(xs))])


@prim("List.zip")
def zip_(xs: Lst, ys: Lst) -> Lst:
    """`xs.zip ys`: as long as the shorter."""
    out: list[V] = []
    while xs and ys:
        out.append((xs[0], ys[0]))
        xs, ys = xs[1], ys[1]
    return lean(out)


@prim("List.zipWith")
def zip_with(f: Fn, xs: Lst, ys: Lst) -> Lst:
    """`List.zipWith f xs ys`."""
    out: list[V] = []
    while xs and ys:
        charge(1)
        out.append(f(xs[0])(ys[0]))
        xs, ys = xs[1], ys[1]
    return lean(out)


@prim("List.zipWithAll")
def zip_with_all(f: Fn, xs: Lst, ys: Lst) -> Lst:
    """`List.zipWithAll f xs ys`: as long as the longer, `none` where a side has ended."""
    out: list[V] = []
    while xs or ys:
        charge(1)
        out.append(f(some(xs[0]) if xs else None)(some(ys[0]) if ys else None))
        xs = xs[1] if xs else xs
        ys = ys[1] if ys else ys
    return lean(out)


@prim("List.unzip")
def unzip(xs: Lst) -> tuple[Lst, Lst]:
    """`xs.unzip`."""
    pairs = items(xs)
    return (lean([p[0] for p in pairs]), lean([p[1] for p in pairs]))


@prim("List.unzip₃")
def unzip3(xs: Lst) -> tuple[Lst, tuple[Lst, Lst]]:
    """`xs.unzip₃` of `(a, b, c)`."""
    triples = items(xs)
    return (lean([t[0] for t in triples]), (lean([t[1][0] for t in triples]), lean([t[1][1] for t in triples])))


# ---------------------------------------------------------------------------------------------------------------- text


def joined(show: V, elements: list[V]) -> str:
    """Return the texts of the elements by a `ToString` instance, separated by `, `."""
    out: list[str] = []
    for x in elements:
        out.append(show[0](x))
    charge(sum([len(t) for t in out]) // 8)
    return ", ".join(out)


@prim("List.toString", "List.toStringInternal")
def to_string(show: V, xs: Lst) -> str:
    """`toString xs`: `[a, b]`."""
    return "[" + joined(show, items(xs)) + "]"
