"""`clever`: few-shot over relational contracts in marked sections, resampled until one elaborates.

Source: CLEVER (arXiv 2505.13938), which asks for a specification of an implementation as a proposition, shows solved
examples with a line of thought before each, and counts success as pass@k-seconds: samples are drawn until one compiles
or the time is over. Deviations: wording, marks and the three demonstrations are ours; the clock is the sum of the
calls' latencies, so that a run that was interrupted and resumed from its cache decides alike, and checking costs no
time on it; a cap on samples stands beside the seconds; every sample is counted and paid for in the ledger.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field
from functools import lru_cache

from specgen.errors import UserError
from specgen.generators.base import Parsed, fill, prompt_text, without_fence
from specgen.generators.candidate import Candidate
from specgen.generators.session import Session
from specgen.lm import ChatMessage
from specgen.tasks.model import GenerationView, LeanContext, Parameter, Signature

_MARK = re.compile(r"^[ \t]*[*_#]*\[(THOUGHTS|SPECIFICATION|END)\][*_:]*[ \t]*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class CleverOptions:
    """When resampling ends: seconds of model time (`k_seconds`) or number of samples, whichever comes first."""

    k_seconds: float = 600.0
    max_samples: int = 4

    def __post_init__(self) -> None:
        if self.k_seconds <= 0 or self.max_samples < 1:
            raise UserError(
                f"clever: k_seconds {self.k_seconds:g} and max_samples {self.max_samples} leave nothing to do",
                remedy="Give a positive time and at least one sample",
            )


@dataclass(frozen=True, slots=True)
class Demonstration:
    """A solved example: a view, the thoughts, and the specification."""

    view: GenerationView
    thoughts: str
    specification: str


@lru_cache(maxsize=1)
def demonstrations() -> tuple[Demonstration, ...]:
    """Return the three demonstrations of the package."""
    out = []
    for demo in tomllib.loads(prompt_text("clever_demos.toml"))["demo"]:
        parameters = tuple(Parameter(n, t) for n, t in demo["parameters"])
        signature = Signature(demo["name"], parameters, demo["result_type"])
        view = GenerationView(demo["id"], demo["requirement"].strip(), signature, LeanContext("4.24.0"))
        out.append(Demonstration(view, demo["thoughts"].strip(), demo["specification"].strip("\n")))
    return tuple(out)


def write_sections(thoughts: str, specification: str) -> str:
    """Return a reply as it should be."""
    return f"[THOUGHTS]\n{thoughts}\n[SPECIFICATION]\n{specification}\n[END]"


def read_sections(text: str) -> Parsed:
    """Read a reply: the specification stands between its mark and the end mark.

    A missing end mark is noted (the reply may be cut off); of several specifications the last one counts; a code fence
    around it is taken off. Without the mark the reply is a parse failure.
    """
    notes: list[str] = []
    marks = list(_MARK.finditer(text))
    starts = [i for i, m in enumerate(marks) if m.group(1) == "SPECIFICATION"]
    if not starts:
        return Parsed(failure="unparsable", message="no mark [SPECIFICATION]")
    if len(starts) > 1:
        notes.append(f"{len(starts)} marked specifications, the last one taken")
    at = starts[-1]
    closing = marks[at + 1] if at + 1 < len(marks) else None
    if closing is None:
        notes.append("no end mark")
    body = text[marks[at].end() : closing.start() if closing else len(text)].strip("\n").rstrip()
    bare = without_fence(body)
    if bare != body:
        notes.append("code fence taken off the specification")
        body = bare
    if not body.strip():
        return Parsed(failure="unparsable", message="the specification section is empty", notes=tuple(notes))
    return Parsed(lean=body, notes=tuple(notes))


@dataclass(frozen=True, slots=True)
class CleverGenerator:
    """A system message with the instructions, three solved examples as turns, then the task; resampled."""

    options: CleverOptions = field(default_factory=CleverOptions)
    name: str = "clever"
    version: str = "1"
    needs_verifier: bool = True

    @property
    def demonstration_ids(self) -> frozenset[str]:
        """Ids and function names of the demonstrations."""
        return frozenset(x for d in demonstrations() for x in (d.view.task_id, d.view.signature.name))

    @property
    def most_calls(self) -> int:
        """The most calls that one candidate takes."""
        return self.options.max_samples

    def render(self, view: GenerationView, instructions: str) -> tuple[ChatMessage, ...]:
        """Return system message, demonstrations, task."""
        task = prompt_text("clever_task.md")
        messages = [ChatMessage("system", fill(prompt_text("clever_system.md"), view, instructions))]
        for demo in demonstrations():
            messages.append(ChatMessage("user", fill(task, demo.view)))
            messages.append(ChatMessage("assistant", write_sections(demo.thoughts, demo.specification)))
        messages.append(ChatMessage("user", fill(task, view)))
        return tuple(messages)

    def parse(self, view: GenerationView, text: str) -> Parsed:
        """Read the marked specification."""
        return read_sections(text)

    def produce(self, session: Session) -> Candidate:
        """Draw samples until one elaborates; without one, the last sample is the candidate, and a note says so."""
        trail: list[str] = []
        while len(session.made) < self.options.max_samples and session.elapsed_s() < self.options.k_seconds:
            reply = session.ask()
            verdict = "not checked"
            if reply.failure in ("", "unparsable") and session.verifier is not None:
                found = session.verifier.elaborate(reply)
                verdict = f"{found.verdict}: {found.message}" if found.message else found.verdict
                if found.verdict == "accepted":
                    return session.finish(reply, *trail, f"sample {len(session.made)}: accepted")
            trail.append(f"sample {len(session.made)}: {reply.failure or verdict}")
        answered = [c for c in session.made if c.failure != "call_failed"] or session.made
        return session.finish(answered[-1], *trail, "no sample elaborated: the last answered one is taken")
