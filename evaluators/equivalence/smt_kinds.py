"""Lean types as sorts of z3.

Soundness. For every Lean type the real structure has a sort and an injection of the type's values into it; `domain`
describes the image exactly where `exact` says so. Then a formula that z3 finds valid in every structure holds in the
real one. Nat is the integers from 0, a character its code, `Fin n` its value, an enumeration the number of its
constructor; a rational number itself among the reals (not exact), types that are not recursive are z3 datatypes;
lists are an uninterpreted sort for each element type (so a quantifier over lists ranges over lists, whatever they
are). An array, and a text, is identified with the list of its elements, which is a bijection. Only types that are
known to have a value may be quantified over: sorts of z3 are never empty.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, TypeAlias

import z3

from evaluators.equivalence.smt_core import OutsideFragment, Reader
from specgen.lean import core
from specgen.lean.core import Const, FVar, Pi, Sort, Term
from specgen.lean.elab.subst import subst
from specgen.lean.environment import InductiveInfo

Expr: TypeAlias = Any
"""A z3 expression."""

_INHABITED = frozenset({"Multiset", "Finset", "Real", "Float", "UInt8", "UInt16", "UInt32", "UInt64", "USize"})
_MAX_ENUM = 256


@dataclass(frozen=True, slots=True)
class Kind:
    """A Lean type for the solver.

    Attributes:
        name: equal names are equal sorts with equal domains.
        shape: `int`, `bool`, `real`, `list`, `data` (z3 datatype), `enum`, `fn`, or `opaque`.
        sort: of z3.
        domain: what holds of every value of the type, as formulas; empty when the sort has no other elements.
        exact: the domain holds of nothing else, and there is a value: the type may be quantified over.
        args: element type of a list; parameters and result of a function.
        constructors: of data and enumerations, the names of Lean's constructors in order.
        fields: of data, for each constructor and field whether it is kept, and its kind.
    """

    name: str
    shape: str
    sort: Any
    domain: Callable[[Expr], list[Expr]]
    exact: bool = True
    args: tuple[Kind, ...] = ()
    constructors: tuple[str, ...] = ()
    fields: tuple[tuple[Kind | None, ...], ...] = ()


def _all(_: Expr) -> list[Expr]:
    return []


def _natural(e: Expr) -> list[Expr]:
    return [e >= 0]


def _code_point(e: Expr) -> list[Expr]:
    # A Unicode scalar value (`Nat.isValidChar`).
    return [z3.Or(z3.And(e >= 0, e < 0xD800), z3.And(e > 0xDFFF, e < 0x110000))]


class Kinds:
    """The sorts of one comparison, shared by both programs."""

    def __init__(self, ctx: Any) -> None:
        self.ctx = ctx
        self._known: dict[str, Kind] = {}
        self._numbers: dict[Hashable, int] = {}
        self.by_sort: dict[str, Kind] = {}
        """Kinds of lists by the name of their sort."""
        integer = z3.IntSort(ctx)
        self.nat = Kind("Nat", "int", integer, _natural)
        self.int = Kind("Int", "int", integer, _all)
        self.char = Kind("Char", "int", integer, _code_point)
        self.rat = Kind("Rat", "real", z3.RealSort(ctx), _all, exact=False)
        self.bool = Kind("Bool", "bool", z3.BoolSort(ctx), _all)
        self.prop = Kind("Prop", "bool", z3.BoolSort(ctx), _all)
        self._plain = {"Nat": self.nat, "Int": self.int, "Char": self.char, "Rat": self.rat, "Bool": self.bool}

    def number(self, key: Hashable) -> int:
        """Return a number for a key, the same for the same key."""
        return self._numbers.setdefault(key, len(self._numbers))

    def of(self, reader: Reader, type_: Term) -> Kind:
        """Return the kind of a type, or raise `OutsideFragment`."""
        reader.budget.tick()
        t = reader.types.normal_type(type_)
        if isinstance(t, Sort):
            if t.is_prop:
                return self.prop
            raise OutsideFragment("a type as a value")
        if isinstance(t, Pi):
            return self._function(reader, t)
        fn, args = core.unfold_app(t)
        if not isinstance(fn, Const):
            raise OutsideFragment("a type that is a variable")
        name = fn.name
        if not reader.own(name):
            if name in self._plain:
                return self._plain[name]
            if name in ("List", "Array") and len(args) == 1:
                return self.list_of(self.of(reader, args[0]))
            if name == "String":
                return self.list_of(self.char)
            if name == "Fin":
                return self._fin(reader, args[0])
        info = reader.env.get_inductive(name)
        if info is None or info.recursive or info.indices or info.is_class:
            return self._opaque(reader, t, name, info)
        return self._inductive(reader, t, info, args)

    def list_of(self, element: Kind) -> Kind:
        """Return the kind of lists of a kind."""
        name = f"List<{element.name}>"
        found = self._known.get(name)
        if found is None:
            found = Kind(name, "list", z3.DeclareSort(name, self.ctx), _all, True, (element,))
            self._known[name] = self.by_sort[name] = found
        return found

    def _fin(self, reader: Reader, bound: Term) -> Kind:
        n = reader.types.nat_literal(reader.head(bound))
        if n is None:
            raise OutsideFragment("Fin of a bound that is not a numeral")
        return Kind(f"Fin<{n}>", "int", z3.IntSort(self.ctx), lambda e: [e >= 0, e < n], n > 0)

    def _function(self, reader: Reader, t: Pi) -> Kind:
        """A function type: an uninterpreted sort of functions. Its parameters that are proofs are left out; then not
        every element of the sort is a function of the type, and none may be quantified over or compared."""
        kinds: list[Kind] = []
        partial = False
        rest: Term = t
        while isinstance(rest, Pi):
            if reader.types.is_proposition(rest.type) and not reader.types.is_proposition(rest):
                rest = subst(rest.body, (core.Proof(rest.type),))
                partial = True
            else:
                kinds.append(self.of(reader, rest.type))
                rest = subst(rest.body, (reader.types.local(rest.name, rest.type),))
            rest = reader.types.normal_type(rest)
        result = self.of(reader, rest)
        name = "(" + "→".join(k.name for k in [*kinds, result]) + (", proofs)" if partial else ")")
        found = self._known.get(name)
        if found is None:
            sort = z3.DeclareSort(name, self.ctx)
            found = self._known[name] = Kind(name, "fn", sort, _all, result.exact and not partial, (*kinds, result))
        return found

    def _opaque(self, reader: Reader, t: Term, head: str, info: InductiveInfo | None) -> Kind:
        if info is not None and (info.is_prop or info.is_class):
            raise OutsideFragment(f"a value of {head}")
        number = self.number(("type", reader.type_key(t)))
        name = f"{head}#{number}"
        found = self._known.get(name)
        if found is None:
            exact = head in _INHABITED and not reader.own(head)
            found = self._known[name] = Kind(name, "opaque", z3.DeclareSort(name, self.ctx), _all, exact)
        return found

    def _inductive(self, reader: Reader, t: Term, info: InductiveInfo, args: tuple[Term, ...]) -> Kind:
        number = self.number(("type", reader.type_key(t)))
        name = f"{info.name}#{number}"
        found = self._known.get(name)
        if found is not None:
            return found
        if info.is_prop or not info.constructors:
            raise OutsideFragment(f"a value of {info.name}")
        rows: list[tuple[Kind | None, ...]] = []
        proofs = False
        for constructor in info.constructors:
            row: list[Kind | None] = []
            for type_ in field_types(reader, constructor, args[: info.params]):
                if reader.types.erased(type_):
                    if not reader.types.is_proposition(type_):
                        raise OutsideFragment(f"{info.name} has a field that is a type")
                    proofs = True
                    row.append(None)
                else:
                    row.append(self.of(reader, type_))
            rows.append(tuple(row))
        made = self._enum(name, info) if not any(rows) else self._data(name, info, tuple(rows), proofs)
        self._known[name] = made
        return made

    def _enum(self, name: str, info: InductiveInfo) -> Kind:
        n = len(info.constructors)
        if n > _MAX_ENUM:
            raise OutsideFragment(f"{info.name} has too many constructors")
        return Kind(
            name,
            "enum",
            z3.IntSort(self.ctx),
            lambda e: [e >= 0, e < n],
            constructors=info.constructors,
            fields=((),) * n,
        )

    def _data(self, name: str, info: InductiveInfo, rows: tuple[tuple[Kind | None, ...], ...], proofs: bool) -> Kind:
        builder = z3.Datatype(name, self.ctx)
        for i, row in enumerate(rows):
            kept = [(f"{name}.{i}.{j}", k.sort) for j, k in enumerate(row) if k is not None]
            builder.declare(f"{name}.{i}", *kept)
        sort = builder.create()

        def domain(e: Expr) -> list[Expr]:
            out: list[Expr] = []
            for i, row in enumerate(rows):
                kinds = [k for k in row if k is not None]
                inside = [f for j, k in enumerate(kinds) for f in k.domain(sort.accessor(i, j)(e))]
                if inside:
                    out.append(z3.Implies(sort.recognizer(i)(e), z3.And(*inside)))
            return out

        exact = not proofs and all(k.exact for row in rows for k in row if k is not None)
        return Kind(name, "data", sort, domain, exact, (), info.constructors, rows)


def field_types(reader: Reader, constructor: str, params: tuple[Term, ...]) -> list[Term]:
    """Return the types of a constructor's fields; one that depends on an earlier field speaks of a variable."""
    return [reader.types.local_type(x) for x in fields_of(reader, constructor, params)]


def fields_of(reader: Reader, constructor: str, params: tuple[Term, ...]) -> list[FVar]:
    """Return a variable for each of a constructor's fields."""
    type_ = reader.constant(constructor).type
    for p in params:
        type_ = subst(type_.body, (p,)) if isinstance(type_, Pi) else type_
    return reader.types.telescope(type_)[0]
