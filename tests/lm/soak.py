"""A long run against a server that fails in every way, killed twice and resumed: `make soak`, and small in the suite.

The server counts for itself what it was asked and what it answered; at the end the ledger must say the same.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, get_args

from specgen.lm._report import read_report
from specgen.lm.mock_server import Fault, FaultKind, MockServer

MODEL: Final = "openai/gpt-4o-mini"
FATAL: Final[tuple[FaultKind, ...]] = ("wrong_key", "forbidden", "not_found", "bad_request", "quota")
"""Faults that end a process, as they should: each is given once, and the process is started again."""
LASTING: Final[tuple[FaultKind, ...]] = tuple(k for k in get_args(FaultKind) if k not in (*FATAL, "ok"))
ANSWERS: Final = frozenset({"ok", "truncated", "refusal", "tool_calls", "content_filter"})
"""What a model may be paid for once: an answer that is kept."""
SHARE: Final = 0.1
HANG_S: Final = 1.5
STOPPED: Final = 5

CHILD: Final = """
import sys
from pathlib import Path
from specgen.errors import SpecgenError
from specgen.lm import Gateway, ModelFailure, ModelRequest, RetryPolicy
from specgen.lm._chat import CACHED_FAILURES
store, url, calls, at_once, memory = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), sys.argv[5]
timeout_s, stopped = float(sys.argv[6]), int(sys.argv[7])

def resident_kb():
    text = Path("/proc/self/status").read_text()
    return int(text.partition("VmRSS:")[2].split()[0])

def left_over(gate):
    open_calls, done = 0, 0
    for start in range(0, calls, 50):
        requests = [ModelRequest.of("openai/gpt-4o-mini", f"word {i}") for i in range(start, min(start + 50, calls))]
        outcomes = gate.complete_many(requests)
        open_calls += sum(isinstance(o, ModelFailure) and o.kind not in CACHED_FAILURES for o in outcomes)
        done += sum(not o.cached for o in outcomes)
        with open(memory, "a") as file:
            file.write(f"{done} {resident_kb()}\\n")
    return open_calls

retry = RetryPolicy(max_attempts=15, first_wait_s=0.005, max_wait_s=0.05)
try:
    with Gateway(store, api_base=url, concurrency=at_once, retry=retry, timeout_s=timeout_s) as gate:
        while left_over(gate):
            pass
except SpecgenError as exc:
    print(exc.one_line(), file=sys.stderr)
    sys.exit(stopped)
