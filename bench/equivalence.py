"""The equivalence check on contracts whose relation to the reference is known by how they were made.

Rewritten references mean the same: none may be refuted. Spoiled ones mostly do not: none may be found equivalent
whose meaning changed. `python -m bench.equivalence [starter|clever|verina=DIR …] [--pairs N] [--part
rewritten|spoiled]` measures all of it and prints shares and everything that is worth a look; it takes minutes.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from evaluators.contract import Contract, reference_contract, with_preamble
from evaluators.equivalence.evaluate import Comparison, EquivalenceOptions, compare
from evaluators.equivalence.model import Direction
from evaluators.equivalence.rewrite import chains, rewritings
from evaluators.equivalence.search import Search, SearchLimits
from evaluators.equivalence.sides import Judge, NotCompared, as_statement, candidate_side, reference_side
from specgen.errors import UserError
from specgen.lean.engine import EvalLimits
from specgen.tasks import Task, load_dataset
from specgen.tasks.spoil import spoil

OPTIONS = EquivalenceOptions(wall_s=3.0)


@dataclass(frozen=True, slots=True)
class Pair:
    """A contract to compare with its task's reference: how it was made, in a word and in words."""

    task: Task
    kind: str
    done: str
    contract: Contract


def only(task: Task, representation: str) -> Task:
    """Return a task whose reference is the one in a representation."""
    return replace(task, references=tuple([r for r in task.references if r.representation == representation]))


def rewritten(task: Task, seed: int = 0, per_kind: int = 1) -> Iterator[Pair]:
    """Yield rewritten references of a task."""
    for source in task.references:
        contract = reference_contract(task, source.representation)
        if contract is not None:
            one = only(task, source.representation)
            found = (*rewritings(one, contract, seed, per_kind), *chains(one, contract, seed))
            for i, r in enumerate(found):
                kind = "chain" if i == len(found) - 1 and ";" in r.done else r.kind
                yield Pair(one, kind, r.done, r.contract)


def spoiled(task: Task, limit_per_kind: int = 2) -> Iterator[Pair]:
    """Yield spoiled references of a task that still elaborate."""
    for source in task.references:
        try:
            found = spoil(task, source.representation, limit_per_kind=limit_per_kind)
        except UserError:
            continue
        contract = reference_contract(task, source.representation)
        assert contract is not None  # noqa: S101 - it has been spoiled
        for bad in found:
            if bad.kind not in ("ill_typed", "unparsable"):
                text, own_from = with_preamble(task, bad.contract.text)
                new = replace(
                    contract,
                    source=text,
                    own_from=own_from,
                    precondition=bad.contract.precondition,
                    postcondition=bad.contract.postcondition,
                )
                yield Pair(only(task, source.representation), bad.kind, f"{bad.part}: {bad.touched}", new)


def verdict(pair: Pair, options: EquivalenceOptions = OPTIONS) -> tuple[str, Comparison | NotCompared]:
    """Return how a pair ends, in one word, and the comparison."""
    found = compare(pair.task, pair.contract, options)
    if isinstance(found, NotCompared):
        return found.status, found
    if any(r.status == "refuted" for r in found.deciding):
        return "refuted", found
    if all(r.established for r in found.deciding):
        return "identical" if all(r.status == "identical" for r in found.deciding) else "proved", found
    return "inconclusive", found


def tasks_of(names: list[str]) -> list[Task]:
    """Return the tasks of data sets, named as on the command line."""
    out: list[Task] = []
    for name in names:
        kind, _, folder = name.partition("=")
        out += load_dataset(kind, path=Path(folder)).tasks if folder else load_dataset(kind).tasks
    return out


def contradicted(pair: Pair, found: Comparison, wall_s: float) -> list[Direction]:
    """Search for witnesses against directions that are said to hold; there must be none."""
    reference, candidate = reference_side(pair.task, pair.contract), candidate_side(pair.task, pair.contract)
    assert not isinstance(reference, NotCompared) and not isinstance(candidate, NotCompared)  # noqa: S101 - compared
    out: list[Direction] = []
    for part in ("pre", "post"):
        held = [r.direction for r in found.results if r.established and r.direction.startswith(part)]
        sides = (reference, candidate)
        if part == "post" and found.statements:
            whole = [as_statement(side) for side in sides]
            if whole[0] is None or whole[1] is None:
                continue
            sides = (whole[0], whole[1])
        judge = Judge(pair.task, EvalLimits(fuel=400_000, cells=40_000, wall_s=0.1, search=400))
        search = Search(*sides, judge, SearchLimits(seed=1), held)
        search.run(wall_s)
        out += search.state.found
    return out


