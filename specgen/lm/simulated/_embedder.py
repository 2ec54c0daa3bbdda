"""The simulated embedder: texts with many words in common have vectors that point the same way."""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Sequence
from typing import Final

DIMENSIONS: Final = 64
_WORD: Final = re.compile(r"\w+")


def embed_words(texts: Sequence[str], seed: int) -> tuple[tuple[float, ...], ...]:
    """Return a unit vector of `DIMENSIONS` numbers a text: its words, each counted in a place and sign by its hash."""
    return tuple(_vector(text, seed) for text in texts)


def _vector(text: str, seed: int) -> tuple[float, ...]:
    vector = [0.0] * DIMENSIONS
    for word in _WORD.findall(text.lower()):
        digest = hashlib.blake2b(f"{seed} {word}".encode("utf-8", "surrogatepass"), digest_size=5).digest()
        vector[int.from_bytes(digest[:4], "big") % DIMENSIONS] += 1.0 if digest[4] % 2 else -1.0
    length = math.sqrt(sum(x * x for x in vector)) or 1.0
    return tuple(x / length for x in vector)
