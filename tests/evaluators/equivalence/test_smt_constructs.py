"""Every construct that is translated exactly, at its boundaries: z3 must prove the engine's value, and not another."""

from __future__ import annotations

import re
from itertools import product

import pytest

from specgen.lean.engine import Value, load
from tests.evaluators.equivalence.smt_sides import ENV, LIMITS, body, proofs, proved

INTS = ("-7", "-2", "-1", "0", "1", "2", "3")
NATS = ("0", "1", "2", "3", "7")
RATS = ("-3/2", "-1", "0", "1/3", "1", "5/2")
CHARS = ("'0'", "'9'", "':'", "'@'", "'A'", "'Z'", "'['", "'a'", "'z'", "'{'", "' '", "'é'")
VALUES = {"Int": INTS, "Nat": NATS, "Rat": RATS, "Char": CHARS, "Bool": ("true", "false")}

CONSTRUCTS = [
    ("Int Int", "Int", ["a + b", "a - b", "a * b", "a / b", "a % b", "Int.ediv a b", "Int.emod a b"]),
    (
        "Int Int",
        "Int",
        ["Int.tdiv a b", "Int.tmod a b", "Int.fdiv a b", "Int.fmod a b", "max a b", "min a b", "-a - b"],
    ),
    ("Int Int", "Bool", ["decide (a ∣ b)", "a == b", "a != b", "decide (a ≤ b)", "decide (a < b)", "decide (a ≥ b)"]),
    ("Int Int", "Int", ["if a < b then a else b", "match compare a b with | .lt => a | .eq => 5 | .gt => b"]),
    ("Int Nat", "Int", ["a ^ 2", "a ^ 3", "a ^ 0", "a - b", "(b : Int) - a"]),
    ("Int", "Nat", ["a.toNat", "a.natAbs", "(a - 2).toNat", "(a.natAbs + 3) % 4"]),
    (
        "Int",
        "Int",
        ["a.sign", "-a", "a / 0", "a % 0", "a / 2", "a / -2", "a % 2", "a % -2", "Int.tdiv a 2", "(0 : Int) / a"],
    ),
    ("Int", "Int", ["Int.negSucc a.toNat", "match a with | .ofNat n => (n : Int) | .negSucc n => -(n : Int) - 9"]),
    ("Nat Nat", "Nat", ["a + b", "a - b", "a * b", "a / b", "a % b", "max a b", "min a b", "a - b + b", "(a - b) * 2"]),
    ("Nat Nat", "Bool", ["decide (a ∣ b)", "a == b", "Nat.ble a b", "Nat.blt a b", "Nat.beq a b", "decide (a ≠ b)"]),
    (
        "Nat Nat",
        "Int",
        ["(a : Int) - b", "((a - b : Nat) : Int)", "((a : Int) - b).toNat", "-(a : Int) / b", "-(a : Int) % b"],
    ),
    ("Nat", "Nat", ["a.pred", "a.succ", "a / 0", "a % 0", "0 / a", "0 % a", "a - 1", "a ^ 0", "a ^ 2", "0 ^ a * 0"]),
    ("Nat", "Nat", ["match a with | 0 => 5 | n + 1 => n", "match a with | 0 => 1 | 1 => 7 | n + 2 => n", "0 ^ 0 + a"]),
    ("Nat", "Bool", ["decide (Even a)", "decide (Odd a)", "decide (2 ∣ a)", "decide (0 ∣ a)", "decide (a ∣ 0)"]),
    ("Int", "Bool", ["decide (Even a)", "decide (Odd a)", "decide (2 ∣ a)", "decide (-2 ∣ a)", "decide (0 ∣ a)"]),
    ("Rat Rat", "Rat", ["a + b", "a - b", "a * b", "a / b", "max a b", "min a b", "a / 0", "a⁻¹", "b / 2", "-a"]),
    (
        "Rat",
        "Rat",
        ["a ^ 2", "a ^ 0", "a ^ (-1 : Int)", "a ^ (-2 : Int)", "a * 0.25", "mkRat 1 0 + a", "mkRat (-3) 6 + a"],
    ),
    ("Rat", "Int", ["a.floor", "a.ceil"]),
    ("Rat Rat", "Bool", ["decide (a ≤ b)", "decide (a < b)", "a == b"]),
    ("Int Nat", "Rat", ["(a : Rat) / b", "(a : Rat) + b", "((a + b : Int) : Rat)"]),
    ("Char", "Nat", ["a.toNat", "a.toUpper.toNat", "a.toLower.toNat"]),
    (
        "Char",
        "Bool",
        ["a.isUpper", "a.isLower", "a.isDigit", "a.isAlpha", "a.isAlphanum", "decide (a ≤ 'Z')", "a == 'a'"],
    ),
    ("Nat", "Char", ["Char.ofNat (a + 55294)", "Char.ofNat (a + 1114109)", "Char.ofNat (a + 97)"]),
    (
        "Bool Bool",
        "Bool",
        ["a && b", "a || b", "!a", "Bool.xor a b", "a == b", "a != b", "if a then b else !b", "cond a b true"],
    ),
    ("Nat Nat", "Option Nat", ["if a ≤ b then some (b - a) else none", "(some a).map (· + b)", "some (a, b).2"]),
    ("Nat Nat", "Nat", ["(some a).getD b", "(none : Option Nat).getD b", "(a, b).1 + (a, b).2", "(a, b).swap.1"]),
    ("Nat", "Nat", ["let x := a; let f := fun y => y + x; f (f 1)", "(fun x => x) a"]),
]
ROWS = [(types, result, term) for types, result, terms in CONSTRUCTS for term in terms]


