"""From a constant of the library table to something that can be called on both sides.

Type parameters are set to concrete types, instances are found by the engine, proofs become preconditions that the
sampled arguments must meet. What Lean gets for each parameter is a `pass` record that the child understands.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from oracle import samples
from oracle.engine import Side, to_engine
from oracle.symbols import mangle, notes
from oracle.types import ATOMS, BOOL, ERASED, Neutral, Ty, fn
from specgen.lean import core
from specgen.lean.core import Const, FVar, Lit, Pi, Proof, Sort, Term
from specgen.lean.elab.subst import subst
from specgen.lean.environment import Constant
from specgen.lean.eval.runtime import Unknown

POOLS: Final = (
    ("Nat", "Int", "Bool"),
    ("String", "Nat", "Char"),
    ("Int", "Int", "Nat"),
    ("Char", "String", "Nat"),
    ("Bool", "Nat", "Int"),
    ("Nat", "Nat", "Nat"),
)
"""Types for the first, second, … type parameter, tried in this order until every instance exists."""

METHODS: Final = frozenset(
    ["BEq", "Ord", "Max", "Min", "Add", "Sub", "Mul", "Append", "Zero", "One", "Inhabited", "Hashable", "ToString"]
    + ["NatCast", "LT", "LE", "Nonempty"]
)
"""Classes whose instance the child can make."""

_DECIDED: Final = {"Eq": "eq", "LT.lt": "lt", "LE.le": "le", "GT.gt": "gt", "GE.ge": "ge"}
_MAPS: Final = {"Std.HashMap": 2, "Std.HashSet": 1, "Std.TreeMap": 2, "Std.TreeSet": 1}
_LAWS: Final = frozenset(["LawfulBEq", "EquivBEq", "LawfulHashable", "Std.TransCmp", "Std.LawfulEqCmp", "ReflBEq"])
"""Classes of laws that the instances which we pass obey."""
_SPECIAL: Final = frozenset(["ByteArray", "Rat", "Std.Range", "Subarray"])
"""Types with conditions on their fields, for which `samples` knows how to make values."""
_ALIASES: Final = frozenset(["DecidableEq", "DecidablePred", "DecidableRel", "DecidableLT", "DecidableLE"])


class NotComparable(Exception):  # noqa: N818
    """The constant cannot be called on both sides; the message says why."""


@dataclass(slots=True)
class Parameter:
    """One parameter: how Lean gets it, and for one that carries a value its type (over earlier parameters)."""

    send: dict[str, Any]
    variable: FVar | None = None
    type: Term | None = None
    ty: Ty | None = None
    size: bool = False
    fixed: Neutral = None


@dataclass(slots=True)
class Plan:
    """A constant ready to be called.

    `preconditions` are compiled propositions over the valued parameters.
    """

    name: str
    result: Ty
    parameters: list[Parameter]
    call: Callable[[Sequence[Any]], Any]
    preconditions: list[Callable[[Sequence[Any]], Any]]
    builder: Builder
    pool: tuple[str, ...] = field(default=())

    @property
    def valued(self) -> list[Parameter]:
        """The parameters that carry a value."""
        return [p for p in self.parameters if p.variable is not None]

    def describe(self) -> str:
        """Return the types of the valued parameters and of the result."""
        return " → ".join([*[str(p.ty or "…") for p in self.valued], str(self.result)])

    def sample(self, rng: random.Random) -> tuple[list[Ty], list[Neutral]]:
        """Return types and neutral values for the valued parameters that meet the preconditions.

        Raises:
            Uninhabited: this attempt found none.
            Unknown: the engine cannot decide a precondition or a size.
        """
        types: list[Ty] = []
        values: list[Neutral] = []
        data: list[Any] = []
        for p in self.valued:
            ty = p.ty if p.ty is not None else self.builder.ty_at(p.type or core.PROP, data)
            value = samples.sample(rng, ty, p.size) if p.fixed is None else p.fixed
            types.append(ty)
            values.append(value)
            data.append(to_engine(ty, value))
        for holds in self.preconditions:
            if holds(data) is not True:
                raise samples.Uninhabited
        return types, values


class Builder:
    """Makes the plan of one constant with one choice of type arguments."""

    def __init__(self, side: Side, constant: Constant, pool: Sequence[str]) -> None:
        self.side = side
        self.types = side.types
        self.constant = constant
        self.pool = list(pool)
        self.used: list[str] = []
        self.parameters: list[Parameter] = []
        self.proofs: list[Term] = []
        self._sizes: dict[tuple[Term, int], Callable[[Sequence[Any]], Any]] = {}

    def build(self) -> Plan:
        """Return the plan.

        Raises:
            NotComparable: with the reason.
        """
        args: list[Term] = []
        type_ = self.constant.type
        while True:
            if not isinstance(type_, Pi):
                if _head(type_) not in _ALIASES:
                    break
                type_ = self.types.normal_type(type_)
                continue
            arg = self._parameter(type_)
            args.append(arg)
            type_ = subst(type_.body, (arg,))
        body = core.mk_app(Const(self.constant.name), *args)
        result_type = self.types.normal_type(type_)
        decided = _decided(result_type)
        if decided is not None:
            body, result = decided, BOOL
        else:
            result = self._result(type_, result_type)
        fvars = [p.variable for p in self.parameters if p.variable is not None]
        self._mark_sizes()
        pre = [self.side.function(fvars, proof) for proof in self.proofs]
        call = self.side.function(fvars, body)
        return Plan(self.constant.name, result, self.parameters, call, pre, self, tuple(self.used))

    def _result(self, type_: Term, normal: Term) -> Ty:
        if isinstance(normal, Sort):
            raise NotComparable("a proposition (compared by its Decidable instance)" if normal.is_prop else "a type")
        if self.types.is_proposition(type_):
            raise NotComparable("a proof")
        if isinstance(normal, Pi):
            raise NotComparable("its result is a function")
        info = self.side.env.get_inductive(_head(normal))
        if info is not None and info.is_class:
            raise NotComparable("an instance (its methods are compared by their own names)")
        return self.ty(type_)

    def _mark_sizes(self) -> None:
        """Keep small the numbers that other parameters' types mention."""
        mentioned: set[int] = set()
        for p in self.parameters:
            if p.type is not None and p.type.has_fvar:
                _collect(p.type, mentioned)
        for p in self.parameters:
            p.size = p.variable is not None and (p.variable.id in mentioned or self.constant.name in notes().small)

    # ---- parameters

    def _parameter(self, pi: Pi) -> Term:
        domain = pi.type
        normal = self.types.normal_type(domain)
        binders, target = self._open(normal)
        if isinstance(target, Sort):
            return self._former(pi, binders, target)
        if _head(target) == "Decidable":
            self.parameters.append(Parameter(self._decision(binders, core.unfold_app(target)[1][0])))
            return Proof(domain)
        if self.types.is_proposition(domain):
            self.parameters.append(Parameter({"pass": "erased"}))
            self._assume(domain, normal)
            return Proof(domain)
        info = self.side.env.get_inductive(_head(normal))
        if info is not None and info.is_class:
            return self._instance(domain, normal)
        x = self.types.local(pi.name, domain, pi.info)
        ty = None if domain.has_fvar else self.ty(domain)
        conditional = _conditional(ty if ty is not None else self.ty(domain, lambda _: 1))
        if conditional:
            raise NotComparable(f"an argument of type {conditional}, which has conditions")
        parameter = Parameter({"pass": "value"}, x, domain, ty)
        if self.constant.name.startswith("Std.Tree") and ty is not None and _is_comparison(ty):
            parameter.fixed = {"fn": ["compare", 0]}
        self.parameters.append(parameter)
        return x

    def _assume(self, domain: Term, normal: Term) -> None:
        """Make a proof parameter a precondition, but for classes of laws that hold anyway."""
        name = _head(normal)
        if name == "NeZero":
            n = core.unfold_app(normal)[1][-1]
            self.proofs.append(core.mk_app(Const("Not"), core.mk_app(Const("Eq"), Const("Nat"), n, Lit(0))))
        elif name not in _LAWS:
            self.proofs.append(domain)

    def _open(self, type_: Term) -> tuple[list[FVar], Term]:
        binders: list[FVar] = []
        while isinstance(type_, Pi):
            x = self.types.local(type_.name, type_.type, type_.info)
            binders.append(x)
            type_ = self.types.normal_type(subst(type_.body, (x,)))
        return binders, type_

    def _former(self, pi: Pi, binders: list[FVar], target: Sort) -> Term:
        """Set a type parameter, or make a proposition or predicate a value that Lean gets erased."""
        if target.is_prop:
            x = self.types.local(pi.name, pi.type, pi.info)
            params = [self.ty(self.types.local_type(b)) for b in binders]
            ty = fn(*params, BOOL) if binders else BOOL
            self.parameters.append(Parameter({"pass": "hidden"}, x, pi.type, ty))
            return x
        self.parameters.append(Parameter({"pass": "erased"}))
        if binders:
            if len(binders) > 1 or not isinstance(self.types.local_type(binders[0]), Sort):
                raise NotComparable("a parameter that is a family of types")
            self.used.append("Option")
            return Const("Option")
        if not self.pool:
            raise NotComparable("more type parameters than we set")
        name = self.pool.pop(0)
        self.used.append(name)
        return Const(name)

    def _decision(self, binders: list[FVar], prop: Term) -> dict[str, Any]:
        """Return how the child decides a proposition over `binders`."""
        head, args = core.unfold_app(prop)
        if isinstance(head, FVar) and list(args) == binders:
            for i, p in enumerate(q for q in self.parameters if q.variable is not None):
                if p.variable == head:
                    return {"pass": "nth", "source": i}
        name = _head(prop)
        if name in _DECIDED and len(binders) == 2 and list(args[-2:]) == binders:
            ty = self.ty(self.types.local_type(binders[0]))
            return {"pass": "relation", "name": _DECIDED[name], "ty": ty.to_json()}
        raise NotComparable("an instance Decidable of a proposition that we do not recognise")

    def _instance(self, domain: Term, normal: Term) -> Term:
        if domain.has_fvar:
            raise NotComparable("an instance that depends on a value")
        found = self.side.instance(domain)
        if found is None:
            raise NotComparable(f"no instance {domain!r}")
        head, args = core.unfold_app(normal)
        name = _head(head)
        key = " ".join([name, *[_head(a) for a in args]])
        if key in notes().instances:
            self.parameters.append(Parameter({"pass": "constant", "symbol": mangle(notes().instances[key])}))
        elif name in METHODS and args:
            self.parameters.append(Parameter({"pass": "instance", "class": name, "ty": self.ty(args[0]).to_json()}))
        elif self.types.is_proposition(domain):
            self.parameters.append(Parameter({"pass": "erased"}))
        else:
            raise NotComparable(f"an instance of {name}, which is not marshalled")
        return found

    # ---- types

    def ty_at(self, type_: Term, data: Sequence[Any]) -> Ty:
        """Return a type whose sizes depend on the values of the parameters before it."""
        return self.ty(type_, lambda term: self._number(term, len(data), data))

    def _number(self, term: Term, given: int, data: Sequence[Any]) -> int:
        """Evaluate a natural number over the values of the first `given` parameters."""
        known = self._sizes.get((term, given))
        if known is None:
            fvars = [p.variable for p in self.parameters if p.variable is not None]
            known = self._sizes[term, given] = self.side.function(fvars[:given], term)
        n = known(data)
        if not isinstance(n, int):
            raise Unknown("unsupported", "a size that is not a number")
        return n

    def ty(self, type_: Term, size: Callable[[Term], int] | None = None) -> Ty:
        """Return a type; `size` evaluates the sizes of Fin, BitVec and Vector (-1 where it is not given)."""
        normal = self.types.normal_type(type_)
        if isinstance(normal, Pi):
            return self._function_type(normal, size)
        name = _head(normal)
        _, args = core.unfold_app(normal)
        if name in ("Fin", "BitVec"):
            return Ty(name, (), self._size(args[0], size))
        if name in ATOMS or name == "Rat":
            return Ty(name)
        if name in ("List", "Array", "Option"):
            return Ty(name, (self.ty(args[0], size),))
        if name in _MAPS:
            return Ty("map", tuple([self.ty(a, size) for a in args[: _MAPS[name]]]), name=name)
        if name == "Vector":
            return Ty(name, (self.ty(args[0], size),), self._size(args[1], size))
        return self._data_type(name, args, size)

    def _size(self, term: Term, size: Callable[[Term], int] | None) -> int:
        if isinstance(term, Lit) and isinstance(term.value, int):
            return term.value
        if not term.has_fvar:
            return self._number(term, 0, ())
        return size(term) if size is not None else -1

    def _function_type(self, type_: Term, size: Callable[[Term], int] | None) -> Ty:
        parts: list[Ty] = []
        while isinstance(type_, Pi):
            erased = self.types.erased(type_.type)
            parts.append(ERASED if erased else self.ty(type_.type, size))
            x = self.types.local(type_.name, type_.type, type_.info)
            type_ = self.types.normal_type(subst(type_.body, (x,)))
        if isinstance(type_, Sort):
            raise NotComparable("a function to types")
        return fn(*parts, self.ty(type_, size))

    def _data_type(self, name: str, args: Sequence[Term], size: Callable[[Term], int] | None) -> Ty:
        layout = self.types.layout(name) if name else None
        if layout is None or layout.info.is_class or layout.info.recursive:
            raise NotComparable(f"a value of type {name or 'unknown'}")
        if layout.shape not in ("tuple", "wrapper", "enum", "tagged", "unit"):
            raise NotComparable(f"a value of type {name}")
        constructors: list[tuple[Ty, ...]] = []
        for ctor, relevant in zip(layout.info.constructors, layout.relevant, strict=True):
            constant = self.side.env.get(ctor)
            if constant is None:
                raise NotComparable(f"a value of type {name}")
            constructors.append(self._fields(constant, args[: layout.info.params], relevant, size))
        return Ty("data", (), -1, name, layout.shape, tuple(constructors))

    def _fields(
        self, ctor: Constant, params: Sequence[Term], relevant: Sequence[bool], size: Callable[[Term], int] | None
    ) -> tuple[Ty, ...]:
        type_: Term = ctor.type
        for a in params:
            if isinstance(type_, Pi):
                type_ = subst(type_.body, (a,))
        fields: list[Ty] = []
        for keep in relevant:
            if not isinstance(type_, Pi):
                raise NotComparable(f"the constructor {ctor.name}")
            fields.append(self.ty(type_.type, size) if keep else ERASED)
            x = self.types.local(type_.name, type_.type, type_.info)
            type_ = subst(type_.body, (x,))
        return tuple(fields)


