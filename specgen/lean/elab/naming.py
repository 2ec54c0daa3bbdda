"""Names that Lean makes up for anonymous instances."""

from __future__ import annotations

from specgen.lean import core
from specgen.lean.core import Term


def instance_name(type_: Term) -> str:
    """Return Lean's name for an anonymous instance of a type: `inst`, the class, then the heads of its arguments."""
    while isinstance(type_, core.Pi):
        type_ = type_.body
    return "inst" + "".join(_heads(type_))


def _heads(term: Term) -> list[str]:
    fn, args = core.unfold_app(term)
    if isinstance(fn, core.Const):
        found = [_capital(fn.name.rpartition(".")[2])]
        for arg in args:
            found += _heads(arg)
        return found
    if isinstance(fn, core.Sort):
        return ["Prop" if fn.is_prop else "Type"]
    if isinstance(fn, core.Pi):
        return ["Forall"]
    return []


def _capital(name: str) -> str:
    return name[:1].upper() + name[1:]
