from __future__ import annotations

import pytest

from specgen.lean import syntax as s
from specgen.lean.parser import parse_file
from specgen.lean.source import Position

from .parsing import commands, declaration, message, term

SPAN = (0, 0)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("import Mathlib", s.Import),
        ("open Nat List", s.Open),
        ("open scoped BigOperators", s.Open),
        ("open A hiding b c", s.Open),
        ("open A renaming b → c, d → e", s.Open),
        ("export A (b c)", s.Export),
        ("namespace A.B", s.Namespace),
        ("noncomputable section foo", s.Section),
        ("end A.B", s.End),
        ("variable {α : Type*} [C α] (x y : α)", s.Variable),
        ("universe u v", s.Universe),
        ("set_option maxRecDepth 1000", s.SetOption),
        ("set_option autoImplicit false", s.SetOption),
        ("attribute [local simp] f g", s.AttributeCmd),
        ("open A in def x := 1", s.InCommand),
        ("set_option a.b true in\nopen C in\ntheorem t : p := by\n  simp", s.InCommand),
        ("deriving instance BEq, Hashable for T", s.DerivingCmd),
        ("#eval f x", s.HashCommand),
        ("#print axioms f", s.HashCommand),
        ("/-! text -/", s.Misc),
        ("mutual\ndef f := 1\ndef g := 2\nend", s.Mutual),
        ("inductive T | a | b deriving Repr", s.Inductive),
        ("structure S where\n  x : Nat", s.Structure),
        ("class C (α : Type) extends A α, B α where\n  f : α", s.Structure),
        ("example : 1 = 1 := rfl", s.Declaration),
        ("axiom a : p", s.Declaration),
        ("opaque o : Nat", s.Declaration),
    ],
)
def test_command_kinds(text: str, kind: type) -> None:
    (command,) = commands(text)
    assert isinstance(command, kind)


def test_definition() -> None:
    text = (
        "/-- doc -/\n@[simp, inline low] private noncomputable def A.f.{u, v} (x y : Nat) {α : Type u} z [C α] : T := x"
    )
    decl = declaration(text)
    assert decl.name == "A.f"
    assert decl.levels == ("u", "v")
    assert decl.modifiers.doc == "doc"
    assert decl.modifiers.attributes == (s.Attribute(SPAN, "simp"), s.Attribute(SPAN, "inline", "low"))
    assert decl.modifiers.keywords == ("private", "noncomputable")
    assert [b.names for b in decl.binders] == [("x", "y"), ("α",), ("z",), ()]
    assert decl.type == s.Ident(SPAN, ("T",))


def test_equations() -> None:
    decl = declaration("def f : Nat → Nat → Nat\n  | 0, _ | _, 0 => 1\n  | n+1, m => n\ntermination_by a b => (a, b)")
    assert [len(alt.patterns) for alt in decl.alts] == [2, 1]
    assert decl.termination_by == "a b => (a, b)"


def test_instances() -> None:
    decl = declaration("instance (priority := low) foo [C α] : D α where\n  f x := g x\n  h | 0 => 1\n    | _ => 2")
    assert (decl.priority, decl.name) == ("low", "foo")
    assert decl.fields is not None
    assert [field.path for field in decl.fields] == [("f",), ("h",)]
    assert isinstance(decl.fields[0].value, s.Fun)
    assert isinstance(decl.fields[1].value, s.FunMatch)
    anonymous = declaration("instance : D Nat := ⟨1⟩")
    assert anonymous.name == ""


def test_inductive() -> None:
    (command,) = commands(
        "inductive Tree (α : Type u) : Type u where\n  | leaf : Tree α\n  /-- doc -/\n"
        "  | node (l : Tree α) (x : α) : Tree α\nderiving Repr, BEq"
    )
    assert isinstance(command, s.Inductive)
    assert [(c.name, len(c.binders), c.modifiers.doc) for c in command.constructors] == [
        ("leaf", 0, ""),
        ("node", 2, "doc"),
    ]
    assert command.deriving == ("Repr", "BEq")


def test_structure() -> None:
    (command,) = commands(
        "structure P (α : Type) extends Q α where\n  mk ::\n  /-- doc -/\n  x : α\n  (y z : Nat := 1)\n"
        "  f (n : Nat) : α\n  h : x = x := by rfl\n  deriving Repr"
    )
    assert isinstance(command, s.Structure)
    assert command.constructor == "mk"
    assert [field.names for field in command.fields] == [("x",), ("y", "z"), ("f",), ("h",)]
    assert isinstance(command.fields[2].type, s.Quantifier)
    assert isinstance(command.fields[3].default, s.By)
    assert command.parents == (("", term("Q α")),)


