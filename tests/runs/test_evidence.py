"""The database of evidence follows the records, whatever happened to it; exports hold all of it; show tells it."""

from __future__ import annotations

import csv
import json
import re
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from runs.commands.export import COLUMNS, cell
from runs.commands.show import origin, safe
from runs.evidence import VERSION, open_evidence
from runs.records import check_from_record, check_record, read_records, scored_from_record
from runs.store import RecordLog
from specgen.errors import UserError
from tests.evaluators.helpers import posts
from tests.runs.evaluations import RIGHT, TASK, WEAK, command, line, written

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("evidence")
    evil = f"-- =cmd|' /C calc'!A0\n{WEAK}"
    lines = [line(RIGHT), line(evil, sample=1), line("", sample=2), "broken", line("-- \x1b[2J\ndef", sample=3)]
    file, run = written(folder, *lines), folder / "run"
    with pytest.MonkeyPatch.context() as patch:
        arguments = ["evaluate", file, "--out", str(run), "--mutants", "extend", "--json"]
        assert command(arguments, patch) == 1
    return run


@pytest.fixture
def run(finished: Path, tmp_path: Path) -> Path:
    return shutil.copytree(finished, tmp_path / "run")


def dump(connection: sqlite3.Connection) -> dict[str, list[Any]]:
    tables = ("candidates", "evidence", "items", "enrichment", "skipped")
    return {t: sorted(connection.execute(f"SELECT * FROM {t}"), key=repr) for t in tables}  # noqa: S608


def content(run: Path) -> dict[str, list[Any]]:
    with closing(open_evidence(run)) as connection:
        return dump(connection)


def test_the_database_holds_what_the_records_hold(run: Path) -> None:
    scored = read_records(run, "scored")
    with closing(open_evidence(run)) as connection:
        query = "SELECT c.key, metric, status, value, lower FROM evidence e JOIN candidates c ON c.id = e.candidate"
        found = connection.execute(query).fetchall()
        items = connection.execute("SELECT count(*) FROM items").fetchone()[0]
        outcomes = connection.execute("SELECT sample, outcome FROM candidates ORDER BY sample").fetchall()
        skipped = connection.execute("SELECT place, kind FROM skipped").fetchall()
    wanted = [(r["key"], e["metric"], e["status"], e["value"], e["lower"]) for r in scored for e in r["evidence"]]
    assert sorted(found, key=repr) == sorted(wanted, key=repr)
    assert items == sum(len(e["items"]) for r in scored for e in r["evidence"]) > 0
    assert outcomes == [(0, "well_formed"), (1, "well_formed"), (2, "no_output"), (3, "not_well_formed")]
    assert skipped == [("4", "not_json")]
    assert not [row for row in found if row[2] != "observed" and row[3] is not None]


