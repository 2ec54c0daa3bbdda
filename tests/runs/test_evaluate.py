"""`specgen evaluate`: bad input is counted with its reason and the rest is scored; folders, evaluators, run folders."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from evaluators.scoring import MAX_CHARS
from runs.candidates import LINE_FORM, read_input
from specgen.errors import UserError
from tests.runs.evaluations import POST, PRE, RIGHT, TASK, WEAK, command, evaluated, line, written

SKIPPED: list[tuple[str | bytes, str, str]] = [
    ('{"task": "x", ', "not_json", "not JSON"),
    ("[" * 100_000, "not_json", "not JSON"),
    ('{"generator": "hand", "text": ""}', "not_a_candidate", "no field 'task'"),
    ("[1, 2]", "not_a_candidate", "no field 'task'"),
    (line(RIGHT, task="starter_of_another_name"), "unknown_task", "starter has no task 'starter_of_another_name'"),
    (line(WEAK), "duplicate", "task, generator and sample are those of line 1"),
    (line(RIGHT, sample=-1), "not_a_candidate", "field 'sample'"),
    (line(RIGHT, sample=10**30), "not_a_candidate", "field 'sample'"),
    (b'{"task": "\xff\xfe"}', "not_utf8", "not UTF-8 (byte 10)"),
    (b"\x00\x01\x02", "not_json", "not JSON"),
]


def test_bad_lines_are_counted_with_reason_and_the_rest_is_scored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = written(tmp_path, line(RIGHT), *(bad for bad, _, _ in SKIPPED), line(WEAK, sample=1))
    code, summary = evaluated([file], monkeypatch, capsys)
    assert code == 1
    assert (summary["candidates"], summary["well_formed"]) == (2, 2)
    found = [(s["line"], s["kind"]) for s in summary["skipped"]]
    assert found == [(n, kind) for n, (_, kind, _) in enumerate(SKIPPED, 2)]
    for skipped, (_, _, said) in zip(summary["skipped"], SKIPPED, strict=True):
        assert said in skipped["reason"]
    counts = {"not_json": 3, "not_a_candidate": 4, "unknown_task": 1, "duplicate": 1, "not_utf8": 1}
    assert summary["skipped_by_reason"] == counts
    assert summary["metrics"]["pass"] | {"statuses": None} == {
        "n": 2,
        "mean": 0.5,
        "lower": 0.5,
        "upper": 0.5,
        "statuses": None,
    }


BAD_TEXTS = [
    ("", "no_output", ""),
    ("   \n ", "no_output", ""),
    (f"{PRE}\n{POST} by sorry", "not_well_formed", "sorry"),
    (f"axiom magic : False\n{RIGHT}", "not_well_formed", "axiom"),
    (f"{RIGHT}\n#eval 1", "not_well_formed", "#eval"),
    (f"import Nowhere.AtAll\n{RIGHT}", "not_well_formed", "unknown module Nowhere.AtAll"),
    (f"{PRE}\n{RIGHT}", "not_well_formed", "already"),
    (f"{PRE}\n{POST} result = x \x00", "not_well_formed", ""),
    ("-- " + "x" * 10_000_000, "unsupported", f"longer than {MAX_CHARS}"),
]


def test_bad_candidates_are_classified_with_their_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.jsonl"
    file = written(tmp_path, line(RIGHT), *(line(text, sample=n) for n, (text, _, _) in enumerate(BAD_TEXTS, 1)))
    code, summary = evaluated([file, "--out", str(out)], monkeypatch, capsys)
    assert (code, summary["skipped"], summary["candidates"]) == (0, [], len(BAD_TEXTS) + 1)
    records = [json.loads(text) for text in out.read_text(encoding="utf-8").split("\n")[:-1]]
    assert records[0]["outcome"] == "well_formed"
    for record, (_, outcome, said) in zip(records[1:], BAD_TEXTS, strict=True):
        assert record["outcome"] == outcome, said
        assert said in record["message"]
        assert not [e for e in record["evidence"] if e["status"] == "evaluator_error"]


def test_half_a_surrogate_pair_is_scored_and_recorded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = written(tmp_path, line(f"-- \ud800\n{RIGHT}"))
    for out in ("records.jsonl", "folder"):
        code, summary = evaluated([file, "--out", str(tmp_path / out)], monkeypatch, capsys)
        assert (code, summary["candidates"]) == (0, 1)
    record = json.loads((tmp_path / "records.jsonl").read_text(encoding="utf-8"))
    assert record["candidate"]["text"].startswith("-- \ud800")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"\x1f\x8b\x08nothing more", "the compressed file is damaged here"),
        (b"not JSON\nnor this\n", "line 1: not JSON (Expecting value: line 1 column 1 (char 0)); 2 lines or files"),
    ],
)
def test_a_file_without_any_candidate_is_a_mistake(
    content: bytes, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "c").write_bytes(content)
    assert command(["evaluate", str(tmp_path / "c")], monkeypatch) == 2
    err = capsys.readouterr().err
    assert said in err
    assert LINE_FORM in err


def test_a_truncated_compressed_file_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    lines = [line(RIGHT, sample=n, note="é" * n) for n in range(3000)]
    packed = gzip.compress("\n".join(lines).encode())
    (tmp_path / "c.jsonl.gz").write_bytes(packed)
    assert len(read_input(tmp_path / "c.jsonl.gz", lambda t: True, "x").candidates) == 3000
    (tmp_path / "c.jsonl.gz").write_bytes(packed[: len(packed) // 2])
    found = read_input(tmp_path / "c.jsonl.gz", lambda t: True, "x")
    assert 0 < len(found.candidates) < 3000
    assert [s.kind for s in found.skipped] == ["unreadable"]


def test_a_folder_of_lean_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {
        f"{TASK}.lean": RIGHT,
        f"{TASK}.3.lean": WEAK,
        "starter_board_side/a.lean": "def boardSide_postcond := 3",
        "starter_board_side/b.lean": "",
        "unknown.lean": RIGHT,
        "notes.txt": "no candidate",
    }
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content, encoding="utf-8")
    (tmp_path / f"{TASK}.4.lean").write_bytes(b"\xff")
    out = tmp_path / "out.jsonl"
    code, summary = evaluated([str(tmp_path), "--generator", "mine", "--out", str(out)], monkeypatch, capsys)
    assert code == 1
    assert [(s["file"], s["kind"]) for s in summary["skipped"]] == [
        (f"{TASK}.4.lean", "not_utf8"),
        ("unknown.lean", "unknown_task"),
    ]
    records = [json.loads(text) for text in out.read_text(encoding="utf-8").split("\n")[:-1]]
    assert [(r["task"], r["candidate"]["sample"], r["candidate"]["generator"], r["outcome"]) for r in records] == [
        ("starter_board_side", 0, "mine", "not_well_formed"),
        ("starter_board_side", 1, "mine", "no_output"),
        (TASK, 3, "mine", "well_formed"),
        (TASK, 0, "mine", "well_formed"),
    ]


def test_an_empty_folder_and_an_empty_file(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no Lean files"):
        read_input(tmp_path, lambda t: True, "x")
    (tmp_path / "c.jsonl").write_text("\n\n")
    assert read_input(tmp_path / "c.jsonl", lambda t: True, "x").candidates == ()


def metrics(summary: dict[str, Any]) -> dict[str, float | None]:
    return {name: m["mean"] for name, m in summary["metrics"].items()}


def test_evaluators_are_chosen_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = written(tmp_path, line(RIGHT))
    _, summary = evaluated([file], monkeypatch, capsys)
    assert summary["evaluators"] == ["adequacy", "similarity"]
    assert metrics(summary)["gted"] == metrics(summary)["pass"] == 1.0
    _, summary = evaluated([file, "--evaluators", "equivalence"], monkeypatch, capsys)
    assert metrics(summary) == {
        "typecheck": 1.0,
        "equivalence": 1.0,
        "pre_forward": 1.0,
        "pre_backward": 1.0,
        "post_forward": 1.0,
        "post_backward": 1.0,
    }
    assert "grades" not in summary
    _, summary = evaluated(
        [file, "--evaluators", "adequacy", "--judge", "sim/judge", "--out", str(tmp_path / "run")], monkeypatch, capsys
    )
    assert summary["metrics"]["judge"]["statuses"] == {"observed": 1}
    assert (tmp_path / "run" / "calls.sqlite").is_file()
    assert command(["evaluate", file, "--evaluators", "adequacy,similarty"], monkeypatch) == 2
    assert "Did you mean 'similarity'?" in capsys.readouterr().err


def test_further_labels_are_made_once_and_recorded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = written(tmp_path, line(RIGHT), line(WEAK, sample=1))
    _, plain = evaluated([file], monkeypatch, capsys)
    run = tmp_path / "run"
    _, more = evaluated([file, "--mutants", "extend", "--seed", "3", "--out", str(run)], monkeypatch, capsys)
    made = more["enrichment"]["kinds"]["rejected"]
    assert (more["enrichment"]["tasks"], more["enrichment"]["seed"]) == (1, 3)
    assert made["generated"] > 0
    assert more["checks"]["total"] > plain["checks"]["total"]
    records = [json.loads(text) for text in (run / "records.jsonl").read_text(encoding="utf-8").split("\n")[:-1]]
    assert [r["task"] for r in records if r["kind"] == "enrichment"] == [TASK]
    scored = [r for r in records if r["kind"] == "scored"]
    assert {r["labels"]["rejected"] for r in scored} == {made["labelled"] + made["generated"]}
    assert metrics(more)["pass"] == 0.5


def test_a_run_folder_goes_on_and_scores_nothing_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file, run = written(tmp_path, line(RIGHT), line(WEAK, sample=1), "broken"), tmp_path / "run"
    code, whole = evaluated([file, "--out", str(run)], monkeypatch, capsys)
    assert code == 1
    records = (run / "records.jsonl").read_bytes()
    assert command(["evaluate", file, "--out", str(run)], monkeypatch) == 2
    assert "there is already a run" in capsys.readouterr().err
    lines = records.split(b"\n")
    (run / "records.jsonl").write_bytes(b"\n".join(lines[:2]) + b"\n" + lines[2][:20])  # killed while it wrote
    _, again = evaluated([file, "--out", str(run), "--resume"], monkeypatch, capsys)
    assert metrics(again) == metrics(whole)
    rows = [json.loads(x) for x in (run / "records.jsonl").read_bytes().split(b"\n")[:-1]]
    assert sorted((r["kind"], r["key"]) for r in rows) == sorted(
        (r["kind"], r["key"]) for r in map(json.loads, lines[:-1])
    )
    other = ["evaluate", file, "--out", str(run), "--resume", "--evaluators", "adequacy"]
    assert command(other, monkeypatch) == 2
    assert "another configuration: evaluators" in capsys.readouterr().err


def test_samples_give_pass_at_k_and_the_sums_of_both_denominators(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = [line(RIGHT), line(WEAK, sample=1), line("def", sample=2), line("", sample=3)]
    _, summary = evaluated([written(tmp_path, *lines)], monkeypatch, capsys)
    found = summary["aggregates"]["hand"]
    assert {r["name"]: r["value"] for r in found["pass_at_k"]} == {"pass@1": 0.25, "pass@2": 0.5}
    harness = {(r["name"], r["over"]): r["value"] for r in found["harness"]}
    assert harness["Harness@1.00", "verifier-accepted"] == 0.5
    assert harness["Harness@1.00", "attempted"] == 0.25
    assert {r["name"]: r["value"] for r in found["sound_complete"]}["postcondition sound"] == 0.25
