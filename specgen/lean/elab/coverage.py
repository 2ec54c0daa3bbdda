"""Whether the alternatives of a match cover every case, and whether each can be reached (Maranget's usefulness)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from specgen.lean.core import PArray, PAs, Pattern, PCtor, PLit, PSucc, PWild
from specgen.lean.environment import InductiveInfo

Signature: TypeAlias = tuple[object, int]
"""A constructor (or literal) and its number of fields."""
Row: TypeAlias = tuple[Pattern, ...]

_WILD = PWild()
_MAX_STEPS = 20000


class Undecided(Exception):  # noqa: N818
    """The patterns are of a kind for which coverage is not decided here."""


@dataclass
class Coverage:
    """Decides coverage; `info_of` gives the inductive type of a constructor."""

    info_of: Callable[[str], InductiveInfo | None]
    steps: int = 0

    def missing(self, rows: Sequence[Row], width: int) -> tuple[str, ...] | None:
        """Return a case that no row covers (a text for each column), or None. Raises Undecided."""
        return self._witness([tuple(r) for r in rows], width)

    def redundant(self, rows: Sequence[Row]) -> int | None:
        """Return the index of the first row that earlier rows cover wholly, or None. Raises Undecided."""
        for i in range(1, len(rows)):
            if not self._useful(list(rows[:i]), rows[i]):
                return i
        return None

    # ---- the signature of a column

    def _head(self, pattern: Pattern, nat_ctors: bool) -> tuple[Signature, Row] | None:
        """Return the constructor of a pattern and its fields, or None for one that matches everything."""
        while isinstance(pattern, PAs):
            pattern = pattern.pattern
        if isinstance(pattern, PCtor):
            return (pattern.name, len(pattern.args)), pattern.args
        if isinstance(pattern, PSucc):
            rest: Pattern = pattern.pattern if pattern.offset == 1 else PSucc(pattern.pattern, pattern.offset - 1)
            return ("Nat.succ", 1), (rest,)
        if isinstance(pattern, PLit):
            if pattern.kind == "Nat" and nat_ctors:
                assert isinstance(pattern.value, int)
                if pattern.value == 0:
                    return ("Nat.zero", 0), ()
                return ("Nat.succ", 1), (PLit(pattern.value - 1, "Nat"),)
            if pattern.kind not in ("Nat", "Int", "String", "Char"):
                raise Undecided
            return (("lit", pattern.value), 0), ()
        if isinstance(pattern, PArray):
            return (("array", len(pattern.items)), len(pattern.items)), pattern.items
        return None

    def _nat_ctors(self, column: Sequence[Pattern]) -> bool:
        """Tell whether a column of Nat patterns must be read by constructors rather than as literals."""
        for pattern in column:
            while isinstance(pattern, PAs):
                pattern = pattern.pattern
            if isinstance(pattern, PSucc) or (isinstance(pattern, PCtor) and pattern.name.startswith("Nat.")):
                return True
        return False

    def _complete(self, heads: dict[object, Signature]) -> list[Signature] | None:
        """Return all constructors of the column's type, or None when they are not enumerable."""
        first = next(iter(heads))
        if not isinstance(first, str):
            return None
        if any(not isinstance(h, str) for h in heads):
            raise Undecided
        if first in ("Nat.zero", "Nat.succ"):
            return [("Nat.zero", 0), ("Nat.succ", 1)]
        info = self.info_of(first)
        if info is None or info.indices:
            raise Undecided
        return [(c, n) for c, n in zip(info.constructors, info.field_counts, strict=True)]

    # ---- the algorithm

    def _tick(self) -> None:
        self.steps += 1
        if self.steps > _MAX_STEPS:
            raise Undecided

    def _specialise(self, rows: list[Row], signature: Signature, nat: bool) -> list[Row]:
        name, arity = signature
        out: list[Row] = []
        for row in rows:
            head = self._head(row[0], nat)
            if head is None:
                out.append((*([_WILD] * arity), *row[1:]))
            elif head[0][0] == name:
                if len(head[1]) != arity:
                    raise Undecided
                out.append((*head[1], *row[1:]))
        return out

    def _columns(self, rows: list[Row], extra: Pattern | None = None) -> tuple[dict[object, Signature], bool]:
        column = [r[0] for r in rows] + ([extra] if extra is not None else [])
        nat = self._nat_ctors(column)
        heads: dict[object, Signature] = {}
        for row in rows:
            head = self._head(row[0], nat)
            if head is not None:
                heads[head[0][0]] = head[0]
        return heads, nat

    def _witness(self, rows: list[Row], width: int) -> tuple[str, ...] | None:
        self._tick()
        if width == 0:
            return None if rows else ()
        if not rows:
            return ("_",) * width
        heads, nat = self._columns(rows)
        rest = [r[1:] for r in rows if self._head(r[0], nat) is None]
        if not heads:
            found = self._witness(rest, width - 1)
            return None if found is None else ("_", *found)
        everything = self._complete(heads)
        if everything is None or len(everything) > len(heads):
            found = self._witness(rest, width - 1)
            if found is None:
                return None
            absent = next((s for s in everything or () if s[0] not in heads), None)
            return (_show(absent, ["_"] * absent[1]) if absent is not None else "_", *found)
        for signature in everything:
            arity = signature[1]
            found = self._witness(self._specialise(rows, signature, nat), arity + width - 1)
            if found is not None:
                return (_show(signature, found[:arity]), *found[arity:])
        return None

    def _useful(self, rows: list[Row], row: Row) -> bool:
        self._tick()
        if not row:
            return not rows
        heads, nat = self._columns(rows, row[0])
        head = self._head(row[0], nat)
        if head is not None:
            signature, fields = head
            return self._useful(self._specialise(rows, signature, nat), (*fields, *row[1:]))
        rest = [r[1:] for r in rows if self._head(r[0], nat) is None]
        if heads:
            everything = self._complete(heads)
            if everything is not None and len(everything) == len(heads):
                return any(
                    self._useful(self._specialise(rows, s, nat), (*([_WILD] * s[1]), *row[1:])) for s in everything
                )
        return self._useful(rest, row[1:])


def _show(signature: Signature, fields: Sequence[str]) -> str:
    name = signature[0]
    text = name if isinstance(name, str) else "_"
    return f"({text} {' '.join(fields)})" if fields else text
