"""Normal forms on contracts by hand: what they tell, and above all what they must not."""

from __future__ import annotations

import pytest

from evaluators.equivalence.model import Side
from evaluators.equivalence.normal import Normal, compare, normal
from evaluators.equivalence.sides import candidate_side
from specgen.tasks.model import Parameter, Representation, Signature
from tests.evaluators.equivalence.contracts import INT, LIST, NAT, contract, task

ARRAY = Signature("f", (Parameter("xs", "Array Int"), Parameter("i", "Nat")), "Int")
PAIR = Signature("f", (Parameter("xs", "List Nat"),), "Nat × Nat")


def told(
    signature: Signature,
    first: str,
    second: str,
    *,
    forms: tuple[Representation, Representation] = ("prepost", "prepost"),
    pre: str = "",
) -> str:
    """What normal forms tell of the two directions of postconditions: `ii`, `ip`, `-p`, …; `none` without a form."""
    of = task(signature, first, representation=forms[0], pre=pre)
    sides = []
    for text, form in zip((first, second), forms, strict=True):
        side = candidate_side(of, contract(text, representation=form, pre=pre if form == "prepost" else ""))
        assert isinstance(side, Side), side
        sides.append(normal(side))
    one, other = sides
    if not (isinstance(one, Normal) and isinstance(other, Normal)):
        return "none"
    found = compare(one, other)
    return "".join(found[d].status[0] if d in found else "-" for d in ("post_forward", "post_backward"))


def nat(first: str, second: str) -> str:
    return told(NAT, f"def post (n y : Nat) : Prop := {first}", f"def post (n y : Nat) : Prop := {second}")


