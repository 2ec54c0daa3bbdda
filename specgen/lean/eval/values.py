"""Run-time values (representations: docs/engine.md), persistent containers, and structural equality.

Everything here is iterative: a list of 100,000 cells is compared, keyed and converted without recursion.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from fractions import Fraction
from typing import Any, Final, TypeAlias

from specgen.lean.eval.generic import AtLeast, Generic, Open
from specgen.lean.eval.runtime import Unknown, charge
from specgen.lean.eval.unordered import Unordered

Value: TypeAlias = Any
"""A run-time value; its representation follows from its Lean type (docs/engine.md)."""

NIL: Final[tuple[()]] = ()
UNIT: Final[tuple[()]] = ()

# ---------------------------------------------------------------------------------------------------------------- lists


def to_list(items: Iterable[Value]) -> Value:
    """Return the cons list of some items; charges nothing."""
    out: Value = NIL
    for item in reversed(items if isinstance(items, list | tuple) else list(items)):
        out = (item, out)
    return out


def from_list(cells: Value) -> list[Value]:
    """Return the items of a cons list as a Python list; charges nothing."""
    out: list[Value] = []
    add = out.append
    while cells:
        head, cells = cells
        add(head)
    return out


def iter_list(cells: Value) -> Iterator[Value]:
    """Yield the items of a cons list."""
    while cells:
        head, cells = cells
        yield head


def list_length(cells: Value) -> int:
    """Return the number of items of a cons list."""
    n = 0
    while cells:
        cells = cells[1]
        n += 1
    return n


# --------------------------------------------------------------------------------------------------------------- arrays


class _Store:
    """One version of an array's memory: either the items themselves, or how it differs from a newer version.

    A difference `(index, old)` against a longer memory sets a place; `truncate` says that the memory was `index` long
    before `old` was appended to it.
    """

    __slots__ = ("index", "items", "newer", "old", "truncate")

    def __init__(self, items: list[Value]) -> None:
        self.items: list[Value] | None = items
        self.newer: _Store | None = None
        self.index = 0
        self.old: Value = None
        self.truncate = False

    def differ(self, newer: _Store, index: int, old: Value, truncate: bool) -> None:
        self.items = None
        self.newer, self.index, self.old, self.truncate = newer, index, old, truncate

    def direct(self) -> list[Value]:
        """Return the items, copying them from a newer version when they have moved on."""
        if self.items is not None:
            return self.items
        chain: list[_Store] = []
        store = self
        while store.items is None:
            chain.append(store)
            assert store.newer is not None  # noqa: S101 - a store without items has a newer version
            store = store.newer
        items = store.items.copy()
        for store in reversed(chain):
            if store.truncate:
                del items[store.index :]
                items.append(store.old)
            else:
                items[store.index] = store.old
        self.items = items
        self.newer = None
        self.old = None
        return items


class Arr:
    """A persistent array: O(1) access to the newest version, amortised O(1) `push`, `pop` and `set` when used linearly.

    An older version stays valid; its first use after a newer one was made by `set` or `pop` copies it.
    """

    __slots__ = ("_store", "size")

    def __init__(self, items: list[Value]) -> None:
        """Take ownership of `items`: the caller must not change the list afterwards."""
        self._store = _Store(items)
        self.size = len(items)

    @classmethod
    def _make(cls, store: _Store, size: int) -> Arr:
        out = cls.__new__(cls)
        out._store = store
        out.size = size
        return out

    def __len__(self) -> int:
        return self.size

    def __getitem__(self, index: int) -> Value:
        """Return the item at `0 <= index < size`; raises IndexError otherwise."""
        if not 0 <= index < self.size:
            raise IndexError(index)
        items = self._store.items
        return (self._store.direct() if items is None else items)[index]

    def __iter__(self) -> Iterator[Value]:
        return iter(self.tolist())

    def tolist(self) -> list[Value]:
        """Return a fresh Python list of the items."""
        return self._store.direct()[: self.size]

    def push(self, item: Value) -> Arr:
        """Return this array with `item` appended."""
        items = self._store.direct()
        if len(items) == self.size:
            items.append(item)
            return Arr._make(self._store, self.size + 1)
        copy = items[: self.size]
        copy.append(item)
        return Arr(copy)

    def pop(self) -> Arr:
        """Return this array without its last item (itself when empty)."""
        if self.size == 0:
            return self
        items = self._store.direct()
        if len(items) != self.size:
            return Arr._make(self._store, self.size - 1)
        newer = _Store(items)
        self._store.differ(newer, self.size - 1, items.pop(), True)
        return Arr._make(newer, self.size - 1)

    def set(self, index: int, item: Value) -> Arr:
        """Return this array with `item` at `0 <= index < size`; raises IndexError otherwise."""
        if not 0 <= index < self.size:
            raise IndexError(index)
        items = self._store.direct()
        if len(items) != self.size:
            copy = items[: self.size]
            copy[index] = item
            return Arr(copy)
        newer = _Store(items)
        self._store.differ(newer, index, items[index], False)
        items[index] = item
        return Arr._make(newer, self.size)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Arr) and equal(self, other)

    def __hash__(self) -> int:
        return hash(key(self))

    def __repr__(self) -> str:
        return f"Arr({self.tolist()!r})"


# ---------------------------------------------------------------------------------------------------------- collections


class _Bag:
    """Values by their structural key: the common part of finite sets, multisets and maps. Never changed once shared."""

    __slots__ = ("entries",)

    def __init__(self, entries: dict[Hashable, Any]) -> None:
        self.entries = entries

    def __len__(self) -> int:
        return len(self.entries)


class Finset(_Bag):
    """A `Finset`: `entries` maps the structural key to the element. Iteration order carries no meaning."""

    __slots__ = ()

    @classmethod
    def of(cls, items: Iterable[Value]) -> Finset:
        """Return the set of some values."""
        return cls({key(x): x for x in items})

    def __contains__(self, item: Value) -> bool:
        return key(item) in self.entries

    def __iter__(self) -> Iterator[Value]:
        return iter(self.entries.values())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Finset) and self.entries.keys() == other.entries.keys()

    def __hash__(self) -> int:
        return hash(frozenset(self.entries))

    def __repr__(self) -> str:
        return f"Finset({list(self)!r})"


class Multiset(_Bag):
    """A `Multiset`: `entries` maps the structural key to `(element, count)`, count positive."""

    __slots__ = ()

    @classmethod
    def of(cls, items: Iterable[Value]) -> Multiset:
        """Return the multiset of some values."""
        entries: dict[Hashable, tuple[Value, int]] = {}
        for x in items:
            k = key(x)
            entries[k] = (x, entries[k][1] + 1) if k in entries else (x, 1)
        return cls(entries)

    def count(self, item: Value) -> int:
        """Return how often `item` occurs."""
        found = self.entries.get(key(item))
        return 0 if found is None else found[1]

    @property
    def card(self) -> int:
        """The number of elements, with repetition."""
        return sum(n for _, n in self.entries.values())

    def __iter__(self) -> Iterator[Value]:
        for x, n in self.entries.values():
            for _ in range(n):
                yield x

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Multiset) and self._counts() == other._counts()

    def _counts(self) -> dict[Hashable, int]:
        return {k: n for k, (_, n) in self.entries.items()}

    def __hash__(self) -> int:
        return hash(frozenset(self._counts().items()))

    def __repr__(self) -> str:
        return f"Multiset({list(self)!r})"


_MISSING: Final = object()


class _MapStore:
    """One version of a map's memory, like `_Store`: the dictionary, or one difference against a newer version."""

    __slots__ = ("entries", "entry", "key", "newer")

    def __init__(self, entries: dict[Hashable, tuple[Value, Value]]) -> None:
        self.entries: dict[Hashable, tuple[Value, Value]] | None = entries
        self.newer: _MapStore | None = None
        self.key: Hashable = None
        self.entry: Any = None

    def direct(self) -> dict[Hashable, tuple[Value, Value]]:
        if self.entries is not None:
            return self.entries
        chain: list[_MapStore] = []
        store = self
        while store.entries is None:
            chain.append(store)
            assert store.newer is not None  # noqa: S101 - a store without entries has a newer version
            store = store.newer
        entries = dict(store.entries)
        for store in reversed(chain):
            if store.entry is _MISSING:
                entries.pop(store.key, None)
            else:
                entries[store.key] = store.entry
        self.entries, self.newer, self.entry = entries, None, None
        return entries


