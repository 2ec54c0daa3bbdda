"""Comparisons end to end: directions, witnesses, relations, statuses."""

from __future__ import annotations

import pickle
from dataclasses import replace
from pathlib import Path

import pytest

from evaluators.contract import ProjectionFailure, reference_contract, text_contract
from evaluators.equivalence import METRICS, EquivalenceOptions, equivalence
from evaluators.equivalence.model import DIRECTIONS, DirectionResult, DirectionStatus, Witness, relations
from evaluators.equivalence.search import Found
from evaluators.equivalence.shrink import Shrinker
from evaluators.equivalence.sides import Judge, NotCompared, candidate_side, reference_side
from evaluators.evidence import Evidence
from specgen.lean.engine import EvalLimits
from specgen.tasks import load_dataset
from specgen.tasks.model import Labels, Pair, Parameter, Signature, Task
from tests.evaluators.equivalence.contracts import INT, LIST, NAT, compared, contract, ends, task

ROOT_POST = "def post (n y : Nat) : Prop := y * y ≤ n ∧ n < (y + 1) * (y + 1)"
ROOT = task(NAT, ROOT_POST, implementation="def impl (n : Nat) : Nat := Nat.sqrt n")
LARGER = task(INT, "def post (x y : Int) : Prop := y > x", implementation="def impl (x : Int) : Int := x + 1")
SORT = task(
    LIST,
    "def post (xs ys : List Int) : Prop := ys.Perm xs ∧ ys.Pairwise (· ≤ ·)",
    implementation="def impl (xs : List Int) : List Int := xs.mergeSort",
)
HALF = task(
    NAT,
    "def pre (n : Nat) : Prop := n % 2 = 0\ndef post (n y : Nat) : Prop := 2 * y = n",
    pre="pre",
    implementation="def impl (n : Nat) : Nat := n / 2",
)


@pytest.mark.parametrize(
    ("body", "wanted", "post"),
    [
        ("y > x", "iiii", "equivalent"),
        ("x < y", "iiii", "equivalent"),
        ("x + 1 ≤ y", "iipp", "equivalent"),
        ("y ≥ x", "iipr", "weaker"),
        ("y = x + 1", "iirp", "stronger"),
        ("True", "iipr", "weaker"),
        ("False", "iirp", "stronger"),
        ("y ≠ x", "iipr", "weaker"),
        ("y < x", "iirr", "incomparable"),
    ],
)
def test_the_controls(body: str, wanted: str, post: str) -> None:
    found = compared(LARGER, contract(f"def post (x y : Int) : Prop := {body}"))
    assert ends(found) == wanted
    assert found.relations.post == post == found.relations.whole
    assert found.relations.pre == "equivalent"


@pytest.mark.parametrize(
    ("pre", "wanted", "relation", "whole"),
    [
        ("n % 2 = 0", "iiii", "equivalent", "equivalent"),
        ("n = n / 2 * 2", "ppii", "equivalent", "equivalent"),
        ("True", "pr", "weaker", "stronger"),  # admits more inputs: a stronger promise
        ("n % 4 = 0", "rp", "stronger", "weaker"),
        ("n % 3 = 0", "rr", "incomparable", "incomparable"),
        ("False", "rp", "stronger", "weaker"),
    ],
)
def test_preconditions(pre: str, wanted: str, relation: str, whole: str) -> None:
    text = f"def pre (n : Nat) : Prop := {pre}\ndef post (n y : Nat) : Prop := 2 * y = n"
    found = compared(HALF, contract(text, pre="pre"))
    assert ends(found)[: len(wanted)] == wanted
    assert found.relations.pre == relation
    assert found.relations.whole == whole


def test_postconditions_count_only_where_the_reference_admits_the_input() -> None:
    text = "def pre (n : Nat) : Prop := n % 2 = 0\ndef post (n y : Nat) : Prop := n % 2 = 0 → 2 * y = n"
    assert ends(compared(HALF, contract(text, pre="pre"))) == "iipp"


def test_a_witness_is_an_input_that_the_reference_admits() -> None:
    text = "def pre (n : Nat) : Prop := 5 ≤ n\ndef post (n y : Nat) : Prop := y = n{}"
    of = task(NAT, text.format(""), pre="pre", implementation="def impl (n : Nat) : Nat := n")
    witness = compared(of, contract(text.format(" + 1"), pre="pre")).result("post_forward").witness
    assert witness is not None
    assert (witness.inputs, witness.output) == (("5",), "5")


