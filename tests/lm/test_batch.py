"""Batch mode against the mock server's files and batches: each step lost, killed, expired, failed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from specgen.errors import BudgetReachedError
from specgen.lm import (
    BatchOptions,
    Budget,
    Gateway,
    ModelFailure,
    ModelOutcome,
    ModelReply,
    ModelRequest,
    Price,
    RetryPolicy,
)
from specgen.lm._errors import BadModelRequestError, DeadlineReachedError, OutageError
from specgen.lm._mock_batches import BatchEnd, Step
from specgen.lm.mock_server import Fault, MockServer

MODEL = "openai/gpt-4o-mini"
STEPS: tuple[Step, ...] = ("files", "batches")
QUICK = RetryPolicy(max_attempts=3, first_wait_s=0.01)
OPTIONS = BatchOptions(poll_s=0.01, max_poll_s=0.02)


def prompts(count: int, model: str = MODEL) -> list[ModelRequest]:
    return [ModelRequest.of(model, f"word {i}", split="train", task_id=f"t{i}") for i in range(count)]


def gateway(server: MockServer, store: Path | None = None, **more: object) -> Gateway:
    return Gateway(store, api_base=server.url, api_key="test-key", retry=QUICK, **more)  # type: ignore[arg-type]


def texts(outcomes: list[ModelOutcome]) -> list[str]:
    return [o.text if isinstance(o, ModelReply) else o.kind for o in outcomes]


def test_results_are_matched_by_id_and_metered_at_the_batch_price() -> None:
    with MockServer() as server, gateway(server) as gate:
        asked = [*prompts(5), prompts(1)[0]]
        outcomes = gate.complete_batch(asked, OPTIONS)
        assert texts(outcomes) == [f"echo: word {i}" for i in (0, 1, 2, 3, 4, 0)]
        assert server.batches.submitted == 1
        line = gate.ledger().total
        assert (line.calls, line.requests, line.interrupted_requests) == (5, 5, 0)
        assert server.request_count == 5
        assert (line.input_tokens, line.output_tokens) == server.tokens
        # The table has half the price for batches.
        assert line.cost_usd == pytest.approx(5 * (2 * 0.15e-6 + 3 * 0.6e-6) / 2)
        first = json.loads((server.batches.content("file-0") or b"").splitlines()[0])
        assert first["custom_id"] == asked[0].key(api_base=server.url)
        assert first["body"] == {"model": "gpt-4o-mini", "messages": [{"role": "user", "content": "word 0"}]}
        # What came in a batch is served to single calls, and the other way round.
        assert gate.complete(asked[3]).cached
        gate.complete(ModelRequest.of(MODEL, "single"))
        assert gate.complete_batch([ModelRequest.of(MODEL, "single")], OPTIONS)[0].cached
        assert server.batches.submitted == 1


def test_without_a_known_factor_the_price_is_unknown() -> None:
    with MockServer() as server, gateway(server, prices={MODEL: Price(1.0, 1.0)}) as gate:
        gate.complete_batch(prompts(2), OPTIONS)
        total = gate.ledger().total
        assert (total.unpriced_calls, total.cost_usd) == (2, None)
    with MockServer() as server, gateway(server, prices={MODEL: Price(1e6, 1e6, batch_factor=0.25)}) as gate:
        gate.complete_batch(prompts(1), OPTIONS)
        assert gate.ledger().total.cost_usd == pytest.approx(5 * 0.25)


@pytest.mark.parametrize("step", STEPS)
def test_a_step_whose_answer_is_lost_is_not_done_twice(step: Step, tmp_path: Path) -> None:
    with MockServer(lose=[step]) as server, gateway(server, tmp_path / "a.sqlite") as gate:
        outcomes = gate.complete_batch(prompts(3), OPTIONS)
        assert texts(outcomes) == [f"echo: word {i}" for i in range(3)]
        assert (server.batches.submitted, server.request_count) == (1, 3)


@pytest.mark.parametrize("step", STEPS)
def test_a_process_that_ends_at_any_step_is_followed_by_one_that_goes_on(step: Step, tmp_path: Path) -> None:
    store = tmp_path / "a.sqlite"
    once = RetryPolicy(max_attempts=1)
    with MockServer(lose=[step]) as server:
        with (
            Gateway(store, api_base=server.url, retry=once) as gate,
            pytest.raises(OutageError, match="the batch is saved"),
        ):
            gate.complete_batch(prompts(3), OPTIONS)
        with gateway(server, store) as gate:
            outcomes = gate.complete_batch(prompts(4), OPTIONS)
            assert texts(outcomes) == [f"echo: word {i}" for i in range(4)]
            assert gate.ledger().total.requests == server.request_count == 4
        assert server.batches.submitted == 2  # one of three, and one of the request that is new


CHILD = """
import sys
from specgen.lm import BatchOptions, Gateway, ModelRequest
store, url = sys.argv[1:]
with Gateway(store, api_base=url) as gate:
    requests = [ModelRequest.of("openai/gpt-4o-mini", f"word {i}", split="train", task_id=f"t{i}") for i in range(6)]
    gate.complete_batch(requests, BatchOptions(poll_s=0.01, max_poll_s=0.02))
