"""Values of labelled examples: JSON values, Python values and Lean terms become exact Lean terms, as text.

A label holds each value as the text of a closed Lean term of the parameter's type. The type decides how a value is
read: for `String` a JSON string is the string itself, for every other type it is a Lean term. Numbers keep the digits
they are written with (`7.5` for Rat or Float is `7.5`, never a rounded binary fraction): read JSON with `loads` here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any, TypeAlias

from specgen.errors import UserError
from specgen.tasks._text import balanced, closing, mask, opaque_end, split_top, strip_parens

JsonValue: TypeAlias = "None | bool | int | float | Decimal | str | list[JsonValue] | dict[str, JsonValue]"

_NATURAL = {"Nat", "ℕ", "UInt8", "UInt16", "UInt32", "UInt64", "USize"}
_INTEGER = {"Int", "ℤ", "Int8", "Int16", "Int32", "Int64", "ISize"}
_RATIONAL = {"Rat", "ℚ", "Real", "ℝ"}
_FLOAT = {"Float", "Float32"}
_ATOM = re.compile(r"[^\W\d][\w.'!?₀-₉]*|\d+(?:\.\d+)?(?:[eE]\d+)?")


class ValueFormatError(UserError):
    """A value cannot be a value of the type it is given for."""

    code = "value"


@dataclass(frozen=True, slots=True)
class TypeTree:
    """A Lean type as far as values need it: `head` applied to `args`; `×` and `→` are heads too."""

    head: str
    args: tuple[TypeTree, ...] = ()


def parse_type(text: str) -> TypeTree:
    """Read a type: applications, `×` (right-nested), `→`, parentheses. Anything else stays one opaque head."""
    text = strip_parens(text)
    for arrow in ("→", "->"):
        parts = split_top(text, arrow)
        if len(parts) > 1:
            return TypeTree("→", (parse_type(parts[0]), parse_type(f" {arrow} ".join(parts[1:]))))
    parts = split_top(text, "×")
    if len(parts) > 1:
        return TypeTree("×", (parse_type(parts[0]), parse_type(" × ".join(parts[1:]))))
    pieces = _arguments(text)
    if not pieces:
        return TypeTree(text)
    head = "×" if pieces[0] == "Prod" and len(pieces) == 3 else pieces[0]
    return TypeTree(head, tuple(parse_type(piece) for piece in pieces[1:]))


def loads(text: str) -> JsonValue:
    """Read JSON with exact decimals (`Decimal` for every number with a point or an exponent).

    Raises `json.JSONDecodeError` as `json.loads` does.
    """
    value: JsonValue = json.loads(text, parse_float=Decimal)
    return value


def lean_term(value: JsonValue, type_text: str) -> str:
    """Return a value as the text of a Lean term of the given type.

    Args:
        value: a JSON value (numbers exact, see `loads`); a string is the string itself for `String`, a character or a
            quoted character for `Char`, and a Lean term for every other type.
        type_text: the Lean type.

    Raises:
        ValueFormatError: the value cannot have that type.
    """
    return _term(value, parse_type(type_text), type_text)


def lean_string(value: str) -> str:
    """Return a Lean string literal (characters that are not printable ASCII escapes stay as they are)."""
    return '"' + "".join(_escape(char, '"') for char in value) + '"'


def lean_char(value: str) -> str:
    """Return a Lean character literal for one code point."""
    return "'" + _escape(value, "'") + "'"


def as_argument(term: str) -> str:
    """Return a term so that it can stand as an argument: in parentheses unless it is one token or bracketed already."""
    if _ATOM.fullmatch(term):
        return term
    if term[:1] in "([⟨{" and closing(mask(term), 0) == len(term):
        return term
    if term.startswith("#[") and closing(mask(term), 1) == len(term):
        return term
    quoted = term[:1] in "\"'" and len(term) > 1 and not mask(term).strip()
    return term if quoted else f"({term})"


def _escape(char: str, quote: str) -> str:
    simple = {"\n": "\\n", "\t": "\\t", "\r": "\\r", "\\": "\\\\", quote: "\\" + quote}
    if char in simple:
        return simple[char]
    code = ord(char)
    return f"\\x{code:02x}" if code < 32 or code == 127 else char


def _wrong(value: Any, type_text: str) -> ValueFormatError:
    shown = str(value) if isinstance(value, Decimal) else repr(value)
    if len(shown) > 60:
        shown = shown[:57] + "..."
    return ValueFormatError(
        f"the value {shown} is not a value of type {type_text}",
        remedy="Give a JSON value of that type, or a Lean term as a string",
    )


def _term(value: Any, kind: TypeTree, type_text: str) -> str:
    head = kind.head
    if isinstance(value, str):
        return _from_text(value, head, type_text)
    if value is None:
        return _from_null(head, type_text)
    if isinstance(value, bool):
        if head == "Option":
            return f"some {as_argument(_term(value, kind.args[0], type_text))}"
        if head == "Prop":
            return "True" if value else "False"
        if head in (*_NATURAL, *_INTEGER, *_RATIONAL, *_FLOAT, "String", "Char", "List", "Array", "×"):
            raise _wrong(value, type_text)
        return "true" if value else "false"
    if isinstance(value, (int, float, Decimal, Fraction)):
        return _from_number(value, kind, type_text)
    if isinstance(value, (list, tuple)):
        return _from_sequence(value, kind, type_text)
    if isinstance(value, dict) and head in ("Std.HashMap", "HashMap", "Std.TreeMap", "TreeMap") and len(kind.args) >= 2:
        key, item = kind.args[:2]
        rows = [f"({_term(k, key, type_text)}, {_term(v, item, type_text)})" for k, v in value.items()]
        return f"{head}.ofList [{', '.join(rows)}]"
    raise _wrong(value, type_text)


def _from_text(value: str, head: str, type_text: str) -> str:
    if head == "String":
        return lean_string(value)
    if head == "Char" and len(value) == 1:
        return lean_char(value)
    term = value.strip()
    if head == "Bool" and term in ("True", "False"):
        return term.lower()
    if not term or not balanced(term):
        raise _wrong(value, type_text)
    if "Float" in type_text and "String" not in type_text:
        term = _SPECIAL_NAME.sub(lambda m: _SPECIAL[m.group(1)], term)
    return term


# Names that data sets use for special floats; Lean itself has none.
_SPECIAL_NAME = re.compile(r"\bFloat\.(nan|inf|infinity)\b")
_SPECIAL = {"nan": "(0.0 / 0.0)", "inf": "(1.0 / 0.0)", "infinity": "(1.0 / 0.0)"}


def _from_null(head: str, type_text: str) -> str:
    if head == "Option":
        return "none"
    if head in ("Unit", "PUnit"):
        return "()"
    raise _wrong(None, type_text)


def _from_number(value: int | float | Decimal | Fraction, kind: TypeTree, type_text: str) -> str:
    head = kind.head
    if head == "Option":
        return f"some {as_argument(_term(value, kind.args[0], type_text))}"
    if isinstance(value, float):
        if value != value or value in (float("inf"), float("-inf")):
            return _special_float(value, head, type_text)
        value = Decimal(repr(value))
    if head in _RATIONAL:
        return _fraction(value) if isinstance(value, Fraction) else _decimal(value)
    if head in _FLOAT and not isinstance(value, Fraction):
        return _decimal(Decimal(value), point=True)
    if head in ("Bool", "Prop", "String", "Char", "List", "Array", "×", "Unit", "→"):
        raise _wrong(value, type_text)
    if value != int(value):
        raise _wrong(value, type_text)
    whole = int(value)
    if whole < 0 and (head in _NATURAL or head in ("Fin", "BitVec")):
        raise _wrong(value, type_text)
    return str(whole)


def _special_float(value: float, head: str, type_text: str) -> str:
    if head not in _FLOAT:
        raise _wrong(value, type_text)
    if value != value:
        return "0.0 / 0.0"
    return "1.0 / 0.0" if value > 0 else "-(1.0 / 0.0)"


def _fraction(value: Fraction) -> str:
    if value.denominator == 1:
        return str(value.numerator)
    return f"{value.numerator} / {value.denominator}"


def _decimal(value: int | Decimal, *, point: bool = False) -> str:
    """Return the digits of a number as a Lean literal: `7.5`, `-0.25`, `1e30`; with `point`, `3` becomes `3.0`."""
    sign, digits, exponent = Decimal(value).as_tuple()
    if not isinstance(exponent, int):
        raise ValueFormatError(f"{value} is not a number")
    text = "".join(map(str, digits))
    if exponent >= 0:
        body = text + ("0" * exponent if exponent <= 20 else f"e{exponent}")
        if point and exponent <= 20:
            body += ".0"
    elif -exponent <= len(text) + 20:
        text = text.rjust(1 - exponent, "0")
        body = f"{text[:exponent]}.{text[exponent:]}"
    else:
        body = f"{text}e{exponent}"
    return ("-" if sign else "") + body


def _from_sequence(value: Sequence[Any], kind: TypeTree, type_text: str) -> str:
    head = kind.head
    if head in ("List", "Array", "Vector", "Multiset", "Finset", "Set") and kind.args:
        items = ", ".join(_term(item, kind.args[0], type_text) for item in value)
        brackets = {"List": "[{}]", "Array": "#[{}]", "Vector": "#v[{}]"}.get(head, "{{{}}}")
        return brackets.format(items)
    if head == "Option":
        return f"some {as_argument(_term(value, kind.args[0], type_text))}"
    if head == "×" and len(value) >= 2:
        left, right = kind.args
        rest: Any = value[1] if len(value) == 2 else value[1:]
        tail = _term(rest, right, type_text)
        if len(value) > 2:
            tail = tail[1:-1]
        return f"({_term(value[0], left, type_text)}, {tail})"
    raise _wrong(value, type_text)


def _arguments(text: str) -> list[str]:
    """Split an application into head and arguments at white space outside brackets and literals."""
    masked, pieces, start, at = mask(text), list[str](), -1, 0
    while at < len(text):
        opaque = opaque_end(text, at)
        if text[at].isspace():
            if start >= 0:
                pieces.append(text[start:at])
            start = -1
            at += 1
            continue
        if start < 0:
            start = at
        if opaque > at:
            at = opaque
        else:
            at = closing(masked, at) if masked[at] in "([{⟨" else at + 1
    if start >= 0:
        pieces.append(text[start:])
    return pieces


def application_arguments(text: str) -> list[str]:
    """Return the arguments of `f a b …` with the head first; `text` is one application."""
    return _arguments(text)
