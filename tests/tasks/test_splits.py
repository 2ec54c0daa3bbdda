"""Splits of tasks (stable, in expectation stratified) and of labelled examples (by input)."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specgen.errors import UserError
from specgen.tasks.model import Labels, Pair, Signature, Task
from specgen.tasks.splits import SIDES, SplitShares, side_of, split_labels, split_tasks, stratum
from tests.tasks.examples import clamp, labels


def _tasks(count: int, start: int = 0) -> list[Task]:
    kinds = ("Int", "Bool", "List Int", "String")
    difficulties = ("basic", "advanced")
    return [
        clamp(
            f"own_{n}",
            signature=Signature("f", (), kinds[n % 4]),
            difficulty=difficulties[n // 4 % 2],
        )
        for n in range(start, start + count)
    ]


def test_every_task_is_on_one_side_in_order() -> None:
    tasks = _tasks(60)
    split = split_tasks(tasks, seed=3)
    assert sorted([t.id for side in SIDES for t in split.tasks(side)]) == sorted(t.id for t in tasks)
    for side in SIDES:
        order = [tasks.index(t) for t in split.tasks(side)]
        assert order == sorted(order)
        assert all(split.side(t.id) == side for t in split.tasks(side))
    assert split.side("nobody") is None


def test_golden_sides() -> None:
    # Sides are part of what a published number means: they must be the same on every machine and in every version.
    sides = "".join(side_of(task, 0, SplitShares())[1] for task in _tasks(24))
    assert sides == GOLDEN


def test_adding_tasks_moves_nobody() -> None:
    few, many = split_tasks(_tasks(40)), split_tasks(_tasks(120))
    assert all(many.side(t.id) == side for side in SIDES for t in few.tasks(side))
    shuffled = _tasks(40)
    random.Random(1).shuffle(shuffled)
    again = split_tasks(shuffled)
    assert all(again.side(t.id) == side for side in SIDES for t in few.tasks(side))
    assert again.fingerprint() == few.fingerprint() != many.fingerprint()


def test_labels_and_references_do_not_move_a_task() -> None:
    assert side_of(clamp(), 5, SplitShares()) == side_of(clamp(labels=Labels(), references=()), 5, SplitShares())


def test_shares_and_strata_in_expectation() -> None:
    split = split_tasks(_tasks(4000), SplitShares(0.5, 0.2, 0.3))
    assert abs(len(split.train) / 4000 - 0.5) < 0.03
    rows = split.table()
    assert len(rows) == 8
    for _, train, validation, test in rows:
        total = train + validation + test
        assert abs(train / total - 0.5) < 0.1
        assert abs(validation / total - 0.2) < 0.08


def test_seeds_differ() -> None:
    assert len({split_tasks(_tasks(60), seed=s).fingerprint() for s in range(5)}) == 5


def test_groups_stay_together() -> None:
    for seed in range(20):
        sides = {side_of(clamp(f"own_{n}", metadata={"group": "twins"}), seed, SplitShares()) for n in range(5)}
        assert len(sides) == 1


def test_limit_takes_a_part_with_the_same_sides() -> None:
    whole, part = split_tasks(_tasks(60)), split_tasks(_tasks(60), limit=20)
    taken = [t for side in SIDES for t in part.tasks(side)]
    assert len(taken) == 20
    assert all(whole.side(t.id) == part.side(t.id) for t in taken)


def test_minimum_sizes() -> None:
    with pytest.raises(UserError) as caught:
        split_tasks(_tasks(12), minimum={"validation": 6})
    assert "validation side" in caught.value.message
    assert "at least 6" in caught.value.message
    assert caught.value.remedy
    with pytest.raises(UserError, match="at least 1"):
        split_tasks(_tasks(1))
    assert not split_tasks(_tasks(9), SplitShares(0, 0, 1)).train


def test_the_seed_in_the_remedy_works() -> None:
    for seed in range(30):
        try:
            split_tasks(_tasks(8), seed=seed)
        except UserError as error:
            if error.remedy.startswith("Take seed "):
                split_tasks(_tasks(8), seed=int(error.remedy.split()[2].strip(",")))


def test_bad_arguments() -> None:
    with pytest.raises(UserError, match="sum to 1"):
        SplitShares(0.5, 0.5, 0.5)
    with pytest.raises(UserError, match="at least 0"):
        SplitShares(1.5, -0.5, 0)
    with pytest.raises(UserError, match="two tasks have the id own_3"):
        split_tasks([*_tasks(5), clamp("own_3")])
    with pytest.raises(UserError, match="between 0 and 1"):
        split_labels(clamp(), 0, 1.0)


def test_stratum_is_by_kind_of_result() -> None:
    assert stratum(clamp()) == "basic/number/branching"
    assert stratum(clamp(signature=Signature("f", (), "Nat"), metadata={})) == "basic/number/unknown"


# ------------------------------------------------------------------------------------------------------------ examples


def _kinds(task_labels: Labels) -> dict[str, list[object]]:
    return {name: list(getattr(task_labels, name)) for name in ("accepted", "rejected", "required", "forbidden")}


def test_examples_are_split_by_input() -> None:
    split = split_labels(clamp(labels=labels(8)))
    seen = {p.inputs for p in (*split.feedback.accepted, *split.feedback.rejected)} | set(split.feedback.required)
    unseen = {p.inputs for p in (*split.held_out.accepted, *split.held_out.rejected)} | set(split.held_out.required)
    assert len(seen) == len(unseen) == 4
    assert not seen & unseen


def test_a_single_example_is_held_out() -> None:
    only = Labels(accepted=(Pair(("1",), "1"),), required=(("1",),))
    split = split_labels(clamp(labels=only))
    assert split.feedback == Labels()
    assert split.held_out == only


_inputs = st.tuples(st.integers(0, 5).map(str))
_pairs = st.lists(st.builds(Pair, _inputs, st.integers(0, 3).map(str)), max_size=8, unique=True).map(tuple)
_sets = st.lists(_inputs, max_size=6, unique=True).map(tuple)


@given(st.builds(Labels, _pairs, _pairs, _sets, _sets), st.integers(0, 99), st.floats(0.05, 0.95))
def test_example_splits(task_labels: Labels, seed: int, share: float) -> None:
    task = clamp(labels=task_labels)
    split = split_labels(task, seed, share)
    assert split == split_labels(task, seed, share)
    whole, left, right = _kinds(task_labels), _kinds(split.feedback), _kinds(split.held_out)
    for name, items in whole.items():
        assert Counter(left[name]) + Counter(right[name]) == Counter(items)
        assert [x for x in items if x in left[name]] == left[name]
        if len(items) >= 2:
            assert left[name]
            assert right[name]
        elif items:
            assert right[name] == items


GOLDEN = "aerrreeerreeaeerrerareee"
