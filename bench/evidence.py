"""Bench rows of evidence: records a second of the evaluators, alone and together, in confined workers and without."""

from __future__ import annotations

import os
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from evaluators.contract import reference_contract
from evaluators.isolation import Tools, make_tools
from evaluators.registry import EvaluatorTools, make_evaluators
from evaluators.scoring import Scored, score
from runs.evidence import open_evidence
from runs.records import label_counts, scored_record
from runs.store import RecordLog
from specgen.generators import Candidate
from specgen.tasks import load_dataset
from specgen.tasks.model import Task

SETS = (("adequacy",), ("adequacy", "similarity"), ("adequacy", "similarity", "equivalence"))
EQUIVALENCE_S = 2.0


def rows() -> list[tuple[str, str, str]]:
    """Measure and return the rows."""
    work = candidates()
    out = []
    whole: list[Scored] = []
    alone = 0.0
    for names in SETS:
        with make_tools() as tools:
            measured(work[:2], names, tools)  # the workers start
            seconds, whole = measured(work, names, tools)
        rate = sum(len(s.evidence) for s in whole) / seconds
        alone = alone or seconds
        note = f"{len(work)} candidates, x{seconds / alone:.1f} the time of adequacy alone"
        out.append((f"evidence: {', '.join(names)}", f"{rate:.0f} records/s", note))
    with make_tools(isolate=False) as tools:
        seconds, _ = measured(work, SETS[0], tools, threads=1)
    out.append(("evidence: adequacy in this process", f"x{seconds / alone:.1f}", "the time of confined workers"))
    return [*out, stored(work, whole)]


def candidates() -> list[tuple[Task, Candidate]]:
    """Return every starter task with its own references, and with those of another task, as candidates."""
    tasks = load_dataset("starter").tasks
    out = []
    for n, task in enumerate(tasks):
        for m, source in enumerate((task, tasks[n - 1])):
            contract = reference_contract(source, "prepost")
            if contract is not None:
                out.append((task, Candidate(task.id, "bench", contract.source[contract.own_from :], m)))
    return out


def measured(
    work: list[tuple[Task, Candidate]], names: tuple[str, ...], tools: Tools, threads: int = os.cpu_count() or 1
) -> tuple[float, list[Scored]]:
    """Score candidates; return the seconds that it took, and what came out."""
    evaluators = make_evaluators(names, EvaluatorTools(tools.runner, equivalence_s=EQUIVALENCE_S))
    began = time.perf_counter()
    with ThreadPoolExecutor(threads) as pool:
        scored = list(pool.map(lambda pair: score(pair[0], pair[1], tools.checker, evaluators), work))
    return time.perf_counter() - began, scored


def stored(work: list[tuple[Task, Candidate]], scored: list[Scored]) -> tuple[str, str, str]:
    """Measure the records on their way to the disk and into the database."""
    with TemporaryDirectory() as folder:
        began = time.perf_counter()
        with RecordLog(Path(folder) / "records.jsonl") as log:
            for n, ((task, _), one) in enumerate(zip(work, scored, strict=True)):
                log.add("scored", str(n), **scored_record(one, label_counts(task.labels)))
        written = time.perf_counter() - began
        with closing(open_evidence(Path(folder))) as connection:
            count = connection.execute("SELECT count(*) FROM evidence").fetchone()[0]
        seconds = time.perf_counter() - began
    note = f"of which {written:.2f} s in the log, {seconds - written:.2f} s in the database"
    return ("evidence: stored", f"{count / seconds:.0f} records/s", note)
