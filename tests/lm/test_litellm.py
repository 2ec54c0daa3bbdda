"""Models behind LiteLLM, against the same faulty server: told apart and metered as those that we call directly."""

from __future__ import annotations

import json
import sqlite3
import zlib
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from specgen.errors import SpecgenError
from specgen.lm import Gateway, ModelFailure, ModelOutcome, ModelReply, ModelRequest, Price, RetryPolicy, Tool
from specgen.lm._errors import BadModelRequestError, QuotaExhaustedError, UnknownModelError, WrongKeyError
from specgen.lm.mock_server import Fault, FaultKind, MockServer, word_vector

# LiteLLM's own typed dictionaries displease pydantic when they are imported.
pytestmark = pytest.mark.filterwarnings("ignore:.*`ReadOnly` qualifier:UserWarning")
MODEL = "hosted_vllm/our-model"
QUICK = RetryPolicy(max_attempts=3, first_wait_s=0.01)


def gateway(server: MockServer, store: Path | None = None, timeout_s: float = 30.0) -> Gateway:
    prices = {MODEL: Price(1.0, 2.0)}
    return Gateway(store, api_base=server.url, api_key="test-key", retry=QUICK, prices=prices, timeout_s=timeout_s)


def ask(gate: Gateway, prompt: str = "hello you", **fields: Any) -> ModelOutcome:
    return gate.complete(ModelRequest.of(MODEL, prompt, **fields))


def test_success(tmp_path: Path) -> None:
    with MockServer() as server, gateway(server, tmp_path / "a.sqlite") as gate:
        reply = ask(gate, temperature=0.5, options={"top_p": 0.9})
        assert isinstance(reply, ModelReply)
        assert reply.text == "echo: hello you"
        assert (reply.usage.input_tokens, reply.usage.output_tokens) == server.tokens == (2, 3)
        assert reply.cost_usd == pytest.approx(8e-6)
        body = server.requests[0].body
        assert (body["model"], body["temperature"], body["top_p"]) == ("our-model", 0.5, 0.9)
        assert not body.get("stream")
        with closing(sqlite3.connect(tmp_path / "a.sqlite")) as connection:
            ((kept,),) = connection.execute("SELECT response FROM responses").fetchall()
        assert json.loads(zlib.decompress(kept))["choices"][0]["message"]["content"] == "echo: hello you"


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        ("rate_limit", "rate_limited"),
        ("server_error", "server_error"),
        ("malformed", "malformed"),
        ("cut", "connection"),
    ],
)
def test_transient_faults(fault: FaultKind, kind: str) -> None:
    with MockServer([Fault(fault), Fault(), *[Fault(fault)] * 3]) as server, gateway(server) as gate:
        assert ask(gate).attempts == 2
        outcome = ask(gate, "another")
        assert isinstance(outcome, ModelFailure)
        assert (outcome.kind, outcome.attempts) == (kind, 3)
        assert gate.ledger().total.requests == server.request_count == 5


def test_a_hang_times_out() -> None:
    with MockServer([Fault("hang")]) as server, gateway(server, timeout_s=0.5) as gate:
        assert ask(gate).attempts == 2


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        ("wrong_key", WrongKeyError),
        ("forbidden", WrongKeyError),
        ("quota", QuotaExhaustedError),
        ("not_found", UnknownModelError),
        ("bad_request", BadModelRequestError),
    ],
)
def test_what_stops_the_run(fault: FaultKind, error: type[SpecgenError]) -> None:
    with MockServer([Fault(fault)]) as server, gateway(server) as gate:
        with pytest.raises(error) as caught:
            ask(gate)
        assert "test-key" not in caught.value.one_line()
        assert server.request_count == 1


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        ("empty_text", "empty"),
        ("null_content", "null_content"),
        ("refusal", "refusal"),
        ("tool_calls", "unoffered_tool_call"),
        ("context_length", "context_length"),
    ],
)
def test_replies_without_use(fault: FaultKind, kind: str) -> None:
    with MockServer([Fault(fault)]) as server, gateway(server) as gate:
        outcome = ask(gate)
        assert isinstance(outcome, ModelFailure)
        assert (outcome.kind, outcome.attempts) == (kind, 1)
        line = gate.ledger().total
        assert (line.input_tokens, line.output_tokens) == server.tokens


def test_tools() -> None:
    with MockServer([Fault("tool_calls")]) as server, gateway(server) as gate:
        reply = ask(gate, tools=(Tool("search", "Look something up."),))
        assert isinstance(reply, ModelReply)
        assert [call.name for call in reply.tool_calls] == ["search"]


def test_embeddings() -> None:
    with MockServer() as server, gateway(server) as gate:
        assert gate.embed(["a b", "c"], MODEL) == [tuple(word_vector("a b")), tuple(word_vector("c"))]
        assert gate.ledger().line("embedding").requests == server.request_count == 1
