"""Scores over many candidates, against their definitions by enumeration."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluators.aggregate import (
    THRESHOLDS,
    Attempt,
    Denominator,
    Rate,
    attempt,
    attribution,
    coverage,
    harness,
    harness_at,
    pass_at_k,
    passes_at_k,
    share,
    share_among,
    sound_complete,
    task_pass_at_k,
)
from evaluators.checks import Check, ContractChecks, Tri
from evaluators.evidence import Evidence, ItemOutcome, OutcomeName, ratio
from evaluators.scoring import call_failed, evidence_of, no_output
from tests.evaluators.helpers import checks, posts

OUTCOMES: tuple[OutcomeName, ...] = ("holds", "fails", "unknown")
outcome = st.sampled_from(OUTCOMES)


def resolutions(outcomes: Sequence[OutcomeName]) -> Iterator[list[bool]]:
    """All ways in which the unknown outcomes may turn out."""
    for choice in product(*([o == "holds"] if o != "unknown" else [True, False] for o in outcomes)):
        yield list(choice)


def interval(r: Rate) -> tuple[float | None, float | None]:
    return r.lower, r.upper


# pass@k


@pytest.mark.parametrize("n", range(1, 8))
def test_pass_at_k_is_the_share_of_k_subsets_with_a_pass(n: int) -> None:
    for c in range(n + 1):
        samples = [True] * c + [False] * (n - c)
        for k in range(1, n + 1):
            subsets = list(combinations(samples, k))
            assert pass_at_k(n, c, k) == Fraction(sum(any(s) for s in subsets), len(subsets))


@pytest.mark.parametrize(("n", "c", "k"), [(3, 1, 4), (3, 4, 1), (3, -1, 1), (3, 1, 0), (0, 0, 1)])
def test_pass_at_k_refuses_what_it_is_not_defined_for(n: int, c: int, k: int) -> None:
    with pytest.raises(ValueError, match="pass@"):
        pass_at_k(n, c, k)


@given(st.lists(outcome, min_size=1, max_size=7), st.integers(1, 7))
def test_unknown_samples_give_the_interval_of_all_resolutions(outcomes: list[OutcomeName], k: int) -> None:
    rate = task_pass_at_k(outcomes, k)
    if k > len(outcomes):
        assert (rate.status, rate.value, interval(rate)) == ("not_applicable", None, (None, None))
        assert rate.message == f"{len(outcomes)} samples, {k} needed"
        return
    values = [float(pass_at_k(len(r), sum(r), k)) for r in resolutions(outcomes)]
    assert interval(rate) == (min(values), max(values))
    assert rate.value == (min(values) if min(values) == max(values) else None)
    assert rate.unknown == outcomes.count("unknown")


def test_an_unbiased_estimate() -> None:
    """The mean over many draws of n samples is the chance that k samples have a pass."""
    rng = random.Random(5)
    chance, n, k = 0.3, 6, 3
    draws = [float(pass_at_k(n, sum(rng.random() < chance for _ in range(n)), k)) for _ in range(20_000)]
    assert fmean(draws) == pytest.approx(1 - (1 - chance) ** k, abs=0.01)


GOOD = checks(accepted=["hh"], rejected=["hf"], required="h", forbidden="f")
WEAK = checks(accepted=["hh"], rejected=["hh"], required="h", forbidden="h")
OPEN = checks(accepted=["hu"], rejected=["ff"], required="u", forbidden="f")
NO_REJECTED = checks(accepted=["hh"])
ILL = ContractChecks("no", "does not parse")
NOT_OURS = ContractChecks("unsupported", "mutual")


def tried(task: str, sample: int, found: ContractChecks) -> Attempt:
    return attempt(task, sample, evidence_of(found))


def test_passes_over_tasks() -> None:
    attempts = [
        *(tried("a", i, c) for i, c in enumerate([GOOD, WEAK, ILL])),
        *(tried("b", i, c) for i, c in enumerate([WEAK, WEAK, GOOD])),
        *(tried("c", i, c) for i, c in enumerate([WEAK, OPEN, ILL])),
        *(tried("short", i, c) for i, c in enumerate([GOOD])),
        *(tried("unlabelled", i, c) for i, c in enumerate([NO_REJECTED, ILL, NO_REJECTED])),
    ]
    mean, tasks = passes_at_k(attempts, 2)
    assert {t: (r.status, interval(r)) for t, r in tasks.items()} == {
        "a": ("observed", (2 / 3, 2 / 3)),
        "b": ("observed", (2 / 3, 2 / 3)),
        "c": ("inconclusive", (0, 2 / 3)),
        "short": ("not_applicable", (None, None)),
        "unlabelled": ("not_applicable", (None, None)),
    }
    assert (mean.status, mean.value, mean.n, mean.unknown, mean.left_out) == ("inconclusive", None, 3, 1, 2)
    assert list(interval(mean)) == pytest.approx([4 / 9, 2 / 3])
    assert "2 tasks have fewer than 2 samples or no labels" in mean.message
    decided, _ = passes_at_k([a for a in attempts if a.task_id in "ab"], 2)
    assert decided.status == "observed"
    assert decided.value == pytest.approx(2 / 3)
    nothing, _ = passes_at_k(attempts, 9)
    assert (nothing.status, nothing.value, nothing.left_out) == ("not_applicable", None, 5)


def test_passes_refuses_samples_that_are_there_twice() -> None:
    with pytest.raises(ValueError, match="sample 0 of task a is there twice"):
        passes_at_k([tried("a", 0, GOOD), tried("a", 0, GOOD)], 1)
    with pytest.raises(ValueError, match="k is at least 1"):
        passes_at_k([], 0)


def test_what_was_not_measured_is_no_failure() -> None:
    """No output fails; a failed call and an unsupported contract are unknown."""
    attempts = [
        attempt("a", 0, no_output("empty")),
        attempt("b", 0, call_failed("timeout")),
        tried("c", 0, NOT_OURS),
        tried("d", 0, ILL),
        tried("e", 0, GOOD),
        attempt("f", 0, []),
    ]
    _, tasks = passes_at_k(attempts, 1)
    found = {t: interval(r) for t, r in tasks.items()}
    assert found == {"a": (0, 0), "b": (0, 1), "c": (0, 1), "d": (0, 0), "e": (1, 1), "f": (0, 1)}


def test_labels_of_tasks_can_be_told() -> None:
    attempts = [tried("a", 0, ILL), tried("b", 0, ILL)]
    mean, _ = passes_at_k(attempts, 1, scorable={"a"})
    assert (mean.n, mean.left_out, mean.value) == (1, 1, 0.0)
    assert passes_at_k(attempts, 1)[0].n == 2


# Shares


@given(st.lists(st.one_of(st.none(), outcome), max_size=6))
def test_a_share_holds_for_every_resolution(outcomes: list[OutcomeName | None]) -> None:
    rate = share("s", outcomes)
    kept = [o for o in outcomes if o is not None]
    assert (rate.n, rate.left_out) == (len(kept), outcomes.count(None))
    if not kept:
        assert (rate.status, interval(rate)) == ("not_applicable", (None, None))
        return
    values = [sum(r) / len(r) for r in resolutions(kept)]
    assert interval(rate) == (min(values), max(values))
    assert (rate.value is None) == (rate.status == "inconclusive") == (min(values) != max(values))


@given(st.lists(st.tuples(outcome, st.one_of(st.none(), outcome)), max_size=5))
def test_a_share_among_uncertain_members(pairs: list[tuple[OutcomeName, OutcomeName | None]]) -> None:
    rate = share_among("s", pairs, "verifier-accepted")
    kept = [(m, o) for m, o in pairs if o is not None]
    values = []
    for members in resolutions([m for m, _ in kept]):
        for holds in resolutions([o for _, o in kept]):
            chosen = [h for m, h in zip(members, holds, strict=True) if m]
            if chosen:
                values.append(Fraction(sum(chosen), len(chosen)))
    if not values:
        assert (rate.status, rate.value) == ("not_applicable", None)
        return
    assert interval(rate) == (float(min(values)), float(max(values)))
    assert (rate.value is None) == (min(values) != max(values))


# Harness@t


def scored(plus: str, minus: str, clauses: int = 1) -> ContractChecks:
    """One letter a pair: h, f or u, for accepted and rejected pairs."""
    return checks(accepted=list(plus), rejected=list(minus), clauses=("one",) * clauses)


@pytest.mark.parametrize("over", ["attempted", "verifier-accepted"])
def test_harness_against_every_resolution(over: Denominator) -> None:
    rng = random.Random(11)
    for _ in range(60):
        rows = [
            ("".join(rng.choice("hhfu") for _ in range(4)), "".join(rng.choice("hffu") for _ in range(4)))
            for _ in range(2)
        ]
        attempts = [tried(str(i), 0, scored(*row)) for i, row in enumerate(rows)]
        for t in THRESHOLDS:
            rate = harness_at(attempts, t, over)
            values = set()
            unknown = "".join(a + b for a, b in rows).count("u")
            for bits in product("hf", repeat=unknown):
                left = iter(bits)
                met, members = 0, 0
                for a, (plus, minus) in zip(attempts, rows, strict=True):
                    p = [next(left) if x == "u" else x for x in plus]
                    m = [next(left) if x == "u" else x for x in minus]
                    grade = a.evidence["verifier_grade"]
                    if over == "attempted" or grade.value == 1.0:
                        members += 1
                        met += p.count("h") / 4 >= t and m.count("f") / 4 >= t
                if members:
                    values.add(met / members)
            grades = {a.evidence["verifier_grade"].status for a in attempts}
            if grades == {"observed"} and values:
                assert interval(rate) == (min(values), max(values))


def test_harness_names_both_denominators() -> None:
    attempts = [
        tried("good", 0, scored("hhhh", "ffff")),
        tried("half", 0, scored("hhhh", "ffhh")),
        tried("refused", 0, scored("hhhf", "ffff")),
        tried("ill", 0, ILL),
        attempt("silent", 0, no_output("empty")),
    ]
    found = {(r.over, r.name): (r.value, r.n) for r in harness(attempts)}
    assert found == {
        ("verifier-accepted", "Harness@0.25"): (1.0, 2),
        ("verifier-accepted", "Harness@0.50"): (1.0, 2),
        ("verifier-accepted", "Harness@0.75"): (0.5, 2),
        ("verifier-accepted", "Harness@1.00"): (0.5, 2),
        ("attempted", "Harness@0.25"): (0.6, 5),
        ("attempted", "Harness@0.50"): (0.6, 5),
        ("attempted", "Harness@0.75"): (0.4, 5),
        ("attempted", "Harness@1.00"): (0.2, 5),
    }
    with_failed = harness_at([*attempts, attempt("lost", 0, call_failed("timeout"))], 1.0, "attempted")
    assert (with_failed.value, interval(with_failed), with_failed.unknown) == (None, (1 / 6, 2 / 6), 1)


def test_harness_without_rejected_pairs_does_not_apply() -> None:
    rate = harness_at([tried("a", 0, NO_REJECTED)], 0.25, "attempted")
    assert (rate.status, rate.value, rate.left_out) == ("not_applicable", None, 1)


# VERINA's summary


def test_sound_and_complete_in_verinas_terms() -> None:
    """A precondition that admits too much is sound and not complete; a postcondition that does is not sound."""
    too_much = checks(accepted=["hh"], rejected=["hh"], required="hh", forbidden="h")
    too_little = checks(accepted=["hf"], rejected=["ff"], required="hf", forbidden="f")
    attempts = [tried("a", 0, GOOD), tried("b", 0, too_much), tried("c", 0, too_little), tried("d", 0, ILL)]
    pre, post = sound_complete(attempts, "precondition"), sound_complete(attempts, "postcondition")
    assert (pre.sound.value, pre.complete.value, pre.both.value) == (0.5, 0.5, 0.25)
    assert (post.sound.value, post.complete.value, post.both.value) == (0.5, 0.5, 0.25)
    assert [r.n for r in (pre.sound, post.complete, post.both)] == [4, 4, 4]
    open_ = sound_complete([*attempts, tried("e", 0, OPEN)], "precondition")
    assert (open_.sound.status, interval(open_.sound), open_.sound.unknown) == ("inconclusive", (0.4, 0.6), 1)
    assert (open_.complete.status, open_.complete.value) == ("observed", 0.6)
    only = {"R_req": {"a"}, "R_rej": {"a", "b"}, "R+": set[str](), "R-": set[str]()}
    told = sound_complete(attempts, "precondition", only)
    assert (told.sound.n, told.complete.n, told.both.n) == (1, 2, 1)
    assert sound_complete(attempts, "postcondition", only).both.status == "not_applicable"


def test_only_the_part_that_has_labels_is_summarised() -> None:
    found = checks(accepted=["hh"], rejected=["ff"], required="h")
    pre = sound_complete([tried("a", 0, found)], "precondition")
    assert (pre.sound.value, pre.complete.status, pre.both.status) == (1.0, "not_applicable", "not_applicable")


# Coverage


def test_coverage_counts_statuses_and_never_averages_what_is_missing() -> None:
    attempts = [
        tried("a", 0, GOOD),
        tried("b", 0, OPEN),
        tried("c", 0, ILL),
        attempt("d", 0, call_failed("timeout")),
        tried("e", 0, NOT_OURS),
    ]
    found = {c.metric: c for c in coverage(attempts)}
    plus = found["R+"]
    assert (plus.candidates, plus.observed, plus.mean) == (5, 1, 1.0)
    assert dict(plus.statuses) == {
        "observed": 1,
        "inconclusive": 1,
        "not_applicable": 1,
        "generation_failure": 1,
        "unsupported": 1,
    }
    assert (plus.bounded, plus.lower, plus.upper) == (2, 0.5, 1.0)
    assert found["verifier_grade"].mean == pytest.approx((1.0 + 1.0 + 0.0) / 3)
    nothing = coverage([attempt("d", 0, call_failed("timeout"))])[0]
    assert (nothing.observed, nothing.mean, nothing.lower, nothing.upper) == (0, None, None, None)


@given(st.lists(st.lists(outcome, min_size=1, max_size=4), min_size=1, max_size=4))
def test_coverage_bounds_hold_for_every_resolution(rows: list[list[OutcomeName]]) -> None:
    def measured(row: list[OutcomeName]) -> Evidence:
        items = [ItemOutcome(f"i[{n}]", o) for n, o in enumerate(row)]
        return ratio("m", items, "holds", noun="pairs", evaluator="t", version="1")

    (found,) = coverage([attempt(str(i), 0, [measured(row)]) for i, row in enumerate(rows)])
    flat = [o for row in rows for o in row]
    for resolved in resolutions(flat):
        left = iter(resolved)
        mean = fmean(fmean(float(next(left)) for _ in row) for row in rows)
        assert (found.lower or 0.0) - 1e-9 <= mean <= (found.upper or 0.0) + 1e-9


# Attribution


def attributed(rows: list[str], accepted: list[str] | None = None) -> ContractChecks:
    width = len((rows or accepted or [""])[0])
    return checks(accepted=accepted, rejected=rows, clauses=tuple(f"clause {i}" for i in range(width)))


@given(st.integers(1, 3).flatmap(lambda w: st.lists(st.text("hfu", min_size=w, max_size=w), min_size=1, max_size=4)))
def test_redundant_means_that_nothing_changes_without_the_clause(rows: list[str]) -> None:
    found = attribution(attributed(rows))
    for i, clause in enumerate(found.clauses):
        answers = set()
        nothing = set()
        unknown = "".join(rows).count("u")
        for bits in product("hf", repeat=unknown):
            left = iter(bits)
            world = ["".join(next(left) if x == "u" else x for x in row) for row in rows]
            answers.add(all(("f" in row) == ("f" in row[:i] + row[i + 1 :]) for row in world))
            nothing.add(all(row[i] == "h" for row in world))
        for said, truth in ((clause.redundant, answers), (clause.rejects_nothing, nothing)):
            assert said == ("unknown" if len(truth) == 2 else "holds" if truth == {True} else "fails")


def test_each_pair_is_attributed_once() -> None:
    rows = ["ff", "fh", "hf", "hh", "fu", "uh", "uf", "uu"]
    found = attribution(attributed(rows, accepted=["hh", "fh", "hu"]))
    first, second = found.clauses
    name = [f"rejected[{i}]" for i in range(8)]
    assert first.alone == (name[1],)
    assert first.together == (name[0],)
    assert first.alone_or_together == (name[4],)
    assert first.unknown_rejected == (name[5], name[6], name[7])
    assert second.alone == (name[2],)
    assert second.alone_or_together == (name[6],)
    assert found.escaped == (name[3],)
    assert found.undecided == (name[5], name[7])
    assert (first.wrongly, first.unknown_accepted) == (("accepted[1]",), ())
    assert (second.wrongly, second.unknown_accepted) == ((), ("accepted[2]",))
    assert (first.redundant, first.rejects_nothing, first.text) == ("fails", "fails", "clause 0")


def test_twins_are_redundant_each_and_an_idle_clause_is_named() -> None:
    first, twin, idle = attribution(attributed(["ffh", "ffh"])).clauses
    assert [c.redundant for c in (first, twin, idle)] == ["holds", "holds", "holds"]
    assert [c.rejects_nothing for c in (first, twin, idle)] == ["fails", "fails", "holds"]


def test_checks_that_were_stopped_and_known_pairs() -> None:
    """A check whose worker was stopped has no clause outcomes: each clause is unknown there."""
    stopped = Check("rejected[1]", "x", Tri("unknown", "timeout", "stopped"))
    base = attributed(["fh"])
    found = attribution(replace(base, rejected=(*base.rejected, stopped), known=posts("known", ["fh"])))
    assert found.clauses[1].unknown_rejected == ("rejected[1]",)
    assert found.clauses[1].redundant == "unknown"
    assert found.undecided == ("rejected[1]",)
    assert found.clauses[0].wrongly == ("known[0]",)


def test_without_rejected_pairs_nothing_is_said() -> None:
    (clause,) = attribution(checks(accepted=["h"], clauses=("one",))).clauses
    assert (clause.redundant, clause.rejects_nothing) == ("unknown", "unknown")
    assert attribution(ContractChecks("no", "ill")).clauses == ()
