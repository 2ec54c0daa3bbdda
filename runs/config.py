"""Experiment configuration: one TOML file, every key checked before any call is made."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from evaluators.reward import Definition, RewardSpec, make_reward
from optimizers.registry import make_optimizer
from specgen.errors import UserError

T = TypeVar("T")


class Section(BaseModel):
    """Base of the tables of a configuration: frozen, no unknown keys, no converted types, no infinite numbers."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


class ExperimentSection(Section):
    """`[experiment]`: name (the run folder's, when --out is not given), and the seed of every random choice."""

    name: str = Field("experiment", pattern=r"^[^/\\\x00-\x1f.][^/\\\x00-\x1f]*$")
    seed: int = Field(0, ge=0)


class DataSection(Section):
    """`[data]`: the data set and how its tasks are split.

    `path` is a folder or file for data sets that need one. `train`, `validation`, `test` are shares that sum to at
    most 1; `limit` takes only the first so many tasks in an order drawn from the seed (0: all). `feedback_share` is
    the share of each task's labelled examples that the optimiser may see. `neutral_names` gives functions and
    parameters names that tell nothing.
    """

    dataset: str = "starter"
    path: str = ""
    train: float = Field(0.35, gt=0, lt=1)
    validation: float = Field(0.25, gt=0, lt=1)
    test: float = Field(0.4, gt=0, lt=1)
    limit: int = Field(0, ge=0)
    feedback_share: float = Field(0.5, gt=0, lt=1)
    neutral_names: bool = False


class LimitsSection(Section):
    """`[model.limits."openai/"]`: what may be sent to a model, or to all whose names begin so."""

    requests_per_minute: int | None = Field(None, ge=1)
    tokens_per_minute: int | None = Field(None, ge=1)
    concurrency: int | None = Field(None, ge=1)


class PriceSection(Section):
    """`[model.prices."openai/NAME"]`: dollars for a million tokens; `batch_factor` is what a batch costs against it."""

    input: float = Field(ge=0)
    output: float = Field(ge=0)
    cached_input: float | None = Field(None, ge=0)
    batch_factor: float | None = Field(None, ge=0)


class OutageSection(Section):
    """`[model.outage]`: when a server counts as down, and how many seconds that is borne (see docs/gateway.md)."""

    failures: int = Field(10, ge=1)
    pause_s: float = Field(10.0, ge=0)
    max_pause_s: float = Field(60.0, ge=0)
    max_outage_s: float = Field(600.0, ge=0)
    max_start_s: float = Field(120.0, ge=0)


class ModelSection(Section):
    """`[model]`: which models answer, and how they are called.

    `task` writes specifications; `reflection` rewrites prompts. Both are LiteLLM names, or simulated (`sim/…`).
    `on_length` is what becomes of a reply cut at its token limit: kept, continued once, or asked for once more with
    twice the limit.
    """

    task: str = "sim/writer"
    reflection: str = "sim/reflector"
    api_base: str = ""
    temperature: float | None = Field(None, ge=0, le=2)
    max_tokens: int | None = Field(None, gt=0)
    concurrency: int = Field(8, ge=1, le=512)
    timeout_s: float = Field(120.0, gt=0)
    on_length: Literal["keep", "continue", "enlarge"] = "keep"
    limits: dict[str, LimitsSection] = Field(default_factory=dict)
    prices: dict[str, PriceSection] = Field(default_factory=dict)
    outage: OutageSection = OutageSection()


class GeneratorSection(Section):
    """`[generator]`: how candidates are asked for, with the generator's own options; `samples` candidates a task in the
    final comparison.
    """

    name: str = "direct"
    options: dict[str, str | int | float | bool] = Field(default_factory=dict)
    seeds: tuple[str, ...] = Field(("zero-shot", "least-to-most", "chain-of-thought"), strict=False)
    samples: int = Field(1, ge=1, le=100)


