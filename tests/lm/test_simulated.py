from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

from specgen.errors import ExitCode
from specgen.lm import ChatMessage, Gateway, ModelReply, ModelRequest, SimulatedTask, SimulatedVariant
from specgen.lm._errors import UnknownModelError
from specgen.lm.simulated import SPOIL_KINDS
from specgen.lm.simulated._feedback import named_failures
from specgen.lm.simulated._instructions import CUES, QUALITIES, kind_odds, recognised
from specgen.lm.simulated._lessons import SENTENCES
from specgen.lm.simulated._reflector import improve
from tests.lm.knowledge import Numbered

PLAIN = "Write a Lean specification for the task below."
GOLDEN_KINDS = ["unparsable", "weakened", "reference", "weakened", "weakened", "reference"]
EXCLUDE = PLAIN + " The postcondition must exclude every wrong output."


def ask(prompt: str, model: str = "sim/writer", **fields: Any) -> ModelReply:
    with Gateway(knowledge=Numbered()) as gate:
        outcome = gate.complete(ModelRequest.of(model, prompt, **fields))
    assert isinstance(outcome, ModelReply)
    assert outcome.simulated
    return outcome


def kinds(instructions: str, model: str = "sim/writer", count: int = 400) -> Counter[str]:
    with Gateway(knowledge=Numbered()) as gate:
        asked = [ModelRequest.of(model, f"{instructions}\n\nRequirement:\ntask {i}") for i in range(count)]
        return Counter(o.metadata["kind"] for o in gate.complete_many(asked) if isinstance(o, ModelReply))


def test_the_same_request_gives_the_same_answer_in_every_process() -> None:
    prompt = f"{PLAIN}\n\nRequirement:\ntask 3"
    assert ask(prompt).text == ask(prompt).text
    seen = {ask(prompt, sample=i).text for i in range(12)}
    assert len(seen) > 1
    assert [ask(prompt, sample=i).metadata["kind"] for i in range(6)] == GOLDEN_KINDS


def test_seeds_are_different_models() -> None:
    prompt = f"{PLAIN}\n\nRequirement:\ntask 3"
    assert len({ask(prompt, f"sim/writer?seed={seed}").text for seed in range(12)}) > 1


def test_quality_follows_the_instructions() -> None:
    before, after = kinds(PLAIN), kinds(EXCLUDE)
    assert after["reference"] > before["reference"]
    assert after["weakened"] + after["vacuous"] < before["weakened"] + before["vacuous"]
    only_admit = kinds(PLAIN + " Do not over-constrain: admit every correct output.")
    assert only_admit["strengthened"] < before["strengthened"]
    assert only_admit["weakened"] + only_admit["vacuous"] > after["weakened"] + after["vacuous"]


def test_quality_follows_the_models_name() -> None:
    right = [kinds(PLAIN, model)["reference"] for model in ("sim/writer-weak", "sim/writer", "sim/writer-strong")]
    assert right == sorted(right)
    assert right[0] < right[2]


def test_the_task_at_hand_is_not_read_as_an_instruction() -> None:
    prompt = f"{PLAIN}\n\nRequirement:\ntask 1: exclude every wrong output on the empty list, step by step"
    assert ask(prompt).metadata["cues"] == ""


def test_every_spoiling_kind_occurs() -> None:
    assert set(kinds(PLAIN)) == set(SPOIL_KINDS)


def test_draws_follow_the_odds() -> None:
    seen = kinds(PLAIN, count=1500)
    odds = kind_odds("normal", (), frozenset(SPOIL_KINDS))
    assert seen["reference"] / 1500 == pytest.approx(odds["reference"], abs=0.05)
    assert seen["dropped_clause"] / 1500 == pytest.approx(odds["dropped_clause"], abs=0.05)


def test_odds_are_a_distribution_over_the_kinds_that_the_task_has() -> None:
    for quality in QUALITIES:
        for cues in ((), ("types",), tuple(cue.name for cue in CUES)):
            odds = kind_odds(quality, cues, frozenset({"reference", "weakened", "ill_typed"}), 1.4)
            assert sum(odds.values()) == pytest.approx(1)
            assert set(odds) == {"reference", "weakened", "ill_typed"}


def test_a_task_without_a_reference_variant_still_gets_an_answer() -> None:
    class OnlyVacuous:
        def lookup(self, prompt_text: str) -> SimulatedTask | None:
            return SimulatedTask("t", {"vacuous": (SimulatedVariant(lean="True"),), "reference": ()})

    with Gateway(knowledge=OnlyVacuous()) as gate:
        outcome = gate.complete(ModelRequest.of("sim/writer", "anything"))
        assert isinstance(outcome, ModelReply)
        assert outcome.text == "True"


def test_an_unknown_task_gets_a_vacuous_answer_and_only_the_metadata_say_so() -> None:
    got = ask("Write a specification of something else")
    assert "unknown" not in got.text
    assert got.metadata["kind"] == "unknown_task"


def test_plain_and_structured_formats() -> None:
    plain = ask(f"{PLAIN}\nOutput format: Lean\n\nRequirement:\ntask 3")
    assert plain.text.startswith("def spec := ")
    for marker in ("Output format: fields", "Output format: JSON"):
        fields = json.loads(ask(f"{PLAIN}\n{marker}\n\nRequirement:\ntask 3").text)
        assert set(fields) == {"imports", "precond_aux", "precond", "postcond_aux", "postcond"}
        assert fields["postcond"] in SPOIL_KINDS


