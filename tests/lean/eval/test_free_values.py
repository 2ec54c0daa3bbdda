"""Generic values, narrowing, positions, periods, collections by elements: statements, their truth by mathematics."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable

import pytest

from specgen.lean.eval.generic import AtLeast, Cell, Generic, Open
from specgen.lean.eval.narrowing import Narrowing
from specgen.lean.eval.runtime import Unknown
from specgen.lean.eval.values import equal, to_list
from tests.lean.eval.programs import evaluate, value

TEXT = """
def look (m : List (Int × Int)) (k : Int) : Option Int := (m.find? (fun p => p.1 == k)).map Prod.snd

def agree (a b r : List (Int × Int)) : Prop := ∀ k, look r k = match look b k with
  | some v => some v
  | none => look a k

def rotated (l : List Int) (s : Nat) : List Int := l.rotate (l.length - s % l.length)

def run (l : List Int) (start : Int) (len : Nat) : Prop := ∀ i : Nat, i < len → start + (i : Int) ∈ l

def ugly (m : Nat) : Prop := ∃ a b c : Nat, m = 2 ^ a * 3 ^ b * 5 ^ c

def rising (l : List Int) (idx : List Nat) : Prop :=
  (∀ i ∈ idx, i < l.length) ∧ idx.Pairwise (· < ·) ∧ (idx.map (fun i => l[i]!)).Pairwise (· < ·)

def isSub (xs ys : List Char) : Bool :=
  match xs, ys with
  | [], _ => true
  | _, [] => false
  | x :: xs', y :: ys' => if x = y then isSub xs' ys' else isSub xs ys'

def mirrored (s : String) : Bool := s = s.toList.reverse.asString

def window (s : String) (k : Nat) (t : String) : Prop := t.toList <:+: s.toList ∧ t.toList.count '1' = k

def sub2 (a b : List Int) (r : Int) : Prop :=
  let common (l : List Int) := l.Sublist a ∧ l.Sublist b
  (∃ l, common l ∧ (l.length : Int) = r) ∧ ∀ l, common l → (l.length : Int) ≤ r
