"""Core terms of both programs as formulas of z3 that hold of the same values (`Translation`).

Soundness. Each rule's argument stands with it: here for logic, functions and matches, in `smt_arith.py` for numbers,
in `smt_lists.py` for lists. What has no rule becomes an uninterpreted symbol, shared by both programs where the
constant, its types and its instances are the same: the symbol stands for whatever the function is, so a formula that
is valid for every interpretation holds for it. Facts are formulas that hold in Lean for every interpretation that is
meant; they are added as hypotheses. A proof never counts as a value; a proposition and a Bool are the same truth
value (`decide p` is p).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeAlias

import z3

from evaluators.equivalence.smt_core import Budget, BudgetSpent, OutsideFragment, Reader
from evaluators.equivalence.smt_kinds import Expr, Kind, Kinds, fields_of
from specgen.lean import core
from specgen.lean.core import App, Const, FVar, Lam, Lit, Match, Pi, Proj, Proof, Term
from specgen.lean.elab.subst import beta, subst

Handler: TypeAlias = "Callable[[Translator, tuple[Term, ...], Term], Expr]"
"""Translates a library constant applied to all its arguments; the last argument is the whole term."""

_MAX_DEPTH = 160
_MAX_TEXT = 64


@dataclass(frozen=True, slots=True)
class Fact:
    """A formula that holds in Lean for all values of `variables` (constants that a binder introduced)."""

    formula: Expr
    trigger: Expr
    variables: tuple[Expr, ...] = ()


@dataclass(frozen=True, slots=True)
class Function:
    """A function value: `symbol` applied to what its body captures; `binders` and `captures` are constants."""

    symbol: Any
    kind: Kind
    binders: tuple[Expr, ...]
    captures: tuple[Expr, ...]
    capture_kinds: tuple[Kind, ...]
    body: Expr
    instances: list[tuple[Expr, ...]]


class Shared:
    """What both programs' translations share: kinds, symbols, facts, function values, variables."""

    def __init__(self, ctx: Any, budget: Budget) -> None:
        self.ctx = ctx
        self.kinds = Kinds(ctx)
        self.budget = budget
        self.variables: dict[str, Kind] = {}
        """Kinds of the constants that stand for values: inputs, result, what binders introduce."""
        self.facts: list[Fact] = []
        self.functions: dict[Hashable, Function] = {}
        self.by_symbol: dict[str, Function] = {}
        self.abstract: set[str] = set()
        """Names of the uninterpreted symbols in use, for a person."""
        self.elements: dict[int, Callable[[Expr], tuple[Expr, Expr]]] = {}
        """For list expressions whose elements are known by position: whether a position is one, and the element."""
        self.stated: set[int] = set()
        """Ids of the equations of lists whose facts are stated."""
        self.quantified = False
        self.kept: list[Expr] = []
        self.implementation: Any = None
        """The function symbol of the implementation, where a side is relational."""
        self._symbols: dict[Hashable, Any] = {}
        self._fresh = 0

    def variable(self, kind: Kind, name: str = "") -> Expr:
        """Return a new constant for a value of a kind."""
        self._fresh += 1
        name = name or f"?{self._fresh}"
        self.variables[name] = kind
        return z3.Const(name, kind.sort)

    def symbol(self, name: str, key: Hashable, domain: Sequence[Any], result: Any) -> Any:
        """Return the function symbol of a key over sorts."""
        full = (name, key, tuple(s.name() for s in domain), result.name())
        found = self._symbols.get(full)
        if found is None:
            found = z3.Function(f"{name}!{len(self._symbols)}", *domain, result)
            self._symbols[full] = found
        return found

    def apply(self, name: str, key: Hashable, args: Sequence[Expr], result: Kind) -> Expr:
        """Apply an uninterpreted symbol; its value is a value of its kind, which is a fact."""
        self.budget.tick(4)
        self.abstract.add(name)
        e = self.symbol(name, (key, result.name), [a.sort() for a in args], result.sort)(*args)
        if result.exact:  # of a type that may be empty nothing is said: the symbol is total, its facts must be too
            for formula in result.domain(e):
                self.fact(formula, e)
        return e

    def fact(self, formula: Expr, trigger: Expr) -> None:
        """Add a formula that holds in Lean."""
        self.facts.append(Fact(formula, trigger))

    def free(self, e: Expr) -> list[Expr]:
        """Return the constants for values in an expression, in order of appearance."""
        seen: set[int] = set()
        out: list[Expr] = []
        stack = [e]
        while stack:
            t = stack.pop()
            if t.get_id() in seen:
                continue
            seen.add(t.get_id())
            if z3.is_quantifier(t):
                stack.append(t.body())
            elif z3.is_app(t):
                if t.num_args() == 0:
                    if t.decl().kind() == z3.Z3_OP_UNINTERPRETED and t.decl().name() in self.variables:
                        out.append(t)
                else:
                    stack += reversed(t.children())
        return out

    def domain(self, constants: Sequence[Expr]) -> list[Expr]:
        """Return what holds of constants by their kinds."""
        return [f for c in constants for f in self.variables[c.decl().name()].domain(c)]


