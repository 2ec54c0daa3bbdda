"""`specgen audit`: reference specifications and implementations against a data set's own labels."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from evaluators.checks import Check, ContractChecks
from evaluators.contract import reference_contract
from evaluators.execution import BuiltinChecker, ImplementationRun, run_implementation
from specgen.errors import ExitCode
from specgen.tasks import Dataset, Task, load_dataset

KINDS = ("pre_required", "pre_forbidden", "post_accepted", "post_rejected")
COUNTS = ("total", "agree", "disagree", "unknown", "unsupported")
_LABEL_KIND = {
    "pre_required": "required",
    "pre_forbidden": "forbidden",
    "post_accepted": "accepted",
    "post_rejected": "rejected",
}


@dataclass(slots=True)
class Tally:
    """Counts of checks by agreement."""

    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(COUNTS, 0))

    def add(self, verdict: str, n: int = 1) -> None:
        """Count checks of one verdict."""
        self.counts["total"] += n
        self.counts[verdict] += n


@dataclass(slots=True)
class Audit:
    """What an audit found. `rows` lists only what does not agree."""

    by_kind: dict[str, Tally] = field(default_factory=lambda: {k: Tally() for k in KINDS})
    implementations: Tally = field(default_factory=Tally)
    rows: list[dict[str, Any]] = field(default_factory=list)
    agreeing: int = 0
    excused: list[dict[str, Any]] = field(default_factory=list)


def verdict_of(check: Check, expected: str) -> str:
    """Compare an outcome with the label: agree, disagree, unknown, unsupported."""
    if check.whole.outcome == "unknown":
        return "unsupported" if check.whole.kind == "unsupported" else "unknown"
    return "agree" if check.whole.outcome == expected else "disagree"


def _kinds(checks: ContractChecks) -> tuple[tuple[str, str, tuple[Check, ...]], ...]:
    return (
        ("pre_required", "holds", checks.required),
        ("pre_forbidden", "fails", checks.forbidden),
        ("post_accepted", "holds", checks.accepted),
        ("post_rejected", "fails", checks.rejected),
    )


def _all_unknown(task: Task, audit: Audit, representation: str, checks: ContractChecks) -> None:
    """Count every check of a reference that does not elaborate: as unsupported, or as a disagreement."""
    verdict = "unsupported" if checks.well_formed == "unsupported" else "disagree"
    sizes = {k: len(getattr(task.labels, label)) for k, label in _LABEL_KIND.items()}
    for kind in KINDS:
        if representation == "relational" and kind.startswith("pre_"):
            continue
        for index in range(sizes[kind]):
            audit.by_kind[kind].add(verdict)
            audit.rows.append(_row(task, kind, index, "", checks.well_formed, checks.message, representation))


def _row(
    task: Task, kind: str, index: int, expected: str, outcome: str, reason: str, representation: str
) -> dict[str, Any]:
    return {
        "task": task.id,
        "kind": kind,
        "index": index,
        "expected": expected,
        "outcome": outcome,
        "reason": reason,
        "representation": representation,
    }


def audit_reference(dataset: Dataset, task: Task, checker: BuiltinChecker, audit: Audit) -> bool:
    """Check every representation of a task's reference; return whether everything agrees."""
    fine = True
    for source in task.references:
        contract = reference_contract(task, source.representation)
        if contract is None:
            continue
        checks = checker.check(contract, task)
        if checks.well_formed != "yes":
            fine = False
            _all_unknown(task, audit, source.representation, checks)
            continue
        for kind, expected, done in _kinds(checks):
            for index, check in enumerate(done):
                verdict = verdict_of(check, expected)
                erratum = dataset.excused(task.id, _LABEL_KIND[kind], index) if verdict == "disagree" else None
                if erratum is not None:
                    audit.excused.append({"task": task.id, "kind": kind, "index": index, "reason": erratum.reason})
                    continue
                audit.by_kind[kind].add(verdict)
                if verdict != "agree":
                    fine = False
                    reason = check.whole.reason or check.shown
                    audit.rows.append(
                        _row(task, kind, index, expected, check.whole.outcome, reason, source.representation)
                    )
    return fine


def audit_implementation(task: Task, runs: Sequence[ImplementationRun], audit: Audit) -> bool:
    """Count one implementation: it agrees when it reproduces an accepted output of every accepted input."""
    bad = [r for r in runs if r.verdict != "agree"]
    order = ("disagree", "unknown", "unsupported")
    verdict = next((v for v in order if any(r.verdict == v for r in bad)), "agree")
    audit.implementations.add(verdict)
    for r in bad:
        audit.rows.append(_row(task, "implementation", r.index, r.expected, r.verdict, r.reason, ""))
    return verdict == "agree"


def audit_dataset(dataset: Dataset) -> Audit:
    """Audit every task of a data set."""
    audit = Audit()
    checker = BuiltinChecker(trusted=True)
    for task in dataset.tasks:
        fine = audit_reference(dataset, task, checker, audit)
        if task.implementation is not None and task.labels.accepted:
            fine = audit_implementation(task, run_implementation(task), audit) and fine
        audit.agreeing += fine
    return audit


def audit_json(dataset: Dataset, audit: Audit, wall_s: float) -> dict[str, Any]:
    """Return the stable JSON shape of an audit."""
    total = dict.fromkeys(COUNTS, 0)
    for tally in audit.by_kind.values():
        for name, n in tally.counts.items():
            total[name] += n
    return {
        "schema": 1,
        "dataset": dataset.name,
        "tasks": len(dataset.tasks),
        "tasks_fully_agreeing": audit.agreeing,
        "checks": total,
        "by_kind": {k: t.counts for k, t in audit.by_kind.items()},
        "implementations": audit.implementations.counts,
        "errata": [{"id": s.id, "reason": s.reason} for s in dataset.set_aside]
        + [{"id": e["task"], "kind": e["kind"], "index": e["index"], "reason": e["reason"]} for e in audit.excused],
        "wall_s": round(wall_s, 3),
        "rows": audit.rows,
    }


def run_audit(name: str, path: Path | None, as_json: bool) -> None:
    """Audit a data set and print the result; exit 1 when anything disagrees."""
    began = time.perf_counter()
    dataset = load_dataset(name, path)
    audit = audit_dataset(dataset)
    result = audit_json(dataset, audit, time.perf_counter() - began)
    if as_json:
        print(json.dumps(result, ensure_ascii=False))
    else:
        _print(result)
    if result["checks"]["disagree"] or result["implementations"]["disagree"]:
        raise SystemExit(ExitCode.FINDINGS)


def _print(result: dict[str, Any]) -> None:
    for row in result["rows"]:
        print(
            f"{row['task']}: {row['kind']}[{row['index']}] {row['representation']}: {row['outcome']}: {row['reason']}"
        )
    print(f"{result['tasks']} tasks of {result['dataset']}, {result['tasks_fully_agreeing']} agreeing on every check")
    for kind, counts in {**result["by_kind"], "implementations": result["implementations"]}.items():
        print(f"  {kind}: " + ", ".join(f"{counts[c]} {c}" for c in COUNTS))
    print(f"  set aside by the errata: {len(result['errata'])}; {result['wall_s']:.1f} s")
