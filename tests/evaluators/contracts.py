"""Tasks and candidates for tests that run the engine."""

from __future__ import annotations

from types import MappingProxyType

from specgen.generators import Candidate
from specgen.tasks.model import Implementation, Labels, LeanContext, Pair, Parameter, Provenance, Signature, Task

INPUTS = ("-1", "0", "1")

LARGER = Task(
    "larger",
    "For any integer x return any integer y > x.",
    Signature("larger", (Parameter("x", "Int"),), "Int"),
    LeanContext("4.24.0"),
    Provenance("test", "larger", "Apache-2.0"),
    implementation=Implementation("def larger (x : Int) : Int := x + 1", "larger"),
    labels=Labels(
        accepted=tuple(Pair((x,), str(int(x) + d)) for x in INPUTS for d in (1, 2)),
        rejected=tuple(Pair((x,), str(int(x) - d)) for x in INPUTS for d in (0, 1)),
        required=tuple((x,) for x in INPUTS),
    ),
)
"""The control task of the project's metric definitions."""


def fields(postcond: str, precond: str = "True", **more: str) -> Candidate:
    """A structured candidate for `LARGER`."""
    return Candidate("larger", "test", "", fields=MappingProxyType({"precond": precond, "postcond": postcond, **more}))


def text(lean: str) -> Candidate:
    """A free-text candidate for `LARGER`."""
    return Candidate("larger", "test", lean)
