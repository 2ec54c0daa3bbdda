"""Rules for lists, arrays and texts: a few symbols with facts, everything else stays uninterpreted.

An array, or a text, is its list of elements or characters, so `toList`, `Array.mk` and the like are the identity and
the functions on them that do the same share a symbol. `at xs i` is the element at a position below the length, and
some value beyond it; every way of reading an element is defined by it (`xs[i]!` gives the type's default beyond the
length, as the logical value of a panic does). Facts are theorems of Lean's library about the symbols, stated with
each use.
"""

from __future__ import annotations

from collections.abc import Callable

import z3

from evaluators.equivalence.smt_core import OutsideFragment
from evaluators.equivalence.smt_kinds import Expr, Kind
from evaluators.equivalence.smt_translate import Handler, Translator, quantifier
from specgen.lean import core
from specgen.lean.core import Const, Lam, Term
from specgen.lean.elab.subst import beta


def zero(tr: Translator) -> Expr:
    """The integer 0."""
    return z3.IntVal(0, tr.shared.ctx)


def list_kind(tr: Translator, e: Expr) -> Kind:
    """Return the kind of a list expression."""
    return tr.shared.kinds.by_sort[e.sort().name()]


def length(tr: Translator, xs: Expr) -> Expr:
    """The number of elements, which is not negative."""
    return tr.shared.apply("length", None, [xs], tr.shared.kinds.nat)


def at(tr: Translator, xs: Expr, i: Expr) -> Expr:
    """The element at a position; by the theorem about how the list was made where that is known."""
    known = tr.shared.elements.get(xs.get_id())
    if known is None:
        return _at(tr, xs, i)
    inside, element = known(i)
    inside = z3.simplify(inside)
    if z3.is_true(inside):
        return element
    return _at(tr, xs, i) if z3.is_false(inside) else z3.If(inside, element, _at(tr, xs, i))


def _at(tr: Translator, xs: Expr, i: Expr) -> Expr:
    return tr.shared.apply("at", None, [xs, i], list_kind(tr, xs).args[0])


def _know(tr: Translator, e: Expr, elements: Callable[[Expr], tuple[Expr, Expr]]) -> None:
    """Remember what the elements of a list are, by position."""
    tr.shared.kept.append(e)
    tr.shared.elements[e.get_id()] = elements


def within(i: Expr, low: Expr | int, high: Expr) -> Expr:
    """`low ≤ i < high`."""
    return z3.And(i >= low, i < high)


def equation(tr: Translator, xs: Expr, ys: Expr) -> Expr:
    """`xs = ys`: lists are equal when they are equally long and their elements are (extensionality)."""
    e = xs == ys
    if xs.eq(ys) or e.get_id() in tr.shared.stated:
        return e
    tr.shared.kept.append(e)
    tr.shared.stated.add(e.get_id())
    for side in (xs, ys):
        if side.get_id() in tr.shared.elements:
            _elements(tr, side)
    with tr.scope() as bound:
        i = tr.shared.variable(tr.shared.kinds.nat)
        bound.append(i)
        differ = z3.And(i < length(tr, xs), at(tr, xs, i) != at(tr, ys, i))
    before = tr.shared.quantified
    differs = quantifier(tr.shared, False, i, differ)
    tr.shared.quantified = before
    tr.shared.fact(z3.Or(e, length(tr, xs) != length(tr, ys), differs), e)
    return e


def _elements(tr: Translator, xs: Expr) -> None:
    """State what the elements of a list are, for every position."""
    with tr.scope() as bound:
        i = tr.shared.variable(tr.shared.kinds.nat)
        bound.append(i)
        plain = _at(tr, xs, i)
        tr.shared.fact(plain == at(tr, xs, i), plain)


def tail(tr: Translator, xs: Expr) -> Expr:
    """All but the first element: one element less; the empty list of the empty one."""
    e = tr.shared.apply("tail", None, [xs], list_kind(tr, xs))
    n = length(tr, xs)
    tr.shared.fact(length(tr, e) == z3.If(n > 0, n - 1, zero(tr)), e)
    _know(tr, e, lambda i: (within(i, 0, n - 1), at(tr, xs, i + 1)))
    return e


