"""Matched budgets."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from runs.matching import MAX_SAMPLES, Resource, match, spend
from specgen.errors import UserError
from specgen.generators import Candidate


def maker(calls: int, tokens: int = 0, usd: float | None = None) -> Callable[[int], Candidate]:
    return lambda sample: Candidate(
        "t", "g", "x", sample, calls=calls, input_tokens=tokens, output_tokens=tokens, cost_usd=usd, model="m"
    )


def test_cheap_configurations_draw_until_they_spent_as_much() -> None:
    found = match({"one": maker(1), "four": maker(4), "three": maker(3)}, "calls")
    assert {n: len(c) for n, c in found.candidates.items()} == {"one": 4, "four": 1, "three": 1}
    assert found.budget == 4 and found.spent == {"one": 4, "four": 4, "three": 3}
    assert [c.sample for c in found.candidates["one"]] == [0, 1, 2, 3]


@pytest.mark.parametrize(("unit", "samples"), [(3, 2), (2, 3), (4, 2), (5, 1), (7, 1)])
def test_the_nearest_total_is_taken(unit: int, samples: int) -> None:
    found = match({"cheap": maker(unit), "dear": maker(7)}, "calls")
    assert len(found.candidates["cheap"]) == samples
    total = found.spent["cheap"]
    assert abs(total - 7) <= min(abs(total + unit - 7), abs(total - unit - 7) if samples > 1 else unit)


def test_tokens_count_both_ways_and_dollars_need_a_price() -> None:
    assert spend(maker(1, tokens=5)(0), "tokens") == 10
    assert spend(maker(1, usd=0.25)(0), "usd") == 0.25
    with pytest.raises(UserError, match="the price of m is not known"):
        spend(maker(1)(0), "usd")


@pytest.mark.parametrize("resource", ["calls", "tokens", "usd"])
def test_what_costs_nothing_and_what_never_ends_stop(resource: Resource) -> None:
    found = match({"free": maker(0, 0, 0.0), "dear": maker(10_000, 10_000, 1e4), "cheap": maker(1, 1, 1.0)}, resource)
    assert len(found.candidates["free"]) == 1
    assert len(found.candidates["cheap"]) == MAX_SAMPLES
