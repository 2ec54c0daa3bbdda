"""Element-only statements: `∀ x, x ∈ result ↔ x ∈ arr`, `∀ x, l.count x = r.count x`, and the like.

Condition. In every literal that mentions x, x stands only in these places, with `e` and `l` free of x, of other unbound
variables and of variables bound inside the literal, and with lawful (structural) equality: `x = e`, `e = x`, `x == e`,
`e == x`, `x ∈ l`, `l.contains x`, `List.elem x l`, `l.count x` (lists, arrays, strings as they have them).

Soundness. Let E be all those e and all elements of those l. For x outside E each of the terms above has one value
(false, or 0), whichever x it is; so the literals have one truth value outside E, for any values of the other variables.
Hence if any x makes them true, one in E does, or else a single fresh x does. The candidates are E and one fresh value;
the rule needs a type in which a fresh value can be made, and does not apply otherwise.
"""

from __future__ import annotations

from typing import Any, Final

from specgen.lean import core
from specgen.lean.core import App, Const, FVar, Term
from specgen.lean.eval.compile import Compiler
from specgen.lean.eval.nodes import Code, Frame
from specgen.lean.eval.quantifiers.literals import expose
from specgen.lean.eval.quantifiers.search import Generator, Search, State
from specgen.lean.eval.runtime import Unknown, charge
from specgen.lean.eval.types import head_const
from specgen.lean.eval.unordered import Unordered
from specgen.lean.eval.values import Arr, from_list, key, to_list

_LAWFUL: Final = frozenset({"instBEqOfDecidableEq"})
_LAWFUL_IN_PARTS: Final = frozenset({"List.instBEq", "Array.instBEq", "instBEqOption", "instBEqProd"})

# name: (position of the instance or -1, of the element, of the collection), erased arguments counted.
_PLACES: Final[dict[str, tuple[int, int, int]]] = {
    "List.Mem": (-1, 1, 2),
    "Array.Mem": (-1, 2, 1),
    "List.contains": (1, 3, 2),
    "Array.contains": (1, 3, 2),
    "List.elem": (1, 2, 3),
    "List.count": (1, 2, 3),
    "Array.count": (1, 2, 3),
    "String.contains": (-1, 1, 0),
}


def lawful(c: Compiler, instance: Term) -> bool:
    """Tell whether a BEq instance is surely structural equality."""
    head, args = core.unfold_app(instance)
    if not isinstance(head, Const) or head.name in c.env.constants:
        return False
    if head.name in _LAWFUL:
        return True
    return head.name in _LAWFUL_IN_PARTS and all(lawful(c, a) for a in args if _is_beq(c, a))


def _is_beq(c: Compiler, term: Term) -> bool:
    type_ = c.types.type_of(term)
    return type_ is not None and head_const(type_) == "BEq"


def propose(search: Search, x: FVar, s: State) -> list[Generator]:
    """Propose the elements and one fresh value, when every literal is element-only in x."""
    ids = s.ids
    found: list[tuple[bool, Term]] = []
    for lit in s.literals:
        if search.mentions(lit.term, (x.id,)) and not _collect(search, lit.term, x, ids, found):
            return []
    type_ = search.c.types.local_type(x)
    parts = tuple([(single, search.c.code(term, search.scope)) for single, term in found])

    def run(fr: Frame) -> Any:
        return _candidates(search.c, type_, parts, fr)

    return [Generator(50, run, total=False, covers=False)]


def _collect(search: Search, term: Term, x: FVar, ids: frozenset[int], found: list[tuple[bool, Term]]) -> bool:
    """Gather the elements and collections that x is compared with; False when x stands anywhere else."""
    if not search.mentions(term, (x.id,)):
        return True
    if isinstance(term, App):
        name, args, exposed = expose(search.c, term)
        place = _PLACES.get(name)
        if place is not None and len(args) == 1 + max(place):
            inst, at, where = place
            if args[at] == x and _fixed(search, args[where], ids) and (inst < 0 or lawful(search.c, args[inst])):
                found.append((False, args[where]))
                return True
        if name in ("Eq", "Ne") and len(args) == 3:
            for this, other in ((args[1], args[2]), (args[2], args[1])):
                if this == x and _fixed(search, other, ids):
                    found.append((True, other))
                    return True
        if exposed is not term and exposed != term:
            return _collect(search, exposed, x, ids, found)
        return all(_collect(search, a, x, ids, found) for a in (term.fn, *term.args))
    if isinstance(term, core.Pi | core.Lam | core.Let | core.Match | core.Proj):
        ok = True

        def child(t: Term, _: int) -> Term:
            nonlocal ok
            ok = ok and _collect(search, t, x, ids, found)
            return t

        core.map_children(term, child)
        return ok
    return isinstance(term, core.Proof)


def _fixed(search: Search, term: Term, ids: frozenset[int]) -> bool:
    return term.loose == 0 and not search.mentions(term, ids)


def _candidates(c: Compiler, type_: Term, parts: tuple[tuple[bool, Code], ...], fr: Frame) -> Any:
    values: list[Any] = []
    for single, code in parts:
        value = code(fr)
        if single:
            values.append(value)
        elif type(value) is str:
            values.extend(value)
        elif type(value) is Arr:
            values.extend(value.tolist())
        elif type(value) is Unordered:
            values.extend(value.items)
        else:
            values.extend(from_list(value))
    charge(len(values) + 1)
    try:
        distinct = list({key(v): v for v in values}.values())
    except Unknown:
        return None
    new = fresh(c, type_, distinct)
    return None if new is None else [*distinct, *new]


def fresh(c: Compiler, type_: Term, values: list[Any]) -> tuple[Any, ...] | None:
    """Return a value of the type that is not among `values`, as a 1-tuple; () when there is none, None when unsure."""
    head, args = core.unfold_app(c.types.normal_type(type_))
    if not isinstance(head, Const) or head.name in c.env.constants:
        return None
    match head.name:
        case "Nat" | "Int":
            return (max([*values, -1]) + 1,)
        case "Char":
            taken = set(values)
            return next(((chr(i),) for i in range(97, 0xD800) if chr(i) not in taken), None)
        case "String":
            return ("a" * (max([len(v) for v in values], default=-1) + 1),)
        case "Bool":
            return tuple([b for b in (False, True) if b not in values])
        case "List":
            filler = fresh(c, args[0], [])
            if not filler:
                return None
            length = max([len(from_list(v)) for v in values], default=-1) + 1
            return (to_list([filler[0]] * length),)
        case "Array":
            filler = fresh(c, args[0], [])
            if not filler:
                return None
            return (Arr([filler[0]] * (max([v.size for v in values], default=-1) + 1)),)
        case "Option":
            if all(v is not None for v in values):
                return (None,)
            inner = fresh(c, args[0], [v[0] for v in values if v is not None])
            return None if inner is None else tuple([(v,) for v in inner])
        case "Prod":
            first = fresh(c, args[0], [v[0] for v in values])
            second = fresh(c, args[1], [])
            return ((first[0], second[0]),) if first and second else None
        case _:
            return None
