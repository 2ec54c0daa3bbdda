"""Rewritten references are never refuted, spoiled ones never found equivalent where their meaning changed.

A small seeded sample; all of the starter set, CLEVER and VERINA: `python -m bench.equivalence`.
"""

from __future__ import annotations

import pytest

from bench.equivalence import contradicted, rewritten, spoiled, verdict
from evaluators.contract import reference_contract
from evaluators.equivalence import EquivalenceOptions
from evaluators.equivalence.evaluate import Comparison
from evaluators.equivalence.rewrite import REWRITE_KINDS, rewritings
from specgen.tasks import Task, load_dataset
from tests.evaluators.equivalence.contracts import NAT, task

TASKS = load_dataset("starter").tasks
OPTIONS = EquivalenceOptions(wall_s=3.0)


@pytest.mark.parametrize("of", TASKS[5::25], ids=lambda t: str(t.id))
def test_rewritten_references_are_equivalent(of: Task) -> None:
    found = {(p.kind, p.done): verdict(p, OPTIONS)[0] for p in rewritten(of)}
    assert len(found) >= 8
    assert set(found.values()) <= {"identical", "proved"}, found


@pytest.mark.parametrize("of", TASKS[3::25], ids=lambda t: str(t.id))
def test_spoiled_references_are_refuted(of: Task) -> None:
    ends = []
    for pair in spoiled(of, limit_per_kind=1):
        end, found = verdict(pair, OPTIONS)
        assert isinstance(found, Comparison)
        assert contradicted(pair, found, 0.2) == []
        ends.append(end)
    assert ends.count("refuted") >= 0.75 * len(ends)


def test_kinds_and_that_they_need_the_right_types() -> None:
    text = "def post (n y : Nat) : Prop := (∀ k, k < n → k ≠ y) ∧ n ≤ y + 1"
    of = task(NAT, text)
    own = reference_contract(of)
    assert own is not None
    found = rewritings(of, own, per_kind=3)
    assert {r.kind for r in found} == set(REWRITE_KINDS)
    assert len({r.contract.source for r in found}) == len(found)
    assert found == rewritings(of, own, per_kind=3)
    ordered = {r.contract.source.partition(":= ")[2] for r in found if r.kind == "order"}
    assert any("(n) < (y + 1) + 1" in source for source in ordered)
    mixed = task(NAT, text + ' ∧ "a" < "b"')
    contract = reference_contract(mixed)
    assert contract is not None
    assert "order" not in {r.kind for r in rewritings(mixed, contract)}
