"""The normal form of propositions (the second half of the normal form; terms come from `normal_terms`).

Laws used, each an equivalence of classical logic, so that by extensionality a term may be replaced wherever it stands:

- negations stand before atoms only; implication, `if`, `↔` and Bool operations are written with ∧, ∨, ¬;
- ∧ and ∨ are flat, sorted, without repetitions; a part and its negation are `False` and `True`; in a conjunction what a
  part settles is left out of the other parts (and the other way round in a disjunction);
- `∃ x, x = e ∧ Q x` is `Q e`, and `∀ x, x = e → Q x` too; `∀` goes into conjunctions and `∃` into disjunctions, and
  parts that do not mention the variable stand outside; two neighbouring quantifiers of a kind are put in order;
- an equation is symmetric; equal pairs have equal components; equations between Bools are `↔`;
- numbers and their comparisons as in `normal_numbers`; Char and String are linearly ordered.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from evaluators.equivalence.normal_numbers import LESS, Numbers, TooLarge, negation
from evaluators.equivalence.normal_terms import (
    AND,
    BOOL,
    BOOL_FALSE,
    BOOL_TRUE,
    DECIDE,
    EQ,
    EXISTS,
    FALSE,
    FORALL,
    OR,
    TRUE,
    Steps,
    code,
    negations,
    take,
)
from specgen.lean import core
from specgen.lean.core import App, BVar, Const, Lam, Term
from specgen.lean.elab.subst import subst
from specgen.lean.eval.guards import mentions_bound

_INHABITED: Final = frozenset(
    {"Nat", "Int", "Rat", "Bool", "Char", "String", "List", "Array", "Option", "Float", "Unit"}
)
_NUMBERS: Final = frozenset({"Nat", "Int", "Rat"})
_REVERSED: Final = {"Char.le": "Char.lt", "String.le": "String.lt"}
_BOOL_OPS: Final = {"and": AND, "or": OR, "Bool.and": AND, "Bool.or": OR}
_NOT_BOOL: Final = frozenset({"not", "Bool.not"})
_PROPS: Final = frozenset({"And", "Or", "Not", "Iff", "Implies", "Forall", "Exists", "Eq", *LESS, *_REVERSED})
_MAX_PARTS: Final = 400


def head(term: Term) -> tuple[str, tuple[Term, ...]]:
    """Return the name of the constant at a term's head (or an empty one), and the arguments."""
    fn, args = core.unfold_app(term)
    return (fn.name if isinstance(fn, Const) else ""), args


