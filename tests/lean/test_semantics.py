"""The semantics of Lean in one place, by values that its definitions give: each row stands for a way to get it wrong.

`make mutants` breaks the engine in each of these ways and expects a row here, or another test, to turn red.
"""

from __future__ import annotations

import pytest
import z3

from specgen.lean import EvalLimits, LeanEnv
from specgen.lean.engine import Fails, Holds, Program, UnknownOutcome, load
from specgen.lean.eval.nodes import constant
from specgen.lean.eval.quantifiers.search import Generator, loop_code
from specgen.lean.eval.runtime import Unknown

TEXT = """
structure Triple where
  a : Nat
  b : Int
  c : String
deriving BEq, DecidableEq, Ord, Inhabited, Repr

structure Pair where
  a : Nat
  b : Nat
deriving BEq, DecidableEq, Ord, Inhabited, Repr

inductive Item where
  | one (a b : Nat)
  | two (a b : Nat)
deriving BEq, DecidableEq, Repr

structure Loose where
  n : Nat
instance : BEq Loose := ⟨fun _ _ => true⟩

def rotate (n a b c : Nat) : List Nat := match n with
  | 0 => [a, b, c]
  | k + 1 => rotate k b c a

def firstAbove (xs : List Nat) (n : Nat) : Nat := Id.run do
  for x in xs do
    if x > n then return x
  return 0

def total (a b s : Nat) : Nat := Id.run do
  let mut t := 0
  for i in [a:b:s] do
    t := t + i
  return t

def untilZero (xs : List Nat) : Nat := Id.run do
  let mut t := 0
  for x in xs do
    if x == 0 then break
    t := t + x
  return t

def oddSum (xs : List Nat) : Nat := Id.run do
  let mut t := 0
  for x in xs do
    if x % 2 == 0 then continue
    t := t + x
  return t

def larger (a b : Nat) : Nat := if a < b then b else a
def subtract (a b : Nat) (c : Int) : Prop := a - b + c = -1
def asBool (n : Nat) : Bool := n > 3
def asProp (b : Bool) : Prop := b
def spin (n acc : Nat) : Nat := match n with
  | 0 => acc
  | k + 1 => spin k (acc + k)
def slow (n : Nat) : Prop := spin n 0 = 0
def open_ (n : Nat) : Prop := ∀ k : Nat, k * k * k + n ≠ 2 * (k * k) + 100000007
def admitted (n : Nat) : Nat := sorry
def usesSorry (n : Nat) : Prop := admitted n = 1
"""

