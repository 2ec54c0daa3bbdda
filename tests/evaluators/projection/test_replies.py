"""Replies of many shapes: which are contracts, and that they mean what they say."""

from __future__ import annotations

import pytest

from evaluators.execution import BuiltinChecker
from evaluators.scoring import score
from specgen.generators import Candidate
from specgen.tasks.model import Task
from tests.evaluators.projection.replies import PASSING, REFUSED

CHECKER = BuiltinChecker()


@pytest.mark.parametrize(("task", "reply"), [(t, r) for _, t, r in PASSING], ids=[n for n, _, _ in PASSING])
def test_contracts_of_many_shapes(task: Task, reply: str) -> None:
    s = score(task, Candidate(task.id, "test", reply), CHECKER)
    assert s.outcome == "well_formed", s.checks.message
    assert (s.get("R+").value, s.get("R-").value, s.get("R_req").value) == (1.0, 1.0, 1.0), s.checks
    assert s.get("R_rej").value == (1.0 if task.labels.forbidden else None), s.checks.notes
    assert s.get("verifier_grade").value == 1.0


@pytest.mark.parametrize(
    ("task", "reply", "outcome", "message"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED]
)
def test_what_is_no_contract(task: Task, reply: str, outcome: str, message: str) -> None:
    s = score(task, Candidate(task.id, "test", reply), CHECKER)
    assert s.outcome == outcome, s.checks.message
    assert message in s.checks.message
    assert s.get("R+").value is None
