"""Lists whose order is not known: the entries of a hash map.

The order in which `Std.HashMap` lists its entries follows from hashes (of texts, for one, an opaque function) and
from its history. An `Unordered` stands for some list with these items. Only primitives that give the same for every
order may look inside (`library/prims/unordered.py`); everything else that looks raises `Unknown`. Whether it is
empty, and that it differs from a list with other items, does not hang on the order.
"""

from __future__ import annotations

from typing import Any, NoReturn

from specgen.lean.eval.runtime import Unknown


def _refuse(*_: Any) -> NoReturn:
    raise Unknown("undecided", "the order of a hash map's entries is not specified")


class Unordered:
    """Some list of the given items (two at least, not all equal)."""

    __slots__ = ("items",)

    def __init__(self, items: list[Any]) -> None:
        self.items = items

    def __bool__(self) -> bool:
        return bool(self.items)

    def __eq__(self, other: object) -> bool:
        from specgen.lean.eval.values import Multiset, from_list

        if other is self:
            return True
        if type(other) is tuple:
            others = from_list(other)
        elif isinstance(other, Unordered):
            others = other.items
        else:
            _refuse()
        if len(others) != len(self.items) or Multiset.of(others) != Multiset.of(self.items):
            return False
        return _refuse()

    def __hash__(self) -> int:
        raise Unknown("undecided", "the order of a hash map's entries is not specified")

    __iter__ = __getitem__ = __len__ = __contains__ = __reversed__ = __str__ = __repr__ = __lt__ = _refuse
    __add__ = __radd__ = __mul__ = __le__ = __gt__ = __ge__ = __format__ = _refuse
