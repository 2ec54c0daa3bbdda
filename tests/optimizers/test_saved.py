"""Tuned prompts as files."""

from __future__ import annotations

import json
from pathlib import Path
from types import MappingProxyType

import pytest

from optimizers import Tuned, load_tuned
from optimizers.saved import as_json
from optimizers.seeds import Prompt, seed_prompt
from specgen.errors import UserError
from specgen.generators import Shot, make_generator, render_prompt
from specgen.lm import Gateway
from specgen.tasks import load_dataset

TASKS = load_dataset("starter").tasks
PROMPT = Prompt("zero-shot", "Schreibe ∀ x.", "gepa:verifier", (Shot(TASKS[0].view(), "def a := 1"),))
TUNED = Tuned(PROMPT, "direct", optimizer="gepa", reward="verifier", scores=MappingProxyType({"validation": 0.5}))


def test_a_prompt_survives_its_file(tmp_path: Path) -> None:
    path = tmp_path / "p.json"
    path.write_text(as_json(TUNED), encoding="utf-8")
    found = load_tuned(path)
    assert found == TUNED and not found.edited
    assert found.messages(TASKS[1].view()) == render_prompt(
        make_generator("direct"), TASKS[1].view(), PROMPT.instructions, PROMPT.shots
    )
    assert "∀ x" in path.read_text(encoding="utf-8")


def test_three_lines_of_python_generate(tmp_path: Path) -> None:
    path = tmp_path / "p.json"
    path.write_text(as_json(TUNED), encoding="utf-8")
    with Gateway() as gateway:
        candidate = load_tuned(path).generate(TASKS[1].view(), gateway, "sim/writer")
    assert candidate.task_id == TASKS[1].id and candidate.simulated and candidate.text


def test_an_edited_file_loads_and_says_so(tmp_path: Path) -> None:
    path = tmp_path / "p.json"
    path.write_text(as_json(TUNED).replace("Schreibe", "Write"), encoding="utf-8")
    found = load_tuned(path)
    assert found.edited and found.prompt.instructions == "Write ∀ x."


def test_options_of_the_generator_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "p.json"
    tuned = Tuned(Prompt("a", "b"), "clever", MappingProxyType({"max_samples": 2}))
    path.write_text(as_json(tuned), encoding="utf-8")
    assert load_tuned(path).make_generator() == make_generator("clever", {"max_samples": 2})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"kind": "x"}, "is no specgen tuned prompt"),
        ({"schema": 9}, "has schema 9"),
        ({"demonstrations": [{}]}, "KeyError"),
        ({"scores": None}, "AttributeError"),
    ],
)
def test_other_files_are_refused(tmp_path: Path, change: dict[str, object], message: str) -> None:
    path = tmp_path / "p.json"
    path.write_text(json.dumps({**json.loads(as_json(TUNED)), **change}))
    with pytest.raises(UserError, match=message):
        load_tuned(path)
    with pytest.raises(UserError, match="cannot read the prompt"):
        load_tuned(tmp_path / "none.json")


def test_seed_prompts_from_files(tmp_path: Path) -> None:
    text, tuned = tmp_path / "mine.md", tmp_path / "best.json"
    text.write_text("Be exact.\n")
    tuned.write_text(as_json(TUNED), encoding="utf-8")
    assert seed_prompt(str(text)) == Prompt("mine", "Be exact.", "file mine.md")
    found = seed_prompt(str(tuned))
    assert (found.name, found.instructions, found.shots) == ("best", PROMPT.instructions, PROMPT.shots)
    text.write_text(" ")
    with pytest.raises(UserError, match="is empty"):
        seed_prompt(str(text))
    with pytest.raises(UserError, match="cannot read the seed prompt"):
        seed_prompt(str(tmp_path / "none.txt"))
