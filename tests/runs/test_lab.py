"""The training-signal lab: its instrument-testing experiments, on few seeds."""

from __future__ import annotations

import json

import pytest

from runs.commands.lab import list_experiments, run_experiments
from runs.lab import EXPERIMENTS, run_lab
from runs.lab.experiments import at_least, has_sign, memorised, share_at_most
from runs.lab.setting import make_setting
from specgen.errors import UserError


@pytest.mark.parametrize("name", ["memorised-feedback", "biased-judge", "strong-weak"])
def test_the_known_answer_comes_out(name: str) -> None:
    found = run_lab(EXPERIMENTS[name], 1)
    assert found.holds, found.reason
    assert len(found.outcomes) == 1 and set(found.means()) == set(found.outcomes[0].values)


def test_a_comparison_of_an_arm_with_itself_is_seldom_significant() -> None:
    assert run_lab(EXPERIMENTS["a-a"], 1, first=40).means()["significant"] <= 0.3


def test_a_memorised_contract_rejects_what_it_has_seen_and_nothing_else() -> None:
    setting = make_setting(0)
    feedback = next(t for t in setting.test_feedback if t.labels.rejected)
    text = memorised(feedback).text
    assert all(pair.output in text for pair in feedback.labels.rejected)
    assert memorised(feedback).simulated


def test_verdicts() -> None:
    assert has_sign("positive")([0.1] * 8)[0] and not has_sign("negative")([0.1] * 8)[0]
    assert not has_sign("positive")([0.1, -0.1] * 4)[0]
    assert at_least(0.5)([0.4, 0.6])[0] and not at_least(0.5)([0.4, 0.5])[0]
    assert share_at_most(0.05)([0.0] * 20)[0] and not share_at_most(0.05)([0.2] * 20)[0]


def test_the_same_seed_gives_the_same_numbers() -> None:
    experiment = EXPERIMENTS["strong-weak"]
    assert run_lab(experiment, 1) == run_lab(experiment, 1)


def test_the_commands(capsys: pytest.CaptureFixture[str]) -> None:
    list_experiments(as_json=True)
    shown = json.loads(capsys.readouterr().out)
    assert shown["simulated"] and {e["name"] for e in shown["experiments"]} == set(EXPERIMENTS)
    assert run_experiments(["memorised-feedback"], 1, as_json=False)
    assert "simulated models, 1 seeds" in capsys.readouterr().out
    with pytest.raises(UserError, match="no lab experiment"):
        run_experiments(["memorized"], 1, as_json=False)
    with pytest.raises(ValueError, match="at least one seed"):
        run_lab(EXPERIMENTS["a-a"], 0)
