"""Shapes of inputs: what the examples have in common is kept, and nothing is made that they do not show."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluators.examples.inputs import InputSpace
from evaluators.examples.kinds import Kind, Plain
from evaluators.examples.shapes import Caution, Shape, Structure, alphabet, diagonal, structure
from tests.evaluators.examples.strategies import kind, type_texts, values


@settings(max_examples=40, deadline=None)
@given(type_texts(), st.booleans(), st.data())
def test_what_is_drawn_and_listed_is_in_the_type(type_text: str, strict: bool, data: st.DataObject) -> None:
    of = kind(type_text)
    seen = data.draw(st.lists(values(of), min_size=1, max_size=4))
    shape = Shape(of, seen, Caution(strict, strict))
    rng = Random(0)
    for _ in range(10):
        assert of.admits(shape.sample(rng))
    small = shape.small(12)
    assert len(small) <= 12
    assert all(of.admits(v) and shape.conforms(v) for v in small)
    assert [Shape(of, seen, Caution(strict, strict)).sample(Random(5))] == [shape.sample(Random(5))] or "nan" in repr(
        seen
    )


@pytest.mark.parametrize(
    ("seen", "expected"),
    [
        ([(1, 2, 5), (0, 4, 9)], Structure(rising=True, distinct=True)),
        ([(1, 2, 2), (0, 4, 9)], Structure(rising=True)),
        ([(9, 3, 1), (5, 2, 0)], Structure(falling=True, distinct=True)),
        ([(2, 1, 3), (1, 2, 4, 3)], Structure(distinct=True, permutation=1)),
        ([(2, 0, 1), (1, 0)], Structure()),
        ([(1, 5, 1), (4, 2, 2)], Structure()),
        ([(7, 7, 7), (7, 7, 7)], Structure()),
    ],
)
def test_structure_of_lists_of_numbers(seen: list[Plain], expected: Structure) -> None:
    assert structure(kind("List Nat"), seen) == expected


def test_rows_of_equal_length() -> None:
    seen = [((1, 2), (3, 4), (1, 1)), ((1,), (5,), (2,))]
    shape = Shape(kind("List (List Nat)"), seen)
    assert shape.structure.rectangular
    drawn = [shape.sample(Random(i)) for i in range(40)]
    assert all(len({len(row) for row in v}) <= 1 for v in drawn)
    assert any(len(v) > 1 for v in drawn)


@pytest.mark.parametrize("seen", [[(1, 2, 5), (0, 4, 9)], [(9, 3, 3), (5, 2, 0)], [(2, 1, 3), (1, 2, 4, 3)]])
def test_drawn_lists_keep_the_structure(seen: list[Plain]) -> None:
    shape = Shape(kind("List Nat"), seen)
    drawn = [shape.sample(Random(i)) for i in range(60)]
    assert all(shape.conforms(v) for v in drawn)
    assert len(set(drawn)) > 10


@pytest.mark.parametrize(
    ("seen", "kept", "broken"),
    [
        ([(2, 1, 5), (4, 9, 0)], (7, 3), (7, 3, 7)),
        ([(1, 2, 2), (0, 4, 9)], (3, 3), (3, 1)),
        ([(9, 3, 3), (5, 2, 0)], (3, 3), (1, 3)),
        ([(2, 1, 3), (1, 2, 4, 3)], (2, 1), (1, 3)),
    ],
)
def test_lists_without_the_structure_do_not_conform(seen: list[Plain], kept: Plain, broken: Plain) -> None:
    shape = Shape(kind("List Nat"), seen)
    assert shape.conforms(kept)
    assert not shape.conforms(broken)


def test_signs_and_characters_are_those_seen() -> None:
    numbers = Shape(kind("Int"), [3, 8, 12])
    assert all(numbers.sample(Random(i)) >= 0 for i in range(100))
    assert not numbers.conforms(-1)
    assert Shape(kind("Int"), [3, -8]).conforms(-1)
    bits = Shape(kind("String"), ["0101", "11"])
    assert set("".join(bits.sample(Random(i)) for i in range(50))) == {"0", "1"}
    assert not bits.conforms("012")


def test_more_than_three_of_a_class_stand_for_the_class() -> None:
    assert set(alphabet("abcd")) == set("abcdefghijklmnopqrstuvwxyz")
    assert set(alphabet("abc ")) == set("abc ")


def test_a_strict_shape_does_not_leave_what_was_seen() -> None:
    seen = [(4, 9), (5, 6, 7)]
    loose, strict = Shape(kind("List Nat"), seen), Shape(kind("List Nat"), seen, Caution(ranges=True))
    assert loose.conforms(()) and not strict.conforms(())
    assert loose.conforms((0, 1)) and not strict.conforms((0, 1))
    assert strict.conforms((4, 8))
    assert strict.small(5) == [] or all(4 <= x <= 9 for v in strict.small(5) for x in v)


def test_a_format_that_we_do_not_know_is_not_drawn() -> None:
    seen = ["12-31", "02-28"]
    dates = Shape(kind("String"), seen, Caution(formats=True))
    assert {dates.sample(Random(i)) for i in range(20)} == set(seen) == set(dates.small(9))
    assert not dates.conforms("1-12")
    assert Shape(kind("String"), seen).conforms("1-12")
    for plain_text in ("abAB", "0110"):
        assert not Shape(kind("String"), [plain_text], Caution(formats=True)).formatted


def test_small_values_come_smallest_first() -> None:
    assert Shape(kind("Nat"), [100]).small(4) == [0, 1, 2, 3]
    assert Shape(kind("Int"), [-5, 5]).small(4) == [0, 1, -1, 2]
    assert Shape(kind("Bool"), [True]).small(9) == [False, True]
    assert Shape(kind("Option Nat"), [(3,)]).small(3) == [None, (0,), (1,)]
    assert Shape(kind("List Bool"), [(True,)]).small(4) == [(), (False,), (True,), (False, False)]


def test_diagonal_takes_small_sums_first() -> None:
    assert list(diagonal([[0, 1], [0, 1], [0]])) == [(0, 0, 0), (0, 1, 0), (1, 0, 0), (1, 1, 0)]
    assert list(diagonal([[0], []])) == []
    assert list(diagonal([])) == [()]


def space(types: list[str], examples: list[tuple[Plain, ...]]) -> InputSpace:
    """The inputs of parameters of some types."""
    return InputSpace([kind(t) for t in types], examples)


def test_further_inputs_come_from_every_source_and_conform() -> None:
    inputs = space(["List Nat", "Nat"], [((4, 5, 6), 1), ((2, 2), 0), ((9, 1, 3, 3), 2)])
    found = list(inputs.further(Random(0)))
    assert {origin for origin, *_ in found} == {"small", "perturbed", "recombined", "shaped"}
    assert all(inputs.conforms(x) for *_, x in found)
    assert list(inputs.further(Random(0))) == found


def test_lengths_that_were_always_equal_stay_equal() -> None:
    inputs = space(["List Nat", "Array Nat"], [((1, 2), (3, 9)), ((5,), (1,)), ((), ()), ((4, 1, 1), (0, 7, 2))])
    assert inputs.tied == [(0, 1)]
    found = [x for _, _, _, x in inputs.further(Random(0))]
    assert len(found) > 20
    assert all(len(x[0]) == len(x[1]) for x in found)


def test_two_lengths_that_agree_by_chance_are_not_tied() -> None:
    assert space(["List Nat", "List Nat"], [((1, 2), (3, 9)), ((5, 1), (1, 1))]).tied == []


def test_inputs_outside_change_one_parameter_to_a_boundary() -> None:
    inputs = space(["List Nat", "Nat", "Nat"], [((4, 5, 6), 1, 2)])
    found = {x for _, _, _, x in inputs.outside(Random(0))}
    assert {((), 1, 2), ((4, 5, 6), 3, 2), ((4, 5, 6), 0, 2), ((4, 5, 6), 2, 1), ((4, 6, 5), 1, 2)} <= found
    assert ((4, 5, 6), 1, 2) not in found
    assert all(n >= 0 for _, i, j in found for n in (i, j))


def test_an_opaque_parameter_is_lent_by_an_example() -> None:
    inputs = space(["Nat → Nat", "Nat"], [(None, 3), (None, 8)])
    found = list(inputs.further(Random(0)))
    assert found
    assert all(at >= 0 and x[0] is None for _, _, at, x in found)


def test_without_examples_there_are_no_inputs() -> None:
    assert list(space(["Nat"], []).further(Random(0))) == []
    assert list(space(["Nat"], []).outside(Random(0))) == []


def test_a_kind_of_which_nothing_is_known_raises() -> None:
    with pytest.raises(LookupError):
        Shape(Kind("Data", name="nothing", table={"nothing": ()}), []).sample(Random(0))
