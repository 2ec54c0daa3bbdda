"""The main job: tune prompts under two rewards, and compare them on held-out tasks with held-out examples.

Stages: plan (load, split, manifest), optimise (one optimisation a seed prompt and reward), compare (our own
executor), summarise. Every finished step is a record; a run that is killed and resumed repeats no paid call and ends
with the same numbers.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from itertools import combinations
from pathlib import Path
from typing import Any, Protocol

from evaluators.reward import Reward, RewardSpec
from evaluators.scoring import Checker, Scored, score
from evaluators.services import TaskVerifier, feedback_task
from optimizers.base import ModelChoice, OptimisationResult, OptimizerOptions, Problem
from optimizers.registry import make_optimizer
from optimizers.run import optimise
from optimizers.saved import Tuned, as_json
from optimizers.seeds import Prompt, seed_prompt
from runs.config import ExperimentConfig
from runs.leaks import find_leaks, visible
from runs.measuring import Measuring, metrics
from runs.plan import Plan
from runs.records import label_counts, scored_record
from runs.store import RecordLog, write_atomic, write_json
from runs.summary import METRICS, compare_arms, summarise_arm
from runs.table import markdown
from specgen.generators import CallOptions, Generator, Shot, Strategy, generate, prompt_hash, render_prompt
from specgen.lm import Gateway
from specgen.tasks.model import Task

SEED_ARM = "seed"


class Progress(Protocol):
    """Shows how far a stage is."""

    def start(self, stage: str, total: int | None) -> None:
        """Begin a stage of `total` steps (None: unknown)."""
        ...

    def step(self, note: str = "") -> None:
        """One step is done."""
        ...


@dataclass(frozen=True, slots=True)
class Arm:
    """One prompt of one arm: the arm's name, the seed it started from, and the prompt (None when it failed)."""

    name: str
    seed: str
    prompt: Prompt | None
    status: str = "completed"
    message: str = ""


@dataclass(frozen=True, slots=True)
class Run:
    """The parts that the stages share."""

    folder: Path
    config: ExperimentConfig
    plan: Plan
    generator: Generator
    gateway: Gateway
    checker: Checker
    log: RecordLog
    progress: Progress
    measuring: Measuring


def rewards(config: ExperimentConfig) -> list[RewardSpec]:
    """Return the rewards that are compared."""
    return list(config.reward.specs())


def optimisation_key(seed: Prompt, spec: RewardSpec) -> str:
    """Return the key of an optimisation's record."""
    return f"{spec.name}/{seed.name}"


def run_optimisations(run: Run) -> list[Arm]:
    """Run every optimisation that has no record yet; return the arms, seeds first."""
    seeds = [seed_prompt(name) for name in run.config.generator.seeds]
    specs = rewards(run.config)
    arms = [Arm(SEED_ARM, s.name, s) for s in seeds]
    run.progress.start("optimising", len(seeds) * len(specs))
    for spec in specs:
        for seed in seeds:
            key = optimisation_key(seed, spec)
            record = run.log.latest("optimisation", key)
            if record is None or _worth_trying_again(record):
                result = _optimise(run, seed, spec)
                record = run.log.supersede("optimisation", key, **_optimisation_record(result, spec, run))
            arms.append(Arm(spec.name, seed.name, _recorded_prompt(run, seed, record), *_status(record)))
            run.progress.step(f"{spec.name}, {seed.name}: {record['status']}")
    return arms


def _recorded_prompt(run: Run, seed: Prompt, record: Mapping[str, Any]) -> Prompt | None:
    """Return the prompt that an optimisation's record has, None for a failed one."""
    if record["instructions"] is None:
        return None
    views = {t.id: t.view() for t in run.plan.train}
    shots = tuple(Shot(views[task_id], reply) for task_id, reply in record.get("shots", ()))
    return Prompt(seed.name, record["instructions"], record["origin"], shots)


def _status(record: Mapping[str, Any]) -> tuple[str, str]:
    return record["status"], record["message"]


def _worth_trying_again(record: Mapping[str, Any]) -> bool:
    """Whether an earlier sitting's record of an optimisation or a candidate failed for want of answers."""
    if record["kind"] == "optimisation":
        return bool(record["status"] == "failed" and record["failed_calls"])
    return bool(record["candidate"]["failure"] == "call_failed")


