"""DSPy on the gateway: every call metered, errors that stop the run not swallowed."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from specgen.errors import BudgetReachedError
from specgen.lm import Budget, CallError, Gateway, ModelReply, RetryPolicy, ScriptedModel
from specgen.lm._errors import WrongKeyError
from specgen.lm._litellm import load_litellm
from specgen.lm.mock_server import Fault, MockServer
from specgen.lm.simulated import SPOIL_KINDS
from tests.lm.knowledge import Numbered

load_litellm()
import dspy  # noqa: E402

# LiteLLM's own typed dictionaries displease pydantic when they are imported.
pytestmark = pytest.mark.filterwarnings("ignore:.*`ReadOnly` qualifier:UserWarning")


class WriteContract(dspy.Signature):  # type: ignore[misc]
    """Write a contract for the task."""

    requirement: str = dspy.InputField()
    precond: str = dspy.OutputField()
    postcond: str = dspy.OutputField()


@pytest.fixture
def gate() -> Iterator[Gateway]:
    with Gateway(knowledge=Numbered(), concurrency=8) as gateway:
        yield gateway


@pytest.mark.parametrize("adapter", [dspy.ChatAdapter(), dspy.JSONAdapter()])
@pytest.mark.parametrize("module", [dspy.Predict, dspy.ChainOfThought])
def test_the_simulated_writer_fills_the_fields_of_both_adapters(gate: Gateway, adapter: Any, module: Any) -> None:
    with dspy.context(lm=gate.dspy_lm("sim/writer", split="train"), adapter=adapter):
        prediction = module(WriteContract)(requirement="task 3")
    assert prediction.precond == "True"
    assert prediction.postcond in SPOIL_KINDS
    assert gate.ledger().total.calls == 1


def test_demonstrations_are_not_taken_for_the_task_at_hand(gate: Gateway) -> None:
    program = dspy.Predict(WriteContract)
    program.demos = [dspy.Example(requirement="task 7", precond="True", postcond="x").with_inputs("requirement")]
    seen: list[ModelReply] = []
    original = gate.complete

    def spy(request: Any) -> Any:
        outcome = original(request)
        assert isinstance(outcome, ModelReply)
        seen.append(outcome)
        return outcome

    gate.complete = spy  # type: ignore[method-assign]
    with dspy.context(lm=gate.dspy_lm("sim/writer")):
        program(requirement="task 3")
    assert seen[0].metadata["task_id"] == "t3"


def test_threads_share_the_ledger(gate: Gateway) -> None:
    lm = gate.dspy_lm("sim/writer", split="train")

    def one(number: int) -> str:
        with dspy.context(lm=lm):
            return str(dspy.Predict(WriteContract)(requirement=f"task {number}").postcond)

    with ThreadPoolExecutor(16) as pool:
        assert len(list(pool.map(one, range(100)))) == 100
    assert gate.ledger().total.calls == 100
    assert len(lm.history) <= 100 * 2


def test_async_programs_work(gate: Gateway) -> None:
    async def main() -> list[Any]:
        with dspy.context(lm=gate.dspy_lm("sim/writer")):
            program = dspy.Predict(WriteContract)
            return await asyncio.gather(*(program.acall(requirement=f"task {i}") for i in range(10)))

    assert len(asyncio.run(main())) == 10
    assert gate.ledger().total.calls == 10


def test_role_split_and_tags_reach_the_request() -> None:
    script = ScriptedModel(["a", "b", "c"])
    with Gateway(providers={"sim/script": script}) as gate:
        lm = gate.dspy_lm("sim/script", role="reflection", split="train", temperature=0.7, max_tokens=50)
        lm("hi")
        with gate.tags(split="validation", task_id="t1", sample=4):
            lm("hi")
        lm("hello", top_p=0.5, stop=["x"])
        first, second, third = script.requests
        assert (first.role, first.split, first.temperature, first.max_tokens) == ("reflection", "train", 0.7, 50)
        assert (second.split, second.task_id, second.sample) == ("validation", "t1", 4)
        assert dict(third.options) == {"top_p": 0.5, "stop": ["x"]}
        assert gate.ledger().line("reflection").calls == 3


def test_dspys_cache_is_off_and_ours_serves_equal_calls() -> None:
    with Gateway(providers={"sim/script": ScriptedModel(["a", "b", "c", "d"])}) as gate:
        lm = gate.dspy_lm("sim/script", temperature=1.0)
        assert [lm("hi"), lm("hi")] == [["a"], ["a"]]
        # Roll-outs and candidates are further samples.
        assert lm.copy(rollout_id=1)("hi") == ["b"]
        assert lm("hi", n=3) == ["a", "c", "d"]
        assert gate.ledger().total.cached_calls == 2


def test_a_copied_program_keeps_the_gateway(gate: Gateway) -> None:
    program = dspy.Predict(WriteContract)
    program.lm = gate.dspy_lm("sim/writer")
    program.deepcopy()(requirement="task 1")
    assert gate.ledger().total.calls == 1


def test_a_failed_call_is_one_failed_call_and_dspy_does_not_repeat_it() -> None:
    script = ScriptedModel([CallError("server_error", "down", status=500)] * 4)
    retry = RetryPolicy(max_attempts=2, first_wait_s=0.001)
    with Gateway(providers={"sim/script": script}, retry=retry) as gate:
        with pytest.raises(dspy.utils.exceptions.LMServerError, match="after 2 attempts: down"):
            gate.dspy_lm("sim/script")("hi")
        assert len(script.requests) == 2
        assert gate.fatal is None


def metric(gold: Any, pred: Any, trace: Any = None, pred_name: Any = None, pred_trace: Any = None) -> Any:
    if pred.postcond == "reference":
        return dspy.Prediction(score=1.0, feedback="All accepted pairs hold.")
    if pred.postcond in ("weakened", "vacuous", "dropped_clause"):
        return dspy.Prediction(score=0.4, feedback="Rejected pair slipped through: (1, 2).")
    if pred.postcond in ("unparsable", "ill_typed"):
        return dspy.Prediction(score=0.0, feedback="The contract is not well formed: it does not elaborate.")
    return dspy.Prediction(score=0.3, feedback="Clause 1 fails on accepted pair (0, 0).")


def examples(start: int, count: int) -> list[Any]:
    return [dspy.Example(requirement=f"task {i}").with_inputs("requirement") for i in range(start, start + count)]


def optimise(gate: Gateway, writer: str = "sim/writer", metric_calls: int = 150) -> Any:
    gepa = dspy.GEPA(
        metric=metric,
        max_metric_calls=metric_calls,
        reflection_lm=gate.dspy_lm("sim/reflector", role="reflection", split="train"),
        num_threads=4,
        track_stats=False,
        seed=1,
    )
    with dspy.context(lm=gate.dspy_lm(writer, split="train")):
        return gepa.compile(dspy.Predict(WriteContract), trainset=examples(0, 12), valset=examples(100, 20))


def test_gepa_improves_the_instructions_with_the_simulated_reflector(gate: Gateway) -> None:
    best = optimise(gate)
    gate.raise_if_fatal()
    instructions = best.signature.instructions
    assert instructions.startswith("Write a contract for the task.")
    assert len(instructions) > len("Write a contract for the task.")
    ledger = gate.ledger()
    assert ledger.line("reflection").calls > 0
    assert ledger.line("task").calls > 0
    assert ledger.line("judge").calls == 0


def test_a_budget_that_ends_inside_gepa_is_raised_afterwards() -> None:
    with Gateway(knowledge=Numbered(), budget=Budget(max_calls=40)) as gate:
        try:
            optimise(gate)
        except Exception:  # noqa: BLE001, S110 - what GEPA makes of it is not the point
            pass
        with pytest.raises(BudgetReachedError):
            gate.raise_if_fatal()
        assert gate.ledger().total.requests == 40


def test_a_wrong_key_inside_dspy_is_raised_afterwards_and_asked_once() -> None:
    with MockServer(lambda _n, _body: Fault("wrong_key")) as server, Gateway(api_base=server.url) as gate:
        evaluate = dspy.Evaluate(devset=examples(0, 6), metric=metric, num_threads=1, max_errors=100)
        with dspy.context(lm=gate.dspy_lm("openai/gpt-4o-mini")):
            evaluate(dspy.Predict(WriteContract))
        with pytest.raises(WrongKeyError):
            gate.raise_if_fatal()
        assert server.request_count == 1


def test_a_reply_cut_at_nothing_is_still_a_reply() -> None:
    with MockServer([Fault("truncated", text="")]) as server, Gateway(api_base=server.url) as gate:
        assert gate.dspy_lm("openai/gpt-4o-mini")("hi") == [""]
