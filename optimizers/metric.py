"""The metric that DSPy optimises: a reward with feedback, on feedback examples only."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Any

from evaluators.feedback import feedback
from evaluators.registry import Evaluator
from evaluators.reward import Reward, RewardSpec, reward
from evaluators.scoring import Checker, Scored, score
from specgen.generators import Candidate, Generator, read_reply
from specgen.tasks.model import Task

Observer = Callable[[Scored, Reward], None]


@dataclass(frozen=True, slots=True)
class Judged:
    """A scored candidate with its reward and the words for a reflection model."""

    scored: Scored
    reward: Reward
    feedback: str


class RewardMetric:
    """Scores replies for an optimiser; thread-safe, and a reply seen before is not checked again.

    Args:
        tasks: tasks by id, holding feedback examples only.
        generator: how a reply is read.
        spec: the reward.
        checker: runs the checks.
        observer: told of each newly scored reply.
        noted: told of the reward of every roll-out: prompt key, task id, value (the fallback where unavailable).
        evaluators: what the reward needs measured beside the checks.
    """

    def __init__(
        self,
        tasks: Mapping[str, Task],
        generator: Generator,
        spec: RewardSpec,
        checker: Checker,
        observer: Observer | None = None,
        noted: Callable[[str, str, float], None] | None = None,
        evaluators: Sequence[Evaluator] = (),
    ) -> None:
        self._tasks = tasks
        self._generator = generator
        self._spec = spec
        self._checker = checker
        self._observer = observer
        self._noted = noted
        self._evaluators = tuple(evaluators)
        self._seen: dict[str, Judged] = {}
        self._lock = Lock()
        self.unavailable = 0
        """Replies whose reward was unavailable and counted as the fallback."""
        self.error: Exception | None = None
        """The first error of the scoring itself: DSPy would take it for a reply that scores 0."""

    def judge(self, task_id: str, text: str) -> Judged:
        """Score one reply for one task."""
        task = self._tasks[task_id]
        parsed = read_reply(self._generator, task.view(), text)
        candidate = Candidate(
            task_id,
            self._generator.name,
            text,
            fields=parsed.fields,
            lean=parsed.lean,
            failure=parsed.failure,
            message=parsed.message,
            notes=parsed.notes,
        )
        key = candidate.fingerprint()
        with self._lock:
            if key in self._seen:
                return self._seen[key]
        scored = score(task, candidate, self._checker, self._evaluators)
        judged = Judged(
            scored, reward(self._spec, scored.evidence), feedback(scored.checks, scored.evidence, self._spec.feedback)
        )
        with self._lock:
            if key in self._seen:
                return self._seen[key]
            self._seen[key] = judged
            self.unavailable += judged.reward.value is None
        if self._observer is not None:
            self._observer(scored, judged.reward)
        return judged

    def number(self, gold: Any, pred: Any, trace: Any = None) -> float:
        """DSPy's entry for optimisers that take a number.

        A call that failed has nothing to score: the optimiser gets the fallback, and nothing is recorded.
        """
        return self._spec.fallback if pred is None else self._judged(gold, pred)[1]

    def __call__(self, gold: Any, pred: Any, trace: Any = None, pred_name: Any = None, pred_trace: Any = None) -> Any:
        """DSPy's entry: the same score with and without `pred_name`, and the feedback."""
        import dspy

        judged, value = self._judged(gold, pred)
        return dspy.Prediction(score=value, feedback=judged.feedback)

    def _judged(self, gold: Any, pred: Any) -> tuple[Judged, float]:
        try:
            judged = self.judge(gold.task_id, pred.specification or "")
        except Exception as exc:
            self.error = self.error or exc
            raise
        value = self._spec.fallback if judged.reward.value is None else judged.reward.value
        key = pred.get("prompt_key")
        if self._noted is not None and key is not None:
            self._noted(key, gold.task_id, value)
        return judged, value
