"""What every loader shares: the result of loading, broken records, reading files, the kinds that stratify splits."""

from __future__ import annotations

import gzip
import json
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, TypeAlias, TypeVar

from specgen.errors import UserError
from specgen.tasks._text import mask, words
from specgen.tasks.model import Signature, Task
from specgen.tasks.values import JsonValue, TypeTree, loads, parse_type

OnBroken: TypeAlias = Literal["raise", "skip"]
T = TypeVar("T")

_DEFINITION = re.compile(r"^[ \t]*(?:(?:private|partial|noncomputable)[ \t]+)*(?:def|where)\s+([\w.']+)", re.MULTILINE)
_LOOPS = {"for", "while", "repeat", "foldl", "foldr", "iterate", "foldlM", "foldr1", "forM"}


@dataclass(frozen=True, slots=True)
class Skipped:
    """A record that could not be read and was left out: where it stands, and why."""

    where: str
    reason: str


@dataclass(frozen=True, slots=True)
class Loaded:
    """What a loader returns: the tasks in the data set's own order, the records it skipped, and the source."""

    tasks: tuple[Task, ...]
    skipped: tuple[Skipped, ...] = ()
    source: str = ""


class BrokenRecordError(UserError):
    """A record of a data set cannot be read; the message names file (or folder), line and field."""

    code = "record"

    def __init__(self, where: str, field: str, problem: str, *, remedy: str = "") -> None:
        self.where, self.field = where, field
        place = f"{where}, field {field}" if field else where
        super().__init__(
            f"{place}: {problem}",
            remedy=remedy or "Mend the record or leave it out",
        )


class NothingToSpecifyError(BrokenRecordError):
    """A record is sound but states no function: it is always skipped and counted."""

    code = "record.nothing"


def collect(
    records: Iterable[tuple[str, T]], read: Callable[[str, T], Task], on_broken: OnBroken, source: str
) -> Loaded:
    """Read records one by one; a broken one raises, or is skipped and counted.

    Args:
        records: pairs of where a record stands (for messages) and the raw record.
        read: makes a task of a raw record, raising `UserError` when it is broken.

    Raises:
        BrokenRecordError: a broken record (with `on_broken="raise"`), or two tasks with one id.
    """
    tasks, skipped, seen = list[Task](), list[Skipped](), dict[str, str]()
    for where, raw in records:
        try:
            task = read(where, raw)
            if task.id in seen:
                raise BrokenRecordError(where, "id", f"the id {task.id} is taken by {seen[task.id]}")
        except UserError as error:
            if on_broken == "raise" and not isinstance(error, NothingToSpecifyError):
                raise
            skipped.append(Skipped(where, error.message))
            continue
        seen[task.id] = where
        tasks.append(task)
    return Loaded(tuple(tasks), tuple(skipped), source)


def read_text(path: Path, where: str = "") -> str:
    """Return a file's text (UTF-8; `.gz` is unpacked); `BrokenRecordError` when there is none."""
    try:
        raw = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        return raw.decode("utf-8-sig").replace("\r\n", "\n")
    except FileNotFoundError:
        raise BrokenRecordError(where or str(path), path.name if where else "", "the file is missing") from None
    except (OSError, EOFError, zlib.error) as error:
        raise BrokenRecordError(
            where or str(path), path.name if where else "", f"the file cannot be read ({error})"
        ) from None
    except UnicodeDecodeError as error:
        raise BrokenRecordError(
            where or str(path),
            path.name if where else "",
            f"byte {error.start} is not UTF-8",
            remedy="Save the file as UTF-8",
        ) from None


def read_json(text: str, where: str, field: str) -> JsonValue:
    """Read JSON with exact numbers; `BrokenRecordError` with line and column when it is malformed."""
    try:
        return loads(text)
    except json.JSONDecodeError as error:
        raise BrokenRecordError(
            where, field, f"line {error.lineno}, column {error.colno}: not JSON ({error.msg})"
        ) from None
    except RecursionError:
        raise BrokenRecordError(where, field, "not JSON that we read (nested too deeply)") from None


def json_lines(path: Path) -> Iterator[tuple[str, dict[str, Any] | BrokenRecordError]]:
    """Yield each record of a JSONL file (gzip or not) as (`file:line`, object, or the error that it is).

    Blank lines are passed over.
    """
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        if not line.strip():
            continue
        where = f"{path}:{number}"
        try:
            value: Any = read_json(line, where, "")
            if "\\u" in line and not _is_text(value):
                raise BrokenRecordError(where, "", "half of a surrogate pair is no text")
            if not isinstance(value, dict):
                raise BrokenRecordError(where, "", f"an object is expected, not {_name(type(value))}")
        except BrokenRecordError as error:
            yield where, error
            continue
        yield where, value


def _is_text(value: JsonValue) -> bool:
    """Tell whether every string of a value can be written as UTF-8."""
    try:
        json.dumps(value, ensure_ascii=False, default=str).encode()
    except UnicodeEncodeError:
        return False
    return True


def fielded(record: Mapping[str, Any], name: str, kind: type[T], where: str) -> T:
    """Return a field of a record; `BrokenRecordError` when it is missing or of another JSON type."""
    if name not in record:
        near = f"the record has {', '.join(sorted(record)) or 'no fields'}"
        raise BrokenRecordError(where, name, f"the field is missing ({near})")
    value = record[name]
    if not isinstance(value, kind):
        raise BrokenRecordError(where, name, f"{_name(kind)} is expected, not {_name(type(value))}")
    return value


def _name(kind: type) -> str:
    names = {"dict": "an object", "list": "a list", "str": "a string", "bool": "true or false", "NoneType": "null"}
    return names.get(kind.__name__, "a number" if kind in (int, float, Decimal) else f"a {kind.__name__}")


def result_kind(type_text: str) -> str:
    """Return the kind of a result type: number, bool, string, char, option, pair, list, array, prop or other."""
    tree: TypeTree = parse_type(type_text)
    numbers = ("Nat", "Int", "Rat", "Float", "ℕ", "ℤ", "ℚ", "Fin", "BitVec", "UInt", "Int8", "Int16", "Int32", "Int64")
    if tree.head.startswith(numbers):
        return "number"
    simple = {"Bool": "bool", "String": "string", "Char": "char", "Option": "option", "×": "pair", "List": "list"}
    return {**simple, "Array": "array", "Prop": "prop"}.get(tree.head, "other")


def control_flow(code: str, name: str) -> str:
    """Return how an implementation computes: recursion, loop, branching or straight; `unknown` without one."""
    if not code.strip():
        return "unknown"
    found = set(words(code))
    if "rec" in found or _calls_itself(code, name):
        return "recursion"
    if found & _LOOPS:
        return "loop"
    return "branching" if found & {"if", "match"} else "straight"


def _calls_itself(code: str, name: str) -> bool:
    """Tell whether a definition of the text mentions itself (`name` is the function when its head is left out)."""
    masked = mask(code)
    heads = list(_DEFINITION.finditer(masked))
    ends = [*(head.start() for head in heads[1:]), len(masked)][: len(heads)]
    own = any(h.group(1) in set(words(masked[h.end() : end])) for h, end in zip(heads, ends, strict=True))
    return own or (not heads and name in set(words(masked)))


def kinds(signature: Signature, code: str, function: str, **more: str) -> Mapping[str, str]:
    """Return the metadata that every task carries (`result_kind`, `control_flow`), with more fields."""
    return MappingProxyType(
        {"result_kind": result_kind(signature.result_type), "control_flow": control_flow(code, function), **more}
    )
