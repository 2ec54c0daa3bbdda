"""Run the checks of a contract with the built-in engine.

Labels are read in the task's own program, so that nothing a candidate declares changes what they mean; types of the
task's preamble are the same in both. A relational contract is taken apart into precondition and postcondition first;
its implementation is a table: the pair under test first, then the accepted pairs, backed by the
reference implementation; a call outside both has the value that the contract forces (`forced.py`), else it is unknown.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from evaluators.checks import Check, ContractChecks, Tri, WellFormed
from evaluators.contract import Contract, lean_env, with_preamble
from evaluators.forced import Forced
from evaluators.projection.reading import declared_items, identifiers, uses_sorry
from evaluators.projection.task_types import SignatureTypes, loaded, signature_types, task_program
from specgen.lean import syntax
from specgen.lean.core import Term
from specgen.lean.engine import (
    EvalLimits,
    Fails,
    Holds,
    NormalForm,
    Outcome,
    Program,
    ReadError,
    Unknown,
    UnknownOutcome,
    Value,
    load,
)
from specgen.lean.eval.values import equal
from specgen.tasks.model import Inputs, Task

CheckKind: TypeAlias = Literal["required", "forbidden", "accepted", "rejected", "known"]

FORBIDDEN_DECLARATIONS = frozenset({"axiom", "opaque", "constant"})

ACTING = frozenset(("run_cmd", "run_meta", "run_elab", "initialize", "builtin_initialize", "elab", "elab_rules"))
"""Commands that run code while a text is read. Others that we do not know (`notation`, `macro`, `alias`, …) are our
limit, and not a fault of the text.
"""


def tri(outcome: Outcome) -> Tri:
    """Return an engine outcome as plain data."""
    match outcome:
        case Holds():
            return Tri("holds")
        case Fails():
            return Tri("fails")
        case UnknownOutcome():
            return Tri("unknown", outcome.kind, outcome.message)


def conjunction(clauses: Sequence[Tri]) -> Tri:
    """Three-valued conjunction: one failing clause decides, one unknown leaves it open."""
    failing = next((c for c in clauses if c.outcome == "fails"), None)
    if failing is not None:
        return failing
    return next((c for c in clauses if c.outcome == "unknown"), Tri("holds"))


def forbidden_construct(commands: Sequence[syntax.Command]) -> str:
    """Return what a contract must not use and this text does: an axiom, a command that acts, or empty."""
    for command in commands:
        match command:
            case syntax.HashCommand():
                return f"the text has a command {command.name}"
            case syntax.Unsupported() if command.keyword in ACTING:
                return f"the text has a command {command.keyword}"
            case syntax.Declaration() if command.kind in FORBIDDEN_DECLARATIONS:
                return f"the text declares an {command.kind}"
            case syntax.InCommand():
                inner = forbidden_construct([command.inner])
                if inner:
                    return inner
            case syntax.Mutual():
                inner = forbidden_construct(command.commands)
                if inner:
                    return inner
            case _:
                pass
    return ""


def unproved(source: str, own: Sequence[syntax.Command]) -> str:
    """Return why a text depends on `sorry`, or empty. A theorem's proof may be `sorry` where nothing uses the theorem;
    anywhere else it must not stand.
    """
    rest: list[str] = []
    open_theorems: set[str] = set()
    at = own[0].span[0] if own else len(source)
    for item in declared_items(own):
        command = item.command
        if not item.is_theorem or not isinstance(command, syntax.Declaration):
            continue
        stated = command.type.span[1] if command.type is not None else command.span[1]
        if uses_sorry(source[stated : command.span[1]]):
            rest.append(source[at:stated])
            at = command.span[1]
            open_theorems.add(command.name.rpartition(".")[2])
    rest.append(source[at:])
    if any(uses_sorry(part) for part in rest):
        return "the text uses sorry"
    for item in declared_items(own):
        mine = item.name.rpartition(".")[2]
        used = {part for ident in identifiers(item.command) for part in ident.parts} & (open_theorems - {mine})
        if used and not item.is_theorem:
            return f"{item.name} uses {min(used)}, which is proved by sorry"
    return ""


def shape(program: Program, contract: Contract, types: SignatureTypes) -> str:
    """Return why the contract's predicates are not of this task's signature, or empty."""
    if contract.representation == "relational":
        wanted = {contract.postcondition: (types.function, *types.inputs)}
    else:
        wanted = {contract.postcondition: (*types.inputs, types.result)}
        if contract.precondition:
            wanted[contract.precondition] = types.inputs
    for name, parameters in wanted.items():
        if not program.has(name):
            return f"{name} is not defined"
        fault = program.parameters_differ(name, parameters)
        if fault:
            return f"{name}: {fault}"
        if not program.truth_kind(name):
            return f"{name} is not a predicate: it returns {program.signature(name).result}"
    return ""


def well_formed(program: Program, contract: Contract, task: Task, trusted: bool = False) -> tuple[WellFormed, str]:
    """Return (`yes` | `no` | `unsupported`, message) for a loaded contract."""
    errors = [d for d in program.report.diagnostics if d.severity == "error"]
    hard = [d for d in errors if d.kind != "unsupported"]
    if hard:
        d = hard[0]
        return "no", f"line {d.start.line}: {d.message}"
    own = [c for c in program.commands() if c.span[0] >= contract.own_from]
    forbidden = "" if trusted else forbidden_construct(own)
    if forbidden:
        return "no", forbidden
    sorry = "" if trusted else unproved(contract.source, own)
    if sorry:
        return "no", sorry
    if errors:
        d = errors[0]
        return "unsupported", f"line {d.start.line}: {d.message}"
    try:
        fault = shape(program, contract, signature_types(task))
    except ReadError as error:
        return "unsupported", f"the task's signature: {error}"
    return ("no", fault) if fault else ("yes", "")


def implementation_program(task: Task) -> Program | None:
    """Return the loaded reference implementation, None when the task has none."""
    if task.implementation is None:
        return None
    return loaded(with_preamble(task, task.implementation.text)[0], lean_env(task.context))


def normal_form(program: Program, contract: Contract) -> NormalForm:
    """Return the names of a loaded contract's precondition (empty for `True`) and postcondition in the program."""
    if contract.representation == "relational":
        return program.normal_form(contract.postcondition)
    return NormalForm(contract.precondition, contract.postcondition)


