"""The comparison: every function of the library table, on both sides, over random and edge values."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from oracle import samples
from oracle.client import Child, Died
from oracle.engine import Side, from_engine, to_engine
from oracle.plans import NotComparable, Plan, plans_of
from oracle.symbols import LEAN_VERSION, mangle, notes
from oracle.types import Neutral, Ty
from specgen.lean.elab.context import ElabError
from specgen.lean.elab.whnf import IllTyped
from specgen.lean.eval.runtime import Unknown
from specgen.lean.library.loader import Chunk, table_chunks

KINDS: Final = frozenset({"def", "abbrev", "opaque", "instance"})
_TRIES_PER_CASE: Final = 12
_SURE: Final = 5
"""A function counts as compared when at least so many cases were (or all there are, for few arguments)."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One case on which the two sides differ."""

    types: str
    arguments: str
    engine: str
    lean: str


@dataclass(slots=True)
class Outcome:
    """What became of one function.

    `status` is `agrees`, `differs`, `version` (differs, a documented difference of Lean version) or `not comparable`;
    `undecided` counts cases that the engine left open.
    """

    name: str
    status: str
    reason: str = ""
    symbol: str = ""
    cases: int = 0
    undecided: int = 0
    differences: list[Difference] = field(default_factory=list)


def chunks_by_name() -> dict[str, Chunk]:
    """Return the functions of the table, each in the newest version of it that the wheel's Lean is not older than."""
    found: dict[str, Chunk] = {}
    for chunk in table_chunks():
        if chunk.kind in KINDS and not (chunk.since and chunk.since > LEAN_VERSION):
            old = found.get(chunk.name)
            if old is None or not chunk.until or (old.until and chunk.until > old.until):
                found[chunk.name] = chunk
    return found


def version_of(chunk: Chunk) -> tuple[int, int, int]:
    """Return the Lean version to load the function in: the wheel's, or the last one that has it."""
    if chunk.until and chunk.until <= LEAN_VERSION:
        return (4, chunk.until[1] - 1, 0)
    return LEAN_VERSION


def symbol_candidates(name: str) -> tuple[str, ...]:
    """Return the names that the compiled function may have, the boxed one first."""
    plain = mangle(notes().aliases.get(name, name))
    return (f"{plain}___boxed", plain)


