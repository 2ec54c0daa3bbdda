from __future__ import annotations

import pytest

from specgen.lean import syntax as s
from specgen.lean.parser import parse_term

from .parsing import bare, term

SPAN = (0, 0)


def ident(name: str) -> s.Ident:
    return s.Ident(SPAN, tuple(name.split(".")))


@pytest.mark.parametrize(
    ("text", "grouped"),
    [
        ("a ∧ b ∨ c → d", "((a ∧ b) ∨ c) → d"),
        ("a → b → c", "a → (b → c)"),
        ("a ↔ b → c", "a ↔ (b → c)"),
        ("a ∧ b ∧ c", "a ∧ (b ∧ c)"),
        ("¬ p = q", "¬ (p = q)"),
        ("¬ p ∧ q", "(¬ p) ∧ q"),
        ("¬p ↔ q", "(¬p) ↔ q"),
        ("!a && b || c", "((!a) && b) || c"),
        ("!x == y", "!(x == y)"),
        ("a == b && c != d", "(a == b) && (c != d)"),
        ("-x ^ 2", "-(x ^ 2)"),
        ("-x * y", "(-x) * y"),
        ("2 * -x", "2 * (-x)"),
        ("a ^ b ^ c", "a ^ (b ^ c)"),
        ("a - b - c", "(a - b) - c"),
        ("a + b * c % d", "a + ((b * c) % d)"),
        ("a :: b :: c", "a :: (b :: c)"),
        ("a :: b ++ c", "(a :: b) ++ c"),
        ("x :: xs = ys ++ zs", "(x :: xs) = (ys ++ zs)"),
        ("a ∣ b + c", "a ∣ (b + c)"),
        ("x ∈ s ∪ t ∩ u", "x ∈ (s ∪ (t ∩ u))"),
        ("f ∘ g ∘ h", "f ∘ (g ∘ h)"),
        ("a <|> b <|> c", "a <|> (b <|> c)"),
        ("x >>= f >>= g", "(x >>= f) >>= g"),
        ("f <$> x <*> y", "(f <$> x) <*> y"),
        ("A × B → C", "(A × B) → C"),
        ("a ||| b &&& c <<< d", "a ||| (b &&& (c <<< d))"),
        ("xs.Perm ys ∧ xs ~ ys", "(xs.Perm ys) ∧ (xs ~ ys)"),
        ("∑ i ∈ s, f i + 1", "(∑ i ∈ s, f i) + 1"),
        ("∑ i ∈ s, f i * 2", "∑ i ∈ s, (f i * 2)"),
        ("∃ x, p x ∧ q", "∃ x, (p x ∧ q)"),
        ("√x ^ 2", "(√x) ^ 2"),
        ("-x⁻¹", "-(x⁻¹)"),
        ("f x⁻¹", "f (x⁻¹)"),
        ("fun x => x + 1 |> f", "fun x => ((x + 1) |> f)"),
        ("if a then b else c + 1", "if a then b else (c + 1)"),
        ("a ∧ ∀ x, b ∧ c", "a ∧ (∀ x, (b ∧ c))"),
        ("xs.length = 0 ∧ f x.1 y[0]! z", "((xs.length) = 0) ∧ (f (x.1) (y[0]!) z)"),
        ("f x |>.g y |>.h", "((f x) |>.g y) |>.h"),
        ("h ▸ x", "h ▸ (x)"),
        ("a = b ∧ n !", "(a = b) ∧ (n !)"),
        ("f^[n + 1] x", "(f^[n + 1]) x"),
        ("f n ! + 1", "(f (n !)) + 1"),
        ("x ≤ y ∧ y < z", "(x ≤ y) ∧ (y < z)"),
        ("|a - b| ≤ c", "(|a - b|) ≤ c"),
        ("f |x| y", "f (|x|) y"),
        ("↑f x", "(↑f) x"),
        ("f ↑x", "f (↑x)"),
        ("f !x", "f (!x)"),
        ("f fun x => x", "f (fun x => x)"),
        ("arr = [0] → p", "(arr = [0]) → p"),
        ("let x := a; x |>.f ≤ b", "(let x := a; x |>.f) ≤ b"),
    ],
)
def test_grouping(text: str, grouped: str) -> None:
    assert bare(term(text)) == bare(term(grouped))


@pytest.mark.parametrize(
    "text",
    [
        "a = b = c", "a < b < c", "a ↔ b ↔ c", "f(x)", "f by simp", "f if a then b else c", "a +", "(a", "a)",
        "fun x, y", "λ x, y", "Π x, y", "assume h, h", "f ∀ x, p",
        "a -> ", "[1, 2", "⟨a, b", "x.", "· + 1", "x!y z :=", "",
    ],
)  # fmt: skip
def test_refused(text: str) -> None:
    result = parse_term(text)
    assert result.term is None
    assert [d.kind for d in result.diagnostics] == ["syntax"]


