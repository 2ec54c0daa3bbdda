"""Splits: tasks into train, validation and test; each task's labelled examples into feedback and held-out ones.

**Tasks.** A task's side depends on the seed, its stratum (difficulty, result kind, control flow) and its id, on nothing
else: SHA-256 of these is a number in [0, 1), and the shares are its thresholds. So adding, removing or reordering tasks
never moves another task, and no file of sides has to be kept. The price is that each stratum gets its shares in
expectation, not exactly: with n tasks in a stratum the share's standard deviation is sqrt(p(1-p)/n). Exact
stratification must move tasks when others arrive; a comparison with yesterday's run is worth more here. What is
guaranteed is checked: every side has its minimum size, or the error says which seed or shares would do. Tasks of one
`metadata["group"]` (near duplicates) fall on one side.

**Examples.** Examples are split by input, so that a held-out input has not been seen with another output. Every kind
with two or more examples has some on each side; a single example is held out.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, TypeVar

from specgen.errors import UserError
from specgen.tasks._loading import result_kind
from specgen.tasks.model import Inputs, Labels, Pair, Task

Side: TypeAlias = Literal["train", "validation", "test"]
SIDES: tuple[Side, ...] = ("train", "validation", "test")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class SplitShares:
    """The expected share of each side; positive or zero, summing to 1."""

    train: float = 0.4
    validation: float = 0.2
    test: float = 0.4

    def __post_init__(self) -> None:
        values = (self.train, self.validation, self.test)
        if min(values) < 0 or abs(sum(values) - 1) > 1e-9:
            raise UserError(
                f"the shares of a split must be at least 0 and sum to 1, not {' + '.join(f'{v:g}' for v in values)}",
                remedy="Write for example train = 0.4, validation = 0.2, test = 0.4",
            )


@dataclass(frozen=True, slots=True)
class TaskSplit:
    """Three sides, each in the order the tasks were given."""

    train: tuple[Task, ...]
    validation: tuple[Task, ...]
    test: tuple[Task, ...]
    seed: int
    shares: SplitShares

    def side(self, task_id: str) -> Side | None:
        """Return the side of a task, or None when it is not in the split."""
        for name in SIDES:
            if any(task.id == task_id for task in self.tasks(name)):
                return name
        return None

    def tasks(self, side: Side) -> tuple[Task, ...]:
        """Return the tasks of a side."""
        return {"train": self.train, "validation": self.validation, "test": self.test}[side]

    def table(self) -> tuple[tuple[str, int, int, int], ...]:
        """Return one row a stratum: its name, and how many tasks are on each side."""
        counts = {side: Counter(stratum(task) for task in self.tasks(side)) for side in SIDES}
        names = sorted(set().union(*counts.values()))
        return tuple((n, counts["train"][n], counts["validation"][n], counts["test"][n]) for n in names)

    def fingerprint(self) -> str:
        """Return the SHA-256 (hex) of the sides' task ids and fingerprints, for cache keys and manifests."""
        digest = hashlib.sha256()
        for side in SIDES:
            for task in sorted(self.tasks(side), key=lambda t: t.id):
                digest.update(f"{side}\0{task.id}\0{task.fingerprint()}\0".encode())
        return digest.hexdigest()


@dataclass(frozen=True, slots=True)
class LabelSplit:
    """A task's labelled examples: what an optimizer may see, and what the final comparison scores."""

    feedback: Labels
    held_out: Labels


def stratum(task: Task) -> str:
    """Return a task's stratum: difficulty, result kind and control flow."""
    kind = result_kind(task.signature.result_type)
    return "/".join((task.difficulty, kind, task.metadata.get("control_flow", "unknown")))


def unit_hash(*parts: str) -> float:
    """Return a number in [0, 1) that depends on the parts alone (SHA-256, 53 bits), the same on every machine."""
    digest = hashlib.sha256("\0".join(parts).encode()).digest()
    return (int.from_bytes(digest[:8], "big") >> 11) / (1 << 53)


def side_of(task: Task, seed: int, shares: SplitShares) -> Side:
    """Return a task's side under a seed; other tasks have no say in it."""
    group = task.metadata.get("group", "")
    at = unit_hash("split", str(seed), "group" if group else stratum(task), group or task.id)
    if at < shares.train:
        return "train"
    return "validation" if at < shares.train + shares.validation else "test"