VALUES = """
(2 : Nat) - 3 ⇒ 0
(7 : Nat) / 0 ⇒ 0
(7 : Nat) % 0 ⇒ 7
(2 : Nat) ∣ 6 ⇒ true
(6 : Nat) ∣ 2 ⇒ false
(0 : Nat) ∣ 3 ⇒ false
(0 : Nat) ^ 0 ⇒ 1
Nat.gcd 0 4 ⇒ 4
Nat.log2 5 ⇒ 2
Nat.sqrt 5 ⇒ 2
(40 : Nat) >>> 3 ⇒ 5
(3 : Nat) < 3 ⇒ false
(-5 : Int) / 2 ⇒ -3
(5 : Int) / (-2) ⇒ -2
(-5 : Int) / (-2) ⇒ 3
(5 : Int) / 0 ⇒ 0
(-5 : Int) % 2 ⇒ 1
(5 : Int) % (-3) ⇒ 2
(-5 : Int) % 0 ⇒ -5
Int.tdiv (-5) 2 ⇒ -2
Int.tmod (-5) 2 ⇒ -1
Int.fdiv (-5) 2 ⇒ -3
Int.fmod 5 (-3) ⇒ -1
Int.bmod 3 4 ⇒ -1
Int.toNat (-3) ⇒ 0
Int.natAbs (-3) ⇒ 3
Int.sign 0 ⇒ 0
(2 : Int) ∣ -6 ⇒ true
(-6 : Int) ∣ 2 ⇒ false
(-5 : Int) >>> 1 ⇒ -3
toString (-3 : Int) ⇒ "-3"
(250 : UInt8) + 10 ⇒ 4
(1 : UInt8) - 2 ⇒ 255
(1048576 : UInt32) * 1048576 ⇒ 0
(1 : UInt8) <<< 9 ⇒ 2
(127 : Int8) + 1 ⇒ -128
(-5 : Int8) / 2 ⇒ -2
BitVec.slt 9#4 1#4 ⇒ true
(2 : Fin 3) + 2 ⇒ 1
(0.0 / 0.0 : Float) == (0.0 / 0.0 : Float) ⇒ false
(1.0 : Float) / 0.0 > 1e300 ⇒ true
[3, 4][5]! ⇒ 0
(#[3, 4] : Array Int)[5]! ⇒ 0
2 ^ 3 ^ 2 ⇒ 512
10 - 3 - 2 ⇒ 5
2 + 3 * 4 ⇒ 14
7 + 7 % 4 ⇒ 10
True ∨ False ∧ False ⇒ true
true || false && false ⇒ true
(False ↔ False) ∧ False ⇒ false
False ↔ False ∧ True ⇒ true
1 = 1 ∧ 2 = 2 ⇒ true
False → False → False ⇒ true
(False → False) → False ⇒ false
¬ False ∧ False ⇒ false
(-2 ^ 2 : Int) ⇒ -4
1 :: 2 :: [] ++ [3] ⇒ [1, 2, 3]
(2 - 3 : Nat) + (1 : Int) ⇒ 1
(2 - 3 : Int) ⇒ -1
let n : Nat := 2; (n - 3 : Int) ⇒ -1
let n : Nat := 2; ((n - 3 : Nat) : Int) ⇒ 0
let n : Nat := 2; (-1 : Int) = n - 3 ⇒ true
let n : Nat := 2; n - 3 = (-1 : Int) ⇒ true
3 - 5 ⇒ 0
5 / 2 * 2 ⇒ 4
((true : Bool) : Prop) ⇒ true
((false : Bool) : Prop) ⇒ false
asProp false ⇒ false
asBool 4 ⇒ true
((3 : Nat) : Int) ⇒ 3
let n : Nat := 3; (n : Option Nat) ⇒ some 3
True ∧ False ⇒ false
(False ∨ True) ∧ ¬ (True → False) ⇒ true
(False → True) ∧ (False → False) ⇒ true
(False ↔ True) ⇒ false
(True ↔ False) ⇒ false
∀ i : Nat, i < 3 → i ≠ 2 ⇒ false
∃ (_ : 1 = 2), True ⇒ false
1 ≠ 2 ∧ ¬ (1 ≠ 1) ⇒ true
larger 3 4 ⇒ 4
match 3 with | 3 => "three" | _ => "other" ⇒ "three"
match [1, 2] with | [1, 2] => 1 | [_, _] => 2 | _ => 3 ⇒ 1
match 5, 5 with | 4, 5 => "a" | 5, 4 => "b" | _, _ => "c" ⇒ "c"
match 5 with | 0 => 0 | 1 => 1 | n + 2 => n ⇒ 3
match 1 with | n + 2 => n + 100 | n => n ⇒ 1
match (-3 : Int) with | .ofNat n => n | .negSucc n => n ⇒ 2
match #[1, 2, 3] with | #[a, b] => a + b | _ => 0 ⇒ 0
match (1, 0) with | (0, _) => 1 | (_, 0) => 2 | (1, _) => 3 | _ => 4 ⇒ 2
rotate 4 1 2 3 ⇒ [2, 3, 1]
firstAbove [1, 5, 7] 3 ⇒ 5
total 0 4 1 ⇒ 6
total 0 7 3 ⇒ 9
untilZero [1, 2, 0, 4] ⇒ 3
oddSum [1, 2, 3] ⇒ 4
(⟨1, 2, "x"⟩ : Triple) = ⟨1, 2, "y"⟩ ⇒ false
(⟨1, 2, "x"⟩ : Triple) == ⟨1, 2, "y"⟩ ⇒ false
(⟨1, 2⟩ : Pair) = ⟨1, 3⟩ ⇒ false
Item.one 1 2 = Item.one 1 3 ⇒ false
Item.one 1 2 == Item.two 1 2 ⇒ false
compare (⟨1, 2⟩ : Pair) ⟨1, 3⟩ ⇒ Ordering.lt
(default : Pair) ⇒ { a := 0, b := 0 }
#[1, 2] = #[1, 2, 3] ⇒ false
#[1, 2, 3] = #[1, 2] ⇒ false
[1, 2, 3].take 2 ⇒ [1, 2]
[1, 2, 3].take 9 ⇒ [1, 2, 3]
[1, 2, 3].drop 9 ⇒ []
[1, 2, 3].getD 9 7 ⇒ 7
[1, 2, 3].zip [4, 5] ⇒ [(1, 4), (2, 5)]
[1, 2].zip ([] : List Nat) ⇒ []
[1, 2, 3].idxOf 9 ⇒ 3
List.range 3 ⇒ [0, 1, 2]
List.range' 2 3 ⇒ [2, 3, 4]
[1, 2, 3].head? ⇒ some 1
[1].dropLast ⇒ []
[1, 2, 3].set 7 9 ⇒ [1, 2, 3]
[1, 2, 3].foldr (fun x acc => x - acc) 0 ⇒ 1
[1, 2, 1].eraseDups ⇒ [1, 2]
[(1, "a"), (2, "b"), (1, "a")].count (1, "a") ⇒ 2
[100000000000, 1].count (99999999999 + 1) ⇒ 1
[1, 1, 2].Perm [1, 2, 2] ⇒ false
[1, 2, 1].Nodup ⇒ false
[1, 2, 1].Pairwise (· ≠ ·) ⇒ false
[(2, 1), (1, 1), (2, 2), (1, 2)].mergeSort (fun a b => a.1 ≤ b.1) ⇒ [(1, 1), (1, 2), (2, 1), (2, 2)]
[1, 2] < [1, 2, 3] ⇒ true
List.lex [1, 2] [1, 2, 3] ⇒ true
[1, 3].Sublist [1, 2, 3] ⇒ true
#[1, 2, 3].extract 0 2 ⇒ #[1, 2]
"é".length ⇒ 1
("ab".drop 5) ⇒ ""
"éa".get ("éa".next 0) ⇒ 'a'
"éa".get ⟨2⟩ ⇒ 'a'
"é".endPos.byteIdx ⇒ 2
"aa" < "b" ⇒ true
"\u00a0a ".trim.length ⇒ 2
"a,,b".splitOn "," ⇒ ["a", "", "b"]
"+5".toNat? ⇒ none
'é'.isAlpha ⇒ false
'²'.isDigit ⇒ false
'é'.toUpper ⇒ 'é'
(Char.ofNat 11).isWhitespace ⇒ false
(Char.ofNat 0xD800).toNat ⇒ 0
((∅ : Std.HashMap Nat Nat).insert 1 2 |>.insert 1 3)[1]? ⇒ some 3
(((∅ : Std.HashMap Nat Nat).insert 1 2).erase 1).size ⇒ 0
"""

