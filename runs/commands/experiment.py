"""`specgen experiment` and `specgen demo`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from runs.config import ExperimentConfig, load_config, parse_config
from runs.evidence import open_evidence
from runs.experiment import Run, rewards, run_experiment
from runs.gateway import open_gateway
from runs.manifest import lock_run, make_manifest, open_manifest
from runs.measuring import chosen, make_measuring
from runs.plan import make_plan, without_examples_of
from runs.progress import ConsoleProgress
from runs.simulated import knowledge
from runs.store import RecordLog
from runs.table import print_summary
from specgen.generators import make_generator


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


def run_demo(out: Path, as_json: bool) -> None:
    """Run the packaged demonstration; a second call goes on with the first, or shows its table again."""
    with resources.as_file(resources.files("runs").joinpath("demo.toml")) as path:
        config = load_config(path)
    execute(config, out, resume=True, as_json=as_json)


def run_config(path: Path, out: Path | None, resume: bool, overrides: Overrides, as_json: bool) -> None:
    """Run an experiment from its file."""
    config = overrides.apply(load_config(path))
    execute(config, out or Path("out") / config.experiment.name, resume, as_json)


def execute(config: ExperimentConfig, out: Path, resume: bool, as_json: bool) -> dict[str, Any]:
    """Plan, run and summarise an experiment in its folder."""
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
        gateway = open_gateway(config, out / "calls.sqlite", knowledge(plan.known) if plan.simulated else None)
        with (
            gateway,
            ConsoleProgress() as progress,
            make_tools(
                config.evaluation.isolate, config.evaluation.check_timeout_s, config.evaluation.memory_mb
            ) as made,
        ):
            seen = {t.id: t.labels for t in plan.test_feedback}
            measuring = make_measuring(config, made, gateway, log, seen)
            run = Run(out, config, plan, generator, gateway, made.checker, log, progress, measuring)
            summary = run_experiment(run)
        log.close()
        open_evidence(out).close()
    finally:
        lock.close()
    _show(summary, out, as_json)
    return summary


def _seed_text(name: str) -> str:
    from optimizers.seeds import seed_prompt

    return seed_prompt(name).instructions


def _show(summary: Mapping[str, Any], out: Path, as_json: bool) -> None:
    if as_json:
        print(json.dumps(summary, ensure_ascii=False))
        return
    print_summary(summary)
    print(f"Run folder: {out} (manifest.json, records.jsonl, evidence.sqlite, calls.sqlite, summary.json, summary.md)")
