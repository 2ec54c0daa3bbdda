"""The circuit breaker and the run's time: by a clock of our own, then with calls."""

from __future__ import annotations

from pathlib import Path

import pytest

from specgen.errors import ExitCode
from specgen.lm import Gateway, ModelFailure, ModelReply, ModelRequest, OutagePolicy, RetryPolicy
from specgen.lm._breaker import Breaker
from specgen.lm._errors import DeadlineReachedError, OutageError
from specgen.lm.mock_server import Fault, MockServer

MODEL = "openai/gpt-4o-mini"
POLICY = OutagePolicy(failures=3, pause_s=10, max_pause_s=30, max_outage_s=300, max_start_s=50)


def fail(breaker: Breaker, now: float, times: int = 1) -> list[str]:
    return [breaker.failed(now, "server_error", "down") for _ in range(times)]


def test_it_opens_once_after_failures_in_a_row_probes_with_longer_pauses_and_resumes() -> None:
    breaker = Breaker(POLICY, "srv")
    breaker.succeeded()
    assert fail(breaker, 0.0, 2) == ["", ""]
    breaker.succeeded()
    assert not breaker.open
    lines = fail(breaker, 1.0, 3)
    assert lines[:2] == ["", ""]
    assert "3 times in a row" in lines[2]
    assert fail(breaker, 1.0) == [""]  # said once
    assert breaker.delay_s(1.0) == 10.0
    assert breaker.delay_s(11.0) == 0.0
    assert breaker.begin()
    assert breaker.delay_s(11.0) is None  # the others wait for the probe
    assert fail(breaker, 12.0) == [""]
    assert breaker.delay_s(12.0) == 20.0
    breaker.begin()
    fail(breaker, 32.0)
    assert breaker.delay_s(32.0) == 30.0  # no longer than the longest
    breaker.begin()
    assert "answers again" in breaker.succeeded()
    assert breaker.delay_s(62.0) == 0.0
    fail(breaker, 70.0, 3)
    assert breaker.delay_s(70.0) == 10.0  # pauses begin anew


def test_an_outage_has_a_limit_and_a_shorter_one_for_a_server_that_never_answered() -> None:
    fresh, known = Breaker(POLICY, "fresh"), Breaker(POLICY, "known")
    known.succeeded()
    for breaker in (fresh, known):
        fail(breaker, 0.0, 3)
        breaker.check(49.0)
    with pytest.raises(OutageError, match="fresh has not answered for 50 s"):
        fresh.check(50.0)
    known.check(299.0)
    with pytest.raises(OutageError) as caught:
        known.check(300.0)
    assert caught.value.exit_code == ExitCode.MISSING_ENVIRONMENT
    assert "resume" in caught.value.remedy


def test_refusals_for_the_rate_do_not_open_it_but_do_not_last_for_ever() -> None:
    breaker = Breaker(POLICY, "srv")
    for second in range(10):
        assert breaker.failed(float(second), "rate_limited", "slow down") == ""
    assert not breaker.open
    breaker.check(299.0)
    with pytest.raises(OutageError):
        breaker.check(301.0)


def test_a_server_that_sends_everybody_away_for_longer_than_is_borne() -> None:
    breaker = Breaker(POLICY, "srv")
    for _ in range(2):
        breaker.failed(0.0, "rate_limited", "tomorrow", 86400)
    breaker.check(1.0)
    breaker.failed(0.0, "rate_limited", "tomorrow", 86400)
    with pytest.raises(OutageError):
        breaker.check(1.0)


def test_a_cancelled_probe_lets_another_call_be_it() -> None:
    breaker = Breaker(POLICY, "srv")
    fail(breaker, 0.0, 3)
    breaker.begin()
    breaker.abandoned()
    assert breaker.delay_s(10.0) == 0.0


def test_an_outage_costs_no_call_and_is_said_once(tmp_path: Path) -> None:
    said: list[str] = []
    policy = OutagePolicy(failures=4, pause_s=0.1, max_pause_s=0.2, max_outage_s=60)
    retry = RetryPolicy(max_attempts=5, first_wait_s=0.01)
    plan = [Fault(), *[Fault("server_error")] * 12]
    with MockServer(plan) as server:
        with Gateway(
            tmp_path / "lm.sqlite", api_base=server.url, outage=policy, retry=retry, notify=said.append, concurrency=8
        ) as gate:
            gate.complete(ModelRequest.of(MODEL, "first"))
            outcomes = gate.complete_many([ModelRequest.of(MODEL, f"p {i}") for i in range(20)])
            assert gate.fatal is None
        # Up to eight failures were in flight when it opened; after that one call at a time was the probe.
        assert all(isinstance(o, ModelReply) for o in outcomes)
        assert server.request_count == 21 + 12
    assert len(said) == 2
    assert "in a row" in said[0]
    assert "again" in said[1]


def test_a_server_that_always_fails_ends_the_run_soon(tmp_path: Path) -> None:
    policy = OutagePolicy(failures=5, pause_s=0.05, max_pause_s=0.1, max_start_s=0.5)
    with MockServer(lambda _n, _b: Fault("server_error")) as server:
        retry = RetryPolicy(max_attempts=3, first_wait_s=0.01)
        with Gateway(tmp_path / "a.sqlite", api_base=server.url, outage=policy, retry=retry, concurrency=4) as gate:
            with pytest.raises(OutageError):
                gate.complete_many([ModelRequest.of(MODEL, f"p {i}") for i in range(500)])
            with pytest.raises(OutageError):
                gate.complete(ModelRequest.of(MODEL, "another"))
            total = gate.ledger().total
        assert total.requests == server.request_count < 50


def test_the_runs_time_ends_waits_at_once_and_awaits_what_is_in_flight(tmp_path: Path) -> None:
    plan = [Fault(latency_s=0.5), Fault("rate_limit", retry_after_s=200)]
    with MockServer(plan) as server:
        with Gateway(tmp_path / "a.sqlite", api_base=server.url, deadline_s=0.3, concurrency=1) as gate:
            slow = gate.complete(ModelRequest.of(MODEL, "slow"))
            assert isinstance(slow, ModelReply)  # paid for, and not thrown away
            with pytest.raises(DeadlineReachedError) as caught:
                gate.complete(ModelRequest.of(MODEL, "late"))
            assert caught.value.exit_code == ExitCode.BUDGET_REACHED
            assert server.request_count == 1
        with Gateway(tmp_path / "a.sqlite", api_base=server.url, deadline_s=0.6) as gate:
            assert gate.complete(ModelRequest.of(MODEL, "slow")).cached
            with pytest.raises(DeadlineReachedError):
                gate.complete(ModelRequest.of(MODEL, "told to wait for minutes"))
            assert gate.ledger().total.requests == server.request_count == 2


def test_attempts_are_limited_by_class() -> None:
    policy = RetryPolicy(first_wait_s=0.001)
    expected = {"rate_limit": 8, "server_error": 5, "malformed": 3, "cut": 5}
    for kind, attempts in expected.items():
        with MockServer(lambda _n, _b, k=kind: Fault(k)) as server, Gateway(api_base=server.url, retry=policy) as gate:  # type: ignore[misc]
            outcome = gate.complete(ModelRequest.of(MODEL, kind))
            assert isinstance(outcome, ModelFailure)
            assert outcome.attempts == attempts
