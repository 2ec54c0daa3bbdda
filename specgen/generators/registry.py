"""Generators by name, with their options."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from difflib import get_close_matches
from types import MappingProxyType
from typing import Any

from specgen.errors import UserError
from specgen.generators.agent import AgentGenerator, AgentOptions
from specgen.generators.base import Generator
from specgen.generators.clever import CleverGenerator, CleverOptions
from specgen.generators.direct import DirectGenerator, DirectOptions
from specgen.generators.leanaide import LeanAideGenerator, LeanAideOptions
from specgen.generators.verina import VerinaGenerator


@dataclass(frozen=True, slots=True)
class Entry:
    """How a generator is made: a factory, and the frozen dataclass of its options (None: it has none)."""

    factory: Callable[..., Generator]
    options: type[Any] | None = None


GENERATORS: Mapping[str, Entry] = MappingProxyType(
    {
        "direct": Entry(DirectGenerator, DirectOptions),
        "verina": Entry(VerinaGenerator),
        "clever": Entry(CleverGenerator, CleverOptions),
        "leanaide": Entry(LeanAideGenerator, LeanAideOptions),
        "agent": Entry(AgentGenerator, AgentOptions),
    }
)


def _nearest(name: str, known: list[str]) -> str:
    near = get_close_matches(name, known, n=1)
    return f"Did you mean {near[0]!r}? " if near else ""


def make_generator(name: str, options: Mapping[str, object] | None = None) -> Generator:
    """Return a generator by name; `options` are fields of its option object, values as in a config file.

    Raises:
        UserError: for a name nobody registered, an option that the generator does not have, or a value of the wrong
            type; the nearest name is suggested.
    """
    entry = GENERATORS.get(name)
    if entry is None:
        hint = _nearest(name, list(GENERATORS))
        raise UserError(f"unknown generator {name!r}", remedy=f"{hint}Known: {', '.join(sorted(GENERATORS))}")
    if not options:
        return entry.factory()
    known = [f.name for f in fields(entry.options)] if entry.options else []
    unknown = [k for k in options if k not in known]
    if unknown:
        has = f"Its options are {', '.join(known)}" if known else "It has no options"
        raise UserError(
            f"generator {name!r} has no option {unknown[0]!r}", remedy=f"{_nearest(unknown[0], known)}{has}"
        )
    assert entry.options is not None  # noqa: S101 - an unknown option was refused above
    return entry.factory(_read_options(name, entry.options, options))


def _read_options(name: str, kind: type[Any], options: Mapping[str, object]) -> object:
    from pydantic import TypeAdapter, ValidationError

    try:
        return TypeAdapter(kind).validate_python(dict(options))
    except ValidationError as exc:
        error = exc.errors()[0]
        where = ".".join(str(part) for part in error["loc"])
        raise UserError(
            f"generator {name!r}, option {where}: {error['msg'][0].lower()}{error['msg'][1:]}",
            remedy="Correct the value",
        ) from exc