"""


@dataclass(frozen=True)
class SoakResult:
    """What came of it.

    Attributes:
        calls: calls that were wanted; `stored` of them have an answer in the store.
        kills, restarts: processes that were killed, and that ended themselves because of a fatal fault.
        server_requests, ledger_requests: requests as the server and as the ledger count them.
        interrupted: requests without an outcome in the ledger: in flight at a kill.
        answered_twice: answers beyond the first to one prompt, by the server's count.
        server_tokens, ledger_tokens: input and output tokens together.
        by_fault: requests by the fault they were given.
        growth_bytes: slope of the last process's resident memory, bytes a call that was sent; None for a short run.
        wall_s: seconds.
    """

    calls: int
    stored: int
    kills: int
    restarts: int
    server_requests: int
    ledger_requests: int
    interrupted: int
    answered_twice: int
    server_tokens: int
    ledger_tokens: int
    by_fault: Mapping[str, int]
    growth_bytes: float | None
    wall_s: float


class Faults:
    """The plan: one request in ten fails, in every way in turn; fatal ways once each, spread over the run."""

    def __init__(self, calls: int) -> None:
        self._random = random.Random(calls)
        self._lock = threading.Lock()
        self._lasting = list(LASTING)
        step = max(1, calls // (len(FATAL) + 1))
        self._fatal = {step * (n + 1): kind for n, kind in enumerate(FATAL)}
        self._turn = 0
        self.answers: Counter[str] = Counter()

    def __call__(self, number: int, body: Mapping[str, Any]) -> Fault:
        with self._lock:
            fault = self._draw(number)
            if fault.kind in ANSWERS:
                self.answers[body["messages"][-1]["content"]] += 1
            return fault

    def _draw(self, number: int) -> Fault:
        if number in self._fatal:
            return Fault(self._fatal[number])
        if self._random.random() >= SHARE:
            return Fault(text="one two three")
        kind = self._lasting[self._turn % len(self._lasting)]
        self._turn += 1
        if kind == "hang":
            return Fault(kind, latency_s=2 * HANG_S)
        return Fault(kind, text="one two three" if kind == "truncated" else None, retry_after_s=0.05)


def run_soak(calls: int, folder: Path, at_once: int, kills: int = 2) -> SoakResult:
    """Run a child to its end, killing it `kills` times on the way and starting it again."""
    started = time.monotonic()
    store, memory = folder / "soak.sqlite", folder / "memory.txt"
    plan = Faults(calls)
    marks = [calls * (n + 1) // (2 * kills + 1) for n in range(kills)]
    killed = restarts = 0
    with MockServer(plan, latency_s=0.002, keep_requests=False) as server:
        while True:
            memory.write_text("")
            arguments = (store, server.url, calls, at_once, memory, HANG_S, STOPPED)
            command = [sys.executable, "-c", CHILD, *map(str, arguments)]
            child = subprocess.Popen(command, stderr=subprocess.DEVNULL)
            while child.poll() is None:
                if killed < kills and server.request_count >= marks[killed]:
                    os.kill(child.pid, signal.SIGKILL)
                    killed += 1
                    child.wait()
                time.sleep(0.01)
            if child.returncode == 0:
                break
            restarts += child.returncode == STOPPED
            if child.returncode not in (STOPPED, -signal.SIGKILL) or restarts > len(FATAL):
                raise AssertionError(f"the process ended with {child.returncode}, after {restarts} restarts")
        time.sleep(0.1)
        total = read_report(store).total
        with closing(sqlite3.connect(store)) as connection:
            (stored,) = connection.execute("SELECT count(*) FROM replies").fetchone()
        return SoakResult(
            calls=calls,
            stored=stored,
            kills=killed,
            restarts=restarts,
            server_requests=server.request_count,
            ledger_requests=total.requests,
            interrupted=total.interrupted_requests,
            answered_twice=sum(count - 1 for count in plan.answers.values()),
            server_tokens=sum(server.tokens),
            ledger_tokens=total.tokens,
            by_fault=server.by_fault,
            growth_bytes=growth_bytes(memory),
            wall_s=time.monotonic() - started,
        )


def growth_bytes(memory: Path) -> float | None:
    """Return the least-squares slope of resident memory over calls sent, in bytes a call, the first 500 left out."""
    points = [tuple(map(int, line.split())) for line in memory.read_text().splitlines()]
    points = [(calls, kb) for calls, kb in points if calls > 500]
    if len({calls for calls, _ in points}) < 10:
        return None
    mean_x, mean_y = (sum(column) / len(points) for column in zip(*points, strict=True))
    top = sum((x - mean_x) * (y - mean_y) for x, y in points)
    return float(1024 * top / sum((x - mean_x) ** 2 for x, _ in points))


def check(result: SoakResult, at_once: int) -> None:
    """Fail unless no call was lost, none was paid twice but for those in flight at a kill, and all counts agree."""
    assert result.stored == result.calls
    # A request is noted before it is sent: a kill between the two leaves a note of a request that never arrived.
    noted_only = result.ledger_requests - result.server_requests
    assert 0 <= noted_only <= result.kills * at_once
    assert noted_only <= result.interrupted
    # What was in flight at a kill may have been answered, and is then asked again: the ledger shows it as interrupted.
    lost = result.interrupted - noted_only
    assert result.answered_twice <= lost
    per_answer = 2 + 4
    assert 0 <= result.server_tokens - result.ledger_tokens <= per_answer * lost
    assert set(result.by_fault) == {"ok", *LASTING, *FATAL}


def main() -> None:
    """Run at full size and print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=5000)
    parser.add_argument("--at-once", type=int, default=32)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        result = run_soak(chosen.calls, Path(folder), chosen.at_once)
    for name in SoakResult.__dataclass_fields__:
        print(f"{name}: {getattr(result, name)}")
    check(result, chosen.at_once)
    assert result.growth_bytes is None or result.growth_bytes < 4096, "memory grows with every call"
    print("no call lost, none paid twice outside a kill, ledger and server agree")


if __name__ == "__main__":
    main()
