"""Values in Lean notation, by type: what `#eval` prints, which is also what Lean reads back."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, Final, TypeAlias

from specgen.lean import core
from specgen.lean.core import Const, FVar, Pi, Term
from specgen.lean.elab.subst import subst
from specgen.lean.eval.runtime import Unknown, charge
from specgen.lean.eval.types import Layout, Types
from specgen.lean.eval.values import Arr, Finset, HashMap, Multiset, TreeMap, Value, iter_list

Shower: TypeAlias = Callable[[Any, int], str]
"""Value and precedence (1024 wants parentheses around an application) to text."""

MAX_PREC: Final = 1024
_ESCAPES: Final = {"\n": "\\n", "\t": "\\t", "\\": "\\\\", '"': '\\"', "\r": "\\r"}
_INTEGERS: Final = frozenset(
    {"Nat", "Int", "Fin", "UInt8", "UInt16", "UInt32", "UInt64", "USize", "String.Pos"}
    | {"Int8", "Int16", "Int32", "Int64", "ISize"}
)


class Printer:
    """Prints values of the types of one environment; `variables` prints those of type variables."""

    def __init__(self, types: Types, variables: dict[int, Shower] | None = None) -> None:
        self.types = types
        self.variables = variables or {}

    def show(self, type_: Term, value: Value, prec: int = 0) -> str:
        """Return the Lean notation of a value.

        Raises:
            Unknown: the value has a function inside, or its type is one we cannot print.
        """
        charge(1)
        head, args = core.unfold_app(self.types.normal_type(type_))
        if isinstance(head, FVar) and head.id in self.variables:
            return self.variables[head.id](value, prec)
        if not isinstance(head, Const):
            raise Unknown("unsupported", "printing a function or a value of unknown type")
        atom = self._atom(head.name, args, value, prec)
        return self._compound(head.name, args, value, prec) if atom is None else atom

    def _atom(self, name: str, args: tuple[Term, ...], value: Value, prec: int) -> str | None:
        if name in _INTEGERS:
            return _number(value, prec)
        match name:
            case "BitVec":
                return f"{value}#{'w' if not args else self._width(args[0])}"
            case "Bool":
                return "true" if value else "false"
            case "Char":
                return quote_char(value)
            case "String" | "Substring":
                return quote_string(value) if isinstance(value, str) else None
            case "PUnit" | "Unit":
                return "()"
            case "Float":
                from specgen.lean.eval.floats import show_float

                return show_float(value)
            case "Rat":
                return show_rational(value, prec)
            case _:
                return None

    def _width(self, term: Term) -> str:
        term = self.types.normal_type(term)
        n = self.types.nat_literal(term)
        return "w" if n is None else str(n)

    def _compound(self, name: str, args: tuple[Term, ...], value: Value, prec: int) -> str:
        match name:
            case "List":
                return "[" + ", ".join([self.show(args[0], x) for x in iter_list(value)]) + "]"
            case "Array" if isinstance(value, Arr):
                return "#[" + ", ".join([self.show(args[0], x) for x in value.tolist()]) + "]"
            case "Vector" if isinstance(value, Arr):
                return "#v[" + ", ".join([self.show(args[0], x) for x in value.tolist()]) + "]"
            case "Option":
                if value is None:
                    return "none"
                return _paren("some " + self.show(args[0], value[0], MAX_PREC), prec)
            case "Prod" | "MProd" | "PProd":
                return "(" + ", ".join(self._tuple(name, args, value)) + ")"
            case "Multiset" | "Finset" if isinstance(value, Multiset | Finset):
                return "{" + ", ".join(sorted([self.show(args[0], x) for x in value], key=natural)) + "}"
            case _ if isinstance(value, HashMap | TreeMap):
                raise Unknown("unsupported", f"printing a {name}")
            case _:
                return self._inductive(name, args, value, prec)

    def _tuple(self, name: str, args: tuple[Term, ...], value: Value) -> list[str]:
        parts = [self.show(args[0], value[0])]
        rest_type, rest = self.types.normal_type(args[1]), value[1]
        while True:
            head, inner = core.unfold_app(rest_type)
            if not (isinstance(head, Const) and head.name == name):
                break
            parts.append(self.show(inner[0], rest[0]))
            rest_type, rest = self.types.normal_type(inner[1]), rest[1]
        parts.append(self.show(rest_type, rest))
        return parts

    def _inductive(self, name: str, args: tuple[Term, ...], value: Value, prec: int) -> str:
        layout = self.types.layout(name)
        if layout is None:
            raise Unknown("unsupported", f"printing a value of type {name}")
        if layout.shape == "enum":
            return layout.info.constructors[value]
        tag = value[0] if layout.shape == "tagged" else 0
        ctor = layout.info.constructors[tag]
        fields = self.fields(layout, tag, args)
        if layout.shape == "wrapper":
            shown = self.show(fields[layout.field][1], value, 0)
            if name == "Subtype":
                return self.show(fields[layout.field][1], value, prec)
            return "{ " + self._record(layout, [shown if i == layout.field else "_" for i in range(len(fields))]) + " }"
        offset = 1 if layout.shape == "tagged" else 0
        if layout.info.is_structure:
            parts = [
                self.show(t, value[i + offset]) if keep else "_"
                for i, (t, keep) in enumerate(zip([f[1] for f in fields], layout.relevant[tag], strict=True))
            ]
            return "{ " + self._record(layout, parts) + " }" if parts else f"{ctor}"
        shown_args = [
            self.show(t, value[i + offset], MAX_PREC) if keep else "_"
            for i, ((_, t), keep) in enumerate(zip(fields, layout.relevant[tag], strict=True))
        ]
        return _paren(" ".join([ctor, *shown_args]), prec) if shown_args else ctor

    @staticmethod
    def _record(layout: Layout, parts: list[str]) -> str:
        return ", ".join([f"{f} := {p}" for f, p in zip(layout.info.fields, parts, strict=False)])

    def fields(self, layout: Layout, tag: int, args: tuple[Term, ...]) -> list[tuple[str, Term]]:
        """Return names and types of a constructor's fields at given type arguments.

        A field's type that depends on earlier fields mentions them as free variables.
        """
        constant = self.types.env.get(layout.info.constructors[tag])
        if constant is None:
            raise Unknown("unsupported", f"the constructor {layout.info.constructors[tag]}")
        type_: Term = constant.type
        for i in range(layout.info.params):
            if isinstance(type_, Pi):
                type_ = subst(type_.body, (args[i],))
        out: list[tuple[str, Term]] = []
        while isinstance(type_, Pi):
            out.append((type_.name, type_.type))
            type_ = subst(type_.body, (self.types.local(type_.name, type_.type),))
        return out


def natural(text: str) -> tuple[int, str]:
    """Order shown elements: shorter first, so that numbers come in order."""
    return (len(text), text)


def _paren(text: str, prec: int) -> str:
    return f"({text})" if prec >= MAX_PREC else text


def _number(value: int, prec: int) -> str:
    if value < 0:
        return f"({value})" if prec > 70 else str(value)
    if value.bit_length() > 13_000:
        raise Unknown("memory", "a number too long to print")
    return str(value)


def show_rational(value: Fraction, prec: int) -> str:
    """Return a rational as Lean shows it: `3`, `-1/2` (in parentheses where an argument stands)."""
    if value.denominator == 1:
        return _number(value.numerator, prec)
    text = f"{value.numerator}/{value.denominator}"
    return f"({text})" if prec > 70 else text


def escape_char(c: str, quote: str) -> str:
    """Return one character as it stands inside a literal."""
    if c == quote:
        return "\\" + c
    if c in _ESCAPES and c != '"':
        return _ESCAPES[c]
    if ord(c) <= 31 or c == "\x7f":
        return f"\\x{ord(c):02x}"
    return c


def quote_char(c: str) -> str:
    """Return a character literal."""
    return "'" + escape_char(c, "'") + "'"


def quote_string(s: str) -> str:
    """Return a string literal."""
    return '"' + "".join([escape_char(c, '"') for c in s]) + '"'