class Logic:
    """Brings terms to their normal form."""

    def __init__(self, steps: Steps) -> None:
        self.steps = steps
        self.numbers = Numbers(self.canon)
        self._known: dict[Term, Term] = {}

    def canon(self, term: Term) -> Term:
        """Return the normal form of any term."""
        found = self._known.get(term)
        if found is None:
            self.steps.take()
            found = self._known[term] = self._canon(term)
        return found

    def _canon(self, term: Term) -> Term:
        name, args = head(term)
        n = len(args)
        if name in _PROPS or (name == "Ite" and n == 4 and args[0] == Const("Prop")):
            return self.prop(term)
        if name in _BOOL_OPS or name in _NOT_BOOL or name == "Decide" or (name == "Ite" and n == 4 and args[0] == BOOL):
            return decided(self.truth(term))
        if name == "Ite" and n == 4:
            return self._choice(args)
        if name.partition(".")[0] in (*_NUMBERS, "NatCast", "IntCast"):
            number = self._number(term, name, args)
            if number is not None:
                return number
        return core.map_children(term, lambda t, _: self.canon(t))

    def _choice(self, args: tuple[Term, ...]) -> Term:
        """Return the normal form of `if` between data: the test is the smaller of itself and its negation."""
        test, yes, no = self.prop(args[1]), self.canon(args[2]), self.canon(args[3])
        if test in (TRUE, FALSE) or yes == no:
            return yes if test == TRUE else no
        if code(negated(test)) < code(test):
            test, yes, no = negated(test), no, yes
        return App(Const("Ite"), (self.canon(args[0]), test, yes, no))

    def _number(self, term: Term, name: str, args: tuple[Term, ...]) -> Term | None:
        target = name.partition(".")[0]
        if name in ("Nat.cast", "NatCast.natCast", "Int.cast", "IntCast.intCast"):
            target = head(args[0])[0] if args else ""
        elif name == "Int.ofNat":
            target = "Int"
        elif name.rpartition(".")[2] not in ("add", "sub", "mul", "neg", "succ", "pow", "ofInt", "ofScientific", "div"):
            return None
        if target not in _NUMBERS:
            return None
        try:
            return self.numbers.data(target, term)  # type: ignore[arg-type]
        except TooLarge:
            return None

    # ---- propositions

    def prop(self, term: Term) -> Term:
        """Return the normal form of a proposition."""
        self.steps.take()
        name, args = head(term)
        match name, len(args):
            case "And", 2:
                return conjunction([self.prop(args[0]), self.prop(args[1])])
            case "Or", 2:
                return disjunction([self.prop(args[0]), self.prop(args[1])])
            case "Not", 1:
                return negated(self.prop(args[0]))
            case "Implies", 2:
                return disjunction([negated(self.prop(args[0])), self.prop(args[1])])
            case "Iff", 2:
                return equivalence(self.prop(args[0]), self.prop(args[1]))
            case (("Forall" | "Exists"), 2) if isinstance(args[1], Lam):
                return self._quantifier(name, args[0], args[1].body)
            case "Ite", 4 if args[0] == Const("Prop"):
                test = self.prop(args[1])
                return either(test, self.prop(args[2]), self.prop(args[3]))
            case "Eq", 3:
                return self._equation(*args)
            case _:
                return self._atom(term, name, args)

    def _atom(self, term: Term, name: str, args: tuple[Term, ...]) -> Term:
        if name in LESS and len(args) == 2:
            kind, strict = LESS[name]
            try:
                return self.numbers.less(kind, strict, args[0], args[1])
            except TooLarge:
                pass
        if name in _REVERSED and len(args) == 2:
            return negated(App(Const(_REVERSED[name]), (self.canon(args[1]), self.canon(args[0]))))
        if name in _PROPS:
            return core.map_children(term, lambda t, _: self.canon(t))
        return self.canon(term)

    def _equation(self, type_: Term, left: Term, right: Term) -> Term:
        kind = head(type_)[0]
        if type_ == BOOL:
            return equivalence(self.truth(left), self.truth(right))
        if type_ in (Const("Nat"), Const("Int"), Const("Rat")):
            try:
                return self.numbers.equal(kind, left, right)  # type: ignore[arg-type]
            except TooLarge:
                pass
        (f, xs), (g, ys) = head(left), head(right)
        if kind == "Prod" and f == g == "Prod.mk" and len(xs) == len(ys) == 4:
            first, second = type_.args if isinstance(type_, App) else (type_, type_)
            return conjunction([self._equation(first, xs[2], ys[2]), self._equation(second, xs[3], ys[3])])
        a, b = sorted([self.canon(left), self.canon(right)], key=code)
        return TRUE if a == b else App(EQ, (self.canon(type_), a, b))

    def truth(self, term: Term) -> Term:
        """Return the normal form of the proposition that a Bool is true."""
        self.steps.take()
        name, args = head(term)
        if term == BOOL_TRUE:
            return TRUE
        if term == BOOL_FALSE:
            return FALSE
        if name in _BOOL_OPS and len(args) == 2:
            parts = [self.truth(args[0]), self.truth(args[1])]
            return conjunction(parts) if _BOOL_OPS[name] == AND else disjunction(parts)
        if name in _NOT_BOOL and len(args) == 1:
            return negated(self.truth(args[0]))
        if name == "Decide" and len(args) == 1:
            return self.prop(args[0])
        if name == "Ite" and len(args) == 4 and args[0] == BOOL:
            return either(self.prop(args[1]), self.truth(args[2]), self.truth(args[3]))
        found = self.canon(term)
        return App(EQ, (BOOL, found, BOOL_TRUE))

    # ---- quantifiers

    def _quantifier(self, name: str, type_: Term, body: Term) -> Term:
        value = one_point(body, name == "Forall")
        if value is not None:
            return self.prop(subst(body, (value,)))
        found = self._bound(name, type_, body)
        inner_name, inner = head(body)
        last = inner_name == name and len(inner) == 2 and isinstance(inner[1], Lam) and head(inner[1].body)[0] != name
        # Only the innermost pair is put in order: every further one would double the work.
        if last and isinstance(inner[1], Lam) and not mentions_bound(inner[0], 0):
            outer = core.instantiate(inner[0], (core.PROP,))
            swapped = App(Const(name), (core.lift(type_, 1), Lam("x", core.lift(type_, 1), _swapped(inner[1].body))))
            if one_point(swapped, name == "Forall") is None:
                other = self._bound(name, outer, swapped)
                return min(found, other, key=code)
        return found

    def _bound(self, name: str, type_: Term, body: Term) -> Term:
        inner = self.prop(body)
        reduced = self.canon(type_)
        forall = name == "Forall"
        outer, join = ("And", conjunction) if forall else ("Or", disjunction)
        return join([_scoped(forall, reduced, part) for part in parts_of(outer, inner)])


