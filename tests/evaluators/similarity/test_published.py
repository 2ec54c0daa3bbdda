"""The published rows, and the references of the public benchmarks against themselves."""

from __future__ import annotations

import pytest

from evaluators.contract import reference_contract, text_contract
from evaluators.evidence import Evidence
from evaluators.similarity import similarity
from specgen.tasks import Dataset, Task, load_dataset
from tests.tasks.shared_data import shared

ADD = "def generated_spec (impl : Int → Int → Int) (x y : Int) : Prop := impl x y = x + y"
TRIANGLE = """def generated_spec (impl : Rat → Rat → Rat) (a h : Rat) : Prop :=
  0 ≤ a ∧ 0 ≤ h → impl a h = (a * h) / 2"""
ROOT = """def generated_spec (impl : Nat → Nat) (N : Nat) : Prop :=
  let r := impl N; r * r ≤ N ∧ N < (r + 1) * (r + 1)"""
UNIQUE = """def generated_spec (impl : List Int → List Int) (arr : List Int) : Prop :=
  ∃ result : List Int, impl arr = result ∧ result.Nodup ∧ result.Pairwise (fun a b : Int => a < b) ∧
    ∀ x : Int, x ∈ result ↔ x ∈ arr"""
CLEVER_ROWS = {"clever_53": (ADD, 12, 26), "clever_45": (TRIANGLE, 20, 39)}
VERINA_ROWS = {"verina_basic_65": (ROOT, 16, 28), "verina_advanced_81": (UNIQUE, 6, 36)}


def paper(task: Task, text: str) -> dict[str, Evidence]:
    return {e.metric: e for e in similarity(task, text_contract(task, text), "paper")}


def check_rows(dataset: Dataset, rows: dict[str, tuple[str, int, int]]) -> None:
    for task in dataset.tasks:
        if task.id in rows:
            text, twice_overlap, both = rows[task.id]
            found = paper(task, text)
            assert found["NEM"].value == 0
            assert found["signature_f1"].value == 1
            assert (found["atom_f1"].numerator, found["atom_f1"].denominator) == (twice_overlap, both), task.id


def like_themselves(dataset: Dataset) -> None:
    for task in dataset.tasks:
        for source in task.references:
            contract = reference_contract(task, source.representation)
            assert contract is not None
            assert {e.value for e in similarity(task, contract)} == {1.0}, task.id


@pytest.fixture(scope="module")
def clever() -> Dataset:
    return load_dataset("clever")


def test_clever_rows(clever: Dataset) -> None:
    assert set(CLEVER_ROWS) <= {t.id for t in clever.tasks}
    check_rows(clever, CLEVER_ROWS)


def test_clever_references_are_like_themselves(clever: Dataset) -> None:
    like_themselves(clever)


def test_verina_rows_and_references() -> None:
    verina = load_dataset("verina", shared("verina"))
    check_rows(verina, VERINA_ROWS)
    like_themselves(verina)


def test_a_relational_candidate_is_the_prepost_reference() -> None:
    """The published comparison of this row scored 0.444 for what is clause for clause the reference."""
    task = next(t for t in load_dataset("verina", shared("verina")).tasks if t.id == "verina_basic_65")
    assert [e.value for e in similarity(task, text_contract(task, ROOT))] == [None, 1, 1, 1, 1]
