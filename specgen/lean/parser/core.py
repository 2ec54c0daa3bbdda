"""Parser state: tokens, the saved position of the layout rules, and errors worded as Lean words them."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

from ..lexer import CHAR, DOC, EOF, ERROR, IDENT, ISTR, LOOKAHEAD, MODDOC, NAME, NUM, SCI, STR, SYM, Tokens, foreign
from .tables import ARG_START, CLOSERS, HARD_COMMANDS, OPENERS

if TYPE_CHECKING:
    from .. import syntax as s

# Frames of the parser or the printer for one level of nesting, with room to spare.
_FRAMES_A_LEVEL = 16

LITERALS = frozenset({NUM, SCI, STR, CHAR, ISTR, NAME})


class ParseFailure(Exception):  # noqa: N818 - control flow inside the parser, never seen outside
    """The current command cannot be parsed; `span` says where, `kind` whether it is our limit or the text's fault."""

    def __init__(self, message: str, span: tuple[int, int], kind: str = "syntax") -> None:
        super().__init__(message)
        self.message = message
        self.span = span
        self.kind = kind


class ParserBase:
    """Token cursor with layout state. `i` is the index of the current token."""

    def __init__(self, tokens: Tokens, max_depth: int) -> None:
        self.tokens = tokens
        self.kinds = tokens.kinds
        self.texts = tokens.texts
        self.starts = tokens.starts
        self.ends = tokens.ends
        self.columns = tokens.columns
        self.space = tokens.space
        self.i = 0
        self.depth = 0
        self.max_depth = max_depth
        # Column of the saved position (`withPosition`), -1 for none (`withoutPosition`).
        self.position = -1
        # `do` may not begin an argument (the head of a `for`, `while` or `unless`).
        self.no_do = False
        # Precedence of the term parsed last, as Lean's `lhsPrec`.
        self.lhs_prec = 0
        # Precedence asked of the leading form that is about to be parsed.
        self.wanted = 0
        # Fresh names of the `·` seen inside the innermost parentheses; None outside of any.
        self.dots: list[s.Ident] | None = None
        # Inside `‖…‖` a further `‖` closes.
        self.in_norm = False
        # Inside alternatives a `|` on the same line may end a tactic block.
        self.in_alts = False
        # `open Nat` (or the namespace) brings the postfix `!`.
        self.factorial = False
        # Operators and projections seen in the current command.
        self.links = 0
        self._closing: list[int] | None = None

    # --------------------------------------------------------------------------------------------------- token cursor

    def at(self, text: str) -> bool:
        """Whether the current token is this symbol."""
        return self.texts[self.i] == text

    def take(self, text: str) -> bool:
        """Step over the current token if it is this symbol."""
        if self.texts[self.i] == text:
            self.i += 1
            return True
        return False

    def expect(self, *texts: str) -> str:
        """Step over one of these symbols or fail."""
        text = self.texts[self.i]
        if text in texts:
            self.i += 1
            return text
        return self.fail_expected(*(f"'{t}'" for t in texts))

    def at_ident(self) -> bool:
        """Whether the current token is an identifier."""
        return self.kinds[self.i] == IDENT

    def at_word(self, word: str) -> bool:
        """Whether the current token is a word that Lean does not reserve (or this keyword)."""
        return self.texts[self.i] == word

    def expect_ident(self) -> str:
        """Step over an identifier; returns it without its `«»` quotes."""
        if self.kinds[self.i] != IDENT:
            self.fail_expected("identifier")
        self.i += 1
        return unquote(self.texts[self.i - 1])

    def start(self) -> int:
        """Offset of the current token."""
        return self.starts[self.i]

    def span_from(self, start: int) -> tuple[int, int]:
        """Span from an offset to the end of the token before the current one."""
        end = self.ends[self.i - 1] if self.i else start
        return (start, end if end > start else start)

    def col_gt(self) -> bool:
        """Lean's `checkColGt`: the current token stands right of the saved position."""
        return self.position < 0 or self.columns[self.i] > self.position

    def col_ge(self) -> bool:
        """Lean's `checkColGe`."""
        return self.position < 0 or self.columns[self.i] >= self.position

    def closing(self, index: int) -> int:
        """Index of the token that closes the bracket at `index`, or the token at which the search ended."""
        if self._closing is None:
            self._closing = self._match_brackets()
        return self._closing[index]

    def _match_brackets(self) -> list[int]:
        last = len(self.texts) - LOOKAHEAD
        closing = [last] * len(self.texts)
        stack: list[int] = []
        kinds = self.kinds
        for index, text in enumerate(self.texts):
            if kinds[index] != SYM:
                continue
            if text in OPENERS:
                stack.append(index)
            elif text in CLOSERS:
                if stack:
                    closing[stack.pop()] = index
            elif stack and text in HARD_COMMANDS and self.space[index] == 2:
                # No bracket reaches over the beginning of a declaration.
                for opener in stack:
                    closing[opener] = index
                stack.clear()
        return closing

    def arg_follows(self, index: int) -> bool:
        """Whether the token at `index` can begin an application argument (layout aside)."""
        kind = self.kinds[index]
        if kind == SYM:
            text = self.texts[index]
            if text == "‖":
                return not self.in_norm
            if text == "do":
                return not self.no_do
            if text == ".":
                return self.space[index + 1] != 0 or self.kinds[index + 1] in (IDENT, SYM)
            return text in ARG_START
        return kind == IDENT or kind in LITERALS

    # --------------------------------------------------------------------------------------------------------- errors

    def unexpected(self) -> str:
        """What stands here, in Lean's words."""
        kind = self.kinds[self.i]
        if kind == EOF:
            return "unexpected end of input"
        if kind == IDENT:
            return "unexpected identifier"
        if kind == SYM or kind in (DOC, MODDOC):
            text = self.texts[self.i]
            return f"unexpected token '{text[:3] if kind in (DOC, MODDOC) else text}'"
        return "unexpected token"

    def fail(self, message: str, index: int | None = None) -> NoReturn:
        """Give up at a token (the current one by default)."""
        index = self.i if index is None else index
        span = (self.starts[index], self.ends[index])
        if foreign(self.tokens, index):
            raise ParseFailure(f"the notation '{self.texts[index]}' is not supported", span, "unsupported")
        if self.kinds[index] == ERROR:
            message = self.tokens.messages.get(index, message)
        raise ParseFailure(message, span)

    def fail_expected(self, *expected: str) -> NoReturn:
        """Give up: the current token is none of the expected ones."""
        self.fail(f"{self.unexpected()}; expected {_or(expected)}")

    def unsupported(self, message: str) -> NoReturn:
        """Give up for a limit of ours."""
        raise ParseFailure(message, (self.starts[self.i], self.ends[self.i]), "unsupported")

    def enter(self) -> None:
        """Count one level of nesting; fails past `max_depth`. Pair with `self.depth -= 1`."""
        self.depth += 1
        if self.depth > self.max_depth:
            self.unsupported(f"the text nests deeper than {self.max_depth} levels")

    # ------------------------------------------------------------------------- parts that the later layers implement

    def term(self, prec: int = 0) -> s.Term:
        """Parse a term of at least this precedence."""
        raise NotImplementedError

    def inside(self, prec: int = 0) -> s.Term:
        """Parse a term inside brackets: no saved position, nothing forbidden."""
        saved = self.position, self.no_do, self.in_norm, self.in_alts
        self.position, self.no_do, self.in_norm, self.in_alts = -1, False, False, False
        result = self.term(prec)
        self.position, self.no_do, self.in_norm, self.in_alts = saved
        return result

    def reset_layout(self) -> None:
        """Forget the layout state, before a new command."""
        self.position, self.no_do, self.in_norm, self.in_alts = -1, False, False, False
        self.depth = 0
        self.links = 0
        self.dots = None

    def alternatives(self) -> tuple[s.MatchAlt, ...]:
        """`| p => e` lines."""
        raise NotImplementedError

    def binders(self, *, bare: bool) -> tuple[s.Binder, ...]:
        """Binder groups; `bare` admits identifiers without brackets."""
        raise NotImplementedError

    def do_block(self) -> tuple[s.DoItem, ...]:
        """Items after `do`."""
        raise NotImplementedError

    def let_decl(self, *, have: bool = False) -> s.LetDecl:
        """The declaration after `let` or `have`."""
        raise NotImplementedError

    def match_discriminants(self) -> tuple[tuple[s.Discr, ...], s.Term | None]:
        """What stands between `match` and `with`, and the motive."""
        raise NotImplementedError

    def alternative_patterns(self) -> tuple[tuple[s.Term, ...], ...]:
        """Patterns between `|` and `=>`."""
        raise NotImplementedError


def allow_depth(max_depth: int) -> None:
    """Make room on Python's stack for trees that the parser makes under `max_depth`.

    Frames of Python functions do not use the C stack, so a higher limit is safe; it is never lowered again.
    """
    needed = max_depth * _FRAMES_A_LEVEL + 2000
    if sys.getrecursionlimit() < needed:
        sys.setrecursionlimit(needed)


def unquote(name: str) -> str:
    """Drop the `«»` of quoted components."""
    return name.replace("«", "").replace("»", "") if "«" in name else name


def _or(expected: Sequence[str]) -> str:
    """`a`, `a or b`, `a, b or c`."""
    if len(expected) <= 1:
        return "".join(expected)
    return ", ".join(expected[:-1]) + " or " + expected[-1]
