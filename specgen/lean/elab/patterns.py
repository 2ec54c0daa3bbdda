"""Patterns: from syntax and a type to a core pattern, its variables and the term it stands for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from specgen.lean import core, syntax
from specgen.lean.core import App, Const, FVar, Lit, PArray, PAs, Pattern, PCtor, Pi, PLit, PSucc, PVar, PWild, Term
from specgen.lean.elab.binop import OpElab
from specgen.lean.elab.context import ElabError
from specgen.lean.elab.subst import subst
from specgen.lean.elab.whnf import NAT, STRING
from specgen.lean.environment import Constant, InductiveInfo
from specgen.lean.syntax import Span

CHAR = Const("Char")


class Bound(PVar):
    """A pattern variable together with its local variable; `wild` where the text has `_` or nothing."""

    __slots__ = ("fvar", "wild")

    def __init__(self, fvar: FVar, wild: bool) -> None:
        super().__init__(fvar.name)
        self.fvar = fvar
        self.wild = wild


class BoundAs(PAs):
    """`x@p` together with the local variable of x."""

    __slots__ = ("fvar",)

    def __init__(self, fvar: FVar, pattern: Pattern) -> None:
        super().__init__(fvar.name, pattern)
        self.fvar = fvar


@dataclass(slots=True)
class PatternVars:
    """What one alternative's patterns bind: variables by name, `h` of `x@h:p` with their equations."""

    names: dict[str, FVar] = field(default_factory=dict)
    equations: list[tuple[FVar, Term]] = field(default_factory=list)
    indexed: bool = False


