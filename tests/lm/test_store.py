"""A store that cannot be used is one line and a remedy, and loses no paid reply."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from specgen.errors import ExitCode
from specgen.lm import Gateway, ModelReply, ModelRequest, ScriptedModel
from specgen.lm._errors import ScriptExhaustedError, StoreError


def scripted(*texts: str) -> dict[str, ScriptedModel]:
    return {"sim/script": ScriptedModel(texts)}


def ask(gate: Gateway, prompt: str) -> ModelReply:
    outcome = gate.complete(ModelRequest.of("sim/script", prompt))
    assert isinstance(outcome, ModelReply)
    return outcome


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError) as caught:
        Gateway(tmp_path / "file" / "lm.sqlite")
    assert caught.value.exit_code == ExitCode.MISSING_ENVIRONMENT
    assert "file" in caught.value.message
    assert caught.value.remedy


def test_a_folder_in_place_of_the_file(tmp_path: Path) -> None:
    with pytest.raises(StoreError):
        Gateway(tmp_path)


def test_a_file_that_is_something_else(tmp_path: Path) -> None:
    (tmp_path / "lm.sqlite").write_text("not a database at all, but long enough to look like one" * 20)
    with pytest.raises(StoreError, match="not a database"):
        Gateway(tmp_path / "lm.sqlite")


def test_a_file_of_another_schema(tmp_path: Path) -> None:
    path = tmp_path / "lm.sqlite"
    Gateway(path).close()
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE meta SET value = '99'")
    connection.close()
    with pytest.raises(StoreError, match="schema 99"):
        Gateway(path)


def test_a_full_disk_returns_the_paid_reply_stops_the_run_and_saves_it_later(tmp_path: Path) -> None:
    path = tmp_path / "lm.sqlite"
    gate = Gateway(path, providers=scripted("x" * 20, "y", "z"))
    ask(gate, "first")
    # SQLite's own limit gives the same error as a full disk. The note that a request is sent still fits.
    connection = gate._core.store._connection
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    connection.execute(f"PRAGMA max_page_count = {pages}")
    big = ModelRequest.of("sim/script", "".join(chr(200 + i * 7919 % 40000) for i in range(20000)))
    outcome = gate.complete(big)
    assert isinstance(outcome, ModelReply)
    assert outcome.text == "y"
    assert isinstance(gate.fatal, StoreError)
    assert "full" in gate.fatal.message
    assert "disk space" in gate.fatal.remedy
    with pytest.raises(StoreError):
        ask(gate, "third")
    connection.execute("PRAGMA max_page_count = 1000000")
    gate.close()
    with Gateway(path, providers=scripted()) as again:
        assert again.complete(big).cached
        assert again.ledger().total.calls == 2


def test_closing_twice_is_fine(tmp_path: Path) -> None:
    gate = Gateway(tmp_path / "lm.sqlite")
    gate.close()
    gate.close()


def test_an_exhausted_script_stops_the_run() -> None:
    with Gateway(providers=scripted("only one")) as gate:
        ask(gate, "a")
        with pytest.raises(ScriptExhaustedError, match="called 2 times"):
            ask(gate, "b")
        assert isinstance(gate.fatal, ScriptExhaustedError)


def test_without_cache_every_call_is_sent() -> None:
    with Gateway(providers=scripted("a", "b"), use_cache=False) as gate:
        assert [ask(gate, "same").text, ask(gate, "same").text] == ["a", "b"]


def test_samples_and_splits_are_separate_draws() -> None:
    with Gateway(providers=scripted("a", "b", "c")) as gate:
        asked = [
            ModelRequest.of("sim/script", "same"),
            ModelRequest.of("sim/script", "same", sample=1),
            ModelRequest.of("sim/script", "same", split="test"),
        ]
        first = [gate.complete(r) for r in asked]
        assert [o.text for o in first if isinstance(o, ModelReply)] == ["a", "b", "c"]
        assert all(gate.complete(r).cached for r in asked)
