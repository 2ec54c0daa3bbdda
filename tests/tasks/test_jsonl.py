"""Our own JSONL: a round trip that keeps everything, and messages that name file, line and field."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from specgen.errors import UserError
from specgen.tasks.clever import load_clever
from specgen.tasks.jsonl import load_jsonl, task_to_json, write_tasks
from specgen.tasks.verina import load_verina
from tests.tasks.examples import clamp
from tests.tasks.shared_data import DATA


def test_round_trip(tmp_path: Path) -> None:
    tasks = (clamp(), clamp("own_bare", references=(), implementation=None), *load_verina(DATA / "verina").tasks)
    path = tmp_path / "new" / "tasks.jsonl"
    assert write_tasks(tasks, path) == 4
    assert load_jsonl(path).tasks == tasks
    assert [t.fingerprint() for t in load_jsonl(path).tasks] == [t.fingerprint() for t in tasks]
    assert [p.name for p in path.parent.iterdir()] == ["tasks.jsonl"]


def test_round_trip_of_clever(tmp_path: Path) -> None:
    tasks = load_clever().tasks
    write_tasks(tasks, tmp_path / "clever.jsonl")
    assert load_jsonl(tmp_path / "clever.jsonl").tasks == tasks


def test_gzip_and_blank_lines(tmp_path: Path) -> None:
    path = tmp_path / "tasks.jsonl.gz"
    path.write_bytes(gzip.compress(f"\n{json.dumps(task_to_json(clamp()))}\r\n\n".encode()))
    assert load_jsonl(path).tasks == (clamp(),)


def _set(path: str, value: Any) -> Callable[[dict[str, Any]], None]:
    def change(record: dict[str, Any]) -> None:
        *steps, last = [int(s) if s.isdigit() else s for s in path.split(".")]
        target: Any = record
        for step in steps:
            target = target[step]
        if value is None:
            del target[last]
        else:
            target[last] = value

    return change


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (_set("id", None), "field id: the field is missing"),
        (_set("id", " "), "field id: the text is empty"),
        (_set("labels", []), "field labels: an object is expected"),
        (_set("labels.accepted.0.inputs", ["1"]), "field labels.accepted[0], field inputs: 1 terms for 3 parameters"),
        (_set("labels.required.0", ["1"]), "field labels.required[0], field inputs: 1 terms for 3 parameters"),
        (_set("context.preamble", 3), "field preamble: a string is expected, not a number"),
        (_set("references.0.precondition", 3), "field precondition: a string is expected, not a number"),
        (_set("requirement", "\ud800"), "half of a surrogate pair is no text"),
        (_set("requirement", 3), "field requirement: a string is expected"),
        (_set("schema", 9), "field schema: schema 9 is unknown"),
        (_set("refrences", []), "field refrences: there is no such field"),
        (_set("difficulty", "hard"), "field difficulty: 'hard' is not one of"),
        (_set("signature.parameters.1", "x"), "signature.parameters[1]: an object is expected"),
        (_set("signature.result_type", None), "field signature, field result_type"),
        (_set("references.0.representation", "both"), "references[0], field representation"),
        (_set("labels.accepted.2.output", None), "labels.accepted[2], field output"),
        (_set("labels.accepted.0.inputs", [1]), "labels.accepted[0], field inputs"),
        (_set("labels.acepted", []), "field labels, field acepted"),
        (_set("labels.required.1", "x"), "labels.required[1], field inputs"),
        (_set("metadata.control_flow", 1), "field metadata: an object of strings"),
        (_set("implementation.name", None), "field implementation, field name"),
        (_set("context.imports", "Mathlib"), "field context, field imports: a list"),
    ],
)
def test_broken_records(tmp_path: Path, change: Callable[[dict[str, Any]], None], named: str) -> None:
    good, bad = task_to_json(clamp("own_good")), json.loads(json.dumps(task_to_json(clamp("own_bad"))))
    change(bad)
    path = tmp_path / "tasks.jsonl"
    path.write_text(json.dumps(good) + "\n" + json.dumps(bad) + "\n", encoding="utf-8")
    with pytest.raises(UserError) as caught:
        load_jsonl(path)
    assert f"{path}:2" in caught.value.message
    assert named in caught.value.message
    assert "\n" not in caught.value.one_line()
    assert caught.value.remedy
    loaded = load_jsonl(path, on_broken="skip")
    assert [t.id for t in loaded.tasks] == ["own_good"]
    assert loaded.skipped[0].where == f"{path}:2"


def test_lines_that_are_not_records(tmp_path: Path) -> None:
    path = tmp_path / "tasks.jsonl"
    record = json.dumps(task_to_json(clamp()))
    path.write_text(f'{record}\n{{"id": \n[1]\n{record}\n', encoding="utf-8")
    with pytest.raises(UserError, match=r"tasks\.jsonl:2: line 1, column"):
        load_jsonl(path)
    loaded = load_jsonl(path, on_broken="skip")
    assert len(loaded.tasks) == 1
    reasons = [s.reason for s in loaded.skipped]
    assert "not JSON" in reasons[0]
    assert "an object is expected, not a list" in reasons[1]
    assert "the id own_clamp is taken by" in reasons[2]


def test_what_no_reader_of_json_expects(tmp_path: Path) -> None:
    path = tmp_path / "tasks.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + json.dumps(task_to_json(clamp())).encode())
    assert load_jsonl(path).tasks == (clamp(),)
    path.write_text("[" * 200_000)
    with pytest.raises(UserError, match="tasks.jsonl:1: not JSON"):
        load_jsonl(path)
    torn = tmp_path / "tasks.jsonl.gz"
    whole = bytearray(gzip.compress(b"x" * 10_000))
    whole[20:40] = b"\xff" * 20
    torn.write_bytes(bytes(whole))
    with pytest.raises(UserError, match="tasks.jsonl.gz: the file cannot be read"):
        load_jsonl(torn)


def test_files(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no task file"):
        load_jsonl(tmp_path / "none.jsonl")
    (tmp_path / "bytes.jsonl").write_bytes(b"\xff")
    with pytest.raises(UserError, match="not UTF-8"):
        load_jsonl(tmp_path / "bytes.jsonl")
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="cannot be written"):
        write_tasks([clamp()], tmp_path / "file" / "tasks.jsonl")
