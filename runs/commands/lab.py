"""`specgen lab list` and `specgen lab run`."""

from __future__ import annotations

import json
from dataclasses import asdict
from difflib import get_close_matches

from runs.progress import ConsoleProgress
from specgen.errors import UserError


def list_experiments(as_json: bool) -> None:
    """Print the lab's experiments with what must come out."""
    from runs.lab import EXPERIMENTS

    rows = [{"name": e.name, "question": e.question, "expected": e.expected} for e in EXPERIMENTS.values()]
    if as_json:
        print(json.dumps({"schema": 1, "simulated": True, "experiments": rows}, ensure_ascii=False))
        return
    for row in rows:
        print(f"{row['name']}\n  {row['question']}\n  Expected: {row['expected']}")


def run_experiments(names: list[str], seeds: int, as_json: bool) -> bool:
    """Run experiments (all where none is named); tell whether every expected answer came out."""
    from runs.lab import EXPERIMENTS, run_lab

    for name in names:
        if name not in EXPERIMENTS:
            near = get_close_matches(name, EXPERIMENTS, n=1)
            hint = f"Did you mean {near[0]!r}? " if near else ""
            raise UserError(f"no lab experiment {name!r}", remedy=f"{hint}Known: {', '.join(EXPERIMENTS)}")
    chosen = names or list(EXPERIMENTS)
    findings = []
    with ConsoleProgress() as progress:
        progress.start("lab (simulated)", len(chosen) * seeds)
        for name in chosen:
            findings.append(run_lab(EXPERIMENTS[name], seeds, step=progress.step))
    if as_json:
        rows = [{**asdict(f), "means": f.means()} for f in findings]
        print(json.dumps({"schema": 1, "simulated": True, "seeds": seeds, "findings": rows}, ensure_ascii=False))
    else:
        print(f"Lab: simulated models, {seeds} seeds")
        for f in findings:
            numbers = ", ".join(f"{k} {v:.3f}" for k, v in f.means().items())
            print(f"  {f.name}: {'as expected' if f.holds else 'NOT AS EXPECTED'}: {f.reason} ({numbers})")
    return all(f.holds for f in findings)