def test_pipes_make_applications() -> None:
    assert term("f a <| b") == s.App(SPAN, ident("f"), (ident("a"), ident("b")))
    assert term("b |> f a") == s.App(SPAN, ident("f"), (ident("a"), ident("b")))
    assert term("f $ g $ x") == s.App(SPAN, ident("f"), (s.App(SPAN, ident("g"), (ident("x"),)),))


def test_dots_bind_at_the_innermost_parentheses() -> None:
    inner = term("(h (· + 1) ·)")
    assert isinstance(inner, s.Paren)
    outer = inner.inner
    assert isinstance(outer, s.Fun)
    assert outer.binders == (s.Binder(SPAN, ("·1",)),)
    assert isinstance(outer.body, s.App)
    first = outer.body.args[0]
    assert isinstance(first, s.Paren)
    assert isinstance(first.inner, s.Fun)
    assert term("(·.1 < ·.2)") == term("(fun «·1» «·2» => «·1».1 < «·2».2)")
    assert term("(. + .)") == term("(· + ·)")
    assert term("(·.toNat)") == term("(fun «·1» => «·1».toNat)")


def test_projections_and_indices() -> None:
    x = ident("x")
    assert term("x.1.2") == s.Proj(SPAN, s.Proj(SPAN, x, 1), 2)
    assert term("(x).a.b") == s.Proj(SPAN, s.Proj(SPAN, s.Paren(SPAN, x), "a"), "b")
    assert term("x[0]?.getD 1") == s.App(
        SPAN, s.Proj(SPAN, s.Index(SPAN, x, s.NumLit(SPAN, 0), "?"), "getD"), (s.NumLit(SPAN, 1),)
    )
    assert term("x[0]'h") == s.Index(SPAN, x, s.NumLit(SPAN, 0), "'", ident("h"))
    assert term("f [0]") == s.App(SPAN, ident("f"), (s.ListLit(SPAN, (s.NumLit(SPAN, 0),)),))
    assert term("x[1:]") == s.Slice(SPAN, x, s.NumLit(SPAN, 1), None)
    assert term("(x |>.f).2") == s.Proj(SPAN, s.Paren(SPAN, s.Proj(SPAN, x, "f", True)), 2)


def test_literals() -> None:
    assert term("0x1F") == s.NumLit(SPAN, 31)
    assert term("1_000") == s.NumLit(SPAN, 1000)
    assert term("2.50") == s.SciLit(SPAN, 250, -2)
    assert term("1e-3") == s.SciLit(SPAN, 1, -3)
    assert term(r"'\u{1F600}'") == s.CharLit(SPAN, "\U0001f600")
    assert term(r"'\x41'") == s.CharLit(SPAN, "A")
    assert term(r"'\''") == s.CharLit(SPAN, "'")
    assert term('"a\\n\\"b"') == s.StrLit(SPAN, 'a\n"b')
    assert term('"a\\\n   b"') == s.StrLit(SPAN, "ab")
    assert term('r#"a"\\b"#') == s.StrLit(SPAN, 'a"\\b')
    assert term('s!"a{x}b\\{"') == s.InterpStr(SPAN, "s!", ("a", ident("x"), "b{"))


def test_braces() -> None:
    x, n = ident("x"), ident("Nat")
    assert term("{}") == s.SetLit(SPAN, ())
    assert term("{x}") == s.SetLit(SPAN, (x,))
    assert term("{x | x}") == s.SetBuilder(SPAN, s.Binder(SPAN, ("x",)), x)
    assert term("{x : Nat | x}") == s.SetBuilder(SPAN, s.Binder(SPAN, ("x",), n), x)
    assert term("{x ∈ y | x}") == s.SetBuilder(SPAN, s.Binder(SPAN, ("x",), pred=("∈", ident("y"))), x)
    assert term("{x : Nat // x}") == s.Subtype(SPAN, s.Binder(SPAN, ("x",), n), x)
    image = term("{f x | x ∈ y}")
    assert isinstance(image, s.SetBuilder)
    assert image.binder is None
    assert image.image == (s.Binder(SPAN, ("x",), pred=("∈", ident("y"))),)
    update = term("{ p with x := 1, y.z := 2 : P }")
    assert isinstance(update, s.StructInst)
    assert [field.path for field in update.fields] == [("x",), ("y", "z")]
    assert update.sources == (ident("p"),)
    assert isinstance(term("{ x := 1\n  y := 2 }"), s.StructInst)
    assert isinstance(term("{x : Nat} → Nat"), s.DepArrow)
    assert isinstance(term("{x : Nat // x > 0} → Nat"), s.Arrow)


