"""The run folder: a manifest, append-only records, and atomic writes.

    RUN/manifest.json     what the run is: config, versions, models, prompts with hashes, tasks with fingerprints, seeds
    RUN/records.jsonl     one record a line, each with a key; the first of a key counts, and one that `supersedes`
                          another stands in its place
    RUN/calls.sqlite      the gateway's cache and ledger
    RUN/summary.json      the table, written last

A record is written with one `write` of a whole line and flushed to the disk before the next step, so a run that is
killed loses at most the line it was writing; a torn last line is cut off when the run is opened again.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import Any, Self

from specgen.errors import UserError

SCHEMA = 1


def write_atomic(path: Path, text: str) -> None:
    """Write a file so that it is either the old one or the new one, never a part.

    Raises:
        UserError: when the folder cannot be written or the disk is full.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        try:
            # JSON text with half of a surrogate pair stays JSON: the escape is what JSON writes for it.
            with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as f:
                f.write(text)
                f.flush()
                os.fsync(f.fileno())
            os.replace(temporary, path)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
    except OSError as exc:
        raise _write_error(path, exc) from exc


def check_writable(path: Path) -> None:
    """See that a file can be written before paying for what shall stand in it.

    Raises:
        UserError: when it is a folder, or its folder cannot be made or written.
    """
    try:
        if path.is_dir():
            raise IsADirectoryError(21, "Is a directory")
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path.parent):
            pass
    except OSError as exc:
        raise UserError(
            f"cannot write {path}: {exc.strerror or exc}", remedy="Name a file in a folder that can be written"
        ) from exc


def write_json(path: Path, data: Any) -> None:
    """Write JSON atomically, keys in the given order."""
    write_atomic(path, json.dumps(data, ensure_ascii=False, indent=2) + "\n")


def _write_error(path: Path, exc: OSError) -> UserError:
    return UserError(
        f"cannot write {path}: {exc.strerror or exc}",
        remedy="Free space, or choose another folder with --out; what was written is kept, --resume goes on from it",
    )


class RecordLog:
    """Append-only records of one run, by key.

    Each record has `kind` (`candidate`, `evidence`, `optimisation`, …) and `key`, unique within its kind. Thread-safe.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = Lock()
        self._records: dict[tuple[str, str], dict[str, Any]] = {}
        self._superseded: dict[tuple[str, str], str] = {}
        self._load()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = open(path, "ab", buffering=0)  # noqa: SIM115 - held for the life of the run
        except OSError as exc:
            raise _write_error(path, exc) from exc

    def _load(self) -> None:
        if not self.path.exists():
            return
        raw = self.path.read_bytes()
        end = raw.rfind(b"\n") + 1
        if end < len(raw):
            with open(self.path, "r+b") as f:
                f.truncate(end)
        for number, line in enumerate(raw[:end].split(b"\n"), 1):
            if not line.strip():
                continue
            try:
                self._keep(json.loads(line))
            except (ValueError, KeyError, TypeError, RecursionError) as exc:
                raise UserError(
                    f"{self.path}, line {number}: not a record of a run ({exc})",
                    remedy="Restore the file, or start a new run in another folder",
                ) from exc

    def _keep(self, record: dict[str, Any]) -> None:
        kind = record["kind"]
        self._records.setdefault((kind, record["key"]), record)
        if "supersedes" in record:
            self._superseded[(kind, record["supersedes"])] = record["key"]

    def get(self, kind: str, key: str) -> dict[str, Any] | None:
        """Return a record by kind and key."""
        return self._records.get((kind, key))

    def latest(self, kind: str, key: str) -> dict[str, Any] | None:
        """Return the record that counts for a key: its own, or the last that stands in its place."""
        while (newer := self._superseded.get((kind, key))) is not None:
            key = newer
        return self.get(kind, key)

    def all(self, kind: str) -> Iterator[dict[str, Any]]:
        """Yield the records of a kind that count, in the order in which they were written."""
        with self._lock:
            found = [r for at, r in self._records.items() if at[0] == kind and at not in self._superseded]
        yield from found

    def supersede(self, kind: str, key: str, **data: Any) -> dict[str, Any]:
        """Append a record for a key, in the place of the one that counts now, if there is one. Raises as `add`."""
        old = self.latest(kind, key)
        if old is None:
            return self.add(kind, key, **data)
        tries = int(old.get("tries", 1)) + 1
        return self.add(kind, f"{key}#{tries}", supersedes=old["key"], tries=tries, **data)

    def add(self, kind: str, key: str, **data: Any) -> dict[str, Any]:
        """Append a record and flush it to the disk; a key that is already there keeps its first record.

        Raises:
            UserError: when the disk is full or the folder cannot be written; earlier records stay.
        """
        record = {"schema": SCHEMA, "kind": kind, "key": key, **data}
        line = (json.dumps(record, ensure_ascii=False) + "\n").encode("utf-8", "backslashreplace")
        with self._lock:
            old = self._records.get((kind, key))
            if old is not None:
                return old
            at = self._file.tell()
            try:
                written = self._file.write(line)
                if written != len(line):
                    raise OSError(28, "No space left on device")
                os.fsync(self._file.fileno())
            except OSError as exc:
                try:
                    os.truncate(self.path, at)
                except OSError:
                    pass  # the torn line is cut off when the run is opened again
                raise _write_error(self.path, exc) from exc
            # What is kept in memory is what a resumed run would read back.
            kept: dict[str, Any] = json.loads(line)
            self._keep(kept)
        return kept

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, exc: BaseException | None, tb: TracebackType | None) -> None:
        self.close()


def read_json(path: Path) -> Any:
    """Read a JSON file of a run.

    Raises:
        UserError: when it is missing or broken.
    """
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as exc:
        raise UserError(f"{path} is not there", remedy="Name the folder of a run") from exc
    except (OSError, ValueError) as exc:
        raise UserError(f"cannot read {path}: {exc}", remedy="Restore the file, or start a new run") from exc