class Translator:
    """Translates one program's terms; `handlers` are the rules by library constant."""

    def __init__(self, shared: Shared, reader: Reader, handlers: Mapping[str, tuple[int, Handler]]) -> None:
        self.shared = shared
        self.reader = reader
        self.values: dict[int, Expr] = {}
        """Expressions for free variables, by id."""
        self.implementation: int | None = None
        """Id of the variable that stands for the implementation."""
        self.implementation_result: Kind | None = None
        self._handlers = handlers
        self._memo: dict[Term, Expr] = {}
        self._own: dict[str, int] = {}
        self._depth = 0

    # ---- entry

    def kind(self, type_: Term) -> Kind:
        """Return the kind of a type."""
        return self.shared.kinds.of(self.reader, type_)

    def kind_of(self, term: Term) -> Kind:
        """Return the kind of a term's type."""
        return self.kind(self.reader.type_of(term))

    def expr(self, term: Term) -> Expr:
        """Return the translation of a term that is data, a Bool or a proposition."""
        found = self._memo.get(term)
        if found is None:
            self._depth += 1
            if self._depth > _MAX_DEPTH:
                raise BudgetSpent("the contract is nested too deeply for the translation")
            try:
                found = self._translate(self.reader.head(term))
            finally:
                self._depth -= 1
            self._memo[term] = found
        return found

    def _translate(self, term: Term) -> Expr:
        match term:
            case FVar():
                return self._variable(term)
            case Lit():
                if isinstance(term.value, str):
                    return self.text(term.value)
                return z3.IntVal(term.value, self.shared.ctx)
            case Lam():
                return self.function(term)
            case Pi():
                return self._pi(term)
            case Match():
                from evaluators.equivalence.smt_match import translate_match

                return translate_match(self, term)
            case Proj():
                return self.field(term.target, term.struct, term.index)
            case App() | Const():
                return self._application(term)
            case _:
                raise OutsideFragment(f"a term of kind {type(term).__name__}")

    def _variable(self, x: FVar) -> Expr:
        found = self.values.get(x.id)
        if found is not None:
            return found
        if x.id == self.implementation:
            return self.function(self._eta(x, self.reader.type_of(x)))
        value = self.reader.types.decls[x.id].value
        if value is None:
            raise OutsideFragment(f"the variable {x.name}")
        return self.expr(value)

    # ---- applications

    def _application(self, term: Term) -> Expr:
        fn, args = core.unfold_app(term)
        if isinstance(fn, FVar):
            return self._call(fn, args, term)
        if not isinstance(fn, Const):
            raise OutsideFragment("an application of something that is no constant")
        name = fn.name
        handler = None if self.reader.own(name) else self._handlers.get(name)
        if handler is not None:
            arity, rule = handler
            if len(args) == arity:
                return rule(self, args, term)
            if len(args) < arity:
                return self.function(self._eta(term, self.reader.type_of(term)))
            return self._further(rule(self, args[:arity], core.mk_app(fn, *args[:arity])), args, arity, term)
        constant = self.reader.constant(name)
        if constant.kind == "constructor":
            return self._construct(name, args, term)
        if constant.kind == "projection":
            info = self.reader.env.get_inductive(constant.inductive)
            if info is not None and not info.is_class and len(args) == info.params + 1:
                return self.field(args[info.params], constant.inductive, constant.index)
        return self.opaque(term)

    def _call(self, fn: FVar, args: tuple[Term, ...], term: Term) -> Expr:
        """Apply a variable. The implementation is a symbol of which only its value at the inputs is known; any other
        function value is applied by a symbol for each function type."""
        data = self.data_arguments(self.reader.type_of(fn), args)
        if fn.id == self.implementation:
            if self.kind_of(term).shape == "fn" or len(data) != self.shared.implementation.arity():
                raise OutsideFragment("the implementation applied to some of its arguments")
            e = self.shared.implementation(*data)
            if self.implementation_result is not None and self.implementation_result.exact:
                for formula in self.implementation_result.domain(e):
                    self.shared.fact(formula, e)
            return e
        return self.apply_value(self.expr(fn), data, self.kind_of(term))

    def _further(self, value: Expr, args: tuple[Term, ...], done: int, term: Term) -> Expr:
        type_ = self.reader.type_of(core.mk_app(core.unfold_app(term)[0], *args[:done]))
        return self.apply_value(value, self.data_arguments(type_, args[done:]), self.kind_of(term))

    def apply_value(self, f: Expr, args: Sequence[Expr], result: Kind) -> Expr:
        """Apply a function value: a symbol stands for application at each function type, so equal functions give equal
        results."""
        known = self.shared.by_symbol.get(f.decl().name()) if z3.is_app(f) else None
        if known is not None and len(known.binders) == len(args):  # beta reduction
            pairs = [*zip(known.binders, args, strict=True), *zip(known.captures, f.children(), strict=True)]
            return z3.substitute(known.body, *pairs)
        return self.shared.apply("apply", f.sort().name(), [f, *args], result)

    def data_arguments(self, type_: Term, args: Sequence[Term]) -> list[Expr]:
        """Translate the arguments that are data; proofs are left out (any two are equal)."""
        out: list[Expr] = []
        for a in args:
            type_ = self.reader.types.normal_type(type_)
            if not isinstance(type_, Pi):
                raise OutsideFragment("an application of what is no function")
            if not self.reader.types.erased(type_.type):
                out.append(self.expr(a))
            elif not self.reader.types.is_proposition(type_.type):
                raise OutsideFragment("a type given to a function value")
            type_ = subst(type_.body, (a,))
        return out

    def opaque(self, term: Term) -> Expr:
        """Return an uninterpreted symbol for a constant applied to arguments (see the module)."""
        fn, args = core.unfold_app(term)
        assert isinstance(fn, Const)  # noqa: S101 - the callers have looked
        constant = self.reader.constant(fn.name)
        if constant.kind == "axiom" or constant.sorry or fn.name == "sorryAx":
            raise OutsideFragment(f"{fn.name} has no definition")
        key: list[Hashable] = [self._own_number(fn.name) if self.reader.own(fn.name) else fn.name]
        data: list[Expr] = []
        type_: Term = constant.type
        for a in args:
            if not isinstance(type_, Pi):
                type_ = self.reader.types.normal_type(type_)
                if not isinstance(type_, Pi):
                    raise OutsideFragment(f"{fn.name} applied to too much")
            key.append(self._argument(a, type_.type, data))
            type_ = subst(type_.body, (a,))
        result_type = self.reader.types.normal_type(type_)
        if isinstance(result_type, Pi):
            return self.function(self._eta(term, result_type))
        result = self.kind(result_type)
        self.shared.abstract.add(fn.name)
        return self.shared.apply("own" if self.reader.own(fn.name) else fn.name, tuple(key), data, result)

    def _own_number(self, name: str) -> int:
        found = self._own.get(name)
        if found is None:
            found = self._own[name] = self.shared.kinds.number(self.reader.own_key(name))
        return found

    def _argument(self, term: Term, type_: Term, data: list[Expr]) -> Hashable:
        """Return an argument's part in the key; what is data goes to `data` instead."""
        types = self.reader.types
        if types.erased(type_):
            normal = types.normal_type(type_)
            fn, _ = core.unfold_app(normal)
            if types.is_proposition(type_) or (isinstance(fn, Const) and fn.name == "Decidable"):
                return "_"
            if isinstance(normal, core.Sort):
                return self.reader.type_key(term)
            if _ends_in(types, normal, "Decidable"):
                return "_"
            return self.reader.key(term)
        if self.reader.is_class(type_):
            return self.reader.instance_key(term, type_)
        data.append(self.expr(term))
        return "@"

    # ---- functions

    def _eta(self, term: Term, type_: Term) -> Term:
        """Return `fun x … => term x …`."""
        types = self.reader.types
        xs: list[FVar] = []
        t = types.normal_type(type_)
        while isinstance(t, Pi):
            x = types.local(t.name, t.type, t.info)
            xs.append(x)
            t = types.normal_type(subst(t.body, (x,)))
        if not xs:
            raise OutsideFragment("a constant with too few arguments")
        return types.mk_lambda(xs, core.mk_app(term, *xs))

    def function(self, lam: Term) -> Expr:
        """Return a function value: a symbol for its body, applied to the variables that the body captures.

        A function is determined by its body's value at every argument (function extensionality), the body by what it
        captures. Two bodies that are the same formula up to names have the same symbol.
        """
        type_ = self.reader.type_of(lam)
        kind = self.kind(type_)
        if kind.shape != "fn":
            raise OutsideFragment("a function of proofs")
        binders: list[Expr] = []
        with self.scope() as bound:
            rest: Term = lam
            pi = self.reader.types.normal_type(type_)
            while isinstance(pi, Pi):
                assert isinstance(pi, Pi)  # noqa: S101 - for the type checker
                if self.reader.types.is_proposition(pi.type) and not self.reader.types.is_proposition(pi):
                    given: Term = Proof(pi.type)
                else:
                    x = self.reader.types.local(pi.name, pi.type)
                    binders.append(self.bind(x, bound))
                    given = x
                rest = beta(rest, (given,)) if isinstance(rest, Lam) else core.mk_app(self.reader.head(rest), given)
                pi = self.reader.types.normal_type(subst(pi.body, (given,)))
            body = self.expr(rest)
        return self._function_value(kind, binders, body)

    def _function_value(self, kind: Kind, binders: list[Expr], body: Expr) -> Expr:
        shared = self.shared
        own = {b.get_id() for b in binders}
        captures = [c for c in shared.free(body) if c.get_id() not in own]
        kinds = [shared.variables[c.decl().name()] for c in captures]
        holes = [(c, z3.Const(f"#{i}", c.sort())) for i, c in enumerate([*binders, *captures])]
        template = z3.substitute(body, *holes) if holes else body
        key = (kind.name, template.get_id(), tuple(k.name for k in kinds))
        found = shared.functions.get(key)
        if found is None:
            symbol = shared.symbol("fun", len(shared.functions), [k.sort for k in kinds], kind.sort)
            found = Function(symbol, kind, tuple(binders), tuple(captures), tuple(kinds), body, [])
            shared.functions[key] = found
            shared.by_symbol[symbol.name()] = found
            shared.kept.append(template)  # keeps its id from being used again
        if tuple(captures) not in found.instances:
            found.instances.append(tuple(captures))
        return found.symbol(*captures)

    # ---- quantifiers

    @contextmanager
    def scope(self) -> Iterator[list[Expr]]:
        """Collect the constants that a binder introduces; facts about them become facts about all their values."""
        before = len(self.shared.facts)
        bound: list[Expr] = []
        yield bound
        if not bound:
            return
        inside = self.shared.facts[before:]
        del self.shared.facts[before:]
        ids = {b.get_id(): b for b in bound}
        for f in inside:
            mine = [ids[c.get_id()] for c in self.shared.free(f.formula) if c.get_id() in ids]
            self.shared.facts.append(Fact(f.formula, f.trigger, (*f.variables, *mine)))

    def bind(self, x: FVar, bound: list[Expr]) -> Expr:
        """Give a local variable a new constant."""
        constant = self.shared.variable(self.kind(self.reader.types.local_type(x)))
        self.values[x.id] = constant
        bound.append(constant)
        return constant

    def quantify(self, universal: bool, x: FVar, body: Callable[[], Expr]) -> Expr:
        """Return `∀ x, body` or `∃ x, body` over the values of x's type."""
        with self.scope() as bound:
            constant = self.bind(x, bound)
            kind = self.shared.variables[constant.decl().name()]
            if not kind.exact:
                raise OutsideFragment(f"a quantifier over {kind.name}")
            inside = body()
        return quantifier(self.shared, universal, constant, inside)

    def _pi(self, term: Pi) -> Expr:
        types = self.reader.types
        if types.is_proposition(term.type):
            premise = self.expr(term.type)
            return z3.Implies(premise, self.expr(subst(term.body, (Proof(term.type),))))
        if types.erased(term.type):
            raise OutsideFragment("a quantifier over types")
        x = types.local(term.name, term.type)
        return self.quantify(True, x, lambda: self.expr(subst(term.body, (x,))))

    def exists(self, type_: Term, predicate: Term) -> Expr:
        """`∃ x : type, predicate x`; `∃ h : p, q h` is `p ∧ q`."""
        types = self.reader.types
        predicate = self.reader.head(predicate)
        if types.is_proposition(type_):
            return z3.And(self.expr(type_), self.expr(beta(predicate, (Proof(type_),))))
        if types.erased(type_):
            raise OutsideFragment("a quantifier over types")
        x = types.local(predicate.name if isinstance(predicate, Lam) else "x", type_)
        return self.quantify(False, x, lambda: self.expr(beta(predicate, (x,))))

    # ---- data

    def field(self, target: Term, struct: str, index: int) -> Expr:
        """Return a field of a structure: the accessor of its datatype."""
        kind = self.kind_of(target)
        if kind.shape != "data" or len(kind.constructors) != 1:
            raise OutsideFragment(f"a field of {struct}")
        return self.select(kind, 0, index, self.expr(target))

    def select(self, kind: Kind, constructor: int, index: int, e: Expr) -> Expr:
        """Return field `index` of a value made by a constructor; raises for a field that is a proof."""
        row = kind.fields[constructor]
        if index >= len(row) or row[index] is None:
            raise OutsideFragment("a proof as a value")
        at = sum(1 for k in row[:index] if k is not None)
        return kind.sort.accessor(constructor, at)(e)

    def _construct(self, name: str, args: tuple[Term, ...], term: Term) -> Expr:
        constant = self.reader.constant(name)
        info = self.reader.env.get_inductive(constant.inductive)
        if info is None:
            raise OutsideFragment(name)
        type_ = self.reader.types.normal_type(self.reader.type_of(term))
        if isinstance(type_, Pi):
            return self.function(self._eta(term, type_))
        kind = self.kind(type_)
        if kind.shape == "enum":
            return z3.IntVal(constant.index, self.shared.ctx)
        if kind.shape != "data":
            return self.opaque(term)
        row = kind.fields[constant.index]
        given = [self.expr(a) for a, k in zip(args[info.params :], row, strict=True) if k is not None]
        return kind.sort.constructor(constant.index)(*given)

    def text(self, value: str) -> Expr:
        """A text literal: the list of its characters' codes."""
        if len(value) > _MAX_TEXT:
            raise OutsideFragment("a long text literal")
        from evaluators.equivalence.smt_lists import literal

        kinds = self.shared.kinds
        codes = [z3.IntVal(ord(c), self.shared.ctx) for c in value]
        return literal(self, kinds.list_of(kinds.char), codes)

    def fields(self, constructor: str, params: tuple[Term, ...]) -> list[FVar]:
        """Return a variable for each field of a constructor."""
        return fields_of(self.reader, constructor, params)


