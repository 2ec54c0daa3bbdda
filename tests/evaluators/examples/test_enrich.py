"""Enrichment of tasks: what is made, what is dropped and counted, and what makes nothing."""

from __future__ import annotations

import json
import pickle
from dataclasses import replace
from multiprocessing.reduction import ForkingPickler
from types import MappingProxyType

import pytest

import evaluators.jobs  # noqa: F401 - tells pickle how a task's metadata travels
from evaluators.examples import EnrichJob, EnrichOptions, enrich
from evaluators.examples.model import LabelKind
from evaluators.examples.reference import MAX_TEXT, Reference, Unwritable
from specgen.errors import UserError
from specgen.lean.engine import EvalLimits
from specgen.tasks.model import Labels, Task
from tests.evaluators.examples.audit import audit
from tests.evaluators.examples.tasks import FIRST, LARGER, PLACES, SHAPES, pairs, task

EXTEND = EnrichOptions(mode="extend")

ROTATE = task(
    "turned",
    "c : Colour; box : Box",
    "Colour × Tree",
    "result.1 ≠ c ∧ result.2 = Tree.node Tree.leaf box.size Tree.leaf",
    pre="box.size > 0",
    body="(match c with | .red => .green | .green => .blue | .blue => .red, Tree.node .leaf box.size .leaf)",
    preamble=SHAPES,
    labels=Labels(
        accepted=pairs(
            ("Colour.red", 'Box.mk 2 ["a"]', "(Colour.green, Tree.node Tree.leaf 2 Tree.leaf)"),
            ("Colour.blue", "⟨1, []⟩", "(.red, .node .leaf 1 .leaf)"),
        ),
        required=(("Colour.green", '{ size := 3, tags := ["b"] }'),),
    ),
)

RELATIONAL = task(
    "halved",
    "n : Int",
    "Int",
    "",
    body="n / 2",
    relational="n % 2 = 0 → ∃ r, impl n = r ∧ 2 * r = n",
    labels=Labels(accepted=pairs(("4", "2"), ("-6", "-3"), ("0", "0")), required=(("4",), ("-6",), ("0",))),
)

ALL = [LARGER, FIRST, PLACES, ROTATE, RELATIONAL]


@pytest.mark.parametrize("one", ALL, ids=lambda t: t.id)
@pytest.mark.parametrize("seed", [0, 7])
def test_everything_made_is_decided_by_the_reference_and_new(one: Task, seed: int) -> None:
    found = enrich(one, EnrichOptions(mode="extend", seed=seed))
    assert audit(one, found) == []
    assert found.tallies["rejected"].generated >= 6
    assert found.tallies["accepted"].generated > 0
    assert found.tallies["required"].generated > 0


@pytest.mark.parametrize("one", ALL, ids=lambda t: t.id)
def test_the_same_task_and_seed_give_the_same(one: Task) -> None:
    assert enrich(one, EXTEND) == enrich(one, EXTEND)
    assert enrich(one, EXTEND).made() != enrich(one, EnrichOptions(mode="extend", seed=1)).made()
    assert enrich(one, EXTEND).made() != enrich(replace(one, id="another"), EXTEND).made()


def test_mutants_that_are_right_are_dropped_and_counted() -> None:
    found = enrich(LARGER, EXTEND)
    assert found.tallies["rejected"].equivalent > 0
    assert all(int(p.output) <= int(p.inputs[0]) for p in found.made().rejected)


def test_another_accepted_output_is_no_mutant_even_where_the_reference_would_not_know() -> None:
    found = enrich(PLACES, replace(EXTEND, per_pair=30))
    made = {(p.inputs, p.output) for p in found.made().rejected}
    assert (("[1, 2, 2, 3]", "2"), "some 2") not in made
    assert (("[1, 2, 2, 3]", "2"), "some 0") in made
    assert (("[1, 2, 2, 3]", "2"), "none") in made


UNDECIDED = task(
    "undecided",
    "n : Nat",
    "Nat",
    "result = n ∨ (result > n + 1 ∧ ∃ f : Nat → Nat, ∀ k, f (f k) = k + result)",
    body="n",
    labels=Labels(accepted=pairs(("3", "3"), ("5", "5"), ("9", "9"))),
)


def test_what_the_reference_cannot_decide_is_dropped_and_counted() -> None:
    found = enrich(UNDECIDED, EXTEND)
    assert found.tallies["rejected"].undecided > 0
    assert all(int(p.output) <= int(p.inputs[0]) + 1 for p in found.made().rejected)
    assert audit(UNDECIDED, found) == []


