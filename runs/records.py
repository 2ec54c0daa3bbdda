"""The record of a scored candidate: everything that is known of it, as plain JSON data, and back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_args

from evaluators.checks import Check, ContractChecks, Tri, WellFormed
from evaluators.evidence import OutcomeName, from_record
from evaluators.execution import CheckKind
from evaluators.scoring import Scored
from specgen.errors import UserError
from specgen.generators.candidate import candidate_from_record
from specgen.tasks.model import Labels

LABEL_KINDS = ("accepted", "rejected", "required", "forbidden")
CHECK_KINDS: tuple[CheckKind, ...] = get_args(CheckKind)

MAX_SHOWN = 2000
"""Longest text, in characters, of an example in a record: labels may be large, and the task has them whole."""

_LETTER: Mapping[OutcomeName, str] = {"holds": "h", "fails": "f", "unknown": "u"}
_OUTCOME: Mapping[str, OutcomeName] = {letter: name for name, letter in _LETTER.items()}


def label_counts(labels: Labels) -> dict[str, int]:
    """Return how many labels of each kind a candidate was scored on."""
    return {name: len(getattr(labels, name)) for name in LABEL_KINDS}


def scored_record(scored: Scored, labels: Mapping[str, int], **about: Any) -> dict[str, Any]:
    """Return the record of one scored candidate.

    Args:
        scored: the candidate with its evidence and checks.
        labels: how many labels of each kind its task was scored on.
        about: what the run says of it (arm, seed prompt, whether it is simulated), first in the record.
    """
    checks = scored.checks
    return {
        **about,
        "task": scored.candidate.task_id,
        "outcome": scored.outcome,
        "labels": dict(labels),
        "candidate": scored.candidate.as_record(),
        "evidence": [e.as_record() for e in scored.evidence],
        "clauses": list(checks.clauses),
        "notes": list(checks.notes),
        "well_formed": checks.well_formed,
        "message": checks.message,
        "checks": [check_record(c) for kind in CHECK_KINDS for c in getattr(checks, kind)],
    }


def check_record(check: Check) -> dict[str, Any]:
    """Return one check: its clauses are a string with a letter each, h(olds), f(ails), u(nknown)."""
    shown = check.shown if len(check.shown) <= MAX_SHOWN else check.shown[:MAX_SHOWN] + "…"
    record = {"item": check.item, "shown": shown, "outcome": check.whole.outcome}
    if check.whole.outcome == "unknown":
        record |= {"kind": check.whole.kind, "reason": check.whole.reason[:MAX_SHOWN]}
    if check.clauses:
        record["clauses"] = "".join(_LETTER[c.outcome] for c in check.clauses)
    return record


def check_from_record(record: Mapping[str, Any]) -> Check:
    """Read a check back. A clause that is unknown keeps that, not why."""
    clauses = tuple(Tri(_OUTCOME[letter]) for letter in record.get("clauses", ""))
    whole = Tri(record["outcome"], record.get("kind", ""), record.get("reason", ""))
    return Check(record["item"], record["shown"], whole, clauses)


def scored_from_record(record: Mapping[str, Any]) -> Scored:
    """Read a scored candidate back from `scored_record`; records of earlier versions have no checks."""
    groups: dict[str, list[Check]] = {kind: [] for kind in CHECK_KINDS}
    for one in record.get("checks", ()):
        groups[one["item"].partition("[")[0]].append(check_from_record(one))
    well_formed: WellFormed = record.get("well_formed", "yes" if record["outcome"] == "well_formed" else "no")
    checks = ContractChecks(
        well_formed,
        record.get("message", ""),
        tuple(record["clauses"]),
        **{kind: tuple(found) for kind, found in groups.items()},  # type: ignore[arg-type]
        notes=tuple(record["notes"]),
    )
    evidence = tuple(map(from_record, record["evidence"]))
    return Scored(candidate_from_record(record["candidate"]), checks, evidence)


def read_records(folder: Path, kind: str) -> list[dict[str, Any]]:
    """Return the records of a kind that count, as `RecordLog.all` does, without opening them for writing: the run may
    be at work.

    Raises:
        UserError: when there are none, or a line is not a record.
    """
    path = folder / "records.jsonl"
    found: dict[str, dict[str, Any]] = {}
    superseded: set[str] = set()
    number = 0
    try:
        with open(path, "rb") as lines:
            for line in lines:
                number += 1
                if not line.endswith(b"\n") or not line.strip():
                    continue
                record = json.loads(line)
                if record["kind"] == kind:
                    found.setdefault(record["key"], record)
                    superseded.add(record.get("supersedes", ""))
    except OSError as exc:
        remedy = "Name the folder of a run of specgen experiment or evaluate --out"
        raise UserError(f"cannot read {path}: {exc.strerror or exc}", remedy=remedy) from exc
    except (ValueError, KeyError, TypeError, RecursionError) as exc:
        raise UserError(f"{path}, line {number}: not a record of a run ({exc})", remedy="Restore the file") from exc
    return [record for key, record in found.items() if key not in superseded]


__all__ = [
    "LABEL_KINDS",
    "check_from_record",
    "check_record",
    "label_counts",
    "read_records",
    "scored_from_record",
    "scored_record",
]
