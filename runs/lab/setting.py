"""What lab experiments share: starter tasks, a checker that remembers, and arms of simulated candidates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from statistics import fmean

from evaluators.checks import ContractChecks
from evaluators.contract import Contract
from evaluators.execution import BuiltinChecker
from evaluators.scoring import Scored, score
from optimizers.seeds import Prompt
from runs.simulated import TaskKnowledge, knowledge
from specgen.generators import CallOptions, generate, make_generator
from specgen.lean.engine import EvalLimits
from specgen.lm import Gateway
from specgen.tasks import SplitShares, Task, load_dataset, split_labels, split_tasks

LIMITS = EvalLimits(wall_s=2.0)


class RememberingChecker:
    """Checks in this process, each contract once. For simulated candidates only: our own references, spoiled."""

    def __init__(self) -> None:
        self._inner = BuiltinChecker(LIMITS)
        self._seen: dict[tuple[str, str], ContractChecks] = {}

    def check(self, contract: Contract, task: Task) -> ContractChecks:
        """Return the outcome of every check."""
        key = (replace(task, metadata={}).fingerprint(), contract.source)
        if key not in self._seen:
            self._seen[key] = self._inner.check(contract, task)
        return self._seen[key]


@lru_cache(maxsize=1)
def _loaded() -> tuple[tuple[Task, ...], TaskKnowledge, RememberingChecker]:
    tasks = tuple(t for t in load_dataset("starter").tasks if t.labels.accepted and t.labels.rejected)
    return tasks, knowledge(tasks), RememberingChecker()


@dataclass(frozen=True)
class Setting:
    """Tasks of one seed: training and validation with feedback examples, test tasks with held-out ones (`test`) and
    with feedback ones (`test_feedback`).
    """

    seed: int
    train: tuple[Task, ...]
    validation: tuple[Task, ...]
    test: tuple[Task, ...]
    test_feedback: tuple[Task, ...]
    known: TaskKnowledge
    checker: RememberingChecker

    def gateway(self) -> Gateway:
        """Return a gateway whose simulated models know the tasks."""
        return Gateway(knowledge=self.known)


def make_setting(seed: int) -> Setting:
    """Split the starter tasks by a seed."""
    tasks, known, checker = _loaded()
    split = split_tasks(list(tasks), SplitShares(0.3, 0.2, 0.5), seed)

    def feedback(side: Sequence[Task]) -> tuple[Task, ...]:
        return tuple(t.with_labels(split_labels(t, seed, 0.5).feedback) for t in side)

    held_out = tuple(t.with_labels(split_labels(t, seed, 0.5).held_out) for t in split.test)
    return Setting(
        seed, feedback(split.train), feedback(split.validation), held_out, feedback(split.test), known, checker
    )


def candidates(
    setting: Setting, gateway: Gateway, prompt: Prompt, model: str, samples: int, first: int = 0
) -> list[Scored]:
    """Generate and score candidates for the test tasks on held-out examples; sample indices start at `first`."""
    generator = make_generator("direct")
    call = CallOptions(model, split="test")
    out = []
    for task in setting.test:
        for sample in range(first, first + samples):
            made = generate(generator, task.view(), prompt.instructions, gateway, call, sample)
            out.append(score(task, made, setting.checker))
    return out


def values(scored: Sequence[Scored], metric: str) -> dict[str, list[float]]:
    """Return the observed values of a metric by task."""
    out: dict[str, list[float]] = {}
    for s in scored:
        value = s.get(metric).value
        if value is not None:
            out.setdefault(s.candidate.task_id, []).append(value)
    return out


def mean(by_task: Mapping[str, Sequence[float]]) -> float:
    """Return the mean over tasks of the mean over samples."""
    return fmean(fmean(v) for v in by_task.values())