def integer(first: str, second: str) -> str:
    return told(INT, f"def post (x y : Int) : Prop := {first}", f"def post (x y : Int) : Prop := {second}")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("∀ k, k < y → k ≠ n", "∀ j, j < y → j ≠ n"),
        ("let z := y + 1; z = n ∧ z > 0", "y + 1 = n ∧ y + 1 > 0"),
        ("∃ r, r = y ∧ r = n", "y = n"),
        ("∃ r, y = r ∧ (n < r ∧ r < 9)", "n < y ∧ y < 9"),
        ("∀ r, r = y → r = n", "y = n"),
        ("y = n ∧ n < 3 ∧ y < 4", "(y < 4 ∧ y = n) ∧ n < 3 ∧ y = n"),
        ("y = n ∨ n < 3", "n < 3 ∨ y = n"),
        ("decide (y = n) = true", "y = n"),
        ("(y == n) = true", "y = n"),
        ("y > n", "n < y"),
        ("(fun z => z = n) y", "y = n"),
        ("(y, n).1 = (n, y).1", "y = n"),
    ],
)
def test_the_same_but_for_the_way_it_is_written_is_identical(first: str, second: str) -> None:
    assert nat(first, second) == "ii"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("y ≤ n", "y < n + 1"),
        ("y < n", "y + 1 ≤ n"),
        ("¬ y ≤ n", "n < y"),
        ("y ≠ 0", "0 < y"),
        ("y = 0", "y ≤ 0"),
        ("y + n + 1 = 2 * y", "1 + (n + y) = y + y"),
        ("n * (y + 1) = 3", "n * y + n = 3"),
        ("y = n → n < 3", "¬ (y = n) ∨ n < 3"),
        ("y = n → n < 3 → y < 9", "n < 3 ∧ y = n → y < 9"),
        ("¬ ¬ y = n", "y = n"),
        ("¬ (y = n ∧ n < 3)", "y = n → ¬ n < 3"),
        ("¬ ∀ k, k < y", "∃ k, y ≤ k"),
        ("y = n ↔ n < 3", "(y = n → n < 3) ∧ (n < 3 → y = n)"),
        ("if n < 3 then y = 0 else y = n", "(n < 3 → y = 0) ∧ (¬ n < 3 → y = n)"),
        ("(if n < 3 then 0 else n) = y", "(if ¬ n < 3 then n else 0) = y"),
        ("∀ k, k < n ∧ k < y", "(∀ k, k < y) ∧ ∀ k, k < n"),
        ("∀ i j, i < n → j < y → i ≤ j", "∀ j i, j < y → i < n → i ≤ j"),
        ("n = y", "y = n"),
        ("y - n = 0 ∧ (n : Int) < y", "y - n = 0 ∧ n < y"),
        ("decide (y = n) = decide (n < 3)", "y = n ↔ n < 3"),
        ("y = n ∧ (y ≠ n ∨ n < 3)", "n < 3 ∧ y = n"),
        ("∃ k, k = k + n ∧ y = k", "n = 0"),  # an equation about k itself gives no value for k
    ],
)
def test_equivalent_by_logic_or_arithmetic_is_proved(first: str, second: str) -> None:
    assert nat(first, second) == "pp"


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("y = n ∧ n < 3", "y = n", "p-"),
        ("y = n", "y = n ∨ n < 3", "p-"),
        ("y = n ↔ n < 3", "y = n → n < 3", "p-"),
        ("y = n", "n < 3 → y = n", "p-"),
        ("y < n", "y ≤ n", "--"),  # weaker, but not by propositional steps
        ("∀ k, k < n → k < y", "∀ k, k ≤ n → k < y", "--"),
        ("n - y = 0", "n = y", "--"),  # truncated subtraction
        ("n / 2 = y", "n = 2 * y", "--"),
        ("n % 0 = y", "n = y", "--"),  # true, but not our business
        ("y * y = n", "y + y = n", "--"),
        ("∃ k, k < n ∧ k = y", "y ≤ n", "--"),
        ("∃ k, n = k ∧ k < k", "n < 0", "pp"),  # both are false
        ("∀ i j, i < n → j < y → i ≤ j", "∀ i j, i < n → j < y → j ≤ i", "--"),
        ("∃ i, ∀ j, i ≤ j + n", "∀ j, ∃ i, i ≤ j + n", "--"),
    ],
)
def test_what_is_not_the_same_is_not_told(first: str, second: str, expected: str) -> None:
    assert nat(first, second) == expected


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("x - y = 0", "x = y", "pp"),
        ("2 * x + 4 ≤ 2 * y", "x + 2 ≤ y", "pp"),
        ("2 * x + 3 ≤ 2 * y", "x + 2 ≤ y", "pp"),
        ("2 * x + 1 = 2 * y", "False", "pp"),
        ("y < x", "¬ x ≤ y", "pp"),
        ("y < x + 1", "y ≤ x", "pp"),
        ("0 ≤ x", "True", "p-"),
        ("x ≠ 0", "0 < x", "--"),
        ("x.toNat = y", "x = y", "--"),
        ("x / 2 * 2 = y", "x = y", "--"),
        ("3 * x ≤ y", "x ≤ y", "--"),
    ],
)
def test_integers(first: str, second: str, expected: str) -> None:
    assert integer(first, second) == expected


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("¬ x ≤ y", "y < x", "pp"),
        ("¬ x < y", "y ≤ x", "pp"),
        ("¬ x < y", "y < x", "--"),
        ("¬ x ≤ y", "y ≤ x", "--"),
        ("x / 2 < y", "x < 2 * y", "pp"),
        ("x / -2 < y", "x < -2 * y", "--"),
        ("x + 1 ≤ y", "x < y", "--"),  # rationals are dense
        ("x / y = 1", "x = y", "--"),  # y may be 0
        ("2 * x = 1", "x = 0.5", "pp"),
        ("2 * x = 1", "False", "-p"),  # over the integers both would be false
    ],
)
def test_rationals(first: str, second: str, expected: str) -> None:
    signature = Signature("f", (Parameter("x", "Rat"),), "Rat")
    head = "def post (x y : Rat) : Prop := "
    assert told(signature, head + first, head + second) == expected


