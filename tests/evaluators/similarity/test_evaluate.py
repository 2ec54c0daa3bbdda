"""The evidence: a reference is like itself, statuses are honest, examples by hand."""

from __future__ import annotations

import random
import re
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluators.contract import Contract, ProjectionFailure, fields_contract, reference_contract, text_contract
from evaluators.evidence import Evidence
from evaluators.similarity import METRICS, similarity, ted
from evaluators.similarity.atoms import Profile, f1, overlap, words
from evaluators.similarity.nem import nem, normal_text
from specgen.tasks import load_dataset
from specgen.tasks.model import ContractSource, Task
from tests.evaluators.contracts import LARGER

POST = "def larger_postcond (x : Int) (result : Int) : Prop := "
SPEC = "def larger_spec (impl : Int → Int) (x : Int) : Prop := "
TASK = replace(
    LARGER,
    references=(
        ContractSource("prepost", POST + "x < result", "larger_postcond"),
        ContractSource("relational", SPEC + "x < impl x", "larger_spec"),
    ),
)
STARTER = load_dataset("starter").tasks


def measured(text: str, task: Task = TASK, profile: Profile = "full") -> dict[str, Evidence]:
    return {e.metric: e for e in similarity(task, text_contract(task, text), profile)}


def values(text: str, task: Task = TASK, profile: Profile = "full") -> list[float | None]:
    return [e.value for e in measured(text, task, profile).values()]


@pytest.mark.parametrize("profile", ["full", "paper"])
@pytest.mark.parametrize("representation", ["prepost", "relational"])
def test_every_starter_reference_is_like_itself(representation: str, profile: Profile) -> None:
    for task in STARTER:
        contract = reference_contract(task, "prepost" if representation == "prepost" else "relational")
        assert contract is not None
        assert [e.metric for e in similarity(task, contract, profile)] == list(METRICS)
        assert {e.value for e in similarity(task, contract, profile)} == {1.0}, task.id


def test_renaming_parameters_of_starter_references_costs_nothing() -> None:
    renamed = 0
    for task in STARTER:
        reference = reference_contract(task, "relational")
        assert reference is not None
        source = reference.source
        for parameter in task.signature.parameters:
            if re.search(rf"[.']{parameter.name}\b", source) is None:
                source = re.sub(rf"(?<![\w.'])\b{parameter.name}\b(?![\w'!?])", f"{parameter.name}'", source)
                renamed += 1
        scores = {e.metric: e.value for e in similarity(task, replace(reference, source=source))}
        assert scores["gted"] == scores["gted_freecost"] == scores["atom_f1"] == 1.0, task.id
    assert renamed > 60


def test_by_hand() -> None:
    # The reference is <(arg0, result).
    assert values(POST + "x < result") == [1, 1, 1, 1, 1]
    assert values(POST + "x ≤ result") == [0, 1, pytest.approx(2 / 3), pytest.approx(2 / 3), pytest.approx(2 / 3)]
    # <(result, arg0): two variables renamed, or none where variables are all the same.
    assert values(POST + "result < x") == [0, 1, 1, pytest.approx(1 / 3), 1]
    # True has no clause at all.
    assert values(POST + "True") == [0, 1, 0, 0, 0]
    # Two clauses of three nodes each against one.
    assert values(POST + "x < result ∧ x < 9")[2:] == [pytest.approx(6 / 9), pytest.approx(3 / 6), pytest.approx(3 / 6)]


def test_counts_stand_behind_the_values() -> None:
    found = measured(POST + "x < result ∧ x < 9")
    assert (found["gted"].numerator, found["gted"].denominator, found["gted"].scope) == (3, 6, "exact")
    assert (found["atom_f1"].numerator, found["atom_f1"].denominator) == (6, 9)
    assert found["atom_f1"].scope == "exact, profile full"


def test_structured_replies_are_compared_without_what_assembly_adds() -> None:
    made = fields_contract(TASK, {"precond": "True", "postcond": "x < -- larger\n   result"})
    assert isinstance(made, Contract)
    assert [e.value for e in similarity(TASK, made)] == [1, 1, 1, 1, 1]


def test_the_reference_is_taken_in_the_contracts_representation() -> None:
    found = measured(SPEC + "x < impl x")
    assert [e.value for e in found.values()] == [1, 1, 1, 1, 1]
    assert found["gted"].message == ""


