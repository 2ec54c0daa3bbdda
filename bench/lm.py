"""Bench rows of the model gateway: what a call costs beside the call itself."""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

from specgen.lm import Gateway, ModelRequest
from specgen.lm._litellm import load_litellm
from specgen.lm.mock_server import MockServer

MODEL = "openai/gpt-4o-mini"
ROUNDS = 5
CALLS_A_ROUND = 60
MANY_CALLS = 500
CONCURRENCY = 32
LATENCY_S = 0.2

Row = tuple[str, str, str]


def rows() -> list[Row]:
    """Return `(name, figure, unit or note)` for each figure."""
    with tempfile.TemporaryDirectory() as folder:
        return [*_overhead(Path(folder)), *_wall_time(Path(folder))]


def _overhead(folder: Path) -> list[Row]:
    """Time single calls in turn, directly and through the gateway, so that both see the same machine."""
    litellm = load_litellm()
    prompts = (f"word {number}" for number in range(10**6))
    with MockServer(keep_requests=False) as server, Gateway(folder / "one.sqlite", api_base=server.url) as gate:

        def direct(prompt: str) -> None:
            messages = [{"role": "user", "content": prompt}]
            litellm.completion(
                model=MODEL, messages=messages, api_base=server.url, api_key="key", max_retries=0, num_retries=0
            )

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


def _wall_time(folder: Path) -> list[Row]:
    """Time many concurrent calls of known latency against the ideal."""
    ideal = -(-MANY_CALLS // CONCURRENCY) * LATENCY_S
    note = f"x ideal of {ideal:.1f} s ({MANY_CALLS} calls, {LATENCY_S * 1000:.0f} ms, {CONCURRENCY} at once)"
    model = f"sim/writer?latency_ms={LATENCY_S * 1000:.0f}"
    with Gateway(folder / "sim.sqlite", concurrency=CONCURRENCY) as gate:
        simulated = _timed(lambda: gate.complete_many([ModelRequest.of(model, f"p {i}") for i in range(MANY_CALLS)]))
    with MockServer(latency_s=LATENCY_S, keep_requests=False) as server:
        with Gateway(folder / "http.sqlite", api_base=server.url, concurrency=CONCURRENCY) as gate:
            gate.complete(ModelRequest.of(MODEL, "warm up"))
            real = _timed(lambda: gate.complete_many([ModelRequest.of(MODEL, f"p {i}") for i in range(MANY_CALLS)]))
        plain = _timed(lambda: asyncio.run(_plain_calls(server.url)))
    return [
        ("gateway: many simulated calls, wall time", f"{simulated / ideal:.3f}", note),
        ("gateway: many calls over HTTP, wall time", f"{real / ideal:.3f}", note),
        ("plain litellm.acompletion, same calls", f"{plain / ideal:.3f}", note),
    ]


async def _plain_calls(url: str) -> None:
    litellm = load_litellm()
    slots = asyncio.Semaphore(CONCURRENCY)

    async def one(number: int) -> None:
        async with slots:
            send: Callable[..., Awaitable[object]] = litellm.acompletion
            await send(
                model=MODEL,
                messages=[{"role": "user", "content": f"p {number}"}],
                api_base=url,
                api_key="key",
                max_retries=0,
                num_retries=0,
            )

    await asyncio.gather(*(one(number) for number in range(MANY_CALLS)))


def _timed(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started
