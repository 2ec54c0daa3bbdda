"""`specgen generate`: settings, matched budgets, neutral names, exclusions."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from runs.commands.generate import (
    GenerateOptions,
    load_tasks,
    read_settings,
    run_generate,
)
from runs.matching import read_resource
from runs.plan import without_examples_of
from specgen.errors import UserError
from specgen.generators import make_generator
from specgen.generators.leanaide import LeanAideGenerator
from specgen.lm.mock_server import MockServer
from specgen.tasks import load_dataset


def test_settings_go_to_their_generator() -> None:
    assert read_settings(("clever",), ("max_samples=2", "clever.k_seconds=5")) == {
        "clever": {"max_samples": "2", "k_seconds": "5"}
    }
    assert read_settings(("direct", "clever"), ("clever.max_samples=2",))["direct"] == {}


@pytest.mark.parametrize(
    ("names", "setting", "message"),
    [
        (("clever",), "max_samples", "not of the form"),
        (("direct", "clever"), "max_samples=2", "for which generator"),
        (("direct",), "clever.max_samples=2", "not among the generators"),
    ],
)
def test_faulty_settings_are_named(names: tuple[str, ...], setting: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        read_settings(names, (setting,))


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("clever", {"max_sample": 1}, "no option 'max_sample'"),
        ("clever", {"max_samples": "many"}, "option max_samples"),
        ("verina", {"n": 1}, "It has no options"),
    ],
)
def test_faulty_options_are_refused(name: str, options: dict[str, object], message: str) -> None:
    with pytest.raises(UserError) as caught:
        make_generator(name, options)
    assert message in caught.value.one_line()


def test_an_unknown_budget_is_refused() -> None:
    assert read_resource("") is None and read_resource("tokens") == "tokens"
    with pytest.raises(UserError, match="no such budget"):
        read_resource("minutes")


def rows(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_matched_budgets_end_to_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "c.jsonl"
    options = GenerateOptions(
        "starter",
        None,
        "sim/writer-weak",
        ("direct", "leanaide"),
        limit=2,
        out=out,
        settings=("leanaide.samples=3",),
        match="calls",
    )
    run_generate(options)
    found = rows(out)
    by_name = {n: [r for r in found if r["generator"] == n] for n in ("direct", "leanaide")}
    assert [r["calls"] for r in by_name["leanaide"]] == [3, 3]
    assert len(by_name["direct"]) == 6 and {r["sample"] for r in by_name["direct"]} == {0, 1, 2}
    assert all(r["simulated"] for r in found)
    assert "budget a task: 3 calls" in capsys.readouterr().err


def test_neutral_names_reach_view_and_candidate(tmp_path: Path) -> None:
    out = tmp_path / "c.jsonl"
    run_generate(GenerateOptions("starter", None, "sim/writer", ("clever",), limit=1, out=out, neutral_names=True))
    (row,) = rows(out)
    task = load_dataset("starter").tasks[0]
    assert row["task"] == f"{task.id}~neutral"
    assert task.signature.name not in str(row["text"])


def test_retrieval_never_uses_the_tasks_at_hand() -> None:
    tasks = load_tasks(GenerateOptions("starter", None, "sim/writer", ("leanaide",), neutral_names=True), [])
    generator = without_examples_of(LeanAideGenerator(), tasks)
    assert isinstance(generator, LeanAideGenerator) and generator.corpus() == ()
    direct = make_generator("direct")
    assert without_examples_of(direct, tasks) is direct


def test_examples_are_ranked_by_embeddings_where_a_model_is_named(tmp_path: Path) -> None:
    out = tmp_path / "c.jsonl"
    settings = ("embedding=sim/embedder", "samples=1")
    run_generate(GenerateOptions("starter", None, "sim/writer", ("leanaide",), limit=2, out=out, settings=settings))
    with closing(sqlite3.connect(f"{out}.calls.sqlite")) as store:
        roles = {role for (role,) in store.execute("select distinct role from ledger")}
    assert "embedding" in roles and len(rows(out)) == 2


def test_a_real_model_needs_a_word_and_the_first_calls_are_not_paid_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    monkeypatch.setattr("sys.stdin.isatty", lambda: False, raising=False)
    with MockServer(answer=lambda body: "def nothing := 1") as server:
        asked = GenerateOptions(
            "starter", None, "openai/writer", api_base=server.url, limit=3, out=tmp_path / "c.jsonl", yes=False
        )
        with pytest.raises(UserError, match="needs a confirmation"):
            run_generate(asked)
        assert "at most 3 calls" in capsys.readouterr().err and len(server.requests) == 2
        run_generate(replace(asked, yes=True))
        assert len(server.requests) == 3 and len(rows(tmp_path / "c.jsonl")) == 3
