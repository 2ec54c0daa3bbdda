"""The command line from outside: exit codes, one line a mistake, JSON that is JSON, streams that fail."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from runs.cli import main
from runs.table import markdown, print_table

ROOT = Path(__file__).parents[2]


def call(arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(sys, "argv", ["specgen", *arguments])
    with pytest.raises(SystemExit) as caught:
        main()
    assert isinstance(caught.value.code, int)
    return caught.value.code


def shell(command: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Run a shell command in which `$specgen` is ours."""
    env = {**os.environ, "specgen": f"{sys.executable} -m runs.cli", **environment}
    return subprocess.run(["bash", "-c", command], check=False, capture_output=True, cwd=ROOT, env=env, timeout=120)


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["tasks", "list", "--dataset", "startr"], 2, "Did you mean starter?"),
        (["tasks", "list", "--dataset", "nothing.jsonl"], 2, "no task file at nothing.jsonl"),
        (["tasks", "list", "--dataset", "verina", "--path", "/nowhere"], 2, "no verina data at /nowhere"),
        (["tasks", "list", "--dataset", "vericoding"], 3, "give its Lean JSONL file with --path"),
        (["tasks", "show", "starter_clamp_readin"], 2, "Did you mean 'starter_clamp_reading'?"),
        (["experiment", "nothing.toml"], 2, "no configuration file at nothing.toml"),
        (["generate", "--generator", "direkt"], 2, "Did you mean 'direct'?"),
        (["generate", "--prompt", "zeroshot"], 2, "Did you mean 'zero-shot'?"),
        (["generate", "--model", "sim/nobody"], 2, "no simulated model 'sim/nobody'"),
        (["generate", "--samples", "many"], 2, "See specgen generate --help"),
        (["frobnicate"], 2, "No such command 'frobnicate'. See specgen --help"),
        (["experiment"], 2, "Missing argument"),
        (["lean", "check", "nothing.lean"], 2, "cannot read nothing.lean"),
        (["evaluate", "nothing.jsonl"], 2, "cannot read nothing.jsonl"),
        (["audit", "nothing"], 2, "no data set named nothing"),
    ],
)
def test_a_mistake_is_one_line_with_its_exit_code(
    arguments: list[str], code: int, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(arguments, monkeypatch) == code
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert err.startswith("specgen: ")
    assert said in err


@pytest.mark.parametrize(
    ("record", "said"),
    [
        ("[" * 100_000, "not JSON"),
        ("3", "no field 'task'"),
        ('{"task": "x"}', "neither 'text' nor 'fields'"),
        ('{"task": "x", "text": 3}', "field 'text' is not a string"),
        ('{"task": "x", "text": "", "sample": "a"}', "field 'sample' is not a whole number"),
        ('{"task": "x", "text": "", "failure": "odd"}', "field 'failure' is not one of"),
        ('{"task": "x", "fields": {"precond": null}}', "field 'fields' is not an object of strings"),
        ('{"task": "x", "fields": {"pre": ""}}', "no field 'fields.pre', only imports, precond_aux"),
        ('{"task": "x", "text": "a\u2028b"}', "starter has no task 'x'"),
    ],
)
def test_a_candidate_that_cannot_be_read_is_named_by_file_and_line(
    record: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "c.jsonl").write_text(f"\n{record}\n", encoding="utf-8")
    assert call(["evaluate", str(tmp_path / "c.jsonl")], monkeypatch) == 2
    err = capsys.readouterr().err
    assert "c.jsonl, line 2: " in err
    assert said in err


def test_generate_says_at_once_that_it_cannot_write_and_pays_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(["generate", "--limit", "2", "--out", str(tmp_path)], monkeypatch) == 2
    assert capsys.readouterr().err == f"specgen: cannot write {tmp_path}: Is a directory. " + (
        "Name a file in a folder that can be written\n"
    )
    out = tmp_path / "new" / "c.jsonl"
    for _ in range(2):
        assert call(["generate", "--limit", "2", "--out", str(out)], monkeypatch) == 0
    with closing(sqlite3.connect(f"{out}.calls.sqlite")) as connection:
        found = connection.execute("SELECT outcome, count(*) FROM ledger GROUP BY 1 ORDER BY 1").fetchall()
    assert found == [("cached", 2), ("reply", 2)]


def test_an_interrupt_says_how_to_go_on(tmp_path: Path) -> None:
    (tmp_path / "c.toml").write_text("[model]\ntask = 'sim/writer?latency_ms=500'\nconcurrency = 1\n")
    command = [sys.executable, "-m", "runs.cli", "experiment", str(tmp_path / "c.toml"), "--out", str(tmp_path / "run")]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT)
    deadline = time.monotonic() + 60
    while not (tmp_path / "run" / "calls.sqlite").exists():
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert out == ""
    assert err.endswith("go on with --resume where there is a run folder\n")
    assert "Traceback" not in err