def test_a_precondition_that_is_not_known_is_unknown() -> None:
    side = candidate_side(LARGER, contract("def post (x y : Int) : Prop := y > x"))
    assert not isinstance(side, NotCompared)
    judge = Judge(LARGER, EvalLimits())
    values = judge.read_inputs(("3",))
    assert values is not None
    assert judge.pre(side, values) == "holds"
    assert judge.pre(replace(side, form=replace(side.form, unknown="not understood")), values) is None


def test_witnesses_are_small_and_name_the_clause() -> None:
    found = compared(
        SORT, contract("def post (xs ys : List Int) : Prop := ys.Pairwise (· ≤ ·) ∧ ys.length = xs.length")
    )
    witness = found.result("post_backward").witness
    assert witness is not None
    assert witness.inputs == ("[0]",)
    assert witness.output in ("[1]", "[-1]")
    assert (witness.reference, witness.candidate) == ("fails", "holds")
    assert "Perm" in witness.clause
    other = compared(SORT, contract("def post (xs ys : List Int) : Prop := ys.Perm xs ∧ ys.Pairwise (· < ·)"))
    witness = other.result("post_forward").witness
    assert witness is not None
    assert (witness.inputs, witness.output) == (("[0, 0]",), "[0, 0]")
    assert witness.clause == "ys.Pairwise (· < ·)"


def test_a_constant_far_away_is_found() -> None:
    found = compared(ROOT, contract(ROOT_POST + " ∧ n ≠ 1729 ∧ y ≠ 4321"), smt=False)
    witness = found.result("post_forward").witness
    assert witness is not None
    assert (witness.inputs, witness.output) == (("1729",), "41")


def test_the_same_comparison_has_the_same_end() -> None:
    bad = contract("def post (xs ys : List Int) : Prop := ys.length = xs.length ∧ (xs.length > 3 → ys.head? = xs.min?)")
    first, second = compared(SORT, bad), compared(SORT, bad)
    assert [r.witness for r in first.results] == [r.witness for r in second.results]


def test_a_search_ends_where_a_type_has_no_more_values() -> None:
    bools = Signature("f", (Parameter("b", "Bool"),), "Bool")
    of = task(bools, "def post (b y : Bool) : Prop := y = b ∧ ∀ n : Nat, ∃ k > n, Nat.Prime k")
    found = compared(of, contract("def post (b y : Bool) : Prop := y = b"), smt=False)
    assert found.result("post_backward").status == "inconclusive"
    assert found.result("post_backward").tried.stopped == "exhausted"
    assert found.runtime_s < 60


def test_unknown_is_no_witness() -> None:
    """Neither side decides `∀ k, …` of an undecidable kind; nothing may be refuted by that."""
    odd = "∀ k : Nat, ∃ p q : Nat, p > k + y ∧ Nat.Prime p ∧ q = p + 2 ∧ Nat.Prime q"
    found = compared(ROOT, contract(f"def post (n y : Nat) : Prop := {odd}"), wall_s=2.0)
    assert found.result("post_forward").status == "inconclusive"
    assert "no witness" in found.result("post_forward").tried.shown() or found.result("post_forward").tried.unknown


def test_values_of_a_recursive_relational_contract_come_from_one_function() -> None:
    """`impl n = impl (n - 1) + 1` is about two values: both sides are asked about the same function."""
    reference = "def post (impl : Nat → Nat) (n : Nat) : Prop := impl n = n"
    step = "def post (impl : Nat → Nat) (n : Nat) : Prop := if n = 0 then impl n = 0 else impl n = impl (n - 1) + {}"
    of = task(NAT, reference, representation="relational", implementation="def impl (n : Nat) : Nat := n")
    right = compared(of, contract(step.format(1), representation="relational"))
    assert "r" not in ends(right)
    wrong = compared(of, contract(step.format(2), representation="relational"))
    assert ends(wrong)[2:] == "rr"
    alone = task(NAT, reference, representation="relational")
    found = compared(alone, contract(step.format(2), representation="relational"))
    assert found.result("post_forward").status in ("refuted", "inconclusive")  # refuted only where n = 0 tells


