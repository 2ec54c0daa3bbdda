"""Sides of a comparison: how they are made from contracts, and what their predicates say of values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias

from evaluators.contract import Contract, reference_contract
from evaluators.equivalence.model import Side, Truth
from evaluators.evidence import Status
from evaluators.execution import implementation_program, normal_form, well_formed
from evaluators.projection.task_types import signature_types, task_program
from specgen.lean import core
from specgen.lean.core import Lam, Pi, Term
from specgen.lean.elab.context import ElabError
from specgen.lean.elab.subst import beta, subst
from specgen.lean.elab.whnf import IllTyped
from specgen.lean.engine import (
    EvalLimits,
    Fails,
    Holds,
    NormalForm,
    Outcome,
    ReadError,
    Unknown,
    UnknownOutcome,
    Value,
    load,
)
from specgen.lean.eval.values import equal, key
from specgen.tasks.model import Task

Values: TypeAlias = tuple[Value, ...]

STATEMENT: Final = "(the contract as one statement)"
_NO_SIDE: Final[dict[str, Status]] = {"no": "not_applicable", "unsupported": "unsupported"}


@dataclass(frozen=True, slots=True)
class NotCompared:
    """Why there is nothing to compare."""

    status: Status
    message: str


def candidate_side(task: Task, contract: Contract) -> Side | NotCompared:
    """Load a candidate's contract; untrusted text, so call this in a confined worker."""
    program = load(contract.source, contract.lean)
    verdict, message = well_formed(program, contract, task)
    if verdict != "yes":
        return NotCompared(_NO_SIDE[verdict], f"the candidate is not well formed: {message}")
    return Side(program, contract, normal_form(program, contract), signature_types(task))


def reference_side(task: Task, like: Contract) -> Side | NotCompared:
    """Load the task's reference, in the candidate's representation where the task has it."""
    contract = reference_contract(task, like.representation) or reference_contract(task)
    if contract is None:
        return NotCompared("not_applicable", "the task has no reference contract")
    try:
        types = signature_types(task)
    except ReadError as error:
        return NotCompared("unsupported", f"the task's signature: {error}")
    # A program of its own, also where the texts are the same: names are declared in it.
    program = load(contract.source, contract.lean)
    verdict, message = well_formed(program, contract, task, trusted=True)
    if verdict != "yes":
        return NotCompared("unsupported", f"the reference: {message}")
    return Side(program, contract, normal_form(program, contract), types)


def as_statement(side: Side) -> Side | None:
    """Return a side whose postcondition is the whole contract, `P(x) → Q`, and whose precondition is `True`.

    None where the program cannot express it.
    """
    contract = side.contract
    if side.relational or not contract.precondition:
        return replace(side, form=NormalForm("", contract.postcondition))
    name = f"{contract.postcondition} {STATEMENT}"
    try:
        side.program.declare(name, _implication(side))
    except (ElabError, IllTyped, Unknown):
        return None
    return replace(side, form=NormalForm("", name))


def _implication(side: Side) -> Term:
    """Return `fun x y => P x → Q x y` for a pre/post contract; a proof of `P x` that Q takes is the premise."""
    program, contract = side.program, side.contract
    types, constants = program.types, program.environment.constants
    post = constants[contract.postcondition].value
    if post is None:
        raise Unknown("unsupported", f"{contract.postcondition} has no definition")
    xs: list[core.FVar] = []
    body: Term = post
    while isinstance(body, Lam):
        if types.is_proposition(body.type):
            body = subst(body.body, (core.Proof(body.type),))
            continue
        x = types.local(body.name, body.type, body.info)
        xs.append(x)
        body = subst(body.body, (x,))
    if len(xs) != len(side.types.inputs) + 1:
        raise Unknown("unsupported", f"{contract.postcondition} is not written as a function of inputs and result")
    pre = constants[contract.precondition].value
    assert pre is not None  # noqa: S101 - well_formed has seen its definition
    premise = beta(pre, xs[:-1])
    if program.truth_kind(contract.precondition) == "Bool":
        premise = _is_true(premise)
    if program.truth_kind(contract.postcondition) == "Bool":
        body = _is_true(body)
    return types.mk_lambda(xs, Pi("h", premise, core.lift(body, 1)))


def _is_true(term: Term) -> Term:
    return core.mk_app(core.Const("Eq"), core.Const("Bool"), term, core.Const("Bool.true"))


def _truth(outcome: Outcome) -> Truth | None:
    match outcome:
        case Holds():
            return "holds"
        case Fails():
            return "fails"
        case _:
            return None


