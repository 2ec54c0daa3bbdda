"""Adequacy, grade, reward and feedback, on checks made by hand."""

from __future__ import annotations

import pytest

from evaluators.adequacy import adequacy
from evaluators.checks import ContractChecks
from evaluators.evidence import Evidence
from evaluators.feedback import feedback
from evaluators.reward import make_reward, reward
from evaluators.scoring import evidence_of, no_output
from evaluators.verifiers.grade import clause_reports, grade
from specgen.errors import UserError
from tests.evaluators.helpers import checks


def by_name(evidence: list[Evidence] | tuple[Evidence, ...]) -> dict[str, Evidence]:
    return {e.metric: e for e in evidence}


def test_adequacy_ratios() -> None:
    found = by_name(adequacy(checks(["hh", "hf"], ["fh", "hf", "hh", "ff"], "hhf", "fh")))
    assert found["R+"].value == 0.5
    assert found["R-"].value == 0.75
    assert found["R_req"].value == pytest.approx(2 / 3)
    assert found["R_rej"].value == 0.5
    assert found["BAcc"].value == 0.625
    assert found["pass"].value == 0.0
    assert found["R-"].witness == "rejected example 2"
    assert found["R+"].items[1].clause == "clause two"


def test_pass_needs_both() -> None:
    assert by_name(adequacy(checks(["hh"], ["fh"])))["pass"].value == 1.0
    assert by_name(adequacy(checks(["hh"], ["hh"])))["pass"].value == 0.0


def test_a_known_failure_decides_pass_in_spite_of_unknowns() -> None:
    found = by_name(adequacy(checks(["hf", "hu"], ["fh"])))
    assert found["R+"].status == "inconclusive"
    assert found["pass"].value == 0.0
    assert found["BAcc"].value is None
    assert (found["BAcc"].lower, found["BAcc"].upper) == (0.5, 0.75)


def test_unknowns_that_could_change_pass_leave_it_open() -> None:
    found = by_name(adequacy(checks(["hh", "hu"], ["fh"])))
    assert found["pass"].status == "inconclusive"
    assert found["pass"].value is None


def test_no_forbidden_inputs_is_not_applicable() -> None:
    found = by_name(adequacy(checks(["hh"], ["fh"], "h")))
    assert found["R_rej"].status == "not_applicable"


@pytest.mark.parametrize(
    ("rows", "value"),
    [(["hh", "hh"], 1.0), (["hf", "hh"], 0.3), (["hf", "hf"], 0.3), (["fh", "hf"], 0.1), (["ff"], 0.1), (["hu"], 1.0)],
)
def test_grade_counts_failing_clauses(rows: list[str], value: float) -> None:
    assert grade(checks(rows)).value == value


def test_grade_ignores_rejected_pairs() -> None:
    assert grade(checks(["hh"], ["hh", "hh"])).value == 1.0


def test_grade_of_what_is_not_well_formed_is_zero_and_of_unsupported_unknown() -> None:
    assert grade(ContractChecks("no", "syntax")).value == 0.0
    unsupported = grade(ContractChecks("unsupported", "Finset"))
    assert (unsupported.status, unsupported.value) == ("unsupported", None)


def test_grade_with_every_clause_undecided_is_inconclusive() -> None:
    e = grade(checks(["uu"]))
    assert (e.status, e.value) == ("inconclusive", None)
    assert "2 of 2 clauses undecided" in e.message


def test_undecided_clauses_are_reported() -> None:
    assert "1 of 2 clauses undecided" in grade(checks(["hu", "hs"])).message
    assert [(r.holds, r.fails, r.unknown) for r in clause_reports(checks(["hu", "hs"]))] == [(2, 0, 0), (0, 0, 2)]


def test_verifier_reward_is_the_grade() -> None:
    assert reward(make_reward("verifier"), evidence_of(checks(["hf"], ["hh"]))).value == 0.3


def test_combined_reward_sees_what_the_verifier_does_not() -> None:
    spec = make_reward("verifier+adequacy")
    vacuous = reward(spec, evidence_of(checks(["hh"], ["hh", "hh"], "h", "h"))).value
    right = reward(spec, evidence_of(checks(["hh"], ["fh", "hf"], "h", "f"))).value
    assert right == 1.0
    assert vacuous == pytest.approx(0.6)


def test_unavailable_parts_are_left_out_and_named() -> None:
    found = reward(make_reward("verifier+adequacy"), evidence_of(checks(["hh"], ["fh"])))
    assert found.value == 1.0
    assert dict(found.left_out) == {"R_req": "not_applicable", "R_rej": "not_applicable"}


def test_lower_rule_counts_the_lower_end() -> None:
    given = evidence_of(checks(["hh"], ["fh", "hu"], "h", "f"))
    assert reward(make_reward("verifier+adequacy"), given).value == 1.0
    assert reward(make_reward("verifier+adequacy", unavailable="lower"), given).value == pytest.approx(0.85)


def test_an_ill_formed_candidate_has_reward_zero_and_an_unsupported_one_none() -> None:
    for name in ("verifier", "verifier+adequacy"):
        assert reward(make_reward(name), evidence_of(ContractChecks("no", "syntax"))).value == 0.0
        assert reward(make_reward(name), no_output("empty")).value == 0.0
        assert reward(make_reward(name), evidence_of(ContractChecks("unsupported", "Finset"))).value is None


def test_no_output_is_a_generation_failure_everywhere_but_the_grade() -> None:
    found = by_name(no_output("no reply"))
    assert found["verifier_grade"].value == 0.0
    assert {e.status for m, e in found.items() if m != "verifier_grade"} == {"generation_failure"}


def test_bad_rewards_are_refused() -> None:
    for name, weights in (("verifer", None), ("verifier+adequacy", {"R++": 1.0}), ("verifier+adequacy", {"R+": -1.0})):
        with pytest.raises(UserError):
            make_reward(name, weights)


def test_feedback_names_clause_pair_and_input() -> None:
    text = feedback(checks(["hf"], ["hh"], "f", "h"), (), ("verifier", "adequacy"))
    assert "`clause two` fails on known-correct behaviour, e.g. accepted example 0" in text
    assert "accepts rejected example 0, which must be rejected" in text
    assert "rejects required input 0, which must be admitted" in text
    assert "accepts forbidden input 0, which must be refused" in text


def test_verifier_feedback_shows_nothing_of_rejected_pairs() -> None:
    text = feedback(checks(["hh"], ["hh"], "f", "h"), (), ("verifier",))
    assert text == "The specification is well formed and holds on all known-correct behaviour."