def test_headings_asked_for_without_dspy() -> None:
    task = "[[ ## requirement ## ]]\n{}\n\nRespond with the fields `[[ ## precond ## ]]`,\n"
    task += "`[[ ## postcond ## ]]`, and then `[[ ## completed ## ]]`.\n\nOutput format: fields"
    system = PLAIN + " Keep to the requirement.\n\nFill five fields, each under its heading.\n- precond: what to admit."
    with Gateway(knowledge=Numbered()) as gate:
        messages = (
            ChatMessage("system", system),
            ChatMessage("user", task.format("another thing")),
            ChatMessage("assistant", "[[ ## precond ## ]]\nTrue"),
            ChatMessage("user", task.format("task 4: exclude every wrong output")),
        )
        outcome = gate.complete(ModelRequest(model="sim/writer", messages=messages))
    assert isinstance(outcome, ModelReply)
    assert outcome.metadata["cues"] == ""
    assert outcome.metadata["task_id"] == "t4"
    kind = outcome.metadata["kind"]
    assert outcome.text == f"[[ ## precond ## ]]\nTrue\n\n[[ ## postcond ## ]]\n{kind}\n\n[[ ## completed ## ]]"


@pytest.mark.parametrize(
    ("model", "hint"),
    [("sim/writr", "sim/writer"), ("sim/writer?sed=1", "seed"), ("sim/writer?seed=x", "whole number")],
)
def test_a_name_that_is_not_understood(model: str, hint: str) -> None:
    with Gateway() as gate, pytest.raises(UnknownModelError) as caught:
        gate.complete(ModelRequest.of(model, "hi"))
    assert hint in caught.value.one_line()
    assert caught.value.exit_code == ExitCode.USER_ERROR


FEEDBACK = {
    "wrong_output_admitted": [
        "Rejected pair slipped through: input [1, 2], output 7 satisfies the postcondition.",
        "The postcondition accepts the wrong output 3 for input 2.",
        "Postcondition too weak.",
        "A wrong result slips through: the postcondition accepts f [1] = 2, which must be rejected.",
    ],
    "right_output_refused": [
        "Clause 2 (`result > 0`) fails on accepted pair (0, 0).",
        "The accepted pair (3, 4) is refused.",
        "The postcondition does not hold on the correct output 5.",
        "The clause `result >= x` fails on known-correct behaviour, e.g. f 3 = 4.",
    ],
    "required_input_refused": [
        "Required input [] was refused by the precondition.",
        "The precondition rejects the required input 0.",
        "A valid input is refused: the precondition rejects [], which must be admitted.",
    ],
    "forbidden_input_admitted": [
        "The precondition admits the forbidden input -1.",
        "An invalid input is admitted: the precondition accepts 0, which must be refused.",
    ],
    "not_elaborated": ["The specification is not well formed: unknown identifier foo.", "It does not elaborate."],
    "not_parsed": ["The text does not parse: line 2, column 3.", "No specification was found in the reply."],
}


@pytest.mark.parametrize(("kind", "sentence"), [(k, s) for k, sentences in FEEDBACK.items() for s in sentences])
def test_feedback_is_understood(kind: str, sentence: str) -> None:
    assert dict(named_failures([sentence])) == {kind: 1}


@pytest.mark.parametrize(
    "sentence",
    [
        "No rejected pair slipped through.",
        "0 of 5 rejected pairs were accepted.",
        "All accepted pairs hold.",
        "Every required input is accepted and every clause holds.",
        "Rejected pairs excluded: 5 of 5.",
        "The specification is well formed.",
        "Score 1.0.",
        "All wrong results shown are rejected and all valid inputs shown are admitted.",
        "The specification is well formed and holds on all known-correct behaviour.",
    ],
)
def test_good_news_is_not_a_failure(sentence: str) -> None:
    assert not named_failures([sentence])


def test_the_reflector_learns_from_feedback_and_from_nothing_else() -> None:
    assert improve(PLAIN, ["All accepted pairs hold.", "Score 1.0."], seed=0) == (PLAIN, ())
    text, kinds_added = improve(PLAIN, ["Rejected pair slipped through: (1, 2)."], seed=0)
    assert text.startswith(PLAIN)
    assert kinds_added == ("wrong_output_admitted",)
    assert "exclude_wrong_outputs" in recognised(text)
    assert "do_not_over_constrain" not in recognised(text)
    text, kinds_added = improve(PLAIN, ["Clause 1 fails on accepted pair (0, 0)."], seed=0)
    assert kinds_added == ("right_output_refused",)
    assert not {"exclude_wrong_outputs", "never_trivial", "every_clause"} & set(recognised(text))


def test_the_reflector_adds_finer_advice_when_the_first_did_not_help_and_then_stops() -> None:
    text, steps = PLAIN, []
    for _ in range(5):
        text, added = improve(text, ["Rejected pair slipped through: (1, 2)."], seed=1)
        steps.append(len(added))
    assert steps == [1, 1, 1, 0, 0]


def test_every_sentence_of_the_reflector_is_a_request_that_the_writer_recognises() -> None:
    for kind, levels in SENTENCES.items():
        for level in levels:
            for sentence in level:
                assert recognised(sentence) or kind == "forbidden_input_admitted", sentence


def test_the_reflector_answers_gepas_own_prompt() -> None:
    prompt = (
        f"I provided an assistant with the following instructions:\n```\n{PLAIN}\n```\n\nExamples:\n```\n"
        "# Example 1\n## Inputs\n### requirement\nRequired input [] was refused\n\n"
        "## Feedback\nThe text does not parse.\n\n\n```\n\nProvide the new instructions within ``` blocks."
    )
    got = ask(prompt, "sim/reflector")
    assert got.text.startswith(f"```\n{PLAIN}\n")
    assert got.metadata["addressed"] == "not_parsed"


def test_simulated_latency_and_tokens() -> None:
    got = ask("one two three", "sim/writer?latency_ms=30")
    assert got.latency_s >= 0.03
    assert got.usage.input_tokens == 3
    assert got.usage.output_tokens > 0