def shown(inputs: Inputs, output: str | None = None) -> str:
    """Return an example in words of Lean: `(1, [2]) ↦ 3`, or the inputs alone."""
    left = inputs[0] if len(inputs) == 1 else f"({', '.join(inputs)})"
    return left if output is None else f"{left} ↦ {output}"


def _look_up(table: Sequence[tuple[tuple[Value, ...], Value]], given: tuple[Value, ...]) -> Value | None:
    for key, value in table:
        if all(equal(a.data, b.data) for a, b in zip(key, given, strict=True)):
            return value
    return None


class CheckSession:
    """One contract with one task's labels: values are read once."""

    def __init__(self, program: Program, contract: Contract, task: Task, limits: EvalLimits) -> None:
        self.program = program
        self.contract = contract
        self.task = task
        self.limits = limits
        self.labels = task_program(task)
        self.types = signature_types(task)
        self.form = normal_form(program, contract)
        self._values: dict[tuple[str, Term], Value | Tri] = {}
        self._table: list[tuple[tuple[Value, ...], Value]] | None = None
        self._forced: Forced | None = None

    def value(self, text: str, type_: Term) -> Value | Tri:
        """Read a label's value; one that cannot be read is an unknown of kind unsupported."""
        key = (text, type_)
        if key not in self._values:
            try:
                self._values[key] = self.labels.read(text, type_, self.limits)
            except ReadError as exc:
                self._values[key] = Tri("unknown", "unsupported", f"cannot read the label {text}: {exc}")
        return self._values[key]

    def values(self, inputs: Inputs) -> tuple[Value, ...] | Tri:
        """Read a task input."""
        out = []
        for text, type_ in zip(inputs, self.types.inputs, strict=True):
            value = self.value(text, type_)
            if isinstance(value, Tri):
                return value
            out.append(value)
        return tuple(out)

    def pre(self, item: str, inputs: Inputs) -> Check:
        """Check the precondition on an input."""
        name = self.form.precondition
        if self.form.unknown:
            return Check(item, shown(inputs), Tri("unknown", "unsupported", self.form.unknown))
        if not name:
            return Check(item, shown(inputs), Tri("holds"))
        values = self.values(inputs)
        whole = values if isinstance(values, Tri) else tri(self.program.decide(name, values, self.limits))
        return Check(item, shown(inputs), whole)

    def post(self, item: str, inputs: Inputs, output: str | Value) -> Check:
        """Check the postcondition on a pair, clause by clause."""
        text = output if isinstance(output, str) else self.program.text(output)
        values = self.values(inputs)
        result = self.value(output, self.types.result) if isinstance(output, str) else output
        for bad in (values, result):
            if isinstance(bad, Tri):
                return Check(item, shown(inputs, text), bad)
        assert not isinstance(values, Tri) and not isinstance(result, Tri)  # noqa: S101 - for the type checker
        name = self.form.postcondition
        if self.contract.representation == "relational":
            arguments: tuple[Value, ...] = (self.implementation(values, result), *values)
        else:
            arguments = (*values, result)
        clauses = tuple(tri(c.outcome) for c in self.program.decide_clauses(name, arguments, self.limits))
        return Check(item, shown(inputs, text), conjunction(clauses), clauses)

    def implementation(self, inputs: tuple[Value, ...], output: Value) -> Value:
        """Return the implementation that gives `output` on `inputs`, and known-correct results elsewhere."""
        under_test = [(inputs, output)]
        table = self.accepted_table()
        reference = implementation_program(self.task)

        def call(*given: Value) -> Value:
            found = _look_up(under_test, given)
            if found is None:
                found = _look_up(table, given)
            if found is not None:
                return found
            if reference is None or self.task.implementation is None:
                return self.forced().value(given, self.limits)
            result = reference.run(self.task.implementation.name, given, self.limits)
            if isinstance(result, UnknownOutcome):
                raise Unknown(result.kind, f"reference implementation: {result.message}")
            return result

        return self.program.function(self.types.function, call)

    def forced(self) -> Forced:
        """Return what finds the values that the contract forces where no label and no reference gives them."""
        if self._forced is None:
            # The whole contract, with its guards: where one fails it forces nothing.
            table = self.accepted_table()
            self._forced = Forced(
                self.program, self.contract.postcondition, self.types.function, lambda given: _look_up(table, given)
            )
        return self._forced

    def accepted_table(self) -> list[tuple[tuple[Value, ...], Value]]:
        """Return the accepted pairs as values, those that can be read."""
        if self._table is None:
            self._table = []
            for pair in self.task.labels.accepted:
                values, output = self.values(pair.inputs), self.value(pair.output, self.types.result)
                if not isinstance(values, Tri) and not isinstance(output, Tri):
                    self._table.append((values, output))
        return self._table

    def known(self, planned: Planned) -> Check | None:
        """Check the postcondition on what the reference implementation returns, when it returns something."""
        reference, implementation = implementation_program(self.task), self.task.implementation
        values = self.values(planned.inputs)
        if reference is None or implementation is None or isinstance(values, Tri):
            return None
        result = reference.run(implementation.name, values, self.limits)
        return None if isinstance(result, UnknownOutcome) else self.post(planned.item, planned.inputs, result)

    def make(self, planned: Planned) -> Check | None:
        """Make one check; None when there is nothing to check."""
        if planned.kind == "known":
            return self.known(planned)
        if planned.output is None:
            return self.pre(planned.item, planned.inputs)
        return self.post(planned.item, planned.inputs, planned.output)


