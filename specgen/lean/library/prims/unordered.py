"""List primitives on the entries of a hash map, whose order is not known: those that give the same for every order.

`order_free` wraps a primitive. Soundness, by kind: a *symmetric* one (length, membership, counting, quantifiers, sums
of numbers, extrema of numbers) gives the same for every rearrangement by its definition; one that goes *item by item*
gives a list that is rearranged in the same way; `find?` gives the same when all items that satisfy its predicate are
equal; a fold is tried in all orders (`maps.fold_any_order`); the sorted list is the same when of any two different
items each order is decided by the comparison, one way only.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

from specgen.lean.eval.generic import AtLeast, Open
from specgen.lean.eval.runtime import Unknown, charge
from specgen.lean.eval.unordered import Unordered
from specgen.lean.eval.values import equal, from_list, to_list

Primitive = Callable[..., Any]

_SYMMETRIC: Final = frozenset(
    {"List.length", "List.isEmpty", "List.all", "List.any", "List.Mem", "List.contains", "List.elem", "List.count"}
    | {"List.countP", "List.Nodup", "List.toFinset"}
)
_NUMERIC: Final[dict[str, Callable[[list[int]], Any]]] = {
    "List.sum": sum,
    "List.prod": math.prod,
    "List.max?": lambda xs: (max(xs),),
    "List.min?": lambda xs: (min(xs),),
}
"""What they give on integers with the library's instances; with others they are not looked into."""
_BY_ITEM: Final = frozenset({"List.map", "List.filter", "List.filterMap"})
_SORTS: Final = frozenset({"List.mergeSort", "List.insertionSort"})


def unordered_list(items: list[Any]) -> Any:
    """Return the list of some items in an order that is not known; an ordinary list where the order cannot show."""
    try:
        if all(equal(items[0], x) for x in items[1:]):
            return to_list(items)
    except Unknown:
        pass
    return Unordered(items)


def order_free(name: str, primitive: Primitive) -> Primitive | None:
    """Return the primitive with unordered lists allowed, or None for one that depends on the order."""
    if name == "List.length":
        return _length(primitive)
    if name in _SYMMETRIC or name in _NUMERIC or name in _BY_ITEM:
        return _plain(name, primitive)
    if name in _SORTS:
        return _sorting(primitive)
    if name == "List.find?":
        return _finding(primitive)
    if name == "List.foldl":
        return _folding(primitive)
    return None


def _length(primitive: Primitive) -> Primitive:
    """The length, which for a list with an open end (`eval/narrowing.py`) is known from below."""

    def run(xs: Any) -> Any:
        if type(xs) is Unordered:
            return len(xs.items)
        try:
            return primitive(xs)
        except Unknown:
            low = 0
            while type(xs) is tuple and xs:
                low, xs = low + 1, xs[1]
            if type(xs) is Open:
                return AtLeast(low)
            raise

    return run


def _plain(name: str, primitive: Primitive) -> Primitive:
    numeric, by_item = _NUMERIC.get(name), name in _BY_ITEM

    def run(*args: Any) -> Any:
        for arg in args:
            if type(arg) is Unordered:
                break
        else:
            return _along_open_end(primitive, args) if by_item else primitive(*args)
        result = primitive(*[_in_some_order(a) for a in args])
        if numeric is not None and not (all(type(x) is int for x in arg.items) and result == numeric(arg.items)):
            raise Unknown("undecided", f"{name} in an order that is not specified")
        return unordered_list(from_list(result)) if by_item else result

    return run


def _along_open_end(primitive: Primitive, args: tuple[Any, ...]) -> Any:
    """Go item by item, also along a list with an open end: what becomes of the rest is another unknown list."""
    try:
        return primitive(*args)
    except Unknown:
        prefixes = [_known_items(arg) for arg in args]
        if not any(items is not None for items in prefixes):
            raise
    done = primitive(*[a if p is None else to_list(p) for a, p in zip(args, prefixes, strict=True)])
    out: Any = Open()
    for x in reversed(from_list(done)):
        out = (x, out)
    return out


def _known_items(cells: Any) -> list[Any] | None:
    """Return the items in front of an open end, None for any other value."""
    items: list[Any] = []
    while type(cells) is tuple and len(cells) == 2:
        items.append(cells[0])
        cells = cells[1]
    return items if type(cells) is Open else None


def _in_some_order(arg: Any) -> Any:
    return to_list(arg.items) if type(arg) is Unordered else arg


def _sorting(primitive: Primitive) -> Primitive:
    def run(*args: Any) -> Any:
        if not any(type(arg) is Unordered for arg in args):
            return primitive(*args)
        result = primitive(*[_in_some_order(a) for a in args])
        before = next(a for a in args if callable(a) and type(a) is not Unordered)
        items = from_list(result)
        for i, x in enumerate(items):
            for y in items[i + 1 :]:
                charge(1)
                if not before(x)(y) or (before(y)(x) and not equal(x, y)):
                    raise Unknown("undecided", "items sorted that the comparison does not tell apart")
        return result

    return run


def _finding(primitive: Primitive) -> Primitive:
    def run(p: Any, xs: Any) -> Any:
        if type(xs) is not Unordered:
            return primitive(p, xs)
        found = [x for x in xs.items if p(x)]
        charge(len(xs.items))
        if any(not equal(found[0], x) for x in found[1:]):
            raise Unknown("undecided", "the first item found, in an order that is not specified")
        return (found[0],) if found else None

    return run


def _folding(primitive: Primitive) -> Primitive:
    def run(f: Any, init: Any, xs: Any) -> Any:
        if type(xs) is not Unordered:
            return primitive(f, init, xs)
        from specgen.lean.library.prims.maps import fold_any_order

        return fold_any_order(lambda acc, x: f(acc)(x), init, xs.items)

    return run
