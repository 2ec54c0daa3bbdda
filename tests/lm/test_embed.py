"""Embeddings through the gateway: each text once, cached by itself, metered under its own role."""

from __future__ import annotations

from pathlib import Path

import pytest

from specgen.errors import BudgetReachedError, ExitCode, UserError
from specgen.lm import Budget, Gateway, ModelRequest, Price, RetryPolicy, ScriptedModel
from specgen.lm._embed import CHUNK
from specgen.lm._errors import EmbeddingFailedError, UnknownModelError, WrongKeyError
from specgen.lm.mock_server import Fault, MockServer, word_vector

MODEL = "openai/text-embedding-3-small"
QUICK = RetryPolicy(max_attempts=3, first_wait_s=0.01)


def gateway(server: MockServer, store: Path | None = None) -> Gateway:
    return Gateway(store, api_base=server.url, retry=QUICK, prices={MODEL: Price(1e6, 0.0)})


def test_vectors_come_in_the_order_of_the_texts_and_are_paid_for_once(tmp_path: Path) -> None:
    texts = [f"word {i} and more" for i in range(CHUNK + 6)] + ["word 0 and more"]
    with MockServer() as server:
        with gateway(server, tmp_path / "a.sqlite") as gate:
            vectors = gate.embed(texts, MODEL, split="train")
            assert vectors == [tuple(word_vector(text)) for text in texts]
            assert [len(r.body["input"]) for r in server.requests] == [CHUNK, 6]
            line = gate.ledger().line("embedding")
            assert (line.calls, line.input_tokens) == (2, server.tokens[0])
            assert line.cost_usd == pytest.approx(server.tokens[0])
        with gateway(server, tmp_path / "a.sqlite") as gate:
            # One text is new: only that one is sent.
            assert gate.embed([*texts[:3], "new"], MODEL)[:3] == vectors[:3]
            assert server.requests[-1].body["input"] == ["new"]
            line = gate.ledger().line("embedding")
            assert (line.calls, line.cached_calls, line.requests) == (3, 1, server.request_count)


@pytest.mark.parametrize("kind", ["rate_limit", "server_error", "malformed", "cut"])
def test_a_transient_fault_is_retried(kind: str) -> None:
    with MockServer([Fault(kind)]) as server, gateway(server) as gate:  # type: ignore[arg-type]
        assert len(gate.embed(["a"], MODEL)) == 1
        assert gate.ledger().total.requests == server.request_count == 2


def test_a_lasting_fault_is_an_error_and_in_the_ledger_and_does_not_stop_the_run() -> None:
    with MockServer(lambda _n, body: Fault("server_error" if "input" in body else "ok")) as server:  # noqa: SIM117
        with gateway(server) as gate:
            with pytest.raises(EmbeddingFailedError, match="server_error after 3 attempts") as caught:
                gate.embed(["a"], MODEL)
            assert caught.value.exit_code == ExitCode.MISSING_ENVIRONMENT
            line = gate.ledger().line("embedding")
            assert (line.calls, line.failed_calls, line.retries) == (1, 1, 2)
            assert not gate.complete(ModelRequest.of("openai/m", "hi")).cached


def test_what_stops_the_run_stops_it() -> None:
    with MockServer([Fault("wrong_key")]) as server, gateway(server) as gate:
        with pytest.raises(WrongKeyError):
            gate.embed(["a"], MODEL)
        assert isinstance(gate.fatal, WrongKeyError)
        assert gate.ledger().total.requests == 1


def test_caps_hold() -> None:
    with MockServer() as server, Gateway(api_base=server.url, budget=Budget(max_calls=1)) as gate:
        gate.embed(["a"], MODEL)
        with pytest.raises(BudgetReachedError):
            gate.embed(["b"], MODEL)


def test_empty_texts_and_models_without_embeddings() -> None:
    with Gateway(providers={"sim/script": ScriptedModel([])}) as gate:
        assert gate.embed([], "sim/embedder") == []
        with pytest.raises(UserError, match="empty text"):
            gate.embed(["a", " "], "sim/embedder")
    with Gateway(providers={"sim/script": ScriptedModel([])}) as gate, pytest.raises(UserError, match="no embeddings"):
        gate.embed(["a"], "sim/script")
    with Gateway() as gate, pytest.raises(UnknownModelError, match="no embeddings"):
        gate.embed(["a"], "sim/writer")
    with Gateway() as gate, pytest.raises(UnknownModelError, match="no text"):
        gate.complete(ModelRequest.of("sim/embedder", "hi"))


def test_the_simulated_embedder_puts_like_texts_near_each_other() -> None:
    def cosine(a: tuple[float, ...], b: tuple[float, ...]) -> float:
        return sum(x * y for x, y in zip(a, b, strict=True))

    with Gateway() as gate:
        near, far, other = gate.embed(
            ["the largest element of a list", "largest element of the list", "is a number prime"], "sim/embedder"
        )
        assert cosine(near, far) > 0.8 > cosine(near, other)
        assert cosine(near, near) == pytest.approx(1.0)
        assert gate.ledger().line("embedding").simulated_calls == 1
        assert gate.embed(["is a number prime"], "sim/embedder") == [other]
