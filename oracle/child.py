"""The process that calls Lean: one JSON request a line on standard input, answers a line each on standard output.

Start it with the path of `libleanshared.so`. `{"has": [name, …]}` answers which symbols exist. `{"symbol": …, "params":
[…], "result": type, "cases": [[type and value of each valued parameter], …]}` answers a line for each case.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import sys
from typing import Any, Final

from oracle import samples
from oracle.memory import LayoutError, Marshal, box, make
from oracle.types import Neutral, Ty

MEMORY_BYTES: Final = 6 << 30
_DEFAULTS: Final[dict[str, Any]] = {"String": "", "Bool": False, "Char": "A", "Float": (0.0).hex()}
_ARITHMETIC: Final = frozenset({"Add", "Sub", "Mul", "Append", "Max", "Min"})
_TEST: Final = {"eq": (1,), "lt": (0,), "le": (0, 1), "gt": (2,), "ge": (1, 2)}


def load(path: str) -> ctypes.CDLL:
    """Load Lean's library and initialise its runtime and its core modules."""
    library = ctypes.CDLL(path, mode=ctypes.RTLD_GLOBAL)
    library.lean_initialize_runtime_module()
    for name in ("initialize_Init", "initialize_Std"):
        start = getattr(library, name)
        start.restype = ctypes.c_void_p
        start.argtypes = [ctypes.c_uint8]
        start(1)
    library.lean_set_panic_messages(ctypes.c_bool(False))
    return library


class Caller:
    """Calls compiled functions on neutral values."""

    def __init__(self, library: ctypes.CDLL) -> None:
        self.library = library
        self.marshal = Marshal(library)

    def run(self, request: dict[str, Any], case: list[list[Any]]) -> Neutral:
        """Return the neutral result of one case."""
        self.marshal.failures.clear()
        values = [(Ty.from_json(ty), value) for ty, value in case]
        result = Ty.from_json(request["result"])
        objects = self._arguments(request["params"], values)
        if objects:
            function = getattr(self.library, request["symbol"])
            function.restype = ctypes.c_void_p
            function.argtypes = [ctypes.c_void_p] * len(objects)
            obj = function(*objects) or 0
        else:
            obj = self._constant(request["symbol"], result)
        answer = self.marshal.from_lean(result, obj)
        if self.marshal.failures:
            raise LayoutError(self.marshal.failures[0])
        return answer

    def _constant(self, symbol: str, ty: Ty) -> int:
        """Read a constant without parameters: a variable of the library, unboxed where its type is."""
        if ty.head == "Float" or ty.head in ("UInt64", "USize", "Int64", "ISize"):
            raw = ctypes.c_uint64.in_dll(self.library, symbol).value
            return make(0, 0, raw.to_bytes(8, "little"))
        if ty.head in ("Char", "UInt32", "Int32"):
            return box(ctypes.c_uint32.in_dll(self.library, symbol).value)
        if ty.head in ("UInt16", "Int16"):
            return box(ctypes.c_uint16.in_dll(self.library, symbol).value)
        if ty.head in ("UInt8", "Int8", "Bool") or (ty.enumeration and len(ty.constructors) > 1):
            return box(ctypes.c_uint8.in_dll(self.library, symbol).value)
        return int(ctypes.c_void_p.in_dll(self.library, symbol).value or 0)

    def _arguments(self, params: list[dict[str, Any]], values: list[tuple[Ty, Neutral]]) -> list[int]:
        rest = iter(values)
        objects: list[int] = []
        for p in params:
            kind = p["pass"]
            if kind == "value":
                objects.append(self.marshal.to_lean(*next(rest)))
            elif kind == "hidden":
                next(rest)
                objects.append(box(0))
            elif kind == "nth":
                objects.append(self.marshal.to_lean(*values[p["source"]]))
            elif kind == "apply":
                objects.append(self._applied(p["symbol"], self.marshal.to_lean(*values[p["source"]])))
            elif kind == "relation":
                objects.append(self.marshal.relation(Ty.from_json(p["ty"]), _TEST[p["name"]]))
            elif kind == "instance":
                objects.append(self._instance(p["class"], Ty.from_json(p["ty"])))
            elif kind == "constant":
                objects.append(int(ctypes.c_void_p.in_dll(self.library, p["symbol"]).value or 0))
            else:
                objects.append(box(0))
        return objects

    def _applied(self, symbol: str, argument: int) -> int:
        boxed = f"{symbol}___boxed"
        function = getattr(self.library, boxed if hasattr(self.library, boxed) else symbol)
        function.restype = ctypes.c_void_p
        function.argtypes = [ctypes.c_void_p]
        return int(function(argument) or 0)

    def _instance(self, name: str, ty: Ty) -> int:
        """Return the instance of a class with one method, which Lean represents by the method."""
        m = self.marshal
        if name == "BEq":
            return m.relation(ty, (1,))
        if name == "Ord":
            return m.comparison(ty)
        if name in _ARITHMETIC:
            return m.callback(2, lambda a, b: m.to_lean(ty, operate(name, ty, m.from_lean(ty, a), m.from_lean(ty, b))))
        if name in ("Inhabited", "Zero", "One"):
            return m.to_lean(ty, 1 if name == "One" else _DEFAULTS.get(ty.head, 0))
        if name == "Hashable":
            return m.hashing(ty)
        if name == "NatCast":
            return m.callback(1, lambda n: m.to_lean(ty, m.from_lean(Ty("Nat"), n)))
        if name == "ToString":
            return m.callback(1, lambda a: m.to_lean(Ty("String"), shown(m.from_lean(ty, a))))
        return box(0)


def operate(name: str, ty: Ty, a: Any, b: Any) -> Any:
    """Apply a binary operation as Lean's instance for the type does.

    Raises:
        LayoutError: the type has no such instance here.
    """
    if name == "Max":
        return b if samples.compare(a, b) < 2 else a
    if name == "Min":
        return a if samples.compare(a, b) < 2 else b
    if ty.head == "String" and name == "Append":
        return a + b
    if ty.head not in ("Nat", "Int"):
        raise LayoutError(f"no instance {name} {ty}")
    if name == "Sub":
        return max(a - b, 0) if ty.head == "Nat" else a - b
    return a + b if name == "Add" else a * b


def shown(value: Neutral) -> str:
    """Return what `toString` gives for a number, a truth value, a character or a string."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def answer(caller: Caller, request: dict[str, Any], case: list[list[Any]]) -> dict[str, Any]:
    """Return the answer to one case."""
    try:
        return {"ok": caller.run(request, case)}
    except samples.Uninhabited:
        return {"error": "a function had no value to return"}
    except Exception as error:  # noqa: BLE001 - the boundary of the process: the parent classifies it
        return {"error": f"{type(error).__name__}: {error}"}


def main() -> None:
    """Serve requests until standard input ends."""
    sys.set_int_max_str_digits(0)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    library = load(sys.argv[1])
    caller = Caller(library)
    out.write('{"ready": true}\n')
    out.flush()
    for line in sys.stdin:
        request = json.loads(line)
        if "has" in request:
            out.write(json.dumps({"has": [hasattr(library, name) for name in request["has"]]}) + "\n")
        else:
            for case in request["cases"]:
                out.write(json.dumps(answer(caller, request, case)) + "\n")
                out.flush()
        out.flush()


if __name__ == "__main__":
    main()
