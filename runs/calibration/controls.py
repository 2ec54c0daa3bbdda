"""The authored controls: eight contracts of one requirement whose scores are known exactly.

The requirement is "for any integer x return any integer y > x", with the inputs -1, 0 and 1. It has more than one right
result for each input, which a harness that compares with one expected output cannot score, and its contracts include
the constantly true one, which a harness that needs a failing clause cannot score either.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Literal, TypeAlias

from evaluators.evidence import Evidence
from evaluators.scoring import Checker, score
from specgen.generators import Candidate
from specgen.tasks.model import Labels, LeanContext, Pair, Parameter, Provenance, Signature, Task

Form: TypeAlias = Literal["prepost", "relational"]
FORMS: tuple[Form, ...] = ("prepost", "relational")

METRICS = ("R+", "R-", "R_req")
INPUTS = (-1, 0, 1)

TASK = Task(
    "control_larger",
    "For any integer x return any integer y > x.",
    Signature("larger", (Parameter("x", "Int"),), "Int"),
    LeanContext("4.24.0"),
    Provenance("controls", "control_larger", "Apache-2.0"),
    labels=Labels(
        accepted=tuple(Pair((str(x),), str(x + d)) for x in INPUTS for d in (1, 2)),
        rejected=tuple(Pair((str(x),), str(x - d)) for x in INPUTS for d in (0, 1)),
        required=tuple((str(x),) for x in INPUTS),
    ),
)


@dataclass(frozen=True, slots=True)
class Control:
    """One control: pre- and postcondition over `x` and `y`, and the scores that must come out."""

    precondition: str
    postcondition: str
    expected: tuple[Fraction, Fraction, Fraction]

    def candidate(self, form: Form) -> Candidate:
        """Return the control as a candidate: pre/post fields, or one relation over the function."""
        if form == "prepost":
            fields = {"precond": self.precondition, "postcond": f"let y := result; {self.postcondition}"}
            return Candidate(TASK.id, "control", "", fields=MappingProxyType(fields))
        guard = "" if self.precondition == "True" else f"({self.precondition}) → "
        body = f"{guard}(let y := impl x; {self.postcondition})"
        text = f"def generated_spec (impl : Int → Int) (x : Int) : Prop :=\n  {body}"
        return Candidate(TASK.id, "control", text)


def _control(precondition: str, postcondition: str, plus: str, minus: str, required: str) -> Control:
    return Control(precondition, postcondition, (Fraction(plus), Fraction(minus), Fraction(required)))


CONTROLS = (
    _control("True", "y > x", "1", "1", "1"),
    _control("True", "x < y", "1", "1", "1"),
    _control("True", "y ≥ x", "1", "1/2", "1"),
    _control("True", "y = x + 1", "1/2", "1", "1"),
    _control("True", "True", "1", "0", "1"),
    _control("True", "False", "0", "1", "1"),
    _control("x > 0", "y > x", "1", "1", "1/3"),
    _control("False", "y > x", "1", "1", "0"),
)


@dataclass(frozen=True, slots=True)
class Measured:
    """One score of one control: what must come out, what came out (None without a value), and the evidence's status."""

    metric: str
    expected: Fraction
    found: Fraction | None
    status: str
    message: str = ""

    @property
    def exact(self) -> bool:
        """Whether what came out is what must."""
        return self.found == self.expected


@dataclass(frozen=True, slots=True)
class ControlRow:
    """One control in one form, with its scores."""

    control: Control
    form: Form
    measured: tuple[Measured, ...]

    @property
    def exact(self) -> bool:
        """Whether every score is exact."""
        return all(m.exact for m in self.measured)


def exact_value(evidence: Evidence) -> Fraction | None:
    """Return a value as the rational number that its counts give, None for evidence without a value."""
    if evidence.status != "observed" or evidence.numerator is None or not evidence.denominator:
        return None
    return Fraction(evidence.numerator, evidence.denominator)


def measure_controls(checker: Checker, form: Form, controls: Sequence[Control] = CONTROLS) -> list[ControlRow]:
    """Score the controls in one form as any candidate is scored."""
    rows = []
    for control in controls:
        scored = score(TASK, control.candidate(form), checker)
        evidence = [scored.get(metric) for metric in METRICS]
        measured = tuple(
            Measured(e.metric, expected, exact_value(e), e.status, e.message)
            for e, expected in zip(evidence, control.expected, strict=True)
        )
        rows.append(ControlRow(control, form, measured))
    return rows
