"""The evaluator: reference equivalence of one contract, in four directions.

Each direction (`model.STATEMENTS`) is, in this order: told by normal forms (`identical`, or `proved(normal form)`);
refuted by a first, short search; proved by z3; refuted by a longer search, which starts from z3's models. What is
left is `inconclusive`, with what was tried. A witness is shrunk, read back from its text, and evaluated once more on
both sides.

How a relational contract is cut into guard and body is a way of writing it: `P → Q` and `¬P ∨ Q` say the same. So
where one side is relational and the preconditions are not known to be equivalent, the directions of postconditions
compare the contracts as whole statements, `P(x) → Q(x, y)`, and decide alone whether the contracts are equivalent;
the directions of preconditions still tell how the guards differ.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from evaluators.contract import Contract, ProjectionFailure
from evaluators.equivalence import normal as normal_forms
from evaluators.equivalence.model import (
    DIRECTIONS,
    STATEMENTS,
    Direction,
    DirectionResult,
    Relations,
    Side,
    Tried,
    relations,
)
from evaluators.equivalence.search import Found, Search, SearchLimits
from evaluators.equivalence.shrink import Shrinker
from evaluators.equivalence.sides import Judge, NotCompared, as_statement, candidate_side, reference_side
from evaluators.equivalence.smt import NotProved, SmtLimits, prove_all
from evaluators.evidence import Evidence, Status, without_value
from specgen.lean.engine import EvalLimits
from specgen.tasks.model import Task

EVALUATOR: Final = "equivalence"
VERSION: Final = "1"
METRICS: Final = ("equivalence", *DIRECTIONS)

_PRE: Final[tuple[Direction, ...]] = ("pre_forward", "pre_backward")
_POST: Final[tuple[Direction, ...]] = ("post_forward", "post_backward")
_STATUS_OF_FAILURE: Final[Mapping[str, Status]] = {
    "no_output": "generation_failure",
    "not_well_formed": "not_applicable",
    "unsupported": "unsupported",
}


@dataclass(frozen=True, slots=True)
class EquivalenceOptions:
    """Limits of one comparison.

    Attributes:
        wall_s: seconds in all, loading apart; the worker should be given some more.
        check_s: seconds that one evaluation of a predicate may take in a search.
        confirm_s: seconds that one evaluation of a final witness may take.
        shrink_s: seconds for making a witness smaller.
        smt: whether z3 is asked.
        smt_s: seconds that z3 may take for one direction.
        inputs, pairs: most inputs, and pairs of input and result, that a search looks at.
        seed: of the search's random values.
    """

    wall_s: float = 5.0
    check_s: float = 0.1
    confirm_s: float = 2.0
    shrink_s: float = 0.5
    smt: bool = True
    smt_s: float = 1.0
    inputs: int = 2000
    pairs: int = 6000
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Comparison:
    """The four directions of a candidate and its reference.

    `statements` tells that those of postconditions are about the contracts as whole statements.
    """

    results: tuple[DirectionResult, ...]
    statements: bool
    relations: Relations
    runtime_s: float = 0.0

    def result(self, direction: Direction) -> DirectionResult:
        """Return one direction."""
        return next(r for r in self.results if r.direction == direction)

    @property
    def deciding(self) -> tuple[DirectionResult, ...]:
        """The directions that decide whether the contracts are equivalent."""
        return tuple([r for r in self.results if not self.statements or r.direction in _POST])


def equivalence(
    task: Task, contract: Contract | ProjectionFailure, options: EquivalenceOptions | None = None
) -> list[Evidence]:
    """Return the evidence for `METRICS`. Untrusted text is elaborated and evaluated: run this in a confined worker.

    `equivalence` is 1 when every direction that decides holds, and 0 when one is refuted; a direction's metric is 1
    when it holds and 0 when it is refuted. The scope says how: `identical`, `proved(…)`, `refuted`.
    """
    if isinstance(contract, ProjectionFailure):
        return _nothing(_STATUS_OF_FAILURE[contract.kind], f"there is no contract: {contract.message}")
    found = compare(task, contract, options)
    return _nothing(found.status, found.message) if isinstance(found, NotCompared) else evidence(found)


def _nothing(status: Status, message: str) -> list[Evidence]:
    return without_value(METRICS, status, message, EVALUATOR, VERSION)


def compare(task: Task, contract: Contract, options: EquivalenceOptions | None = None) -> Comparison | NotCompared:
    """Compare a contract with the task's reference (the one in its representation, where there are two)."""
    options = options or EquivalenceOptions()
    began = time.perf_counter()
    reference = reference_side(task, contract)
    if isinstance(reference, NotCompared):
        return reference
    candidate = candidate_side(task, contract)
    if isinstance(candidate, NotCompared):
        return candidate
    return compare_sides(task, reference, candidate, options, began)


