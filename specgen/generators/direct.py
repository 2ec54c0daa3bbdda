"""`direct`: one prompt, no retries, no post-processing.

The plainest baseline: the instructions, the requirement and the signature in one user message; the reply is the
contract.
"""

from __future__ import annotations

from dataclasses import dataclass

from specgen.generators.base import Parsed, fill, prompt_text
from specgen.lm import ChatMessage
from specgen.tasks.model import GenerationView


@dataclass(frozen=True, slots=True)
class DirectGenerator:
    """One user message; the whole reply is the candidate's Lean text."""

    name: str = "direct"
    version: str = "1"
    demonstration_ids: frozenset[str] = frozenset()

    def render(self, view: GenerationView, instructions: str) -> tuple[ChatMessage, ...]:
        """Return one user message."""
        return (ChatMessage("user", fill(prompt_text("direct.md"), view, instructions)),)

    def parse(self, view: GenerationView, text: str) -> Parsed:
        """Take the reply as it is."""
        return Parsed()
