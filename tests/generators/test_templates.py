"""Prompt templates: ours are whole, and a user's own is checked when it is loaded."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

import pytest

from specgen.errors import UserError
from specgen.generators import make_generator
from specgen.generators.base import PLACEHOLDERS, check_template, prompt_text
from specgen.generators.direct import NEEDED
from specgen.tasks import load_dataset

OURS = sorted(
    f.name for f in resources.files("specgen.generators").joinpath("prompts").iterdir() if f.name.endswith(".md")
)


@pytest.mark.parametrize("name", OURS)
def test_our_templates_have_known_placeholders_only(name: str) -> None:
    check_template(prompt_text(name), (), (*PLACEHOLDERS, "tools", "steps", "examples"), name)


def test_each_generator_shows_what_is_to_be_specified() -> None:
    for parts in (["direct.md"], ["verina_system.md", "verina_task.md"], ["clever_system.md", "clever_task.md"]):
        check_template("\n".join(map(prompt_text, parts)), NEEDED, PLACEHOLDERS, parts[0])
    check_template(prompt_text("leanaide.md"), (*NEEDED, "examples"), PLACEHOLDERS, "leanaide.md")
    agent = prompt_text("agent_system.md") + prompt_text("agent_task.md")
    check_template(agent, (*NEEDED, "tools", "steps"), PLACEHOLDERS, "agent")


def test_a_template_of_the_users_own_is_what_is_sent(tmp_path: Path) -> None:
    path = tmp_path / "mine.md"
    path.write_text("{instructions} {{sic}} {requirement} {name} {binders} : {result_type}")
    view = load_dataset("starter").tasks[0].view()
    (message,) = make_generator("direct", {"template": str(path)}).render(view, "Do {it}.")
    assert message.content.startswith("Do {it}. {sic} ") and view.requirement.strip() in message.content


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{instructions} {name} {binders} {result_type}", "placeholder {requirement} is missing"),
        ("{instructions} {requirement} {name} {binders} {result_type} {requirment}", "Did you mean {requirement}?"),
        ("{instructions} {requirement", "mine.md: "),
    ],
)
def test_a_faulty_template_is_refused_at_load(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "mine.md"
    path.write_text(text)
    with pytest.raises(UserError) as caught:
        make_generator("direct", {"template": str(path)})
    assert message in caught.value.one_line()
    with pytest.raises(UserError, match="cannot read the prompt template"):
        make_generator("direct", {"template": str(tmp_path / "none.md")})