class PatternElab(OpElab):
    """Adds `elab_pattern`."""

    def elab_pattern(self, stx: syntax.Term, type_: Term, seen: PatternVars) -> tuple[Pattern, Term]:
        """Elaborate a pattern; its variables become local variables, in order of appearance."""
        match stx:
            case syntax.Hole():
                return self._wild(type_)
            case syntax.Paren():
                return self.elab_pattern(stx.inner, type_, seen)
            case syntax.Ascription() if stx.type is not None:
                declared = self.elab_type(stx.type)
                if not self.is_defeq(type_, declared):
                    raise self._wrong(stx, declared, type_)
                return self.elab_pattern(stx.term, declared, seen)
            case syntax.NamedPattern():
                return self._named(stx, type_, seen)
            case syntax.Inaccessible():
                return self._wild(type_)
            case syntax.Ident():
                return self._ident_pattern(stx, type_, seen)
            case syntax.DotIdent() | syntax.App() | syntax.Explicit():
                return self._app_pattern(stx, type_, seen)
            case syntax.NumLit() | syntax.StrLit() | syntax.CharLit() | syntax.PrefixOp():
                return self._literal(stx, type_)
            case syntax.BinOp():
                return self._operator(stx, type_, seen)
            case _:
                return self._data_pattern(stx, type_, seen)

    def _data_pattern(self, stx: syntax.Term, type_: Term, seen: PatternVars) -> tuple[Pattern, Term]:
        match stx:
            case syntax.Tuple():
                return self._tuple(stx.items, type_, stx.span, seen)
            case syntax.AnonCtor():
                return self._anonymous(stx, type_, seen)
            case syntax.ListLit():
                return self._list(stx, type_, seen)
            case syntax.ArrayLit():
                return self._array(stx, type_, seen)
            case syntax.StructInst():
                return self._structure(stx, type_, seen)
            case _:
                raise ElabError("unsupported", "this form of pattern is not supported", stx.span)

    def _wrong(self, stx: syntax.Term, found: Term, expected: Term) -> ElabError:
        head = "Type mismatch" if self.env.lean.version >= (4, 23, 0) else "type mismatch"
        message = (
            f"{head}\n  pattern\nhas type\n  {self.show(found)}\nbut is expected to have type\n  {self.show(expected)}"
        )
        return ElabError("type", message, stx.span)

    # ---- variables

    def _wild(self, type_: Term) -> tuple[Pattern, Term]:
        x = self.local("_", type_)
        return Bound(x, True), x

    def _variable(self, name: str, type_: Term, span: Span, seen: PatternVars) -> tuple[Pattern, Term]:
        if name in seen.names:
            raise ElabError("type", f"invalid pattern, variable '{name}' occurred more than once", span)
        x = self.local(name, type_)
        seen.names[name] = x
        return Bound(x, False), x

    def _named(self, stx: syntax.NamedPattern, type_: Term, seen: PatternVars) -> tuple[Pattern, Term]:
        x = self.local(stx.name, type_)
        seen.names[stx.name] = x
        pattern, term = self.elab_pattern(stx.pattern, type_, seen)
        if stx.hyp:
            equation = core.mk_app(Const("Eq"), type_, x, term)
            seen.equations.append((self.local(stx.hyp, equation), equation))
        return BoundAs(x, pattern), x

    def _ident_pattern(self, stx: syntax.Ident, type_: Term, seen: PatternVars) -> tuple[Pattern, Term]:
        constructor = self._constructor_named(stx)
        if constructor is not None:
            return self._constructor(constructor, (), (), False, type_, stx.span, seen)
        if len(stx.parts) > 1 or stx.root:
            if not self.scope.resolve(stx.parts, stx.root):
                raise self.unknown(stx, type_)
            raise ElabError(
                "type",
                f"invalid pattern, constructor or constant marked with '[match_pattern]' expected: {stx.name}",
                stx.span,
            )
        return self._variable(stx.parts[0], type_, stx.span, seen)

    def _constructor_named(self, stx: syntax.Ident) -> Constant | None:
        """Return the constructor that an identifier means, or None."""
        for name, rest in self.scope.resolve(stx.parts, stx.root):
            constant = self.env.get(name)
            if not rest and constant is not None:
                target = self._pattern_constant(constant)
                if target is not None:
                    return target
        return None

    def _pattern_constant(self, constant: Constant) -> Constant | None:
        """Return the constructor behind a constant allowed in patterns (`Unit.unit` is one for `PUnit.unit`)."""
        if constant.kind == "constructor":
            return constant
        if constant.name == "Unit.unit":
            return self.env.get("PUnit.unit")
        if constant.kind == "def" and constant.reducible and isinstance(constant.value, Const):
            target = self.env.get(constant.value.name)
            return target if target is not None and target.kind == "constructor" else None
        return None

    # ---- constructors

    def _app_pattern(
        self, stx: syntax.DotIdent | syntax.App | syntax.Explicit, type_: Term, seen: PatternVars
    ) -> tuple[Pattern, Term]:
        fn: syntax.Term = stx
        args: tuple[syntax.Arg, ...] = ()
        if isinstance(stx, syntax.App):
            fn, args = stx.fn, stx.args
        explicit = isinstance(fn, syntax.Explicit)
        if isinstance(fn, syntax.Explicit):
            fn = fn.fn
        positional = tuple([a for a in args if not isinstance(a, (syntax.NamedArg, syntax.EllipsisArg))])
        named = tuple([a for a in args if isinstance(a, syntax.NamedArg)])
        ellipsis = any(isinstance(a, syntax.EllipsisArg) for a in args)
        constructor: Constant | None = None
        if isinstance(fn, syntax.Ident):
            constructor = self._constructor_named(fn)
            if constructor is None and not self.scope.resolve(fn.parts, fn.root):
                raise self.unknown(fn, type_)
        elif isinstance(fn, syntax.DotIdent):
            constructor = self._dot_constructor(fn, type_)
        if constructor is None:
            raise ElabError(
                "type", "invalid pattern, constructor or constant marked with '[match_pattern]' expected", stx.span
            )
        if explicit:
            info = self.env.get_inductive(constructor.inductive)
            count = info.params if info is not None else 0
            if not all(isinstance(p, syntax.Hole) for p in positional[:count]):
                raise ElabError("unsupported", "a parameter is named in a constructor pattern", stx.span)
            positional = positional[count:]
        return self._constructor(constructor, positional, named, ellipsis, type_, stx.span, seen, explicit)

    def _dot_constructor(self, stx: syntax.DotIdent, type_: Term) -> Constant | None:
        reduced = self.whnf(type_)
        head, _ = core.unfold_app(reduced)
        if not isinstance(head, Const):
            self.try_postpone()
            raise ElabError("type", "invalid dotted identifier notation, expected type must be known", stx.span)
        name = f"{head.name}.{'.'.join(stx.parts)}"
        constant = self.env.get(name)
        if constant is None:
            known = head.name in self.env.inductives or self.env.library.is_complete(head.name)
            raise ElabError("name" if known else "unsupported", f"unknown constant '{name}'", stx.span)
        return self._pattern_constant(constant)

    def _constructor(
        self,
        constructor: Constant,
        positional: tuple[syntax.Term, ...],
        named: tuple[syntax.NamedArg, ...],
        ellipsis: bool,
        type_: Term,
        span: Span,
        seen: PatternVars,
        explicit: bool = False,
    ) -> tuple[Pattern, Term]:
        info, params, ctype = self._open_constructor(constructor, type_, span, seen)
        fields: list[Pattern] = []
        terms: list[Term] = []
        todo = list(positional)
        by_name = {a.name: a.value for a in named}
        while isinstance(ctype, Pi):
            name, ftype = ctype.name, ctype.type
            if name in by_name:
                pattern, term = self.elab_pattern(by_name.pop(name), ftype, seen)
            elif (ctype.info != "explicit" and not explicit) or (not todo and ellipsis):
                pattern, term = self._wild(ftype)
            elif todo:
                pattern, term = self.elab_pattern(todo.pop(0), ftype, seen)
            else:
                short = constructor.name
                raise ElabError(
                    "type",
                    f"explicit parameter is missing, unused named arguments []: '{short}' expects more fields",
                    span,
                )
            fields.append(pattern)
            terms.append(term)
            ctype = subst(ctype.body, (term,))
        if todo or by_name:
            raise ElabError("type", f"too many arguments to the constructor '{constructor.name}' in a pattern", span)
        if info.indices:
            self._refine(ctype, type_, seen)
        term = core.mk_app(Const(constructor.name), *params, *terms)
        if constructor.name == "Nat.zero":
            return PLit(0, "Nat"), term
        if constructor.name == "Nat.succ":
            return _succ(fields[0], 1), term
        return PCtor(constructor.name, tuple(fields)), term

    def _open_constructor(
        self, constructor: Constant, type_: Term, span: Span, seen: PatternVars
    ) -> tuple[InductiveInfo, tuple[Term, ...], Term]:
        """Return the constructor's inductive type, its parameters, and its type after them."""
        info = self.env.get_inductive(constructor.inductive)
        assert info is not None
        reduced = self.whnf(type_)
        head, args = core.unfold_app(reduced)
        if not (isinstance(head, Const) and head.name == info.name):
            if self.is_open(reduced):
                args = self._guess_type(info, reduced)
            else:
                reduced, args = self._through_defs(info, type_, span)
        params = args[: info.params]
        ctype = constructor.type
        for _ in range(info.params):
            assert isinstance(ctype, Pi)
            ctype = ctype.body
        if info.indices:
            seen.indexed = True
        return info, params, subst(ctype, params)

    def _guess_type(self, info: InductiveInfo, open_type: Term) -> tuple[Term, ...]:
        """Let a constructor fix a discriminant's type that is still open."""
        args = self._guess_args(info)
        self.is_defeq(open_type, core.mk_app(Const(info.name), *args))
        return tuple(args)

    def _through_defs(self, info: InductiveInfo, type_: Term, span: Span) -> tuple[Term, tuple[Term, ...]]:
        made = core.mk_app(Const(info.name), *self._guess_args(info))
        if self.is_defeq(type_, made):
            reduced = self.instantiate_mvars(made)
            return reduced, core.unfold_app(reduced)[1]
        head = "Type mismatch" if self.env.lean.version >= (4, 23, 0) else "type mismatch"
        message = (
            f"{head}\n  pattern\nhas type\n  {self.show(made)}\nbut is expected to have type\n  {self.show(type_)}"
        )
        raise ElabError("type", message, span)

    def _guess_args(self, info: InductiveInfo) -> list[Term]:
        args: list[Term] = []
        constant = self.env.get(info.name)
        assert constant is not None
        type_ = constant.type
        while isinstance(type_, Pi):
            args.append(self.fresh(subst(type_.type, args)))
            type_ = type_.body
        return args

    def _refine(self, found: Term, type_: Term, seen: PatternVars) -> None:
        """Note that the pattern's indices are not those of the discriminant: types are then not checked deeply."""
        seen.indexed = True

    # ---- literals and operators

    def _literal(self, stx: syntax.Term, type_: Term) -> tuple[Pattern, Term]:
        if isinstance(stx, syntax.StrLit):
            self._expect(type_, STRING, stx)
            return PLit(stx.value, "String"), Lit(stx.value)
        if isinstance(stx, syntax.CharLit):
            self._expect(type_, CHAR, stx)
            return PLit(stx.value, "Char"), App(Const("Char.ofNat"), (Lit(ord(stx.value)),))
        value = self._number(stx)
        if self.is_open(type_):
            self.try_postpone()
            self.is_defeq(type_, NAT)
        head, _ = core.unfold_app(self.whnf(type_))
        kind = head.name if isinstance(head, Const) else ""
        if kind in ("Nat", "Int") or (kind in _BOUNDED and value >= 0):
            if value < 0 and kind == "Nat":
                raise self.missing_instance(App(Const("Neg"), (NAT,)), stx.span)
            return PLit(value, kind), self._number_term(value, type_, stx)
        if kind in ("List", "Option", "Bool", "String", "Char", "Prod", "Array"):
            raise self.missing_instance(core.mk_app(Const("OfNat"), type_, Lit(abs(value))), stx.span)
        raise ElabError("unsupported", "a numeral pattern of this type is not supported", stx.span)

    def _number(self, stx: syntax.Term) -> int:
        if isinstance(stx, syntax.PrefixOp) and stx.op == "-" and isinstance(stx.arg, syntax.NumLit):
            return -stx.arg.value
        if isinstance(stx, syntax.NumLit):
            return stx.value
        raise ElabError("type", "invalid pattern", stx.span)

    def _number_term(self, value: int, type_: Term, stx: syntax.Term) -> Term:
        term = self.elab_term(syntax.NumLit(stx.span, abs(value)), type_)
        return term if value >= 0 else self.apply_terms("Neg.neg", [term], type_, stx.span)

    def _expect(self, type_: Term, wanted: Term, stx: syntax.Term) -> None:
        if not self.is_defeq(type_, wanted):
            raise self._wrong(stx, wanted, type_)

    def _operator(self, stx: syntax.BinOp, type_: Term, seen: PatternVars) -> tuple[Pattern, Term]:
        if stx.op == "::":
            constructor = self.env.get("List.cons")
            assert constructor is not None
            return self._constructor(constructor, (stx.lhs, stx.rhs), (), False, type_, stx.span, seen)
        if stx.op == "+" and isinstance(stx.rhs, syntax.NumLit):
            if self.is_open(type_):
                self.try_postpone()
                self.is_defeq(type_, NAT)
            if self.whnf(type_) != NAT:
                raise ElabError("type", "invalid patterns, `+` is only allowed on Nat", stx.span)
            pattern, term = self.elab_pattern(stx.lhs, type_, seen)
            if stx.rhs.value == 0:
                return pattern, term
            total = self.apply_terms("HAdd.hAdd", [term, self._number_term(stx.rhs.value, NAT, stx)], None, stx.span)
            return _succ(pattern, stx.rhs.value), total
        if stx.op == "+":
            raise ElabError("type", "invalid pattern, variable or literal expected after `+`", stx.span)
        raise ElabError("unsupported", f"pattern with '{stx.op}' is not supported", stx.span)

    # ---- data notations

    def _tuple(self, items: Sequence[syntax.Term], type_: Term, span: Span, seen: PatternVars) -> tuple[Pattern, Term]:
        if not items:
            constructor = self.env.get("PUnit.unit")
            assert constructor is not None
            return self._constructor(constructor, (), (), False, type_, span, seen)
        if len(items) == 1:
            return self.elab_pattern(items[0], type_, seen)
        constructor = self.env.get("Prod.mk")
        assert constructor is not None
        rest = items[1] if len(items) == 2 else syntax.Tuple(span, tuple(items[1:]))
        return self._constructor(constructor, (items[0], rest), (), False, type_, span, seen)

    def _anonymous(self, stx: syntax.AnonCtor, type_: Term, seen: PatternVars) -> tuple[Pattern, Term]:
        reduced = self.whnf(type_)
        if self.is_open(reduced):
            self.try_postpone()
        head, _ = core.unfold_app(reduced)
        info = self.env.get_inductive(head.name) if isinstance(head, Const) else None
        if info is None or len(info.constructors) != 1:
            what = "invalid constructor ⟨...⟩, expected type must be an inductive type with only one constructor"
            raise ElabError(
                "type",
                f"{what}\n  {self.show(type_)}",
                stx.span,
            )
        constructor = self.env.get(info.constructors[0])
        assert constructor is not None
        count = self._explicit_fields(constructor, info)
        items = stx.items
        if len(items) > count > 0:
            last = syntax.AnonCtor((items[count - 1].span[0], stx.span[1]), items[count - 1 :])
            items = (*items[: count - 1], last)
        return self._constructor(constructor, items, (), False, reduced, stx.span, seen)

    def _explicit_fields(self, constructor: Constant, info: InductiveInfo) -> int:
        type_ = constructor.type
        for _ in range(info.params):
            assert isinstance(type_, Pi)
            type_ = type_.body
        count = 0
        while isinstance(type_, Pi):
            count += type_.info == "explicit"
            type_ = type_.body
        return count

    def _list(self, stx: syntax.ListLit, type_: Term, seen: PatternVars) -> tuple[Pattern, Term]:
        cons, nil = self.env.get("List.cons"), self.env.get("List.nil")
        assert cons is not None and nil is not None
        if not stx.items:
            return self._constructor(nil, (), (), False, type_, stx.span, seen)
        rest = syntax.ListLit(stx.span, stx.items[1:])
        return self._constructor(cons, (stx.items[0], rest), (), False, type_, stx.span, seen)

    def _array(self, stx: syntax.ArrayLit, type_: Term, seen: PatternVars) -> tuple[Pattern, Term]:
        head, args = core.unfold_app(self.whnf(type_))
        if stx.vector:
            raise ElabError("unsupported", "vector patterns are not supported", stx.span)
        if not (isinstance(head, Const) and head.name == "Array"):
            raise self._wrong(stx, App(Const("Array"), (self.fresh_type(),)), type_)
        found = [self.elab_pattern(item, args[0], seen) for item in stx.items]
        terms: Term = App(Const("List.nil"), (args[0],))
        for _, term in reversed(found):
            terms = core.mk_app(Const("List.cons"), args[0], term, terms)
        return PArray(tuple([p for p, _ in found])), core.mk_app(Const("Array.mk"), args[0], terms)

    def _structure(self, stx: syntax.StructInst, type_: Term, seen: PatternVars) -> tuple[Pattern, Term]:
        if stx.type is not None:
            declared = self.elab_type(stx.type)
            if not self.is_defeq(type_, declared):
                raise self._wrong(stx, declared, type_)
        head, _ = core.unfold_app(self.whnf(type_))
        info = self.env.get_inductive(head.name) if isinstance(head, Const) else None
        if info is None or not info.is_structure:
            raise ElabError("type", "invalid {...} notation, structure type expected", stx.span)
        constructor = self.env.get(info.constructors[0])
        assert constructor is not None
        named: list[syntax.NamedArg] = []
        for init in stx.fields:
            step = init.path[0]
            if len(init.path) != 1 or not isinstance(step, str):
                raise ElabError("unsupported", "this form of pattern is not supported", init.span)
            if step not in info.fields:
                raise ElabError("type", f"'{step}' is not a field of structure '{info.name}'", init.span)
            named.append(syntax.NamedArg(init.span, step, init.value))
        if not stx.ellipsis and len(named) < len(info.fields):
            missing = next(f for f in info.fields if f not in {n.name for n in named})
            raise ElabError("type", f"field '{missing}' is missing in a structure pattern", stx.span)
        return self._constructor(constructor, (), tuple(named), True, type_, stx.span, seen)


