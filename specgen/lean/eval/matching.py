"""Compilation of `match`: alternatives in order, each a test that puts the variables it binds into slots."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from specgen.lean import core
from specgen.lean.core import Const, FVar, Match, PArray, PAs, Pattern, PCtor, Pi, PLit, PSucc, PVar, PWild, Term
from specgen.lean.elab.subst import subst
from specgen.lean.eval import nodes
from specgen.lean.eval.compile import Compiler, Scope
from specgen.lean.eval.nodes import Code, Frame
from specgen.lean.eval.runtime import Unknown
from specgen.lean.eval.values import to_list

Test: TypeAlias = Callable[[Any, Frame], bool]
_UNKNOWN_TYPE = Const("unknown type")


def compile_match(c: Compiler, term: Match, scope: Scope, tail: bool) -> Code:
    """Compile a match to code that tries the alternatives in order."""
    discrs: list[Code] = []
    types: list[Term] = []
    for d in term.discrs:
        type_ = c.types.type_of(d)
        type_ = _UNKNOWN_TYPE if type_ is None else c.types.normal_type(type_)
        types.append(type_)
        discrs.append(_discriminant(c, d, type_, scope))
    places = [nodes.slot_of(d) for d in discrs]
    slots = [scope.fresh() if s is None else s for s in places]
    rows: list[tuple[list[tuple[int, Test]], Code]] = []
    for alt in term.alts:
        binder = _Binder(c, scope)
        terms = [binder.pattern(p, t) for p, t in zip(alt.patterns, types, strict=True)]
        tests = [(at, t) for at, t in zip(slots, terms, strict=True) if t is not None]
        body = c.code(subst(alt.body, binder.variables), scope, tail)
        rows.append((tests, body))
        if not tests:
            break
    run = _try_in_order(rows)
    if len(term.discrs) == 1 and len(term.alts) == 2:
        run = _two_way(c, term, slots[0], rows) or run
    for at, discr in zip(reversed(slots), reversed(discrs), strict=True):
        if nodes.slot_of(discr) != at:
            run = nodes.assign(at, discr, run)
    return run


def _discriminant(c: Compiler, d: Term, type_: Term, scope: Scope) -> Code:
    head, args = core.unfold_app(type_)
    if isinstance(head, Const) and head.name == "Decidable" and args:
        return c.code(args[0], scope)
    if type_ is not _UNKNOWN_TYPE and c.types.erased(type_):
        return nodes.constant(None)
    return c.code(d, scope)


def _try_in_order(rows: list[tuple[list[tuple[int, Test]], Code]]) -> Code:
    if rows and not rows[0][0]:
        return rows[0][1]
    singles = all(len(tests) == 1 for tests, _ in rows[:-1]) and len(rows[-1][0] if rows else ()) <= 1
    if singles and rows:
        flat = tuple([(*tests[0], body) for tests, body in rows if tests])
        last = rows[-1][1] if not rows[-1][0] else None

        def run1(fr: Frame) -> Any:
            for at, test, body in flat:
                if test(fr[at], fr):
                    return body(fr)
            if last is not None:
                return last(fr)
            raise Unknown("undecided", "no alternative of a match applies")

        return run1
    table = tuple([(tuple(tests), body) for tests, body in rows])

    def run(fr: Frame) -> Any:
        for tests, body in table:
            for at, test in tests:
                if not test(fr[at], fr):
                    break
            else:
                return body(fr)
        raise Unknown("undecided", "no alternative of a match applies")

    return run


def _two_way(c: Compiler, term: Match, at: int, rows: list[tuple[list[tuple[int, Test]], Code]]) -> Code | None:
    """Compile the commonest matches without tests: a list or an option by its constructor, a natural number by zero."""
    names = [p.name if isinstance(p, PCtor) else "" for p in (term.alts[0].patterns[0], term.alts[1].patterns[0])]
    if names in (["List.nil", "List.cons"], ["List.cons", "List.nil"]):
        some, none = (1, 0) if names[0] == "List.nil" else (0, 1)
        pattern = term.alts[some].patterns[0]
        if not isinstance(pattern, PCtor) or not all(isinstance(p, PVar | PWild) for p in pattern.args):
            return None
        bind, cons_body = rows[some][0][0][1], rows[some][1]
        nil_body = rows[none][1]
        both = getattr(bind, "both", None)
        if both is not None:
            head, tail = both

            def run_both(fr: Frame) -> Any:
                v = fr[at]
                if v:
                    fr[head], fr[tail] = v
                    return cons_body(fr)
                return nil_body(fr)

            return run_both

        def run(fr: Frame) -> Any:
            v = fr[at]
            if v:
                bind(v, fr)
                return cons_body(fr)
            return nil_body(fr)

        return run
    return None


class _Binder:
    """Compiles the patterns of one alternative; `variables` in order of appearance."""

    def __init__(self, c: Compiler, scope: Scope) -> None:
        self.c = c
        self.scope = scope
        self.variables: list[FVar] = []

    def _bind(self, name: str, type_: Term) -> tuple[FVar, int | None]:
        x = self.c.types.local(name, type_)
        self.variables.append(x)
        if type_ is not _UNKNOWN_TYPE and self.c.types.erased(type_):
            self.c.erased_vars.add(x.id)
            return x, None
        return x, self.scope.bind(x)

    def pattern(self, p: Pattern, type_: Term) -> Test | None:
        """Return a test that binds as it goes, or None where everything matches and nothing is bound."""
        return self._compile(p, type_)[0]

    def _compile(self, p: Pattern, type_: Term) -> tuple[Test | None, Term]:
        """Return the test, and the pattern as a term (for the types of later fields)."""
        match p:
            case PVar():
                x, at = self._bind(p.name, type_)
                return (None if at is None else assign_test(at)), x
            case PWild():
                return None, self.c.types.local("_", type_)
            case PAs():
                x, at = self._bind(p.name, type_)
                inner, _ = self._compile(p.pattern, type_)
                if at is None:
                    return inner, x
                return _assign_then(at, inner), x
            case PLit():
                return _equals(_literal(p)), self.c.types.local("_", type_)
            case PSucc():
                inner, _ = self._compile(p.pattern, type_)
                return _succ(p.offset, inner), self.c.types.local("_", type_)
            case PArray():
                return self._array(p, type_), self.c.types.local("_", type_)
            case PCtor():
                return self._constructor(p, type_)
            case _:
                raise Unknown("unsupported", f"a pattern of kind {type(p).__name__}")

    def _array(self, p: PArray, type_: Term) -> Test:
        _, args = core.unfold_app(type_)
        item_type = args[0] if args else _UNKNOWN_TYPE
        tests = [self._compile(q, item_type)[0] for q in p.items]
        n = len(tests)

        def test(v: Any, fr: Frame) -> bool:
            return v.size == n and False not in [t is None or t(v[i], fr) for i, t in enumerate(tests)]

        return test

    def _constructor(self, p: PCtor, type_: Term) -> tuple[Test | None, Term]:
        constant = self.c.env.get(p.name)
        if constant is None:
            raise Unknown("unsupported", f"the constructor {p.name}")
        layout = self.c.types.layout(constant.inductive)
        if layout is None:
            raise Unknown("unsupported", f"the constructor {p.name}")
        head, args = core.unfold_app(type_)
        params = list(args[: layout.info.params]) if isinstance(head, Const) and head.name == constant.inductive else []
        ctype: Term = constant.type
        for i in range(layout.info.params):
            if not isinstance(ctype, Pi):
                break
            ctype = subst(ctype.body, (params[i] if i < len(params) else _UNKNOWN_TYPE,))
        tests: list[Test | None] = []
        fields: list[Term] = []
        for q in p.args:
            field_type = ctype.type if isinstance(ctype, Pi) else _UNKNOWN_TYPE
            test, field = self._compile(q, field_type)
            tests.append(test)
            fields.append(field)
            if isinstance(ctype, Pi):
                ctype = subst(ctype.body, (field,))
        pads = params or [_UNKNOWN_TYPE] * layout.info.params
        whole = core.mk_app(Const(p.name), *pads, *fields)
        if constant.inductive == "Decidable":
            return _equals(p.name.endswith("isTrue")), whole
        if layout.info.is_prop:
            return None, whole
        return field_tests(layout.shape, constant.index, p.name, tests, layout.field), whole


def _literal(p: PLit) -> Any:
    return p.value


def assign_test(at: int) -> Test:
    """Return the test that matches anything and puts it into a slot."""

    def test(v: Any, fr: Frame) -> bool:
        fr[at] = v
        return True

    test.slot = at  # type: ignore[attr-defined]
    return test


def _assign_then(at: int, inner: Test | None) -> Test:
    if inner is None:
        return assign_test(at)

    def test(v: Any, fr: Frame) -> bool:
        fr[at] = v
        return inner(v, fr)

    return test


def _equals(value: Any) -> Test:
    return lambda v, fr: bool(v == value)


def _succ(offset: int, inner: Test | None) -> Test:
    if inner is None:
        return lambda v, fr: bool(v >= offset)
    return lambda v, fr: v >= offset and inner(v - offset, fr)


def field_tests(shape: str, tag: int, name: str, tests: list[Test | None], field: int) -> Test | None:
    """Return the test for a constructor, from those for its fields."""
    match shape:
        case "wrapper":
            return tests[field]
        case "tuple":
            return _fields(tests, 0, None)
        case "bool":
            return _equals(name.endswith(".true"))
        case "unit":
            return None
        case "enum":
            return _equals(tag)
        case "tagged":
            return _fields(tests, 1, tag)
        case "list":
            return _fields_if(tests) if tag else (lambda v, fr: not v)
        case "option":
            return _fields_if(tests) if tag else (lambda v, fr: not v)
        case "nat":
            return _succ(1, tests[0]) if tag else _equals(0)
        case "int":
            return _int_test(tag, tests[0])
        case "array" | "string":
            return _unpacked(shape, tests[0])
        case _:
            raise Unknown("unsupported", f"a pattern of {name}")


def _int_test(tag: int, inner: Test | None) -> Test:
    if tag == 0:
        return lambda v, fr: v >= 0 and (inner is None or inner(v, fr))
    return lambda v, fr: v < 0 and (inner is None or inner(-v - 1, fr))


def _unpacked(shape: str, inner: Test | None) -> Test | None:
    if inner is None:
        return None
    if shape == "array":
        return lambda v, fr: inner(to_list(v.tolist()), fr)
    return lambda v, fr: inner(to_list(list(v)), fr)


def _fields_if(tests: list[Test | None]) -> Test:
    """Return the test for `List.cons` and `Option.some`: the only values of their types that Python takes for true."""
    rest = _fields(tests, 0, None)
    if rest is None:
        return lambda v, fr: bool(v)

    def test(v: Any, fr: Frame) -> bool:
        return bool(v) and rest(v, fr)

    both = getattr(rest, "both", None)
    if both is not None:
        test.both = both  # type: ignore[attr-defined]
    return test


def _fields(tests: list[Test | None], start: int, tag: int | None) -> Test | None:
    wanted = [(i + start, t) for i, t in enumerate(tests) if t is not None]
    pairs = tuple([(i, int(t.slot)) for i, t in wanted if hasattr(t, "slot")])
    if tag is None and not wanted:
        return None
    if len(pairs) == len(wanted):
        if tag is None:
            if len(tests) == 2 and len(pairs) == 2:
                a, b = pairs[0][1], pairs[1][1]

                def both(v: Any, fr: Frame) -> bool:
                    fr[a], fr[b] = v
                    return True

                both.both = (a, b)  # type: ignore[attr-defined]
                return both
            return _plain(pairs)

        def tagged(v: Any, fr: Frame) -> bool:
            if v[0] != tag:
                return False
            for i, s in pairs:
                fr[s] = v[i]
            return True

        return tagged
    checks = tuple(wanted)

    def test(v: Any, fr: Frame) -> bool:
        if tag is not None and v[0] != tag:
            return False
        for i, t in checks:  # noqa: SIM110 - a generator would go through C at every level of a nested value
            if not t(v[i], fr):
                return False
        return True

    return test


def _plain(pairs: tuple[tuple[int, int], ...]) -> Test:
    def test(v: Any, fr: Frame) -> bool:
        for i, s in pairs:
            fr[s] = v[i]
        return True

    return test