def _swapped(body: Term) -> Term:
    """Exchange the two innermost loose variables."""

    def go(t: Term, depth: int) -> Term:
        if t.loose <= depth:
            return t
        if isinstance(t, BVar):
            at = t.index - depth
            return BVar(depth + 1 - at) if at in (0, 1) else t
        return core.map_children(t, go, depth)

    return go(body, 0)


def _scoped(forall: bool, type_: Term, part: Term) -> Term:
    """Quantify one part, leaving outside what does not mention the variable."""
    inner = "Or" if forall else "And"
    join = disjunction if forall else conjunction
    pieces = parts_of(inner, part)
    inside = [p for p in pieces if mentions_bound(p, 0)]
    outside = [core.instantiate(p, (core.PROP,)) for p in pieces if not mentions_bound(p, 0)]
    if not inside:
        if head(type_)[0] in _INHABITED:
            return join(outside)
        inside, outside = pieces, []
    body = join(inside)
    return join([*outside, App(FORALL if forall else EXISTS, (type_, Lam("x", type_, body)))])


def one_point(body: Term, forall: bool) -> Term | None:
    """Return e where `∃ x, body` says that x is e, or `∀ x, body` speaks only of x = e; None where there is no such e.

    The body stands under x; e is lifted out of it.
    """
    for literal in _literals(body, forall, 0):
        name, args = head(literal)
        if name != "Eq" or len(args) != 3:
            continue
        for this, other in ((args[1], args[2]), (args[2], args[1])):
            if this == BVar(0) and not mentions_bound(other, 0):
                return core.instantiate(other, (core.PROP,))
    return None


def _literals(term: Term, negative: bool, depth: int) -> Iterable[Term]:
    """Yield equations that hold whenever a term does (or, if negative, whenever it does not)."""
    if depth > 200:
        return
    name, args = head(term)
    n = len(args)
    if name == "Not" and n == 1:
        yield from _literals(args[0], not negative, depth + 1)
    elif name == "Implies" and n == 2 and negative:
        yield from _literals(args[0], False, depth + 1)
        yield from _literals(args[1], True, depth + 1)
    elif (name == "And" and not negative and n == 2) or (name == "Or" and negative and n == 2):
        for a in args:
            yield from _literals(a, negative, depth + 1)
    elif name == "Eq" and n == 3 and not negative:
        if args[0] == BOOL and args[2] == BOOL_TRUE and head(args[1])[0] == "Decide":
            yield from _literals(head(args[1])[1][0], False, depth + 1)
        else:
            yield term


