"""The built-in Lean engine: parse, elaborate and evaluate Lean 4 contracts in process.

Names are imported when first used, so that a command which needs no Lean does not pay for it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from specgen.lean.engine import (
        CheckReport,
        Clause,
        EvalLimits,
        EvalResult,
        Fails,
        FunctionSignature,
        Holds,
        Outcome,
        Program,
        ReadError,
        Unknown,
        UnknownOutcome,
        Value,
        check,
        load,
    )
    from specgen.lean.environment import LeanEnv
    from specgen.lean.source import Diagnostic, Position, Source

_HOMES = {
    "specgen.lean.engine": (
        "CheckReport Clause EvalLimits EvalResult Fails FunctionSignature Holds Outcome Program ReadError Unknown "
        "UnknownOutcome Value check load"
    ),
    "specgen.lean.environment": "LeanEnv",
    "specgen.lean.source": "Diagnostic Position Source",
}
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names.split()}

__all__ = [
    "CheckReport",
    "Clause",
    "Diagnostic",
    "EvalLimits",
    "EvalResult",
    "Fails",
    "FunctionSignature",
    "Holds",
    "LeanEnv",
    "Outcome",
    "Position",
    "Program",
    "ReadError",
    "Source",
    "Unknown",
    "UnknownOutcome",
    "Value",
    "check",
    "load",
]


def __getattr__(name: str) -> Any:
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(home), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOME_OF])
