"""Persistent containers, keys and equality."""

from __future__ import annotations

import random

import pytest

from specgen.lean.eval.runtime import Unknown
from specgen.lean.eval.values import Arr, Finset, HashMap, Multiset, TreeMap, equal, from_list, key, to_list


def test_long_lists_are_compared_and_keyed_without_recursion() -> None:
    a, b = to_list(range(100_000)), to_list(list(range(100_000)))
    assert equal(a, b)
    assert key(a) == key(b)
    assert not equal(a, to_list(range(99_999)))


def test_deep_left_nesting_is_compared_without_recursion() -> None:
    a: object = 0
    b: object = 0
    for i in range(100_000):
        a, b = (a, i), (b, i)
    assert equal(a, b)


@pytest.mark.parametrize("seed", range(20))
def test_every_version_of_an_array_stays_as_it_was(seed: int) -> None:
    rng = random.Random(seed)
    versions: list[tuple[Arr, list[int]]] = [(Arr([]), [])]
    for step in range(200):
        array, model = versions[-1] if rng.random() < 0.7 else rng.choice(versions)
        model = list(model)
        match rng.randrange(3):
            case 0:
                array = array.push(step)
                model.append(step)
            case 1 if model:
                i = rng.randrange(len(model))
                array = array.set(i, -step)
                model[i] = -step
            case _:
                array = array.pop()
                model = model[:-1]
        versions.append((array, model))
    rng.shuffle(versions)
    for array, model in versions:
        assert array.tolist() == model
        assert len(array) == len(model)


def test_array_index_out_of_range_is_an_error() -> None:
    array = Arr([1, 2])
    shorter = array.pop()
    assert array[1] == 2
    with pytest.raises(IndexError):
        shorter[1]
    with pytest.raises(IndexError):
        array.set(2, 0)


@pytest.mark.parametrize("seed", range(10))
def test_every_version_of_a_map_stays_as_it_was(seed: int) -> None:
    rng = random.Random(seed)
    versions: list[tuple[HashMap, dict[int, int]]] = [(HashMap(), {})]
    for step in range(150):
        found, model = versions[-1] if rng.random() < 0.7 else rng.choice(versions)
        model = dict(model)
        k = rng.randrange(12)
        if rng.random() < 0.6:
            found = found.insert(k, step)
            model[k] = step
        else:
            found = found.erase(k)
            model.pop(k, None)
        versions.append((found, model))
    rng.shuffle(versions)
    for found, model in versions:
        assert dict(found.items()) == model
        assert found.get(3) == ((model[3],) if 3 in model else None)


def test_multisets_and_finsets_forget_order() -> None:
    assert Multiset.of([1, 2, 1]) == Multiset.of([1, 1, 2])
    assert Multiset.of([1, 2]) != Multiset.of([1, 2, 2])
    assert Finset.of([1, 2, 1]) == Finset.of([2, 1])
    assert key(Multiset.of([1, 2])) != key(Finset.of([1, 2]))


def test_tree_map_keeps_order() -> None:
    def compare(a: int) -> object:
        return lambda b: 0 if a < b else 1 if a == b else 2

    found = TreeMap([])
    for k in (3, 1, 2, 1):
        found = found.insert(compare, k, k * k)  # type: ignore[arg-type]
    assert found.entries == [(1, 1), (2, 4), (3, 9)]
    assert found.erase(compare, 2).entries == [(1, 1), (3, 9)]  # type: ignore[arg-type]


def test_equality_of_functions_and_floats_is_unknown_unless_a_difference_decides() -> None:
    def f(x: object) -> object:
        return x

    def g(x: object) -> object:
        return x

    assert equal((f, 1), (f, 1))
    with pytest.raises(Unknown):
        equal((f, 1), (g, 1))
    assert not equal((f, 1), (g, 2))
    with pytest.raises(Unknown):
        equal((1.0, ()), (float("1.0"), ()))


def test_lists_round_trip() -> None:
    assert from_list(to_list([1, 2, 3])) == [1, 2, 3]
    assert to_list([]) == ()
