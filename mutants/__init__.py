"""Deliberate breakages of the Lean engine's semantics, to prove that the tests would notice (`make mutants`).

Each mutant is a small patch of the running process, switched on by the environment variable `SPECGEN_MUTANT` before
the tests run (tests/conftest.py). The engine itself contains nothing of this.
"""

from __future__ import annotations

from mutants.patching import PatchError
from mutants.registry import MUTANTS, VARIABLE, Mutant, activate

__all__ = ["MUTANTS", "VARIABLE", "Mutant", "PatchError", "activate"]
