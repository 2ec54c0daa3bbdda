"""Definitions, section variables, auto-bound names, instances, local functions, mutual recursion."""

from __future__ import annotations

import pytest

from tests.lean.elab.running import MATHLIB, elaborate, errors, kinds, value


def test_equations() -> None:
    text = "def f : Nat → Nat → Nat\n  | 0, m => m\n  | n + 1, m => f n (m + 2)\n"
    assert value(text, "f 3 1") == "7"


def test_where_functions_capture_the_header() -> None:
    text = (
        "def f (k : Nat) (xs : List Nat) : Nat := go xs 0\nwhere\n"
        "  go : List Nat → Nat → Nat\n    | [], acc => acc\n    | x :: ys, acc => go ys (acc + k * x)\n"
    )
    assert value(text, "f 10 [1, 2]") == "30"
    result = elaborate(text)
    assert "f.go" in result.names
    assert result.environment.constants["f.go"].recursive


def test_let_rec_captures_locals_and_nests() -> None:
    text = (
        "def f (n : Nat) : Nat :=\n  let k := n + 1\n  let rec outer (i : Nat) : Nat :=\n"
        "    let rec inner (j : Nat) : Nat := if j = 0 then k else i + inner (j - 1)\n"
        "    if i = 0 then inner 2 else outer (i - 1)\n  outer n\n"
    )
    assert value(text, "f 3") == "4"
    assert {"f.outer", "f.outer.inner"} <= set(elaborate(text).names)


def test_let_rec_under_a_variable_whose_type_is_found_later() -> None:
    text = (
        "def f (xs : List Nat) : Nat :=\n  let upTo := fun i =>\n"
        "    let rec go (j : Nat) : Nat := if j > i then 0 else go (j + 1) + 1\n      termination_by i + 1 - j\n"
        "    go 0\n  upTo xs.length\n"
    )
    assert value(text, "f [4, 5]") == "3"
    assert not elaborate(text).environment.constants["f.go"].type.has_mvar


def test_let_rec_without_types() -> None:
    go = "let rec go (i acc : Nat) := if i = 0 then acc else go (i - 1) (acc + i)"
    text = f"def f (n : Nat) : Nat :=\n  {go}\n  go n 0\n"
    assert value(text, "f 4") == "10"


def test_mutual_recursion() -> None:
    text = (
        "mutual\ndef even : Nat → Bool\n  | 0 => true\n  | n + 1 => odd n\n"
        "def odd : Nat → Bool\n  | 0 => false\n  | n + 1 => even n\nend\n"
    )
    assert value(text, "(even 7, odd 7)") == "(false, true)"


def test_section_variables_are_taken_when_used() -> None:
    text = (
        "section\nvariable {α : Type} [DecidableEq α] (x : α) (n : Nat)\n"
        "def count (xs : List α) : Nat :=\n  match xs with\n  | [] => 0\n"
        "  | y :: ys => (if x = y then 1 else 0) + count ys\n"
        "def size (xs : List α) : Nat := xs.length\n"
        "def twice : Nat := 2 * n\nend\n"
    )
    result = elaborate(text)
    assert not [d for d in result.diagnostics if d.severity == "error"]
    constants = result.environment.constants
    assert [p for p in constants["count"].params if not p.startswith("inst")] == ["α", "x", "xs"]
    assert constants["size"].params == ("α", "xs")
    assert constants["twice"].params == ("n",)
    assert value(text, "count 3 [3, 1, 3] + size [true] + twice 4") == "11"


def test_variable_binder_update() -> None:
    text = "variable (α : Type)\ndef f (x : α) : α := x\nvariable {α}\ndef g (x : α) : α := x\n"
    assert value(text, "f Nat 1 + g 2") == "3"


def test_auto_bound_names() -> None:
    assert value("def f (x : α) (xs : List α) : List α := x :: xs\n", "f 1 [2]") == "[1, 2]"
    assert kinds("def f (v : Vector α n) : Nat := n\n") == []
    assert kinds("set_option autoImplicit false\ndef f (x : α) : α := x\n") == ["name"]
    # Lake's templates unset `relaxedAutoImplicit`, plain Lean sets it: undecided unless the text says.
    assert kinds("def f (x : Elem) : Elem := x\n") == ["unsupported"]
    assert kinds("set_option relaxedAutoImplicit false\ndef f (x : Elem) : Elem := x\n") == ["name"]
    assert kinds("set_option relaxedAutoImplicit true\ndef f (x : Elem) : Elem := x\n") == []