@dataclass(frozen=True, slots=True)
class Head:
    """What is known of a contract once it is loaded: whether it is well formed, and its clauses."""

    well_formed: WellFormed
    message: str = ""
    clauses: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def checks(self, contract: Contract) -> ContractChecks:
        """Return checks without outcomes."""
        notes = (*contract.notes, *self.notes)
        return ContractChecks(self.well_formed, self.message, self.clauses, notes=notes)


@dataclass(frozen=True, slots=True)
class Planned:
    """One check to make. An `optional` one (further known-correct behaviour) may turn out not to exist."""

    kind: CheckKind
    item: str
    inputs: Inputs
    output: str | None
    optional: bool = False

    @property
    def shown(self) -> str:
        """The example in Lean notation."""
        return shown(self.inputs, self.output)


@dataclass(frozen=True, slots=True)
class Plan:
    """The checks of one contract, in order."""

    items: tuple[Planned, ...]


def plan_checks(contract: Contract, task: Task) -> Plan:
    """Return the checks of a contract against a task's labels.

    The precondition of a relational contract is the guard around its whole body; without one it is `True`. Further
    known-correct behaviour: required inputs that no accepted pair has, through the reference implementation.
    """
    labels = task.labels
    out: list[Planned] = []
    out += [Planned("required", f"required[{i}]", x, None) for i, x in enumerate(labels.required)]
    out += [Planned("forbidden", f"forbidden[{i}]", x, None) for i, x in enumerate(labels.forbidden)]
    out += [Planned("accepted", f"accepted[{i}]", p.inputs, p.output) for i, p in enumerate(labels.accepted)]
    out += [Planned("rejected", f"rejected[{i}]", p.inputs, p.output) for i, p in enumerate(labels.rejected)]
    if task.implementation is not None:
        paired = {p.inputs for p in labels.accepted}
        further = [x for x in dict.fromkeys(labels.required) if x not in paired]
        out += [Planned("known", f"known[{i}]", x, None, optional=True) for i, x in enumerate(further)]
    return Plan(tuple(out))


