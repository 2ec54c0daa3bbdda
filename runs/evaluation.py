"""Scoring candidates that were made elsewhere: their records, and the summary over them."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from typing import Any

from evaluators.aggregate import Attempt, attempt, coverage, harness, passes_at_k, sound_complete
from evaluators.registry import ADEQUACY, Evaluator
from evaluators.scoring import Checker, Scored, score
from evaluators.verifiers.grade import GRADES
from runs.candidates import Input, Skipped
from runs.enrichment import Enricher
from runs.records import label_counts, scored_from_record, scored_record
from runs.store import RecordLog
from specgen.generators import Candidate
from specgen.tasks.model import Task

OUTCOMES = ("no_output", "not_well_formed", "unsupported", "well_formed")
PASS_AT = (1, 2, 5, 10, 20, 50, 100)
LISTED = 1000
"""Most skipped parts that a summary lists; all are counted and recorded."""


@dataclass(frozen=True, slots=True)
class Parts:
    """What an evaluation works with.

    Attributes:
        task: returns the task of an id.
        checker: runs the checks.
        evaluators: what is measured beside them; `with_adequacy` as in `score`.
        enricher: gives tasks further labels.
        log: keeps the records; None keeps them in memory only.
        threads: candidates in work at a time.
    """

    task: Callable[[str], Task]
    checker: Checker
    evaluators: Sequence[Evaluator]
    with_adequacy: bool
    enricher: Enricher
    log: RecordLog | None = None
    threads: int = os.cpu_count() or 1


def record_key(candidate: Candidate) -> str:
    """Return the key of a candidate's record."""
    parts = (candidate.generator, candidate.task_id, str(candidate.sample), candidate.fingerprint()[:16])
    return "/".join(parts)


def evaluate(given: Input, parts: Parts, step: Callable[[], None]) -> list[dict[str, Any]]:
    """Score every candidate that has no record yet; return all records, in the order of the candidates.

    `step` is called after each candidate.
    """
    if parts.log is not None:
        for skipped in given.skipped:
            about = {**skipped.as_record(), "skip": skipped.kind}
            about.pop("kind")
            parts.log.add("skipped", skipped.place, **about)

    def work(candidate: Candidate) -> dict[str, Any]:
        key = record_key(candidate)
        task = parts.enricher.task(parts.task(candidate.task_id))
        old = parts.log.latest("scored", key) if parts.log is not None else None
        if old is None or _unanswered(old):
            scored = score(task, candidate, parts.checker, parts.evaluators, with_adequacy=parts.with_adequacy)
            about = {"arm": "", "seed": "", "simulated": candidate.simulated}
            content = scored_record(scored, label_counts(task.labels), **about)
            old = {"key": key, **content} if parts.log is None else parts.log.supersede("scored", key, **content)
        step()
        return old

    with ThreadPoolExecutor(parts.threads) as pool:
        return list(pool.map(work, given.candidates))


def _unanswered(record: Mapping[str, Any]) -> bool:
    """Tell whether an earlier sitting's record lacks a judge's answer for a call that failed."""
    return any(e["evaluator"] == "judge" and e["status"] == "evaluator_error" for e in record["evidence"])


def summarise(records: Sequence[Mapping[str, Any]], skipped: Sequence[Skipped], names: Sequence[str]) -> dict[str, Any]:
    """Return the stable JSON shape of an evaluation with these evaluators."""
    scored = [scored_from_record(r) for r in records]
    outcomes = Counter(s.outcome for s in scored)
    checks = [c for s in scored if s.outcome == "well_formed" for c in s.checks.behavioural()]
    unknown = [c for c in checks if c.whole.outcome == "unknown"]
    unsupported = sum(c.whole.kind == "unsupported" for c in unknown)
    summary = {
        "schema": 1,
        "candidates": len(scored),
        **{o: outcomes.get(o, 0) for o in OUTCOMES},
        "checks": {
            "total": len(checks),
            "decided": len(checks) - len(unknown),
            "unknown": len(unknown) - unsupported,
            "unsupported": unsupported,
        },
        "metrics": metric_summaries(scored),
    }
    if ADEQUACY in names:
        grades = Counter(s.get("verifier_grade").value for s in scored)
        summary["grades"] = {f"{g:.1f}": grades.get(g, 0) for g in GRADES}
        summary["aggregates"] = aggregates(records, scored)
    return {
        **summary,
        "evaluators": list(names),
        "skipped": [s.as_record() for s in skipped[:LISTED]],
        "skipped_by_reason": dict(Counter(s.kind for s in skipped)),
    }


def metric_summaries(scored: Sequence[Scored]) -> dict[str, Any]:
    """Return for each metric: values observed, their mean, mean bounds over all that have an interval, statuses."""
    attempts = [attempt(s.candidate.task_id, n, s.evidence) for n, s in enumerate(scored)]
    return {
        c.metric: {
            "n": c.observed,
            "mean": c.mean,
            "lower": c.lower,
            "upper": c.upper,
            "statuses": dict(c.statuses),
        }
        for c in coverage(attempts)
    }


def aggregates(records: Sequence[Mapping[str, Any]], scored: Sequence[Scored]) -> dict[str, Any]:
    """Return for each generator pass@k (k up to its most samples a task), Harness@t with both denominators, and
    VERINA's soundness and completeness of pre- and postconditions.
    """
    have: dict[str, set[str]] = {m: set() for m in ("R+", "R-", "R_req", "R_rej")}
    kinds = {"R+": "accepted", "R-": "rejected", "R_req": "required", "R_rej": "forbidden"}
    groups: dict[str, list[Attempt]] = {}
    for record, one in zip(records, scored, strict=True):
        for metric, kind in kinds.items():
            if record["labels"][kind]:
                have[metric].add(record["task"])
        candidate = one.candidate
        groups.setdefault(candidate.generator, []).append(attempt(candidate.task_id, candidate.sample, one.evidence))
    both = have["R+"] & have["R-"]
    return {name: _aggregate(attempts, have, both) for name, attempts in groups.items()}


def _aggregate(attempts: Sequence[Attempt], have: Mapping[str, set[str]], both: set[str]) -> dict[str, Any]:
    most = max(Counter(a.task_id for a in attempts).values())
    rates = [passes_at_k(attempts, k, both)[0] for k in PASS_AT if k <= most]
    parts = [sound_complete(attempts, part, have) for part in ("precondition", "postcondition")]
    return {
        "pass_at_k": [asdict(r) for r in rates],
        "harness": [asdict(r) for r in harness(attempts, both)],
        "sound_complete": [asdict(rate) for p in parts for rate in (p.sound, p.complete, p.both)],
    }
