"""`specgen generate`: candidates for tasks, as JSON lines."""

from __future__ import annotations

import json
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from optimizers.seeds import seed_prompt
from runs.progress import ConsoleProgress
from runs.simulated import knowledge
from runs.store import check_writable, write_atomic
from specgen.generators import CallOptions, Candidate, generate, make_generator
from specgen.lm import Gateway
from specgen.lm.simulated import SIMULATED_PREFIX
from specgen.tasks import Task, load_dataset

CONCURRENCY = 8


@dataclass(frozen=True, slots=True)
class GenerateOptions:
    """What to generate, with which model, and where to."""

    dataset: str
    path: Path | None
    model: str
    generator: str
    prompt: str
    samples: int
    api_base: str
    limit: int
    out: Path | None


def run_generate(options: GenerateOptions) -> None:
    """Generate `samples` candidates a task; a failed call is a candidate with its failure.

    With an output file the replies are kept beside it as they come, so that a command that was interrupted pays for
    nothing twice when it is given again.
    """
    store = None
    if options.out is not None:
        check_writable(options.out)
        store = options.out.with_name(f"{options.out.name}.calls.sqlite")
    generator = make_generator(options.generator)
    instructions = seed_prompt(options.prompt).instructions
    dataset = load_dataset(options.dataset, options.path)
    tasks = [t for t in dataset.tasks if not {t.id, t.signature.name} & generator.demonstration_ids]
    tasks = tasks[: options.limit or None]
    known = knowledge(tasks) if options.model.startswith(SIMULATED_PREFIX) else None
    call = CallOptions(options.model)
    with (
        Gateway(store, api_base=options.api_base or None, knowledge=known, concurrency=CONCURRENCY) as gateway,
        ConsoleProgress() as progress,
        ThreadPoolExecutor(CONCURRENCY) as pool,
    ):
        gateway.preflight([options.model])
        progress.start("generating", len(tasks) * options.samples)

        def work(job: tuple[Task, int]) -> Candidate:
            candidate = generate(generator, job[0].view(), instructions, gateway, call, job[1])
            progress.step()
            return candidate

        candidates = list(pool.map(work, [(t, s) for t in tasks for s in range(options.samples)]))
    lines = "".join(json.dumps({"task": c.task_id, **c.as_record()}, ensure_ascii=False) + "\n" for c in candidates)
    if options.out is None:
        sys.stdout.write(lines)
    else:
        write_atomic(options.out, lines)