"""


def test_kill_9_between_submit_and_poll(tmp_path: Path) -> None:
    store = tmp_path / "a.sqlite"
    with MockServer() as server:
        server.batches.hold(True)
        child = subprocess.Popen([sys.executable, "-c", CHILD, str(store), server.url])
        deadline = time.monotonic() + 60
        while not server.batches.submitted and child.poll() is None and time.monotonic() < deadline:
            time.sleep(0.005)
        os.kill(child.pid, signal.SIGKILL)
        child.wait()
        server.batches.hold(False)
        with gateway(server, store) as gate:
            assert texts(gate.complete_batch(prompts(6), OPTIONS)) == [f"echo: word {i}" for i in range(6)]
            assert gate.ledger().total.requests == server.request_count == 6
        assert server.batches.submitted == 1


def test_two_processes_share_one_batch(tmp_path: Path) -> None:
    store = tmp_path / "a.sqlite"
    with MockServer() as server:
        server.batches.hold(True)
        child = subprocess.Popen([sys.executable, "-c", CHILD, str(store), server.url])
        deadline = time.monotonic() + 60
        while not server.batches.submitted and child.poll() is None and time.monotonic() < deadline:
            time.sleep(0.005)
        with gateway(server, store, deadline_s=0.3) as gate, pytest.raises(DeadlineReachedError):
            gate.complete_batch(prompts(6), OPTIONS)
        server.batches.hold(False)
        with gateway(server, store) as gate:
            assert len(texts(gate.complete_batch(prompts(6), OPTIONS))) == 6
        assert child.wait(60) == 0
        with gateway(server, store) as gate:
            assert gate.ledger().total.requests == server.request_count == 6
        assert server.batches.submitted == 1


def test_failed_items_are_submitted_again_and_then_recorded() -> None:
    def plan(number: int, body: object) -> Fault:
        if "word 1" in json.dumps(body):
            return Fault("server_error")
        return Fault("rate_limit") if "word 2" in json.dumps(body) and number < 4 else Fault()

    with MockServer(plan) as server, gateway(server) as gate:
        outcomes = gate.complete_batch(prompts(4), OPTIONS)
        assert texts(outcomes) == ["echo: word 0", "server_error", "echo: word 2", "echo: word 3"]
        assert server.batches.submitted == 2
        line = gate.ledger().total
        assert line.requests == server.request_count == 6
        assert (line.calls, line.failed_calls) == (6, 3)


def test_answers_that_are_failures_are_not_asked_for_again() -> None:
    with MockServer([Fault("refusal"), Fault("context_length"), Fault("truncated", text="cut")]) as server:
        with gateway(server) as gate:
            outcomes = gate.complete_batch(prompts(4), OPTIONS)
        assert texts(outcomes) == ["refusal", "context_length", "cut", "echo: word 3"]
        assert server.batches.submitted == 1


def test_an_expired_batch_keeps_what_was_answered_and_submits_the_rest_again() -> None:
    with MockServer(batch_ends=[BatchEnd("expired", answered=2)]) as server, gateway(server) as gate:
        assert texts(gate.complete_batch(prompts(5), OPTIONS)) == [f"echo: word {i}" for i in range(5)]
        assert server.batches.submitted == 2
        line = gate.ledger().total
        # Requests of the expired batch that were never answered are settled as failed on their way.
        assert (line.calls - line.failed_calls, line.failed_calls) == (5, 3)
        assert server.request_count == 5


def test_a_cancelled_batch_is_not_submitted_again() -> None:
    with MockServer(batch_ends=[BatchEnd("cancelled", answered=1)]) as server, gateway(server) as gate:
        outcomes = gate.complete_batch(prompts(3), OPTIONS)
        assert texts(outcomes) == ["echo: word 0", "server_error", "server_error"]
        assert isinstance(outcomes[1], ModelFailure)
        assert "cancelled" in outcomes[1].message
        assert server.batches.submitted == 1
        # The user may do it, later.
        assert texts(gate.complete_batch(prompts(3), OPTIONS)) == [f"echo: word {i}" for i in range(3)]


def test_a_line_that_is_missing_is_asked_for_again() -> None:
    with MockServer(batch_ends=[BatchEnd(dropped=(1,))]) as server, gateway(server) as gate:
        assert texts(gate.complete_batch(prompts(3), OPTIONS)) == [f"echo: word {i}" for i in range(3)]
        assert server.request_count == 4


def test_a_batch_that_is_refused_whole_stops_the_run_and_may_be_given_again(tmp_path: Path) -> None:
    with MockServer(batch_ends=[BatchEnd("failed")]) as server:
        with gateway(server, tmp_path / "a.sqlite", budget=Budget(max_calls=3)) as gate:
            with pytest.raises(BadModelRequestError, match="Invalid input file"):
                gate.complete_batch(prompts(3), OPTIONS)
            assert gate.fatal is not None
            assert gate.ledger().total.requests == 0
        with gateway(server, tmp_path / "a.sqlite", budget=Budget(max_calls=3)) as gate:
            assert len(texts(gate.complete_batch(prompts(3), OPTIONS))) == 3


def test_one_bad_request_stops_the_run_after_the_others_are_saved() -> None:
    with MockServer([Fault(), Fault("bad_request"), Fault()]) as server, gateway(server) as gate:
        with pytest.raises(BadModelRequestError):
            gate.complete_batch(prompts(3), OPTIONS)
        line = gate.ledger().total
        assert (line.requests, line.failed_calls) == (3, 1)
        assert sum(gate._core.store.reply(r.key(api_base=server.url)) is not None for r in prompts(3)) == 2


def test_caps_hold_for_batches_and_count_those_under_way(tmp_path: Path) -> None:
    store = tmp_path / "a.sqlite"
    with MockServer() as server:
        with (
            gateway(server, store, budget=Budget(max_calls=5)) as gate,
            pytest.raises(BudgetReachedError, match="0 \\+ 6 of at most 5"),
        ):
            gate.complete_batch(prompts(6), OPTIONS)
        server.batches.hold(True)
        with gateway(server, store, deadline_s=0.3) as gate, pytest.raises(DeadlineReachedError):
            gate.complete_batch(prompts(4), OPTIONS)
        with gateway(server, store, budget=Budget(max_calls=5)) as gate:
            gate.complete(ModelRequest.of(MODEL, "the fifth"))
            with pytest.raises(BudgetReachedError):
                gate.complete(ModelRequest.of(MODEL, "the sixth"))
        server.batches.hold(False)
        with gateway(server, store, budget=Budget(max_calls=5)) as gate:
            assert len(texts(gate.complete_batch(prompts(4), OPTIONS))) == 4
        assert server.request_count == 5


def test_a_dollar_cap_refuses_a_batch_that_would_pass_it() -> None:
    with MockServer() as server, gateway(server, budget=Budget(max_usd=1.0), prices={MODEL: Price(1e4, 1e4)}) as gate:
        with pytest.raises(BudgetReachedError, match="of at most \\$1"):
            gate.complete_batch(prompts(3), OPTIONS)
        assert server.batches.submitted == 0


def test_models_without_a_batch_mode_are_called_one_by_one() -> None:
    with Gateway() as gate:
        outcomes = gate.complete_batch(prompts(3, "sim/writer"), OPTIONS)
        assert all(isinstance(o, ModelReply) and o.simulated for o in outcomes)


def test_large_batches_are_divided() -> None:
    with MockServer() as server, gateway(server) as gate:
        options = BatchOptions(poll_s=0.01, max_requests=4)
        assert len(gate.complete_batch(prompts(10), options)) == 10
        assert (server.batches.submitted, server.request_count) == (3, 10)
