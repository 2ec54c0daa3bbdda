"""The evaluator `judge`: a language model's opinion of how far a contract says what a requirement asks for.

After LeanScorer (Mathesis, arXiv 2506.07047), in two calls with prompts of our own: the requirement is taken apart into
conditions and a conclusion, and each of these items is judged against the contract; the verdicts are put together by
the Sugeno integral (`sugeno.py`). The first call does not see the contract, so it is the same for all candidates of a
task and no candidate can bear on it. The judge sees requirement, signature, given definitions and contract; never a
reference or a labelled example.

A verdict that cannot be read is unknown: the score is then `inconclusive` with the interval that the other verdicts
leave, unless they decide it. A failed call is an `evaluator_error`. Neither is ever a score.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from evaluators.evidence import Evidence, ItemOutcome, OutcomeName, Status
from evaluators.judge.replies import Decomposition, Item, Review, printable, read_decomposition, read_review
from evaluators.judge.sugeno import bounds
from evaluators.judge.wording import decompose_messages, verdict_messages, versions, without_comments
from specgen.lm import ChatMessage, ModelFailure, ModelOutcome, ModelRequest
from specgen.tasks.model import GenerationView

METRIC = "judge"
EVALUATOR = "judge"
VERSION = "1"
_OUTCOME: dict[str, OutcomeName] = {"A": "holds", "B": "fails", "C": "fails"}


class JudgeClient(Protocol):
    """The part of the gateway that judging needs."""

    def complete_many(self, requests: Iterable[ModelRequest]) -> list[ModelOutcome]:
        """Answer requests in order; a failed call is data, a fatal one raises."""
        ...


@dataclass(frozen=True, slots=True)
class JudgeOptions:
    """How the judge is asked.

    Attributes:
        model: LiteLLM name, or `sim/judge` for a simulated one.
        temperature, max_tokens, seed: as in `ModelRequest`; None leaves it to the provider.
        sample: index of the opinion, from 0, where several are wanted of one contract.
        split: split of the tasks, for ledger and cache.
        keep_comments: whether the judge sees comments of the contract, which say nothing that counts.
        max_chars: longest contract, in characters, that is sent; longer ones are `unsupported`.
    """

    model: str
    temperature: float | None = None
    max_tokens: int | None = None
    seed: int | None = None
    sample: int = 0
    split: str = ""
    keep_comments: bool = False
    max_chars: int = 40_000


@dataclass(frozen=True, slots=True)
class JudgeInput:
    """What is judged: a task as a generator sees it, and a contract's Lean text (empty: there was no output)."""

    view: GenerationView
    contract: str


@dataclass(slots=True)
class _Case:
    """One contract on its way through both calls."""

    given: JudgeInput
    text: str = ""
    items: tuple[Item, ...] = ()
    token: str = ""
    outcomes: list[ModelOutcome] = field(default_factory=list)
    evidence: Evidence | None = None


def judge(view: GenerationView, contract: str, client: JudgeClient, options: JudgeOptions) -> Evidence:
    """Return the judge's opinion of one contract, the score in [0, 1].

    `items` has one entry for each condition and for the conclusion: `kind` is the verdict A, B or C (`unreadable` where
    unknown), the outcome `holds` for A alone, `reason` the judge's, `clause` the item's text.

    Raises:
        SpecgenError: what makes further calls pointless (key, budget, unknown model).
    """
    return judge_many([JudgeInput(view, contract)], client, options)[0]


def judge_many(inputs: Sequence[JudgeInput], client: JudgeClient, options: JudgeOptions) -> list[Evidence]:
    """Return the judge's opinion of each contract, in order; the calls run at the gateway's concurrency.

    A task is taken apart once, however many of its contracts are judged. Raises as `judge`.
    """
    cases = [_Case(given) for given in inputs]
    for case in cases:
        _prepare(case, options)
    _take_apart([c for c in cases if c.evidence is None], client, options)
    open_cases = [c for c in cases if c.evidence is None]
    requests = []
    for case in open_cases:
        messages, case.token = verdict_messages(case.given.view, case.items, case.text)
        requests.append(_request(case.given.view, messages, options))
    for case, outcome in zip(open_cases, client.complete_many(requests) if requests else [], strict=True):
        case.outcomes.append(outcome)
        if isinstance(outcome, ModelFailure):
            case.evidence = _call_failed(case, outcome, options)
        else:
            review = read_review(outcome.text, case.token, len(case.items), outcome.finish_reason == "length")
            case.evidence = _score(case, review, options)
    return [c.evidence for c in cases if c.evidence is not None]


