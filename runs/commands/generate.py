"""`specgen generate`: candidates for tasks, as JSON lines."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from statistics import fmean
from types import MappingProxyType

from evaluators.isolation import make_checker
from evaluators.scoring import Checker
from evaluators.services import TaskVerifier, feedback_task
from optimizers.seeds import Prompt, seed_prompt
from runs.gateway import confirm
from runs.matching import Matched, Resource, match
from runs.plan import with_gateway, without_examples_of
from runs.progress import ConsoleProgress
from runs.simulated import knowledge
from runs.store import check_writable, write_atomic
from specgen.errors import UserError
from specgen.generators import CallOptions, Candidate, Generator, Strategy, generate, make_generator, render_prompt
from specgen.generators.base import task_request
from specgen.lm import Gateway, PlannedCalls, estimate, measure
from specgen.lm.simulated import SIMULATED_PREFIX
from specgen.tasks import Task, load_dataset, split_labels
from specgen.tasks.normalise import neutral_task

CONCURRENCY = 8
FEEDBACK_SHARE = 0.5
"""Share of each task's labelled examples that a generator's own verifier may look at."""


@dataclass(frozen=True, slots=True)
class GenerateOptions:
    """What to generate, with which model, and where to.

    `yes` begins without asking; otherwise the estimate of a real model's calls must be confirmed. `settings` are
    `option=value` texts for the generators, or `generator.option=value` where several are named. `match` draws further
    candidates from the cheaper generators until all have spent the same on each task.
    """

    dataset: str
    path: Path | None
    model: str
    generators: tuple[str, ...] = ("direct",)
    prompt: str = "zero-shot"
    samples: int = 1
    api_base: str = ""
    limit: int = 0
    out: Path | None = None
    settings: tuple[str, ...] = ()
    match: Resource | None = None
    neutral_names: bool = False
    seed: int = 0
    yes: bool = True


def read_settings(names: Sequence[str], settings: Sequence[str]) -> dict[str, dict[str, object]]:
    """Return the options by generator; a setting without a generator's name is for the only one.

    Raises:
        UserError: a setting that is not `option=value`, or that does not say which of several generators it is for.
    """
    out: dict[str, dict[str, object]] = {name: {} for name in names}
    for text in settings:
        key, equals, value = text.partition("=")
        owner, dot, option = key.rpartition(".")
        if not equals or not key.strip():
            raise UserError(f"--set {text}: not of the form option=value", remedy="Write for example max_samples=4")
        if not dot and len(names) > 1:
            raise UserError(f"--set {text}: for which generator?", remedy=f"Write {names[0]}.{text}")
        owner = owner or names[0]
        if owner not in out:
            raise UserError(f"--set {text}: {owner} is not among the generators", remedy=f"Named: {', '.join(names)}")
        out[owner][option] = value.strip()
    return out


@dataclass(frozen=True, slots=True)
class _Job:
    """Everything that making candidates of one task needs."""

    task: Task
    generators: Mapping[str, Generator]
    prompt: Prompt
    gateway: Gateway
    call: CallOptions
    checker: Checker | None
    seed: int

    def make(self, name: str, sample: int) -> Candidate:
        """Make one candidate of one generator."""
        verifier = None
        if self.checker is not None:
            seen = self.task.with_labels(split_labels(self.task, self.seed, FEEDBACK_SHARE).feedback)
            verifier = TaskVerifier(feedback_task(seen), self.checker)
        generator = self.generators[name]
        text, shots = self.prompt.instructions, self.prompt.shots
        return generate(generator, self.task.view(), text, self.gateway, self.call, sample, verifier, shots)


def load_tasks(options: GenerateOptions, generators: Sequence[Generator]) -> list[Task]:
    """Return the tasks to generate for: no demonstration of any generator, neutral names where asked for."""
    shown = {x for g in generators for x in g.demonstration_ids}
    loaded = load_dataset(options.dataset, options.path).tasks
    tasks = [t for t in loaded if not {t.id, t.signature.name} & shown][: options.limit or None]
    return [neutral_task(t) for t in tasks] if options.neutral_names else tasks


@dataclass
class _Output:
    candidates: list[Candidate] = field(default_factory=list)
    matched: list[Matched] = field(default_factory=list)


def run_generate(options: GenerateOptions) -> None:
    """Generate `samples` candidates a task and generator; a failed call is a candidate with its failure.

    With an output file the replies are kept beside it as they come, so that a command that was interrupted pays for
    nothing twice when it is given again.
    """
    store = None
    if options.out is not None:
        check_writable(options.out)
        store = options.out.with_name(f"{options.out.name}.calls.sqlite")
    names = tuple(dict.fromkeys(options.generators))
    settings = read_settings(names, options.settings)
    generators = {name: make_generator(name, settings[name]) for name in names}
    prompt = seed_prompt(options.prompt)
    tasks = load_tasks(options, list(generators.values()))
    generators = {name: without_examples_of(g, tasks) for name, g in generators.items()}
    known = knowledge(tasks) if options.model.startswith(SIMULATED_PREFIX) else None
    output = _Output()
    with ExitStack() as stack:
        gateway = stack.enter_context(
            Gateway(store, api_base=options.api_base or None, knowledge=known, concurrency=CONCURRENCY)
        )
        gateway.preflight([options.model])
        generators = {name: with_gateway(g, gateway) for name, g in generators.items()}
        checker = None
        if any(isinstance(g, Strategy) and g.needs_verifier for g in generators.values()):
            checker = stack.enter_context(make_checker(isolate=True))
        progress = stack.enter_context(ConsoleProgress())
        pool = stack.enter_context(ThreadPoolExecutor(CONCURRENCY))
        call = CallOptions(options.model)
        _confirm(options, generators, tasks, prompt, gateway, call)
        jobs = [_Job(t, generators, prompt, gateway, call, checker, options.seed) for t in tasks]
        _make(options, names, jobs, output, progress, pool)
    lines = "".join(
        json.dumps({"task": c.task_id, **c.as_record()}, ensure_ascii=False) + "\n" for c in output.candidates
    )
    if options.out is None:
        sys.stdout.write(lines)
    else:
        write_atomic(options.out, lines)
    if options.match is not None:
        _print_matched(options.match, names, output.matched)


MEASURED_CALLS = 2
"""Calls that are made first, to estimate the rest; the command has them from its store then."""


def _confirm(
    options: GenerateOptions,
    generators: Mapping[str, Generator],
    tasks: Sequence[Task],
    prompt: Prompt,
    gateway: Gateway,
    call: CallOptions,
) -> None:
    """Estimate the calls from the first few of them, show that, and have it confirmed."""
    if options.yes or options.model.startswith(SIMULATED_PREFIX) or not tasks:
        return
    most = [g.most_calls if isinstance(g, Strategy) else 1 for g in generators.values()]
    # With matched budgets every generator may come to spend what the dearest does.
    calls = len(tasks) * (max(most) * len(most) if options.match else sum(most) * options.samples)
    first = next(iter(generators.values()))
    requests = [
        task_request(t.view(), render_prompt(first, t.view(), prompt.instructions, prompt.shots), call)
        for t in tasks[:MEASURED_CALLS]
    ]
    planned = [PlannedCalls(role="task", model=options.model, calls=calls, concurrency=CONCURRENCY)]
    known = {("task", options.model): measure(gateway, requests)}
    confirm(estimate(planned, known, {options.model: gateway.price(options.model)}), options.yes)  # type: ignore[arg-type]


def _make(
    options: GenerateOptions,
    names: tuple[str, ...],
    jobs: Sequence[_Job],
    output: _Output,
    progress: ConsoleProgress,
    pool: ThreadPoolExecutor,
) -> None:
    if options.match is not None:
        resource = options.match
        progress.start("generating", len(jobs))

        def matched(job: _Job) -> Matched:
            makers: Mapping[str, Callable[[int], Candidate]] = MappingProxyType(
                {name: partial(job.make, name) for name in names}
            )
            found = match(makers, resource)
            progress.step()
            return found

        output.matched = list(pool.map(matched, jobs))
        output.candidates = [c for m in output.matched for found in m.candidates.values() for c in found]
        return
    progress.start("generating", len(jobs) * len(names) * options.samples)

    def one(work: tuple[_Job, str, int]) -> Candidate:
        candidate = work[0].make(work[1], work[2])
        progress.step()
        return candidate

    output.candidates = list(
        pool.map(one, [(job, name, s) for job in jobs for name in names for s in range(options.samples)])
    )


def _print_matched(resource: Resource, names: Sequence[str], matched: Sequence[Matched]) -> None:
    """Print to standard error what each generator spent a task."""
    if not matched:
        return
    budget = fmean(m.budget for m in matched)
    print(f"budget a task: {budget:.4g} {resource} on average over {len(matched)} tasks", file=sys.stderr)
    for name in names:
        spent = fmean(m.spent[name] for m in matched)
        made = fmean(len(m.candidates[name]) for m in matched)
        print(f"  {name}: {spent:.4g} {resource}, {made:.2f} candidates", file=sys.stderr)
