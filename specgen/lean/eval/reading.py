"""Values from text and from JSON, by type, without elaboration where the text is plain data.

`read_literal` understands what data sets are full of: numbers, strings, lists, pairs, options. Everything else is left
to the elaborator, so it gives up (`NotPlainError`) rather than guess.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, Final

from specgen.lean import core
from specgen.lean.core import Const, Term
from specgen.lean.eval.types import Types
from specgen.lean.eval.values import Arr, Value, to_list

_ESCAPES: Final = {"n": "\n", "t": "\t", "\\": "\\", '"': '"', "'": "'", "r": "\r"}


class NotPlainError(Exception):
    """The text is not plain data of its type."""


class LiteralReader:
    """Reads one text; positions only ever move forward."""

    def __init__(self, types: Types, text: str) -> None:
        self.types = types
        self.text = text
        self.at = 0

    def whole(self, type_: Term) -> Value:
        """Read a value that takes up the whole text, or raise NotPlainError."""
        value = self.value(type_)
        self._space()
        if self.at != len(self.text):
            raise NotPlainError
        return value

    def value(self, type_: Term) -> Value:
        """Read a value of a type."""
        head, args = core.unfold_app(self.types.normal_type(type_))
        if not isinstance(head, Const) or head.name in self.types.env.constants:
            raise NotPlainError
        if self._take("("):
            if head.name == "Prod":
                return self._pair(args)
            if head.name in ("PUnit", "Unit") and self._take(")"):
                return ()
            value = self.value(type_)
            self._expect(")")
            return value
        return self._plain(head.name, args)

    def _plain(self, name: str, args: tuple[Term, ...]) -> Value:
        match name:
            case "Nat":
                return self._natural()
            case "Int":
                sign = -1 if self._take("-") else 1
                return sign * self._natural()
            case "Bool":
                return self._word({"true": True, "false": False})
            case "Char":
                return self._quoted("'")
            case "String":
                return self._quoted('"')
            case "List":
                return to_list(self._items("[", lambda: self.value(args[0])))
            case "Array":
                return Arr(self._items("#[", lambda: self.value(args[0])))
            case "Option":
                if self._word({"none": False, "some": True}):
                    return (self.value(args[0]),)
                return None
            case "Float":
                return float(self._decimal())
            case "Rat":
                return Fraction(self._decimal())
            case _:
                raise NotPlainError

    # ---- tokens

    def _space(self) -> None:
        text, n = self.text, len(self.text)
        while self.at < n and text[self.at] in " \n\t":
            self.at += 1

    def _take(self, token: str) -> bool:
        self._space()
        if self.text.startswith(token, self.at):
            self.at += len(token)
            return True
        return False

    def _expect(self, token: str) -> None:
        if not self._take(token):
            raise NotPlainError

    def _run(self, allowed: Callable[[str], bool]) -> str:
        self._space()
        start = self.at
        text, n = self.text, len(self.text)
        while self.at < n and allowed(text[self.at]):
            self.at += 1
        return text[start : self.at]

    def _natural(self) -> int:
        digits = self._run(lambda c: c in "0123456789")
        follows = self.text[self.at : self.at + 1]
        if not digits or follows.isalnum() or follows in ("_", ".", "'"):
            raise NotPlainError
        if len(digits) > 4000:
            raise NotPlainError
        return int(digits)

    def _decimal(self) -> str:
        sign = "-" if self._take("-") else ""
        digits = self._run(lambda c: c in "0123456789.")
        follows = self.text[self.at : self.at + 1]
        if not digits or not digits[0].isdigit() or digits.count(".") > 1 or follows.isalnum() or follows in ("_", "'"):
            raise NotPlainError
        return sign + (digits + "0" if digits.endswith(".") else digits)

    def _word(self, words: dict[str, bool]) -> bool:
        word = self._run(lambda c: c.isalpha())
        follows = self.text[self.at : self.at + 1]
        if word not in words or follows.isalnum() or follows in ("_", ".", "'", "!", "?"):
            raise NotPlainError
        return words[word]

    def _quoted(self, quote: str) -> str:
        self._expect(quote)
        out: list[str] = []
        text = self.text
        while True:
            if self.at >= len(text):
                raise NotPlainError
            c = text[self.at]
            self.at += 1
            if c == quote:
                break
            if c == "\\":
                escaped = _ESCAPES.get(text[self.at : self.at + 1])
                if escaped is None:
                    raise NotPlainError
                c = escaped
                self.at += 1
            out.append(c)
        if quote == "'" and len(out) != 1:
            raise NotPlainError
        return "".join(out)

    def _items(self, opening: str, item: Callable[[], Value]) -> list[Value]:
        self._expect(opening)
        if self._take("]"):
            return []
        out = [item()]
        while self._take(","):
            out.append(item())
        self._expect("]")
        return out

    def _pair(self, args: tuple[Term, ...]) -> Value:
        """Read the rest of `(a, b, c)`, which nests to the right."""
        first = self.value(args[0])
        if self._take(")"):
            raise NotPlainError
        self._expect(",")
        head, inner = core.unfold_app(self.types.normal_type(args[1]))
        nested = isinstance(head, Const) and head.name == "Prod"
        self._space()
        if nested and not self.text.startswith("(", self.at):
            return (first, self._pair(inner))
        second = self.value(args[1])
        if nested and self._take(","):
            # `(a, (b, c), d)`: the parenthesis was the first component of the nested pair.
            raise NotPlainError
        self._expect(")")
        return (first, second)


def read_literal(types: Types, text: str, type_: Term) -> Value:
    """Read plain data; raises NotPlainError for anything else."""
    try:
        return LiteralReader(types, text).whole(type_)
    except (RecursionError, ValueError) as error:
        raise NotPlainError from error


def json_text(value: Any, head: str) -> str | None:
    """Return a JSON scalar as Lean text for a type's head: numbers and strings as they stand, None for other values."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return f"({value!r})" if value < 0 else repr(value)
    if isinstance(value, str):
        from specgen.lean.eval.printing import quote_char, quote_string

        if head == "String":
            return quote_string(value)
        if head == "Char" and len(value) == 1:
            return quote_char(value)
        return value
    return None
