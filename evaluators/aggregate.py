"""Scores over many candidates, and the share of each clause in what a contract rejects. Pure functions.

A missing value is never averaged as 0, and never left out in silence: every result says over how many candidates or
tasks it speaks, how many of them are unknown, and in which interval the result lies whatever the unknown ones are. It
has a value where the interval is a point.

- pass@k: 1 - C(n-c, k) / C(n, k) for n >= k samples of a task of which c pass (Chen et al., arXiv 2107.03374), the mean
  over tasks.
- Harness@t: share of contracts with R+ >= t and R- >= t (Spec-Harness, arXiv 2604.00280, PostCorr and PostComp), among
  all that were attempted and among those that the verifier accepts (grade 1): the two are told apart by name.
- Sound and complete in VERINA's words (arXiv 2505.23135): a precondition is sound when R_req = 1 and complete when
  R_rej = 1, a postcondition is complete when R+ = 1 and sound when R- = 1.

A candidate that is not well formed, or without output, fails all of these. One whose call failed on the way, or that we
do not support, is unknown.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb, fsum
from types import MappingProxyType
from typing import Literal, TypeAlias

from evaluators.checks import Check, ContractChecks
from evaluators.evidence import Evidence, OutcomeName, Status

THRESHOLDS = (0.25, 0.5, 0.75, 1.0)
"""Thresholds of Harness@t."""

Denominator: TypeAlias = Literal["attempted", "verifier-accepted"]
Part: TypeAlias = Literal["precondition", "postcondition"]


@dataclass(frozen=True, slots=True)
class Attempt:
    """The evidence of one candidate, by metric."""

    task_id: str
    sample: int
    evidence: Mapping[str, Evidence]


def attempt(task_id: str, sample: int, evidence: Iterable[Evidence]) -> Attempt:
    """Return an attempt from a candidate's evidence; of several of one metric the last counts."""
    return Attempt(task_id, sample, MappingProxyType({e.metric: e for e in evidence}))


@dataclass(frozen=True, slots=True)
class Rate:
    """A share, or a mean of shares.

    Attributes:
        name: e.g. `pass@5`, `Harness@0.50`, `postcondition sound`.
        over: what is counted: `tasks`, `attempted`, `verifier-accepted`.
        status: `observed` (value given), `inconclusive` (interval only), `not_applicable` (nothing to count).
        value, lower, upper: in [0, 1].
        n: how many candidates or tasks the share speaks of, unknown ones included.
        unknown: how many of them are open.
        left_out: candidates or tasks to which it does not apply, and `message` why.
    """

    name: str
    over: str
    status: Status
    value: float | None = None
    lower: float | None = None
    upper: float | None = None
    n: int = 0
    unknown: int = 0
    left_out: int = 0
    message: str = ""


@dataclass(frozen=True, slots=True)
class Coverage:
    """How far one metric was measured: candidates, how many ended in each status, the mean of the `observed` values
    (None without any), and how far the mean over all that have an interval can reach.
    """

    metric: str
    candidates: int
    statuses: Mapping[str, int]
    observed: int
    mean: float | None
    bounded: int
    lower: float | None
    upper: float | None


@dataclass(frozen=True, slots=True)
class SoundComplete:
    """VERINA's summary of one part of the contracts."""

    part: Part
    sound: Rate
    complete: Rate
    both: Rate


# One candidate


def _ill(a: Attempt) -> bool:
    """Tell whether a candidate is known to be no contract: no output, or not well formed."""
    grade = a.evidence.get("verifier_grade")
    return grade is not None and grade.status == "observed" and grade.value == 0.0


def _at_least(e: Evidence | None, least: float) -> OutcomeName | None:
    """Return whether a value reaches a threshold, None where the metric does not apply."""
    if e is None:
        return "unknown"
    if e.status == "not_applicable":
        return None
    if e.lower is not None and e.lower >= least:
        return "holds"
    return "fails" if e.upper is not None and e.upper < least else "unknown"


def _both(a: OutcomeName | None, b: OutcomeName | None) -> OutcomeName | None:
    if a is None or b is None:
        return None
    if "fails" in (a, b):
        return "fails"
    return "holds" if a == b == "holds" else "unknown"


