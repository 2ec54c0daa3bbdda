"""The reference of a task as a judge of examples: its contract decides inputs and pairs, its implementation gives
results.

A reference that contradicts its own task's labels judges nothing: one of the two is wrong.
"""

from __future__ import annotations

from dataclasses import dataclass

from evaluators.checks import Tri
from evaluators.contract import Contract, reference_contract
from evaluators.examples.kinds import Kind, Plain, engine_data, kind_of, plain, show
from evaluators.execution import CheckSession, implementation_program, tri, well_formed
from evaluators.projection.task_types import loaded
from specgen.lean.core import Term
from specgen.lean.engine import EvalLimits, ReadError, UnknownOutcome, Value
from specgen.tasks.model import Inputs, Labels, Pair, Task

MAX_TEXT = 2_000
"""Longest text of one made value, in characters."""

HOLDS = Tri("holds")


@dataclass(frozen=True, slots=True)
class Item:
    """A value with everything that is needed of it.

    `text` is what stands in a label, `plain` what mutation works on (None where the type is opaque), `value` the
    engine's, `key` the same text for equal values.
    """

    text: str
    plain: Plain
    value: Value
    key: str


@dataclass(frozen=True, slots=True)
class Input:
    """An input: an item for each parameter."""

    items: tuple[Item, ...]

    @property
    def texts(self) -> Inputs:
        """The input as it stands in a label."""
        return tuple([i.text for i in self.items])

    @property
    def key(self) -> Inputs:
        """Equal for equal inputs."""
        return tuple([i.key for i in self.items])

    @property
    def values(self) -> tuple[Value, ...]:
        """The engine's values."""
        return tuple([i.value for i in self.items])


class Unwritable(Exception):  # noqa: N818 - an answer, not an error
    """A value that cannot be a label: its text does not read back as itself, or is too long."""


