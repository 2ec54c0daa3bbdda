"""Helpers of the evaluator's tests."""

from __future__ import annotations

from functools import cache

from specgen.lean.engine import EvalLimits, EvalResult, Program, load
from specgen.lean.environment import LeanEnv

ENV = LeanEnv((4, 24, 0), ("Mathlib",))
LIMITS = EvalLimits(fuel=2_000_000, cells=2_000_000, wall_s=10.0)


@cache
def program(text: str = "", env: LeanEnv = ENV) -> Program:
    """Load a text that must be accepted."""
    loaded = load(text, env)
    assert loaded.report.verdict == "accepted", loaded.report.diagnostics
    return loaded


def value(expression: str, text: str = "", limits: EvalLimits = LIMITS) -> str:
    """Evaluate an expression that must have a value."""
    result = evaluate(expression, text, limits)
    assert result.status == "value", result
    return result.value


def evaluate(expression: str, text: str = "", limits: EvalLimits = LIMITS) -> EvalResult:
    """Evaluate an expression."""
    return program(text).evaluate(expression, limits)
