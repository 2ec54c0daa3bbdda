"""GEPA on a generator's instructions: what is tuned is what is scored, and a failure is never scored as an optimum."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import pytest

from evaluators.checks import ContractChecks
from evaluators.contract import Contract
from evaluators.reward import Reward, make_reward
from evaluators.scoring import Scored
from optimizers.base import ModelChoice, OptimisationResult, OptimizerOptions, Problem
from optimizers.gepa import Gepa
from optimizers.metric import Observer, RewardMetric
from optimizers.run import optimise
from optimizers.seeds import SEED_NAMES, Prompt, seed_prompt
from specgen.errors import BudgetReachedError, SpecgenError, UserError
from specgen.generators import make_generator
from specgen.lm import Budget, Gateway, ModelRequest
from specgen.lm.simulated import SimulatedTask, SimulatedVariant, SpoilKind
from specgen.tasks.model import Labels, LeanContext, Pair, Parameter, Provenance, Signature, Task
from tests.evaluators.helpers import checks


def task(i: int) -> Task:
    signature = Signature(f"f{i}", (Parameter("x", "Nat"),), "Nat")
    labels = Labels(accepted=(Pair(("1",), "2"),), rejected=(Pair(("1",), "1"),))
    return Task(
        f"t{i}",
        f"Return more than {i}.",
        signature,
        LeanContext("4.24.0"),
        Provenance("test", f"t{i}", "x"),
        labels=labels,
    )


TASKS = [task(i) for i in range(8)]


class Knowledge:
    """Every kind of contract is a comment that names it, so that a checker without Lean can tell."""

    fingerprint = "test"

    def lookup(self, prompt_text: str) -> SimulatedTask | None:
        for t in TASKS:
            if t.requirement in prompt_text:
                kinds: Sequence[SpoilKind] = ("reference", "vacuous", "weakened", "ill_typed", "dropped_clause")
                name = t.signature.name
                variants: Mapping[SpoilKind, tuple[SimulatedVariant, ...]] = {
                    k: (SimulatedVariant(f"def {name}_postcond (x result : Nat) : Prop := True -- {k}"),) for k in kinds
                }
                return SimulatedTask(t.id, variants)
        return None


@dataclass
class KindChecker:
    """Reads the kind from the comment."""

    seen: list[str] = field(default_factory=list)

    def check(self, contract: Contract, task: Task) -> ContractChecks:
        kind = contract.source.rpartition("-- ")[2].strip()
        self.seen.append(kind)
        if kind == "ill_typed":
            return ContractChecks("no", "type mismatch")
        rejected = {"reference": ["fh", "hf"], "dropped_clause": ["fh", "hh"], "weakened": ["hh", "hf"]}.get(
            kind, ["hh", "hh"]
        )
        return checks(["hh"], rejected, "h", "f")


MODELS = ModelChoice("sim/writer", "sim/reflector")


def problem(
    reward: str,
    gateway: Gateway,
    checker: KindChecker | None = None,
    models: ModelChoice = MODELS,
    observer: Observer | None = None,
) -> Problem:
    return Problem(
        seed_prompt("zero-shot"),
        TASKS[:4],
        TASKS[4:],
        make_generator("direct"),
        make_reward(reward),
        checker or KindChecker(),
        gateway,
        models,
        observer,
    )


def options(calls: int = 60, seed: int = 0) -> OptimizerOptions:
    return OptimizerOptions(max_metric_calls=calls, minibatch=2, seed=seed, threads=4)


def run(reward: str, gateway: Gateway, calls: int = 60, seed: int = 0) -> OptimisationResult:
    return optimise(problem(reward, gateway), Gepa(), options(calls, seed))


def test_the_reward_with_adequacy_changes_the_prompt_and_its_score_rises() -> None:
    with Gateway(knowledge=Knowledge()) as gateway:
        result = run("verifier+adequacy", gateway)
    assert result.status == "completed"
    assert result.prompt is not None
    assert result.prompt.origin == "gepa:verifier+adequacy"
    assert len(result.tried) > 1
    assert result.tried[0] == seed_prompt("zero-shot").instructions
    assert result.validation_scores[result.best] > result.validation_scores[0]
    assert result.failed_calls == 0


def test_the_same_seed_gives_the_same_result_and_a_repeat_costs_nothing() -> None:
    with Gateway(knowledge=Knowledge()) as gateway:
        first = run("verifier+adequacy", gateway)
        paid = gateway.ledger().total.calls
        second = run("verifier+adequacy", gateway)
        assert gateway.ledger().total.calls == paid
    with Gateway(knowledge=Knowledge()) as other:
        third = run("verifier+adequacy", other)
    assert first == second == third


def test_calls_are_metered_by_role_and_split() -> None:
    seen: list[ModelRequest] = []

    class Watching(Gateway):
        async def acomplete(self, request: ModelRequest):  # type: ignore[no-untyped-def]
            seen.append(request)
            return await super().acomplete(request)

        def complete(self, request: ModelRequest):  # type: ignore[no-untyped-def]
            seen.append(request)
            return super().complete(request)

    with Watching(knowledge=Knowledge()) as gateway:
        run("verifier+adequacy", gateway)
        roles = gateway.ledger().by_role
    assert roles["task"].calls > 0
    assert roles["reflection"].calls > 0
    tagged = {(r.role, r.split, r.task_id in {t.id for t in TASKS[4:]}) for r in seen if r.role == "task"}
    assert tagged == {("task", "train", False), ("task", "validation", True)}


def test_what_is_sent_is_what_the_generator_renders() -> None:
    sent: list[str] = []

    class Watching(Gateway):
        def complete(self, request: ModelRequest):  # type: ignore[no-untyped-def]
            sent.append(request.messages[-1].content)
            return super().complete(request)

    with Watching(knowledge=Knowledge()) as gateway:
        run("verifier", gateway, calls=8)
    seed = seed_prompt("zero-shot")
    expected = {make_generator("direct").render(t.view(), seed.instructions)[-1].content for t in TASKS[4:]}
    assert expected <= set(sent)


def test_a_reached_budget_passes_through_and_gives_no_result() -> None:
    with Gateway(knowledge=Knowledge(), budget=Budget(max_calls=3)) as gateway, pytest.raises(BudgetReachedError):
        run("verifier", gateway)


def test_an_optimisation_whose_calls_fail_is_reported_as_failed() -> None:
    class Failing(KindChecker):
        def check(self, contract: Contract, task: Task) -> ContractChecks:
            raise RuntimeError("the checker broke")

    with Gateway(knowledge=Knowledge()) as gateway:
        result = optimise(problem("verifier", gateway, Failing()), Gepa(), options(8))
    assert result.status == "failed"
    assert result.prompt is None
    assert "the checker broke" in result.message


def test_a_reply_seen_before_is_not_checked_again_and_observers_hear_of_each_once() -> None:
    checker = KindChecker()
    heard: list[tuple[Scored, Reward]] = []
    metric = RewardMetric(
        {t.id: t for t in TASKS},
        make_generator("direct"),
        make_reward("verifier"),
        checker,
        lambda s, r: heard.append((s, r)),
    )
    text = "def f0_postcond (x result : Nat) : Prop := True -- vacuous"
    assert metric.judge("t0", text) is metric.judge("t0", text)
    assert checker.seen == ["vacuous"]
    assert len(heard) == 1


def test_seed_prompts_are_distinct_and_unknown_ones_named() -> None:
    prompts: list[Prompt] = [seed_prompt(n) for n in SEED_NAMES]
    assert len({p.hash() for p in prompts}) == 3
    with pytest.raises(UserError, match="unknown seed prompt"):
        seed_prompt("zeroshot")


def test_an_error_of_ours_while_scoring_stops_the_optimisation() -> None:
    def full_disk(scored: Scored, reward: Reward) -> None:
        raise UserError("cannot write records.jsonl: No space left on device")

    with Gateway(knowledge=Knowledge()) as gateway, pytest.raises(UserError, match="No space left"):
        optimise(problem("verifier", gateway, observer=full_disk), Gepa(), options(8))


def test_an_optimisation_without_a_model_is_reported_as_failed() -> None:
    """DSPy calls a compile whose every call fails a success."""
    from specgen.lm import RetryPolicy

    models = ModelChoice("openai/none", "sim/reflector")
    with Gateway(
        knowledge=Knowledge(), api_base="http://127.0.0.1:9/v1", api_key="k", retry=RetryPolicy(max_attempts=1)
    ) as gateway:
        try:
            result = optimise(problem("verifier", gateway, models=models), Gepa(), options(8))
        except SpecgenError as exc:
            assert "127.0.0.1:9" in exc.one_line()
        else:
            assert result.status == "failed"
            assert "calls failed" in result.message