def _reached(
    attempts: Sequence[Attempt], metrics: Sequence[str], least: float, scorable: Collection[str] | None
) -> list[OutcomeName | None]:
    """Return for each candidate whether all metrics reach a threshold, None where the task has nothing to score.

    Whether a task has labels for a metric cannot be seen from a candidate that is not well formed: `scorable` says it,
    and without it the other candidates of the task do (with none that tells, it is taken to have them).
    """
    outcomes: list[OutcomeName | None] = []
    for a in attempts:
        outcome: OutcomeName | None = "holds"
        for metric in metrics:
            outcome = _both(outcome, _at_least(a.evidence.get(metric), least))
        outcomes.append("fails" if _ill(a) else outcome)
    if scorable is None:
        told = [(a.task_id, o) for a, o in zip(attempts, outcomes, strict=True) if not _ill(a)]
        without = {task for task, o in told if o is None} - {task for task, o in told if o is not None}
    else:
        without = {a.task_id for a in attempts} - set(scorable)
    return [None if a.task_id in without else o for a, o in zip(attempts, outcomes, strict=True)]


def _accepted(a: Attempt) -> OutcomeName:
    """Return whether the verifier accepts a candidate (grade 1)."""
    grade = a.evidence.get("verifier_grade")
    if grade is None or grade.status != "observed":
        return "unknown"
    return "holds" if grade.value == 1.0 else "fails"


# Shares


def _rate(
    name: str, over: str, lower: Fraction | None, upper: Fraction | None, n: int, unknown: int, left_out: int, why: str
) -> Rate:
    message = f"{left_out} {why}" if left_out else ""
    if lower is None or upper is None:
        return Rate(name, over, "not_applicable", left_out=left_out, message=message or "nothing to count")
    low, high = float(lower), float(upper)
    status: Status = "observed" if lower == upper else "inconclusive"
    return Rate(name, over, status, low if lower == upper else None, low, high, n, unknown, left_out, message)


def share(
    name: str, outcomes: Iterable[OutcomeName | None], over: str = "attempted", why: str = "have no labels for it"
) -> Rate:
    """Return the share of outcomes that hold; None does not apply and is left out (`why`)."""
    every = list(outcomes)
    kept = [o for o in every if o is not None]
    n, yes, unknown = len(kept), kept.count("holds"), kept.count("unknown")
    lower, upper = (Fraction(yes, n), Fraction(yes + unknown, n)) if n else (None, None)
    return _rate(name, over, lower, upper, n, unknown, len(every) - n, why)


def share_among(name: str, outcomes: Iterable[tuple[OutcomeName, OutcomeName | None]], over: str) -> Rate:
    """Return the share that holds among the members of a group of which membership may be unknown too.

    Args:
        name, over: what is measured, and the name of the group.
        outcomes: for each candidate whether it is a member, and whether it holds (None: does not apply).

    The interval is exact: its ends are the least and the greatest share that any resolution of the unknown outcomes
    gives, resolutions without any member left out.
    """
    every = list(outcomes)
    counts = Counter((m, o) for m, o in every if o is not None and m != "fails")
    yes, no, open_ = (counts["holds", o] for o in ("holds", "fails", "unknown"))
    maybe_yes, maybe_no, maybe_open = (counts["unknown", o] for o in ("holds", "fails", "unknown"))
    n = yes + no + open_
    left_out = sum(o is None for m, o in every if m != "fails")
    unknown = open_ + maybe_yes + maybe_no + maybe_open
    if n + maybe_yes + maybe_no + maybe_open == 0:
        return _rate(name, over, None, None, 0, 0, left_out, "have no labels for it")
    worst = n + maybe_no + maybe_open
    best = n + maybe_yes + maybe_open
    lower = Fraction(yes, worst) if worst else Fraction(1)
    upper = Fraction(yes + open_ + maybe_yes + maybe_open, best) if best else Fraction(0)
    return _rate(name, over, lower, upper, n + unknown - open_, unknown, left_out, "have no labels for it")


def harness_at(
    attempts: Sequence[Attempt], threshold: float, over: Denominator, scorable: Collection[str] | None = None
) -> Rate:
    """Return Harness@t, t in (0, 1], over one of the two denominators; each candidate counts once.

    Give one candidate a task for the published reading, which is over tasks.
    """
    name = f"Harness@{threshold:.2f}"
    met = _reached(attempts, ("R+", "R-"), threshold, scorable)
    if over == "attempted":
        return share(name, met)
    return share_among(name, ((_accepted(a), o) for a, o in zip(attempts, met, strict=True)), over)


def harness(attempts: Sequence[Attempt], scorable: Collection[str] | None = None) -> list[Rate]:
    """Return Harness@t for all of `THRESHOLDS` over both denominators."""
    both: tuple[Denominator, ...] = ("verifier-accepted", "attempted")
    return [harness_at(attempts, t, over, scorable) for over in both for t in THRESHOLDS]


