"""Shared set-up: where benchmark data may be, and strictness about our own faults."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

os.environ.setdefault("SPECGEN_STRICT", "1")
os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
if os.environ.get("SPECGEN_MUTANT"):  # `make mutants` breaks the engine on purpose: see mutants/
    from mutants import activate

    activate(os.environ["SPECGEN_MUTANT"])


def shared_folder() -> Path | None:
    """Return the folder with benchmark data, when there is one."""
    named = os.environ.get("SPECGEN_SHARED")
    folder = Path(named) if named else Path(__file__).resolve().parents[2] / "shared"
    return folder if (folder / "data").is_dir() else None


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder `data` of the shared material; skips where it is absent."""
    folder = shared_folder()
    if folder is None:
        pytest.skip("benchmark data is not here: set SPECGEN_SHARED to its folder")
    return folder / "data"
