"""Spoiled contracts: one stated edit each, and what its kind promises."""

from __future__ import annotations

from collections import Counter

import pytest

from specgen.errors import UserError
from specgen.lean import syntax as s
from specgen.lean.parser import parse_file, parse_term
from specgen.tasks._props import skeleton
from specgen.tasks.clever import load_clever
from specgen.tasks.model import Representation, Task
from specgen.tasks.normalise import neutral_names, neutral_task, rename, rename_prose
from specgen.tasks.spoil import SPOIL_KINDS, SpoiledContract, contract_fields, spoil
from specgen.tasks.starter import load_starter
from tests.tasks.examples import clamp


def _posts(task: Task, kind: str) -> list[str]:
    return [
        " ".join(c.fields.postcond.split())
        for c in spoil(task)
        if c.kind == kind and c.part == "postcondition" and c.fields is not None
    ]


def test_dropped_clauses() -> None:
    assert _posts(clamp(), "dropped_clause") == [
        "result ≤ high ∧ (low ≤ x ∧ x < high → result = x)",
        "low ≤ result ∧ (low ≤ x ∧ x < high → result = x)",
        "low ≤ result ∧ result ≤ high",
    ]


def test_comparisons_are_weakened_and_strengthened_by_polarity() -> None:
    weak, strong = _posts(clamp(), "weakened"), _posts(clamp(), "strengthened")
    # In a guard a stronger comparison weakens the contract.
    assert "low ≤ result ∧ result ≤ high ∧ (low < x ∧ x < high → result = x)" in weak
    assert "low ≤ result ∧ result ≤ high ∧ (low ≤ x ∧ x < high → result ≤ x)" in weak
    assert "low < result ∧ result ≤ high ∧ (low ≤ x ∧ x < high → result = x)" in strong
    assert "low ≤ result ∧ result ≤ high ∧ (low ≤ x ∧ x ≤ high → result = x)" in strong
    assert "low ≤ result ∧ result ≤ high ∧ (((low ≤ x ∧ x < high) ∧ (result = x)))" in strong


def test_restricted_inputs() -> None:
    restricted = [c for c in spoil(clamp()) if c.kind == "restricted_input"]
    assert restricted[0].part == "precondition"
    assert restricted[0].fields is not None
    assert restricted[0].fields.precond == "(low ≤ high) ∧ x ≠ 0"
    bare = clamp()
    prepost = bare.references[0]
    post = prepost.text.split("\n\n", maxsplit=1)[1]
    without = clamp(references=(type(prepost)("prepost", post, "clamp_postcond"),))
    added = next(c for c in spoil(without) if c.kind == "restricted_input")
    assert added.contract.precondition == "clamp_precond"
    assert "def clamp_precond (x : Int) (low : Int) (high : Int) : Prop :=\n  x ≠ 0" in added.contract.text
    assert added.fields is not None
    assert (added.fields.precond, added.fields.precond_aux, added.fields.postcond_aux) == ("x ≠ 0", "", "")


def test_relational() -> None:
    every = spoil(clamp(), "relational")
    kinds = Counter(c.kind for c in every)
    assert set(kinds) == set(SPOIL_KINDS)
    dropped = [" ".join(c.contract.text.split()) for c in every if c.kind == "dropped_clause"]
    assert len(dropped) == 2
    assert all("∃ result, impl x low high = result ∧ spec result" in text for text in dropped)
    assert "low ≤ high → result ≤ high;" in dropped[0]
    guarded = next(c for c in every if c.kind == "restricted_input").contract.text
    assert "x ≠ 0 → (let spec" in guarded


def test_skeleton_clauses() -> None:
    text = "let y := 1; (a ∧ b) ∧ (c → d ∧ e) ∧ ∀ k, k < 2 → f k"
    term = parse_term(text).term
    assert term is not None
    bones = skeleton(term)
    assert [text[slice(*span)] for span in bones.clauses] == ["a", "b", "d", "e", "∀ k, k < 2 → f k"]
    (site,) = [x for x in bones.sites if isinstance(x.node, s.BinOp) and x.node.op == "<"]
    assert not site.positive
    assert site.clause == 4


