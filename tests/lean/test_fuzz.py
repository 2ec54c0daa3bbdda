"""The properties of `fuzz/` on a few inputs, the same ones every time; `make fuzz` tries fresh ones for long."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from fuzz.checks import CHECKS
from fuzz.linear import decide
from fuzz.properties import quantifier_rules_agree_with_z3
from tests.lean.direct import Node, euclid, lean, truth, value

FEW = settings(
    max_examples=25,
    deadline=None,
    database=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
    phases=(Phase.generate,),
)


@pytest.mark.filterwarnings("ignore:The recursion limit will not be reset")
@pytest.mark.parametrize(("prove", "strategy"), CHECKS.values(), ids=list(CHECKS))
def test_properties(prove: Callable[[Any], None], strategy: st.SearchStrategy[Any]) -> None:
    def run(example: Any) -> None:
        prove(example)

    FEW(given(strategy)(run))()


def _nat(n: int) -> Node:
    return Node("lit", "Nat", (), n)


def test_the_direct_evaluator_by_hand() -> None:
    assert euclid(-5, 2) == (-3, 1)
    assert euclid(5, -2) == (-2, 1)
    assert euclid(5, 0) == (0, 5)
    x = Node("var", "Nat", (), "x")
    body = Node("lt", "Prop", (Node("sub", "Nat", (x, _nat(3))), _nat(2)))
    assert value(Node("sub", "Nat", (_nat(2), _nat(3))), {}) == 0
    assert truth(Node("all_span", "Prop", (_nat(5), body), "x"), {}) is True
    assert truth(Node("all_nat", "Prop", (body,), "x"), {}) is False
    assert truth(Node("some_nat", "Prop", (Node("False", "Prop"),), "x"), {}) is None


def test_text_has_the_parentheses_that_it_needs_and_no_others() -> None:
    a, b = _nat(1), _nat(2)
    minus = Node("sub", "Nat", (a, Node("sub", "Nat", (a, b))))
    assert lean(minus) == "1 - (1 - 2)"
    assert lean(Node("mul", "Nat", (Node("add", "Nat", (a, b)), b))) == "(1 + 2) * 2"
    negated = Node("not", "Prop", (Node("eq", "Prop", (a, b)),))
    assert lean(Node("and", "Prop", (negated, negated))) == "¬1 = 2 ∧ ¬1 = 2"
    mixed = Node("sub", "Int", (Node("cast", "Int", (a,)), Node("var", "Int", (), "i")))
    assert lean(mixed) == "1 - i"


def test_z3_by_hand() -> None:
    k = Node("var", "Nat", (), "k")
    formula = Node("some_nat", "Prop", (Node("lt", "Prop", (k, _nat(0))),), "k")
    assert decide(formula) is False
    quantifier_rules_agree_with_z3(formula)
