"""Shrink a witness: a smaller one of the same direction, by a stated order, the same always.

The order is that of `values.Weight`, summed over inputs and result: fewer cells (elements, constructors, scalars),
then numbers nearer to 0, then fewer negative ones. A step takes the first smaller witness among: one input made
smaller, with the same result, or with the reference implementation's result there, or with a small result; then the
same inputs with a smaller result. It ends where no step is left or the budget is spent, so the witness is a local
minimum, not always the smallest of all.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator
from typing import Any, Final

from evaluators.equivalence.model import Direction, Side, Witness
from evaluators.equivalence.search import Found, labelled_values, pairs_against
from evaluators.equivalence.sides import Judge, Values, same_value
from evaluators.equivalence.values import Weight, add, domain
from specgen.lean.engine import EvalLimits, Value

_MAX_STEPS: Final = 3000
_SMALL_RESULTS: Final = 12


class Shrinker:
    """Shrinks witnesses of one comparison."""

    def __init__(self, reference: Side, candidate: Side, judge: Judge) -> None:
        self.sides = (reference, candidate)
        self.judge = judge
        types, given = judge.program.types, labelled_values(judge)
        self.inputs = [domain(types, t) or given[i] for i, t in enumerate(judge.types.inputs)]
        self.result = domain(types, judge.types.result) or given[-1]

    def refutes(self, direction: Direction, found: Found, judge: Judge | None = None) -> bool:
        """Tell whether both sides evaluate on a witness and differ as the direction says."""
        judge = judge or self.judge
        reference, candidate = self.sides
        if found.output is None:
            return pairs_against(direction, judge.pre(reference, found.inputs), judge.pre(candidate, found.inputs))
        return judge.pre(reference, found.inputs) == "holds" and pairs_against(
            direction,
            judge.post(reference, found.inputs, found.output),
            judge.post(candidate, found.inputs, found.output),
        )

    def shrink(self, direction: Direction, found: Found, wall_s: float) -> Found:
        """Return the smallest witness that steps from `found` lead to."""
        deadline, steps = time.perf_counter() + wall_s, 0
        if None in self.inputs or (found.output is not None and self.result is None):
            return found
        best, weight = found, self.weight(found)
        while True:
            for new in self._smaller(best):
                steps += 1
                if steps > _MAX_STEPS or time.perf_counter() > deadline:
                    return best
                smaller = self.weight(new)
                if smaller < weight and self.refutes(direction, new):
                    best, weight = new, smaller
                    break
            else:
                return best

    def weight(self, found: Found) -> Weight:
        """Return how big a witness is."""
        weights = [d.weight(v.data) for d, v in zip(self.inputs, found.inputs, strict=True) if d is not None]
        if found.output is not None and self.result is not None:
            weights.append(self.result.weight(found.output.data))
        return add(weights)

    def _smaller(self, found: Found) -> Iterator[Found]:
        for at, (d, value) in enumerate(zip(self.inputs, found.inputs, strict=True)):
            assert d is not None  # noqa: S101 - `shrink` has looked
            for data in d.smaller(value.data):
                inputs = (*found.inputs[:at], Value(value.type, data), *found.inputs[at + 1 :])
                yield from self._with_results(inputs, found)
        if found.output is not None and self.result is not None:
            type_ = found.output.type
            for data in itertools.chain(self.result.small(0), self.result.smaller(found.output.data)):
                yield Found(found.inputs, Value(type_, data), found.source)

    def _with_results(self, inputs: Values, found: Found) -> Iterator[Found]:
        yield Found(inputs, found.output, found.source)
        if found.output is None or self.result is None:
            return
        type_ = found.output.type
        run = self.judge.implementation(inputs)
        results: list[Any] = []
        if run is not None:
            results = [run.data, *itertools.islice(self.result.smaller(run.data), 4)]
        for data in [*results, *self.result.small(1)[:_SMALL_RESULTS]]:
            yield Found(inputs, Value(type_, data), found.source)

    def confirm(self, direction: Direction, found: Found, limits: EvalLimits) -> Witness | None:
        """Return the witness in Lean notation, read back and evaluated once more on both sides; None where it does not
        come out the same.
        """
        judge = self.judge.with_limits(limits)
        texts = [judge.text(v) for v in found.inputs]
        output = None if found.output is None else judge.text(found.output)
        inputs = [t for t in texts if t is not None]
        if len(inputs) < len(texts) or (found.output is not None and output is None):
            return None
        values = judge.read_inputs(inputs)
        result = None if output is None else judge.read(output, judge.types.result)
        if values is None or (output is not None and result is None):
            return None
        again = Found(values, result, found.source)
        if not all(same_value(a, b) for a, b in zip(values, found.inputs, strict=True)):
            return None
        if not self.refutes(direction, again, judge):
            return None
        forward = direction.endswith("forward")
        clause = judge.failing_clause(self.sides[1 if forward else 0], values, result)
        reference, candidate = ("holds", "fails") if forward else ("fails", "holds")
        return Witness(tuple(inputs), output, reference, candidate, clause, found.source)  # type: ignore[arg-type]
