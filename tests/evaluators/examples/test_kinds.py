"""Kinds of values: what a type is made of, and that the text of a value reads back as it."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given, settings

from evaluators.examples.kinds import Kind, Plain, engine_data, plain, show
from specgen.lean.engine import Value
from tests.evaluators.examples.strategies import kind, program, typed_values


@settings(max_examples=60, deadline=None)
@given(typed_values())
def test_the_text_of_a_value_reads_back_as_the_same_value(drawn: tuple[str, Kind, Plain]) -> None:
    type_text, of, value = drawn
    text = show(of, value)
    read = program().read(text, type_text)
    assert show(of, plain(of, read.data)) == text
    assert of.admits(value)


@settings(max_examples=60, deadline=None)
@given(typed_values(floats=False))
def test_a_plain_value_and_the_engines_say_the_same(drawn: tuple[str, Kind, Plain]) -> None:
    type_text, of, value = drawn
    data = engine_data(of, value)
    assert plain(of, data) == value
    printed = program().text(Value(program().type(type_text), data))
    assert plain(of, program().read(printed, type_text).data) == value


@pytest.mark.parametrize(
    ("type_text", "value", "text"),
    [
        ("Int", -3, "-3"),
        ("Option Int", (-3,), "some (-3)"),
        ("Option (Option Nat)", ((2,),), "some (some 2)"),
        ("Nat × Int × Bool", (1, (-2, True)), "(1, -2, true)"),
        ("(Nat × Nat) × Nat", ((1, 2), 3), "((1, 2), 3)"),
        ("Rat", Fraction(-1, 2), "-1 / 2"),
        ("Option Rat", (Fraction(1, 2),), "some (1 / 2)"),
        ("Float", 0.1, "0.1"),
        ("Float", 1e30, "1000000000000000000000000000000.0"),
        ("Float", math.nan, "(0.0 / 0.0)"),
        ("Float", -math.inf, "(-1.0 / 0.0)"),
        ("Array Char", ("a", "'"), "#['a', '\\'']"),
        ("Vector Nat 2", (1, 2), "#v[1, 2]"),
        ("Box", (0, 3, ("a",)), 'Box.mk 3 ["a"]'),
        ("Tree", (1, (0,), -1, (0,)), "Tree.node Tree.leaf (-1) Tree.leaf"),
        ("Option Colour", ((2,),), "some Colour.blue"),
        ("Sum Nat String", (1, "x"), 'Sum.inr "x"'),
        ("Row", (1, 2), "[1, 2]"),
    ],
)
def test_values_in_lean_notation(type_text: str, value: Plain, text: str) -> None:
    of = kind(type_text)
    assert show(of, value) == text
    assert plain(of, program().read(text, type_text).data) == value or value != value


@pytest.mark.parametrize(
    "type_text", ["Nat → Nat", "List (Int → Bool)", "Bounded", "Std.HashMap Nat Nat", "Finset Nat"]
)
def test_what_cannot_be_taken_apart_is_opaque_and_says_why(type_text: str) -> None:
    assert kind(type_text).opaque()


def test_a_type_in_its_own_fields_is_not_opaque() -> None:
    tree = kind("List Tree")
    assert tree.opaque() == ""
    assert tree.args[0].constructors[1][1][0] == tree.args[0]


@pytest.mark.parametrize(
    ("type_text", "value", "admitted"),
    [
        ("Nat", -1, False),
        ("List (Option Nat)", ((1,), (-1,)), False),
        ("Fin 5", 5, False),
        ("Fin 5", 4, True),
        ("UInt8", 256, False),
        ("Int8", -128, True),
        ("Int8", 128, False),
        ("BitVec 4", 15, True),
        ("BitVec 4", 16, False),
        ("Vector Nat 2", (1,), False),
        ("Box", (0, -1, ()), False),
    ],
)
def test_ranges(type_text: str, value: Plain, admitted: bool) -> None:
    assert kind(type_text).admits(value) is admitted
