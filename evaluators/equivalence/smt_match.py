"""`match` as nested conditionals.

Alternatives are tried in order, so each stands under the negation of those before it; Lean accepts a match only when
the alternatives cover every value, so the last one needs no condition. A pattern's condition is exact: a constructor
of a datatype is its recogniser, `n + k` is at least k, a list is empty when its length is 0, `Int.negSucc n` is below
0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import z3

from evaluators.equivalence.smt_core import OutsideFragment
from evaluators.equivalence.smt_kinds import Expr
from evaluators.equivalence.smt_translate import Translator
from specgen.lean import core
from specgen.lean.core import Const, FVar, Match, Proof, Term
from specgen.lean.elab.subst import subst

_NAT = Const("Nat")


@dataclass
class _Found:
    """What a pattern asks of a value, and what it binds, in order."""

    conditions: list[Expr] = field(default_factory=list)
    bound: list[Term] = field(default_factory=list)


def translate_match(tr: Translator, term: Match) -> Expr:
    """Return the translation of a match."""
    tr.reader.types.steps = 0
    reduced = tr.reader.types.reduce_match(term)
    if reduced is not None:
        return tr.expr(reduced)
    discrs = [(d, tr.reader.type_of(d)) for d in term.discrs]
    cases: list[tuple[Expr, Expr]] = []
    for alt in term.alts:
        found = _Found()
        for pattern, (d, type_) in zip(alt.patterns, discrs, strict=True):
            _pattern(tr, pattern, d, type_, found)
        if len(found.bound) != alt.nvars:
            raise OutsideFragment("a pattern that binds in another order")
        cases.append((z3.And(*found.conditions) if found.conditions else None, tr.expr(subst(alt.body, found.bound))))
        if not found.conditions:
            break
    result = cases[-1][1]
    for condition, value in reversed(cases[:-1]):
        result = z3.If(condition, value, result)
    return result


def _pattern(tr: Translator, pattern: core.Pattern, term: Term, type_: Term, found: _Found) -> None:
    """Add what a pattern asks of a term and binds."""
    match pattern:
        case core.PVar():
            found.bound.append(term)
        case core.PWild():
            pass
        case core.PAs():
            found.bound.append(term)
            _pattern(tr, pattern.pattern, term, type_, found)
        case core.PSucc():
            e = tr.expr(term)
            found.conditions.append(e >= pattern.offset)
            _pattern(tr, pattern.pattern, _known(tr, _NAT, e - pattern.offset), _NAT, found)
        case core.PLit():
            found.conditions.append(tr.expr(term) == _literal(tr, pattern, type_))
        case core.PCtor():
            _constructor(tr, pattern, term, type_, found)
        case core.PArray():
            _items(tr, pattern.items, term, type_, found)
        case _:
            raise OutsideFragment("a pattern")


def _known(tr: Translator, type_: Term, value: Expr) -> FVar:
    """Return a variable that stands for an expression."""
    x = tr.reader.types.local("x", type_)
    tr.values[x.id] = value
    return x


def _literal(tr: Translator, pattern: core.PLit, type_: Term) -> Expr:
    kind = tr.kind(type_)
    if isinstance(pattern.value, int) and kind.name in ("Nat", "Int"):
        return z3.IntVal(pattern.value, tr.shared.ctx)
    if isinstance(pattern.value, str) and kind.name == "Char" and len(pattern.value) == 1:
        return z3.IntVal(ord(pattern.value), tr.shared.ctx)
    if isinstance(pattern.value, str) and kind.name == "List<Char>":
        return tr.text(pattern.value)
    raise OutsideFragment(f"a literal pattern of {kind.name}")


def _constructor(tr: Translator, pattern: core.PCtor, term: Term, type_: Term, found: _Found) -> None:
    types = tr.reader.types
    name = pattern.name
    own = tr.reader.own(name)
    if types.erased(type_):  # a proof taken apart: its parts are proofs
        if not types.is_proposition(type_):
            raise OutsideFragment("a match on a type or an instance")
        for p in pattern.args:
            _proof_pattern(p, found)
        return
    kind = tr.kind(type_)
    e = tr.expr(term)
    if not own and name in _NUMBERS:
        condition, value = _NUMBERS[name](e)
        found.conditions.append(condition)
        for p in pattern.args:
            _pattern(tr, p, _known(tr, _NAT, value), _NAT, found)
        return
    if name in ("Bool.true", "Bool.false") and kind.name == "Bool":
        found.conditions.append(e if name == "Bool.true" else z3.Not(e))
        return
    if kind.shape == "list":
        _list(tr, pattern, e, type_, found)
        return
    if name == "Fin.mk" and kind.name.startswith("Fin<"):
        _pattern(tr, pattern.args[0], _known(tr, _NAT, e), _NAT, found)
        _proof_pattern(pattern.args[1], found)
        return
    if kind.shape not in ("data", "enum") or name not in kind.constructors:
        raise OutsideFragment(f"a match on {kind.name}")
    at = kind.constructors.index(name)
    if len(kind.constructors) > 1:
        found.conditions.append(e == at if kind.shape == "enum" else kind.sort.recognizer(at)(e))
    _, args = core.unfold_app(types.normal_type(type_))
    info = tr.reader.env.get_inductive(tr.reader.constant(name).inductive)
    fields = tr.fields(name, args[: info.params if info is not None else 0])
    for i, (p, x) in enumerate(zip(pattern.args, fields, strict=True)):
        if kind.fields[at][i] is None:
            _proof_pattern(p, found, types.local_type(x))
        else:
            tr.values[x.id] = tr.select(kind, at, i, e)
            _pattern(tr, p, x, types.local_type(x), found)


def _proof_pattern(pattern: core.Pattern, found: _Found, type_: Term = core.PROP) -> None:
    """Bind a proof's parts as proofs; nothing is asked of them."""
    match pattern:
        case core.PVar():
            found.bound.append(Proof(type_))
        case core.PWild():
            pass
        case core.PCtor():
            for p in pattern.args:
                _proof_pattern(p, found)
        case _:
            raise OutsideFragment("a pattern on a proof")