@pytest.mark.parametrize("value", ["-1", "0", "nan", "inf"])
def test_a_cap_on_the_command_line_is_checked_like_one_in_the_file(
    value: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "c.toml").write_text("")
    arguments = ["experiment", str(tmp_path / "c.toml"), "--out", str(tmp_path / "run"), "--max-usd", value]
    assert call(arguments, monkeypatch) == 2
    assert "budget.max_usd" in capsys.readouterr().err
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    "text", ["[model]\ntask = 'sim/nobody'\n", "[reward.weights]\nR = 1.0\n", "[generator]\nseeds = ['nobody']\n"]
)
def test_a_run_that_cannot_begin_leaves_no_folder_in_the_way_of_the_corrected_one(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "c.toml").write_text(text)
    assert call(["experiment", str(tmp_path / "c.toml"), "--out", str(tmp_path / "run")], monkeypatch) == 2
    assert not (tmp_path / "run").exists()


def test_a_task_is_shown_as_json(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["tasks", "show", "starter_clamp_reading", "--json"], monkeypatch) == 0
    shown = json.loads(capsys.readouterr().out)
    assert (shown["schema"], shown["id"]) == (1, "starter_clamp_reading")
    assert shown["fingerprint"]


def test_every_command_of_the_readme_that_needs_no_model_works() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "specgen tasks show starter_clamp_reading" in readme
    assert shell("$specgen tasks show starter_clamp_reading").returncode == 0


def test_help_imports_nothing_heavy() -> None:
    done = shell("$specgen --help", PYTHONPROFILEIMPORTTIME="1")
    imported = {line.rpartition("|")[2].strip() for line in done.stderr.decode().split("\n")}
    assert done.returncode == 0
    assert "typer" in imported
    assert not imported & {
        "numpy",
        "dspy",
        "litellm",
        "openai",
        "pydantic",
        "z3",
        "specgen.lean",
        "specgen.lm",
        "httpx",
    }


def test_output_that_cannot_be_written_is_one_line() -> None:
    for command in ("$specgen tasks list > /dev/full", "$specgen doctor --json > /dev/full"):
        done = shell(command)
        assert done.returncode == 3
        assert done.stderr.count(b"\n") == 1
        assert b"No space left on device" in done.stderr


def test_a_reader_that_has_had_enough_is_no_error() -> None:
    done = shell("$specgen tasks list --json | head -c 10; exit ${PIPESTATUS[0]}")
    assert (done.returncode, done.stdout, done.stderr) == (0, b'{"schema":', b"")


@pytest.mark.parametrize(
    "environment", [{"PYTHONIOENCODING": "ascii"}, {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}]
)
def test_a_terminal_that_is_not_utf_8_gets_the_same_data(environment: dict[str, str]) -> None:
    done = shell("$specgen tasks list --json", **environment)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.decode("ascii")) == json.loads(shell("$specgen tasks list --json").stdout)
    assert shell("$specgen tasks list", **environment).returncode == 0


def test_a_path_that_is_not_text_is_shown_escaped() -> None:
    done = shell("$specgen tasks list --dataset $'\\xff.jsonl'")
    assert done.returncode == 2
    assert b"\\udcff.jsonl" in done.stderr


def test_no_cell_of_a_table_is_cut_off(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    print_table(["task", "value"], [["a" * 150, "[b]" + "c" * 100]])
    assert "a" * 150 in (out := capsys.readouterr().out)
    assert "[b]" + "c" * 100 in out


def test_a_markdown_table_holds_any_message() -> None:
    arm: dict[str, object] = {
        "arm": "a|b",
        "status": "failed",
        "message": "one\n\ntwo | three",
        "metrics": {},
        "outcomes": {},
    }
    empty = {"mean": None, "attempted": 1}
    from runs.table import OUTCOME_LABELS, SHOWN

    arm |= {"metrics": dict.fromkeys(SHOWN, empty), "outcomes": dict.fromkeys(OUTCOME_LABELS, 0), "candidates": 0}
    summary = {
        "unanswered": 2,
        "arms": [arm],
        "differences": [],
        "costs": [],
        "set_aside": {},
        "name": "x",
        "dataset": "y",
    }
    text = markdown({**summary, "simulated": True, "tasks": {"test": 1, "train": 1, "validation": 1}})
    assert "| optimisation | failed: one two \\| three |" in text
    assert "| score | a\\|b |" in text
