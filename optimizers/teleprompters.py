"""DSPy's other optimisers on a generator's prompt: MIPROv2, COPRO, SIMBA, BootstrapFewShot, and any by import path.

Each is given a number of trials that fits the budget of metric calls; the control enforces the budget whatever they do.
Demonstrations are whole replies to training tasks that the reward found good enough.
"""

from __future__ import annotations

import inspect
import random
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from optimizers.base import Setup, Tunes
from specgen.errors import EnvironmentMissingError, UserError

GOOD_ENOUGH = 0.999
"""Reward from which a training reply may serve as a demonstration."""


@dataclass(frozen=True, slots=True)
class Mipro:
    """MIPROv2 (Opsahl-Ong et al. 2024): proposed instructions and bootstrapped demonstrations, chosen by Bayesian
    search.
    """

    name: str = "miprov2"
    tunes: tuple[Tunes, ...] = ("instructions", "both")
    validates: bool = True

    def compile(self, setup: Setup) -> Any:
        """Run DSPy's MIPROv2 without minibatches: every trial is scored on all validation tasks."""
        import dspy

        try:
            import_module("optuna")
        except ImportError as exc:
            raise EnvironmentMissingError(
                "the optimiser miprov2 needs the package optuna", remedy="Install it: pip install 'specgen[miprov2]'"
            ) from exc
        options = setup.options
        shots = options.shots if options.tunes == "both" else 0
        trials = max(1, options.max_metric_calls // max(1, len(setup.valset)) - 1)
        settings: dict[str, Any] = {
            "auto": None,
            "num_candidates": max(2, min(6, trials)),
            "max_bootstrapped_demos": shots,
            "max_labeled_demos": 0,
            "metric_threshold": GOOD_ENOUGH,
            **options.settings,
        }
        optimizer = dspy.MIPROv2(
            metric=setup.metric.number,
            prompt_model=setup.reflection,
            num_threads=options.threads,
            seed=options.seed,
            **settings,
        )
        return optimizer.compile(
            setup.program,
            trainset=setup.trainset,
            valset=setup.valset,
            num_trials=trials,
            minibatch=False,
            seed=options.seed,
        )


@dataclass(frozen=True, slots=True)
class Copro:
    """COPRO (DSPy): coordinate ascent over instructions that a model proposes from earlier ones and their scores."""

    name: str = "copro"
    tunes: tuple[Tunes, ...] = ("instructions",)
    validates: bool = False

    def compile(self, setup: Setup) -> Any:
        """Run DSPy's COPRO on the training tasks, breadth and depth by the budget."""
        from dspy.teleprompt import COPRO

        options = setup.options
        prompts = max(2, options.max_metric_calls // max(1, len(setup.trainset)))
        breadth = max(2, min(4, prompts))
        settings: dict[str, Any] = {"breadth": breadth, "depth": max(1, prompts // breadth), **options.settings}
        optimizer = COPRO(prompt_model=setup.reflection, metric=setup.metric.number, **settings)
        evaluation = {"num_threads": options.threads, "display_progress": False, "display_table": 0}
        return optimizer.compile(setup.program, trainset=setup.trainset, eval_kwargs=evaluation)


@dataclass(frozen=True, slots=True)
class Simba:
    """SIMBA (DSPy): rules and demonstrations from what distinguishes good from bad roll-outs of one task."""

    name: str = "simba"
    tunes: tuple[Tunes, ...] = ("both", "instructions")
    validates: bool = False

    def compile(self, setup: Setup) -> Any:
        """Run DSPy's SIMBA with minibatches of training tasks, steps by the budget."""
        from dspy.teleprompt import SIMBA

        options = setup.options
        size = min(len(setup.trainset), max(2, options.minibatch))
        candidates = 3
        settings: dict[str, Any] = {
            "bsize": size,
            "num_candidates": candidates,
            "max_steps": max(1, options.max_metric_calls // (2 * size * candidates)),
            "max_demos": options.shots if options.tunes == "both" else 0,
            **options.settings,
        }
        optimizer = SIMBA(
            metric=setup.metric.number, prompt_model=setup.reflection, num_threads=options.threads, **settings
        )
        return optimizer.compile(setup.program, trainset=setup.trainset, seed=options.seed)


@dataclass(frozen=True, slots=True)
class Bootstrap:
    """BootstrapFewShot (Khattab et al. 2023): the model's own replies to training tasks that the reward found good."""

    name: str = "bootstrap"
    tunes: tuple[Tunes, ...] = ("demonstrations",)
    validates: bool = False

    def compile(self, setup: Setup) -> Any:
        """Run DSPy's BootstrapFewShot on the training tasks in an order drawn by the seed."""
        from dspy.teleprompt import BootstrapFewShot

        options = setup.options
        examples = list(setup.trainset)
        random.Random(options.seed).shuffle(examples)
        settings: dict[str, Any] = {"max_rounds": 1, "metric_threshold": GOOD_ENOUGH, **options.settings}
        optimizer = BootstrapFewShot(
            metric=setup.metric.number,
            max_bootstrapped_demos=options.shots,
            max_labeled_demos=0,
            **settings,
        )
        return optimizer.compile(setup.program, trainset=examples)


@dataclass(frozen=True, slots=True)
class Imported:
    """Any teleprompter class by import path `package.module:Class`.

    Of `metric`, `prompt_model`, `reflection_lm`, `num_threads` and `seed` it is given what its constructor takes, and
    the options' settings; `compile` gets the program, `trainset`, and `valset` where it has a parameter of that name.
    """

    path: str
    tunes: tuple[Tunes, ...] = ("instructions", "demonstrations", "both")
    validates: bool = False

    @property
    def name(self) -> str:
        """The import path."""
        return self.path

    def load(self) -> Any:
        """Return the class; `UserError` when there is none."""
        module, _, attribute = self.path.partition(":")
        try:
            found = getattr(import_module(module), attribute)
        except (ImportError, AttributeError, ValueError) as exc:
            raise UserError(
                f"no optimiser at {self.path!r} ({exc})", remedy="Name a class as package.module:Class"
            ) from exc
        if not callable(getattr(found, "compile", None)):
            raise UserError(f"{self.path!r} has no method compile", remedy="Name a DSPy teleprompter class")
        return found

    def compile(self, setup: Setup) -> Any:
        """Construct and run it."""
        offered: Mapping[str, Any] = {
            "metric": setup.metric.number,
            "prompt_model": setup.reflection,
            "reflection_lm": setup.reflection,
            "num_threads": setup.options.threads,
            "seed": setup.options.seed,
        }
        kind = self.load()
        takes = inspect.signature(kind).parameters
        optimizer = kind(**{k: v for k, v in offered.items() if k in takes}, **setup.options.settings)
        more = {"valset": setup.valset} if "valset" in inspect.signature(optimizer.compile).parameters else {}
        return optimizer.compile(setup.program, trainset=setup.trainset, **more)
