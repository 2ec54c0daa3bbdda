"""The registry of primitives: Lean name to Python function.

A primitive gets the *relevant* arguments of its constant in order, all by value: types, type formers, proofs and
Decidable instances are left out, instances of other classes are passed, functions are curried. A constant without
relevant arguments is a function of no arguments. It charges for its work (`eval/runtime.py`) before doing it, and
raises `Unknown` where it cannot tell.

Call Lean functions from plain Python code (`for` loops, comprehensions), not through C functions that call back
(`sorted(key=…)`, `map`, `functools.reduce`, `any` over a generator): those use up the C stack when they nest.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from typing import Any, Final, TypeVar

F = TypeVar("F", bound=Callable[..., Any])

PRIMITIVES: Final[dict[str, Callable[..., Any]]] = {}
"""Filled by the modules of this package; read it through `primitives()`."""

_state = {"loaded": False}


def prim(*names: str) -> Callable[[F], F]:
    """Register a function as the primitive of one or more constants.

    Raises:
        ValueError: a name has a primitive already.
    """

    def register(function: F) -> F:
        for name in names:
            if name in PRIMITIVES:
                raise ValueError(f"two primitives for {name}")
            PRIMITIVES[name] = function
        return function

    return register


def primitives() -> dict[str, Callable[..., Any]]:
    """Return all primitives by name, after importing every module of this package once."""
    if not _state["loaded"]:
        package = importlib.import_module(__package__ or "specgen.lean.library.prims")
        for module in pkgutil.iter_modules(package.__path__):
            importlib.import_module(f"{package.__name__}.{module.name}")
        _allow_unordered()
        _state["loaded"] = True
    return PRIMITIVES


def _allow_unordered() -> None:
    """Let the primitives that give the same for every order see lists whose order is not known."""
    from specgen.lean.library.prims.unordered import order_free

    for name, primitive in list(PRIMITIVES.items()):
        allowed = order_free(name, primitive)
        if allowed is not None:
            PRIMITIVES[name] = allowed
