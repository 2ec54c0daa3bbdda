"""Carry one optimisation through: set up DSPy, let the optimiser work, and say honestly what came of it."""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import redirect_stdout
from dataclasses import dataclass, replace
from typing import Any

from optimizers.base import MAX_FAILED_SHARE, OptimisationResult, Optimizer, OptimizerOptions, Problem, Setup
from optimizers.control import Control, OptimisationStopped, Validated
from optimizers.metric import RewardMetric
from optimizers.seeds import Prompt
from specgen.errors import SpecgenError, UserError
from specgen.lm import one_line
from specgen.tasks.model import Task


@dataclass
class _Work:
    setup: Setup
    calls: Any
    lm: Any


def optimise(problem: Problem, optimizer: Optimizer, options: OptimizerOptions) -> OptimisationResult:
    """Tune the seed's prompt under one reward.

    Raises:
        UserError: the optimiser cannot tune what the options ask for.
        SpecgenError: what stopped the gateway (a budget of the run, a key); the optimisation is then not completed and
            has no result.
    """
    if options.tunes not in optimizer.tunes:
        raise UserError(
            f"the optimiser {optimizer.name} does not tune {options.tunes}",
            remedy=f"It tunes {' or '.join(optimizer.tunes)}",
        )
    os.environ.setdefault("TQDM_DISABLE", "1")  # tqdm reads it when it is imported
    import dspy  # noqa: F401 - its loggers must be there before they can be made quiet

    quiet()
    work = _work(problem, options, 0 if optimizer.validates else len(problem.validation))
    compiled, message = None, ""
    try:
        # DSPy draws its progress bars on standard output, where our results go.
        with _context(work), open(os.devnull, "w", encoding="utf-8") as sink, redirect_stdout(sink):
            compiled = optimizer.compile(work.setup)
    except OptimisationStopped:
        pass
    except Exception as exc:  # noqa: BLE001 - the optimiser is foreign code; what it raised is the result's message
        message = one_line(f"{type(exc).__name__}: {exc}")
    _raise_ours(problem, work.setup.metric)
    work.setup.control.free_reserve()
    if compiled is not None:
        _validate(work, compiled)
        _raise_ours(problem, work.setup.metric)
    return _result(work, optimizer.name, compiled, message)


def _context(work: _Work) -> Any:
    """Return DSPy's settings for this optimisation: the task model, and room for errors, as we count failed calls
    ourselves and a stop shows as errors.
    """
    import dspy

    return dspy.context(lm=work.lm, max_errors=10 * work.setup.options.max_metric_calls + 100)


def _work(problem: Problem, options: OptimizerOptions, reserve: int) -> _Work:
    from optimizers.program import Calls, Shared, SpecificationProgram, example

    tasks: Mapping[str, Task] = {t.id: t for t in (*problem.train, *problem.validation)}
    views = {i: t.view() for i, t in tasks.items()}
    validation = {t.id for t in problem.validation}
    calls = Calls()
    control = Control(problem.gateway, options, validation, reserve)
    shared = Shared(
        problem.generator, views, lambda i: "validation" if i in validation else "train", calls, control, problem.seed
    )
    program = SpecificationProgram(problem.seed.instructions, shared)
    metric = RewardMetric(
        tasks,
        problem.generator,
        problem.spec,
        problem.checker,
        problem.observer,
        lambda key, task_id, value: control.note(shared.prompts[key], task_id, value),
        problem.evaluators,
    )
    models = problem.models
    settings: dict[str, Any] = {"temperature": models.temperature, "max_tokens": models.max_tokens}
    lm = problem.gateway.dspy_lm(models.task, role="task", **{k: v for k, v in settings.items() if v is not None})
    reflection = problem.gateway.dspy_lm(
        models.reflection, role="reflection", split="train", before=lambda: control.admit(False)
    )
    setup = Setup(
        problem,
        options,
        program,
        [example(views[t.id]) for t in problem.train],
        [example(views[t.id]) for t in problem.validation],
        metric,
        control,
        reflection,
    )
    return _Work(setup, calls, lm)


