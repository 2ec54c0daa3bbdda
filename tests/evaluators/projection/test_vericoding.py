"""Contracts of files in the styles of VeriCoding."""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TypeAlias

import pytest

from evaluators.execution import BuiltinChecker, well_formed
from evaluators.projection.form import ProjectionFailure
from evaluators.projection.vericoding import FileContract, vericoding_contract
from specgen.lean.engine import load
from specgen.tasks.model import Labels, Pair

Rows: TypeAlias = Sequence[tuple[str, ...]]
FRAME = (
    "-- <vc-preamble>\n{}\n-- </vc-preamble>\n\n-- <vc-definitions>\n{}\n-- </vc-definitions>\n\n-- <vc-theorems>\n{}\n"
)


def projected(preamble: str, definitions: str, theorems: str) -> FileContract:
    found = vericoding_contract(FRAME.format(preamble, definitions, theorems))
    assert isinstance(found, FileContract), found
    return found


def shares(found: FileContract, accepted: Rows, rejected: Rows) -> tuple[float, float]:
    """Return how many of the accepted pairs hold and how many of the rejected ones fail, as shares."""
    good, bad = (tuple([Pair(row[:-1], row[-1]) for row in rows]) for rows in (accepted, rejected))
    labels = Labels(good, bad)
    checks = BuiltinChecker(trusted=True).check(found.contract, found.task.with_labels(labels))
    assert checks.well_formed == "yes", checks.message
    holds = [c.whole.outcome for c in checks.accepted].count("holds")
    fails = [c.whole.outcome for c in checks.rejected].count("fails")
    return holds / len(accepted), fails / len(rejected)


ACCEPTED: Rows = [("6", "3"), ("7", "3")]
REJECTED: Rows = [("6", "2"), ("7", "4")]


def test_precondition_and_postcondition() -> None:
    found = projected(
        "@[reducible]\ndef half_precond (n : Nat) : Prop := n > 0",
        "def half (n : Nat) (h_precond : half_precond n) : Nat :=\n  sorry",
        "@[reducible]\ndef half_postcond (n : Nat) (result : Nat) (h_precond : half_precond n) : Prop :=\n"
        "  2 * result ≤ n ∧ n < 2 * result + 2\n\n"
        "theorem half_ok (n : Nat) (h : half_precond n) : half_postcond n (half n h) h := by\n  sorry",
    )
    assert found.task.signature.function_type() == "Nat → Nat"
    assert (found.contract.postcondition, found.contract.precondition) == ("half_postcond", "half_precond")
    assert shares(found, ACCEPTED, REJECTED) == (1.0, 1.0)


def test_a_relation() -> None:
    found = projected(
        "",
        "def implementation (n : Nat) : Nat :=\n  sorry",
        "def problem_spec (implementation : Nat → Nat) (n : Nat) :=\n"
        "let spec (r : Nat) := 2 * r ≤ n ∧ n < 2 * r + 2\n∃ r, implementation n = r ∧ spec r\n\n"
        "theorem correctness (n : Nat) : problem_spec implementation n := by\n  sorry",
    )
    assert (found.contract.representation, found.contract.postcondition) == ("relational", "problem_spec")
    assert shares(found, ACCEPTED, REJECTED) == (1.0, 1.0)


def test_theorems_about_the_function_that_they_speak_of() -> None:
    found = projected(
        "structure Bound where\n  top : Nat\n",
        "def helper (n : Nat) : Nat :=\n  sorry\n\ndef half (n : Nat) : Nat :=\n  sorry\n\n"
        "def other (b : Bound) : Nat :=\n  sorry",
        "theorem low (n : Nat) : 2 * half n ≤ n :=\nsorry\n\ntheorem high (n : Nat) : n < 2 * half n + 2 :=\nsorry\n\n"
        "theorem aside (b : Bound) : other b ≤ b.top :=\nsorry",
    )
    assert found.task.signature.name == "half"
    assert shares(found, ACCEPTED, REJECTED) == (1.0, 1.0)


def test_types_of_the_file_are_the_task_s() -> None:
    found = projected(
        "structure Bound where\n  top : Nat\n",
        "def raised (b : Bound) (by_ : Nat) : Bound :=\n  sorry",
        "theorem t (b : Bound) (k : Nat) (h : 0 < k) : (raised b k).top = b.top + k :=\nsorry",
    )
    assert "structure Bound" in found.task.context.preamble
    assert shares(found, [("⟨1⟩", "2", "⟨3⟩")], [("⟨1⟩", "2", "⟨2⟩")]) == (1.0, 1.0)


ONE = "def f (n : Nat) : Nat := sorry"


@pytest.mark.parametrize(
    ("definitions", "theorems", "message"),
    [
        (f"{ONE}\ndef g (n : Nat) : Nat := sorry", "theorem t (n : Nat) : f n = g n + f 0 := sorry", "only declared"),
        (
            "def f {n : Nat} (v : Vector Nat n) : Nat := sorry",
            "theorem t {n : Nat} (v : Vector Nat n) : f v ≥ 0 := sorry",
            "generic",
        ),
        (
            "def f (n : Nat) (i : Fin n) : Nat := sorry",
            "theorem t (n : Nat) (i : Fin n) : f n i ≥ 0 := sorry",
            "depends",
        ),
        (ONE, "theorem t (n m : Nat) : m ≤ n → m ≤ n + 1 := sorry", "speaks of f"),
        ("", "theorem t (n : Nat) : n ≤ n := sorry", "no function"),
    ],
)
def test_what_is_not_projected_says_why(definitions: str, theorems: str, message: str) -> None:
    found = vericoding_contract(FRAME.format("", definitions, theorems))
    assert isinstance(found, ProjectionFailure)
    assert message in found.message


def test_a_sample_of_the_benchmark(shared_data: Path) -> None:
    with gzip.open(shared_data / "vericoding_lean.jsonl.gz", "rt", encoding="utf-8") as lines:
        records = [r for r in map(json.loads, lines) if r["compiles"]][::60]
    good = 0
    for record in records:
        found = vericoding_contract(record["lean"], record["id"])
        if isinstance(found, FileContract):
            program = load(found.contract.source, found.contract.lean)
            good += well_formed(program, found.contract, found.task)[0] == "yes"
    assert good >= 0.6 * len(records)
