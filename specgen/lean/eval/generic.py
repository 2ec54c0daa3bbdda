"""Generic values: a stand-in for every value of a type outside a finite set.

A `Generic` answers only one question: whether it equals a given value. The answer is no, and the value is noted in
its cell. Everything else that could tell values apart raises `Unknown`.

Soundness. Let a computation give a truth value with a generic value in the place of x, and let E be the values noted.
For any x of the type outside E the same computation takes the same course: the only thing it learns about x is that x
differs from members of E. So it gives the same truth value for all x outside E. (Sums with known integers stay
generic: `x + c = v` says `x = v - c`.) A truth value found by three-valued logic beside parts that raised is right
for the same reason.
"""

from __future__ import annotations

from typing import Any, Final, NoReturn

from specgen.lean.eval.runtime import Unknown


class Cell:
    """What was asked of a generic value: `seen` holds the values it was told to differ from, in order."""

    __slots__ = ("group", "kind", "number", "seen")

    def __init__(self, kind: str, number: int = 0, group: list[tuple[int, int]] | None = None) -> None:
        """`group` collects pairs of numbers of cells whose values were compared; without it that is refused."""
        self.kind = kind
        self.seen: dict[Any, None] = {}
        self.number = number
        self.group = group

    def fresh(self) -> Any:
        """Return a value of the kind that was not seen."""
        if self.kind in ("Nat", "Int"):
            return max([*self.seen, -1]) + 1
        if self.kind == "Char":
            return next(chr(i) for i in range(97, 0xD800) if chr(i) not in self.seen)
        return "a" * (max([len(v) for v in self.seen], default=-1) + 1)


def _refuse(*_: Any) -> NoReturn:
    raise Unknown("undecided", "more than equality is asked of a free value")


class Generic:
    """The value `sign * x + offset` of a generic x (for texts: x itself)."""

    __slots__ = ("cell", "offset", "sign")

    def __init__(self, cell: Cell, sign: int = 1, offset: int = 0) -> None:
        self.cell = cell
        self.sign = sign
        self.offset = offset

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Generic):
            if other.sign != self.sign:
                _refuse()
            if other.cell is self.cell:
                return self.offset == other.offset
            if self.cell.group is None or other.cell.group is not self.cell.group or self.offset != other.offset:
                _refuse()
            self.cell.group.append((self.cell.number, other.cell.number))
            return False
        kind = self.cell.kind
        if kind in ("Nat", "Int"):
            if type(other) is not int:
                _refuse()
            value = (other - self.offset) * self.sign
            if kind == "Int" or value >= 0:
                self.cell.seen[value] = None
            return False
        if type(other) is not str:
            _refuse()
        if kind == "String" or len(other) == 1:
            self.cell.seen[other] = None
        return False

    def __ne__(self, other: object) -> bool:
        return not self == other

    def _shifted(self, sign: int, by: object) -> Generic:
        if type(by) is not int or self.cell.kind not in ("Nat", "Int"):
            _refuse()
        return Generic(self.cell, self.sign * sign, self.offset * sign + by)

    def __add__(self, other: object) -> Generic:
        return self._shifted(1, other)

    __radd__ = __add__

    def __sub__(self, other: object) -> Generic:
        return self._shifted(1, -other) if type(other) is int else _refuse()

    def __rsub__(self, other: object) -> Generic:
        return self._shifted(-1, other)

    def __neg__(self) -> Generic:
        return self._shifted(-1, 0)

    def __hash__(self) -> int:
        raise Unknown("undecided", "a free value in a set or a map")

    __lt__ = __le__ = __gt__ = __ge__ = __bool__ = __str__ = __repr__ = _refuse
    __format__ = __len__ = __iter__ = __getitem__ = __contains__ = __index__ = _refuse
    __mul__ = __rmul__ = __mod__ = __rmod__ = __floordiv__ = __rfloordiv__ = __pow__ = __rpow__ = _refuse
    __abs__ = __int__ = __float__ = __call__ = __divmod__ = __rdivmod__ = _refuse
    __and__ = __rand__ = __or__ = __ror__ = __xor__ = __rxor__ = __invert__ = _refuse
    __lshift__ = __rlshift__ = __rshift__ = __rrshift__ = __truediv__ = __rtruediv__ = _refuse

    def __getattr__(self, name: str) -> NoReturn:
        _refuse()


class Open:
    """The end of a list of which no more is known; whoever looks at it gets `Unknown`."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        _refuse()

    def __hash__(self) -> int:
        raise Unknown("undecided", "a free value in a set or a map")

    __bool__ = __iter__ = __getitem__ = __len__ = __contains__ = __str__ = __repr__ = __format__ = _refuse
    __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __add__ = __radd__ = __index__ = _refuse

    def __getattr__(self, name: str) -> NoReturn:
        _refuse()


class AtLeast:
    """A natural number of which only a lower bound is known: the length of a list with an open end."""

    __slots__ = ("low",)

    def __init__(self, low: int) -> None:
        self.low = low

    def __eq__(self, other: object) -> bool:
        return False if self._above(other) else _refuse()

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __gt__(self, other: object) -> bool:
        return True if self._above(other) else _refuse()

    def __le__(self, other: object) -> bool:
        return False if self._above(other) else _refuse()

    def __ge__(self, other: object) -> bool:
        return True if type(other) is int and self.low >= other else _refuse()

    def __lt__(self, other: object) -> bool:
        return False if type(other) is int and self.low >= other else _refuse()

    def __add__(self, other: object) -> AtLeast:
        return AtLeast(self.low + other) if type(other) is int and other >= 0 else _refuse()

    __radd__ = __add__

    def _above(self, other: object) -> bool:
        return type(other) is int and self.low > other

    def __hash__(self) -> int:
        raise Unknown("undecided", "a free value in a set or a map")

    __bool__ = __iter__ = __getitem__ = __len__ = __contains__ = __str__ = __repr__ = __format__ = _refuse
    __sub__ = __rsub__ = __mul__ = __rmul__ = __mod__ = __rmod__ = __floordiv__ = __rfloordiv__ = _refuse
    __neg__ = __abs__ = __index__ = __pow__ = __rpow__ = __int__ = __float__ = __call__ = _refuse

    def __getattr__(self, name: str) -> NoReturn:
        _refuse()


KINDS: Final = frozenset({"Nat", "Int", "Char", "String"})
"""Types whose values no primitive tells apart by identity or by their Python type, and that have fresh values."""
