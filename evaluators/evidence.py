"""Evidence: one evaluator's answer about one candidate, which never passes off "not measured" as zero.

Only `observed` evidence has a value. Everything else says why there is none, and is neither averaged nor shown as 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, TypeAlias, get_args

Status: TypeAlias = Literal[
    "observed",
    "inconclusive",
    "unsupported",
    "not_applicable",
    "timeout",
    "evaluator_error",
    "generation_failure",
]
STATUSES: tuple[Status, ...] = get_args(Status)
OutcomeName: TypeAlias = Literal["holds", "fails", "unknown"]


@dataclass(frozen=True, slots=True)
class ItemOutcome:
    """The outcome of one check behind a value.

    `item` names the example, e.g. `accepted[2]`; `kind` is the kind of unknown (`timeout`, `unsupported`, …) and
    `reason` its message. `clause` tells which clause decided, for a postcondition that fails.
    """

    item: str
    outcome: OutcomeName
    kind: str = ""
    reason: str = ""
    clause: str = ""


@dataclass(frozen=True, slots=True)
class Evidence:
    """One metric of one candidate.

    Attributes:
        metric: name of the metric (design: R+, R-, R_req, R_rej, BAcc, pass, typecheck, verifier_grade, …).
        status: how it ended; `value` is given exactly when it is `observed`.
        value: in [0, 1].
        lower, upper: interval that the value is certain to lie in, also when unknown outcomes leave it open.
        scope: what the value speaks of, e.g. `finite(5 pairs)`.
        numerator, denominator, unknown: counts behind the value; unknown outcomes are in the denominator.
        runtime_s: seconds of wall time.
        evaluator, version: who measured.
        items: outcome of each check.
        witness: an example that shows a failure, in Lean notation, or empty.
        message: why there is no value, or a note.
    """

    metric: str
    status: Status
    value: float | None = None
    lower: float | None = None
    upper: float | None = None
    scope: str = ""
    numerator: int | None = None
    denominator: int | None = None
    unknown: int = 0
    runtime_s: float = 0.0
    evaluator: str = ""
    version: str = ""
    items: tuple[ItemOutcome, ...] = ()
    witness: str = ""
    message: str = ""

    def __post_init__(self) -> None:
        if self.status not in STATUSES:
            raise ValueError(f"{self.metric}: no such status {self.status!r}")
        if (self.status == "observed") != (self.value is not None):
            raise ValueError(f"{self.metric}: a value goes with the status observed, and only with it")
        if self.value is not None and not 0.0 <= self.value <= 1.0:
            raise ValueError(f"{self.metric}: value {self.value} is outside [0, 1]")

    def as_record(self) -> dict[str, Any]:
        """Return plain JSON data."""
        return asdict(self)


def from_record(record: dict[str, Any]) -> Evidence:
    """Read evidence back from `as_record`."""
    items = tuple(ItemOutcome(**i) for i in record["items"])
    return Evidence(**{**record, "items": items})


def ratio(
    metric: str,
    items: Sequence[ItemOutcome],
    good: OutcomeName,
    *,
    noun: str,
    evaluator: str,
    version: str,
    runtime_s: float = 0.0,
    witness: str = "",
) -> Evidence:
    """Return the share of items whose outcome is `good` (metrics: R+, R-, R_req, R_rej).

    With unknown outcomes the value is left open: the status tells why (`timeout` when every unknown is one,
    `unsupported` likewise, else `inconclusive`) and the interval [lower, upper] is what the known outcomes leave
    possible. No items at all is `not_applicable`.
    """
    n = len(items)
    if n == 0:
        return Evidence(
            metric, "not_applicable", evaluator=evaluator, version=version, denominator=0, message=f"no {noun}"
        )
    hits = sum(i.outcome == good for i in items)
    unknown = [i for i in items if i.outcome == "unknown"]
    lower, upper = hits / n, (hits + len(unknown)) / n
    status: Status = "observed"
    message = ""
    if unknown:
        kinds = {i.kind for i in unknown}
        status = "unsupported" if kinds == {"unsupported"} else "timeout" if kinds == {"timeout"} else "inconclusive"
        message = f"{len(unknown)} of {n} checks unknown: {unknown[0].kind}: {unknown[0].reason}"
    return Evidence(
        metric,
        status,
        value=lower if status == "observed" else None,
        lower=lower,
        upper=upper,
        scope=f"finite({n} {noun})",
        numerator=hits,
        denominator=n,
        unknown=len(unknown),
        runtime_s=runtime_s,
        evaluator=evaluator,
        version=version,
        items=tuple(items),
        witness=witness,
        message=message,
    )


def without_value(metrics: Iterable[str], status: Status, message: str, evaluator: str, version: str) -> list[Evidence]:
    """Return evidence without a value for several metrics at once, all for the same reason."""
    return [Evidence(m, status, message=message, evaluator=evaluator, version=version) for m in metrics]
