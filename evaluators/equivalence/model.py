"""What is compared, and how a comparison ends.

Two contracts of one task, reference and candidate, in normal form: a precondition P over the inputs and a postcondition
Q over inputs and result. Four statements, each local in the inputs x and the result y (design: metrics.md, "Reference
equivalence"):

    pre_forward    P_ref(x) → P_cand(x)
    pre_backward   P_cand(x) → P_ref(x)
    post_forward   P_ref(x) ∧ Q_ref(x, y) → Q_cand(x, y)
    post_backward  P_ref(x) ∧ Q_cand(x, y) → Q_ref(x, y)

For a relational contract Q speaks of an implementation f and inputs x; y stands for f x, and the statement is meant for
every f. A witness against it is one such f: it returns y at x, and known-correct results elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, get_args

from evaluators.contract import Contract
from evaluators.projection.task_types import SignatureTypes
from specgen.lean.engine import NormalForm, Program

Direction: TypeAlias = Literal["pre_forward", "pre_backward", "post_forward", "post_backward"]
DIRECTIONS: tuple[Direction, ...] = get_args(Direction)

DirectionStatus: TypeAlias = Literal["identical", "proved", "refuted", "inconclusive"]
Relation: TypeAlias = Literal["equivalent", "stronger", "weaker", "incomparable", "not decided"]
Truth: TypeAlias = Literal["holds", "fails"]

STATEMENTS: Mapping[Direction, str] = {
    "pre_forward": "P_ref(x) → P_cand(x)",
    "pre_backward": "P_cand(x) → P_ref(x)",
    "post_forward": "P_ref(x) ∧ Q_ref(x, y) → Q_cand(x, y)",
    "post_backward": "P_ref(x) ∧ Q_cand(x, y) → Q_ref(x, y)",
}


@dataclass(frozen=True, slots=True)
class Side:
    """One contract, loaded and found well formed.

    Attributes:
        program: its text, elaborated.
        contract: what the text is; `contract.representation` tells what the postcondition takes.
        form: names in `program` of precondition (over the inputs; empty for `True`) and postcondition (over the inputs
            and the result; of a relational contract over the implementation and the inputs).
        types: the types of the task's signature.
    """

    program: Program
    contract: Contract
    form: NormalForm
    types: SignatureTypes

    @property
    def relational(self) -> bool:
        """Whether the postcondition takes the implementation."""
        return self.contract.representation == "relational"


@dataclass(frozen=True, slots=True)
class Hint:
    """Values that may be a witness (a solver's model, say), in Lean notation; `output` is None for a precondition's."""

    inputs: tuple[str, ...]
    output: str | None = None


@dataclass(frozen=True, slots=True)
class Witness:
    """Inputs, and a result for a postcondition, on which both sides evaluate exactly and a direction fails.

    Attributes:
        inputs, output: in Lean notation; the output is None against a direction of preconditions.
        reference, candidate: what each side's predicate gives there.
        clause: the first clause that fails, of the side that fails.
        source: where it was found (`labelled`, `mutant`, `small`, …), before it was shrunk.
    """

    inputs: tuple[str, ...]
    output: str | None
    reference: Truth
    candidate: Truth
    clause: str = ""
    source: str = ""

    def shown(self) -> str:
        """Return the witness in one line."""
        left = self.inputs[0] if len(self.inputs) == 1 else f"({', '.join(self.inputs)})"
        pair = left if self.output is None else f"{left} ↦ {self.output}"
        clause = f"; fails: {self.clause}" if self.clause else ""
        return f"{pair}: reference {self.reference}, candidate {self.candidate}{clause}"


@dataclass(frozen=True, slots=True)
class Tried:
    """What a search looked at without success.

    Attributes:
        counts: pairs (or inputs) on which both sides were decided, by source.
        unknown: those on which a side was not decided.
        stopped: why the search ended: `exhausted` (of its budget of values) or `wall time`.
        proof: why there is no proof.
    """

    counts: tuple[tuple[str, int], ...] = ()
    unknown: int = 0
    stopped: str = ""
    proof: str = ""

    def shown(self) -> str:
        """Return it in words."""
        total = sum(n for _, n in self.counts)
        parts = ", ".join(f"{n} {source}" for source, n in self.counts if n)
        found = f"no witness among {total} values ({parts})" if total else "no values to try"
        unknown = f", {self.unknown} not decided" if self.unknown else ""
        stopped = f", stopped at its {self.stopped}" if self.stopped == "wall time" else ""
        return f"{found}{unknown}{stopped}" + (f"; no proof: {self.proof}" if self.proof else "")


@dataclass(frozen=True, slots=True)
class DirectionResult:
    """How one direction ended.

    Attributes:
        direction: which.
        status: `identical` (same normal form), `proved`, `refuted` (with a witness), `inconclusive`.
        method: of a proof: `z3`, `normal form`.
        witness: of a refutation, and only of one.
        tried: what was tried, of an inconclusive one.
        runtime_s: seconds of wall time spent on proofs of this direction (searches serve several at once).
    """

    direction: Direction
    status: DirectionStatus
    method: str = ""
    witness: Witness | None = None
    tried: Tried = field(default_factory=Tried)
    runtime_s: float = 0.0

    def __post_init__(self) -> None:
        if (self.status == "refuted") != (self.witness is not None):
            raise ValueError(f"{self.direction}: a witness goes with the status refuted, and only with it")

    @property
    def established(self) -> bool:
        """Whether the implication is known to be true."""
        return self.status in ("identical", "proved")

    @property
    def scope(self) -> str:
        """What the answer rests on: `identical`, `proved(z3)`, `refuted`, or empty."""
        match self.status:
            case "proved":
                return f"proved({self.method})"
            case "inconclusive":
                return ""
            case _:
                return self.status


@dataclass(frozen=True, slots=True)
class Relations:
    """The candidate seen from the reference.

    Attributes:
        post: of the postconditions, on inputs that the reference admits. `stronger`: Q_cand implies Q_ref there, and
            not the other way round (it accepts fewer results). `weaker`: Q_ref implies Q_cand, and not the other way
            round. `incomparable`: neither implies the other.
        pre: of the preconditions. `stronger`: P_cand implies P_ref, and not the other way round (it admits fewer
            inputs). `weaker`: P_ref implies P_cand, and not the other way round.
        whole: of the contracts as promises to a caller. `stronger`: every input that the reference admits is admitted
            (pre_forward), every result that the candidate accepts there is accepted by the reference (post_backward),
            and one of the other two directions is refuted. So a weaker precondition makes a contract stronger.
            `weaker`: pre_backward and post_forward hold, and one of the other two is refuted. `incomparable`: of each
            of these two pairs one direction is refuted. `equivalent`: all four hold.

    Each is `not decided` where the directions that are known do not tell.
    """

    post: Relation
    pre: Relation
    whole: Relation


def relations(results: Iterable[DirectionResult], statements: bool = False) -> Relations:
    """Summarise the four directions.

    With `statements` the directions of postconditions are those of the contracts as whole statements `P → Q`, and
    decide alone: how a statement is cut into precondition and postcondition is then only a way of writing it.
    """
    known: dict[Direction, bool | None] = dict.fromkeys(DIRECTIONS)
    for r in results:
        known[r.direction] = True if r.established else False if r.status == "refuted" else None

    def relation(stronger: Iterable[Direction], weaker: Iterable[Direction]) -> Relation:
        up = [known[d] for d in stronger]
        down = [known[d] for d in weaker]
        if all(up) and all(down):
            return "equivalent"
        if False in up and False in down:
            return "incomparable"
        if all(up) and False in down:
            return "stronger"
        return "weaker" if all(down) and False in up else "not decided"

    return Relations(
        post=relation(["post_backward"], ["post_forward"]),
        pre=relation(["pre_backward"], ["pre_forward"]),
        whole=relation(["post_backward"], ["post_forward"])
        if statements
        else relation(["pre_forward", "post_backward"], ["pre_backward", "post_forward"]),
    )


__all__ = [
    "DIRECTIONS",
    "STATEMENTS",
    "Direction",
    "DirectionResult",
    "DirectionStatus",
    "Hint",
    "Relation",
    "Relations",
    "Side",
    "Tried",
    "Truth",
    "Witness",
    "relations",
]
