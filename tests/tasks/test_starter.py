"""The starter set: its shape, its spread, and its labels against independent Python models."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from specgen.errors import SpecgenError
from specgen.lean.parser import parse_file
from specgen.lean.syntax import Declaration
from specgen.tasks.model import Inputs, Task
from specgen.tasks.starter import load_starter, parse_starter
from tests.tasks.starter_models import MODELS, Model
from tests.tasks.starter_values import has_type, read

TASKS = load_starter()
each_task = pytest.mark.parametrize("task", TASKS, ids=[task.id for task in TASKS])


def model_of(task: Task) -> Model:
    return MODELS[task.provenance.upstream_id]


def values(inputs: Inputs) -> list[Any]:
    return [read(text) for text in inputs]


def test_loading_is_deterministic_and_every_task_has_a_model() -> None:
    assert [task.id for task in TASKS] == sorted({task.id for task in TASKS})
    assert [task.fingerprint() for task in load_starter()] == [task.fingerprint() for task in TASKS]
    assert {task.provenance.upstream_id for task in TASKS} == set(MODELS)
    assert len({task.signature.name for task in TASKS}) == len(TASKS)


@each_task
def test_every_task_is_complete(task: Task) -> None:
    labels = task.labels
    assert len(labels.accepted) >= 5
    assert len(labels.rejected) >= 8
    assert len(labels.required) >= 4
    assert (len(labels.forbidden) >= 3) == bool(task.references[0].precondition)
    for kind in (labels.accepted, labels.rejected, labels.required, labels.forbidden):
        assert len(set(kind)) == len(kind)
    assert not set(labels.accepted) & set(labels.rejected)
    assert task.provenance.dataset == "starter"
    assert task.provenance.licence == "Apache-2.0"
    assert task.difficulty != "unknown"
    assert {"result_kind", "control_flow", "theme", "results"} <= set(task.metadata)
    assert [reference.representation for reference in task.references] == ["prepost", "relational"]
    assert len(task.requirement) > 80
    assert len(task.view().requirement) == len(task.requirement)


@each_task
def test_every_text_parses_and_declares_what_it_names(task: Task) -> None:
    assert task.implementation is not None
    prepost, relational = task.references
    texts = {
        prepost.text: {prepost.postcondition} | ({prepost.precondition} - {""}),
        relational.text: {relational.postcondition},
        task.implementation.text: {task.implementation.name},
    }
    for text, names in texts.items():
        result = parse_file(f"{task.context.preamble}\n\n{text}")
        assert result.diagnostics == ()
        assert names <= {command.name for command in result.file.commands if isinstance(command, Declaration)}
    pairs = (*task.labels.accepted, *task.labels.rejected)
    for value in {value for pair in pairs for value in (pair.output, *pair.inputs)}:
        assert parse_file(f"def value := {value}").diagnostics == ()


@each_task
def test_every_value_has_its_type(task: Task) -> None:
    types = [parameter.type for parameter in task.signature.parameters]
    pairs = (*task.labels.accepted, *task.labels.rejected)
    for inputs in (*(pair.inputs for pair in pairs), *task.labels.required, *task.labels.forbidden):
        assert len(inputs) == len(types)
        assert all(map(has_type, values(inputs), types)), inputs
    for pair in pairs:
        assert has_type(read(pair.output), task.signature.result_type), pair


@each_task
def test_labels_agree_with_the_model(task: Task) -> None:
    model = model_of(task)
    for pair in task.labels.accepted:
        assert model.pre(*values(pair.inputs)), pair
        assert model.post(*values(pair.inputs), read(pair.output)), pair
    for pair in task.labels.rejected:
        assert model.pre(*values(pair.inputs)), pair
        assert not model.post(*values(pair.inputs), read(pair.output)), pair
    for inputs in task.labels.required:
        assert model.pre(*values(inputs)), inputs
        assert model.post(*values(inputs), model.run(*values(inputs))), inputs
    for inputs in task.labels.forbidden:
        assert not model.pre(*values(inputs)), inputs


@each_task
def test_the_first_accepted_output_is_what_the_implementation_returns(task: Task) -> None:
    firsts = {pair.inputs: pair.output for pair in reversed(task.labels.accepted)}
    for inputs, output in firsts.items():
        assert read(output) == model_of(task).run(*values(inputs)), inputs
    several = len(firsts) < len(task.labels.accepted)
    assert several == (task.metadata["results"] == "several")


@each_task
def test_the_contract_is_as_strict_as_the_task_says(task: Task) -> None:
    """Among all outputs that the labels of a task name, a unique result is the only one accepted."""
    pairs = (*task.labels.accepted, *task.labels.rejected)
    outputs = {pair.output for pair in pairs}
    counts = []
    for inputs in {pair.inputs for pair in pairs}:
        accepted = [output for output in outputs if model_of(task).post(*values(inputs), read(output))]
        labelled = {pair.output for pair in task.labels.accepted if pair.inputs == inputs}
        assert labelled <= set(accepted)
        counts.append(len(accepted))
    assert (max(counts) > 1) == (task.metadata["results"] == "several")


def test_the_set_is_spread() -> None:
    counts = {key: Counter(task.metadata.get(key, "") for task in TASKS) for key in ("results", "control_flow")}
    difficulty = Counter(task.difficulty for task in TASKS)
    kinds = {task.metadata["result_kind"] for task in TASKS}
    assert len(TASKS) >= 52
    assert sum(bool(task.references[0].precondition) for task in TASKS) >= 18
    assert counts["results"]["several"] >= 12
    assert sum("trap" in task.metadata for task in TASKS) >= 8
    assert min(counts["control_flow"][flow] for flow in ("straight", "branching", "recursion", "loop")) >= 8
    assert min(difficulty[level] for level in ("basic", "intermediate", "advanced")) >= 10
    assert kinds >= {"Nat", "Int", "Bool", "List", "String", "Option", "Prod", "Array"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("requirement = ", "Starter task odd"),
        ("requirement = 'x'", "missing fields ['name'"),
        ("surprise = 1", "unknown fields ['surprise']"),
    ],
)
def test_a_broken_file_is_named(text: str, message: str) -> None:
    with pytest.raises(SpecgenError) as caught:
        parse_starter(text, "odd")
    assert message in str(caught.value)
