"""The operations built into compiled code agree with the primitives of the same name."""

from __future__ import annotations

import inspect
import itertools
from typing import Any

import pytest

from specgen.lean.eval.inline import INLINE
from specgen.lean.eval.nodes import constant, slot
from specgen.lean.library.prims.registry import primitives

NATURALS = [0, 1, 2, 3, 7, 10, 255, 10**30]
INTEGERS = [0, 1, -1, 2, -2, 3, -3, 7, -7, 10, -10, 10**30, -(10**30)]
CHARS = ["a", "b", "A", "\0", "é", "\U0001f600"]


def samples(name: str) -> list[Any]:
    return NATURALS if name.startswith("Nat.") else INTEGERS if name.startswith("Int.") else CHARS


@pytest.mark.parametrize("name", sorted(INLINE))
def test_agrees_with_the_primitive(name: str) -> None:
    primitive = primitives().get(name)
    if primitive is None:
        pytest.skip("a constructor, which has no primitive")
    arity = len(inspect.signature(INLINE[name]).parameters)
    values = NATURALS if name == "Int.ofNat" else samples(name)
    for row in itertools.product(values, repeat=arity):
        expected = primitive(*row)
        by_slots = INLINE[name](*[slot(i) for i in range(arity)])
        assert by_slots(list(row)) == expected, row
        by_constants = INLINE[name](*[constant(v) for v in row])
        assert by_constants([]) == expected, row
        if arity == 2:
            assert INLINE[name](slot(0), constant(row[1]))([row[0]]) == expected, row
            assert INLINE[name](constant(row[0]), slot(0))([row[1]]) == expected, row
