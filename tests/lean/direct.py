"""A second, slow evaluator for tests: typed terms of a small part of Lean, evaluated on Python's own data.

Written from Lean's definitions and independent of `specgen.lean.eval`: the tree is its own, so are the printer of the
tree to Lean text and the values (int, bool, str, list, tuple; an option is `()` or `(v,)`). A proposition has one of
three values, None when it is not known: an unguarded quantifier is searched up to `REACH` and never decided by that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

Type: TypeAlias = Any
"""A name (`Nat`, `Int`, `Bool`, `Prop`, `String`), or `(List, a)`, `(Option, a)`, `(Prod, a, b)`, `(Fun, a, b)`."""

REACH: Final = 25
"""How far the search for witnesses of an unguarded quantifier goes."""
_LIMIT: Final = 10**30


class UnknownError(Exception):
    """A value that hangs on something that is not known."""


@dataclass(frozen=True, slots=True)
class Node:
    """A term: operation, type, parts, and a datum (literal, name, type of a binder)."""

    op: str
    type: Type
    args: tuple[Node, ...] = ()
    data: Any = None


# -------------------------------------------------------------------------------------------------------------- values


def euclid(a: int, b: int) -> tuple[int, int]:
    """Return Euclidean quotient and remainder; by 0 the quotient is 0 and the remainder a."""
    if b == 0:
        return 0, a
    r = a % abs(b)
    return (a - r) // b, r


def _small(n: int) -> int:
    if abs(n) > _LIMIT:
        raise UnknownError
    return n


def _minus(t: Type, a: int, b: int) -> int:
    return max(a - b, 0) if t == "Nat" else a - b


def _power(a: int, b: int) -> int:
    if b > 40:
        raise UnknownError
    return _small(a**b)


def _text(v: int) -> str:
    return str(v)


Env: TypeAlias = Mapping[str, Any]


def value(t: Node, env: Env) -> Any:
    """Return the value of a term that is no proposition; raises UnknownError."""
    if t.type == "Prop":
        known = truth(t, env)
        if known is None:
            raise UnknownError
        return known
    special = _SPECIAL.get(t.op)
    if special is not None:
        return special(t, env)
    return _STRICT[t.op](t.type, *[value(a, env) for a in t.args])


def _bind(env: Env, name: str, v: Any) -> Env:
    return {**env, name: v}


def _match_list(t: Node, env: Env) -> Any:
    xs = value(t.args[0], env)
    if not xs:
        return value(t.args[1], env)
    head, tail = t.data
    return value(t.args[2], {**env, head: xs[0], tail: xs[1:]})


def _match_option(t: Node, env: Env) -> Any:
    o = value(t.args[0], env)
    return value(t.args[2], _bind(env, t.data, o[0])) if o else value(t.args[1], env)


def _match_nat(t: Node, env: Env) -> Any:
    n = value(t.args[0], env)
    return value(t.args[2], _bind(env, t.data, n - 1)) if n else value(t.args[1], env)


def _match_pair(t: Node, env: Env) -> Any:
    a, b = value(t.args[0], env)
    return value(t.args[1], {**env, t.data[0]: a, t.data[1]: b})


def _fold(t: Node, env: Env) -> Any:
    """`xs.foldl (fun acc x => body) init`: arguments init, xs, body."""
    acc = value(t.args[0], env)
    for x in value(t.args[1], env):
        acc = value(t.args[2], {**env, t.data[0]: acc, t.data[1]: x})
    return acc


def _each(t: Node, env: Env) -> list[tuple[Any, Any]]:
    """Pair the elements of the first argument with the values of the body for them."""
    return [(x, value(t.args[1], _bind(env, t.data, x))) for x in value(t.args[0], env)]


def _lambda(t: Node, env: Env) -> Callable[[Any], Any]:
    return lambda v: value(t.args[0], _bind(env, t.data, v))


_SPECIAL: Final[dict[str, Callable[[Node, Env], Any]]] = {
    "lit": lambda t, env: t.data,
    "var": lambda t, env: env[t.data],
    "let": lambda t, env: value(t.args[1], _bind(env, t.data, value(t.args[0], env))),
    "if": lambda t, env: value(t.args[1], env) if value(t.args[0], env) else value(t.args[2], env),
    "match_list": _match_list,
    "match_option": _match_option,
    "match_nat": _match_nat,
    "match_pair": _match_pair,
    "foldl": _fold,
    "map": lambda t, env: [y for _, y in _each(t, env)],
    "filter": lambda t, env: [x for x, keep in _each(t, env) if keep],
    "any": lambda t, env: any(keep for _, keep in _each(t, env)),
    "all": lambda t, env: all(keep for _, keep in _each(t, env)),
    "fun": _lambda,
    "band": lambda t, env: value(t.args[0], env) and value(t.args[1], env),
    "bor": lambda t, env: value(t.args[0], env) or value(t.args[1], env),
}

_STRICT: Final[dict[str, Callable[..., Any]]] = {
    "add": lambda t, a, b: a + b,
    "sub": _minus,
    "mul": lambda t, a, b: _small(a * b),
    "div": lambda t, a, b: euclid(a, b)[0],
    "mod": lambda t, a, b: euclid(a, b)[1],
    "pow": lambda t, a, b: _power(a, b),
    "neg": lambda t, a: -a,
    "max": lambda t, a, b: max(a, b),
    "min": lambda t, a, b: min(a, b),
    "cast": lambda t, a: a,
    "toNat": lambda t, a: max(a, 0),
    "natAbs": lambda t, a: abs(a),
    "bnot": lambda t, a: not a,
    "beq": lambda t, a, b: a == b,
    "decide": lambda t, p: p,
    "app": lambda t, f, a: f(a),
    "list": lambda t, *xs: list(xs),
    "cons": lambda t, x, xs: [x, *xs],
    "append": lambda t, a, b: a + b,
    "length": lambda t, xs: len(xs),
    "reverse": lambda t, xs: xs[::-1],
    "take": lambda t, xs, n: xs[:n],
    "drop": lambda t, xs, n: xs[n:],
    "getD": lambda t, xs, n, d: xs[n] if n < len(xs) else d,
    "get?": lambda t, xs, n: (xs[n],) if n < len(xs) else (),
    "head?": lambda t, xs: (xs[0],) if xs else (),
    "range": lambda t, n: list(range(_bounded(n))),
    "replicate": lambda t, n, x: [x] * _bounded(n),
    "zip": lambda t, a, b: list(zip(a, b, strict=False)),
    "contains": lambda t, xs, x: x in xs,
    "count": lambda t, xs, x: sum([1 for y in xs if y == x]),
    "some": lambda t, x: (x,),
    "none": lambda t: (),
    "isSome": lambda t, o: bool(o),
    "optGetD": lambda t, o, d: o[0] if o else d,
    "pair": lambda t, a, b: (a, b),
    "fst": lambda t, p: p[0],
    "snd": lambda t, p: p[1],
    "strlen": lambda t, s: len(s),
    "toString": lambda t, a: _text(a),
}


def _bounded(n: int) -> int:
    if n > 200:
        raise UnknownError
    return n


# -------------------------------------------------------------------------------------------------------- propositions


def truth(t: Node, env: Env) -> bool | None:
    """Return the truth of a proposition; None when it is not known."""
    try:
        return _truth(t, env)
    except UnknownError:
        return None


def _truth(t: Node, env: Env) -> bool | None:
    if t.op in _QUANTIFIERS:
        return _QUANTIFIERS[t.op](t, env)
    if t.op == "let":
        return truth(t.args[1], _bind(env, t.data, value(t.args[0], env)))
    if t.op == "if":
        return truth(t.args[1] if value(t.args[0], env) else t.args[2], env)
    if t.op in _CONNECTIVES:
        return _CONNECTIVES[t.op](*[truth(a, env) for a in t.args])
    if t.op in ("match_list", "match_option", "match_nat", "match_pair"):
        return bool(_SPECIAL[t.op](t, env))
    if t.op == "app":
        return bool(value(t.args[0], env)(value(t.args[1], env)))
    return bool(_ATOMS[t.op](*[value(a, env) for a in t.args]))


def _not(p: bool | None) -> bool | None:
    return None if p is None else not p


def _and(p: bool | None, q: bool | None) -> bool | None:
    if p is False or q is False:
        return False
    return None if p is None or q is None else True


def _or(p: bool | None, q: bool | None) -> bool | None:
    return _not(_and(_not(p), _not(q)))


_CONNECTIVES: Final[dict[str, Callable[..., bool | None]]] = {
    "and": _and,
    "or": _or,
    "not": _not,
    "implies": lambda p, q: _or(_not(p), q),
    "iff": lambda p, q: None if p is None or q is None else p == q,
    "True": lambda: True,
    "False": lambda: False,
}

_ATOMS: Final[dict[str, Callable[..., bool]]] = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
    "dvd": lambda a, b: b % a == 0 if a else b == 0,
    "mem": lambda x, xs: x in xs,
    "holds": lambda b: b,
}


def _all(t: Node, env: Env, candidates: Iterable[Any], complete: bool) -> bool | None:
    found: bool | None = True if complete else None
    for v in candidates:
        p = truth(t.args[-1], _bind(env, t.data, v))
        if p is False:
            return False
        if p is None:
            found = None
    return found


def _some(t: Node, env: Env, candidates: Iterable[Any], complete: bool) -> bool | None:
    found: bool | None = False if complete else None
    for v in candidates:
        p = truth(t.args[-1], _bind(env, t.data, v))
        if p is True:
            return True
        if p is None:
            found = None
    return found


def _span(t: Node, env: Env) -> range:
    low, high = (0, value(t.args[0], env)) if len(t.args) == 2 else (value(t.args[0], env), value(t.args[1], env))
    return range(low, min(high, low + 200)) if high - low < 200 else _too_long()


def _too_long() -> range:
    raise UnknownError


def _reach(t: Node) -> range:
    return range(REACH) if t.op.endswith("nat") else range(-REACH, REACH)


_QUANTIFIERS: Final[dict[str, Callable[[Node, Env], bool | None]]] = {
    "all_span": lambda t, env: _all(t, env, _span(t, env), True),
    "some_span": lambda t, env: _some(t, env, _span(t, env), True),
    "all_in": lambda t, env: _all(t, env, value(t.args[0], env), True),
    "some_in": lambda t, env: _some(t, env, value(t.args[0], env), True),
    "all_bool": lambda t, env: _all(t, env, (False, True), True),
    "some_bool": lambda t, env: _some(t, env, (False, True), True),
    "all_nat": lambda t, env: _all(t, env, _reach(t), False),
    "some_nat": lambda t, env: _some(t, env, _reach(t), False),
    "all_int": lambda t, env: _all(t, env, _reach(t), False),
    "some_int": lambda t, env: _some(t, env, _reach(t), False),
}

# ---------------------------------------------------------------------------------------------------------------- text

# operation: (symbol, precedence of the whole, of the left side, of the right side)
_INFIX: Final[dict[str, tuple[str, int, int, int]]] = {
    "add": ("+", 65, 65, 66),
    "sub": ("-", 65, 65, 66),
    "mul": ("*", 70, 70, 71),
    "div": ("/", 70, 70, 71),
    "mod": ("%", 70, 70, 71),
    "pow": ("^", 75, 76, 75),
    "append": ("++", 65, 65, 66),
    "cons": ("::", 67, 68, 67),
    "band": ("&&", 35, 35, 36),
    "bor": ("||", 30, 30, 31),
    "beq": ("==", 50, 51, 51),
    "eq": ("=", 50, 51, 51),
    "ne": ("≠", 50, 51, 51),
    "lt": ("<", 50, 51, 51),
    "le": ("≤", 50, 51, 51),
    "gt": (">", 50, 51, 51),
    "ge": ("≥", 50, 51, 51),
    "dvd": ("∣", 50, 51, 51),
    "mem": ("∈", 50, 51, 51),
    "and": ("∧", 35, 36, 35),
    "or": ("∨", 30, 31, 30),
    "implies": ("→", 25, 26, 25),
    "iff": ("↔", 20, 21, 21),
}
_CALLS: Final[dict[str, str]] = {
    "max": "max",
    "min": "min",
    "toNat": "Int.toNat",
    "natAbs": "Int.natAbs",
    "decide": "decide",
    "length": "List.length",
    "reverse": "List.reverse",
    "getD": "List.getD",
    "head?": "List.head?",
    "range": "List.range",
    "replicate": "List.replicate",
    "zip": "List.zip",
    "contains": "List.contains",
    "isSome": "Option.isSome",
    "optGetD": "Option.getD",
    "some": "some",
    "strlen": "String.length",
    "toString": "toString",
}
_TREE: Final = frozenset(["add", "sub", "mul", "div", "mod", "neg"])
_RELATIONS: Final = frozenset(["eq", "ne", "lt", "le", "gt", "ge", "beq"])


def type_text(t: Type, nested: bool = False) -> str:
    """Return a type as Lean text."""
    if isinstance(t, str):
        return t
    if t[0] == "Prod":
        inner = f"{type_text(t[1], True)} × {type_text(t[2])}"
    elif t[0] == "Fun":
        inner = f"{type_text(t[1], True)} → {type_text(t[2])}"
    else:
        inner = f"{t[0]} {type_text(t[1], True)}"
    return f"({inner})" if nested else inner


def lean(t: Node, prec: int = 0, bare: bool = False) -> str:
    """Return a term as Lean text with as few parentheses as precedence allows.

    `bare`: the operator tree around it has an integer leaf for sure, so that natural numbers in it need no ascription.
    """
    if t.op in _INFIX:
        return _infix(t, prec, bare)
    if t.op in _CALLS:
        body = " ".join([_CALLS[t.op], *[lean(a, 1024) for a in t.args]])
        return _paren(body, 1022, prec)
    return _form(t, prec, bare)


def _paren(body: str, own: int, prec: int) -> str:
    return f"({body})" if own < prec else body


def _infix(t: Node, prec: int, bare: bool) -> str:
    symbol, own, left, right = _INFIX[t.op]
    if t.op in _TREE and t.type == "Int" or (t.op in _RELATIONS and t.args[0].type == "Int"):
        bare = bare or any(_surely_int(a) for a in t.args)
    else:
        bare = False
    return _paren(f"{lean(t.args[0], left, bare)} {symbol} {lean(t.args[1], right, bare)}", own, prec)


def _surely_int(t: Node) -> bool:
    """Tell whether an operator tree has a leaf that is an integer by itself."""
    if t.op in _TREE:
        return any(_surely_int(a) for a in t.args)
    return t.type == "Int" and t.op != "cast"


def _form(t: Node, prec: int, bare: bool) -> str:
    match t.op:
        case "lit":
            return _literal(t)
        case "var":
            return str(t.data)
        case "True" | "False":
            return t.op
        case "neg":
            operand = lean(t.args[0], 75, bare)
            return _paren(f"- {operand}" if operand.startswith("-") else f"-{operand}", 75, prec)
        case "cast":
            inner = t.args[0]
            if bare and inner.op in ("var", "lit"):
                return str(inner.data)
            return f"(({lean(inner)} : Nat) : Int)"
        case "not":
            return _paren(f"¬{lean(t.args[0], 40)}", 40, prec)
        case "bnot":
            operand = lean(t.args[0], 40)  # with Mathlib, `![` is a token
            return _paren(f"!({operand})" if operand.startswith("[") else f"!{operand}", 40, prec)
        case "holds":
            return _paren(f"{lean(t.args[0], 51)} = true", 50, prec)
        case "list":
            items = ", ".join([lean(a) for a in t.args])
            return f"[{items}]" if t.args else f"([] : {type_text(t.type)})"
        case "none":
            return f"(none : {type_text(t.type)})"
        case "pair":
            return f"({lean(t.args[0])}, {lean(t.args[1])})"
        case "fst" | "snd":
            return f"({lean(t.args[0])}).{1 if t.op == 'fst' else 2}"
        case "take" | "drop":
            return _paren(f"List.{t.op} {lean(t.args[1], 1024)} {lean(t.args[0], 1024)}", 1022, prec)
        case "count":
            return _paren(f"List.count {lean(t.args[1], 1024)} {lean(t.args[0], 1024)}", 1022, prec)
        case "get?":
            return f"({lean(t.args[0])})[{lean(t.args[1])}]?"
        case "app":
            # The type is written out: whether Lean finds that of a `match` inside without it is a question of order.
            function = f"({lean(t.args[0])} : {type_text(t.args[0].type)})"
            return _paren(f"{function} {lean(t.args[1], 1024)}", 1022, prec)
        case _:
            return _paren(_binding(t), 0, prec)


def _literal(t: Node) -> str:
    match t.type:
        case "Nat":
            return str(t.data)
        case "Int":
            return f"({t.data} : Int)"
        case "Bool":
            return "true" if t.data else "false"
        case _:
            return f'"{t.data}"'


def _head(discriminant: Node) -> str:
    """The head of a `match`; with the type, since the branches may say more about a numeral than it says itself."""
    return f"match ({lean(discriminant)} : {type_text(discriminant.type)})"


def _binding(t: Node) -> str:
    a = t.args
    match t.op:
        case "let":
            return f"let {t.data} : {type_text(a[0].type)} := {lean(a[0], 1)}; {lean(a[1])}"
        case "if":
            return f"if {lean(a[0], 1)} then {lean(a[1], 1)} else {lean(a[2], 1)}"
        case "fun":
            return f"fun ({t.data} : {type_text(t.type[1])}) => {lean(a[0])}"
        case "match_list":
            return f"{_head(a[0])} with | [] => {lean(a[1], 1)} | {t.data[0]} :: {t.data[1]} => {lean(a[2], 1)}"
        case "match_option":
            return f"{_head(a[0])} with | none => {lean(a[1], 1)} | some {t.data} => {lean(a[2], 1)}"
        case "match_nat":
            return f"{_head(a[0])} with | 0 => {lean(a[1], 1)} | {t.data} + 1 => {lean(a[2], 1)}"
        case "match_pair":
            return f"{_head(a[0])} with | ({t.data[0]}, {t.data[1]}) => {lean(a[1], 1)}"
        case "foldl":
            acc, x = t.data
            body = f"fun ({acc} : {type_text(t.type)}) ({x} : {type_text(a[1].type[1])}) => {lean(a[2])}"
            return f"List.foldl ({body}) {lean(a[0], 1024)} {lean(a[1], 1024)}"
        case "map" | "filter" | "any" | "all":
            body = f"(fun ({t.data} : {type_text(a[0].type[1])}) => {lean(a[1])})"
            if t.op in ("map", "filter"):
                return f"List.{t.op} {body} {lean(a[0], 1024)}"
            return f"List.{t.op} {lean(a[0], 1024)} {body}"
        case _:
            return _quantifier(t)


def _quantifier(t: Node) -> str:
    kind, _, domain = t.op.partition("_")
    symbol, link = ("∀", "→") if kind == "all" else ("∃", "∧")
    body = lean(t.args[-1], 25 if kind == "all" else 35)
    x = t.data
    match domain:
        case "span" if len(t.args) == 2:
            return f"{symbol} {x} : Nat, {x} < {lean(t.args[0], 51)} {link} {body}"
        case "span":
            low, high = lean(t.args[0], 51), lean(t.args[1], 51)
            return f"{symbol} {x} : Int, {low} ≤ {x} {link} {x} < {high} {link} {body}"
        case "in":
            return f"{symbol} {x} ∈ {lean(t.args[0], 51)}, {lean(t.args[-1])}"
        case _:
            return f"{symbol} {x} : {domain.capitalize()}, {lean(t.args[-1])}"


def value_text(v: Any, t: Type) -> str:
    """Return a value as Lean text."""
    if isinstance(t, str):
        if t == "Bool":
            return "true" if v else "false"
        return f'"{v}"' if t == "String" else f"({v})" if isinstance(v, int) and v < 0 else str(v)
    if t[0] == "List":
        return "[" + ", ".join([value_text(x, t[1]) for x in v]) + "]"
    if t[0] == "Option":
        return f"(some {value_text(v[0], t[1])})" if v else "none"
    return f"({value_text(v[0], t[1])}, {value_text(v[1], t[2])})"
