"""`specgen lm`: try a model, read a run's ledger, serve a mock model."""

from __future__ import annotations

import json
import signal
import sys
import threading
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from specgen.errors import EnvironmentMissingError, SpecgenError

if TYPE_CHECKING:
    from specgen.lm import ModelFailure
    from specgen.lm._report import LedgerReport

lm_app = typer.Typer(help="Model calls: try one, see what a run spent, serve a mock model.", no_args_is_help=True)

PING = "Reply with the single word: pong"
PING_TOKENS = 64
_REMEDIES: Mapping[str, str] = {
    "rate_limited": "Wait and try again, or lower the limits of other programs that use the key",
    "server_error": "Try again later, or look at the server's log",
    "timeout": "Try again with a longer --timeout, or look after the server",
    "connection": "Check the network and the API base",
    "malformed": "Check that the API base speaks the OpenAI format (it usually ends in /v1)",
}
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON on standard output.")]


@lm_app.command("ping")
def ping(
    model: Annotated[str, typer.Argument(metavar="MODEL", help="LiteLLM name, or sim/… for a simulated model.")],
    api_base: Annotated[str, typer.Option("--api-base", help="OpenAI-compatible server.")] = "",
    timeout_s: Annotated[float, typer.Option("--timeout", help="Seconds to wait.", min=0.1)] = 30.0,
    json_out: JsonOption = False,
) -> None:
    """Make one tiny call: latency, tokens and cost, or why it does not work (exit 3)."""
    from specgen.lm import Gateway, ModelFailure, ModelRequest, RetryPolicy

    with Gateway(api_base=api_base or None, timeout_s=timeout_s, retry=RetryPolicy(max_attempts=2)) as gateway:
        gateway.preflight([model])
        try:
            outcome = gateway.complete(ModelRequest.of(model, PING, max_tokens=PING_TOKENS))
        except SpecgenError as exc:
            raise EnvironmentMissingError(exc.message, remedy=exc.remedy) from exc
    if isinstance(outcome, ModelFailure):
        raise _ping_failed(model, outcome)
    found = {
        "schema": 1,
        "model": model,
        "latency_s": round(outcome.latency_s, 4),
        "attempts": outcome.attempts,
        "input_tokens": outcome.usage.input_tokens,
        "output_tokens": outcome.usage.output_tokens,
        "cost_usd": outcome.cost_usd,
        "simulated": outcome.simulated,
    }
    if json_out:
        print(json.dumps(found))
        return
    cost = "price unknown" if outcome.cost_usd is None else f"${outcome.cost_usd:.6f}"
    note = " (simulated)" if outcome.simulated else ""
    tokens = f"{outcome.usage.input_tokens} + {outcome.usage.output_tokens} tokens"
    print(f"{model}{note} answers: {outcome.latency_s:.2f} s, {tokens}, {cost}")


def _ping_failed(model: str, failure: ModelFailure) -> EnvironmentMissingError:
    return EnvironmentMissingError(
        f"{model} does not answer: {failure.kind} after {failure.attempts} attempts: {failure.message}",
        remedy=_REMEDIES.get(failure.kind, "The model is there, but this reply is of no use; try another model"),
    )


@lm_app.command("ledger")
def ledger(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="Run folder, or the file of its calls.")],
    json_out: JsonOption = False,
) -> None:
    """Show what a run spent, by role, model and split; unknown prices stay unknown."""
    from specgen.lm._report import find_store, read_report

    report = read_report(find_store(run))
    if json_out:
        print(json.dumps(report.to_json()))
        return
    for text in ledger_lines(report):
        print(text)