class HashMap:
    """A persistent map for `Std.HashMap` and the like; O(1) `insert` and `erase` when used linearly.

    Keys are compared structurally, which is right for lawful `BEq` instances only: a primitive that is handed another
    one must raise `Unknown`. The order of iteration carries no meaning.
    """

    __slots__ = ("_store",)

    def __init__(self, items: Iterable[tuple[Value, Value]] = ()) -> None:
        self._store = _MapStore({key(k): (k, v) for k, v in items})

    @classmethod
    def _make(cls, store: _MapStore) -> HashMap:
        out = cls.__new__(cls)
        out._store = store
        return out

    def __len__(self) -> int:
        return len(self._store.direct())

    def __contains__(self, k: Value) -> bool:
        if type(k) is Generic:
            return self._meets(k)
        return key(k) in self._store.direct()

    def _meets(self, k: Generic) -> bool:
        """Compare a generic key with every key, and tell whether it equals one: it does not."""
        return any(k == other for other, _ in self._store.direct().values())

    def get(self, k: Value) -> tuple[Value] | None:
        """Return `(value,)` or None."""
        if type(k) is Generic and not self._meets(k):
            return None
        found = self._store.direct().get(key(k))
        return None if found is None else (found[1],)

    def items(self) -> list[tuple[Value, Value]]:
        """Return the entries as pairs, in an order that carries no meaning."""
        return list(self._store.direct().values())

    def _change(self, k: Hashable, entry: Any) -> HashMap:
        store = self._store
        entries = store.direct()
        newer = _MapStore(entries)
        store.entries, store.newer, store.key = None, newer, k
        store.entry = entries.get(k, _MISSING)
        if entry is _MISSING:
            entries.pop(k, None)
        else:
            entries[k] = entry
        return HashMap._make(newer)

    def insert(self, k: Value, v: Value) -> HashMap:
        """Return the map with `k` bound to `v`."""
        return self._change(key(k), (k, v))

    def erase(self, k: Value) -> HashMap:
        """Return the map without `k`."""
        frozen = key(k)
        return self._change(frozen, _MISSING) if frozen in self._store.direct() else self

    def __eq__(self, other: object) -> bool:
        return isinstance(other, HashMap) and key(self) == key(other)

    def __hash__(self) -> int:
        return hash(key(self))

    def __repr__(self) -> str:
        return f"HashMap({self.items()!r})"