# Statements with a bound or a rule each, and their truth.
STATEMENTS = """
∀ i : Nat, i < 3 → i ≠ 3 ⇒ true
∀ i : Nat, i ≤ 3 → i ≠ 3 ⇒ false
∀ i : Int, 0 ≤ i → i < 3 → i ≠ 3 ⇒ true
∀ i : Int, 0 ≤ i → i ≤ 3 → i ≠ 3 ⇒ false
∃ i : Int, 0 < i ∧ i < 2 ∧ i * 5 = 0 ⇒ false
∃ i : Nat, 2 ≤ i ∧ i < 5 ∧ i * i = 16 ⇒ true
∃ i : Nat, 2 ≤ i ∧ i < 5 ∧ i = i * i ⇒ false
∀ i : Fin 3, i.val ≠ 2 ⇒ false
∀ o : Option Bool, o.isSome ⇒ false
∀ b : Bool, b = false ⇒ false
∃ x : Nat, x = 3 ∧ x * x = 10 ⇒ false
∃ n : Nat, (n : Int) = -5 ⇒ false
∃ a b, (a, b) = ((1 : Nat), 2) ∧ a = b ⇒ false
∃ h t, (h :: t) = [1, 2] ∧ t = [] ⇒ false
∃ x : Nat, x - 3 = 0 ∧ x < 2 ∧ x * x = x + x * x * x * 0 ⇒ true
∃ x : Nat, 0 ≤ x - 3 ∧ x ≤ 2 ∧ x * x = 1 ⇒ true
∀ x : Nat, 0 ≤ 3 - x → x ≤ 9 → x * x ≤ 9 ⇒ false
∃ x : Nat, 0 ≤ 3 - x ∧ x * x = 25 ⇒ true
∃ i : Nat, i * i = 49 ⇒ true
∃ x : Nat, x * (2 * x) ≤ 50 ∧ x = 5 ⇒ true
∃ x : Nat, x * (7 - x) ≤ 7 ∧ x * x * x = 343 ⇒ true
∃ m : Nat, 4 ^ m = 64 ⇒ true
∃ m : Nat, 1 ^ m ≤ 3 ∧ m * m = 9 ⇒ true
∃ x : Nat, x / 3 = 2 ∧ x * x = 64 ⇒ true
∃ x : Nat, x / 0 ≤ 3 ∧ x * x = 49 ⇒ true
∃ x : Nat, 0 * x ≤ 3 ∧ x * x = 49 ⇒ true
∃ x : Nat, x / 3 = 2 ∧ Nat.gcd x 100 = 4 ⇒ true
∃ k ∈ [0], ∃ x : Nat, x / k ≤ 3 ∧ Nat.gcd x 100 = 20 ⇒ true
∃ k ∈ [0], ∃ x : Nat, k * x ≤ 3 ∧ Nat.gcd x 100 = 20 ⇒ true
∃ x : Nat, x * (x - 18) ≤ 40 ∧ Nat.gcd x 100 = 20 ⇒ true
∃ x : Int, -2 * x ≤ 6 ∧ x ≤ 0 ∧ x * x = 9 ⇒ true
∃ x : Int, -x ≤ 3 ∧ x ≤ 0 ∧ x * x = 9 ⇒ true
∃ x : Int, x.natAbs ≤ 2 ∧ x * x * x = -8 ⇒ true
∃ x y : Int, x + y ≤ 3 ∧ 0 ≤ x ∧ y = -2 ∧ x = 5 ⇒ true
∃ x y : Int, 0 ≤ x ∧ x + y ≤ 3 ∧ y * y = 4 ∧ x = 5 ⇒ true
∀ x y : Int, 0 ≤ x → x + y ≤ 3 → -2 ≤ y → x ≤ 3 ⇒ false
∀ d : Nat, d ∣ 0 → d * d ≤ 100 ⇒ false
∃ d : Nat, d ∣ 12 ∧ d * d = 144 ⇒ true
∃ d : Int, d ∣ 6 ∧ d * d * d = -27 ⇒ true
∀ i y : Nat, [7, 8][i]? = some y → y = 7 ⇒ false
∃ s, s <+: [1, 2] ∧ s.length = 2 ⇒ true
∃ s, s <:+ [1, 2] ∧ s.length = 0 ⇒ true
∃ s, s <:+: [1, 2, 3] ∧ s = [2, 3] ⇒ true
∃ a b : List Nat, [1, 2] = a ++ b ∧ b.length = 2 ⇒ true
∃ s : List Nat, s.Sublist [1, 2, 3] ∧ s = [1, 3] ⇒ true
∃ s : List Nat, s.Perm [1, 2, 3] ∧ s = [3, 1, 2] ⇒ true
∀ x : Nat, x ∈ [0, 1, 2] ⇒ false
∀ x : Nat, [1, 2].count x ≤ 1 ∧ (x ∈ [0, 1] ∨ x = 2) ⇒ false
∀ x : Nat, x ∈ [1, 2] → x + 1 ∈ [2, 3] ⇒ true
∃ x : Nat, x ∉ [1, 2] ∧ x % 5 = 2 ⇒ true
∀ i : Nat, [1, 2].getD i 0 ≤ 2 ⇒ true
∀ i : Nat, [0, 0, 1, 5][i]! ≤ 1 ⇒ false
∀ i : Nat, [0, 0, 9].getD i 0 = 0 ⇒ false
∃ i : Nat, 1834 / 10 ^ i % 10 = 4 ∧ 0 < i ⇒ false
∃ i : Nat, 1234567 / 10 ^ i % 10 = 1 ⇒ true
∀ i : Int, i > -40 ∨ i * 0 = 1 ⇒ false
∃ x : Nat, (x = 7 ∨ x = 9) ∧ x * x = 81 ⇒ true
∀ x : Nat, (x = 7 ↔ x * x = 49) ∨ x > 100 ⇒ true
∀ x y : Int, x < y → x + 1 ≤ y ⇒ true
∀ x y : Nat, x < y + 1 → x ≤ y ⇒ true
∃ x y : Int, x < y ∧ y < x + 1 ⇒ false
∀ x : Nat, x + 1 > 0 ⇒ true
∀ x y : Nat, x - y ≤ x ⇒ true
∀ x y : Nat, x + y ≥ y ⇒ true
∀ x : Nat, ∃ y : Nat, y + y = x ∨ y + y = x + 1 ⇒ true
∀ x : Nat, ∃ y : Nat, y + 3 = x ∨ x < 3 ⇒ true
∀ x : Nat, ∃ y : Nat, y + 1 = x ⇒ false
∃ p : Bool × Fin 3, p.2.val * p.2.val = 4 ⇒ true
∃ x : Nat, x * (7 - x) ≤ 7 ∧ x < 9 ∧ x % 10 = 7 ⇒ true
∃ x : Nat, x / 3 ≤ 2 ∧ x < 20 ∧ x % 10 = 8 ⇒ true
∃ x : Nat, x / 0 ≤ 3 ∧ x < 60 ∧ x % 50 = 49 ⇒ true
∃ k ∈ [0], ∃ x : Nat, x / k ≤ 3 ∧ x < 60 ∧ x % 50 = 49 ⇒ true
∃ k ∈ [0], ∃ x : Nat, k * x ≤ 3 ∧ x < 60 ∧ x % 50 = 49 ⇒ true
∃ k ∈ [0], ∃ x : Nat, k * x ≤ 3 ∧ x * x = 49 ⇒ true
∃ x : Int, -x ≤ 3 ∧ -5 ≤ x ∧ x ≤ 0 ∧ x % 4 = 2 ⇒ true
∃ s, s <:+: [1, 2, 3] ∧ s.length = 2 ∧ s.sum = 5 ⇒ true
∃ s : List Nat, s.Sublist [1, 2, 3] ∧ s.length = 2 ∧ s.sum = 4 ⇒ true
∃ s : List Nat, s.Perm [1, 2, 3] ∧ s.head? = some 3 ⇒ true
∃ x y : Nat, x ≥ 1 ∧ y ≤ x ∧ y ≥ 7 ⇒ true
∀ x : Int, (∀ y : Nat, (y : Int) ≥ x) ∨ x > 0 ⇒ true
∃ x : Int, x ≥ 100000 ∧ ∀ y : Nat, (y : Int) + 200000 ≥ x ⇒ true
∃ n : Nat, (n : Int) = -5 ∧ n < 9 ⇒ false
∃ x : Int8, x < 0 ⇒ true
∀ x : Int8, -128 ≤ x ∧ x ≤ 127 ⇒ true
∃ x : Int8, x.toInt = -5 ⇒ true
∃ x : Int16, x = -300 ∧ x < 0 ⇒ true
∀ x : UInt8, x.toNat < 256 ⇒ true
∃ x : Int, -1 ≤ Int.tdiv x 3 ∧ x ≤ -4 ∧ x * x = 25 ⇒ true
"""


