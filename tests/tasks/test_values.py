"""Values: JSON and Lean terms become exact Lean terms of the parameter's type."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specgen.lean.parser import parse_term
from specgen.tasks.values import (
    ValueFormatError,
    as_argument,
    lean_char,
    lean_string,
    lean_term,
    loads,
    parse_type,
)


@pytest.mark.parametrize(
    ("value", "type_text", "term"),
    [
        (5, "Nat", "5"),
        (-3, "Int", "-3"),
        (-3, "(Int)", "-3"),
        (True, "Bool", "true"),
        ("True", "Bool", "true"),
        ("false", "Bool", "false"),
        (True, "Prop", "True"),
        (255, "UInt8", "255"),
        (Decimal("7.5"), "Rat", "7.5"),
        (Decimal("-0.125"), "Rat", "-0.125"),
        (3, "Rat", "3"),
        (Decimal("0.1"), "Float", "0.1"),
        (0.1, "Float", "0.1"),
        (2, "Float", "2.0"),
        (Decimal("1E+30"), "Float", "1e30"),
        (Decimal("1e-40"), "Float", "1e-40"),
        (float("nan"), "Float", "0.0 / 0.0"),
        (float("-inf"), "Float", "-(1.0 / 0.0)"),
        (Decimal("4.0"), "Int", "4"),
        ("abc", "String", '"abc"'),
        ('say "hi"\\\n', "String", '"say \\"hi\\"\\\\\\n"'),
        ("[1, 2]", "String", '"[1, 2]"'),
        ("é∀\x07", "String", '"é∀\\x07"'),
        ("a", "Char", "'a'"),
        ("'a'", "Char", "'a'"),
        ("'", "Char", "'\\''"),
        ("[1, 2]", "List Nat", "[1, 2]"),
        ([1, -2], "List Int", "[1, -2]"),
        ([], "List (List Int)", "[]"),
        ([[1], []], "Array (List Int)", "#[[1], []]"),
        (["a", "b"], "List String", '["a", "b"]'),
        ([1, True], "Nat × Bool", "(1, true)"),
        ([1, "x", -2], "Nat × String × Int", '(1, "x", -2)'),
        ([1, 2], "Prod Nat Nat", "(1, 2)"),
        (None, "Option Int", "none"),
        (-1, "Option Int", "some (-1)"),
        (7, "Option Nat", "some 7"),
        ([1], "Option (List Nat)", "some [1]"),
        ({"a": 1}, "Std.HashMap String Nat", 'Std.HashMap.ofList [("a", 1)]'),
        ("⟨[(1, 10)]⟩", "Map Int Int", "⟨[(1, 10)]⟩"),
        (" fun x => x > 5 ", "Int -> Bool", "fun x => x > 5"),
        (None, "Unit", "()"),
    ],
)
def test_term(value: Any, type_text: str, term: str) -> None:
    assert lean_term(value, type_text) == term
    assert parse_term(term).term is not None


@pytest.mark.parametrize(
    ("value", "type_text"),
    [
        (-1, "Nat"),
        (-1, "Fin 3"),
        (Decimal("1.5"), "Int"),
        (True, "Nat"),
        (1, "Bool"),
        (1, "String"),
        ([1], "Nat"),
        ([1], "Nat × Nat"),
        (None, "Nat"),
        ("[1", "List Nat"),
        ("", "Nat"),
        ("   ", "List Nat"),
        ({"a": 1}, "Nat"),
        (float("inf"), "Rat"),
        ([None], "List Nat"),
    ],
)
def test_refused(value: Any, type_text: str) -> None:
    with pytest.raises(ValueFormatError, match="is not a value of type"):
        lean_term(value, type_text)


def test_json_numbers_keep_their_digits() -> None:
    value = loads('{"a": 0.1000000000000000055511151231257827, "b": 12345678901234567890123}')
    assert isinstance(value, dict)
    assert lean_term(value["a"], "Rat") == "0.1000000000000000055511151231257827"
    assert lean_term(value["b"], "Nat") == "12345678901234567890123"


@given(st.decimals(allow_nan=False, allow_infinity=False, places=None))
def test_every_decimal_is_exact(number: Decimal) -> None:
    term = lean_term(number, "Rat")
    assert Decimal(term) == number
    assert parse_term(term).term is not None


@given(st.text(max_size=20))
def test_every_string_comes_back(text: str) -> None:
    if any(0xD800 <= ord(c) <= 0xDFFF for c in text):
        return
    term = parse_term(lean_string(text)).term
    assert getattr(term, "value", None) == text


@given(st.characters(exclude_categories=["Cs"]))
def test_every_character_comes_back(char: str) -> None:
    assert getattr(parse_term(lean_char(char)).term, "value", None) == char


@pytest.mark.parametrize(
    ("term", "argument"),
    [
        ("5", "5"),
        ("-5", "(-5)"),
        ("1.5", "1.5"),
        ("xs.length", "xs.length"),
        ("[1]", "[1]"),
        ("[1] ++ [2]", "([1] ++ [2])"),
        ("#[1]", "#[1]"),
        ("(1)", "(1)"),
        ("(1) + (2)", "((1) + (2))"),
        ('"a b"', '"a b"'),
        ('"a" ++ "b"', '("a" ++ "b")'),
        ("'('", "'('"),
        ("some 2", "(some 2)"),
        ("fun x => x", "(fun x => x)"),
    ],
)
def test_as_argument(term: str, argument: str) -> None:
    assert as_argument(term) == argument


def test_types() -> None:
    tree = parse_type("List (Prod Int (Option Nat)) → Bool")
    assert (tree.head, tree.args[0].head, tree.args[0].args[0].head) == ("→", "List", "×")
    assert parse_type("((Int × Bool))").head == "×"
    assert parse_type("A × B × C").args[1].head == "×"


def test_names_of_special_floats_in_data_become_terms() -> None:
    assert lean_term("[Float.nan, 1.0, -Float.inf]", "List Float") == "[(0.0 / 0.0), 1.0, -(1.0 / 0.0)]"
    assert lean_term("Float.nan", "String") == '"Float.nan"'
