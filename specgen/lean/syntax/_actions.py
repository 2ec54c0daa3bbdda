"""Items of `do` blocks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from specgen.lean.syntax._base import Node
from specgen.lean.syntax._terms import Discr, LetDecl, Term


@dataclass(frozen=True, slots=True)
class DoLet(Node):
    """`let [mut] x : T := e`, `let [mut] p ← e | alt`, `have …`; `arrow` for `←`."""

    mutable: bool
    arrow: bool
    decl: LetDecl
    otherwise: tuple[DoItem, ...] | None = None
    keyword: str = "let"


@dataclass(frozen=True, slots=True)
class DoLetRec(Node):
    """`let rec …` in a do block."""

    decls: tuple[LetDecl, ...]


@dataclass(frozen=True, slots=True)
class DoReassign(Node):
    """`x := e`, `(x, y) := e`, `x ← e`, `xs[i] := e`, `s.f := e`; `target` is the left side as a term."""

    target: Term
    type: Term | None
    value: Term
    arrow: bool


@dataclass(frozen=True, slots=True)
class DoCond(Node):
    """A condition of a do-`if`: plain, `h : c`, or `let p := e` / `let p ← e` (then `pattern` is set)."""

    term: Term
    hyp: str = ""
    pattern: Term | None = None
    arrow: bool = False


@dataclass(frozen=True, slots=True)
class DoIf(Node):
    """`if … then … else if … else …`; no final `else` is None."""

    branches: tuple[tuple[DoCond, tuple[DoItem, ...]], ...]
    otherwise: tuple[DoItem, ...] | None


@dataclass(frozen=True, slots=True)
class DoUnless(Node):
    """`unless c do …`."""

    cond: Term
    body: tuple[DoItem, ...]


@dataclass(frozen=True, slots=True)
class ForIter(Node):
    """`h : p in xs` of a `for`."""

    pattern: Term
    collection: Term
    hyp: str = ""


@dataclass(frozen=True, slots=True)
class DoFor(Node):
    """`for p in xs, q in ys do …`."""

    iters: tuple[ForIter, ...]
    body: tuple[DoItem, ...]


@dataclass(frozen=True, slots=True)
class DoWhile(Node):
    """`while c do …`; `repeat …` has no condition. `until` is the condition of `repeat … until c`."""

    cond: DoCond | None
    body: tuple[DoItem, ...]
    until: Term | None = None


@dataclass(frozen=True, slots=True)
class DoMatchAlt(Node):
    """An alternative of a do-`match`."""

    patterns: tuple[tuple[Term, ...], ...]
    body: tuple[DoItem, ...]


@dataclass(frozen=True, slots=True)
class DoMatch(Node):
    """`match … with | p => items`."""

    discrs: tuple[Discr, ...]
    alts: tuple[DoMatchAlt, ...]


@dataclass(frozen=True, slots=True)
class DoReturn(Node):
    """`return e`; bare `return` has no value."""

    value: Term | None


@dataclass(frozen=True, slots=True)
class DoBreak(Node):
    """`break`."""


@dataclass(frozen=True, slots=True)
class DoContinue(Node):
    """`continue`."""


@dataclass(frozen=True, slots=True)
class DoTry(Node):
    """`try … catch e => … finally …`."""

    body: tuple[DoItem, ...]
    catches: tuple[tuple[str, Term | None, tuple[DoItem, ...]], ...]
    final: tuple[DoItem, ...] | None


@dataclass(frozen=True, slots=True)
class DoExpr(Node):
    """A term as an action; a nested `do` block is one whose term is `Do`."""

    term: Term


DoItem: TypeAlias = (
    DoLet
    | DoLetRec
    | DoReassign
    | DoIf
    | DoUnless
    | DoFor
    | DoWhile
    | DoMatch
    | DoReturn
    | DoBreak
    | DoContinue
    | DoTry
    | DoExpr
)
