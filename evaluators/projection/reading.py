"""What a Lean text declares, read from its syntax: full names, namespaces, section variables, identifiers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import TypeAlias

from specgen.lean import syntax as s
from specgen.lean.lexer import IDENT, SYM, lex
from specgen.lean.parser import parse_file
from specgen.lean.source import Diagnostic


@dataclass(frozen=True, slots=True)
class Item:
    """A declaration with its place.

    Attributes:
        name: full name, empty for what has none.
        namespace: the namespace that it stands in.
        variables: the section variables in scope, in order.
        whole: the characters of the declaration with what stands before it by `… in`.
    """

    name: str
    namespace: str
    command: s.Declaration | s.Inductive | s.Structure
    whole: s.Span
    variables: tuple[s.Binder, ...] = ()

    @property
    def span(self) -> s.Span:
        """The declaration's characters, modifiers included."""
        return self.command.span

    @property
    def is_theorem(self) -> bool:
        """Whether it states something and proves it (or should)."""
        return isinstance(self.command, s.Declaration) and self.command.kind in ("theorem", "lemma", "example")


_Spaces: TypeAlias = list[tuple[str, tuple[s.Binder, ...]]]
"""Open namespaces and sections, innermost last, with the variables declared in each."""


def declared_items(commands: Sequence[s.Command]) -> list[Item]:
    """Return the declarations of a file, in order."""
    return list(_walk(commands, [("", ())]))


def open_namespace(commands: Sequence[s.Command]) -> str:
    """Return the namespace that is open at the end of a file."""
    spaces: _Spaces = [("", ())]
    for _ in _walk(commands, spaces):
        pass
    return _joined(spaces)


def _joined(spaces: _Spaces) -> str:
    return ".".join(name for name, _ in spaces if name)


def _walk(commands: Sequence[s.Command], spaces: _Spaces) -> Iterator[Item]:
    for command in commands:
        match command:
            case s.Namespace():
                spaces.append((command.name, ()))
            case s.Section():
                spaces.append(("", ()))
            case s.End() if len(spaces) > 1:
                spaces.pop()
            case s.Variable():
                name, variables = spaces[-1]
                spaces[-1] = (name, (*variables, *command.binders))
            case s.Mutual():
                yield from _walk(command.commands, spaces)
            case s.InCommand():
                spaces.append(("", command.outer.binders if isinstance(command.outer, s.Variable) else ()))
                for item in _walk((command.inner,), spaces):
                    yield replace(item, whole=command.span)
                spaces.pop()
            case s.Declaration() | s.Inductive() | s.Structure():
                space = _joined(spaces)
                root = command.name.startswith("_root_.")
                short = command.name.removeprefix("_root_.")
                name = short if root or not space or not short else f"{space}.{short}"
                yield Item(name, space, command, command.span, tuple([b for _, group in spaces for b in group]))
            case _:
                pass


def nodes(tree: object) -> Iterator[s.Node]:
    """Yield all nodes of a tree, parents before children, in the order of the text."""
    stack: list[object] = [tree]
    while stack:
        top = stack.pop()
        if isinstance(top, tuple):
            stack.extend(reversed(top))
        elif isinstance(top, s.Node):
            yield top
            stack.extend(reversed([getattr(top, name) for name in _names(top.__class__)]))


_FIELDS: dict[type, tuple[str, ...]] = {}


def _names(kind: type[s.Node]) -> tuple[str, ...]:
    found = _FIELDS.get(kind)
    if found is None:
        found = _FIELDS[kind] = tuple([f.name for f in fields(kind) if f.name not in ("span", "modifiers")])
    return found


def identifiers(tree: object) -> Iterator[s.Ident]:
    """Yield the identifiers of a tree."""
    return (node for node in nodes(tree) if isinstance(node, s.Ident))


def binder_names(tree: object) -> set[str]:
    """Return the names that binders, patterns aside, bind somewhere in a tree."""
    return {name for node in nodes(tree) if isinstance(node, s.Binder) for name in node.names}


def errors_of(text: str) -> list[Diagnostic]:
    """Return the errors of parsing a text."""
    return [d for d in parse_file(text).diagnostics if d.severity == "error"]


def offset_of(text: str, line: int, column: int) -> int:
    """Return the offset of a position (1-indexed line, 0-indexed column)."""
    at = 0
    for _ in range(line - 1):
        at = text.index("\n", at) + 1
    return at + column


def strip(term: s.Term) -> s.Term:
    """Return a term without parentheses around it."""
    while isinstance(term, s.Paren):
        term = term.inner
    return term


def uses_sorry(text: str) -> bool:
    """Tell whether `sorry` or `admit` stands anywhere in a text, comments and strings apart."""
    tokens = lex(text)
    return any(t in ("sorry", "admit") for t, k in zip(tokens.texts, tokens.kinds, strict=True) if k in (IDENT, SYM))
