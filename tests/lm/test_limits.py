"""Limits a minute and the adaptive part, by a clock of our own; then that calls wait for them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from specgen.errors import UserError
from specgen.lm import Gateway, Limits, ModelReply, ModelRequest, RetryPolicy
from specgen.lm._limits import Throttle, estimated_tokens, longest_prefix
from specgen.lm._wire import exhausted_s
from specgen.lm.mock_server import Fault, MockServer

MODEL = "openai/gpt-4o-mini"


def send_all(throttle: Throttle, sizes: list[int]) -> list[float]:
    """Send requests one after the other as early as the throttle lets them; return the times."""
    now, times = 0.0, []
    for size in sizes:
        while (wait := throttle.delay_s(now, size)) > 0:
            now += wait
        throttle.settle(throttle.take(now, size), size)
        times.append(now)
    return times


def most_in_a_minute(times: list[float], sizes: list[int]) -> tuple[int, int]:
    windows = [[(t, s) for t, s in zip(times, sizes, strict=True) if at <= t < at + 60] for at in times]
    return max(len(w) for w in windows), max(sum(s for _, s in w) for w in windows)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.integers(1, 50), min_size=1, max_size=60),
    st.integers(1, 20),
    st.integers(50, 200),
)
def test_no_window_of_a_minute_holds_more_than_the_limits(sizes: list[int], requests: int, tokens: int) -> None:
    throttle = Throttle(Limits(requests_per_minute=requests, tokens_per_minute=tokens), 8)
    times = send_all(throttle, sizes)
    calls, size = most_in_a_minute(times, sizes)
    assert calls <= requests
    assert size <= tokens
    # Nor does it dawdle: the work is done within the minutes that it takes, and one more for each limit.
    assert times[-1] <= 60 * (len(sizes) / requests + sum(sizes) / (tokens - 50 + 1) + 2)


def test_a_call_above_the_token_limit_goes_alone() -> None:
    throttle = Throttle(Limits(tokens_per_minute=10), 8)
    assert send_all(throttle, [500, 5]) == [0.0, 60.0]


def test_the_true_size_of_a_call_takes_the_place_of_the_estimate() -> None:
    throttle = Throttle(Limits(tokens_per_minute=100), 8)
    entry = throttle.take(0.0, 90)
    assert throttle.delay_s(1.0, 50) == pytest.approx(59.0)
    throttle.settle(entry, 20)
    assert throttle.delay_s(1.0, 50) == 0.0


def test_a_refusal_halves_what_is_allowed_once_an_event_and_success_gives_it_back_slowly() -> None:
    throttle = Throttle(Limits(requests_per_minute=100), 16)
    throttle.refused(10.0)
    throttle.refused(10.2)  # in flight at the same time: the same event
    assert (throttle.factor, throttle.allowed) == (0.5, 8)
    throttle.refused(12.0)
    assert (throttle.factor, throttle.allowed) == (0.25, 4)
    throttle.succeeded(15.0)
    assert throttle.factor == 0.25
    for second in range(22, 200, 10):
        throttle.succeeded(float(second))
    assert throttle.factor == 1.0
    for second in range(300, 400, 2):
        throttle.refused(float(second))
    assert throttle.allowed == 1
    assert 0 < throttle.factor < 0.1


def test_retry_after_holds_everything() -> None:
    throttle = Throttle(Limits(), 16)
    throttle.refused(10.0, 30.0)
    assert throttle.delay_s(10.0, 1) == 30.0
    assert throttle.delay_s(40.0, 1) == 0.0


def test_the_longest_prefix_applies() -> None:
    by_prefix = {"openai/": Limits(), "openai/gpt-4o": Limits(), "openai/gpt-4o-mini": Limits()}
    assert longest_prefix("openai/gpt-4o-mini", by_prefix) == "openai/gpt-4o-mini"
    assert longest_prefix("openai/gpt-4o", by_prefix) == "openai/gpt-4o"
    assert longest_prefix("openai/gpt-4o-2024", by_prefix) == "openai/"
    assert longest_prefix("anthropic/claude", by_prefix) == ""


@pytest.mark.parametrize(
    ("left", "reset", "wait"),
    [
        ("0", "1s", 1.0),
        ("0", "6m0s", 360.0),
        ("0", "20ms", 0.02),
        ("0", "1m30.5s", 90.5),
        ("5", "1s", 0.0),
        ("0", "soon", 0.0),
    ],
)
def test_rate_limit_headers(left: str, reset: str, wait: float) -> None:
    headers = {"x-ratelimit-remaining-requests": left, "x-ratelimit-reset-requests": reset}
    assert exhausted_s(headers) == pytest.approx(wait)
    assert exhausted_s({}) == 0.0


def test_a_limit_below_one_is_refused() -> None:
    with pytest.raises(UserError, match="requests_per_minute"):
        Limits(requests_per_minute=0)


def test_an_estimate_counts_prompt_and_reply_limit() -> None:
    assert estimated_tokens(ModelRequest.of(MODEL, "x" * 400, max_tokens=50)) == 150


def test_calls_at_once_are_limited_by_provider() -> None:
    limits = {"openai/": Limits(concurrency=2)}
    with MockServer(latency_s=0.05) as server:
        with Gateway(api_base=server.url, limits=limits, concurrency=16) as gate:
            outcomes = gate.complete_many([ModelRequest.of(MODEL, f"p {i}") for i in range(10)])
        assert all(isinstance(o, ModelReply) for o in outcomes)
        starts = [r.at_s for r in server.requests]
        # Never three within the time of one call: the third begins when the first has ended.
        assert all(c - a >= 0.045 for a, c in zip(starts, starts[2:], strict=False))


def test_one_refusal_holds_the_other_calls_too() -> None:
    with MockServer([Fault("rate_limit", retry_after_s=0.5)]) as server:
        retry = RetryPolicy(first_wait_s=0.01)
        with Gateway(api_base=server.url, retry=retry, concurrency=1) as gate:
            gate.complete_many([ModelRequest.of(MODEL, f"p {i}") for i in range(3)])
        first, *others = [r.at_s for r in server.requests]
        assert len(others) == 3
        assert min(others) - first >= 0.5


def test_headers_that_say_nothing_is_left_hold_the_next_call() -> None:
    spent = {"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "400ms"}
    with MockServer([Fault(headers=spent)]) as server, Gateway(api_base=server.url, concurrency=4) as gate:
        for number in range(2):
            gate.complete(ModelRequest.of(MODEL, f"p {number}"))
        first, second = [r.at_s for r in server.requests]
        assert second - first >= 0.39
