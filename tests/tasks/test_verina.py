"""VERINA: folders, the hub's records through the same code and through `datasets`, broken records."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from specgen.errors import EnvironmentMissingError, UserError
from specgen.lean.parser import parse_file
from specgen.tasks.model import Pair, Task
from specgen.tasks.verina import HUB_NAME, load_verina, load_verina_hub
from tests.tasks.shared_data import DATA, shared

OWN = DATA / "verina"


def _hub_record(folder: Path) -> dict[str, Any]:
    """A record of the hub's schema with a folder's content: inputs are JSON text, outputs lists of strings."""
    task = json.loads((folder / "task.json").read_text(encoding="utf-8"))

    def text(value: Any) -> str:
        return value if isinstance(value, str) else json.dumps(value)

    def items(name: str) -> list[dict[str, Any]]:
        out = []
        for test in json.loads((folder / name).read_text(encoding="utf-8")):
            row: dict[str, Any] = {"input": json.dumps(test["input"])}
            if "expected" in test:
                row |= {"expected": [text(test["expected"])], "unexpected": [text(u) for u in test["unexpected"]]}
            out.append(row)
        return out

    return {
        "id": task["id"],
        "description": (folder / "description.txt").read_text(encoding="utf-8"),
        "lean_code": (folder / "task.lean").read_text(encoding="utf-8"),
        "signature": task["signature"],
        "metadata": task["metadata"],
        "tests": items("test.json"),
        "reject_inputs": items("reject_inputs.json"),
        "difficulty": "advanced" if "advanced" in task["id"] else "basic",
    }


@pytest.fixture
def hub_file(tmp_path: Path) -> Path:
    path = tmp_path / "hub.jsonl"
    rows = [_hub_record(folder) for folder in sorted(OWN.iterdir())]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def _by_id(tasks: tuple[Task, ...]) -> dict[str, Task]:
    return {task.id: task for task in tasks}


def test_folder_layout() -> None:
    task = _by_id(load_verina(OWN).tasks)["verina_basic_900"]
    assert task.signature.function_type() == "List Int → Int → Option Int"
    assert task.requirement.startswith("Return the price")
    assert task.context.version == "4.18.0"
    assert task.context.imports == ("Mathlib", "Std.Data.HashMap")
    assert task.difficulty == "basic"
    assert task.labels.accepted == (Pair(("[3, 8, 5]", "6"), "some (5)"), Pair(("[7, 9]", "-1"), "none"))
    assert task.labels.rejected[2] == Pair(("[7, 9]", "-1"), "some (-1)")
    assert task.labels.required == (("[3, 8, 5]", "6"), ("[7, 9]", "-1"))
    assert task.labels.forbidden == (("[-2]", "1"),)


def test_reference_and_implementation_are_programs_of_their_own() -> None:
    for task in load_verina(OWN).tasks:
        reference = task.reference("prepost")
        assert reference is not None
        assert task.implementation is not None
        for text in (reference.text, task.implementation.text):
            parsed = parse_file(task.context.preamble + "\n" + text)
            assert not parsed.diagnostics
            assert f"def {reference.precondition}" in text
            assert "!benchmark" not in text
            assert "theorem" not in text


def test_reference_carries_the_implementation_only_where_it_is_mentioned() -> None:
    tasks = _by_id(load_verina(OWN).tasks)
    assert "def best" not in tasks["verina_basic_900"].references[0].text
    assert "def word" in tasks["verina_advanced_901"].references[0].text


def test_what_the_task_gives_is_context_and_the_solution_is_not() -> None:
    tasks = _by_id(load_verina(OWN).tasks)
    assert "inductive Mood" in tasks["verina_advanced_901"].view().context.preamble
    assert "affordable" not in tasks["verina_basic_900"].view().context.preamble
    assert "affordable" in tasks["verina_basic_900"].references[0].text


def test_strings_are_strings_and_other_types_lean_terms() -> None:
    labels = _by_id(load_verina(OWN).tasks)["verina_advanced_901"].labels
    assert labels.accepted[0].inputs == ('"Ada \\"Countess\\" L."', "Mood.merry", "1.5")
    assert labels.accepted[1].inputs == ('""', ".grave", "2.0")


def test_hub_records_give_the_same_tasks(hub_file: Path) -> None:
    folders, hub = _by_id(load_verina(OWN).tasks), _by_id(load_verina(hub_file).tasks)
    assert folders == hub


def test_through_the_datasets_library(hub_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    datasets = pytest.importorskip("datasets", reason="the optional extra `hub` is not installed")
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path / "cache")
    loaded = load_verina_hub("json", data_files=str(hub_file))
    assert _by_id(loaded.tasks) == _by_id(load_verina(OWN).tasks)


def test_hub_strings_that_are_all_json_are_decoded(hub_file: Path, tmp_path: Path) -> None:
    rows = [json.loads(line) for line in hub_file.read_text(encoding="utf-8").splitlines()]
    for row in rows:
        if row["signature"]["return_type"] == "String":
            for test in row["tests"]:
                test["expected"] = [json.dumps(o) for o in test["expected"]]
                test["unexpected"] = [json.dumps(o) for o in test["unexpected"]]
    path = tmp_path / "quoted.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    assert _by_id(load_verina(path).tasks) == _by_id(load_verina(OWN).tasks)


def test_hub_without_network(monkeypatch: pytest.MonkeyPatch) -> None:
    datasets = pytest.importorskip("datasets", reason="the optional extra `hub` is not installed")

    def offline(*_: object, **__: object) -> None:
        raise ConnectionError("Couldn't reach the hub\nwith details")

    monkeypatch.setattr(datasets, "load_dataset", offline)
    with pytest.raises(EnvironmentMissingError) as caught:
        load_verina()
    assert HUB_NAME in caught.value.one_line()
    assert "--path" in caught.value.one_line()
    assert "details" not in caught.value.one_line()


def _break_json(folder: Path, name: str, change: Callable[[Any], None]) -> None:
    value = json.loads((folder / name).read_text(encoding="utf-8"))
    change(value)
    (folder / name).write_text(json.dumps(value), encoding="utf-8")


def _drop_section(folder: Path) -> None:
    text = (folder / "task.lean").read_text(encoding="utf-8")
    (folder / "task.lean").write_text(text.replace("@start postcond\n", "@start other\n"), encoding="utf-8")


@pytest.mark.parametrize(
    ("damage", "named"),
    [
        (lambda f: (f / "test.json").unlink(), "test.json"),
        (lambda f: (f / "test.json").write_text('[{"input": 1,]'), "test.json: line 1, column"),
        (lambda f: (f / "task.json").write_text("[]"), "task.json"),
        (lambda f: (f / "task.lean").write_bytes(b"\xff\xfe"), "task.lean: byte 0 is not UTF-8"),
        (lambda f: _break_json(f, "task.json", lambda v: v.pop("id")), "field id"),
        (lambda f: _break_json(f, "task.json", lambda v: v["signature"].pop("return_type")), "field return_type"),
        (lambda f: _break_json(f, "test.json", lambda v: v[1].pop("expected")), "test 1, field expected"),
        (lambda f: _break_json(f, "test.json", lambda v: v[0]["input"].pop("purse")), "test 0, field input"),
        (lambda f: _break_json(f, "test.json", lambda v: v[0].update(expected="some (5")), "field expected"),
        (lambda f: _break_json(f, "test.json", lambda v: v[0]["input"].update(purse=1.5)), "field input.purse"),
        (lambda f: (f / "description.txt").write_text("-----Description-----\n \n"), "field description"),
        (_drop_section, "section postcond is missing"),
    ],
)
def test_broken_records(tmp_path: Path, damage: Callable[[Path], object], named: str) -> None:
    shutil.copytree(OWN, tmp_path / "verina")
    damage(tmp_path / "verina" / "verina_basic_900")
    with pytest.raises(UserError) as caught:
        load_verina(tmp_path / "verina")
    assert named in caught.value.message
    assert "verina_basic_900" in caught.value.message
    assert caught.value.remedy
    loaded = load_verina(tmp_path / "verina", on_broken="skip")
    assert [task.id for task in loaded.tasks] == ["verina_advanced_901"]
    assert len(loaded.skipped) == 1
    assert "verina_basic_900" in loaded.skipped[0].where


def test_broken_hub_line(hub_file: Path) -> None:
    hub_file.write_text(hub_file.read_text(encoding="utf-8") + "{not json\n", encoding="utf-8")
    with pytest.raises(UserError, match=r"hub.jsonl:3: line 1, column"):
        load_verina(hub_file)
    assert len(load_verina(hub_file, on_broken="skip").tasks) == 2


def test_paths(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no VERINA data"):
        load_verina(tmp_path / "nowhere")
    with pytest.raises(UserError, match="holds a task.json"):
        load_verina(tmp_path)


def test_upstream_folder() -> None:
    loaded = load_verina(shared("verina"))
    assert len(loaded.tasks) == len(list(shared("verina").glob("verina_*")))
    assert not loaded.skipped
    for task in loaded.tasks:
        assert task.labels.accepted
        assert task.implementation is not None
        for text in (task.references[0].text, task.implementation.text):
            assert not parse_file(task.context.preamble + "\n" + text).diagnostics
