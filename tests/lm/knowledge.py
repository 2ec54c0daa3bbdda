"""Tasks for the simulated models of these tests."""

from __future__ import annotations

import re

from specgen.lm import SimulatedTask, SimulatedVariant
from specgen.lm.simulated import SPOIL_KINDS


class Numbered:
    """Knows the tasks `task 0`, `task 1`, …; each kind has one variant, whose text is the kind's name."""

    fingerprint = "numbered-1"

    def lookup(self, prompt_text: str) -> SimulatedTask | None:
        found = re.search(r"\btask (\d+)\b", prompt_text)
        if found is None:
            return None
        variants = {
            kind: (
                SimulatedVariant(
                    lean=f"def spec := {kind}",
                    fields={"precond": "True", "postcond": kind, "imports": ""},
                ),
            )
            for kind in SPOIL_KINDS
        }
        return SimulatedTask(f"t{found[1]}", variants)