class Comparison:
    """Compares functions one by one with one child."""

    def __init__(self, child: Child, seed: int, cases: int) -> None:
        self.child = child
        self.seed = seed
        self.cases = cases
        self.chunks = chunks_by_name()
        self._sides: dict[tuple[int, int, int], Side] = {}
        self._symbols: dict[str, bool] = {}

    def side(self, version: tuple[int, int, int]) -> Side:
        """Return the engine's library of a version."""
        if version not in self._sides:
            self._sides[version] = Side(version)
        return self._sides[version]

    def run(self, wanted: Callable[[str], bool]) -> Iterator[Outcome]:
        """Compare the functions whose name is wanted, in order of name."""
        names = sorted(filter(wanted, self.chunks))
        candidates = [s for name in names for s in symbol_candidates(name)]
        self._symbols = dict(zip(candidates, self.child.has(candidates), strict=True))
        for name in names:
            yield self.one(self.chunks[name])

    def one(self, chunk: Chunk) -> Outcome:
        """Compare one function."""
        name = chunk.name
        symbol = next((s for s in symbol_candidates(name) if self._symbols.get(s)), "")
        outcome = Outcome(name, "not comparable", symbol=symbol)
        if name in notes().skipped:
            outcome.reason = notes().skipped[name]
            return outcome
        if not symbol:
            outcome.reason = "no compiled function of that name" + (" (Mathlib)" if chunk.mathlib else "")
            return outcome
        side = self.side(version_of(chunk))
        constant = side.env.get(name)
        if constant is None:
            outcome.reason = "the table does not load it"
            return outcome
        try:
            plans = plans_of(side, constant)
        except NotComparable as error:
            outcome.reason = str(error)
            return outcome
        except (ElabError, IllTyped, Unknown) as error:
            outcome.reason = f"the engine does not compile it: {error}"
            return outcome
        for i, plan in enumerate(plans):
            if not self._compare(outcome, plan, random.Random(f"{self.seed}:{name}:{i}"), self.cases // len(plans)):
                return outcome
        return self._conclude(outcome)

    def _conclude(self, outcome: Outcome) -> Outcome:
        if outcome.cases == 0 and not outcome.differences:
            outcome.reason = outcome.reason or "the engine decides no case"
        elif not outcome.differences:
            outcome.status = "agrees"
        elif outcome.name in notes().versions:
            outcome.status, outcome.reason = "version", notes().versions[outcome.name]
        else:
            outcome.status = "differs"
        return outcome

    def _compare(self, outcome: Outcome, plan: Plan, rng: random.Random, wanted: int) -> bool:
        """Compare a function with one choice of types; returns False where it turns out not to be comparable."""
        asked = self._ask_engine(outcome, plan, rng, wanted)
        answers = self._ask_lean(outcome, plan, [case for case, _ in asked])
        for (case, mine), answer in zip(asked, answers, strict=False):
            if isinstance(answer, Died):
                outcome.reason = f"crash of Lean's code: {answer.reason} on {_show(case)}"
                outcome.status, outcome.cases = "not comparable", 0
                return False
            if "error" in answer:
                outcome.reason = f"the result cannot be read: {answer['error']} on {_show(case)}"
                outcome.status, outcome.cases = "not comparable", 0
                return False
            outcome.cases += 1
            if answer["ok"] != mine:
                types = ", ".join(str(ty) for ty, _ in case)
                outcome.differences.append(Difference(types, _show(case), _text(mine), _text(answer["ok"])))
        outcome.differences.sort(key=lambda d: len(d.arguments))
        return True

    def _ask_engine(
        self, outcome: Outcome, plan: Plan, rng: random.Random, wanted: int
    ) -> list[tuple[list[tuple[Ty, Neutral]], Neutral]]:
        """Sample cases and keep those that the engine decides, with its results."""
        kept: list[tuple[list[tuple[Ty, Neutral]], Neutral]] = []
        seen: set[str] = set()
        values: list[Neutral] = []
        for _ in range(wanted * _TRIES_PER_CASE):
            if len(kept) >= wanted or len(seen) >= wanted * 3:
                break
            try:
                types, values = plan.sample(rng)
                key = json.dumps(values)
                if key in seen:
                    if not plan.valued:
                        break
                    continue
                seen.add(key)
                data = [to_engine(ty, v) for ty, v in zip(types, values, strict=True)]
                mine = from_engine(plan.result, plan.call(data))
            except samples.Uninhabited:
                continue
            except Unknown as unknown:
                outcome.undecided += 1
                outcome.reason = outcome.reason or f"the engine decides no case: {unknown.kind}: {unknown.message}"
                continue
            except Exception as error:  # noqa: BLE001 - a fault of the engine on this case is a finding of its own
                shown = ", ".join(_text(v) for v in values)
                fault = Difference(plan.describe(), shown, f"{type(error).__name__}: {error}", "not asked")
                outcome.differences.append(fault)
                continue
            kept.append((list(zip(types, values, strict=True)), mine))
        return kept

    def _ask_lean(
        self, outcome: Outcome, plan: Plan, cases: Sequence[list[tuple[Ty, Neutral]]]
    ) -> list[dict[str, Any] | Died]:
        if not cases:
            return []
        result = plan.result
        if outcome.name in notes().slices:
            result = Ty("slice")
        sends = notes().sends(outcome.name) or [p.send for p in plan.parameters]
        request = {"symbol": outcome.symbol, "params": sends, "result": result.to_json()}
        return self.child.call(request, [[[ty.to_json(), v] for ty, v in case] for case in cases])


def _text(value: Neutral) -> str:
    return json.dumps(value, ensure_ascii=False)


def _show(case: Sequence[tuple[Ty, Neutral]]) -> str:
    return ", ".join(_text(v["fn"]) if isinstance(v, dict) else _text(v) for _, v in case)
