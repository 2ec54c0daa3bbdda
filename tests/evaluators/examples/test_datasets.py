"""Enrichment of the data sets: nothing that is made contradicts their own labels, held-out ones included."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluators.examples import EnrichOptions, enrich
from specgen.tasks.model import Inputs, Labels, Task
from specgen.tasks.registry import Dataset, load_dataset
from tests.evaluators.examples.audit import Reader, audit

EXTEND = EnrichOptions(mode="extend")


def halves(labels: Labels) -> tuple[Labels, Labels]:
    """Every second label, and the others."""
    rows = (labels.accepted, labels.rejected, labels.required, labels.forbidden)
    return Labels(*[r[::2] for r in rows]), Labels(*[r[1::2] for r in rows])  # type: ignore[arg-type]


def contradictions(task: Task) -> list[str]:
    """What is made from half of the labels, against the other half."""
    seen, held_out = halves(task.labels)
    made, reader = enrich(task.with_labels(seen), EXTEND).made(), Reader(task)
    accepted = {reader.pair(p) for p in held_out.accepted}
    rejected = {reader.pair(p) for p in held_out.rejected}
    required: set[Inputs] = {reader.inputs(x) for x in held_out.required} | {x for x, _ in accepted}
    forbidden = {reader.inputs(x) for x in held_out.forbidden}
    found = [f"{task.id}: rejected, yet accepted {p}" for p in map(reader.pair, made.rejected) if p in accepted]
    found += [f"{task.id}: accepted, yet rejected {p}" for p in map(reader.pair, made.accepted) if p in rejected]
    found += [f"{task.id}: forbidden, yet required {x}" for x in map(reader.inputs, made.forbidden) if x in required]
    found += [f"{task.id}: required, yet forbidden {x}" for x in map(reader.inputs, made.required) if x in forbidden]
    return found


def some(data: Dataset, step: int) -> list[Task]:
    """Every so many tasks of a data set."""
    return list(data.tasks[::step])


def test_the_starter_set_gets_mutants_and_inputs_everywhere() -> None:
    for task in some(load_dataset("starter"), 4):
        found = enrich(task, EXTEND)
        assert audit(task, found) == [], task.id
        assert found.tallies["rejected"].generated > 0, task.id
        assert found.tallies["required"].generated > 0, task.id
        assert contradictions(task) == []


def test_clever_gets_the_rejected_pairs_that_it_lacks() -> None:
    pytest.importorskip("clever_bench")
    tasks = some(load_dataset("clever"), 10)
    filled = [enrich(task) for task in tasks]
    assert sum(f.tallies["rejected"].generated > 0 for f in filled) >= 0.6 * len(tasks)
    for task, found in zip(tasks, filled, strict=True):
        assert audit(task, found) == [], task.id
        assert contradictions(task) == []


def test_verina_agrees_with_its_own_labels(shared_data: Path) -> None:
    for task in some(load_dataset("verina", shared_data / "verina"), 10):
        found = enrich(task, EXTEND)
        assert audit(task, found) == [], task.id
        assert len(found.task.labels.accepted) >= EXTEND.accepted, task.id
        assert contradictions(task) == []


@pytest.mark.parametrize("name", ["starter", "clever"])
def test_references_known_to_be_at_fault_make_nothing(name: str) -> None:
    if name == "clever":
        pytest.importorskip("clever_bench")
    faulty = [t for t in load_dataset(name).tasks if "reference_fault" in t.metadata]
    assert faulty or name == "starter"
    for task in faulty:
        found = enrich(task, EXTEND)
        assert found.made() == Labels()
        assert all("at fault" in reason for reason in found.reasons.values())