def test_across_representations_the_clauses_are_compared() -> None:
    task = replace(TASK, references=TASK.references[:1])
    found = measured(SPEC + "∃ y, impl x = y ∧ x < y", task)
    assert found["NEM"].status == "not_applicable"
    assert found["gted"].value == found["atom_f1"].value == found["signature_f1"].value == 1
    assert "relational against the clauses of a prepost reference" in found["gted"].message
    assert "was opened" in found["gted"].message
    assert measured(SPEC + "x < impl x", task, "paper")["NEM"].value == 0


@pytest.mark.parametrize(
    ("kind", "status"),
    [("no_output", "generation_failure"), ("not_well_formed", "not_applicable"), ("unsupported", "unsupported")],
)
def test_without_a_contract_there_is_no_value(kind: str, status: str) -> None:
    failure = ProjectionFailure(kind, "why")  # type: ignore[arg-type]
    assert [(e.metric, e.status, e.value) for e in similarity(TASK, failure)] == [(m, status, None) for m in METRICS]


def test_without_a_reference_or_without_clauses_there_is_no_value() -> None:
    assert {e.status for e in measured(POST + "x < result", LARGER).values()} == {"not_applicable"}
    assert {e.status for e in measured(POST + "x <").values()} == {"not_applicable"}
    broken = replace(TASK, references=(ContractSource("prepost", POST + "x <", "larger_postcond"),))
    assert {e.status for e in measured(POST + "x < result", broken).values()} == {"unsupported"}


def test_two_empty_signatures() -> None:
    bare = "def larger_spec impl x := x < impl x"
    task = replace(LARGER, references=(ContractSource("relational", bare, "larger_spec"),))
    assert measured(bare, task)["signature_f1"].status == "not_applicable"
    assert measured(bare, task, "paper")["signature_f1"].value == 1


def test_too_large_is_an_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    exact = measured(POST + "x < result ∧ x < 9")["gted"].value
    monkeypatch.setattr(ted, "MAX_WORK", 1)
    found = measured(POST + "x < result ∧ x < 9")["gted"]
    assert found.status == "inconclusive"
    assert exact is not None and found.lower is not None and found.upper is not None
    assert found.lower <= exact <= found.upper


def test_normal_text() -> None:
    assert normal_text("```lean\n/-- doc -/ def  f (x : Nat) : Prop := -- why\n  x =\n 1\n```") == (
        "def (x : Nat) : Prop := x = 1"
    )
    assert normal_text("def f := xs[0]") != normal_text("def f := xs [0]")


def test_nem_knows_the_contracts_name_and_no_other() -> None:
    def made(text: str) -> Contract:
        contract = text_contract(TASK, text)
        assert isinstance(contract, Contract)
        return contract

    helper = "def big (n : Int) : Prop := n > 9\n"
    one = made(helper + SPEC + "big (impl x)")
    assert nem(one, made(helper + "\n\n" + SPEC.replace("larger_spec", "generated_spec") + "big (impl x)"))
    assert not nem(one, made(helper.replace("big", "large") + SPEC + "large (impl x)"))


def test_words_of_the_paper_profile() -> None:
    assert " ".join(words("∀ i, 0 ≤ i → xs.length <= i + 2 ∧ ¬ p")) == "∀ i i → xs.length <= i + ∧ ¬ p"


BAGS = st.lists(st.sampled_from("abc"), max_size=8).map(Counter)


@given(BAGS, BAGS)
def test_f1_is_symmetric_and_bounded(a: Counter[str], b: Counter[str]) -> None:
    assert overlap(a, b) == overlap(b, a) == sum(min(a[u], b[u]) for u in "abc")
    assert f1(a, b) == f1(b, a)
    assert 0 <= f1(a, b) <= 1
    assert (f1(a, b) == 1) == (a == b)


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**6))
def test_similarity_is_symmetric(seed: int) -> None:
    rng = random.Random(seed)
    clauses = ["x < result", "x ≤ result", "∀ k, k < x → k ≠ result", "True"]
    bodies = [" ∧ ".join(rng.choices(clauses, k=3)) for _ in "ab"]
    ways = []
    for one, other in (bodies, bodies[::-1]):
        task = replace(LARGER, references=(ContractSource("prepost", POST + one, "larger_postcond"),))
        ways.append(values(POST + other, task))
    assert ways[0] == ways[1]
    assert all(v is not None and 0 <= v <= 1 for v in ways[0])
