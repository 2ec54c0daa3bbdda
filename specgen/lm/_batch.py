"""OpenAI's Batch API as a way to make calls: submit, poll, collect, resume after a kill between any two steps.

Every step is written to the store before the next. Before a batch is submitted it is looked for at the provider, by its
metadata and its file: the answer to an earlier submission may have been lost (the process was killed, the connection
cut). An upload whose answer was lost is made again, as a file costs nothing. Format of the
files: https://platform.openai.com/docs/guides/batch.
"""

from __future__ import annotations

import asyncio
import json
import time
import uuid
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Literal, TypeVar

from specgen.errors import SpecgenError, UserError
from specgen.lm._batch_store import (
    BatchItem,
    BatchRecord,
    add_batch,
    collect,
    open_batches,
    read_batch,
    set_state,
)
from specgen.lm._chat import Chat
from specgen.lm._core import LEASE_S, Call, Core, claim_waits, ledger_row
from specgen.lm._errors import BadModelRequestError, OutageError
from specgen.lm._openai import completion_body
from specgen.lm._provider import CallError
from specgen.lm._store import Settlement
from specgen.lm._types import ModelFailure, ModelOutcome, ModelRequest, one_line, outcome_from_json
from specgen.lm._wire import read_completion, refused

if TYPE_CHECKING:
    import openai

MARK: Final = "specgen"
"""Name of our id in a batch's metadata, and the beginning of our files' names."""
_ENDED: Final = frozenset({"completed", "expired", "cancelled", "failed"})
_CLOCK_SLACK_S: Final = 3600.0
T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class BatchOptions:
    """How batches are made.

    Attributes:
        poll_s, max_poll_s: seconds between looks at a batch: the first, growing by half each time up to the second.
        window: the time the provider may take.
        rounds: how often a request is submitted at most: requests that failed on the way, or whose batch expired, are
            submitted again. What has still failed after the last round comes back as a failure.
        max_requests: requests in one batch (OpenAI takes 50,000).

    Raises:
        UserError: for a number that is not positive.
    """

    poll_s: float = 10.0
    max_poll_s: float = 120.0
    window: Literal["24h"] = "24h"
    rounds: int = 2
    max_requests: int = 20_000

    def __post_init__(self) -> None:
        if min(self.poll_s, self.max_poll_s) <= 0 or self.rounds < 1 or self.max_requests < 1:
            raise UserError("the options of batches must be positive")


async def complete_batch(
    core: Core, chat: Chat, requests: Sequence[ModelRequest], options: BatchOptions
) -> list[ModelOutcome]:
    """Return outcomes in order; see `Gateway.complete_batch`."""
    calls = [chat.call(request) for request in requests]
    single = [n for n, call in enumerate(calls) if call.provider is not core.openai]
    outcomes: dict[int, ModelOutcome] = {}
    served = await chat.serve_all([requests[n] for n in single])
    outcomes.update(zip(single, served, strict=True))
    todo: dict[str, ModelRequest] = {}
    for n, call in enumerate(calls):
        if n in outcomes:
            continue
        stored = await chat.stored(call)
        if stored is None:
            todo[call.key] = requests[n]
        else:
            outcomes[n] = stored
    found = await _Batches(core, chat, options).run(todo)
    return [outcomes[n] if n in outcomes else found[call.key] for n, call in enumerate(calls)]