def nil(tr: Translator, kind: Kind) -> Expr:
    """The empty list."""
    e = tr.shared.apply("nil", None, [], kind)
    tr.shared.fact(length(tr, e) == 0, e)
    return e


def cons(tr: Translator, x: Expr, xs: Expr) -> Expr:
    """`x :: xs`: its length, its first element and its rest."""
    e = tr.shared.apply("cons", None, [x, xs], list_kind(tr, xs))
    tr.shared.fact(length(tr, e) == length(tr, xs) + 1, e)
    tr.shared.fact(at(tr, e, zero(tr)) == x, e)
    tr.shared.fact(tail(tr, e) == xs, e)

    def elements(i: Expr) -> tuple[Expr, Expr]:
        if z3.is_int_value(i) and i.as_long() == 0:
            return z3.BoolVal(True, i.ctx), x
        return within(i, 0, length(tr, xs) + 1), z3.If(i == 0, x, at(tr, xs, i - 1))

    _know(tr, e, elements)
    return e


def literal(tr: Translator, kind: Kind, items: list[Expr]) -> Expr:
    """A list of known elements."""
    e = nil(tr, kind)
    for x in reversed(items):
        e = cons(tr, x, e)
    return e


def append(tr: Translator, xs: Expr, ys: Expr) -> Expr:
    """`xs ++ ys`: the lengths add up."""
    e = tr.shared.apply("append", None, [xs, ys], list_kind(tr, xs))
    n = length(tr, xs)
    tr.shared.fact(length(tr, e) == n + length(tr, ys), e)
    _know(tr, e, lambda i: (within(i, 0, n + length(tr, ys)), z3.If(i < n, at(tr, xs, i), at(tr, ys, i - n))))
    return e


def member(tr: Translator, x: Expr, xs: Expr) -> Expr:
    """`x ∈ xs`: then the list is not empty."""
    e = tr.shared.apply("mem", None, [x, xs], tr.shared.kinds.prop)
    tr.shared.fact(z3.Implies(e, length(tr, xs) > 0), e)
    return e


def is_empty(tr: Translator, term: Term) -> bool:
    """Tell whether a term is an empty list, array or text as it stands."""
    name, args = tr.reader.exposed(term)
    if name in _SAME:
        return is_empty(tr, args[-1])
    if name in ("List.nil", "Array.empty"):
        return True
    head = tr.reader.head(term)
    return isinstance(head, core.Lit) and head.value == ""


# ------------------------------------------------------------------------------------------------------------- reading


def _inside(tr: Translator, xs: Expr, i: Expr) -> Expr:
    return i < length(tr, xs)


def _default(tr: Translator, type_: Term, instance: Term) -> Expr:
    return tr.expr(core.mk_app(Const("Inhabited.default"), type_, instance))


def _get(xs: int, i: int) -> Handler:
    """A position that is proved to be inside."""
    return lambda tr, a, _: at(tr, tr.expr(a[xs]), tr.expr(a[i]))


def _get_or_default(tr: Translator, a: tuple[Term, ...], _: Term) -> Expr:
    xs, i = tr.expr(a[2]), tr.expr(a[3])
    return z3.If(_inside(tr, xs, i), at(tr, xs, i), _default(tr, a[0], a[1]))


def _get_or(tr: Translator, a: tuple[Term, ...], _: Term) -> Expr:
    xs, i = tr.expr(a[1]), tr.expr(a[2])
    return z3.If(_inside(tr, xs, i), at(tr, xs, i), tr.expr(a[3]))


def _option(tr: Translator, term: Term, present: Expr, value: Callable[[], Expr]) -> Expr:
    sort = tr.kind_of(term).sort
    return z3.If(present, sort.constructor(1)(value()), sort.constructor(0)())


def _get_option(tr: Translator, a: tuple[Term, ...], term: Term) -> Expr:
    xs, i = tr.expr(a[1]), tr.expr(a[2])
    return _option(tr, term, _inside(tr, xs, i), lambda: at(tr, xs, i))