_NUMBERS = {
    "Nat.zero": lambda e: (e == 0, e),
    "Nat.succ": lambda e: (e >= 1, e - 1),
    "Int.ofNat": lambda e: (e >= 0, e),
    "Int.negSucc": lambda e: (e < 0, -e - 1),
}


def _list(tr: Translator, pattern: core.PCtor, e: Expr, type_: Term, found: _Found) -> None:
    from evaluators.equivalence.smt_lists import at, length, tail

    if pattern.name == "List.nil":
        found.conditions.append(length(tr, e) == 0)
        return
    if pattern.name == "List.cons":
        found.conditions.append(length(tr, e) > 0)
        _, args = core.unfold_app(tr.reader.types.normal_type(type_))
        _pattern(tr, pattern.args[0], _known(tr, args[0], at(tr, e, z3.IntVal(0, tr.shared.ctx))), args[0], found)
        _pattern(tr, pattern.args[1], _known(tr, type_, tail(tr, e)), type_, found)
        return
    if pattern.name in ("Array.mk", "String.mk"):
        inner = _inner(tr, type_)
        _pattern(tr, pattern.args[0], _known(tr, inner, e), inner, found)
        return
    raise OutsideFragment(f"the pattern {pattern.name}")


def _inner(tr: Translator, type_: Term) -> Term:
    """Return the list type behind an array or a text."""
    _, args = core.unfold_app(tr.reader.types.normal_type(type_))
    return core.mk_app(Const("List"), *(args or (Const("Char"),)))


def _items(tr: Translator, items: Sequence[core.Pattern], term: Term, type_: Term, found: _Found) -> None:
    """`#[p, q]`: an array of exactly that length."""
    from evaluators.equivalence.smt_lists import at, length

    kind = tr.kind(type_)
    if kind.shape != "list":
        raise OutsideFragment("an array pattern")
    e = tr.expr(term)
    found.conditions.append(length(tr, e) == len(items))
    _, args = core.unfold_app(tr.reader.types.normal_type(type_))
    for i, p in enumerate(items):
        _pattern(tr, p, _known(tr, args[0], at(tr, e, z3.IntVal(i, tr.shared.ctx))), args[0], found)