class TreeMap:
    """An ordered map: `entries` are `(key, value)` in ascending order of the comparison it was built with.

    `find(compare, k)` takes Lean's curried comparison (`Ordering` as 0, 1, 2 for lt, eq, gt).
    """

    __slots__ = ("entries",)

    def __init__(self, entries: list[tuple[Value, Value]]) -> None:
        self.entries = entries

    def find(self, compare: Callable[[Value], Callable[[Value], int]], k: Value) -> tuple[int, bool]:
        """Return the place of `k` and whether it is there."""
        low, high = 0, len(self.entries)
        against = compare(k)
        while low < high:
            mid = (low + high) // 2
            order = against(self.entries[mid][0])
            if order == 1:
                return mid, True
            if order == 0:
                high = mid
            else:
                low = mid + 1
        return low, False

    def insert(self, compare: Callable[[Value], Callable[[Value], int]], k: Value, v: Value) -> TreeMap:
        """Return the map with `k` bound to `v`; O(n) copying of references."""
        at, found = self.find(compare, k)
        entries = self.entries.copy()
        entries[at : at + found] = [(k, v)]
        return TreeMap(entries)

    def erase(self, compare: Callable[[Value], Callable[[Value], int]], k: Value) -> TreeMap:
        """Return the map without `k`."""
        at, found = self.find(compare, k)
        return TreeMap(self.entries[:at] + self.entries[at + 1 :]) if found else self

    def __len__(self) -> int:
        return len(self.entries)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TreeMap) and key(self) == key(other)

    def __hash__(self) -> int:
        return hash(key(self))

    def __repr__(self) -> str:
        return f"TreeMap({self.entries!r})"