class OptimizerSection(Section):
    """`[optimizer]`: which one, and the budget of each optimisation: metric calls (one candidate generated and scored
    each), and caps on model calls, tokens and dollars where given. `settings` go to the optimiser by its own names.
    """

    name: str = "gepa"
    max_metric_calls: int = Field(120, ge=4)
    max_calls: int | None = Field(None, ge=0)
    max_tokens: int | None = Field(None, ge=0)
    max_usd: float | None = Field(None, ge=0)
    minibatch: int = Field(3, ge=1)
    patience: int = Field(0, ge=0)
    tunes: Literal["instructions", "demonstrations", "both"] | None = None
    shots: int = Field(3, ge=0)
    settings: dict[str, str | int | float | bool] = Field(default_factory=dict)


class RewardDefinition(Section):
    """`[reward.define.NAME]`: a reward of the user's own: weights of metrics or named rewards, gates (a metric and the
    value that it must reach), the feedback that a reflection model is shown, the rule for unavailable parts.
    """

    weights: dict[str, float]
    gates: dict[str, float] = Field(default_factory=dict)
    feedback: tuple[str, ...] | None = Field(None, strict=False)
    unavailable: Literal["renormalise", "lower"] | None = None


class RewardSection(Section):
    """`[reward]`: which rewards are compared, the weights of `verifier+adequacy`, the rule for unavailable parts, and
    rewards of the user's own.
    """

    compare: tuple[str, ...] = Field(("verifier", "verifier+adequacy"), strict=False)
    weights: dict[str, float] = Field(default_factory=dict)
    unavailable: Literal["renormalise", "lower"] = "renormalise"
    define: dict[str, RewardDefinition] = Field(default_factory=dict)

    def specs(self) -> tuple[RewardSpec, ...]:
        """Return the rewards that are compared; `UserError` for one that is not well defined."""
        own = {name: Definition(d.weights, d.gates, d.feedback, d.unavailable) for name, d in self.define.items()}
        return tuple(make_reward(name, self.weights, self.unavailable, own) for name in self.compare)


class BudgetSection(Section):
    """`[budget]`: hard caps over the whole run, over every role; absent means no cap. `max_minutes` is the time of one
    sitting.
    """

    max_usd: float | None = Field(None, gt=0)
    max_calls: int | None = Field(None, gt=0)
    max_tokens: int | None = Field(None, gt=0)
    max_minutes: float | None = Field(None, gt=0)


class EvaluationSection(Section):
    """`[evaluation]`: limits of one check of a candidate, whether candidates run in a process of their own, and what
    the held-out comparison measures beside validity, grade and adequacy.
    """

    evaluators: tuple[str, ...] = Field(("adequacy", "similarity"), strict=False)
    mutants: Literal["off", "fill", "extend"] = "off"
    judge: str = ""
    equivalence_s: float = Field(5.0, gt=0)
    check_timeout_s: float = Field(2.0, gt=0)
    memory_mb: int = Field(1024, ge=128)
    isolate: bool = True
    bootstrap: int = Field(2000, ge=100)


class ExperimentConfig(Section):
    """A whole experiment."""

    experiment: ExperimentSection = ExperimentSection()
    data: DataSection = DataSection()
    model: ModelSection = ModelSection()
    generator: GeneratorSection = GeneratorSection()
    optimizer: OptimizerSection = OptimizerSection()
    reward: RewardSection = RewardSection()
    budget: BudgetSection = BudgetSection()
    evaluation: EvaluationSection = EvaluationSection()


