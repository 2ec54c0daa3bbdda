from __future__ import annotations

import pytest

from specgen.lean import syntax as s

from .parsing import commands, declaration, term

SPAN = (0, 0)


def lines(*parts: str) -> str:
    return "\n".join(parts)


def test_an_argument_stands_right_of_the_let() -> None:
    parsed = term(lines("let y := f", "  a", "b"))
    assert isinstance(parsed, s.Let)
    assert parsed.decl.value == term("f a")
    assert parsed.body == term("b")


def test_brackets_clear_the_position() -> None:
    parsed = term(lines("let y := f (g", "a)", "b"))
    assert isinstance(parsed, s.Let)
    assert parsed.decl.value == term("f (g a)")


def test_semicolon_or_line_break() -> None:
    assert term("let x := 1; x") == term("let x := 1\nx")


def test_nested_alternatives_go_by_column() -> None:
    parsed = term(lines("match a with", "| 0 => match b with", "  | 1 => c", "  | _ => d", "| _ => e"))
    assert isinstance(parsed, s.Match)
    assert len(parsed.alts) == 2
    inner = parsed.alts[0].rhs
    assert isinstance(inner, s.Match)
    assert len(inner.alts) == 2


def test_arguments_in_alternatives_stand_right_of_the_bar() -> None:
    decl = declaration(lines("def f : Nat → Nat", "  | 0 => g", "    1", "  | n + 1 => h"))
    assert [alt.rhs for alt in decl.alts] == [term("g 1"), term("h")]


def test_a_body_may_stand_at_the_margin() -> None:
    assert declaration(lines("theorem t : p :=", "f", "x")).value == term("f x")


@pytest.mark.parametrize(
    ("text", "block"),
    [
        (lines("theorem t : p := by", "  simp", "  cases h with", "  | inl h => exact h"), None),
        (lines("theorem t : p := by simp", "  · omega"), None),
        (lines("theorem t : p := by", "simp", "omega"), "simp\nomega"),
        (lines("theorem t : p := by", "    simp", "      at h", "    omega"), "simp\n  at h\nomega"),
        (lines("theorem t : p := by cases h with", "  | inl h => exact h"), None),
    ],
)
def test_a_proof_runs_to_the_next_command(text: str, block: str | None) -> None:
    first, second = commands(text + "\n\ndef x := 1")
    assert isinstance(first, s.Declaration)
    assert isinstance(first.value, s.By)
    assert isinstance(second, s.Declaration)
    if block is not None:
        assert first.value.text == block


def test_blocks_end_where_the_surrounding_term_goes_on() -> None:
    assert term("⟨by simp, x⟩") == s.AnonCtor(SPAN, (s.By(SPAN, "simp"), s.Ident(SPAN, ("x",))))
    assert term("(by omega)") == s.Paren(SPAN, s.By(SPAN, "omega"))
    parsed = term(lines("let h : a := by simp", "b"))
    assert isinstance(parsed, s.Let)
    assert parsed.decl.value == s.By(SPAN, "simp")
    conditional = term("if h : a then by simp else b")
    assert isinstance(conditional, s.If)
    assert conditional.then == s.By(SPAN, "simp")
    match = term(lines("match a with", "| 0 => by simp", "| _ => by", "    omega"))
    assert isinstance(match, s.Match)
    assert [alt.rhs for alt in match.alts] == [s.By(SPAN, "simp"), s.By(SPAN, "omega")]
    assert isinstance(term("fun | 0 => by simp | _ => x"), s.FunMatch)


def test_termination_hints_end_a_proof() -> None:
    decl = declaration(
        lines("def f (n : Nat) : Nat := g n (by omega)", "termination_by n", "decreasing_by", "  simp_wf", "  omega")
    )
    assert decl.termination_by == "n"
    assert decl.decreasing_by == "simp_wf\nomega"


def test_where_declarations() -> None:
    decl = declaration(
        lines(
            "def f (n : Nat) : Nat :=",
            "  go n 0",
            "where",
            "  go : Nat → Nat → Nat",
            "    | 0, a => a",
            "    | n+1, a =>",
        )
        + "\n      go n (a + 1)\n  h (x : Nat) : Nat := x\n"
    )
    assert [d.name for d in decl.where_decls] == ["go", "h"]


DO = """
def f (xs : List Nat) : Option Nat := do
  let mut acc := 0
  let y ← g xs
  let some z := h y | none
  for h : x in xs, i in [0:10] do
    if x > 3 then
      acc := acc + x
    else if x == 2 then continue
    else
      break
    unless x = 1 do
      acc := acc *
        2
  while acc > 100 do
    acc := acc - 1
  (acc, _) := (acc, 1)
  if let some w := k acc then
    return w
  match acc with
  | 0 => return 1
  | _ =>
    let t := acc
    p t
  return (← g xs) + acc
"""


def test_do_block() -> None:
    decl = declaration(DO)
    assert isinstance(decl.value, s.Do)
    assert [type(item) for item in decl.value.items] == [
        s.DoLet, s.DoLet, s.DoLet, s.DoFor, s.DoWhile, s.DoReassign, s.DoIf, s.DoMatch, s.DoReturn,
    ]  # fmt: skip
    loop = decl.value.items[3]
    assert isinstance(loop, s.DoFor)
    assert [it.hyp for it in loop.iters] == ["h", ""]
    branch = loop.body[0]
    assert isinstance(branch, s.DoIf)
    assert len(branch.branches) == 2
    assert branch.otherwise == (s.DoBreak(SPAN),)
    some = decl.value.items[2]
    assert isinstance(some, s.DoLet)
    assert some.decl.pattern == term("some z")
    assert some.otherwise == (s.DoExpr(SPAN, s.Ident(SPAN, ("none",))),)


def test_else_belongs_to_the_if_in_its_column() -> None:
    decl = declaration(lines("def f := do", "  if a then", "    if b then", "      x", "  else", "    y"))
    assert isinstance(decl.value, s.Do)
    (outer,) = decl.value.items
    assert isinstance(outer, s.DoIf)
    assert outer.otherwise is not None
    inner = outer.branches[0][1][0]
    assert isinstance(inner, s.DoIf)
    assert inner.otherwise is None


def test_do_is_not_an_argument_in_the_head_of_a_loop() -> None:
    decl = declaration(lines("def f := do", "  for x in g y do", "    h x"))
    assert isinstance(decl.value, s.Do)
    loop = decl.value.items[0]
    assert isinstance(loop, s.DoFor)
    assert loop.iters[0].collection == term("g y")


def test_return_without_value_ends_at_the_line() -> None:
    decl = declaration(lines("def f := do", "  if a then return", "  b"))
    assert isinstance(decl.value, s.Do)
    assert len(decl.value.items) == 2
