"""Random formulas in Lean over numbers, and over lists, with small grids of values; and small edits of a formula."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

INT, NAT, RAT, LIST, ARRAY, TEXT, PROP = "Int", "Nat", "Rat", "List Nat", "Array Nat", "String", "Prop"


@dataclass(frozen=True, slots=True)
class Setting:
    """A signature, its types, and values for each parameter."""

    signature: str
    types: tuple[str, ...]
    grid: tuple[tuple[str, ...], ...]
    terms: dict[str, tuple[str, ...]]
    """Templates by type; `{Type}` in them is a term of that type, `{c}` a small numeral."""


_LOGIC = (
    "({Prop} ∧ {Prop})", "({Prop} ∨ {Prop})", "¬ {Prop}", "({Prop} → {Prop})", "({Prop} ↔ {Prop})",
    "(if {Prop} then {Prop} else {Prop})", "(∀ j : Nat, j < {c} → {Nat} ≤ {Nat} + j)",
    "(decide ({Nat} < {Nat}) = true)",
    "(∃ j : Nat, j < 3 ∧ {Nat} = {Nat} + j)", "True", "(let v := {Nat}; v = {Nat} ∨ {Prop})",
)  # fmt: skip

NUMBERS = Setting(
    "(a : Int) (n : Nat) (q : Rat) (y : Int)",
    (INT, NAT, RAT, INT),
    (("-3", "-1", "0", "2"), ("0", "1", "3"), ("-1/2", "0", "2"), ("-2", "0", "1", "3")),
    {
        INT: (
            "a", "y", "a", "y", "{c}", "(-{c})", "({Int} + {Int})", "({Int} - {Int})", "({Int} * {Int})",
            "({Int} / {Int})",
            "({Int} % {Int})", "(Int.tdiv {Int} {Int})", "(Int.tmod {Int} {Int})", "(Int.fdiv {Int} {Int})",
            "(Int.fmod {Int} {Int})", "(max {Int} {Int})", "(min {Int} {Int})", "(-{Int})", "(({Nat} : Nat) : Int)",
            "(if {Prop} then {Int} else {Int})", "(Int.sign {Int})", "(Rat.floor {Rat})", "({Int} ^ 2)",
        ),
        NAT: (
            "n", "n", "{c}", "({Nat} + {Nat})", "({Nat} - {Nat})", "({Nat} * {Nat})", "({Nat} / {Nat})",
            "({Nat} % {Nat})",
            "(Int.toNat {Int})", "(Int.natAbs {Int})", "(max {Nat} {Nat})", "(min {Nat} {Nat})", "(Nat.pred {Nat})",
            "(match {Nat} with | 0 => {Nat} | k + 1 => k)", "(Nat.gcd {Nat} {Nat})", "({Nat} ^ 2)",
            "((if {Prop} then some {Nat} else none).getD {Nat})",
            "(match {Int} with | .ofNat k => k | .negSucc k => k)",
        ),
        RAT: (
            "q", "q", "({c} : Rat)", "({Rat} + {Rat})", "({Rat} - {Rat})", "({Rat} * {Rat})", "({Rat} / {Rat})",
            "({Rat}⁻¹)",
            "(({Int} : Int) : Rat)", "(({Nat} : Nat) : Rat)", "(max {Rat} {Rat})", "({Rat} ^ 2)",
        ),
        PROP: (
            *_LOGIC, "({Int} < {Int})", "({Int} ≤ {Int})", "({Int} = {Int})", "({Int} ≠ {Int})", "({Int} ∣ {Int})",
            "({Nat} < {Nat})", "({Nat} ≥ {Nat})", "({Nat} = {Nat})", "({Nat} ∣ {Nat})", "(Even {Int})", "(Odd {Nat})",
            "({Rat} < {Rat})", "({Rat} ≤ {Rat})", "({Rat} = {Rat})", "(({Int} == {Int}) = true)",
            "(match {Nat} with | 0 => {Prop} | k + 1 => k < {Nat})",
        ),
    },
)  # fmt: skip

LISTS = Setting(
    "(xs : List Nat) (zs : Array Nat) (s : String) (k : Nat)",
    (LIST, ARRAY, TEXT, NAT),
    (
        ("[]", "[0]", "[1, 1]", "[2, 0, 1]", "[0, 1, 3]"),
        ("#[]", "#[1]", "#[2, 1, 1]"),
        ('""', '"a"', '"ab0"'),
        ("0", "1", "2"),
    ),
    {
        LIST: (
            "xs", "xs", "xs", "({Array}).toList", "({List} ++ {List})", "({List}).reverse", "(({List}).take {Nat})",
            "(({List}).drop {Nat})", "({List}).tail", "({Nat} :: {List})", "(({List}).map (fun x => x + {Nat}))",
            "(({List}).filter (fun x => x < {Nat}))", "[{Nat}, {Nat}]", "(List.range (min {Nat} 4))", "[]",
            "(List.replicate (min {Nat} 4) {Nat})", "(({List}).set {Nat} {Nat})", "(({List}).concat {Nat})",
            "(({List}).mergeSort)", "(({List}).erase {Nat})", "(({List}).dropLast)", "(s.toList.map Char.toNat)",
            "(match {List} with | [] => {List} | x :: rest => rest ++ [x])", "(({List}).head?.toList)",
        ),
        ARRAY: (
            "zs", "zs", "(({Array}).push {Nat})", "({Array}).reverse", "({Array} ++ {Array})", "({List}).toArray",
            "(({Array}).map (fun x => x * 2))", "(Array.range (min {Nat} 4))", "(({Array}).set! {Nat} {Nat})",
            "(({Array}).filter (fun x => x ≠ {Nat}))", "#[{Nat}, {Nat}]", "#[]",
            "(Array.replicate (min {Nat} 4) {Nat})",
        ),
        TEXT: ("s", "s", "({Text} ++ {Text})", "(({Text}).push 'a')", '"a"', '""',
            "(String.mk ({Text}).toList.reverse)"),
        NAT: (
            "k", "k", "{c}", "({Nat} + {Nat})", "({Nat} - {Nat})", "({List}).length", "({Array}).size",
            "({Text}).length",
            "(({List}).count {Nat})", "(({Array}).count {Nat})", "(({List})[{Nat}]!)", "(({Array})[{Nat}]!)",
            "(({List}).headD {Nat})", "(({List}).getD {Nat} 7)", "({List}).head!", "({List}).getLast!",
            "({Array}).back!",
            "((({List})[{Nat}]?).getD {Nat})", "(({List}).foldl (fun a b => a + b) {Nat})", "({List}).sum",
            "(({Array}).foldl (fun a b => a * 2 + b) {Nat})", "(({List}).head?.getD {Nat})",
            "(({Array}).getD {Nat} 3)",
            "(({List}).getLastD {Nat})", "(({List}).idxOf {Nat})", "(({Text}).toList.head!.toNat)",
            "(match {List} with | [] => {Nat} | [x] => x | x :: y :: _ => x + y)", "(({List}).countP (· < {Nat}))",
        ),
        PROP: (
            *_LOGIC, "({Nat} < {Nat})", "({Nat} ≤ {Nat})", "({Nat} = {Nat})", "({List} = {List})", "({List} ≠ [])",
            "({Array} = {Array})", "({Nat} ∈ {List})", "({Nat} ∈ {Array})", "(({List}).contains {Nat} = true)",
            "(({List}).all (fun x => x < {Nat}) = true)", "(({Array}).any (fun x => x > {Nat}) = true)",
            "({List}).Nodup",
            "(({List}).Pairwise (fun a b => a ≤ b))", "(List.Perm {List} {List})", "(({List}).isPerm {List} = true)",
            "(({List} == {List}) = true)", "(({List}).isEmpty = true)", "(({List}).head? = some {Nat})",
            "({Text} = {Text})",
            "(∀ x ∈ {List}, x < {Nat})", "(∃ x ∈ {List}, x = {Nat})", "(({Array}).contains {Nat} = true)",
            "(∀ i, i < ({List}).length → ({List})[i]! ≤ {Nat})", "(({Text}).isEmpty = true)",
            "('a' ∈ ({Text}).toList)",
            "(match {List} with | [] => {Prop} | x :: rest => x ∈ rest)", "(({List})[{Nat}]? = some {Nat})",
            "(({Text}).all (fun c => c.isDigit) = true)", "(({List}).Sorted (· < ·))",
            "(({Text}).contains 'b' = true)",
            "(({Array}).all (fun x => x ≤ {Nat}) = true)", "(({List}) ⊆ {List})", "(({Array} == {Array}) = true)",
        ),
    },
)  # fmt: skip

_NAMES = {"Int": INT, "Nat": NAT, "Rat": RAT, "List": LIST, "Array": ARRAY, "Text": TEXT, "Prop": PROP}


def formula(setting: Setting, random: Random, depth: int, type_: str = PROP) -> str:
    """Return a random term of a type; at depth 0 only templates without parts."""
    templates = setting.terms[type_]
    if depth <= 0:
        templates = tuple(t for t in templates if "{" not in t.replace("{c}", "")) or ("True",)
    template = random.choice(templates)

    def part(match: re.Match[str]) -> str:
        name = match.group(1)
        return str(random.randrange(4)) if name == "c" else formula(setting, random, depth - 1, _NAMES[name])

    return re.sub(r"\{(\w+)\}", part, template)


_EDITS = (
    ("<", "≤"), ("≤", "<"), ("≤", "="), ("=", "≤"), (" + ", " - "), (" - ", " + "), ("∧", "∨"), ("∨", "∧"),
    ("→", "∧"),
    ("∀", "∃"), ("max", "min"), ("min", "max"), ("0", "1"), ("1", "2"), ("2", "3"), ("3", "0"), (" / ", " % "),
    ("tdiv", "fdiv"), ("fdiv", "ediv"), ("tmod", "emod"), ("xs", "xs.tail"), ("take", "drop"), ("drop", "take"),
    ("zs", "zs.reverse"), ("head!", "getLast!"), ("↔", "→"), ("Even", "Odd"), ("Nodup", "isEmpty"), ("any", "all"),
    ("Perm", "Sublist"), ("¬ ", ""), ("a", "y"), ("n", "2"), (" k", " (k + 1)"), ("count", "idxOf"),
    ("toNat", "natAbs"),
)  # fmt: skip


def edited(text: str, random: Random) -> str:
    """Return a text with one small edit; it may not be well formed."""
    found = [(m.start(), old, new) for old, new in _EDITS for m in re.finditer(_pattern(old), text)]
    if not found:
        return text
    at, old, new = random.choice(found)
    return text[:at] + new + text[at + len(old) :]


def _pattern(old: str) -> str:
    return rf"(?<!\w){re.escape(old)}(?!\w)" if old[0].isalnum() else re.escape(old)


RELATED: tuple[Callable[[str, str, Random], tuple[str, str]], ...] = (
    lambda p, q, r: (p, edited(p, r)),
    lambda p, q, r: (p, edited(edited(p, r), r)),
    lambda p, q, r: (p, q),
    lambda p, q, r: (f"({p}) ∧ ({q})", edited(p, r)),
    lambda p, q, r: (p, f"({edited(p, r)}) ∨ ({q})"),
    lambda p, q, r: (f"({p}) ∧ ({q})", f"({q}) ∧ ({edited(p, r)})"),
    lambda p, q, r: (f"({p}) → ({q})", f"¬ ({edited(q, r)}) → ¬ ({p})"),
)
"""Ways to make two formulas of which one may follow from the other."""


def pair(setting: Setting, random: Random) -> tuple[str, str]:
    """Return two formulas that are worth comparing."""
    first = formula(setting, random, random.choice((1, 2, 2, 3)))
    second = formula(setting, random, random.choice((1, 1, 2)))
    return random.choice(RELATED)(first, second, random)
