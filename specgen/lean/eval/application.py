"""Compilation of applications: special constants, class methods, primitives, constructors, definitions."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

from specgen.lean import core
from specgen.lean.core import App, Const, FVar, Lam, Let, Lit, Match, Pi, Proof, Sort, Term
from specgen.lean.elab.subst import beta, subst
from specgen.lean.environment import Constant
from specgen.lean.eval import logic, nodes
from specgen.lean.eval.compile import NEVER, Compiler, Scope
from specgen.lean.eval.derived import derived_instance
from specgen.lean.eval.inline import INLINE
from specgen.lean.eval.nodes import Code, Frame
from specgen.lean.eval.runtime import Unknown
from specgen.lean.eval.types import head_const
from specgen.lean.eval.values import Arr, equal, from_list

ATOMIC: Final = frozenset(
    {"Nat", "Int", "Bool", "Char", "String", "Fin", "UInt8", "UInt16", "UInt32", "UInt64", "USize"}
    | {"Int8", "Int16", "Int32", "Int64", "BitVec", "Rat", "Ordering"}
)
"""Types whose values Python compares in one step."""


def compile_application(c: Compiler, term: Term, scope: Scope, tail: bool) -> Code:
    """Compile a constant or an application."""
    fn, args = core.unfold_app(term)
    if isinstance(fn, Const):
        return _constant(c, fn.name, args, term, scope, tail)
    if isinstance(fn, Lam):
        return _redex(c, fn, args, scope, tail)
    if isinstance(fn, Let):
        lifted = tuple([core.lift(a, 1) for a in args])
        return c.code(Let(fn.name, fn.type, fn.value, core.mk_app(fn.body, *lifted)), scope, tail)
    if isinstance(fn, Match):
        return c.code(_push_into(fn, args), scope, tail)
    return nodes.apply_curried(c.code(fn, scope), [value_code(c, a, scope) for a in args])


def _push_into(match: Match, args: tuple[Term, ...]) -> Match:
    """Apply the alternatives of a match instead of the match."""
    alts = tuple(core.Alt(a.patterns, a.names, beta(a.body, [core.lift(x, a.nvars) for x in args])) for a in match.alts)
    return Match(match.discrs, alts, match.type)


def _redex(c: Compiler, fn: Lam, args: tuple[Term, ...], scope: Scope, tail: bool) -> Code:
    first = args[0]
    if c.is_static(first, fn.type) or isinstance(first, Lam):
        return c.code(beta(fn, args), scope, tail)
    rest = tuple([core.lift(a, 1) for a in args[1:]])
    return c.code(Let(fn.name, fn.type, first, beta(fn.body, rest)), scope, tail)


def value_code(c: Compiler, term: Term, scope: Scope) -> Code:
    """Compile an argument whose place may be an erased one: types and proofs give None."""
    if isinstance(term, Sort | Proof) or (isinstance(term, FVar) and term.id in c.erased_vars):
        return nodes.constant(None)
    if isinstance(term, Lit | Lam):
        return c.code(term, scope)
    type_ = c.types.type_of(term)
    if type_ is not None and c.types.erased(type_):
        return nodes.constant(None)
    return c.code(term, scope)


def _constant(c: Compiler, name: str, args: tuple[Term, ...], term: Term, scope: Scope, tail: bool) -> Code:
    user = name in c.env.constants
    if not user:
        special = SPECIAL.get(name)
        if special is not None:
            arity, build = special
            if len(args) == arity:
                return build(c, args, scope, tail)
            if len(args) > arity:
                return nodes.apply_curried(
                    build(c, args[:arity], scope, False), [value_code(c, a, scope) for a in args[arity:]]
                )
            return _eta(c, name, args, arity - len(args), scope)
        if name in NEVER:
            return nodes.failing(*NEVER[name])
    if isinstance(term, App):
        reduced = c.types.method(term)
        if reduced is not None:
            return c.code(reduced, scope, tail)
    constant = c.env.get(name)
    if constant is None:
        return nodes.failing("unsupported", f"the constant {name}")
    if not user and name in c.prims:
        return _call_primitive(c, constant, args, scope)
    if constant.kind == "constructor":
        return _construct(c, constant, args, scope)
    if constant.kind == "projection":
        return _projection(c, constant, args, scope)
    if constant.kind == "theorem":
        return nodes.constant(None)
    if constant.value is not None:
        return _call_definition(c, constant, args, term, scope, tail)
    return _opaque(c, constant, args, scope)


def _eta(c: Compiler, name: str, args: tuple[Term, ...], missing: int, scope: Scope) -> Code:
    constant = c.env.get(name)
    if constant is None:
        return nodes.failing("unsupported", f"the constant {name}")
    type_ = c.types.type_of(core.mk_app(Const(name), *args))
    binders: list[FVar] = []
    while isinstance(type_, Pi) and len(binders) < missing:
        x = c.types.local(type_.name, type_.type, type_.info)
        binders.append(x)
        type_ = subst(type_.body, (x,))
    if len(binders) < missing:
        return nodes.failing("unsupported", f"{name} applied to too few arguments")
    return c.code(c.types.mk_lambda(binders, core.mk_app(Const(name), *args, *binders)), scope)


def _relevant(c: Compiler, mask: Sequence[bool], args: Sequence[Term], scope: Scope) -> list[Code]:
    return [c.code(a, scope) for a, keep in zip(args, mask, strict=False) if keep]


def _call_python(
    c: Compiler, name: str, fn: Callable[..., Any], args: tuple[Term, ...], scope: Scope, mask: tuple[bool, ...] = ()
) -> Code:
    """Call a Python function that stands for a constant; handles too few and too many arguments."""
    if not mask:
        constant = c.env.get(name)
        mask = c.types.relevance(constant) if constant is not None else ()
    n = len(mask)
    given = _relevant(c, mask, args, scope)
    if len(args) < n:
        rest = mask[len(args) :]
        if not given:
            return nodes.constant(nodes.curried(fn, rest))
        codes = tuple(given)
        return lambda fr: nodes.curried(fn, rest, tuple([code(fr) for code in codes]))
    call = nodes.call_python(fn, given)
    if len(args) == n:
        return call
    return nodes.apply_curried(call, [value_code(c, a, scope) for a in args[n:]])


def _call_primitive(c: Compiler, constant: Constant, args: tuple[Term, ...], scope: Scope) -> Code:
    mask = c.types.relevance(constant)
    inline = INLINE.get(constant.name)
    if inline is not None and len(args) == len(mask):
        codes = _relevant(c, mask, args, scope)
        known = [nodes.constant_of(code) for code in codes]
        built = inline(*codes)
        if all(k is not None for k in known):
            try:
                return nodes.constant(built([]))
            except Unknown:
                return built
        return built
    return _call_python(c, constant.name, c.prims[constant.name], args, scope, mask)


def _construct(c: Compiler, constant: Constant, args: tuple[Term, ...], scope: Scope) -> Code:
    layout = c.types.layout(constant.inductive)
    if layout is None:
        return nodes.failing("unsupported", f"the constructor {constant.name}")
    params = layout.info.params
    mask = c.types.relevance(constant)
    if len(args) < len(mask):
        return _eta(c, constant.name, args, len(mask) - len(args), scope)
    if constant.name == "List.cons":
        return _list_cells(c, args, scope)
    keep = layout.relevant[constant.index] if constant.index < len(layout.relevant) else mask[params:]
    fields = [c.code(a, scope) if k else nodes.constant(None) for a, k in zip(args[params:], keep, strict=False)]
    return construct(layout.shape, constant, fields, layout.field)


def _list_cells(c: Compiler, args: tuple[Term, ...], scope: Scope) -> Code:
    """Compile a chain of `List.cons` without recursion along it: literals can be long."""
    heads: list[Code] = []
    while True:
        heads.append(c.code(args[1], scope))
        tail = args[2]
        if not (isinstance(tail, App) and isinstance(tail.fn, Const) and tail.fn.name == "List.cons"):
            break
        if len(tail.args) != 3:
            break
        args = tail.args
    rest = c.code(tail, scope)
    known = [nodes.constant_of(h) for h in heads]
    end = nodes.constant_of(rest)
    values = [k[0] for k in known if k is not None]
    if end is not None and len(values) == len(heads):
        cells = end[0]
        for v in reversed(values):
            cells = (v, cells)
        return nodes.constant(cells)
    if len(heads) == 1:
        return nodes.make_tuple([heads[0], rest])
    codes = tuple(heads)

    def run(fr: Frame) -> Any:
        items = [code(fr) for code in codes]
        cells = rest(fr)
        for item in reversed(items):
            cells = (item, cells)
        return cells

    return run


def construct(shape: str, constant: Constant, fields: list[Code], field: int) -> Code:
    """Return code that builds a value of a constructor from the codes of its fields."""
    tag = constant.index
    short = constant.name.rpartition(".")[2]
    if shape == "wrapper":
        return fields[field]
    if shape == "bool":
        return nodes.constant(short == "true")
    if shape == "unit":
        return nodes.constant(())
    if shape == "enum":
        return nodes.constant(tag)
    if shape == "list":
        return nodes.constant(()) if tag == 0 else nodes.make_tuple(fields)
    if shape == "option":
        return nodes.constant(None) if tag == 0 else nodes.make_tuple(fields)
    if shape == "nat":
        return nodes.constant(0) if tag == 0 else nodes.apply1(lambda n: n + 1, fields[0])
    if shape == "int":
        return fields[0] if tag == 0 else nodes.apply1(lambda n: -n - 1, fields[0])
    if shape == "array":
        return nodes.apply1(lambda xs: Arr(from_list(xs)), fields[0])
    if shape == "string":
        return nodes.apply1(lambda xs: "".join(from_list(xs)), fields[0])
    if shape == "tagged":
        fields = [nodes.constant(tag), *fields]
    known = [nodes.constant_of(code) for code in fields]
    values = [k[0] for k in known if k is not None]
    if len(values) == len(fields):
        return nodes.constant(tuple(values))
    return nodes.make_tuple(fields)


def _projection(c: Compiler, constant: Constant, args: tuple[Term, ...], scope: Scope) -> Code:
    layout = c.types.layout(constant.inductive)
    if layout is None:
        return nodes.failing("unsupported", f"the projection {constant.name}")
    at = layout.info.params
    if len(args) <= at:
        return _eta(c, constant.name, args, at + 1 - len(args), scope)
    target = c.code(args[at], scope)
    if layout.shape == "array":
        from specgen.lean.eval.values import to_list

        field: Code = nodes.apply1(lambda a: to_list(a.tolist()), target)
    elif layout.shape == "string":
        from specgen.lean.eval.values import to_list

        field = nodes.apply1(to_list, nodes.apply1(list, target))
    else:
        field = c.project(constant.inductive, constant.index, target)
    return nodes.apply_curried(field, [value_code(c, a, scope) for a in args[at + 1 :]])


def _call_definition(
    c: Compiler, constant: Constant, args: tuple[Term, ...], term: Term, scope: Scope, tail: bool
) -> Code:
    if not constant.recursive and constant.value is not None and _is_alias(c, constant, args):
        return c.code(beta(constant.value, args), scope, tail)
    if not constant.recursive and constant.value is not None and _is_schema(constant, args):
        return compile_application(c, core.mk_app(constant.value, *args), scope, tail)
    function = c.function(constant)
    mask = function.mask
    n = len(mask)
    if len(args) < n:
        rest = mask[len(args) :]
        codes = tuple(_relevant(c, mask, args, scope))
        if not codes:
            return nodes.constant(nodes.curried(function.call, rest))
        return lambda fr: nodes.curried(function.call, rest, tuple([code(fr) for code in codes]))
    given = _relevant(c, mask, args, scope)
    if len(args) == n:
        if constant.instance_of and not term.has_fvar:
            return _once(c.call_function(function, given, scope, False))
        return c.call_function(function, given, scope, tail)
    call = c.call_function(function, given, scope, False)
    return nodes.apply_curried(call, [value_code(c, a, scope) for a in args[n:]])


def _is_schema(constant: Constant, args: tuple[Term, ...]) -> bool:
    """Tell whether a definition of a proposition (or a set and an element) is better unfolded where it is used.

    Quantifiers in it then see the types and predicates that it was given.
    """
    type_ = constant.type
    n = 0
    special = False
    while isinstance(type_, Pi):
        if n < len(args):
            special = special or isinstance(args[n], Lam) or isinstance(type_.type, Sort)
        type_, n = type_.body, n + 1
    if head_const(type_) == "Set":
        return special and n + 1 == len(args)
    return special and n == len(args) and isinstance(type_, Sort) and type_.is_prop


def _is_alias(c: Compiler, constant: Constant, args: tuple[Term, ...]) -> bool:
    """Tell whether a definition only rearranges its arguments, so that unfolding it costs nothing."""
    body = constant.value
    n = 0
    while isinstance(body, Lam):
        body = body.body
        n += 1
    if len(args) < n or body is None:
        return False
    if constant.reducible and not isinstance(body, Match | Let | Lam):
        used = [0] * n
        _count(body, 0, used)
        return all(k <= 1 for k in used)
    return isinstance(body, core.BVar)


def _count(term: Term, depth: int, used: list[int]) -> None:
    if term.loose <= depth:
        return
    if isinstance(term, core.BVar):
        i = term.index - depth
        if 0 <= i < len(used):
            used[i] += 1
        return

    def child(t: Term, d: int) -> Term:
        _count(t, d, used)
        return t

    core.map_children(term, child, depth)


def _once(code: Code) -> Code:
    """Return code that computes a closed value when first used."""
    cell: list[Any] = []

    def run(fr: Frame) -> Any:
        if not cell:
            cell.append(code(fr))
        return cell[0]

    return run


def _opaque(c: Compiler, constant: Constant, args: tuple[Term, ...], scope: Scope) -> Code:
    built = derived_instance(c, constant)
    if built is not None:
        return _call_python(c, constant.name, built, args, scope)
    if constant.sorry:
        return nodes.failing("sorry", f"{constant.name} uses sorry")
    if constant.kind == "inductive":
        from specgen.lean.eval.quantifiers.relations import compile_relation

        found = compile_relation(c, constant.name, args, scope)
        if found is not None:
            return found
        return nodes.failing("unsupported", f"the inductive predicate {constant.name}")
    return nodes.failing("unsupported", f"{constant.name} cannot be evaluated")


# --------------------------------------------------------------------------------------------------- special constants

Builder: TypeAlias = Callable[[Compiler, tuple[Term, ...], Scope, bool], Code]


def _ite(c: Compiler, args: tuple[Term, ...], scope: Scope, tail: bool) -> Code:
    return nodes.branch(c.code(args[1], scope), c.code(args[3], scope, tail), c.code(args[4], scope, tail))


def _dite(c: Compiler, args: tuple[Term, ...], scope: Scope, tail: bool) -> Code:
    cond = args[1]
    then = beta(args[3], (Proof(cond),))
    otherwise = beta(args[4], (Proof(core.mk_app(Const("Not"), cond)),))
    return nodes.branch(c.code(cond, scope), c.code(then, scope, tail), c.code(otherwise, scope, tail))


def _cond(c: Compiler, args: tuple[Term, ...], scope: Scope, tail: bool) -> Code:
    return nodes.branch(c.code(args[1], scope), c.code(args[2], scope, tail), c.code(args[3], scope, tail))


def _and(c: Compiler, args: tuple[Term, ...], scope: Scope, tail: bool) -> Code:
    return logic.conj(c.code(args[0], scope), c.code(args[1], scope, tail))


def _or(c: Compiler, args: tuple[Term, ...], scope: Scope, tail: bool) -> Code:
    return logic.disj(c.code(args[0], scope), c.code(args[1], scope, tail))


def _not(c: Compiler, args: tuple[Term, ...], scope: Scope, tail: bool) -> Code:
    return logic.negate(c.code(args[0], scope))


def _iff(c: Compiler, args: tuple[Term, ...], scope: Scope, tail: bool) -> Code:
    return logic.iff(c.code(args[0], scope), c.code(args[1], scope))


def _decide(c: Compiler, args: tuple[Term, ...], scope: Scope, tail: bool) -> Code:
    return c.code(args[0], scope, tail)


def _eq(c: Compiler, args: tuple[Term, ...], scope: Scope, tail: bool) -> Code:
    from specgen.lean.eval.quantifiers import compile_function_equality

    type_ = c.types.normal_type(args[0])
    if isinstance(type_, Sort):
        if type_.is_prop:
            return logic.iff(c.code(args[1], scope), c.code(args[2], scope))
        return nodes.failing("undecided", "equality of types")
    if isinstance(type_, Pi):
        return compile_function_equality(c, type_, args[1], args[2], scope)
    if c.types.is_proposition(type_):
        return nodes.constant(True)
    a, b = c.code(args[1], scope), c.code(args[2], scope)
    if head_const(type_) in ATOMIC and head_const(type_) not in c.env.constants:
        return nodes.apply2(operator.eq, a, b)
    return nodes.apply2(equal, a, b)


def _ne(c: Compiler, args: tuple[Term, ...], scope: Scope, tail: bool) -> Code:
    return logic.negate(_eq(c, args, scope, False))


def _heq(c: Compiler, args: tuple[Term, ...], scope: Scope, tail: bool) -> Code:
    if args[0] == args[2]:
        return _eq(c, (args[0], args[1], args[3]), scope, False)
    return nodes.failing("undecided", "heterogeneous equality")


def _exists(c: Compiler, args: tuple[Term, ...], scope: Scope, tail: bool) -> Code:
    from specgen.lean.eval.quantifiers import compile_exists

    return compile_exists(c, args[0], args[1], scope)


def _cast(at: int) -> Builder:
    def build(c: Compiler, args: tuple[Term, ...], scope: Scope, tail: bool) -> Code:
        return c.code(args[at], scope, tail)

    return build


def _unreachable(c: Compiler, args: tuple[Term, ...], scope: Scope, tail: bool) -> Code:
    return nodes.failing("undecided", "a branch that a proof rules out")


def _true(c: Compiler, args: tuple[Term, ...], scope: Scope, tail: bool) -> Code:
    return nodes.constant(True)


def _false(c: Compiler, args: tuple[Term, ...], scope: Scope, tail: bool) -> Code:
    return nodes.constant(False)


def _nonempty(c: Compiler, args: tuple[Term, ...], scope: Scope, tail: bool) -> Code:
    return nodes.failing("undecided", "Nonempty")


def _set_rule(name: str) -> Builder:
    def build(c: Compiler, args: tuple[Term, ...], scope: Scope, tail: bool) -> Code:
        from specgen.lean.eval.quantifiers.sets import SETS

        return SETS[name][1](c, args, scope)

    return build


SPECIAL: Final[dict[str, tuple[int, Builder]]] = {
    "Set.ncard": (2, _set_rule("Set.ncard")),
    "Set.Finite": (2, _set_rule("Set.Finite")),
    "Nat.sSupInternal": (1, _set_rule("Nat.sSupInternal")),
    "ite": (5, _ite),
    "dite": (5, _dite),
    "cond": (4, _cond),
    "and": (2, _and),
    "or": (2, _or),
    "not": (1, _not),
    "Bool.and": (2, _and),
    "Bool.or": (2, _or),
    "Bool.not": (1, _not),
    "And": (2, _and),
    "Or": (2, _or),
    "Not": (1, _not),
    "Iff": (2, _iff),
    "Decidable.decide": (2, _decide),
    "Eq": (3, _eq),
    "Ne": (3, _ne),
    "HEq": (4, _heq),
    "Exists": (2, _exists),
    "True": (0, _true),
    "False": (0, _false),
    "Nonempty": (1, _nonempty),
    "cast": (4, _cast(3)),
    "Eq.mp": (4, _cast(3)),
    "Eq.mpr": (4, _cast(3)),
    "id": (2, _cast(1)),
    "absurd": (4, _unreachable),
    "False.elim": (2, _unreachable),
    "Empty.elim": (2, _unreachable),
    "inferInstance": (2, _cast(1)),
    "inferInstanceAs": (2, _cast(1)),
}
"""Constants with evaluation rules of their own: number of arguments (erased ones too) and builder."""