"""

STATEMENTS = [
    # generic values
    ("agree [(1, 2)] [(1, 3), (4, 5)] [(1, 3), (4, 5)]", True),
    ("agree [(1, 2), (7, 7)] [(1, 3), (4, 5)] [(1, 3), (4, 5)]", False),
    ("∃ x : Int, ([1, 2, 3].filter (fun y => y = x)).length > 1", False),
    ("∃ x : Int, ([1, 2, 2].filter (fun y => y = x)).length > 1", True),
    ("∀ x : Nat, ([1, 2].map (fun y => if y + 1 = x then 0 else 1)).sum = 2", False),
    ("∀ x : Nat, x + 1 ≠ 0", True),
    # local definitions, pairs, texts
    ("sub2 [1, 2, 3] [1, 3, 2] 2", True),
    ("sub2 [1, 2, 3] [1, 3, 2] 3", False),
    ("∃! p : Nat × Nat, p.1 < p.2 ∧ p.2 < 3 ∧ [1, 2, 3][p.1]! + [1, 2, 3][p.2]! = 3", True),
    ("∃! p : Nat × Nat, p.1 < p.2 ∧ p.2 < 4 ∧ [1, 2, 3, 0][p.1]! + [1, 2, 3, 0][p.2]! = 3", False),
    ('∀ t, window "1101" 2 t → t.length ≤ 3', True),
    ('∀ t, window "1101" 2 t → t.length ≤ 2', False),
    ('∃ t, window "1101" 4 t', False),
    # positions
    ("∃ x : List Nat, x.length = 3 ∧ (∀ i, i < 3 → x[i]! = i * i) ∧ x.sum = 5", True),
    ("∃ x : List Nat, x.length = 3 ∧ (∀ i, i < x.length → x[i]? = some (i * i)) ∧ x.sum = 6", False),
    (
        "∀ w : List Char, w.length = 2 ∧ (∀ i, i < 2 → w[i]! ∈ [['a'], ['d', 'e']][i]!) → w ∈ [['a', 'd'], ['a', 'e']]",
        True,
    ),
    ("∀ w : List Char, w.length = 2 ∧ (∀ i, i < 2 → w[i]! ∈ [['a'], ['d', 'e']][i]!) → w = ['a', 'd']", False),
    # statements below a bound
    ("∀ s len, run [100, 4, 200, 1, 3, 2] s len → len ≤ 4", True),
    ("∀ s len, run [100, 4, 200, 1, 3, 2] s len → len ≤ 3", False),
    ("∃ s, run [100, 4, 200, 1, 3, 2] s 5", False),
    ("∃ s, run [] s 0", True),
    ("∃ s, run [] s 1", False),
    # periods
    ("∀ s : Nat, ¬ (rotated [3, 2, 1] s).Sorted (· < ·)", True),
    ("∀ s : Nat, ¬ (rotated [3, 1, 2] s).Sorted (· < ·)", False),
    ("∃ s : Nat, s % 7 = 3 ∧ s % 5 = 4", True),
    ("∃ s : Nat, s % 6 = 3 ∧ s % 4 = 2", False),
    # products, powers, primes
    ("∃ n : Int, (-27 : Int) = n ^ 3", True),
    ("∃ n : Int, (1729 : Int) = n ^ 3", False),
    ("∃ n : Int, n < 0 ∧ (16 : Int) = n ^ 4", True),
    ("∃ n : Int, (-16 : Int) = n ^ 4", False),
    ("∀ n : Int, -30 ≤ n ^ 3 → n ^ 3 ≤ 30 → -3 ≤ n", True),
    ("∀ n : Int, -30 ≤ n ^ 3 → n ^ 3 ≤ 30 → -2 ≤ n", False),
    ("∃ a b c, Nat.Prime a ∧ Nat.Prime b ∧ Nat.Prime c ∧ (30 : Int) == a * b * c", True),
    ("∃ a b c, Nat.Prime a ∧ Nat.Prime b ∧ Nat.Prime c ∧ (729 : Int) == a * b * c", False),
    ("∀ q, Nat.Prime q → q ∣ 600851475143 → q ∈ [71, 839, 1471, 6857]", True),
    ("∀ q, Nat.Prime q → q ∣ 600851475143 → q ∈ [71, 839, 1471]", False),
    ("ugly 12", True),
    ("ugly 7", False),
    ("ugly 0", False),
    # collections by their elements, rising lists, finite sets
    ("∃ l : List Nat, l.length = 9 ∧ l.Nodup ∧ ∀ m, m ∈ l ↔ (ugly m ∧ m < 12)", True),
    ("∃ l : List Nat, l.length = 8 ∧ l.Nodup ∧ ∀ m, m ∈ l ↔ (ugly m ∧ m < 12)", False),
    ("∃ l : List Nat, l.Nodup ∧ (∀ y, y ∈ l ↔ y < 4) ∧ l[0]! = 2 ∧ l[1]! = 3", True),
    ("∃ l : List Nat, l.Nodup ∧ (∀ y, y ∈ l ↔ y < 4) ∧ l[0]! = 2 ∧ l[1]! = 4", False),
    ("∃ S : Finset (Nat × Nat), S.card = 3 ∧ ∀ p, p ∈ S ↔ (p.1 < p.2 ∧ p.2 < 3)", True),
    ("∃ S : Finset (Nat × Nat), S.card = 2 ∧ ∀ p : Nat × Nat, let (i, j) := p; i < j ∧ j < 3 ↔ p ∈ S", False),
    ("∃ S : Finset (Nat × Nat), S.card = 3 ∧ ∀ p : Nat × Nat, let (i, j) := p; i < j ∧ j < 3 ↔ p ∈ S", True),
    ("∃! S : Finset Nat, S.card = 2 ∧ ∀ y ∈ S, y < 2", True),
    ("∃! S : Finset Nat, S.card = 2 ∧ ∀ y ∈ S, y < 3", False),
    ("∃ idx, rising [3, 1, 2, 4] idx ∧ idx.length = 3", True),
    ("∃ idx, rising [3, 1, 2, 4] idx ∧ idx.length = 4", False),
    ("IsLeast {m : Nat | m ∉ [0, 1, 3]} 2", True),
    ("IsLeast {m : Nat | m ∉ [0, 1, 3]} 4", False),
    # narrowing
    ("∃ x : List Char, isSub x ['a', 'b', 'c'] ∧ x.length = 2 ∧ x[0]! = 'b'", True),
    ("∃ x : List Char, isSub x ['a', 'b', 'c'] ∧ x.length = 2 ∧ x[0]! = 'c'", False),
    ("∀ x : List Char, isSub x ['a', 'b', 'c'] → x.length ≤ 3", True),
    ("∀ x : List Char, isSub x ['a', 'b', 'c'] → x.length ≤ 2", False),
    ('∀ p : String, "cat".isPrefixOf p → mirrored p → 5 ≤ p.length', True),
    ('∀ p : String, "cat".isPrefixOf p → mirrored p → 6 ≤ p.length', False),
    ("∃ p : List Nat, p.length = 3 ∧ p[0]! = p[1]! ∧ p[1]! = p[2]! ∧ p[0]! ≠ p[2]!", False),
    ("∃ p : List Nat, p.length = 3 ∧ p[0]! = p[1]! ∧ p[1]! = p[2]! ∧ p[0]! ≠ 4", True),
    ("∀ l : List Int, l.map (· + 1) = [2, 3] → l = [1, 2]", True),
    ("∃ l : List Int, l.map (· + 1) = [2, 3] ∧ l ≠ [1, 2]", False),
    ("∃ l : List Int, l.filter (· ≠ 3) = [1] ∧ l.length = 3", True),
]


@pytest.mark.parametrize(("statement", "truth"), STATEMENTS)
def test_statements(statement: str, truth: bool) -> None:
    assert value(statement, TEXT) == str(truth).lower()


ATOMS = [
    "p[0]! = 1",
    "p[1]! = p[0]!",
    "p[2]! = 2",
    "p[1]! = p[2]!",
    "1 ∈ p",
    "2 ∈ p",
    "p.reverse = p",
    "p.head? = some 2",
    "p.count 1 = 2",
    "p.take 2 = [1, 2]",
    "p = [2, 2]",
    "p.length = 2",
    "p.length ≤ 1",
    "p.tail.contains 1",
]


def _formula(rng: random.Random, depth: int) -> str:
    if depth == 0 or rng.random() < 0.3:
        atom = rng.choice(ATOMS)
        return f"¬ ({atom})" if rng.random() < 0.4 else atom
    return f"({_formula(rng, depth - 1)} {rng.choice(['∧', '∧', '∨'])} {_formula(rng, depth - 1)})"


@pytest.mark.parametrize("seed", range(40))
def test_narrowing_agrees_with_enumeration(seed: int) -> None:
    """A statement that asks only for equality has a witness over its constants and three more values, if any."""
    rng = random.Random(seed)
    body = _formula(rng, 3)
    words = [list(w) for n in range(4) for w in itertools.product([0, 1, 2, 7, 8, 9], repeat=n)]
    listed = evaluate(f"∃ p ∈ {words}, {body}".replace("'", ""))
    free = evaluate(f"∃ p : List Nat, p.length ≤ 3 ∧ {body}")
    assert listed.status == "value"
    assert free.status == "unknown" or free.value == listed.value, body


def test_a_generic_value_answers_equality_only() -> None:
    cell = Cell("Nat")
    x = Generic(cell)
    assert not equal(x, 3)
    assert not equal(to_list([1, 5]), to_list([1, x + 1]))
    assert list(cell.seen) == [3, 4]
    assert not equal((x + 5,), (2,))
    assert list(cell.seen) == [3, 4]
    for ask in (
        lambda: x < 3,
        lambda: bool(x),
        lambda: hash(x),
        lambda: [0][x],
        lambda: str(x),
        lambda: x * 2,
        lambda: x % 2,
        lambda: equal(x, Generic(Cell("Nat"))),
        lambda: equal((), x),
    ):
        with pytest.raises((Unknown, TypeError)):
            ask()


def test_an_open_end_is_not_looked_at() -> None:
    asks: tuple[Callable[[], object], ...] = (
        lambda: bool(Open()),
        lambda: list(Open()),
        lambda: equal((1, Open()), (1, ())),
        lambda: Open()[0],
    )
    for ask in asks:
        with pytest.raises(Unknown):
            ask()
    assert not equal((1, Open()), (2, ()))
    assert AtLeast(2) > 1
    assert AtLeast(2) != 1
    for ask in (lambda: AtLeast(2) > 2, lambda: AtLeast(2) == 2, lambda: AtLeast(2) < 4):
        with pytest.raises(Unknown):
            ask()


def test_narrowing_is_undecided_where_a_run_is() -> None:
    def never(_: object) -> bool:
        raise Unknown("undecided", "no")

    with pytest.raises(Unknown):
        list(Narrowing("Nat", never, 2).solutions())


def test_hash_maps_of_unknown_order() -> None:
    text = 'def M : Std.HashMap String Nat := Std.HashMap.ofList [("a", 1), ("b", 2), ("c", 3)]'
    for expression, expected in (
        ("M.keys.all (fun s => s.length = 1)", "true"),
        ("M.keys.length", "3"),
        ('M.keys = ["a", "b", "d"]', "false"),
        ("M.keys.mergeSort (· ≤ ·)", '["a", "b", "c"]'),
        ("M.toList.find? (fun p => p.2 > 2)", 'some ("c", 3)'),
        ("M.values.sum", "6"),
        ('"a" ∈ M.keys', "true"),
        ('∃ k, k ∈ M.keys ∧ k = "z"', "false"),
        ("(M.toList.map (·.2)).foldl (· + ·) 0", "6"),
    ):
        assert value(expression, text) == expected
    for expression in (
        "M.keys",
        "M.keys.head!",
        "M.keys[0]!",
        'M.keys = ["a", "b", "c"]',
        "M.toList.find? (fun p => p.2 > 1)",
        "M.toList.foldl (fun acc p => p.2) 0",
        "M.keys.mergeSort (fun a b => a.length ≤ b.length)",
        "M.keys.reverse",
    ):
        assert evaluate(expression, text).status == "unknown", expression
