"""The lazy library: what it indexes, what it hides, and that every chunk elaborates."""

from __future__ import annotations

import time

import pytest

from specgen.lean.environment import LeanEnv
from specgen.lean.library.loader import library_for, library_from_text, read_chunks, table_chunks

TABLE = """
-- a comment
class Show (α : Type) where
  shown : α → Nat

instance Nat.instShow : Show Nat := ⟨fun n => n⟩

@[instance]
opaque List.instShow {α : Type} [Show α] : Show (List α)

@[since "4.20.0"]
def fresh (n : Nat) : Nat := n

@[until "4.20.0"]
def stale (n : Nat) : Nat := n

@[mathlib]
def far (n : Nat) : Nat := n

inductive Nat where
  | zero : Nat
  | succ (n : Nat) : Nat

inductive List (α : Type) where
  | nil : List α
  | cons (head : α) (tail : List α) : List α

class Big (α : Type) extends Show α where
  big : α
"""


def test_chunks() -> None:
    chunks = {c.name: c for c in read_chunks(TABLE, "t")}
    assert chunks["Nat.instShow"].provides == ("Show",)
    assert chunks["List.instShow"].provides == ("Show",)
    assert chunks["Big"].provides == ("Show",)
    assert chunks["fresh"].since == (4, 20, 0)


def test_versions_and_imports() -> None:
    old = library_from_text(TABLE, LeanEnv((4, 18, 0)))
    new = library_from_text(TABLE, LeanEnv((4, 20, 0)))
    assert old.constant("fresh") is None and old.constant("stale") is not None
    assert new.constant("fresh") is not None and new.constant("stale") is None
    assert new.constant("far") is None
    assert library_from_text(TABLE, LeanEnv(imports=("Mathlib.Data.Nat.Basic",))).constant("far") is not None


def test_members_come_with_their_type() -> None:
    library = library_from_text(TABLE)
    succ = library.constant("Nat.succ")
    assert succ is not None and succ.kind == "constructor"
    assert library.constant("Nat.nothing") is None
    show = library.constant("Show.shown")
    assert show is not None and show.kind == "projection"
    info = library.inductive("List")
    assert info is not None and info.recursive
    assert [c.name for c in library.instances("Show")] == ["Nat.instShow", "List.instShow", "Big.toShow"]
    assert library.has_namespace("Nat") and not library.has_namespace("Foo")


def test_values_are_elaborated_when_asked_for() -> None:
    library = library_from_text(TABLE + "\ndef broken : Nat := nothingHere\n")
    assert library.constant("broken") is not None and not library.errors
    constant = library.constant("broken")
    assert constant is not None and constant.value is None
    assert library.errors


@pytest.mark.parametrize(
    "env",
    [LeanEnv((4, 18, 0)), LeanEnv((4, 24, 0)), LeanEnv((4, 24, 0), ("Mathlib",)), LeanEnv((4, 24, 0), ("Std",))],
    ids=["4.18", "4.24", "mathlib", "std"],
)
def test_every_chunk_elaborates(env: LeanEnv) -> None:
    assert library_for(env).load_all() == []


def test_names_are_unique_in_every_environment() -> None:
    for env in (LeanEnv((4, 18, 0), ("Mathlib",)), LeanEnv((4, 24, 0), ("Mathlib",))):
        seen: set[str] = set()
        for chunk in table_chunks():
            if chunk.known(env, True):
                assert chunk.name not in seen, chunk.name
                seen.add(chunk.name)


def test_indexing_is_fast() -> None:
    seconds: list[float] = []
    for _ in range(5):
        table_chunks.cache_clear()
        start = time.process_time()
        chunks = table_chunks()
        seconds.append(time.process_time() - start)
    # About 0.01 s on an idle core.
    assert min(seconds) < 0.1 and len(chunks) > 1500
