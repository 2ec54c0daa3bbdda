"""The parser: text to surface syntax trees, with Lean's precedence and layout rules.

`parse_file` and `parse_term` never raise: what cannot be parsed is a diagnostic.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..lexer import EOF, lex
from ..source import Diagnostic, Source
from ..syntax import File, Term
from .commands import Commands
from .core import ParseFailure, allow_depth

__all__ = ["ParseResult", "TermResult", "parse_file", "parse_term"]


@dataclass(frozen=True, slots=True)
class ParseResult:
    """A parsed file; the commands that parsed are in `file` even when others did not."""

    file: File
    diagnostics: tuple[Diagnostic, ...]
    source: Source


@dataclass(frozen=True, slots=True)
class TermResult:
    """A parsed term; `term` is None when the text is not exactly one term."""

    term: Term | None
    diagnostics: tuple[Diagnostic, ...]
    source: Source


def parse_file(text: str, *, max_depth: int = 400) -> ParseResult:
    """Parse a whole source file.

    A broken command gives one diagnostic and parsing goes on at the next line that begins with a command. Nesting
    and operator chains past `max_depth` give a diagnostic of kind `unsupported`; the trees in the result are at most
    four times as deep.
    """
    allow_depth(max_depth)
    source = Source(text)
    file, failures = Commands(lex(text), max_depth).file()
    return ParseResult(file, tuple([_diagnostic(source, *failure) for failure in failures]), source)


def parse_term(text: str, *, max_depth: int = 400) -> TermResult:
    """Parse a text that must be exactly one term."""
    allow_depth(max_depth)
    source = Source(text)
    parser = Commands(lex(text), max_depth)
    # Which namespaces are open is not known here.
    parser.factorial = True
    try:
        term = parser.term()
        if parser.kinds[parser.i] != EOF:
            parser.fail_expected("end of input")
        parser.check_height(term)
    except ParseFailure as failure:
        return TermResult(None, (_diagnostic(source, failure.kind, failure.message, failure.span),), source)
    except RecursionError:
        span = (0, len(text))
        return TermResult(None, (_diagnostic(source, "unsupported", "the text nests too deeply", span),), source)
    return TermResult(term, (), source)


def _diagnostic(source: Source, kind: str, message: str, span: tuple[int, int]) -> Diagnostic:
    return source.diagnostic("unsupported" if kind == "unsupported" else "syntax", message, span)