def damaged(run: Path, how: str) -> None:
    database = run / "evidence.sqlite"
    match how:
        case "missing":
            database.unlink()
        case "not a database":
            database.write_bytes(b"nothing of the kind" * 500)
        case "half of it":
            database.write_bytes(database.read_bytes()[: database.stat().st_size // 2])
        case "of another version":
            with closing(sqlite3.connect(database)) as connection, connection:
                connection.execute(f"UPDATE meta SET value = '{VERSION + 1}' WHERE name = 'version'")
                connection.execute("ALTER TABLE evidence DROP COLUMN witness")
        case "of other records":
            with closing(sqlite3.connect(database)) as connection, connection:
                connection.execute("DELETE FROM evidence")
                connection.execute("UPDATE meta SET value = 'x' WHERE name = 'tail'")


@pytest.mark.parametrize("how", ["missing", "not a database", "half of it", "of another version", "of other records"])
def test_a_database_that_does_not_fit_is_made_anew(run: Path, how: str) -> None:
    whole = content(run)
    damaged(run, how)
    assert content(run) == whole
    with closing(sqlite3.connect(run / "evidence.sqlite")) as connection:
        assert dump(connection) == whole


def test_a_kill_between_records_loses_nothing(run: Path) -> None:
    whole, records = content(run), (run / "records.jsonl").read_bytes()
    lines = records.split(b"\n")[:-1]
    (run / "evidence.sqlite").unlink()
    for n in range(1, len(lines) + 1):
        torn = lines[n][:10] if n < len(lines) else b""
        (run / "records.jsonl").write_bytes(b"\n".join(lines[:n]) + b"\n" + torn)
        with closing(open_evidence(run)) as connection:
            rows = connection.execute("SELECT count(*) FROM candidates").fetchone()[0]
        assert rows == sum(json.loads(x)["kind"] == "scored" for x in lines[:n])
    assert {t: len(rows) for t, rows in content(run).items()} == {t: len(rows) for t, rows in whole.items()}


def test_a_record_that_supersedes_another_stands_in_its_place(run: Path) -> None:
    first = read_records(run, "scored")[0]
    with RecordLog(run / "records.jsonl") as log:
        data = {k: v for k, v in first.items() if k not in ("schema", "kind", "key")}
        log.supersede("scored", first["key"], **{**data, "outcome": "unsupported", "evidence": first["evidence"][:1]})
    with closing(open_evidence(run)) as connection:
        query = "SELECT outcome, count(e.id) FROM candidates c JOIN evidence e ON e.candidate = c.id WHERE sample = 0"
        assert connection.execute(query).fetchall() == [("unsupported", 1)]
    assert [r["outcome"] for r in read_records(run, "scored") if r["candidate"]["sample"] == 0] == ["unsupported"]


def test_a_folder_that_cannot_be_written_is_read(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = content(run)
    (run / "evidence.sqlite").unlink()
    (run / "evidence.sqlite").mkdir()  # no database can be opened here
    assert content(run) == whole


def test_records_that_are_none_are_a_mistake(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="has no records"):
        open_evidence(tmp_path)
    (tmp_path / "records.jsonl").write_text('{"kind": "scored", "key": "a"}\n')
    with pytest.raises(UserError, match="not a record"):
        open_evidence(tmp_path)


def test_checks_come_back_from_their_record() -> None:
    for check in posts("rejected", ["hfh", "hh", "us", "t"]):
        again = check_from_record(check_record(check))
        assert (again.item, again.shown, again.whole) == (check.item, check.shown, check.whole)
        assert [c.outcome for c in again.clauses] == [c.outcome for c in check.clauses]


def test_a_scored_candidate_comes_back_from_its_record(run: Path) -> None:
    for record in read_records(run, "scored"):
        scored = scored_from_record(record)
        assert json.loads(json.dumps([e.as_record() for e in scored.evidence])) == record["evidence"]
        assert scored.outcome == record["outcome"]
        assert len(scored.checks.rejected) == (record["labels"]["rejected"] if scored.outcome == "well_formed" else 0)


# Export


def exported(run: Path, form: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    out = run / f"out.{form}"
    assert command(["export", str(run), "--format", form, "--out", str(out)], monkeypatch) == 0
    return out


def test_every_format_has_a_row_for_each_piece_of_evidence(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = exported(run, "jsonl", monkeypatch).read_text(encoding="utf-8").split("\n")[:-1]
    rows = [json.loads(x) for x in lines]
    with closing(open_evidence(run)) as connection:
        assert len(rows) == connection.execute("SELECT count(*) FROM evidence").fetchone()[0]
    assert all(list(r) == list(COLUMNS) for r in rows)
    with open(exported(run, "csv", monkeypatch), encoding="utf-8-sig", newline="") as file:
        table = list(csv.DictReader(file))
    assert [(r["key"], r["metric"], r["status"]) for r in table] == [(r["key"], r["metric"], r["status"]) for r in rows]
    assert [float(r["value"]) if r["value"] else None for r in table] == [r["value"] for r in rows]
    parquet = pytest.importorskip("pyarrow.parquet")
    assert parquet.read_table(exported(run, "parquet", monkeypatch)).to_pylist() == rows


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n"])
def test_no_cell_is_a_formula(start: str) -> None:
    assert cell(f"{start}1+1") == f"'{start}1+1"


def test_cells_keep_numbers_and_leave_what_is_missing_empty() -> None:
    values: list[Any] = [0.25, 3, True, None, "R+", "a\x00b", []]
    assert [cell(v) for v in values] == [0.25, 3, 1, None, "R+", "a␀b", ""]


def test_export_says_what_is_wrong(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for arguments, code, said in (
        ([str(run), "--format", "xls", "--out", "x"], 2, "Give one of jsonl, csv, parquet"),
        ([str(tmp_path / "none"), "--out", "x"], 2, "has no records.jsonl"),
        ([str(run), "--out", str(tmp_path)], 2, "Is a directory"),
        ([str(run), "--format", "parquet", "--out", "-"], 2, "standard output"),
    ):
        assert command(["export", *arguments], monkeypatch) == code
        assert said in capsys.readouterr().err
    monkeypatch.setitem(__import__("sys").modules, "pyarrow.parquet", None)
    assert command(["export", str(run), "--format", "parquet", "--out", str(tmp_path / "x")], monkeypatch) == 3
    assert "pip install 'specgen[parquet]'" in capsys.readouterr().err
    assert not (tmp_path / "x").exists()


# Show


def test_show_tells_everything_of_one_candidate(
    run: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    assert command(["show", str(run), TASK, "--sample", "1"], monkeypatch) == 0
    out = capsys.readouterr().out
    assert max(map(len, out.split("\n"))) <= 100
    for words in ("Limit a sensor reading", "lo ≤ result", "Clauses", "✗ holds", "mutant", "R-", "gted"):
        assert words in out
    assert command(["show", str(run), TASK, "--sample", "1", "--json"], monkeypatch) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["requirement"].startswith("Limit a sensor reading")
    assert found["attribution"]["escaped"]
    assert {"data", "mutant"} <= {o.split()[0] for o in found["origins"].values()}
    assert set(found["origins"]) == {c["item"] for c in found["checks"]}


def test_show_lists_several_and_names_what_is_near(
    run: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command(["show", str(run), TASK], monkeypatch) == 0
    assert "4 candidates" in capsys.readouterr().out
    assert command(["show", str(run), TASK, "--json"], monkeypatch) == 0
    matches = json.loads(capsys.readouterr().out)["matches"]
    assert [(m["sample"], m["pass"]) for m in matches] == [(0, 1.0), (1, 0.0), (2, None), (3, None)]
    assert command(["show", str(run), "starter_clamp"], monkeypatch) == 2
    assert f"Near it: {TASK}" in capsys.readouterr().err
    assert command(["show", str(run), TASK, "--sample", "9"], monkeypatch) == 2
    assert "There are: generator hand, sample 0" in capsys.readouterr().err


def test_show_gives_no_terminal_a_candidates_control_codes(
    run: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command(["show", str(run), TASK, "--sample", "3"], monkeypatch) == 0
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert "\\x1b[2J" in out
    assert safe("a\u202eb\tc\n∀") == "a\\u202eb\tc\n∀"


def test_the_origin_of_a_label() -> None:
    made = {"kind": "mutant", "detail": "plus one", "source": "accepted[0]"}
    enriched = {"tallies": {"rejected": {"labelled": 2}}, "origins": {"rejected": [made]}}
    assert origin("rejected[1]", enriched) == "data set"
    assert origin("rejected[2]", enriched) == "mutant plus one of accepted[0]"
    assert origin("required[7]", enriched) == origin("required[0]", None) == "data set"
    assert origin("known[0]", None) == "reference implementation"


def test_the_documented_queries_run(run: Path) -> None:
    text = (ROOT / "docs" / "evaluation.md").read_text(encoding="utf-8")
    queries = re.findall(r"```sql\n(.*?)```", text, re.DOTALL)
    assert len(queries) >= 4
    with closing(open_evidence(run)) as connection:
        for query in queries:
            assert connection.execute(query).fetchall(), query
