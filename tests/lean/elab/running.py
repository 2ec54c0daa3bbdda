"""Helpers: errors of a text, and values of terms under its declarations."""

from __future__ import annotations

from specgen.lean import LeanEnv, load
from specgen.lean.elab.commands import ElabResult, elaborate_file
from specgen.lean.parser import parse_file

CORE = LeanEnv((4, 24, 0))
MATHLIB = LeanEnv((4, 24, 0), ("Mathlib",))


def elaborate(text: str, env: LeanEnv = CORE) -> ElabResult:
    """Parse (without errors) and elaborate."""
    parsed = parse_file(text)
    assert not parsed.diagnostics, parsed.diagnostics
    return elaborate_file(parsed.file, parsed.source, env)


def errors(text: str, env: LeanEnv = CORE) -> list[tuple[str, int, str]]:
    """Return (kind, line, message) of every error."""
    found = elaborate(text, env).diagnostics
    return [(d.kind, d.start.line, d.message) for d in found if d.severity == "error"]


def kinds(text: str, env: LeanEnv = CORE) -> list[str]:
    """Return the kinds of the errors."""
    return [kind for kind, _, _ in errors(text, env)]


def value(text: str, term: str, env: LeanEnv = CORE) -> str:
    """Return the value of a term under a text's declarations, in Lean notation."""
    program = load(text, env)
    bad = [d for d in program.report.diagnostics if d.severity == "error"]
    assert not bad, bad
    result = program.evaluate(term)
    assert result.status == "value", (result.status, result.reason, result.diagnostics)
    return result.value
