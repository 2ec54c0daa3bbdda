"""Every optimiser on the same small problem: inside its budget, honest about what came of it."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from optimizers.base import OptimisationResult, Optimizer, OptimizerOptions, Tunes
from optimizers.control import Control, OptimisationStopped
from optimizers.registry import OPTIMIZERS, make_optimizer
from optimizers.run import optimise
from optimizers.search import RandomSearch, sentences
from optimizers.seeds import Prompt, seed_prompt
from specgen.errors import UserError
from specgen.generators import Shot, make_generator, render_prompt
from specgen.lm import Gateway
from tests.optimizers.test_gepa import TASKS, Knowledge, problem

NAMES = sorted(OPTIMIZERS)


def carry_out(
    name: str, max_metric_calls: int = 48, tunes: Tunes | None = None, **more: Any
) -> tuple[OptimisationResult, Gateway]:
    optimizer = make_optimizer(name)
    options = OptimizerOptions(
        max_metric_calls=max_metric_calls, minibatch=2, threads=4, tunes=tunes or optimizer.tunes[0], **more
    )
    with Gateway(knowledge=Knowledge()) as gateway:
        return optimise(problem("verifier+adequacy", gateway), optimizer, options), gateway


@pytest.mark.parametrize("name", NAMES)
def test_every_optimiser_completes_inside_its_budget(name: str) -> None:
    result, gateway = carry_out(name)
    assert (result.status, result.optimizer) == ("completed", name), result.message
    assert result.prompt is not None and result.prompt.origin == f"{name}:verifier+adequacy"
    assert result.rollouts <= result.metric_calls <= 48
    assert gateway.ledger().line("task").calls <= 48
    assert len(result.validation_scores) == len(result.tried) >= 1
    assert 0 <= result.best < len(result.tried) and result.tried[result.best] == result.prompt.instructions


@pytest.mark.parametrize("name", NAMES)
def test_the_same_seed_gives_the_same_result(name: str) -> None:
    assert carry_out(name, 24)[0] == carry_out(name, 24)[0]


@pytest.mark.parametrize("name", ["gepa", "copro", "simba", "miprov2", "random"])
def test_a_cap_on_calls_ends_with_the_best_so_far(name: str) -> None:
    result, gateway = carry_out(name, 400, max_calls=14)
    assert gateway.ledger().total.calls <= 14 + 4
    if result.status == "completed":
        assert result.prompt is not None
        assert result.stopped in ("14 calls", "perfect validation score") or result.stopped == ""
    else:
        assert "before any prompt was scored" in result.message


def test_a_cap_before_anything_is_validated_is_a_failure_and_not_the_seed() -> None:
    result, _ = carry_out("gepa", 3)
    assert (result.status, result.prompt, result.best) == ("failed", None, -1)
    assert result.message == "stopped (3 metric calls) before any prompt was scored on every validation task"


def test_no_optimiser_keeps_the_seed_and_scores_it() -> None:
    result, gateway = carry_out("none")
    assert result.prompt is not None and result.prompt.instructions == seed_prompt("zero-shot").instructions
    assert (len(result.tried), result.metric_calls) == (1, 4)
    assert gateway.ledger().line("reflection").calls == 0


def test_bootstrapped_demonstrations_are_good_replies_to_training_tasks() -> None:
    result, _ = carry_out("bootstrap", 60)
    assert result.prompt is not None and result.prompt.shots
    assert {s.view.task_id for s in result.prompt.shots} <= {t.id for t in TASKS[:4]}
    assert all("-- reference" in s.reply for s in result.prompt.shots)
    messages = render_prompt(make_generator("direct"), TASKS[5].view(), result.prompt.instructions, result.prompt.shots)
    assert [m.role for m in messages] == ["user", "assistant"] * len(result.prompt.shots) + ["user"]
    assert messages[1].content == result.prompt.shots[0].reply


def test_an_optimiser_tunes_only_what_it_can() -> None:
    with pytest.raises(UserError, match="gepa does not tune demonstrations"):
        carry_out("gepa", tunes="demonstrations")


def test_unknown_optimisers_are_named_with_the_nearest() -> None:
    with pytest.raises(UserError, match="unknown optimiser 'gepo'") as caught:
        make_optimizer("gepo")
    assert "Did you mean 'gepa'?" in caught.value.one_line()
    with pytest.raises(UserError, match="no optimiser at"):
        make_optimizer("dspy.teleprompt:Nothing")
    with pytest.raises(UserError, match="no method compile"):
        make_optimizer("collections:Counter")


class FirstTrainingTask:
    """A third party's teleprompter: scores the student on one training task and gives it back."""

    def __init__(self, metric: Any, seed: int) -> None:
        self.metric = metric
        self.seed = seed

    def compile(self, student: Any, *, trainset: list[Any]) -> Any:
        prediction = student(**trainset[self.seed].inputs())
        assert 0.0 <= self.metric(trainset[self.seed], prediction) <= 1.0
        return student


