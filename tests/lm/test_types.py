from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from specgen.errors import UserError
from specgen.lm import Budget, ChatMessage, ModelRequest, Price
from specgen.lm._types import ModelFailure, ModelReply, Usage, outcome_from_json, outcome_to_json


def request(**fields: Any) -> ModelRequest:
    return ModelRequest.of("openai/m", "hello", **fields)


@pytest.mark.parametrize(
    "change",
    [
        {"temperature": 0.5},
        {"max_tokens": 9},
        {"sample": 1},
        {"seed": 1},
        {"options": {"top_p": 0.5}},
        {"role": "judge"},
        {"split": "test"},
        {"system": "be brief"},
    ],
)
def test_everything_that_identifies_a_request_is_in_its_key(change: dict[str, object]) -> None:
    assert request(**change).key() != request().key()


def test_key_has_model_and_server_but_not_the_task_id() -> None:
    assert ModelRequest.of("openai/n", "hello").key() != request().key()
    assert request().key(api_base="http://a/v1") != request().key(api_base="http://b/v1")
    assert request().key(api_base="http://a/v1/") == request().key(api_base="http://a/v1")
    assert request(task_id="t").key() == request().key()


def test_key_is_the_same_on_every_machine() -> None:
    asked = request(options={"stop": ["é"], "top_p": 0.5}, split="train")
    assert asked.key() == "44a0e8449178f66c48aa87f0018a0d66f96baec88ecdc78a6c23c334da25edfe"


@pytest.mark.parametrize(
    "bad", [{"sample": -1}, {"role": "boss"}, {"options": {"stop": {1, 2}}}, {"temperature": float("nan")}]
)
def test_a_request_that_cannot_be_keyed_is_refused_when_it_is_made(bad: dict[str, object]) -> None:
    with pytest.raises(UserError):
        request(**bad)


def test_no_messages() -> None:
    with pytest.raises(UserError, match="at least one message"):
        ModelRequest(model="openai/m", messages=())


def test_options_cannot_change_after_the_request_is_made() -> None:
    options = {"top_p": 0.5}
    asked = request(options=options)
    before = asked.key()
    options["top_p"] = 0.9
    assert asked.key() == before
    assert hash(asked) == hash(request(options={"top_p": 0.5}))


def test_outcomes_survive_the_store() -> None:
    reply = ModelReply(text="x\ud800é", usage=Usage(1, 2, 1), cost_usd=None, metadata={"kind": "reference"})
    back = outcome_from_json(outcome_to_json(reply))
    assert isinstance(back, ModelReply)
    assert back.cached
    assert (back.text, back.usage, back.cost_usd, back.metadata) == (reply.text, reply.usage, None, reply.metadata)
    failure = outcome_from_json(outcome_to_json(ModelFailure(kind="content_filter", message="m", status=200)))
    assert isinstance(failure, ModelFailure)
    assert (failure.kind, failure.status, failure.cached) == ("content_filter", 200, True)


def test_price_of_cached_input() -> None:
    assert Price(2.0, 10.0).cost_usd(1_000_000, 100_000) == pytest.approx(3.0)
    assert Price(2.0, 10.0, 0.5).cost_usd(1_000_000, 0, 400_000) == pytest.approx(1.4)


def test_a_negative_cap_is_refused() -> None:
    with pytest.raises(UserError, match="max_calls"):
        Budget(max_calls=-1)


def test_message_roles_are_kept() -> None:
    asked = ModelRequest.of("openai/m", "hello", system="be brief")
    assert asked.messages == (ChatMessage("system", "be brief"), ChatMessage("user", "hello"))


def test_importing_the_gateway_imports_neither_litellm_nor_dspy() -> None:
    code = (
        "import sys; from specgen.lm import Gateway, ModelRequest\n"
        "with Gateway() as g: g.complete(ModelRequest.of('sim/writer', 'hello'))\n"
        "print(sorted({'litellm', 'dspy', 'openai'} & set(sys.modules)))"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"
