"""A task that tests may change, made without a loader."""

from __future__ import annotations

from specgen.tasks.model import (
    ContractSource,
    Implementation,
    Labels,
    LeanContext,
    Pair,
    Parameter,
    Provenance,
    Signature,
    Task,
)

PREPOST = """def clamp_precond (x : Int) (low high : Int) : Prop :=
  low ≤ high

def clamp_postcond (x : Int) (low high : Int) (result : Int) : Prop :=
  low ≤ result ∧
  result ≤ high ∧
  (low ≤ x ∧ x < high → result = x) -- inside, `x` stays
"""

RELATIONAL = """def clamp_spec (impl : Int → Int → Int → Int) (x low high : Int) : Prop :=
  let spec (result : Int) :=
    low ≤ high →
    low ≤ result ∧ result ≤ high;
  ∃ result, impl x low high = result ∧ spec result
"""

CODE = """def clamp (x : Int) (low high : Int) (h_precond : clamp_precond x low high) : Int :=
  max low (min x high)
"""


def labels(count: int = 4) -> Labels:
    """Labels with `count` inputs, an accepted and two rejected pairs each, and two forbidden inputs."""
    inputs = [(str(n), "0", "2") for n in range(count)]
    return Labels(
        tuple(Pair(i, str(min(n, 2))) for n, i in enumerate(inputs)),
        tuple(Pair(i, str(n + 7 + k)) for n, i in enumerate(inputs) for k in (0, 1)),
        tuple(inputs),
        (("1", "2", "0"), ("1", "5", "4")),
    )


def clamp(identity: str = "own_clamp", **changes: object) -> Task:
    """A task with both representations, an implementation and labels."""
    fields: dict[str, object] = {
        "id": identity,
        "requirement": "Clamp the number `x` between low and high. A number inside stays as it is.",
        "signature": Signature("clamp", tuple(Parameter(n, "Int") for n in ("x", "low", "high")), "Int"),
        "context": LeanContext("4.24.0"),
        "provenance": Provenance("own", identity, "Apache-2.0"),
        "references": (
            ContractSource("prepost", PREPOST, "clamp_postcond", "clamp_precond"),
            ContractSource("relational", RELATIONAL, "clamp_spec"),
        ),
        "implementation": Implementation(PREPOST.split("\n\n", maxsplit=1)[0] + "\n\n" + CODE, "clamp"),
        "labels": labels(),
        "difficulty": "basic",
        "metadata": {"control_flow": "branching"},
    }
    return Task(**(fields | changes))  # type: ignore[arg-type]
