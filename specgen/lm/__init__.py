"""The one gateway to language models: every call of every component goes through a `Gateway`.

LiteLLM and DSPy are imported only when a call needs them.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from specgen.lm._gateway import Gateway
    from specgen.lm._ledger import Budget, Ledger, LedgerLine, Price
    from specgen.lm._litellm import Endpoint
    from specgen.lm._provider import CallError, ModelProvider, ProviderReply
    from specgen.lm._retry import RetryPolicy
    from specgen.lm._types import (
        ChatMessage,
        FailureKind,
        ModelFailure,
        ModelOutcome,
        ModelReply,
        ModelRequest,
        Role,
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
    "Budget": "_ledger",
    "CallError": "_provider",
    "ChatMessage": "_types",
    "Endpoint": "_litellm",
    "FailureKind": "_types",
    "Gateway": "_gateway",
    "Ledger": "_ledger",
    "LedgerLine": "_ledger",
    "ModelFailure": "_types",
    "ModelOutcome": "_types",
    "ModelProvider": "_provider",
    "ModelReply": "_types",
    "ModelRequest": "_types",
    "Price": "_ledger",
    "ProviderReply": "_provider",
    "RetryPolicy": "_retry",
    "Role": "_types",
    "ScriptedModel": "simulated",
    "SimulatedKnowledge": "simulated",
    "SimulatedTask": "simulated",
    "SimulatedVariant": "simulated",
    "SpoilKind": "simulated",
    "Usage": "_types",
    "one_line": "_types",
}

__all__ = [
    "Budget",
    "CallError",
    "ChatMessage",
    "Endpoint",
    "FailureKind",
    "Gateway",
    "Ledger",
    "LedgerLine",
    "ModelFailure",
    "ModelOutcome",
    "ModelProvider",
    "ModelReply",
    "ModelRequest",
    "Price",
    "ProviderReply",
    "RetryPolicy",
    "Role",
    "ScriptedModel",
    "SimulatedKnowledge",
    "SimulatedTask",
    "SimulatedVariant",
    "SpoilKind",
    "Usage",
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
