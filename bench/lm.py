"""Bench rows of the model gateway: what a call costs beside the call itself, and how many go at once."""

from __future__ import annotations

import asyncio
import gc
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from specgen.lm import Gateway, ModelRequest
from specgen.lm._litellm import load_litellm

MODEL = "openai/gpt-4o-mini"
ROUNDS = 5
CALLS_A_ROUND = 60
MANY_CALLS = 500
CONCURRENCY = 32
LATENCY_S = 0.2
AT_ONCE = 64
BURST = 768
BURSTS = 5

Row = tuple[str, str, str]

_SERVER = """
import sys
from specgen.lm.mock_server import MockServer
with MockServer(keep_requests=False, latency_s=float(sys.argv[1])) as server:
    print(server.url, flush=True)
    sys.stdin.read()
"""


def rows() -> list[Row]:
    """Return `(name, figure, unit or note)` for each figure."""
    with tempfile.TemporaryDirectory() as folder:
        return [*_overhead(Path(folder)), *_throughput(Path(folder)), *_wall_time(Path(folder))]


@contextmanager
def _server(latency_s: float = 0.0) -> Iterator[str]:
    """Serve in a process of its own, so that the server's work is not counted as the client's."""
    command = [sys.executable, "-c", _SERVER, str(latency_s)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.stdin.close()


def _overhead(folder: Path) -> list[Row]:
    """Time single calls in turn, directly and through the gateway, so that both see the same machine."""
    litellm = load_litellm()
    prompts = (f"word {number}" for number in range(10**6))
    with _server() as url, Gateway(folder / "one.sqlite", api_base=url) as gate:

        def direct(prompt: str) -> None:
            litellm.completion(**_plain(url, prompt))

        def through(prompt: str) -> None:
            gate.complete(ModelRequest.of(MODEL, prompt))

        took: dict[str, list[float]] = {"direct": [], "through": []}
        for number in range(ROUNDS + 1):
            for name, call in (("direct", direct), ("through", through)):
                started = time.perf_counter()
                for _ in range(CALLS_A_ROUND):
                    call(next(prompts))
                if number:  # the first round warms up
                    took[name].append((time.perf_counter() - started) / CALLS_A_ROUND * 1000)
        started = time.perf_counter()
        for _ in range(CALLS_A_ROUND):
            through("word 70")
        cached = (time.perf_counter() - started) / CALLS_A_ROUND * 1000
    direct_ms, through_ms = statistics.median(took["direct"]), statistics.median(took["through"])
    return [
        ("gateway: one call, directly with litellm", f"{direct_ms:.2f}", "ms"),
        ("gateway: one call, through the gateway", f"{through_ms:.2f}", "ms"),
        ("gateway: overhead a call", f"{through_ms - direct_ms:+.2f}", "ms"),
        ("gateway: one call served from the cache", f"{cached:.2f}", "ms"),
    ]


def _throughput(folder: Path) -> list[Row]:
    """Time bursts of concurrent calls in turn: the gateway, plain litellm, dspy.LM. The server answers at once."""
    with _server() as url, Gateway(folder / "burst.sqlite", api_base=url, concurrency=AT_ONCE) as gate:
        number = iter(range(10**9))

        def ours() -> None:
            gate.complete_many([ModelRequest.of(MODEL, f"burst {next(number)}") for _ in range(BURST)])

        def plain() -> None:
            asyncio.run(_plain_calls(url, [f"burst {next(number)}" for _ in range(BURST)], AT_ONCE))

        work = {"gateway": ours, "litellm": plain, "dspy": _dspy_calls(url, number)}
        took: dict[str, list[float]] = {name: [] for name in work}
        used: dict[str, list[float]] = {name: [] for name in work}
        for turn in range(BURSTS + 1):
            for name, burst in work.items():
                gc.collect()  # the garbage of one is not collected in the time of the next
                before = time.process_time()
                seconds = _timed(burst)
                if turn:
                    took[name].append(seconds)
                    used[name].append(time.process_time() - before)
    a_second = {name: BURST / statistics.median(found) for name, found in took.items()}
    cpu_ms = {name: 1000 * statistics.median(found) / BURST for name, found in used.items()}
    note = f"calls/s ({BURST} calls, {AT_ONCE} at once, server in another process, median of {BURSTS})"
    return [
        ("throughput: gateway, stored and metered", f"{a_second['gateway']:.0f}", note),
        ("throughput: plain litellm.acompletion", f"{a_second['litellm']:.0f}", note),
        (f"throughput: dspy.LM, {AT_ONCE} threads", f"{a_second['dspy']:.0f}", note),
        ("throughput: gateway / litellm.acompletion", f"{a_second['gateway'] / a_second['litellm']:.2f}", "x"),
        ("throughput: gateway / dspy.LM", f"{a_second['gateway'] / a_second['dspy']:.2f}", "x"),
        ("processor time a call: gateway", f"{cpu_ms['gateway']:.2f}", "ms, the same calls, this process only"),
        ("processor time a call: plain litellm.acompletion", f"{cpu_ms['litellm']:.2f}", "ms"),
        ("processor time a call: dspy.LM", f"{cpu_ms['dspy']:.2f}", "ms"),
    ]


def _dspy_calls(url: str, number: Iterator[int]) -> Callable[[], None]:
    load_litellm()
    import dspy

    lm = dspy.LM(MODEL, api_base=url, api_key="key", cache=False, num_retries=0)
    pool = ThreadPoolExecutor(AT_ONCE)

    def burst() -> None:
        prompts = [f"burst {next(number)}" for _ in range(BURST)]
        list(pool.map(lm, prompts))

    return burst


def _wall_time(folder: Path) -> list[Row]:
    """Time many concurrent calls of known latency against the ideal."""
    ideal = -(-MANY_CALLS // CONCURRENCY) * LATENCY_S
    note = f"x ideal of {ideal:.1f} s ({MANY_CALLS} calls, {LATENCY_S * 1000:.0f} ms, {CONCURRENCY} at once)"
    model = f"sim/writer?latency_ms={LATENCY_S * 1000:.0f}"
    prompts = [f"p {i}" for i in range(MANY_CALLS)]
    with Gateway(folder / "sim.sqlite", concurrency=CONCURRENCY) as gate:
        simulated = _timed(lambda: gate.complete_many([ModelRequest.of(model, p) for p in prompts]))
    with _server(LATENCY_S) as url:
        with Gateway(folder / "http.sqlite", api_base=url, concurrency=CONCURRENCY) as gate:
            gate.complete(ModelRequest.of(MODEL, "warm up"))
            real = _timed(lambda: gate.complete_many([ModelRequest.of(MODEL, p) for p in prompts]))
        plain = _timed(lambda: asyncio.run(_plain_calls(url, prompts, CONCURRENCY)))
    return [
        ("gateway: many simulated calls, wall time", f"{simulated / ideal:.3f}", note),
        ("gateway: many calls over HTTP, wall time", f"{real / ideal:.3f}", note),
        ("plain litellm.acompletion, same calls", f"{plain / ideal:.3f}", note),
    ]


def _plain(url: str, prompt: str) -> dict[str, Any]:
    messages = [{"role": "user", "content": prompt}]
    return {
        "model": MODEL,
        "messages": messages,
        "api_base": url,
        "api_key": "key",
        "max_retries": 0,
        "num_retries": 0,
    }


async def _plain_calls(url: str, prompts: list[str], at_once: int) -> None:
    litellm = load_litellm()
    slots = asyncio.Semaphore(at_once)

    async def one(prompt: str) -> None:
        async with slots:
            send: Callable[..., Awaitable[object]] = litellm.acompletion
            await send(**_plain(url, prompt))

    await asyncio.gather(*(one(prompt) for prompt in prompts))


def _timed(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started