def test_guards_are_a_way_of_writing() -> None:
    reference = "def post (impl : Nat → Nat) (n : Nat) : Prop := n % 2 = 0 → 2 * impl n = n"
    of = task(NAT, reference, representation="relational")
    found = compared(of, contract(reference.replace("n % 2 = 0 →", "¬ n % 2 = 0 ∨"), representation="relational"))
    assert found.statements
    assert ends(found) == "prpp"
    assert found.relations.whole == "equivalent"
    narrow = compared(of, contract(reference.replace("n % 2", "n % 4"), representation="relational"))
    assert ends(narrow)[2:] == "pr" or ends(narrow)[2:] == "?r"
    mixed = compared(HALF, contract(reference, representation="relational"))
    assert ends(mixed) == "iiii"
    unguarded = contract("def post (impl : Nat → Nat) (n : Nat) : Prop := 2 * impl n = n", representation="relational")
    assert ends(compared(HALF, unguarded)) == "prrp"


def test_evidence() -> None:
    by_name = {e.metric: e for e in equivalence(LARGER, contract("def post (x y : Int) : Prop := y ≥ x"))}
    assert tuple(by_name) == METRICS
    whole = by_name["equivalence"]
    assert (whole.status, whole.value, whole.scope) == ("observed", 0.0, "refuted")
    assert whole.witness.startswith("post_backward: 0 ↦ 0: reference fails, candidate holds")
    assert "candidate weaker" in whole.message
    assert (by_name["post_forward"].value, by_name["post_backward"].value) == (1.0, 0.0)
    assert by_name["post_backward"].witness == "0 ↦ 0: reference fails, candidate holds; fails: y > x"
    pickle.loads(pickle.dumps(list(by_name.values())))


def statuses(found: list[Evidence]) -> set[str]:
    return {e.status for e in found}


def test_what_cannot_be_compared_has_no_value() -> None:
    no_reference = Task("t", "", NAT, ROOT.context, ROOT.provenance)
    assert statuses(equivalence(no_reference, contract(ROOT_POST))) == {"not_applicable"}
    assert statuses(equivalence(ROOT, contract('def post (n y : Nat) : Prop := y = "a"'))) == {"not_applicable"}
    assert statuses(equivalence(ROOT, contract("def post (n y : Nat) : Prop := noSuch.name n y"))) <= {
        "not_applicable",
        "unsupported",
    }
    assert statuses(equivalence(ROOT, contract("axiom a : False\n" + ROOT_POST))) == {"not_applicable"}
    assert statuses(equivalence(ROOT, contract("def post (n : Nat) (y : Int) : Prop := y = n"))) == {"not_applicable"}
    failure = ProjectionFailure("no_output", "nothing came back")
    assert statuses(equivalence(ROOT, failure)) == {"generation_failure"}
    assert all(e.value is None and e.message for e in equivalence(ROOT, failure))


def test_what_is_left_open_says_what_was_tried() -> None:
    strange = "def post (n y : Nat) : Prop := y = ((List.range (n + 1)).filter (fun k => k * k ≤ n)).length - 1"
    found = {e.metric: e for e in equivalence(ROOT, contract(strange), EquivalenceOptions(wall_s=1.5))}
    whole = found["equivalence"]
    assert (whole.status, whole.value) == ("inconclusive", None)
    assert "no witness among" in whole.message
    assert "z3" in whole.message


def test_hostile_contracts_change_nothing_of_the_reference() -> None:
    flipped = "instance (priority := high) turned : LT Int := ⟨fun a b => Int.lt b a⟩\n"
    found = compared(LARGER, contract(flipped + "def post (x y : Int) : Prop := y > x"))
    assert ends(found) == "iirr"
    shadow = "namespace Z\ndef gt (_ _ : Int) : Prop := True\nend Z\nopen Z in\ndef post (x y : Int) : Prop := gt y x"
    assert ends(compared(LARGER, contract(shadow))) == "iipr"


def test_wrong_witnesses_are_not_confirmed() -> None:
    candidate = contract("def post (x y : Int) : Prop := y ≥ x")
    first, second = reference_side(LARGER, candidate), candidate_side(LARGER, candidate)
    assert not isinstance(first, NotCompared) and not isinstance(second, NotCompared)
    judge = Judge(LARGER, EvalLimits(wall_s=1.0))
    shrinker = Shrinker(first, second, judge)

    def at(x: str, y: str) -> Found:
        values = judge.read_inputs((x,))
        assert values is not None
        return Found(values, judge.read(y, judge.types.result), "labelled")

    assert shrinker.confirm("post_backward", at("3", "4"), EvalLimits()) is None
    assert shrinker.confirm("post_forward", at("3", "3"), EvalLimits()) is None
    small = shrinker.shrink("post_backward", at("-17", "-17"), 5.0)
    assert small.output is not None
    assert (small.inputs[0].data, small.output.data) == (0, 0)


