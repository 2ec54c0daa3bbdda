"""Contracts rewritten without a change of meaning are proved equivalent; changed ones are not."""

from __future__ import annotations

import pytest

from evaluators.equivalence.model import Hint
from evaluators.equivalence.smt import NotProved, Proved, SmtLimits, prove
from tests.evaluators.equivalence.smt_sides import body, proofs, proved, side

POST = {"post_forward", "post_backward"}

EQUIVALENT = [
    ("(x y : Int)", "y > x", "x < y"),
    ("(x y : Int)", "y > x", "x + 1 ≤ y"),
    ("(x y : Int)", "¬ (y ≤ x ∨ x = 3)", "x ≠ 3 ∧ x < y"),
    ("(x y : Int)", "y = max x 0", "0 ≤ y ∧ x ≤ y ∧ (y = 0 ∨ y = x)"),
    ("(x y : Int)", "y % 2 = 0", "2 ∣ y"),
    ("(x y : Int)", "y % 2 = 1", "Odd y"),
    ("(x y : Int)", "∃ k, y = 2 * k", "y % 2 = 0"),
    ("(x y : Nat)", "y = x - 1", "(x = 0 → y = 0) ∧ (0 < x → y + 1 = x)"),
    ("(x y : Nat)", "y * y ≤ x ∧ x < (y + 1) * (y + 1)", "let r := y; r * r ≤ x ∧ ¬ (r + 1) * (r + 1) ≤ x"),
    ("(a h y : Rat)", "y = a * h / 2", "2 * y = h * a"),
    ("(a b : Rat) (y : Bool)", "y = true ↔ a < b", "y = decide (a < b)"),
    ("(x : Int) (y : Bool)", "y = (x == 3)", "if x = 3 then y else !y"),
    ("(x : Int) (y : Bool)", "y ↔ ∀ n : Nat, x ≠ n", "y = decide (x < 0)"),
    ("(o : Option Nat) (y : Nat)", "y = o.getD 0", "match o with | none => y = 0 | some k => y = k"),
    ("(o : Option Nat) (y : Nat)", "o = some y", "∃ k, some k = o ∧ y = k"),
    ("(p : Nat × Int) (y : Int)", "y = p.1 + p.2", "∃ a b, p = (a, b) ∧ b + a = y"),
    ("(p : Nat × Int) (y : Int)", "y ≥ p.1", "match p with | (a, _) => (a : Int) ≤ y"),
    ("(c : Char) (y : Bool)", "y = c.isDigit", "y ↔ ('0' ≤ c ∧ c ≤ '9')"),
    ("(x : Nat) (y : Nat)", "match x with | 0 => y = 1 | n + 1 => y = n", "(x = 0 ∧ y = 1) ∨ (x ≠ 0 ∧ y = x - 1)"),
    ("(x : Int) (y : Nat)", "∃! z : Int, z = x ∧ z = y", "x = y"),
    ("(xs : List Int) (y : Int)", "y ∈ xs ∧ ∀ z ∈ xs, z ≤ y", "(∀ w, w ∈ xs → ¬ y < w) ∧ y ∈ xs"),
    ("(xs : Array Int) (y : Int)", "∀ i, i < xs.size → xs[i]! ≤ y", "¬ ∃ i, i < xs.size ∧ y < xs[i]!"),
    ("(xs : Array Int) (y : Int)", "∀ i, (h : i < xs.size) → xs[i] ≤ y", "∀ i, i < xs.size → xs[i]! < y + 1"),
    ("(xs : Array Int) (y : Int)", "∀ i : Nat, i < xs.size → xs[i]? ≠ some y", "∀ i : Nat, i < xs.size → ¬ xs[i]! = y"),
    ("(xs : List Nat) (y : Bool)", "y = xs.contains 3", "y = true ↔ 3 ∈ xs"),
    ("(xs : List Nat) (y : Bool)", "y = xs.all (· < 3)", "y = true ↔ ∀ x ∈ xs, x < 3"),
    ("(xs : List Nat) (y : Bool)", "y = xs.any (fun a => a > 3)", "y ↔ ∃ b ∈ xs, 4 ≤ b"),
    ("(xs ys : List Int)", "ys.Perm xs ∧ ys.Pairwise (· ≤ ·)", "List.Sorted (fun a b => ¬ b < a) ys ∧ List.Perm xs ys"),
    ("(xs ys : List Int)", "ys.isPerm xs = true", "xs.Perm ys"),
    ("(xs ys : List Nat)", "ys = xs.filter (fun x => x % 2 = 0)", "List.filter (fun n => 2 ∣ n) xs = ys"),
    ("(xs : List Nat) (n : Nat) (ys : List Nat)", "ys = xs.map (fun x => x + n)", "ys = xs.map fun k => n + k"),
    ("(xs : List Nat) (y : Nat)", "xs.foldl (fun a b => a + b) 0 = y", "y = xs.foldl (fun s x => x + s) 0"),
    ("(xs ys : List Nat)", "ys.Nodup", "ys.Pairwise (fun a b => b ≠ a)"),
    ("(xs ys : List Nat)", "ys = xs.tail ++ [xs.head!] ∧ xs ≠ []", "0 < xs.length ∧ xs.tail ++ [xs[0]!] = ys"),
    ("(xs ys : List Nat)", "(xs == ys) = true", "ys = xs"),
    ("(xs : List Nat) (y : Nat)", "xs.isEmpty", "xs.length = 0"),
    ("(s t : String)", 't.length = s.length ∧ t ≠ ""', "s.toList.length = t.toList.length ∧ 0 < t.length"),
    ("(s : String) (y : Bool)", "y = s.all Char.isDigit", "y ↔ ∀ c ∈ s.toList, c.isDigit = true"),
    (
        "(s : String) (y : Nat)",
        "y = (s.toList.filter (· == 'a')).length",
        "(s.data.filter fun c => c = 'a').length = y",
    ),
    ("(x : Float) (y : Float)", "y = x + 1.0 ∧ x = y", "x = y ∧ y = x + 1.0"),
]