def ledger_lines(report: LedgerReport) -> list[str]:
    """Return a report as the lines of a table."""
    head = ["role", "model", "split", "calls", "cached", "failed", "retries", "lost", "in", "out", "cost", "seconds"]
    several = len({row.run for row in report.rows}) > 1
    table = [[*(["run"] if several else []), *head]]
    for row in report.rows:
        split = "?" if row.split is None else row.split or "–"
        names = [*([row.run] if several else []), row.role, row.model, split]
        table.append([*names, *_amounts(row.line)])
    table.append(["total", *[""] * (len(table[0]) - 10), *_amounts(report.total)])
    widths = [max(len(cells[n]) for cells in table) for n in range(len(table[0]))]
    first_number = len(table[0]) - 9
    lines = [
        "  ".join(
            c.rjust(w) if n >= first_number else c.ljust(w) for n, (c, w) in enumerate(zip(r, widths, strict=True))
        )
        for r in table
    ]
    if report.failures:
        lines.append("failed: " + ", ".join(f"{count} {kind}" for kind, count in report.failures.items()))
    if report.total.unpriced_calls:
        known = report.total.known_cost_usd
        lines.append(f"calls without a known price: {report.total.unpriced_calls}; the others cost ${known:.4f}")
    return [line.rstrip() for line in lines]


def _amounts(line: Any) -> list[str]:
    cost = "unknown" if line.cost_usd is None else f"${line.cost_usd:.4f}"
    if line.calls and line.simulated_calls == line.calls:
        cost = "simulated"
    counts = (line.calls, line.cached_calls, line.failed_calls, line.retries, line.interrupted_requests)
    return [*map(str, counts), f"{line.input_tokens}", f"{line.output_tokens}", cost, f"{line.model_s:.1f}"]


@lm_app.command("mock-server")
def mock_server(
    port: Annotated[int, typer.Option("--port", help="0 for a free one.", min=0, max=65535)] = 0,
    plan: Annotated[Path | None, typer.Option("--plan", help="Faults by number or share (TOML, JSON).")] = None,
    model: Annotated[str, typer.Option("--model", help="Simulated model that answers.")] = "sim/writer",
    dataset: Annotated[str, typer.Option("--dataset", help="Tasks that the simulated model knows.")] = "starter",
    path: Annotated[Path | None, typer.Option("--path", help="Folder or file of the data set.")] = None,
) -> None:
    """Serve a simulated model as an OpenAI-compatible server on this machine, until it is interrupted."""
    from specgen.lm._mock_plan import FaultPlan, read_plan
    from specgen.lm.mock_server import MockServer

    faults = read_plan(plan) if plan is not None else FaultPlan()
    answer = simulated_answer(model, dataset, path)
    server = MockServer(faults, answer=answer, latency_s=faults.latency_s, keep_requests=False, port=port)
    ended = threading.Event()
    signal.signal(signal.SIGTERM, lambda _signal, _frame: ended.set())
    with server:
        print(server.url, flush=True)
        try:
            ended.wait()
        except KeyboardInterrupt:
            pass
        counts = ", ".join(f"{count} {kind}" for kind, count in sorted(server.by_fault.items())) or "none"
        print(f"requests: {counts}; batches: {server.batches.submitted}", file=sys.stderr, flush=True)


class simulated_answer:  # noqa: N801 - it is called like the function that it stands for
    """Answers a request's body as a simulated model does.

    A body that names a simulated model (`sim/reflector`) is answered by that one, others by the default. Equal bodies
    are further samples of one prompt, so they are answered differently, in the same order in each run.
    """

    def __init__(self, model: str, dataset: str, path: Path | None = None) -> None:
        from runs.simulated import knowledge
        from specgen.lm.simulated import SimulatedProvider
        from specgen.tasks import load_dataset

        self._provider = SimulatedProvider(knowledge(load_dataset(dataset, path).tasks))
        self._provider.prepare(model)
        self._model = model
        self._seen: Counter[str] = Counter()
        self._lock = threading.Lock()

    def __call__(self, body: Mapping[str, Any]) -> str:
        """Return the reply's text."""
        import asyncio

        from specgen.lm import ChatMessage, ModelRequest
        from specgen.lm.simulated import SIMULATED_PREFIX

        named = str(body.get("model") or "")
        model = named if named.startswith(SIMULATED_PREFIX) else self._model
        text = json.dumps(body, sort_keys=True)
        with self._lock:
            sample = self._seen[text]
            self._seen[text] += 1
        messages = tuple(
            ChatMessage(m.get("role", "user"), str(m.get("content") or "")) for m in body.get("messages", [])
        )
        request = ModelRequest(model=model, messages=messages, temperature=body.get("temperature"), sample=sample)
        return asyncio.run(self._provider.send(request, timeout_s=60)).text
