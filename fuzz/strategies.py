"""Hypothesis strategies for well-typed terms of `tests.lean.direct`, contracts over them, and broken text."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Final, TypeAlias

from hypothesis import strategies as st

from specgen.lean.parser.tables import words
from tests.lean.direct import Node, Type

Draw: TypeAlias = Callable[[st.SearchStrategy[Any]], Any]
Variables: TypeAlias = Mapping[str, Type]

NAT_LIST: Final = ("List", "Nat")
INT_LIST: Final = ("List", "Int")
PARAMETER_TYPES: Final[tuple[Type, ...]] = (
    "Nat",
    "Int",
    "Bool",
    NAT_LIST,
    INT_LIST,
    "String",
    ("Option", "Int"),
    ("Prod", "Nat", "Int"),
    ("List", ("Prod", "Int", "Nat")),
)
_RESULT_TYPES: Final[tuple[Type, ...]] = (*PARAMETER_TYPES, ("Option", "Nat"), ("List", "Bool"))
_EQUALITIES: Final[tuple[Type, ...]] = ("Nat", "Int", "Bool", NAT_LIST, INT_LIST, "String", ("Option", "Int"))


@dataclass(frozen=True, slots=True)
class Contract:
    """A definition over parameters, and values for them."""

    parameters: tuple[tuple[str, Type], ...]
    body: Node
    arguments: tuple[Any, ...]


class Maker:
    """Draws terms; the parts of a term are drawn at a smaller depth."""

    def __init__(self, draw: Draw) -> None:
        self.draw = draw
        self.count = 0

    def name(self, stem: str) -> str:
        """Return a fresh variable name."""
        self.count += 1
        return f"{stem}{self.count}"

    def pick(self, options: Sequence[Any]) -> Any:
        """Draw one of the options."""
        return options[self.draw(st.integers(0, len(options) - 1))]

    # ---- leaves

    def leaf(self, t: Type, vs: Variables) -> Node:
        """Draw a variable or a literal."""
        known = [x for x, u in vs.items() if u == t]
        if known and self.draw(st.integers(0, 3)):
            return Node("var", t, (), self.pick(known))
        match t:
            case "Nat":
                return Node("lit", t, (), self.draw(st.integers(0, 9)))
            case "Int":
                return Node("lit", t, (), self.draw(st.integers(-9, 9)))
            case "Bool":
                return Node("lit", t, (), self.draw(st.booleans()))
            case "String":
                return Node("lit", t, (), self.draw(st.text("abé", max_size=3)))
            case "Prop":
                return Node(self.pick(("True", "False")), t)
            case ("List", item):
                return Node("list", t, tuple([self.leaf(item, vs) for _ in range(self.draw(st.integers(0, 3)))]))
            case ("Option", item):
                return Node("none", t) if self.draw(st.booleans()) else Node("some", t, (self.leaf(item, vs),))
            case ("Prod", a, b):
                return Node("pair", t, (self.leaf(a, vs), self.leaf(b, vs)))
            case _:
                return self.function(t, vs, 0)

    def function(self, t: Type, vs: Variables, depth: int) -> Node:
        """Draw a function."""
        x = self.name("f")
        return Node("fun", t, (self.term(t[2], {**vs, x: t[1]}, depth),), x)

    # ---- terms

    def term(self, t: Type, vs: Variables, depth: int) -> Node:
        """Draw a term of a type; propositions are decidable ones."""
        if depth <= 0:
            return self.leaf(t, vs)
        # No instance decides a `match` that gives propositions.
        any_type = self._if if t == "Prop" else self._any_type
        own = _BY_TYPE.get(t if isinstance(t, str) else t[0], ())
        makers: list[Callable[[Type, Variables, int], Node]] = [any_type, *[m.__get__(self) for m in own]]
        if self.draw(st.integers(0, 4)) == 0:
            return self.leaf(t, vs)
        return makers[self.draw(st.integers(0, len(makers) - 1))](t, vs, depth - 1)

    def _any_type(self, t: Type, vs: Variables, d: int) -> Node:
        """Draw a form that any type may have."""
        x, y = self.name("x"), self.name("y")
        match self.draw(st.integers(0, 6)):
            case 0:
                u = self.pick(PARAMETER_TYPES)
                return Node("let", t, (self.term(u, vs, d), self.term(t, {**vs, x: u}, d)), x)
            case 1:
                return self._if(t, vs, d)
            case 2:
                item = self.pick(("Nat", "Int"))
                parts = (self.term(("List", item), vs, d), self.term(t, vs, d))
                return Node("match_list", t, (*parts, self.term(t, {**vs, x: item, y: ("List", item)}, d)), (x, y))
            case 3:
                parts = (self.term(("Option", "Int"), vs, d), self.term(t, vs, d))
                return Node("match_option", t, (*parts, self.term(t, {**vs, x: "Int"}, d)), x)
            case 4:
                parts = (self.term("Nat", vs, d), self.term(t, vs, d))
                return Node("match_nat", t, (*parts, self.term(t, {**vs, x: "Nat"}, d)), x)
            case 5:
                pair = self.term(("Prod", "Nat", "Int"), vs, d)
                return Node("match_pair", t, (pair, self.term(t, {**vs, x: "Nat", y: "Int"}, d)), (x, y))
            case _:
                u = self.pick(("Nat", "Int", "Bool"))
                return Node("app", t, (self.function(("Fun", u, t), vs, d), self.term(u, vs, d)))

    def _if(self, t: Type, vs: Variables, d: int) -> Node:
        return Node("if", t, (self.term("Prop", vs, d), self.term(t, vs, d), self.term(t, vs, d)))

    def _arithmetic(self, t: Type, vs: Variables, d: int) -> Node:
        op = self.pick(("add", "sub", "mul", "div", "mod", "sub", "max", "min"))
        return Node(op, t, (self.term(t, vs, d), self.term(t, vs, d)))

    def _power(self, t: Type, vs: Variables, d: int) -> Node:
        return Node("pow", t, (self.term(t, vs, d), Node("lit", "Nat", (), self.draw(st.integers(0, 3)))))

    def _natural(self, t: Type, vs: Variables, d: int) -> Node:
        match self.draw(st.integers(0, 4)):
            case 0:
                return Node("length", t, (self.term(self.pick((NAT_LIST, INT_LIST)), vs, d),))
            case 1:
                return Node("count", t, (self.term(INT_LIST, vs, d), self.term("Int", vs, d)))
            case 2:
                return Node(self.pick(("toNat", "natAbs")), t, (self.term("Int", vs, d),))
            case 3:
                return Node("strlen", t, (self.term("String", vs, d),))
            case _:
                return Node("fst", t, (self.term(("Prod", "Nat", "Int"), vs, d),))

    def _integer(self, t: Type, vs: Variables, d: int) -> Node:
        match self.draw(st.integers(0, 2)):
            case 0:
                return Node("neg", t, (self.term(t, vs, d),))
            case 1:
                return Node("snd", t, (self.term(("Prod", "Nat", "Int"), vs, d),))
            case _:
                return Node("cast", t, (self.term("Nat", vs, d),))

    def _cast(self, t: Type, vs: Variables, d: int) -> Node:
        return Node(self.pick(("add", "sub", "mul")), t, (self.leaf(t, vs), Node("cast", t, (self.leaf("Nat", vs),))))

    def _number(self, t: Type, vs: Variables, d: int) -> Node:
        xs = self.term(("List", t), vs, d)
        if self.draw(st.booleans()):
            return Node("getD", t, (xs, self.term("Nat", vs, d), self.term(t, vs, d)))
        acc, x = self.name("a"), self.name("x")
        body = self.term(t, {**vs, acc: t, x: t}, min(d, 1))
        return Node("foldl", t, (self.term(t, vs, d), xs, body), (acc, x))

    def _boolean(self, t: Type, vs: Variables, d: int) -> Node:
        x = self.name("x")
        match self.draw(st.integers(0, 6)):
            case 0:
                return Node(self.pick(("band", "bor")), t, (self.term(t, vs, d), self.term(t, vs, d)))
            case 1:
                return Node("bnot", t, (self.term(t, vs, d),))
            case 2:
                u = self.pick(_EQUALITIES)
                return Node("beq", t, (self.term(u, vs, d), self.term(u, vs, d)))
            case 3:
                return Node("decide", t, (self.term("Prop", vs, d),))
            case 4:
                return Node("contains", t, (self.term(NAT_LIST, vs, d), self.term("Nat", vs, d)))
            case 5:
                body = self.term("Bool", {**vs, x: "Int"}, d)
                return Node(self.pick(("any", "all")), t, (self.term(INT_LIST, vs, d), body), x)
            case _:
                return Node("isSome", t, (self.term(("Option", "Int"), vs, d),))

    def _proposition(self, t: Type, vs: Variables, d: int) -> Node:
        match self.draw(st.integers(0, 6)):
            case 0 | 1:
                u = self.pick(("Nat", "Int"))
                op = self.pick(("lt", "le", "gt", "ge", "eq", "ne"))
                return Node(op, t, (self.term(u, vs, d), self.term(u, vs, d)))
            case 2:
                u = self.pick(_EQUALITIES)
                return Node(self.pick(("eq", "ne")), t, (self.term(u, vs, d), self.term(u, vs, d)))
            case 3:
                u = self.pick(("Nat", "Int"))
                return Node("dvd", t, (self.term(u, vs, d), self.term(u, vs, d)))
            case 4:
                return Node("mem", t, (self.term("Int", vs, d), self.term(INT_LIST, vs, d)))
            case 5:
                return Node("holds", t, (self.term("Bool", vs, d),))
            case _:
                return self._connective(t, vs, d)

    def _connective(self, t: Type, vs: Variables, d: int) -> Node:
        op = self.pick(("and", "or", "implies", "iff", "not"))
        return Node(op, t, tuple([self.term(t, vs, d) for _ in range(1 if op == "not" else 2)]))

    def _list(self, t: Type, vs: Variables, d: int) -> Node:
        item, x = t[1], self.name("x")
        match self.draw(st.integers(0, 6)):
            case 0:
                return Node("cons", t, (self.term(item, vs, d), self.term(t, vs, d)))
            case 1:
                return Node("append", t, (self.term(t, vs, d), self.term(t, vs, d)))
            case 2:
                return Node("reverse", t, (self.term(t, vs, d),))
            case 3:
                return Node(self.pick(("take", "drop")), t, (self.term(t, vs, d), self.term("Nat", vs, d)))
            case 4:
                return Node("filter", t, (self.term(t, vs, d), self.term("Bool", {**vs, x: item}, d)), x)
            case 5:
                u = self.pick(("Nat", "Int"))
                return Node("map", t, (self.term(("List", u), vs, d), self.term(item, {**vs, x: u}, d)), x)
            case _:
                return Node(
                    "replicate", t, (Node("lit", "Nat", (), self.draw(st.integers(0, 3))), self.term(item, vs, d))
                )

    def _option(self, t: Type, vs: Variables, d: int) -> Node:
        xs = self.term(("List", t[1]), vs, d)
        match self.draw(st.integers(0, 2)):
            case 0:
                return Node("some", t, (self.term(t[1], vs, d),))
            case 1:
                return Node("head?", t, (xs,))
            case _:
                return Node("get?", t, (xs, self.term("Nat", vs, d)))

    def _pair(self, t: Type, vs: Variables, d: int) -> Node:
        return Node("pair", t, (self.term(t[1], vs, d), self.term(t[2], vs, d)))

    def _string(self, t: Type, vs: Variables, d: int) -> Node:
        if self.draw(st.booleans()):
            return Node("append", t, (self.term(t, vs, d), self.term(t, vs, d)))
        return Node("toString", t, (self.term(self.pick(("Nat", "Int")), vs, d),))

    # ---- statements

    def statement(self, vs: Variables, depth: int, guarded: bool) -> Node:
        """Draw a proposition with quantifiers; `guarded`: each has a finite domain in sight."""
        if depth <= 0:
            return self.term("Prop", vs, 1)
        d = depth - 1
        match self.draw(st.integers(0, 8)):
            case 8:
                return self._any_type("Prop", vs, d)
            case 0:
                op = self.pick(("and", "or", "implies", "iff"))
                return Node(op, "Prop", (self.statement(vs, d, guarded), self.statement(vs, d, guarded)))
            case 1:
                return Node("not", "Prop", (self.statement(vs, d, guarded),))
            case _:
                return self._quantifier(vs, d, guarded)

    def _quantifier(self, vs: Variables, d: int, guarded: bool) -> Node:
        kind, x = self.pick(("all", "some")), self.name("k")
        match self.draw(st.integers(0, 3 if guarded else 6)):
            case 0:
                body = self.statement({**vs, x: "Nat"}, d, guarded)
                return Node(f"{kind}_span", "Prop", (self.term("Nat", vs, 1), body), x)
            case 1:
                low, high = self.leaf("Int", vs), self.leaf("Int", vs)
                return Node(f"{kind}_span", "Prop", (low, high, self.statement({**vs, x: "Int"}, d, guarded)), x)
            case 2:
                item = self.pick(("Nat", "Int"))
                body = self.statement({**vs, x: item}, d, guarded)
                return Node(f"{kind}_in", "Prop", (self.term(("List", item), vs, 1), body), x)
            case 3:
                return Node(f"{kind}_bool", "Prop", (self.statement({**vs, x: "Bool"}, d, guarded),), x)
            case 4 | 5:
                return Node(f"{kind}_nat", "Prop", (self.statement({**vs, x: "Nat"}, d, guarded),), x)
            case _:
                return Node(f"{kind}_int", "Prop", (self.statement({**vs, x: "Int"}, d, guarded),), x)

    # ---- linear arithmetic

    def linear_term(self, t: Type, vs: Variables, depth: int) -> Node:
        """Draw a linear term."""
        if depth <= 0 or self.draw(st.integers(0, 3)) == 0:
            return self.leaf(t, vs)
        constant = Node("lit", t, (), self.draw(st.integers(1, 4)))
        match self.draw(st.integers(0, 5)):
            case 0 | 1:
                op = self.pick(("add", "sub"))
                return Node(op, t, (self.linear_term(t, vs, depth - 1), self.linear_term(t, vs, depth - 1)))
            case 2:
                return Node("mul", t, (constant, self.linear_term(t, vs, depth - 1)))
            case 3:
                return Node(self.pick(("div", "mod")), t, (self.linear_term(t, vs, depth - 1), constant))
            case 4 if t == "Int":
                return Node("cast", t, (self.linear_term("Nat", vs, depth - 1),))
            case 4:
                return Node("toNat", t, (self.linear_term("Int", vs, depth - 1),))
            case _:
                return self.leaf(t, vs)

    def linear(self, vs: Variables, depth: int) -> Node:
        """Draw a formula of linear arithmetic with quantifiers that have no guards."""
        if depth <= 0:
            t = self.pick(("Nat", "Int"))
            op = self.pick(("lt", "le", "eq", "ne"))
            return Node(op, "Prop", (self.linear_term(t, vs, 2), self.linear_term(t, vs, 2)))
        match self.draw(st.integers(0, 4)):
            case 0:
                op = self.pick(("and", "or", "implies", "iff"))
                return Node(op, "Prop", (self.linear(vs, depth - 1), self.linear(vs, depth - 1)))
            case 1:
                return Node("not", "Prop", (self.linear(vs, depth - 1),))
            case _:
                kind, domain, x = self.pick(("all", "some")), self.pick(("Nat", "Int")), self.name("k")
                return Node(f"{kind}_{domain.lower()}", "Prop", (self.linear({**vs, x: domain}, depth - 1),), x)


_BY_TYPE: Final[dict[str, tuple[Any, ...]]] = {
    "Nat": (Maker._arithmetic, Maker._arithmetic, Maker._natural, Maker._number, Maker._power),
    "Int": (Maker._arithmetic, Maker._arithmetic, Maker._integer, Maker._number, Maker._power, Maker._cast),
    "Bool": (Maker._boolean, Maker._boolean),
    "Prop": (Maker._proposition, Maker._proposition, Maker._connective),
    "String": (Maker._string,),
    "List": (Maker._list, Maker._list),
    "Option": (Maker._option,),
    "Prod": (Maker._pair,),
}


def _argument(t: Type) -> st.SearchStrategy[Any]:
    match t:
        case "Nat":
            return st.integers(0, 12)
        case "Int":
            return st.integers(-12, 12)
        case "Bool":
            return st.booleans()
        case "String":
            return st.text("abé", max_size=4)
        case ("List", item):
            return st.lists(_argument(item), max_size=4)
        case ("Option", item):
            return st.one_of(st.just(()), st.tuples(_argument(item)))
        case _:
            return st.tuples(_argument(t[1]), _argument(t[2]))


def _parameters(m: Maker) -> tuple[tuple[str, Type], ...]:
    return tuple([(f"p{i}", m.pick(PARAMETER_TYPES)) for i in range(m.draw(st.integers(0, 3)))])


def _contract(m: Maker, parameters: tuple[tuple[str, Type], ...], body: Node) -> Contract:
    return Contract(parameters, body, tuple([m.draw(_argument(t)) for _, t in parameters]))


@st.composite
def functions(draw: Draw) -> Contract:
    """A function of a few parameters, with arguments."""
    m = Maker(draw)
    parameters = _parameters(m)
    return _contract(m, parameters, m.term(m.pick(_RESULT_TYPES), dict(parameters), draw(st.integers(1, 4))))


@st.composite
def contracts(draw: Draw, guarded: bool) -> Contract:
    """A predicate with quantifiers, with arguments."""
    m = Maker(draw)
    parameters = _parameters(m)
    return _contract(m, parameters, m.statement(dict(parameters), draw(st.integers(1, 3)), guarded))


@st.composite
def linear_formulas(draw: Draw) -> Node:
    """A closed formula of linear arithmetic."""
    return Maker(draw).linear({}, draw(st.integers(1, 4)))


# ------------------------------------------------------------------------------------------------------------ bad text

_TOKENS: Final = tuple(
    sorted(
        words(
            """
            def theorem structure inductive where match with | => := : ( ) [ ] { } ⟨ ⟩ , ; fun let if then else do for
            in return ∀ ∃ ∧ ∨ ¬ → ↔ = ≠ ≤ < + - * / % ^ :: ++ x y f n Nat Int List Prop Bool 0 1 2 .1 x.y _ @ # $ <| |>
            · ! ? 'a' "s" by sorry open namespace end section variable instance deriving mutual /- -/ -- λ ▸ ⁻¹ ∑ ∈ #[
            [x]! « »
            """
        )
    )
)


@cache
def real_texts() -> tuple[str, ...]:
    """Return the Lean sources of the starter set."""
    import tomllib

    texts: list[str] = []

    def gather(value: Any) -> None:
        if isinstance(value, str) and ("def " in value or "∀" in value or "\n" in value):
            texts.append(value)
        elif isinstance(value, dict):
            for v in value.values():
                gather(v)
        elif isinstance(value, list):
            for v in value:
                gather(v)

    folder = resources.files("specgen.tasks.starter").joinpath("data")
    for file in sorted(folder.iterdir(), key=lambda f: f.name):
        if file.name.endswith(".toml"):
            gather(tomllib.loads(file.read_text(encoding="utf-8")))
    return tuple(texts)


@st.composite
def broken_texts(draw: Draw) -> str:
    """Garbage, a soup of tokens, or real text with pieces removed, doubled, moved or replaced."""
    kind = draw(st.integers(0, 3))
    if kind == 0:
        return str(draw(st.text(max_size=60)))
    if kind == 1:
        return " ".join(draw(st.lists(st.sampled_from(_TOKENS), max_size=40)))
    text = str(draw(st.sampled_from(real_texts())))
    for _ in range(draw(st.integers(1, 4))):
        text = _broken(draw, text)
    return text


def _broken(draw: Draw, text: str) -> str:
    i = draw(st.integers(0, len(text)))
    j = min(len(text), i + draw(st.integers(0, 12)))
    match draw(st.integers(0, 4)):
        case 0:
            return text[:i] + text[j:]
        case 1:
            return text[:j] + text[i:]
        case 2:
            return text[:i] + str(draw(st.sampled_from(_TOKENS))) + text[i:]
        case 3:
            return text[:i] + str(draw(st.sampled_from(_TOKENS))) + text[j:]
        case _:
            k = draw(st.integers(0, len(text)))
            return text[:i] + text[k : k + 30] + text[j:]
