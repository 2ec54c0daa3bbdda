"""Questions about `do` items, and the lifting of nested actions `(← e)` out of a statement."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeVar

from specgen.lean import syntax
from specgen.lean.elab.context import ElabError
from specgen.lean.elab.surface import children, rebuild
from specgen.lean.syntax import DoItem, Term

T = TypeVar("T", bound=syntax.Node)

_CLOSED: Final = (syntax.Fun, syntax.FunMatch, syntax.Do, syntax.By, syntax.Calc, syntax.Quantifier)
"""Terms whose nested actions belong to themselves."""

_BINDING: Final = (syntax.Let, syntax.LetRec, syntax.MatchAlt)
"""Terms with binders over which Lean refuses to lift an action."""


def lift_actions(node: T, fresh: Callable[[], str], found: list[tuple[str, Term]]) -> T:
    """Replace nested actions by fresh names; `found` gets (name, action) in order of execution."""

    def go(item: object) -> object:
        if isinstance(item, _BINDING) and has_nested_action(item):
            raise ElabError("type", "cannot lift `(<- ...)` over a binder", item.span)
        if isinstance(item, syntax.NestedAction):
            action = go(item.term)
            name = fresh()
            found.append((name, action))  # type: ignore[arg-type]
            return syntax.Ident(item.span, (name,))
        if isinstance(item, syntax.Node) and not isinstance(item, _CLOSED):
            return rebuild(item, go)
        return item

    return go(node)  # type: ignore[return-value]


def has_nested_action(node: object) -> bool:
    """Tell whether a statement contains an action that must be lifted out of it."""
    stack = [node]
    while stack:
        item = stack.pop()
        if isinstance(item, syntax.NestedAction):
            return True
        if not isinstance(item, _CLOSED):
            stack.extend(children(item))
    return False


def blocks(item: DoItem) -> Iterator[Sequence[DoItem]]:
    """Yield the blocks of items directly inside an item."""
    match item:
        case syntax.DoIf():
            for _, body in item.branches:
                yield body
            if item.otherwise is not None:
                yield item.otherwise
        case syntax.DoUnless() | syntax.DoFor() | syntax.DoWhile():
            yield item.body
        case syntax.DoMatch():
            for alt in item.alts:
                yield alt.body
        case syntax.DoTry():
            yield item.body
            for _, _, handler in item.catches:
                yield handler
            if item.final is not None:
                yield item.final
        case syntax.DoLet() if item.otherwise is not None:
            yield item.otherwise
        case syntax.DoExpr() if isinstance(item.term, syntax.Do):
            yield item.term.items
        case _:
            pass


def assigned(items: Sequence[DoItem]) -> set[str]:
    """Return the names that items reassign, however deep."""
    found: set[str] = set()
    for item in items:
        if isinstance(item, syntax.DoReassign):
            found |= pattern_names(item.target)
        for body in blocks(item):
            found |= assigned(body)
    return found


def returns(items: Sequence[DoItem]) -> bool:
    """Tell whether `return` occurs."""
    return any(isinstance(i, syntax.DoReturn) or any(returns(b) for b in blocks(i)) for i in items)


def jumps(items: Sequence[DoItem]) -> bool:
    """Tell whether `break` or `continue` of an enclosing loop occurs."""
    for item in items:
        if isinstance(item, (syntax.DoBreak, syntax.DoContinue)):
            return True
        if not isinstance(item, (syntax.DoFor, syntax.DoWhile)) and any(jumps(b) for b in blocks(item)):
            return True
    return False


def falls_through(items: Sequence[DoItem]) -> bool:
    """Tell whether control can reach the end of a block."""
    for item in items:
        if isinstance(item, (syntax.DoReturn, syntax.DoBreak, syntax.DoContinue)):
            return False
        if isinstance(item, syntax.DoIf) and item.otherwise is not None:
            bodies = [*[b for _, b in item.branches], item.otherwise]
            if not any(falls_through(b) for b in bodies):
                return False
        if isinstance(item, syntax.DoMatch) and item.alts and not any(falls_through(a.body) for a in item.alts):
            return False
        if isinstance(item, syntax.DoExpr) and isinstance(item.term, syntax.Do) and not falls_through(item.term.items):
            return False
    return True


def binds_names(items: Sequence[DoItem]) -> bool:
    """Tell whether a block declares names that what follows it must not see."""
    return any(
        isinstance(i, (syntax.DoLet, syntax.DoLetRec))
        or (isinstance(i, syntax.DoExpr) and isinstance(i.term, syntax.Do))
        for i in items
    )


def pattern_names(pattern: syntax.Arg) -> set[str]:
    """Return the names a pattern may bind (heads of applications left out)."""
    match pattern:
        case syntax.EllipsisArg():
            return set()
        case syntax.Ident():
            return {pattern.parts[0]} if len(pattern.parts) == 1 else set()
        case syntax.App():
            return set().union(*[pattern_names(a) for a in pattern.args])
        case syntax.NamedArg():
            return pattern_names(pattern.value)
        case syntax.NamedPattern():
            return {pattern.name} | pattern_names(pattern.pattern)
        case _:
            found: set[str] = set()
            for child in children(pattern):
                if isinstance(child, syntax.Node):
                    found |= pattern_names(child)  # type: ignore[arg-type]
            return found
