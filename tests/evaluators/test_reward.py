"""Rewards: named ones, thresholds, sums, gates, and the rule for what is not available."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluators.evidence import Evidence
from evaluators.reward import FEEDBACK_KINDS, METRICS, NAMED, Definition, Gate, RewardSpec, make_reward, reward
from specgen.errors import UserError

Given = float | tuple[float, float] | None


def evidence(values: Mapping[str, Given]) -> list[Evidence]:
    """A number is an observed value, a pair an interval, None nothing."""
    out = [Evidence("verifier_grade", "observed", 1.0, 1.0, 1.0)] if "verifier_grade" not in values else []
    for metric, v in values.items():
        if v is None:
            out.append(Evidence(metric, "unsupported"))
        elif isinstance(v, tuple):
            out.append(Evidence(metric, "inconclusive", None, *v))
        else:
            out.append(Evidence(metric, "observed", v, v, v))
    return out


@pytest.mark.parametrize("name", [*NAMED, "post-harness@0.5", "post-harness@1", "post-harness@1.0"])
def test_every_named_reward_has_known_parts_and_feedback(name: str) -> None:
    spec = make_reward(name)
    assert spec.name == name and spec.feedback
    assert all(p in METRICS or p == name for p in spec.weights)
    perfect = dict.fromkeys(METRICS, 1.0)
    assert reward(spec, evidence(perfect)).value == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("plus", "minus", "value"),
    [
        (0.8, 0.5, 1.0),
        (0.8, 0.4, 0.0),
        ((0.5, 0.9), 0.7, 1.0),
        ((0.4, 0.9), 0.7, None),
        ((0.4, 0.9), 0.1, 0.0),
        (None, 0.9, None),
    ],
)
def test_a_harness_threshold_is_decided_where_unknown_outcomes_cannot_change_it(
    plus: Given, minus: Given, value: float | None
) -> None:
    assert reward(make_reward("post-harness@0.5"), evidence({"R+": plus, "R-": minus})).value == value


def test_an_undecided_threshold_counts_as_its_lower_end_by_that_rule() -> None:
    spec = make_reward("post-harness@0.5", unavailable="lower")
    assert reward(spec, evidence({"R+": (0.4, 0.9), "R-": 0.7})).value == 0.0


def test_a_sum_of_named_rewards_and_metrics() -> None:
    own = {"mine": Definition({"verifier": 1.0, "adequacy": 2.0, "gted": 1.0})}
    spec = make_reward("mine", definitions=own)
    assert spec.weights == pytest.approx(
        {"verifier_grade": 1.0, "R+": 0.6, "R-": 0.8, "R_req": 0.3, "R_rej": 0.3, "gted": 1.0}
    )
    assert spec.evaluators() == ("similarity",)
    assert spec.feedback == ("verifier", "adequacy")
    found = reward(spec, evidence({"R+": 1.0, "R-": 0.0, "R_req": 1.0, "R_rej": 1.0, "gted": 0.5}))
    assert found.value == pytest.approx((1 + 0.6 + 0.3 + 0.3 + 0.5) / 4)
    assert sum(found.parts.values()) == pytest.approx(4.5)


@pytest.mark.parametrize(
    ("metric", "value", "left_out"),
    [(1.0, 0.5, False), (0.4, 0.0, False), ((0.95, 1.0), 0.5, False), ((0.2, 1.0), None, True), (None, None, True)],
)
def test_gates_open_shut_or_leave_it_open(metric: Given, value: float | None, left_out: bool) -> None:
    spec = make_reward("g", definitions={"g": Definition({"gted": 1.0}, {"R+": 0.9})})
    assert spec.gates == (Gate("R+", 0.9),)
    found = reward(spec, evidence({"R+": metric, "gted": 0.5}))
    assert found.value == value
    assert ("gate R+" in found.left_out) == left_out


def test_a_definition_has_its_own_rule_and_feedback() -> None:
    own = {"j": Definition({"judge": 1.0}, feedback=("adequacy", "typecheck"), unavailable="lower")}
    spec = make_reward("j", definitions=own)
    assert (spec.unavailable, spec.feedback, spec.evaluators()) == ("lower", ("adequacy", "typecheck"), ("judge",))
    silent = make_reward("j", definitions={"j": Definition({"judge": 1.0}, feedback=())})
    assert silent.feedback == ()


@pytest.mark.parametrize(
    ("definition", "message"),
    [
        (Definition({"gtde": 1.0}), "unknown reward 'gtde'"),
        (Definition({"gted": 1.0}, {"grade": 1.0}), "a gate on 'grade'"),
        (Definition({"gted": 1.0}, feedback=("praise",)), "no feedback 'praise'"),
        (Definition({}), "weights must be"),
        (Definition({"gted": -1.0}), "weights must be"),
        (Definition({"x": 1.0}), "unknown reward 'x'"),
    ],
)
def test_faulty_definitions_are_refused(definition: Definition, message: str) -> None:
    with pytest.raises(UserError, match=message):
        make_reward("x", definitions={"x": definition})


def test_definitions_in_a_circle_are_refused() -> None:
    own = {"a": Definition({"b": 1.0}), "b": Definition({"a": 1.0})}
    with pytest.raises(UserError, match="unknown reward 'a'"):
        make_reward("a", definitions=own)


def test_an_unknown_reward_is_named_with_the_nearest() -> None:
    with pytest.raises(UserError) as caught:
        make_reward("verifer")
    assert "Did you mean 'verifier'?" in caught.value.one_line()


@given(
    st.dictionaries(st.sampled_from(sorted(METRICS)), st.none() | st.floats(0, 1), min_size=1),
    st.dictionaries(st.sampled_from(sorted(METRICS)), st.floats(0.01, 5), min_size=1),
    st.sampled_from(["renormalise", "lower"]),
)
def test_a_reward_is_a_mean_of_what_is_there_or_nothing(
    values: dict[str, float | None], weights: dict[str, float], rule: str
) -> None:
    spec = RewardSpec("r", weights, rule)  # type: ignore[arg-type]
    found = reward(spec, evidence({**values, "verifier_grade": values.get("verifier_grade") or 1.0}))
    assert set(found.parts) | set(found.left_out) == set(weights)
    if found.value is None:
        assert not found.parts
    else:
        assert min(found.parts.values()) - 1e-9 <= found.value <= max(found.parts.values()) + 1e-9


def test_feedback_kinds_are_in_one_order() -> None:
    assert FEEDBACK_KINDS[:2] == ("verifier", "adequacy")
