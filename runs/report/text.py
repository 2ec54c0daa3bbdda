"""Untrusted text: characters that a page, a drawing or a table must not take as more than text."""

from __future__ import annotations

import html
import unicodedata

_PICTURES = {code: 0x2400 + code for code in range(32) if code not in (9, 10)} | {127: 0x2421}
_TABLE: dict[int, int | str] = {**_PICTURES, 0x2028: "⟨U+2028⟩", 0x2029: "⟨U+2029⟩"}


def visible(text: str) -> str:
    """Return text in which nothing is hidden: control characters as their pictures, marks that reorder or join text and
    lone surrogates by their code points. Line breaks and tabs stay.
    """
    if text.isascii() and text.isprintable():
        return text
    shown = text.replace("\r\n", "\n").translate(_TABLE)
    if shown.isprintable():
        return shown
    return "".join(_visible(c) for c in shown)


def _visible(c: str) -> str:
    # Lean text and requirements have joiners in emoji and names; they are harmless, what reorders text is not.
    # The two noncharacters at the end of the first plane may not stand in XML.
    if (unicodedata.category(c) in ("Cc", "Cf", "Cs") and c not in "\n\t\u200d") or c in "\ufffe\uffff":
        return f"⟨U+{ord(c):04X}⟩"
    return c


def escaped(text: str) -> str:
    """Return text for an HTML or SVG text node or a quoted attribute."""
    return html.escape(visible(text), quote=True)


def short(text: str, length: int) -> str:
    """Return text of at most so many characters."""
    return text if len(text) <= length else text[: length - 1] + "…"


__all__ = ["escaped", "short", "visible"]