def rows(text: str) -> list[tuple[str, str]]:
    """Split rows `term ⇒ value`."""
    found: list[tuple[str, str]] = []
    for line in text.strip().splitlines():
        term, _, value = line.rpartition(" ⇒ ")
        found.append((term, value))
    return found


@pytest.fixture(scope="module")
def program() -> Program:
    loaded = load(TEXT, LeanEnv((4, 18, 0), ("Mathlib",)))
    assert loaded.report.verdict == "accepted", loaded.report.diagnostics
    return loaded


@pytest.mark.parametrize(("term", "value"), rows(VALUES))
def test_values(program: Program, term: str, value: str) -> None:
    result = program.evaluate(term)
    assert (result.status, result.value) == ("value", value), result


@pytest.mark.parametrize(("term", "value"), rows(STATEMENTS))
def test_statements(program: Program, term: str, value: str) -> None:
    result = program.evaluate(term)
    assert (result.status, result.value) == ("value", value), result


def test_division_that_rounds_to_zero_under_its_old_name() -> None:
    program = load("", LeanEnv((4, 12, 0), ("Mathlib",)))
    result = program.evaluate("∃ x : Int, -1 ≤ Int.div x 3 ∧ x ≤ -4 ∧ x * x = 25")
    assert result.status == "unknown" or result.value == "true"


