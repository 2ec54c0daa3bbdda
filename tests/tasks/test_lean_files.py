"""VeriCoding and AlgoVeri: contracts cut out of whole Lean files."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from specgen.errors import UserError
from specgen.lean.parser import parse_file
from specgen.tasks._leanfile import chunks, read_contract_file
from specgen.tasks._text import find_head
from specgen.tasks.algoveri import load_algoveri
from specgen.tasks.vericoding import load_vericoding
from tests.tasks.shared_data import shared

FILE = """import Mathlib

open Nat

/-- a tree, `|` in its comment -/
inductive Tree where
  | leaf | node (left right : Tree)

-- how high
def height : Tree → Nat
  | .leaf => 0
  | .node l r => 1 + max (height l) (height r)

def unused : Nat := 3

@[reducible, simp]
def grow_precond (t : Tree) (n : Nat) : Prop :=
  height t < n

-- <vc-definitions>
def grow (t : Tree) (n : Nat) (h_precond : grow_precond t n) : Tree :=
  sorry
-- </vc-definitions>

@[reducible, simp]
def grow_postcond (t : Tree) (n : Nat) (result : Tree) (h_precond : grow_precond t n) : Prop :=
  height result = n

theorem grow_spec_satisfied (t : Tree) (n : Nat) (h : grow_precond t n) : grow_postcond t n (grow t n h) h := by
  sorry
"""


def test_a_contract_is_cut_out() -> None:
    parts = read_contract_file(FILE, "here")
    assert parts.style == "prepost"
    assert parts.imports == ("Mathlib",)
    assert parts.signature.binders() == "(t : Tree) (n : Nat)"
    assert parts.signature.result_type == "Tree"
    assert parts.preamble.startswith("open Nat")
    assert "/-- a tree" in parts.preamble
    assert "height" not in parts.preamble
    (reference,) = parts.references
    assert (reference.precondition, reference.postcondition) == ("grow_precond", "grow_postcond")
    for present in ("def height", "-- how high", "@[reducible, simp]\ndef grow_precond", "def grow_postcond"):
        assert present in reference.text
    for absent in ("unused", "theorem", "sorry", "vc-", "inductive"):
        assert absent not in reference.text
    assert parts.implementation is None
    assert not parse_file(parts.preamble + "\n\n" + reference.text).diagnostics


def test_an_implementation_is_taken_where_there_is_one() -> None:
    parts = read_contract_file(FILE.replace("  sorry\n-- </", "  (if height t < n then t else .leaf)\n-- </"), "here")
    assert parts.implementation is not None
    assert "def grow_precond" in parts.implementation.text
    assert "grow_postcond" not in parts.implementation.text


def test_chunks_lose_nothing_but_comments_at_the_end() -> None:
    pieces = chunks(FILE)
    assert [c.names for c in pieces if c.names][:3] == [("Tree",), ("height",), ("unused",)]
    assert "".join("\n".join(c.text for c in pieces).split()) in "".join(FILE.split())


def test_heads() -> None:
    head = find_head(
        "/- def f -/ def f {α : Type} [BEq α] (xs ys : List α) (h : xs.length = 2 -- why\n) (n : Nat := 3) :\n"
        "  Option (List α)\n  | [], _ => none",
        "f",
    )
    assert head is not None
    assert [(p.name, p.type) for p in head.parameters(("xs.length",))] == [
        ("xs", "List α"),
        ("ys", "List α"),
        ("n", "Nat"),
    ]
    assert head.result_type == "Option (List α)"
    assert head.generic


def test_vericoding_file(tmp_path: Path) -> None:
    path = tmp_path / "lean.jsonl"
    rows = [
        {"id": "A", "source": "own", "source_id": "a", "compiles": True, "lean": FILE},
        {"id": "B", "source": "own", "source_id": "b", "compiles": False, "lean": "theorem t : True := trivial"},
    ]
    path.write_text("".join(json.dumps(r) + "\n" for r in rows), encoding="utf-8")
    loaded = load_vericoding(path)
    (task,) = loaded.tasks
    assert task.metadata["compiles"] == "true"
    assert task.metadata["lean"] == FILE
    assert task.requirement == ""
    assert task.labels.size() == 0
    assert "no function to specify" in loaded.skipped[0].reason
    path.write_text(json.dumps({"id": "A", "lean": FILE}) + "\n", encoding="utf-8")
    with pytest.raises(UserError, match=r"lean\.jsonl:1, field compiles"):
        load_vericoding(path)


def test_algoveri_folder(tmp_path: Path) -> None:
    (tmp_path / "grow").mkdir()
    (tmp_path / "grow" / "lean_spec.lean").write_text(FILE, encoding="utf-8")
    (tmp_path / "grow" / "lean_nl.txt").write_text("Grow the tree.\n", encoding="utf-8")
    (task,) = load_algoveri(tmp_path).tasks
    assert (task.id, task.requirement) == ("algoveri_grow", "Grow the tree.")
    with pytest.raises(UserError, match="lean_spec.lean"):
        load_algoveri(tmp_path / "nothing")


def test_upstream_algoveri() -> None:
    tasks = load_algoveri(shared("algoveri")).tasks
    assert len(tasks) == len(list(shared("algoveri").glob("*/lean_spec.lean")))
    for task in tasks:
        assert task.references
        assert task.requirement
        text = task.context.preamble + "\n\n" + task.references[0].text
        assert not parse_file(text).diagnostics, task.id


def test_upstream_vericoding() -> None:
    loaded = load_vericoding(shared("vericoding_lean.jsonl.gz"))
    assert len(loaded.tasks) + len(loaded.skipped) == 3935
    assert len(loaded.skipped) < 20
    styles = Counter(task.metadata["style"] for task in loaded.tasks)
    assert styles["prepost"] >= 600
    assert styles["relational"] >= 100
    broken = [
        task.id
        for task in loaded.tasks
        if task.references and task.metadata["compiles"] == "true"
        if parse_file(task.context.preamble + "\n\n" + task.references[0].text).diagnostics
    ]
    assert not broken
