"""`specgen calibrate mutants`: how often each metric notices each kind of spoiled reference."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from evaluators.examples import EnrichOptions
from evaluators.isolation import make_tools
from runs.calibration.mutants import METRICS, Bench, KindSummary, SpoiledRow, measure_spoiled, summarise
from runs.enrichment import Enricher
from runs.progress import ConsoleProgress
from runs.store import check_writable, write_atomic
from specgen.tasks import load_dataset

BAR = 0.95
"""Least share of tasks on which a kind of spoiling must be noticed by the score made for it or the equivalence."""
EXTENDED = EnrichOptions(mode="extend")


@dataclass(frozen=True, slots=True)
class MutantsOptions:
    """What is spoiled: data sets (with the folder of VERINA where it is one), tasks of each, contracts of a kind."""

    datasets: tuple[str, ...]
    path: Path | None
    limit: int
    per_kind: int
    out: Path | None
    as_json: bool


def run_mutants(options: MutantsOptions) -> bool:
    """Measure and print; tell whether every kind reaches the bar on every data set."""
    if options.out is not None:
        check_writable(options.out)
    began = time.perf_counter()
    by_dataset: dict[str, list[SpoiledRow]] = {}
    with (
        make_tools() as tools,
        ConsoleProgress() as progress,
        ThreadPoolExecutor(os.cpu_count() or 1) as pool,
    ):
        for name in options.datasets:
            path = options.path if name not in ("starter", "clever") else None
            tasks = load_dataset(name, path).tasks[: options.limit or None]
            progress.start(f"spoiling {name}", len(tasks))

            def each(works: Iterable[Callable[[], list[SpoiledRow]]]) -> Iterable[list[SpoiledRow]]:
                def one(work: Callable[[], list[SpoiledRow]]) -> list[SpoiledRow]:
                    rows = work()
                    progress.step()
                    return rows

                return pool.map(one, works)

            by_dataset[name] = measure_spoiled(
                tasks, Bench(tools), options.per_kind, Enricher(tools.runner, EXTENDED).task, each
            )
    summaries = {name: summarise(rows) for name, rows in by_dataset.items()}
    if options.out is not None:
        lines = (
            json.dumps({"dataset": n, **_plain(r)}, ensure_ascii=False) for n, rs in by_dataset.items() for r in rs
        )
        write_atomic(options.out, "".join(f"{line}\n" for line in lines))
    if options.as_json:
        print(json.dumps(as_json(summaries, time.perf_counter() - began), ensure_ascii=False))
    else:
        for name, found in summaries.items():
            _print(name, found)
    return all(s.share is None or s.share >= BAR for found in summaries.values() for s in found)


def _plain(row: SpoiledRow) -> dict[str, Any]:
    return {**asdict(row), "values": dict(row.values)}


def as_json(summaries: dict[str, list[KindSummary]], wall_s: float) -> dict[str, Any]:
    """Return the stable JSON shape.

    `{"schema": 1, "bar", "datasets": {NAME: [{"kind", "contracts", "changed", "same", "open", "tasks", "tasks_noticed",
    "tasks_either", "share", "noticed": {METRIC: [noticed, with a value]}, "missed"}]}, "wall_s"}`
    """
    datasets = {
        name: [
            {**asdict(s), "noticed": {m: list(v) for m, v in s.noticed.items()}, "share": s.share, "missed": s.missed}
            for s in found
        ]
        for name, found in summaries.items()
    }
    return {"schema": 1, "bar": BAR, "datasets": datasets, "wall_s": round(wall_s, 3)}


def _print(name: str, found: Sequence[KindSummary]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(title=f"{name}: spoiled references whose meaning changed, noticed by each metric")
    for heading in ("kind", "changed/all", "tasks: its score", "or equivalence", *METRICS):
        table.add_column(heading)
    for s in found:
        cells = [f"{a}/{b}" if b else "–" for a, b in (s.noticed[m] for m in METRICS)]
        share = "–" if s.share is None else f"{s.tasks_either}/{s.tasks} ({s.share:.0%})"
        table.add_row(s.kind, f"{s.changed}/{s.contracts}", f"{s.tasks_noticed}/{s.tasks}", share, *cells)
    Console(width=None if os.isatty(1) else 200).print(table)
    for s in found:
        if s.open:
            print(f"{s.kind}: {s.open} could not be told from the reference")
        if s.missed:
            print(f"{s.kind}: not noticed on {', '.join(s.missed)}")
