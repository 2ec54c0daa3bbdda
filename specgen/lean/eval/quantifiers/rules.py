"""The rules in one list: each proposes generators for a variable from the literals it stands in."""

from __future__ import annotations

from specgen.lean.core import FVar
from specgen.lean.eval.quantifiers import (
    bounds,
    elements,
    equations,
    extension,
    finite,
    generic,
    growing,
    instances,
    lists,
    members,
    periodic,
    pieces,
    positions,
    relations,
    tails,
)
from specgen.lean.eval.quantifiers.equations import unpackings
from specgen.lean.eval.quantifiers.search import Generator, Search, State

_RULES = (
    equations.propose,
    members.propose,
    extension.propose,
    relations.propose,
    bounds.propose,
    growing.propose,
    positions.propose,
    finite.propose,
    pieces.propose,
    lists.propose,
    elements.propose,
    periodic.propose,
    tails.propose,
)


_MANY = 60
"""Rank from which on a generator goes through a type with a great many values."""


def proposals(search: Search, x: FVar, s: State) -> list[Generator]:
    """Return all generators for a variable."""
    found = [g for rule in _RULES for g in rule(search, x, s)]
    if not any(g.total and g.rank < _MANY and (g.covers or not search.enumerating) for g in found):
        found.extend(instances.propose(search, x, s, _RULES))
        found.extend(generic.propose(search, x, s))
    return found


__all__ = ["proposals", "unpackings"]