def _is_comparison(ty: Ty) -> bool:
    return ty.head == "fn" and ty.args[-1].name == "Ordering"


def _conditional(ty: Ty) -> str:
    """Return the name of a type inside `ty` whose values have conditions that we do not know how to meet."""
    if ty.head == "data" and ty.name not in _SPECIAL and any(f.head == "erased" for c in ty.constructors for f in c):
        return ty.name
    inside = [*ty.args, *(f for c in ty.constructors for f in c)]
    return next((name for t in inside if (name := _conditional(t))), "")


def _head(term: Term) -> str:
    head, _ = core.unfold_app(term)
    return head.name if isinstance(head, Const) else ""


def _decided(type_: Term) -> Term | None:
    """Return the proposition that a type `Decidable p` is about."""
    head, args = core.unfold_app(type_)
    return args[0] if isinstance(head, Const) and head.name == "Decidable" and len(args) == 1 else None


def _collect(term: Term, found: set[int]) -> None:
    if isinstance(term, FVar):
        found.add(term.id)
    elif term.has_fvar:

        def go(t: Term, _: int) -> Term:
            _collect(t, found)
            return t

        core.map_children(term, go)


def plans_of(side: Side, constant: Constant, wanted: int = 2) -> list[Plan]:
    """Return up to `wanted` plans of a constant, with different type arguments.

    Raises:
        NotComparable: there is none; the reason is that of the first choice of types.
    """
    plans: list[Plan] = []
    reason: NotComparable | None = None
    for pool in POOLS:
        try:
            plan = Builder(side, constant, pool).build()
        except NotComparable as error:
            reason = reason or error
            continue
        if all(plan.pool != other.pool for other in plans):
            plans.append(plan)
        if not plan.pool or len(plans) == wanted:
            break
    if not plans:
        raise reason or NotComparable("no choice of types")
    return plans
