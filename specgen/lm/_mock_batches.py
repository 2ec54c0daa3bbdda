"""The mock server's files and batches: OpenAI's `/v1/files` and `/v1/batches`, kept in memory, ended by plan."""

from __future__ import annotations

import email
import email.policy
import json
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

Step = Literal["files", "batches"]


@dataclass(frozen=True)
class BatchEnd:
    """How one batch ends.

    Attributes:
        status: what it ends as. `failed` is refused whole, as for a file that is not valid.
        answered: requests that are answered, in the file's order (None: all); the others get an error line when the
            batch expires, and no line at all when it is cancelled.
        dropped: numbers of requests that are answered, but have no line in any file.
    """

    status: Literal["completed", "expired", "cancelled", "failed"] = "completed"
    answered: int | None = None
    dropped: tuple[int, ...] = ()


@dataclass
class _Batch:
    id: str
    file_id: str
    metadata: Mapping[str, str]
    endpoint: str
    created_at: int
    polls: int = 0
    status: str = "validating"
    output: str = ""
    errors: str = ""
    message: str = ""
    files: dict[str, str] = field(default_factory=dict)


class MockBatches:
    """Files and batches of one server.

    Args:
        answer: status and body of the response to one request body; called once for each answered request.
        ends: how the batches end, in order of submission; later ones complete.
        polls: looks at a batch before it ends.
        lose: steps that are done but whose response is cut, each name once for each time.
    """

    def __init__(
        self,
        answer: Callable[[Mapping[str, Any]], tuple[int, Mapping[str, Any]]],
        ends: Sequence[BatchEnd] = (),
        polls: int = 2,
        lose: Sequence[Step] = (),
    ) -> None:
        self._answer = answer
        self._ends = list(ends)
        self._polls = polls
        self._lose = list(lose)
        self._lock = threading.Lock()
        self._files: dict[str, tuple[str, bytes]] = {}
        self._batches: dict[str, _Batch] = {}
        self.held = False

    @property
    def submitted(self) -> int:
        """Batches that were submitted."""
        return len(self._batches)

    def hold(self, held: bool) -> None:
        """Let no batch end while held."""
        self.held = held

    def loses(self, step: Step) -> bool:
        """Whether this response is to be cut (once for each entry of `lose`)."""
        with self._lock:
            if step not in self._lose:
                return False
            self._lose.remove(step)
            return True

    def add_file(self, content_type: str, raw: bytes) -> dict[str, Any]:
        """Take an upload (multipart form data) and return the file object."""
        head = f"Content-Type: {content_type}\r\n\r\n".encode()
        name, data = "", b""
        for part in email.message_from_bytes(head + raw, policy=email.policy.HTTP).iter_parts():
            payload = part.get_payload(decode=True)
            if (found := part.get_filename()) and isinstance(payload, bytes):
                name, data = found, payload
        with self._lock:
            file_id = f"file-{len(self._files)}"
            self._files[file_id] = (name, data)
        return self._file(file_id)

    def _file(self, file_id: str) -> dict[str, Any]:
        name, data = self._files[file_id]
        return {
            "id": file_id,
            "object": "file",
            "bytes": len(data),
            "created_at": int(time.time()),
            "filename": name,
            "purpose": "batch",
            "status": "processed",
        }

    def content(self, file_id: str) -> bytes | None:
        """Return a file's content, None for one that is not there."""
        found = self._files.get(file_id)
        return None if found is None else found[1]

    def create(self, body: Mapping[str, Any]) -> dict[str, Any] | None:
        """Submit a batch; None when its file is not there."""
        with self._lock:
            if body.get("input_file_id") not in self._files:
                return None
            batch = _Batch(
                f"batch-{len(self._batches)}",
                str(body["input_file_id"]),
                dict(body.get("metadata") or {}),
                str(body.get("endpoint")),
                int(time.time()),
            )
            self._batches[batch.id] = batch
            return self._object(batch)

    def look(self, batch_id: str) -> dict[str, Any] | None:
        """Return a batch's object, nearer to its end with each look; None for one that is not there."""
        with self._lock:
            batch = self._batches.get(batch_id)
            if batch is None:
                return None
            if batch.status in ("validating", "in_progress"):
                batch.polls += 1
                batch.status = "in_progress"
                if batch.polls > self._polls and not self.held:
                    self._end(batch)
            return self._object(batch)

    def listed(self) -> dict[str, Any]:
        """Return the list of batches, newest first."""
        with self._lock:
            data = [self._object(b) for b in reversed(self._batches.values())]
        return {"object": "list", "data": data, "has_more": False}

    def _end(self, batch: _Batch) -> None:
        number = int(batch.id.rpartition("-")[2])
        end = self._ends[number] if number < len(self._ends) else BatchEnd()
        batch.status = end.status
        if end.status == "failed":
            batch.message = "Invalid input file"
            return
        good: list[dict[str, Any]] = []
        bad: list[dict[str, Any]] = []
        for n, raw in enumerate(self._files[batch.file_id][1].splitlines()):
            line = json.loads(raw)
            base = {"id": f"batch_req-{batch.id}-{n}", "custom_id": line["custom_id"]}
            if end.answered is not None and n >= end.answered:
                if end.status == "expired":
                    error = {"code": "batch_expired", "message": "This request could not be executed in time"}
                    bad.append({**base, "response": None, "error": error})
                continue
            status, body = self._answer(line["body"])
            response = {"status_code": status, "request_id": base["id"], "body": body}
            if n not in end.dropped:
                (good if status == 200 else bad).append({**base, "response": response, "error": None})
        # Results come in any order.
        batch.output = self._result(good[::-1])
        batch.errors = self._result(bad)

    def _result(self, lines: Sequence[Mapping[str, Any]]) -> str:
        if not lines:
            return ""
        file_id = f"file-{len(self._files)}"
        data = "".join(json.dumps(line) + "\n" for line in lines).encode()
        self._files[file_id] = ("results.jsonl", data)
        return file_id

    def _object(self, batch: _Batch) -> dict[str, Any]:
        errors = [{"code": "invalid_file", "message": batch.message, "line": None, "param": None}]
        return {
            "id": batch.id,
            "object": "batch",
            "endpoint": batch.endpoint,
            "errors": {"object": "list", "data": errors} if batch.message else None,
            "input_file_id": batch.file_id,
            "completion_window": "24h",
            "status": batch.status,
            "output_file_id": batch.output or None,
            "error_file_id": batch.errors or None,
            "created_at": batch.created_at,
            "metadata": dict(batch.metadata),
        }
