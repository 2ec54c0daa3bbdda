"""Terms of the surface tree: notation as written, binders, patterns."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

from specgen.lean.syntax._base import BinderKind, Node

if TYPE_CHECKING:
    from specgen.lean.syntax._actions import DoItem
    from specgen.lean.syntax._commands import Command


@dataclass(frozen=True, slots=True)
class Ident(Node):
    """A possibly dotted identifier as lexed, e.g. `xs.length` or `List.map`; `«…»` quotes removed.

    `root` is true for `_root_.…`. Whether trailing components are projections is for name resolution to say.
    """

    parts: tuple[str, ...]
    root: bool = False
    levels: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The components joined by dots."""
        return ".".join(self.parts)


@dataclass(frozen=True, slots=True)
class Hole(Node):
    """`_`, or a named hole `?x` (`?_` has the name `_`)."""

    name: str = ""


@dataclass(frozen=True, slots=True)
class NumLit(Node):
    """A natural number literal (decimal, hex, octal or binary)."""

    value: int


@dataclass(frozen=True, slots=True)
class SciLit(Node):
    """A scientific literal: value = mantissa * 10 ** exponent (exponent may be negative)."""

    mantissa: int
    exponent: int


@dataclass(frozen=True, slots=True)
class StrLit(Node):
    """A string literal, escapes decoded (raw strings too)."""

    value: str


@dataclass(frozen=True, slots=True)
class CharLit(Node):
    """A character literal, one code point."""

    value: str


@dataclass(frozen=True, slots=True)
class InterpStr(Node):
    """An interpolated string such as `s!"a{x}b"`; `prefix` is `s!`, `m!`, `f!`, ….

    Parts alternate freely between literal text and terms.
    """

    prefix: str
    parts: tuple[str | Term, ...]


@dataclass(frozen=True, slots=True)
class SortTerm(Node):
    """`Prop`, `Type`, `Type u`, `Sort u`; the level is kept as text."""

    kind: Literal["Prop", "Type", "Sort"]
    level: str = ""


@dataclass(frozen=True, slots=True)
class NamedArg(Node):
    """`(name := value)` in an application."""

    name: str
    value: Term


@dataclass(frozen=True, slots=True)
class EllipsisArg(Node):
    """`..` at the end of an application."""


Arg: TypeAlias = "Term | NamedArg | EllipsisArg"


@dataclass(frozen=True, slots=True)
class App(Node):
    """Application of `fn` to one or more arguments; `f <| x`, `x |> f` and `f $ x` are applications too.

    For the latter `op` is the token, and its operand is the last argument: `f a <| x` and `x |> f a` have the
    arguments `(a, x)`, as Lean's macros for them make it.
    """

    fn: Term
    args: tuple[Arg, ...]
    op: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Explicit(Node):
    """`@f`: implicit arguments are given explicitly."""

    fn: Term


@dataclass(frozen=True, slots=True)
class Proj(Node):
    """`e.field` where `e` is not an identifier, or `e.1`; `e |>.field` as well (then `pipe`)."""

    target: Term
    field: str | int
    pipe: bool = False


@dataclass(frozen=True, slots=True)
class DotIdent(Node):
    """`.name`: resolved through the expected type."""

    parts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Paren(Node):
    """`(e)`, kept because the coercion rule and the printer care. `(· + 1)` is already a `Fun` inside."""

    inner: Term


@dataclass(frozen=True, slots=True)
class Ascription(Node):
    """`(e : T)`; `(e :)` has no type."""

    term: Term
    type: Term | None


@dataclass(frozen=True, slots=True)
class Tuple(Node):
    """`(a, b, …)` with two or more items, or the unit `()` with none."""

    items: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class AnonCtor(Node):
    """`⟨a, b, …⟩`."""

    items: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class ListLit(Node):
    """`[a, b, …]`."""

    items: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class ArrayLit(Node):
    """`#[a, b, …]`; `#v[…]` has `vector` set."""

    items: tuple[Term, ...]
    vector: bool = False


@dataclass(frozen=True, slots=True)
class RangeLit(Node):
    """`[start:stop:step]` (missing parts are None; `[:n]` has no start)."""

    start: Term | None
    stop: Term | None
    step: Term | None


@dataclass(frozen=True, slots=True)
class PolyRange(Node):
    """The ranges `a...b`, `a...=b`, `a<...b`, `a...*`, `*...b`: `op` is the separator as written."""

    op: str
    start: Term | None
    stop: Term | None


@dataclass(frozen=True, slots=True)
class Binder(Node):
    """One binder group.

    `names` holds identifiers, `_` for anonymous ones; an anonymous instance binder `[C α]` has no names. `pred` is
    the relation of a bounded binder: `∀ x ∈ s` gives `("∈", s)`, `∃ y < n` gives `("<", n)`. `pattern` is set for a
    pattern binder of `fun` or `∃ ⟨a, b⟩, …`, and `names` is then empty. `default` is `:= e` (or a `By`).
    """

    names: tuple[str, ...]
    type: Term | None = None
    kind: BinderKind = "explicit"
    default: Term | None = None
    pred: tuple[str, Term] | None = None
    pattern: Term | None = None


