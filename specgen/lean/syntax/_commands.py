"""Commands and files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from specgen.lean.syntax._base import Node
from specgen.lean.syntax._terms import Binder, FieldInit, MatchAlt, Term


@dataclass(frozen=True, slots=True)
class Attribute(Node):
    """One attribute of `@[…]`: its name and its arguments as text."""

    name: str
    args: str = ""


@dataclass(frozen=True, slots=True)
class Modifiers(Node):
    """Doc comment, attributes and keywords (`private`, `noncomputable`, `partial`, `unsafe`, `local`, `scoped`, …)."""

    doc: str = ""
    attributes: tuple[Attribute, ...] = ()
    keywords: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Import(Node):
    """`import M N`; `public`, `meta` and `all` in `keywords`."""

    modules: tuple[str, ...]
    keywords: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Open(Node):
    """`open A B`, `open A (x y)`, `open A hiding x`, `open A renaming x → y`, `open scoped A`."""

    namespaces: tuple[str, ...]
    only: tuple[str, ...] = ()
    hiding: tuple[str, ...] = ()
    renaming: tuple[tuple[str, str], ...] = ()
    scoped: bool = False


@dataclass(frozen=True, slots=True)
class Export(Node):
    """`export A (x y)`."""

    namespace: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Namespace(Node):
    """`namespace A.B`."""

    name: str


@dataclass(frozen=True, slots=True)
class Section(Node):
    """`section [name]`, with `noncomputable`, `public`, … in `keywords`."""

    name: str
    keywords: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class End(Node):
    """`end [name]`."""

    name: str


@dataclass(frozen=True, slots=True)
class Variable(Node):
    """`variable (x : A) {α : Type} [C α]`."""

    binders: tuple[Binder, ...]


@dataclass(frozen=True, slots=True)
class Universe(Node):
    """`universe u v`."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SetOption(Node):
    """`set_option name value`."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class AttributeCmd(Node):
    """`attribute [local instance] f g`."""

    attributes: tuple[Attribute, ...]
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class InCommand(Node):
    """`open A in cmd`, `set_option … in cmd`, `variable … in cmd`, `omit … in cmd`."""

    outer: Command
    inner: Command


@dataclass(frozen=True, slots=True)
class Declaration(Node):
    """`def`, `abbrev`, `theorem`, `lemma`, `instance`, `example`, `axiom`, `opaque`, `constant`-free.

    Exactly one of `value`, `alts`, `fields` is given, or none (axiom, opaque). `fields` is the body by `where` of an
    instance or a structure-valued definition; `where_decls` are local functions (`where go … := …`). `name` is empty
    for an anonymous instance and for `example`. `priority` is text.
    """

    kind: str
    modifiers: Modifiers
    name: str
    levels: tuple[str, ...]
    binders: tuple[Binder, ...]
    type: Term | None
    value: Term | None
    alts: tuple[MatchAlt, ...] = ()
    fields: tuple[FieldInit, ...] | None = None
    where_decls: tuple[Declaration, ...] = ()
    termination_by: str = ""
    decreasing_by: str = ""
    deriving: tuple[str, ...] = ()
    priority: str = ""


@dataclass(frozen=True, slots=True)
class Constructor(Node):
    """`| name binders : type` of an inductive type."""

    name: str
    binders: tuple[Binder, ...]
    type: Term | None
    modifiers: Modifiers


@dataclass(frozen=True, slots=True)
class Inductive(Node):
    """`inductive` or `class inductive`."""

    modifiers: Modifiers
    name: str
    levels: tuple[str, ...]
    binders: tuple[Binder, ...]
    type: Term | None
    constructors: tuple[Constructor, ...]
    deriving: tuple[str, ...] = ()
    is_class: bool = False


@dataclass(frozen=True, slots=True)
class Structure(Node):
    """`structure` or `class`; a parent is `(name of the projection or "", type)`; a field is a binder."""

    modifiers: Modifiers
    name: str
    levels: tuple[str, ...]
    binders: tuple[Binder, ...]
    parents: tuple[tuple[str, Term], ...]
    type: Term | None
    constructor: str
    fields: tuple[Binder, ...]
    deriving: tuple[str, ...] = ()
    is_class: bool = False


@dataclass(frozen=True, slots=True)
class Mutual(Node):
    """`mutual … end`."""

    commands: tuple[Command, ...]


@dataclass(frozen=True, slots=True)
class DerivingCmd(Node):
    """`deriving instance C, D for T, U`."""

    classes: tuple[str, ...]
    types: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class HashCommand(Node):
    """`#eval e`, `#check e`, `#guard e`, `#print n`, `#reduce e`, …; `term` where it takes one, else `text`."""

    name: str
    term: Term | None
    text: str


@dataclass(frozen=True, slots=True)
class Unsupported(Node):
    """A command we recognise and skip: `notation`, `infixl`, `macro`, `syntax`, `elab`, `run_cmd`, `initialize`, ….

    `tokens` holds the new tokens that a notation introduces, so that the parser may refuse them by name.
    """

    keyword: str
    text: str
    tokens: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Misc(Node):
    """A command without meaning for us: module docs, `include`, `omit`, `assert_not_exists`, `compile_inductive`, …."""

    keyword: str
    text: str


Command: TypeAlias = (
    Import
    | Open
    | Export
    | Namespace
    | Section
    | End
    | Variable
    | Universe
    | SetOption
    | AttributeCmd
    | InCommand
    | Declaration
    | Inductive
    | Structure
    | Mutual
    | DerivingCmd
    | HashCommand
    | Unsupported
    | Misc
)


@dataclass(frozen=True, slots=True)
class File(Node):
    """A whole source file."""

    commands: tuple[Command, ...]
