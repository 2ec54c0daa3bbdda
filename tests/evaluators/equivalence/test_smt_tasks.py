"""Proofs on real contracts: the published rows, references against themselves, and spoiled references."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from evaluators.contract import Contract, lean_env, reference_contract, text_contract, with_preamble
from evaluators.equivalence.model import DIRECTIONS, Direction, Side
from evaluators.equivalence.sides import Judge, Values, candidate_side, reference_side
from evaluators.equivalence.smt import Proved, SmtLimits, prove_all
from specgen.lean.engine import EvalLimits, Value
from specgen.tasks import Task, load_dataset
from specgen.tasks.spoil import SPOIL_KINDS, spoil
from tests.tasks.shared_data import shared

ADD = "def generated_spec (impl : Int → Int → Int) (x y : Int) : Prop := impl x y = x + y"
TRIANGLE = """def generated_spec (impl : Rat → Rat → Rat) (a h : Rat) : Prop :=
  0 ≤ a ∧ 0 ≤ h → impl a h = (a * h) / 2"""
ROOT = """def generated_spec (impl : Nat → Nat) (N : Nat) : Prop :=
  let r := impl N; r * r ≤ N ∧ N < (r + 1) * (r + 1)"""
UNIQUE = """def generated_spec (impl : List Int → List Int) (arr : List Int) : Prop :=
  ∃ result : List Int, impl arr = result ∧ result.Nodup ∧ result.Pairwise (fun a b : Int => a < b) ∧
    ∀ x : Int, x ∈ result ↔ x ∈ arr"""
LIMITS = EvalLimits(wall_s=0.3, fuel=300_000)


def _sides(task: Task, contract: Contract) -> tuple[Side, Side] | None:
    reference, candidate = reference_side(task, contract), candidate_side(task, contract)
    if isinstance(reference, Side) and isinstance(candidate, Side):
        return reference, candidate
    return None


def _proved(sides: tuple[Side, Side], timeout_s: float = 2.0) -> set[Direction]:
    found = prove_all(*sides, DIRECTIONS, SmtLimits(timeout_s=timeout_s))
    return {d for d, r in found.items() if isinstance(r, Proved)}


def _published(task: Task, text: str) -> set[Direction]:
    contract = text_contract(task, text)
    assert isinstance(contract, Contract)
    sides = _sides(task, contract)
    assert sides is not None
    return _proved(sides)


def _task(dataset: str, name: str) -> Task:
    path = shared("verina") if dataset == "verina" else None
    return next(t for t in load_dataset(dataset, path).tasks if t.id == name)


def test_the_published_sum_is_proved() -> None:
    assert _published(_task("clever", "clever_53"), ADD) == set(DIRECTIONS)


def test_the_published_triangle_is_proved_only_where_both_ask_something() -> None:
    # The reference reads `a = 0 → …` around its whole body: it promises for those inputs only what the candidate does.
    assert _published(_task("clever", "clever_45"), TRIANGLE) == {"post_forward", "post_backward"}


def test_the_published_root_is_proved() -> None:
    assert _published(_task("verina", "verina_basic_65"), ROOT) == set(DIRECTIONS)


def test_the_published_unique_elements_need_more_than_the_rules() -> None:
    assert _published(_task("verina", "verina_advanced_81"), UNIQUE) == {"pre_forward", "pre_backward"}


# -------------------------------------------------------------------------------------------- references, as they stand


def _unproved(tasks: Sequence[Task]) -> tuple[int, list[str]]:
    """Return how many references could be compared with themselves, and those not proved in all directions."""
    compared, out = 0, []
    for task in tasks:
        for source in task.references:
            contract = reference_contract(task, source.representation)
            assert contract is not None
            sides = _sides(task, contract)
            if sides is None:
                continue
            compared += 1
            if _proved(sides) != set(DIRECTIONS):
                out.append(task.id)
    return compared, out


def test_starter_references_are_proved_equivalent_to_themselves() -> None:
    compared, unproved = _unproved(load_dataset("starter").tasks)
    assert compared > 100
    assert not unproved


def test_clever_references_are_proved_equivalent_to_themselves() -> None:
    compared, unproved = _unproved(load_dataset("clever").tasks[::8])
    assert len(unproved) <= compared // 20, unproved


def test_verina_references_are_proved_equivalent_to_themselves() -> None:
    compared, unproved = _unproved(load_dataset("verina", shared("verina")).tasks[::8])
    assert len(unproved) <= compared // 20, unproved


# ------------------------------------------------------------------------------------------------------------- spoiled


@dataclass(frozen=True, slots=True)
class _Examples:
    inputs: tuple[Values, ...]
    pairs: tuple[tuple[Values, Value], ...]


def _examples(task: Task, judge: Judge) -> _Examples:
    """Return labelled inputs and pairs, and inputs with the results of others."""
    pairs = []
    for pair in (*task.labels.accepted, *task.labels.rejected):
        inputs, output = judge.read_inputs(pair.inputs), judge.read(pair.output, judge.types.result)
        if inputs is not None and output is not None:
            pairs.append((inputs, output))
    crossed = [(i, o) for (i, _), (_, o) in zip(pairs[::2], reversed(pairs[::2]), strict=True)]
    read = [judge.read_inputs(x) for x in (*task.labels.required, *task.labels.forbidden)]
    inputs_only = [i for i in read if i is not None] + [i for i, _ in pairs[::4]]
    return _Examples(tuple(inputs_only[:16]), (*pairs[:24], *crossed[:12]))


def _refuted(sides: tuple[Side, Side], direction: Direction, judge: Judge, examples: _Examples) -> bool:
    """Tell whether the engine finds an example against a direction."""
    reference, candidate = sides
    first, second = (reference, candidate) if direction.endswith("forward") else (candidate, reference)
    if direction.startswith("pre"):
        return any(judge.pre(first, i) == "holds" and judge.pre(second, i) == "fails" for i in examples.inputs)
    return any(
        judge.pre(reference, i) == "holds"
        and judge.post(first, i, o) == "holds"
        and judge.post(second, i, o) == "fails"
        for i, o in examples.pairs
    )


def _wrong_proofs(tasks: Sequence[Task], per_kind: int) -> tuple[int, int, list[str]]:
    """Spoil references; return how many were compared, directions proved, and proofs that an example contradicts."""
    compared = directions = 0
    wrong: list[str] = []
    for task in tasks:
        judge = Judge(task, LIMITS)
        examples = _examples(task, judge)
        for source in task.references:
            for spoiled in spoil(task, source.representation, limit_per_kind=per_kind):
                if spoiled.kind in ("ill_typed", "unparsable"):
                    continue
                sides = _spoiled_sides(task, spoiled.contract.text, spoiled.contract.precondition, source.postcondition)
                if sides is None:
                    continue
                compared += 1
                found = _proved(sides, 0.5)
                directions += len(found)
                wrong += [
                    f"{task.id}: {spoiled.kind} ({spoiled.touched}): {d}"
                    for d in found
                    if _refuted(sides, d, judge, examples)
                ]
    return compared, directions, wrong


def _spoiled_sides(task: Task, text: str, precondition: str, postcondition: str) -> tuple[Side, Side] | None:
    source, own = with_preamble(task, text)
    representation = next(r.representation for r in task.references if r.postcondition == postcondition)
    lean = lean_env(task.context)
    return _sides(task, Contract(task.id, representation, source, lean, postcondition, precondition, (), own))


def test_a_spoiled_starter_reference_is_never_proved_against_an_example() -> None:
    assert len(SPOIL_KINDS) == 7
    compared, directions, wrong = _wrong_proofs(load_dataset("starter").tasks[::16], 2)
    assert not wrong
    assert compared > 20
    assert directions > compared  # most edits leave a direction that is true


@pytest.mark.parametrize("dataset", ["clever", "verina"])
def test_a_spoiled_public_reference_is_never_proved_against_an_example(dataset: str) -> None:
    path = shared("verina") if dataset == "verina" else None
    compared, _, wrong = _wrong_proofs(load_dataset(dataset, path).tasks[::48], 1)
    assert not wrong
    assert compared > 5