@dataclass(frozen=True, slots=True)
class Fun(Node):
    """`fun binders => body` (also `λ`, `↦`)."""

    binders: tuple[Binder, ...]
    body: Term


@dataclass(frozen=True, slots=True)
class MatchAlt(Node):
    """`| p₁, …, pₙ | q₁, …, qₙ => rhs`: `patterns` is a tuple of alternatives, each with one pattern a discriminant."""

    patterns: tuple[tuple[Term, ...], ...]
    rhs: Term


@dataclass(frozen=True, slots=True)
class FunMatch(Node):
    """`fun | p => e | q => e'`."""

    alts: tuple[MatchAlt, ...]


@dataclass(frozen=True, slots=True)
class Quantifier(Node):
    """A binding notation with its symbol: `∀`, `∃`, `∃!`, `Σ`, `∑`, `∏`, `⋃`, `⋂`, `⨆`, `⨅`, `∀ᵉ`, `∃ᵉ`, ….

    `filter` is the condition of `∑ x ∈ s with p x, f x`.
    """

    symbol: str
    binders: tuple[Binder, ...]
    body: Term
    filter: Term | None = None


@dataclass(frozen=True, slots=True)
class DepArrow(Node):
    """`(x : A) → B`, `{α : Type} → B`, `[C α] → B`."""

    binder: Binder
    body: Term


@dataclass(frozen=True, slots=True)
class DepProd(Node):
    """`(x : A) × B` and `(x : A) ×' B` (`op` tells)."""

    op: str
    binder: Binder
    body: Term


@dataclass(frozen=True, slots=True)
class Arrow(Node):
    """`A → B`."""

    domain: Term
    codomain: Term


@dataclass(frozen=True, slots=True)
class BinOp(Node):
    """An infix notation; `op` is its token as written (`+`, `∧`, `≤`, `∈`, `::`, `<|>`, `>>=`, `▸`, …).

    `<|`, `$`, `|>` are not here (they are applications), nor is `→` (it is `Arrow`). ASCII forms keep their own
    token (`/\\`, `<=`, `->` is an `Arrow`). The iterate `f^[n]` has the token `^[`.
    """

    op: str
    lhs: Term
    rhs: Term


@dataclass(frozen=True, slots=True)
class ModEq(Node):
    """`a ≡ b [MOD n]`; `kind` is `MOD`, `ZMOD`, `PMOD` or `SMOD`."""

    kind: str
    lhs: Term
    rhs: Term
    modulus: Term


@dataclass(frozen=True, slots=True)
class PrefixOp(Node):
    """`¬ p`, `!b`, `-x`, `~~~x`, `↑x`, `√x`, `𝒫 s`, `#s`, `𝔼`, …."""

    op: str
    arg: Term


@dataclass(frozen=True, slots=True)
class PostfixOp(Node):
    """`x⁻¹`, `n !` (factorial), `sᶜ`, `x.val†` …; `op` as written."""

    op: str
    arg: Term


@dataclass(frozen=True, slots=True)
class Bracketed(Node):
    """`|x|`, `‖x‖`, `⌊x⌋`, `⌈x⌉`, `⌊x⌋₊`, `⌈x⌉₊`, `⟪x⟫`, `‹T›`, `⌜p⌝`.

    `kind` is the opening token (and `₊` after it).
    """

    kind: str
    inner: Term


@dataclass(frozen=True, slots=True)
class Index(Node):
    """`xs[i]` (`suffix` empty), `xs[i]!`, `xs[i]?`, `xs[i]'h` (`proof` set), `xs[i]D d` does not exist."""

    target: Term
    index: Term
    suffix: Literal["", "!", "?", "'"]
    proof: Term | None = None


@dataclass(frozen=True, slots=True)
class Slice(Node):
    """`xs[a:b]`, `xs[a:]`, `xs[:b]` (subarrays)."""

    target: Term
    start: Term | None
    stop: Term | None


@dataclass(frozen=True, slots=True)
class FieldInit(Node):
    """`path := value` in a structure instance; a path step is a field name, a number or an index term.

    An abbreviated field `{ x }` has the value `Ident(("x",))`.
    """

    path: tuple[str | int | Term, ...]
    value: Term


@dataclass(frozen=True, slots=True)
class StructInst(Node):
    """`{ s with f := v, … : T }`; `ellipsis` for a trailing `..`."""

    sources: tuple[Term, ...]
    fields: tuple[FieldInit, ...]
    ellipsis: bool
    type: Term | None


@dataclass(frozen=True, slots=True)
class SetLit(Node):
    """`{a, b, …}` and the empty `{}` (or `∅` as the identifier `∅`); a single `{x}` is a set literal too."""

    items: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class SetBuilder(Node):
    """`{binder | body}`: `{x | p}`, `{x : T | p}`, `{x ∈ s | p}` (as `binder.pred`), `{f x | x y}` (as `image`)."""

    binder: Binder | None
    body: Term
    image: tuple[Binder, ...] = ()


