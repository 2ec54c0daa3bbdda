from __future__ import annotations

import pytest

from specgen.lean import lexer
from specgen.lean.lexer import LOOKAHEAD, lex


def texts(text: str) -> list[str]:
    return lex(text).texts[:-LOOKAHEAD]


def kinds(text: str) -> list[int]:
    return lex(text).kinds[:-LOOKAHEAD]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a.b.c", ["a.b.c"]),
        ("x.1.2", ["x", ".1", ".2"]),
        ("x.1.fst", ["x", ".1", ".", "fst"]),
        ("f x.1.5", ["f", "x", ".1", ".5"]),
        ("h₁' x? get! α λx", ["h₁'", "x?", "get!", "α", "λ", "x"]),
        ("a.«b c».d", ["a.«b c».d"]),
        ("a→b", ["a", "→", "b"]),
        ("a->b<-c", ["a", "->", "b", "<-", "c"]),
        ("xs[i]!", ["xs", "[", "i", "]", "!"]),
        ("a<+:b <:+: c <+~ d", ["a", "<+:", "b", "<:+:", "c", "<+~", "d"]),
        ("||a|||", ["||", "a", "|||"]),
        ("∃!x", ["∃!", "x"]),
        ("(·+·)", ["(", "·", "+", "·", ")"]),
        ("#eval #[1] #v[2]", ["#eval", "#[", "1", "]", "#v[", "2", "]"]),
        ("Type* Type u", ["Type*", "Type", "u"]),
        ("a ≡ b [MOD n]", ["a", "≡", "b", "[MOD", "n", "]"]),
        ("0...n", ["0", "...", "n"]),
        ("e |>.f", ["e", "|>.", "f"]),
        ("x⁻¹ sᶜ", ["x", "⁻¹", "s", "ᶜ"]),
        ("a::b", ["a", "::", "b"]),
        ("x:=1", ["x", ":=", "1"]),
        ("{u.{v}}", ["{", "u", ".{", "v", "}", "}"]),
    ],
)
def test_longest_match(text: str, expected: list[str]) -> None:
    assert texts(text) == expected


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("0x1F", lexer.NUM),
        ("0b101", lexer.NUM),
        ("0o17", lexer.NUM),
        ("1_000", lexer.NUM),
        ("1e-3", lexer.SCI),
        ("2.5", lexer.SCI),
        ("2.", lexer.SCI),
        ("'a'", lexer.CHAR),
        (r"'\n'", lexer.CHAR),
        (r"'\''", lexer.CHAR),
        (r"'\u{1F600}'", lexer.CHAR),
        (r"'\x41'", lexer.CHAR),
        ("' '", lexer.CHAR),
        ('"a\\"b"', lexer.STR),
        ('r"a\\b"', lexer.STR),
        ('r#"a"b"#', lexer.STR),
        ("`foo.bar", lexer.NAME),
        ("«def»", lexer.IDENT),
        ("def", lexer.SYM),
        ("x'", lexer.IDENT),
        ("/-- a /- b -/ c -/", lexer.DOC),
        ("/-! a -/", lexer.MODDOC),
    ],
)
def test_kind_of_one_token(text: str, kind: int) -> None:
    assert kinds(text) == [kind]


def test_comments_are_space() -> None:
    tokens = lex("a -- b\n/- c /- d -/ -/ e/- -/f")
    assert tokens.texts[:-LOOKAHEAD] == ["a", "e", "f"]
    assert tokens.space[:3] == [0, 2, 1]
    assert tokens.columns[:3] == [0, 16, 22]


def test_columns_count_code_points() -> None:
    assert lex("𝒫α ∧ b\n  c").columns[:4] == [0, 3, 5, 2]


def test_interpolated_string() -> None:
    tokens = lex('s!"a{x.map fun y => {y}}b{"c{d}"}" z')
    assert tokens.texts[:-LOOKAHEAD] == [
        "s!",
        '"a{',
        "x.map",
        "fun",
        "y",
        "=>",
        "{",
        "y",
        "}",
        "}b{",
        '"c{d}"',
        '}"',
        "z",
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('"abc', "unterminated string literal"),
        ("/- abc", "unterminated comment"),
        ("/-- abc", "unterminated comment"),
        ('r#"abc"', "unterminated raw string literal"),
        ("«abc", "unterminated identifier escape"),
        ("\t", "tabs are not allowed; please configure your editor to expand them"),
        ("\r", "isolated carriage returns are not allowed"),
        ("\0", "expected token"),
        ("\u202e", "expected token"),
        ("\ud800", "expected token"),
        ('s!"a{b', None),
    ],
)
def test_errors_are_tokens(text: str, message: str | None) -> None:
    tokens = lex(text)
    assert tokens.kinds[-1] == lexer.EOF
    assert list(tokens.messages.values()) == ([message] if message else [])