def stream_checks(
    contract: Contract, task: Task, limits: EvalLimits, skip: frozenset[str] = frozenset(), trusted: bool = False
) -> Iterator[Head | Check]:
    """Yield the head, then each check that is not to be skipped, as it is made."""
    program = load(contract.source, contract.lean)
    verdict, message = well_formed(program, contract, task, trusted)
    if verdict != "yes":
        yield Head(verdict, message)
        return
    form = normal_form(program, contract)
    notes = tuple([f"precondition from the guard around the whole body: {g}" for g in form.guards])
    yield Head("yes", "", program.clause_texts(form.postcondition), notes)
    session = CheckSession(program, contract, task, limits)
    for planned in plan_checks(contract, task).items:
        if planned.item in skip:
            continue
        check = session.make(planned)
        if check is not None:
            yield check


def check_contract(contract: Contract, task: Task, limits: EvalLimits, trusted: bool = False) -> ContractChecks:
    """Check a contract against a task's labels in this process."""
    began = time.perf_counter()
    head = Head("unsupported", "nothing was checked")
    groups: dict[CheckKind, list[Check]] = {}
    for answer in stream_checks(contract, task, limits, trusted=trusted):
        if isinstance(answer, Head):
            head = answer
        else:
            kind: CheckKind = answer.item.partition("[")[0]  # type: ignore[assignment]
            groups.setdefault(kind, []).append(answer)
    found = {kind: tuple(checks) for kind, checks in groups.items()}
    runtime_s = time.perf_counter() - began
    return replace(head.checks(contract), runtime_s=runtime_s, **found)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class BuiltinChecker:
    """Checks in this process. `trusted` text (a data set's own) may use axioms and commands; a candidate may not."""

    limits: EvalLimits = EvalLimits()
    trusted: bool = False

    def check(self, contract: Contract, task: Task) -> ContractChecks:
        """Return the outcome of every check."""
        return check_contract(contract, task, self.limits, self.trusted)


@dataclass(frozen=True, slots=True)
class ImplementationRun:
    """One run of a reference implementation on an accepted input: does it give one of the accepted outputs?"""

    index: int
    verdict: str
    expected: str
    reason: str = ""


def run_implementation(task: Task, limits: EvalLimits | None = None) -> list[ImplementationRun]:
    """Run the reference implementation on every accepted input.

    It agrees when its output is one of the accepted outputs of that input.
    """
    limits = limits or EvalLimits()
    program, implementation = implementation_program(task), task.implementation
    if program is None or implementation is None:
        return []
    if not program.has(implementation.name):
        errors = [d.message for d in program.report.diagnostics if d.severity == "error"]
        verdict = "unsupported" if program.report.verdict == "unsupported" else "disagree"
        reason = errors[0] if errors else f"{implementation.name} is not defined"
        return [ImplementationRun(0, verdict, "", reason)]
    outputs: dict[Inputs, list[str]] = {}
    for pair in task.labels.accepted:
        outputs.setdefault(pair.inputs, []).append(pair.output)
    first = {p.inputs: i for i, p in reversed(list(enumerate(task.labels.accepted)))}
    return [_run_one(program, task, implementation.name, x, ys, first[x], limits) for x, ys in outputs.items()]


def _run_one(
    program: Program, task: Task, name: str, inputs: Inputs, outputs: list[str], index: int, limits: EvalLimits
) -> ImplementationRun:
    expected = f"{shown(inputs)} ↦ {' or '.join(outputs)}"
    try:
        values = [program.read(x, p.type, limits) for x, p in zip(inputs, task.signature.parameters, strict=True)]
        accepted = [program.read(y, task.signature.result_type, limits) for y in outputs]
    except ReadError as exc:
        return ImplementationRun(index, "unsupported", expected, str(exc))
    result = program.run(name, values, limits)
    if isinstance(result, UnknownOutcome):
        verdict = "unsupported" if result.kind == "unsupported" else "unknown"
        return ImplementationRun(index, verdict, expected, f"{result.kind}: {result.message}")
    try:
        same = any(equal(result.data, a.data) for a in accepted)
    except Unknown as exc:
        # Floats have no decidable equality; the labels are compared as written.
        same = program.text(result) in {program.text(a) for a in accepted}
        if not same:
            return ImplementationRun(index, "unknown", expected, exc.message)
    return ImplementationRun(index, "agree" if same else "disagree", expected, f"returned {program.text(result)}")
