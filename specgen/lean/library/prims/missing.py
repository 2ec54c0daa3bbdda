"""Functions that have a type and no value here: what they return is not specified, or not covered."""

from __future__ import annotations

from typing import NoReturn

from specgen.lean.eval.runtime import unsupported
from specgen.lean.library.prims.registry import prim

_NAMES = ("String.hash", "String.toUTF8", "String.fromUTF8!", "String.getUtf8Byte")


def _register(name: str) -> None:
    def refuse(*_arguments: object) -> NoReturn:
        unsupported(name)

    prim(name)(refuse)


for _name in _NAMES:
    _register(_name)
