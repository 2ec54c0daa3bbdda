"""A core term inside surface syntax, for elaborators that expand to syntax but already know a type."""

from __future__ import annotations

from dataclasses import dataclass

from specgen.lean import core, syntax


@dataclass(frozen=True, slots=True)
class Quoted(syntax.Node):
    """An elaborated term standing in a surface tree; elaborates to itself."""

    term: core.Term
