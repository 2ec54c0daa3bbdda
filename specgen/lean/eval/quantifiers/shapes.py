"""Equivalent searches over the parts of a variable: a pair by its components, a text or an array by its list.

Soundness. `fun a b => (a, b)` reaches every pair, `String.mk` (its inverse is `String.toList`) every text, `Array.mk`
every array; so a search for x is a search for a and b, or for the list, with the value built from them put for x. What
is simplified afterwards are the defining equations `(a, b).1 = a`, `(String.mk l).toList = l`, `(String.mk l).length =
l.length`, the same for arrays, and that arrays are equal when their lists are, the list of `a ++ b` being the
concatenation of theirs.
"""

from __future__ import annotations

from typing import Final

from specgen.lean import core
from specgen.lean.core import App, Const, FVar, Term, mk_app
from specgen.lean.eval.quantifiers.literals import Literal, conjuncts, unfolded
from specgen.lean.eval.quantifiers.search import Search, State
from specgen.lean.eval.types import head_const

_CHARS: Final = frozenset({"String.toList", "String.data"})
_ARRAY_LISTS: Final = frozenset({"Array.toList"})
_LISTED: Final = mk_app(Const("List"), Const("Char"))


def split(search: Search, s: State) -> State | None:
    """Return a state in which an unbound pair or text is replaced by its parts, or None."""
    for x in s.unbound:
        head, args = core.unfold_app(search.c.types.normal_type(search.c.types.local_type(x)))
        if not isinstance(head, Const) or head.name in search.c.env.constants:
            continue
        if head.name == "Prod" and _projected(search, s, x):
            a = search.c.types.local(f"{x.name}.1", args[0])
            b = search.c.types.local(f"{x.name}.2", args[1])
            return _replaced(search, s, x, [a, b], mk_app(Const("Prod.mk"), *args, a, b), Const("Prod"))
        if head.name == "String" and any(_listed(lit.term, x) for lit in s.literals):
            chars = search.c.types.local(f"{x.name}.toList", _LISTED)
            return _replaced(search, s, x, [chars], App(Const("String.mk"), (chars,)), Const("String"))
        if head.name == "Array" and any(_array_listed(lit.term, x) for lit in s.literals):
            items = search.c.types.local(f"{x.name}.toList", mk_app(Const("List"), args[0]))
            return _replaced(search, s, x, [items], mk_app(Const("Array.mk"), args[0], items), Const("Array"))
    return None


def _replaced(search: Search, s: State, x: FVar, parts: list[FVar], value: Term, head: Const) -> State:
    literals: list[Literal] = []
    for lit in s.literals:
        if not search.mentions(lit.term, (x.id,)):
            literals.append(lit)
            continue
        term = simplified(core.instantiate(core.abstract(lit.term, (x,)), (value,)))
        literals.extend(conjuncts(search.c, Literal(term, lit.positive)))
    others = [y for y in s.unbound if y is not x]
    if search.enumerating:
        # The caller asks for the values of x itself.
        type_ = search.c.types.local_type(x)
        literals.append(Literal(mk_app(Const("Eq"), type_, x, value)))
        others.append(x)
    return State([*parts, *others], literals, s.cases)


def _projected(search: Search, s: State, x: FVar) -> bool:
    """Tell whether a literal speaks of a component of x, here or once its definition is unfolded."""
    for lit in s.literals:
        if _has_projection(lit.term, x):
            return True
        opened = unfolded(search.c, lit) if search.mentions(lit.term, (x.id,)) else None
        if opened is not None and _has_projection(opened.term, x):
            return True
    return False


def _is_part(x: FVar, term: Term) -> bool:
    """Tell whether a term is x or a pair of which x is a component."""
    return term == x or (head_const(term) == "Prod.mk" and any(_is_part(x, a) for a in core.unfold_app(term)[1][2:]))


def _has_projection(term: Term, x: FVar) -> bool:
    if isinstance(term, core.Match) and any(_is_part(x, d) for d in term.discrs):
        return True
    if head_const(term) in ("Prod.fst", "Prod.snd") and core.unfold_app(term)[1][2:3] == (x,):
        return True
    return _any_child(term, lambda t: _has_projection(t, x))


