"""Types and values as parent and child exchange them: plain data that JSON carries.

A neutral value is an `int` (Nat, Int, Fin, BitVec, fixed-width integers; signed ones signed), a `bool`, a `str` (Char,
String), the `float.hex()` text of a Float, a list (List, Array, Vector; `[num, den]` for Rat; for a map the list of its
entries, sorted), None or a list of one (Option), a list `[tag, field, …]` of relevant fields (other inductive types and
structures), or `{"fn": [kind, seed]}` (a function).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, TypeAlias

Neutral: TypeAlias = Any

WORDS: Final = {"UInt8": 8, "UInt16": 16, "UInt32": 32, "UInt64": 64, "USize": 64}
SIGNED: Final = {"Int8": 8, "Int16": 16, "Int32": 32, "Int64": 64, "ISize": 64}
SEQUENCES: Final = frozenset({"List", "Array", "Vector"})
ATOMS: Final = frozenset({"Nat", "Int", "Bool", "Char", "String", "Float", "Fin", "BitVec", *WORDS, *SIGNED})


@dataclass(frozen=True, slots=True)
class Ty:
    """A closed type.

    Attributes:
        head: an atom, a sequence, `Option`, `fn`, `data`, `erased` (a type or a proof), `slice` (Lean's `String.Slice`,
            read as its text), `map` (the maps and sets of `Std`, told apart by `name`).
        args: element types; for `fn` the parameters and then the result.
        size: of Fin, BitVec and Vector where it matters (values that are made), else -1.
        name: of a `data` type.
        shape: how the engine lays a `data` type out (`eval/types.py`).
        constructors: of a `data` type, the type of each field; erased fields are of type `erased`.
    """

    head: str
    args: tuple[Ty, ...] = ()
    size: int = -1
    name: str = ""
    shape: str = ""
    constructors: tuple[tuple[Ty, ...], ...] = ()

    def __str__(self) -> str:
        if self.head == "fn":
            return "(" + " → ".join(str(a) for a in self.args) + ")"
        own = self.name if self.head == "data" else self.head
        parts = [own, *[str(a) for a in self.args], *([str(self.size)] if self.size >= 0 else [])]
        return parts[0] if len(parts) == 1 else "(" + " ".join(parts) + ")"

    def to_json(self) -> Any:
        """Return it as plain data."""
        constructors = [[f.to_json() for f in c] for c in self.constructors]
        return [self.head, [a.to_json() for a in self.args], self.size, self.name, self.shape, constructors]

    @staticmethod
    def from_json(data: Any) -> Ty:
        """Read what `to_json` gave."""
        head, args, size, name, shape, constructors = data
        fields = tuple(tuple(Ty.from_json(f) for f in c) for c in constructors)
        return Ty(head, tuple(Ty.from_json(a) for a in args), size, name, shape, fields)

    @property
    def enumeration(self) -> bool:
        """Whether it is a `data` type none of whose constructors has a relevant field."""
        return self.head == "data" and all(f.head == "erased" for c in self.constructors for f in c)

    @property
    def wrapped(self) -> Ty | None:
        """The only relevant field of a structure that has one: Lean represents the structure by it."""
        if self.head != "data" or len(self.constructors) != 1:
            return None
        kept = [f for f in self.constructors[0] if f.head != "erased"]
        return kept[0] if len(kept) == 1 else None


ERASED: Final = Ty("erased")
NAT: Final = Ty("Nat")
INT: Final = Ty("Int")
BOOL: Final = Ty("Bool")


def fn(*types: Ty) -> Ty:
    """Return a function type: parameters, then the result."""
    return Ty("fn", types)


def pair(first: Ty, second: Ty) -> Ty:
    """Return the type of pairs."""
    return Ty("data", (), -1, "Prod", "tuple", ((first, second),))