def _end(last: bool) -> Callable[[Translator, Expr], Expr]:
    """The first or the last element of a list that is not empty."""
    return lambda tr, xs: at(tr, xs, length(tr, xs) - 1 if last else zero(tr))


def _ends(prefix: str, last: bool, names: dict[str, str]) -> dict[str, tuple[int, Handler]]:
    end = _end(last)

    def optional(tr: Translator, a: tuple[Term, ...], term: Term) -> Expr:
        xs = tr.expr(a[1])
        return _option(tr, term, length(tr, xs) > 0, lambda: end(tr, xs))

    def default(tr: Translator, a: tuple[Term, ...], _: Term) -> Expr:
        xs = tr.expr(a[2])
        return z3.If(length(tr, xs) > 0, end(tr, xs), _default(tr, a[0], a[1]))

    def fallback(tr: Translator, a: tuple[Term, ...], _: Term) -> Expr:
        xs = tr.expr(a[1])
        return z3.If(length(tr, xs) > 0, end(tr, xs), tr.expr(a[2]))

    rules: dict[str, tuple[int, Handler]] = {
        "?": (2, optional),
        "!": (3, default),
        "D": (3, fallback),
        "": (3, lambda tr, a, _: end(tr, tr.expr(a[1]))),
    }
    return {f"{prefix}.{name}": rules[kind] for name, kind in names.items()}


# ------------------------------------------------------------------------------------------------------------ elements


def _mem(tr: Translator, x: Term, xs: Term) -> Expr:
    """`x ∈ xs`, by the theorem about how the list was made where that is visible."""
    name, a = tr.reader.exposed(xs)
    rules: dict[str, Callable[[], Expr]] = {
        "List.nil": lambda: z3.BoolVal(False, tr.shared.ctx),
        "Array.empty": lambda: z3.BoolVal(False, tr.shared.ctx),
        "List.cons": lambda: z3.Or(tr.expr(x) == tr.expr(a[1]), _mem(tr, x, a[2])),
        "List.append": lambda: z3.Or(_mem(tr, x, a[1]), _mem(tr, x, a[2])),
        "Array.append": lambda: z3.Or(_mem(tr, x, a[1]), _mem(tr, x, a[2])),
        "Array.push": lambda: z3.Or(_mem(tr, x, a[1]), tr.expr(x) == tr.expr(a[2])),
        "List.concat": lambda: z3.Or(_mem(tr, x, a[1]), tr.expr(x) == tr.expr(a[2])),
        "List.reverse": lambda: _mem(tr, x, a[1]),
        "Array.reverse": lambda: _mem(tr, x, a[1]),
        "List.filter": lambda: z3.And(_mem(tr, x, a[2]), tr.expr(beta(a[1], (x,)))),
        "List.range": lambda: tr.expr(x) < tr.expr(a[0]),
        "Array.range": lambda: tr.expr(x) < tr.expr(a[0]),
    }
    if name in _SAME:
        return _mem(tr, x, a[-1])
    if name in rules and not (name == "List.filter" and not isinstance(a[1], Lam)):
        return rules[name]()
    return member(tr, tr.expr(x), tr.expr(xs))


def _contains(xs: int, x: int, beq: int | None) -> Handler:
    def rule(tr: Translator, a: tuple[Term, ...], term: Term) -> Expr:
        """With a lawful equality test, `xs.contains x` decides `x ∈ xs`."""
        if beq is not None and not tr.reader.lawful(a[beq], a[0]):
            return tr.opaque(term)
        return _mem(tr, a[x], a[xs])

    return rule


def _count(x: int, xs: int) -> Handler:
    def rule(tr: Translator, a: tuple[Term, ...], term: Term) -> Expr:
        """With a lawful equality test: at most the length, and positive exactly for members."""
        if not tr.reader.lawful(a[1], a[0]):
            return tr.opaque(term)
        value, whole = tr.expr(a[x]), tr.expr(a[xs])
        e = tr.shared.apply("count", None, [value, whole], tr.shared.kinds.nat)
        tr.shared.fact(e <= length(tr, whole), e)
        tr.shared.fact((e > 0) == member(tr, value, whole), e)
        return e

    return rule


