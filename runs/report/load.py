"""Reading runs for a report. What a run folder looks like is known here and nowhere else in this package.

A run may have very many candidates. `load_run` reads its records once, a line at a time, and keeps of each scored
candidate what tables need (`Row`); texts, checks and witnesses stay in the file and are read for chosen candidates
only (`read_details`).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from runs.store import read_json
from runs.summary import metric_values
from specgen.errors import UserError

RECORDS = "records.jsonl"
SEED_ARM = "seed"
PASS_ALL = "pass_all"
REMEDY = "Name the folder of a run of specgen experiment or evaluate --out"


@dataclass(frozen=True, slots=True)
class Measure:
    """One metric of one candidate: `value` is given exactly when the status is `observed`."""

    status: str
    value: float | None
    lower: float | None
    upper: float | None


@dataclass(frozen=True, slots=True)
class Row:
    """One scored candidate.

    `measures` stand in the order of the run's metrics and may be shorter; None where the metric was not asked.
    `offset` and `length`, in bytes, say where its record stands.
    """

    arm: str
    seed: str
    task: str
    sample: int
    outcome: str
    labels: tuple[int, int, int, int]
    simulated: bool
    measures: tuple[Measure | None, ...]
    offset: int
    length: int

    def measure(self, index: int) -> Measure | None:
        """Return the measure of a metric by its index."""
        return self.measures[index] if index < len(self.measures) else None


@dataclass(frozen=True, slots=True)
class Optimisation:
    """One optimisation of one seed prompt: what was tried, with validation scores in [0, 1] in the same order."""

    reward: str
    seed: str
    status: str
    message: str
    optimizer: str
    validation_scores: tuple[float | None, ...]
    tried: tuple[str, ...]
    best: int
    instructions: str | None
    shots: tuple[tuple[str, str], ...]
    metric_calls: int
    failed_calls: int
    stopped: str


@dataclass(frozen=True, slots=True)
class RunData:
    """One run.

    Attributes:
        kind: `experiment` or `evaluation`.
        simulated: whether any model or candidate of it was simulated.
        arms: names of arms, the seed arm first; one whose optimisations all failed is here without rows.
        metrics: what was measured, in the order of first appearance, and `pass_all`.
        tasks: attempted tasks, id to fingerprint of the task with its labels.
        splits: split to its task ids.
        prompts: seed prompts by name.
        costs: a row for each role, as in the summary; empty when the run is not finished.
        finished: whether the run has written its summary.
        skipped: parts of an evaluation's input that were no candidates, by kind.
    """

    folder: Path
    name: str
    kind: str
    simulated: bool
    manifest: Mapping[str, Any]
    summary: Mapping[str, Any]
    arms: tuple[str, ...]
    metrics: tuple[str, ...]
    rows: tuple[Row, ...]
    optimisations: tuple[Optimisation, ...]
    tasks: Mapping[str, str]
    splits: Mapping[str, tuple[str, ...]]
    prompts: Mapping[str, str]
    costs: tuple[Mapping[str, Any], ...]
    finished: bool
    skipped: Mapping[str, int]

    @property
    def seed(self) -> int:
        """The seed of the run."""
        seed = self.manifest.get("seed", 0)
        return seed if isinstance(seed, int) else 0

    @property
    def resamples(self) -> int:
        """Bootstrap samples that the run's configuration asks for."""
        asked = self.manifest.get("config", {}).get("evaluation", {}).get("bootstrap", 2000)
        return asked if isinstance(asked, int) and asked > 0 else 2000


@cache
def _measure(status: str, value: float | None, lower: float | None, upper: float | None) -> Measure:
    return Measure(status, value, lower, upper)


class _Reader:
    """Takes in the records of one run."""

    def __init__(self) -> None:
        self.metrics: dict[str, int] = {}
        self.rows: dict[str, Row] = {}
        self.optimisations: dict[str, Optimisation] = {}
        self.superseded: set[tuple[str, str]] = set()
        self.skipped: Counter[str] = Counter()
        self.seen: set[str] = set()

    def take(self, record: Mapping[str, Any], offset: int, length: int) -> None:
        kind, key = record["kind"], record["key"]
        if kind not in ("scored", "optimisation", "skipped"):
            return
        if "supersedes" in record:
            self.superseded.add((kind, record["supersedes"]))
        if kind == "scored" and key not in self.rows:
            self.rows[key] = self._row(record, offset, length)
        elif kind == "optimisation" and key not in self.optimisations:
            self.optimisations[key] = _optimisation(record)
        elif kind == "skipped" and key not in self.seen:
            self.seen.add(key)
            self.skipped[str(record["skip"])] += 1

    def _row(self, record: Mapping[str, Any], offset: int, length: int) -> Row:
        candidate = record["candidate"]
        arm = record.get("arm") or candidate["generator"] or "candidates"
        found: dict[int, Measure] = {}
        for e in record["evidence"]:
            at = self.metrics.setdefault(e["metric"], len(self.metrics))
            found[at] = _measure(e["status"], e["value"], e["lower"], e["upper"])
        if "pass" in self.metrics:
            at = self.metrics.setdefault(PASS_ALL, len(self.metrics))
            found[at] = _pass_all(record, found.get(self.metrics["pass"]))
        measures = tuple(found.get(i) for i in range(max(found, default=-1) + 1))
        labels = record.get("labels", {})
        counts = tuple(int(labels.get(k, 0)) for k in ("accepted", "rejected", "required", "forbidden"))
        simulated = bool(record.get("simulated", candidate.get("simulated", False)))
        a, b, c, d = counts
        return Row(
            str(arm),
            str(record.get("seed", "")),
            str(record["task"]),
            int(candidate["sample"]),
            str(record["outcome"]),
            (a, b, c, d),
            simulated,
            measures,
            offset,
            length,
        )


