"""Candidates that were made elsewhere: a file of JSON lines, or a folder of Lean files.

What cannot be taken for a candidate is skipped and counted with its reason, and the rest is read. Only an input of
which nothing can be used is a mistake of the user's.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import IO, Any, Literal, TypeAlias, get_args

from specgen.errors import UserError
from specgen.generators import FIELD_NAMES, Candidate
from specgen.generators.candidate import FailureKind

SkipKind: TypeAlias = Literal[
    "not_utf8", "not_json", "not_a_candidate", "unknown_task", "duplicate", "too_long", "unreadable"
]

MAX_LINE_BYTES = 64 << 20
"""Longest line or file that is taken into memory: some six times the largest reply that we know a model can give."""

MAX_SAMPLE = 10**9
"""Largest sample number; what is larger is no count of anything."""

LINE_FORM = 'Write one {"task", "generator", "text"} or {"task", "generator", "fields"} a line'


@dataclass(frozen=True, slots=True)
class Skipped:
    """A part of the input that is no candidate: where it stands (a line's number, or a file's name), and why."""

    where: int | str
    kind: SkipKind
    reason: str

    def as_record(self) -> dict[str, Any]:
        """Return plain JSON data: `line` or `file`, `kind`, `reason`."""
        return {
            "line" if isinstance(self.where, int) else "file": self.where,
            "kind": self.kind,
            "reason": self.reason,
        }

    @property
    def place(self) -> str:
        """Where it stands, in words."""
        return f"line {self.where}" if isinstance(self.where, int) else self.where


@dataclass(frozen=True, slots=True)
class Input:
    """What was found: candidates in their order, and what was skipped."""

    candidates: tuple[Candidate, ...]
    skipped: tuple[Skipped, ...]


class _SkipError(Exception):
    """This part of the input is no candidate."""

    def __init__(self, kind: SkipKind, reason: str) -> None:
        super().__init__(reason)
        self.kind: SkipKind = kind
        self.reason = reason


def read_input(path: Path, known: Callable[[str], bool], dataset: str, generator: str = "") -> Input:
    """Read candidates from a file of JSON lines (`.gz` too) or a folder of Lean files.

    Args:
        path: the file or folder.
        known: tells whether a task id is one of the data set's.
        dataset: its name, for messages.
        generator: name of the generator for candidates that name none.

    Raises:
        UserError: when the file or folder cannot be read, or nothing in it is a candidate for a task of the data set.
    """
    candidates: list[Candidate] = []
    skipped: list[Skipped] = []
    first: dict[tuple[str, str, int], int | str] = {}
    for where, found in _folder(path, known) if path.is_dir() else _lines(path):
        try:
            if isinstance(found, _SkipError):
                raise found
            candidate = _named(make_candidate(_record(found)), generator)
            if not known(candidate.task_id):
                raise _SkipError("unknown_task", f"{dataset} has no task {candidate.task_id!r}")
            key = (candidate.task_id, candidate.generator, candidate.sample)
            if key in first:
                at = Skipped(first[key], "duplicate", "").place
                raise _SkipError("duplicate", f"task, generator and sample are those of {at}")
        except _SkipError as skip:
            skipped.append(Skipped(where, skip.kind, skip.reason))
            continue
        first[key] = where
        candidates.append(candidate)
    if skipped and not candidates:
        one = skipped[0]
        remedy = "Name the data set with --dataset and --path" if one.kind == "unknown_task" else LINE_FORM
        more = f"; {len(skipped)} lines or files and no candidate among them" if len(skipped) > 1 else ""
        raise UserError(f"{path}, {one.place}: {one.reason}{more}", remedy=remedy)
    return Input(tuple(candidates), tuple(skipped))


def _named(candidate: Candidate, generator: str) -> Candidate:
    return candidate if candidate.generator or not generator else replace(candidate, generator=generator)


_Part: TypeAlias = tuple[int | str, "bytes | Mapping[str, Any] | _SkipError"]


def _unreadable(path: Path, exc: Exception) -> UserError:
    why = exc.strerror if isinstance(exc, OSError) and exc.strerror else exc
    return UserError(f"cannot read {path}: {why}", remedy="Name a file of JSON lines, or a folder of Lean files")


def _lines(path: Path) -> Iterator[_Part]:
    try:
        with open(path, "rb") as raw:
            compressed = raw.read(2) == b"\x1f\x8b"
            raw.seek(0)
            with gzip.open(raw) if compressed else raw as stream:
                yield from _numbered(stream)
    except OSError as exc:
        raise _unreadable(path, exc) from exc


def _numbered(stream: IO[bytes] | gzip.GzipFile) -> Iterator[_Part]:
    number = 0
    while True:
        number += 1
        try:
            line = stream.readline(MAX_LINE_BYTES)
            whole = len(line) < MAX_LINE_BYTES or line.endswith(b"\n")
            rest = b"" if whole else line
            while rest and not rest.endswith(b"\n"):
                rest = stream.readline(MAX_LINE_BYTES)
        except (EOFError, zlib.error, gzip.BadGzipFile) as exc:
            yield number, _SkipError("unreadable", f"the compressed file is damaged here, the rest is lost: {exc}")
            return
        if not line:
            return
        if not whole:
            yield number, _SkipError("too_long", f"longer than {MAX_LINE_BYTES} bytes")
        elif line.strip():
            yield number, line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line


def _folder(path: Path, known: Callable[[str], bool]) -> Iterator[_Part]:
    """Yield the Lean files of a folder: `TASK.lean`, `TASK.2.lean` (sample 2), or any names below a folder `TASK`,
    which are its samples in the order of their names.
    """
    try:
        files = sorted(f for f in path.rglob("*.lean") if f.is_file())
    except OSError as exc:
        raise _unreadable(path, exc) from exc
    if not files:
        raise UserError(f"{path} has no Lean files", remedy="Name a folder of TASK.lean, or a file of JSON lines")
    counts: dict[str, int] = {}
    for file in files:
        inside = file.relative_to(path)
        folder, stem = inside.parent.as_posix(), inside.stem
        head, _, tail = stem.rpartition(".")
        if folder != ".":
            task, sample = folder, counts.get(folder, 0)
            counts[folder] = sample + 1
        elif not known(stem) and head and tail.isascii() and tail.isdigit() and len(tail) < 10:
            task, sample = head, int(tail)
        else:
            task, sample = stem, 0
        yield inside.as_posix(), _lean_file(file, task, sample)


def _lean_file(file: Path, task: str, sample: int) -> Mapping[str, Any] | _SkipError:
    try:
        if file.stat().st_size > MAX_LINE_BYTES:
            return _SkipError("too_long", f"longer than {MAX_LINE_BYTES} bytes")
        return {"task": task, "text": file.read_bytes().decode("utf-8-sig"), "sample": sample}
    except UnicodeDecodeError as exc:
        return _SkipError("not_utf8", f"not UTF-8 (byte {exc.start})")
    except OSError as exc:
        return _SkipError("unreadable", exc.strerror or str(exc))


def _record(part: bytes | Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the record of a line, checked; raises `_SkipError`."""
    record: Any = part
    if isinstance(part, bytes):
        try:
            record = json.loads(part.decode("utf-8"))
        except UnicodeDecodeError as exc:
            raise _SkipError("not_utf8", f"not UTF-8 (byte {exc.start})") from None
        except (ValueError, RecursionError) as exc:
            raise _SkipError("not_json", f"not JSON ({exc})") from None
    problem = _problem(record)
    if problem:
        raise _SkipError("not_a_candidate", problem)
    checked: Mapping[str, Any] = record
    return checked


