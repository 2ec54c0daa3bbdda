"""What must hold of every term, contract and text that the strategies make. Each property raises AssertionError."""

from __future__ import annotations

from typing import Any

from hypothesis import currently_in_test_context, reject

from fuzz.linear import decide as decide_by_z3
from fuzz.strategies import Contract
from specgen.lean import EvalLimits, LeanEnv, check
from specgen.lean.engine import Fails, Holds, Program, ReadError, UnknownOutcome, Value, load
from specgen.lean.parser import parse_file
from specgen.lean.printer import print_file
from tests.lean.direct import Node, UnknownError, lean, truth, type_text, value, value_text
from tests.lean.parsing import bare

ENV = LeanEnv((4, 24, 0), ("Mathlib",))
LIMITS = EvalLimits(fuel=300_000, cells=300_000, frames=20_000, wall_s=20.0, search=60)


def definition(contract: Contract) -> str:
    """Return the text of a contract as a definition called `f`."""
    parameters = "".join([f" ({x} : {type_text(t)})" for x, t in contract.parameters])
    return f"def f{parameters} : {type_text(contract.body.type)} :=\n  {lean(contract.body)}\n"


def _load(contract: Contract) -> Program:
    text = definition(contract)
    program = load(text, ENV)
    if program.report.verdict == "unsupported" and currently_in_test_context():
        reject()
    assert program.report.verdict == "accepted", (text, program.report.diagnostics)
    return program


def _arguments(program: Program, contract: Contract) -> list[Value]:
    pairs = zip(contract.parameters, contract.arguments, strict=True)
    return [program.read(value_text(v, t), type_text(t)) for (_, t), v in pairs]


def _environment(contract: Contract) -> dict[str, Any]:
    return {x: v for (x, _), v in zip(contract.parameters, contract.arguments, strict=True)}


def printed_text_parses_to_the_same_tree(contract: Contract) -> None:
    """Text, tree, text, tree: the two trees are equal up to parentheses."""
    text = definition(contract)
    first = parse_file(text)
    assert not first.diagnostics, (text, first.diagnostics)
    printed = print_file(first.file)
    second = parse_file(printed)
    assert not second.diagnostics, (text, printed, second.diagnostics)
    assert bare(first.file) == bare(second.file), (text, printed)


def values_agree(contract: Contract) -> None:
    """The compiled evaluator and the direct one give the same value."""
    program = _load(contract)
    try:
        expected = value(contract.body, _environment(contract))
    except UnknownError:
        return
    found = program.run("f", _arguments(program, contract), LIMITS)
    if isinstance(found, UnknownOutcome):
        assert found.kind in ("fuel", "memory", "depth", "timeout"), (definition(contract), found)
        return
    try:
        same = program.read(value_text(expected, contract.body.type), type_text(contract.body.type))
    except ReadError as error:
        raise AssertionError((definition(contract), error)) from error
    shown = program.text(found)
    assert found.data == same.data, (definition(contract), contract.arguments, shown, expected)


def outcomes_do_not_contradict(contract: Contract) -> None:
    """No outcome of the engine contradicts one of the direct evaluator; unknown contradicts nothing."""
    program = _load(contract)
    expected = truth(contract.body, _environment(contract))
    found = program.decide("f", _arguments(program, contract), LIMITS)
    if expected is None or isinstance(found, UnknownOutcome):
        return
    assert isinstance(found, Holds if expected else Fails), (definition(contract), contract.arguments, found, expected)


def guarded_statements_are_decided(contract: Contract) -> None:
    """As `outcomes_do_not_contradict`, and what has only finite domains is decided unless a limit is hit."""
    outcomes_do_not_contradict(contract)
    program = _load(contract)
    found = program.decide("f", _arguments(program, contract), LIMITS)
    if isinstance(found, UnknownOutcome):
        limits = ("fuel", "memory", "depth", "timeout")
        assert found.kind in limits, (definition(contract), contract.arguments, found)


def quantifier_rules_agree_with_z3(formula: Node) -> None:
    """The engine's verdict on a closed formula of linear arithmetic is that of z3."""
    expected = decide_by_z3(formula)
    contract = Contract((), formula, ())
    found = _load(contract).decide("f", [], LIMITS)
    if expected is None or isinstance(found, UnknownOutcome):
        return
    assert isinstance(found, Holds if expected else Fails), (lean(formula), found, expected)


def checking_never_raises(text: str) -> None:
    """Whatever the text, `check` gives a report."""
    report = check(text, ENV)
    assert report.verdict in ("accepted", "rejected", "unsupported"), text
