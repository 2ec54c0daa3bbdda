"""Skipping tactic blocks: `by` and `calc` by Lean's column rule."""

from __future__ import annotations

from ..lexer import EOF, ERROR, IDENT, MODDOC, SYM
from .core import ParserBase
from .tables import CLOSERS, COMMANDS, OPENERS, words

_ENDS = words("termination_by decreasing_by where deriving")
_BINDERS = words("∀ ∃ ∃! ∑ ∏ ∑' ∏' ⋃ ⋂ ⨆ ⨅ ∀ᵉ ∃ᵉ ∑ᶠ ∏ᶠ Σ forall exists")
# Tactics whose arguments may be separated by commas outside of brackets, or that have `|` alternatives.
_LISTING = words("use exists cases induction match rcases obtain choose exacts existsi refine! let have")
_BARRED = words("with first fun λ match rcases obtain rintro cases induction if")
# In a tactic block these begin a command only when they stand left of the block.
_SCOPED = words("open set_option @[ local scoped private end instance macro notation")
_GLUE = words("<;> | · . ) ] } ⟩")


class _Run:
    """What was seen of a tactic block so far: its column, and what may still be continued."""

    __slots__ = ("barred", "column", "commas", "ifs", "listing", "thens")

    def __init__(self, column: int) -> None:
        self.column = column
        self.commas = self.ifs = self.thens = 0
        # A tactic whose arguments are separated by commas, and one that has alternatives, is under way.
        self.listing = self.barred = False

    def line(self, text: str, column: int, calc: bool) -> None:
        """A new line begins at `column` with `text`."""
        if calc and text == "_" and column < self.column:
            self.column = column
        if column <= self.column:
            self.listing = self.barred = self.barred and text == "|"


def dedent(text: str, column: int) -> str:
    """Give a token run that began at `column` the same shape at the left margin."""
    if "\n" not in text:
        return text
    lines = (" " * column + text).split("\n")
    margin = min((len(line) - len(line.lstrip(" ")) for line in lines if line.strip()), default=0)
    return "\n".join(line[margin:].rstrip() for line in lines)


class Layout(ParserBase):
    """Finds the end of a tactic block without parsing tactics."""

    def skip_block(self, *, calc: bool = False, top: bool = False) -> str:
        """Step over a tactic block and return its text, moved to the left margin.

        `top` says that the block is the whole value of a declaration: it then runs to the next command.
        """
        first = self.i
        if self.kinds[first] == EOF or (self.texts[first] in CLOSERS and self.kinds[first] == SYM):
            self.fail_expected("'{'", "tactic") if not calc else self.fail_expected("term")
        if self._is_command(first):
            self.fail_expected("'{'", "tactic") if not calc else self.fail_expected("term")
        if self.texts[first] == "{" and not calc:
            self.i = min(self.closing(first) + 1, len(self.texts) - 1)
        else:
            self._run(first, calc, top)
        if self.i == first:
            self.fail_expected("'{'", "tactic")
        start = self.starts[first]
        return dedent(self.tokens.text[start : self.ends[self.i - 1]], self.columns[first])

    def _is_command(self, index: int) -> bool:
        text = self.texts[index]
        kind = self.kinds[index]
        if kind == SYM:
            return text in COMMANDS and text not in _SCOPED
        return (kind == IDENT and text == "lemma" and self.space[index] == 2) or kind == MODDOC

    def _run(self, first: int, calc: bool, top: bool) -> None:
        """Advance to the end of a block that begins at `first`."""
        texts, kinds, columns, space = self.texts, self.kinds, self.columns, self.space
        run = _Run(columns[first])
        i = first
        while kinds[i] != EOF:
            kind, text = kinds[i], texts[i]
            if kind == ERROR:
                self.fail("unexpected token", i)
            newline = space[i] == 2 and i > first
            if newline:
                if self._ends_line(i, run.column, top, calc):
                    break
                run.line(text, columns[i], calc)
            if kind == SYM:
                if text in OPENERS:
                    i = self._over_bracket(i)
                    continue
                if text in CLOSERS or text in _ENDS:
                    break
                if not top and self._ends_inline(run, text, newline):
                    break
            if kind in (SYM, IDENT):
                run.listing = run.listing or text in _LISTING
                run.barred = run.barred or text in _BARRED
            i += 1
        self.i = i

    def _ends_inline(self, run: _Run, text: str, newline: bool) -> bool:
        """Whether a symbol outside of brackets ends a block inside a larger term."""
        if text in _BINDERS:
            run.commas += 1
        elif text == ",":
            if run.commas:
                run.commas -= 1
            else:
                return not run.listing
        elif text == "if":
            run.ifs += 1
        elif text == "then":
            run.ifs, run.thens = run.ifs - 1, run.thens + 1
            return run.ifs < 0
        elif text == "else":
            run.thens -= 1
            return run.thens < 0
        elif text == "|":
            return self.in_alts and not run.barred and not newline
        elif text in ("in", "do"):
            return self.no_do
        return False

    def _over_bracket(self, index: int) -> int:
        """Index after the bracket that opens at `index`; fails if it is never closed."""
        close = self.closing(index)
        if self.texts[close] not in CLOSERS:
            self.i = close
            self.fail_expected("')'" if self.texts[index] == "(" else "closing bracket")
        return close + 1

    def _ends_line(self, index: int, column: int, top: bool, calc: bool) -> bool:
        """Whether a token that begins a line ends the block whose first token stands at `column`."""
        text = self.texts[index]
        here = self.columns[index]
        kind = self.kinds[index]
        if self._is_command(index):
            return True
        if kind == SYM and (text in _ENDS or text.startswith("#") and len(text) > 2 and here <= column):
            return True
        if here >= column:
            return kind == SYM and here == 0 and text in _SCOPED and not self._scoped_in(index)
        if kind == SYM and text in COMMANDS and (here == 0 or not top):
            return not (top and self._scoped_in(index))
        if top:
            return False
        if calc and text == "_":
            return self.position >= 0 and here <= self.position
        if text in _GLUE:
            # Alternatives of `cases … with` may stand left of the tactic, but not left of an enclosing construct.
            return text == "|" and self.position >= 0 and here <= self.position
        return True

    def _scoped_in(self, index: int) -> bool:
        """Whether `open …` or `set_option …` at `index` is followed by `in` on its line."""
        if self.texts[index] not in ("open", "set_option"):
            return False
        index += 1
        while self.space[index] != 2 and self.kinds[index] != EOF:
            if self.texts[index] == "in":
                return True
            index += 1
        return False