def _problem(record: Any) -> str:
    """Return what is wrong with a record of a candidate, empty when nothing is."""
    if not isinstance(record, dict) or not isinstance(record.get("task"), str):
        return "no field 'task' that is a string"
    text, fields, sample = record.get("text"), record.get("fields"), record.get("sample", 0)
    if text is None and fields is None:
        return "neither 'text' nor 'fields'"
    if text is not None and not isinstance(text, str):
        return "field 'text' is not a string"
    if fields is not None and not (isinstance(fields, dict) and all(isinstance(v, str) for v in fields.values())):
        return "field 'fields' is not an object of strings"
    unknown = sorted(set(fields or ()) - set(FIELD_NAMES))
    if unknown:
        return f"there is no field 'fields.{unknown[0]}', only {', '.join(FIELD_NAMES)}"
    if isinstance(sample, bool) or not isinstance(sample, int) or not 0 <= sample <= MAX_SAMPLE:
        return "field 'sample' is not a whole number from 0"
    if record.get("failure", "") not in get_args(FailureKind):
        return f"field 'failure' is not one of {', '.join(filter(None, get_args(FailureKind)))}, or empty"
    return ""


_KEPT: Mapping[str, type | tuple[type, ...]] = MappingProxyType(
    {
        "prompt_hash": str,
        "model": str,
        "simulated": bool,
        "input_tokens": int,
        "output_tokens": int,
        "cost_usd": (float, int),
        "latency_s": (float, int),
        "attempts": int,
        "calls": int,
        "lean": str,
    }
)
"""What `specgen generate` says of a call, kept where it has its type."""


def _finite(value: Any) -> bool:
    """Tell whether a value is text, or a number that JSON and a database can hold."""
    return isinstance(value, str) or abs(value) < 2**63


def make_candidate(record: Mapping[str, Any]) -> Candidate:
    """Return the candidate of a record; one made by `specgen generate` keeps its failure and what its call took."""
    fields = record.get("fields")
    text = record.get("text") or ""
    failure: FailureKind = record.get("failure", "")
    if not failure and fields is None and not text.strip():
        failure = "empty"
    notes = record.get("notes")
    kept = {k: record[k] for k, kind in _KEPT.items() if isinstance(record.get(k), kind) and _finite(record[k])}
    return Candidate(
        record["task"],
        str(record.get("generator") or ""),
        text,
        record.get("sample", 0),
        MappingProxyType({f: fields.get(f, "") for f in FIELD_NAMES}) if fields is not None else None,
        failure,
        str(record.get("message", "the reply is empty" if failure == "empty" else "")),
        notes=tuple(map(str, notes)) if isinstance(notes, list) else (),
        **kept,
    )
