"""Ledger and caps: exact under threads, across processes, and when a process is killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from specgen.errors import BudgetReachedError, ExitCode, SpecgenError
from specgen.lm import Budget, Gateway, ModelOutcome, ModelReply, ModelRequest, Price, RetryPolicy, ScriptedModel
from specgen.lm._errors import PriceUnknownError
from specgen.lm._types import ROLES
from specgen.lm.mock_server import Fault, MockServer

# LiteLLM's own typed dictionaries displease pydantic when they are imported.
pytestmark = pytest.mark.filterwarnings("ignore:.*`ReadOnly` qualifier:UserWarning")
MODEL = "openai/gpt-4o-mini"
MOST_ATTEMPTS = 15
QUICK = RetryPolicy(max_attempts=MOST_ATTEMPTS, first_wait_s=0.01, max_wait_s=0.1)


def faulty(number: int, body: Mapping[str, Any]) -> Fault:
    if number % 7 == 3:
        return Fault("server_error")
    if number % 11 == 5:
        return Fault("rate_limit")
    return Fault("cut") if number % 13 == 7 else Fault()


def test_the_ledger_is_exact_under_32_threads_and_equals_the_servers_count(tmp_path: Path) -> None:
    requests = [ModelRequest.of(MODEL, f"word {i}", role=ROLES[i % 3], split="train") for i in range(300)]
    with MockServer(faulty, latency_s=0.002) as server:
        with Gateway(tmp_path / "lm.sqlite", api_base=server.url, retry=QUICK, concurrency=32) as gate:
            with ThreadPoolExecutor(32) as pool:
                outcomes = list(pool.map(gate.complete, requests))
            ledger = gate.ledger()
        assert all(isinstance(o, ModelReply) for o in outcomes)
        total = ledger.total
        assert total.calls == 300
        assert total.requests == server.request_count
        assert (total.input_tokens, total.output_tokens) == server.tokens
        assert total.cost_pico_usd == 300 * round((2 * 0.15 + 3 * 0.6) * 1e6)
        assert [ledger.line(role).calls for role in ROLES[:3]] == [100, 100, 100]
        assert sum(o.attempts for o in outcomes) == server.request_count
        with Gateway(tmp_path / "lm.sqlite", api_base=server.url) as again:
            assert again.ledger() == ledger
            assert ledger.total.interrupted_requests == 0


def run_out(gate: Gateway, count: int, threads: int = 32) -> list[ModelOutcome | SpecgenError]:
    def one(number: int) -> ModelOutcome | SpecgenError:
        try:
            return gate.complete(ModelRequest.of(MODEL, f"word {number}"))
        except SpecgenError as exc:
            return exc

    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(one, range(count)))


def test_max_calls_is_never_exceeded(tmp_path: Path) -> None:
    store = tmp_path / "lm.sqlite"
    with MockServer(faulty, latency_s=0.01) as server:
        budget = Budget(max_calls=40)
        with Gateway(store, api_base=server.url, budget=budget, retry=QUICK, concurrency=32) as gate:
            outcomes = run_out(gate, 100)
            assert isinstance(gate.fatal, BudgetReachedError)
            assert gate.fatal.exit_code == ExitCode.BUDGET_REACHED
            assert "resume" in gate.fatal.one_line()
        assert server.request_count == 40
        paid = sum(isinstance(o, ModelReply) for o in outcomes)
        assert paid > 0
        with Gateway(store, api_base=server.url, budget=budget, retry=QUICK) as gate:
            assert gate.ledger().total.requests == 40
            with pytest.raises(BudgetReachedError):
                gate.complete(ModelRequest.of(MODEL, "something new"))
        assert server.request_count == 40
        # Resumed with a higher cap: what was paid for is served from the store.
        with Gateway(store, api_base=server.url, budget=Budget(max_calls=1000), retry=QUICK) as gate:
            again = run_out(gate, 100)
            assert all(isinstance(o, ModelReply) for o in again)
            assert sum(o.cached for o in again if isinstance(o, ModelReply)) == paid
            assert gate.ledger().total.requests == server.request_count


def test_max_tokens_is_exceeded_by_at_most_the_calls_in_flight() -> None:
    with MockServer(latency_s=0.01) as server:
        with Gateway(api_base=server.url, budget=Budget(max_tokens=100), concurrency=8) as gate:
            run_out(gate, 100)
            assert isinstance(gate.fatal, BudgetReachedError)
        # Each call has 2 + 3 tokens, and up to 8 are in flight before the first size is known.
        assert 100 <= sum(server.tokens) <= 100 + 8 * 5


def test_max_usd_is_exceeded_by_at_most_the_calls_in_flight() -> None:
    prices = {MODEL: Price(1e5, 1e5)}  # ten cents a token
    with MockServer(latency_s=0.01) as server:
        budget = Budget(max_usd=10.0)
        with Gateway(api_base=server.url, budget=budget, prices=prices, concurrency=8) as gate:
            run_out(gate, 100)
            spent = gate.ledger().total.cost_usd
            assert isinstance(gate.fatal, BudgetReachedError)
            assert "$10" in gate.fatal.message
        assert spent is not None
        assert spent == pytest.approx(sum(server.tokens) * 0.1)
        assert 10.0 <= spent <= 10.0 + 8 * 0.5


def test_a_dollar_cap_with_an_unknown_price_is_refused_before_the_first_call() -> None:
    with MockServer() as server, Gateway(api_base=server.url, budget=Budget(max_usd=1.0)) as gate:
        with pytest.raises(PriceUnknownError) as caught:
            gate.complete(ModelRequest.of("openai/my-own-model", "hi"))
        assert caught.value.exit_code == ExitCode.USER_ERROR
        assert "price" in caught.value.remedy
        assert server.request_count == 0


def test_an_unknown_price_is_unknown_and_not_zero() -> None:
    with MockServer() as server, Gateway(api_base=server.url) as gate:
        outcome = gate.complete(ModelRequest.of("openai/my-own-model", "hi"))
        assert outcome.cost_usd is None
        gate.complete(ModelRequest.of(MODEL, "hi"))
        total = gate.ledger().total
        assert total.cost_usd is None
        assert total.unpriced_calls == 1
        assert total.known_cost_usd > 0
        assert gate.ledger().to_json()["total"]["cost_usd"] is None


def test_simulated_calls_are_marked_and_cost_nothing_under_a_dollar_cap() -> None:
    with Gateway(budget=Budget(max_usd=0.01)) as gate:
        outcome = gate.complete(ModelRequest.of("sim/writer", "hi"))
        assert outcome.simulated
        assert outcome.cost_usd == 0.0
        assert gate.ledger().total.simulated_calls == 1


def test_each_run_of_a_store_has_its_own_ledger_and_shares_the_cache(tmp_path: Path) -> None:
    store = tmp_path / "lm.sqlite"
    with Gateway(store, run="a", providers={"sim/script": ScriptedModel(["x"])}) as gate:
        gate.complete(ModelRequest.of("sim/script", "hi"))
    with Gateway(store, run="b", providers={"sim/script": ScriptedModel([])}) as gate:
        assert gate.complete(ModelRequest.of("sim/script", "hi")).cached
        total = gate.ledger().total
        assert (total.calls, total.cached_calls) == (0, 1)


CHILD = """
import sys
from concurrent.futures import ThreadPoolExecutor
from specgen.lm import Gateway, ModelRequest, RetryPolicy
store, url = sys.argv[1:]
retry = RetryPolicy(max_attempts=15, first_wait_s=0.01, max_wait_s=0.1)
with Gateway(store, api_base=url, concurrency=8, retry=retry) as gate, ThreadPoolExecutor(8) as pool:
    list(pool.map(gate.complete, [ModelRequest.of("openai/gpt-4o-mini", f"word {i}") for i in range(150)]))