def _optimise(run: Run, seed: Prompt, spec: RewardSpec) -> OptimisationResult:
    config = run.config

    def observe(scored: Scored, reward: Reward) -> None:
        key = f"{optimisation_key(seed, spec)}/{scored.candidate.fingerprint()}"
        run.log.add(
            "rollout",
            key,
            reward=spec.name,
            seed=seed.name,
            task=scored.candidate.task_id,
            outcome=scored.outcome,
            value=reward.value,
            parts=dict(reward.parts),
            left_out=dict(reward.left_out),
            evidence={e.metric: [e.status, e.value, e.lower, e.upper] for e in scored.evidence},
            simulated=run.plan.simulated,
        )

    models = ModelChoice(config.model.task, config.model.reflection, config.model.temperature, config.model.max_tokens)
    problem = Problem(
        seed,
        run.plan.train,
        run.plan.validation,
        run.generator,
        spec,
        run.checker,
        run.gateway,
        models,
        observe,
        run.measuring.of_reward(spec),
    )
    return optimise(problem, make_optimizer(config.optimizer.name), optimizer_options(config))


def optimizer_options(config: ExperimentConfig) -> OptimizerOptions:
    """Return the options of every optimisation of an experiment."""
    section = config.optimizer
    tunes = section.tunes or make_optimizer(section.name).tunes[0]
    return OptimizerOptions(
        section.max_metric_calls,
        section.max_calls,
        section.max_tokens,
        section.max_usd,
        section.minibatch,
        section.patience,
        tunes,
        section.shots,
        config.experiment.seed,
        config.model.concurrency,
        section.settings,
    )


def _optimisation_record(result: OptimisationResult, spec: RewardSpec, run: Run) -> dict[str, Any]:
    record = {k: v for k, v in asdict(result).items() if k != "prompt"}
    record["instructions"] = result.prompt.instructions if result.prompt else None
    record["origin"] = result.prompt.origin if result.prompt else ""
    record["shots"] = [[s.view.task_id, s.reply] for s in result.prompt.shots] if result.prompt else []
    record["weights"] = dict(spec.weights)
    record["unavailable_rule"] = spec.unavailable
    record["simulated"] = run.plan.simulated
    return record


@dataclass(frozen=True, slots=True)
class _Job:
    arm: Arm
    task: Task
    sample: int

    def key(self, generator: Generator) -> str:
        prompt = self.arm.prompt
        shown = render_prompt(generator, self.task.view(), prompt.instructions, prompt.shots) if prompt else ()
        rendered = prompt_hash(shown) if shown else ""
        return f"{self.arm.name}/{self.arm.seed}/{self.task.id}/{self.sample}/{rendered[:16]}"


def run_comparison(run: Run, arms: Sequence[Arm]) -> None:
    """Generate and score every candidate of the final comparison that has no record yet."""
    call = CallOptions(run.config.model.task, run.config.model.temperature, run.config.model.max_tokens, split="test")
    jobs = [
        _Job(arm, task, sample)
        for arm in arms
        if arm.prompt is not None
        for task in run.plan.test
        for sample in range(run.config.generator.samples)
    ]
    verifiers = _verifiers(run)
    run.progress.start("comparing", len(jobs))

    def work(job: _Job) -> None:
        key = job.key(run.generator)
        old = run.log.latest("scored", key)
        if (old is None or _worth_trying_again(old)) and job.arm.prompt is not None:
            candidate = generate(
                run.generator,
                job.task.view(),
                job.arm.prompt.instructions,
                run.gateway,
                call,
                job.sample,
                verifiers.get(job.task.id),
                job.arm.prompt.shots,
            )
            task = run.measuring.enricher.task(job.task)
            scored = score(task, candidate, run.checker, run.measuring.comparison)
            about = {"arm": job.arm.name, "seed": job.arm.seed, "simulated": run.plan.simulated}
            run.log.supersede("scored", key, **scored_record(scored, label_counts(task.labels), **about))
        run.progress.step()

    # The first error stops the rest: what is in flight finishes and is recorded, what has not begun does not begin.
    with ThreadPoolExecutor(max_workers=run.config.model.concurrency) as pool:
        futures = [pool.submit(work, job) for job in jobs]
        try:
            for future in futures:
                future.result()
        except BaseException:
            pool.shutdown(wait=True, cancel_futures=True)
            raise


def _verifiers(run: Run) -> dict[str, TaskVerifier]:
    """Return what a generator that checks its own work may ask, by task: feedback examples only are behind it."""
    if not (isinstance(run.generator, Strategy) and run.generator.needs_verifier):
        return {}
    return {t.id: TaskVerifier(feedback_task(t), run.checker) for t in run.plan.test_feedback}