def test_relations_by_table() -> None:
    witness = Witness(("0",), "0", "holds", "fails")

    def of(statuses: str) -> tuple[str, str, str]:
        names: dict[str, DirectionStatus] = {"p": "proved", "r": "refuted", "?": "inconclusive"}
        results = [
            DirectionResult(d, names[c], witness=witness if c == "r" else None)
            for d, c in zip(DIRECTIONS, statuses, strict=True)
        ]
        found = relations(results)
        return found.pre, found.post, found.whole

    assert of("pppp") == ("equivalent", "equivalent", "equivalent")
    assert of("prpp") == ("weaker", "equivalent", "stronger")
    assert of("rppp") == ("stronger", "equivalent", "weaker")
    assert of("ppr?") == ("equivalent", "not decided", "not decided")
    assert of("pprp") == ("equivalent", "stronger", "stronger")
    assert of("prpr") == ("weaker", "weaker", "incomparable")
    assert of("prrp") == ("weaker", "stronger", "stronger")
    assert of("????") == ("not decided", "not decided", "not decided")


def test_a_function_is_written_as_its_label() -> None:
    signature = Signature("f", (Parameter("g", "Nat → Nat"),), "Nat")
    of = task(signature, "def post (g : Nat → Nat) (y : Nat) : Prop := y = g 1")
    labelled = of.with_labels(Labels(accepted=(Pair(("fun k => k + 1",), "2"),)))
    found = compared(labelled, contract("def post (g : Nat → Nat) (y : Nat) : Prop := y = 3 * g 0"))
    witness = found.result("post_forward").witness
    assert witness is not None
    assert (witness.inputs, witness.output) == (("fun k => k + 1",), "2")


CLEVER = {t.id: t for t in load_dataset("clever").tasks}


def test_published_rows() -> None:
    add = "def generated_spec (impl : Int → Int → Int) (x y : Int) : Prop := impl x y = x + y"
    triangle = (
        "def generated_spec (impl : Rat → Rat → Rat) (a h : Rat) : Prop :=\n  0 ≤ a ∧ 0 ≤ h → impl a h = (a * h) / 2"
    )
    for id_, text, wanted in (("clever_53", add, 1.0), ("clever_45", triangle, 0.0)):
        candidate = text_contract(CLEVER[id_], text)
        assert not isinstance(candidate, ProjectionFailure)
        whole = equivalence(CLEVER[id_], candidate)[0]
        assert whole.value == wanted, whole
        assert whole.scope == ("refuted" if wanted == 0 else "proved(normal form)")


def test_references_are_identical_to_themselves() -> None:
    for of in load_dataset("starter").tasks[::9]:
        for source in of.references:
            own = reference_contract(of, source.representation)
            assert own is not None
            assert ends(compared(of, own)) == "iiii", of.id


def test_published_rows_of_verina(shared_data: Path) -> None:
    tasks = {t.id: t for t in load_dataset("verina", path=shared_data / "verina").tasks}
    root = (
        "def generated_spec (impl : Nat → Nat) (N : Nat) : Prop := let r := impl N; r * r ≤ N ∧ N < (r + 1) * (r + 1)"
    )
    unique = (
        "def generated_spec (impl : List Int → List Int) (arr : List Int) : Prop :=\n"
        "  ∃ result : List Int, impl arr = result ∧ result.Nodup ∧ result.Pairwise (fun a b : Int => a < b) ∧\n"
        "    ∀ x : Int, x ∈ result ↔ x ∈ arr"
    )
    found = {}
    for id_, text in (("verina_basic_65", root), ("verina_advanced_81", unique)):
        candidate = text_contract(tasks[id_], text)
        assert not isinstance(candidate, ProjectionFailure)
        found[id_] = compared(tasks[id_], candidate, wall_s=2.5)
    assert ends(found["verina_basic_65"]) == "iiii"
    assert "r" not in ends(found["verina_advanced_81"])  # equivalent, by a theorem on lists that nobody proves here
