"""Caps, early stops and the record of one optimisation, whatever the optimiser does inside."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from statistics import fmean
from threading import Lock

from optimizers.base import OptimizerOptions
from optimizers.seeds import Prompt
from specgen.lm import Gateway

PERFECT = 1.0 - 1e-9
METRIC_CALLS = "metric calls"


class OptimisationStopped(Exception):  # noqa: N818 - not an error: it ends an optimiser from inside
    """Raised inside the optimiser once a cap is reached or there is nothing left to gain."""


@dataclass(frozen=True, slots=True)
class Validated:
    """A prompt with the mean of its rewards over all validation tasks."""

    prompt: Prompt
    score: float


@dataclass
class _Tried:
    prompt: Prompt
    rewards: dict[str, list[float]] = field(default_factory=dict)


class Control:
    """Counts, stops and remembers. Thread-safe.

    Args:
        gateway: whose ledger is read; what was spent before this optimisation does not count.
        options: the caps and the patience.
        validation: ids of the validation tasks.
        reserve: metric calls kept back for scoring an optimiser's choice on the validation tasks.
    """

    def __init__(
        self, gateway: Gateway, options: OptimizerOptions, validation: Collection[str], reserve: int = 0
    ) -> None:
        self._gateway = gateway
        self._options = options
        self._validation = frozenset(validation)
        self._reserve = min(reserve, options.max_metric_calls)
        self._before = gateway.ledger().total
        self._lock = Lock()
        self._tried: dict[str, _Tried] = {}
        self._complete: dict[str, Validated] = {}
        self.rollouts = 0
        """Program calls that were let through."""
        self.reason = ""
        """What stopped the optimisation; empty while it goes on."""

    def admit(self, count: bool = True) -> None:
        """Let one call through; `count` when it is a roll-out.

        Raises:
            OptimisationStopped: a cap is reached, or nothing is left to gain.
        """
        with self._lock:
            self.reason = self.reason or self._over() or self._nothing_to_gain()
            if self.reason:
                raise OptimisationStopped(self.reason)
            self.rollouts += count

    def free_reserve(self) -> None:
        """Let the metric calls be used that were kept back: the optimiser has made its choice."""
        with self._lock:
            if self._reserve and self.reason.endswith(METRIC_CALLS):
                self.reason = ""
            self._reserve = 0

    def over(self) -> bool:
        """Tell whether the optimisation is to end."""
        with self._lock:
            self.reason = self.reason or self._over() or self._nothing_to_gain()
            return bool(self.reason)

    def _over(self) -> str:
        options = self._options
        if self.rollouts >= options.max_metric_calls - self._reserve:
            return f"{options.max_metric_calls} {METRIC_CALLS}"
        now, before = self._gateway.ledger().total, self._before
        spent = (
            ("calls", now.requests - before.requests, options.max_calls),
            ("tokens", now.tokens - before.tokens, options.max_tokens),
            ("US dollars", now.known_cost_usd - before.known_cost_usd, options.max_usd),
        )
        return next((f"{cap:g} {name}" for name, used, cap in spent if cap is not None and used >= cap), "")

    def _nothing_to_gain(self) -> str:
        scores = [v.score for v in self._complete.values()]
        if not scores:
            return ""
        if max(scores) >= PERFECT:
            return "perfect validation score"
        since = len(scores) - 1 - scores.index(max(scores))
        if self._options.patience and since >= self._options.patience:
            return f"no better validation score in {since} prompts"
        return ""

    def note(self, prompt: Prompt, task_id: str, reward: float) -> None:
        """Remember the reward of one roll-out."""
        with self._lock:
            key = prompt.hash()
            tried = self._tried.setdefault(key, _Tried(prompt))
            tried.rewards.setdefault(task_id, []).append(reward)
            if key not in self._complete and self._validation and self._validation <= tried.rewards.keys():
                self._complete[key] = Validated(prompt, self._mean(tried))

    def _mean(self, tried: _Tried) -> float:
        return fmean(fmean(tried.rewards[t]) for t in sorted(self._validation))

    def validated(self) -> tuple[Validated, ...]:
        """Return the prompts that have a reward on every validation task, in the order in which they got the last."""
        with self._lock:
            return tuple(Validated(v.prompt, self._mean(self._tried[k])) for k, v in self._complete.items())

    def missing(self, prompt: Prompt) -> tuple[str, ...]:
        """Return the validation tasks on which a prompt has no reward yet."""
        with self._lock:
            tried = self._tried.get(prompt.hash())
            return tuple(sorted(self._validation - (tried.rewards.keys() if tried else frozenset())))