def compare_sides(
    task: Task, reference: Side, candidate: Side, options: EquivalenceOptions, began: float | None = None
) -> Comparison:
    """Compare two sides of one task."""
    began = time.perf_counter() if began is None else began
    run = _Run(task, options)
    relational = reference.relational or candidate.relational
    found = run.directions(reference, candidate, _PRE if relational else DIRECTIONS, 0.4 if relational else 1.0)
    statements = False
    if relational:
        statements = not all(found[d].established for d in _PRE)
        first, second = (as_statement(reference), as_statement(candidate)) if statements else (reference, candidate)
        if first is None or second is None:
            tried = Tried(proof="the contract cannot be written as one statement")
            found |= {d: DirectionResult(d, "inconclusive", tried=tried) for d in _POST}
        else:
            found |= run.directions(first, second, _POST, 1.0)
    results = tuple([found[d] for d in DIRECTIONS])
    return Comparison(results, statements, relations(results, statements), time.perf_counter() - began)


class _Run:
    """One comparison under way: what is left of its time."""

    def __init__(self, task: Task, options: EquivalenceOptions) -> None:
        self.task = task
        self.options = options
        self.deadline = time.perf_counter() + options.wall_s

    @property
    def left_s(self) -> float:
        """Seconds that are left."""
        return max(0.0, self.deadline - time.perf_counter())

    def directions(
        self, reference: Side, candidate: Side, wanted: Iterable[Direction], share: float
    ) -> dict[Direction, DirectionResult]:
        """Decide directions, with a share of the time that is left."""
        options, end = self.options, self.deadline - (1 - share) * self.left_s

        def left() -> float:
            return max(0.0, end - time.perf_counter())

        found, why = self._normal_forms(reference, candidate, wanted)
        open_ = [d for d in wanted if d not in found]
        if not open_:
            return found
        judge = Judge(self.task, EvalLimits(fuel=400_000, cells=40_000, wall_s=options.check_s, search=400))
        limits = SearchLimits(options.inputs, pairs=options.pairs, seed=options.seed)
        search = Search(reference, candidate, judge, limits, open_)
        search.run(min(1.0, 0.3 * left()), quick=True)
        reasons: dict[Direction, str] = {}
        if options.smt and search.state.wanted and left() > 0.05:
            self._solver(reference, candidate, search, found, reasons, left())
        search.run(0.7 * left())
        found |= self._refuted(reference, candidate, judge, search)
        for d in open_:
            if d not in found:
                reason = "; ".join([r for r in (why, reasons.get(d, "")) if r])
                found[d] = DirectionResult(d, "inconclusive", tried=search.state.tried(d, reason))
        return found

    def _normal_forms(
        self, reference: Side, candidate: Side, wanted: Iterable[Direction]
    ) -> tuple[dict[Direction, DirectionResult], str]:
        began = time.perf_counter()
        if _same_text(reference, candidate):
            return {d: DirectionResult(d, "identical") for d in wanted}, ""
        each = min(normal_forms.MAX_WALL_S, 0.2 * self.left_s)
        first, second = normal_forms.normal(reference, each), normal_forms.normal(candidate, each)
        if isinstance(first, str) or isinstance(second, str):
            side, why = ("reference", first) if isinstance(first, str) else ("candidate", second)
            return {}, f"no normal form of the {side}: {why}"
        told = normal_forms.compare(first, second)
        spent = time.perf_counter() - began
        out: dict[Direction, DirectionResult] = {}
        for d in wanted:
            if d in told:
                method = "" if told[d].status == "identical" else "normal form"
                out[d] = DirectionResult(d, told[d].status, method, runtime_s=spent)
        return out, ""

    def _solver(
        self,
        reference: Side,
        candidate: Side,
        search: Search,
        found: dict[Direction, DirectionResult],
        reasons: dict[Direction, str],
        left_s: float,
    ) -> None:
        """Ask z3 for the directions that are open; its models become hints."""
        wanted = [d for d in DIRECTIONS if d in search.state.wanted]
        each = min(self.options.smt_s, 0.6 * left_s / len(wanted))
        answers = prove_all(reference, candidate, wanted, SmtLimits(timeout_s=each, translation_s=0.3 * left_s))
        for d, answer in answers.items():
            if isinstance(answer, NotProved):
                reasons[d] = f"z3: {answer.reason}"
                if answer.hint is not None:
                    search.hints.append(answer.hint)
            else:
                search.state.wanted.discard(d)
                found[d] = DirectionResult(d, "proved", answer.method, runtime_s=answer.seconds)

    def _refuted(
        self, reference: Side, candidate: Side, judge: Judge, search: Search
    ) -> dict[Direction, DirectionResult]:
        """Shrink and confirm the witnesses that were found."""
        out: dict[Direction, DirectionResult] = {}
        shrinker = Shrinker(reference, candidate, judge)
        limits = EvalLimits(cells=1_000_000, wall_s=self.options.confirm_s)
        for d, witness in search.state.found.items():
            small = self._smallest(shrinker, d, witness, search)
            confirmed = shrinker.confirm(d, small, limits) or shrinker.confirm(d, witness, limits)
            if confirmed is not None:
                out[d] = DirectionResult(d, "refuted", witness=confirmed)
        return out

    def _smallest(self, shrinker: Shrinker, direction: Direction, witness: Found, search: Search) -> Found:
        """Shrink a witness, or one that a short search among small values finds, whichever ends up smaller."""
        half = self.options.shrink_s / 2
        best = shrinker.shrink(direction, witness, half)
        if witness.source in ("small", "from inputs") or None in search.inputs:
            return best
        again = Search(*shrinker.sides, shrinker.judge, replace(search.limits, small_first=True), [direction])
        again.run(half, quick=True)
        found = again.state.found.get(direction)
        if found is None:
            return best
        other = replace(shrinker.shrink(direction, found, half), source=witness.source)
        return min(best, other, key=shrinker.weight)


