"""Whatever z3 proves agrees with the engine: on random formulas and near misses, and on every statement of a rule."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from specgen.lean.engine import Program, load
from tests.evaluators.equivalence.smt_formulas import LISTS, NUMBERS, Setting, pair
from tests.evaluators.equivalence.smt_sides import ENV, body, contradicted, proofs, proved, side, truths


def _accepted(setting: Setting, formula: str) -> Program | None:
    program = load(f"def post {setting.signature} : Prop := {formula}", ENV)
    return program if program.report.verdict == "accepted" else None


def check_random(setting: Setting, seed: int, count: int, timeout_s: float = 0.3) -> tuple[int, int, list[str]]:
    """Compare `count` random pairs.

    Returns how many were compared, how many directions were proved, and every contradiction with the engine.
    """
    random = Random(seed)
    compared = directions = 0
    wrong: list[str] = []
    while compared < count:
        first, second = pair(setting, random)
        if _accepted(setting, first) is None or _accepted(setting, second) is None:
            continue
        one, other = body(setting.signature, first), body(setting.signature, second)
        found = proved(one, other, timeout_s) & {"post_forward", "post_backward"}
        compared += 1
        directions += len(found)
        if not found:
            continue
        left = truths(one.program, setting.types, setting.grid)
        right = truths(other.program, setting.types, setting.grid)
        if "post_forward" in found and contradicted(left, right):
            wrong.append(f"{first}  does not imply  {second}")
        if "post_backward" in found and contradicted(right, left):
            wrong.append(f"{second}  does not imply  {first}")
    return compared, directions, wrong


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("setting", [NUMBERS, LISTS], ids=["numbers", "lists"])
def test_what_is_proved_of_random_formulas_is_true(setting: Setting, seed: int) -> None:
    compared, directions, wrong = check_random(setting, seed, 25)
    assert not wrong
    assert directions > compared // 3  # the formulas are close enough for the test to mean something


SIGNATURE = "(xs ys : List Nat) (zs : Array Nat) (s : String) (n k : Nat)"
TYPES = ("List Nat", "List Nat", "Array Nat", "String", "Nat", "Nat")
GRID = (
    ("[]", "[0]", "[1, 1]", "[2, 0, 1]"),
    ("[]", "[1]", "[1, 2, 0]"),
    ("#[]", "#[1]", "#[2, 1, 1]"),
    ('""', '"a1"'),
    ("0", "1", "3"),
    ("0", "1", "2"),
)
POINTS = len(list(product(*GRID)))

TRUE = [
    "(ys = xs.map (· + k) ↔ ys.length = xs.length ∧ ∀ i, i < xs.length → ys[i]! = xs[i]! + k)",
    "(ys = xs.tail ↔ ys.length = xs.length - 1 ∧ ∀ i, i < ys.length → ys[i]! = xs[i + 1]!)",
    "(ys = xs.reverse ↔ ys.length = xs.length ∧ ∀ i, i < xs.length → ys[i]! = xs[xs.length - 1 - i]!)",
    "(ys = xs ++ [k] ↔ ys.length = xs.length + 1 ∧ ys[xs.length]! = k ∧ ∀ i, i < xs.length → ys[i]! = xs[i]!)",
    "(ys = xs.take n ↔ ys.length = min n xs.length ∧ ∀ i, i < ys.length → ys[i]! = xs[i]!)",
    "n < xs.length → (xs.set n k)[n]! = k ∧ (xs.drop n)[0]! = xs[n]! ∧ (List.range xs.length)[n]! = n",
    "n < k → (List.replicate k n)[n]! = n ∧ (k < zs.size → (zs.set! k 9)[k]! = 9 ∧ (zs.set! k 9)[n]! = zs[n]!)",
    "(xs ++ ys).length = xs.length + ys.length",
    "xs.reverse.length = xs.length ∧ zs.reverse.size = zs.size",
    "(xs.map (· + k)).length = xs.length ∧ (zs.map (· + k)).size = zs.size",
    "(xs.take n).length = min n xs.length ∧ (xs.drop n).length = xs.length - n",
    "(List.replicate n k).length = n ∧ (Array.replicate n k).size = n",
    "(List.range n).length = n ∧ (Array.range n).size = n",
    "(xs.set n k).length = xs.length ∧ (zs.set! n k).size = zs.size",
    "xs.tail.length = xs.length - 1 ∧ ([] : List Nat).tail = []",
    "(k :: xs).head? = some k ∧ (k :: xs).tail = xs ∧ (k :: xs)[0]! = k ∧ (k :: xs).length = xs.length + 1",
    "(zs.push k).size = zs.size + 1 ∧ (xs.concat k).length = xs.length + 1 ∧ (s.push 'x').length = s.length + 1",
    "k ∈ (k :: xs) ∧ k ∈ xs ++ [k] ∧ k ∈ zs.push k ∧ (k ∈ xs ++ ys ↔ k ∈ xs ∨ k ∈ ys)",
    "k ∈ xs → xs ≠ [] ∧ 0 < xs.length",
    "(k ∈ xs.reverse ↔ k ∈ xs) ∧ (k ∈ xs.filter (· < n) ↔ k ∈ xs ∧ k < n) ∧ (k ∈ List.range n ↔ k < n)",
    "xs.count k ≤ xs.length ∧ (0 < xs.count k ↔ k ∈ xs) ∧ (xs.contains k ↔ k ∈ xs) ∧ (zs.contains k ↔ k ∈ zs)",
    "xs.Perm xs ∧ (xs.Perm ys → ys.Perm xs ∧ xs.length = ys.length)",
    "(xs[n]? = none ↔ xs.length ≤ n) ∧ (n < xs.length → xs[n]? = some xs[n]!) ∧ (xs.length ≤ n → xs[n]! = 0)",
    "(zs[n]? = none ↔ zs.size ≤ n) ∧ (zs.size ≤ n → zs[n]! = 0 ∧ zs.getD n 7 = 7)",
    "xs.head! = xs[0]! ∧ xs.getLast! = xs[xs.length - 1]! ∧ xs.headD k = xs.getD 0 k ∧ zs.back! = zs[zs.size - 1]!",
    "(xs.head? = none ↔ xs = []) ∧ (xs.getLast? = none ↔ xs.isEmpty) ∧ (zs.back? = none ↔ zs = #[])",
    "zs.toList.length = zs.size ∧ zs.toList.toArray = zs ∧ xs.toArray.toList = xs ∧ (zs.toList = [] ↔ zs.isEmpty)",
    's.toList.length = s.length ∧ String.mk s.data = s ∧ (s = "" ↔ s.length = 0) ∧ (s ++ s).length = 2 * s.length',
    '[k, n].length = 2 ∧ [k, n][1]! = n ∧ #[k, n][0]! = k ∧ [k, n].getLast? = some n ∧ "ab".length = 2',
    "([k, n] = [n, k] → n = k) ∧ ([k] = xs → xs.length = 1 ∧ xs[0]! = k) ∧ ([] : List Nat) ≠ [k]",
    "(xs.all (· < n) ↔ ∀ x ∈ xs, x < n) ∧ (zs.any (· < n) ↔ ∃ x ∈ zs, x < n)",
    "s.all Char.isDigit ↔ ∀ c ∈ s.toList, c.isDigit",
    "(xs.Nodup ↔ xs.Pairwise (fun a b => b ≠ a)) ∧ (List.Sorted (· ≤ ·) xs ↔ xs.Pairwise (fun a b => ¬ b < a))",
    "(xs == ys) = decide (xs = ys) ∧ (zs == zs) = true ∧ (xs.isPerm ys ↔ xs.Perm ys)",
    "zs.foldl (· + ·) k = zs.toList.foldl (fun a b => a + b) k",
    "(match xs with | [] => k | x :: _ => x) = xs.headD k ∧ (match xs with | [] => [] | _ :: r => r) = xs.tail",
    "(match zs with | #[] => true | _ => false) = zs.isEmpty",
    "(xs ⊆ ys ↔ ∀ a, a ∈ xs → a ∈ ys) ∧ (xs <+: ys → xs <+: ys)",
]

FALSE = [
    "(xs ++ ys).length = xs.length",
    "(xs.take n).length = n",
    "xs.tail.length + 1 = xs.length",
    "(xs.drop n).length + n = xs.length",
    "xs[0]! ∈ xs",
    "xs.head? = some xs.head!",
    "xs.count k < xs.length",
    "xs.length = ys.length → xs.Perm ys",
    "xs[n]! = 0 → xs.length ≤ n",
    "zs.getD n 7 = zs[n]!",
    "xs ++ ys = ys ++ xs",
    "xs.reverse = xs",
    "xs.Nodup → xs.Pairwise (· < ·)",
    "xs.all (· < n) → xs.any (· < n)",
    "(k :: xs).tail = k :: xs.tail",
    "xs.isPerm ys → xs = ys",
    "xs.set n k = xs",
    "zs.push k = zs ++ zs",
    "zs.foldl (· - ·) k = zs.toList.foldl (fun a b => b - a) k",
    "s.any Char.isDigit → s.all Char.isDigit",
    "[k, n] = [n, k]",
    "xs.headD k = xs.headD n",
    "k ∈ zs → zs.size = 1",
]


@pytest.mark.parametrize("statement", TRUE)
def test_rules_of_lists_are_theorems(statement: str) -> None:
    claim = body(SIGNATURE, statement)
    assert truths(claim.program, TYPES, GRID) == [True] * POINTS
    anything = body(SIGNATURE, "True")
    assert "post_forward" in proved(anything, claim), proofs(anything, claim)["post_forward"]


@pytest.mark.parametrize("statement", FALSE)
def test_what_is_no_theorem_of_lists_is_not_proved(statement: str) -> None:
    claim = body(SIGNATURE, statement)
    assert False in truths(claim.program, TYPES, GRID)
    assert "post_forward" not in proved(body(SIGNATURE, "True"), claim)


def test_a_partial_function_is_nobody_elses() -> None:
    """To Lean two `partial` functions are two unknown constants, however alike their texts are."""

    def contract(keyword: str) -> str:
        return (
            f"{keyword}def steps (n : Nat) : Nat := if n = 0 then 0 else steps (n - 1) + 1\n"
            "def post (n result : Nat) : Prop := result = steps n"
        )

    plain, partial = contract(""), contract("partial ")
    assert "post_forward" in proved(side(plain), side(plain))
    assert "post_forward" not in proved(side(partial), side(partial))
