"""`specgen evaluate`: score candidates that were made elsewhere."""

from __future__ import annotations

import json
import os
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import fmean
from types import MappingProxyType
from typing import Any, get_args

from evaluators.isolation import make_checker
from evaluators.scoring import Scored, score
from evaluators.verifiers.grade import GRADES
from runs.progress import ConsoleProgress
from runs.store import check_writable, write_atomic
from specgen.errors import UserError
from specgen.generators import FIELD_NAMES, Candidate
from specgen.generators.candidate import FailureKind
from specgen.tasks import load_dataset


def read_candidates(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield line number and record of each candidate.

    Raises:
        UserError: when the file cannot be read, or a line is not a JSON object with `task` and `text` or `fields`.
    """
    remedy = 'Write one {"task", "generator", "text"} or {"task", "generator", "fields"} a line'
    try:
        lines = path.read_text(encoding="utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as exc:
        raise UserError(f"cannot read {path}: {exc}", remedy="Name a file of JSON lines that is there") from exc
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except (ValueError, RecursionError) as exc:
            raise UserError(f"{path}, line {number}: not JSON ({exc})", remedy=remedy) from exc
        problem = _problem(record)
        if problem:
            raise UserError(f"{path}, line {number}: {problem}", remedy=remedy)
        yield number, record


def _problem(record: Any) -> str:
    """Return what is wrong with a record of a candidate, empty when nothing is."""
    if not isinstance(record, dict) or not isinstance(record.get("task"), str):
        return "no field 'task' that is a string"
    text, fields, sample = record.get("text"), record.get("fields"), record.get("sample", 0)
    if text is None and fields is None:
        return "neither 'text' nor 'fields'"
    if text is not None and not isinstance(text, str):
        return "field 'text' is not a string"
    if fields is not None and not (isinstance(fields, dict) and all(isinstance(v, str) for v in fields.values())):
        return "field 'fields' is not an object of strings"
    unknown = sorted(set(fields or ()) - set(FIELD_NAMES))
    if unknown:
        return f"there is no field 'fields.{unknown[0]}', only {', '.join(FIELD_NAMES)}"
    if isinstance(sample, bool) or not isinstance(sample, int) or sample < 0:
        return "field 'sample' is not a whole number from 0"
    if record.get("failure", "") not in get_args(FailureKind):
        return f"field 'failure' is not one of {', '.join(filter(None, get_args(FailureKind)))}, or empty"
    return ""


def make_candidate(record: Mapping[str, Any]) -> Candidate:
    """Return the candidate of a record; one made by `specgen generate` keeps its failure."""
    fields = record.get("fields")
    text = record.get("text") or ""
    failure: FailureKind = record.get("failure", "")
    if not failure and fields is None and not text.strip():
        failure = "empty"
    return Candidate(
        record["task"],
        str(record.get("generator", "")),
        text,
        record.get("sample", 0),
        MappingProxyType({f: fields.get(f, "") for f in FIELD_NAMES}) if fields is not None else None,
        failure,
        str(record.get("message", "the reply is empty" if failure == "empty" else "")),
        lean=str(record.get("lean") or ""),
    )


def summarise_metrics(scored: Sequence[Scored]) -> dict[str, Any]:
    """Return for each metric: values observed, their mean, mean bounds over all that have an interval, statuses."""
    out: dict[str, Any] = {}
    for name in dict.fromkeys(e.metric for s in scored for e in s.evidence):
        mine = [s.get(name) for s in scored]
        values = [e.value for e in mine if e.value is not None]
        bounded = [(e.lower, e.upper) for e in mine if e.lower is not None and e.upper is not None]
        out[name] = {
            "n": len(values),
            "mean": fmean(values) if values else None,
            "lower": fmean(low for low, _ in bounded) if bounded else None,
            "upper": fmean(high for _, high in bounded) if bounded else None,
            "statuses": dict(Counter(e.status for e in mine)),
        }
    return out


def summarise(scored: Sequence[Scored], wall_s: float) -> dict[str, Any]:
    """Return the stable JSON shape of an evaluation."""
    outcomes = Counter(s.outcome for s in scored)
    checks = [c for s in scored if s.outcome == "well_formed" for c in s.checks.behavioural()]
    unknown = [c for c in checks if c.whole.outcome == "unknown"]
    unsupported = sum(c.whole.kind == "unsupported" for c in unknown)
    grades = Counter(s.get("verifier_grade").value for s in scored)
    return {
        "schema": 1,
        "candidates": len(scored),
        **{o: outcomes.get(o, 0) for o in ("no_output", "not_well_formed", "unsupported", "well_formed")},
        "checks": {
            "total": len(checks),
            "decided": len(checks) - len(unknown),
            "unknown": len(unknown) - unsupported,
            "unsupported": unsupported,
        },
        "metrics": summarise_metrics(scored),
        "grades": {f"{g:.1f}": grades.get(g, 0) for g in GRADES},
        "wall_s": round(wall_s, 3),
    }


def run_evaluate(path: Path, dataset: str, data_path: Path | None, out: Path | None, as_json: bool) -> None:
    """Score every candidate of a file and print the summary; records go to `out`, one a line."""
    began = time.perf_counter()
    if out is not None:
        check_writable(out)
    tasks = {t.id: t for t in load_dataset(dataset, data_path).tasks}
    candidates = []
    for number, record in read_candidates(path):
        if record["task"] not in tasks:
            raise UserError(
                f"{path}, line {number}: {dataset} has no task {record['task']!r}",
                remedy="Name the data set with --dataset and --path",
            )
        candidates.append(make_candidate(record))
    with (
        make_checker(isolate=True) as checker,
        ConsoleProgress() as progress,
        ThreadPoolExecutor(os.cpu_count() or 1) as pool,
    ):
        progress.start("evaluating", len(candidates))

        def work(candidate: Candidate) -> Scored:
            found = score(tasks[candidate.task_id], candidate, checker)
            progress.step()
            return found

        scored = list(pool.map(work, candidates))
    if out is not None:
        write_atomic(out, "".join(json.dumps(_record(s), ensure_ascii=False) + "\n" for s in scored))
    summary = summarise(scored, time.perf_counter() - began)
    print(json.dumps(summary, ensure_ascii=False)) if as_json else _print(summary)


def _record(s: Scored) -> dict[str, Any]:
    return {
        "schema": 1,
        "task": s.candidate.task_id,
        "outcome": s.outcome,
        "candidate": s.candidate.as_record(),
        "evidence": [e.as_record() for e in s.evidence],
        "clauses": list(s.checks.clauses),
        "notes": list(s.checks.notes),
    }


def _print(summary: Mapping[str, Any]) -> None:
    from runs.table import number

    kinds = ("well_formed", "not_well_formed", "unsupported", "no_output")
    print(f"{summary['candidates']} candidates: " + ", ".join(f"{summary[k]} {k.replace('_', ' ')}" for k in kinds))
    checks = summary["checks"]
    print(f"{checks['decided']} of {checks['total']} checks of well-formed candidates decided")
    for name, m in summary["metrics"].items():
        statuses = ", ".join(f"{v} {k}" for k, v in m["statuses"].items())
        print(f"  {name}: mean {number(m['mean'])} over {m['n']}; {statuses}")
    print("grades: " + ", ".join(f"{g}: {n}" for g, n in summary["grades"].items()))
