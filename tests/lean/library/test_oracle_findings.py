"""What the comparison with Lean's own compiled code found wrong once; each value is what Lean gives."""

from __future__ import annotations

import pytest

from specgen.lean.engine import load
from specgen.lean.environment import LeanEnv

CASES = [
    ("Bool.xor true false", "true"),
    ("Bool.xor true true", "false"),
    ("#[1, 3, 5].binSearch 3 (fun a b => decide (a < b)) 0 9", "some 3"),
    ("#[1, 3, 5].binSearchContains 5 (fun a b => decide (a < b)) 0 100", "true"),
    ("#[1, 3, 5].binSearch 3 (fun a b => decide (a < b)) 3 9", "none"),
    ("(-1.0 : Float).scaleB (-5000000000)", "0.000000"),
    ("(Float.scaleB (0.0 / 0.0) (-5000000000))", "0.000000"),
    ('("b".toSubstring.splitOn "b").map (fun s => s.stopPos.byteIdx)', "[0, 0]"),
    ('("ab".toSubstring.splitOn "b").map (fun s => s.str)', '["ab", ""]'),
    ("@Vector.back 2 Nat _ #v[9, 4]", "4"),
    ("(@Vector.ofFn 2 Nat (fun i => i.val + 1)).toArray", "#[1, 2]"),
    ("@Array.allM Nat Option _ (fun a => some (decide (a > 0))) #[1, 2] 0 2", "some true"),
    ("(BitVec.twoPow 100000000000 (10 ^ 30)).toNat", "0"),
]


@pytest.mark.parametrize(("term", "expected"), CASES)
def test_value_is_the_one_that_lean_computes(term: str, expected: str) -> None:
    result = load("", LeanEnv(version=(4, 24, 0))).evaluate(term)
    assert (result.status, result.value) == ("value", expected), result.reason


def test_a_bit_beyond_memory_is_unknown() -> None:
    result = load("", LeanEnv()).evaluate("(BitVec.twoPow (10 ^ 31) (10 ^ 30)).toNat")
    assert result.status == "unknown"


def test_loops_past_the_end_of_a_string_are_unknown() -> None:
    result = load("", LeanEnv()).evaluate('(Substring.mk "_1" ⟨1⟩ ⟨9⟩).all (fun _ => false)')
    assert (result.status, result.reason.partition(":")[0]) == ("unknown", "undecided")


def test_binary_search_needs_no_inhabited_elements() -> None:
    text = "def f {α : Type} (xs : Array α) (k : α) (lt : α → α → Bool) : Option α := xs.binSearch k lt"
    assert load(text, LeanEnv()).report.verdict == "accepted"