def _every(universal: bool, xs: int, predicate: int, whole: bool) -> Handler:
    def rule(tr: Translator, a: tuple[Term, ...], term: Term) -> Expr:
        """`xs.all p` is `∀ x ∈ xs, p x`; `xs.any p` is `∃ x ∈ xs, p x`."""
        if whole and not _is_whole(tr, a, xs, 3):
            return tr.opaque(term)
        kind = list_kind(tr, tr.expr(a[xs]))
        if not kind.args[0].exact:
            return tr.opaque(term)
        lam = tr.reader.head(a[predicate])
        type_ = tr.reader.types.normal_type(tr.reader.type_of(a[predicate]))
        assert isinstance(type_, core.Pi)  # noqa: S101 - a predicate is a function
        x = tr.reader.types.local("x", type_.type)
        with tr.scope() as bound:
            constant = tr.bind(x, bound)
            inside = _mem(tr, x, a[xs])
            holds = tr.expr(beta(lam, (x,)) if isinstance(lam, Lam) else core.mk_app(lam, x))
        body = z3.Implies(inside, holds) if universal else z3.And(inside, holds)
        return quantifier(tr.shared, universal, constant, body)

    return rule


def _is_whole(tr: Translator, a: tuple[Term, ...], xs: int, start: int) -> bool:
    """Tell whether the bounds of an array's traversal are 0 and its size."""
    low, high = z3.simplify(tr.expr(a[start])), tr.expr(a[start + 1])
    return bool(z3.is_int_value(low) and low.as_long() == 0 and high.eq(length(tr, tr.expr(a[xs]))))


def _foldl(tr: Translator, a: tuple[Term, ...], term: Term) -> Expr:
    """A fold over a whole array is that over its list."""
    if len(a) == 7 and not _is_whole(tr, a, 4, 5):
        return tr.opaque(term)
    f, init, xs = (tr.expr(x) for x in a[2:5])
    return tr.shared.apply("foldl", None, [f, init, xs], tr.kind_of(term))


# ----------------------------------------------------------------------------------------------------------- relations


def _nodup(tr: Translator, a: tuple[Term, ...], _: Term) -> Expr:
    """`Nodup` is by definition `Pairwise (· ≠ ·)`."""
    ne = core.mk_app(Const("Ne"), a[0], core.BVar(1), core.BVar(0))
    return _pairwise_of(tr, Lam("x", a[0], Lam("y", a[0], ne)), a[1])


def _pairwise_of(tr: Translator, relation: Term, xs: Term) -> Expr:
    return tr.shared.apply("pairwise", None, [tr.expr(relation), tr.expr(xs)], tr.shared.kinds.prop)


def _pairwise(tr: Translator, a: tuple[Term, ...], _: Term) -> Expr:
    return _pairwise_of(tr, a[1], a[2])


def permuted(tr: Translator, xs: Expr, ys: Expr) -> Expr:
    """`xs ~ ys`: reflexive and symmetric; permuted lists are equally long."""
    e = tr.shared.apply("perm", None, [xs, ys], tr.shared.kinds.prop)
    back = tr.shared.apply("perm", None, [ys, xs], tr.shared.kinds.prop)
    tr.shared.fact(e == back, e)
    tr.shared.fact(z3.Implies(xs == ys, e), e)
    tr.shared.fact(z3.Implies(e, length(tr, xs) == length(tr, ys)), e)
    return e


def _is_perm(tr: Translator, a: tuple[Term, ...], term: Term) -> Expr:
    if not tr.reader.lawful(a[1], a[0]):
        return tr.opaque(term)
    return permuted(tr, tr.expr(a[2]), tr.expr(a[3]))


def _lawful_equal(tr: Translator, a: tuple[Term, ...], term: Term) -> Expr:
    """A lawful test of elements makes the test of lists lawful: it decides equality."""
    if not tr.reader.lawful(a[1], a[0]):
        return tr.opaque(term)
    return tr.expr(a[2]) == tr.expr(a[3])


