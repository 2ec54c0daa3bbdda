"""Types of labelled values as a small grammar, and values of them as plain Python data.

A `Kind` says what a value is made of; it is made from the elaborated type, so abbreviations and the types of a task's
preamble are looked through. A *plain* value is what mutation and generation work on:

| kind | plain value |
| --- | --- |
| Nat, Int, Bounded (Fin n, UInt8, Int8, BitVec w, …) | `int` |
| Bool | `bool` |
| Char, String | `str` |
| Rat | `fractions.Fraction` |
| Float | `float` |
| Unit | `()` |
| List, Array, Vector | `tuple` of plain values |
| Option | `None` or `(x,)` |
| Prod | `(a, b)`, nested to the right |
| Data (structures, inductives, `Sum`, `Except`) | `(constructor's number, field, …)` |

`show` gives a value's one text in Lean notation, which reads back as the same value; equal texts mean equal values, so
the text is also the key that values are compared by (NaN equals NaN, 0.0 differs from -0.0).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final, TypeAlias

from specgen.lean import core
from specgen.lean.core import Const, Term
from specgen.lean.eval.printing import Printer
from specgen.lean.eval.types import Types
from specgen.lean.eval.values import Arr, from_list, to_list
from specgen.tasks.values import lean_char, lean_string

Plain: TypeAlias = Any
"""A plain value; what it looks like follows from its kind (the table above)."""

Constructors: TypeAlias = "tuple[tuple[str, tuple[Kind, ...]], ...]"
"""Names of constructors with the kinds of their fields."""

_SCALARS: Final = {"Nat": "Nat", "Int": "Int", "Bool": "Bool", "Char": "Char", "String": "String", "Rat": "Rat"}
_SCALARS_TOO: Final = {"Float": "Float", "Unit": "Unit", "PUnit": "Unit"}
_UNSIGNED: Final = {"UInt8": 8, "UInt16": 16, "UInt32": 32, "UInt64": 64, "USize": 32}
_SIGNED: Final = {"Int8": 8, "Int16": 16, "Int32": 32, "Int64": 64, "ISize": 32}
"""Widths in bits; those that depend on the machine count as their smaller width."""

SEQUENCES: Final = frozenset(("List", "Array", "Vector"))
NUMBERS: Final = frozenset(("Nat", "Int", "Bounded"))


@dataclass(frozen=True, slots=True)
class Kind:
    """A type of values.

    Attributes:
        head: what it is: a row of the module's table, or `Opaque` for what we do not take apart.
        args: kinds of its parts (elements; what an option holds; both sides of a pair).
        low, high: the range of a `Bounded` number; of a `Vector`, both are its length.
        name: the type's name (`Data`), or why it is `Opaque`.
        layout: how the engine holds values of a `Data` type: `tuple`, `enum` or `tagged`.
        table: constructors of the inductive types in reach, by name: a type may occur in its own fields.
    """

    head: str
    args: tuple[Kind, ...] = ()
    low: int = 0
    high: int = 0
    name: str = ""
    layout: str = ""
    table: dict[str, Constructors] = field(default_factory=dict, compare=False, repr=False, hash=False)

    @property
    def constructors(self) -> Constructors:
        """Constructors of a `Data` kind."""
        return self.table[self.name]

    @property
    def is_number(self) -> bool:
        """Whether values are whole numbers."""
        return self.head in NUMBERS

    @property
    def is_sequence(self) -> bool:
        """Whether values are lists, arrays or vectors."""
        return self.head in SEQUENCES

    def opaque(self) -> str:
        """Return why some part of the type cannot be taken apart, or empty."""
        seen: set[str] = set()
        left: list[Kind] = [self]
        while left:
            kind = left.pop()
            if kind.head == "Opaque":
                return kind.name
            left.extend(kind.args)
            if kind.head == "Data" and kind.name not in seen:
                seen.add(kind.name)
                left.extend(f for _, fields in kind.constructors for f in fields)
        return ""

    def admits(self, value: Plain) -> bool:
        """Tell whether a plain value of this shape is in the type's range (`Nat`, `Bounded`, length of a `Vector`)."""
        match self.head:
            case "Nat":
                return bool(value >= 0)
            case "Bounded":
                return bool(self.low <= value <= self.high)
            case "Vector" if len(value) != self.high:
                return False
            case "List" | "Array" | "Vector":
                return all(self.args[0].admits(x) for x in value)
            case "Option":
                return value is None or self.args[0].admits(value[0])
            case "Prod":
                return self.args[0].admits(value[0]) and self.args[1].admits(value[1])
            case "Data":
                fields = self.constructors[value[0]][1]
                return all(f.admits(x) for f, x in zip(fields, value[1:], strict=True))
            case _:
                return True


