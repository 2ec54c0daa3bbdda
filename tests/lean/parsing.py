"""Helpers of the parser tests."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, TypeVar

import pytest

from specgen.lean import syntax as s
from specgen.lean.parser import parse_file, parse_term

ROOT = Path(__file__).resolve().parents[2]
N = TypeVar("N")


def term(text: str) -> s.Term:
    """Parse a text that must be a term."""
    result = parse_term(text)
    assert result.term is not None, (text, result.diagnostics)
    assert not result.diagnostics
    return result.term


def commands(text: str) -> tuple[s.Command, ...]:
    """Parse a text that must be a file without mistakes."""
    result = parse_file(text)
    assert not result.diagnostics, (text, result.diagnostics)
    return result.file.commands


def declaration(text: str) -> s.Declaration:
    """Parse a text that must be one declaration."""
    (command,) = commands(text)
    assert isinstance(command, s.Declaration)
    return command


def message(text: str) -> str:
    """The message of the one diagnostic of a file."""
    (diagnostic,) = parse_file(text).diagnostics
    return diagnostic.message


def bare(node: N) -> N:
    """The node without any `Paren`, to compare groupings."""
    found: N = _bare(node)
    return found


def _bare(value: Any) -> Any:
    if isinstance(value, s.Paren):
        return _bare(value.inner)
    if isinstance(value, tuple):
        return tuple(_bare(item) for item in value)
    if isinstance(value, s.Node):
        return replace(value, **{slot.name: _bare(getattr(value, slot.name)) for slot in fields(value)})
    return value


def shared() -> Path:
    """The folder of shared data; skips the test if it is absent."""
    folder = (ROOT / os.environ.get("SPECGEN_SHARED", "../shared")).resolve()
    if not (folder / "data").is_dir():
        pytest.skip("no shared data: set SPECGEN_SHARED to its folder")
    return folder / "data"


def vericoding() -> Iterator[dict[str, Any]]:
    """Rows of the VeriCoding Lean files."""
    with gzip.open(shared() / "vericoding_lean.jsonl.gz", "rt", encoding="utf-8") as lines:
        for row in lines:
            yield json.loads(row)
