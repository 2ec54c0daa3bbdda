"""`direct`: one prompt, no retries, no post-processing.

The plainest baseline: the instructions, the requirement and the signature in one user message; the reply is the
contract.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from specgen.errors import UserError
from specgen.generators.base import PLACEHOLDERS, Parsed, check_template, fill, prompt_text
from specgen.lm import ChatMessage
from specgen.tasks.model import GenerationView

NEEDED = ("instructions", "requirement", "name", "binders", "result_type")
"""Placeholders without which a prompt does not say what is to be specified."""


@dataclass(frozen=True, slots=True)
class DirectOptions:
    """`template`: a file with a prompt of the user's own, with the placeholders of `fill`; empty for ours."""

    template: str = ""

    def __post_init__(self) -> None:
        if self.template:
            own_template(self.template)


@lru_cache(maxsize=16)
def own_template(path: str) -> str:
    """Return a template file's text.

    Raises:
        UserError: it cannot be read, lacks a placeholder, or has an unknown one.
    """
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as exc:
        raise UserError(f"cannot read the prompt template {path}: {exc}", remedy="Name a text file in UTF-8") from exc
    check_template(text, NEEDED, PLACEHOLDERS, path)
    return text


@dataclass(frozen=True, slots=True)
class DirectGenerator:
    """One user message; the whole reply is the candidate's Lean text."""

    options: DirectOptions = field(default_factory=DirectOptions)
    name: str = "direct"
    version: str = "1"
    demonstration_ids: frozenset[str] = frozenset()

    def render(self, view: GenerationView, instructions: str) -> tuple[ChatMessage, ...]:
        """Return one user message."""
        template = own_template(self.options.template) if self.options.template else prompt_text("direct.md")
        return (ChatMessage("user", fill(template, view, instructions)),)

    def parse(self, view: GenerationView, text: str) -> Parsed:
        """Take the reply as it is."""
        return Parsed()
