"""`specgen experiment` and `specgen demo`."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from optimizers.seeds import seed_prompt
from runs.config import ExperimentConfig, load_config, parse_config
from runs.evidence import open_evidence
from runs.experiment import Run, rewards, run_experiment
from runs.gateway import confirm, estimate_lines, experiment_calls, experiment_estimate, open_gateway
from runs.inference import minimum_detectable_difference
from runs.manifest import lock_run, make_manifest, open_manifest
from runs.measuring import chosen, make_measuring
from runs.plan import Plan, make_plan, with_gateway, without_examples_of
from runs.progress import ConsoleProgress
from runs.simulated import knowledge
from runs.store import RecordLog
from runs.table import print_summary
from specgen.generators import CallOptions, Generator, Strategy, make_generator, render_prompt
from specgen.generators.base import task_request
from specgen.lm import Gateway, PlannedCalls, measure


@dataclass(frozen=True, slots=True)
class Overrides:
    """What the command line sets over the configuration file."""

    api_base: str = ""
    max_usd: float | None = None
    max_calls: int | None = None
    max_tokens: int | None = None

    def apply(self, config: ExperimentConfig) -> ExperimentConfig:
        """Return the configuration with these values in place; `UserError` for a value that is not allowed."""
        budget = {k: v for k in ("max_usd", "max_calls", "max_tokens") if (v := getattr(self, k)) is not None}
        model = {"api_base": self.api_base} if self.api_base else {}
        data = config.model_dump(mode="json")
        data["budget"] |= budget
        data["model"] |= model
        return parse_config(data, "the command line")


def run_demo(out: Path, as_json: bool, report: bool = True) -> None:
    """Run the packaged demonstration; a second call goes on with the first, or shows its table again."""
    with resources.as_file(resources.files("runs").joinpath("demo.toml")) as path:
        config = load_config(path)
    execute(config, out, resume=True, as_json=as_json, report=report)


def run_config(
    path: Path,
    out: Path | None,
    resume: bool,
    overrides: Overrides,
    as_json: bool,
    yes: bool = False,
    dry_run: bool = False,
    report: bool = True,
) -> None:
    """Run an experiment from its file, once it is confirmed; or only say what it would do."""
    config = overrides.apply(load_config(path))
    if dry_run:
        show_plan(config, as_json)
        return
    execute(config, out or Path("out") / config.experiment.name, resume, as_json, yes, report)


def show_plan(config: ExperimentConfig, as_json: bool) -> None:
    """Print what an experiment would do, without a call: splits, arms, most calls, and what size of difference it could
    find.
    """
    generator = make_generator(config.generator.name, config.generator.options)
    plan = make_plan(config, generator, config.model.task.startswith("sim/"))
    with open_gateway(config) as gateway:
        gateway.preflight([config.model.task, config.model.reflection])
        planned = _planned(config, plan, generator)
        found = experiment_estimate(config, gateway, planned, {})
    detectable = minimum_detectable_difference(len(plan.test), TYPICAL_DEVIATION, comparisons=_comparisons(config))
    body = {
        "schema": 1,
        "splits": {name: [t.id for t in tasks] for name, tasks in plan.splits().items()},
        "set_aside": dict(plan.set_aside),
        "arms": ["seed", *(s.name for s in rewards(config))],
        "estimate": found.to_json(),
        "minimum_detectable_difference": detectable,
    }
    if as_json:
        print(json.dumps(body, ensure_ascii=False))
        return
    sizes = ", ".join(f"{len(ids)} {name}" for name, ids in plan.splits().items())
    print(f"{config.experiment.name}: {config.data.dataset}, tasks: {sizes}; {len(plan.set_aside)} set aside")
    print(f"arms: {', '.join(body['arms'])}, each from {len(config.generator.seeds)} seed prompts")  # type: ignore[arg-type]
    for line in estimate_lines(found):
        print(line)
    if detectable is not None:
        print(
            f"smallest mean difference that this size finds with 80 % power: {detectable:.2f} (differences by task of "
            f"standard deviation {TYPICAL_DEVIATION}, Holm over {_comparisons(config)} comparisons)"
        )


TYPICAL_DEVIATION = 0.3
"""Standard deviation of differences by task that a plan assumes, for scores in [0, 1]."""


def _comparisons(config: ExperimentConfig) -> int:
    arms = 1 + len(config.reward.compare)
    return arms * (arms - 1) // 2


def _planned(config: ExperimentConfig, plan: Plan, generator: Generator) -> list[PlannedCalls]:
    most = generator.most_calls if isinstance(generator, Strategy) else 1
    return experiment_calls(config, len(plan.test), len(config.reward.compare), most)


MEASURED_CALLS = 2
"""Calls of the comparison that are made first, to estimate the rest; the run has them from its store then."""


def _confirm(config: ExperimentConfig, plan: Plan, generator: Generator, gateway: Gateway, yes: bool) -> None:
    """Estimate the run from a few of its own calls, show that, and have it confirmed."""
    planned = _planned(config, plan, generator)
    if all(part.model.startswith("sim/") for part in planned):
        return
    seed = seed_prompt(config.generator.seeds[0])
    call = CallOptions(config.model.task, config.model.temperature, config.model.max_tokens, split="test")
    requests = [
        task_request(t.view(), render_prompt(generator, t.view(), seed.instructions, seed.shots), call)
        for t in plan.test[:MEASURED_CALLS]
    ]
    known = {("task", config.model.task): measure(gateway, requests)}
    confirm(experiment_estimate(config, gateway, planned, known), yes)  # type: ignore[arg-type]


def execute(
    config: ExperimentConfig, out: Path, resume: bool, as_json: bool, yes: bool = True, report: bool = False
) -> dict[str, Any]:
    """Plan, run and summarise an experiment in its folder; without `yes`, its estimate must be confirmed.

    With `report`, its report is written at the end.
    """
    from evaluators.isolation import make_tools
    from specgen.lm.simulated import SIMULATED_PREFIX

    chosen(config.evaluation, tuple(rewards(config)))
    generator = make_generator(config.generator.name, config.generator.options)
    models = {"task": config.model.task, "reflection": config.model.reflection}
    if config.evaluation.judge:
        models["judge"] = config.evaluation.judge
    simulated = {role: name.startswith(SIMULATED_PREFIX) for role, name in models.items()}
    plan = make_plan(config, generator, any(simulated.values()))
    generator = without_examples_of(generator, (*plan.validation, *plan.test))
    prompts = {name: _seed_text(name) for name in config.generator.seeds}
    names = {"name": generator.name, "version": generator.version}
    manifest = make_manifest(config, plan.splits(), plan.set_aside, prompts, simulated, names)
    # A name or key that is wrong must not leave a run folder behind that the corrected run is refused for.
    with open_gateway(config) as unused:
        unused.preflight(list(models.values()))
    lock = lock_run(out)
    try:
        open_manifest(out, manifest, resume)
        log = RecordLog(out / "records.jsonl")
        progress = ConsoleProgress()
        known = knowledge(plan.known) if plan.simulated else None
        gateway = open_gateway(config, out / "calls.sqlite", known, progress.say)
        generator = with_gateway(generator, gateway)
        with (
            closing(log),
            gateway,
            progress,
            make_tools(
                config.evaluation.isolate, config.evaluation.check_timeout_s, config.evaluation.memory_mb
            ) as made,
        ):
            seen = {t.id: t.labels for t in plan.test_feedback}
            measuring = make_measuring(config, made, gateway, log, seen)
            if not any(True for kind in ("scored", "optimisation") for _ in log.all(kind)):
                _confirm(config, plan, generator, gateway, yes)
            run = Run(out, config, plan, generator, gateway, made.checker, log, progress, measuring)
            summary = run_experiment(run)
        open_evidence(out).close()
    finally:
        lock.close()
    _show(summary, out, as_json)
    if report:
        _report(out)
    return summary


def _report(out: Path) -> None:
    """Write the report; the table is shown before, so that a full disk here costs no result."""
    from runs.report.write import write_report

    written = write_report(out)
    for note in written.notes:
        print(f"note: {note}", file=sys.stderr)
    print(f"Report: {written.page}", file=sys.stderr)


def _seed_text(name: str) -> str:
    return seed_prompt(name).instructions


def _show(summary: Mapping[str, Any], out: Path, as_json: bool) -> None:
    if as_json:
        print(json.dumps(summary, ensure_ascii=False))
        return
    print_summary(summary)
    print(f"Run folder: {out} (manifest.json, records.jsonl, evidence.sqlite, calls.sqlite, summary.json, summary.md)")
