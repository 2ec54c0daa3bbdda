"""Further labels for a task, made from its own: rejected pairs, further inputs with their results, forbidden inputs.

Definitions: docs/metrics.md, "Further labels". Everything that is made is decided by the reference
(`reference.py`): a label that it does not decide is dropped and counted, never guessed. The one exception is a result
of the reference implementation that its contract cannot decide: it stays, as not `confirmed`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from random import Random
from types import MappingProxyType

from evaluators.examples.inputs import InputSpace, Proposal
from evaluators.examples.kinds import Plain
from evaluators.examples.model import (
    ENRICH_LIMITS,
    KINDS,
    TALLY_FIELDS,
    Enrichment,
    EnrichOptions,
    LabelKind,
    Origin,
    Tally,
)
from evaluators.examples.mutations import Mutation, borrowed, in_turns, mutations
from evaluators.examples.pool import Pool, pool_of
from evaluators.examples.reference import MAX_TEXT, Input, Item, Reference, Unwritable
from evaluators.examples.shapes import Caution
from specgen.lean.engine import EvalLimits
from specgen.tasks.model import Inputs, Labels, Pair, Task

_DRAWS_PER_TRY = 8
"""Proposed inputs that are looked at for each decision that may be made: most of them are there already."""


def enrich(
    task: Task,
    options: EnrichOptions | None = None,
    limits: EvalLimits = ENRICH_LIMITS,
    exclude: Labels | None = None,
) -> Enrichment:
    """Return the task with further labels, the same for the same task, options and limits.

    Args:
        task: a task with its labels. Its reference must be right: one that is known to be at fault
            (`metadata["reference_fault"]`), or that decides a label of the task the other way, makes nothing.
        options: how much to make; the default fills in what is lacking.
        limits: limits of each decision.
        exclude: labels that must not be made, such as those that are held out of `task`.
    """
    options = options or EnrichOptions()
    return _Enricher(task, options, limits, exclude or Labels()).result()


@dataclass(frozen=True, slots=True)
class EnrichJob:
    """`enrich` as a job for a confined worker (`evaluators.jobs`)."""

    task: Task
    options: EnrichOptions
    limits: EvalLimits = ENRICH_LIMITS
    exclude: Labels = Labels()

    def run(self) -> Enrichment:
        """Return the enrichment."""
        return enrich(self.task, self.options, self.limits, self.exclude)


@dataclass(frozen=True, slots=True)
class _Source:
    """An accepted pair that mutants are made from, and its name."""

    name: str
    inputs: Input
    output: Item


class _Enricher:
    def __init__(self, task: Task, options: EnrichOptions, limits: EvalLimits, exclude: Labels) -> None:
        self.task, self.options, self.limits, self.exclude = task, options, limits, exclude
        self.wanted = options.wanted(task.labels)
        self.counts: dict[LabelKind, Counter[str]] = {kind: Counter() for kind in KINDS}
        self.origins: dict[LabelKind, list[Origin]] = {kind: [] for kind in KINDS}
        self.pairs: dict[LabelKind, list[Pair]] = {"accepted": [], "rejected": []}
        self.inputs: dict[LabelKind, list[Inputs]] = {"required": [], "forbidden": []}
        self.reasons: dict[LabelKind, str] = {}
        self.sources: list[_Source] = []
        self.accepted_keys: dict[Inputs, set[str]] = {}
        self.rejected_keys: dict[Inputs, set[str]] = {}
        self.required_keys: set[Inputs] = set()
        self.forbidden_keys: set[Inputs] = set()
        self.paired: set[Inputs] = set()

    def result(self) -> Enrichment:
        if any(self.wanted.values()):
            fault = self._make()
            if fault:
                self.reasons = {kind: fault for kind in KINDS if self.wanted[kind]}
        have, made = self.task.labels, self.inputs
        labels = Labels(
            (*have.accepted, *self.pairs["accepted"]),
            (*have.rejected, *self.pairs["rejected"]),
            (*have.required, *made["required"]),
            (*have.forbidden, *made["forbidden"]),
        )
        return Enrichment(
            self.task.with_labels(labels),
            self.options,
            MappingProxyType({kind: tuple(self.origins[kind]) for kind in KINDS}),
            MappingProxyType({kind: self._tally(kind) for kind in KINDS}),
            MappingProxyType(dict(self.reasons)),
        )

    def _tally(self, kind: LabelKind) -> Tally:
        counts = {name: self.counts[kind][name] for name in TALLY_FIELDS}
        counts |= {"labelled": len(getattr(self.task.labels, kind)), "generated": len(self.origins[kind])}
        return Tally(**counts)

    def _rng(self, stage: str) -> Random:
        """Return the random numbers of a stage: they do not depend on what other stages did."""
        return Random(f"{self.task.id}|{self.options.seed}|{stage}")  # noqa: S311 - not for secrets

    def _make(self) -> str:
        """Make what is wanted; return why nothing can be made, or empty."""
        self.reference = Reference(self.task, self.limits)
        fault = self.reference.fault or self.reference.contradiction(self.task.labels)
        if fault:
            return fault
        self._note_labels()
        examples = self._examples()
        values = [tuple([i.plain for i in x.items]) for x in examples]
        unguarded = self.reference.unguarded()
        caution = Caution(ranges=unguarded, formats=unguarded)
        self.space = InputSpace(self.reference.inputs, values, caution)
        if self.wanted["forbidden"]:
            self._make_forbidden(examples)
        if self.wanted["accepted"] or self.wanted["required"]:
            self._make_further(examples)
        if self.wanted["rejected"]:
            self._make_rejected()
        return ""

    # ---- what is there

    def _note_labels(self) -> None:
        """Note every label by the keys of its values, those to be excluded too, and the pairs to make mutants from."""
        read, labels = self.reference, self.task.labels
        for mine, some in ((True, labels), (False, self.exclude)):
            for i, pair in enumerate(some.accepted):
                inputs, output = read.label_input(pair.inputs), read.label_output(pair.output)
                if inputs is None or output is None:
                    continue
                self.accepted_keys.setdefault(inputs.key, set()).add(output.key)
                self.paired.add(inputs.key)
                if mine and read.confirmed[i] and len(output.key) <= MAX_TEXT:
                    self.sources.append(_Source(f"accepted[{i}]", inputs, output))
            for pair in some.rejected:
                inputs, output = read.label_input(pair.inputs), read.label_output(pair.output)
                if inputs is not None and output is not None:
                    self.rejected_keys.setdefault(inputs.key, set()).add(output.key)
            self.required_keys.update(self._keys(some.required))
            self.forbidden_keys.update(self._keys(some.forbidden))

    def _keys(self, rows: Iterable[Inputs]) -> Iterator[Inputs]:
        for texts in rows:
            found = self.reference.label_input(texts)
            if found is not None:
                yield found.key

    def _examples(self) -> list[Input]:
        """Return the inputs of accepted pairs and the required ones, each once, those of a size for labels."""
        labels, out = self.task.labels, dict[Inputs, Input]()
        for texts in [*(p.inputs for p in labels.accepted), *labels.required]:
            found = self.reference.label_input(texts)
            if found is not None and all(len(i.key) <= MAX_TEXT for i in found.items):
                out.setdefault(found.key, found)
        return list(out.values())

    # ---- inputs

    def _proposed(self, kind: LabelKind, proposals: Iterator[Proposal], examples: list[Input]) -> Iterator[_Proposed]:
        """Yield proposed inputs that are new and can be written, as long as there are tries left."""
        counts, seen = self.counts[kind], set[Inputs]()
        for looked, (origin, detail, at, values) in enumerate(proposals):
            if counts["tried"] >= self.options.tries or looked >= _DRAWS_PER_TRY * self.options.tries:
                return
            try:
                found = self._input(values, examples[at] if at >= 0 else None)
            except Unwritable:
                counts["unwritable"] += 1
                continue
            if found.key in seen:
                continue
            seen.add(found.key)
            if found.key in self.required_keys | self.forbidden_keys | self.paired:
                counts["duplicate"] += 1
                continue
            counts["tried"] += 1
            source = self._source_name(examples[at]) if at >= 0 else ""
            yield _Proposed(found, Origin(origin, detail, source))

    def _input(self, values: tuple[Plain, ...], example: Input | None) -> Input:
        """Return plain values as an input; opaque parameters are the example's."""
        items = []
        for i, (kind, type_) in enumerate(zip(self.reference.inputs, self.reference.session.types.inputs, strict=True)):
            lent = example.items[i] if example is not None else None
            if lent is not None and (kind.opaque() or lent.plain == values[i]):
                items.append(lent)
            else:
                items.append(self.reference.made(kind, values[i], type_))
        return Input(tuple(items))

    def _source_name(self, example: Input) -> str:
        labels = self.task.labels
        for kind, rows in (("accepted", [p.inputs for p in labels.accepted]), ("required", list(labels.required))):
            for i, texts in enumerate(rows):
                if texts == example.texts:
                    return f"{kind}[{i}]"
        return ""

    def _make_forbidden(self, examples: list[Input]) -> None:
        """Perturb inputs that are admitted; what the precondition refuses for certain is forbidden."""
        if self.reference.admits_everything():
            self.reasons["forbidden"] = "the precondition is True"
            return
        unknown = self.reference.precondition_unknown()
        if unknown:
            self.reasons["forbidden"] = f"the precondition is not known: {unknown}"
            return
        counts = self.counts["forbidden"]
        for proposed in self._proposed("forbidden", self.space.outside(self._rng("forbidden")), examples):
            outcome = self.reference.pre(proposed.inputs).outcome
            if outcome == "fails":
                self.inputs["forbidden"].append(proposed.inputs.texts)
                self.origins["forbidden"].append(proposed.origin)
                self.forbidden_keys.add(proposed.inputs.key)
                if len(self.inputs["forbidden"]) >= self.wanted["forbidden"]:
                    return
            counts["outside" if outcome == "holds" else "undecided"] += outcome != "fails"
        self.reasons["forbidden"] = self._out_of_tries("forbidden") or "no more inputs near the examples are refused"

    # ---- further inputs and their results

    def _out_of_tries(self, kind: LabelKind) -> str:
        tries = self.options.tries
        return f"not found within {tries} tries" if self.counts[kind]["tried"] >= tries else ""

    def _lacks(self, kind: LabelKind) -> bool:
        return len(self.origins[kind]) < self.wanted[kind]

    def _make_further(self, examples: list[Input]) -> None:
        fault = self.reference.precondition_unknown()
        if fault:
            fault = f"the precondition is not known: {fault}"
            self.reasons |= {kind: fault for kind in ("accepted", "required") if self.wanted[kind]}
            return
        runs = self._implementation_fault()
        if runs and self.wanted["accepted"]:
            self.reasons["accepted"] = runs
        if not runs and self._lacks("accepted"):
            for x in examples:
                if x.key not in self.paired and self._lacks("accepted"):
                    self._run(x, Origin("reference", "", self._source_name(x)), required=False)
        proposals = self.space.further(self._rng("further"))
        for proposed in self._proposed("required", proposals, examples):
            if not (self._lacks("required") or (self._lacks("accepted") and not runs)):
                return
            outcome = self.reference.pre(proposed.inputs).outcome
            if outcome != "holds":
                self.counts["required"]["outside" if outcome == "fails" else "undecided"] += 1
            elif runs:
                self._require(proposed.inputs, proposed.origin)
            else:
                self._run(proposed.inputs, proposed.origin, required=True)
        for kind in ("required", "accepted"):
            if self._lacks(kind):
                why = self._out_of_tries("required") or "no more inputs like the examples were found"
                self.reasons.setdefault(kind, why)

    def _implementation_fault(self) -> str:
        """Return why the implementation gives no results to go by, or empty."""
        if self.reference.implementation_fault:
            return self.reference.implementation_fault
        opaque = self.reference.result.opaque()
        if opaque:
            return f"outputs cannot be written: {opaque}"
        for i, pair in enumerate(self.task.labels.accepted):
            inputs = self.reference.label_input(pair.inputs)
            found = None if inputs is None else self._result_of(inputs)
            if inputs is None or found is None or found.key in self.accepted_keys.get(inputs.key, ()):
                continue
            if self.reference.post(inputs, found).outcome != "holds":
                return f"the reference implementation does not give accepted[{i}]"
        return ""

    def _result_of(self, inputs: Input) -> Item | None:
        try:
            return self.reference.run(inputs)
        except Unwritable:
            return None

    def _require(self, inputs: Input, origin: Origin) -> None:
        if self._lacks("required"):
            self.inputs["required"].append(inputs.texts)
            self.origins["required"].append(origin)
        self.required_keys.add(inputs.key)

    def _run(self, inputs: Input, origin: Origin, required: bool) -> None:
        """Run the implementation on an admitted input; keep input and result unless the reference rejects them."""
        counts = self.counts["accepted"]
        counts["tried"] += 1
        try:
            output = self.reference.run(inputs)
        except Unwritable:
            counts["unwritable"] += 1
            return
        if output is None:
            counts["unfinished"] += 1
            return
        outcome = self.reference.post(inputs, output).outcome
        if outcome == "fails":
            counts["inconsistent"] += 1
            return
        if output.key in self.rejected_keys.get(inputs.key, ()):
            counts["duplicate"] += 1
            return
        if required:
            self._require(inputs, origin)
        if self._lacks("accepted"):
            name = f"accepted[{len(self.task.labels.accepted) + len(self.pairs['accepted'])}]"
            self.pairs["accepted"].append(Pair(inputs.texts, output.text))
            self.origins["accepted"].append(replace(origin, confirmed=outcome == "holds"))
            self.accepted_keys.setdefault(inputs.key, set()).add(output.key)
            self.paired.add(inputs.key)
            if outcome == "holds":
                self.sources.append(_Source(name, inputs, output))

    # ---- mutants

    def _make_rejected(self) -> None:
        fault = self.reference.result.opaque()
        if fault:
            self.reasons["rejected"] = f"no mutants of {fault}"
            return
        if self.reference.result.head == "Unit":
            self.reasons["rejected"] = "the only value of Unit has no mutant"
            return
        if not self.sources:
            self.reasons["rejected"] = "the reference confirms no accepted pair"
            return
        pool = pool_of((self.reference.result, s.output.plain) for s in self.sources)
        queues = {s.name: (s, iter(self._mutants(s, pool))) for s in self.sources}
        kept: dict[str, list[tuple[Mutation, Pair]]] = {name: [] for name in queues}
        wanted = self.wanted["rejected"]
        while queues and sum(map(len, kept.values())) < wanted:
            for name, (source, queue) in list(queues.items()):
                found = self._next_mutant(source, queue)
                if found is not None:
                    kept[name].append(found)
                if found is None or len(kept[name]) >= self.options.per_pair:
                    del queues[name]
                if sum(map(len, kept.values())) >= wanted:
                    break
        for name, rows in kept.items():
            for mutation, pair in sorted(rows, key=lambda row: row[0].distance):
                self.pairs["rejected"].append(pair)
                self.origins["rejected"].append(Origin("mutant", mutation.operator, name))
        if len(self.pairs["rejected"]) < wanted:
            full = all(len(rows) == self.options.per_pair for rows in kept.values())
            why = (
                f"there are {self.options.per_pair} of each accepted pair" if full else "no more are wrong for certain"
            )
            self.reasons["rejected"] = self._out_of_tries("rejected") or why

    def _mutants(self, source: _Source, pool: Pool) -> list[Mutation]:
        rng = self._rng(f"rejected {source.name}")
        kind, value = self.reference.result, source.output.plain
        inputs = [(k, i.plain) for k, i in zip(self.reference.inputs, source.inputs.items, strict=True)]
        others = [s.output.plain for s in self.sources if s.output.key != source.output.key]
        rng.shuffle(others)
        found = [*mutations(kind, value, rng, pool), *borrowed(kind, value, others[:8], inputs)]
        return in_turns(found, rng)

    def _next_mutant(self, source: _Source, queue: Iterator[Mutation]) -> tuple[Mutation, Pair] | None:
        """Return the next mutant that is wrong for certain."""
        counts, x = self.counts["rejected"], source.inputs
        for mutation in queue:
            if counts["tried"] >= self.options.tries:
                return None
            try:
                output = self.reference.made(self.reference.result, mutation.value, self.reference.session.types.result)
            except Unwritable:
                counts["unwritable"] += 1
                continue
            if output.key in self.rejected_keys.setdefault(x.key, set()):
                counts["duplicate"] += 1
                continue
            counts["tried"] += 1
            if output.key in self.accepted_keys[x.key]:
                counts["equivalent"] += 1
                continue
            outcome = self.reference.post(x, output).outcome
            if outcome == "fails":
                self.rejected_keys[x.key].add(output.key)
                return mutation, Pair(x.texts, output.text)
            counts["equivalent" if outcome == "holds" else "undecided"] += 1
        return None


@dataclass(frozen=True, slots=True)
class _Proposed:
    inputs: Input
    origin: Origin