def split_tasks(
    tasks: Iterable[Task],
    shares: SplitShares | None = None,
    seed: int = 0,
    *,
    limit: int = 0,
    minimum: Mapping[Side, int] | None = None,
) -> TaskSplit:
    """Split tasks into three sides.

    Args:
        tasks: tasks with distinct ids.
        shares: expected share of each side.
        seed: any integer; another seed gives another split.
        limit: take only so many tasks, those first in an order drawn from the seed; 0 takes all. Which tasks these are
            changes when tasks are added; their sides do not.
        minimum: least number of tasks a side must get (1 for every side with a positive share when not given).

    Raises:
        UserError: two tasks of one id, or a side below its minimum (the message names the nearest seed that does).
    """
    shares = shares or SplitShares()
    every = tuple(tasks)
    double = [i for i, n in Counter(task.id for task in every).items() if n > 1]
    if double:
        raise UserError(f"two tasks have the id {double[0]}", remedy="Ids must be distinct in a split")
    if limit:
        drawn = sorted(every, key=lambda t: unit_hash("limit", str(seed), t.id))[:limit]
        ids = {task.id for task in drawn}
        every = tuple(task for task in every if task.id in ids)
    least = {side: (1 if getattr(shares, side) > 0 else 0) for side in SIDES} | dict(minimum or {})
    split = _sides(every, seed, shares)
    short = [side for side in SIDES if len(split.tasks(side)) < least[side]]
    if short:
        raise UserError(_too_small(split, every, least, short[0]), remedy=_other_seed(every, seed, shares, least))
    return split


def _sides(tasks: Sequence[Task], seed: int, shares: SplitShares) -> TaskSplit:
    sides: dict[Side, list[Task]] = {side: [] for side in SIDES}
    for task in tasks:
        sides[side_of(task, seed, shares)].append(task)
    return TaskSplit(tuple(sides["train"]), tuple(sides["validation"]), tuple(sides["test"]), seed, shares)


def _too_small(split: TaskSplit, tasks: Sequence[Task], least: Mapping[Side, int], side: Side) -> str:
    return (
        f"the split of {len(tasks)} tasks with seed {split.seed} puts {len(split.tasks(side))} on the {side} side, "
        f"which needs at least {least[side]}"
    )


def _other_seed(tasks: Sequence[Task], seed: int, shares: SplitShares, least: Mapping[Side, int]) -> str:
    for step in range(1, 51):
        other = _sides(tasks, seed + step, shares)
        if all(len(other.tasks(side)) >= least[side] for side in SIDES):
            return f"Take seed {seed + step}, other shares, or more tasks"
    return "Take more tasks, other shares, or a smaller minimum"


# ------------------------------------------------------------------------------------------------------------ examples


def split_labels(task: Task, seed: int = 0, feedback_share: float = 0.5) -> LabelSplit:
    """Split a task's labelled examples by input.

    Args:
        task: its id and its examples decide the sides, with the seed.
        seed: any integer.
        feedback_share: share of the distinct inputs whose examples go to the feedback side; between 0 and 1.

    Returns:
        Two disjoint sets of labels, in the task's order, that together are the task's labels. For each kind with two
        or more examples both sides are non-empty; a kind with one example has it on the held-out side.

    Raises:
        UserError: `feedback_share` is not strictly between 0 and 1.
    """
    if not 0 < feedback_share < 1:
        raise UserError(f"the feedback share must lie between 0 and 1, not {feedback_share:g}", remedy="Write 0.5")
    labels = task.labels
    usable = {pair.inputs for pair in (*labels.accepted, *labels.rejected)} | set(labels.required)
    seen = _chosen(usable, task.id, seed, feedback_share) | _chosen(
        set(labels.forbidden) - usable, task.id, seed, feedback_share
    )

    def halves(items: Sequence[T], kind: str, inputs: Sequence[Inputs]) -> tuple[tuple[T, ...], tuple[T, ...]]:
        order = [unit_hash("example", str(seed), task.id, kind, str(at), *inputs[at]) for at in range(len(items))]
        left = [at for at in range(len(items)) if inputs[at] in seen]
        right = [at for at in range(len(items)) if inputs[at] not in seen]
        _mend(left, right, order)
        return tuple(items[at] for at in sorted(left)), tuple(items[at] for at in sorted(right))

    def pairs(items: Sequence[Pair], kind: str) -> tuple[tuple[Pair, ...], tuple[Pair, ...]]:
        return halves(items, kind, [pair.inputs for pair in items])

    accepted, rejected = pairs(labels.accepted, "accepted"), pairs(labels.rejected, "rejected")
    required = halves(labels.required, "required", labels.required)
    forbidden = halves(labels.forbidden, "forbidden", labels.forbidden)
    return LabelSplit(
        Labels(accepted[0], rejected[0], required[0], forbidden[0]),
        Labels(accepted[1], rejected[1], required[1], forbidden[1]),
    )


def _chosen(inputs: set[Inputs], task_id: str, seed: int, share: float) -> set[Inputs]:
    """Return the inputs of the feedback side: the share of them that hash lowest, at least one, not all of several."""
    order = sorted(inputs, key=lambda i: (unit_hash("input", str(seed), task_id, *i), i))
    if len(order) < 2:
        return set()
    count = min(max(round(len(order) * share), 1), len(order) - 1)
    return set(order[:count])


def _mend(left: list[int], right: list[int], order: Sequence[float]) -> None:
    """Move one example where a kind of several has a side empty, or of one has it on the feedback side."""
    if len(left) + len(right) == 1:
        right.extend(left)
        left.clear()
    elif left and not right:
        moved = max(left, key=lambda at: order[at])
        left.remove(moved)
        right.append(moved)
    elif right and not left:
        moved = min(right, key=lambda at: order[at])
        right.remove(moved)
        left.append(moved)
