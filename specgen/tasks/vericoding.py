"""VeriCoding: the Lean part of the benchmark as JSON lines (`id`, `source`, `source_id`, `compiles`, `lean`).

Most records have no requirement in words and none has labelled examples. What they have is Lean text whose acceptance
by real Lean is known (`compiles`): it is kept whole in `metadata["lean"]`, and where it states a contract (the sources
verina, apps, verified_cogen, clever) that becomes the reference.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from specgen.errors import UserError
from specgen.tasks._leanfile import read_contract_file
from specgen.tasks._loading import BrokenRecordError, Loaded, OnBroken, collect, fielded, json_lines, kinds
from specgen.tasks.model import LeanContext, Provenance, Task

LEAN_VERSION = "4.24.0"
LICENCE = "MIT"
_DESCRIPTIONS = ("description", "vc-description", "requirement")


def load_vericoding(path: Path, *, on_broken: OnBroken = "raise") -> Loaded:
    """Load VeriCoding's Lean files from a JSONL file (`.gz` too).

    Raises:
        UserError: there is no such file, or a broken record.
    """
    if not path.is_file():
        raise UserError(f"there is no VeriCoding file at {path}", remedy="Give vericoding_lean.jsonl or its .gz")
    return collect(json_lines(path), _task, on_broken, str(path))


def _task(where: str, record: Mapping[str, Any] | BrokenRecordError) -> Task:
    if isinstance(record, BrokenRecordError):
        raise record
    identity = fielded(record, "id", str, where)
    lean = fielded(record, "lean", str, where)
    parts = read_contract_file(lean, where)
    return Task(
        id=f"vericoding_{identity}",
        requirement=next((str(record[k]).strip() for k in _DESCRIPTIONS if record.get(k)), ""),
        signature=parts.signature,
        context=LeanContext(LEAN_VERSION, parts.imports, parts.preamble),
        provenance=Provenance(
            "vericoding", identity, LICENCE, "https://github.com/Beneficial-AI-Foundation/vericoding-benchmark"
        ),
        references=parts.references,
        implementation=parts.implementation,
        metadata=kinds(
            parts.signature,
            parts.code if parts.implementation else "",
            parts.signature.name,
            lean=lean,
            compiles="true" if fielded(record, "compiles", bool, where) else "false",
            origin=str(record.get("source", "")),
            origin_id=str(record.get("source_id", "")),
            style=parts.style,
            generic="true" if parts.generic else "false",
        ),
    )