def _table(types: str, result: str, term: str) -> tuple[str, list[tuple[str, str]]]:
    """Return the signature, and each point with the engine's value there."""
    names = "ab"[: len(types.split())]
    signature = " ".join(f"({n} : {t})" for n, t in zip(names, types.split(), strict=True))
    program = load(f"def f {signature} : {result} := {term}", ENV)
    assert program.report.verdict == "accepted", program.report.diagnostics
    points = []
    for texts in product(*[VALUES[t] for t in types.split()]):
        arguments = [program.read(text, t) for text, t in zip(texts, types.split(), strict=True)]
        value = program.run("f", arguments, LIMITS)
        assert isinstance(value, Value), value
        at = " ∧ ".join(f"{n} = {text}" for n, text in zip(names, texts, strict=True))
        points.append((at, program.text(value)))
    return signature, points


@pytest.mark.parametrize(("types", "result", "term"), ROWS, ids=[f"{r[2]} : {r[1]} of {r[0]}" for r in ROWS])
def test_z3_gives_the_value_that_the_engine_gives(types: str, result: str, term: str) -> None:
    signature, points = _table(types, result, term)
    statement = " ∧ ".join(f"(({at}) → ({term}) = ({value} : {result}))" for at, value in points)
    claim = body(f"{signature} (y : Unit)", statement)
    anything = body(f"{signature} (y : Unit)", "True")
    assert "post_forward" in proved(anything, claim), proofs(anything, claim)["post_forward"]


@pytest.mark.parametrize(("types", "result", "term"), ROWS, ids=[f"{r[2]} : {r[1]} of {r[0]}" for r in ROWS])
def test_z3_does_not_give_another_value(types: str, result: str, term: str) -> None:
    signature, points = _table(types, result, term)
    others = sorted({v for _, v in points})
    anything = body(f"{signature} (y : Unit)", "True")
    for at, value in points[:: max(1, len(points) // 3)]:
        other = next((v for v in others if v != value), None)
        if other is None:
            continue
        claim = body(f"{signature} (y : Unit)", f"({at}) → ({term}) = ({other} : {result})")
        assert "post_forward" not in proved(anything, claim), (at, other)


UNINTERPRETED = [
    "Int.sqrt (N : Int)",
    "Nat.gcd N 6",
    "2 ^ N",
    "N &&& 5",
    "N ^^^ 1",
    "Nat.log2 N",
    "Nat.digits 10 N",
    "(N + 2) ^ N",
    "Nat.factorial N",
    "toString N",
    "Nat.toDigits 2 N",
    "N <<< 2",
    "List.range' N 3",
]


def _at(term: str, argument: str) -> str:
    return re.sub(r"\bN\b", argument, term)


@pytest.mark.parametrize("term", UNINTERPRETED)
def test_a_function_without_a_rule_is_only_known_to_be_the_same_function(term: str) -> None:
    anything = body("(n m : Nat)", "True")

    def claim(premise: str, left: str, right: str) -> bool:
        statement = f"{premise} → ({_at(term, left)}) = ({_at(term, right)})"
        return "post_forward" in proved(anything, body("(n m : Nat)", statement))

    assert claim("n = m", "n", "m")
    assert claim("True", "(n + m)", "(m + n + 0)")
    assert not claim("n < m", "n", "m")
    assert not claim("n = m + 1", "n", "m")