# ------------------------------------------------------------------------------------------------------ keys, equality

_PROXIES: Final = frozenset({Generic, Open, AtLeast, Unordered})
"""Stand-ins that answer `==` themselves, or raise `Unknown`."""
_ATOMS: Final = frozenset({int, bool, str, Fraction, type(None)})


def key(value: Value) -> Hashable:
    """Return a hashable key; keys are equal exactly when values of the same type are structurally equal.

    Raises:
        Unknown: the value has a function or a float inside.
    """
    if type(value) in _ATOMS:
        return value  # type: ignore[no-any-return]
    out: list[Hashable] = []
    stack: list[Value] = [value]
    while stack:
        v = stack.pop()
        kind = type(v)
        if kind in _ATOMS:
            out.append(v)
        elif kind is tuple:
            out.append(_OPEN[len(v)] if len(v) < 8 else ("(", len(v)))
            stack.extend(reversed(v))
        elif kind is Arr:
            out.append(("#", v.size))
            stack.extend(reversed(v.tolist()))
        else:
            out.append(_container_key(v))
    return tuple(out)


_OPEN: Final = tuple(("(", n) for n in range(8))


def _container_key(v: Value) -> Hashable:
    if isinstance(v, Finset):
        return ("Finset", frozenset(v.entries))
    if isinstance(v, Multiset):
        return ("Multiset", frozenset(v._counts().items()))
    if isinstance(v, HashMap):
        return ("HashMap", frozenset((k, key(x)) for k, (_, x) in v._store.direct().items()))
    if isinstance(v, TreeMap):
        return ("TreeMap", tuple((key(k), key(x)) for k, x in v.entries))
    if isinstance(v, float):
        raise Unknown("noncomputable", "equality of Float values")
    raise Unknown("undecided", "equality of functions")


def equal(a: Value, b: Value) -> bool:
    """Decide `a = b` for two values of the same type.

    Raises:
        Unknown: it hangs on functions or on floats. (Equal objects are equal whatever they hold.)
    """
    if a is b:
        return True
    kind = type(a)
    if kind in _ATOMS:
        return bool(a == b)
    stack: list[tuple[Value, Value]] = [(a, b)]
    pending: Unknown | None = None
    while stack:
        x, y = stack.pop()
        steps = 1
        # Walking down the second component needs no stack: lists are long on that side.
        while type(x) is tuple and type(y) is tuple and len(x) == 2 and len(y) == 2 and x is not y:
            p, q = x[0], y[0]
            if p is not q:
                if type(p) in _ATOMS:
                    if p != q:
                        return False
                else:
                    stack.append((p, q))
            x, y = x[1], y[1]
            steps += 1
        charge(steps)
        if x is y:
            continue
        try:
            if not _step(x, y, stack):
                return False
        except Unknown as error:
            pending = error
    if pending is not None:
        raise pending
    return True


def _step(x: Value, y: Value, stack: list[tuple[Value, Value]]) -> bool:
    """Compare the outermost layer; push what remains to be compared."""
    kind = type(x)
    if kind in _ATOMS or kind in _PROXIES or type(y) in _PROXIES:
        return bool(x == y)
    if kind is tuple:
        if type(y) is not tuple or len(x) != len(y):
            return False
        stack.extend(zip(x, y, strict=True))
        return True
    if kind is Arr:
        if x.size != y.size:
            return False
        stack.extend(zip(x.tolist(), y.tolist(), strict=True))
        return True
    if isinstance(x, Finset | Multiset):
        return bool(x == y)
    if isinstance(x, HashMap | TreeMap):
        # Two maps with the same entries may differ inside (buckets, tree shape): then `=` is false in Lean.
        if key(x) != key(y):
            return False
        raise Unknown("undecided", "equality of maps, which compares how they were built")
    return key(x) == key(y)