def _same_text(a: Side, b: Side) -> bool:
    """Tell whether two sides are one text with the same names, so that they are the same whatever it says."""
    return (a.program.source, a.program.lean, a.contract.representation, a.form) == (
        b.program.source,
        b.program.lean,
        b.contract.representation,
        b.form,
    )


def evidence(found: Comparison) -> list[Evidence]:
    """Return the evidence of a comparison."""
    deciding = found.deciding
    refuted = next((r for r in deciding if r.status == "refuted"), None)
    message = _summary(found)
    whole = Evidence(EVALUATOR, "inconclusive", evaluator=EVALUATOR, version=VERSION, runtime_s=found.runtime_s)
    if refuted is not None and refuted.witness is not None:
        witness = f"{refuted.direction}: {refuted.witness.shown()}"
        whole = replace(whole, status="observed", value=0.0, scope="refuted", witness=witness)
    elif all(r.established for r in deciding):
        proofs = dict.fromkeys(r.scope for r in deciding if r.status == "proved")
        whole = replace(whole, status="observed", value=1.0, scope=", ".join(proofs) or "identical")
    else:
        open_ = [r for r in deciding if r.status == "inconclusive"]
        message += "; " + "; ".join([f"{r.direction}: {r.tried.shown()}" for r in open_])
    whole = replace(whole, message=message, lower=whole.value, upper=whole.value)
    return [whole, *[_direction(r, found) for r in found.results]]


def _direction(r: DirectionResult, found: Comparison) -> Evidence:
    whole = found.statements and r.direction in _POST
    about = f"{STATEMENTS[r.direction]}" if not whole else _statement(r.direction)
    value = 1.0 if r.established else 0.0 if r.status == "refuted" else None
    return Evidence(
        r.direction,
        "inconclusive" if value is None else "observed",
        value=value,
        lower=value,
        upper=value,
        scope=r.scope,
        runtime_s=r.runtime_s,
        evaluator=EVALUATOR,
        version=VERSION,
        witness=r.witness.shown() if r.witness is not None else "",
        message=about if value is not None else f"{about}: {r.tried.shown()}",
    )


def _statement(direction: Direction) -> str:
    first, second = ("ref", "cand") if direction == "post_forward" else ("cand", "ref")
    return f"(P_{first}(x) → Q_{first}(x, y)) → P_{second}(x) → Q_{second}(x, y)"


def _summary(found: Comparison) -> str:
    r = found.relations
    said = f"candidate {r.whole}" if r.whole != "not decided" else "not decided"
    kind = "statement" if found.statements else "postcondition"
    return f"{said} ({kind}: {r.post}; {'guard' if found.statements else 'precondition'}: {r.pre})"


__all__ = [
    "METRICS",
    "VERSION",
    "Comparison",
    "EquivalenceOptions",
    "compare",
    "compare_sides",
    "equivalence",
    "evidence",
]
