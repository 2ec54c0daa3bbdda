"""Primitives of `Std.HashMap`, `Std.HashSet`, `Std.TreeMap`, `Std.TreeSet`.

A hash set is a hash map to the unit value, a tree set a tree map to it. What depends on the order of a hash map's
entries is answered only where every order gives the same.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

from specgen.lean.eval.runtime import Unknown, charge, charge_cells
from specgen.lean.eval.values import UNIT, HashMap, TreeMap, equal
from specgen.lean.library.prims.arrays import array, elements
from specgen.lean.library.prims.registry import prim
from specgen.lean.library.prims.seq import Fn, Lst, V, all_hold, any_holds, items, later, later2, lean
from specgen.lean.library.prims.unordered import unordered_list

_ATOMS = (int, str)
_SUBSET_LIMIT = 10


def unordered(what: str) -> NoReturn:
    """Raise the answer to a question about an order that is not specified."""
    raise Unknown("undecided", f"{what}: the order of a hash map's entries is not specified")


def in_some_order(found: list[V]) -> Lst:
    """Return a list of entries, whose order is not specified."""
    charge_cells(len(found))
    charge(len(found))
    return unordered_list(found)


def lawful(beq: V, m: HashMap, k: V) -> None:
    """Check that the instance compares k with some of the keys as equality does; raise Unknown where it does not."""
    charge(1)
    if isinstance(k, _ATOMS):
        return
    for other, _ in m.items()[:16]:
        if bool(beq[0](k)(other)) != equal(k, other):
            raise Unknown("undecided", "a hash map whose BEq instance is not equality")


# ------------------------------------------------------------------------------------------------------------- HashMap


@prim("Std.HashMap.empty", "Std.HashMap.emptyWithCapacity", "Std.HashSet.empty", "Std.HashSet.emptyWithCapacity")
def empty(_beq: V, _hash: V, _capacity: int) -> HashMap:
    """The empty map."""
    return HashMap()


@prim("Std.HashMap.insert")
def insert(beq: V, _hash: V, m: HashMap, k: V, v: V) -> HashMap:
    """`m.insert k v`: replaces."""
    lawful(beq, m, k)
    charge_cells(1)
    return m.insert(k, v)


@prim("Std.HashMap.insertIfNew")
def insert_if_new(beq: V, _hash: V, m: HashMap, k: V, v: V) -> HashMap:
    """`m.insertIfNew k v`: keeps what is there."""
    lawful(beq, m, k)
    return m if k in m else m.insert(k, v)


@prim("Std.HashMap.containsThenInsert")
def contains_then_insert(beq: V, hash_: V, m: HashMap, k: V, v: V) -> tuple[bool, HashMap]:
    """Whether k is there, and the map with it replaced."""
    return (k in m, insert(beq, hash_, m, k, v))


@prim("Std.HashMap.containsThenInsertIfNew")
def contains_then_insert_if_new(beq: V, hash_: V, m: HashMap, k: V, v: V) -> tuple[bool, HashMap]:
    """Whether k is there, and the map with it, not replaced."""
    return (k in m, insert_if_new(beq, hash_, m, k, v))


@prim("Std.HashMap.getThenInsertIfNew?")
def get_then_insert_if_new(beq: V, hash_: V, m: HashMap, k: V, v: V) -> tuple[tuple[V] | None, HashMap]:
    """The value of k, and the map with it, not replaced."""
    return (m.get(k), insert_if_new(beq, hash_, m, k, v))


@prim("Std.HashMap.get?")
def get_opt(beq: V, _hash: V, m: HashMap, k: V) -> tuple[V] | None:
    """`m.get? k`."""
    lawful(beq, m, k)
    return m.get(k)


@prim("Std.HashMap.get")
def get(beq: V, hash_: V, m: HashMap, k: V) -> V:
    """`m.get k h`."""
    found = get_opt(beq, hash_, m, k)
    if found is None:
        raise Unknown("undecided", "a value asked of a hash map that lacks the key")
    return found[0]


@prim("Std.HashMap.get!")
def get_bang(beq: V, hash_: V, inh: V, m: HashMap, k: V) -> V:
    """`m.get! k`: the type's default when it is not there."""
    found = get_opt(beq, hash_, m, k)
    return inh[0] if found is None else found[0]