def test_an_accepted_output_is_equivalent_also_where_the_reference_cannot_decide_it() -> None:
    labels = Labels(accepted=pairs(("5", "5"), ("5", "7"), ("5", "8"), ("5", "10")))
    found = enrich(UNDECIDED.with_labels(labels), EXTEND)
    assert found.tallies["rejected"].equivalent > 0
    doubtful = {f"accepted[{i}]" for i in (1, 2, 3)}
    assert not doubtful & {o.source for o in found.origins["rejected"]}


def test_a_result_that_is_labelled_as_rejected_is_not_accepted() -> None:
    odd = task("undecided", "n : Nat", "Nat", "True", body="if n = 4 then 7 else n")
    one = replace(UNDECIDED, implementation=odd.implementation)
    labels = replace(UNDECIDED.labels, rejected=pairs(("4", "7")))
    assert ("4", "7") in [(*p.inputs, p.output) for p in enrich(one, EXTEND).made().accepted]
    assert ("4", "7") not in [(*p.inputs, p.output) for p in enrich(one.with_labels(labels), EXTEND).made().accepted]


def test_an_unknown_precondition_gives_no_inputs() -> None:
    one = replace(
        LARGER,
        id="unknown_pre",
        references=task(
            "larger", "x : Int", "Int", "result > x", pre="x < 2 ∧ ∃ f : Nat → Nat, ∀ k, f (f k) = k + 7"
        ).references,
    )
    found = enrich(one, EXTEND)
    assert found.made().required == found.made().forbidden[:0] == ()
    assert found.tallies["required"].undecided > 0
    assert found.tallies["forbidden"].undecided > 0
    assert all(int(x[0]) >= 2 for x in found.made().forbidden)


def test_a_literally_true_precondition_forbids_nothing_and_costs_nothing() -> None:
    found = enrich(LARGER, EXTEND)
    assert found.made().forbidden == ()
    assert found.reasons["forbidden"] == "the precondition is True"
    assert found.tallies["forbidden"].tried == 0


def test_forbidden_inputs_are_refused_ones_at_the_boundary() -> None:
    made = enrich(FIRST, EXTEND).made().forbidden
    assert ("[]", "0") not in made
    assert any(x[1] == str(x[0].count(",") + 1) for x in made)


def test_the_guard_of_a_relational_reference_is_its_precondition() -> None:
    made = enrich(RELATIONAL, EXTEND).made()
    assert made.forbidden and all(int(x[0]) % 2 == 1 for x in made.forbidden)
    assert all(int(x[0]) % 2 == 0 for x in made.required)


def test_a_relational_reference_that_asks_nothing_of_inputs_does_not_lead_beyond_the_examples() -> None:
    one = task(
        "doubled",
        "n : Nat",
        "Nat",
        "",
        body="2 * n",
        relational="impl n = 2 * n",
        labels=Labels(accepted=pairs(("4", "8"), ("9", "18"), ("6", "12"))),
    )
    made = enrich(one, EXTEND).made()
    assert made.required and all(4 <= int(x[0]) <= 9 for x in made.required)


# ------------------------------------------------------------------------------------------------- what makes nothing


@pytest.mark.parametrize(
    ("one", "reason"),
    [
        (replace(LARGER, references=()), "the task has no reference contract"),
        (replace(LARGER, metadata=MappingProxyType({"reference_fault": "it is wrong"})), "the reference is at fault"),
        (LARGER.with_labels(replace(LARGER.labels, rejected=pairs(("1", "5")))), "accepts rejected[0]"),
        (LARGER.with_labels(replace(LARGER.labels, accepted=pairs(("1", "5"), ("1", "0")))), "rejects accepted[1]"),
        (FIRST.with_labels(replace(FIRST.labels, required=(("[1]", "1"),))), "refuses required[0]"),
        (FIRST.with_labels(replace(FIRST.labels, forbidden=(("[1]", "0"),))), "admits forbidden[0]"),
        (replace(LARGER, references=task("larger", "x : Int", "Int", "result > y").references), "cannot be used"),
        (replace(LARGER, references=task("larger", "x : Nat", "Int", "result > x").references), "cannot be used"),
    ],
)
def test_a_reference_that_is_lacking_or_at_fault_makes_nothing(one: Task, reason: str) -> None:
    found = enrich(one, EXTEND)
    assert found.made() == Labels()
    assert found.task == one
    assert all(reason in found.reasons[kind] for kind in ("accepted", "rejected", "required", "forbidden"))


def test_without_labels_there_is_nothing_to_go_by() -> None:
    assert enrich(LARGER.with_labels(Labels()), EXTEND).made() == Labels()