def sound_complete(
    attempts: Sequence[Attempt], part: Part, scorable: Mapping[str, Collection[str]] | None = None
) -> SoundComplete:
    """Return the shares of candidates whose pre- or postcondition is sound, complete, and both.

    `scorable` names for each metric (R+, R-, R_req, R_rej) the tasks that have labels for it.
    """
    sound, complete = ("R_req", "R_rej") if part == "precondition" else ("R-", "R+")
    outcomes = {m: _reached(attempts, (m,), 1.0, scorable[m] if scorable else None) for m in (sound, complete)}
    both = [_both(a, b) for a, b in zip(outcomes[sound], outcomes[complete], strict=True)]
    return SoundComplete(
        part,
        share(f"{part} sound", outcomes[sound]),
        share(f"{part} complete", outcomes[complete]),
        share(f"{part} sound and complete", both),
    )


# pass@k


def pass_at_k(n: int, c: int, k: int) -> Fraction:
    """Return the unbiased estimate of pass@k from n samples of which c pass: 1 - C(n-c, k) / C(n, k).

    Raises:
        ValueError: unless 1 <= k <= n and 0 <= c <= n.
    """
    if not (1 <= k <= n and 0 <= c <= n):
        raise ValueError(f"pass@{k} of {c} passing samples among {n}")
    return 1 - Fraction(comb(n - c, k), comb(n, k))


def task_pass_at_k(outcomes: Sequence[OutcomeName | None], k: int) -> Rate:
    """Return pass@k of one task from the outcomes of its samples.

    An unknown sample makes an interval; fewer than k samples, or a task without labels, make it not applicable.
    """
    kept = [o for o in outcomes if o is not None]
    if len(kept) < len(outcomes) or not kept:
        return Rate(f"pass@{k}", "samples", "not_applicable", n=len(kept), message="the task has no labels for it")
    n, passing, unknown = len(kept), kept.count("holds"), kept.count("unknown")
    if n < k:
        return Rate(f"pass@{k}", "samples", "not_applicable", n=n, unknown=unknown, message=f"{n} samples, {k} needed")
    lower, upper = pass_at_k(n, passing, k), pass_at_k(n, passing + unknown, k)
    return _rate(f"pass@{k}", "samples", lower, upper, n, unknown, 0, "")


def passes_at_k(
    attempts: Sequence[Attempt], k: int, scorable: Collection[str] | None = None
) -> tuple[Rate, Mapping[str, Rate]]:
    """Return the mean of pass@k over tasks, and the rate of each task.

    A task with fewer than k samples is left out and counted as left out: it is never given a smaller k.

    Raises:
        ValueError: k below 1, or two attempts with one task and sample.
    """
    if k < 1:
        raise ValueError(f"pass@{k}: k is at least 1")
    twice = [key for key, count in Counter((a.task_id, a.sample) for a in attempts).items() if count > 1]
    if twice:
        raise ValueError(f"sample {twice[0][1]} of task {twice[0][0]} is there twice")
    samples: dict[str, list[OutcomeName | None]] = defaultdict(list)
    for a, outcome in zip(attempts, _reached(attempts, ("pass",), 1.0, scorable), strict=True):
        samples[a.task_id].append(outcome)
    rates = {task: task_pass_at_k(outcomes, k) for task, outcomes in samples.items()}
    kept = [r for r in rates.values() if r.status != "not_applicable"]
    unknown = sum(r.status != "observed" for r in kept)
    left = len(rates) - len(kept)
    message = f"{left} tasks have fewer than {k} samples or no labels" if left else ""
    if not kept:
        mean = Rate(f"pass@{k}", "tasks", "not_applicable", left_out=left, message=message or "no tasks")
        return mean, MappingProxyType(rates)
    lower, upper = (fsum(getattr(r, end) for r in kept) / len(kept) for end in ("lower", "upper"))
    value = None if unknown else lower
    status: Status = "inconclusive" if unknown else "observed"
    mean = Rate(f"pass@{k}", "tasks", status, value, lower, upper, len(kept), unknown, left, message)
    return mean, MappingProxyType(rates)


# Coverage


def coverage(attempts: Sequence[Attempt]) -> list[Coverage]:
    """Return for each metric, in order of appearance, how far it was measured."""
    found: dict[str, list[Evidence]] = defaultdict(list)
    for a in attempts:
        for metric, e in a.evidence.items():
            found[metric].append(e)
    return [_coverage(metric, evidence) for metric, evidence in found.items()]