def test_arrows_with_binders() -> None:
    nat = ident("Nat")
    assert term("(x y : Nat) → Nat") == s.DepArrow(SPAN, s.Binder(SPAN, ("x", "y"), nat), nat)
    assert term("[C Nat] → Nat") == s.DepArrow(
        SPAN, s.Binder(SPAN, (), s.App(SPAN, ident("C"), (nat,)), "instance"), nat
    )
    assert term("(x : Nat) × Nat") == s.DepProd(SPAN, "×", s.Binder(SPAN, ("x",), nat), nat)
    assert term("[1, 2] → Nat") == s.Arrow(SPAN, s.ListLit(SPAN, (s.NumLit(SPAN, 1), s.NumLit(SPAN, 2))), nat)


@pytest.mark.parametrize(
    ("text", "binders"),
    [
        ("∀ x, p", (s.Binder(SPAN, ("x",)),)),
        ("∀ x y : Nat, p", (s.Binder(SPAN, ("x", "y"), ident("Nat")),)),
        ("∀ (x : A) {y} [C], p", (
            s.Binder(SPAN, ("x",), ident("A")),
            s.Binder(SPAN, ("y",), None, "implicit"),
            s.Binder(SPAN, (), ident("C"), "instance"),
        )),
        ("∀ x ∈ l, p", (s.Binder(SPAN, ("x",), pred=("∈", ident("l"))),)),
        ("∃ y > 0, p", (s.Binder(SPAN, ("y",), pred=(">", s.NumLit(SPAN, 0))),)),
        ("∃ ⟨a, b⟩ ∈ l, p", (
            s.Binder(SPAN, (), pred=("∈", ident("l")), pattern=s.AnonCtor(SPAN, (ident("a"), ident("b")))),
        )),
        ("∃! x, p", (s.Binder(SPAN, ("x",)),)),
        ("∑ x in l, p", (s.Binder(SPAN, ("x",), pred=("∈", ident("l"))),)),
    ],
)  # fmt: skip
def test_quantifier_binders(text: str, binders: tuple[s.Binder, ...]) -> None:
    parsed = term(text)
    assert isinstance(parsed, s.Quantifier)
    assert parsed.binders == binders
    assert parsed.body == ident("p")


def test_fun_binders() -> None:
    parsed = term("fun x (y : Nat) ⟨a, b⟩ {z} (c, d) _ => x")
    assert isinstance(parsed, s.Fun)
    assert [(b.names, b.pattern is not None, b.kind) for b in parsed.binders] == [
        (("x",), False, "explicit"),
        (("y",), False, "explicit"),
        ((), True, "explicit"),
        (("z",), False, "implicit"),
        ((), True, "explicit"),
        (("_",), False, "explicit"),
    ]
    assert isinstance(term("fun | 0 => 1 | n+1 => n"), s.FunMatch)


def test_patterns() -> None:
    parsed = term("match h : x, y with | some (a :: _), n+1 | none, 0 => a | l@(b :: c), .inl d => b | _, _ => c")
    assert isinstance(parsed, s.Match)
    assert parsed.discrs == (s.Discr(SPAN, ident("x"), "h"), s.Discr(SPAN, ident("y")))
    assert [len(alt.patterns) for alt in parsed.alts] == [2, 1, 1]
    named = parsed.alts[1].patterns[0][0]
    assert isinstance(named, s.NamedPattern)
    assert named.name == "l"


def test_if_forms() -> None:
    assert isinstance(term("if let some x := y then x else z"), s.IfLet)
    dependent = term("if h : x = y then a else b")
    assert isinstance(dependent, s.If)
    assert dependent.hyp == "h"


def test_modular_congruence() -> None:
    assert term("a ≡ b + 1 [MOD n]") == s.ModEq(SPAN, "MOD", ident("a"), term("b + 1"), ident("n"))


def test_named_arguments_and_ellipsis() -> None:
    parsed = term("f (x := 1) y ..")
    assert isinstance(parsed, s.App)
    assert [type(arg) for arg in parsed.args] == [s.NamedArg, s.Ident, s.EllipsisArg]


def test_spans_are_offsets() -> None:
    text = "a + f (b) c"
    parsed = term(text)
    assert isinstance(parsed, s.BinOp)
    assert text[slice(*parsed.span)] == text
    assert text[slice(*parsed.rhs.span)] == "f (b) c"