@prim("Std.HashMap.getD")
def get_d(beq: V, hash_: V, m: HashMap, k: V, fallback: V) -> V:
    """`m.getD k fallback`."""
    found = get_opt(beq, hash_, m, k)
    return fallback if found is None else found[0]


@prim("Std.HashMap.getKey?", "Std.HashSet.get?")
def get_key_opt(beq: V, _hash: V, m: HashMap, k: V) -> tuple[V] | None:
    """The key that is there."""
    lawful(beq, m, k)
    return (k,) if k in m else None


@prim("Std.HashMap.getKeyD")
def get_key_d(beq: V, _hash: V, m: HashMap, k: V, fallback: V) -> V:
    """The key that is there, or the fallback."""
    lawful(beq, m, k)
    return k if k in m else fallback


@prim("Std.HashMap.getKey!")
def get_key_bang(beq: V, hash_: V, inh: V, m: HashMap, k: V) -> V:
    """The key that is there, or the type's default."""
    return get_key_d(beq, hash_, m, k, inh[0])


@prim("Std.HashMap.contains", "Std.HashMap.Mem", "Std.HashSet.contains", "Std.HashSet.Mem")
def contains(beq: V, _hash: V, m: HashMap, k: V) -> bool:
    """`k ∈ m`."""
    lawful(beq, m, k)
    return k in m


@prim("Std.HashMap.erase", "Std.HashSet.erase")
def erase(beq: V, _hash: V, m: HashMap, k: V) -> HashMap:
    """`m.erase k`."""
    lawful(beq, m, k)
    return m.erase(k)


@prim("Std.HashMap.size", "Std.HashSet.size")
def size(_beq: V, _hash: V, m: HashMap) -> int:
    """The number of keys."""
    return len(m)


@prim("Std.HashMap.isEmpty", "Std.HashSet.isEmpty")
def is_empty(_beq: V, _hash: V, m: HashMap) -> bool:
    """Whether there are no keys."""
    return len(m) == 0


def entries(m: HashMap, what: str) -> list[tuple[V, V]]:
    """Return the entries of a map that has at most one; raise Unknown of others."""
    if len(m) > 1:
        unordered(what)
    return m.items()


@prim("Std.HashMap.toList")
def to_list(_beq: V, _hash: V, m: HashMap) -> Lst:
    """The entries as pairs."""
    return in_some_order(m.items())


@prim("Std.HashMap.toArray")
def to_array(_beq: V, _hash: V, m: HashMap) -> V:
    """The entries as pairs."""
    return array(entries(m, "toArray"))


@prim("Std.HashMap.keys", "Std.HashSet.toList")
def keys(_beq: V, _hash: V, m: HashMap) -> Lst:
    """The keys."""
    return in_some_order([k for k, _ in m.items()])


@prim("Std.HashMap.keysArray", "Std.HashSet.toArray")
def keys_array(_beq: V, _hash: V, m: HashMap) -> V:
    """The keys."""
    return array([k for k, _ in entries(m, "keys")])


def _values(m: HashMap) -> list[V]:
    found = [v for _, v in m.items()]
    # The order does not show where all values are the same.
    for v in found[1:]:
        if not equal(found[0], v):
            unordered("values")
    return found


@prim("Std.HashMap.values")
def values(_beq: V, _hash: V, m: HashMap) -> Lst:
    """The values."""
    return in_some_order([v for _, v in m.items()])


@prim("Std.HashMap.valuesArray")
def values_array(_beq: V, _hash: V, m: HashMap) -> V:
    """The values."""
    return array(_values(m))


@prim("Std.HashMap.ofList")
def of_list(beq: V, hash_: V, xs: Lst) -> HashMap:
    """The map of a list of pairs; later ones replace."""
    return from_pairs(beq, hash_, items(xs))