def _promises(task: Task, representation: Representation) -> list[SpoiledContract]:
    reference = task.reference(representation)
    assert reference is not None
    every = spoil(task, representation)
    assert every == spoil(task, representation)
    assert len({c.contract.text for c in every}) == len(every)
    assert reference.text not in {c.contract.text for c in every}
    order = [SPOIL_KINDS.index(c.kind) for c in every]
    assert order == sorted(order)
    for spoiled in every:
        broken = bool(parse_file(spoiled.contract.text).diagnostics)
        assert broken == (spoiled.kind == "unparsable"), (task.id, spoiled.touched)
        assert spoiled.contract.representation == representation
        assert f"def {spoiled.contract.postcondition}" in spoiled.contract.text
        assert spoiled.touched
        assert (spoiled.fields is not None) == (representation == "prepost")
    assert {"vacuous", "ill_typed", "unparsable"} <= {c.kind for c in every}
    return list(every)


def test_starter_set() -> None:
    kinds = Counter[str]()
    for task in load_starter():
        for reference in task.references:
            kinds.update({c.kind for c in _promises(task, reference.representation)})
    assert all(kinds[kind] >= 60 for kind in SPOIL_KINDS)


def test_clever() -> None:
    for task in load_clever().tasks[::8]:
        _promises(task, "relational")


def test_fields_make_the_contract_again() -> None:
    for task in load_starter():
        reference = task.reference("prepost")
        if reference is None:
            continue
        fields = contract_fields(reference)
        for body in (fields.precond, fields.postcond):
            assert not parse_file(
                "def p : Prop :=\n" + "\n".join("  " + line for line in body.splitlines())
            ).diagnostics
        whole = "".join(reference.text.split())
        for text in (fields.precond_aux, fields.postcond_aux, fields.postcond):
            assert "".join(text.split()) in whole


def test_limit_and_errors() -> None:
    assert max(Counter(c.kind for c in spoil(clamp(), limit_per_kind=1)).values()) == 1
    with pytest.raises(UserError, match="no relational reference"):
        spoil(clamp(references=clamp().references[:1]), "relational")
    prepost = clamp().references[0]
    with pytest.raises(UserError, match="own_clamp cannot be spoiled"):
        spoil(clamp(references=(type(prepost)("prepost", "def clamp_postcond := (", "clamp_postcond"),)))


# ------------------------------------------------------------------------------------------------------- neutral names


def test_neutral_task() -> None:
    task = neutral_task(clamp())
    assert task.id == "own_clamp~neutral"
    assert task.signature.function_type() == clamp().signature.function_type()
    assert [p.name for p in task.signature.parameters] == ["x1", "x2", "x3"]
    assert task.signature.name == "target"
    reference = task.reference("prepost")
    assert reference is not None
    assert (reference.precondition, reference.postcondition) == ("target_precond", "target_postcond")
    assert "def target_postcond (x1 : Int) (x2 x3 : Int) (result : Int)" in reference.text
    assert "-- inside, `x` stays" in reference.text
    assert task.implementation is not None
    assert task.implementation.name == "target"
    assert "def target (x1" in task.implementation.text
    assert "`x1` between" in task.requirement
    assert task.labels == clamp().labels


def test_renaming_leaves_fields_and_literals() -> None:
    names = {"xs": "x1", "f": "target"}
    assert rename('f xs.length (p.xs) "xs" xs\' f.go', names) == 'target x1.length (p.xs) "xs" xs\' target.go'
    assert rename_prose("a: take a cake of isBig", {"a": "x1", "isBig": "target"}) == "x1: take a cake of target"


def test_fresh_names() -> None:
    used = clamp(
        requirement="",
        references=(),
        implementation=None,
        context=type(clamp().context)("4.24.0", (), "def target := x1"),
    )
    assert neutral_names(used)["clamp"] == "target'"
    assert neutral_names(used)["x"] == "x1'"


def test_neutral_starter_set_still_parses() -> None:
    for task in map(neutral_task, load_starter()):
        for reference in task.references:
            assert not parse_file(task.context.preamble + "\n" + reference.text).diagnostics, task.id