@pytest.mark.parametrize(("signature", "first", "second"), EQUIVALENT, ids=[f"{a} ~ {b}" for _, a, b in EQUIVALENT])
def test_a_rewritten_contract_is_proved_equivalent(signature: str, first: str, second: str) -> None:
    one, other = body(signature, first), body(signature, second)
    assert proved(one, other) >= POST, proofs(one, other)


DIFFERENT = [
    ("(x y : Int)", "y > x", "y ≥ x", "post_backward"),
    ("(x y : Int)", "y = x / 2", "2 * y = x", "post_forward"),
    ("(x y : Nat)", "y = x - 1", "y + 1 = x", "post_forward"),
    ("(x y : Rat)", "y * x = 1", "y = 1 / x", "post_backward"),
    ("(x y : Rat)", "x = 2", "∃ q : Rat, q * q = x", "post_forward"),
    ("(x y : Rat)", "∀ q : Rat, q * q ≠ x", "y = 3", "post_forward"),
    ("(x y : Nat)", "∃ z : Int, z < 0 ∧ z = x", "y = 5", "pre_none"),
    ("(x y : Float)", "True", "x == x", "post_forward"),
    ("(x : Fin 3) (y : Nat)", "True", "x.val < 2", "post_forward"),
    ("(c : Char) (y : Nat)", "True", "c.toNat < 1114111", "post_forward"),
    ("(xs ys : List Nat)", "xs.length = ys.length", "xs = ys", "post_forward"),
    ("(xs ys : List Nat)", "∀ x, x ∈ xs ↔ x ∈ ys", "xs.Perm ys", "post_forward"),
    ("(xs : List Nat) (y : Nat)", "True", "xs[0]! = xs.head!  ∧ xs[0]! ∈ xs", "post_forward"),
    (
        "(xs : List Nat) (y : Nat)",
        "xs.foldl (fun a b => a - b) 9 = y",
        "xs.foldl (fun a b => b - a) 9 = y",
        "post_forward",
    ),
    (
        "(xs ys : List Nat)",
        "ys = xs.filter (fun x => x % 2 = 0)",
        "ys = xs.filter (fun x => x % 2 = 1)",
        "post_forward",
    ),
    ("(xs ys : List Nat)", "ys = xs.map (· + 1)", "ys = xs.map (· - 1)", "post_forward"),
    ("(xs ys : List Int)", "ys.Pairwise (· ≤ ·)", "ys.Pairwise (· < ·)", "post_forward"),
    ("(s t : String)", "s.toUpper = t", "s.toLower = t", "post_forward"),
]


@pytest.mark.parametrize(("signature", "first", "second", "direction"), DIFFERENT)
def test_what_does_not_follow_is_not_proved(signature: str, first: str, second: str, direction: str) -> None:
    assert direction not in proved(body(signature, first), body(signature, second))


def test_an_assumption_that_is_never_true_proves_anything() -> None:
    nothing = body("(x y : Nat)", "∃ z : Int, z < 0 ∧ z = x")
    assert "post_forward" in proved(nothing, body("(x y : Nat)", "y = 5"))


