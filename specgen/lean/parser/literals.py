"""Decoding of literals."""

from __future__ import annotations

import re

_ESCAPE = re.compile(r"\\(?:u\{([0-9a-fA-F]+)\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(\n[ \n\r\t]*)|([\s\S]))")
_SIMPLE = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\", '"': '"', "'": "'", "{": "{"}
_BASES = {"x": 16, "b": 2, "o": 8}


class EscapeError(ValueError):
    """An escape sequence that Lean does not know."""


def _decode(m: re.Match[str]) -> str:
    code = m.group(1) or m.group(2) or m.group(3)
    if code is not None:
        value = int(code, 16)
        # Lean's `Char` has no surrogates.
        return chr(value) if value < 0xD800 or 0xDFFF < value < 0x110000 else "\ufffd"
    if m.group(4) is not None:
        if m.group(4).count("\n") > 1:
            raise EscapeError("unexpected additional newline in string gap")
        return ""
    simple = _SIMPLE.get(m.group(5))
    if simple is None:
        raise EscapeError("invalid escape sequence")
    return simple


def unescape(body: str) -> str:
    """Decode the escapes of a string or character body; raises `EscapeError`."""
    return _ESCAPE.sub(_decode, body) if "\\" in body else body


def string_value(text: str) -> str:
    """Value of a string literal, raw or not, from its source; raises `EscapeError`."""
    if text[0] == "r":
        hashes = text.index('"') - 1
        return text[hashes + 2 : len(text) - hashes - 1]
    return unescape(text[1:-1])


def number_value(text: str) -> int:
    """Value of a natural number literal from its source."""
    text = text.replace("_", "")
    if len(text) > 1 and text[0] == "0" and text[1].lower() in _BASES:
        return int(text[2:] or "0", _BASES[text[1].lower()])
    return _decimal(text)


def scientific_value(text: str) -> tuple[int, int]:
    """`(mantissa, exponent)` of a scientific literal: its value is mantissa * 10 ** exponent."""
    text = text.replace("_", "").lower()
    mantissa, _, exponent = text.partition("e")
    whole, _, fraction = mantissa.partition(".")
    return _decimal(whole + fraction), _decimal_signed(exponent) - len(fraction)


def _decimal_signed(text: str) -> int:
    if not text:
        return 0
    sign = -1 if text[0] == "-" else 1
    return sign * _decimal(text.lstrip("+-"))


def _decimal(text: str) -> int:
    """`int(text)` without Python's limit of 4,300 digits; halving keeps it well below quadratic time."""
    if len(text) <= 4000:
        return int(text)
    half = len(text) // 2
    scale: int = 10 ** (len(text) - half)
    return _decimal(text[:half]) * scale + _decimal(text[half:])
