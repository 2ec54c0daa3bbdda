"""A small OpenAI-compatible server on the loopback interface that answers, and fails, by plan.

It exists to test programs that call language models: every request is counted and kept, and each request can be given
one fault of a known class. Chat completions, embeddings, files and batches; nothing but the standard library.

    with MockServer(plan=[Fault("rate_limit", retry_after_s=1), Fault("ok", text="hello")]) as server:
        ...  # point a client at server.url with any key
    assert server.request_count == 2
"""

from __future__ import annotations

import contextlib
import json
import socket
import struct
import threading
import time
import zlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Final, Literal, Self, cast

from specgen.lm._mock_batches import BatchEnd, MockBatches, Step

FaultKind = Literal[
    "ok",
    "rate_limit",
    "quota",
    "server_error",
    "hang",
    "malformed",
    "cut",
    "wrong_key",
    "forbidden",
    "not_found",
    "bad_request",
    "context_length",
    "content_filter",
    "empty_choices",
    "empty_text",
    "null_content",
    "refusal",
    "tool_calls",
    "truncated",
]

_ERRORS: Final[Mapping[str, tuple[int, str, str]]] = {
    "rate_limit": (429, "rate_limit_exceeded", "Rate limit reached"),
    "quota": (429, "insufficient_quota", "You exceeded your current quota"),
    "server_error": (500, "server_error", "The server had an error"),
    "wrong_key": (401, "invalid_api_key", "Incorrect API key provided"),
    "forbidden": (403, "forbidden", "This key may not use this model"),
    "not_found": (404, "model_not_found", "The model does not exist"),
    "bad_request": (400, "invalid_request_error", "Invalid value for a parameter"),
    "context_length": (400, "context_length_exceeded", "This model's maximum context length is 8192 tokens"),
}


@dataclass(frozen=True)
class Fault:
    """What to do with one request.

    Attributes:
        kind: `ok` answers; the others fail in the way they are named. `hang` waits `latency_s` (default: until the
            server closes) and then cuts the connection; `malformed` sends half a JSON object with status 200; `cut`
            resets the connection after the request was read; `truncated` answers with finish reason `length`;
            `tool_calls` calls a tool `search` in place of an answer, whether it was offered or not.
        text: the reply's text, None for what the server's `answer` function says.
        retry_after_s: value of the Retry-After header of an error, None for no header.
        status: HTTP status of an error, None for the kind's usual one.
        latency_s: seconds before anything is sent.
        headers: further headers of the response.
    """

    kind: FaultKind = "ok"
    text: str | None = None
    retry_after_s: float | None = None
    status: int | None = None
    latency_s: float = 0.0
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class RecordedRequest:
    """One request as it came in: seconds since the server started, the JSON body, and the fault it was given."""

    at_s: float
    body: Mapping[str, Any]
    fault: FaultKind
    authorization: str = field(default="", repr=False)


def echo(body: Mapping[str, Any]) -> str:
    """Answer with the last message's text."""
    messages = body.get("messages") or [{}]
    return f"echo: {messages[-1].get('content', '')}"


def word_vector(text: str, size: int = 16) -> list[float]:
    """Return a vector that is alike for texts with many words in common: counts of words by their hash."""
    vector = [0.0] * size
    for word in text.lower().split():
        vector[zlib.crc32(word.encode()) % size] += 1.0
    return vector


