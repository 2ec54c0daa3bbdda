"""The leak check finds evaluation-only material in prompts, and nothing else."""

from __future__ import annotations

from dataclasses import replace

import pytest

from optimizers.seeds import SEED_NAMES, seed_prompt
from runs.leaks import EXAMPLE_GRAM, REFERENCE_GRAM, evaluation_only, find_leaks, grams, tokens, visible
from specgen.generators import GENERATORS, make_generator
from specgen.tasks import Task, load_dataset
from specgen.tasks.model import Labels, Pair

TASKS = load_dataset("starter").tasks
TASK = next(t for t in TASKS if t.id.endswith("run_lengths"))


def test_tokens_forget_case_and_white_space() -> None:
    assert tokens("Let  xs[i]! ≤ 12\n∧ y'") == ["let", "xs", "[", "i", "]", "!", "≤", "12", "∧", "y'"]
    assert grams("a b c", 2) == {("a", "b"), ("b", "c")} and grams("a", 2) == set()


@pytest.mark.parametrize("material", ["reference", "implementation", "held-out example"])
def test_a_planted_piece_of_each_kind_is_found(material: str) -> None:
    n, text = next(
        (n, text) for kind, text, n in evaluation_only(TASK) if kind == material and len(tokens(text)) >= n + 4
    )
    piece = " ".join(tokens(text)[2 : n + 3]) if material == "held-out example" else text
    found = find_leaks({"planted": f"Do as follows. {piece} Good luck."}, [TASK], visible([TASK]))
    assert [(leak.prompt, leak.task_id) for leak in found if leak.material == material] == [("planted", TASK.id)]
    assert all(leak.pieces >= 1 and leak.first for leak in found)


def test_what_everybody_sees_is_no_leak() -> None:
    prompts = {"view": f"{TASK.requirement}\n{TASK.signature.binders()}"}
    assert find_leaks(prompts, TASKS, visible(TASKS)) == []
    assert find_leaks({"nothing": "Write a specification."}, TASKS, visible(TASKS)) == []


def test_the_seed_prompts_leak_nothing() -> None:
    prompts = {name: seed_prompt(name).instructions for name in SEED_NAMES}
    assert find_leaks(prompts, TASKS, visible(TASKS)) == []


@pytest.mark.parametrize("name", sorted(GENERATORS))
def test_a_generators_own_prompt_leaks_nothing_of_the_evaluated_split(name: str) -> None:
    evaluated, rest = TASKS[:20], TASKS[20:]
    generator = make_generator(name)
    if hasattr(generator, "excluding"):
        generator = generator.excluding([t.id for t in evaluated])
    anyway = visible(TASKS, [t for task in rest for _, t, _ in evaluation_only(task)])
    for task in evaluated[:6]:
        text = "\n\n".join(m.content for m in generator.render(task.view(), "Be exact."))
        assert find_leaks({name: text}, evaluated, anyway) == []


def test_held_out_examples_that_are_short_are_not_looked_for() -> None:
    short = replace(TASK, references=(), implementation=None, labels=Labels(accepted=(Pair(("1",), "2"),)))
    assert find_leaks({"p": "1 ↦ 2"}, [short], "") == []
    assert EXAMPLE_GRAM < REFERENCE_GRAM


def test_a_leak_is_counted_for_each_task_apart() -> None:
    first, second = _with_secret("a"), _with_secret("b")
    found = find_leaks({"p": "never tell [1, 2, 3, 4] ↦ 10 to anyone"}, [first, second], "")
    assert {(leak.task_id, leak.material) for leak in found} == {
        ("a", "held-out example"),
        ("b", "held-out example"),
    }


def _with_secret(task_id: str) -> Task:
    labels = Labels(accepted=(Pair(("[1, 2, 3, 4]",), "10"),))
    return replace(TASK, id=task_id, references=(), implementation=None, labels=labels)
