from __future__ import annotations

import pytest

from specgen.lean import syntax as s
from specgen.lean.parser import parse_file
from specgen.lean.printer import print_command, print_file, print_term

from .parsing import bare, commands, term, vericoding
from .test_parser_layout import DO

SPAN = (0, 0)
A, B = s.Ident(SPAN, ("a",)), s.Ident(SPAN, ("b",))


@pytest.mark.parametrize(
    "text",
    [
        "fun x (y : Nat) ⟨a, b⟩ => x + y",
        "∀ x ∈ s, ∃ (y : Nat) (z : Int), x ≤ y",
        "∑ x ∈ s with p x, f x",
        "(f · 1 ·)",
        "a |>.f x |>.g",
        "f a <| fun x => x",
        "x.1.2[0]!.c",
        "{ p with x := 1, y := fun z => z : P }",
        "{x ∈ s | p x}",
        "{f x | (x : Nat) (h : p x)}",
        "{x : Nat // x > 0}",
        "(x : Nat) → {y : Nat} → [C y] → D",
        "(x : Nat) × Fin x",
        'f 2.5 1e100 0.001 "a\\n\\"{" \'\\\'\' s!"a{x}\\{"',
        "let x := 1\nlet f (y : Nat) : Nat := y\nlet rec g : Nat → Nat\n  | 0 => 1\n  | n + 1 => g n\nf x",
        "match h : x, y with\n| some a, _ => match a with\n  | 0 => 1\n  | _ => 2\n| none, b | _, b => b",
        "if h : a then b else if c then d else e",
        "if let some x := y then x else z",
        "⟨by simp, by\n  cases h with\n  | inl h => exact h\n  | inr h => exact h⟩",
        "show a = b from h",
        "- -x + !(!b) - -1",
        "a ≡ b [MOD n]",
        "|x - ⌊y⌋| + ‖z‖ + n !",
        "xs[1:] ++ xs[:2] ++ [0:n:2].toList",
        "@f _ (x := 1) ..",
        "«a b».c + «def»",
        "open Nat in x",
        "let x := 1; -x",
        "have h : p := q; -x = y",
        "let rec f := 1; -f",
        "⦃⌜p⌝⦄ f x ⦃⇓ r => ⌜r = 1⌝⦄",
    ],
)
def test_terms_parse_to_equal_terms(text: str) -> None:
    parsed = term(text)
    printed = print_term(parsed)
    assert term(printed) == parsed, printed


@pytest.mark.parametrize(
    "node",
    [
        s.BinOp(SPAN, "*", s.BinOp(SPAN, "+", A, B), A),
        s.BinOp(SPAN, "-", A, s.BinOp(SPAN, "-", A, B)),
        s.BinOp(SPAN, "∧", s.Quantifier(SPAN, "∀", (s.Binder(SPAN, ("x",)),), A), B),
        s.App(SPAN, s.App(SPAN, A, (B,)), (A,)),
        s.App(SPAN, A, (s.BinOp(SPAN, "+", A, B), s.PrefixOp(SPAN, "-", A))),
        s.App(SPAN, A, (s.Fun(SPAN, (s.Binder(SPAN, ("x",)),), A), B)),
        s.PrefixOp(SPAN, "¬", s.BinOp(SPAN, "∧", A, B)),
        s.Arrow(SPAN, s.Arrow(SPAN, A, B), A),
        s.Proj(SPAN, s.App(SPAN, A, (B,)), "c"),
        s.BinOp(SPAN, "+", s.If(SPAN, A, A, B), B),
        s.BinOp(SPAN, "=", s.Match(SPAN, (s.Discr(SPAN, A),), (s.MatchAlt(SPAN, ((A,),), B),)), B),
        s.Index(SPAN, s.Let(SPAN, "let", s.LetDecl(SPAN, "x", (), None, A), B), A, "!"),
        s.App(SPAN, A, (s.Let(SPAN, "let", s.LetDecl(SPAN, "x", (), None, A), B), A)),
    ],
)
def test_parentheses_are_added_where_a_tree_lacks_them(node: s.Term) -> None:
    assert bare(term(print_term(node))) == node, print_term(node)


@pytest.mark.parametrize(
    "text",
    [
        DO,
        "/-- doc -/\n@[simp] private def f.{u} (x y : α) {z} [C α] : T x :=\n  let a := 1\n  a",
        "def f : Nat → Nat\n  | 0 => 1\n  | n + 1 => f n\ntermination_by n => n\ndecreasing_by\n  simp\n  omega",
        "def f := go 1\nwhere\n  go : Nat → Nat\n    | 0 => 1\n    | n + 1 => go n\n  h (x : Nat) := x",
        "instance (priority := low) : C T where\n  f x := x\n  g := fun y => y",
        "inductive T (α : Type u) : Type u where\n  | a : T α\n  | b (x : α) : T α\n  deriving Repr",
        "structure S (α : Type) extends A, B α : Type where\n  mk ::\n  x : α\n  y : Nat := 1\n  deriving Repr",
        "mutual\ndef f := 1\ndef g := 2\nend",
        "open A in\nset_option b.c true in\nexample : p := by\n  simp",
        "theorem t : p :=\n  have h : q := by\n    simp\n    omega\n  suffices r from s\n  show p by simp",
        "#eval f x",
        "#print axioms f",
        "/-! text -/",
        "attribute [local simp] f g",
        "export A (b c)",
        "open A renaming b → c",
        "deriving instance BEq for T",
        "variable {α : Type*} (x) [C α]",
        'local notation "a" => b',
    ],
)
def test_commands_parse_to_equal_commands(text: str) -> None:
    file = parse_file(text).file
    printed = print_file(file)
    assert parse_file(printed).file == file, printed


def test_printing_is_a_fixed_point() -> None:
    printed = print_file(parse_file(DO).file)
    assert print_file(parse_file(printed).file) == printed


def test_vericoding_files_survive_printing() -> None:
    for row in list(vericoding())[::17]:
        for command in parse_file(row["lean"]).file.commands:
            if isinstance(command, s.Import):
                continue
            printed = print_command(command)
            assert commands("open Nat\n" + printed)[1:] == (command,), row["id"]