def test_a_third_partys_optimiser_by_import_path() -> None:
    result, _ = carry_out(f"{__name__}:FirstTrainingTask")
    assert (result.status, result.metric_calls, len(result.tried)) == ("completed", 5, 1)
    stock, _ = carry_out("dspy.teleprompt:BootstrapFewShot", 30, settings={"max_labeled_demos": 0})
    assert stock.status == "completed"


def test_random_search_proposes_seeds_first_and_then_distinct_recombinations() -> None:
    start = "Begin here. Then stop."
    found = RandomSearch().proposals(3, start)
    first = [next(found) for _ in range(40)]
    assert first[0] == start and seed_prompt("chain-of-thought").instructions in first[:4]
    assert max(Counter(first).values()) == 1
    pool = {s for t in first[:4] for s in sentences(t)}
    assert all(set(sentences(t)) <= pool for t in first[4:])


def test_prompts_with_shots_hash_apart() -> None:
    plain = Prompt("a", "Write.")
    one = Prompt("a", "Write.", shots=(Shot(TASKS[0].view(), "def x"),))
    other = Prompt("a", "Write.", shots=(Shot(TASKS[0].view(), "def y"),))
    assert len({plain.hash(), one.hash(), other.hash()}) == 3


def test_the_control_stops_when_validation_stays_flat() -> None:
    with Gateway() as gateway:
        control = Control(gateway, OptimizerOptions(patience=2), ["v"])
        for i, score in enumerate([0.4, 0.6, 0.6, 0.5]):
            control.admit()
            control.note(Prompt("p", str(i)), "v", score)
        with pytest.raises(OptimisationStopped, match="no better validation score in 2 prompts"):
            control.admit()
        assert [v.score for v in control.validated()] == [0.4, 0.6, 0.6, 0.5]


def test_the_control_stops_at_a_perfect_score_and_averages_repeats() -> None:
    with Gateway() as gateway:
        control = Control(gateway, OptimizerOptions(), ["v", "w"])
        prompt = Prompt("p", "x")
        control.note(prompt, "v", 1.0)
        assert control.missing(prompt) == ("w",) and control.validated() == ()
        control.note(prompt, "w", 0.0)
        control.note(prompt, "w", 1.0)
        assert [v.score for v in control.validated()] == [0.75] and not control.over()
        control.note(Prompt("p", "y"), "v", 1.0)
        control.note(Prompt("p", "y"), "w", 1.0)
        assert control.over() and control.reason == "perfect validation score"


@pytest.mark.parametrize(
    ("field", "value"), [("max_metric_calls", 0), ("minibatch", 0), ("max_usd", -1.0), ("patience", -1)]
)
def test_options_out_of_range_are_refused(field: str, value: float) -> None:
    with pytest.raises(UserError, match=f"optimizer.{field}"):
        OptimizerOptions(**{field: value})  # type: ignore[arg-type]


def test_every_optimiser_keeps_the_protocol() -> None:
    for name in NAMES:
        optimizer: Optimizer = OPTIMIZERS[name]
        assert optimizer.name == name and optimizer.tunes
