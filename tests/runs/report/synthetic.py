"""Run folders made for tests: the records of a run as `specgen experiment` writes them, with values of our choice."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HOSTILE = (
    "</script><script>window.broken=1</script><!--<script>"
    "</script ><script >window.broken=1</script ><!--<script "
    "<img src=x onerror=\"window.broken=1\"><svg onload='window.broken=1'>"
    "\u2028\u2029\x00\x1b[31m\u202eevil\u202c\ufffe"
    '{{ 7*7 }}{% raw %}" onmouseover="window.broken=1" javascript:window.broken=1 &lt;b&gt; =1+1'
)
"""A text that tries to be more than text in every language that a report is written in."""

Values = Callable[[random.Random, str, int], Mapping[str, float | str]]
"""Metrics of a candidate from its arm and the number of its task: a value, or the status of one without."""


def plain_values(rng: random.Random, arm: str, task: int) -> Mapping[str, float | str]:
    """Return values with every status that a metric may have."""
    if rng.random() < 0.1:
        return {
            "typecheck": 0.0,
            "verifier_grade": 0.0,
            "R+": "not_applicable",
            "R-": "not_applicable",
            "pass": "not_applicable",
        }
    good = 0.6 + 0.3 * (arm != "seed")
    plus, minus = float(rng.random() < 0.9), rng.choice([0.25, 0.5, 1.0]) if rng.random() > good else 1.0
    status = rng.choice(["timeout", "inconclusive", "unsupported"]) if task % 7 == 3 else ""
    return {
        "typecheck": 1.0,
        "verifier_grade": 1.0 if plus else 0.3,
        "R+": plus,
        "R-": status or minus,
        "pass": status or float(plus == minus == 1.0),
    }


@dataclass(frozen=True, slots=True)
class Shape:
    """Size and content of a run."""

    tasks: int = 12
    arms: Sequence[str] = ("seed", "verifier")
    seeds: Sequence[str] = ("zero-shot", "few-shot")
    samples: int = 1
    seed: int = 0
    name: str = "made"
    values: Values = plain_values
    text: str = ""
    finished: bool = True
    fingerprint: str = "f"
    failed: Sequence[str] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)


def task_name(shape: Shape, i: int) -> str:
    return f"task_{i:04d}{shape.text}"


def evidence(metric: str, value: float | str, text: str) -> dict[str, Any]:
    known = not isinstance(value, str)
    open_one = value in ("timeout", "inconclusive", "unsupported")
    return {
        "metric": metric,
        "status": "observed" if known else value,
        "value": value if known else None,
        "lower": value if known else 0.25 if open_one else None,
        "upper": value if known else 0.75 if open_one else None,
        "scope": "finite(4 pairs)",
        "numerator": 1 if known else None,
        "denominator": 2 if known else None,
        "unknown": 0 if known else 2,
        "runtime_s": 0.01,
        "evaluator": "adequacy",
        "version": "1",
        "items": [],
        "witness": f"3 ↦ 4 {text}" if value == 0.25 else "",
        "message": text,
    }


def scored(shape: Shape, rng: random.Random, arm: str, seed: str, i: int, sample: int) -> dict[str, Any]:
    task, values = task_name(shape, i), shape.values(rng, arm, i)
    well = values.get("typecheck") == 1.0
    checks = [
        {"item": "accepted[0]", "shown": f"0 ↦ 1{shape.text}", "outcome": "holds"},
        {"item": "rejected[0]", "shown": "0 ↦ 0", "outcome": "fails", "clauses": "fh"},
        {"item": "rejected[1]", "shown": "3 ↦ 4", "outcome": "holds"},
    ]
    return {
        "schema": 1,
        "kind": "scored",
        "key": f"{arm}/{seed}/{task}/{sample}",
        "arm": arm,
        "seed": seed,
        "simulated": True,
        "task": task,
        "outcome": "well_formed" if well else "not_well_formed",
        "labels": {"accepted": 2, "rejected": 2, "required": 1, "forbidden": 0},
        "candidate": {
            "task_id": task,
            "generator": "direct",
            "text": f"def p{i} (x y : Nat) : Prop := y > x ∧ y < x + {sample + 2}\n{shape.text}",
            "sample": sample,
            "fields": None,
            "failure": "",
            "message": "",
            "model": f"sim/writer{shape.text}",
            "simulated": True,
            "input_tokens": 100,
            "output_tokens": 20,
            "cost_usd": 0.0,
            "calls": 1,
            "lean": "",
            "notes": [],
        },
        "evidence": [evidence(m, v, shape.text) for m, v in values.items()],
        "clauses": [f"y > x {shape.text}", "y < x + 2"] if well else [],
        "notes": [f"note {shape.text}"],
        "well_formed": "yes" if well else "no",
        "message": "" if well else f"line 1: unexpected token {shape.text}",
        "checks": checks if well else [],
    }


def optimisation(shape: Shape, arm: str, seed: str) -> dict[str, Any]:
    failed = arm in shape.failed
    return {
        "schema": 1,
        "kind": "optimisation",
        "key": f"{arm}/{seed}",
        "status": "failed" if failed else "completed",
        "reward": arm,
        "seed_prompt": seed,
        "message": f"no answer {shape.text}" if failed else "",
        "validation_scores": [] if failed else [0.5, 0.4, 0.75],
        "tried": [] if failed else ["a", "b", "c"],
        "best": -1 if failed else 2,
        "metric_calls": 30,
        "rollouts": 30,
        "failed_calls": 0,
        "optimizer": "gepa",
        "stopped": "30 metric calls",
        "instructions": None if failed else f"Write a specification of {seed}. Say what is forbidden. {shape.text}",
        "origin": "gepa",
        "shots": [[task_name(shape, 0), f"def q := 1 {shape.text}"]],
        "simulated": True,
    }


def manifest(shape: Shape) -> dict[str, Any]:
    tasks = [
        {"id": task_name(shape, i), "fingerprint": f"{shape.fingerprint}{i}", "labels": 5} for i in range(shape.tasks)
    ]
    text = shape.text
    return {
        "schema": 1,
        "name": shape.name + text,
        "simulated": True,
        "models": {"task": {"name": f"sim/writer{text}", "simulated": True}},
        "config": {"data": {"dataset": "starter", "path": ""}, "evaluation": {"bootstrap": 400}},
        "generator": {"name": f"direct{text}", "version": "1"},
        "prompts": {s: {"instructions": f"Write a specification of {s}. {text}", "sha256": "0"} for s in shape.seeds},
        "tasks": {"train": [], "validation": [], "test": tasks},
        "set_aside": {"odd": f"no labels {text}"} if text else {},
        "seed": 1,
        "versions": {"python": "3"},
        **shape.extra,
    }


def write_run(folder: Path, shape: Shape | None = None) -> Path:
    """Write a run folder and return it."""
    shape = shape or Shape()
    rng = random.Random(shape.seed)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "manifest.json").write_text(json.dumps(manifest(shape)), encoding="utf-8")
    with open(folder / "records.jsonl", "w", encoding="utf-8") as out:

        def add(record: Mapping[str, Any]) -> None:
            out.write(json.dumps(record, ensure_ascii=False).replace("\u2028", "\\u2028") + "\n")

        for arm in shape.arms:
            for seed in shape.seeds:
                if arm != "seed":
                    add(optimisation(shape, arm, seed))
                if arm in shape.failed:
                    continue
                for i in range(shape.tasks):
                    for sample in range(shape.samples):
                        add(scored(shape, rng, arm, seed, i, sample))
    if shape.finished:
        (folder / "summary.json").write_text(json.dumps(summary()), encoding="utf-8")
    return folder


def summary() -> dict[str, Any]:
    cost = {
        "role": "task",
        "calls": 48,
        "cached": 2,
        "failed": 0,
        "retries": 0,
        "input_tokens": 4800,
        "output_tokens": 960,
        "cost_usd": None,
        "seconds": 1.5,
        "simulated": True,
    }
    return {"schema": 1, "unanswered": 0, "leaks": [], "costs": [cost]}
