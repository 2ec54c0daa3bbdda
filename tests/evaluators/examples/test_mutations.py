"""Mutations of values by type: in the type, never the value itself, the same for the same seed, of every operator."""

from __future__ import annotations

import math
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluators.examples.kinds import Kind, Plain, show
from evaluators.examples.mutations import NEAR, Mutation, borrowed, in_turns, mutations
from evaluators.examples.pool import Pool, pool_of, simplest
from tests.evaluators.examples.strategies import kind, program, typed_values, values


def made(type_text: str, value: Plain, pool: Pool | None = None, seed: int = 0) -> dict[str, list[Plain]]:
    """Mutations by operator."""
    out: dict[str, list[Plain]] = {}
    for m in mutations(kind(type_text), value, Random(seed), pool or Pool()):
        out.setdefault(m.operator, []).append(m.value)
    return out


@settings(max_examples=80, deadline=None)
@given(typed_values(), st.integers(0, 3), st.data())
def test_mutations_stay_in_the_type_differ_and_are_the_same_again(
    drawn: tuple[str, Kind, Plain], seed: int, data: st.DataObject
) -> None:
    type_text, of, value = drawn
    pool = pool_of([(of, data.draw(values(of))), (of, value)])
    found = mutations(of, value, Random(seed), pool)
    texts = [show(of, m.value) for m in found]
    assert show(of, value) not in texts
    assert len(set(texts)) == len(texts)
    assert all(of.admits(m.value) for m in found)
    for text in texts[:6]:
        program().read(text, type_text)
    assert mutations(of, value, Random(seed), pool) == found or "nan" in repr(found)


@settings(max_examples=60, deadline=None)
@given(typed_values())
def test_every_type_with_two_values_has_a_mutation(drawn: tuple[str, Kind, Plain]) -> None:
    type_text, of, value = drawn
    single = all(part in ("Unit", "×", "(", ")", " ", "Vector", "2") for part in type_text.replace("(", " ").split())
    stripped = type_text.replace("Unit", "").replace("Vector", "").strip("()× 2")
    if stripped and not single:
        assert mutations(of, value, Random(0), Pool())


@pytest.mark.parametrize(
    ("type_text", "value", "operator", "expected"),
    [
        ("Nat", 4, "plus one", [5]),
        ("Nat", 4, "minus one", [3]),
        ("Int", 3, "negated", [-3]),
        ("Int", 3, "doubled", [6]),
        ("Int", 5, "zero", [0]),
        ("Bool", True, "flipped", [False]),
        ("Char", "b", "next character", ["c"]),
        ("Char", "b", "other case", ["B"]),
        ("Rat", Fraction(3, 4), "inverted", [Fraction(4, 3)]),
        ("Float", 2.0, "slightly more", [2.000002]),
        ("String", "abc", "drop first", ["bc"]),
        ("String", "abc", "reverse", ["cba"]),
        ("String", "abc", "upper case", ["ABC"]),
        ("String", "abc", "empty", [""]),
        ("String", " a", "without outer spaces", ["a"]),
        ("List Nat", (3, 1, 2), "drop last", [(3, 1)]),
        ("List Nat", (3, 1, 2), "drop from the middle", [(3, 2)]),
        ("List Nat", (3, 1, 2), "reverse", [(2, 1, 3)]),
        ("List Nat", (3, 1, 2), "sort", [(1, 2, 3)]),
        ("List Nat", (3, 1, 1, 2), "without repetitions", [(3, 1, 2)]),
        ("Array Nat", (3, 1), "swap neighbours", [(1, 3)]),
        ("List Nat", (1,), "duplicate", [(1, 1)]),
        ("List Nat", (5,), "element: plus one", [(6,)]),
        ("List (List Nat)", ((5,),), "element: duplicate", [((5, 5),)]),
        ("Option Nat", (4,), "none", [None]),
        ("Option Nat", (4,), "inside: plus one", [(5,)]),
        ("Option Nat", None, "some instead of none", [(0,)]),
        ("Nat × Nat", (1, 2), "swap components", [(2, 1)]),
        ("Nat × Bool", (1, True), "second: flipped", [(1, False)]),
        ("Nat × Nat × Bool", (1, (2, True)), "swap components", [(2, (1, True))]),
        ("Sum Nat Nat", (0, 3), "other constructor", [(1, 3)]),
        ("Except String Nat", (1, 3), "other constructor", [(0, "")]),
        ("Colour", (0,), "other constructor", [(1,), (2,)]),
        ("Box", (0, 2, ()), "field 1: plus one", [(0, 3, ())]),
        ("Tree", (1, (0,), 5, (1, (0,), 7, (0,))), "swap fields", [(1, (1, (0,), 7, (0,)), 5, (0,))]),
        ("Tree", (1, (0,), 5, (0,)), "only a part", [(0,)]),
        ("Fin 5", 4, "minus one", [3]),
        ("UInt8", 255, "minus one", [254]),
    ],
)
def test_operators(type_text: str, value: Plain, operator: str, expected: list[Plain]) -> None:
    # A value that several operators make is kept under the first of them.
    found = made(type_text, value)
    everything = [v for rows in found.values() for v in rows]
    assert all(v in everything for v in expected)
    assert found.get(operator, expected)[: len(expected)] == expected


