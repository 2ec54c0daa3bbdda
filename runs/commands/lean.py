"""`specgen lean check` and `specgen lean eval`."""

from __future__ import annotations

import gzip
import json
import re
import sys
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from specgen.errors import ExitCode, UserError
from specgen.lean import CheckReport, EvalResult, LeanEnv, check, load


def environment(version: str, imports: str) -> LeanEnv:
    """Return the environment named by the options.

    Raises:
        UserError: for a version that is not one.
    """
    modules = tuple(m.strip() for m in imports.split(",") if m.strip())
    if not version:
        return LeanEnv(imports=modules)
    found = re.fullmatch(r"v?(\d+)\.(\d+)(?:\.(\d+))?", version)
    if not found:
        raise UserError(f"not a Lean version: {version!r}", remedy="Write it like 4.24.0")
    return LeanEnv((int(found[1]), int(found[2]), int(found[3] or 0)), modules)


def read_text(path: Path) -> str:
    """Read a file as text; bytes that are not UTF-8 become surrogates, which the lexer reports where they stand.

    Raises:
        UserError: when it cannot be read.
    """
    try:
        data = sys.stdin.buffer.read() if str(path) == "-" else path.read_bytes()
    except OSError as exc:
        raise UserError(f"cannot read {path}: {exc.strerror or exc}", remedy="Name a file that is there") from exc
    return data.decode("utf-8", "surrogateescape")


def read_jsonl(path: Path, field: str, id_field: str) -> Iterator[tuple[str, str]]:
    """Yield id and text of each record.

    Raises:
        UserError: for a file that cannot be read, a line that is not JSON, or a record without one of the fields.
    """
    remedy = "Correct the file, or name the fields with --field and --id"
    try:
        opener = gzip.open if path.suffix == ".gz" else open
        with opener(path, "rt", encoding="utf-8-sig") as lines:
            for number, line in enumerate(lines, 1):
                if not line.strip():
                    continue
                try:
                    record = json.loads(line)
                except (ValueError, RecursionError) as exc:
                    raise UserError(f"{path}, line {number}: not JSON ({exc})", remedy=remedy) from exc
                for name in (field, id_field):
                    if not isinstance(record, dict) or name not in record:
                        raise UserError(f"{path}, line {number}: no field {name!r}", remedy=remedy)
                if not isinstance(record[field], str):
                    raise UserError(f"{path}, line {number}: field {field!r} is not a string", remedy=remedy)
                yield str(record[id_field]), record[field]
    except (OSError, EOFError, UnicodeDecodeError, zlib.error) as exc:
        raise UserError(f"cannot read {path}: {exc}", remedy="Name a file of JSON lines that is there") from exc


def check_json(name: str, report: CheckReport) -> dict[str, Any]:
    """Return the stable JSON shape of a check."""
    return {
        "schema": 1,
        "id": name,
        "verdict": report.verdict,
        "diagnostics": [
            {
                "severity": d.severity,
                "kind": d.kind,
                "pos": {"line": d.start.line, "column": d.start.column},
                "endPos": {"line": d.end.line, "column": d.end.column},
                "message": d.message,
            }
            for d in report.diagnostics
        ],
        "declarations": {"total": report.total, "elaborated": report.elaborated},
        "runtime_s": round(report.runtime_s, 6),
    }


def _print_json(data: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(data, ensure_ascii=True) + "\n")


def _print_report(name: str, report: CheckReport) -> None:
    for d in report.diagnostics:
        print(f"{name}:{d.start.line}:{d.start.column}: {d.severity}: {d.message} [{d.kind}]")
    print(f"{name}: {report.verdict}, {report.elaborated} of {report.total} declarations elaborated")


def run_check(
    files: Sequence[Path], jsonl: Path | None, field: str, id_field: str, version: str, imports: str, as_json: bool
) -> None:
    """Check files or records; exit 1 when any is rejected."""
    if bool(files) == (jsonl is not None):
        raise UserError("name Lean files, or --jsonl FILE", remedy="Give one of the two")
    env = environment(version, imports)
    inputs = read_jsonl(jsonl, field, id_field) if jsonl else ((str(f), read_text(f)) for f in files)
    rejected = False
    for name, text in inputs:
        report = check(text, env)
        rejected |= report.verdict == "rejected"
        if as_json:
            _print_json(check_json(name, report))
        else:
            _print_report(name, report)
    if rejected:
        raise SystemExit(ExitCode.FINDINGS)


def eval_json(name: str, report: EvalResult) -> dict[str, Any]:
    """Return the stable JSON shape of an evaluation."""
    return {
        "schema": 1,
        "id": name,
        "status": report.status,
        "value": report.value,
        "type": report.type,
        "diagnostics": [
            {
                "severity": d.severity,
                "kind": d.kind,
                "pos": {"line": d.start.line, "column": d.start.column},
                "message": d.message,
            }
            for d in report.diagnostics
        ],
        "reason": report.reason,
    }


def run_eval(
    expr: str | None, jsonl: Path | None, field: str, id_field: str, version: str, imports: str, as_json: bool
) -> None:
    """Evaluate one term or many; exit 1 when any has no value."""
    if (expr is None) == (jsonl is None):
        raise UserError("name a term, or --jsonl FILE", remedy="Give one of the two")
    env = environment(version, imports)
    inputs = read_jsonl(jsonl, field, id_field) if jsonl else iter([("term", expr or "")])
    findings = False
    program = load("", env)
    for name, text in inputs:
        report = program.evaluate(text)
        findings |= report.status != "value"
        if as_json:
            _print_json(eval_json(name, report))
        elif report.status == "value":
            print(f"{report.value} : {report.type}")
        else:
            detail = report.reason or "; ".join(d.message for d in report.diagnostics)
            print(f"{report.status}: {detail}")
    if findings:
        raise SystemExit(ExitCode.FINDINGS)