def _listed(term: Term, x: FVar) -> bool:
    if head_const(term) in _CHARS and core.unfold_app(term)[1] == (x,):
        return True
    return _any_child(term, lambda t: _listed(t, x))


def _array_listed(term: Term, x: FVar) -> bool:
    """Tell whether a term speaks of the list of an array, or of its concatenation with another."""
    if head_const(term) in _ARRAY_LISTS and core.unfold_app(term)[1][-1] == x:
        return True
    if _concatenated(term) is not None and x in core.unfold_app(term)[1]:
        return True
    return _any_child(term, lambda t: _array_listed(t, x))


def _concatenated(term: Term) -> tuple[Term, Term, Term] | None:
    """Read `a ++ b` of arrays: the element type and both sides."""
    if head_const(term) != "HAppend.hAppend":
        return None
    args = core.unfold_app(term)[1]
    if len(args) != 6 or head_const(args[0]) != "Array" or head_const(args[3]) != "instHAppendOfAppend":
        return None
    instance = core.unfold_app(args[3])[1]
    if head_const(instance[-1]) != "Array.instAppend":
        return None
    return core.unfold_app(args[0])[1][0], args[4], args[5]


def _listed_array(element: Term, term: Term) -> Term:
    """Return a term for the list of an array."""
    if head_const(term) == "Array.mk":
        return core.unfold_app(term)[1][1]
    parts = _concatenated(term)
    if parts is not None:
        return mk_app(Const("List.append"), element, *[_listed_array(element, t) for t in parts[1:]])
    return mk_app(Const("Array.toList"), element, term)


def _is_made(term: Term) -> bool:
    """Tell whether an array is built from lists on the spot."""
    parts = _concatenated(term)
    return head_const(term) == "Array.mk" or (parts is not None and any(_is_made(t) for t in parts[1:]))


def _any_child(term: Term, test: object) -> bool:
    found = False

    def child(t: Term, _: int) -> Term:
        nonlocal found
        found = found or (t.has_fvar and test(t))  # type: ignore[operator]
        return t

    core.map_children(term, child)
    return found


def _characters(term: Term) -> Term | None:
    """Return the list of a text that is made from one."""
    if head_const(term) in ("String.mk", "List.asString", "String.ofList") and len(core.unfold_app(term)[1]) == 1:
        return core.unfold_app(term)[1][0]
    return None


def simplified(term: Term) -> Term:
    """Reduce projections of pairs that are built on the spot, and the same for texts."""
    term = core.map_children(term, lambda t, _: simplified(t))
    if not isinstance(term, App) or not isinstance(term.fn, Const):
        return term
    name, args = term.fn.name, term.args
    if name in ("Prod.fst", "Prod.snd") and len(args) >= 3:
        built = args[2]
        if isinstance(built, App) and built.fn == Const("Prod.mk") and len(built.args) == 4:
            return mk_app(built.args[2 if name == "Prod.fst" else 3], *args[3:])
    if name == "Eq" and args[0] == Const("String"):
        left, right = _characters(args[1]), _characters(args[2])
        return term if left is None or right is None else mk_app(Const("Eq"), _LISTED, left, right)
    if name == "Eq" and len(args) == 3 and head_const(args[0]) == "Array" and (_is_made(args[1]) or _is_made(args[2])):
        element = core.unfold_app(args[0])[1][0]
        sides = [_listed_array(element, t) for t in args[1:]]
        return mk_app(Const("Eq"), mk_app(Const("List"), element), *sides)
    if name in ("Array.toList", "Array.size") and len(args) == 2 and _is_made(args[1]):
        items = _listed_array(args[0], args[1])
        return items if name == "Array.toList" else mk_app(Const("List.length"), args[0], items)
    if name == "String.isPrefixOf" and len(args) == 2:
        chars = _characters(args[1])
        if chars is not None and not isinstance(args[0], App):
            return mk_app(Const("List.IsPrefix"), Const("Char"), mk_app(Const("String.toList"), args[0]), chars)
    if len(args) == 1 and isinstance(args[0], App) and args[0].fn == Const("String.mk"):
        if name in _CHARS:
            return args[0].args[0]
        if name == "String.length":
            return mk_app(Const("List.length"), Const("Char"), args[0].args[0])
    return term
