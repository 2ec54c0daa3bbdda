"""Candidates cannot harm the run: what exhausts a limit is unknown, and the rest goes on."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from evaluators.isolation import Confinement, IsolatedChecker, make_checker
from evaluators.scoring import score
from specgen.lean.engine import EvalLimits
from tests.evaluators.contracts import LARGER, fields

BOUNDLESS = EvalLimits(fuel=10**15, cells=10**15, wall_s=10_000.0)
"""Limits that the engine itself would never reach, so that only the confinement can stop a check."""


@pytest.fixture(scope="module")
def confined() -> Iterator[IsolatedChecker]:
    with IsolatedChecker(BOUNDLESS, Confinement(memory_mb=256, check_wall_s=0.2, workers=1)) as checker:
        yield checker


def test_a_confined_check_gives_what_an_unconfined_one_gives() -> None:
    with make_checker(isolate=True) as confined, make_checker(isolate=False) as open_checker:
        for candidate in (fields("result > x"), fields("result >= x", "x > 0"), fields("result +"), fields("sorry")):
            ours, theirs = score(LARGER, candidate, confined), score(LARGER, candidate, open_checker)
            assert [(e.metric, e.status, e.value) for e in ours.evidence] == [
                (e.metric, e.status, e.value) for e in theirs.evidence
            ]


def test_a_check_that_does_not_end_is_unknown_and_the_others_are_decided(confined: IsolatedChecker) -> None:
    hang = "(x = 1 → ((List.range 100000000).foldl (fun a i => (a + i) % 7) 0) < 9) ∧ result > x"
    s = score(LARGER, fields(hang), confined)
    assert s.outcome == "well_formed"
    outcomes = {c.item: c.whole for c in s.checks.accepted}
    assert [outcomes[f"accepted[{i}]"].outcome for i in range(4)] == ["holds"] * 4
    assert outcomes["accepted[4]"].outcome == "unknown"
    assert s.get("R+").value is None
    assert s.get("R+").lower == pytest.approx(4 / 6)


def test_a_check_that_eats_memory_is_unknown(confined: IsolatedChecker) -> None:
    s = score(LARGER, fields("(List.replicate 400000000 x).length > 0 ∧ result > x"), confined)
    assert s.outcome == "well_formed"
    kinds = {c.whole.kind for c in s.checks.accepted}
    assert kinds <= {"memory", "timeout"}
    assert s.get("R+").value is None


@pytest.mark.parametrize(
    "postcond",
    [
        "(" * 100_000,
        "result > x " * 20_000,
        "10 ^ 10 ^ 10 > x",
        "\x00",
        "result > x \u202e\u2066",
        "𝕏" * 5000,
        "\udc80",
    ],
)
def test_hostile_text_ends_in_a_verdict(postcond: str) -> None:
    with make_checker(isolate=True) as checker:
        s = score(LARGER, fields(postcond), checker)
        assert s.outcome in {"not_well_formed", "unsupported", "well_formed"}
        after = score(LARGER, fields("result > x"), checker)
    assert after.get("pass").value == 1.0