# ---- connectives of normal forms


def parts_of(name: str, term: Term) -> list[Term]:
    """Return the parts of a conjunction (`And`) or disjunction (`Or`); a term that is none is its own part."""
    found, args = head(term)
    if found == name:
        return list(args)
    neutral = TRUE if name == "And" else FALSE
    return [] if term == neutral else [term]


def conjunction(parts: Sequence[Term]) -> Term:
    """Return the normal form of a conjunction of normal forms."""
    return _joined("And", parts)


def disjunction(parts: Sequence[Term]) -> Term:
    """Return the normal form of a disjunction of normal forms."""
    return _joined("Or", parts)


def _joined(name: str, parts: Sequence[Term]) -> Term:
    """Join parts with ∧ or ∨: flat, sorted, what a part settles left out of the others."""
    take()
    dual, absorbing = ("Or", FALSE) if name == "And" else ("And", TRUE)
    flat = dict.fromkeys(p for part in parts for p in parts_of(name, part))
    changed = True
    while changed:
        changed = False
        if len(flat) > _MAX_PARTS:
            break
        settled = {p for p in flat if head(p)[0] != dual}
        against = {negated(p) for p in settled}
        if absorbing in flat or settled & against:
            return absorbing
        new: dict[Term, None] = {}
        for p in flat:
            if head(p)[0] != dual:
                new[p] = None
                continue
            pieces = parts_of(dual, p)
            if any(q in settled for q in pieces):
                changed = True
                continue
            left = [q for q in pieces if q not in against]
            if len(left) < len(pieces):
                changed = True
                new.update(dict.fromkeys(parts_of(name, _joined(dual, left))))
            else:
                new[p] = None
        flat = new
    neutral = TRUE if name == "And" else FALSE
    if len(flat) <= 1:
        return next(iter(flat), neutral)
    return App(Const(name), tuple(sorted(flat, key=code)))


def negated(term: Term) -> Term:
    """Return the normal form of the negation of a normal form."""
    known = negations()
    found = known.get(term)
    if found is None:
        found = known[term] = _negated(term)
    return found


def _negated(term: Term) -> Term:
    take()
    name, args = head(term)
    match name:
        case "True":
            return FALSE
        case "False":
            return TRUE
        case "And" | "Or":
            return (disjunction if name == "And" else conjunction)([negated(a) for a in args])
        case "Not":
            return args[0]
        case "Forall" | "Exists":
            lam = args[1]
            assert isinstance(lam, Lam)  # noqa: S101 - `_scoped` made it
            other = EXISTS if name == "Forall" else FORALL
            return App(other, (args[0], Lam("x", lam.type, negated(lam.body))))
        case _:
            return negation(term)


def equivalence(a: Term, b: Term) -> Term:
    """Return the normal form of `a ↔ b`."""
    return conjunction([disjunction([negated(a), b]), disjunction([a, negated(b)])])


def either(test: Term, yes: Term, no: Term) -> Term:
    """Return the normal form of `if test then yes else no`."""
    return conjunction([disjunction([negated(test), yes]), disjunction([test, no])])


def decided(truth: Term) -> Term:
    """Return the Bool that is true exactly when a proposition in normal form is."""
    if truth in (TRUE, FALSE):
        return BOOL_TRUE if truth == TRUE else BOOL_FALSE
    name, args = head(truth)
    if name == "Eq" and len(args) == 3 and args[0] == BOOL and args[2] == BOOL_TRUE:
        return args[1]
    return App(DECIDE, (truth,))


__all__ = ["Logic", "conjunction", "disjunction", "head", "negated", "parts_of"]
