"""Estimates before a run, and plans of the mock server."""

from __future__ import annotations

from pathlib import Path

import pytest

from specgen.errors import UserError
from specgen.lm import Gateway, Limits, MeasuredCalls, ModelRequest, PlannedCalls, Price, estimate, measure
from specgen.lm._mock_plan import FaultPlan, read_plan
from specgen.lm.mock_server import Fault, MockServer

MODEL = "openai/gpt-4o-mini"
TEN = MeasuredCalls(calls=4, input_tokens=100.0, output_tokens=50.0, latency_s=3.0)


def test_calls_tokens_dollars_and_minutes() -> None:
    planned = [
        PlannedCalls(role="task", model=MODEL, calls=600, concurrency=6),
        PlannedCalls(role="reflection", model=MODEL, calls=20),
    ]
    known = {("task", MODEL): TEN, ("reflection", MODEL): TEN}
    found = estimate(planned, known, {MODEL: Price(1.0, 2.0)})  # type: ignore[arg-type]
    assert (found.calls, found.tokens) == (620, 620 * 150)
    assert found.cost_usd == pytest.approx(620 * (100 + 2 * 50) / 1e6)
    assert found.minutes == pytest.approx(600 * 3 / 6 / 60 + 20 * 3 / 60)


def test_what_is_not_known_is_unknown_and_not_zero() -> None:
    planned = [PlannedCalls(role="task", model=MODEL, calls=10), PlannedCalls(role="judge", model="x/y", calls=5)]
    found = estimate(planned, {("task", MODEL): TEN}, {MODEL: None})
    assert (found.calls, found.tokens, found.cost_usd, found.minutes) == (15, None, None, None)
    assert found.lines[0].input_tokens == 1000
    assert found.lines[0].cost_usd is None
    assert found.to_json()["cost_usd"] is None
    nothing = estimate([PlannedCalls(role="task", model="x/y", calls=0)], {}, {})
    assert (nothing.tokens, nothing.cost_usd, nothing.minutes) == (0, 0, 0)


@pytest.mark.parametrize(
    ("limit", "minutes"),
    [
        (Limits(requests_per_minute=20), 30.0),
        (Limits(tokens_per_minute=4500), 20.0),
        (Limits(concurrency=1), 30.0),
        (Limits(requests_per_minute=10_000), 5.0),
    ],
)
def test_limits_make_a_run_longer(limit: Limits, minutes: float) -> None:
    planned = [PlannedCalls(role="task", model=MODEL, calls=600, concurrency=6)]
    found = estimate(planned, {("task", MODEL): TEN}, {}, {"openai/": limit})
    assert found.minutes == pytest.approx(minutes)


def test_measuring_makes_the_runs_own_calls_and_pays_once() -> None:
    requests = [ModelRequest.of(MODEL, f"one two {i}") for i in range(4)]
    with MockServer([Fault("refusal")]) as server, Gateway(api_base=server.url, concurrency=1) as gate:
        found = measure(gate, requests)
        assert found is not None
        assert (found.calls, found.input_tokens, found.output_tokens, found.failed_share) == (3, 3.0, 4.0, 0.25)
        gate.complete_many(requests)
        assert server.request_count == 4
        assert measure(gate, []) is None


# Plans


def test_a_plan_gives_faults_by_number_and_share(tmp_path: Path) -> None:
    path = tmp_path / "plan.toml"
    path.write_text(
        'seed = 3\nlatency_ms = 20\n[[fault]]\nkind = "rate_limit"\nat = [0, 2]\nretry_after_s = 1.5\n'
        "[rates]\nserver_error = 0.2\ncut = 0.1\n"
    )
    plan = read_plan(path)
    assert plan.latency_s == 0.02
    assert plan(0, {}) == plan(2, {}) == Fault("rate_limit", retry_after_s=1.5)
    kinds = [plan(n, {}).kind for n in range(3, 3003)]
    assert [plan(n, {}).kind for n in range(3, 3003)] == kinds
    assert 0.17 < kinds.count("server_error") / 3000 < 0.23
    assert 0.08 < kinds.count("cut") / 3000 < 0.12
    assert FaultPlan()(7, {}) == Fault()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = 1", "unknown key 'x'"),
        ('[[fault]]\nkind = "rate_limits"\nat = 1', "rate_limits"),
        ('[[fault]]\nkind = "cut"\nat = "soon"', "wrong type"),
        ("[rates]\ncut = 0.9\nhang = 0.9", "no shares"),
        ("[rates]\ncut = 'often'", "wrong type"),
        ("not toml", "cannot read"),
    ],
)
def test_a_plan_with_a_mistake_is_refused(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "plan.toml"
    path.write_text(text)
    with pytest.raises(UserError, match=message) as caught:
        read_plan(path)
    assert caught.value.remedy
    with pytest.raises(UserError, match="cannot read"):
        read_plan(tmp_path / "nowhere.toml")
