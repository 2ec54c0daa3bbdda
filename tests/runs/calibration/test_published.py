"""The published rows measured again, and what is said of the differences."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evaluators.evidence import Evidence, Status
from evaluators.isolation import make_tools
from runs.calibration.published import EQUIVALENCE, EQUIVALENT, REFUTED, ROWS, Published, compare, measure_published
from runs.commands.calibrate import published_json, run_published


def counts(numerator: int, denominator: int, metric: str = "R+") -> Evidence:
    value = numerator / denominator
    return Evidence(metric, "observed", value, value, value, numerator=numerator, denominator=denominator)


def nothing(status: Status, metric: str = "R+") -> Evidence:
    return Evidence(metric, status, message="said why")


def equivalence(value: float, scope: str) -> Evidence:
    return Evidence(EQUIVALENCE, "observed", value, value, value, scope=scope, witness="a := 2" if not value else "")


@pytest.mark.parametrize(
    ("published", "evidence", "verdict", "found"),
    [
        (Published("R+", "5/5", "5/5"), counts(5, 5), "agrees", "5/5"),
        (Published("R+", "0/5", "5/5", "why"), counts(5, 5), "corrects", "5/5"),
        (Published("R+", "0/5", "5/5"), counts(4, 5), "wrong", "4/5"),
        (Published("R+", "5/5", "5/5"), counts(10, 10), "wrong", "10/10"),
        (Published("R+", "5/5", "5/5"), nothing("timeout"), "undecided", "– (timeout)"),
        (Published("R+"), counts(1, 2), "measured", "1/2"),
        (Published("R+"), nothing("not_applicable"), "measured", "– (not_applicable)"),
        (Published("R+"), None, "not measured", "–"),
        (Published("atom_f1", "0.444", because="why"), counts(4, 9, "atom_f1"), "agrees", "0.444 (4/9)"),
        (Published("atom_f1", "0.444", because="why"), counts(16, 28, "atom_f1"), "differs", "0.571 (16/28)"),
        (Published("NEM", "0", "0"), counts(0, 1, "NEM"), "agrees", "0"),
        (Published("NEM", "0", "0"), counts(1, 1, "NEM"), "wrong", "1"),
        (Published(EQUIVALENCE, "proved", EQUIVALENT), equivalence(1.0, "identical"), "agrees", "identical"),
        (Published(EQUIVALENCE, "", EQUIVALENT), equivalence(1.0, "proved(z3)"), "measured", "proved(z3)"),
        (Published(EQUIVALENCE, "", REFUTED), equivalence(0.0, "refuted"), "measured", "refuted"),
        (Published(EQUIVALENCE, "", REFUTED), equivalence(1.0, "identical"), "wrong", "identical"),
        (Published(EQUIVALENCE, "", EQUIVALENT), nothing("inconclusive", EQUIVALENCE), "undecided", "– (inconclusive)"),
    ],
)
def test_comparison(published: Published, evidence: Evidence | None, verdict: str, found: str) -> None:
    c = compare(published, evidence)
    assert (c.verdict, c.found) == (verdict, found)
    assert c.unmet == (verdict == "wrong" or (verdict == "undecided" and bool(published.right)))
    if verdict in ("differs", "corrects"):
        assert c.message == published.because
    if evidence is not None and evidence.value is None:
        assert (c.value, c.message) == (None, "said why")


def test_each_row_names_the_six_scores() -> None:
    assert [r.task_id for r in ROWS] == ["verina_basic_65", "verina_advanced_81", "clever_53", "clever_45"]
    for row in ROWS:
        assert [p.metric for p in row.scores] == ["NEM", "signature_f1", "atom_f1", "R+", "R-", EQUIVALENCE]


def test_clever_rows_without_a_path() -> None:
    with make_tools() as tools:
        reports = measure_published(tools, None)
    assert [bool(r.unavailable) for r in reports] == [True, True, False, False]
    assert "give --path" in reports[0].unavailable
    for report, atoms in zip(reports[2:], ("0.462 (12/26)", "0.513 (20/39)"), strict=True):
        found = {c.metric: c for c in report.comparisons}
        assert (found["NEM"].verdict, found["signature_f1"].verdict) == ("agrees", "agrees")
        assert (found["atom_f1"].found, found["atom_f1"].verdict) == (atoms, "differs")
        assert "which tokens its atoms leave out" in found["atom_f1"].message
        assert found["R+"].found == "2/2"
        assert (found["R-"].value, found["R-"].status) == (None, "not_applicable")
        assert found[EQUIVALENCE].verdict in ("measured", "not measured")
    result = published_json(reports, 1.0)
    assert (result["schema"], result["unmet"]) == (1, 0)
    assert result["rows"][0] == {
        "task": "verina_basic_65",
        "name": "VERINA basic_65",
        "available": False,
        "reason": reports[0].unavailable,
        "scores": [],
    }


def test_verina_rows(shared_data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run_published(shared_data / "verina", True)
    result = json.loads(capsys.readouterr().out)
    scores = [{s["metric"]: s for s in r["scores"]} for r in result["rows"]]
    assert [(s["R+"]["ours"], s["R-"]["ours"]) for s in scores[:2]] == [("5/5", "13/13"), ("5/5", "15/15")]
    assert [(s["R+"]["verdict"], s["R-"]["verdict"]) for s in scores[:2]] == [("agrees",) * 2, ("corrects",) * 2]
    assert [s["atom_f1"]["value"] for s in scores] == pytest.approx([16 / 28, 6 / 36, 12 / 26, 20 / 39])
    assert result["unmet"] == 0


def test_an_unmet_row_is_a_finding(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("runs.commands.calibrate.published_json", lambda reports, wall_s: {"unmet": 1})
    monkeypatch.setattr("runs.commands.calibrate.measure_published", lambda tools, path: [])
    with pytest.raises(SystemExit) as caught:
        run_published(None, True)
    assert caught.value.code == 1
    assert json.loads(capsys.readouterr().out) == {"unmet": 1}