def test_an_implementation_that_contradicts_the_labels_gives_no_results() -> None:
    one = replace(LARGER, implementation=task("larger", "x : Int", "Int", "True", body="x - 1").implementation)
    found = enrich(one, EXTEND)
    assert found.made().accepted == ()
    assert "does not give accepted[0]" in found.reasons["accepted"]
    assert found.made().required and found.made().rejected


def test_results_that_the_reference_rejects_are_dropped_as_inconsistent() -> None:
    body = "if x < 2 then x + 1 else x"
    one = replace(LARGER, implementation=task("larger", "x : Int", "Int", "True", body=body).implementation)
    found = enrich(one, replace(EXTEND, required=40, accepted=40))
    assert found.tallies["accepted"].inconsistent > 0
    assert all(int(p.inputs[0]) < 2 for p in found.made().accepted)
    assert all(int(x[0]) < 2 for x in found.made().required)


def test_results_that_are_not_there_in_time_are_dropped() -> None:
    body = "if x < 2 then x + 1 else Int.ofNat ((List.range 1000000).foldl (fun a b => a + b) 0)"
    one = replace(LARGER, implementation=task("larger", "x : Int", "Int", "True", body=body).implementation)
    found = enrich(one, replace(EXTEND, required=40, accepted=40))
    assert found.tallies["accepted"].unfinished > 0
    assert all(int(p.inputs[0]) < 2 for p in found.made().accepted)


def test_results_that_the_reference_cannot_decide_stay_and_are_not_confirmed() -> None:
    one = replace(
        UNDECIDED,
        implementation=task("undecided", "n : Nat", "Nat", "True", body="if n = 4 then 7 else n").implementation,
    )
    found = enrich(one, EXTEND)
    origins = dict(zip(found.made().accepted, found.origins["accepted"], strict=True))
    doubtful = [p for p, o in origins.items() if not o.confirmed]
    assert [p.inputs for p in doubtful] == [("4",)]
    assert all(p.inputs != ("4",) for p in found.made().rejected)


def test_a_contract_without_implementation_still_gives_inputs_and_mutants() -> None:
    found = enrich(replace(FIRST, implementation=None), EXTEND)
    assert found.made().accepted == ()
    assert found.made().required and found.made().rejected and found.made().forbidden
    assert found.reasons["accepted"] == "the task has no reference implementation"


@pytest.mark.parametrize(
    ("result", "post", "body", "output", "reason"),
    [
        ("Unit", "True", "()", "()", "Unit"),
        ("Nat → Nat", "result 0 = n", "fun _ => n", "fun _ => 3", "a function"),
    ],
)
def test_results_that_have_no_mutants(result: str, post: str, body: str, output: str, reason: str) -> None:
    one = task("odd", "n : Nat", result, post, body=body, labels=Labels(accepted=pairs(("3", output))))
    found = enrich(one, EXTEND)
    assert found.made().rejected == ()
    assert reason in found.reasons["rejected"]


def test_a_function_among_the_parameters_is_taken_from_an_example() -> None:
    one = task(
        "applied",
        "f : Nat → Nat; n : Nat",
        "Nat",
        "result = f n",
        pre="n < 9",
        body="f n",
        labels=Labels(accepted=pairs(("fun x => x + 1", "2", "3"), ("fun x => 2 * x", "5", "10"))),
    )
    made = enrich(one, EXTEND).made()
    assert made.accepted and made.rejected and made.forbidden
    assert {p.inputs[0] for p in made.accepted} <= {"fun x => x + 1", "fun x => 2 * x"}


# ------------------------------------------------------------------------------------------------------------- options


def test_off_makes_nothing() -> None:
    found = enrich(FIRST, EnrichOptions(mode="off"))
    assert found.task == FIRST
    assert found.made() == Labels()
    assert dict(found.reasons) == {}


def test_fill_makes_only_what_is_lacking() -> None:
    assert enrich(FIRST, EnrichOptions(mode="fill")).made() == Labels()
    lacking = FIRST.with_labels(replace(FIRST.labels, rejected=(), forbidden=()))
    made = enrich(lacking, EnrichOptions(mode="fill")).made()
    assert made.rejected and made.forbidden
    assert made.accepted == () and made.required == ()


def test_required_inputs_alone_give_accepted_pairs() -> None:
    one = FIRST.with_labels(Labels(required=FIRST.labels.required))
    found = enrich(one, EnrichOptions(mode="fill"))
    assert ("[9, 9, 1]", "2") in [p.inputs for p in found.made().accepted]
    assert found.origins["accepted"][0].kind == "reference"
    assert found.origins["accepted"][0].source == "required[0]"
    assert found.made().rejected