"""


def wait_for(server: MockServer, count: int, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + 120
    while server.request_count < count and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.005)


def test_kill_9_loses_no_paid_reply_and_counts_none_twice(tmp_path: Path) -> None:
    store = tmp_path / "lm.sqlite"
    with MockServer(faulty, latency_s=0.02) as server:
        for count in (40, 110):
            child = subprocess.Popen([sys.executable, "-c", CHILD, str(store), server.url])
            wait_for(server, count, child)
            os.kill(child.pid, signal.SIGKILL)
            child.wait()
        time.sleep(0.2)  # let the server finish with the last requests
        with Gateway(store, api_base=server.url, retry=QUICK, concurrency=8) as gate:
            total = gate.ledger().total
            # Each request was noted before it was sent, and at each kill at most 8 calls were in flight, each with the
            # attempts it had made so far.
            assert total.interrupted_requests <= 2 * 8 * MOST_ATTEMPTS
            assert server.request_count <= total.requests <= server.request_count + 2 * 8
            before = total.calls - total.failed_calls
            assert before > 0
            outcomes = run_out(gate, 150, threads=8)
            assert all(isinstance(o, ModelReply) for o in outcomes)
            after = gate.ledger().total
            assert after.calls - after.failed_calls == 150
            assert sum(o.cached for o in outcomes if isinstance(o, ModelReply)) == before
            assert server.request_count <= after.requests <= server.request_count + 2 * 8
            assert (after.input_tokens, after.output_tokens) == (150 * 2, 150 * 3)


def test_two_processes_share_one_store(tmp_path: Path) -> None:
    store = tmp_path / "lm.sqlite"
    with MockServer(latency_s=0.005) as server:
        children = [subprocess.Popen([sys.executable, "-c", CHILD, str(store), server.url]) for _ in range(2)]
        assert [child.wait(120) for child in children] == [0, 0]
        with Gateway(store, api_base=server.url) as gate:
            total = gate.ledger().total
            assert total.calls + total.cached_calls == 300
            assert total.requests == server.request_count
            assert (total.input_tokens, total.output_tokens) == server.tokens
