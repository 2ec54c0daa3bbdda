"""A reader of the Lean literals in the starter set's labels, and a check that a value has its declared type."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeAlias

Value: TypeAlias = "int | bool | str | None | list[Value] | tuple[Value, ...] | Node"

_TOKEN = re.compile(r"""\s*(#\[|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)'|-?\d+|[A-Za-z_][\w.]*|[\[\](),])""")
_ESCAPES = {"n": "\n", "t": "\t", "\\": "\\", '"': '"', "'": "'"}


@dataclass(frozen=True)
class Node:
    """A constructor of a user type, its name without the type's, and its arguments."""

    name: str
    args: tuple[Value, ...] = ()


class Reader:
    """A recursive reader of one literal."""

    def __init__(self, text: str) -> None:
        self.tokens: list[str] = []
        position = 0
        while position < len(text.rstrip()):
            match = _TOKEN.match(text, position)
            if match is None:
                raise ValueError(f"not a literal: {text}")
            self.tokens.append(match[1])
            position = match.end()
        self.next = 0

    def peek(self) -> str:
        return self.tokens[self.next] if self.next < len(self.tokens) else ""

    def take(self) -> str:
        token = self.peek()
        self.next += 1
        return token

    def value(self) -> Value:
        """Read a term: an atom, or a constructor with its arguments."""
        token = self.peek()
        if not re.match(r"[A-Za-z_]", token) or token in ("true", "false", "none"):
            return self.atom()
        self.take()
        args: list[Value] = []
        while self.peek() not in ("", ",", ")", "]"):
            args.append(self.atom())
        if token == "some":
            (argument,) = args
            return argument
        return Node(token.rpartition(".")[2], tuple(args))

    def atom(self) -> Value:
        """Read a term that can be an argument."""
        token = self.take()
        if token in ("[", "#["):
            return self.items("]")
        if token == "(":
            parts = self.items(")")
            return parts[0] if len(parts) == 1 else tuple(parts)
        if token in ("true", "false"):
            return token == "true"
        if token == "none":
            return None
        if token[0] in "\"'":
            return re.sub(r"\\(.)", lambda m: _ESCAPES[m[1]], token[1:-1])
        if re.fullmatch(r"-?\d+", token):
            return int(token)
        return Node(token.rpartition(".")[2])

    def items(self, closing: str) -> list[Value]:
        found: list[Value] = []
        while self.peek() != closing:
            found.append(self.value())
            if self.peek() != closing and self.take() != ",":
                raise ValueError("a comma is missing")
        self.take()
        return found


def read(text: str) -> Value:
    """Return the Python value of a Lean literal; `some x` is read as x, and arrays as lists."""
    reader = Reader(text)
    value = reader.value()
    if reader.next != len(reader.tokens):
        raise ValueError(f"text after the literal: {text}")
    return value


def split_type(type_: str) -> list[str]:
    """Return the factors of a product type, or the head and the arguments of an applied one."""
    parts: dict[str, list[str]] = {"×": [""], " ": [""]}
    depth = 0
    for symbol in type_.strip():
        depth += {"(": 1, ")": -1}.get(symbol, 0)
        for separator, found in parts.items():
            if symbol == separator and depth == 0:
                found.append("")
            else:
                found[-1] += symbol
    if len(parts["×"]) > 1:
        return ["×", *(part.strip() for part in parts["×"])]
    return [part for part in parts[" "] if part]


def has_type(value: Value, type_: str) -> bool:
    """Tell whether a value can be of a type; user types are only checked to be constructors."""
    head, *args = split_type(type_)
    if head.startswith("(") and not args:
        return has_type(value, head[1:-1])
    match head:
        case "×":
            return isinstance(value, tuple) and len(value) == len(args) and all(map(has_type, value, args))
        case "List" | "Array":
            return isinstance(value, list) and all(has_type(item, args[0]) for item in value)
        case "Option":
            return value is None or has_type(value, args[0])
        case "Bool":
            return isinstance(value, bool)
        case "Nat" | "Int":
            return isinstance(value, int) and not isinstance(value, bool) and (head == "Int" or value >= 0)
        case "String":
            return isinstance(value, str)
        case "Char":
            return isinstance(value, str) and len(value) == 1
        case _:
            return isinstance(value, Node)
