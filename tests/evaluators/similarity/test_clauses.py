"""Contracts as trees: one form for every representation, nothing lost, names of variables without weight."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evaluators.contract import Contract, text_contract
from evaluators.similarity.clauses import clause_tree
from evaluators.similarity.declared import NoClausesError
from specgen.tasks.model import LeanContext, Task
from tests.evaluators.contracts import LARGER

HEAD = "def larger_spec (impl : Int → Int) (x : Int) : Prop :="


def contract(text: str, task: Task = LARGER) -> Contract:
    made = text_contract(task, text)
    assert isinstance(made, Contract), made
    return made


def shown(text: str, task: Task = LARGER) -> str:
    return clause_tree(contract(text, task), 1).tree.show()


def test_a_postcondition() -> None:
    assert shown("def larger_postcond (x result : Int) : Prop := x < result") == "contract(<(?arg0, ?result))"


def test_a_precondition() -> None:
    pre = "def larger_precond (x : Int) : Prop := x > 0"
    assert (
        shown(f"{pre}\ndef larger_postcond (x result : Int) : Prop := x < result ∧ True")
        == "contract(‹requires›(>(?arg0, 0)), <(?arg0, ?result))"
    )


@pytest.mark.parametrize(
    "body",
    [
        "x > 0 → x < impl x ∧ impl x < 2 * x",
        "0 < 1 → x < impl x ∧ impl x < 2 * x",
        "∃ r, impl x = r ∧ x < r ∧ r < 2 * x",
        "∃ r : Int, r = impl x ∧ (x < r ∧ r < 2 * x)",
        "∃ r, x < r ∧ impl x = r ∧ r < 2 * x",
        "let r := impl x; x < r ∧ r < 2 * x",
        "let spec (r : Int) := x < r ∧ r < 2 * x; ∃ r, impl x = r ∧ spec r",
        "let ok := fun y => y < 0\n  x < impl x ∧ impl x < 2 * x",
        "(x < impl x) /\\ (impl (x) < 2 * x)",
    ],
)
def test_relational_forms_are_one(body: str) -> None:
    clauses = clause_tree(contract(f"{HEAD}\n  {body}"), 1).tree.children
    assert [c.show() for c in clauses[-2:]] == ["<(?arg0, ?result)", "<(?result, *(2, ?arg0))"]


def test_a_guard_that_speaks_of_the_result_is_no_precondition() -> None:
    assert shown(f"{HEAD} impl x > 0 → x > 0") == "contract(→(>(?result, 0), >(?arg0, 0)))"
    through = f"{HEAD} let r := impl x + 1; r > 0 → x > 0"
    assert shown(through) == "contract(let(+(?result, 1)), →(>(?let0, 0), >(?arg0, 0)))"


def test_a_guard_beside_another_clause_stays() -> None:
    assert shown(f"{HEAD} (x > 0 → impl x > 0) ∧ x < 5") == "contract(→(>(?arg0, 0), >(?result, 0)), <(?arg0, 5))"


def test_other_calls_of_the_function_are_kept() -> None:
    assert shown(f"{HEAD} impl (x + 1) = impl x") == "contract(=(?impl(+(?arg0, 1)), ?result))"


def test_a_wrapper_is_opened_and_a_helper_is_kept() -> None:
    body = "def inner (f : Int → Int) (y : Int) : Prop := y < f y ∧ big (f y)"
    text = f"def big (n : Int) : Prop := n > 100\n{body}\n{HEAD} inner impl x"
    assert shown(text) == "contract(<(?arg0, ?result), def#0(?result), def(∀(Int, Prop), fun(Int, >(?0, 100))))"


def test_helpers_of_helpers_come_along_and_their_names_do_not_count() -> None:
    text = (
        "def {b} (n : Int) : Int := n + 1\n"
        "def {a} (n : Int) : Int := {b} ({b} n)\n"
        "def unused : Int := 3\n"
        "def larger_postcond (x result : Int) : Prop := result = {a} x"
    )
    one, two = shown(text.format(a="twice", b="succ'")), shown(text.format(a="f", b="g"))
    assert one == two
    assert one.count("def(") == 2


def test_the_tasks_preamble_is_no_part_of_a_contract() -> None:
    task = replace(LARGER, context=LeanContext("4.24.0", (), "def unit : Int := 1"))
    assert shown("def larger_postcond (x result : Int) : Prop := result = x + unit", task) == (
        "contract(=(?result, +(?arg0, unit)))"
    )


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("∀ a b : Int, a < b → a ≠ x", "∀ c d : Int, c < d → c ≠ x"),
        ("∀ a b : Int, a < b", "∀ a : Int, ∀ b : Int, a < b"),
        ("∃ k ∈ [x], k = y", "∃ k, k ∈ [x] ∧ k = y"),
        ("∀ k ∈ [x], k = y", "∀ m, m ∈ [x] → m = y"),
        ("[x].all (fun k => k <= y)", "[x].all (λ q ↦ q ≤ y)"),
        ("match [x] with | [] => True | h :: t => h = y", "match [x] with | [] => True | a :: b => a = y"),
        ("if h : x < y then True else False", "if g : x < y then True else False"),
        ("let (a, b) := (x, y); a = b", "let (c, d) := (x, y); c = d"),
        ("(Id.run do let mut s := 0; for i in [x] do s := s + i; return s) = y",
         "(Id.run do let mut t := 0; for j in [x] do t := t + j; return t) = y"),
        ("[x] |>.map (· + y) |> List.isEmpty", "List.isEmpty ([x].map (fun z => z + y))"),
    ],
)  # fmt: skip
def test_what_lean_reads_the_same_is_the_same(one: str, other: str) -> None:
    texts = [f"def larger_postcond (x y : Int) : Prop := {body}" for body in (one, other)]
    assert shown(texts[0]) == shown(texts[1])


def test_parameters_are_positions() -> None:
    renamed = shown("def larger_postcond (n m : Int) : Prop := n < m")
    assert renamed == shown("def larger_postcond : Int → Int → Prop := fun a b => a < b")
    assert renamed != shown("def larger_postcond (m n : Int) : Prop := n < m")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("def larger_postcond (x result : Int) : Prop := x <", "does not parse"),
        ("def larger_postcond (x : Int) : Prop := x < 1", "takes 1 parameters, 2 wanted"),
        ("def larger_postcond (x result : Int) : Prop := " + "(" * 3000, "does not parse"),
    ],
)
def test_what_has_no_clauses_says_why(text: str, said: str) -> None:
    with pytest.raises(NoClausesError, match=said):
        clause_tree(contract(text), 1)


def test_arguments_are_not_multiplied() -> None:
    """Definitions that double their argument, one in the other, must not blow up the tree."""
    lines = ["def f0 (p : Prop) : Prop := p ∧ p"]
    lines += [f"def f{i} (p : Prop) : Prop := f{i - 1} (p ∧ p)" for i in range(1, 40)]
    tree = clause_tree(contract("\n".join([*lines, f"{HEAD} f39 (impl x > x)"])), 1)
    assert tree.size < 2000
