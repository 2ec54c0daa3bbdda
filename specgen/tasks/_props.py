"""The propositional skeleton of a contract: its clauses, and its comparisons with the polarity they stand in.

Works on the parsed tree and hands back spans of the text, so that an edit leaves everything else as it was written.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from specgen.lean import syntax as s

Span: TypeAlias = tuple[int, int]
AND = ("∧", "/\\")
OR = ("∨", "\\/")


@dataclass(frozen=True, slots=True)
class Site:
    """A place that can be edited: a node, the polarity it stands in (True: making it weaker weakens the contract)."""

    node: s.Term
    positive: bool
    clause: int


@dataclass(frozen=True, slots=True)
class Chain:
    """A conjunction of two or more clauses, each with its span."""

    clauses: tuple[Span, ...]

    def without(self, at: int) -> Span:
        """Return the span to delete so that the clause at `at` is gone with its connective."""
        if at < len(self.clauses) - 1:
            return (self.clauses[at][0], self.clauses[at + 1][0])
        return (self.clauses[at - 1][1], self.clauses[at][1])


@dataclass(slots=True)
class Skeleton:
    """What `skeleton` finds: conjunctions, and editable places in order of their position."""

    chains: list[Chain]
    sites: list[Site]
    clauses: list[Span]


def skeleton(root: s.Term) -> Skeleton:
    """Take a proposition apart.

    Lets are looked through; a local predicate (`let spec (r : T) := …`) that stands as a clause counts with its own
    clauses; `∃ result, f x = result ∧ Q` is looked through and its equation is not a clause.
    """
    found = Skeleton([], [], [])
    _root(root, {}, found)
    return found


def _root(term: s.Term, lets: dict[str, s.LetDecl], found: Skeleton) -> None:
    """Visit a term whose conjuncts are clauses of the contract."""
    if isinstance(term, s.Paren):
        _root(term.inner, lets, found)
    elif isinstance(term, s.Let):
        if term.decl.name and term.decl.value is not None:
            lets = {**lets, term.decl.name: term.decl}
        _root(term.body, lets, found)
    elif isinstance(term, s.Quantifier) and term.symbol == "∃" and _names_result(term):
        _root(term.body, lets, found)
    elif isinstance(term, s.Arrow):
        found.sites.append(Site(term, True, len(found.clauses)))
        _visit(term.domain, False, len(found.clauses), found)
        _root(term.codomain, lets, found)
    else:
        _conjunction(term, lets, found)


def _conjunction(term: s.Term, lets: dict[str, s.LetDecl], found: Skeleton) -> None:
    items = list(_conjuncts(term))
    kept = [item for item in items if not _defines_result(item)]
    real = [item for item in kept if _local_predicate(item, lets) is None]
    if len(kept) > 1 and len(real) == len(kept):
        found.chains.append(
            Chain(tuple(item.span for item in items)) if len(kept) == len(items) else Chain(_tail(items))
        )
    for item in kept:
        local = _local_predicate(item, lets)
        if local is not None:
            rest = {name: decl for name, decl in lets.items() if decl is not local}
            if local.value is not None:
                _root(local.value, rest, found)
        elif len(items) > 1 and isinstance(item, (s.Let, s.Paren)):
            _root(item, lets, found)
        elif not isinstance(item, (s.Ident, s.App)) or len(items) == 1:
            found.clauses.append(item.span)
            _visit(item, True, len(found.clauses) - 1, found)
        else:
            found.clauses.append(item.span)


def _tail(items: list[s.Term]) -> tuple[Span, ...]:
    """Return the spans of the clauses after the equation that defines the result."""
    start = next((at + 1 for at, item in enumerate(items) if _defines_result(item)), 0)
    return tuple(item.span for item in items[start:])


def _conjuncts(term: s.Term) -> Iterator[s.Term]:
    while isinstance(term, s.BinOp) and term.op in AND:
        yield term.lhs
        term = term.rhs
    yield term


def _names_result(term: s.Quantifier) -> bool:
    first = next(_conjuncts(term.body), None)
    return first is not None and _defines_result(first)


def _defines_result(term: s.Term) -> bool:
    """Tell whether a clause is `impl x… = result`."""
    if not (isinstance(term, s.BinOp) and term.op == "=" and isinstance(term.rhs, s.Ident)):
        return False
    fn = term.lhs.fn if isinstance(term.lhs, s.App) else term.lhs
    return isinstance(fn, s.Ident) and fn.name in ("impl", "implementation")


def _local_predicate(term: s.Term, lets: dict[str, s.LetDecl]) -> s.LetDecl | None:
    fn = term.fn if isinstance(term, s.App) else term
    if isinstance(fn, s.Ident) and fn.name in lets:
        return lets[fn.name]
    return None


def _visit(term: s.Term, positive: bool, clause: int, found: Skeleton) -> None:
    """Collect comparisons and connectives below a clause, as far as the polarity is clear."""
    stack: list[tuple[s.Term, bool]] = [(term, positive)]
    while stack:
        node, side = stack.pop()
        if isinstance(node, (s.BinOp, s.Arrow)):
            found.sites.append(Site(node, side, clause))
        stack.extend(reversed(list(_below(node, side))))


def _below(node: s.Term, side: bool) -> Iterator[tuple[s.Term, bool]]:
    if isinstance(node, s.Paren):
        yield node.inner, side
    elif isinstance(node, s.BinOp) and node.op in (*AND, *OR):
        yield node.lhs, side
        yield node.rhs, side
    elif isinstance(node, s.Arrow):
        yield node.domain, not side
        yield node.codomain, side
    elif isinstance(node, s.Quantifier) and node.symbol in ("∀", "∃"):
        yield node.body, side
    elif isinstance(node, s.PrefixOp) and node.op in ("¬", "!"):
        yield node.arg, not side
    elif isinstance(node, s.Let):
        yield node.body, side
    elif isinstance(node, s.If):
        yield node.then, side
        yield node.otherwise, side
    elif isinstance(node, s.Match):
        for alt in node.alts:
            yield alt.rhs, side