class _Batches:
    """The batches of one call of `complete_batch`."""

    def __init__(self, core: Core, chat: Chat, options: BatchOptions) -> None:
        self._core = core
        self._chat = chat
        self._options = options
        self._clients: dict[str, openai.AsyncOpenAI] = {}
        self._first_error: SpecgenError | None = None

    async def run(self, todo: Mapping[str, ModelRequest]) -> dict[str, ModelOutcome]:
        """Return an outcome a key, in as many rounds as allowed."""
        found: dict[str, ModelOutcome] = {}
        left = dict(todo)
        try:
            for _ in range(self._options.rounds):
                if not left:
                    break
                found |= await self._round(left)
                if self._first_error is not None:
                    raise self._first_error
                left = {key: r for key, r in left.items() if _worth_again(found.get(key))}
        finally:
            for client in self._clients.values():
                await client.close()
        lost = ModelFailure(kind="malformed", message="no batch brought an outcome for this request")
        return {key: found.get(key, lost) for key in todo}

    async def _round(self, todo: Mapping[str, ModelRequest]) -> dict[str, ModelOutcome]:
        under_way = open_batches(self._core.store, todo.keys())
        taken = {item.key for record in under_way for item in record.items}
        fresh = {key: request for key, request in todo.items() if key not in taken}
        records = [*under_way, *self._prepare(fresh)]
        results = await asyncio.gather(*(self._drive(r) for r in records), return_exceptions=True)
        failed = [r for r in results if isinstance(r, BaseException)]
        if failed:
            raise failed[0]
        found: dict[str, ModelOutcome] = {}
        for result in results:
            if not isinstance(result, BaseException):
                found |= {key: outcome for key, outcome in result.items() if key in todo}
        return found

    def _prepare(self, requests: Mapping[str, ModelRequest]) -> list[BatchRecord]:
        """Write down new batches, one model each, before anything is sent."""
        by_model: dict[str, list[BatchItem]] = {}
        for key, request in requests.items():
            body = completion_body(request, self._core.openai.base(request.model))
            stored = self._core.redacted_exactly(request.canonical_json())
            item = BatchItem(key, request.role, request.split, request.task_id, stored, body)
            by_model.setdefault(request.model, []).append(item)
        records = []
        size = self._options.max_requests
        for model, items in by_model.items():
            for start in range(0, len(items), size):
                part = items[start : start + size]
                self._reserve(model, [requests[item.key] for item in part])
                record = BatchRecord(uuid.uuid4().hex, model, "prepared", time.time(), items=tuple(part))
                add_batch(self._core.store, record)
                records.append(record)
        return records

    def _reserve(self, model: str, requests: Sequence[ModelRequest]) -> None:
        calls = [self._chat.call(request) for request in requests]
        single = self._core.openai.price(model)
        price = None if single is None else single.for_batches() or single
        tokens = sum(call.tokens for call in calls)
        usd = None
        if price is not None:
            replies = sum(min(r.max_tokens or 512, c.tokens) for r, c in zip(requests, calls, strict=True))
            usd = price.cost_usd(tokens - replies, replies)
        self._core.meter.reserve_batch(len(requests), tokens, usd)

    # One batch

    async def _drive(self, record: BatchRecord) -> dict[str, ModelOutcome]:
        """Carry a batch from where it is to its outcomes, or wait for the process that does."""
        store, name, waits = self._core.store, f"batch:{record.id}", claim_waits()
        while store.shared and store.claim(name, self._core.owner, LEASE_S) != "mine":
            await self._core.pause(next(waits))
        if store.shared:
            self._core.keep_claims()
        try:
            record = read_batch(store, record.id)
            if record.state == "prepared":
                record = await self._upload(record)
            if record.state == "uploaded":
                record = await self._submit(record)
            if record.state == "submitted":
                return await self._collect(record, await self._ended(record))
            stored = {item.key: store.reply(item.key) for item in record.items}
            return {key: outcome_from_json(text) for key, text in stored.items() if text is not None}
        finally:
            if store.shared:
                store.release_claim(name, self._core.owner)

    async def _upload(self, record: BatchRecord) -> BatchRecord:
        client, name = self._client(record.model), f"{MARK}-{record.id}.jsonl"
        lines = [
            {"custom_id": item.key, "method": "POST", "url": "/v1/chat/completions", "body": item.body}
            for item in record.items
        ]
        data = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode("utf-8", "surrogatepass")

        async def upload() -> str:
            return (await client.files.create(file=(name, data), purpose="batch")).id

        file_id = await self._ask(record, upload)
        set_state(self._core.store, record.id, "uploaded", file_id=file_id)
        return replace(record, state="uploaded", file_id=file_id)

    async def _submit(self, record: BatchRecord) -> BatchRecord:
        """Submit once: what may have been submitted before is looked for first."""
        client = self._client(record.model)

        async def submit() -> str:
            if (known := await self._lost(client, record)) is not None:
                return known
            made = await client.batches.create(
                input_file_id=record.file_id,
                endpoint="/v1/chat/completions",
                completion_window=self._options.window,
                metadata={MARK: record.id},
            )
            return made.id

        batch_id = await self._ask(record, submit)
        set_state(self._core.store, record.id, "submitted", batch_id=batch_id)
        return replace(record, state="submitted", batch_id=batch_id)

    async def _lost(self, client: openai.AsyncOpenAI, record: BatchRecord) -> str | None:
        """Return the provider's id of a batch that was submitted without our learning of it."""
        async for batch in client.batches.list(limit=100):
            if (batch.metadata or {}).get(MARK) == record.id or batch.input_file_id == record.file_id:
                return batch.id
            if batch.created_at < record.at - _CLOCK_SLACK_S:  # newest first
                break
        return None

    async def _ended(self, record: BatchRecord) -> Any:
        """Wait for a batch's end and return it as the provider describes it."""
        client, wait_s = self._client(record.model), self._options.poll_s
        while True:
            batch = await self._ask(record, lambda: client.batches.retrieve(record.batch_id))
            if batch.status in _ENDED:
                return batch
            await self._core.pause(wait_s)
            wait_s = min(self._options.max_poll_s, 1.5 * wait_s)

    async def _collect(self, record: BatchRecord, batch: Any) -> dict[str, ModelOutcome]:
        """Read the result files and save every outcome at once."""
        client = self._client(record.model)
        if batch.status == "failed":
            set_state(self._core.store, record.id, "failed")
            self._core.meter.return_batch(len(record.items))
            errors = getattr(batch.errors, "data", None) or []
            said = "; ".join(one_line(str(e.message), 200) for e in errors[:2]) or "no reason given"
            raise BadModelRequestError(
                f"the batch for {record.model} was refused: {said}",
                remedy="Correct the requests or the account's limits",
            )
        lines: dict[str, Mapping[str, Any]] = {}
        for file_id in (batch.output_file_id, batch.error_file_id):
            if file_id:
                content = await self._ask(record, lambda f=file_id: client.files.content(f))  # type: ignore[misc]
                lines |= _lines(content.text)
        outcomes: dict[str, ModelOutcome] = {}
        settlements = []
        for item in record.items:
            outcome, settlement = self._item(record, item, lines.get(item.key), str(batch.status))
            settlements.append(settlement)
            if outcome is not None:
                outcomes[item.key] = outcome
        collect(self._core.store, record, settlements)
        for settlement in settlements:
            self._core.meter.settle_batched(settlement.row)
        return outcomes

    def _item(
        self, record: BatchRecord, item: BatchItem, line: Mapping[str, Any] | None, status: str
    ) -> tuple[ModelOutcome | None, Settlement]:
        """Return the outcome of one request (None: it stops the run, when all are saved) and what is saved of it."""
        provider = self._core.openai
        call = Call(item.role, record.model, item.split, item.task_id, item.key, provider, item.request, 0, attempts=1)
        raw = "" if line is None else json.dumps(line, ensure_ascii=False)
        latency_s = max(0.0, time.time() - record.at)
        try:
            body = _body(line, status, record.model, self._core)
            reply = read_completion(body, tools_offered=bool(item.body.get("tools")), raw=raw)
            outcome: ModelOutcome = self._chat.reply(call, reply)
        except CallError as exc:
            outcome = self._chat.failure(call, exc)
        except SpecgenError as exc:
            self._first_error = self._first_error or exc
            row = ledger_row(call, "stopped", latency_s=latency_s)
            return None, Settlement(row, response=self._core.redacted(raw))
        single = provider.price(record.model)
        price = None if single is None else single.for_batches()
        usage = outcome.usage
        cost = (
            None
            if price is None
            else price.cost_usd(usage.input_tokens, usage.output_tokens, usage.cached_input_tokens)
        )
        outcome = replace(outcome, cost_usd=cost, latency_s=latency_s)
        return outcome, self._chat.settlement(call, outcome, raw)

    # The provider

    def _client(self, model: str) -> openai.AsyncOpenAI:
        base = self._core.openai.base(model)
        if base not in self._clients:
            import openai

            self._clients[base] = openai.AsyncOpenAI(
                api_key=self._core.openai.key(model),
                base_url=base,
                max_retries=0,
                timeout=self._core.policies.timeout_s,
            )
        return self._clients[base]

    async def _ask(self, record: BatchRecord, work: Callable[[], Awaitable[T]]) -> T:
        """Ask the provider something, with the gateway's retries.

        Raises:
            OutageError: it does not answer; the batch's state is saved.
        """
        import openai

        async def once() -> T:
            try:
                return await work()
            except openai.APIStatusError as exc:
                text, endpoint = exc.response.text, self._core.endpoints.of(record.model)
                raise refused(exc.status_code, text, exc.response.headers, record.model, endpoint) from exc
            except openai.APITimeoutError as exc:
                raise CallError("timeout", "no answer in time") from exc
            except openai.APIConnectionError as exc:
                raise CallError("connection", one_line(str(exc))) from exc
            except (openai.APIError, ValueError) as exc:
                raise CallError("malformed", one_line(str(exc))) from exc

        try:
            return await self._core.policies.retry.run(once, self._core.pause)
        except CallError as exc:
            where = self._core.server(record.model)
            raise OutageError(
                f"{where} does not answer about a batch ({exc.kind}: {exc.message}); the batch is saved",
                remedy="Run again to go on with it",
            ) from exc