@prim("Std.HashMap.ofArray")
def of_array(beq: V, hash_: V, xs: V) -> HashMap:
    """The map of an array of pairs; later ones replace."""
    return from_pairs(beq, hash_, elements(xs))


def from_pairs(beq: V, hash_: V, pairs: list[tuple[V, V]]) -> HashMap:
    """Insert pairs one by one into the empty map."""
    m = HashMap()
    for k, v in pairs:
        m = insert(beq, hash_, m, k, v)
    return m


@prim("Std.HashMap.union")
def union(beq: V, hash_: V, a: HashMap, b: HashMap) -> HashMap:
    """Both; on common keys the entries of the second."""
    out = a
    for k, v in b.items():
        out = insert(beq, hash_, out, k, v)
    return out


@prim("Std.HashMap.modify")
def modify(beq: V, _hash: V, m: HashMap, k: V, f: Fn) -> HashMap:
    """f on the value of k, when it is there."""
    lawful(beq, m, k)
    found = m.get(k)
    return m if found is None else m.insert(k, f(found[0]))


@prim("Std.HashMap.alter")
def alter(beq: V, _hash: V, m: HashMap, k: V, f: Fn) -> HashMap:
    """f on the optional value of k."""
    lawful(beq, m, k)
    found = f(m.get(k))
    return m.erase(k) if found is None else m.insert(k, found[0])


@prim("Std.HashMap.filter")
def filter_(_beq: V, _hash: V, f: Fn, m: HashMap) -> HashMap:
    """The entries that satisfy f."""
    out: list[tuple[V, V]] = []
    for k, v in m.items():
        charge(1)
        if f(k)(v):
            out.append((k, v))
    return HashMap(out)


@prim("Std.HashMap.map")
def map_(_beq: V, _hash: V, f: Fn, m: HashMap) -> HashMap:
    """f on every value."""
    out: list[tuple[V, V]] = []
    for k, v in m.items():
        charge(1)
        out.append((k, f(k)(v)))
    return HashMap(out)


@prim("Std.HashMap.filterMap")
def filter_map(_beq: V, _hash: V, f: Fn, m: HashMap) -> HashMap:
    """f on every value, without those that become none."""
    out: list[tuple[V, V]] = []
    for k, v in m.items():
        charge(1)
        found = f(k)(v)
        if found is not None:
            out.append((k, found[0]))
    return HashMap(out)


@prim("Std.HashMap.all")
def all_(_beq: V, _hash: V, m: HashMap, p: Fn) -> bool:
    """Whether every entry satisfies p."""
    return all_hold(later2(p, k, v) for k, v in m.items())


@prim("Std.HashMap.any")
def any_(_beq: V, _hash: V, m: HashMap, p: Fn) -> bool:
    """Whether some entry satisfies p."""
    return any_holds(later2(p, k, v) for k, v in m.items())


def fold_any_order(step: Callable[[V, tuple[V, V]], V], init: V, steps: list[tuple[V, V]]) -> V:
    """Fold over entries whose order is not known; raise Unknown unless every order gives the same.

    Every set of entries must lead to one state whatever the order: shown for sets of increasing size.
    """
    if len(steps) > _SUBSET_LIMIT:
        unordered("fold")
    states: dict[int, V] = {0: init}
    for _ in steps:
        larger: dict[int, V] = {}
        for done, state in states.items():
            for i, entry in enumerate(steps):
                if done >> i & 1:
                    continue
                charge(1)
                new = step(state, entry)
                known = larger.setdefault(done | 1 << i, new)
                if known is not new and not equal(known, new):
                    unordered("fold")
        states = larger
    return states[(1 << len(steps)) - 1]


@prim("Std.HashMap.fold")
def fold(_beq: V, _hash: V, f: Fn, init: V, m: HashMap) -> V:
    """`m.fold f init`."""
    return fold_any_order(lambda acc, e: f(acc)(e[0])(e[1]), init, m.items())


# ------------------------------------------------------------------------------------------------------------- HashSet


@prim("Std.HashSet.insert")
def set_insert(beq: V, _hash: V, m: HashMap, k: V) -> HashMap:
    """`s.insert k`."""
    lawful(beq, m, k)
    charge_cells(1)
    return m if k in m else m.insert(k, UNIT)


