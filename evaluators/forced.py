"""What a relational contract itself forces an implementation to return.

`P impl (n)` may speak of `impl (n - 1)`. Where neither an accepted pair nor a reference implementation gives that
value, the contract may: the values y for which `P f (n - 1)` holds when `f (n - 1) = y` are found, and if there is
exactly one, every implementation that meets the contract returns it.

Soundness. The value is sought with a generic value in its place (`eval/generic.py`). Where the contract then fails,
no y outside the values that it was compared with satisfies it, and those are tried one by one. Where it holds or is
not decided, nothing is forced (`Unknown`). A pair is taken apart into its components, a Bool into its two values, a
list is found by narrowing (`eval/narrowing.py`). Other inputs that the contract asks about are answered in the same
way; one that is being determined already is `Unknown`. None of this depends on the pair under test, so a verdict
says: an implementation that meets the contract and has the known-correct values at the other inputs does, or does
not, meet it here.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import replace
from typing import Any, Final

from specgen.lean.core import Term
from specgen.lean.engine import EvalLimits, Holds, Program, Unknown, UnknownOutcome, Value
from specgen.lean.eval.generic import KINDS, Cell, Generic
from specgen.lean.eval.narrowing import Narrowing
from specgen.lean.eval.values import key

_MAX_RUNS: Final = 64
_MAX_FAILURES: Final = 24
"""Inputs whose value could not be found after which no further ones are tried: they cost, and few would help."""
_FREE: Final = object()
_MAX_DEPTH: Final = 250
_SEARCH: Final = 40
"""Candidates of a search without a bound: `∀ i, P (impl i)` would ask for them all."""

Inputs = tuple[Value, ...]


def _plain(message: str) -> str:
    return message.rpartition("pairs: ")[2]


class Forced:
    """Finds forced values of one contract; `known` gives the values of the table, None outside it."""

    def __init__(
        self, program: Program, predicate: str, type_text: str | Term, known: Callable[[Inputs], Value | None]
    ) -> None:
        self.program = program
        self.predicate = predicate
        self.type_text = type_text
        self.known = known
        self.result_type = program.function_result(type_text)
        self._found: dict[Hashable, Value | Unknown] = {}
        self._pending: dict[Hashable, Any] = {}
        self._failures = 0

    def value(self, inputs: Inputs, limits: EvalLimits) -> Value:
        """Return the value that the contract forces; raises `Unknown` where it forces none that can be found."""
        limits = replace(limits, search=min(limits.search, _SEARCH))
        at = key(tuple(v.data for v in inputs))
        if at in self._pending:
            raise Unknown("undecided", "the contract refers to the value it is to determine")
        found = self._found.get(at)
        if found is None:
            if self._failures >= _MAX_FAILURES or len(self._pending) >= _MAX_DEPTH:
                raise Unknown("undecided", "the implementation is called outside the table of pairs")
            try:
                found = Value(self.result_type, self._determine(at, inputs, limits))
            except Unknown as error:
                found = error
                self._failures += 1
            self._found[at] = found
        if isinstance(found, Unknown):
            raise Unknown(found.kind, found.message)
        return found

    def _determine(self, at: Hashable, inputs: Inputs, limits: EvalLimits) -> Any:
        kinds: list[str] = []
        shape = self._shape(self.result_type, kinds) if not self._element_kind() else None
        solutions: dict[Hashable, Any] = {}
        runs = 0

        def holds_for(data: Any) -> bool:
            nonlocal runs
            runs += 1
            if runs > _MAX_RUNS:
                raise Unknown("undecided", "the implementation's value there has too many candidates")
            self._pending[at] = data
            try:
                outcome = self.program.decide(self.predicate, (self._implementation(at, limits), *inputs), limits)
            finally:
                del self._pending[at]
            if isinstance(outcome, UnknownOutcome):
                raise Unknown(outcome.kind, f"the implementation outside the table of pairs: {_plain(outcome.message)}")
            return isinstance(outcome, Holds)

        def search(leaves: tuple[Any, ...]) -> None:
            if any(leaf is _FREE and kind == "Bool" for leaf, kind in zip(leaves, kinds, strict=True)):
                i = next(i for i, kind in enumerate(kinds) if kind == "Bool" and leaves[i] is _FREE)
                for truth in (False, True):
                    search((*leaves[:i], truth, *leaves[i + 1 :]))
                return
            cells = {i: Cell(kinds[i]) for i, leaf in enumerate(leaves) if leaf is _FREE}
            assert shape is not None  # noqa: S101 - lists do not come here
            data = shape([Generic(cells[i]) if i in cells else leaf for i, leaf in enumerate(leaves)])
            if holds_for(data):
                if cells:
                    raise Unknown("undecided", "the contract does not force the implementation's value there")
                solutions[key(data)] = data
                return
            for i, cell in cells.items():
                for value in cell.seen:
                    search((*leaves[:i], value, *leaves[i + 1 :]))

        element = self._element_kind()
        if element:
            for solution in Narrowing(element, holds_for).solutions():
                if not solution.only or len(solutions) > 1:
                    raise Unknown("undecided", "the contract does not force the implementation's value there")
                solutions[key(solution.value)] = solution.value
        else:
            search((_FREE,) * len(kinds))
        if len(solutions) != 1:
            count = "several values" if solutions else "no value"
            raise Unknown("undecided", f"the contract allows {count} of the implementation outside the table of pairs")
        return next(iter(solutions.values()))

    def _implementation(self, at: Hashable, limits: EvalLimits) -> Value:
        def call(*given: Value) -> Value:
            found = self.known(given)
            if found is not None:
                return found
            if key(tuple(v.data for v in given)) == at:
                return Value(self.result_type, self._pending[at])
            return self.value(given, limits)

        return self.program.function(self.type_text, call)

    def _element_kind(self) -> str:
        """Return the kind of the elements when the result is a list of scalars, else an empty name."""
        name, args = self.program.library_type(self.result_type)
        element = self.program.library_type(args[0])[0] if name == "List" else ""
        return element if element in KINDS else ""

    def _shape(self, type_: Term, kinds: list[str]) -> Callable[[list[Any]], Any]:
        """Note the kinds of the scalars that a type is made of; returns how to build its value from theirs."""
        name, args = self.program.library_type(type_)
        if name == "Prod":
            first = self._shape(args[0], kinds)
            second = self._shape(args[1], kinds)
            return lambda leaves: (first(leaves), second(leaves))
        if name != "Bool" and name not in KINDS:
            raise Unknown("undecided", "the implementation is called outside the table of pairs")
        place = len(kinds)
        kinds.append(name)
        return lambda leaves: leaves[place]
