"""Big results are refused at once, with the reason, and order that is not specified is not made up."""

from __future__ import annotations

import time

import pytest

from specgen.lean import LeanEnv, load

PROGRAM = load("", LeanEnv((4, 24, 0), ("Mathlib",)))

HUGE = [
    "2 ^ (2 ^ 40) = 0",
    "(2 : Int) ^ (2 ^ 40) = 0",
    "1 <<< (2 ^ 40) = 0",
    "(List.replicate (10 ^ 9) 0).length = 0",
    "(List.range (10 ^ 12)).length = 0",
    "(List.range' 0 (10 ^ 12)).length = 0",
    "(Array.range (10 ^ 12)).size = 0",
    "(Array.replicate (10 ^ 12) 0).size = 0",
    "(\"\".pushn 'a' (10 ^ 12)).length = 0",
    "(10 ^ 9).factorial = 0",
    "Nat.fib (10 ^ 12) = 0",
    "(List.range 60).sublists.length = 0",
    "(List.range 20).permutations.length = 0",
    "(Finset.range 60).powerset.card = 0",
    "[1].leftpad (10 ^ 12) 0 = []",
    "Nat.repeat (· + 1) (10 ^ 12) 0 = 0",
]


@pytest.mark.parametrize("term", HUGE)
def test_huge_results_are_unknown(term: str) -> None:
    begin = time.monotonic()
    result = PROGRAM.evaluate(term)
    assert result.status == "unknown", result
    assert result.reason.split(":")[0] in ("memory", "fuel", "timeout"), result
    # Only what has to count its steps may take the time that the limits allow.
    assert time.monotonic() - begin < (30 if "repeat" in term else 3)


@pytest.mark.parametrize(
    "term",
    [
        "(Std.HashMap.ofList [(1, 2), (3, 4)]).toList",
        "(Std.HashMap.ofList [(1, 2), (3, 4)]).keys",
        "(Std.HashSet.ofList [1, 2]).toList",
        "(Std.HashMap.ofList [(1, 2), (3, 4)]).fold (fun acc k _ => acc ++ [k]) []",
        "({1, 2} : Finset Nat).toList",
    ],
)
def test_unspecified_order_is_unknown(term: str) -> None:
    assert PROGRAM.evaluate(term).status == "unknown"


@pytest.mark.parametrize(
    ("term", "value"),
    [
        ("(Std.HashMap.ofList [(1, 2), (3, 4)]).fold (fun acc k v => acc + k * v) 0", "14"),
        ("(Std.HashMap.ofList [(1, 2), (1, 4)]).toList", "[(1, 4)]"),
        ("(Std.HashSet.ofList [1, 2, 1]).size", "2"),
        ("(Std.TreeMap.ofList [(2, 1), (1, 2)]).toList", "[(1, 2), (2, 1)]"),
    ],
)
def test_what_every_order_gives_is_answered(term: str, value: str) -> None:
    # By the specification of folding: the operation commutes, so every order gives the same.
    assert PROGRAM.evaluate(term).value == value
