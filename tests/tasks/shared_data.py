"""Where the data lies that is not part of this repository: the folder named by SPECGEN_SHARED, `../shared` if unset."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
DATA = REPOSITORY / "tests" / "data"


def shared(name: str) -> Path:
    """Return a file or folder of the shared data; skips the test, with the reason, where it is not."""
    root = Path(os.environ.get("SPECGEN_SHARED", REPOSITORY.parent / "shared"))
    path = root / "data" / name
    if not path.exists():
        pytest.skip(f"no shared data at {path} (set SPECGEN_SHARED)")
    return path
