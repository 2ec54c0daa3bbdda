"""The mutants: each finds what it changes, the machinery switches them on, and three of them are killed here."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from mutants import MUTANTS, VARIABLE, PatchError
from mutants.__main__ import ROOT, run_tests, try_mutant
from mutants.patching import replace_entry, replace_primitive, rewrite

pytestmark = pytest.mark.skipif(VARIABLE in os.environ, reason="runs mutants of its own")

APPLY_ALL = """
import os, sys
from mutants import MUTANTS, activate
failed = 0
for name in MUTANTS:
    child = os.fork()
    if child == 0:
        try:
            activate(name)
        except BaseException as error:
            print(name, type(error).__name__, error, flush=True)
            os._exit(1)
        os._exit(0)
    failed += os.waitpid(child, 0)[1] != 0
sys.exit(failed != 0)
"""


def test_there_are_enough_of_them() -> None:
    assert len(MUTANTS) >= 40
    assert all((ROOT / m.tests[0]).exists() for m in MUTANTS.values())


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_every_mutant_finds_what_it_changes() -> None:
    done = subprocess.run(
        [sys.executable, "-c", APPLY_ALL], cwd=ROOT, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("name", ["nat-sub-signed", "equal-last-field", "nat-guard-includes-end"])
def test_a_mutant_is_killed(name: str) -> None:
    result = try_mutant(MUTANTS[name], ())
    assert result.fate == "killed", result
    assert result.by.startswith("tests/lean/"), result


def test_the_variable_switches_a_mutant_on_and_off() -> None:
    one = "tests/lean/test_semantics.py::test_a_limit_is_unknown_never_a_verdict"
    assert run_tests([one], "")[0] == 0
    assert run_tests([one], "fuel-fails")[0] == 1


def test_an_unknown_mutant_is_an_error() -> None:
    code, output = run_tests(["tests/lean/test_semantics.py"], "no-such-mutant")
    assert code not in (0, 1)
    assert "PatchError" in output


def test_a_target_that_is_gone_is_an_error() -> None:
    with pytest.raises(PatchError, match="no primitive"):
        replace_primitive("Nat.noSuch", lambda old: old, ())
    with pytest.raises(PatchError, match="unchanged"):
        replace_primitive("Nat.sqrt", lambda old: old, (5,))
    with pytest.raises(PatchError, match="has no entry"):
        replace_entry("specgen.lean.parser.tables:INFIX", "no such", (1, 1, 1))
    with pytest.raises(PatchError, match="has the text"):
        rewrite("specgen.lean.eval.logic:conj", "no such text", "")
    with pytest.raises(PatchError, match="there is no"):
        rewrite("specgen.lean.eval.logic:no_such", "", "")