def test_notation_is_recognised_and_not_supported() -> None:
    result = parse_file('local notation "‹‹" x "››" => f x\ndef a := ‹‹ 1 ››\ndef b := 2')
    assert [d.kind for d in result.diagnostics] == ["unsupported", "unsupported"]
    first = result.file.commands[0]
    assert isinstance(first, s.Unsupported)
    assert first.tokens == ("‹‹", "››")
    assert isinstance(result.file.commands[1], s.Unsupported)
    last = result.file.commands[-1]
    assert isinstance(last, s.Declaration)
    assert last.name == "b"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("def f (x : Nat), x", "unexpected token ','; expected ':=', 'where' or '|'"),
        ("def f : Nat\ndef g := 1", "unexpected token 'def'; expected ':=', 'where' or '|'"),
        ("def f : Nat := fun x, x", "unexpected token ','; expected '↦', '=>'"),
        ("def f := (1 + 2", "unexpected end of input; expected ')', ',' or ':'"),
        ("def f := 1 +\n\ndef g := 2", "unexpected token 'def'; expected term"),
        ("def f := [1, 2)", "unexpected token ')'; expected ']'"),
        ("def end := 1", "unexpected token 'end'; expected identifier"),
        ("foo bar", "unexpected identifier; expected command"),
        ("def f := 1 )", "unexpected token ')'; expected command"),
        ("theorem t := 1", "unexpected token ':='; expected ':'"),
        ("def f := match x | 0 => 1", "unexpected token '|'; expected 'with'"),
        ("def f := if a then b", "unexpected end of input; expected 'else'"),
        ("def f := let x := 1 x", "unexpected end of input; expected ';' or line break"),
        ('def f := "abc', "unterminated string literal"),
        ("def f := 1\n/- abc", "unterminated comment"),
        ("def f :=\n\t1", "tabs are not allowed; please configure your editor to expand them"),
        ("def f := 1\nimport A", "invalid 'import' command, it must be used in the beginning of the file"),
        ("def f := '", "unexpected token '''; expected term"),
    ],
)
def test_messages(text: str, expected: str) -> None:
    assert message(text) == expected


def test_a_broken_command_gives_one_diagnostic_and_the_rest_parses() -> None:
    result = parse_file("def a := 1\n\ndef b := (2 +\n  ) foo ( [\n\n/-- doc -/\ndef c := 3\n#eval c\n")
    assert [type(c) for c in result.file.commands] == [s.Declaration, s.Declaration, s.HashCommand]
    (diagnostic,) = result.diagnostics
    assert diagnostic.kind == "syntax"
    assert diagnostic.start == Position(4, 2)


def test_a_broken_declaration_is_reported_once_whatever_stands_before_it() -> None:
    for head in ("@[simp]\n", "/-- doc -/\n@[simp]\nprivate\n", "@[simp,\n  inline]\n/-- doc -/\n"):
        result = parse_file(head + "def a := (\n\ndef b := 2")
        assert len(result.diagnostics) == 1
        assert len(result.file.commands) == 1


def test_recovery_passes_over_documented_fields() -> None:
    result = parse_file("structure S (n : Nat where\n  /-- doc -/\n  x : Nat\n  /-- doc -/\n  y : Nat\ndef a := 1\n")
    assert len(result.diagnostics) == 1
    assert len(result.file.commands) == 1


def test_benchmark_markers_are_comments() -> None:
    text = "-- !benchmark @start import\nimport Mathlib\n-- !benchmark @end import\ndef f := 1 -- start_def x\n"
    assert [type(c) for c in commands(text)] == [s.Import, s.Declaration]


def test_keywords_name_nothing() -> None:
    assert parse_file("def f (prefix : Nat) := 1").diagnostics
    assert not parse_file("def f («prefix» : Nat) := «prefix»").diagnostics


def test_lean_3_habits_are_refused() -> None:
    for text in (
        "def f := λ x, x",
        "theorem t : p := begin intro h, exact h end",
        "def f : Π x, y := z",
        "def f := assume h, h",
    ):
        assert any(d.kind == "syntax" for d in parse_file(text).diagnostics), text


def test_commands_of_libraries_are_words_elsewhere() -> None:
    text = "theorem t : p := x\nlemma u : p := x\n@[simp] lemma v : p := x\ninclude h\nomit h in\n"
    text += "def lemma (alias : N) := 1"
    first, second, third, include, omit = commands(text)
    assert isinstance(first, s.Declaration)
    assert first.value == s.Ident(SPAN, ("x",))
    assert [c.kind for c in (second, third) if isinstance(c, s.Declaration)] == ["lemma", "lemma"]
    assert isinstance(include, s.Misc)
    assert isinstance(omit, s.InCommand)


@pytest.mark.parametrize(
    "text", ["∫ x in a..b, f x", "∀ᶠ x in l, p x", "![1, 2]", "!![1; 2]", "a ⊹ b", "x ₐ→ y", "f =O[l] g"]
)
def test_notation_of_libraries_is_our_limit(text: str) -> None:
    assert [d.kind for d in parse_file(f"theorem t : {text} := h").diagnostics] == ["unsupported"]


@pytest.mark.parametrize("text", ["a ∧ ∨ b", "\u202e", "a — b", "“a”", "✅"])
def test_other_characters_are_mistakes(text: str) -> None:
    assert [d.kind for d in parse_file(f"theorem t : {text} := h").diagnostics] == ["syntax"]
