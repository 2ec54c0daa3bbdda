"""Source text, positions and diagnostics."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import Literal, TypeAlias

DiagnosticKind: TypeAlias = Literal[
    "syntax", "name", "type", "instance", "redeclared", "termination", "scope", "unsupported"
]
Severity: TypeAlias = Literal["error", "warning", "information"]


@dataclass(frozen=True, slots=True)
class Position:
    """A place in a text: `line` counts from 1, `column` from 0, in code points."""

    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One message of the front end; `end` is exclusive.

    An error of kind `unsupported` says that *we* cannot tell: it never makes a text rejected.
    """

    severity: Severity
    kind: DiagnosticKind
    message: str
    start: Position
    end: Position


class Source:
    """A text with its line starts, to turn character offsets into positions."""

    __slots__ = ("_starts", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        starts = [0]
        find = text.find
        at = find("\n")
        while at >= 0:
            starts.append(at + 1)
            at = find("\n", at + 1)
        self._starts = starts

    def position(self, offset: int) -> Position:
        """Return the position of a character offset (clamped to the text)."""
        offset = max(0, min(offset, len(self.text)))
        line = bisect_right(self._starts, offset)
        return Position(line, offset - self._starts[line - 1])

    def column(self, offset: int) -> int:
        """Return the 0-indexed column of a character offset."""
        return offset - self._starts[bisect_right(self._starts, offset) - 1]

    def diagnostic(
        self, kind: DiagnosticKind, message: str, span: tuple[int, int], severity: Severity = "error"
    ) -> Diagnostic:
        """Make a diagnostic for a span of this text."""
        return Diagnostic(severity, kind, message, self.position(span[0]), self.position(span[1]))