@prim("Std.HashSet.containsThenInsert")
def set_contains_then_insert(beq: V, hash_: V, m: HashMap, k: V) -> tuple[bool, HashMap]:
    """Whether k is there, and the set with it."""
    return (k in m, set_insert(beq, hash_, m, k))


def set_of(beq: V, hash_: V, elements_: list[V]) -> HashMap:
    """Insert elements one by one into the empty set."""
    m = HashMap()
    for k in elements_:
        m = set_insert(beq, hash_, m, k)
    return m


@prim("Std.HashSet.ofList")
def set_of_list(beq: V, hash_: V, xs: Lst) -> HashMap:
    """The set of a list."""
    return set_of(beq, hash_, items(xs))


@prim("Std.HashSet.ofArray")
def set_of_array(beq: V, hash_: V, xs: V) -> HashMap:
    """The set of an array."""
    return set_of(beq, hash_, elements(xs))


@prim("Std.HashSet.filter")
def set_filter(_beq: V, _hash: V, p: Fn, m: HashMap) -> HashMap:
    """The elements that satisfy p."""
    out: list[tuple[V, V]] = []
    for k, v in m.items():
        charge(1)
        if p(k):
            out.append((k, v))
    return HashMap(out)


@prim("Std.HashSet.all")
def set_all(_beq: V, _hash: V, m: HashMap, p: Fn) -> bool:
    """Whether every element satisfies p."""
    return all_hold(later(p, k) for k, _ in m.items())


@prim("Std.HashSet.any")
def set_any(_beq: V, _hash: V, m: HashMap, p: Fn) -> bool:
    """Whether some element satisfies p."""
    return any_holds(later(p, k) for k, _ in m.items())


@prim("Std.HashSet.union")
def set_union(beq: V, hash_: V, a: HashMap, b: HashMap) -> HashMap:
    """The elements of either."""
    out = a
    for k, _ in b.items():
        out = set_insert(beq, hash_, out, k)
    return out


@prim("Std.HashSet.inter")
def set_inter(_beq: V, _hash: V, a: HashMap, b: HashMap) -> HashMap:
    """The elements of both."""
    charge(len(a))
    return HashMap([(k, v) for k, v in a.items() if k in b])


@prim("Std.HashSet.diff")
def set_diff(_beq: V, _hash: V, a: HashMap, b: HashMap) -> HashMap:
    """The elements of the first that are not in the second."""
    charge(len(a))
    return HashMap([(k, v) for k, v in a.items() if k not in b])


@prim("Std.HashSet.fold")
def set_fold(_beq: V, _hash: V, f: Fn, init: V, m: HashMap) -> V:
    """`s.fold f init`."""
    return fold_any_order(lambda acc, e: f(acc)(e[0]), init, m.items())


# --------------------------------------------------------------------------------------------------- TreeMap, TreeSet


@prim("Std.TreeMap.empty", "Std.TreeSet.empty")
def tree_empty(_cmp: Fn) -> TreeMap:
    """The empty map."""
    return TreeMap([])