class Reference:
    """The reference contract and implementation of one task."""

    def __init__(self, task: Task, limits: EvalLimits) -> None:
        """Load the reference; `fault` says why it cannot be used, empty when it can."""
        self.task, self.limits = task, limits
        self.fault = task.metadata.get("reference_fault", "")
        self.contract: Contract | None = None
        self._session: CheckSession | None = None
        self.confirmed: list[bool] = []
        if self.fault:
            self.fault = f"the reference is at fault: {self.fault}"
            return
        self.contract = reference_contract(task)
        if self.contract is None:
            self.fault = "the task has no reference contract"
            return
        program = loaded(self.contract.source, self.contract.lean)
        verdict, message = well_formed(program, self.contract, task, trusted=True)
        if verdict != "yes":
            self.fault = f"the reference contract cannot be used: {message}"
            return
        self._session = CheckSession(program, self.contract, task, limits)
        self.inputs = [self._kind(t) for t in self.session.types.inputs]
        self.result = self._kind(self.session.types.result)
        self.implementation_fault = self._implementation_fault()

    @property
    def session(self) -> CheckSession:
        """The checks' own session; raises RuntimeError when the reference has a fault."""
        if self._session is None:
            raise RuntimeError(self.fault)
        return self._session

    def _kind(self, type_: Term) -> Kind:
        return kind_of(self.session.labels.types, type_)

    def _implementation_fault(self) -> str:
        implementation, program = self.task.implementation, implementation_program(self.task)
        if implementation is None or program is None:
            return "the task has no reference implementation"
        return "" if program.has(implementation.name) else "the reference implementation does not elaborate"

    # ---- values

    def label(self, text: str, kind: Kind, type_: Term) -> Item | None:
        """Return a label's value, None where it cannot be read."""
        value = self.session.value(text, type_)
        if isinstance(value, Tri):
            return None
        if kind.opaque():
            return Item(text, None, value, text)
        try:
            inside = plain(kind, value.data)
            return Item(text, inside, value, show(kind, inside))
        except (RecursionError, ValueError):  # nested too deeply, or a number of more digits than Python writes
            return None

    def label_input(self, inputs: Inputs) -> Input | None:
        """Return a labelled input, None where it cannot be read."""
        found = [
            self.label(text, kind, type_)
            for text, kind, type_ in zip(inputs, self.inputs, self.session.types.inputs, strict=True)
        ]
        items = [i for i in found if i is not None]
        return Input(tuple(items)) if len(items) == len(found) else None

    def label_output(self, text: str) -> Item | None:
        """Return a labelled output, None where it cannot be read."""
        return self.label(text, self.result, self.session.types.result)

    def made(self, kind: Kind, value: Plain, type_: Term) -> Item:
        """Return a made value as an item; raises `Unwritable`."""
        try:
            text = show(kind, value)
        except (RecursionError, ValueError):
            raise Unwritable from None
        if len(text) > MAX_TEXT:
            raise Unwritable
        try:
            read = self.session.labels.read(text, type_, self.limits)
        except ReadError:
            raise Unwritable from None
        if show(kind, plain(kind, read.data)) != text:
            raise Unwritable
        return Item(text, value, Value(type_, engine_data(kind, value)), text)

    # ---- questions

    def admits_everything(self) -> bool:
        """Tell whether the precondition is literally `True`."""
        form = self.session.form
        if form.unknown:
            return False
        return not form.precondition or self.session.program.clause_texts(form.precondition) == ("True",)

    def unguarded(self) -> bool:
        """Tell whether the contract is relational and asks nothing of the inputs.

        Its precondition is then `True` for want of another, which is no statement that every input is meant.
        """
        return self.session.contract.representation == "relational" and not self.session.form.precondition

    def precondition_unknown(self) -> str:
        """Return why nothing is known of the precondition, or empty."""
        return self.session.form.unknown

    def pre(self, inputs: Input) -> Tri:
        """Decide the precondition on an input."""
        form = self.session.form
        if form.unknown:
            return Tri("unknown", "unsupported", form.unknown)
        if not form.precondition:
            return HOLDS
        return tri(self.session.program.decide(form.precondition, inputs.values, self.limits))

    def post(self, inputs: Input, output: Item) -> Tri:
        """Decide the postcondition on a pair; a relational one as the checks do, with a table of known results."""
        session = self.session
        arguments: tuple[Value, ...] = (*inputs.values, output.value)
        if session.contract.representation == "relational":
            arguments = (session.implementation(inputs.values, output.value), *inputs.values)
        return tri(session.program.decide(session.form.postcondition, arguments, self.limits))

    def run(self, inputs: Input) -> Item | None:
        """Run the implementation; None where it gives no result within the limits. Raises `Unwritable`."""
        implementation, program = self.task.implementation, implementation_program(self.task)
        if implementation is None or program is None:
            return None
        result = program.run(implementation.name, inputs.values, self.limits)
        if isinstance(result, UnknownOutcome):
            return None
        try:
            value = plain(self.result, result.data)
        except RecursionError:
            raise Unwritable from None
        return self.made(self.result, value, self.session.types.result)

    # ---- trust

    def contradiction(self, labels: Labels) -> str:
        """Return a label that the reference decides the other way, or empty; notes which accepted pairs it confirms."""
        self.confirmed = []
        for i, pair in enumerate(labels.accepted):
            outcomes = self._pair_outcomes(pair)
            self.confirmed.append(outcomes[1] == "holds")
            if "fails" in outcomes:
                return f"the reference rejects accepted[{i}]"
        for i, pair in enumerate(labels.rejected):
            if self._pair_outcomes(pair) == ("holds", "holds"):
                return f"the reference accepts rejected[{i}]"
        for i, x in enumerate(labels.required):
            if self._input_outcome(x) == "fails":
                return f"the reference precondition refuses required[{i}]"
        for i, x in enumerate(labels.forbidden):
            if self._input_outcome(x) == "holds":
                return f"the reference precondition admits forbidden[{i}]"
        return ""

    def _input_outcome(self, inputs: Inputs) -> str:
        found = self.label_input(inputs)
        return "unknown" if found is None else self.pre(found).outcome

    def _pair_outcomes(self, pair: Pair) -> tuple[str, str]:
        inputs, output = self.label_input(pair.inputs), self.label_output(pair.output)
        if inputs is None or output is None:
            return "unknown", "unknown"
        return self.pre(inputs).outcome, self.post(inputs, output).outcome