# ------------------------------------------------------------------------------------------------------------- lengths


def _sized(
    name: str,
    given: tuple[int, ...],
    size: Callable[[Translator, list[Expr]], Expr],
    element: Callable[[Translator, list[Expr], Expr], Expr] | None = None,
) -> Handler:
    """A symbol over the arguments at `given`, with the length of its value, and its element at each position below."""

    def rule(tr: Translator, a: tuple[Term, ...], term: Term) -> Expr:
        values = [tr.expr(a[i]) for i in given]
        e = tr.shared.apply(name, None, values, tr.kind_of(term))
        n = size(tr, values)
        tr.shared.fact(length(tr, e) == n, e)
        if element is not None:
            _know(tr, e, lambda i: (within(i, 0, n), element(tr, values, i)))
        return e

    return rule


def _mapped(tr: Translator, v: list[Expr], i: Expr) -> Expr:
    f = v[0]
    kind = tr.shared.by_symbol[f.decl().name()].kind if f.decl().name() in tr.shared.by_symbol else None
    if kind is None:  # a variable
        kind = tr.shared.variables[f.decl().name()]
    return tr.apply_value(f, [at(tr, v[1], i)], kind.args[-1])


def _put(tr: Translator, v: list[Expr], i: Expr) -> Expr:
    return z3.If(i == v[1], v[2], at(tr, v[0], i))


def _smaller(a: Expr, b: Expr) -> Expr:
    return z3.If(a <= b, a, b)


def _less(a: Expr, b: Expr) -> Expr:
    return z3.If(a >= b, a - b, z3.IntVal(0, a.ctx))


def _same(tr: Translator, a: tuple[Term, ...], term: Term) -> Expr:
    """An array, or a text, is its list."""
    e = tr.expr(a[-1])
    if e.sort() != tr.kind_of(term).sort:
        raise OutsideFragment("an array whose elements hold arrays and lists")
    return e


def _push(tr: Translator, a: tuple[Term, ...], _: Term) -> Expr:
    xs = tr.expr(a[-2])
    return append(tr, xs, cons(tr, tr.expr(a[-1]), nil(tr, list_kind(tr, xs))))


_SAME = frozenset(
    {"Array.toList", "List.toArray", "Array.mk", "String.mk", "String.data", "String.toList", "String.ofList"}
    | {"List.asString"}
)


def _rules() -> dict[str, tuple[int, Handler]]:
    two = 2
    rules: dict[str, tuple[int, Handler]] = {}
    for name in _SAME:
        rules[name] = (1 if name.startswith("String.") or name == "List.asString" else two, _same)
    for name, n in (("List.length", 2), ("Array.size", 2), ("String.length", 1)):
        rules[name] = (n, lambda tr, a, _: length(tr, tr.expr(a[-1])))
    for name, n in (("List.isEmpty", 2), ("Array.isEmpty", 2), ("String.isEmpty", 1)):
        rules[name] = (n, lambda tr, a, _: length(tr, tr.expr(a[-1])) == 0)
    for name in ("List.getInternal", "Array.getInternal", "Array.get"):
        rules[name] = (4, _get(1, 2))
    rules["List.get"] = (3, _get(1, 2))
    for name in ("List.get!Internal", "Array.get!Internal", "List.get!", "Array.get!"):
        rules[name] = (4, _get_or_default)
    for name in ("List.get?Internal", "Array.get?Internal", "List.get?", "Array.get?"):
        rules[name] = (3, _get_option)
    rules["List.getD"] = rules["Array.getD"] = (4, _get_or)
    rules |= _ends("List", False, {"head?": "?", "head!": "!", "headD": "D", "head": ""})
    rules |= _ends("List", True, {"getLast?": "?", "getLast!": "!", "getLastD": "D", "getLast": ""})
    rules |= _ends("Array", True, {"back?": "?", "back!": "!", "back": ""})
    return rules


