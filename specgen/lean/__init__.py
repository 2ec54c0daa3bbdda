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
    from specgen.lean.worker import (
        Argument,
        CheckResult,
        Evaluator,
        InProcessEvaluator,
        Job,
        JobResult,
        Question,
        WorkerEvaluator,
    )

_HOMES = {
    "specgen.lean.engine": (
        "CheckReport Clause EvalLimits EvalResult Fails FunctionSignature Holds Outcome Program ReadError Unknown "
        "UnknownOutcome Value check load"
    ),
    "specgen.lean.environment": "LeanEnv",
    "specgen.lean.source": "Diagnostic Position Source",
    "specgen.lean.worker": ("Argument CheckResult Evaluator InProcessEvaluator Job JobResult Question WorkerEvaluator"),
}
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names.split()}

__all__ = [
    "Argument",
    "CheckReport",
    "CheckResult",
    "Clause",
    "Diagnostic",
    "EvalLimits",
    "EvalResult",
    "Evaluator",
    "Fails",
    "FunctionSignature",
    "Holds",
    "InProcessEvaluator",
    "Job",
    "JobResult",
    "LeanEnv",
    "Outcome",
    "Position",
    "Program",
    "Question",
    "ReadError",
    "Source",
    "Unknown",
    "UnknownOutcome",
    "Value",
    "WorkerEvaluator",
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