_BOUNDED = frozenset(
    ("Fin", "UInt8", "UInt16", "UInt32", "UInt64", "USize", "Int8", "Int16", "Int32", "Int64", "BitVec")
)


def _succ(pattern: Pattern, offset: int) -> Pattern:
    if isinstance(pattern, PLit) and isinstance(pattern.value, int):
        return PLit(pattern.value + offset, "Nat")
    if isinstance(pattern, PSucc):
        return PSucc(pattern.pattern, pattern.offset + offset)
    return PSucc(pattern, offset)


def bound_vars(pattern: Pattern) -> list[tuple[FVar, bool]]:
    """Return the local variables of a pattern in order, each with whether it is anonymous."""
    match pattern:
        case Bound():
            return [(pattern.fvar, pattern.wild)]
        case BoundAs():
            return [(pattern.fvar, False), *bound_vars(pattern.pattern)]
        case PCtor():
            return [v for p in pattern.args for v in bound_vars(p)]
        case PSucc():
            return bound_vars(pattern.pattern)
        case PArray():
            return [v for p in pattern.items for v in bound_vars(p)]
        case _:
            return []


def strip(pattern: Pattern, keep: set[int]) -> Pattern:
    """Return the pattern without its local variables; an anonymous one that is not in `keep` becomes `_`."""
    match pattern:
        case Bound():
            return PVar(pattern.name) if not pattern.wild or pattern.fvar.id in keep else PWild()
        case BoundAs():
            return PAs(pattern.name, strip(pattern.pattern, keep))
        case PCtor():
            return PCtor(pattern.name, tuple([strip(p, keep) for p in pattern.args]))
        case PSucc():
            return PSucc(strip(pattern.pattern, keep), pattern.offset)
        case PArray():
            return PArray(tuple([strip(p, keep) for p in pattern.items]))
        case _:
            return pattern
