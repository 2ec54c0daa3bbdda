"""`specgen doctor`: what is here, and what each thing is needed for."""

from __future__ import annotations

import json
import os
import platform
import shutil
from importlib.util import find_spec

KEYS = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "AZURE_API_KEY", "OPENROUTER_API_KEY", "HF_TOKEN")


def findings() -> list[dict[str, str]]:
    """Return one row for each thing: name, state, and what it is needed for. Keys are only said to be there or not."""
    rows = [{"name": "Python", "state": platform.python_version(), "needed_for": "everything (3.11 to 3.13)"}]
    rows.append({"name": "built-in Lean engine", "state": "ready", "needed_for": "the embedded default verifier"})
    for tool in ("lean", "lake"):
        state = shutil.which(tool) or "not found"
        rows.append({"name": tool, "state": state, "needed_for": "letting real Lean decide (optional)"})
    packages = (
        ("clever_bench", "the clever data set"),
        ("datasets", "VERINA by its hub name (extra hub)"),
        ("z3", "quantifiers over linear arithmetic"),
        ("dspy", "optimisers"),
        ("litellm", "model providers"),
    )
    for module, use in packages:
        rows.append({"name": module, "state": "installed" if find_spec(module) else "not installed", "needed_for": use})
    for key in KEYS:
        rows.append(
            {"name": key, "state": "set" if os.environ.get(key) else "not set", "needed_for": "that provider's models"}
        )
    return rows


def run_doctor(as_json: bool) -> None:
    """Print the findings."""
    rows = findings()
    if as_json:
        print(json.dumps({"schema": 1, "findings": rows}))
        return
    width = max(len(r["name"]) for r in rows)
    for r in rows:
        print(f"{r['name']:<{width}}  {r['state']}  ({r['needed_for']})")
