"""Several calls for one candidate: what a generator that resamples, selects or uses tools is given.

Such a generator asks through a `Session`, which makes every call distinct for the cache, counts and pays for it, and
adds everything up in the candidate that is returned. A verifier comes in as a narrow protocol, so that generators
know nothing of evaluators; what it knows of a task beyond the generation view (feedback examples) is the caller's
business, and held-out material must not be behind it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, Protocol, TypeAlias, runtime_checkable

from specgen.generators.base import CallOptions, Generator, ModelClient, Shot, generate_once, render_prompt
from specgen.generators.candidate import Candidate, FailureKind
from specgen.lm import ChatMessage
from specgen.tasks.model import GenerationView

Verdict: TypeAlias = Literal["accepted", "rejected", "unsupported", "timeout"]
Relation: TypeAlias = Literal["identical", "proved", "same_outcomes", "different", "unknown"]

MAX_CALLS = 1000
"""Calls that one candidate may make: sample indices of different candidates must not meet."""


@dataclass(frozen=True, slots=True)
class Elaboration:
    """Whether a candidate is well formed, by the verifier's own verdict; `message` is its first diagnostic."""

    verdict: Verdict
    message: str = ""


@dataclass(frozen=True, slots=True)
class HarnessScore:
    """One harness score on feedback examples: a value in [0, 1] (None when it has none), bounds, and its counts.

    `status` is the evidence's; a score that is `not_applicable` has no examples.
    """

    value: float | None
    lower: float | None
    upper: float | None
    status: str
    numerator: int | None = None
    denominator: int | None = None


@dataclass(frozen=True, slots=True)
class HarnessReport:
    """What checking a candidate on feedback examples gave.

    Attributes:
        verified: the verifier's grade is 1.0 (well formed, nothing known to be correct is refused).
        scores: by name: `PostCorr`, `PostComp`, `PreCorr`, `PreComp`.
        feedback: the findings in words, as a tool's answer; no reference, no held-out example.
    """

    verified: bool
    scores: Mapping[str, HarnessScore]
    feedback: str


class Verifier(Protocol):
    """What a generator may ask about its own candidates."""

    def elaborate(self, candidate: Candidate) -> Elaboration:
        """Tell whether a candidate is well formed."""
        ...

    def harness(self, candidate: Candidate, verifier_only: bool = False) -> HarnessReport:
        """Check a candidate on the task's feedback examples; `verifier_only` leaves out all but accepted pairs."""
        ...

    def relation(self, first: Candidate, second: Candidate) -> Relation:
        """Compare the meanings of two candidates, without the reference and on inputs that a generator may see."""
        ...


@dataclass
class Session:
    """The calls of one candidate.

    Attributes:
        view, instructions, call, client, verifier: what the candidate is made from.
        sample: index of this candidate among several.
        shots: worked examples that go into the generator's own prompt.
        made: the single replies so far, in order.
    """

    generator: Generator
    view: GenerationView
    instructions: str
    call: CallOptions
    client: ModelClient
    verifier: Verifier | None = None
    sample: int = 0
    shots: tuple[Shot, ...] = ()
    made: list[Candidate] = field(default_factory=list)

    def ask(self, messages: tuple[ChatMessage, ...] | None = None, call: CallOptions | None = None) -> Candidate:
        """Make the next call and return its candidate; without `messages`, the generator's own prompt."""
        index = self.sample * MAX_CALLS + len(self.made)
        rendered = messages or render_prompt(self.generator, self.view, self.instructions, self.shots)
        reply = generate_once(self.generator, self.view, rendered, self.client, call or self.call, index)
        self.made.append(reply)
        return reply

    def elapsed_s(self) -> float:
        """Return the seconds that the calls took: what their latencies sum to, so that a resumed run counts alike."""
        return sum(c.latency_s for c in self.made)

    def finish(self, chosen: Candidate, *notes: str) -> Candidate:
        """Return a chosen reply as the candidate, with the usage of every call and what was decided on the way."""
        costs = [c.cost_usd for c in self.made]
        known = [c for c in costs if c is not None]
        return replace(
            chosen,
            sample=self.sample,
            input_tokens=sum(c.input_tokens for c in self.made),
            output_tokens=sum(c.output_tokens for c in self.made),
            cost_usd=sum(known) if len(known) == len(costs) and costs else None,
            latency_s=self.elapsed_s(),
            attempts=sum(c.attempts for c in self.made),
            calls=len(self.made),
            simulated=any(c.simulated for c in self.made),
            notes=(*chosen.notes, *notes),
        )

    def fail(self, kind: FailureKind, message: str, *notes: str) -> Candidate:
        """Return a candidate without usable output, with the usage of every call; the last reply's text is kept."""
        last = self.made[-1] if self.made else Candidate(self.view.task_id, self.generator.name, "")
        return self.finish(replace(last, fields=None, lean="", failure=kind, message=message), *notes)


@runtime_checkable
class Strategy(Protocol):
    """A generator that makes more than one call for a candidate."""

    @property
    def needs_verifier(self) -> bool: ...  # noqa: D102

    @property
    def most_calls(self) -> int:
        """The most calls that one candidate takes."""
        ...

    def produce(self, session: Session) -> Candidate:
        """Return one candidate. Fatal gateway errors (budget, key) pass through."""
        ...


def generate(
    generator: Generator,
    view: GenerationView,
    instructions: str,
    client: ModelClient,
    call: CallOptions,
    sample: int = 0,
    verifier: Verifier | None = None,
    shots: tuple[Shot, ...] = (),
) -> Candidate:
    """Return one candidate, whatever came back: one call, or as many as the generator's strategy makes.

    Raises:
        ValueError: a strategy that needs a verifier was given none.
    """
    if not isinstance(generator, Strategy):
        messages = render_prompt(generator, view, instructions, shots)
        return generate_once(generator, view, messages, client, call, sample)
    if generator.needs_verifier and verifier is None:
        raise ValueError(f"the generator {generator.name} needs a verifier")
    return generator.produce(Session(generator, view, instructions, call, client, verifier, sample, shots))