HELPERS = [
    (
        "def even (n : Nat) : Bool := n % 2 == 0",
        "def isEven (k : Nat) : Prop := 2 ∣ k",
        "(x : Nat) (y : Bool)",
        "y = even x",
        "y = true ↔ isEven x",
    ),
    (
        "def total (xs : List Nat) : Nat := match xs with | [] => 0 | x :: rest => x + total rest",
        "def sumOf (l : List Nat) : Nat := match l with | [] => 0 | a :: tl => a + sumOf tl",
        "(xs : List Nat) (y : Nat)",
        "y = total xs ∧ 0 < y",
        "sumOf xs ≥ 1 ∧ sumOf xs = y",
    ),
    (
        "inductive Hue where | red | green",
        "inductive Hue where | red | green",
        "(x : Hue) (y : Nat)",
        "match x with | .red => y = 1 | .green => y = 2",
        "(x = .red → y = 1) ∧ (x ≠ .red → y = 2)",
    ),
    (
        "structure Point where\n  x : Int\n  y : Int",
        "structure Point where\n  x : Int\n  y : Int",
        "(p : Point) (r : Point)",
        "r = ⟨p.y, p.x⟩",
        "r.x = p.y ∧ p.x = r.y",
    ),
]


@pytest.mark.parametrize(("helper", "other", "signature", "first", "second"), HELPERS)
def test_helpers_are_compared_by_what_they_are(
    helper: str, other: str, signature: str, first: str, second: str
) -> None:
    assert proved(body(signature, first, helper), body(signature, second, other)) >= POST


def test_helpers_of_the_same_name_and_another_meaning_are_not_the_same() -> None:
    text = "def f (xs : List Nat) : Nat := match xs with | [] => {} | x :: rest => x + f rest"
    signature, formula = "(xs : List Nat) (y : Nat)", "y = f xs"
    one = body(signature, formula, text.format(0))
    assert "post_forward" not in proved(one, body(signature, formula, text.format(1)))
    assert "post_forward" in proved(one, body(signature, formula, text.format(0)))


def test_types_of_the_same_name_and_other_constructors_are_not_the_same() -> None:
    one = body("(x : Hue) (y : Nat)", "x = .red", "inductive Hue where | red | green")
    other = body("(x : Hue) (y : Nat)", "x = .red", "inductive Hue where | green | red | blue")
    found = proofs(one, other)["post_forward"]
    assert isinstance(found, NotProved)
    assert found.kind == "outside_fragment"


def test_types_of_the_same_name_and_reordered_constructors_are_not_the_same() -> None:
    one = body("(x : Hue) (y : Nat)", "x = .red", "inductive Hue where | red | green")
    other = body("(x : Hue) (y : Nat)", "x = .green", "inductive Hue where | green | red")
    assert not POST & proved(one, other)
    first = body("(p : P) (y : Int)", "p.x = y", "structure P where\n  x : Int\n  y : Int")
    second = body("(p : P) (y : Int)", "p.y = y", "structure P where\n  y : Int\n  x : Int")
    assert not POST & proved(first, second)


def test_a_different_instance_of_a_class_is_another_function() -> None:
    own = "structure B where\n  v : Nat\ninstance : BEq B := ⟨fun a b => a.v % 2 == b.v % 2⟩"
    lawful = "structure B where\n  v : Nat\nderiving DecidableEq"
    one = body("(x y : B)", "x == y", own)
    assert "post_forward" not in proved(one, body("(x y : B)", "x = y", own))
    assert proved(body("(x y : B)", "x == y", lawful), body("(x y : B)", "x = y", lawful)) >= POST


# ---------------------------------------------------------------------------------- preconditions and relational form


def test_preconditions_are_compared_and_assumed() -> None:
    text = "def P (x : Int) : Prop := {}\ndef post (x y : Int) (h : P x) : Prop := {}"
    one = side(text.format("0 ≤ x", "y = x"), precondition="P")
    other = side(text.format("x > -1", "y = x.natAbs"), precondition="P")
    assert proved(one, other) == {*POST, "pre_forward", "pre_backward"}
    wider = side(text.format("-5 ≤ x", "y = x.natAbs"), precondition="P")
    assert proved(one, wider) == {*POST, "pre_forward"}
    assert proved(wider, one) == {"pre_backward"}


def test_the_reference_precondition_is_the_one_that_is_assumed() -> None:
    text = "def P (x : Int) : Prop := {}\ndef post (x y : Int) (h : P x) : Prop := {}"
    reference = side(text.format("True", "y = x"), precondition="P")
    narrow = side(text.format("0 ≤ x", "y = x.natAbs"), precondition="P")
    assert not POST & proved(reference, narrow)