OPAQUE_FUNCTION: Final = "a function"


def kind_of(types: Types, type_: Term) -> Kind:
    """Return the kind of an elaborated type."""
    return _Grammar(types).kind(type_)


class _Grammar:
    """Builds kinds; one table of inductive types for all of them."""

    def __init__(self, types: Types) -> None:
        self.types = types
        self.table: dict[str, Constructors] = {}

    def kind(self, type_: Term) -> Kind:
        term = self.types.normal_type(type_)
        head, args = core.unfold_app(term)
        if not isinstance(head, Const):
            return Kind("Opaque", name=OPAQUE_FUNCTION if isinstance(term, core.Pi) else "a type that is not named")
        if head.name not in self.types.env.constants:
            found = self._library(head.name, args)
            if found is not None:
                return found
        return self._data(head.name, args, term)

    def _library(self, name: str, args: tuple[Term, ...]) -> Kind | None:
        if name in _SCALARS or name in _SCALARS_TOO:
            return Kind(_SCALARS.get(name) or _SCALARS_TOO[name])
        if name in _UNSIGNED:
            return Kind("Bounded", high=2 ** _UNSIGNED[name] - 1, name=name)
        if name in _SIGNED:
            half = 2 ** (_SIGNED[name] - 1)
            return Kind("Bounded", low=-half, high=half - 1, name=name)
        if name in ("Fin", "BitVec"):
            size = self.types.nat_literal(self.types.normal_type(args[0]))
            if not size:
                return Kind("Opaque", name=f"{name} of a size that is not a numeral")
            return Kind("Bounded", high=(size if name == "Fin" else 2**size) - 1, name=name)
        if name in ("List", "Array", "Option"):
            return Kind(name, (self.kind(args[0]),))
        if name == "Vector":
            length = self.types.nat_literal(self.types.normal_type(args[1]))
            if length is None:
                return Kind("Opaque", name="Vector of a length that is not a numeral")
            return Kind(name, (self.kind(args[0]),), length, length)
        if name == "Prod":
            return Kind(name, (self.kind(args[0]), self.kind(args[1])))
        return None

    def _data(self, name: str, args: tuple[Term, ...], term: Term) -> Kind:
        layout = self.types.layout(name)
        if layout is None or layout.shape not in ("tuple", "enum", "tagged"):
            return Kind("Opaque", name=f"the type {name.lstrip('@')}")
        if layout.info.is_class or layout.info.indices or not all(all(row) for row in layout.relevant):
            return Kind("Opaque", name=f"the type {name.lstrip('@')}, whose values carry proofs or indices")
        key = name if not args else f"{name} {term!r}"
        kind = Kind("Data", name=key, layout=layout.shape, table=self.table)
        if key not in self.table:
            self.table[key] = ()  # a type that occurs in its own fields ends here
            printer = Printer(self.types)
            rows = []
            for tag, constructor in enumerate(layout.info.constructors):
                fields = [t for _, t in printer.fields(layout, tag, args)]
                kinds = [Kind("Opaque", name="a dependent field") if t.has_fvar else self.kind(t) for t in fields]
                rows.append((constructor.lstrip("@"), tuple(kinds)))
            self.table[key] = tuple(rows)
        return kind


