"""The `clever` generator: reading marked sections, and resampling."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from specgen.errors import UserError
from specgen.generators import (
    CallOptions,
    Candidate,
    Elaboration,
    HarnessReport,
    Relation,
    generate,
    make_generator,
)
from specgen.generators.clever import CleverGenerator, CleverOptions, demonstrations, read_sections, write_sections
from specgen.generators.session import Verdict
from specgen.lean.engine import check, load
from specgen.lean.environment import LeanEnv
from specgen.lm import ModelFailure, ModelOutcome, ModelReply, ModelRequest, Usage
from specgen.tasks.model import GenerationView, LeanContext, Parameter, Signature

VIEW = GenerationView(
    "t1",
    "Return the largest element.",
    Signature("largest", (Parameter("xs", "List Int"),), "Int"),
    LeanContext("4.24.0"),
)
GOOD = write_sections("think", "def generated_spec (impl : List Int → Int) (xs : List Int) : Prop := True")


class Client:
    """Answers with the given outcomes in turn."""

    def __init__(self, *outcomes: ModelOutcome) -> None:
        self.outcomes: Iterator[ModelOutcome] = iter(outcomes)
        self.requests: list[ModelRequest] = []

    def complete(self, request: ModelRequest) -> ModelOutcome:
        self.requests.append(request)
        return next(self.outcomes)


class Verdicts:
    """A verifier with given verdicts."""

    def __init__(self, *verdicts: Verdict) -> None:
        self.verdicts = iter(verdicts)
        self.asked: list[Candidate] = []

    def elaborate(self, candidate: Candidate) -> Elaboration:
        self.asked.append(candidate)
        return Elaboration(next(self.verdicts), "why")

    def harness(self, candidate: Candidate, verifier_only: bool = False) -> HarnessReport:
        raise AssertionError("not asked for")

    def relation(self, first: Candidate, second: Candidate) -> Relation:
        raise AssertionError("not asked for")


def reply(text: str = GOOD, seconds: float = 1.0, cost: float | None = 0.5) -> ModelReply:
    return ModelReply(text=text, usage=Usage(10, 5), latency_s=seconds, cost_usd=cost)


def run(client: Client, verifier: Verdicts, options: CleverOptions | None = None, sample: int = 0) -> Candidate:
    generator = CleverGenerator(options or CleverOptions())
    return generate(generator, VIEW, "Be exact.", client, CallOptions("sim/writer"), sample, verifier)


@pytest.mark.parametrize("demo", demonstrations(), ids=lambda d: str(d.view.task_id))
def test_every_demonstration_is_a_well_typed_contract_of_its_signature(demo: object) -> None:
    demo = next(d for d in demonstrations() if d is demo)
    report = check(demo.specification, LeanEnv((4, 24, 0), ()))
    assert [d.message for d in report.diagnostics if d.severity == "error"] == []
    signature = demo.view.signature
    wanted = [signature.function_type(), *(p.type for p in signature.parameters)]
    assert load(demo.specification, LeanEnv((4, 24, 0), ())).parameters_differ("generated_spec", wanted) == ""


def test_the_demonstrations_survive_writing_and_reading() -> None:
    assert len(demonstrations()) == 3
    for demo in demonstrations():
        assert read_sections(write_sections(demo.thoughts, demo.specification)).lean == demo.specification


def test_demonstrations_are_kept_out_by_id_and_by_function_name() -> None:
    ids = make_generator("clever").demonstration_ids
    assert {"demo_longest_run", "longestRun"} <= ids and len(ids) == 6


@pytest.mark.parametrize(
    ("text", "lean", "failure", "note"),
    [
        ("[THOUGHTS]\nt\n[SPECIFICATION]\ndef a := 1\n[END]\nmore", "def a := 1", "", ""),
        ("**[SPECIFICATION]**\n```lean\ndef a := 1\n```\n[END]", "def a := 1", "", "code fence"),
        ("[SPECIFICATION]\n```lean\ndef a := 1", "def a := 1", "", "no end mark"),
        ("[SPECIFICATION]\nold\n[END]\n[SPECIFICATION]\nnew\n[END]", "new", "", "2 marked"),
        ("def a := 1", "", "unparsable", ""),
        ("[SPECIFICATION]\n\n[END]", "", "unparsable", ""),
    ],
)
def test_reading_replies(text: str, lean: str, failure: str, note: str) -> None:
    parsed = read_sections(text)
    assert (parsed.lean, parsed.failure) == (lean, failure)
    assert note in " ".join(parsed.notes)


def test_it_stops_at_the_first_sample_that_elaborates_and_pays_for_all() -> None:
    client = Client(reply("nothing marked"), reply(), reply())
    found = run(client, Verdicts("rejected", "accepted"), CleverOptions(max_samples=5))
    assert (found.calls, found.failure, found.input_tokens, found.cost_usd) == (2, "", 20, 1.0)
    assert found.lean.startswith("def generated_spec") and found.notes[-1] == "sample 2: accepted"
    assert [r.sample for r in client.requests] == [0, 1]


def test_samples_of_different_candidates_are_different_calls() -> None:
    first, second = Client(reply(), reply()), Client(reply(), reply())
    run(first, Verdicts("rejected", "accepted"))
    run(second, Verdicts("rejected", "accepted"), sample=1)
    assert not {r.sample for r in first.requests} & {r.sample for r in second.requests}


def test_model_time_ends_the_resampling() -> None:
    client = Client(*[reply(seconds=4.0)] * 3)
    found = run(client, Verdicts("rejected", "timeout", "rejected"), CleverOptions(k_seconds=7.0, max_samples=9))
    assert found.calls == 2 and "no sample elaborated" in found.notes[-1] and "timeout" in found.notes[1]


def test_a_call_that_failed_does_not_hide_what_came_back() -> None:
    lost = ModelFailure(kind="timeout", message="late")
    found = run(Client(reply(), lost), Verdicts("unsupported"), CleverOptions(max_samples=2))
    assert (found.failure, found.text, found.calls) == ("", GOOD, 2)
    only = run(Client(lost, lost), Verdicts(), CleverOptions(max_samples=2))
    assert (only.failure, only.calls) == ("call_failed", 2)


def test_an_unknown_price_makes_the_whole_price_unknown() -> None:
    found = run(Client(reply(), reply(cost=None)), Verdicts("rejected", "accepted"))
    assert found.cost_usd is None


def test_options_that_leave_nothing_to_do_are_refused() -> None:
    with pytest.raises(UserError, match="leave nothing to do"):
        CleverOptions(max_samples=0)
