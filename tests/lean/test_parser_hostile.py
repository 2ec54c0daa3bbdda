from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from specgen.lean.parser import parse_file, parse_term
from specgen.lean.printer import print_file

N = 20_000

HOSTILE = {
    "parentheses": "(" * N,
    "open parentheses": "def f := " + "(" * N,
    "open brackets": "def f := " + "[" * N,
    "open braces": "def f := " + "{" * N,
    "negations": "def f := " + "¬" * N,
    "nested lets": "def f := " + "let x := " * N,
    "let chain": "def f := " + "let x := 1\n" * N,
    "sum": "def f := " + "1 + " * N + "1",
    "list": "def f := " + "1 :: " * N + "l",
    "arrows": "def f : " + "a → " * N,
    "binders": "def f " + "(x : " * N,
    "pattern lets": "def f := " + "let f (" * N,
    "set builders": "def f := " + "{x | " * N,
    "implicit arrows": "def f : " + "{x : " * N,
    "instance arrows": "def f : " + "[[a] → " * N,
    "bars": "def f := " + "|a " * N,
    "norms": "def f := " + "‖" * N,
    "projections": "def f := x" + ".1" * N,
    "indices": "def f := x" + "[0]" * N,
    "interpolations": "def f := " + 's!"{' * N,
    "tactic blocks": "def f := " + "(by " * N,
    "comments": "/-" * N,
    "string": 'def f := "' + "a" * N,
    "escapes": 'def f := "' + "\\" * N,
    "quotes": "«" * N,
    "ticks": "`" * N,
    "commands": "def\n" * N,
    "attributes": "@[" * N,
    "mutual": "mutual " * N,
    "open in": "open A in " * N,
    "numbers": "def f := " + "1" * N,
    "exponent": "def f := 1e" + "9" * N,
    "long line": "def f := " + "x " * (10 * N),
    "nul": "def f := \0",
    "surrogate": 'def f := "\ud800" \udfff',
    "bidi": "def f\u202e := 1",
    "tabs": "\t" * N,
    "empty": "",
}


@pytest.mark.parametrize("name", sorted(HOSTILE))
def test_hostile_texts_are_quick(name: str) -> None:
    text = HOSTILE[name]
    began = time.perf_counter()
    result = parse_file(text)
    print_file(result.file)
    parse_term(text)
    # Linear work on texts of some 100 kB takes well under a second on any machine; quadratic work takes minutes.
    assert time.perf_counter() - began < 10


@pytest.mark.parametrize("name", ["open parentheses", "sum", "list", "nested lets", "projections", "let chain"])
def test_depth_is_our_limit_and_not_the_fault_of_the_text(name: str) -> None:
    assert [d.kind for d in parse_file(HOSTILE[name]).diagnostics] == ["unsupported"]


def test_chains_and_nesting_together_are_bounded() -> None:
    text = "a"
    for _ in range(10):
        text = "(" + text + " + 1" * 300 + ")"
    assert [d.kind for d in parse_term(text).diagnostics] == ["unsupported"]


PIECES = st.sampled_from(
    [
        "def",
        "f",
        "x",
        "y",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        "⟨",
        "⟩",
        ":=",
        ":",
        "=>",
        "|",
        ",",
        ";",
        ".",
        "..",
        "·",
        "fun",
        "let",
        "match",
        "with",
        "if",
        "then",
        "else",
        "do",
        "for",
        "in",
        "by",
        "∀",
        "∃",
        "∈",
        "∑",
        "→",
        "+",
        "-",
        "*",
        "::",
        "=",
        "¬",
        "!",
        "?",
        "@",
        "'",
        '"',
        "\\",
        "1",
        "2.5",
        "'a'",
        '"s"',
        's!"{x}"',
        "--",
        "/-",
        "-/",
        "«",
        "»",
        "`",
        "#",
        "#eval",
        "@[",
        "instance",
        "structure",
        "where",
        "inductive",
        "deriving",
        "open",
        "namespace",
        "end",
        "theorem",
        "termination_by",
        "\n",
        "\n",
        "",
        "",
        "|>",
        "<|",
        "|>.",
        "‖",
        "⌊",
        "⌋",
        "⦃",
        "⦄",
        "x.1",
        "a.b",
        "λ",
        "set_option",
        "return",
        "←",
    ]
)


@settings(max_examples=300, deadline=None)
@given(st.lists(PIECES, max_size=40).map(" ".join))
def test_token_soup_never_raises(text: str) -> None:
    result = parse_file(text)
    printed = print_file(result.file)
    parse_file(printed)
    parse_term(text)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=80))
def test_any_text_never_raises(text: str) -> None:
    parse_file(text)
    parse_term(text)
