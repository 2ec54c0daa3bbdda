"""The library tables: every chunk elaborates, every primitive has a chunk and the other way round."""

from __future__ import annotations

import re

import pytest

from specgen.lean.environment import LeanEnv
from specgen.lean.library.loader import complete_namespaces, library_for, table_chunks
from specgen.lean.library.prims.registry import primitives

# What the compiler of the evaluator treats itself, or what has no value in this engine.
COMPILED = frozenset(
    [
        "Decidable.decide",
        "and",
        "or",
        "not",
        "xor",
        "cond",
        "ite",
        "dite",
        "rfl",
        "panic",
        "decidableGetElem?",
        "repr",
        "reprStr",
    ]
)

ENVIRONMENTS = {
    "4.18, no imports": LeanEnv((4, 18, 0)),
    "4.18, Mathlib": LeanEnv((4, 18, 0), ("Mathlib",)),
    "4.24, Std": LeanEnv((4, 24, 0), ("Std.Data.HashMap",)),
    "4.24, Mathlib": LeanEnv((4, 24, 0), ("Mathlib",)),
    "newest": LeanEnv((4, 99, 0), ("Mathlib",)),
}


def marked() -> set[str]:
    return {c.name for c in table_chunks() if "prim" in re.findall(r"\w+", c.attributes)}


def test_every_marked_chunk_has_a_primitive() -> None:
    assert marked() - set(primitives()) - COMPILED == set()


def test_every_primitive_has_a_marked_chunk() -> None:
    assert set(primitives()) - marked() == set()


@pytest.mark.parametrize("lean", ENVIRONMENTS.values(), ids=ENVIRONMENTS.keys())
def test_every_chunk_elaborates(lean: LeanEnv) -> None:
    library = library_for(lean)
    assert library.load_all() == []
    assert [name for name in library.chunks if library.constant(name) is None] == []


def test_no_name_is_declared_twice_for_one_version() -> None:
    for lean in ENVIRONMENTS.values():
        seen: dict[str, str] = {}
        for chunk in table_chunks():
            if chunk.known(lean, True):
                assert chunk.name not in seen, f"{chunk.name} in {seen[chunk.name]} and {chunk.table}"
                seen[chunk.name] = chunk.table


@pytest.mark.parametrize(
    ("name", "present", "absent"),
    [
        ("List.enum", (4, 18, 0), (4, 24, 0)),
        ("List.indexOf", (4, 18, 0), (4, 24, 0)),
        ("List.eraseDupsBy", (4, 24, 0), (4, 18, 0)),
        ("Array.replicate", (4, 24, 0), (4, 18, 0)),
    ],
)
def test_names_come_and_go(name: str, present: tuple[int, int, int], absent: tuple[int, int, int]) -> None:
    assert library_for(LeanEnv(present)).constant(name) is not None
    assert library_for(LeanEnv(absent)).constant(name) is None


def test_mathlib_and_std_need_their_imports() -> None:
    plain, std = library_for(LeanEnv()), library_for(LeanEnv(imports=("Std",)))
    mathlib = library_for(LeanEnv(imports=("Mathlib",)))
    assert [lib.constant("Nat.Prime") is not None for lib in (plain, std, mathlib)] == [False, False, True]
    assert [lib.constant("Std.HashMap") is not None for lib in (plain, std, mathlib)] == [False, True, True]


def test_complete_namespaces_are_well_populated() -> None:
    names = [c.name for c in table_chunks()]
    for namespace in complete_namespaces():
        assert sum(n.startswith(namespace + ".") for n in names) >= (5 if namespace in ("Bool", "Prod") else 25), (
            namespace
        )
