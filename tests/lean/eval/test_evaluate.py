"""Evaluation of closed terms. Expected values follow from Lean's definitions, by hand."""

from __future__ import annotations

import pytest

from specgen.lean.engine import EvalLimits
from tests.lean.eval.programs import evaluate, value

TEXT = """
structure P where
  x : Nat
  y : Int
deriving Repr, BEq, DecidableEq, Inhabited

inductive Shade where
  | dark | mid | light
deriving Repr, BEq, DecidableEq, Ord

inductive Tree where
  | leaf
  | node (l : Tree) (v : Nat) (r : Tree)
deriving Repr, BEq

def Tree.size : Tree → Nat
  | .leaf => 0
  | .node l _ r => l.size + 1 + r.size

def down (n : Nat) : Nat := match n with
  | 0 => 0
  | k + 1 => down k + 1

def sumTo (n acc : Nat) : Nat := match n with
  | 0 => acc
  | k + 1 => sumTo k (acc + k)

mutual
def isEven : Nat → Bool
  | 0 => true
  | n + 1 => isOdd n
def isOdd : Nat → Bool
  | 0 => false
  | n + 1 => isEven n
end

def swap (n a b : Nat) : Nat × Nat := match n with
  | 0 => (a, b)
  | k + 1 => swap k b a

def adders (n : Nat) : List (Nat → Nat) := match n with
  | 0 => []
  | k + 1 => (fun x => x + k) :: adders k

def loops (n : Nat) (fs : List (Nat → Nat)) : List (Nat → Nat) := match n with
  | 0 => fs
  | k + 1 => loops k ((fun x => x + k) :: fs)

def collatz (n fuel : Nat) : Nat := Id.run do
  let mut m := n
  let mut steps := 0
  for _ in [0:fuel] do
    if m == 1 then break
    if m % 2 == 0 then m := m / 2 else m := 3 * m + 1
    steps := steps + 1
  return steps

def admitted (n : Nat) : Nat := sorry
def unused (n : Nat) : Nat := if n = 0 then 1 else admitted n
def boundedGet (xs : Array Nat) (i : Nat) (h : i < xs.size) : Nat := xs[i]'h
def sub1 : { n : Nat // n > 2 } := ⟨5, by decide⟩
"""

CASES = [
    ("(2 : Nat) - 3", "0"),
    ("(5 : Int) / (-2)", "-2"),
    ("(-5 : Int) / 2", "-3"),
    ("(-5 : Int) % 2", "1"),
    ("(5 : Int) / 0", "0"),
    ("(5 : Nat) % 0", "5"),
    ("({ x := 1, y := -2 } : P)", "{ x := 1, y := -2 }"),
    ("{ (default : P) with x := 4 }", "{ x := 4, y := 0 }"),
    ("Tree.node .leaf 3 (.node .leaf 4 .leaf)", "Tree.node (Tree.leaf) 3 (Tree.node (Tree.leaf) 4 (Tree.leaf))"),
    ("(Tree.node .leaf 3 (.node .leaf 4 .leaf)).size", "2"),
    ("Tree.leaf == Tree.node .leaf 1 .leaf", "false"),
    ("[Shade.dark, Shade.light]", "[Shade.dark, Shade.light]"),
    ("compare Shade.dark Shade.mid", "Ordering.lt"),
    ("({ x := 1, y := 2 } : P) == { x := 1, y := 3 }", "false"),
    ("decide (({ x := 1, y := 2 } : P) = { x := 1, y := 2 })", "true"),
    ("down 9000", "9000"),
    ("sumTo 100000 0", "4999950000"),
    ("isEven 7001", "false"),
    ("swap 5 1 2", "(2, 1)"),
    ("(adders 3).map (fun f => f 10)", "[12, 11, 10]"),
    ("(loops 3 []).map (fun f => f 10)", "[10, 11, 12]"),
    ("collatz 27 1000", "111"),
    ("unused 0", "1"),
    ("boundedGet #[4, 5] 1 (by decide)", "5"),
    ("sub1.val + 1", "6"),
    ("(fun (x y : Nat) => x * 10 + y) 3 4", "34"),
    ("[1, 2, 3].foldl (fun a b => a * 10 + b) 0", "123"),
    ("(1, 'a', \"b\\n\")", "(1, 'a', \"b\\n\")"),
    ("(some (some 3) : Option (Option Nat))", "some (some 3)"),
    ("(some (-3) : Option Int)", "some (-3)"),
    ("(none : Option Nat)", "none"),
    ("#[1, 2].push 3", "#[1, 2, 3]"),
    ('if 2 < 3 then "yes" else "no"', '"yes"'),
    ("let f := fun (n : Nat) => n + 1; f (f 1)", "3"),
    ("match (3, [4, 5]) with | (a, b :: _) => a + b | (a, []) => a", "7"),
    ('match "ab" with | "cd" => 1 | "ab" => 2 | _ => 3', "2"),
    ("match (-3 : Int) with | .ofNat n => n | .negSucc n => n + 100", "102"),
    ("match #[1, 2] with | #[a, b] => a + b | _ => 0", "3"),
    ("match 5 with | 0 => 0 | 1 => 1 | n + 2 => n", "3"),
    ("match some 4 with | some x@(k + 1) => x * k | _ => 0", "12"),
    ("[3, 1][5]!", "0"),
    ("[3, 1][1]?", "some 1"),
    ("('a'.toNat, Char.ofNat 98)", "(97, 'b')"),
    ("[1, 2].map (fun n : Nat => n + 1)", "[2, 3]"),
]


@pytest.mark.parametrize(("expression", "expected"), CASES)
def test_values(expression: str, expected: str) -> None:
    shown = value(expression, TEXT)
    assert shown.replace("(Tree.leaf)", "Tree.leaf") == expected.replace("(Tree.leaf)", "Tree.leaf")


@pytest.mark.parametrize(
    ("expression", "kind"),
    [
        ("admitted 3", "sorry"),
        ("down 3000000", "depth"),
        ("2 ^ (2 ^ 60)", "memory"),
        ("(List.replicate 1000000000000 0).length", "memory"),
        ("sumTo 10000000000 0", "fuel"),
    ],
)
def test_what_cannot_be_computed_says_why(expression: str, kind: str) -> None:
    result = evaluate(expression, TEXT)
    assert result.status == "unknown"
    assert result.reason.startswith(kind)


def test_wall_time_is_a_limit() -> None:
    result = evaluate("sumTo 10000000000 0", TEXT, EvalLimits(fuel=10**15, wall_s=0.2))
    assert result.reason.startswith("timeout")


def test_the_process_is_healthy_after_a_limit() -> None:
    assert evaluate("down 3000000", TEXT).status == "unknown"
    assert value("down 10", TEXT) == "10"


def test_an_ill_typed_term_is_an_error() -> None:
    assert evaluate('(1 : Nat) + "a"', TEXT).status == "error"
