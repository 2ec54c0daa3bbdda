"""What parent and child exchange, without Lean: types, values, functions, names, notes, the report."""

from __future__ import annotations

import json
import random

import pytest

from oracle import samples
from oracle.compare import Difference, Outcome, chunks_by_name
from oracle.engine import from_engine, to_engine
from oracle.report import Report
from oracle.symbols import mangle, notes
from oracle.types import BOOL, INT, NAT, Ty, fn, pair

ORDERING = Ty("data", (), -1, "Ordering", "enum", ((), (), ()))
TYPES = [
    NAT,
    INT,
    BOOL,
    Ty("Char"),
    Ty("String"),
    Ty("Float"),
    Ty("Rat"),
    Ty("Int8"),
    Ty("UInt64"),
    Ty("BitVec", (), 9),
    Ty("Fin", (), 5),
    Ty("List", (Ty("Option", (NAT,)),)),
    Ty("Array", (pair(NAT, Ty("String")),)),
    ORDERING,
    Ty("data", (), -1, "Sum", "tagged", ((NAT,), (INT,))),
    Ty("map", (NAT, INT), name="Std.HashMap"),
    Ty("map", (Ty("String"),), name="Std.TreeSet"),
]


@pytest.mark.parametrize("ty", TYPES, ids=str)
def test_values_survive_json_and_the_engine(ty: Ty) -> None:
    rng = random.Random(3)
    for _ in range(60):
        value = samples.sample(rng, ty)
        assert json.loads(json.dumps(value)) == value
        assert from_engine(ty, to_engine(ty, value)) == value
    assert Ty.from_json(json.loads(json.dumps(ty.to_json()))) == ty


def test_a_function_is_the_same_on_both_sides() -> None:
    ty = fn(NAT, NAT, Ty("erased"), BOOL)
    for seed in range(40):
        spec = samples.sample(random.Random(seed), ty)
        here = samples.call(spec, ty, [3, 4])
        assert samples.call(json.loads(json.dumps(spec)), ty, [3, 4]) == here
        assert to_engine(ty, spec)(3)(4)(None) == here


def test_an_empty_type_has_no_sample() -> None:
    with pytest.raises(samples.Uninhabited):
        samples.sample(random.Random(0), Ty("Fin", (), 0))


def test_names_are_mangled_as_lean_does() -> None:
    assert mangle("List.head?") == "l_List_head_x3f"
    assert mangle("List.range'") == "l_List_range_x27"
    assert mangle("Nat.decidable_dvd") == "l_Nat_decidable__dvd"


def test_notes_speak_of_functions_that_the_table_has() -> None:
    known = chunks_by_name()
    found = notes()
    for name in [*found.aliases, *found.slices, *found.skipped, *found.versions, *found.small]:
        assert name in known, name


def test_the_report_counts_and_shows_the_smallest_difference() -> None:
    report = Report()
    report.add(Outcome("List.take", "agrees", cases=9))
    report.add(Outcome("List.drop", "differs", cases=9, differences=[Difference("Nat", "1", "2", "3")]))
    report.add(Outcome("List.Mem", "not comparable", "no compiled function of that name"))
    text = report.text()
    assert report.failed and report.compared == 2
    assert "compared 2 functions on 18 cases: 1 agree" in text
    assert "engine 2" in text and "Lean   3" in text and "no compiled function of that name: 1" in text