def test_inductive_predicates_are_compared_by_their_constructors() -> None:
    text = "inductive {r} : Nat → Prop where\n  | base : {r} 0\n  | step (k : Nat) : {r} k → {r} (k + {by})\n"
    text += "def post (n y : Nat) : Prop := {r} y ∧ y = n"
    first = text.format(r="Twice", by=2)
    assert told(NAT, first, text.format(r="Gerade", by=2)) == "ii"
    assert told(NAT, first, text.format(r="Twice", by=3)) == "--"


def test_postconditions_are_told_under_the_precondition_of_the_reference_only() -> None:
    of = "def pre (n : Nat) : Prop := {}\ndef post (n y : Nat) : Prop := {}"
    any_input, few = of.format("True", "y = n"), of.format("n < 3", "y = n ∧ n < 3")
    assert told(NAT, any_input, few, pre="pre") == "-p"
    assert told(NAT, of.format("n < 3", "y = n"), few, pre="pre") == "pp"


def test_helpers_are_opened_and_recursive_ones_are_compared_by_definition() -> None:
    opened = "def low (k : Nat) : Prop := k < 3\ndef post (n y : Nat) : Prop := low y ∧ y = n"
    assert told(NAT, opened, "def post (n y : Nat) : Prop := y < 3 ∧ y = n") == "ii"
    sum_ = "def {f} : Nat → Nat\n  | 0 => 0\n  | k + 1 => {step} + {f} k\ndef post (n y : Nat) : Prop := y = {f} n"
    total = sum_.format(f="total", step="(k + 1)")
    assert told(NAT, total, sum_.format(f="upTo", step="(k + 1)")) == "ii"
    assert told(NAT, total, sum_.format(f="total", step="k")) == "--"
    mutual = """mutual
def {e} : Nat → Bool
  | 0 => {zero}
  | k + 1 => {o} k
def {o} : Nat → Bool
  | 0 => false
  | k + 1 => {e} k
end
def post (n y : Nat) : Prop := {e} n = true ∧ y = n"""
    even = mutual.format(e="even", o="odd", zero="true")
    assert told(NAT, even, mutual.format(e="gerade", o="ungerade", zero="true")) == "ii"
    assert told(NAT, even, mutual.format(e="even", o="odd", zero="false")) == "--"
    astray = mutual.replace("| k + 1 => {e} k", "| k + 1 => {o} k")
    assert told(NAT, even, astray.format(e="even", o="odd", zero="true")) == "--"


def test_types_of_its_own_are_compared_by_definition() -> None:
    shape = "inductive {t} where\n  | {a} : {t}\n  | {b} : Nat → {t}\n"
    use = "def f{t} : {t} → Nat\n  | .{a} => 0\n  | .{b} k => k\n"
    use += "def post (n y : Nat) : Prop := ∃ t : {t}, f{t} t = y ∧ n = y"
    first = (shape + use).format(t="Shape", a="dot", b="line")
    assert told(NAT, first, (shape + use).format(t="Form", a="point", b="edge")) == "ii"
    other = (shape.replace("Nat → {t}", "Int → {t}") + use.replace("=> k\n", "=> k.toNat\n")).format(
        t="Shape", a="dot", b="line"
    )
    assert told(NAT, first, other) == "--"


@pytest.mark.parametrize(
    "hijack",
    [
        "instance (priority := high) turned : LT Nat := ⟨fun a b => b < a⟩\n",
        "@[instance 10000] def turned : LT Nat := ⟨fun a b => Nat.lt b a⟩\n",
        "instance (priority := high) : HAdd Nat Nat Nat := ⟨fun a _ => a⟩\n",
        "instance (priority := high) (n : Nat) : OfNat Nat n := ⟨n.succ⟩\n",
        "def N.succ (k : Nat) : Nat := k\nopen N in\n",
    ],
)
def test_one_text_under_other_instances_is_not_identical(hijack: str) -> None:
    body = "def post (n y : Nat) : Prop := y < n + 1 ∧ succ y = 3\n"
    plain = "open Nat in\n" + body
    found = told(NAT, plain, hijack + (body if "open" in hijack else plain))
    assert found in ("--", "none"), found


