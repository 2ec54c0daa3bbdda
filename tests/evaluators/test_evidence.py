"""Evidence never passes off "not measured" as zero."""

from __future__ import annotations

import pytest

from evaluators.evidence import Evidence, ItemOutcome, from_record, ratio


def outcomes(text: str) -> list[ItemOutcome]:
    """h holds, f fails, u unknown (undecided), t unknown (timeout), s unknown (unsupported)."""
    kinds = {"u": "undecided", "t": "timeout", "s": "unsupported"}
    names = {"h": "holds", "f": "fails"}
    return [
        ItemOutcome(f"accepted[{i}]", names.get(c, "unknown"), kinds.get(c, ""))  # type: ignore[arg-type]
        for i, c in enumerate(text)
    ]


def measure(text: str) -> Evidence:
    return ratio("R+", outcomes(text), "holds", noun="accepted pairs", evaluator="e", version="1")


def test_all_decided_has_a_value_and_counts() -> None:
    e = measure("hhfh")
    assert (e.status, e.value, e.numerator, e.denominator, e.unknown) == ("observed", 0.75, 3, 4, 0)
    assert e.scope == "finite(4 accepted pairs)"


@pytest.mark.parametrize(
    ("text", "status", "lower", "upper"),
    [
        ("hfu", "inconclusive", 1 / 3, 2 / 3),
        ("hft", "timeout", 1 / 3, 2 / 3),
        ("hss", "unsupported", 1 / 3, 1.0),
        ("ust", "inconclusive", 0.0, 1.0),
    ],
)
def test_unknown_outcomes_leave_an_interval_and_no_value(text: str, status: str, lower: float, upper: float) -> None:
    e = measure(text)
    assert e.status == status
    assert e.value is None
    assert e.lower == pytest.approx(lower)
    assert e.upper == pytest.approx(upper)
    assert "unknown" in e.message


def test_no_items_is_not_applicable_not_zero() -> None:
    e = measure("")
    assert (e.status, e.value, e.lower) == ("not_applicable", None, None)


def test_a_value_goes_with_observed_only() -> None:
    with pytest.raises(ValueError, match="observed"):
        Evidence("R+", "timeout", value=0.0)
    with pytest.raises(ValueError, match="observed"):
        Evidence("R+", "observed")
    with pytest.raises(ValueError, match="outside"):
        Evidence("R+", "observed", value=1.5)
    with pytest.raises(ValueError, match="status"):
        Evidence("R+", "failed")  # type: ignore[arg-type]


def test_records_round_trip() -> None:
    import json

    e = measure("hfu")
    assert from_record(json.loads(json.dumps(e.as_record()))) == e
