"""References of the data sets are contracts in normal form."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluators.contract import reference_contract
from evaluators.execution import normal_form, well_formed
from specgen.lean.engine import load
from specgen.tasks import load_dataset
from specgen.tasks.model import Task


def projected(tasks: tuple[Task, ...]) -> tuple[dict[str, int], int, list[str]]:
    """Return well-formed references by representation, those with a guard, and what is wrong with the others."""
    count: dict[str, int] = {}
    guarded = 0
    wrong: list[str] = []
    for task in tasks:
        for source in task.references:
            contract = reference_contract(task, source.representation)
            assert contract is not None
            program = load(contract.source, contract.lean)
            verdict, message = well_formed(program, contract, task, trusted=True)
            form = normal_form(program, contract)
            if verdict != "yes" or form.unknown:
                wrong.append(f"{task.id}: {message or form.unknown}")
                continue
            count[source.representation] = count.get(source.representation, 0) + 1
            guarded += source.representation == "relational" and form.precondition != ""
    return count, guarded, wrong


def test_the_starter_set_in_both_representations() -> None:
    tasks = load_dataset("starter").tasks
    count, guarded, wrong = projected(tasks)
    assert wrong == []
    assert count == {"prepost": len(tasks), "relational": len(tasks)}
    # Guarded exactly where the pre/post reference has a precondition.
    assert guarded == sum(bool(r.precondition) for t in tasks for r in t.references if r.representation == "prepost")


def test_clever() -> None:
    pytest.importorskip("clever_bench")
    count, guarded, wrong = projected(load_dataset("clever").tasks)
    assert (count, guarded) == ({"relational": 159}, 50)
    # Polynomials are not in the engine's tables.
    assert [w.partition(":")[0] for w in wrong] == ["clever_32", "clever_62"]
    assert all("Polynomial" in w for w in wrong)


def test_verina(shared_data: Path) -> None:
    count, _, wrong = projected(load_dataset("verina", shared_data / "verina").tasks)
    assert (count, wrong) == ({"prepost": 139}, [])
