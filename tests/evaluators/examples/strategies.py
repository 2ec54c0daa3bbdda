"""Hypothesis strategies for types, as Lean text, and for plain values of a kind."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from hypothesis import strategies as st

from evaluators.examples.kinds import Kind, Plain, kind_of
from specgen.lean.engine import Program, load
from specgen.lean.environment import LeanEnv
from tests.evaluators.examples.tasks import SHAPES


@lru_cache(maxsize=1)
def program() -> Program:
    """The preamble with types of every layout, loaded under Mathlib."""
    loaded = load(SHAPES, LeanEnv(version=(4, 24, 0), imports=("Mathlib",)))
    assert loaded.report.verdict == "accepted"
    return loaded


def kind(type_text: str) -> Kind:
    """The kind of a type."""
    return kind_of(program().types, program().type(type_text))


SCALARS = ("Nat", "Int", "Bool", "Char", "String", "Rat", "Unit", "Fin 5", "UInt8", "Int8", "BitVec 4")
OWN = ("Box", "Tree", "Colour", "Row")


def type_texts(floats: bool = True) -> st.SearchStrategy[str]:
    """Types of the grammar, nested."""
    leaves = st.sampled_from([*SCALARS, *OWN, *(["Float"] if floats else [])])
    return st.recursive(
        leaves,
        lambda inner: st.one_of(
            st.tuples(st.sampled_from(["List", "Array", "Option"]), inner).map(lambda t: f"{t[0]} ({t[1]})"),
            st.tuples(inner, inner).map(lambda t: f"({t[0]}) × ({t[1]})"),
            st.tuples(inner, inner).map(lambda t: f"Sum ({t[0]}) ({t[1]})"),
            inner.map(lambda t: f"Except String ({t})"),
            inner.map(lambda t: f"Vector ({t}) 2"),
        ),
        max_leaves=4,
    )


CHARACTERS = st.characters(min_codepoint=1, max_codepoint=0x2FF) | st.sampled_from("\\\"'\n\t\x7f😀")


def values(of: Kind, depth: int = 0) -> st.SearchStrategy[Plain]:
    """Plain values of a kind."""
    match of.head:
        case "Nat":
            return st.integers(0, 50) | st.integers(0, 10**30)
        case "Int":
            return st.integers(-50, 50) | st.integers(-(10**30), 10**30)
        case "Bounded":
            return st.integers(of.low, of.high)
        case "Bool":
            return st.booleans()
        case "Char":
            return CHARACTERS
        case "String":
            return st.text(CHARACTERS, max_size=5)
        case "Rat":
            return st.fractions(min_value=-20, max_value=20, max_denominator=50).map(Fraction)
        case "Float":
            return st.floats()
        case "Unit":
            return st.just(())
        case "List" | "Array":
            return st.lists(values(of.args[0], depth + 1), max_size=4).map(tuple)
        case "Vector":
            return st.tuples(*[values(of.args[0], depth + 1)] * of.high)
        case "Option":
            return st.none() | st.tuples(values(of.args[0], depth + 1))
        case "Prod":
            return st.tuples(values(of.args[0], depth + 1), values(of.args[1], depth + 1))
        case _:
            rows = [(tag, fields) for tag, (_, fields) in enumerate(of.constructors) if depth < 3 or of not in fields]
            return st.one_of([st.tuples(st.just(t), *[values(f, depth + 1) for f in fields]) for t, fields in rows])


@st.composite
def typed_values(draw: st.DrawFn, floats: bool = True) -> tuple[str, Kind, Plain]:
    """A type, its kind, and a value of it."""
    text = draw(type_texts(floats))
    of = kind(text)
    return text, of, draw(values(of))
