"""Replies out of the ordinary: cut, refused, with tools, without text; and what is kept of them."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from specgen.errors import UserError
from specgen.lm import ChatMessage, Gateway, ModelFailure, ModelReply, ModelRequest, RetryPolicy, Tool, ToolCall
from specgen.lm._chat import CONTINUE
from specgen.lm._provider import CallError
from specgen.lm._types import outcome_from_json, outcome_to_json
from specgen.lm._wire import read_completion, redacted
from specgen.lm.mock_server import Fault, MockServer

MODEL = "openai/gpt-4o-mini"
QUICK = RetryPolicy(max_attempts=3, first_wait_s=0.01)
SEARCH = Tool("search", "Look something up.", {"type": "object", "properties": {"query": {"type": "string"}}})


def completion(message: Mapping[str, Any], reason: str = "stop") -> dict[str, Any]:
    choice = {"message": message, "finish_reason": reason}
    return {"choices": [choice], "usage": {"prompt_tokens": 3, "completion_tokens": 2}}


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ([], "malformed"),
        ({}, "malformed"),
        ({"choices": None, "error": "overloaded"}, "malformed"),
        ({"choices": [{}]}, "malformed"),
        ({"choices": []}, "no_choices"),
        (completion({"content": None}), "null_content"),
        (completion({}), "null_content"),
        (completion({"content": ""}), "empty"),
        (completion({"content": None, "refusal": "no"}), "refusal"),
        (completion({"content": None}, "content_filter"), "content_filter"),
        (
            completion({"content": None, "tool_calls": [{"id": "1", "function": {"name": "f", "arguments": "{"}}]}),
            "unoffered_tool_call",
        ),
    ],
)
def test_each_reply_without_use_has_its_own_kind(body: Any, kind: str) -> None:
    with pytest.raises(CallError) as caught:
        read_completion(body)
    assert caught.value.kind == kind
    if isinstance(body, dict) and "usage" in body:
        assert caught.value.usage.total_tokens == 5


def test_text_beside_something_odd_is_a_reply_with_a_flag() -> None:
    calls = [{"id": "1", "function": {"name": "f", "arguments": "{}"}}]
    assert read_completion(completion({"content": "x", "tool_calls": calls})).flags == ("unoffered_tool_calls",)
    assert read_completion(completion({"content": "x", "refusal": "no"})).flags == ("refusal",)
    assert read_completion(completion({"content": "x"}, "content_filter")).flags == ("filtered",)
    assert read_completion(completion({"content": [{"type": "text", "text": "a"}, {"text": "b"}]})).text == "ab"


def test_offered_tools_come_back_as_calls_and_their_answers_go_out() -> None:
    with MockServer([Fault("tool_calls")]) as server, Gateway(api_base=server.url, api_key="k") as gate:
        asked = ModelRequest.of(MODEL, "find x", tools=(SEARCH,))
        reply = gate.complete(asked)
        assert isinstance(reply, ModelReply)
        assert reply.finish_reason == "tool_calls"
        assert reply.tool_calls == (ToolCall("call-1", "search", '{"query": "x"}'),)
        again = gate.complete(asked)
        assert isinstance(again, ModelReply)
        assert again.cached
        assert again.tool_calls == reply.tool_calls
        turns = (
            ChatMessage("assistant", reply.text, reply.tool_calls),
            ChatMessage("tool", "nothing found", tool_call_id="call-1"),
        )
        gate.complete(ModelRequest(model=MODEL, messages=(*asked.messages, *turns), tools=(SEARCH,)))
        sent = server.requests[-1].body
        assert sent["tools"][0]["function"]["name"] == "search"
        assert sent["messages"][1]["tool_calls"][0]["id"] == "call-1"
        assert sent["messages"][2] == {"role": "tool", "content": "nothing found", "tool_call_id": "call-1"}


def test_tools_are_part_of_the_key_and_a_request_without_keeps_its_own() -> None:
    plain = ModelRequest.of(MODEL, "x")
    assert plain.key() != ModelRequest.of(MODEL, "x", tools=(SEARCH,)).key()
    assert plain.key() == ModelRequest.of(MODEL, "x", on_length="continue").key()


def test_streaming_is_refused() -> None:
    with pytest.raises(UserError, match="stream"):
        ModelRequest.of(MODEL, "x", options={"stream": True})


def test_a_cut_reply_is_continued_once_and_both_calls_are_counted() -> None:
    plan = [Fault("truncated", text="def f :="), Fault(text=" 1")]
    with MockServer(plan) as server, Gateway(api_base=server.url, on_length="continue") as gate:
        reply = gate.complete(ModelRequest.of(MODEL, "write f"))
        assert isinstance(reply, ModelReply)
        assert (reply.text, reply.finish_reason, reply.flags) == ("def f := 1", "stop", ("continued",))
        assert reply.attempts == 2
        follow_up = server.requests[1].body["messages"]
        assert follow_up[1:] == [{"role": "assistant", "content": "def f :="}, {"role": "user", "content": CONTINUE}]
        line = gate.ledger().total
        assert (line.calls, line.requests) == (2, 2)
        assert (reply.usage.input_tokens, reply.usage.output_tokens) == server.tokens
        assert reply.cost_usd == pytest.approx(line.cost_usd)
        again = gate.complete(ModelRequest.of(MODEL, "write f"))
        assert again.cached
        assert server.request_count == 2


def test_a_cut_reply_is_asked_for_again_with_twice_the_limit() -> None:
    with MockServer([Fault("truncated", text="def"), Fault(text="def f := 1")]) as server:
        with Gateway(api_base=server.url) as gate:
            reply = gate.complete(ModelRequest.of(MODEL, "write f", max_tokens=10, on_length="enlarge"))
        assert isinstance(reply, ModelReply)
        assert (reply.text, reply.flags) == ("def f := 1", ("enlarged",))
        assert [r.body["max_tokens"] for r in server.requests] == [10, 20]


def test_one_follow_up_is_all_and_a_failed_one_leaves_the_cut_reply() -> None:
    plan = [Fault("truncated", text="a"), Fault("truncated", text="b"), Fault("truncated", text="c"), Fault("refusal")]
    with MockServer(plan) as server, Gateway(api_base=server.url, on_length="continue") as gate:
        still = gate.complete(ModelRequest.of(MODEL, "one"))
        assert isinstance(still, ModelReply)
        assert (still.text, still.finish_reason) == ("ab", "length")
        failed = gate.complete(ModelRequest.of(MODEL, "two"))
        assert isinstance(failed, ModelReply)
        assert (failed.text, failed.finish_reason, failed.flags) == ("c", "length", ("follow_up_failed",))
        assert server.request_count == 4


def test_flags_and_tool_calls_survive_the_store() -> None:
    reply = ModelReply(text="", tool_calls=(ToolCall("1", "f", "{broken"),), flags=("continued",))
    back = outcome_from_json(outcome_to_json(reply))
    assert isinstance(back, ModelReply)
    assert (back.tool_calls, back.flags) == (reply.tool_calls, reply.flags)


# What is kept


def contents(folder: Path) -> bytes:
    """Return every byte of a folder, with what is compressed in its databases unpacked."""
    parts = [path.read_bytes() for path in folder.rglob("*") if path.is_file()]
    for path in folder.glob("*.sqlite"):
        with closing(sqlite3.connect(path)) as connection:
            tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            for table in tables:
                for row in connection.execute(f"SELECT * FROM {table}"):
                    parts += [zlib.decompress(cell) for cell in row if isinstance(cell, bytes)]
                    parts += [str(cell).encode() for cell in row if not isinstance(cell, bytes)]
    return b"\n".join(parts)


def test_no_key_is_in_any_file_whatever_the_server_says_back(tmp_path: Path) -> None:
    key = "sk-proj-AbCdEf0123456789"
    plan = [
        Fault("server_error", text=f"cannot use Bearer {key}"),
        Fault(text=f"your key is {key}"),
        Fault("refusal", text=f"not with {key}"),
        Fault("wrong_key", text=f"Incorrect API key provided: {key}"),
    ]
    with MockServer(plan) as server:  # noqa: SIM117
        with Gateway(tmp_path / "lm.sqlite", api_base=server.url, api_key=key, retry=QUICK) as gate:
            reply = gate.complete(ModelRequest.of(MODEL, f"is {key} a good key?"))
            assert isinstance(reply, ModelReply)
            assert reply.text == "your key is [key]"
            refusal = gate.complete(ModelRequest.of(MODEL, "another"))
            assert isinstance(refusal, ModelFailure)
            with pytest.raises(Exception, match="refused"):
                gate.complete(ModelRequest.of(MODEL, "third"))
            assert server.requests[0].authorization == f"Bearer {key}"
            gate._core.store.guarded(lambda c: c.execute("PRAGMA wal_checkpoint(TRUNCATE)"))
            found = contents(tmp_path)
    assert key.encode() not in found
    assert b"your key is [key]" in found


def test_keys_of_the_environment_are_redacted_too(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SOMEBODYS_API_KEY", "0123abcdefgh")
    with (
        MockServer([Fault(text="0123abcdefgh")]) as server,
        Gateway(tmp_path / "a.sqlite", api_base=server.url) as gate,
    ):
        gate.complete(ModelRequest.of(MODEL, "x"))
        assert b"0123abcdefgh" not in contents(tmp_path)
    assert redacted("sk-ABCDEFGHIJKLMNOPQRST and keywordsAreFine1234", ()) == "[key] and keywordsAreFine1234"


def test_every_request_and_every_response_is_kept(tmp_path: Path) -> None:
    plan = [Fault("server_error"), Fault("malformed"), Fault(text="good"), Fault("empty_text")]
    with MockServer(plan) as server:
        with Gateway(tmp_path / "lm.sqlite", api_base=server.url, retry=QUICK) as gate:
            gate.complete(ModelRequest.of(MODEL, "first"))
            gate.complete(ModelRequest.of(MODEL, "second"))
        with closing(sqlite3.connect(tmp_path / "lm.sqlite")) as connection:
            kept = connection.execute("SELECT outcome, attempt, response FROM responses ORDER BY id").fetchall()
            asked = connection.execute("SELECT request FROM requests").fetchall()
    assert [(outcome, attempt) for outcome, attempt, _ in kept] == [
        ("server_error", 1),
        ("malformed", 2),
        ("reply", 3),
        ("empty", 1),
    ]
    bodies = [zlib.decompress(body).decode() for *_, body in kept]
    assert "The server had an error" in bodies[0]
    assert bodies[1].startswith('{"id": "mock", "choices"')
    assert json.loads(bodies[2])["choices"][0]["message"]["content"] == "good"
    prompts = {json.loads(zlib.decompress(r))["messages"][0]["content"] for (r,) in asked}
    assert prompts == {"first", "second"}


def test_a_store_of_the_first_schema_is_read_and_brought_up_to_date(tmp_path: Path) -> None:
    path = tmp_path / "lm.sqlite"
    asked = ModelRequest.of("sim/writer", "hello")
    with Gateway(path) as gate:
        first = gate.complete(asked)
    with closing(sqlite3.connect(path)) as connection:
        for table in ("requests", "responses", "claims", "batches"):
            connection.execute(f"DROP TABLE {table}")
        connection.execute("UPDATE meta SET value = '1'")
        connection.commit()
    with Gateway(path) as gate:
        again = gate.complete(asked)
        assert isinstance(first, ModelReply)
        assert isinstance(again, ModelReply)
        assert (again.cached, again.text) == (True, first.text)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT value FROM meta").fetchall() == [("2",)]
