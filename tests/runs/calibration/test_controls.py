"""The authored controls come out exactly, through the pipeline that scores any candidate."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import pytest

from evaluators.checks import Check, ContractChecks, Tri
from evaluators.contract import Contract
from evaluators.isolation import make_checker
from evaluators.scoring import Checker
from runs.calibration.controls import CONTROLS, FORMS, METRICS, TASK, Control, Form, measure_controls
from runs.commands.calibrate import controls_json, run_controls
from specgen.tasks.model import Task


@pytest.fixture(scope="module")
def checker() -> Iterator[Checker]:
    with make_checker() as made:
        yield made


def admits(control: Control, x: int) -> bool:
    return {"True": True, "False": False, "x > 0": x > 0}[control.precondition]


def accepts(control: Control, x: int, y: int) -> bool:
    return {
        "y > x": y > x,
        "x < y": x < y,
        "y ≥ x": y >= x,
        "y = x + 1": y == x + 1,
        "True": True,
        "False": False,
    }[control.postcondition]


def share(answers: list[bool]) -> Fraction:
    return Fraction(sum(answers), len(answers))


def test_the_expected_scores_follow_from_the_definitions() -> None:
    """R+, R- and R_req of each control, computed here from its predicates over the labels."""
    labels = TASK.labels
    pairs = {
        kind: [(int(p.inputs[0]), int(p.output)) for p in given]
        for kind, given in (("accepted", labels.accepted), ("rejected", labels.rejected))
    }
    for control in CONTROLS:
        plus = share([accepts(control, x, y) for x, y in pairs["accepted"]])
        minus = share([not accepts(control, x, y) for x, y in pairs["rejected"]])
        required = share([admits(control, int(x)) for (x,) in labels.required])
        assert (plus, minus, required) == control.expected, control


@pytest.mark.parametrize("form", FORMS)
def test_every_control_is_exact(checker: Checker, form: Form) -> None:
    rows = measure_controls(checker, form)
    assert len(rows) == 8
    for row in rows:
        assert [m.found for m in row.measured] == list(row.control.expected), row
        assert row.exact


class Blind:
    """Knows nothing of rejected pairs: every check on them is unknown."""

    def __init__(self, inner: Checker) -> None:
        self._inner = inner

    def check(self, contract: Contract, task: Task) -> ContractChecks:
        found = self._inner.check(contract, task)
        unknown = Tri("unknown", "timeout", "gave up")
        return replace(found, rejected=tuple(Check(c.item, c.shown, unknown) for c in found.rejected))


def test_what_is_unknown_is_not_exact_whatever_is_expected(checker: Checker) -> None:
    """Control five must have R- = 0: an unknown R- is no 0."""
    (row,) = measure_controls(Blind(checker), "prepost", CONTROLS[4:5])
    found = {m.metric: (m.found, m.status, m.exact) for m in row.measured}
    assert found == {
        "R+": (Fraction(1), "observed", True),
        "R-": (None, "timeout", False),
        "R_req": (Fraction(1), "observed", True),
    }
    result = controls_json([[row]], 0.0)
    assert result["exact"] is False
    assert result["rows"][0]["measured"]["prepost"]["R-"]["value"] is None
    assert result["rows"][0]["expected"] == {"R+": "1", "R-": "0", "R_req": "1"}


def test_a_score_that_differs_is_a_finding(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def broken(checker: Checker, form: Form) -> list[object]:
        wrong = replace(CONTROLS[0], expected=(Fraction(1, 2), Fraction(1), Fraction(1)))
        return list(measure_controls(checker, form, [wrong]))

    monkeypatch.setattr("runs.commands.calibrate.measure_controls", broken)
    for as_json in (False, True):
        with pytest.raises(SystemExit) as caught:
            run_controls(as_json)
        assert caught.value.code == 1
    out = capsys.readouterr().out
    assert "1 not 1/2" in out
    assert "0 of 2 exact" in out
    assert json.loads(out.strip().splitlines()[-1])["exact"] is False


def test_the_command_prints_eight_rows_in_both_forms(capsys: pytest.CaptureFixture[str]) -> None:
    run_controls(True)
    result = json.loads(capsys.readouterr().out)
    assert (result["schema"], result["exact"], len(result["rows"])) == (1, True, 8)
    for row, control in zip(result["rows"], CONTROLS, strict=True):
        assert set(row["measured"]) == set(FORMS)
        for form in FORMS:
            values = [Fraction(row["measured"][form][m]["value"]) for m in METRICS]
            assert values == list(control.expected)
    run_controls(False)
    assert "16 of 16 exact" in capsys.readouterr().out
