"""Namespaces, sections, `open`, `export`, and how names are resolved."""

from __future__ import annotations

import pytest

from specgen.lean.elab.scope import Scope, ScopeError
from specgen.lean.library.loader import environment
from tests.lean.elab.running import CORE, MATHLIB, elaborate, errors, kinds, value


def test_current_namespace_before_root() -> None:
    text = "def f : Nat := 1\nnamespace A\ndef f : Nat := 2\ndef g : Nat := f\nend A\ndef h : Nat := f\n"
    assert value(text, "10 * A.g + h") == "21"


def test_parents_of_the_current_namespace() -> None:
    text = "def A.x : Nat := 1\nnamespace A.B.C\ndef y : Nat := x\nend A.B.C\n"
    assert value(text, "A.B.C.y") == "1"


def test_dotted_declaration_opens_its_namespace() -> None:
    text = "def A.x : Nat := 4\ndef A.y : Nat := x + 1\n"
    assert value(text, "A.y") == "5"


def test_root_prefix() -> None:
    text = "def x : Nat := 1\nnamespace A\ndef x : Nat := 2\ndef y : Nat := _root_.x\ndef _root_.z : Nat := 7\nend A\n"
    assert value(text, "A.y + z") == "8"


def test_own_name_wins_over_opened_names() -> None:
    text = "open Nat\ndef gcd (a b : Nat) : Nat := if b = 0 then a else if a = 0 then b else 0\n"
    assert kinds(text) == []
    text = "open List\ndef sum (xs : List Nat) : Nat :=\n  match xs with\n  | [] => 0\n  | x :: ys => x + sum ys\n"
    assert kinds(text) == []


def test_open_and_ambiguity() -> None:
    text = "def A.f : Nat := 1\ndef B.f : Bool := true\nopen A B\ndef g : Nat := f\ndef h : Bool := f\n"
    assert value(text, "(g, h)") == "(1, true)"
    assert kinds("def A.f : Nat := 1\ndef B.f : Nat := 2\nopen A B\ndef g : Nat := f\n") == ["type"]


@pytest.mark.parametrize(
    ("command", "ok"),
    [
        ("open A (f)", True),
        ("open A (g)", False),
        ("open A hiding f", False),
        ("open A hiding g", True),
        ("open A renaming f → k", False),
    ],
)
def test_open_variants(command: str, ok: bool) -> None:
    text = f"def A.f : Nat := 1\ndef A.g : Nat := 2\n{command}\ndef h : Nat := f\n"
    assert (kinds(text) == []) is ok


def test_renaming() -> None:
    assert value("def A.f : Nat := 3\nopen A renaming f → k\ndef h : Nat := k\n", "h") == "3"


def test_protected_names_need_their_namespace() -> None:
    text = "protected def A.f : Nat := 1\nopen A\ndef g : Nat := {}\n"
    assert kinds(text.format("A.f")) == []
    assert kinds(text.format("f")) != []
    assert kinds("open Nat\ndef g (a b : Nat) : Nat := add a b\n") != []


def test_opens_end_with_their_section() -> None:
    text = "def A.f : Nat := 1\nsection\nopen A\ndef g : Nat := f\nend\ndef h : Nat := f\n"
    assert [(k, line) for k, line, _ in errors(text)] == [("name", 6)]


def test_open_in() -> None:
    text = "def A.f : Nat := 1\nopen A in\ndef g : Nat := f\ndef h : Nat := f\n"
    assert [line for _, line, _ in errors(text)] == [4]


def test_export() -> None:
    assert value("namespace A\ndef f : Nat := 6\nend A\nexport A (f)\ndef g : Nat := f\n", "g") == "6"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("end\n", "scope"),
        ("namespace A\nend B\n", "scope"),
        ("section A\nend\n", "scope"),
        ("open NoSuchNamespaceHere\n", "scope"),
        ("namespace A\nend A\nend A\n", "scope"),
    ],
)
def test_faulty_scopes(text: str, kind: str) -> None:
    assert kinds(text) == [kind]


def test_unknown_namespace_under_mathlib_is_undecided() -> None:
    assert kinds("open NoSuchNamespaceHere\n", MATHLIB) == ["unsupported"]


def test_compound_namespace_ends_at_once_or_in_steps() -> None:
    assert kinds("namespace A.B\nend A.B\nnamespace A.B\nend B\nend A\n") == []


def test_exported_names_of_core() -> None:
    text = "def f : Option Nat := some (max 1 2)\ndef g : Nat := default\ndef h : Ordering := compare 1 2\n"
    assert kinds(text) == []


def test_resolution_gives_field_accesses() -> None:
    scope = Scope(environment(CORE))
    assert scope.resolve(("List", "map", "foo"), False) == [("List.map", ("foo",))]
    assert scope.resolve(("Nat", "succ"), True) == [("Nat.succ", ())]
    assert scope.resolve(("nothing", "here"), False) == []
    with pytest.raises(ScopeError):
        scope.pop("")


def test_unknown_names_are_certain_only_at_the_root_of_core() -> None:
    scope = Scope(environment(CORE))
    assert scope.certainly_unknown(("Frobnicate",))
    assert scope.certainly_unknown(("Frobnicate", "mk"))
    assert not scope.certainly_unknown(("IO", "println"))
    assert not scope.certainly_unknown(("Nat", "foo"))
    assert not Scope(environment(MATHLIB)).certainly_unknown(("Frobnicate",))


def test_one_fault_does_not_stop_the_rest_nor_cascade() -> None:
    text = "def f : Frobnicate := 1\ndef g : Nat := f + 1\ndef h (n : Nat) : Nat := true\ndef k : Nat := h 3\n"
    result = elaborate(text)
    lines = [d.start.line for d in result.diagnostics if d.severity == "error"]
    assert set(lines) <= {1, 3} and {1, 3} <= set(lines)
    assert result.total == 4 and result.elaborated < 4