def summarise(run: Run, arms: Sequence[Arm]) -> dict[str, Any]:
    """Build the summary from the records."""
    records: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for record in run.log.all("scored"):
        records.setdefault((record["arm"], record["seed"]), []).append(record)
    resamples, seed = run.config.evaluation.bootstrap, run.config.experiment.seed
    measured = (*METRICS, *metrics(run.config.evaluation))
    attempted = len(run.plan.test)
    names = list(dict.fromkeys(a.name for a in arms))
    whole = {n: [r for (arm, _), rs in records.items() if arm == n for r in rs] for n in names}
    rows, per_prompt = [], []
    for name in names:
        mine = [a for a in arms if a.name == name]
        failed = [a for a in mine if a.prompt is None]
        status = (
            "completed"
            if not failed
            else "failed"
            if len(failed) == len(mine)
            else f"{len(failed)} of {len(mine)} failed"
        )
        message = failed[0].message if failed else ""
        rows.append(summarise_arm(name, whole[name], attempted, resamples, seed, status, message, measured).as_record())
        for arm in mine:
            entry = summarise_arm(
                f"{name} / {arm.seed}",
                records.get((name, arm.seed), []),
                attempted,
                resamples,
                seed,
                arm.status,
                arm.message,
                measured,
            )
            per_prompt.append({**entry.as_record(), "instructions": arm.prompt.instructions if arm.prompt else None})

    def differences(a: list[dict[str, Any]], b: list[dict[str, Any]]) -> dict[str, Any]:
        return {m: asdict(d) for m, d in compare_arms(a, b, resamples, seed, measured).items()}

    return {
        "schema": 1,
        "name": run.config.experiment.name,
        "simulated": run.plan.simulated,
        "dataset": run.config.data.dataset,
        "generator": run.generator.name,
        "tasks": {"train": len(run.plan.train), "validation": len(run.plan.validation), "test": attempted},
        "set_aside": dict(run.plan.set_aside),
        "unanswered": sum(map(_worth_trying_again, run.log.all("scored"))),
        "arms": rows,
        "prompts": per_prompt,
        "differences": [
            {"first": a, "second": b, "metrics": differences(whole[a], whole[b])} for a, b in combinations(names, 2)
        ],
        "leaks": leak_report(run, arms),
        "enrichment": run.measuring.enricher.counts(),
        "costs": costs(run.gateway),
    }


def costs(gateway: Gateway) -> list[dict[str, Any]]:
    """Return what each role has spent over the whole run, earlier sittings included; unknown prices stay unknown."""
    return [
        {
            "role": role,
            "calls": line.calls,
            "cached": line.cached_calls,
            "failed": line.failed_calls,
            "retries": line.retries,
            "interrupted": line.interrupted_requests,
            "input_tokens": line.input_tokens,
            "output_tokens": line.output_tokens,
            "cost_usd": line.cost_usd,
            "seconds": line.model_s,
            "simulated": line.simulated_calls > 0,
        }
        for role, line in gateway.ledger().by_role.items()
    ]


def write_prompts(run: Run, arms: Sequence[Arm]) -> None:
    """Write each arm's prompt to `prompts/` as a file that loads back (`optimizers.load_tuned`)."""
    folder = run.folder / "prompts"
    folder.mkdir(exist_ok=True)
    config = run.config
    for arm in arms:
        if arm.prompt is None:
            continue
        record = run.log.latest("optimisation", f"{arm.name}/{arm.seed}")
        scores = {}
        if record is not None and record["best"] >= 0:
            scores["validation"] = record["validation_scores"][record["best"]]
        tuned = Tuned(
            arm.prompt,
            config.generator.name,
            config.generator.options,
            record["optimizer"] if record else "",
            arm.name if record else "",
            scores,
            run.plan.simulated,
        )
        write_atomic(folder / f"{re.sub(r'[^A-Za-z0-9._+@-]', '_', arm.name)}-{arm.seed}.json", as_json(tuned))


def leak_report(run: Run, arms: Sequence[Arm]) -> list[dict[str, Any]]:
    """Return which pieces of the arms' prompts occur in evaluation-only material of the test tasks."""
    prompts = {
        f"{a.name} / {a.seed}": "\n\n".join([a.prompt.instructions, *(s.reply for s in a.prompt.shots)])
        for a in arms
        if a.prompt is not None
    }
    seen_anyway = visible(run.plan.known, [seed_prompt(name).instructions for name in run.config.generator.seeds])
    return [asdict(leak) for leak in find_leaks(prompts, run.plan.test, seen_anyway)]


def run_experiment(run: Run) -> dict[str, Any]:
    """Carry a run through all stages, write its summary and return it."""
    arms = run_optimisations(run)
    write_prompts(run, arms)
    run_comparison(run, arms)
    summary = summarise(run, arms)
    write_json(run.folder / "summary.json", summary)
    write_atomic(run.folder / "summary.md", markdown(summary))
    return summary
