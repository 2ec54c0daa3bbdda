"""Candidates for one starter task, and runs of `specgen evaluate` over them."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from runs.cli import main

TASK = "starter_clamp_reading"
PRE = "def clampReading_precond (x : Int) (lo : Int) (hi : Int) : Prop := lo ≤ hi"
POST = "def clampReading_postcond (x : Int) (lo : Int) (hi : Int) (result : Int) : Prop :="
RIGHT = f"""{PRE}
{POST}
  lo ≤ result ∧ result ≤ hi ∧
  (lo ≤ x ∧ x ≤ hi → result = x) ∧ (x < lo → result = lo) ∧ (hi < x → result = hi)"""
WEAK = f"{PRE}\n{POST} lo ≤ result ∧ result ≤ hi"


def line(text: str, task: str = TASK, **more: Any) -> str:
    return json.dumps({"task": task, "generator": "hand", "text": text, **more})


def command(arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> int:
    """Run a command in this process and return its exit code."""
    monkeypatch.setattr(sys, "argv", ["specgen", *arguments])
    with pytest.raises(SystemExit) as caught:
        main()
    assert isinstance(caught.value.code, int)
    return caught.value.code


def evaluated(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> tuple[int, dict[str, Any]]:
    """Run `specgen evaluate … --json`; return exit code and summary."""
    code = command(["evaluate", *arguments, "--json"], monkeypatch)
    summary: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert summary["candidates"] == sum(
        summary[k] for k in ("no_output", "not_well_formed", "unsupported", "well_formed")
    )
    return code, summary


def written(folder: Path, *lines: str | bytes) -> str:
    """Write candidates and return the file's name."""
    path = folder / "candidates.jsonl"
    path.write_bytes(b"\n".join(x if isinstance(x, bytes) else x.encode("utf-8") for x in lines) + b"\n")
    return str(path)