@dataclass(frozen=True, slots=True)
class Subtype(Node):
    """`{x : T // p}`."""

    binder: Binder
    body: Term


@dataclass(frozen=True, slots=True)
class LetDecl(Node):
    """The part of a `let`, `have` or `let rec` before its body.

    Either `name` (with optional `binders`) or `pattern`. `alts` holds a body by equations (`let f : T | p => e`).
    `otherwise` is the branch of `let p := e | otherwise`. `termination_by` and `decreasing_by` hold the text of the
    hints of a `let rec`.
    """

    name: str
    binders: tuple[Binder, ...]
    type: Term | None
    value: Term | None
    pattern: Term | None = None
    alts: tuple[MatchAlt, ...] = ()
    otherwise: Term | None = None
    termination_by: str = ""
    decreasing_by: str = ""


@dataclass(frozen=True, slots=True)
class Let(Node):
    """`let`, `have`, `let_fun`, `haveI`, `letI`, `suffices` followed by a body; `keyword` as written."""

    keyword: str
    decl: LetDecl
    body: Term


@dataclass(frozen=True, slots=True)
class LetRec(Node):
    """`let rec f … := …, g … := …` followed by a body."""

    decls: tuple[LetDecl, ...]
    body: Term


@dataclass(frozen=True, slots=True)
class Show(Node):
    """`show T from e`, `show T by …`, `show T; e`-free."""

    type: Term
    value: Term


@dataclass(frozen=True, slots=True)
class If(Node):
    """`if c then a else b`; `hyp` is the name in `if h : c`."""

    cond: Term
    then: Term
    otherwise: Term
    hyp: str = ""


@dataclass(frozen=True, slots=True)
class IfLet(Node):
    """`if let p := e then a else b`."""

    pattern: Term
    value: Term
    then: Term
    otherwise: Term


@dataclass(frozen=True, slots=True)
class Discr(Node):
    """One discriminant of a `match`, with the name of `match h : e with`."""

    term: Term
    hyp: str = ""


@dataclass(frozen=True, slots=True)
class Match(Node):
    """`match d₁, …, dₙ with | …`; `nomatch` and `match x with.` have no alternatives."""

    discrs: tuple[Discr, ...]
    alts: tuple[MatchAlt, ...]
    motive: Term | None = None


@dataclass(frozen=True, slots=True)
class NamedPattern(Node):
    """`x@p` (and `x@h:p`) in a pattern."""

    name: str
    pattern: Term
    hyp: str = ""


@dataclass(frozen=True, slots=True)
class Inaccessible(Node):
    """`.(e)` in a pattern."""

    term: Term


@dataclass(frozen=True, slots=True)
class Matches(Node):
    """`e matches p | q`."""

    term: Term
    patterns: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class By(Node):
    """`by …`: the tactic block is skipped as balanced tokens; `text` is its source."""

    text: str


@dataclass(frozen=True, slots=True)
class Calc(Node):
    """`calc …`, skipped like a tactic block."""

    text: str


@dataclass(frozen=True, slots=True)
class Sorry(Node):
    """`sorry` (also `admit` is not a term)."""


@dataclass(frozen=True, slots=True)
class Do(Node):
    """A `do` block."""

    items: tuple[DoItem, ...]


@dataclass(frozen=True, slots=True)
class NestedAction(Node):
    """`(← e)` inside a `do` block."""

    term: Term


@dataclass(frozen=True, slots=True)
class ScopedTerm(Node):
    """`open N in e`, `set_option o v in e`; `command` says which."""

    command: Command
    term: Term


@dataclass(frozen=True, slots=True)
class TermMacro(Node):
    """`panic! e`, `unreachable!`, `assert! c; e`, `dbg_trace …; e`, `nofun`, a quoted name (then it is the keyword).

    In a do block `assert! c` and `dbg_trace …` have no body. A Hoare triple `⦃P⦄ e ⦃Q⦄` has the keyword `⦃⦄`, and
    `⇓ r => q` has the keyword `⇓` and one function.
    """

    keyword: str
    args: tuple[Term, ...]


Term: TypeAlias = (
    Ident
    | Hole
    | NumLit
    | SciLit
    | StrLit
    | CharLit
    | InterpStr
    | SortTerm
    | App
    | Explicit
    | Proj
    | DotIdent
    | Paren
    | Ascription
    | Tuple
    | AnonCtor
    | ListLit
    | ArrayLit
    | RangeLit
    | PolyRange
    | Fun
    | FunMatch
    | Quantifier
    | DepArrow
    | DepProd
    | Arrow
    | BinOp
    | ModEq
    | PrefixOp
    | PostfixOp
    | Bracketed
    | Index
    | Slice
    | StructInst
    | SetLit
    | SetBuilder
    | Subtype
    | Let
    | LetRec
    | Show
    | If
    | IfLet
    | Match
    | NamedPattern
    | Inaccessible
    | Matches
    | By
    | Calc
    | Sorry
    | Do
    | NestedAction
    | ScopedTerm
    | TermMacro
)