class MockServer:
    """The server; a context manager. `url` is what a client takes as its API base (it ends in `/v1`).

    Args:
        plan: faults for the first requests, in order of arrival; later requests are answered. Or a function of the
            request's number (from 0) and body.
        answer: text of an `ok` reply, or its whole message (with tool calls), from the request's body.
        latency_s: seconds before each reply.
        api_key: the one key that is accepted; None accepts any.
        keep_requests: whether to keep the requests in `requests` (they are always counted).
        port: 0 for a free one.
        batch_ends, batch_polls, lose: how batches go; see `MockBatches`.

    Embeddings (`/v1/embeddings`) are requests like completions, with the same plan; `batches` holds files and batches,
    whose requests follow the plan too.
    """

    def __init__(
        self,
        plan: Sequence[Fault] | Callable[[int, Mapping[str, Any]], Fault] = (),
        *,
        answer: Callable[[Mapping[str, Any]], str | Mapping[str, Any]] = echo,
        latency_s: float = 0.0,
        api_key: str | None = None,
        keep_requests: bool = True,
        port: int = 0,
        batch_ends: Sequence[BatchEnd] = (),
        batch_polls: int = 2,
        lose: Sequence[Step] = (),
    ) -> None:
        self._plan = plan
        self._answer = answer
        self._latency_s = latency_s
        self._api_key = api_key
        self._keep = keep_requests
        self._lock = threading.Lock()
        self._started = time.monotonic()
        self._closing = threading.Event()
        self._count = 0
        self._by_fault: Counter[str] = Counter()
        self._tokens = [0, 0]
        self.requests: list[RecordedRequest] = []
        self.batches = MockBatches(self._batched, batch_ends, batch_polls, lose)
        self._http = _Server(("127.0.0.1", port), _Handler)
        self._http.mock = self
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.05,), daemon=True, name="mock-server")

    @property
    def url(self) -> str:
        """The API base, e.g. `http://127.0.0.1:40001/v1`."""
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    @property
    def request_count(self) -> int:
        """Completion requests that arrived."""
        with self._lock:
            return self._count

    @property
    def by_fault(self) -> dict[str, int]:
        """Completion requests by the fault they were given."""
        with self._lock:
            return dict(self._by_fault)

    @property
    def tokens(self) -> tuple[int, int]:
        """Input and output tokens of all completions sent, what a provider would bill."""
        with self._lock:
            return self._tokens[0], self._tokens[1]

    def start(self) -> Self:
        """Begin to serve; returns the server."""
        self._thread.start()
        return self

    def close(self) -> None:
        """Stop serving and release hanging requests."""
        self._closing.set()
        if self._thread.is_alive():
            self._http.shutdown()
            self._thread.join(5)
        self._http.cut_all()
        self._http.server_close()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, kind: type[BaseException] | None, exc: BaseException | None, tb: TracebackType | None) -> None:
        self.close()

    def take(self, body: Mapping[str, Any], authorization: str) -> Fault:
        """Count a request and decide its fault (called by the handler)."""
        with self._lock:
            number = self._count
            self._count += 1
            if self._api_key is not None and authorization != f"Bearer {self._api_key}":
                fault = Fault("wrong_key")
            elif callable(self._plan):
                fault = self._plan(number, body)
            else:
                fault = self._plan[number] if number < len(self._plan) else Fault()
            self._by_fault[fault.kind] += 1
            if self._keep:
                self.requests.append(RecordedRequest(time.monotonic() - self._started, body, fault.kind, authorization))
        return fault

    def wait(self, seconds: float | None) -> None:
        """Wait, but not beyond the server's end; None waits for the end."""
        self._closing.wait(seconds)

    def completion(self, body: Mapping[str, Any], fault: Fault) -> dict[str, Any]:
        """Return a chat completion object. Tokens are counted as white-space separated words."""
        said = fault.text if fault.text is not None else self._answer(body)
        message = {"role": "assistant", **({"content": said} if isinstance(said, str) else said)}
        reason = {"truncated": "length", "content_filter": "content_filter"}.get(fault.kind, "stop")
        if fault.kind in ("empty_text", "content_filter"):
            message["content"] = ""
        elif fault.kind in ("null_content", "refusal", "tool_calls"):
            message["content"] = None
        if fault.kind == "refusal":
            message["refusal"] = fault.text or "I cannot help with that."
        if fault.kind == "tool_calls":
            function = {"name": "search", "arguments": '{"query": "x"}'}
            message["tool_calls"] = [{"id": "call-1", "type": "function", "function": function}]
        if message.get("tool_calls"):
            reason = "tool_calls"
        tokens_in = sum(len(str(m.get("content", "")).split()) for m in body.get("messages", []))
        usage = self._bill(tokens_in, len(str(message.get("content") or "").split()))
        choice = {"index": 0, "message": message, "finish_reason": reason}
        return {
            "id": f"mock-{self._count}",
            "object": "chat.completion",
            "created": int(time.time()),
            "model": body.get("model", "mock"),
            "choices": [] if fault.kind == "empty_choices" else [choice],
            "usage": usage,
        }

    def embeddings(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """Return an embeddings object: a vector of word counts for each text."""
        given = body.get("input") or []
        texts = [given] if isinstance(given, str) else list(given)
        usage = self._bill(sum(len(text.split()) for text in texts), 0)
        data = [{"object": "embedding", "index": n, "embedding": word_vector(text)} for n, text in enumerate(texts)]
        # Results are numbered; nobody promises their order.
        return {"object": "list", "data": data[::-1], "model": body.get("model", "mock"), "usage": usage}

    def _bill(self, tokens_in: int, tokens_out: int) -> dict[str, int]:
        with self._lock:
            self._tokens[0] += tokens_in
            self._tokens[1] += tokens_out
        return {"prompt_tokens": tokens_in, "completion_tokens": tokens_out, "total_tokens": tokens_in + tokens_out}

    def _batched(self, body: Mapping[str, Any]) -> tuple[int, Mapping[str, Any]]:
        """Answer one request of a batch: status and body."""
        fault = self.take(body, f"Bearer {self._api_key}")
        if fault.kind in _ERRORS:
            return self.error(fault)
        if fault.kind in ("hang", "cut", "malformed"):
            return 500, {"error": {"message": "The server had an error", "type": "server_error", "code": None}}
        return 200, self.completion(body, fault)

    def error(self, fault: Fault) -> tuple[int, Mapping[str, Any]]:
        """Return status and body of an error."""
        status, code, message = _ERRORS[fault.kind]
        error = {"message": fault.text or message, "type": code, "param": None, "code": code}
        return fault.status or status, {"error": error}

    def pause_s(self, fault: Fault) -> float:
        """Seconds to wait before answering."""
        return fault.latency_s or self._latency_s


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256
    mock: MockServer

    def __init__(self, address: tuple[str, int], handler: type[BaseHTTPRequestHandler]) -> None:
        super().__init__(address, handler)
        self._open: set[socket.socket] = set()

    def process_request(self, request: Any, client_address: Any) -> None:
        """Serve a connection in a thread of its own, and remember it while it is open."""
        self._open.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        """Close a connection."""
        self._open.discard(request)
        super().shutdown_request(request)

    def cut_all(self) -> None:
        """Close the connections that clients keep open."""
        for connection in list(self._open):
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing: cut connections are part of the plan."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing on the terminal."""

    @property
    def _mock(self) -> MockServer:
        return cast(_Server, self.server).mock

    def do_GET(self) -> None:  # noqa: N802 - the name is the base class's
        """List one model, or look at batches and files."""
        batches = self._mock.batches
        path = self.path.partition("?")[0].rstrip("/")
        what, _, rest = path.removeprefix("/v1/").partition("/")
        if what == "models":
            self._send(200, {"object": "list", "data": [{"id": "mock", "object": "model"}]})
        elif what == "batches" and not rest:
            self._send(200, batches.listed())
        elif what == "batches" and (found := batches.look(rest)) is not None:
            self._send(200, found)
        elif what == "files" and (data := batches.content(rest.removesuffix("/content"))) is not None:
            self._send_bytes(200, data)
        else:
            self._absent()

    def do_POST(self) -> None:  # noqa: N802 - the name is the base class's
        """Answer by path: completions and embeddings by plan, files and batches."""
        raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        batches = self._mock.batches
        if self.path.endswith(("/chat/completions", "/embeddings")):
            self._answer(json.loads(raw or b"{}"))
        elif self.path.endswith("/files"):
            made: Mapping[str, Any] | None = batches.add_file(self.headers.get("Content-Type") or "", raw)
            self._done("files", made)
        elif self.path.endswith("/batches"):
            self._done("batches", batches.create(json.loads(raw or b"{}")))
        else:
            self._absent()

    def _done(self, step: Step, made: Mapping[str, Any] | None) -> None:
        if made is None:
            self._absent()
        elif self._mock.batches.loses(step):
            self._cut()
        else:
            self._send(200, made)

    def _absent(self) -> None:
        self._send(404, {"error": {"message": f"no such path {self.path}", "type": "not_found", "code": None}})

    def _answer(self, body: Mapping[str, Any]) -> None:
        mock = self._mock
        fault = mock.take(body, self.headers.get("Authorization") or "")
        if fault.kind == "hang":
            mock.wait(fault.latency_s or None)
            self._cut()
            return
        if pause_s := mock.pause_s(fault):
            mock.wait(pause_s)
        if fault.kind == "cut":
            self._cut()
        elif fault.kind == "malformed":
            self._send_bytes(200, b'{"id": "mock", "choices": [{"index": 0, "mess')
        elif fault.kind in _ERRORS:
            headers = {} if fault.retry_after_s is None else {"Retry-After": f"{fault.retry_after_s:g}"}
            status, error = mock.error(fault)
            self._send(status, error, {**headers, **fault.headers})
        elif self.path.endswith("/embeddings"):
            self._send(200, mock.embeddings(body), fault.headers)
        else:
            self._send(200, mock.completion(body, fault), fault.headers)

    def _send(self, status: int, body: Mapping[str, Any], headers: Mapping[str, str] | None = None) -> None:
        self._send_bytes(status, json.dumps(body).encode(), headers)

    def _send_bytes(self, status: int, data: bytes, headers: Mapping[str, str] | None = None) -> None:
        # One write for head and body: two small packets would wait for each other.
        lines = {"Content-Type": "application/json", "Content-Length": str(len(data)), **(headers or {})}
        head = f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\n"
        head += "".join(f"{name}: {value}\r\n" for name, value in lines.items())
        self.wfile.write(head.encode("latin-1") + b"\r\n" + data)

    def _cut(self) -> None:
        self.close_connection = True
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()