def _pass_all(record: Mapping[str, Any], passed: Measure | None) -> Measure:
    """Return pass over everything attempted (`runs.summary.metric_values`); what it lacks has the status of pass."""
    value = metric_values(record).get(PASS_ALL)
    if value is not None:
        return _measure("observed", value, value, value)
    if passed is None or passed.status == "observed":
        return _measure("not_applicable", None, None, None)
    return _measure(passed.status, None, passed.lower, passed.upper)


def _optimisation(record: Mapping[str, Any]) -> Optimisation:
    return Optimisation(
        str(record["reward"]),
        str(record["seed_prompt"]),
        str(record["status"]),
        str(record["message"]),
        str(record.get("optimizer", "")),
        tuple(record["validation_scores"]),
        tuple(map(str, record["tried"])),
        int(record["best"]),
        record["instructions"],
        tuple((str(t), str(r)) for t, r in record.get("shots", ())),
        int(record.get("metric_calls", 0)),
        int(record.get("failed_calls", 0)),
        str(record.get("stopped", "")),
    )


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield the whole lines of the records with their offsets; a line that is being written is not whole."""
    offset = 0
    with open(path, "rb") as lines:
        for line in lines:
            if line.endswith(b"\n") and line.strip():
                yield offset, line
            offset += len(line)


def load_run(folder: Path) -> RunData:
    """Read a run.

    Raises:
        UserError: when the folder is no run, or a file of it is damaged.
    """
    path = folder / RECORDS
    reader = _Reader()
    number = 0
    try:
        for offset, line in _lines(path):
            number += 1
            # Rollouts are most of a run, and nothing here speaks of them.
            if b'"kind": "rollout"' not in line[:48]:
                reader.take(json.loads(line), offset, len(line))
    except OSError as exc:
        raise UserError(f"cannot read {path}: {exc.strerror or exc}", remedy=REMEDY) from exc
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as exc:
        raise UserError(
            f"{path}, record {number}: not a record of a run ({type(exc).__name__}: {exc})", remedy="Restore the file"
        ) from exc
    manifest = read_json(folder / "manifest.json")
    if not isinstance(manifest, dict):
        raise UserError(f"{folder / 'manifest.json'} is not the manifest of a run", remedy=REMEDY)
    summary = read_json(folder / "summary.json") if (folder / "summary.json").is_file() else {}
    try:
        return _run_data(folder, reader, manifest, summary if isinstance(summary, dict) else {})
    except (KeyError, TypeError, AttributeError) as exc:
        raise UserError(
            f"{folder}: its manifest is not one of a run ({type(exc).__name__}: {exc})", remedy=REMEDY
        ) from exc


def _run_data(folder: Path, reader: _Reader, manifest: Mapping[str, Any], summary: Mapping[str, Any]) -> RunData:
    rows = tuple(r for key, r in reader.rows.items() if ("scored", key) not in reader.superseded)
    done = tuple(o for key, o in reader.optimisations.items() if ("optimisation", key) not in reader.superseded)
    names = dict.fromkeys([*(o.reward for o in done), *(r.arm for r in rows)])
    first = [SEED_ARM] if SEED_ARM in names else []
    tasks, splits = _tasks(manifest)
    return RunData(
        folder,
        str(manifest.get("name") or folder.name),
        str(manifest.get("kind", "experiment")),
        bool(manifest.get("simulated")) or any(r.simulated for r in rows),
        manifest,
        summary,
        (*first, *(n for n in names if n != SEED_ARM)),
        tuple(reader.metrics),
        rows,
        done,
        tasks,
        splits,
        {str(k): str(v["instructions"]) for k, v in manifest.get("prompts", {}).items()},
        tuple(summary.get("costs", ())),
        bool(summary),
        dict(reader.skipped),
    )


def _tasks(manifest: Mapping[str, Any]) -> tuple[dict[str, str], dict[str, tuple[str, ...]]]:
    """Return the attempted tasks with their fingerprints, and the tasks of each split."""
    listed = manifest["tasks"]
    if isinstance(listed, list):  # an evaluation: every task is attempted
        return {str(t["id"]): str(t["fingerprint"]) for t in listed}, {}
    splits = {str(name): tuple(str(t["id"]) for t in tasks) for name, tasks in listed.items()}
    return {str(t["id"]): str(t["fingerprint"]) for t in listed["test"]}, splits


def read_details(run: RunData, rows: Iterable[Row]) -> Iterator[tuple[Row, dict[str, Any]]]:
    """Yield rows with their whole records, lazily and in the given order."""
    with open(run.folder / RECORDS, "rb") as records:
        for row in rows:
            records.seek(row.offset)
            yield row, json.loads(records.read(row.length))


def requirements(run: RunData, tasks: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Return requirement and signature of the tasks that the run's data set still has, unchanged in name.

    They are shown for reading only; nothing is computed from them.
    """
    from specgen.errors import SpecgenError
    from specgen.tasks import load_dataset

    data = run.manifest.get("data") or run.manifest.get("config", {}).get("data", {})
    try:
        dataset = load_dataset(data.get("dataset", "starter"), Path(data["path"]) if data.get("path") else None)
    except SpecgenError:
        return {}
    wanted = set(tasks)
    return {
        t.id: (t.requirement, f"{t.signature.name} : {t.signature.function_type()}")
        for t in dataset.tasks
        if t.id in wanted
    }


__all__ = ["Measure", "Optimisation", "Row", "RunData", "load_run", "read_details", "requirements"]