def plain(kind: Kind, data: Any) -> Plain:
    """Return the engine's value (docs/engine.md, "Values") as a plain one."""
    match kind.head:
        case "List":
            return tuple([plain(kind.args[0], x) for x in from_list(data)])
        case "Array" | "Vector":
            return tuple([plain(kind.args[0], x) for x in data.tolist()])
        case "Option":
            return None if data is None else (plain(kind.args[0], data[0]),)
        case "Prod":
            return (plain(kind.args[0], data[0]), plain(kind.args[1], data[1]))
        case "Data":
            tag, fields = _taken_apart(kind, data)
            kinds = kind.constructors[tag][1]
            return (tag, *[plain(k, x) for k, x in zip(kinds, fields, strict=True)])
        case _:
            return data


def engine_data(kind: Kind, value: Plain) -> Any:
    """Return a plain value as the engine holds it: the inverse of `plain`."""
    match kind.head:
        case "List":
            return to_list([engine_data(kind.args[0], x) for x in value])
        case "Array" | "Vector":
            return Arr([engine_data(kind.args[0], x) for x in value])
        case "Option":
            return None if value is None else (engine_data(kind.args[0], value[0]),)
        case "Prod":
            return (engine_data(kind.args[0], value[0]), engine_data(kind.args[1], value[1]))
        case "Data":
            if kind.layout == "enum":
                return value[0]
            kinds = kind.constructors[value[0]][1]
            fields = [engine_data(k, x) for k, x in zip(kinds, value[1:], strict=True)]
            return tuple(fields) if kind.layout == "tuple" else (value[0], *fields)
        case _:
            return value


def _taken_apart(kind: Kind, data: Any) -> tuple[int, Sequence[Any]]:
    if kind.layout == "enum":
        return data, ()
    return (0, data) if kind.layout == "tuple" else (data[0], data[1:])


# ----------------------------------------------------------------------------------------------------------------- text


def show(kind: Kind, value: Plain, argument: bool = False) -> str:
    """Return a plain value in Lean notation; with `argument`, so that it can stand after a function."""
    match kind.head:
        case "Nat" | "Int" | "Bounded":
            return _guarded(str(value), argument and value < 0)
        case "Bool":
            return "true" if value else "false"
        case "Char":
            return lean_char(value)
        case "String":
            return lean_string(value)
        case "Rat":
            return _rational(value, argument)
        case "Float":
            return _float(value, argument)
        case "Unit":
            return "()"
        case "List" | "Array" | "Vector":
            opening = {"List": "[", "Array": "#[", "Vector": "#v["}[kind.head]
            return opening + ", ".join([show(kind.args[0], x) for x in value]) + "]"
        case "Option":
            if value is None:
                return "none"
            return _guarded(f"some {show(kind.args[0], value[0], True)}", argument)
        case "Prod":
            return "(" + ", ".join(_components(kind, value)) + ")"
        case _:
            name, kinds = kind.constructors[value[0]]
            shown = [show(k, x, True) for k, x in zip(kinds, value[1:], strict=True)]
            return _guarded(" ".join([name, *shown]), argument and bool(shown))


def _components(kind: Kind, value: Plain) -> list[str]:
    out = [show(kind.args[0], value[0])]
    while kind.args[1].head == "Prod":
        kind, value = kind.args[1], value[1]
        out.append(show(kind.args[0], value[0]))
    return [*out, show(kind.args[1], value[1])]


def _guarded(text: str, wrap: bool) -> str:
    return f"({text})" if wrap else text


def _rational(value: Fraction, argument: bool) -> str:
    if value.denominator == 1:
        return _guarded(str(value.numerator), argument and value < 0)
    return _guarded(f"{value.numerator} / {value.denominator}", argument)


def _float(value: float, argument: bool) -> str:
    """Return a Float as decimal digits that read back as the same number (the engine prints six digits only)."""
    if math.isnan(value):
        return "(0.0 / 0.0)"
    if math.isinf(value):
        return "(1.0 / 0.0)" if value > 0 else "(-1.0 / 0.0)"
    text = format(Decimal(repr(value)), "f")
    if "." not in text:
        text += ".0"
    return _guarded(text, argument and text.startswith("-"))