class Judge:
    """Decides the predicates of both sides on values; None is unknown, and never anything else.

    A relational contract is judged on the implementation that returns the result under test at the inputs under test,
    and known-correct results elsewhere: accepted pairs, then runs of the reference implementation. Both sides get the
    same function; what is not known of it is unknown. (Values that a contract itself forces, as in `evaluators.forced`,
    are not used: the two contracts may force different ones.)
    """

    def __init__(self, task: Task, limits: EvalLimits) -> None:
        self.task = task
        self.limits = limits
        self.program = task_program(task)
        self.types = signature_types(task)
        self._reference = implementation_program(task)
        self._table: list[tuple[Values, Value]] | None = None
        self._runs: dict[Any, Value | None] = {}
        self._read: dict[tuple[str, Term], Value | None] = {}

    def with_limits(self, limits: EvalLimits) -> Judge:
        """Return a judge with other limits, to which a text that has been read is the same value."""
        other = Judge(self.task, limits)
        other._read = self._read
        return other

    def pre(self, side: Side, inputs: Values) -> Truth | None:
        """Decide a precondition."""
        if side.form.unknown:
            return None
        if not side.form.precondition:
            return "holds"
        return _truth(side.program.decide(side.form.precondition, inputs, self.limits))

    def post(self, side: Side, inputs: Values, output: Value) -> Truth | None:
        """Decide a postcondition."""
        return _truth(side.program.decide(side.form.postcondition, self._arguments(side, inputs, output), self.limits))

    def failing_clause(self, side: Side, inputs: Values, output: Value | None) -> str:
        """Return the text of the first clause that fails, or an empty text."""
        name = side.form.precondition if output is None else side.form.postcondition
        if not name or STATEMENT in name:
            return ""
        arguments = inputs if output is None else self._arguments(side, inputs, output)
        clauses = side.program.decide_clauses(name, arguments, self.limits)
        found = next((c.text for c in clauses if isinstance(c.outcome, Fails)), "")
        return found if len(found) <= 300 else found[:299] + "…"

    def implementation(self, inputs: Values) -> Value | None:
        """Run the reference implementation; None where it gives nothing."""
        implementation = self.task.implementation
        if self._reference is None or implementation is None:
            return None
        at = _key(inputs)
        if at is not None and at in self._runs:
            return self._runs[at]
        result = self._reference.run(implementation.name, inputs, self.limits)
        found = None if isinstance(result, UnknownOutcome) else result
        if at is not None:
            self._runs[at] = found
        return found

    def table(self) -> list[tuple[Values, Value]]:
        """Return the accepted pairs that can be read."""
        if self._table is None:
            self._table = []
            for pair in self.task.labels.accepted:
                values = self.read_inputs(pair.inputs)
                output = self.read(pair.output, self.types.result)
                if values is not None and output is not None:
                    self._table.append((values, output))
        return self._table

    def read_inputs(self, inputs: Sequence[str]) -> Values | None:
        """Read inputs in Lean notation; None where one cannot be read."""
        if len(inputs) != len(self.types.inputs):
            return None
        found = [self.read(t, type_) for t, type_ in zip(inputs, self.types.inputs, strict=True)]
        values = tuple([v for v in found if v is not None])
        return values if len(values) == len(found) else None

    def read(self, text: str, type_: Term) -> Value | None:
        """Read a value in Lean notation; None where it cannot be read."""
        if (text, type_) not in self._read:
            try:
                self._read[text, type_] = self.program.read(text, type_, self.limits)
            except ReadError:
                self._read[text, type_] = None
        return self._read[text, type_]

    def text(self, value: Value) -> str | None:
        """Return a value in Lean notation, or as it was read (a function, say); None where there is neither."""
        try:
            return self.program.text(value, self.limits)
        except ReadError:
            read = ((t, v) for (t, _), v in self._read.items() if v is not None and v.data is value.data)
            return next((t for t, _ in read), None)

    def _arguments(self, side: Side, inputs: Values, output: Value) -> Values:
        if not side.relational:
            return (*inputs, output)

        def call(*given: Value) -> Value:
            if _same(inputs, given):
                return output
            for key_, value in self.table():
                if _same(key_, given):
                    return value
            implementation = self.task.implementation
            if self._reference is None or implementation is None:
                raise Unknown("undecided", "the implementation is called where no known-correct result is at hand")
            result = self._reference.run(implementation.name, given, self.limits)
            if isinstance(result, UnknownOutcome):
                raise Unknown(result.kind, f"reference implementation: {result.message}")
            return result

        return (side.program.function(self.types.function, call), *inputs)


def _same(a: Values, b: Sequence[Value]) -> bool:
    return all(equal(x.data, y.data) for x, y in zip(a, b, strict=True))


def _key(values: Sequence[Value]) -> Any:
    """Return a hashable key of values, None for those that have none (functions, floats)."""
    try:
        return tuple([key(v.data) for v in values])
    except Unknown:
        return None


def same_value(a: Value, b: Value) -> bool:
    """Tell whether two values are certainly equal; floats are compared as they print."""
    try:
        return equal(a.data, b.data)
    except Unknown:
        return repr(a.data) == repr(b.data)


__all__ = [
    "Judge",
    "NotCompared",
    "Values",
    "as_statement",
    "candidate_side",
    "reference_side",
    "same_value",
]