@pytest.mark.parametrize("kind", ["accepted", "rejected", "required", "forbidden"])
def test_totals_include_the_tasks_own_labels(kind: LabelKind) -> None:
    have = len(getattr(FIRST.labels, kind))
    for total in (0, have, have + 1, have + 3):
        found = enrich(FIRST, replace(EXTEND, **{str(kind): total}))  # type: ignore[arg-type]
        assert found.tallies[kind].generated == max(0, total - have)


def test_mutants_are_spread_over_the_pairs() -> None:
    found = enrich(FIRST, replace(EXTEND, rejected=len(FIRST.labels.rejected) + 3))
    assert len({o.source for o in found.origins["rejected"]}) == 3


def test_tries_are_bounded_and_said() -> None:
    found = enrich(FIRST, replace(EXTEND, tries=3, forbidden=50, required=50))
    assert all(found.tallies[k].tried <= 3 for k in ("rejected", "required", "forbidden"))
    assert "3 tries" in found.reasons["forbidden"]


def test_excluded_labels_are_not_made() -> None:
    first = enrich(FIRST, EXTEND)
    again = enrich(FIRST, EXTEND, exclude=first.made())
    for kind in ("accepted", "rejected", "required", "forbidden"):
        assert not set(getattr(first.made(), kind)) & set(getattr(again.made(), kind))
        assert again.tallies[kind].duplicate > 0 or not getattr(first.made(), kind) or kind == "accepted"
    assert again.made().rejected


@pytest.mark.parametrize("wrong", [{"mode": "all"}, {"per_pair": -1}, {"rejected": -1}, {"tries": -2}])
def test_options_that_make_no_sense_are_the_users_mistake(wrong: dict[str, object]) -> None:
    with pytest.raises(UserError):
        EnrichOptions(**wrong)  # type: ignore[arg-type]


# --------------------------------------------------------------------------------------------------------- the record


def test_made_labels_are_told_from_the_data_sets() -> None:
    found = enrich(FIRST, EXTEND)
    assert found.origin("rejected", 0) is None
    mutant = found.origin("rejected", 1)
    assert mutant is not None and mutant.kind == "mutant" and mutant.source.startswith("accepted[")
    with pytest.raises(IndexError):
        found.origin("rejected", len(found.task.labels.rejected))


def test_a_mutants_source_names_the_pair_that_it_was_made_from() -> None:
    found = enrich(FIRST, EXTEND)
    for pair, origin in zip(found.made().rejected, found.origins["rejected"], strict=True):
        source = found.task.labels.accepted[int(origin.source[9:-1])]
        assert source.inputs == pair.inputs and source.output != pair.output


def test_the_record_is_json_and_complete() -> None:
    record = json.loads(json.dumps(enrich(PLACES, EXTEND).record()))
    assert record["task"] == "place"
    assert record["options"]["seed"] == 0
    assert record["tallies"]["rejected"]["generated"] == len(record["origins"]["rejected"]) > 0


def test_a_job_travels_to_a_worker_and_back() -> None:
    job: EnrichJob = pickle.loads(ForkingPickler.dumps(EnrichJob(FIRST, EXTEND)))  # noqa: S301 - our own bytes
    found = pickle.loads(ForkingPickler.dumps(job.run()))  # noqa: S301
    assert found.made() == enrich(FIRST, EXTEND).made()
    assert found.origin("rejected", 1) == enrich(FIRST, EXTEND).origin("rejected", 1)


# -------------------------------------------------------------------------------------------------------- large labels


@pytest.mark.parametrize("output", ["10 ^ 6000", "3"])
def test_values_too_long_for_a_label_are_left_alone(output: str) -> None:
    one = task(
        "long",
        "xs : List Nat",
        "Nat",
        f"result = {output}",
        labels=Labels(accepted=pairs((f"[{', '.join(['1'] * 3000)}]", output), ("[]", output))),
    )
    made = enrich(one, EXTEND, EvalLimits(fuel=300_000)).made()
    assert all(len(text) <= 2_000 for x in made.required for text in x)
    assert all(len(p.output) <= 2_000 for p in made.rejected)


def test_values_that_do_not_read_back_as_themselves_are_unwritable(monkeypatch: pytest.MonkeyPatch) -> None:
    reference = Reference(LARGER, EvalLimits())
    (type_,) = reference.session.types.inputs
    assert reference.made(reference.result, 5, type_).text == "5"
    with pytest.raises(Unwritable):
        reference.made(reference.result, 10**MAX_TEXT, type_)
    with pytest.raises(Unwritable):
        reference.made(reference.result, 10**5000, type_)
    monkeypatch.setattr("evaluators.examples.reference.show", lambda kind, value: str(value + 1))
    with pytest.raises(Unwritable):
        reference.made(reference.result, 5, type_)
