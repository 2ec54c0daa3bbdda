"""Snippets that Lean accepts and snippets that it refuses (`typing/*.toml`), each with its reason.

A snippet is judged in the engine's default version of Lean without imports, unless it says `imports`. For a refused one
the first error must be of the kind that is given, hold the fragment of its message (quotes, case and spacing aside, in
which Lean's versions differ) and stand in the line that is given.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from specgen.lean import LeanEnv, check
from specgen.lean.source import Diagnostic

FILES = sorted((Path(__file__).parent / "typing").glob("*.toml"))
SUITE: dict[str, dict[str, list[dict[str, Any]]]] = {
    f.stem: tomllib.loads(f.read_text(encoding="utf-8")) for f in FILES
}
ACCEPT = [(name, case) for name, cases in SUITE.items() for case in cases["accept"]]
REFUSE = [(name, case) for name, cases in SUITE.items() for case in cases["refuse"]]


def errors(case: dict[str, Any]) -> list[Diagnostic]:
    report = check(case["text"], LeanEnv(imports=tuple(case.get("imports", ()))))
    return [d for d in report.diagnostics if d.severity == "error"]


def plain(message: str) -> str:
    return " ".join(message.replace("`", "").replace("'", "").lower().split())


def ids(cases: list[tuple[str, dict[str, Any]]]) -> list[str]:
    return [f"{name}: {case['reason']}" for name, case in cases]


def test_size_and_shape() -> None:
    """At least 165 snippets each way, no text twice, no field that is not read."""
    assert len(ACCEPT) >= 165
    assert len(REFUSE) >= 165
    texts = [(case["text"], tuple(case.get("imports", ()))) for _, case in (*ACCEPT, *REFUSE)]
    assert len(texts) == len(set(texts))
    for _, case in ACCEPT:
        assert set(case) <= {"text", "reason", "imports"}
        assert case["reason"]
    for _, case in REFUSE:
        assert (
            {"text", "reason", "kind", "message"}
            <= set(case)
            <= {
                "text",
                "reason",
                "imports",
                "kind",
                "message",
                "line",
            }
        )
        assert case["message"]


@pytest.mark.parametrize(("_name", "case"), ACCEPT, ids=ids(ACCEPT))
def test_accepted(_name: str, case: dict[str, Any]) -> None:
    assert [d.message for d in errors(case)] == [], case["reason"]


@pytest.mark.parametrize(("_name", "case"), REFUSE, ids=ids(REFUSE))
def test_refused(_name: str, case: dict[str, Any]) -> None:
    found = errors(case)
    assert found, case["reason"]
    first = found[0]
    assert first.kind == case["kind"], (case["reason"], first.message)
    assert plain(case["message"]) in plain(first.message), case["reason"]
    if "line" in case:
        assert first.start.line == case["line"], case["reason"]