def test_no_candidates_are_no_verdict() -> None:
    nothing = Generator(0, lambda frame: None, total=False)
    with pytest.raises(Unknown):
        loop_code(0, (nothing,), constant(True), constant(True))([None])


def test_what_z3_does_not_know_is_unknown(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    statement = "∀ x y : Int, x < y → x + 1 ≤ y"
    assert program.evaluate(statement).value == "true"
    monkeypatch.setattr(z3.Solver, "check", lambda self: z3.unknown)
    assert program.evaluate(statement, EvalLimits(search=50)).status == "unknown"


OPEN = "(∀ n : Nat, n * n * n + 1 ≠ 2 * (n * n) + 100000007)"


@pytest.mark.parametrize(
    "term",
    [
        OPEN,
        f"¬ {OPEN}",
        f"{OPEN} ∧ 1 = 1",
        f"1 = 1 ∧ {OPEN}",
        f"{OPEN} ∨ 1 = 2",
        f"{OPEN} → 1 = 2",
        f"1 = 1 → {OPEN}",
        f"({OPEN} ↔ 1 = 1)",
        f"∃ n : Nat, n < 3 ∧ (n = 7 ∨ {OPEN})",
        "admitted 1 = 1",
        "(0.5 : Float) = 0.5",
        "(fun n : Nat => 2 ^ n * n) = (fun n => n * 2 ^ n)",
        "∃ n : Nat, n * n * n = n * n + 100000007",
        "∀ xs : List Nat, xs.length ≤ 100",
        "∃ y : Loose, [Loose.mk 1].contains y = true ∧ y.n = 2",
    ],
)
def test_what_is_not_known_is_unknown(program: Program, term: str) -> None:
    assert program.evaluate(term, EvalLimits(search=50)).status == "unknown", term


def _decide(program: Program, name: str, limits: EvalLimits, *arguments: tuple[str, str]) -> object:
    return program.decide(name, [program.read(text, type_) for text, type_ in arguments], limits)


def test_a_limit_is_unknown_never_a_verdict(program: Program) -> None:
    long = ("100000000000", "Nat")
    out_of_time = _decide(program, "slow", EvalLimits(fuel=10**15, wall_s=0.05), long)
    assert isinstance(out_of_time, UnknownOutcome) and out_of_time.kind == "timeout"
    out_of_steps = _decide(program, "slow", EvalLimits(fuel=1000), long)
    assert isinstance(out_of_steps, UnknownOutcome) and out_of_steps.kind == "fuel"
    undecided = _decide(program, "open_", EvalLimits(search=50), ("1", "Nat"))
    assert isinstance(undecided, UnknownOutcome) and undecided.kind == "undecided"
    admitted = _decide(program, "usesSorry", EvalLimits(), ("1", "Nat"))
    assert isinstance(admitted, UnknownOutcome) and admitted.kind == "sorry"


def test_verdicts_of_predicates(program: Program) -> None:
    limits = EvalLimits()
    assert _decide(program, "subtract", limits, ("1", "Nat"), ("3", "Nat"), ("1", "Int")) == Holds()
    assert _decide(program, "subtract", limits, ("1", "Nat"), ("3", "Nat"), ("-1", "Int")) == Fails()
    assert _decide(program, "slow", limits, ("0", "Nat")) == Holds()
    assert _decide(program, "slow", limits, ("3", "Nat")) == Fails()
