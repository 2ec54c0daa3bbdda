from __future__ import annotations

import pytest

from specgen.lean.elab.commands import elaborate_file
from specgen.lean.environment import LeanEnv
from specgen.lean.parser import parse_file
from specgen.lean.source import Diagnostic
from tests.lean.elab.typing_suite import ACCEPT, REJECT


def errors(text: str) -> list[Diagnostic]:
    parsed = parse_file(text)
    result = elaborate_file(parsed.file, parsed.source, LeanEnv())
    return [d for d in (*parsed.diagnostics, *result.diagnostics) if d.severity == "error"]


@pytest.mark.parametrize(("text", "reason"), ACCEPT, ids=[r for _, r in ACCEPT])
def test_accepted(text: str, reason: str) -> None:
    assert [d.message for d in errors(text)] == [], reason


@pytest.mark.parametrize(("text", "kind", "reason"), REJECT, ids=[r for _, _, r in REJECT])
def test_refused(text: str, kind: str, reason: str) -> None:
    found = errors(text)
    assert [d.kind for d in found][:1] == [kind], (reason, [d.message for d in found])
