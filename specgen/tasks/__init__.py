"""Tasks: what is to be specified, and what is known to be right about it.

The public surface of the package; names are imported when they are first used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from specgen.tasks.errata import Erratum
    from specgen.tasks.jsonl import write_tasks
    from specgen.tasks.model import (
        ContractSource,
        GenerationView,
        Implementation,
        Labels,
        LeanContext,
        Pair,
        Parameter,
        Provenance,
        Signature,
        Task,
    )
    from specgen.tasks.normalise import neutral_task
    from specgen.tasks.registry import Dataset, dataset_names, load_dataset
    from specgen.tasks.splits import SplitShares, TaskSplit, split_labels, split_tasks, stratum
    from specgen.tasks.spoil import SpoiledContract, spoil
    from specgen.tasks.values import as_argument, lean_term

_HOME = {
    "Erratum": "errata",
    "write_tasks": "jsonl",
    **dict.fromkeys(("ContractSource", "GenerationView", "Implementation", "Labels", "LeanContext", "Pair"), "model"),
    **dict.fromkeys(("Parameter", "Provenance", "Signature", "Task"), "model"),
    "neutral_task": "normalise",
    **dict.fromkeys(("Dataset", "dataset_names", "load_dataset"), "registry"),
    **dict.fromkeys(("SplitShares", "TaskSplit", "split_labels", "split_tasks", "stratum"), "splits"),
    **dict.fromkeys(("SpoiledContract", "spoil"), "spoil"),
    **dict.fromkeys(("as_argument", "lean_term"), "values"),
}

__all__ = [
    "ContractSource",
    "Dataset",
    "Erratum",
    "GenerationView",
    "Implementation",
    "Labels",
    "LeanContext",
    "Pair",
    "Parameter",
    "Provenance",
    "Signature",
    "SplitShares",
    "SpoiledContract",
    "Task",
    "TaskSplit",
    "as_argument",
    "dataset_names",
    "lean_term",
    "load_dataset",
    "neutral_task",
    "split_labels",
    "split_tasks",
    "spoil",
    "stratum",
    "write_tasks",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return __all__
