"""Spoiled references: how often each metric notices each kind of spoiling.

Every reference contract of a data set is spoiled in known ways (`specgen.tasks.spoil`), and every spoiled contract is
measured like a candidate. An edit need not change what a contract says. It is counted as `changed` when the equivalence
is refuted, or a check on the task's labels (mutants and further inputs included) comes out other than the label; as
`same` when the equivalence is proved or identical; else as `open`. A metric notices a spoiled contract when it is known
not to be perfect: its value, or the upper end of its interval, is below 1.

The metric made for a spoiled contract follows from what the edit did to its meaning: a direction that is refuted names
the adequacy score that is to see it. Where none is, the kind of edit names it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from evaluators.contract import Contract, lean_env, reference_contract, with_preamble
from evaluators.evidence import Evidence
from evaluators.isolation import Tools
from evaluators.registry import EvaluatorTools, Subject, make_evaluators
from evaluators.scoring import evidence_of, measure
from specgen.errors import UserError
from specgen.generators import Candidate
from specgen.tasks import Task
from specgen.tasks.spoil import SPOIL_KINDS, SpoiledContract, SpoilKind, spoil

Meaning: TypeAlias = Literal["changed", "same", "open"]

BEHAVIOUR = ("R+", "R-", "R_req", "R_rej")
METRICS = ("typecheck", "verifier_grade", *BEHAVIOUR, "pass", "NEM", "signature_f1", "atom_f1", "gted", "equivalence")
EVALUATORS = ("similarity", "equivalence")

PREPOST: Mapping[str, tuple[str, ...]] = {
    "pre_forward": ("R_req",),
    "pre_backward": ("R_rej",),
    "post_forward": ("R+",),
    "post_backward": ("R-",),
}
"""The adequacy score that sees a refuted direction: P_ref → P_cand fails on a required input, and so on."""

RELATIONAL: Mapping[str, tuple[str, ...]] = {
    **PREPOST,
    "post_forward": ("R+", "R_rej"),
    "post_backward": ("R-", "R_req"),
}
"""As `PREPOST`, where contracts are compared as whole statements: a weaker one may have a stronger guard."""


@dataclass(frozen=True, slots=True)
class SpoiledRow:
    """One spoiled contract, measured: its kind and part, whether its meaning changed, the most that each metric can be
    (its value, or the upper end of its interval; None: not known), and the refuted directions.
    """

    task_id: str
    kind: SpoilKind
    part: str
    touched: str
    representation: str
    meaning: Meaning
    values: Mapping[str, float | None]
    refuted: tuple[str, ...] = ()

    def made_for(self) -> tuple[str, ...]:
        """Return the metrics that are to notice this contract."""
        if self.kind in ("ill_typed", "unparsable") or not self.refuted:
            return made_for(self.kind, self.part, self.representation)
        by_direction = RELATIONAL if self.representation == "relational" else PREPOST
        return tuple(dict.fromkeys(m for d in self.refuted for m in by_direction[d]))

    def noticed(self, metrics: Iterable[str]) -> bool:
        """Tell whether any of these metrics is known not to be perfect."""
        return any(v < 1.0 for m in metrics if (v := self.values.get(m)) is not None)


def made_for(kind: SpoilKind, part: str, representation: str) -> tuple[str, ...]:
    """Return the metrics that a kind of spoiling is for.

    In a relational contract a guard stands on the left of an arrow: a weaker whole may be a stronger precondition.
    """
    if kind in ("ill_typed", "unparsable"):
        return ("typecheck",)
    if kind == "restricted_input":
        return ("R_req",)
    stronger = kind == "strengthened"
    if representation == "relational":
        return (
            ("R+", "R_rej") if stronger else ("R-", "R_req", "R_rej") if kind == "dropped_clause" else ("R-", "R_req")
        )
    if part == "precondition":
        return ("R_req",) if stronger or kind == "vacuous" else ("R_rej",)
    return ("R+",) if stronger else ("R-",)


def spoiled_contract(task: Task, spoiled: SpoiledContract) -> Contract:
    """Return a spoiled reference as a contract."""
    source = spoiled.contract
    text, own_from = with_preamble(task, source.text)
    lean = lean_env(task.context)
    return Contract(task.id, source.representation, text, lean, source.postcondition, source.precondition, (), own_from)


def _meaning(spoiled: SpoiledContract, by_name: Mapping[str, Evidence], telling: Sequence[str]) -> Meaning:
    if spoiled.kind in ("ill_typed", "unparsable"):
        return "changed"
    equivalence = by_name["equivalence"].value
    # A known outcome that is not the label's decides, whatever else is unknown.
    if equivalence == 0.0 or any((by_name[m].upper or 0.0) < 1.0 for m in telling if by_name[m].upper is not None):
        return "changed"
    return "same" if equivalence == 1.0 else "open"


@dataclass(frozen=True)
class Bench:
    """What spoiled contracts are measured with."""

    tools: Tools
    equivalence_s: float = 3.0

    def telling(self, task: Task) -> tuple[str, ...]:
        """Return the adequacy scores on which the reference itself is perfect: only there does a label that comes out
        otherwise tell that an edit changed the meaning.
        """
        reference = reference_contract(task)
        if reference is None:
            return ()
        own = {e.metric: e.value for e in evidence_of(self.tools.checker.check(reference, task))}
        return tuple(m for m in BEHAVIOUR if own.get(m) == 1.0)

    def row(self, task: Task, spoiled: SpoiledContract, telling: Sequence[str] = BEHAVIOUR) -> SpoiledRow:
        """Measure one spoiled contract against a task whose labels may be extended."""
        contract = spoiled_contract(task, spoiled)
        checks = self.tools.checker.check(contract, task)
        evidence = [*evidence_of(checks)]
        subject = Subject(task, Candidate(task.id, "spoiled", contract.source), contract, checks)
        made = EvaluatorTools(self.tools.runner, equivalence_s=self.equivalence_s)
        for evaluator in make_evaluators(EVALUATORS, made):
            evidence += measure(evaluator, subject)
        by_name = {e.metric: e for e in evidence}
        values = {m: by_name[m].upper for m in METRICS if m in by_name}
        refuted = tuple(d for d in PREPOST if d in by_name and by_name[d].value == 0.0)
        meaning = _meaning(spoiled, by_name, telling)
        kind, part = spoiled.kind, spoiled.part
        return SpoiledRow(task.id, kind, part, spoiled.touched, contract.representation, meaning, values, refuted)


def spoiled_of(task: Task, per_kind: int) -> tuple[SpoiledContract, ...]:
    """Return the spoiled versions of a task's main reference; none for one without a reference that can be spoiled."""
    if not task.references:
        return ()
    try:
        return spoil(task, task.references[0].representation, limit_per_kind=per_kind)
    except UserError:
        return ()


