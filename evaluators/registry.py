"""Evaluators by name: what can be measured of a candidate beyond its checks.

An evaluator is one entry here: a name, the metrics it gives, and how it is made from the tools of a run. Two entries
never share a name or a metric. `adequacy` stands for the checks of a contract on labelled examples (with the verifier's
grade), which every other evaluator may build on; it is measured by `evaluators.scoring` itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import metadata
from typing import TYPE_CHECKING, Protocol

from evaluators import adequacy
from evaluators.checks import ContractChecks
from evaluators.contract import Contract, ProjectionFailure
from evaluators.evidence import Evidence
from evaluators.jobs import Runner
from specgen.errors import UserError
from specgen.generators import Candidate
from specgen.tasks.model import Task

if TYPE_CHECKING:
    from evaluators.judge import JudgeClient, JudgeOptions

ADEQUACY = "adequacy"
ENTRY_POINTS = "specgen.evaluators"


@dataclass(frozen=True, slots=True)
class Subject:
    """What an evaluator measures.

    Attributes:
        task: with the labels it may be scored on.
        candidate: what was generated.
        contract: its contract, or why there is none.
        checks: whether the contract is well formed, and its checks on the task's labels.
    """

    task: Task
    candidate: Candidate
    contract: Contract | ProjectionFailure
    checks: ContractChecks


class Evaluator(Protocol):
    """Measures its metrics of a subject."""

    @property
    def name(self) -> str:
        """The name it is registered under."""
        ...

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics of its evidence."""
        ...

    def evidence(self, subject: Subject) -> Sequence[Evidence]:
        """Return one evidence for each metric. Raises whatever goes wrong: the caller makes `evaluator_error` of it."""
        ...


@dataclass(frozen=True, slots=True)
class EvaluatorTools:
    """What evaluators are made from.

    Attributes:
        runner: runs what reads candidate text, within limits.
        judge: client of a language model, None where there is none.
        judge_options: how the judge is asked.
        equivalence_s: wall time of one equivalence, in seconds.
    """

    runner: Runner
    judge: JudgeClient | None = None
    judge_options: JudgeOptions | None = None
    equivalence_s: float = 5.0


@dataclass(frozen=True, slots=True)
class Entry:
    """One registered evaluator: its name, what it measures in a line, its metrics, and how it is made."""

    name: str
    summary: str
    metrics: tuple[str, ...]
    make: Callable[[EvaluatorTools], Evaluator]


def registry(entries: Iterable[Entry]) -> Mapping[str, Entry]:
    """Return entries by name.

    Raises:
        ValueError: when two of them have a name or a metric in common.
    """
    found: dict[str, Entry] = {}
    owner = dict.fromkeys(("typecheck", "verifier_grade", *adequacy.METRICS), ADEQUACY)
    for entry in entries:
        if entry.name in found or entry.name == ADEQUACY:
            raise ValueError(f"two evaluators are named {entry.name}")
        for metric in entry.metrics:
            if metric in owner:
                raise ValueError(f"{entry.name} and {owner[metric]} both give the metric {metric}")
            owner[metric] = entry.name
        found[entry.name] = entry
    return found


def known_evaluators() -> Mapping[str, Entry]:
    """Return every evaluator that can be chosen beside `adequacy`: ours, and those of other packages (entry points of
    the group `specgen.evaluators`, each an `Entry`).
    """
    from evaluators.wiring import BUILT_IN

    others: list[Entry] = [point.load() for point in metadata.entry_points(group=ENTRY_POINTS)]
    return registry([*BUILT_IN, *others])


def check_names(names: Sequence[str]) -> tuple[str, ...]:
    """Return names of evaluators when they can be chosen together.

    Raises:
        UserError: for an unknown name (with the nearest), one that is given twice, or none at all.
    """
    known = [ADEQUACY, *known_evaluators()]
    for name in names:
        if name not in known:
            near = get_close_matches(name, known, n=1)
            hint = f"Did you mean {near[0]!r}? " if near else ""
            raise UserError(f"unknown evaluator {name!r}", remedy=f"{hint}Known: {', '.join(known)}")
        if list(names).count(name) > 1:
            raise UserError(f"the evaluator {name!r} is named twice", remedy="Name each once")
    if not names:
        raise UserError("no evaluator is named", remedy=f"Known: {', '.join(known)}")
    return tuple(names)


def metrics_of(names: Sequence[str]) -> tuple[str, ...]:
    """Return the metrics that the evaluators of these names add to those of the checks."""
    known = known_evaluators()
    return tuple(m for name in names if name != ADEQUACY for m in known[name].metrics)


def make_evaluators(names: Sequence[str], tools: EvaluatorTools) -> tuple[Evaluator, ...]:
    """Return the evaluators of these names, `adequacy` apart, which is no evaluator of its own.

    Raises:
        UserError: for names that cannot be chosen, or a tool that an evaluator needs and the run does not have.
    """
    known = known_evaluators()
    return tuple(known[name].make(tools) for name in check_names(names) if name != ADEQUACY)


__all__ = [
    "ADEQUACY",
    "Entry",
    "Evaluator",
    "EvaluatorTools",
    "Subject",
    "check_names",
    "known_evaluators",
    "make_evaluators",
    "metrics_of",
    "registry",
]