def quantifier(shared: Shared, universal: bool, constant: Expr, body: Expr) -> Expr:
    """Close a formula over a constant, relative to its kind's domain.

    The bound variable is named by how many quantifiers stand below it, so that formulas equal up to names are the same.
    """
    shared.quantified = True
    kind = shared.variables[constant.decl().name()]
    named = z3.Const(f"b{_height(body)}", kind.sort)
    body = z3.substitute(body, (constant, named))
    domain = kind.domain(named)
    if universal:
        return z3.ForAll([named], z3.Implies(z3.And(*domain), body) if domain else body)
    return z3.Exists([named], z3.And(*domain, body) if domain else body)


def _height(e: Expr) -> int:
    """Return the nesting of quantifiers in an expression."""
    memo: dict[int, int] = {}

    def go(t: Expr) -> int:
        found = memo.get(t.get_id())
        if found is None:
            if z3.is_quantifier(t):
                found = 1 + go(t.body())
            else:
                found = max((go(c) for c in t.children()), default=0)
            memo[t.get_id()] = found
        return found

    return go(e)


def _ends_in(types: Any, type_: Term, name: str) -> bool:
    """Tell whether a function type's result is of a class."""
    while isinstance(type_, Pi):
        type_ = types.normal_type(subst(type_.body, (types.local(type_.name, type_.type),)))
    fn, _ = core.unfold_app(type_)
    return isinstance(fn, Const) and fn.name == name
