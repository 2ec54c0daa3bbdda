"""Candidates from one instance of what is said of all members: `∀ y ∈ l, P x y`, `∀ i : Nat, i < n → P x i`.

Soundness. Where l has a first element e, the literal implies P x e; where the known premises about i hold of 0, it
implies P x 0. With that in its place (the other literals staying)
every solution is still one, so a list of candidates that covers the solutions of the weaker literals covers those of
the stronger ones. A generator that keeps only some solution of its literals is not used: the one it keeps need not
satisfy what was left out. For an empty collection the rule does not apply.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from specgen.lean.core import FVar
from specgen.lean.elab.whnf import NAT
from specgen.lean.eval.nodes import CAUGHT, Code, Frame, is_fatal
from specgen.lean.eval.quantifiers.literals import Literal, conjuncts, expose, quantified
from specgen.lean.eval.quantifiers.members import MEMBERSHIP, items_of
from specgen.lean.eval.quantifiers.search import Generator, Search, State
from specgen.lean.eval.runtime import charge
from specgen.lean.eval.values import to_list


def propose(
    search: Search, x: FVar, s: State, rules: Iterable[Callable[[Search, FVar, State], list[Generator]]]
) -> list[Generator]:
    """Propose what the rules find with such literals replaced by their first instances."""
    literals: list[Literal] = []
    firsts: list[tuple[int, Code]] = []
    for lit in s.literals:
        found = _instance(search, lit, s) if search.mentions(lit.term, (x.id,)) else None
        if found is None:
            literals.append(lit)
            continue
        slot, items, instance = found
        firsts.append((slot, items))
        literals.extend(instance)
    if not firsts:
        return []
    weaker = State(list(s.unbound), literals, s.cases)
    found_by_rules = [g for rule in rules for g in rule(search, x, weaker) if g.covers and g.complete]
    return [Generator(g.rank + 1, _at_first(g.code, tuple(firsts)), total=False) for g in found_by_rules]


def _instance(search: Search, lit: Literal, s: State) -> tuple[int, Code, list[Literal]] | None:
    """Return the slot of y, the code of l, and what P says of x and y."""
    opened = quantified(search.c, Literal(lit.term, not lit.positive))
    if opened is None:
        return None
    y, body = opened
    rest: list[Literal] = []
    items: Code | None = None
    for part in conjuncts(search.c, body):
        name, args, _ = expose(search.c, part.term)
        at = MEMBERSHIP.get(name, 0) if part.positive and len(args) == 3 else 0
        if items is None and at and args[at] == y and not search.mentions(args[3 - at], (*s.ids, y.id)):
            items = search.c.code(args[3 - at], search.scope)
        else:
            rest.append(part)
    slot = search.scope.bind(y)
    if items is None and search.c.types.local_type(y) == NAT:
        premises = [lit for lit in rest if not search.mentions(lit.term, s.ids)]
        rest = [lit for lit in rest if search.mentions(lit.term, s.ids)]
        items = _zero_if(tuple([search.check(lit) for lit in premises]), slot)
    if items is None or len(rest) != 1:
        return None
    return slot, items, conjuncts(search.c, Literal(rest[0].term, not rest[0].positive))


def _zero_if(premises: tuple[Code, ...], slot: int) -> Code:
    def run(fr: Frame) -> Any:
        fr[slot] = 0
        return to_list([0] if all(premise(fr) for premise in premises) else [])

    return run


def _at_first(code: Code, firsts: tuple[tuple[int, Code], ...]) -> Code:
    def run(fr: Frame) -> Any:
        charge(1)
        for slot, items in firsts:
            try:
                found = items_of(items(fr))
            except CAUGHT as error:
                if is_fatal(error):
                    raise
                return None
            if not found:
                return None
            fr[slot] = found[0]
        return code(fr)

    return run
