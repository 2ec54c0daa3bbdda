from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from specgen.lean.parser import parse_file

from .parsing import shared, vericoding


def complaints(text: str) -> list[str]:
    return [f"{d.start.line}:{d.start.column} {d.message}" for d in parse_file(text).diagnostics]


def test_files_that_compile_have_no_syntax_errors() -> None:
    wrong = {row["id"]: found for row in vericoding() if row["compiles"] and (found := complaints(row["lean"]))}
    assert not wrong


def test_verina_tasks_parse() -> None:
    files = sorted((shared() / "verina").glob("*/task.lean"))
    assert files
    assert not {path.parent.name: found for path in files if (found := complaints(path.read_text("utf-8")))}


def test_algoveri_specifications_parse() -> None:
    files = sorted((shared() / "algoveri").glob("*/lean_spec.lean"))
    assert files
    assert not {path.parent.name: found for path in files if (found := complaints(path.read_text("utf-8")))}


def test_clever_problems_parse() -> None:
    spec = find_spec("clever_bench")
    if spec is None or not spec.submodule_search_locations:
        pytest.skip("clever_bench is not installed")
    files = sorted(Path(spec.submodule_search_locations[0]).rglob("human_eval/*.lean"))
    assert len(files) >= 161
    assert not {path.name: found for path in files if (found := complaints(path.read_text("utf-8")))}
