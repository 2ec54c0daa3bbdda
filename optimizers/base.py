"""What an optimiser is: something that turns a seed prompt into a tuned one, on training and validation tasks.

An optimiser proposes; what it costs and what counts as its result is decided here and in `control.py`, the same for
all: calls are metered and capped, every prompt that was scored on all validation tasks is on record, and a result is
`completed` or `failed` with a reason, never a seed prompt under an optimiser's name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias

from evaluators.registry import Evaluator
from evaluators.reward import RewardSpec
from evaluators.scoring import Checker
from optimizers.seeds import Prompt
from specgen.errors import UserError
from specgen.generators import Generator
from specgen.lm import Gateway
from specgen.tasks.model import Task

if TYPE_CHECKING:
    from optimizers.control import Control
    from optimizers.metric import Observer, RewardMetric

Tunes: TypeAlias = Literal["instructions", "demonstrations", "both"]

MAX_FAILED_SHARE = 0.2
"""An optimisation in which more than this share of the calls failed says nothing about the reward: it counts as
failed.
"""


@dataclass(frozen=True, slots=True)
class OptimizerOptions:
    """Budget and determinism of one optimisation.

    Attributes:
        max_metric_calls: roll-outs (a prompt on a task, scored) that the optimiser may make; hard.
        max_calls, max_tokens, max_usd: of all its model calls, reflection included; None for no cap of its own. Calls
            served from the cache cost nothing. Exceeded by at most the calls in flight.
        minibatch: training tasks looked at together, where the optimiser works so.
        patience: stop after so many fully validated prompts in a row without a better one; 0 for never.
        tunes: what is tuned, for optimisers that can do either.
        shots: most worked examples in a prompt.
        seed, threads: determinism and concurrency.
        settings: further settings of the optimiser, by its own names.
    """

    max_metric_calls: int = 120
    max_calls: int | None = None
    max_tokens: int | None = None
    max_usd: float | None = None
    minibatch: int = 3
    patience: int = 0
    tunes: Tunes = "instructions"
    shots: int = 3
    seed: int = 0
    threads: int = 8
    settings: Mapping[str, object] = field(default_factory=lambda: MappingProxyType({}))

    def __post_init__(self) -> None:
        for name in ("max_metric_calls", "minibatch", "threads"):
            if getattr(self, name) < 1:
                raise UserError(f"optimizer.{name} is {getattr(self, name)}", remedy="Give at least 1")
        for name in ("max_calls", "max_tokens", "max_usd", "patience", "shots"):
            value = getattr(self, name)
            if value is not None and value < 0:
                raise UserError(f"optimizer.{name} is {value}", remedy="Give 0 or more")


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """The models of an optimisation, and how the task model is called (as in the final comparison)."""

    task: str
    reflection: str
    temperature: float | None = None
    max_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Problem:
    """What an optimisation is about.

    Attributes:
        seed: where to start.
        train: tasks with feedback examples, for reflection and demonstrations; disjoint from `validation`.
        validation: tasks with feedback examples, for selection.
        generator, spec, checker: how a specification is asked for, and how it is scored.
        gateway, models: who answers.
        observer: told of each newly scored reply.
        evaluators: what the reward needs measured beside the checks.
    """

    seed: Prompt
    train: Sequence[Task]
    validation: Sequence[Task]
    generator: Generator
    spec: RewardSpec
    checker: Checker
    gateway: Gateway
    models: ModelChoice
    observer: Observer | None = None
    evaluators: tuple[Evaluator, ...] = ()


@dataclass(frozen=True, slots=True)
class OptimisationResult:
    """What an optimisation came to.

    `prompt` is None unless `status` is `completed`. `tried` are the instructions that were scored on every validation
    task, in order, `validation_scores` their means over validation tasks in [0, 1] and `best` the index of the one
    taken (-1: none). `stopped` says what ended the optimisation before the optimiser did (empty: it ended by itself).
    `metric_calls` are scored roll-outs, `rollouts` the program's calls.
    """

    status: Literal["completed", "failed"]
    reward: str
    seed_prompt: str
    prompt: Prompt | None = None
    message: str = ""
    validation_scores: tuple[float, ...] = ()
    tried: tuple[str, ...] = ()
    best: int = -1
    metric_calls: int = 0
    rollouts: int = 0
    failed_calls: int = 0
    unavailable_rewards: int = 0
    optimizer: str = "gepa"
    stopped: str = ""


@dataclass(frozen=True)
class Setup:
    """What an optimiser works with: the DSPy program and data, the metric, the control, and the reflection model.

    `trainset` and `valset` are DSPy examples; `reflection` is a DSPy language model, metered under the role
    `reflection`.
    """

    problem: Problem
    options: OptimizerOptions
    program: Any
    trainset: list[Any]
    valset: list[Any]
    metric: RewardMetric
    control: Control
    reflection: Any


class Optimizer(Protocol):
    """One way of tuning a prompt.

    Attributes:
        name: registered name.
        tunes: what it can tune; the first is its default.
        validates: whether it scores prompts on the validation tasks by itself. For one that does not, metric calls for
            one pass over them are kept back from its budget.
    """

    @property
    def name(self) -> str: ...  # noqa: D102

    @property
    def tunes(self) -> tuple[Tunes, ...]: ...  # noqa: D102

    @property
    def validates(self) -> bool: ...  # noqa: D102

    def compile(self, setup: Setup) -> Any:
        """Return the tuned program. What it raises makes the optimisation fail, unless the control had stopped it."""
        ...