@dataclass(frozen=True, slots=True)
class KindSummary:
    """What became of one kind of spoiling.

    Attributes:
        contracts: how many; `changed`, `same`, `open` by meaning.
        tasks: tasks with a contract whose meaning changed; `tasks_noticed` those on which every such contract is
            noticed by the score made for it; `tasks_either` by that score or by the equivalence.
        noticed: by metric, over contracts whose meaning changed: how many it notices, and how many it has a value on.
        missed: ids of the tasks that neither noticed.
    """

    kind: SpoilKind
    contracts: int
    changed: int
    same: int
    open: int
    tasks: int
    tasks_noticed: int
    tasks_either: int
    noticed: Mapping[str, tuple[int, int]]
    missed: tuple[str, ...]

    @property
    def share(self) -> float | None:
        """Share of tasks on which the spoiling is noticed by either, None without tasks."""
        return self.tasks_either / self.tasks if self.tasks else None


def summarise(rows: Sequence[SpoiledRow]) -> list[KindSummary]:
    """Summarise rows by kind, in the order of `SPOIL_KINDS`; kinds without a contract are left out."""
    out = []
    for kind in SPOIL_KINDS:
        mine = [r for r in rows if r.kind == kind]
        if not mine:
            continue
        changed = [r for r in mine if r.meaning == "changed"]
        by_task: dict[str, list[tuple[bool, bool]]] = {}
        for r in changed:
            by_score = r.noticed(r.made_for())
            by_task.setdefault(r.task_id, []).append((by_score, by_score or r.noticed(("equivalence",))))
        noticed = {
            m: (sum(r.noticed((m,)) for r in changed), sum(r.values.get(m) is not None for r in changed))
            for m in METRICS
        }
        scored = sum(all(by_score for by_score, _ in found) for found in by_task.values())
        missed = tuple(task for task, found in by_task.items() if not all(either for _, either in found))
        counts = {name: sum(r.meaning == name for r in mine) for name in ("changed", "same", "open")}
        out.append(
            KindSummary(
                kind,
                len(mine),
                counts["changed"],
                counts["same"],
                counts["open"],
                len(by_task),
                scored,
                len(by_task) - len(missed),
                noticed,
                missed,
            )
        )
    return out


def measure_spoiled(
    tasks: Sequence[Task],
    bench: Bench,
    per_kind: int,
    enriched: Callable[[Task], Task],
    each: Callable[[Iterable[Callable[[], list[SpoiledRow]]]], Iterable[list[SpoiledRow]]],
) -> list[SpoiledRow]:
    """Spoil and measure every task's reference.

    Args:
        tasks: with references.
        bench: what measures.
        per_kind: most spoiled contracts of one kind and task.
        enriched: gives a task further labels.
        each: carries out one piece of work a task, in order (concurrently, with progress).
    """

    def work(task: Task) -> Callable[[], list[SpoiledRow]]:
        def run() -> list[SpoiledRow]:
            spoiled = spoiled_of(task, per_kind)
            if not spoiled:
                return []
            given = replace(enriched(task), metadata={})
            telling = bench.telling(given)
            return [bench.row(given, s, telling) for s in spoiled]

        return run

    return [row for rows in each(map(work, tasks)) for row in rows]
