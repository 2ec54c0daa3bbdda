"""Several processes on one store: a call that is under way elsewhere is waited for, a dead process is not."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing
from pathlib import Path

from specgen.lm import Gateway, ModelReply, ModelRequest, RetryPolicy
from specgen.lm._ledger import LedgerRow
from specgen.lm._owner import is_dead, make_owner
from specgen.lm._store import Settlement, Store
from specgen.lm.mock_server import Fault, MockServer

MODEL = "openai/gpt-4o-mini"
CHILD = """
import sys
from specgen.lm import Gateway, ModelRequest
store, url = sys.argv[1:]
with Gateway(store, api_base=url, concurrency=4) as gate:
    gate.complete_many([ModelRequest.of("openai/gpt-4o-mini", f"word {i}") for i in range(12)])
"""


def row(key: str) -> LedgerRow:
    return LedgerRow(
        role="task", model="m", split="", task_id="", key=key, outcome="reply", attempts=1, input_tokens=1,
        output_tokens=1, cost_pico_usd=0, latency_s=0.0, simulated=False,
    )  # fmt: skip


def test_a_claim_is_held_until_it_is_settled_released_or_out_of_date(tmp_path: Path) -> None:
    store = Store(tmp_path / "a.sqlite", "run")
    mine, other = make_owner(), make_owner()
    assert store.claim("k", mine, 100) == "mine"
    assert store.claim("k", mine, 100) == "mine"
    assert store.claim("k", other, 100) == "taken"
    store.release_claim("k", other)  # not theirs to give up
    assert store.claim("k", other, 100) == "taken"
    store.release_claim("k", mine)
    assert store.claim("k", other, -1) == "mine"
    assert store.claim("k", mine, 100) == "mine"  # the lease had run out
    store.renew_claims(mine, -1)
    assert store.claim("k", other, 100) == "mine"
    store.settle(Settlement(row("k"), request="{}", reply="{}", claimed_by=other))
    assert store.claim("k", mine, 100) == "replied"
    store.close()


def test_the_claim_of_a_process_that_has_ended_is_free_at_once(tmp_path: Path) -> None:
    code = "from specgen.lm._owner import make_owner; print(make_owner())"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()
    assert is_dead(ended)
    assert not is_dead(make_owner())
    store = Store(tmp_path / "a.sqlite", "run")
    assert store.claim("k", ended, 1000) == "mine"
    assert store.claim("k", make_owner(), 1000) == "mine"
    store.close()


def test_a_process_number_that_is_in_use_again_does_not_keep_a_claim() -> None:
    machine, pid, started, name = make_owner().split("|")
    assert started
    assert is_dead("|".join((machine, pid, f"{started}0", name)))


def test_nothing_is_known_of_another_machine() -> None:
    assert not is_dead("elsewhere|1|2|3")
    assert not is_dead("not an owner")


def test_two_gateways_that_ask_the_same_at_the_same_time_pay_once(tmp_path: Path) -> None:
    store = tmp_path / "a.sqlite"
    with MockServer(latency_s=0.1) as server:
        children = [subprocess.Popen([sys.executable, "-c", CHILD, str(store), server.url]) for _ in range(3)]
        assert [child.wait(120) for child in children] == [0, 0, 0]
        assert server.request_count == 12
        with Gateway(store, api_base=server.url) as gate:
            total = gate.ledger().total
            assert (total.calls, total.cached_calls, total.requests) == (12, 24, 12)


def test_a_call_of_a_killed_process_is_taken_over_without_waiting_for_its_lease(tmp_path: Path) -> None:
    store = tmp_path / "a.sqlite"
    with MockServer(lambda n, _b: Fault("hang") if n < 4 else Fault()) as server:
        child = subprocess.Popen([sys.executable, "-c", CHILD, str(store), server.url])
        deadline = time.monotonic() + 60
        while server.request_count < 4 and time.monotonic() < deadline:
            time.sleep(0.01)
        os.kill(child.pid, signal.SIGKILL)
        child.wait()
        with closing(sqlite3.connect(store)) as connection:
            (until,) = connection.execute("SELECT min(until) FROM claims").fetchone()
        with Gateway(store, api_base=server.url) as gate:
            outcomes = gate.complete_many([ModelRequest.of(MODEL, f"word {i}") for i in range(12)])
            assert all(isinstance(o, ModelReply) for o in outcomes)
            assert gate.ledger().total.interrupted_requests == 4
        assert time.time() < until  # the lease had not run out


def test_a_call_that_fails_elsewhere_is_made_here(tmp_path: Path) -> None:
    store, retry = tmp_path / "a.sqlite", RetryPolicy(max_attempts=1)
    plan = [Fault("server_error", latency_s=0.3), Fault(text="good")]
    with MockServer(plan) as server:
        with Gateway(store, api_base=server.url, retry=retry) as one, Gateway(store, api_base=server.url) as two:
            first = threading.Thread(target=one.complete, args=(ModelRequest.of(MODEL, "hi"),))
            first.start()
            while not server.request_count:
                time.sleep(0.005)
            reply = two.complete(ModelRequest.of(MODEL, "hi"))
            first.join()
        assert isinstance(reply, ModelReply)
        assert (reply.text, reply.cached, server.request_count) == ("good", False, 2)
