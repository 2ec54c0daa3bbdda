"""Spelling of names and literals."""

from __future__ import annotations

import re

from .lexer import _PART, KEYWORDS
from .parser.tables import IDENTIFIER_SYMBOLS

_PLAIN = re.compile(_PART)
_ESCAPES = {"\n": "\\n", "\t": "\\t", "\r": "\\r", "\\": "\\\\"}


def quote_part(part: str, alone: bool) -> str:
    """One component of a name, in `«»` unless it is an identifier; `alone` says that a keyword must be quoted too."""
    if part == "_" or (alone and part in IDENTIFIER_SYMBOLS):
        return part
    if _PLAIN.fullmatch(part) and part[0] != "«" and not (part in KEYWORDS and alone):
        return part
    return f"«{part}»"


def name_text(name: str) -> str:
    """A dotted name."""
    parts = name.split(".")
    return ".".join([quote_part(part, len(parts) == 1) for part in parts])


def _escaped(char: str) -> str:
    simple = _ESCAPES.get(char)
    if simple is not None:
        return simple
    return f"\\x{ord(char):02x}" if ord(char) < 32 or ord(char) == 127 else char


def string_body(value: str, *, braces: bool = False) -> str:
    """The inside of a string literal; `braces` escapes `{` for an interpolated string."""
    text = "".join([_escaped(char) for char in value]).replace('"', '\\"')
    return text.replace("{", "\\{") if braces else text


def string_literal(value: str) -> str:
    """A string literal."""
    return f'"{string_body(value)}"'


def char_literal(value: str) -> str:
    """A character literal."""
    return "'\\''" if value == "'" else f"'{_escaped(value)}'"
