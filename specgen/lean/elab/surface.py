"""Questions about surface syntax that name resolution and lifting ask: which names does a piece of text mention?"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from typing import Final, TypeVar

from specgen.lean import syntax
from specgen.lean.syntax import Node

N = TypeVar("N", bound=Node)

_WORD: Final = re.compile(r"[^\W\d][\w'!?₀-₉]*")
_FIELDS: dict[type, tuple[str, ...]] = {}
_LEAVES: Final = (str, int, bool, type(None))


def field_names(kind: type) -> tuple[str, ...]:
    """Return the names of the fields of a node class that may hold nodes."""
    found = _FIELDS.get(kind)
    if found is None:
        found = tuple([f.name for f in fields(kind) if f.name != "span"])
        _FIELDS[kind] = found
    return found


def children(node: object) -> Iterator[object]:
    """Yield the nodes directly below a node or tuple, texts and numbers left out."""
    if isinstance(node, tuple):
        for item in node:
            if isinstance(item, tuple):
                yield from children(item)
            elif not isinstance(item, _LEAVES):
                yield item
    elif isinstance(node, Node):
        for name in field_names(type(node)):
            item = getattr(node, name)
            if isinstance(item, tuple):
                yield from children(item)
            elif not isinstance(item, _LEAVES):
                yield item


def walk(node: object) -> Iterator[Node]:
    """Yield every node of a tree, parents before children."""
    stack = [node]
    while stack:
        item = stack.pop()
        if isinstance(item, Node):
            yield item
        stack.extend(children(item))


def names_in(*nodes: object) -> set[str]:
    """Return the first components of all identifiers below, and every word of skipped tactic blocks.

    It errs on the side of too many: bound names and the words of proofs are among them.
    """
    found: set[str] = set()
    for root in nodes:
        for node in walk(root):
            if isinstance(node, syntax.Ident):
                found.add(node.parts[0])
            elif isinstance(node, (syntax.By, syntax.Calc)):
                found.update(_WORD.findall(node.text))
            elif isinstance(node, syntax.FieldInit) and node.path and isinstance(node.path[0], str):
                found.add(node.path[0])
    return found


def dotted_names_in(*nodes: object) -> set[str]:
    """Return all identifiers below as written."""
    return {n.name for root in nodes for n in walk(root) if isinstance(n, syntax.Ident)}


def has_sorry(*nodes: object) -> bool:
    """Tell whether `sorry` (or a tactic block that says so) stands anywhere below."""
    for root in nodes:
        for node in walk(root):
            if isinstance(node, syntax.Sorry):
                return True
            if isinstance(node, (syntax.By, syntax.Calc)) and ("sorry" in node.text or "admit" in node.text):
                return True
    return False


def rebuild(node: N, f: Callable[[object], object]) -> N:
    """Return a node with `f` applied to what stands directly below (tuples are entered)."""
    changes: dict[str, object] = {}
    for name in field_names(type(node)):
        old = getattr(node, name)
        if isinstance(old, _LEAVES):
            continue
        new = _map_item(old, f)
        if new is not old:
            changes[name] = new
    return replace(node, **changes) if changes else node  # type: ignore[arg-type]


def _map_item(item: object, f: Callable[[object], object]) -> object:
    if isinstance(item, tuple):
        new = tuple([x if isinstance(x, _LEAVES) else _map_item(x, f) for x in item])
        return item if all(a is b for a, b in zip(item, new, strict=True)) else new
    return f(item)
