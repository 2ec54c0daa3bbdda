"""What the compiler asks about types: what is erased at run time, how inductive types are laid out, which method an
instance stands for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from specgen.lean import core
from specgen.lean.core import App, Const, FVar, Lam, Pi, Sort, Term
from specgen.lean.elab.context import ElabError
from specgen.lean.elab.scope import Scope
from specgen.lean.elab.subst import beta, subst
from specgen.lean.elab.whnf import DEFAULT, INSTANCES, IllTyped, Whnf
from specgen.lean.environment import Constant, Environment, InductiveInfo

Shape: TypeAlias = Literal[
    "nat", "int", "bool", "list", "option", "unit", "array", "string", "wrapper", "tuple", "enum", "tagged"
]

_SPECIAL: Final[dict[str, Shape]] = {
    "Nat": "nat",
    "Int": "int",
    "Bool": "bool",
    "List": "list",
    "Option": "option",
    "PUnit": "unit",
    "Unit": "unit",
    "Array": "array",
    "String": "string",
}


@dataclass(frozen=True, slots=True)
class Layout:
    """How values of an inductive type look (docs/engine.md, "Values").

    `relevant` says for each constructor which of its fields are kept; for a `wrapper`, `field` is the one that is.
    """

    shape: Shape
    info: InductiveInfo
    relevant: tuple[tuple[bool, ...], ...]
    field: int = -1


class Types(Whnf):
    """Questions about core terms whose free variables were declared with `local`."""

    def __init__(self, env: Environment) -> None:
        super().__init__(env, Scope(env), lambda error: None)
        self._relevance: dict[str, tuple[bool, ...]] = {}
        self._layouts: dict[str, Layout | None] = {}
        self._methods: dict[Term, Term | None] = {}
        self._erased_cache: dict[Term, bool] = {}

    # ---- erasure

    def erased(self, type_: Term) -> bool:
        """Tell whether values of this type are not kept: types, type formers, proofs, Decidable instances."""
        found = self._erased_cache.get(type_)
        if found is None:
            self.steps = 0
            try:
                found = self._erased(type_)
            except (ElabError, IllTyped):
                found = False
            if not type_.has_fvar:
                self._erased_cache[type_] = found
        return found

    def _erased(self, type_: Term) -> bool:
        outer = type_
        t = self.whnf(type_)
        while isinstance(t, Pi):
            x = self.local(t.name, t.type, t.info)
            t = self.whnf(subst(t.body, (x,)))
        if isinstance(t, Sort):
            return not t.is_prop
        head, _ = core.unfold_app(t)
        if isinstance(head, Const) and head.name == "Decidable":
            return True
        return self.is_prop(outer)

    def is_proposition(self, type_: Term) -> bool:
        """Tell whether a term is a proposition; False when that cannot be found out."""
        self.steps = 0
        try:
            return self.is_prop(type_)
        except (ElabError, IllTyped):
            return False

    def telescope(self, type_: Term, limit: int = -1) -> tuple[list[FVar], Term]:
        """Open the visible `Pi`s of a type (at most `limit` of them)."""
        xs: list[FVar] = []
        while isinstance(type_, Pi) and len(xs) != limit:
            x = self.local(type_.name, type_.type, type_.info)
            xs.append(x)
            type_ = subst(type_.body, (x,))
        return xs, type_

    def relevance(self, constant: Constant) -> tuple[bool, ...]:
        """Return, for each visible parameter of a constant, whether it is kept at run time."""
        found = self._relevance.get(constant.name)
        if found is None:
            xs, _ = self.telescope(constant.type)
            found = tuple([not self.erased(self.local_type(x)) for x in xs])
            self._relevance[constant.name] = found
        return found

    # ---- inductive types

    def layout(self, name: str) -> Layout | None:
        """Return the layout of an inductive type, or None for what is not one."""
        if name not in self._layouts:
            info = self.env.get_inductive(name)
            self._layouts[name] = None if info is None else self._make_layout(info)
        return self._layouts[name]

    def _make_layout(self, info: InductiveInfo) -> Layout:
        relevant: list[tuple[bool, ...]] = []
        for ctor in info.constructors:
            constant = self.env.get(ctor)
            relevant.append(self.relevance(constant)[info.params :] if constant is not None else ())
        rows = tuple(relevant)
        if info.name in _SPECIAL:
            return Layout(_SPECIAL[info.name], info, rows)
        if len(info.constructors) == 1 and (info.is_structure or info.is_class):
            kept = [i for i, keep in enumerate(rows[0]) if keep]
            if not info.is_class and len(kept) == 1 and len(rows[0]) > 1:
                return Layout("wrapper", info, rows, kept[0])
            return Layout("tuple", info, rows)
        if all(not row for row in rows):
            return Layout("enum", info, rows)
        return Layout("tagged", info, rows)

    # ---- instances

    def method(self, term: App) -> Term | None:
        """Replace a class method applied to a known instance by the instance's field; None when it is not known."""
        fn = term.fn
        if not isinstance(fn, Const):
            return None
        found = self.env.get(fn.name)
        if found is None or found.kind != "projection":
            return None
        info = self.env.get_inductive(found.inductive)
        if info is None or not info.is_class or len(term.args) <= info.params:
            return None
        key = App(fn, term.args[: info.params + 1])
        if key in self._methods:
            field = self._methods[key]
        else:
            field = self._field(found, info, term.args[info.params])
            if not key.has_fvar:
                self._methods[key] = field
        return None if field is None else beta(field, term.args[info.params + 1 :])

    def _field(self, found: Constant, info: InductiveInfo, instance: Term) -> Term | None:
        self.steps = 0
        try:
            with self.with_transparency(INSTANCES):
                target = self.whnf(instance)
        except (ElabError, IllTyped):
            return None
        fields = self.constructor_fields(target)
        return None if fields is None or found.index >= len(fields) else fields[found.index]

    def normal_type(self, type_: Term) -> Term:
        """Return the weak head normal form of a type, unfolding definitions; the type itself where that fails."""
        self.steps = 0
        try:
            with self.with_transparency(DEFAULT):
                return self.whnf(type_)
        except (ElabError, IllTyped):
            return type_

    def type_of(self, term: Term) -> Term | None:
        """Return the type of a term, or None where it cannot be inferred."""
        self.steps = 0
        try:
            return self.infer_type(term)
        except (ElabError, IllTyped):
            return None


def head_const(term: Term) -> str:
    """Return the name of the constant at the head of a term, or the empty string."""
    head = term.fn if isinstance(term, App) else term
    return head.name if isinstance(head, Const) else ""


def lambda_telescope(types: Types, term: Term, limit: int = -1) -> tuple[list[FVar], Term]:
    """Open the leading lambdas of a term as local variables (at most `limit` of them)."""
    xs: list[FVar] = []
    while isinstance(term, Lam) and len(xs) != limit:
        x = types.local(term.name, subst(term.type, xs), term.info)
        xs.append(x)
        term = term.body
    return xs, subst(term, xs)
