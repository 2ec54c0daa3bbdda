"""GEPA (Agrawal et al. 2025, through DSPy) on a generator's instructions.

No silent fallback: the result says `completed`, or `failed` with a reason, and only a completed one has a prompt
that may be scored under the optimiser's name. A budget or key error passes through as the gateway's own exception.
Resuming needs no state of GEPA's: with the same seed and the gateway's cache a repeated run takes the same path
without paying again.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from typing import Any, Literal

from evaluators.reward import RewardSpec
from evaluators.scoring import Checker
from optimizers.metric import Observer, RewardMetric
from optimizers.seeds import Prompt
from specgen.errors import SpecgenError
from specgen.generators import Generator
from specgen.lm import Gateway, one_line
from specgen.tasks.model import Task

MAX_FAILED_SHARE = 0.2
"""An optimisation in which more than this share of the calls failed says nothing about the reward: it counts as
failed.
"""


@dataclass(frozen=True, slots=True)
class GepaOptions:
    """Budget and determinism: metric calls (GEPA overshoots by a few), minibatch size, seed, threads."""

    max_metric_calls: int = 120
    minibatch: int = 3
    seed: int = 0
    threads: int = 8


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """The models of an optimisation, and how the task model is called (as in the final comparison)."""

    task: str
    reflection: str
    temperature: float | None = None
    max_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class OptimisationResult:
    """What an optimisation came to.

    `prompt` is None unless `status` is `completed`. Scores are means over validation tasks in [0, 1], of every
    instruction tried, in order. `metric_calls` is GEPA's own count, `rollouts` the program's calls that we counted.
    """

    status: Literal["completed", "failed"]
    reward: str
    seed_prompt: str
    prompt: Prompt | None = None
    message: str = ""
    validation_scores: tuple[float, ...] = ()
    tried: tuple[str, ...] = ()
    best: int = -1
    metric_calls: int = 0
    rollouts: int = 0
    failed_calls: int = 0
    unavailable_rewards: int = 0


class _Stop:
    """Stops GEPA when the gateway has stopped, and once an instruction has a perfect validation score: GEPA would go on
    spending metric calls.
    """

    def __init__(self, gateway: Gateway) -> None:
        self._gateway = gateway

    def __call__(self, gepa_state: Any) -> bool:
        if self._gateway.fatal is not None:
            return True
        scores = [s for s in gepa_state.program_full_scores_val_set if s is not None]
        return bool(scores) and max(scores) >= 1.0 - 1e-9


def optimise(
    seed: Prompt,
    train: Sequence[Task],
    validation: Sequence[Task],
    generator: Generator,
    spec: RewardSpec,
    checker: Checker,
    gateway: Gateway,
    models: ModelChoice,
    options: GepaOptions,
    observer: Observer | None = None,
) -> OptimisationResult:
    """Tune the seed's instructions under one reward.

    Args:
        seed: where to start.
        train: tasks with feedback examples, for reflection; must be disjoint from `validation`.
        validation: tasks with feedback examples, for selection.
        generator, spec, checker: how a specification is asked for, and how it is scored.
        gateway, models: who answers.
        options: budget and seed.
        observer: told of each newly scored reply.

    Raises:
        SpecgenError: what stopped the gateway (a budget, a key); the optimisation is then not completed and has no
        result.
    """
    os.environ.setdefault("TQDM_DISABLE", "1")  # tqdm reads it when it is imported
    import dspy

    _quiet()
    from optimizers.program import Calls, SpecificationProgram, example

    tasks: Mapping[str, Task] = {t.id: t for t in (*train, *validation)}
    views = {i: t.view() for i, t in tasks.items()}
    validation_ids = {t.id for t in validation}
    calls = Calls()
    program = SpecificationProgram(
        seed.instructions, generator, views, lambda i: "validation" if i in validation_ids else "train", calls
    )
    metric = RewardMetric(tasks, generator, spec, checker, observer)
    settings: dict[str, Any] = {"temperature": models.temperature, "max_tokens": models.max_tokens}
    task_lm = gateway.dspy_lm(models.task, role="task", **{k: v for k, v in settings.items() if v is not None})
    optimizer = _optimizer(metric, gateway, models, options)
    try:
        # DSPy draws its progress bars on standard output, where our results go.
        with dspy.context(lm=task_lm), open(os.devnull, "w", encoding="utf-8") as sink, redirect_stdout(sink):
            compiled = optimizer.compile(
                program,
                trainset=[example(views[t.id]) for t in train],
                valset=[example(views[t.id]) for t in validation],
            )
    except Exception as exc:  # noqa: BLE001 - the optimiser is foreign code; what it raised is the result's message
        _raise_ours(gateway, metric)
        message = one_line(f"{type(exc).__name__}: {exc}")
        return OptimisationResult(
            "failed", spec.name, seed.name, message=message, rollouts=calls.made, failed_calls=calls.failed
        )
    _raise_ours(gateway, metric)
    return _result(compiled, seed, spec, calls, metric)


def _optimizer(metric: RewardMetric, gateway: Gateway, models: ModelChoice, options: GepaOptions) -> Any:
    """Return DSPy's GEPA. Merging is off (there is one predictor); so is GEPA's cache, which serves validation scores
    from training roll-outs.
    """
    import dspy

    return dspy.GEPA(
        metric=metric,
        max_metric_calls=options.max_metric_calls,
        reflection_minibatch_size=options.minibatch,
        reflection_lm=gateway.dspy_lm(models.reflection, role="reflection", split="train"),
        use_merge=False,
        num_threads=options.threads,
        track_stats=True,
        seed=options.seed,
        warn_on_score_mismatch=False,
        gepa_kwargs={"stop_callbacks": [_Stop(gateway)], "cache_evaluation": False},
    )


def _raise_ours(gateway: Gateway, metric: RewardMetric) -> None:
    """Raise what stopped the run: DSPy swallows errors of calls and of the metric as if a reply had scored 0."""
    gateway.raise_if_fatal()
    if isinstance(metric.error, SpecgenError):
        raise metric.error


def _result(compiled: Any, seed: Prompt, spec: RewardSpec, calls: Any, metric: RewardMetric) -> OptimisationResult:
    details = compiled.detailed_results
    failed_share = calls.failed / calls.made if calls.made else 1.0
    tried = tuple(c.write.signature.instructions for c in details.candidates)
    best = int(details.best_idx)
    message = ""
    if failed_share > MAX_FAILED_SHARE:
        message = f"{calls.failed} of {calls.made} calls failed, first: {calls.first_failure}"
    if metric.error is not None:
        message = one_line(f"scoring failed: {type(metric.error).__name__}: {metric.error}")
    completed = not message
    prompt = Prompt(seed.name, tried[best], origin=f"gepa:{spec.name}")
    return OptimisationResult(
        "completed" if completed else "failed",
        spec.name,
        seed.name,
        prompt if completed else None,
        message,
        tuple(float(s) for s in details.val_aggregate_scores),
        tried,
        best,
        int(details.total_metric_calls or 0),
        calls.made,
        calls.failed,
        metric.unavailable,
    )


def _quiet() -> None:
    """Keep the libraries off standard error, where the run shows its own progress.

    Their errors too: DSPy logs every failed call with its traceback, and every failure is in our result already.
    """
    logging.getLogger("dspy").setLevel(logging.CRITICAL + 1)
    for name in list(logging.root.manager.loggerDict):
        if name.startswith(("dspy.", "gepa")):
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
