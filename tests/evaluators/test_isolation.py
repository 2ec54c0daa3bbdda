"""Candidates cannot harm the run: what exhausts a limit is unknown, and the rest goes on."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from evaluators.isolation import Confined, Confinement, IsolatedChecker, JobError, Stopped, make_checker
from evaluators.scoring import score
from specgen.lean.engine import EvalLimits
from tests.evaluators.contracts import LARGER, fields

BOUNDLESS = EvalLimits(fuel=10**15, cells=10**15, wall_s=10_000.0)
"""Limits that the engine itself would never reach, so that only the confinement can stop a check."""


@pytest.fixture(scope="module")
def confined() -> Iterator[IsolatedChecker]:
    with IsolatedChecker(BOUNDLESS, Confinement(memory_mb=256, check_wall_s=0.2, workers=1)) as checker:
        yield checker


def test_a_confined_check_gives_what_an_unconfined_one_gives() -> None:
    with make_checker(isolate=True) as confined, make_checker(isolate=False) as open_checker:
        for candidate in (fields("result > x"), fields("result >= x", "x > 0"), fields("result +"), fields("sorry")):
            ours, theirs = score(LARGER, candidate, confined), score(LARGER, candidate, open_checker)
            assert [(e.metric, e.status, e.value) for e in ours.evidence] == [
                (e.metric, e.status, e.value) for e in theirs.evidence
            ]


def test_a_check_that_does_not_end_is_unknown_and_the_others_are_decided(confined: IsolatedChecker) -> None:
    hang = "(x = 1 → ((List.range 100000000).foldl (fun a i => (a + i) % 7) 0) < 9) ∧ result > x"
    s = score(LARGER, fields(hang), confined)
    assert s.outcome == "well_formed"
    outcomes = {c.item: c.whole for c in s.checks.accepted}
    assert [outcomes[f"accepted[{i}]"].outcome for i in range(4)] == ["holds"] * 4
    assert outcomes["accepted[4]"].outcome == "unknown"
    assert s.get("R+").value is None
    assert s.get("R+").lower == pytest.approx(4 / 6)


def test_a_check_that_eats_memory_is_unknown(confined: IsolatedChecker) -> None:
    s = score(LARGER, fields("(List.replicate 400000000 x).length > 0 ∧ result > x"), confined)
    assert s.outcome == "well_formed"
    kinds = {c.whole.kind for c in s.checks.accepted}
    assert kinds <= {"memory", "timeout"}
    assert s.get("R+").value is None


@pytest.mark.parametrize(
    "postcond",
    [
        "(" * 100_000,
        "result > x " * 20_000,
        "10 ^ 10 ^ 10 > x",
        "\x00",
        "result > x \u202e\u2066",
        "𝕏" * 5000,
        "\udc80",
    ],
)
def test_hostile_text_ends_in_a_verdict(postcond: str) -> None:
    with make_checker(isolate=True) as checker:
        s = score(LARGER, fields(postcond), checker)
        assert s.outcome in {"not_well_formed", "unsupported", "well_formed"}
        after = score(LARGER, fields("result > x"), checker)
    assert after.get("pass").value == 1.0


@dataclass(frozen=True)
class Square:
    n: int

    def run(self) -> int:
        return self.n * self.n


@dataclass(frozen=True)
class Process:
    def run(self) -> int:
        return os.getpid()


@dataclass(frozen=True)
class Sleep:
    seconds: float

    def run(self) -> str:
        time.sleep(self.seconds)
        return "done"


@dataclass(frozen=True)
class Hog:
    def run(self) -> int:
        return len(b"x" * (3 << 30))


@dataclass(frozen=True)
class Crash:
    def run(self) -> None:
        os._exit(3)


@dataclass(frozen=True)
class Raise:
    def run(self) -> None:
        raise KeyError("missing part")


@dataclass(frozen=True)
class Recurse:
    def run(self) -> int:
        return Recurse().run() + 1


@pytest.fixture(scope="module")
def pool() -> Iterator[Confined]:
    with Confined(memory_mb=256, workers=1) as confined:
        yield confined


def test_a_job_gives_its_result_from_another_process(pool: Confined) -> None:
    assert pool.run(Square(12), 30) == 144
    assert pool.run(Process(), 30) not in (os.getpid(), None)


@pytest.mark.parametrize(("job", "wall_s", "kind"), [(Sleep(600), 0.2, "timeout"), (Hog(), 60, "memory")])
def test_a_job_over_a_limit_is_stopped_and_the_next_one_runs(
    pool: Confined, job: Sleep | Hog, wall_s: float, kind: str
) -> None:
    stopped = pool.run(job, wall_s)
    assert isinstance(stopped, Stopped)
    assert stopped.kind == kind
    assert pool.run(Square(3), 30) == 9


def test_a_process_that_dies_is_no_result(pool: Confined) -> None:
    assert pool.run(Crash(), 30) == Stopped("memory", "its process died, most likely at its limit of 256 MB")


@pytest.mark.parametrize(("job", "words"), [(Raise(), "KeyError: 'missing part'"), (Recurse(), "RecursionError: ")])
def test_a_job_that_raises_keeps_its_worker(pool: Confined, job: Raise | Recurse, words: str) -> None:
    before = pool.run(Process(), 30)
    with pytest.raises(JobError, match=words):
        pool.run(job, 30)
    assert pool.run(Process(), 30) == before
