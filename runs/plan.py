"""The plan of an experiment: data set, splits of tasks, splits of labelled examples."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from runs.config import ExperimentConfig
from specgen.errors import UserError
from specgen.generators import Generator
from specgen.generators.leanaide import LeanAideGenerator
from specgen.lm import Gateway
from specgen.tasks import SplitShares, Task, load_dataset, split_labels, split_tasks
from specgen.tasks.normalise import neutral_task


@dataclass(frozen=True, slots=True)
class Plan:
    """Tasks by split. `train` and `validation` tasks hold feedback examples only, `test` tasks held-out examples only.

    `test_feedback` holds the test tasks with their feedback examples, for generators that check their own work.
    `known` holds all tasks with everything (for simulated models). `set_aside` maps id to reason: errata, and
    demonstrations of the generator. `simulated` tells whether any model of the run is simulated.
    """

    train: tuple[Task, ...]
    validation: tuple[Task, ...]
    test: tuple[Task, ...]
    known: tuple[Task, ...]
    set_aside: Mapping[str, str]
    simulated: bool
    test_feedback: tuple[Task, ...] = ()

    def splits(self) -> dict[str, tuple[Task, ...]]:
        """Return the splits by name."""
        return {"train": self.train, "validation": self.validation, "test": self.test}


def without_examples_of(generator: Generator, tasks: Iterable[Task]) -> Generator:
    """Return a generator that retrieves no example made from these tasks; others as they are."""
    excluding = getattr(generator, "excluding", None)
    if excluding is None:
        return generator
    names = {name for t in tasks for name in (t.id.removesuffix("~neutral"), t.signature.name)}
    found = excluding(names)
    assert isinstance(found, Generator)  # noqa: S101 - what `excluding` returns is a generator
    return found


def with_gateway(generator: Generator, gateway: Gateway) -> Generator:
    """Return a generator that ranks examples by the gateway's embeddings, where its options name a model for that."""
    if not (isinstance(generator, LeanAideGenerator) and generator.options.embedding):
        return generator
    model = generator.options.embedding
    return generator.with_embeddings(lambda texts: gateway.embed(texts, model))


def make_plan(config: ExperimentConfig, generator: Generator, simulated: bool) -> Plan:
    """Load the data set and split it.

    Raises:
        UserError: for an unknown data set or path, or a split with a side that is empty or has no labelled examples.
    """
    section = config.data
    dataset = load_dataset(section.dataset, Path(section.path) if section.path else None)
    aside = {e.id: e.reason for e in dataset.set_aside}
    tasks = []
    for task in dataset.tasks:
        if {task.id, task.signature.name} & generator.demonstration_ids:
            aside[task.id] = f"a demonstration of the generator {generator.name}"
        elif not task.labels.accepted:
            aside[task.id] = "no labelled examples to score on"
        else:
            tasks.append(neutral_task(task) if section.neutral_names else task)
    shares = SplitShares(section.train, section.validation, section.test)
    split = split_tasks(tasks, shares, config.experiment.seed, limit=section.limit)
    for name, side in (("train", split.train), ("validation", split.validation), ("test", split.test)):
        if not side:
            raise UserError(
                f"the {name} split of {section.dataset} is empty ({len(tasks)} tasks)",
                remedy=f"Give data.{name} a larger share, or use more tasks",
            )
    seed, share = config.experiment.seed, section.feedback_share

    def feedback_only(task: Task) -> Task:
        return task.with_labels(split_labels(task, seed, share).feedback)

    def held_out_only(task: Task) -> Task:
        return task.with_labels(split_labels(task, seed, share).held_out)

    return Plan(
        tuple(map(feedback_only, split.train)),
        tuple(map(feedback_only, split.validation)),
        tuple(map(held_out_only, split.test)),
        tuple(tasks),
        aside,
        simulated,
        tuple(map(feedback_only, split.test)),
    )
