"""One-point rules: an equation that gives variables their values.

Soundness. `p = e` with `e` known and `p` made of variables and constructors: constructors are injective and disjoint,
so the variables can only have the values found by taking `e` apart, and there is no solution where that fails. Parts of
`p` that are not variables are not compared here; the literal itself stays and is checked.
"""

from __future__ import annotations

from typing import Any

from specgen.lean.core import FVar, Term
from specgen.lean.eval.matching import Test, assign_test, field_tests
from specgen.lean.eval.nodes import Code, Frame
from specgen.lean.eval.quantifiers.literals import Literal, alternatives, conjuncts, equation, expose
from specgen.lean.eval.quantifiers.search import Generator, Search, State, Unpack


def unpackings(search: Search, s: State) -> list[Unpack]:
    """Return ways to take a known value apart into unbound variables, at most one."""
    ids = s.ids
    for lit in s.literals:
        sides = equation(search.c, lit)
        if sides is None:
            continue
        _, left, right = sides
        for pattern, value in ((left, right), (right, left)):
            if search.mentions(value, ids) or not search.mentions(pattern, ids):
                continue
            if isinstance(pattern, FVar) or not _is_pattern(search, pattern, ids):
                continue
            code = search.c.code(value, search.scope)
            found: dict[int, FVar] = {}
            test = _compile(search, pattern, ids, {x.id: x for x in s.unbound}, found)
            if test is not None and found:
                return [Unpack(code, test, tuple(found.values()))]
    return []


def _is_pattern(search: Search, term: Term, ids: frozenset[int]) -> bool:
    """Tell whether a term is a constructor with an unbound variable directly under constructors."""
    if isinstance(term, FVar):
        return term.id in ids
    found = _constructor(search, term)
    if found is None:
        return False
    return any(_is_pattern(search, a, ids) for a in found[1])


def _constructor(search: Search, term: Term) -> tuple[str, tuple[Term, ...]] | None:
    name, args, _ = expose(search.c, term)
    name = name.removeprefix("@")
    constant = search.c.env.get(name) if name else None
    if constant is None or constant.kind != "constructor":
        return None
    layout = search.c.types.layout(constant.inductive)
    if layout is None:
        return None
    fields = args[layout.info.params :]
    return (name, fields) if len(fields) == len(layout.relevant[constant.index]) else None


def _compile(
    search: Search, term: Term, ids: frozenset[int], unbound: dict[int, FVar], found: dict[int, FVar]
) -> Test | None:
    """Return a test that takes a value apart along a pattern; parts that are not variables match anything."""
    if isinstance(term, FVar):
        if term.id not in ids or term.id in found or term.id in search.c.erased_vars:
            return None
        x = unbound[term.id]
        found[term.id] = x
        return assign_test(search.scope.bind(x))
    ctor = _constructor(search, term)
    if ctor is None:
        return None
    name, fields = ctor
    constant = search.c.env.get(name)
    layout = search.c.types.layout(constant.inductive) if constant is not None else None
    if constant is None or layout is None:
        return None
    keep = layout.relevant[constant.index]
    tests = [_compile(search, f, ids, unbound, found) if k else None for f, k in zip(fields, keep, strict=True)]
    return field_tests(layout.shape, constant.index, name, tests, layout.field)


def propose(search: Search, x: FVar, s: State) -> list[Generator]:
    """Propose the one value of x that an equation `x = e` (also under a cast or a successor) leaves."""
    ids = s.ids
    out: list[Generator] = []
    for lit in s.literals:
        sides = equation(search.c, lit)
        if sides is None:
            continue
        _, left, right = sides
        for this, value in ((left, right), (right, left)):
            if search.mentions(value, ids):
                continue
            if this == x:
                out.append(Generator(0, _single(search.c.code(value, search.scope)), settles=(lit,)))
            elif _cast_of(search, this, x):
                out.append(Generator(1, _natural(search.c.code(value, search.scope)), settles=(lit,)))
    return out[:1] or _points(search, x, s)


def _points(search: Search, x: FVar, s: State) -> list[Generator]:
    """Propose the values of a disjunction of equations, such as `x = a ∨ x = b ∧ …` (membership in a literal set)."""
    for lit in s.literals:
        if not search.mentions(lit.term, (x.id,)):
            continue
        found = points(search, lit, x)
        if found is not None and not any(search.mentions(t, s.ids) for t in found):
            codes = tuple([search.c.code(t, search.scope) for t in found])
            return [Generator(4, _all_of(codes))]
    return []


def _all_of(codes: tuple[Code, ...]) -> Code:
    return lambda fr: [code(fr) for code in codes]


def exact_points(search: Search, lit: Literal, x: FVar) -> list[Term] | None:
    """Return terms such that the literal says just that x is one of them, or None where it says something else."""
    parts = conjuncts(search.c, lit)
    if len(parts) != 1:
        return None
    sides = equation(search.c, parts[0])
    if sides is not None:
        for this, value in ((sides[1], sides[2]), (sides[2], sides[1])):
            if this == x and not search.mentions(value, (x.id,)):
                return [value]
        return None
    name, args, _ = expose(search.c, parts[0].term)
    if name not in ("Or", "or", "Bool.or") or not parts[0].positive or len(args) != 2:
        return None
    left = exact_points(search, Literal(args[0]), x)
    right = exact_points(search, Literal(args[1]), x) if left is not None else None
    return None if left is None or right is None else [*left, *right]


def points(search: Search, lit: Literal, x: FVar, depth: int = 0) -> list[Term] | None:
    """Return terms of which x must be one for the literal to hold, or None where it does not say that."""
    parts = conjuncts(search.c, lit)
    for part in parts:
        sides = equation(search.c, part)
        if sides is not None:
            for this, value in ((sides[1], sides[2]), (sides[2], sides[1])):
                if this == x and not search.mentions(value, (x.id,)):
                    return [value]
    if depth > 8:
        return None
    for part in parts:
        cases = alternatives(search.c, part)
        if cases is None:
            continue
        out: list[Term] = []
        for case in cases:
            found = next((p for p in (points(search, one, x, depth + 1) for one in case) if p is not None), None)
            if found is None:
                break
            out.extend(found)
        else:
            return out
    return None


def _cast_of(search: Search, term: Term, x: FVar) -> bool:
    name, args, _ = expose(search.c, term)
    return name == "Int.ofNat" and args[-1] == x


def _single(value: Code) -> Code:
    return lambda fr: (value(fr),)


def _natural(value: Code) -> Code:
    def run(fr: Frame) -> Any:
        v = value(fr)
        return (v,) if v >= 0 else ()

    return run