_REVERSE = _sized(
    "reverse", (1,), lambda tr, v: length(tr, v[0]), lambda tr, v, i: at(tr, v[0], length(tr, v[0]) - 1 - i)
)
_MAP = _sized("map", (2, 3), lambda tr, v: length(tr, v[1]), _mapped)
_TAKE = _sized("take", (1, 2), lambda tr, v: _smaller(v[0], length(tr, v[1])), lambda tr, v, i: at(tr, v[1], i))
_DROP = _sized("drop", (1, 2), lambda tr, v: _less(length(tr, v[1]), v[0]), lambda tr, v, i: at(tr, v[1], i + v[0]))
_REPLICATE = _sized("replicate", (1, 2), lambda tr, v: v[0], lambda tr, v, i: v[1])
_RANGE = _sized("range", (0,), lambda tr, v: v[0], lambda tr, v, i: i)
_SET = _sized("set", (1, 2, 3), lambda tr, v: length(tr, v[0]), _put)


def _building() -> dict[str, tuple[int, Handler]]:
    return {
        "List.nil": (1, lambda tr, a, t: nil(tr, tr.kind_of(t))),
        "Array.empty": (1, lambda tr, a, t: nil(tr, tr.kind_of(t))),
        "List.cons": (3, lambda tr, a, _: cons(tr, tr.expr(a[1]), tr.expr(a[2]))),
        "List.tail": (2, lambda tr, a, _: tail(tr, tr.expr(a[1]))),
        "List.append": (3, lambda tr, a, _: append(tr, tr.expr(a[1]), tr.expr(a[2]))),
        "Array.append": (3, lambda tr, a, _: append(tr, tr.expr(a[1]), tr.expr(a[2]))),
        "String.append": (2, lambda tr, a, _: append(tr, tr.expr(a[0]), tr.expr(a[1]))),
        "Array.push": (3, _push),
        "List.concat": (3, _push),
        "String.push": (2, _push),
        "List.reverse": (2, _REVERSE),
        "Array.reverse": (2, _REVERSE),
        "List.map": (4, _MAP),
        "Array.map": (4, _MAP),
        "List.take": (3, _TAKE),
        "List.drop": (3, _DROP),
        "List.replicate": (3, _REPLICATE),
        "Array.replicate": (3, _REPLICATE),
        "List.range": (1, _RANGE),
        "Array.range": (1, _RANGE),
        "List.set": (4, _SET),
        "Array.set!": (4, _SET),
        "Array.setIfInBounds": (4, _SET),
        "List.foldl": (5, _foldl),
        "Array.foldl": (7, _foldl),
    }


def _asking() -> dict[str, tuple[int, Handler]]:
    return {
        "List.Mem": (3, lambda tr, a, _: _mem(tr, a[1], a[2])),
        "Array.Mem": (3, lambda tr, a, _: _mem(tr, a[2], a[1])),
        "List.contains": (4, _contains(2, 3, 1)),
        "List.elem": (4, _contains(3, 2, 1)),
        "Array.contains": (4, _contains(2, 3, 1)),
        "Array.elem": (4, _contains(3, 2, 1)),
        "String.contains": (2, _contains(0, 1, None)),
        "List.count": (4, _count(2, 3)),
        "Array.count": (4, _count(2, 3)),
        "List.all": (3, _every(True, 1, 2, False)),
        "List.any": (3, _every(False, 1, 2, False)),
        "Array.all": (5, _every(True, 1, 2, True)),
        "Array.any": (5, _every(False, 1, 2, True)),
        "String.all": (2, _every(True, 0, 1, False)),
        "String.any": (2, _every(False, 0, 1, False)),
        "List.Pairwise": (3, _pairwise),
        "List.Sorted": (3, _pairwise),
        "List.Nodup": (2, _nodup),
        "List.Perm": (3, lambda tr, a, _: permuted(tr, tr.expr(a[1]), tr.expr(a[2]))),
        "List.isPerm": (4, _is_perm),
        "List.beq": (4, _lawful_equal),
        "Array.isEqvInternal": (4, _lawful_equal),
    }


RULES: dict[str, tuple[int, Handler]] = {**_rules(), **_building(), **_asking()}
"""Library constants with rules: number of arguments, and the rule."""