def test_auto_bound_recursion() -> None:
    text = (
        "def same : List α → List α → Bool\n  | [], [] => true\n  | _ :: xs, _ :: ys => same xs ys\n  | _, _ => false\n"
    )
    assert value(text, "(same [1, 2] [3, 4], same [1] [2, 3])") == "(true, false)"


def test_default_and_named_arguments() -> None:
    text = "def f (a : Nat) (b : Nat := a + 1) (c : Nat := 10 * b) : Nat := 100 * a + c\n"
    assert value(text, "f 1") == "120"
    assert value(text, "f 1 (c := 5)") == "105"
    assert value(text, "f 1 2 3") == "103"


def test_redeclaration() -> None:
    assert kinds("def f : Nat := 1\ndef f : Nat := 2\n") == ["redeclared"]
    assert kinds("def List.map (n : Nat) : Nat := n\n") == ["redeclared"]
    assert kinds("structure Point where\n  x : Nat\ndef Point.x : Nat := 1\n") == ["redeclared"]
    assert kinds("inductive T where\n  | a\n  | a\n") == ["redeclared"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("axiom a : 1 = 1\n", []),
        ("opaque f : Nat → Nat\n", []),
        ("noncomputable def f : Nat := 1\n", []),
        ("private def f : Nat := 1\ndef g : Nat := f\n", []),
        ("partial def f (n : Nat) : Nat := f (n + 1)\n", []),
        ("theorem t : 1 + 1 = 2 := by decide\n", []),
        ("theorem t (n : Nat) : n = n := rfl\n", []),
        ("example : Nat := 3\n", []),
        ("example : Nat := true\n", ["type"]),
        ("theorem t : Nat := 3\n", ["type"]),
        ("instance : Nat := 3\n", ["type"]),
        ("@[simp, reducible] def f : Nat := 1\n", []),
        ("def f (n : Nat) : n := 1\n", ["type"]),
        ("abbrev P := Nat × Nat\ndef f (p : P) : Nat := p.1\n", []),
    ],
)
def test_kinds_of_declarations(text: str, expected: list[str]) -> None:
    assert kinds(text) == expected


def test_sorry_is_a_warning() -> None:
    result = elaborate("theorem t : 1 = 2 := by sorry\ndef f : Nat := sorry\n")
    assert [d.severity for d in result.diagnostics] == ["warning", "warning"]
    assert result.environment.constants["f"].sorry


def test_termination_is_information_only() -> None:
    result = elaborate("def f (n : Nat) : Nat := if n = 1 then 0 else f (3 * n + 1)\n")
    assert all(d.severity == "information" for d in result.diagnostics)
    assert kinds("def f (n : Nat) : Nat := if n = 0 then 0 else f (n - 1)\n") == []


def test_instances_of_the_text() -> None:
    text = (
        "structure V where\n  x : Int\n  y : Int\n"
        "instance : Add V := ⟨fun a b => ⟨a.x + b.x, a.y + b.y⟩⟩\n"
        "instance : Inhabited V where\n  default := ⟨7, 8⟩\n"
        "def s : V := ⟨1, 2⟩ + ⟨10, 20⟩\n"
    )
    assert value(text, "(s.x, s.y, (default : V).y)") == "(11, 22, 8)"
    assert "instAddV" in elaborate(text).names


def test_an_instance_is_not_used_inside_itself() -> None:
    text = "class C (α : Type) where\n  c : Nat\ninstance : C Bool where\n  c := C.c Bool + 1\n"
    assert kinds(text) != []


def test_check_commands() -> None:
    assert kinds("#check Nat\n#check (1 : Nat)\n#eval 1 + 1\n") == []
    assert kinds("#check (true : Nat)\n") == ["type"]
    assert kinds("#eval nothingHere\n") == ["name"]


def test_errors_have_places() -> None:
    assert [(line, kind) for kind, line, _ in errors("def f : Nat := 1\n\ndef g : Nat :=\n  true\n")] == [(4, "type")]


def test_mathlib_only_notation() -> None:
    assert kinds("def f (n : ℕ) : ℤ := n\n", MATHLIB) == []
    assert kinds("def f (a b : Nat) : ℤ := a\n") != []
