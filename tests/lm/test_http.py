"""The gateway against a real HTTP server on the loopback interface that fails by plan."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator

import pytest

from specgen.errors import ExitCode, SpecgenError
from specgen.lm import Gateway, ModelFailure, ModelReply, ModelRequest, RetryPolicy
from specgen.lm._errors import (
    BadModelRequestError,
    MissingKeyError,
    QuotaExhaustedError,
    UnknownModelError,
    UnreachableServerError,
    WrongKeyError,
)
from specgen.lm.mock_server import Fault, FaultKind, MockServer

# LiteLLM's own typed dictionaries displease pydantic when they are imported.
pytestmark = pytest.mark.filterwarnings("ignore:.*`ReadOnly` qualifier:UserWarning")
MODEL = "openai/gpt-4o-mini"
QUICK = RetryPolicy(max_attempts=3, first_wait_s=0.01)


@pytest.fixture(autouse=True)
def _no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_API_BASE", "ANTHROPIC_API_KEY"):
        monkeypatch.delenv(name, raising=False)


def gateway(server: MockServer, retry: RetryPolicy = QUICK, timeout_s: float = 30.0) -> Gateway:
    return Gateway(api_base=server.url, api_key="test-key", retry=retry, timeout_s=timeout_s)


def ask(gate: Gateway, prompt: str = "hello") -> ModelReply | ModelFailure:
    return gate.complete(ModelRequest.of(MODEL, prompt))


def reply(gate: Gateway, prompt: str = "hello") -> ModelReply:
    outcome = ask(gate, prompt)
    assert isinstance(outcome, ModelReply), outcome
    return outcome


def test_success() -> None:
    with MockServer() as server, gateway(server) as gate:
        got = reply(gate, "hello you")
        assert got.text == "echo: hello you"
        assert (got.usage.input_tokens, got.usage.output_tokens) == (2, 3)
        assert got.cost_usd == pytest.approx(2 * 0.15e-6 + 3 * 0.6e-6)
        assert (got.attempts, got.cached, got.simulated) == (1, False, False)
        assert got.latency_s > 0
        assert server.requests[0].authorization == "Bearer test-key"
        assert server.requests[0].body["messages"] == [{"role": "user", "content": "hello you"}]
        assert not server.requests[0].body.get("stream")


def test_a_cache_hit_sends_and_costs_nothing() -> None:
    with MockServer() as server, gateway(server) as gate:
        first, second = reply(gate), reply(gate)
        assert server.request_count == 1
        assert second.cached
        assert (second.text, second.usage, second.cost_usd) == (first.text, first.usage, first.cost_usd)
        line = gate.ledger().line("task")
        assert (line.calls, line.cached_calls, line.requests) == (1, 1, 1)
        assert line.cost_usd == pytest.approx(first.cost_usd)


@pytest.mark.parametrize("kind", ["rate_limit", "server_error", "malformed", "cut"])
def test_a_transient_fault_is_retried(kind: FaultKind) -> None:
    with MockServer([Fault(kind)]) as server, gateway(server) as gate:
        assert reply(gate).attempts == 2
        assert server.request_count == 2
        assert gate.ledger().total.retries == 1


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        ("rate_limit", "rate_limited"),
        ("server_error", "server_error"),
        ("malformed", "malformed"),
        ("cut", "connection"),
    ],
)
def test_a_lasting_fault_is_a_failure_with_its_kind(fault: FaultKind, kind: str) -> None:
    with MockServer(lambda _n, _body: Fault(fault)) as server, gateway(server) as gate:
        outcome = ask(gate)
        assert isinstance(outcome, ModelFailure)
        assert (outcome.kind, outcome.attempts) == (kind, 3)
        assert "\n" not in outcome.message
        assert server.request_count == 3
        line = gate.ledger().total
        assert (line.calls, line.failed_calls, line.retries) == (1, 1, 2)
        assert gate.fatal is None


def test_retry_after_is_honoured() -> None:
    plan = [Fault("rate_limit", retry_after_s=1)]
    with MockServer(plan) as server, gateway(server, RetryPolicy(max_attempts=2, first_wait_s=0.001)) as gate:
        reply(gate)
        first, second = server.requests
        assert second.at_s - first.at_s >= 1.0


def test_a_server_that_asks_for_too_long_a_wait_is_not_waited_for() -> None:
    with MockServer([Fault("rate_limit", retry_after_s=3600)]) as server, gateway(server) as gate:
        outcome = ask(gate)
        assert isinstance(outcome, ModelFailure)
        assert (outcome.kind, outcome.attempts, server.request_count) == ("rate_limited", 1, 1)


def test_a_hang_times_out_and_is_retried() -> None:
    with MockServer([Fault("hang")]) as server, gateway(server, timeout_s=0.5) as gate:
        assert reply(gate).attempts == 2
    with MockServer(lambda _n, _body: Fault("hang")) as server:
        with gateway(server, RetryPolicy(max_attempts=1), timeout_s=0.3) as gate:
            outcome = ask(gate)
        assert isinstance(outcome, ModelFailure)
        assert outcome.kind == "timeout"


@pytest.mark.parametrize(
    ("fault", "error", "code"),
    [
        ("wrong_key", WrongKeyError, ExitCode.USER_ERROR),
        ("forbidden", WrongKeyError, ExitCode.USER_ERROR),
        ("quota", QuotaExhaustedError, ExitCode.MISSING_ENVIRONMENT),
        ("not_found", UnknownModelError, ExitCode.USER_ERROR),
        ("bad_request", BadModelRequestError, ExitCode.USER_ERROR),
    ],
)
def test_what_stops_the_run_is_not_retried(fault: FaultKind, error: type[SpecgenError], code: ExitCode) -> None:
    with MockServer([Fault(fault)]) as server, gateway(server) as gate:
        with pytest.raises(error) as caught:
            ask(gate)
        assert caught.value.exit_code == code
        assert caught.value.remedy
        assert "\n" not in caught.value.one_line()
        assert "test-key" not in caught.value.one_line()
        assert isinstance(gate.fatal, error)
        with pytest.raises(error):
            ask(gate, "another")
        with pytest.raises(error):
            gate.raise_if_fatal()
        assert server.request_count == 1
        line = gate.ledger().total
        assert (line.calls, line.failed_calls, line.requests) == (1, 1, 1)


def test_a_key_in_the_servers_message_is_not_shown() -> None:
    with MockServer(api_key="another") as server, Gateway(api_base=server.url, api_key="sk-secret1234567890") as gate:
        with pytest.raises(WrongKeyError) as caught:
            ask(gate)
        assert "secret" not in caught.value.one_line()


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        ("empty_choices", "no_choices"),
        ("empty_text", "empty"),
        ("null_content", "null_content"),
        ("refusal", "refusal"),
        ("tool_calls", "unoffered_tool_call"),
        ("content_filter", "content_filter"),
        ("context_length", "context_length"),
    ],
)
def test_a_reply_without_text_is_a_failure_that_is_paid_for_and_not_retried(fault: FaultKind, kind: str) -> None:
    with MockServer([Fault(fault)]) as server, gateway(server) as gate:
        outcome = ask(gate)
        assert isinstance(outcome, ModelFailure)
        assert (outcome.kind, outcome.attempts) == (kind, 1)
        line = gate.ledger().total
        assert (line.input_tokens, line.output_tokens) == server.tokens
        # A filtered reply is an answer: it is not paid for twice.
        again = ask(gate)
        assert again.cached == (kind in ("content_filter", "refusal", "unoffered_tool_call"))


def test_a_cut_off_reply_says_so() -> None:
    with MockServer([Fault("truncated", text="def f")]) as server, gateway(server) as gate:
        got = reply(gate)
        assert (got.text, got.finish_reason) == ("def f", "length")


def test_a_server_that_is_not_there_stops_the_run() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        base = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
    with Gateway(api_base=base, retry=QUICK) as gate:
        with pytest.raises(UnreachableServerError) as caught:
            ask(gate)
        assert caught.value.exit_code == ExitCode.MISSING_ENVIRONMENT
        assert base in caught.value.message
        assert "refused" in caught.value.message or "Connection error" in caught.value.message


def test_a_server_that_goes_away_later_is_a_failed_call() -> None:
    with MockServer() as server:
        gate = gateway(server)
        reply(gate)
    outcome = ask(gate, "another")
    assert isinstance(outcome, ModelFailure)
    assert outcome.kind == "connection"
    gate.close()


@pytest.fixture
def offline() -> Iterator[Gateway]:
    with Gateway() as gate:
        yield gate


def test_a_missing_key_is_found_before_any_call(offline: Gateway) -> None:
    with pytest.raises(MissingKeyError) as caught:
        ask(offline)
    assert caught.value.exit_code == ExitCode.MISSING_ENVIRONMENT
    assert "OPENAI_API_KEY" in caught.value.remedy
    with pytest.raises(MissingKeyError, match="anthropic/claude"):
        Gateway().preflight(["anthropic/claude-sonnet-4-5"])


def test_an_unknown_provider_is_found_before_any_call(offline: Gateway) -> None:
    with pytest.raises(UnknownModelError) as caught:
        offline.preflight(["nobody/gpt"])
    assert caught.value.exit_code == ExitCode.USER_ERROR
    assert offline.fatal is None


def test_a_local_server_needs_no_key() -> None:
    with MockServer() as server, Gateway(api_base=server.url) as gate:
        reply(gate)


def test_an_api_base_that_is_no_url() -> None:
    with Gateway(api_base="localhost:8000") as gate, pytest.raises(BadModelRequestError, match="localhost:8000"):
        ask(gate)


def test_async_calls_from_another_loop_share_the_gateway() -> None:
    with MockServer(latency_s=0.05) as server, gateway(server) as gate:

        async def main() -> list[ModelReply | ModelFailure]:
            return await asyncio.gather(*(gate.acomplete(ModelRequest.of(MODEL, f"p{i % 20}")) for i in range(40)))

        outcomes = asyncio.run(main())
        assert all(isinstance(o, ModelReply) for o in outcomes)
        # Equal calls at the same time are made once.
        assert server.request_count == 20
        assert gate.ledger().total.cached_calls == 20


def test_a_cancelled_call_is_in_the_ledger() -> None:
    with MockServer([Fault("hang")]) as server, gateway(server) as gate:

        async def main() -> None:
            await asyncio.wait_for(gate.acomplete(ModelRequest.of(MODEL, "hi")), 0.5)

        with pytest.raises(TimeoutError):
            asyncio.run(main())
        assert reply(gate).text == "echo: hello"
        assert gate.fatal is None
        assert gate.ledger().total.requests == server.request_count == 2


def test_the_providers_own_variable_for_the_server_is_part_of_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    with MockServer() as first, MockServer() as second, Gateway(api_key="k") as gate:
        for server in (first, second, first):
            monkeypatch.setenv("OPENAI_BASE_URL", server.url)
            reply(gate)
        assert (first.request_count, second.request_count) == (1, 1)


def test_sampling_options_reach_the_server() -> None:
    with MockServer() as server, gateway(server) as gate:
        gate.complete(
            ModelRequest.of(MODEL, "hi", temperature=0.3, max_tokens=7, seed=5, options={"top_p": 0.9, "stop": ["x"]})
        )
        body = server.requests[0].body
        assert {n: body.get(n) for n in ("temperature", "max_tokens", "seed", "top_p", "stop")} == {
            "temperature": 0.3,
            "max_tokens": 7,
            "seed": 5,
            "top_p": 0.9,
            "stop": ["x"],
        }