@prim("Std.TreeMap.insert")
def tree_insert(cmp: Fn, t: TreeMap, k: V, v: V) -> TreeMap:
    """`t.insert k v`: replaces."""
    charge(len(t) // 8 + 1)
    charge_cells(1)
    return t.insert(cmp, k, v)


@prim("Std.TreeMap.insertIfNew")
def tree_insert_if_new(cmp: Fn, t: TreeMap, k: V, v: V) -> TreeMap:
    """`t.insertIfNew k v`: keeps what is there."""
    return t if t.find(cmp, k)[1] else tree_insert(cmp, t, k, v)


@prim("Std.TreeSet.insert")
def tree_set_insert(cmp: Fn, t: TreeMap, k: V) -> TreeMap:
    """`t.insert k`: keeps an equivalent element."""
    return tree_insert_if_new(cmp, t, k, UNIT)


@prim("Std.TreeMap.get?")
def tree_get_opt(cmp: Fn, t: TreeMap, k: V) -> tuple[V] | None:
    """`t.get? k`."""
    charge(1)
    at, found = t.find(cmp, k)
    return (t.entries[at][1],) if found else None


@prim("Std.TreeMap.get")
def tree_get(cmp: Fn, t: TreeMap, k: V) -> V:
    """`t.get k h`."""
    found = tree_get_opt(cmp, t, k)
    if found is None:
        raise Unknown("undecided", "a value asked of a tree map that lacks the key")
    return found[0]


@prim("Std.TreeMap.getD")
def tree_get_d(cmp: Fn, t: TreeMap, k: V, fallback: V) -> V:
    """`t.getD k fallback`."""
    found = tree_get_opt(cmp, t, k)
    return fallback if found is None else found[0]


@prim("Std.TreeMap.get!")
def tree_get_bang(cmp: Fn, inh: V, t: TreeMap, k: V) -> V:
    """`t.get! k`."""
    return tree_get_d(cmp, t, k, inh[0])


@prim("Std.TreeMap.contains", "Std.TreeMap.Mem", "Std.TreeSet.contains", "Std.TreeSet.Mem")
def tree_contains(cmp: Fn, t: TreeMap, k: V) -> bool:
    """`k ∈ t`."""
    charge(1)
    return t.find(cmp, k)[1]


@prim("Std.TreeMap.erase", "Std.TreeSet.erase")
def tree_erase(cmp: Fn, t: TreeMap, k: V) -> TreeMap:
    """`t.erase k`."""
    charge(len(t) // 8 + 1)
    return t.erase(cmp, k)


@prim("Std.TreeMap.size", "Std.TreeSet.size")
def tree_size(_cmp: Fn, t: TreeMap) -> int:
    """The number of keys."""
    return len(t)


@prim("Std.TreeMap.isEmpty", "Std.TreeSet.isEmpty")
def tree_is_empty(_cmp: Fn, t: TreeMap) -> bool:
    """Whether there are no keys."""
    return len(t) == 0


@prim("Std.TreeMap.toList")
def tree_to_list(_cmp: Fn, t: TreeMap) -> Lst:
    """The entries in ascending order."""
    return lean(t.entries)


@prim("Std.TreeMap.toArray")
def tree_to_array(_cmp: Fn, t: TreeMap) -> V:
    """The entries in ascending order."""
    return array(list(t.entries))


@prim("Std.TreeMap.keys", "Std.TreeSet.toList")
def tree_keys(_cmp: Fn, t: TreeMap) -> Lst:
    """The keys in ascending order."""
    return lean([k for k, _ in t.entries])


@prim("Std.TreeMap.keysArray", "Std.TreeSet.toArray")
def tree_keys_array(_cmp: Fn, t: TreeMap) -> V:
    """The keys in ascending order."""
    return array([k for k, _ in t.entries])


@prim("Std.TreeMap.values")
def tree_values(_cmp: Fn, t: TreeMap) -> Lst:
    """The values, by ascending key."""
    return lean([v for _, v in t.entries])


@prim("Std.TreeMap.valuesArray")
def tree_values_array(_cmp: Fn, t: TreeMap) -> V:
    """The values, by ascending key."""
    return array([v for _, v in t.entries])


@prim("Std.TreeMap.minKey?", "Std.TreeSet.min?")
def tree_min_key(_cmp: Fn, t: TreeMap) -> tuple[V] | None:
    """The least key."""
    return (t.entries[0][0],) if t.entries else None


@prim("Std.TreeMap.maxKey?", "Std.TreeSet.max?")
def tree_max_key(_cmp: Fn, t: TreeMap) -> tuple[V] | None:
    """The greatest key."""
    return (t.entries[-1][0],) if t.entries else None


@prim("Std.TreeMap.minEntry?")
def tree_min_entry(_cmp: Fn, t: TreeMap) -> tuple[V] | None:
    """The entry of the least key."""
    return (t.entries[0],) if t.entries else None


@prim("Std.TreeMap.maxEntry?")
def tree_max_entry(_cmp: Fn, t: TreeMap) -> tuple[V] | None:
    """The entry of the greatest key."""
    return (t.entries[-1],) if t.entries else None


@prim("Std.TreeMap.modify")
def tree_modify(cmp: Fn, t: TreeMap, k: V, f: Fn) -> TreeMap:
    """f on the value of k, when it is there; the key that is there stays."""
    at, found = t.find(cmp, k)
    if not found:
        return t
    new = list(t.entries)
    new[at] = (new[at][0], f(new[at][1]))
    return TreeMap(new)


@prim("Std.TreeMap.alter")
def tree_alter(cmp: Fn, t: TreeMap, k: V, f: Fn) -> TreeMap:
    """f on the optional value of k."""
    found = f(tree_get_opt(cmp, t, k))
    return t.erase(cmp, k) if found is None else t.insert(cmp, k, found[0])


@prim("Std.TreeMap.filter")
def tree_filter(_cmp: Fn, p: Fn, t: TreeMap) -> TreeMap:
    """The entries that satisfy p."""
    out: list[tuple[V, V]] = []
    for k, v in t.entries:
        charge(1)
        if p(k)(v):
            out.append((k, v))
    return TreeMap(out)


@prim("Std.TreeSet.filter")
def tree_set_filter(_cmp: Fn, p: Fn, t: TreeMap) -> TreeMap:
    """The elements that satisfy p."""
    return tree_filter(_cmp, lambda k: lambda _v: p(k), t)


@prim("Std.TreeMap.map")
def tree_map(_cmp: Fn, f: Fn, t: TreeMap) -> TreeMap:
    """f on every value."""
    out: list[tuple[V, V]] = []
    for k, v in t.entries:
        charge(1)
        out.append((k, f(k)(v)))
    return TreeMap(out)


@prim("Std.TreeMap.any")
def tree_any(_cmp: Fn, t: TreeMap, p: Fn) -> bool:
    """Whether some entry satisfies p."""
    return any_holds(later2(p, k, v) for k, v in t.entries)


@prim("Std.TreeMap.all")
def tree_all(_cmp: Fn, t: TreeMap, p: Fn) -> bool:
    """Whether every entry satisfies p."""
    return all_hold(later2(p, k, v) for k, v in t.entries)


@prim("Std.TreeSet.any")
def tree_set_any(_cmp: Fn, t: TreeMap, p: Fn) -> bool:
    """Whether some element satisfies p."""
    return any_holds(later(p, k) for k, _ in t.entries)


@prim("Std.TreeSet.all")
def tree_set_all(_cmp: Fn, t: TreeMap, p: Fn) -> bool:
    """Whether every element satisfies p."""
    return all_hold(later(p, k) for k, _ in t.entries)


@prim("Std.TreeMap.ofList")
def tree_of_list(xs: Lst, cmp: Fn) -> TreeMap:
    """The map of a list of pairs; later ones replace."""
    t = TreeMap([])
    for k, v in items(xs):
        t = tree_insert(cmp, t, k, v)
    return t


@prim("Std.TreeSet.ofList")
def tree_set_of_list(xs: Lst, cmp: Fn) -> TreeMap:
    """The set of a list."""
    t = TreeMap([])
    for k in items(xs):
        t = tree_set_insert(cmp, t, k)
    return t


@prim("Std.TreeMap.foldl")
def tree_foldl(_cmp: Fn, f: Fn, init: V, t: TreeMap) -> V:
    """In ascending order."""
    acc = init
    for k, v in t.entries:
        charge(1)
        acc = f(acc)(k)(v)
    return acc


@prim("Std.TreeMap.foldr")
def tree_foldr(_cmp: Fn, f: Fn, init: V, t: TreeMap) -> V:
    """In descending order."""
    acc = init
    for k, v in reversed(t.entries):
        charge(1)
        acc = f(k)(v)(acc)
    return acc


@prim("Std.TreeSet.foldl")
def tree_set_foldl(_cmp: Fn, f: Fn, init: V, t: TreeMap) -> V:
    """In ascending order."""
    return tree_foldl(_cmp, lambda acc: lambda k: lambda _v: f(acc)(k), init, t)
