"""The parent's handle of the child process: requests with a time limit, a new child after a crash."""

from __future__ import annotations

import importlib.util
import json
import os
import selectors
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from oracle.symbols import WHEEL

LIBRARY: Final = "libleanshared.so"
CASE_TIMEOUT_S: Final = 10.0
START_TIMEOUT_S: Final = 60.0


class Unavailable(Exception):  # noqa: N818
    """There is no oracle here; the message says why."""


@dataclass(frozen=True, slots=True)
class Died:
    """The child ended, or was ended, while it worked on a case."""

    reason: str


def find_library() -> Path:
    """Return the path of Lean's library in the wheel.

    Raises:
        Unavailable: the wheel is not installed, or has no such file.
    """
    spec = importlib.util.find_spec(WHEEL)
    if spec is None or spec.origin is None:
        raise Unavailable(f"the optional wheel {WHEEL} is not installed (make oracle installs it where it can be had)")
    path = Path(spec.origin).with_name(LIBRARY)
    if not path.is_file():
        raise Unavailable(f"the wheel {WHEEL} that is installed has no {LIBRARY}")
    return path


class Child:
    """A child process, started when first needed and again after each crash."""

    def __init__(self, library: Path) -> None:
        self._library = library
        self._process: subprocess.Popen[bytes] | None = None
        self._buffer = b""

    def close(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            for stream in (process.stdin, process.stdout):
                if stream is not None:
                    stream.close()
        self._buffer = b""

    def _start(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            root = str(Path(__file__).resolve().parent.parent)
            env = {**os.environ, "PYTHONPATH": root}
            self._process = subprocess.Popen(
                [sys.executable, "-m", "oracle.child", str(self._library)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                cwd=root,
                env=env,
            )
            first = self._line(START_TIMEOUT_S)
            if isinstance(first, Died):
                raise Unavailable(f"Lean's library cannot be loaded here: {first.reason}")
        return self._process

    def _line(self, timeout_s: float) -> dict[str, Any] | Died:
        process = self._process
        if process is None or process.stdout is None:
            return Died("not started")
        with selectors.DefaultSelector() as selector:
            selector.register(process.stdout, selectors.EVENT_READ)
            while b"\n" not in self._buffer:
                if not selector.select(timeout_s):
                    self.close()
                    return Died(f"no answer within {timeout_s:g} s")
                data = os.read(process.stdout.fileno(), 1 << 16)
                if not data:
                    code = process.wait()
                    self.close()
                    return Died(f"signal {-code}" if code < 0 else f"exit status {code}")
                self._buffer += data
        line, _, self._buffer = self._buffer.partition(b"\n")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def _send(self, request: dict[str, Any]) -> None:
        process = self._start()
        if process.stdin is None:
            raise Unavailable("the child has no standard input")
        try:
            process.stdin.write(json.dumps(request).encode() + b"\n")
            process.stdin.flush()
        except BrokenPipeError:
            pass

    def has(self, names: Sequence[str]) -> list[bool]:
        """Tell which symbols the library has.

        Raises:
            Unavailable: the child cannot be started.
        """
        self._send({"has": list(names)})
        answer = self._line(START_TIMEOUT_S)
        if isinstance(answer, Died):
            raise Unavailable(f"Lean's library does not answer: {answer.reason}")
        return list(answer["has"])

    def call(self, request: dict[str, Any], cases: Sequence[Any]) -> list[dict[str, Any] | Died]:
        """Return an answer for each case, up to and including the first one that the child died of."""
        self._send({**request, "cases": list(cases)})
        answers: list[dict[str, Any] | Died] = []
        for _ in cases:
            answers.append(self._line(CASE_TIMEOUT_S))
            if isinstance(answers[-1], Died):
                break
        return answers
