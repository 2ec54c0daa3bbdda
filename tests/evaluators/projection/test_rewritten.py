"""References of the starter set, written again in the manner of language models: the same contracts."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from evaluators.execution import BuiltinChecker
from evaluators.scoring import score
from specgen.generators import Candidate
from specgen.tasks import load_dataset
from specgen.tasks.model import Task

TASKS = load_dataset("starter").tasks
CHECKER = BuiltinChecker()


def reference(task: Task) -> tuple[str, str, str]:
    """Return the text of the pre/post reference, the names of its precondition (perhaps empty) and postcondition."""
    found = task.reference("prepost")
    assert found is not None
    return found.text.strip(), found.precondition, found.postcondition


def words(task: Task) -> tuple[str, str, str]:
    """Return binders, the names of the inputs, and the function applied to them."""
    names = [p.name for p in task.signature.parameters]
    return task.signature.binders(), " ".join(names), " ".join([task.signature.name, *names])


def with_short_names(task: Task) -> str:
    text, pre, post = reference(task)
    text = re.sub(rf"\b{post}\b", "post", text)
    return re.sub(rf"\b{pre}\b", "pre", text) if pre else text


def with_theorem(task: Task) -> str:
    text, pre, post = reference(task)
    text = re.sub(rf"\b{post}\b", "Good", text)
    text = re.sub(rf"\b{pre}\b", "Admitted", text) if pre else text
    binders, names, call = words(task)
    guard = f" (h : Admitted {names})" if pre else ""
    return f"{text}\n\ntheorem {task.signature.name}_good {binders}{guard} :\n    Good {names} ({call}) := by\n  sorry"


def with_forall(task: Task) -> str:
    text, pre, post = reference(task)
    _, names, call = words(task)
    types = " ".join(f"({p.name} : {p.type})" for p in reversed(task.signature.parameters))
    guard = f"{pre} {names} → " if pre else ""
    return f"```lean\n{text}\n```\nand\n```lean\ntheorem ok : ∀ {types}, {guard}{post} {names} ({call})\n```"


def with_named_result(task: Task) -> str:
    text, pre, post = reference(task)
    text = re.sub(rf"\b{post}\b", "Good", text)
    binders, names, call = words(task)
    guard = f" (h : {pre} {names})" if pre else ""
    head = f"theorem ok {binders}{guard} (answer : {task.signature.result_type}) (eq : {call} = answer)"
    stub = f"noncomputable def {task.signature.name} {binders} : {task.signature.result_type} := sorry"
    return f"{stub}\n\n{text}\n\n{head} : Good {names} answer := sorry"


def with_relation(task: Task) -> str:
    text, pre, post = reference(task)
    text = re.sub(rf"\b{post}\b", "Good", text)
    binders, names, _ = words(task)
    guard = f"{pre} {names} → " if pre else ""
    head = f"def meets (impl : {task.signature.function_type()}) {binders} : Prop"
    return f"namespace Answer\n\n{text}\n\n{head} :=\n  {guard}∃ r, impl {names} = r ∧ Good {names} r\n\nend Answer"


WAYS: list[Callable[[Task], str]] = [with_short_names, with_theorem, with_forall, with_named_result, with_relation]


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_rewritten_references_are_the_same_contracts(way: Callable[[Task], str]) -> None:
    wrong: list[str] = []
    for task in TASKS:
        s = score(task, Candidate(task.id, "test", way(task)), CHECKER)
        wanted = {m: 1.0 for m in ("R+", "R-", "R_req", "R_rej") if s.get(m).status != "not_applicable"}
        if s.outcome != "well_formed" or {m: s.get(m).value for m in wanted} != wanted:
            wrong.append(f"{task.id}: {s.checks.message} {[(m, s.get(m).value) for m in wanted]} {s.checks.notes}")
    assert wrong == []