def measure(pairs: list[Pair], show: set[str], check_s: float = 0.0) -> Counter[tuple[str, str]]:
    """Compare pairs, printing those whose end is in `show`; returns counts by kind and end.

    With `check_s` every direction that is said to hold is searched for a witness for so many seconds.
    """
    counts: Counter[tuple[str, str]] = Counter()
    for n, pair in enumerate(pairs):
        end, found = verdict(pair)
        wrong = contradicted(pair, found, check_s) if check_s and isinstance(found, Comparison) else []
        if wrong:
            print(f"!! CONTRADICTED {pair.task.id} {pair.kind}: {pair.done}: {wrong}", flush=True)
            end = "contradicted"
        counts[pair.kind, end] += 1
        if end in show:
            print(f"## {pair.task.id} {pair.contract.representation} {pair.kind}: {pair.done}: {end}")
            for r in found.results if isinstance(found, Comparison) else ():
                witness = f" {r.witness.shown()}" if r.witness is not None else ""
                print(f"   {r.direction}: {r.status} {r.scope}{witness}", flush=True)
        if n % 100 == 99:
            print(f"… {n + 1} of {len(pairs)}", file=sys.stderr, flush=True)
    return counts


def table(counts: Counter[tuple[str, str]]) -> Iterator[str]:
    """Yield the lines of a table of shares."""
    ends = sorted({end for _, end in counts})
    kinds = sorted({kind for kind, _ in counts})
    yield " | ".join(["kind", "pairs", *ends])
    for kind in [*kinds, "all"]:
        row = {end: sum(n for (k, e), n in counts.items() if e == end and kind in (k, "all")) for end in ends}
        total = sum(row.values())
        yield " | ".join([kind, str(total), *[f"{row[e]} ({row[e] / total:.1%})" for e in ends]])


def rows() -> list[tuple[str, str, str]]:
    """Return the row of `make bench`: comparisons a second over a few rewritten and spoiled starter references."""
    tasks = load_dataset("starter").tasks[::12]
    pairs = [p for t in tasks for p in (*rewritten(t), *spoiled(t, 1))]
    began = time.perf_counter()
    ends = Counter(verdict(p)[0] for p in pairs)
    spent = time.perf_counter() - began
    said = ", ".join(f"{n} {end}" for end, n in sorted(ends.items()))
    return [("equivalence: comparisons", f"{len(pairs) / spent:.1f} a second", f"{len(pairs)} pairs: {said}")]


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("datasets", nargs="*", default=["starter", "clever"])
    parser.add_argument("--pairs", type=int, default=1200, help="most pairs of each part")
    parser.add_argument("--part", choices=("rewritten", "spoiled"), help="one part alone")
    parser.add_argument("--per-kind", type=int, default=1, help="most contracts of a kind for one reference")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--check", type=float, default=0.0, help="seconds to search against what is said to hold")
    given = parser.parse_args()
    tasks = tasks_of(given.datasets)
    odd = {"rewritten": {"refuted", "inconclusive"}, "spoiled": {"identical", "proved", "inconclusive"}}
    for part, show in odd.items():
        if given.part not in (None, part):
            continue
        began = time.perf_counter()
        pairs = [
            p
            for t in tasks
            for p in (rewritten(t, given.seed, given.per_kind) if part == "rewritten" else spoiled(t, given.per_kind))
        ]
        random.Random(given.seed).shuffle(pairs)
        counts = measure(pairs[: given.pairs], show, given.check)
        spent = time.perf_counter() - began
        print(f"\n{part}: {sum(counts.values())} pairs in {spent:.0f} s", *table(counts), sep="\n")


if __name__ == "__main__":
    main()