def _coverage(metric: str, evidence: Sequence[Evidence]) -> Coverage:
    values = [e.value for e in evidence if e.value is not None]
    ends = [
        (e.value, e.value) if e.value is not None else (e.lower, e.upper)
        for e in evidence
        if e.value is not None or (e.lower is not None and e.upper is not None)
    ]
    return Coverage(
        metric,
        len(evidence),
        MappingProxyType(dict(Counter(e.status for e in evidence))),
        len(values),
        fsum(values) / len(values) if values else None,
        len(ends),
        fsum(low or 0.0 for low, _ in ends) / len(ends) if ends else None,
        fsum(high or 0.0 for _, high in ends) / len(ends) if ends else None,
    )


# Clauses


@dataclass(frozen=True, slots=True)
class ClauseAttribution:
    """What one clause does on a task's pairs; pairs are named as in the checks (`rejected[2]`).

    Attributes:
        index, text: the clause.
        alone: rejected pairs that it rejects and no other clause does.
        together: rejected pairs that it rejects, as another clause does.
        alone_or_together: rejected pairs that it rejects, where no other clause is known to and some are unknown.
        unknown_rejected: rejected pairs on which it is unknown.
        wrongly: known-correct pairs that it rejects.
        unknown_accepted: known-correct pairs on which it is unknown.
        rejects_nothing: whether it rejects none of the rejected pairs.
        redundant: whether every rejected pair is rejected, or not, without it as with it. Of two clauses that say the
            same each is redundant, and not both can go. Both answers speak of these pairs only, and are unknown where
            there are none.
    """

    index: int
    text: str
    alone: tuple[str, ...]
    together: tuple[str, ...]
    alone_or_together: tuple[str, ...]
    unknown_rejected: tuple[str, ...]
    wrongly: tuple[str, ...]
    unknown_accepted: tuple[str, ...]
    rejects_nothing: OutcomeName
    redundant: OutcomeName


@dataclass(frozen=True, slots=True)
class Attribution:
    """What the clauses of one contract do, and the rejected pairs that none of them rejects (`escaped`), or of which it
    is unknown whether one does (`undecided`).
    """

    clauses: tuple[ClauseAttribution, ...]
    escaped: tuple[str, ...]
    undecided: tuple[str, ...]


def attribution(checks: ContractChecks) -> Attribution:
    """Return which clause of a contract's postcondition rejects what, from the outcomes of its clauses."""
    count = len(checks.clauses)
    rejected = {c.item: _clause_outcomes(c, count) for c in checks.rejected}
    correct = {c.item: _clause_outcomes(c, count) for c in (*checks.accepted, *checks.known)}
    clauses = tuple(_attributed(i, text, rejected, correct) for i, text in enumerate(checks.clauses))
    return Attribution(
        clauses,
        tuple(item for item, row in rejected.items() if set(row) <= {"holds"}),
        tuple(item for item, row in rejected.items() if "unknown" in row and "fails" not in row),
    )


_Row: TypeAlias = tuple[OutcomeName, ...]


def _clause_outcomes(check: Check, count: int) -> _Row:
    """Return the outcome of each clause; a check that was stopped has none, and they are unknown."""
    known = [c.outcome for c in check.clauses[:count]]
    return (*known, *(["unknown"] * (count - len(known))))  # type: ignore[arg-type]


def _attributed(i: int, text: str, rejected: Mapping[str, _Row], correct: Mapping[str, _Row]) -> ClauseAttribution:
    groups: dict[str, list[str]] = defaultdict(list)
    may_be_needed = False
    for item, row in rejected.items():
        others = {o for j, o in enumerate(row) if j != i}
        if row[i] == "fails":
            kind = "together" if "fails" in others else "open" if "unknown" in others else "alone"
            groups[kind].append(item)
        elif row[i] == "unknown":
            groups["unknown"].append(item)
            may_be_needed = may_be_needed or "fails" not in others
    nothing: OutcomeName = "unknown" if groups["unknown"] or not rejected else "holds"
    if any(groups[kind] for kind in ("alone", "together", "open")):
        nothing = "fails"
    redundant: OutcomeName = "unknown" if may_be_needed or groups["open"] or not rejected else "holds"
    if groups["alone"]:
        redundant = "fails"
    return ClauseAttribution(
        index=i,
        text=text,
        alone=tuple(groups["alone"]),
        together=tuple(groups["together"]),
        alone_or_together=tuple(groups["open"]),
        unknown_rejected=tuple(groups["unknown"]),
        wrongly=tuple(item for item, row in correct.items() if row[i] == "fails"),
        unknown_accepted=tuple(item for item, row in correct.items() if row[i] == "unknown"),
        rejects_nothing=nothing,
        redundant=redundant,
    )
