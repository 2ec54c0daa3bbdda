"""`agent`: a bounded loop with tools that may finish only when its contract is good enough.

Source: VeriAct (arXiv 2604.00280), whose agent checks, scores and revises its specification until a gate lets it
finish. Two modes make the literature's comparison: `verifier-only` asks the verifier alone (the agent never hears of
rejected pairs or forbidden inputs), `gated` also demands harness scores on feedback examples. Deviations: tools are
called in the reply's text and not through a provider's function calling, so that every model can take part and a prompt
is what is tuned; scores come from feedback examples only, held-out ones are never behind a tool; what happens when the
turns run out is an option and is recorded.

The gate: the verifier passes (grade 1.0), and in `gated` mode PostCorr, PostComp and PreCorr are known to be at least
the threshold. A score without examples cannot be gated and is noted; a score that is open counts by its lower end.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from specgen.errors import UserError
from specgen.generators.base import Parsed, fill, prompt_text, without_fence
from specgen.generators.candidate import Candidate
from specgen.generators.session import HarnessReport, Session
from specgen.lm import ChatMessage
from specgen.tasks.model import GenerationView

Mode: TypeAlias = Literal["gated", "verifier-only"]
GATED_SCORES = ("PostCorr", "PostComp", "PreCorr")

_TOOLS = {
    "check": "`check`: does the specification type-check?",
    "score": "`score`: how does it do on examples: right and wrong results, inputs to admit?",
    "verify": "`verify`: does it hold of known-correct behaviour?",
    "finish": "`finish`: hand it in. Accepted only when {gate}; otherwise you are told what is missing.",
}
_GATES = {
    "gated": "it holds of known-correct behaviour and does well on the examples",
    "verifier-only": "it holds of known-correct behaviour",
}
_OFFERED = {"gated": ("check", "score", "finish"), "verifier-only": ("check", "verify", "finish")}
_MARK = re.compile(r"^[ \t]*[*_#]*\[(ACTION|SPECIFICATION|END)\][*_:]*[ \t]*(.*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class AgentOptions:
    """How long the agent may work, and when it may finish.

    Attributes:
        mode: `gated` or `verifier-only`.
        max_steps: most model calls.
        threshold: least PostCorr, PostComp and PreCorr on feedback examples in `gated` mode, in [0, 1].
        on_exhausted: what becomes of the last specification when the turns run out: `last` takes it as the candidate
            (a note says that it was not accepted), `fail` ends without output.
    """

    mode: Mode = "gated"
    max_steps: int = 6
    threshold: float = 1.0
    on_exhausted: Literal["last", "fail"] = "last"

    def __post_init__(self) -> None:
        if self.max_steps < 1 or not 0 <= self.threshold <= 1:
            raise UserError(
                f"agent: max_steps {self.max_steps}, threshold {self.threshold:g}",
                remedy="Give at least one step and a threshold from 0 to 1",
            )


@dataclass(frozen=True, slots=True)
class Turn:
    """What was read of one reply: the tool, the specification, and what is wrong with the form (empty: nothing)."""

    action: str
    specification: str
    fault: str = ""


def read_turn(text: str, offered: tuple[str, ...]) -> Turn:
    """Read one reply; the last marked specification counts, an action that is not offered is a fault."""
    marks = list(_MARK.finditer(text))
    actions = [m.group(2).strip(" `*_.").lower() for m in marks if m.group(1) == "ACTION"]
    starts = [i for i, m in enumerate(marks) if m.group(1) == "SPECIFICATION"]
    body = ""
    if starts:
        end = marks[starts[-1] + 1].start() if starts[-1] + 1 < len(marks) else len(text)
        body = text[marks[starts[-1]].end() : end].strip("\n").rstrip()
        body = without_fence(body)
    action = actions[0] if actions else ""
    if len(set(actions)) > 1:
        return Turn("", body, "more than one tool was called")
    if action not in offered:
        return Turn("", body, f"no such tool: {action}" if action else "no tool was called")
    return Turn(action, body, "" if body.strip() else "there is no specification")


@dataclass(frozen=True, slots=True)
class Gate:
    """Whether a specification may be handed in: what is missing (empty: it may), and what could not be gated."""

    missing: tuple[str, ...]
    notes: tuple[str, ...] = ()


def judge_gate(report: HarnessReport, options: AgentOptions) -> Gate:
    """Apply the gate to a harness report."""
    missing = [] if report.verified else ["it does not hold of all known-correct behaviour"]
    notes = []
    if options.mode == "gated":
        for name in GATED_SCORES:
            score = report.scores.get(name)
            if score is None or score.status == "not_applicable":
                notes.append(f"{name} not gated: no examples")
                continue
            known = score.value if score.value is not None else score.lower
            if known is None or known < options.threshold:
                shown = "not known" if known is None else f"{known:.2f}"
                missing.append(f"{name} is {shown}, {options.threshold:g} wanted")
    return Gate(tuple(missing), tuple(notes))


@dataclass(frozen=True, slots=True)
class AgentGenerator:
    """A conversation: instructions and tools, the task, then turn by turn a call and its answer."""

    options: AgentOptions = field(default_factory=AgentOptions)
    name: str = "agent"
    version: str = "1"
    demonstration_ids: frozenset[str] = frozenset()
    needs_verifier: bool = True

    @property
    def most_calls(self) -> int:
        """The most calls that one candidate takes."""
        return self.options.max_steps

    def render(self, view: GenerationView, instructions: str) -> tuple[ChatMessage, ...]:
        """Return the conversation before the first turn."""
        tools = "\n".join(f"- {_TOOLS[t]}" for t in _OFFERED[self.options.mode])
        tools = tools.replace("{gate}", _GATES[self.options.mode])
        system = fill(prompt_text("agent_system.md"), view, instructions, tools=tools)
        task = fill(prompt_text("agent_task.md"), view, steps=str(self.options.max_steps))
        return (ChatMessage("system", system), ChatMessage("user", task))

    def parse(self, view: GenerationView, text: str) -> Parsed:
        """Read a single turn's specification, whatever tool it calls."""
        turn = read_turn(text, _OFFERED[self.options.mode])
        if not turn.specification.strip():
            return Parsed(failure="unparsable", message=turn.fault or "there is no specification")
        return Parsed(lean=turn.specification, notes=(turn.fault,) if turn.fault else ())

    def produce(self, session: Session) -> Candidate:
        """Work until the gate lets a specification through, or the turns run out."""
        messages = self.render(session.view, session.instructions)
        trail: list[str] = []
        best: Candidate | None = None
        while len(session.made) < self.options.max_steps:
            reply = session.ask(messages)
            step = f"turn {len(session.made)}"
            if reply.failure == "call_failed":
                return session.fail("call_failed", reply.message, *trail, f"{step}: call failed")
            turn = read_turn(reply.text, _OFFERED[self.options.mode])
            if turn.specification.strip():
                best = replace(reply, lean=turn.specification, failure="", message="")
            answer, done = self._answer(session, turn, best)
            trail.append(f"{step}: {turn.action or turn.fault}: {answer.splitlines()[0]}")
            if done and best is not None:
                return session.finish(best, *trail)
            left = self.options.max_steps - len(session.made)
            result = ChatMessage("user", f"Answer of the tool:\n{answer}\n{left} turns are left.")
            messages = (*messages, ChatMessage("assistant", reply.text or "(nothing)"), result)
        ended = f"the {self.options.max_steps} turns ran out before a specification was accepted"
        if best is None or self.options.on_exhausted == "fail":
            return session.fail("exhausted", ended, *trail)
        return session.finish(best, *trail, f"{ended}: the last one is taken")

    def _answer(self, session: Session, turn: Turn, candidate: Candidate | None) -> tuple[str, bool]:
        """Return what a tool says, and whether the specification is handed in."""
        assert session.verifier is not None  # noqa: S101 - `generate` has looked
        if turn.fault or candidate is None:
            fault = turn.fault or "there is no specification"
            return f"{fault}. Write the three marks, and one tool of {', '.join(_OFFERED[self.options.mode])}.", False
        if turn.action == "check":
            found = session.verifier.elaborate(candidate)
            if found.verdict == "accepted":
                return "The specification is well formed.", False
            return f"{found.verdict}: {found.message}", False
        report = session.verifier.harness(candidate, verifier_only=self.options.mode == "verifier-only")
        gate = judge_gate(report, self.options)
        if turn.action == "finish" and not gate.missing:
            return "; ".join(("Accepted.", *gate.notes)), True
        verdict = f"Not yet: {'; '.join(gate.missing)}." if gate.missing else "You may finish."
        scores = ", ".join(
            f"{n} {s.value:.2f}" for n, s in report.scores.items() if s.value is not None and n in GATED_SCORES
        )
        return "\n".join(p for p in (verdict, scores, report.feedback) if p), False
