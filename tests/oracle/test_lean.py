"""With the wheel: values through Lean and back, crashes, and that a planted mistake is seen."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from oracle import samples
from oracle.__main__ import main
from oracle.client import Child, Died, Unavailable, find_library
from oracle.compare import Comparison, Outcome
from oracle.types import Ty, fn
from specgen.lean.library.prims.registry import primitives
from tests.oracle.test_exchange import TYPES


@pytest.fixture(scope="module")
def child() -> Iterator[Child]:
    try:
        found = Child(find_library())
        found.has(["lean_alloc_object"])
    except Unavailable as error:
        pytest.skip(str(error))
    yield found
    found.close()


def one(child: Child, name: str) -> Outcome:
    (outcome,) = Comparison(child, seed=5, cases=40).run(lambda n: n == name)
    return outcome


@pytest.mark.parametrize("ty", [*TYPES, Ty("data", (), -1, "Unit", "unit", ((),))], ids=str)
def test_values_go_through_lean_and_back(child: Child, ty: Ty) -> None:
    rng = random.Random(11)
    values = [samples.sample(rng, ty) for _ in range(40)]
    request = {"symbol": "l_id___boxed", "params": [{"pass": "erased"}, {"pass": "value"}], "result": ty.to_json()}
    answers = child.call(request, [[[ty.to_json(), v]] for v in values])
    assert answers == [{"ok": v} for v in values]


def test_lean_calls_functions_of_python(child: Child) -> None:
    assert one(child, "List.foldl").status == "agrees"
    assert one(child, "Array.qsort").status == "agrees"
    assert one(child, "List.mapM").status == "agrees"


def test_a_crash_is_one_answer_and_the_next_call_works(child: Child) -> None:
    nat = Ty("Nat").to_json()
    request = {"symbol": "l_List_lengthTR___redArg___boxed", "params": [{"pass": "value"}], "result": nat}
    empty = [[Ty("List", (Ty("Nat"),)).to_json(), []]]
    broken = Ty("data", (), -1, "NoList", "tagged", ((), (Ty("Nat"), fn(Ty("Nat"), Ty("Nat"), Ty("Nat")))))
    not_a_list = [[broken.to_json(), [1, 5, {"fn": ["hash", 1]}]]]
    first, second, *rest = child.call(request, [empty, not_a_list, empty])
    assert first == {"ok": 0}
    assert isinstance(second, Died) and not rest
    assert one(child, "Nat.gcd").status == "agrees"


MISTAKES: list[tuple[str, Any]] = [
    ("Nat.gcd", lambda a, b: a),
    ("Int.tdiv", lambda a, b: a // b if b else 0),
    ("List.take", lambda n, xs: xs),
    ("String.capitalize", lambda s: s.capitalize()),
    ("Array.back?", lambda xs: None),
    ("Char.isAlphanum", lambda c: c.isalnum()),
]


@pytest.mark.parametrize(("name", "wrong"), MISTAKES, ids=[name for name, _ in MISTAKES])
def test_a_planted_mistake_is_seen(child: Child, name: str, wrong: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(primitives(), name, wrong)
    outcome = one(child, name)
    assert outcome.status == "differs" and outcome.differences


def test_without_the_wheel_it_says_why_and_succeeds(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("oracle.client.WHEEL", "no_such_wheel")
    assert main(["Nat.gcd"]) == 0
    assert "oracle skipped: the optional wheel no_such_wheel is not installed" in capsys.readouterr().out