def roll_out(setup: Setup, program: Any, examples: list[Any]) -> None:
    """Run a program on examples and score what it returns; a call that fails is counted by the program.

    Raises:
        OptimisationStopped: a cap is reached; roll-outs in flight finish first.
    """
    import dspy

    # A context of DSPy's is a context variable: threads of our own take a copy of it with them.
    lm = dspy.settings.lm

    def one(item: Any) -> None:
        with dspy.context(lm=lm):
            try:
                found = program(**item.inputs())
            except OptimisationStopped:
                raise
            except Exception:  # noqa: BLE001 - the program has counted it with its message
                return
            setup.metric.number(item, found)

    with ThreadPoolExecutor(setup.options.threads) as pool:
        futures = [pool.submit(one, item) for item in examples]
        for future in futures:
            future.result()


def _validate(work: _Work, compiled: Any) -> None:
    """Score the optimiser's program on the validation tasks that it has not been scored on."""
    missing = set(work.setup.control.missing(compiled.prompt()))
    examples = [e for e in work.setup.valset if e.task_id in missing]
    try:
        with _context(work):
            roll_out(work.setup, compiled, examples)
    except OptimisationStopped:
        return


def _raise_ours(problem: Problem, metric: RewardMetric) -> None:
    """Raise what stopped the run: DSPy swallows errors of calls and of the metric as if a reply had scored 0."""
    problem.gateway.raise_if_fatal()
    if isinstance(metric.error, SpecgenError):
        raise metric.error


def _chosen(work: _Work, compiled: Any, validated: tuple[Validated, ...]) -> Prompt | None:
    """Return the optimiser's own choice; when it was stopped, the best of what it had fully validated by then."""
    control = work.setup.control
    if compiled is not None and not (control.reason and control.missing(compiled.prompt())):
        found: Prompt = compiled.prompt()
        return found
    return max(validated, key=lambda v: v.score).prompt if control.reason and validated else None


def _result(work: _Work, name: str, compiled: Any, message: str) -> OptimisationResult:
    setup, calls, control = work.setup, work.calls, work.setup.control
    validated = control.validated()
    prompt = _chosen(work, compiled, validated)
    if prompt is not None:
        message = ""
    elif control.reason:
        message = f"stopped ({control.reason}) before any prompt was scored on every validation task"
    failed_share = calls.failed / calls.made if calls.made else 0.0
    if failed_share > MAX_FAILED_SHARE:
        message = f"{calls.failed} of {calls.made} calls failed, first: {calls.first_failure}"
    if setup.metric.error is not None:
        message = one_line(f"scoring failed: {type(setup.metric.error).__name__}: {setup.metric.error}")
    completed = prompt is not None and not message
    hashes = [v.prompt.hash() for v in validated]
    origin = f"{name}:{setup.problem.spec.name}"
    return OptimisationResult(
        "completed" if completed else "failed",
        setup.problem.spec.name,
        setup.problem.seed.name,
        replace(prompt, origin=origin) if completed and prompt is not None else None,
        message,
        tuple(v.score for v in validated),
        tuple(v.prompt.instructions for v in validated),
        hashes.index(prompt.hash()) if completed and prompt is not None and prompt.hash() in hashes else -1,
        control.rollouts,
        calls.made,
        calls.failed,
        setup.metric.unavailable,
        name,
        control.reason,
    )


def quiet() -> None:
    """Keep the libraries off standard error, where the run shows its own progress.

    Their errors too: DSPy logs every failed call with its traceback, and every failure is in our result already.
    """
    logging.getLogger("dspy").setLevel(logging.CRITICAL + 1)
    for name in list(logging.root.manager.loggerDict):
        if name.startswith(("dspy.", "gepa", "optuna")):
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
