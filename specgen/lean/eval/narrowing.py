"""Search for a list by narrowing: only as much of it is fixed as a computation asks for.

The list starts as an open end. The computation is run on it; its elements are generic values (`eval/generic.py`), and
looking at the open end raises `Unknown`.

Soundness. Each state stands for the set of lists that it can still become, and every step splits such a set or drops
one that holds no solution:
- The run gives false: it only compared generic elements with values and with each other, and was told *different*. So a
  solution in the set makes one of these equations true; they are taken one by one, the earlier ones excluded.
- The run gives true: every list of the set in which the equations met are false is a solution; one of them is given.
- The run is undecided, with an open end: the list ends there, or goes on with one more element.
- The run is undecided on a list without open end: so is the search, unless it finds a solution elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from specgen.lean.eval.generic import Cell, Generic, Open
from specgen.lean.eval.nodes import CAUGHT, is_fatal
from specgen.lean.eval.runtime import Unknown, charge

_MAX_RUNS: Final = 5_000
_MAX_LENGTH: Final = 24

Equation = tuple[int, Any]
"""Class of positions, and what it equals: `(value,)` or the number of another class."""


@dataclass(frozen=True, slots=True)
class _State:
    """`places` gives the class at each position, `values` what is known of a class as `(value,)`."""

    places: tuple[int, ...]
    values: dict[int, tuple[Any]]
    excluded: frozenset[Equation]
    open_end: bool
    classes: int


@dataclass(frozen=True, slots=True)
class Solution:
    """A list that makes the run true; `only` says that its state stood for no other list."""

    value: Any
    only: bool


class Narrowing:
    """One search; elements are of a kind of `generic.KINDS`. `longest` bounds the length where that is known."""

    def __init__(self, kind: str, run: Callable[[Any], bool], longest: int | None = None) -> None:
        self.kind = kind
        self.run = run
        self.longest = longest
        self.runs = 0

    def solutions(self) -> Iterator[Solution]:
        """Yield solutions, at least one if there is any; raises `Unknown` at the end when some state was undecided."""
        unknown: BaseException | None = None
        stack = [_State((), {}, frozenset(), True, 0)]
        while stack:
            state = stack.pop()
            self.runs += 1
            charge(10)
            if self.runs > _MAX_RUNS:
                raise Unknown("undecided", "a search for a list with too many cases")
            group: list[tuple[int, int]] = []
            cells = {c: Cell(self.kind, c, group) for c in range(state.classes) if c not in state.values}
            try:
                verdict = self.run(self._value(state, cells))
            except CAUGHT as error:
                if is_fatal(error):
                    raise
                more = self._longer(state)
                if more is None:
                    unknown = error
                else:
                    stack.extend(more)
                continue
            if verdict:
                yield Solution(self._instance(state, cells), not cells and not state.open_end)
                continue
            stack.extend(self._cases(state, cells, group))
        if unknown is not None:
            raise unknown

    def _value(self, state: _State, cells: dict[int, Cell]) -> Any:
        out: Any = Open() if state.open_end else ()
        for c in reversed(state.places):
            out = (Generic(cells[c]) if c in cells else state.values[c][0], out)
        return out

    def _longer(self, state: _State) -> list[_State] | None:
        """Return the states in which the open end is settled, or None where that is of no use."""
        if not state.open_end:
            return None
        ended = _State(state.places, state.values, state.excluded, False, state.classes)
        n = len(state.places)
        if self.longest is not None and n >= self.longest:
            return [ended]
        if n >= _MAX_LENGTH:
            return None
        new = state.classes
        return [_State((*state.places, new), state.values, state.excluded, True, new + 1), ended]

    def _cases(self, state: _State, cells: dict[int, Cell], group: list[tuple[int, int]]) -> list[_State]:
        """Return the states in which one of the equations that were met is true."""
        met: list[Equation] = [(c, (v,)) for c, cell in cells.items() for v in cell.seen]
        met.extend((max(a, b), min(a, b)) for a, b in group)
        excluded = state.excluded
        out: list[_State] = []
        for equation in dict.fromkeys(met):
            if equation in excluded:
                continue
            out.append(self._assume(state, equation, excluded))
            excluded = excluded | {equation}
        out.reverse()
        return out

    @staticmethod
    def _assume(state: _State, equation: Equation, excluded: frozenset[Equation]) -> _State:
        c, other = equation
        if isinstance(other, tuple):
            return _State(state.places, {**state.values, c: other}, excluded, state.open_end, state.classes)
        places = tuple([other if p == c else p for p in state.places])
        # The class is gone: a value for it is never asked for, and what was excluded for it now speaks of the other.
        kept = frozenset(_renamed(e, c, other) for e in excluded)
        return _State(places, {**state.values, c: (None,)}, kept, state.open_end, state.classes)

    def _instance(self, state: _State, cells: dict[int, Cell]) -> Any:
        """Return a list of the state in which all the equations met are false."""
        taken = Cell(self.kind)
        for cell in cells.values():
            taken.seen.update(cell.seen)
        for value in state.values.values():
            taken.seen[value[0]] = None
        taken.seen.pop(None, None)
        chosen: dict[int, Any] = {}
        for c in cells:
            chosen[c] = taken.fresh()
            taken.seen[chosen[c]] = None
        out: Any = ()
        for c in reversed(state.places):
            out = (chosen[c] if c in chosen else state.values[c][0], out)
        return out


def _renamed(equation: Equation, old: int, new: int) -> Equation:
    a, b = equation
    if a == old:
        a = new
    if b == old:
        b = new
    return (b, a) if isinstance(b, int) and b > a else (a, b)
