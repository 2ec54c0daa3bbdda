"""The list of mutants."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from mutants.patching import PatchError

VARIABLE: Final = "SPECGEN_MUTANT"
"""The environment variable that names the mutant to switch on."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """One breakage.

    Attributes:
        name: kebab-case, unique.
        breaks: what goes wrong with it, in one line.
        tests: files or folders of tests that are run with it, the likeliest first.
        apply: changes the engine in this process; raises PatchError where there is nothing to change.
    """

    name: str
    breaks: str
    tests: tuple[str, ...]
    apply: Callable[[], None]


MUTANTS: Final[dict[str, Mutant]] = {}
"""By name, in the order of definition."""


def add(name: str, breaks: str, tests: tuple[str, ...], apply: Callable[[], None]) -> None:
    """Register a mutant; raises ValueError for a name that is taken."""
    if name in MUTANTS:
        raise ValueError(f"two mutants called {name}")
    MUTANTS[name] = Mutant(name, breaks, tests, apply)


def activate(name: str) -> Mutant:
    """Switch a mutant on in this process; raises PatchError when it does not exist or has nothing to change."""
    if name not in MUTANTS:
        raise PatchError(f"there is no mutant {name}")
    MUTANTS[name].apply()
    return MUTANTS[name]


from mutants import elaboration, evaluation, numbers, quantifiers, structures  # noqa: E402,F401 - they fill the list
