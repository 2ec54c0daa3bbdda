"""The engine's side: neutral values as engine values, and terms over parameters as functions of neutral values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, Final

from oracle import samples
from oracle.types import SEQUENCES, Neutral, Ty, pair
from specgen.lean import core
from specgen.lean.core import FVar, Term
from specgen.lean.elab.commands import FileElab
from specgen.lean.elab.context import ElabError
from specgen.lean.elab.session import Session
from specgen.lean.elab.whnf import IllTyped
from specgen.lean.environment import Constant, LeanEnv
from specgen.lean.eval.compile import Compiler
from specgen.lean.eval.nodes import CAUGHT, curried
from specgen.lean.eval.runtime import EvalLimits, Unknown, run_limited
from specgen.lean.eval.values import Arr, HashMap, TreeMap, from_list, to_list
from specgen.lean.library.loader import environment
from specgen.lean.parser import parse_file

LIMITS: Final = EvalLimits(fuel=400_000, cells=60_000, frames=60_000, wall_s=5.0)
"""What the engine may spend on one call: a case that needs more is not asked of Lean either."""

UNIT_TYPE: Final = Ty("data", (), -1, "Unit", "unit", ((),))
MAX_BITS: Final = 10_000
"""Larger numbers are not sent to and fro (Python refuses to write those of more than 4,300 digits)."""


def to_engine(ty: Ty, value: Neutral) -> Any:
    """Return the engine's value for a neutral one."""
    head = ty.head
    if head == "Float":
        return float.fromhex(value)
    if head == "Rat":
        return Fraction(value[0], value[1])
    if head in SEQUENCES:
        items = [to_engine(ty.args[0], v) for v in value]
        return to_list(items) if head == "List" else Arr(items)
    if head == "Option":
        return None if value is None else (to_engine(ty.args[0], value[0]),)
    if head == "fn":
        return _function(ty, value)
    if head == "map":
        entries = [to_engine(pair(ty.args[0], (*ty.args, UNIT_TYPE)[1]), e) for e in (_as_entry(ty, v) for v in value)]
        return HashMap(entries) if "Hash" in ty.name else TreeMap(entries)
    if head == "data":
        return _to_data(ty, value)
    return value


def _function(ty: Ty, spec: Neutral) -> Any:
    *params, result = ty.args
    mask = tuple([p.head != "erased" for p in params])
    kept = [p for p in params if p.head != "erased"]

    def apply(*data: Any) -> Any:
        args = [from_engine(p, v) for p, v in zip(kept, data, strict=True)]
        return to_engine(result, samples.call(spec, ty, args))

    return curried(apply, mask)


def _to_data(ty: Ty, value: list[Neutral]) -> Any:
    tag, *given = value
    fields: list[Any] = []
    rest = iter(given)
    for f in ty.constructors[tag]:
        fields.append(None if f.head == "erased" else to_engine(f, next(rest)))
    if ty.shape == "unit":
        return ()
    if ty.shape == "enum":
        return tag
    if ty.shape == "wrapper":
        return next(v for v, f in zip(fields, ty.constructors[tag], strict=True) if f.head != "erased")
    return tuple(fields) if ty.shape == "tuple" else (tag, *fields)


def from_engine(ty: Ty, value: Any) -> Neutral:
    """Return the neutral value of an engine value."""
    head = ty.head
    if head == "Float":
        return samples.float_text(value)
    if head == "Rat":
        return [value.numerator, value.denominator]
    if head == "Bool":
        return bool(value)
    if head in SEQUENCES:
        return [from_engine(ty.args[0], v) for v in (from_list(value) if head == "List" else value.tolist())]
    if head == "Option":
        return None if value is None else [from_engine(ty.args[0], value[0])]
    if head == "map":
        return _from_map(ty, value)
    if head == "data":
        return _from_data(ty, value)
    if head == "fn":
        raise Unknown("unsupported", "a function among the results")
    if isinstance(value, int) and value.bit_length() > MAX_BITS:
        raise Unknown("memory", f"a number of more than {MAX_BITS} bits")
    return value


def _as_entry(ty: Ty, value: Neutral) -> Neutral:
    """Return an entry of a map or an element of a set as a pair."""
    return value if len(ty.args) == 2 else [0, value, [0]]


def _from_map(ty: Ty, value: Any) -> Neutral:
    entries = value.items() if "Hash" in ty.name else value.entries
    if len(ty.args) == 1:
        found = [from_engine(ty.args[0], k) for k, _ in entries]
    else:
        found = [[0, from_engine(ty.args[0], k), from_engine(ty.args[1], v)] for k, v in entries]
    return sorted(found, key=samples.order_key)


def _from_data(ty: Ty, value: Any) -> Neutral:
    if ty.shape == "unit":
        return [0]
    if ty.shape == "enum":
        return [value]
    if ty.shape == "wrapper":
        return [0, from_engine(next(f for f in ty.constructors[0] if f.head != "erased"), value)]
    tag, fields = (0, value) if ty.shape == "tuple" else (value[0], value[1:])
    kept = zip(ty.constructors[tag], fields, strict=True)
    return [tag, *[from_engine(f, v) for f, v in kept if f.head != "erased"]]


class Side:
    """The library of one Lean version, ready to be asked for functions."""

    def __init__(self, version: tuple[int, int, int]) -> None:
        parsed = parse_file("")
        elab = FileElab(parsed.source, environment(LeanEnv(version, ("Mathlib",))))
        elab.run(parsed.file)
        self.env = elab.env
        self.compiler = Compiler(elab.env)
        self.types = self.compiler.types
        self.elaborator = Session(elab.env, elab.session.scope, _ignore).elaborator()
        self._count = 0

    def instance(self, goal: Term) -> Term | None:
        """Return an instance of a closed class type, or None."""
        try:
            return self.elaborator.synth_instance(goal)
        except (ElabError, IllTyped):
            return None

    def function(self, params: Sequence[FVar], body: Term) -> Callable[[Sequence[Any]], Any]:
        """Compile a term over parameters; the result takes engine values for those that are kept.

        Calling it raises `Unknown` where the engine does not know.
        """
        self._count += 1
        value = self.types.mk_lambda(params, body)
        constant = Constant(f"_oracle.{self._count}", "def", core.TYPE, value)
        compiled = self.compiler.definition(constant)

        def call(data: Sequence[Any]) -> Any:
            kept = [x for x, keep in zip(data, compiled.mask, strict=True) if keep]
            try:
                return run_limited(lambda: compiled.call(*kept), LIMITS)
            except Unknown:
                raise
            except (*CAUGHT, MemoryError, OverflowError) as error:
                raise Unknown("unsupported", f"{type(error).__name__}: {error}") from error

        return call


def _ignore(error: ElabError) -> None:
    """Instances are looked for without a text that errors could be reported to."""
