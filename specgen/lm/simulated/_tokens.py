"""Simulated token counts: words and signs, so that longer prompts cost more."""

from __future__ import annotations

import re
from typing import Final

from specgen.lm._types import Usage

_TOKEN: Final = re.compile(r"\w+|[^\w\s]")


def count_tokens(prompt: str, reply: str) -> Usage:
    """Return the simulated usage of one call."""
    return Usage(input_tokens=len(_TOKEN.findall(prompt)), output_tokens=len(_TOKEN.findall(reply)))
