"""`specgen compare` and `specgen report` as commands."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from runs.cli import app
from specgen.errors import UserError
from tests.runs.report.synthetic import Shape, write_run
from tests.runs.report.test_analysis import naive

runner = CliRunner()


def test_compare_as_json_has_the_means_of_the_records(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run", Shape(tasks=9))
    result = runner.invoke(app, ["compare", str(folder), "--json"])
    assert result.exit_code == 0
    found = json.loads(result.stdout)
    assert found["schema"] == 1 and found["simulated"] is True
    for arm in found["arms"]:
        for metric, cell in arm["metrics"].items():
            values = naive(folder, arm["arm"], metric)
            assert cell["n"] == len(values) and cell["coverage"] == len(values) / 9
            assert sum(cell["statuses"].values()) == cell["candidates"] == 18
    assert {(c["first"], c["second"]) for c in found["comparisons"]} == {("seed", "verifier")}
    assert all("mcnemar" in c for c in found["comparisons"] if c["metric"] in ("pass", "pass_all"))


def test_compare_of_two_named_arms_and_one_metric(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run", Shape(arms=("seed", "verifier", "both")))
    args = ["compare", str(folder), "--first", "both", "--second", "seed", "--metric", "R-", "--json"]
    found = json.loads(runner.invoke(app, args).stdout)
    assert [a["arm"] for a in found["arms"]] == ["both", "seed"]
    (only,) = found["comparisons"]
    assert (only["first"], only["second"], only["metric"]) == ("both", "seed", "R-")
    turned = json.loads(runner.invoke(app, [*args[:3], "seed", "--second", "both", *args[6:]]).stdout)
    assert turned["comparisons"][0]["mean"] == pytest.approx(-only["mean"])


def test_compare_prints_tables_that_say_simulated(tmp_path: Path) -> None:
    result = runner.invoke(app, ["compare", str(write_run(tmp_path / "run"))])
    assert result.exit_code == 0
    assert "SIMULATED" in result.stdout and "verifier − seed" in result.stdout and "12/12" in result.stdout


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--first", "seed"], "go together"),
        (["--first", "seed", "--second", "nobody"], "no arm 'nobody'.*There are: seed, verifier"),
        (["--first", "seed", "--second", "seed"], "with itself"),
        (["--metric", "beauty"], "no metric 'beauty'.*There are: verifier_grade"),
    ],
)
def test_what_is_not_there_is_said_with_what_is(tmp_path: Path, args: list[str], message: str) -> None:
    result = runner.invoke(app, ["compare", str(write_run(tmp_path / "run")), *args])
    assert isinstance(result.exception, UserError)
    with pytest.raises(UserError, match=message):
        raise UserError(result.exception.one_line())


def test_one_arm_alone_is_nothing_to_compare(tmp_path: Path) -> None:
    result = runner.invoke(app, ["compare", str(write_run(tmp_path / "run", Shape(arms=("seed",))))])
    assert isinstance(result.exception, UserError) and "nothing to compare" in str(result.exception)


def test_a_folder_that_is_no_run(tmp_path: Path) -> None:
    for command in ("compare", "report"):
        result = runner.invoke(app, [command, str(tmp_path)])
        assert isinstance(result.exception, UserError) and "cannot read" in str(result.exception)


def test_report_goes_into_the_run_or_where_it_is_told(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run", Shape(tasks=3))
    result = runner.invoke(app, ["report", str(folder), "--json"])
    found = json.loads(result.stdout)
    assert found["page"] == str(folder / "report" / "report.html") and (folder / "report" / "report.md").is_file()
    other = tmp_path / "elsewhere"
    assert runner.invoke(app, ["report", str(folder), "--out", str(other)]).exit_code == 0
    assert (other / "report.html").read_bytes() == (folder / "report" / "report.html").read_bytes()
    assert not list(other.rglob(".*"))


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run", Shape(tasks=3))
    (tmp_path / "file").write_text("")
    result = runner.invoke(app, ["report", str(folder), "--out", str(tmp_path / "file")])
    assert isinstance(result.exception, UserError) and "cannot write" in str(result.exception)