def test_equality_tests_that_are_no_equality_stay_apart() -> None:
    plain = "structure P where\n  v : Nat\n{inst}\ndef post (n y : Nat) : Prop := ((P.mk n) == (P.mk y)) = true"
    never = plain.format(inst="instance : BEq P := ⟨fun _ _ => false⟩")
    always = plain.format(inst="instance : BEq P := ⟨fun _ _ => true⟩")
    assert told(NAT, never, always) in ("--", "p-")
    assert told(NAT, never, never.replace("structure P", "structure  P")) == "ii"
    floats = Signature("f", (Parameter("x", "Float"),), "Float")
    head = "def post (x y : Float) : Prop := "
    assert told(floats, head + "(x == y) = true", head + "x = y") == "--"


def test_a_partial_function_is_compared_with_nothing() -> None:
    text = "partial def go (k : Nat) : Nat := go (k + 1)\ndef post (n y : Nat) : Prop := go n = y"
    assert told(NAT, text, text.replace("go", "run")) == "none"


def test_proofs_do_not_count() -> None:
    pre = "def pre (xs : Array Int) (i : Nat) : Prop := i < xs.size\n"
    first = pre + "def post (xs : Array Int) (i : Nat) (y : Int) (h : pre xs i) : Prop := y = xs[i]'h"
    second = pre + "def post (xs : Array Int) (i : Nat) (y : Int) (h : pre xs i) : Prop := y = xs[i]'(by exact h)"
    assert told(ARRAY, first, second, pre="pre") == "ii"
    third = pre + "def post (xs : Array Int) (i : Nat) (y : Int) (_ : pre xs i) : Prop := y = xs[i]!"
    assert told(ARRAY, first, third, pre="pre") == "--"


def test_relational_and_pre_post_forms_of_one_contract() -> None:
    post = "def post (n y : Nat) : Prop := y * y ≤ n ∧ n < (y + 1) * (y + 1)"
    spec = "def post (impl : Nat → Nat) (n : Nat) : Prop := ∃ r, impl n = r ∧ r * r ≤ n ∧ n < (r + 1) * (r + 1)"
    assert told(NAT, post, spec, forms=("prepost", "relational")) == "ii"
    elsewhere = spec.replace("impl n = r", "impl (n + 0) = r")
    assert told(NAT, spec, elsewhere, forms=("relational", "relational")) == "--"
    twice = "def post (impl : Nat → Nat) (n : Nat) : Prop := impl {} = impl n + 1"
    first, second = twice.format("(n + 1)"), twice.format("(1 + n)")
    assert told(NAT, first, second, forms=("relational", "relational")) == "pp"
    assert told(NAT, first, twice.format("(n + 2)"), forms=("relational", "relational")) == "--"


def test_pairs_are_taken_apart() -> None:
    head = "def post (xs : List Nat) (y : Nat × Nat) : Prop := "
    assert told(PAIR, head + "let (a, b) := y; a = b", head + "y.1 = y.2") == "ii"
    assert told(PAIR, head + "match y with | (a, b) => a < b", head + "y.fst < y.snd") == "ii"
    assert told(PAIR, head + "y = (xs.length, 0)", head + "y = (0, xs.length)") == "--"


def test_quantifiers_over_types_that_may_be_empty_stay() -> None:
    head = "def post (xs : List Int) (y : List Int) : Prop := "
    assert told(LIST, head + "∀ i : Fin xs.length, y = []", head + "y = []") == "--"
    assert told(LIST, head + "∃ i : Fin xs.length, y = []", head + "y = []") == "--"
    assert told(LIST, head + "∀ i : Nat, y = []", head + "y = []") == "pp"


def test_a_contract_that_is_too_large_has_no_normal_form() -> None:
    deep = "y = 0"
    for i in range(1, 30):
        deep = f"(y + {i} * n < {i} * {i} ↔ {deep})"
    assert nat(deep, "y = n") == "none"
