"""Simulated models: deterministic from a seed and the request, no network, every reply marked as simulated.

They exist to exercise the pipeline and to calibrate training-signal experiments; they say nothing about real models.
"""

from specgen.lm.simulated._knowledge import (
    SPOIL_KINDS,
    STRUCTURED_FIELDS,
    SimulatedKnowledge,
    SimulatedTask,
    SimulatedVariant,
    SpoilKind,
)
from specgen.lm.simulated._provider import MODEL_NAMES, SIMULATED_PREFIX, SimulatedProvider
from specgen.lm.simulated._script import ScriptedModel

__all__ = [
    "MODEL_NAMES",
    "SIMULATED_PREFIX",
    "SPOIL_KINDS",
    "STRUCTURED_FIELDS",
    "ScriptedModel",
    "SimulatedKnowledge",
    "SimulatedProvider",
    "SimulatedTask",
    "SimulatedVariant",
    "SpoilKind",
]