def _lines(text: str) -> dict[str, Mapping[str, Any]]:
    """Return a result file's lines by `custom_id`; a line that is cut is left out."""
    found = {}
    for raw in text.splitlines():
        try:
            line = json.loads(raw)
        except ValueError:
            continue
        if isinstance(line, Mapping) and line.get("custom_id"):
            found[str(line["custom_id"])] = line
    return found


def _body(line: Mapping[str, Any] | None, status: str, model: str, core: Core) -> Any:
    """Return the response's body of one line.

    Raises:
        CallError: the request failed, or there is no line for it.
        SpecgenError: the request was refused in a way that stops a run.
    """
    if line is None:
        if status == "cancelled":
            raise CallError("server_error", "the batch was cancelled before this request was answered")
        if status == "expired":
            raise CallError("timeout", "the batch expired before this request was answered")
        raise CallError("malformed", "the batch's files have no line for this request")
    raw = json.dumps(line, ensure_ascii=False)
    error, response = line.get("error"), line.get("response")
    if isinstance(response, Mapping) and response.get("body") is not None:
        code = response.get("status_code")
        if code == 200:
            return response["body"]
        raise refused(int(code or 500), json.dumps(response["body"]), {}, model, core.endpoints.of(model))
    said = error if isinstance(error, Mapping) else {}
    kind: Literal["timeout", "server_error"] = "timeout" if said.get("code") == "batch_expired" else "server_error"
    raise CallError(kind, one_line(str(said.get("message") or said.get("code") or "no reason given")), raw=raw)


def _worth_again(outcome: ModelOutcome | None) -> bool:
    """Whether a request is submitted again: it failed on the way, and nobody cancelled its batch."""
    if outcome is None:
        return True
    return isinstance(outcome, ModelFailure) and outcome.transient and "cancelled" not in outcome.message