def _prepare(case: _Case, options: JudgeOptions) -> None:
    text = case.given.contract
    if len(text) > options.max_chars:
        why = f"a contract of {len(text)} characters is longer than the {options.max_chars} that are sent to a judge"
        case.evidence = _evidence(case, options, "unsupported", message=why)
        return
    text = text if options.keep_comments else without_comments(text)
    case.text = printable(text.strip())
    if not case.text:
        case.evidence = _evidence(case, options, "generation_failure", message="there is no contract to judge")


def _take_apart(cases: Sequence[_Case], client: JudgeClient, options: JudgeOptions) -> None:
    """Fill in the items of each case, with one call a task."""
    views = {c.given.view: None for c in cases}
    if not views:
        return
    outcomes = client.complete_many(_request(v, decompose_messages(v), options) for v in views)
    by_view = dict(zip(views, outcomes, strict=True))
    for case in cases:
        outcome = by_view[case.given.view]
        case.outcomes.append(outcome)
        if isinstance(outcome, ModelFailure):
            case.evidence = _call_failed(case, outcome, options)
            continue
        read: Decomposition = read_decomposition(outcome.text, outcome.finish_reason == "length")
        case.items = read.items
        if not read.items:
            why = f"the requirement was not taken apart: {read.problem}"
            case.evidence = _evidence(case, options, "inconclusive", message=why)


def _request(view: GenerationView, messages: tuple[ChatMessage, ...], options: JudgeOptions) -> ModelRequest:
    return ModelRequest(
        model=options.model,
        messages=messages,
        temperature=options.temperature,
        max_tokens=options.max_tokens,
        seed=options.seed,
        sample=options.sample,
        role="judge",
        split=options.split,
        task_id=view.task_id,
    )


def _call_failed(case: _Case, failure: ModelFailure, options: JudgeOptions) -> Evidence:
    return _evidence(case, options, "evaluator_error", message=f"call failed: {failure.kind}: {failure.message}")


def _score(case: _Case, review: Review, options: JudgeOptions) -> Evidence:
    verdicts = [v.verdict for v in review.verdicts]
    lower, upper = bounds(verdicts)
    unknown = verdicts.count(None)
    remarks = list(review.notes)
    if unknown:
        first = next(v.reason for v in review.verdicts if v.verdict is None)
        remarks.insert(0, f"{unknown} of {len(verdicts)} verdicts could not be read: {first}")
    counts: dict[str, Any] = {"lower": float(lower), "upper": float(upper), "unknown": unknown}
    if lower == upper:
        counts |= {"value": float(lower), "numerator": lower.numerator, "denominator": lower.denominator}
    items = tuple(
        ItemOutcome(
            f"{item.kind}[{n}]",
            _OUTCOME[v.verdict] if v.verdict else "unknown",
            v.verdict or "unreadable",
            v.reason,
            item.text,
        )
        for n, (item, v) in enumerate(zip(case.items, review.verdicts, strict=True))
    )
    status: Status = "observed" if lower == upper else "inconclusive"
    return _evidence(case, options, status, items=items, message="; ".join(remarks), **counts)


def _evidence(case: _Case, options: JudgeOptions, status: Status, *, message: str, **values: Any) -> Evidence:
    """Return evidence that says which model was asked, with which prompts, and what the calls took."""
    made = case.outcomes
    simulated = any(o.simulated for o in made)
    parts = [message] if message else []
    if made:
        tokens_in, tokens_out = (sum(getattr(o.usage, f"{d}_tokens") for o in made) for d in ("input", "output"))
        cached = sum(o.cached for o in made)
        calls = f"{len(made)} calls, {cached} cached" if cached else f"{len(made)} calls"
        parts.append(f"prompts {versions()}; {calls}; {tokens_in} input and {tokens_out} output tokens")
    return Evidence(
        METRIC,
        status,
        scope=f"{options.model} (simulated)" if simulated else options.model,
        runtime_s=sum(o.latency_s for o in made if not o.cached),
        evaluator=EVALUATOR,
        version=VERSION,
        message="; ".join(parts),
        **values,
    )


__all__ = ["METRIC", "JudgeClient", "JudgeInput", "JudgeOptions", "judge", "judge_many"]
