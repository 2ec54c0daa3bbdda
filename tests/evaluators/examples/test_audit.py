"""The audit notices what it is for: enrichment is broken on purpose in one place after the other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from evaluators.checks import Tri
from evaluators.examples import EnrichOptions, enrich
from evaluators.examples.enrich import _Enricher
from evaluators.examples.model import Enrichment
from evaluators.examples.reference import Input
from specgen.tasks.model import Labels, Task
from tests.evaluators.examples.audit import audit
from tests.evaluators.examples.tasks import FIRST, LARGER, PLACES, pairs

OPTIONS = EnrichOptions(mode="extend", per_pair=4, rejected=200, required=24, accepted=24)
TASKS = (LARGER, FIRST, PLACES, FIRST.with_labels(replace(FIRST.labels, rejected=pairs(("[3]", "0", "4")))))

Patch = Callable[[pytest.MonkeyPatch], None]


def mutants_are_never_right(monkeypatch: pytest.MonkeyPatch) -> None:
    """The reference is not asked about mutants, and other accepted outputs count as wrong."""
    original = _Enricher._make_rejected

    def rejected(self: _Enricher) -> None:
        self.accepted_keys = {key: set() for key in self.accepted_keys}
        monkeypatch.setattr(self.reference, "post", lambda x, y: Tri("fails"))
        original(self)

    monkeypatch.setattr(_Enricher, "_make_rejected", rejected)


def accepted_outputs_are_mutants(monkeypatch: pytest.MonkeyPatch) -> None:
    """The reference rejects the accepted outputs of an input, and they are not noted."""
    original = _Enricher._make_rejected

    def rejected(self: _Enricher) -> None:
        right = {(key, y) for key, ys in self.accepted_keys.items() for y in ys}
        asked = self.reference.post
        self.accepted_keys = {key: set() for key in self.accepted_keys}
        monkeypatch.setattr(
            self.reference, "post", lambda x, y: Tri("fails") if (x.key, y.key) in right else asked(x, y)
        )
        original(self)

    monkeypatch.setattr(_Enricher, "_make_rejected", rejected)


def inputs_are_not_filtered(monkeypatch: pytest.MonkeyPatch) -> None:
    """The precondition admits every further input."""
    original = _Enricher._make_further

    def further(self: _Enricher, examples: list[Input]) -> None:
        monkeypatch.setattr(self.reference, "pre", lambda x: Tri("holds"))
        monkeypatch.setattr(self.reference, "post", lambda x, y: Tri("holds"))
        original(self, examples)

    monkeypatch.setattr(_Enricher, "_make_further", further)


def every_input_outside_is_forbidden(monkeypatch: pytest.MonkeyPatch) -> None:
    """Inputs that the precondition admits are forbidden."""
    original = _Enricher._make_forbidden

    def forbidden(self: _Enricher, examples: list[Input]) -> None:
        monkeypatch.setattr(self.reference, "admits_everything", lambda: False)
        monkeypatch.setattr(self.reference, "pre", lambda x: Tri("fails"))
        original(self, examples)
        monkeypatch.undo()

    monkeypatch.setattr(_Enricher, "_make_forbidden", forbidden)


def keys_are_not_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing that is made is noted, nor what is there: duplicates stay."""
    original = _Enricher._note_labels

    class Nothing(set[Any]):
        def __contains__(self, item: object) -> bool:
            return False

        def __or__(self, other: object) -> Nothing:
            return self

    def note(self: _Enricher) -> None:
        original(self)
        self.required_keys, self.forbidden_keys, self.paired = Nothing(), Nothing(), Nothing()
        self.rejected_keys = {key: Nothing() for key in self.accepted_keys}

    monkeypatch.setattr(_Enricher, "_note_labels", note)


def made_labels_stand_in_front(monkeypatch: pytest.MonkeyPatch) -> None:
    """The task's own labels lose their places."""
    original = _Enricher.result

    def result(self: _Enricher) -> Enrichment:
        found = original(self)
        labels = found.task.labels
        turned = Labels(labels.accepted[::-1], labels.rejected[::-1], labels.required[::-1], labels.forbidden[::-1])
        return replace(found, task=found.task.with_labels(turned))

    monkeypatch.setattr(_Enricher, "result", result)


def origins_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """A made label has no origin."""
    original = _Enricher.result

    def result(self: _Enricher) -> Enrichment:
        found = original(self)
        return replace(found, origins={kind: rows[1:] for kind, rows in found.origins.items()})

    monkeypatch.setattr(_Enricher, "result", result)


def one_pair_has_all_mutants(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bound of a pair is not kept."""
    original = _Enricher._make_rejected

    def rejected(self: _Enricher) -> None:
        self.options = replace(self.options, per_pair=1_000)
        original(self)
        self.options = OPTIONS

    monkeypatch.setattr(_Enricher, "_make_rejected", rejected)


PATCHES: tuple[Patch, ...] = (
    mutants_are_never_right,
    accepted_outputs_are_mutants,
    inputs_are_not_filtered,
    every_input_outside_is_forbidden,
    keys_are_not_compared,
    made_labels_stand_in_front,
    origins_are_forgotten,
    one_pair_has_all_mutants,
)


def faults(tasks: tuple[Task, ...]) -> list[str]:
    """What the audit finds in the enrichments of some tasks."""
    return [fault for one in tasks for fault in audit(one, enrich(one, OPTIONS))]


def test_the_unbroken_enrichment_passes() -> None:
    assert faults(TASKS) == []


@pytest.mark.parametrize("patch", PATCHES, ids=lambda p: p.__name__)
def test_the_audit_notices(patch: Patch, monkeypatch: pytest.MonkeyPatch) -> None:
    patch(monkeypatch)
    assert faults(TASKS)
