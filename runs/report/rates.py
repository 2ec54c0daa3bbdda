"""Shares over candidates, by arm: pass@k, Harness@t with both denominators, VERINA's soundness and completeness."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import cache

from evaluators.aggregate import Attempt, Rate, attempt, harness, passes_at_k, sound_complete
from evaluators.evidence import STATUSES, Evidence
from runs.report.analysis import Analysis, ArmResult
from runs.report.load import Measure, RunData
from runs.report.tables import Table
from runs.table import number

USED = ("verifier_grade", "R+", "R-", "R_req", "R_rej", "pass")
PASS_AT = (1, 2, 5, 10, 20, 50, 100)
_KINDS = {"R+": 0, "R-": 1, "R_req": 2, "R_rej": 3}


@cache
def _evidence(metric: str, measure: Measure) -> Evidence | None:
    status = next((s for s in STATUSES if s == measure.status), None)
    return None if status is None else Evidence(metric, status, measure.value, measure.lower, measure.upper)


def rates(run: RunData, arm: str) -> list[Rate]:
    """Return the shares of one arm.

    pass@k beyond 1 needs samples of one prompt: an arm with several seed prompts has pass@1 only.
    """
    at = {m: run.metrics.index(m) for m in USED if m in run.metrics}
    rows = [r for r in run.rows if r.arm == arm]
    if "pass" not in at or not rows:
        return []
    have: dict[str, set[str]] = {m: {r.task for r in rows if r.labels[k]} for m, k in _KINDS.items()}
    samples: Counter[str] = Counter()
    attempts: list[Attempt] = []
    for row in rows:
        found = [_evidence(m, measure) for m, i in at.items() if (measure := row.measure(i)) is not None]
        attempts.append(attempt(row.task, samples[row.task], [e for e in found if e is not None]))
        samples[row.task] += 1
    both = have["R+"] & have["R-"]
    most = max(samples.values()) if len({r.seed for r in rows}) == 1 else 1
    parts = [sound_complete(attempts, part, have) for part in ("precondition", "postcondition")]
    return [
        *(passes_at_k(attempts, k, both)[0] for k in PASS_AT if k <= most),
        *harness(attempts, both),
        *(r for p in parts for r in (p.sound, p.complete, p.both)),
    ]


def rate_text(rate: Rate | None) -> str:
    """Return a share with what it is over; an interval where unknown outcomes leave it open."""
    if rate is None or rate.status == "not_applicable":
        return "–"
    value = number(rate.value)
    if rate.value is None:
        value = f"[{number(rate.lower)}, {number(rate.upper)}]"
    return f"{value} of {rate.n}" + (f" ({rate.unknown} open)" if rate.unknown else "")


def rate_table(analysis: Analysis) -> Table:
    """Return the table of shares, a column for each arm."""
    by_arm = [_named(analysis.runs[a.run], a) for a in analysis.arms]
    names = list(dict.fromkeys(name for found in by_arm for name in found))
    rows = tuple((" over ".join(name), *(rate_text(found.get(name)) for found in by_arm)) for name in names)
    note = (
        "Shares of candidates (pass@k: mean over tasks). Harness@t: R+ and R− at least t, over candidates that the "
        "verifier accepts and over all. Sound and complete in VERINA's terms. Brackets: what open checks leave open."
    )
    return Table("rates", "Shares", ("share", *(a.label for a in analysis.arms)), rows, note)


def _named(run: RunData, arm: ArmResult) -> Mapping[tuple[str, str], Rate]:
    return {(r.name, r.over): r for r in rates(run, arm.name)}


__all__ = ["rate_table", "rates"]
