"""Our own format: one task a line, JSON, schema 1. `write_tasks` and `load_jsonl` are inverse to each other."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import asdict, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, cast, get_args

from specgen.errors import UserError
from specgen.tasks._loading import BrokenRecordError, Loaded, OnBroken, collect, fielded, json_lines
from specgen.tasks.model import (
    ContractSource,
    Difficulty,
    Implementation,
    Inputs,
    Labels,
    LeanContext,
    Pair,
    Parameter,
    Provenance,
    Representation,
    Signature,
    Task,
)

SCHEMA = 1


def task_to_json(task: Task) -> dict[str, Any]:
    """Return a task as a JSON object (schema 1)."""
    record = asdict(replace(task, metadata={}))
    record["metadata"] = dict(sorted(task.metadata.items()))
    return {"schema": SCHEMA, **record}


def write_tasks(tasks: Iterable[Task], path: Path) -> int:
    """Write tasks to a JSONL file, atomically; returns how many.

    Raises:
        UserError: the file cannot be written (the old one is kept).
    """
    lines = [json.dumps(task_to_json(task), ensure_ascii=False) + "\n" for task in tasks]
    handle = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=path.parent, delete=False) as handle:
            handle.writelines(lines)
        os.replace(handle.name, path)
    except OSError as error:
        if handle is not None:
            Path(handle.name).unlink(missing_ok=True)
        raise UserError(f"{path} cannot be written ({error.strerror})", remedy="Choose a writable folder") from None
    return len(lines)


def load_jsonl(path: Path, *, on_broken: OnBroken = "raise") -> Loaded:
    """Load tasks from a JSONL file (`.gz` too).

    Raises:
        UserError: there is no such file.
        BrokenRecordError: a broken record, by file, line and field (with `on_broken="raise"`).
    """
    if not path.is_file():
        raise UserError(f"there is no task file at {path}", remedy="Give a JSONL file with one task a line")
    return collect(json_lines(path), task_from_json, on_broken, str(path))


def task_from_json(where: str, record: Mapping[str, Any] | BrokenRecordError) -> Task:
    """Return the task of a JSON object; `BrokenRecordError` names the field that is wrong."""
    if isinstance(record, BrokenRecordError):
        raise record
    schema = record.get("schema", SCHEMA)
    if schema != SCHEMA:
        raise BrokenRecordError(
            where, "schema", f"schema {schema} is unknown", remedy=f"This version reads schema {SCHEMA}"
        )
    unknown = sorted(set(record) - {"schema", *Task.__dataclass_fields__})
    if unknown:
        raise BrokenRecordError(where, unknown[0], "there is no such field", remedy=_fields(Task))
    difficulty = _one_of(record.get("difficulty", "unknown"), get_args(Difficulty), where, "difficulty")
    signature = _signature(fielded(record, "signature", dict, where), f"{where}, field signature")
    return Task(
        id=_text(record, "id", where),
        requirement=_text(record, "requirement", where, empty=True),
        signature=signature,
        context=_context(fielded(record, "context", dict, where), f"{where}, field context"),
        provenance=_provenance(fielded(record, "provenance", dict, where), f"{where}, field provenance"),
        references=tuple(
            _reference(item, f"{where}, field references[{at}]")
            for at, item in enumerate(_list(record, "references", where))
        ),
        implementation=_implementation(record.get("implementation"), f"{where}, field implementation"),
        labels=_labels(record.get("labels", {}), f"{where}, field labels", len(signature.parameters)),
        difficulty=cast(Difficulty, difficulty),
        metadata=MappingProxyType(_strings(record.get("metadata") or {}, where, "metadata")),
    )


def _fields(kind: type) -> str:
    return f"The fields are {', '.join(kind.__dataclass_fields__)}"  # type: ignore[attr-defined]


def _text(record: Mapping[str, Any], name: str, where: str, *, empty: bool = False) -> str:
    value = fielded(record, name, str, where)
    if not value.strip() and not empty:
        raise BrokenRecordError(where, name, "the text is empty")
    return value


def _optional(record: Mapping[str, Any], name: str, where: str) -> str:
    return fielded(record, name, str, where) if name in record else ""


def _one_of(value: Any, wanted: tuple[str, ...], where: str, name: str) -> str:
    if value not in wanted:
        raise BrokenRecordError(where, name, f"{value!r} is not one of {', '.join(wanted)}")
    return str(value)


def _list(record: Mapping[str, Any], name: str, where: str) -> list[Any]:
    value = record.get(name, [])
    if not isinstance(value, list):
        raise BrokenRecordError(where, name, "a list is expected")
    return value


def _object(value: Any, where: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise BrokenRecordError(where, "", "an object is expected")
    return value


def _strings(value: Any, where: str, name: str) -> dict[str, str]:
    if not isinstance(value, dict) or not all(isinstance(v, str) for v in value.values()):
        raise BrokenRecordError(where, name, "an object of strings is expected")
    return dict(value)


def _signature(record: Mapping[str, Any], where: str) -> Signature:
    parameters = tuple(
        Parameter(_text(_object(item, f"{where}.parameters[{at}]"), "name", where), _text(item, "type", where))
        for at, item in enumerate(_list(record, "parameters", where))
    )
    return Signature(_text(record, "name", where), parameters, _text(record, "result_type", where))


def _context(record: Mapping[str, Any], where: str) -> LeanContext:
    imports = _list(record, "imports", where)
    if not all(isinstance(i, str) for i in imports):
        raise BrokenRecordError(where, "imports", "a list of strings is expected")
    return LeanContext(_text(record, "version", where), tuple(imports), _optional(record, "preamble", where))


def _provenance(record: Mapping[str, Any], where: str) -> Provenance:
    return Provenance(
        _text(record, "dataset", where),
        _text(record, "upstream_id", where),
        _text(record, "licence", where),
        _optional(record, "source", where),
    )


def _reference(item: Any, where: str) -> ContractSource:
    record = _object(item, where)
    representation = _one_of(record.get("representation"), get_args(Representation), where, "representation")
    return ContractSource(
        cast(Representation, representation),
        _text(record, "text", where),
        _text(record, "postcondition", where),
        _optional(record, "precondition", where),
    )


def _implementation(value: Any, where: str) -> Implementation | None:
    if value is None:
        return None
    record = _object(value, where)
    return Implementation(_text(record, "text", where), _text(record, "name", where))


def _labels(value: Any, where: str, parameters: int) -> Labels:
    record = _object(value, where)
    unknown = sorted(set(record) - set(Labels.__dataclass_fields__))
    if unknown:
        raise BrokenRecordError(where, unknown[0], "there is no such field", remedy=_fields(Labels))

    def pairs(name: str) -> tuple[Pair, ...]:
        out = []
        for at, item in enumerate(_list(record, name, where)):
            place = f"{where}.{name}[{at}]"
            pair = _object(item, place)
            out.append(Pair(_inputs(pair.get("inputs"), place, parameters), _text(pair, "output", place)))
        return tuple(out)

    def inputs(name: str) -> tuple[Inputs, ...]:
        return tuple(
            _inputs(item, f"{where}.{name}[{at}]", parameters) for at, item in enumerate(_list(record, name, where))
        )

    return Labels(pairs("accepted"), pairs("rejected"), inputs("required"), inputs("forbidden"))


def _inputs(value: Any, where: str, parameters: int) -> Inputs:
    if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
        raise BrokenRecordError(where, "inputs", "a list of Lean terms, one a parameter, is expected")
    if len(value) != parameters:
        raise BrokenRecordError(where, "inputs", f"{len(value)} terms for {parameters} parameters")
    return tuple(value)
