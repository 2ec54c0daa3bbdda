"""An independent look at an enrichment: what it promises, asked again of the engine from the labels' texts."""

from __future__ import annotations

from collections import Counter
from typing import get_args

from evaluators.contract import reference_contract
from evaluators.examples.model import Enrichment, LabelKind
from evaluators.execution import check_contract
from evaluators.projection.task_types import signature_types, task_program
from specgen.lean.core import Term
from specgen.lean.engine import EvalLimits, ReadError
from specgen.tasks.model import Inputs, Labels, Pair, Task

WANTED = {"accepted": "holds", "rejected": "fails", "required": "holds", "forbidden": "fails"}


def audit(task: Task, found: Enrichment) -> list[str]:
    """Return what is wrong with an enrichment of a task."""
    faults = _places(task, found)
    return faults or [*_outcomes(task, found), *_overlaps(task, found), *_sizes(task, found)]


def _places(task: Task, found: Enrichment) -> list[str]:
    faults = []
    for kind in get_args(LabelKind):
        before, after = getattr(task.labels, kind), getattr(found.task.labels, kind)
        if after[: len(before)] != before:
            faults.append(f"{kind}: the task's own labels have moved")
        if len(after) - len(before) != len(found.origins[kind]):
            faults.append(f"{kind}: {len(found.origins[kind])} origins")
        if (found.tallies[kind].labelled, found.tallies[kind].generated) != (len(before), len(after) - len(before)):
            faults.append(f"{kind}: the tally does not add up")
    return faults


def _outcomes(task: Task, found: Enrichment) -> list[str]:
    contract = reference_contract(task)
    if contract is None:
        return ["labels without a reference"] if found.made().size() else []
    checks = check_contract(contract, found.task, EvalLimits(), trusted=True)
    faults = []
    for kind, wanted in WANTED.items():
        for i, check in enumerate(getattr(checks, kind)):
            origin = found.origin(kind, i)  # type: ignore[arg-type]
            if origin is None or check.whole.outcome == wanted:
                continue
            if origin.confirmed or check.whole.outcome != "unknown":
                faults.append(f"{check.item}: {check.shown} {check.whole.outcome}, {origin}")
    return faults


class Reader:
    """The engine's own notation of labels."""

    def __init__(self, task: Task) -> None:
        self.program, self.types = task_program(task), signature_types(task)

    def text(self, text: str, type_: Term) -> str:
        try:
            return self.program.text(self.program.read(text, type_))
        except ReadError:  # a map, say, which has no notation: as it is written
            return text

    def inputs(self, inputs: Inputs) -> tuple[str, ...]:
        return tuple([self.text(t, type_) for t, type_ in zip(inputs, self.types.inputs, strict=True)])

    def pair(self, pair: Pair) -> tuple[tuple[str, ...], str]:
        return self.inputs(pair.inputs), self.text(pair.output, self.types.result)


def _overlaps(task: Task, found: Enrichment) -> list[str]:
    reader, labels, made = Reader(task), found.task.labels, found.made()
    accepted = Counter(map(reader.pair, labels.accepted))
    rejected = Counter(map(reader.pair, labels.rejected))
    required = Counter(map(reader.inputs, labels.required))
    forbidden = Counter(map(reader.inputs, labels.forbidden))
    faults = [f"accepted and rejected: {x}" for x in accepted.keys() & rejected.keys()]
    faults += [f"required and forbidden: {x}" for x in required.keys() & forbidden.keys()]
    faults += [f"accepted on a forbidden input: {x}" for x, _ in accepted if x in forbidden]
    for name, counts, mine in (
        ("accepted", accepted, map(reader.pair, made.accepted)),
        ("rejected", rejected, map(reader.pair, made.rejected)),
    ):
        faults += [f"{name} twice: {x}" for x in mine if counts[x] > 1]
    for name, seen, new in (
        ("required", required, map(reader.inputs, made.required)),
        ("forbidden", forbidden, map(reader.inputs, made.forbidden)),
    ):
        faults += [f"{name} twice: {x}" for x in new if seen[x] > 1]
    return faults


def _sizes(task: Task, found: Enrichment) -> list[str]:
    options, made = found.options, found.made()
    faults = []
    for kind in get_args(LabelKind):
        before, new = len(getattr(task.labels, kind)), len(getattr(made, kind))
        if new and before + new > getattr(options, kind):
            faults.append(f"{kind}: {before + new} labels")
        if new and options.mode == "fill" and before:
            faults.append(f"{kind}: extended")
    sources = Counter(o.source for o in found.origins["rejected"])
    faults += [f"{n} mutants of {source}" for source, n in sources.items() if n > options.per_pair]
    if options.mode == "off" and made != Labels():
        faults.append("made although off")
    return faults
