"""Generators by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from difflib import get_close_matches
from types import MappingProxyType

from specgen.errors import UserError
from specgen.generators.base import Generator
from specgen.generators.clever import CleverGenerator
from specgen.generators.direct import DirectGenerator
from specgen.generators.leanaide import LeanAideGenerator
from specgen.generators.verina import VerinaGenerator

GENERATORS: Mapping[str, Callable[[], Generator]] = MappingProxyType(
    {
        "direct": DirectGenerator,
        "verina": VerinaGenerator,
        "clever": CleverGenerator,
        "leanaide": LeanAideGenerator,
    }
)


def make_generator(name: str) -> Generator:
    """Return a generator by name.

    Raises:
        UserError: for a name nobody registered; the nearest one is suggested.
    """
    factory = GENERATORS.get(name)
    if factory is None:
        near = get_close_matches(name, GENERATORS, n=1)
        hint = f"Did you mean {near[0]!r}? " if near else ""
        raise UserError(f"unknown generator {name!r}", remedy=f"{hint}Known: {', '.join(sorted(GENERATORS))}")
    return factory()
