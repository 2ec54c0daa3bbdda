"""Loading a large run and rendering its report: time and peak memory, in a process of its own each."""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

SIZES = (10_000, 100_000)
ARMS, SEEDS, SAMPLES = 5, 2, 10

_CHILD = """
import resource, sys, time
from pathlib import Path
from runs.report.analysis import analyse
from runs.report.load import load_run
from runs.report.page import page
from runs.report.figures import all_figures
from runs.report.write import report_tables
start = time.perf_counter()
run = load_run(Path(sys.argv[1]))
loaded = time.perf_counter()
analysis = analyse([run])
analysed = time.perf_counter()
text = page(analysis, report_tables(analysis), all_figures(analysis))
done = time.perf_counter()
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(len(run.rows), loaded - start, analysed - loaded, done - analysed, peak, len(text.encode()))
"""


def _values(rng: random.Random, arm: str, task: int) -> Mapping[str, float | str]:
    """Return eleven metrics with values and statuses of every kind."""
    scores = {m: rng.choice((0.0, 0.25, 0.5, 1.0, 1.0, 1.0)) for m in ("R+", "R-", "R_req", "R_rej", "BAcc", "pass")}
    if task % 9 == 0:
        scores.pop("R-")
        return {"typecheck": 1.0, "verifier_grade": 1.0, **scores, "R-": "timeout", "equivalence": "inconclusive"}
    return {"typecheck": 1.0, "verifier_grade": 1.0, **scores, "equivalence": 1.0, "gted": round(rng.random(), 3)}


def rows() -> Iterator[tuple[str, ...]]:
    """Yield a row for each size."""
    from tests.runs.report.synthetic import Shape, write_run

    each = []
    for size in SIZES:
        tasks = size // (ARMS * SEEDS * SAMPLES)
        arms = ("seed", *(f"arm{i}" for i in range(1, ARMS)))
        shape = Shape(tasks=tasks, arms=arms, seeds=("a", "b"), samples=SAMPLES, values=_values)
        with tempfile.TemporaryDirectory() as folder:
            path = write_run(Path(folder) / "run", shape)
            done = subprocess.run(
                [sys.executable, "-c", _CHILD, str(path)], check=True, capture_output=True, text=True
            ).stdout.split()
        count, (load, analysis, render, peak, size_b) = int(done[0]), map(float, done[1:])
        each.append((load + analysis + render) / count)
        yield (
            f"report of {count:,} candidates ({tasks:,} tasks, {ARMS} arms)",
            f"load {load:.1f} s, analysis {analysis:.1f} s, page {render:.1f} s",
            f"peak {peak:.0f} MB, page {size_b / 1e6:.1f} MB",
        )
    yield ("time per candidate, largest over smallest run", f"{each[-1] / each[0]:.2f}", "ratio; below 1 is sublinear")
