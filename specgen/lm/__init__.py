"""The one gateway to language models: every call of every component goes through a `Gateway`.

LiteLLM and DSPy are imported only when a call needs them.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from specgen.lm._batch import BatchOptions
    from specgen.lm._breaker import OutagePolicy
    from specgen.lm._estimate import Estimate, MeasuredCalls, PlannedCalls, estimate, measure
    from specgen.lm._gateway import Gateway
    from specgen.lm._ledger import Budget, Ledger, LedgerLine, Price
    from specgen.lm._limits import Limits
    from specgen.lm._provider import CallError, Endpoint, ModelProvider, ProviderReply
    from specgen.lm._retry import RetryPolicy, RetryRule
    from specgen.lm._types import (
        ChatMessage,
        FailureKind,
        ModelFailure,
        ModelOutcome,
        ModelReply,
        ModelRequest,
        OnLength,
        Role,
        Tool,
        ToolCall,
        Usage,
        one_line,
    )
    from specgen.lm.simulated import (
        ScriptedModel,
        SimulatedKnowledge,
        SimulatedTask,
        SimulatedVariant,
        SpoilKind,
    )

_HOMES = {
    "BatchOptions": "_batch",
    "Budget": "_ledger",
    "CallError": "_provider",
    "ChatMessage": "_types",
    "Endpoint": "_provider",
    "Estimate": "_estimate",
    "FailureKind": "_types",
    "Gateway": "_gateway",
    "Ledger": "_ledger",
    "LedgerLine": "_ledger",
    "Limits": "_limits",
    "MeasuredCalls": "_estimate",
    "ModelFailure": "_types",
    "ModelOutcome": "_types",
    "ModelProvider": "_provider",
    "ModelReply": "_types",
    "ModelRequest": "_types",
    "OnLength": "_types",
    "OutagePolicy": "_breaker",
    "PlannedCalls": "_estimate",
    "Price": "_ledger",
    "ProviderReply": "_provider",
    "RetryPolicy": "_retry",
    "RetryRule": "_retry",
    "Role": "_types",
    "ScriptedModel": "simulated",
    "SimulatedKnowledge": "simulated",
    "SimulatedTask": "simulated",
    "SimulatedVariant": "simulated",
    "SpoilKind": "simulated",
    "Tool": "_types",
    "ToolCall": "_types",
    "Usage": "_types",
    "estimate": "_estimate",
    "measure": "_estimate",
    "one_line": "_types",
}

__all__ = [
    "BatchOptions",
    "Budget",
    "CallError",
    "ChatMessage",
    "Endpoint",
    "Estimate",
    "FailureKind",
    "Gateway",
    "Ledger",
    "LedgerLine",
    "Limits",
    "MeasuredCalls",
    "ModelFailure",
    "ModelOutcome",
    "ModelProvider",
    "ModelReply",
    "ModelRequest",
    "OnLength",
    "OutagePolicy",
    "PlannedCalls",
    "Price",
    "ProviderReply",
    "RetryPolicy",
    "RetryRule",
    "Role",
    "ScriptedModel",
    "SimulatedKnowledge",
    "SimulatedTask",
    "SimulatedVariant",
    "SpoilKind",
    "Tool",
    "ToolCall",
    "Usage",
    "estimate",
    "measure",
    "one_line",
]


def __getattr__(name: str) -> Any:
    """Import a public name's module on first use."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names."""
    return __all__
