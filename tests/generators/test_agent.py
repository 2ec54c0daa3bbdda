"""The `agent` generator: turns, tools, the gate, and what happens when the turns run out."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

import pytest

from specgen.errors import UserError
from specgen.generators import (
    CallOptions,
    Candidate,
    Elaboration,
    HarnessReport,
    HarnessScore,
    Relation,
    generate,
)
from specgen.generators.agent import AgentGenerator, AgentOptions, judge_gate, read_turn
from specgen.lm import ModelFailure, ModelOutcome, ModelReply, ModelRequest, Usage
from specgen.tasks.model import GenerationView, LeanContext, Parameter, Signature

VIEW = GenerationView(
    "t1",
    "Return the largest element.",
    Signature("largest", (Parameter("xs", "List Int"),), "Int"),
    LeanContext("4.24.0"),
)
OFFERED = ("check", "score", "finish")


def turn(action: str, text: str = "def largest_postcond := 1") -> str:
    return f"[ACTION] {action}\n[SPECIFICATION]\n{text}\n[END]"


def score(value: float | None, status: str = "observed", lower: float | None = None) -> HarnessScore:
    return HarnessScore(value, value if lower is None else lower, value, status)


class Client:
    """Answers with texts (None: a failed call) in turn."""

    def __init__(self, *texts: str | None) -> None:
        self.texts = list(texts)
        self.requests: list[ModelRequest] = []

    def complete(self, request: ModelRequest) -> ModelOutcome:
        self.requests.append(request)
        text = self.texts.pop(0)
        return (
            ModelFailure(kind="timeout", message="late") if text is None else ModelReply(text=text, usage=Usage(3, 2))
        )


class Harness:
    """Scores by words in the specification: `weak` lets wrong results through, `wrong` is not verified."""

    def __init__(self) -> None:
        self.modes: list[bool] = []

    def elaborate(self, candidate: Candidate) -> Elaboration:
        return Elaboration("rejected", "line 1: bad") if "bad" in candidate.lean else Elaboration("accepted")

    def harness(self, candidate: Candidate, verifier_only: bool = False) -> HarnessReport:
        self.modes.append(verifier_only)
        scores = (
            {}
            if verifier_only
            else {
                "PostCorr": score(1.0),
                "PostComp": score(0.5 if "weak" in candidate.lean else 1.0),
                "PreCorr": score(None, "not_applicable"),
                "PreComp": score(0.0),
            }
        )
        return HarnessReport("wrong" not in candidate.lean, MappingProxyType(scores), "words of the harness")

    def relation(self, first: Candidate, second: Candidate) -> Relation:
        raise AssertionError("not asked for")


def run(client: Client, harness: Harness | None = None, **options: Any) -> Candidate:
    generator = AgentGenerator(AgentOptions(**options))
    return generate(generator, VIEW, "Be exact.", client, CallOptions("sim/writer"), 0, harness or Harness())


def test_it_finishes_only_when_the_gate_lets_it() -> None:
    client = Client(turn("check", "bad"), turn("finish", "weak"), turn("finish", "good"), turn("finish", "never"))
    found = run(client)
    assert (found.lean, found.calls, found.failure, found.input_tokens) == ("good", 3, "", 9)
    assert found.notes[0].startswith("turn 1: check: rejected")
    assert found.notes[1] == "turn 2: finish: Not yet: PostComp is 0.50, 1 wanted."
    assert "PreCorr not gated: no examples" in found.notes[2]


def test_verifier_only_never_hears_of_rejected_pairs() -> None:
    harness = Harness()
    client = Client(turn("verify", "wrong"), turn("finish", "weak"))
    found = run(client, harness, mode="verifier-only")
    assert (found.lean, harness.modes) == ("weak", [True, True])
    said = "\n".join(m.content for m in client.requests[-1].messages)
    assert "PostComp" not in said and "`score`" not in said and "does not hold of all known-correct" in said


def test_a_tool_of_the_other_mode_is_not_offered() -> None:
    found = run(Client(turn("score"), turn("finish")), mode="verifier-only")
    assert found.notes[0].startswith("turn 1: no such tool: score")


def test_the_conversation_grows_by_turn_and_answer() -> None:
    client = Client(turn("score", "weak"), turn("finish", "good"))
    run(client)
    first, second = (r.messages for r in client.requests)
    assert [m.role for m in first] == ["system", "user"]
    assert second[:2] == first and [m.role for m in second[2:]] == ["assistant", "user"]
    assert "words of the harness" in second[3].content and "5 turns are left" in second[3].content
    assert len({r.sample for r in client.requests}) == 2


@pytest.mark.parametrize(("policy", "failure", "lean"), [("last", "", "weak two"), ("fail", "exhausted", "")])
def test_what_happens_when_the_turns_run_out_is_an_option(policy: str, failure: str, lean: str) -> None:
    found = run(Client(turn("finish", "weak one"), turn("finish", "weak two")), max_steps=2, on_exhausted=policy)
    assert (found.failure, found.lean, found.calls) == (failure, lean, 2)
    assert "2 turns ran out" in found.message + found.notes[-1]


def test_turns_without_form_cost_a_turn_and_end_in_a_failure() -> None:
    found = run(Client("I refuse.", "", turn("fly")), max_steps=3)
    assert found.failure == "" and found.lean == "def largest_postcond := 1"
    turns = [n for n in found.notes if n.startswith("turn")]
    assert [n.split(":")[1].strip() for n in turns] == [
        "no tool was called",
        "no tool was called",
        "no such tool",
    ]
    assert run(Client("I refuse.", ""), max_steps=2).failure == "exhausted"


def test_a_failed_call_is_no_verdict_on_the_model() -> None:
    found = run(Client(turn("score", "weak"), None))
    assert (found.failure, found.calls) == ("call_failed", 2)


@pytest.mark.parametrize(
    ("text", "action", "specification", "fault"),
    [
        (turn("check", "x"), "check", "x", ""),
        ("**[ACTION]** `finish`\n[SPECIFICATION]\n```lean\nx\n```\n[END]", "finish", "x", ""),
        ("[ACTION] check\n[SPECIFICATION]\n", "check", "", "there is no specification"),
        ("[SPECIFICATION]\nx\n[END]", "", "x", "no tool was called"),
        (turn("check", "old") + "\n" + turn("finish", "new"), "", "new", "more than one tool was called"),
        (turn("check", "old") + "\n" + turn("check", "new"), "check", "new", ""),
    ],
)
def test_reading_turns(text: str, action: str, specification: str, fault: str) -> None:
    found = read_turn(text, OFFERED)
    assert (found.action, found.specification, found.fault) == (action, specification, fault)


@pytest.mark.parametrize(
    ("given", "missing"),
    [
        (score(0.9), False),
        (score(0.7), True),
        (score(None, "inconclusive", 0.85), False),
        (score(None, "inconclusive", 0.2), True),
        (score(None, "unsupported"), True),
        (score(None, "not_applicable"), False),
    ],
)
def test_the_gate_takes_what_is_known(given: HarnessScore, missing: bool) -> None:
    report = HarnessReport(True, MappingProxyType({"PostCorr": score(1.0), "PostComp": given}), "")
    gate = judge_gate(report, AgentOptions(threshold=0.8))
    assert bool(gate.missing) == missing
    assert any("PreCorr not gated" in n for n in gate.notes)


def test_options_out_of_range_are_refused() -> None:
    cases: list[dict[str, Any]] = [{"max_steps": 0}, {"threshold": 1.5}]
    for faulty in cases:
        with pytest.raises(UserError, match="agent: max_steps"):
            AgentOptions(**faulty)
