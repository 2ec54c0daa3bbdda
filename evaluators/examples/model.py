"""What enrichment is asked for, and what it gives: a task with further labels, and a record of how they came about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from types import MappingProxyType
from typing import Any, Final, Literal, TypeAlias, get_args

from specgen.errors import UserError
from specgen.lean.engine import EvalLimits
from specgen.tasks.model import Labels, Task

Mode: TypeAlias = Literal["off", "fill", "extend"]
LabelKind: TypeAlias = Literal["accepted", "rejected", "required", "forbidden"]
OriginKind: TypeAlias = Literal["mutant", "reference", "small", "perturbed", "recombined", "shaped", "boundary"]

KINDS: Final[tuple[LabelKind, ...]] = get_args(LabelKind)

ENRICH_LIMITS: Final = EvalLimits(fuel=300_000, cells=300_000, frames=60_000, wall_s=1.0, search=200)
"""Limits of one decision of the reference or one run of the implementation. The steps decide: they give the same on
every machine, and the seconds are there for what steps do not see."""


@dataclass(frozen=True, slots=True)
class EnrichOptions:
    """How much to make.

    Attributes:
        mode: `off`; `fill` makes only kinds of label that the task lacks altogether; `extend` goes up to the totals.
        seed: with the task's id it determines everything that is made.
        per_pair: most rejected pairs made from one accepted pair.
        accepted, rejected, required, forbidden: totals, the task's own labels included; none of those is left out where
            there are more.
        tries: most decisions of the reference for one kind of label.
    """

    mode: Mode = "fill"
    seed: int = 0
    per_pair: int = 6
    accepted: int = 12
    rejected: int = 40
    required: int = 16
    forbidden: int = 10
    tries: int = 160

    def __post_init__(self) -> None:
        """Refuse an unknown mode and negative sizes."""
        if self.mode not in get_args(Mode):
            raise UserError(f"the mode {self.mode!r} is unknown", remedy=f"Give one of {', '.join(get_args(Mode))}")
        for name in ("per_pair", *KINDS, "tries"):
            if getattr(self, name) < 0:
                raise UserError(f"{name} is negative: {getattr(self, name)}", remedy="Give 0 or more")

    def wanted(self, labels: Labels) -> dict[LabelKind, int]:
        """Return how many labels of each kind are to be made."""
        have: dict[LabelKind, int] = {kind: len(getattr(labels, kind)) for kind in KINDS}
        if self.mode == "off":
            return dict.fromkeys(KINDS, 0)
        lacking = [kind for kind in KINDS if self.mode == "extend" or not have[kind]]
        return {kind: max(0, int(getattr(self, kind)) - have[kind]) if kind in lacking else 0 for kind in KINDS}


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a made label comes from.

    Attributes:
        kind: `mutant` of an accepted pair; `reference`, a labelled required input run through the reference
            implementation; `small`, `perturbed`, `recombined` or `shaped` further inputs (and what the implementation
            gives on them); `boundary` of the precondition.
        detail: the operator of a mutation, with the parameter that it changed for inputs.
        source: the label that it was made from, `accepted[2]`, empty where there is no single one.
        confirmed: whether the reference decided the label. A result of the reference implementation that the reference
            contract cannot decide is a label all the same, and only not confirmed.
    """

    kind: OriginKind
    detail: str = ""
    source: str = ""
    confirmed: bool = True


@dataclass(frozen=True, slots=True)
class Tally:
    """What became of the attempts at one kind of label; everything but `labelled` and `generated` was dropped.

    Attributes:
        labelled: the task's own labels.
        generated: labels that were added.
        tried: attempts.
        equivalent: mutants that are right: equal to an accepted output of the input, or accepted by the reference.
        undecided: the reference gave no verdict within the limits.
        duplicate: labels that were there already, or in what was to be excluded.
        outside: inputs on which the reference precondition decides against what was wanted.
        unfinished: inputs on which the reference implementation gave no result within the limits.
        inconsistent: inputs on which the reference rejects its own implementation's result.
        unwritable: values that do not read back as themselves, or are too long for a label.
    """

    labelled: int = 0
    generated: int = 0
    tried: int = 0
    equivalent: int = 0
    undecided: int = 0
    duplicate: int = 0
    outside: int = 0
    unfinished: int = 0
    inconsistent: int = 0
    unwritable: int = 0


TALLY_FIELDS: Final = tuple(f.name for f in fields(Tally))


@dataclass(frozen=True, slots=True)
class Enrichment:
    """A task with further labels.

    The task's own labels keep their places, and what was made follows them: of kind k, the labels from index
    `tallies[k].labelled` on are made, and `origins[k][i]` tells of the i-th of those. So an item name such as
    `rejected[7]` tells a made label from the data set's (`origin`).

    Attributes:
        task: the task; its labels are the enriched ones, nothing else differs.
        options: what was asked for.
        origins: of each kind, the origin of each made label in order.
        tallies: of each kind, the counts.
        reasons: of kinds of which fewer were made than wanted, why, where it is known.
    """

    task: Task
    options: EnrichOptions
    origins: Mapping[LabelKind, tuple[Origin, ...]] = field(default_factory=lambda: MappingProxyType({}))
    tallies: Mapping[LabelKind, Tally] = field(default_factory=lambda: MappingProxyType({}))
    reasons: Mapping[LabelKind, str] = field(default_factory=lambda: MappingProxyType({}))

    def origin(self, kind: LabelKind, index: int) -> Origin | None:
        """Return the origin of a label of the enriched task; None for the data set's own.

        Raises:
            IndexError: there is no such label.
        """
        if not 0 <= index < len(getattr(self.task.labels, kind)):
            raise IndexError(f"{kind}[{index}]")
        made = index - self.tallies[kind].labelled
        return self.origins[kind][made] if made >= 0 else None

    def record(self) -> dict[str, Any]:
        """Return everything but the labels themselves as plain data for a run's records."""
        return {
            "schema": 1,
            "task": self.task.id,
            "options": asdict(self.options),
            "tallies": {kind: asdict(tally) for kind, tally in self.tallies.items()},
            "reasons": dict(self.reasons),
            "origins": {kind: [asdict(o) for o in made] for kind, made in self.origins.items()},
        }

    def made(self) -> Labels:
        """Return the made labels alone."""
        labels, have = self.task.labels, self.tallies
        return Labels(
            labels.accepted[have["accepted"].labelled :],
            labels.rejected[have["rejected"].labelled :],
            labels.required[have["required"].labelled :],
            labels.forbidden[have["forbidden"].labelled :],
        )
