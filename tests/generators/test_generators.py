"""Rendering and reading, without a model."""

from __future__ import annotations

from types import MappingProxyType

import pytest

from specgen.errors import UserError
from specgen.generators import CallOptions, Candidate, Generator, candidate_from_record, generate, make_generator
from specgen.generators.base import without_fence
from specgen.generators.verina import demonstrations, read_fields, write_fields
from specgen.lm import ModelFailure, ModelOutcome, ModelReply, ModelRequest, Usage
from specgen.tasks.model import GenerationView, LeanContext, Parameter, Signature

VIEW = GenerationView(
    "t1",
    "Return the {largest} element.",
    Signature("largest", (Parameter("xs", "List Int"), Parameter("f", "Int → Int")), "Int"),
    LeanContext("4.24.0", ("Mathlib",), "def helper : Nat := 1"),
)


class Client:
    """Answers with a fixed outcome and keeps the requests."""

    def __init__(self, outcome: ModelOutcome) -> None:
        self.outcome = outcome
        self.requests: list[ModelRequest] = []

    def complete(self, request: ModelRequest) -> ModelOutcome:
        self.requests.append(request)
        return self.outcome


@pytest.mark.parametrize("name", ["direct", "verina"])
def test_a_prompt_shows_instructions_requirement_signature_and_context(name: str) -> None:
    generator = make_generator(name)
    text = "\n".join(m.content for m in generator.render(VIEW, "Be exact about {braces}."))
    for part in (
        "Be exact about {braces}.",
        VIEW.requirement,
        "(xs : List Int) (f : Int → Int)",
        "def helper : Nat := 1",
        "4.24.0",
    ):
        assert part in text


def test_the_generators_are_generators() -> None:
    for name in ("direct", "verina"):
        assert isinstance(make_generator(name), Generator)


def test_an_unknown_generator_is_named_with_the_nearest() -> None:
    with pytest.raises(UserError) as caught:
        make_generator("verino")
    assert "Did you mean 'verina'?" in caught.value.one_line()


def test_direct_takes_the_reply_as_it_is() -> None:
    client = Client(ModelReply(text="  def x := 1\n", usage=Usage(3, 4), cost_usd=None))
    c = generate(make_generator("direct"), VIEW, "Go.", client, CallOptions("m", split="test"), 2)
    assert (c.text, c.failure, c.sample, c.input_tokens, c.cost_usd) == ("  def x := 1\n", "", 2, 3, None)
    request = client.requests[0]
    assert (request.sample, request.split, request.role, request.task_id) == (2, "test", "task", "t1")


def test_a_failed_call_is_a_candidate_without_output() -> None:
    client = Client(ModelFailure(kind="timeout", message="120 s"))
    c = generate(make_generator("direct"), VIEW, "Go.", client, CallOptions("m"))
    assert (c.failure, c.message, c.text) == ("call_failed", "timeout: 120 s", "")


@pytest.mark.parametrize("text", ["", "  \n\t"])
def test_an_empty_reply_is_a_candidate_with_a_failure(text: str) -> None:
    c = generate(make_generator("verina"), VIEW, "Go.", Client(ModelReply(text=text)), CallOptions("m"))
    assert c.failure == "empty"


def test_demonstrations_read_back_as_they_are_shown() -> None:
    assert len(demonstrations()) == 2
    for demo in demonstrations():
        assert read_fields(write_fields(demo.fields)).fields == demo.fields


def test_demonstrations_are_named_for_exclusion() -> None:
    generator = make_generator("verina")
    assert {"demo_first_gap", "firstGap"} <= generator.demonstration_ids
    prompt = "\n".join(m.content for m in generator.render(VIEW, "Go."))
    for demo in demonstrations():
        assert demo.view.requirement in prompt


@pytest.mark.parametrize(
    ("text", "failure"),
    [
        ("I am sorry.", "unparsable"),
        ("[[ ## precond ## ]]\nTrue", "unparsable"),
        ("[[ ## postcond ## ]]\n\n[[ ## completed ## ]]", "unparsable"),
        ("[[ ## postcond ## ]]\nresult = 1", ""),
    ],
)
def test_fields_that_cannot_be_read_are_a_parse_failure(text: str, failure: str) -> None:
    parsed = read_fields(text)
    assert parsed.failure == failure
    assert (parsed.fields is None) == bool(failure)
    assert bool(parsed.message) == bool(failure)


def test_fences_are_taken_off_and_said() -> None:
    parsed = read_fields("[[ ## precond ## ]]\n```lean\nx > 0\n```\n[[ ## postcond ## ]]\n  result = 1 ∧\n  True\n")
    assert parsed.fields is not None
    assert parsed.fields["precond"] == "x > 0"
    assert parsed.fields["postcond"] == "  result = 1 ∧\n  True"
    assert "code fence taken off precond" in parsed.notes
    assert any("read as empty: imports, precond_aux, postcond_aux" in n for n in parsed.notes)


def test_candidates_round_trip() -> None:
    import json

    c = Candidate("t", "verina", "x", 1, MappingProxyType({"postcond": "True"}), notes=("a",), cost_usd=None)
    assert candidate_from_record(json.loads(json.dumps(c.as_record()))) == c
    assert c.fingerprint() == candidate_from_record(c.as_record()).fingerprint()


@pytest.mark.parametrize(
    ("body", "bare"),
    [
        ("```lean\nx\n```", "x"),
        ("```\n  x\ny\n  ```  \n", "  x\ny"),
        ("```lean\nx", "x"),
        ("```lean\n", ""),
        ("x\n```", "x\n```"),
        ("``` not a language\nx", "``` not a language\nx"),
        ("```", "```"),
        ("```\n" + " " * 200_000 + "x", " " * 200_000 + "x"),
    ],
)
def test_fences_around_a_part_are_taken_off(body: str, bare: str) -> None:
    assert without_fence(body) == bare
