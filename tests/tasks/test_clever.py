"""CLEVER: sections, helpers, and test lines that are half Python."""

from __future__ import annotations

import shutil
from functools import lru_cache
from pathlib import Path

import pytest

from specgen.errors import EnvironmentMissingError, UserError
from specgen.lean.parser import parse_file, parse_term
from specgen.tasks._clever_tests import Unreadable, test_lines, test_pair
from specgen.tasks._text import find_head
from specgen.tasks.clever import load_clever, skipped_tests
from specgen.tasks.model import Pair, Signature, Task


@lru_cache(maxsize=1)
def _tasks() -> dict[str, Task]:
    return {task.id: task for task in load_clever().tasks}


def _signature(head: str) -> Signature:
    found = find_head(f"def implementation {head} := 0", "implementation")
    assert found is not None
    return Signature("f", found.parameters(), found.result_type)


def test_all_problems_load() -> None:
    tasks = _tasks()
    assert len(tasks) == 161
    assert sum(len(t.labels.accepted) for t in tasks.values()) >= 535
    assert all(t.labels.accepted and t.requirement and t.references for t in tasks.values())
    assert sum(t.implementation is not None for t in tasks.values()) >= 40


def test_everything_parses() -> None:
    for task in _tasks().values():
        texts = [task.references[0].text, *([task.implementation.text] if task.implementation else [])]
        for text in texts:
            assert not parse_file(task.context.preamble + "\n" + text).diagnostics, task.id
        for pair in task.labels.accepted:
            for term in (*pair.inputs, pair.output):
                assert parse_term(term).term is not None, (task.id, term)


def test_one_problem() -> None:
    task = _tasks()["clever_45"]
    assert task.requirement == "Given length of a side and high return area for a triangle."
    assert task.signature.name == "triangle_area"
    assert task.signature.function_type() == "Rat → Rat → Rat"
    assert task.labels.accepted[0] == Pair(("5", "3"), "7.5")
    reference = task.reference("relational")
    assert reference is not None
    assert reference.postcondition == "problem_spec"
    assert task.implementation is not None
    assert "0.5 * a * h" in task.implementation.text
    assert task.context.version == "4.24.0"
    assert "Mathlib" in task.context.imports


def test_no_test_case_reaches_the_view() -> None:
    for task in _tasks().values():
        view = task.view()
        assert "test_cases" not in view.requirement
        assert "#test" not in view.context.preamble


def test_listed_helpers_are_context_and_others_are_not() -> None:
    tasks = _tasks()
    assert "inductive fibonacci_non_computable :" in tasks["clever_55"].context.preamble
    assert "check_derivative" in tasks["clever_62"].references[0].text
    assert "check_derivative" not in tasks["clever_62"].context.preamble


@pytest.mark.parametrize(
    ("line", "head", "inputs", "output"),
    [
        ("#test implementation 5 3 = 7.5", "(a h: Rat) : Rat", ("5", "3"), "7.5"),
        ("-- #test implementation -1 = True", "(a: Int) : Bool", ("-1",), "true"),
        ("-- #test implementation 14 -15 = 20", "(a b: Int) : Int", ("14", "-15"), "20"),
        ("-- #test implementation 8 3 = '22'", "(x b: Nat) : String", ("8", "3"), '"22"'),
        ("#test implementation ([1]: List Rat) 0.5 = false", "(n: List Rat) (t: Rat) : Bool", ("[1]", "0.5"), "false"),
        ("-- #test implementation ([-1]: List Int) = (0: Int)", "(n: List Rat) : Int", ("[-1]",), "0"),
        ("-- #test implementation ([0]: List Int) = (-9: Int)", "(n: List Int) : Option Int", ("[0]",), "some (-9)"),
        ("-- #test implementation [3, 1] : List Int = [1]", "(n: List Int) : List Int", ("[3, 1]",), "[1]"),
        ('-- #test implementation ([1], [2]) = "YES"', "(a b: List Int) : String", ("[1]", "[2]"), '"YES"'),
        (
            "-- #test implementation 'c', ['A'] = 'c.A'",
            "(c: String) (e: List String) : String",
            ('"c"', '["A"]'),
            '"c.A"',
        ),
        (
            "-- #test implementation 'a b' = {'a': 1, 'b': 1}",
            "(s: String) : Std.HashMap Char Nat",
            ('"a b"',),
            "Std.HashMap.ofList [('a', 1), ('b', 1)]",
        ),
        ('-- #test implementation ["this"] [] == []', "(a b: List String) : List String", ('["this"]', "[]"), "[]"),
        ('-- #test implementation ["a"]= "a"', "(a: List String) : String", ('["a"]',), '"a"'),
        ("#eval! implementation 1 = 2", "(n: Nat) : Nat", ("1",), "2"),
        ('-- #test implementation (-1, 1) (0, 4) = ""', "(a b: Int × Int) : String", ("(-1, 1)", "(0, 4)"), '""'),
        (
            "#test implementation [] = (none, some 1)",
            "(l: List Int) : Option Int × Option Int",
            ("[]",),
            "(none, some 1)",
        ),
        ('#test implementation "a = b" = 1.0', "(s: String) : Nat", ('"a = b"',), "1"),
    ],
)
def test_lines_become_pairs(line: str, head: str, inputs: tuple[str, ...], output: str) -> None:
    (only,) = test_lines(line)
    assert test_pair(only, _signature(head)) == Pair(inputs, output)


