"""Habits of the code base that no linter checks for us."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("specgen", "evaluators", "optimizers", "runs", "bench", "oracle", "mutants", "tests")
MAX_FILE = 800
MAX_FUNCTION = 60

# What a text of the project must not speak of: paths of one machine, and the hosts of package registries.
FOREIGN = re.compile(r"/work/|/tmp/|/root/|pythonhosted|pypi\.org|registry\.npmjs")


def sources() -> list[Path]:
    return sorted(p for name in PACKAGES for p in (ROOT / name).rglob("*.py"))


def test_files_hold_one_thing() -> None:
    long = {str(p.relative_to(ROOT)): n for p in sources() if (n := len(p.read_text().splitlines())) > MAX_FILE}
    assert not long


def test_functions_are_short() -> None:
    long = []
    for path in sources():
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = (node.end_lineno or node.lineno) - node.lineno + 1
                if lines > MAX_FUNCTION + 5:
                    long.append(f"{path.relative_to(ROOT)}:{node.lineno} {node.name} ({lines} lines)")
    assert not long


@pytest.mark.parametrize("pattern", ["*.py", "*.md", "*.toml", "*.lean", "*.lock", "Makefile", ".ci/run"])
def test_the_project_speaks_of_itself_alone(pattern: str) -> None:
    skipped = {".venv", ".git", "demo-run", "out", ".hypothesis"}
    found = []
    for path in ROOT.rglob(pattern):
        if not path.is_file() or skipped & set(path.relative_to(ROOT).parts) or path == Path(__file__).resolve():
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if FOREIGN.search(line):
                found.append(f"{path.relative_to(ROOT)}:{number}: {line.strip()[:100]}")
    assert not found
