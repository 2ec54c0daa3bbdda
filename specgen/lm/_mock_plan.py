"""Plans of the mock server from a file: which request gets which fault."""

from __future__ import annotations

import difflib
import json
import random
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, get_args

from specgen.errors import UserError
from specgen.lm.mock_server import Fault, FaultKind

_KINDS: Final[tuple[str, ...]] = get_args(FaultKind)
_KEYS: Final = ("seed", "latency_ms", "fault", "rates")
_FAULT_KEYS: Final = ("kind", "at", "text", "retry_after_s", "status", "latency_ms", "headers")


@dataclass(frozen=True)
class FaultPlan:
    """Faults by number of the request (from 0), and shares of the others, drawn from a seed: the same in every run."""

    at: Mapping[int, Fault] = field(default_factory=dict)
    rates: Mapping[FaultKind, float] = field(default_factory=dict)
    seed: int = 0
    latency_s: float = 0.0

    def __call__(self, number: int, body: Mapping[str, Any]) -> Fault:
        """Return the fault of a request."""
        if number in self.at:
            return self.at[number]
        drawn = random.Random(f"{self.seed} {number}").random()
        for kind, share in self.rates.items():
            if drawn < share:
                return Fault(kind)
            drawn -= share
        return Fault()


def read_plan(path: Path) -> FaultPlan:
    """Read a plan, TOML or JSON by its name.

        seed = 0
        latency_ms = 20
        [[fault]]
        kind = "rate_limit"
        at = [3, 4]
        retry_after_s = 1
        [rates]
        server_error = 0.05

    Raises:
        UserError: for a file that cannot be read, or a key, kind or value that is not known.
    """
    try:
        text = path.read_text(encoding="utf-8")
        data = json.loads(text) if path.suffix == ".json" else tomllib.loads(text)
    except (OSError, ValueError) as exc:
        raise UserError(f"cannot read the plan {path}: {exc}", remedy="Name a TOML or JSON file") from exc
    if not isinstance(data, dict):
        raise UserError(f"the plan {path} is not a table", remedy="See docs/gateway.md")
    _known(path, data, _KEYS)
    try:
        at = {int(n): fault for entry in data.get("fault", []) for n, fault in _faults(path, entry)}
        rates = {_kind(path, kind): float(share) for kind, share in data.get("rates", {}).items()}
        seed, latency_s = int(data.get("seed", 0)), float(data.get("latency_ms", 0)) / 1000
    except (TypeError, ValueError, AttributeError) as exc:
        raise UserError(f"the plan {path} has a value of the wrong type: {exc}", remedy="See docs/gateway.md") from exc
    if min(rates.values(), default=0) < 0 or sum(rates.values()) > 1:
        raise UserError(f"the rates of the plan {path} are no shares", remedy="Let each be at least 0, all at most 1")
    return FaultPlan(at, rates, seed, latency_s)


def _faults(path: Path, entry: Mapping[str, Any]) -> list[tuple[int, Fault]]:
    _known(path, entry, _FAULT_KEYS)
    numbers = entry.get("at", [])
    fault = Fault(
        _kind(path, str(entry.get("kind"))),
        text=entry.get("text"),
        retry_after_s=entry.get("retry_after_s"),
        status=entry.get("status"),
        latency_s=float(entry.get("latency_ms", 0)) / 1000,
        headers=dict(entry.get("headers", {})),
    )
    return [(int(n), fault) for n in ([numbers] if isinstance(numbers, int) else numbers)]


def _kind(path: Path, name: str) -> FaultKind:
    for kind in get_args(FaultKind):
        if kind == name:
            return kind  # type: ignore[no-any-return]
    near = difflib.get_close_matches(name, _KINDS, n=1)
    hint = f"Did you mean {near[0]}? " if near else ""
    raise UserError(f"the plan {path} has a fault {name!r}", remedy=f"{hint}There are {', '.join(_KINDS)}")


def _known(path: Path, data: Mapping[str, Any], keys: tuple[str, ...]) -> None:
    for key in data:
        if key not in keys:
            raise UserError(f"the plan {path} has an unknown key {key!r}", remedy=f"Known: {', '.join(keys)}")
