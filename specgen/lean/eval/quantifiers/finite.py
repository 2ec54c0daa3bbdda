"""Types with finitely many values.

Soundness: `values` gives every value of the type, each at least once.
"""

from __future__ import annotations

from itertools import product
from typing import Any

from specgen.lean import core
from specgen.lean.core import Const, FVar, Term
from specgen.lean.eval.nodes import Code, Frame
from specgen.lean.eval.printing import Printer
from specgen.lean.eval.quantifiers.search import Generator, Search, State
from specgen.lean.eval.runtime import charge_cells

_FIXED_WIDTH = {
    "UInt8": range(1 << 8),
    "UInt16": range(1 << 16),
    "Int8": range(-(1 << 7), 1 << 7),
    "Int16": range(-(1 << 15), 1 << 15),
}
_MAX_DEPTH = 4


def propose(search: Search, x: FVar, s: State) -> list[Generator]:
    """Propose all values of the type of x."""
    found = domain(search, search.c.types.local_type(x), 0)
    return [] if found is None else [Generator(found[0], found[1])]


def domain(search: Search, type_: Term, depth: int) -> tuple[int, Code] | None:
    """Return rank and code of all values of a finite type, or None for other types."""
    c = search.c
    head, args = core.unfold_app(c.types.normal_type(type_))
    if not isinstance(head, Const) or depth > _MAX_DEPTH:
        return None
    name = head.name
    match name:
        case "Bool":
            return 5, lambda fr: (False, True)
        case "PUnit" | "Unit":
            return 2, lambda fr: ((),)
        case "Empty" | "PEmpty":
            return 2, lambda fr: ()
        case "Fin":
            n = c.code(args[0], search.scope)
            return 29, lambda fr: range(n(fr))
        case "Char":
            return 70, lambda fr: map(chr, (*range(0xD800), *range(0xE000, 0x110000)))
        case "UInt8" | "UInt16" | "Int8" | "Int16":
            values = _FIXED_WIDTH[name]
            return 60, lambda fr: values
        case "Option":
            inner = domain(search, args[0], depth + 1)
            return None if inner is None else (inner[0] + 1, _option(inner[1]))
        case "Prod":
            parts = [domain(search, a, depth + 1) for a in args]
            if any(p is None for p in parts):
                return None
            known = [p for p in parts if p is not None]
            return sum(p[0] for p in known), _tuples([p[1] for p in known], ())
        case _:
            return _inductive(search, name, args, depth)


def _option(inner: Code) -> Code:
    return lambda fr: [None, *[(v,) for v in inner(fr)]]


def _tuples(parts: list[Code], prefix: tuple[Any, ...]) -> Code:
    def run(fr: Frame) -> Any:
        columns = [list(code(fr)) for code in parts]
        total = 1
        for column in columns:
            total *= len(column)
        charge_cells(total)
        return [(*prefix, *row) for row in product(*columns)]

    return run


def _inductive(search: Search, name: str, args: tuple[Term, ...], depth: int) -> tuple[int, Code] | None:
    layout = search.c.types.layout(name)
    if layout is None or layout.info.is_prop or layout.info.recursive or layout.info.indices:
        return None
    if layout.shape == "enum":
        n = len(layout.info.constructors)
        return 5, lambda fr: range(n)
    if layout.shape not in ("tuple", "tagged") or len(args) != layout.info.params:
        return None
    printer = Printer(search.c.types)
    codes: list[Code] = []
    rank = 0
    for tag, keep in enumerate(layout.relevant):
        if not all(keep):
            return None
        parts: list[Code] = []
        for _, type_ in printer.fields(layout, tag, args):
            found = domain(search, type_, depth + 1)
            if found is None:
                return None
            rank += found[0]
            parts.append(found[1])
        codes.append(_tuples(parts, (tag,) if layout.shape == "tagged" else ()))

    def run(fr: Frame) -> Any:
        return [v for code in codes for v in code(fr)]

    return rank + 5, run
