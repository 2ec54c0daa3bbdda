"""Optimisers by name."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from types import MappingProxyType

from optimizers.base import Optimizer
from optimizers.gepa import Gepa
from optimizers.search import NoOptimizer, RandomSearch
from optimizers.teleprompters import Bootstrap, Copro, Imported, Mipro, Simba
from specgen.errors import UserError

OPTIMIZERS: Mapping[str, Optimizer] = MappingProxyType(
    {o.name: o for o in (Gepa(), Mipro(), Copro(), Simba(), Bootstrap(), RandomSearch(), NoOptimizer())}
)


def make_optimizer(name: str) -> Optimizer:
    """Return an optimiser by name, or a DSPy teleprompter by import path `package.module:Class`.

    Raises:
        UserError: for an unknown name or a path at which there is no such class.
    """
    if name in OPTIMIZERS:
        return OPTIMIZERS[name]
    if ":" in name:
        found = Imported(name)
        found.load()
        return found
    near = get_close_matches(name, OPTIMIZERS, n=1)
    hint = f"Did you mean {near[0]!r}? " if near else ""
    known = ", ".join(sorted(OPTIMIZERS))
    raise UserError(f"unknown optimiser {name!r}", remedy=f"{hint}Known: {known}, or package.module:Class")