@pytest.mark.parametrize(
    ("type_text", "value", "never"),
    [("Nat", 0, -1), ("Fin 5", 4, 5), ("UInt8", 255, 256), ("Int8", -128, -129), ("Vector Nat 1", (3,), ())],
)
def test_values_out_of_range_are_not_made(type_text: str, value: Plain, never: Plain) -> None:
    assert never not in [v for rows in made(type_text, value).values() for v in rows]


def test_unit_has_no_mutation() -> None:
    assert made("Unit", ()) == {}
    assert made("List Unit", ((),))  # its length can change


def test_a_float_becomes_not_a_number() -> None:
    assert math.isnan(made("Float", 1.5)["not a number"][0])


def test_another_element_comes_from_the_pool() -> None:
    pool = pool_of([(kind("List Nat"), (7, 8))])
    assert set(made("List Nat", (7,), pool)["append"]) == {(7, 8)}


def test_near_mutations_come_first_and_operators_take_turns() -> None:
    found = mutations(kind("List Nat"), (4, 2, 9, 2), Random(1), pool_of([(kind("Nat"), 5)]))
    ordered = in_turns(found, Random(2))
    assert sorted(map(repr, ordered)) == sorted(map(repr, found))
    assert ordered[0].distance == NEAR
    first = ordered[:8]
    assert len({m.operator for m in first}) == len(first)
    assert in_turns(found, Random(2)) == ordered


def test_in_turns_keeps_every_mutation_of_one_operator() -> None:
    found = [Mutation("plus one", NEAR, n) for n in range(5)]
    assert in_turns(found, Random(0)) == found
    assert in_turns([], Random(0)) == []


def test_borrowed_values_are_outputs_parts_of_the_input_and_lengths() -> None:
    found = borrowed(kind("Nat"), 3, [9, 3, 4], [(kind("List Int"), (-2, 6, 7, 7)), (kind("Nat"), 11)])
    values_of = {
        operator: {m.value for m in found if m.operator == operator} for operator in {m.operator for m in found}
    }
    assert values_of == {"from the input": {6, 7, 11}, "another's output": {9}, "a length": {4}}


def test_a_list_is_borrowed_for_an_array() -> None:
    found = borrowed(kind("Array Nat"), (1,), [], [(kind("List Nat"), (2, 3))])
    assert [m.value for m in found] == [(2, 3)]


def test_an_opaque_input_lends_nothing() -> None:
    assert borrowed(kind("Nat"), 3, [], [(kind("Nat → Nat"), None)]) == []


@pytest.mark.parametrize(
    "type_text", ["Nat", "Rat", "Box", "Tree", "Vector (Fin 3) 2", "Nat × Colour", "Except String Nat"]
)
def test_simplest_values_are_of_the_type(type_text: str) -> None:
    of = kind(type_text)
    found = simplest(of)
    assert found is not None
    program().read(show(of, found[0]), type_text)