def load_config(path: Path) -> ExperimentConfig:
    """Read a configuration file.

    Raises:
        UserError: for a file that is not there, is not TOML (with the line), or has a key or value that is not
            allowed (with the key, and the nearest name for an unknown one).
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError as exc:
        raise UserError(f"no configuration file at {path}", remedy="Name an existing .toml file") from exc
    except (OSError, UnicodeDecodeError) as exc:
        raise UserError(
            f"cannot read {path}: {exc}", remedy="Check the path, its permissions and its encoding"
        ) from exc
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as exc:
        where = _last_key(text, str(exc))
        raise UserError(f"{path} is not valid TOML: {exc}{where}", remedy="Correct that line") from exc
    return parse_config(data, str(path), text)


def parse_config(data: dict[str, Any], origin: str, text: str = "") -> ExperimentConfig:
    """Check configuration data; `origin` names it in messages and `text` gives line numbers."""
    try:
        config = ExperimentConfig.model_validate(data)
    except ValidationError as exc:
        raise _explain(exc, origin, text) from exc
    total = config.data.train + config.data.validation + config.data.test
    if abs(total - 1) > 1e-9:
        raise UserError(
            f"{origin}: data.train + data.validation + data.test is {total:g}",
            remedy="Make the shares sum to 1",
        )
    for key, listed in (("generator.seeds", config.generator.seeds), ("reward.compare", config.reward.compare)):
        if len(set(listed)) != len(listed):
            raise UserError(f"{origin}: {key} names one twice", remedy="List each once")
    if not config.generator.seeds:
        raise UserError(f"{origin}: generator.seeds is empty", remedy="Name at least one seed prompt")
    if not config.reward.compare:
        raise UserError(f"{origin}: reward.compare is empty", remedy="Name at least one reward")
    _named(origin, "reward", config.reward.specs)
    optimizer = _named(origin, "optimizer.name", lambda: make_optimizer(config.optimizer.name))
    if config.optimizer.tunes is not None and config.optimizer.tunes not in optimizer.tunes:
        raise UserError(
            f"{origin}: optimizer.tunes: {optimizer.name} does not tune {config.optimizer.tunes}",
            remedy=f"It tunes {' or '.join(optimizer.tunes)}",
        )
    return config


def _named(origin: str, key: str, make: Callable[[], T]) -> T:
    """Return what a name in the file stands for; an unknown one is reported with file and key."""
    try:
        return make()
    except UserError as exc:
        raise UserError(f"{origin}: {key}: {exc.message}", remedy=exc.remedy) from exc


def _last_key(text: str, message: str) -> str:
    """Return the key on the line that a TOML error names, for the message."""
    import re

    found = re.search(r"line (\d+)", message)
    lines = text.split("\n")
    if not found or int(found.group(1)) > len(lines):
        return ""
    line = lines[int(found.group(1)) - 1].strip()
    key = line.split("=", 1)[0].strip() if "=" in line else line
    return f" near {key[:60]!r}" if key else ""


def _line_of(text: str, location: tuple[str | int, ...]) -> str:
    """Return ` (line n)` for a key's place in the file, when it can be found."""
    names = [part for part in location if isinstance(part, str)]
    if not text or not names:
        return ""
    # A key of a table inside a table may stand in the line of that table.
    return _find(text, names) or (_find(text, names[:2]) if len(names) > 2 else "")


def _find(text: str, names: Sequence[str]) -> str:
    table, key, section = ".".join(names[:-1]), names[-1], ""
    for number, raw in enumerate(text.split("\n"), 1):
        line = raw.strip()
        if line.startswith("["):
            section = line.strip("[] ")
            if not table and section == key:
                return f" (line {number})"
        elif line.split("=", 1)[0].strip().strip('"') == key and section == table:
            return f" (line {number})"
    return ""


def _allowed(location: tuple[str | int, ...]) -> list[str]:
    fields: dict[str, Any] = dict(ExperimentConfig.model_fields)
    for step in location[:-1]:
        annotation = fields[str(step)].annotation if str(step) in fields else None
        if not (isinstance(annotation, type) and issubclass(annotation, BaseModel)):
            return []
        fields = dict(annotation.model_fields)
    return list(fields)


def _explain(exc: ValidationError, origin: str, text: str) -> UserError:
    error = exc.errors()[0]
    location = tuple(error["loc"])
    key = ".".join(str(p) for p in location)
    line = _line_of(text, location)
    if error["type"] == "extra_forbidden":
        allowed = _allowed(location)
        near = get_close_matches(str(location[-1]), allowed, n=1)
        hint = f"Did you mean {near[0]!r}?" if near else f"Allowed here: {', '.join(allowed)}"
        return UserError(f"{origin}{line}: unknown key {key!r}", remedy=hint)
    message = _TYPE_MESSAGES.get(error["type"]) or f"{error['msg'][0].lower()}{error['msg'][1:]}"
    return UserError(f"{origin}{line}: {key}: {message}", remedy="Correct the value")


_TYPE_MESSAGES = {
    "model_type": "a table is expected",
    "dict_type": "a table is expected",
    "tuple_type": "a list is expected",
    "string_pattern_mismatch": "a name is expected that can be the name of a folder (no slash, no dot at its start)",
}
