"""GEPA (Agrawal et al. 2025, through DSPy) on a generator's instructions.

Resuming needs no state of GEPA's: with the same seed and the gateway's cache a repeated run takes the same path without
paying again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from optimizers.base import Setup, Tunes
from optimizers.control import Control


class _Stop:
    """Stops GEPA at the control's word: GEPA would go on spending after a perfect validation score, and overshoot."""

    def __init__(self, control: Control, fatal: Any) -> None:
        self._control = control
        self._fatal = fatal

    def __call__(self, gepa_state: Any) -> bool:
        return self._fatal() is not None or self._control.over()


@dataclass(frozen=True, slots=True)
class Gepa:
    """Reflective evolution of the instructions from the metric's feedback."""

    name: str = "gepa"
    tunes: tuple[Tunes, ...] = ("instructions",)
    validates: bool = True

    def compile(self, setup: Setup) -> Any:
        """Run DSPy's GEPA. Merging is off (there is one predictor); so is GEPA's cache, which serves validation scores
        from training roll-outs.
        """
        import dspy

        options, gateway = setup.options, setup.problem.gateway
        optimizer = dspy.GEPA(
            metric=setup.metric,
            max_metric_calls=options.max_metric_calls,
            reflection_minibatch_size=options.minibatch,
            reflection_lm=setup.reflection,
            use_merge=False,
            num_threads=options.threads,
            track_stats=True,
            seed=options.seed,
            warn_on_score_mismatch=False,
            gepa_kwargs={
                "stop_callbacks": [_Stop(setup.control, lambda: gateway.fatal)],
                "cache_evaluation": False,
            },
            **options.settings,
        )
        return optimizer.compile(setup.program, trainset=setup.trainset, valset=setup.valset)