@pytest.mark.parametrize(
    ("line", "head"),
    [
        ("#test |implementation [1, 2] - (-1/2)| ≤ 1/1000000", "(n: List Rat) : Rat"),
        ('#test implementation "Hi" = "Hi"', "(l: List (List Int)) (x: Int) : List (Nat × Nat)"),
        ("#test implementation [] = none", "(a b c: Nat) : Bool"),
        ("#test implementation 1 2 = 3", "(a: Nat) : Nat"),
        ("#test implementation -1 = 3", "(a: Nat) : Nat"),
        ("#test implementation 1 = 3.5", "(a: Nat) : Nat"),
        ("#test other 1 = 3", "(a: Nat) : Nat"),
    ],
)
def test_lines_of_other_types_are_not_pairs(line: str, head: str) -> None:
    with pytest.raises(Unreadable):
        test_pair(line, _signature(head))


def test_continued_lines() -> None:
    section = (
        "-- #test implementation ['3'] = [\"one\",\n--  \"two\"]\n-- NOTE a remark\n#test implementation ['4'] = []\n"
    )
    assert len(list(test_lines(section))) == 2


def test_which_lines_are_not_read() -> None:
    lost = skipped_tests()
    assert set(lost) == {"clever_32", "clever_87", "clever_157"}
    assert _tasks()["clever_157"].labels.accepted[0] == Pair(("3", "4", "5"), "true")
    assert _tasks()["clever_87"].labels.accepted[2] == Pair(("[[], [1], [1, 2, 3]]", "3"), "[(2, 2)]")


def _copy(tmp_path: Path, change: tuple[str, str]) -> Path:
    source = Path(load_clever().source)
    shutil.copy(source / "problem_53.lean", tmp_path)
    text = (source / "problem_45.lean").read_text(encoding="utf-8")
    assert change[0] in text
    (tmp_path / "problem_45.lean").write_text(text.replace(*change, 1), encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (("start_def problem_spec", "start_def problem_sepc"), "field problem_spec"),
        (("docstring: |", "docstring: ["), "problem_details"),
        (("def implementation (a h: Rat) : Rat", "implementation"), "implementation_signature"),
        (("def triangle_area", "triangle"), "function_signature"),
    ],
)
def test_broken_problems(tmp_path: Path, change: tuple[str, str], named: str) -> None:
    folder = _copy(tmp_path, change)
    with pytest.raises(UserError) as caught:
        load_clever(folder)
    assert "problem_45.lean" in caught.value.message
    assert named in caught.value.message
    loaded = load_clever(folder, on_broken="skip")
    assert [task.id for task in loaded.tasks] == ["clever_53"]
    assert len(loaded.skipped) == 1


def test_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(EnvironmentMissingError, match="clever-bench is not installed"):
        load_clever()


def test_no_problems(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no files problem_"):
        load_clever(tmp_path)