def test_relational_contracts() -> None:
    one = body("(impl : Int → Int → Int) (x y : Int)", "impl x y = x + y", representation="relational")
    other = body(
        "(impl : Int → Int → Int) (x y : Int)", "∃ r, impl x y = r ∧ r - x - y = 0", representation="relational"
    )
    assert proved(one, other) >= POST
    guarded = body("(impl : Int → Int → Int) (x y : Int)", "0 ≤ x → impl x y = y + x", representation="relational")
    found = proved(guarded, one)
    assert "post_backward" in found
    assert "post_forward" in found  # where the reference admits the inputs
    assert "pre_backward" not in found
    assert "pre_forward" in found


def test_an_implementation_elsewhere_is_not_known() -> None:
    signature = "(impl : Nat → Nat) (n : Nat)"
    here = body(signature, "impl n = n", representation="relational")
    elsewhere = body(signature, "impl n = n ∧ impl (n + 1) = n + 1", representation="relational")
    assert "post_forward" not in proved(here, elsewhere)
    assert "post_backward" in proved(here, elsewhere)
    positive = body(signature, "0 ≤ (impl (n + 1) : Int) ∧ impl n = n", representation="relational")
    assert "post_forward" in proved(here, positive)


def test_a_relational_and_a_pre_post_contract_are_comparable() -> None:
    one = body("(impl : Nat → Nat) (n : Nat)", "let r := impl n; r * r ≤ n", representation="relational")
    assert proved(one, body("(n r : Nat)", "¬ n < r * r")) >= POST


# -------------------------------------------------------------------------------------------------- answers and limits


def test_a_model_of_exact_constructs_is_a_hint() -> None:
    found = proofs(body("(x y : Int)", "y ≥ x"), body("(x y : Int)", "y > x"))["post_forward"]
    assert isinstance(found, NotProved)
    assert found.kind == "not_valid_in_fragment"
    assert isinstance(found.hint, Hint)
    assert found.hint.inputs == (found.hint.output,)


def test_a_model_with_uninterpreted_functions_is_no_hint() -> None:
    found = proofs(body("(x y : Nat)", "y = Nat.gcd x 6"), body("(x y : Nat)", "y = Nat.gcd 6 x"))["post_forward"]
    assert isinstance(found, NotProved)
    assert found.hint is None
    assert "Nat.gcd" in found.reason


def test_the_fragment_is_named() -> None:
    exact = proofs(body("(x y : Int)", "y > x"), body("(x y : Int)", "x < y"))["post_forward"]
    shared = proofs(body("(x y : Nat)", "y = Nat.gcd x 6"), body("(x y : Nat)", "Nat.gcd x 6 = y"))["post_forward"]
    assert isinstance(exact, Proved)
    assert isinstance(shared, Proved)
    assert (exact.method, exact.fragment) == ("z3", "exact")
    assert shared.fragment == "uninterpreted"


def test_what_is_too_large_is_given_up() -> None:
    formula = " ∧ ".join(f"y ≠ x + {i}" for i in range(300))
    one, other = body("(x y : Int)", formula), body("(x y : Int)", f"{formula} ∧ y ≠ x - 1")
    found = prove(one, other, "post_backward", SmtLimits(nodes=500))
    assert isinstance(found, NotProved)
    assert found.kind == "gave_up"


@pytest.mark.parametrize("depth", [50, 150])
def test_deep_nesting_never_breaks_it(depth: int) -> None:
    formula = "(x + " * depth + "y" + ")" * depth
    one, other = body("(x y : Int)", f"{formula} = 0"), body("(x y : Int)", f"0 = {formula}")
    for found in proofs(one, other).values():
        assert isinstance(found, Proved) or found.kind == "gave_up"


def test_what_z3_cannot_decide_in_time_is_given_up() -> None:
    one = body("(a b c n y : Nat)", "0 < a ∧ 0 < b ∧ 0 < c")
    other = body("(a b c n y : Nat)", "a ^ 3 + b ^ 3 ≠ c ^ 3")
    found = prove(one, other, "post_forward", SmtLimits(timeout_s=0.2))
    assert isinstance(found, NotProved)
    assert found.kind == "gave_up"


def test_a_sorry_or_an_axiom_proves_nothing() -> None:
    text = "opaque f (n : Nat) : Nat\ndef post (x y : Nat) : Prop := {}"
    one, other = side(text.format("y = f x")), side(text.format("f x = y"))
    assert not POST & proved(one, other)


def test_the_same_question_has_the_same_answer() -> None:
    one, other = body("(x y : Int)", "x * x + y * y ≤ 50"), body("(x y : Int)", "x * x ≤ 50")
    first, second = proofs(one, other)["post_backward"], proofs(one, other)["post_backward"]
    assert isinstance(first, NotProved)
    assert isinstance(second, NotProved)
    assert first.hint == second.hint
