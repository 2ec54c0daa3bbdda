"""What elaboration makes of a text: where coercions stand, which instances are chosen, what is erased."""

from __future__ import annotations

import pytest

from specgen.lean import core
from specgen.lean.elab.commands import elaborate_file
from specgen.lean.environment import LeanEnv
from specgen.lean.parser import parse_file


def value(text: str, name: str = "f") -> str:
    parsed = parse_file(text)
    result = elaborate_file(parsed.file, parsed.source, LeanEnv())
    assert [d.message for d in result.diagnostics if d.severity == "error"] == []
    constant = result.environment.get(name)
    assert constant is not None
    body = constant.value
    while isinstance(body, core.Lam):
        body = body.body
    return repr(body)


CASES: tuple[tuple[str, str, str], ...] = (
    ("def f (a b : Nat) : Int := a - b", "Nat.cast Int instNatCastInt", "both leaves are coerced"),
    ("def f (a b : Nat) : Int := (a - b : Nat)", "Nat.cast Int instNatCastInt (HSub.hSub Nat Nat Nat", "one coercion"),
    ("def f (b : Bool) : Prop := b", "(Eq Bool #0 Bool.true)", "a Bool as a Prop"),
    ("def f (a b : Nat) : Bool := a < b", "(Decidable.decide (LT.lt Nat instLTNat", "a Prop as a Bool"),
    ("def f (n : Nat) : Option Nat := n", "(Option.some Nat #0)", "the coercion is unfolded"),
    ("def f (n : Nat) (i : Fin n) : Nat := i", "(Fin.val #1 #0)", "the coercion is unfolded"),
    ("def f (x y : Nat) : Prop := x > y", "(GT.gt Nat instLTNat #1 #0)", "`>` keeps its own name"),
    ("def f (xs : List Nat) (x : Nat) : Prop := x ∈ xs", "(Membership.mem Nat (List Nat)", "the list comes first"),
    ("def f : Int := -1", "(Neg.neg Int Int.instNegInt (OfNat.ofNat Int 1", "a negated numeral"),
    ("def f (p : Nat × Nat) : Nat := p.2", "(Prod.snd Nat Nat #0)", "a numbered projection"),
    ("def f (n : Nat) (h : n > 0) : {m : Nat // m > 0} := ⟨n, h⟩", "(Subtype.mk Nat", "an anonymous constructor"),
    ("def f (xs : List Nat) : Nat := xs[0]!", "GetElem?.getElem! (List Nat) Nat Nat", "indexing through its class"),
    ("def f (x : Nat) : Nat := have h : x = x := rfl; x", "#0", "a proof leaves nothing behind"),
)


@pytest.mark.parametrize(("text", "part", "reason"), CASES, ids=[r for _, _, r in CASES])
def test_core_term(text: str, part: str, reason: str) -> None:
    assert part in value(text), reason


def test_coercions_stand_at_the_leaves() -> None:
    assert value("def f (n : Nat) (x : Int) : Int := x + n * n").count("Nat.cast") == 2


def test_coercion_of_a_list_needs_no_more_than_its_items() -> None:
    assert "Nat.cast" in value("def f (n : Nat) : List Int := [n, 1]")


def test_numerals_wait_for_their_type() -> None:
    assert "OfNat.ofNat Int 0" in value("def f (xs : List Int) : Int := xs.foldl (fun acc x => acc + x) 0")
    assert "OfNat.ofNat Nat 5" in value("def f := 5")
