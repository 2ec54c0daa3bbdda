"""Optimisers without a reflection model: none at all, and random search over seed prompts."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from optimizers.base import Setup, Tunes
from optimizers.control import OptimisationStopped
from optimizers.run import roll_out
from optimizers.seeds import SEED_NAMES, seed_prompt


@dataclass(frozen=True, slots=True)
class NoOptimizer:
    """Leaves the seed prompt as it is, scored on the validation tasks: the baseline with the same record."""

    name: str = "none"
    tunes: tuple[Tunes, ...] = ("instructions", "demonstrations", "both")
    validates: bool = False

    def compile(self, setup: Setup) -> Any:
        """Return the program unchanged."""
        return setup.program


def sentences(text: str) -> list[str]:
    """Return the sentences of an instruction, each on one line."""
    return [s for s in re.split(r"(?<=[.!?])\s+", " ".join(text.split())) if s]


@dataclass(frozen=True, slots=True)
class RandomSearch:
    """Random recombinations of the sentences of all seed prompts, the best on the validation tasks taken.

    The control for optimisers that are said to learn from feedback: it sees nothing but validation scores.
    """

    name: str = "random"
    tunes: tuple[Tunes, ...] = ("instructions",)
    validates: bool = True

    def proposals(self, seed: int, start: str) -> Iterator[str]:
        """Yield distinct instructions: the start, the seed prompts, then recombinations without end (or until there
        are no more).
        """
        texts = [start, *(seed_prompt(name).instructions for name in SEED_NAMES)]
        seen: set[str] = set()
        for text in texts:
            if text not in seen:
                seen.add(text)
                yield text
        pool = list(dict.fromkeys(s for text in texts for s in sentences(text)))
        rng = random.Random(seed)
        for _ in range(100 * len(pool)):
            text = " ".join(rng.sample(pool, rng.randint(1, len(pool))))
            if text not in seen:
                seen.add(text)
                yield text

    def compile(self, setup: Setup) -> Any:
        """Score proposals until the control stops; return the best program."""
        for text in self.proposals(setup.options.seed, setup.problem.seed.instructions):
            program = setup.program.deepcopy()
            program.write.signature = program.write.signature.with_instructions(text)
            try:
                roll_out(setup, program, setup.valset)
            except OptimisationStopped:
                break
        validated = setup.control.validated()
        if not validated:
            raise OptimisationStopped("no prompt was scored on every validation task")
        best = max(validated, key=lambda v: v.score)
        program = setup.program.deepcopy()
        program.write.signature = program.write.signature.with_instructions(best.prompt.instructions)
        return program
