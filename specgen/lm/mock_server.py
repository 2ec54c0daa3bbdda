"""A small OpenAI-compatible server on the loopback interface that answers, and fails, by plan.

It exists to test programs that call language models: every request is counted and kept, and each request can be given
one fault of a known class. It needs nothing but the standard library.

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
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Final, Literal, Self, cast

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
            resets the connection after the request was read; `truncated` answers with finish reason `length`.
        text: the reply's text, None for what the server's `answer` function says.
        retry_after_s: value of the Retry-After header of an error, None for no header.
        status: HTTP status of an error, None for the kind's usual one.
        latency_s: seconds before anything is sent.
    """

    kind: FaultKind = "ok"
    text: str | None = None
    retry_after_s: float | None = None
    status: int | None = None
    latency_s: float = 0.0


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


class MockServer:
    """The server; a context manager. `url` is what a client takes as its API base (it ends in `/v1`).

    Args:
        plan: faults for the first requests, in order of arrival; later requests are answered. Or a function of the
            request's number (from 0) and body.
        answer: text of an `ok` reply, from the request's body.
        latency_s: seconds before each reply.
        api_key: the one key that is accepted; None accepts any.
        keep_requests: whether to keep the requests in `requests` (they are always counted).
        port: 0 for a free one.
    """

    def __init__(
        self,
        plan: Sequence[Fault] | Callable[[int, Mapping[str, Any]], Fault] = (),
        *,
        answer: Callable[[Mapping[str, Any]], str] = echo,
        latency_s: float = 0.0,
        api_key: str | None = None,
        keep_requests: bool = True,
        port: int = 0,
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
        text = fault.text if fault.text is not None else self._answer(body)
        reason = {"truncated": "length", "content_filter": "content_filter"}.get(fault.kind, "stop")
        if fault.kind in ("empty_text", "content_filter"):
            text = ""
        message = {"role": "assistant", "content": text}
        tokens_in = sum(len(str(m.get("content", "")).split()) for m in body.get("messages", []))
        tokens_out = len(text.split())
        with self._lock:
            self._tokens[0] += tokens_in
            self._tokens[1] += tokens_out
        choice = {"index": 0, "message": message, "finish_reason": reason}
        return {
            "id": f"mock-{self._count}",
            "object": "chat.completion",
            "created": int(time.time()),
            "model": body.get("model", "mock"),
            "choices": [] if fault.kind == "empty_choices" else [choice],
            "usage": {
                "prompt_tokens": tokens_in,
                "completion_tokens": tokens_out,
                "total_tokens": tokens_in + tokens_out,
            },
        }

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

    def do_GET(self) -> None:  # noqa: N802 - the name is the base class's
        """List one model, as clients ask when they look whether a server is there."""
        self._send(200, {"object": "list", "data": [{"id": "mock", "object": "model"}]})

    def do_POST(self) -> None:  # noqa: N802 - the name is the base class's
        """Answer a chat completion request by plan."""
        raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if not self.path.endswith("/chat/completions"):
            self._send(404, {"error": {"message": f"no such path {self.path}", "type": "not_found", "code": None}})
            return
        mock = cast(_Server, self.server).mock
        body = json.loads(raw or b"{}")
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
            status, code, message = _ERRORS[fault.kind]
            headers = {} if fault.retry_after_s is None else {"Retry-After": f"{fault.retry_after_s:g}"}
            error = {"message": message, "type": code, "param": None, "code": code}
            self._send(fault.status or status, {"error": error}, headers)
        else:
            self._send(200, mock.completion(body, fault))

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
