"""How a mutant changes the running engine: by name, with an error where the name, or the change, is gone."""

from __future__ import annotations
import __future__

import importlib
import inspect
import sys
import textwrap
from collections.abc import Callable
from types import FunctionType
from typing import Any

Function = Callable[..., Any]


class PatchError(Exception):
    """What a mutant is to change is not there any more, or the change changes nothing."""


def replace_primitive(name: str, change: Callable[[Function], Function], sample: tuple[Any, ...]) -> None:
    """Replace a primitive of the library, and its compiled form where it has one.

    `change` gets the old function; `sample` are arguments for which old and new must differ.
    """
    from specgen.lean.eval import nodes
    from specgen.lean.eval.inline import INLINE
    from specgen.lean.library.prims.registry import primitives

    table = primitives()
    if name not in table:
        raise PatchError(f"there is no primitive {name}")
    old = table[name]
    new = change(old)
    if _outcome(old, sample) == _outcome(new, sample):
        raise PatchError(f"{name} is unchanged at {sample}")
    table[name] = new
    if name in INLINE:
        INLINE[name] = lambda *codes: nodes.call_python(new, codes)


def _outcome(function: Function, arguments: tuple[Any, ...]) -> object:
    try:
        return repr(function(*arguments))
    except Exception as error:  # noqa: BLE001 - that it fails is what is compared
        return type(error)


def replace_entry(place: str, key: Any, value: Any) -> None:
    """Replace an entry of a table `module:NAME`, in place."""
    table = find(place)
    if key not in table:
        raise PatchError(f"{place} has no entry {key!r}")
    if table[key] == value:
        raise PatchError(f"{place}[{key!r}] is {value!r} already")
    table[key] = value


def rewrite(place: str, old: str, new: str, count: int = 1) -> None:
    """Replace a piece of the source of a function `module:qualified.name`, and the function by what that gives.

    The piece must occur exactly `count` times. The new function takes the place of the old one wherever modules of the
    engine hold it: as attribute, or in a table or tuple.
    """
    function = find(place)
    if not isinstance(function, FunctionType):
        raise PatchError(f"{place} is no plain function")
    source = inspect.getsource(function)
    found = source.count(old)
    if found != count:
        raise PatchError(f"{place} has the text {old!r} {found} times, not {count}")
    changed = textwrap.dedent(source.replace(old, new))
    changed = changed[changed.index("def ") :]  # without decorators: they have done their work
    scope: dict[str, Any] = {}
    flags = __future__.annotations.compiler_flag
    code = compile(changed, f"<mutant of {place}>", "exec", flags, dont_inherit=True)
    exec(code, function.__globals__, scope)  # noqa: S102 - our own source with one piece replaced
    replace_function(place, scope[function.__name__])


def replace_function(place: str, new: Function) -> None:
    """Replace a function or method `module:qualified.name` wherever modules of the engine hold it."""
    module, _, qualified = place.partition(":")
    old = find(place)
    owner, _, name = qualified.rpartition(".")
    if owner:
        setattr(find(f"{module}:{owner}"), name, new)
        return
    for loaded in [m for n, m in sorted(sys.modules.items()) if n.split(".")[0] == "specgen" and m is not None]:
        for attribute, value in list(vars(loaded).items()):
            if value is old:
                setattr(loaded, attribute, new)
            elif isinstance(value, dict) and not attribute.startswith("__"):
                _replace_in(value, old, new)
            elif isinstance(value, tuple) and any(v is old for v in value):
                setattr(loaded, attribute, tuple([new if v is old else v for v in value]))


def _replace_in(table: dict[Any, Any], old: Function, new: Function) -> None:
    for key, value in list(table.items()):
        if value is old:
            table[key] = new
        elif type(value) is tuple and any(v is old for v in value):
            table[key] = tuple([new if v is old else v for v in value])


def rewrite_table(name: str, old: str, new: str) -> None:
    """Replace a piece of the text of a library declaration, before any library has been loaded."""
    import dataclasses

    from specgen.lean.library import loader

    chunks = list(loader.table_chunks())
    if loader._library.cache_info().currsize:
        raise PatchError("a library has been loaded already")
    found = [i for i, c in enumerate(chunks) if c.name == name and c.text.count(old) == 1]
    if not found:
        raise PatchError(f"no declaration {name} has the text {old!r}")
    for i in found:
        chunks[i] = dataclasses.replace(chunks[i], text=chunks[i].text.replace(old, new))
    changed = tuple(chunks)
    replace_function("specgen.lean.library.loader:table_chunks", lambda: changed)


def find(place: str) -> Any:
    """Return what stands at `module:qualified.name`."""
    module, _, qualified = place.partition(":")
    try:
        value: Any = importlib.import_module(module)
        for part in qualified.split("."):
            value = vars(value)[part]
    except (ImportError, KeyError) as error:
        raise PatchError(f"there is no {place}") from error
    return value
