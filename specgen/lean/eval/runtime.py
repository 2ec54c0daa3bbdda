"""Limits of an evaluation, and how a part of it says that it does not know.

One evaluation runs at a time in a process (the engine takes a lock), so the meters are module state: a primitive calls
`charge` and `charge_cells` without being handed anything. `metered` sets the meters up and restores the outer ones, so
that evaluations nest.
"""

from __future__ import annotations

import gc
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final, Literal, NoReturn, TypeAlias, TypeVar

T = TypeVar("T")

UnknownKind: TypeAlias = Literal[
    "fuel", "memory", "depth", "timeout", "unsupported", "undecided", "noncomputable", "sorry"
]

_SLICE: Final = 20_000
"""Steps between two looks at the clock."""

_SHALLOW_FRAMES: Final = 6_000
_DEEP_STACK_BYTES: Final = 512 * 1024 * 1024


class Unknown(Exception):  # noqa: N818 - it is an answer, not an error
    """Raised where evaluation cannot tell; `kind` says why, `message` names the culprit."""

    def __init__(self, kind: UnknownKind, message: str) -> None:
        super().__init__(kind, message)
        self.kind: UnknownKind = kind
        self.message = message


@dataclass(frozen=True, slots=True)
class EvalLimits:
    """Limits of one check.

    Attributes:
        fuel: steps (a call of a function, a turn of a loop, an element looked at).
        cells: memory in cells of about 100 bytes: list cells, array slots, digits in bulk.
        frames: nesting of the evaluator's own calls; about ten for each nested call of a Lean function.
        wall_s: seconds.
        search: candidates that a bounded search tries for one quantifier.
    """

    fuel: int = 20_000_000
    cells: int = 20_000_000
    frames: int = 300_000
    wall_s: float = 10.0
    search: int = 2_000


class _Meter:
    """What is left: `slice` steps before the clock is looked at, `fuel` steps after that, `cells`."""

    __slots__ = ("cells", "deadline", "fuel", "limits", "slice")

    def __init__(self) -> None:
        self.limits = EvalLimits()
        self.slice = _SLICE
        self.fuel = self.limits.fuel
        self.cells = self.limits.cells
        self.deadline = float("inf")


METER: Final = _Meter()


def charge(n: int = 1) -> None:
    """Spend `n` steps, or raise `Unknown("fuel" | "timeout")`. Call it before the work."""
    METER.slice -= n
    if METER.slice < 0:
        refill()


def refill() -> None:
    """Take the next slice of fuel, after a look at the clock."""
    spent = _SLICE - METER.slice
    METER.fuel -= spent
    if METER.fuel < 0:
        METER.slice = 0
        METER.fuel = 0
        raise Unknown("fuel", f"more than {METER.limits.fuel} steps")
    METER.slice = _SLICE
    if time.monotonic() > METER.deadline:
        raise Unknown("timeout", f"more than {METER.limits.wall_s:g} s")


def charge_cells(n: int) -> None:
    """Take `n` cells of memory (about 100 bytes each), or raise `Unknown("memory")`. Call it before building."""
    METER.cells -= n
    if METER.cells < 0:
        METER.cells += n
        raise Unknown("memory", f"more than {METER.limits.cells} cells")


def charge_bits(bits: int) -> None:
    """Take the memory and the time of an integer of so many bits, or raise `Unknown("memory")`."""
    if bits > 512:
        charge_cells(bits >> 9)
        charge(bits >> 9)


def unsupported(what: str) -> NoReturn:
    """Raise `Unknown("unsupported")`."""
    raise Unknown("unsupported", what)


@contextmanager
def metered(limits: EvalLimits) -> Iterator[None]:
    """Run the body under fresh meters; the outer ones come back afterwards, less what was spent of the clock."""
    m = METER
    saved = (m.limits, m.slice, m.fuel, m.cells, m.deadline)
    m.limits, m.slice, m.fuel, m.cells = limits, _SLICE, limits.fuel, limits.cells
    m.deadline = min(time.monotonic() + limits.wall_s, saved[4])
    try:
        yield
    finally:
        m.limits, m.slice, m.fuel, m.cells, m.deadline = saved


# ------------------------------------------------------------------------------------------------- depth of recursion

LOCK: Final = threading.RLock()
"""Held during every evaluation: the meters are module state."""

_inside = threading.local()


def run_limited(action: Callable[[], T], limits: EvalLimits) -> T:
    """Run `action` under limits; raises `Unknown` when it hits one.

    The first attempt runs where the caller is, with a modest depth; only when that does not do is the action run again
    in a thread with a large stack, so that the usual check pays nothing for depth. Actions must be repeatable.
    """
    if getattr(_inside, "deep", False):  # the thread that waits for this one holds the lock
        with metered(limits):
            return action()
    with LOCK, _no_cycle_search():
        try:
            with metered(limits), _recursion_limit(_SHALLOW_FRAMES):
                return action()
        except RecursionError:
            pass
        return _run_deep(action, limits)


@contextmanager
def _no_cycle_search() -> Iterator[None]:
    """Keep the collector of cycles from walking over every list cell again and again; evaluation makes few cycles."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


@contextmanager
def _recursion_limit(frames: int) -> Iterator[None]:
    old = sys.getrecursionlimit()
    sys.setrecursionlimit(max(old, frames))
    try:
        yield
    finally:
        sys.setrecursionlimit(old)


def _run_deep(action: Callable[[], T], limits: EvalLimits) -> T:
    result: list[T] = []
    failure: list[BaseException] = []

    def body() -> None:
        _inside.deep = True
        try:
            with metered(limits):
                result.append(action())
        except RecursionError:
            failure.append(Unknown("depth", f"recursion nested deeper than {limits.frames} frames"))
        except BaseException as error:  # noqa: BLE001 - handed over to the caller's thread below
            failure.append(error.with_traceback(None))

    old = threading.stack_size(_DEEP_STACK_BYTES)
    try:
        thread = threading.Thread(target=body, name="lean-eval", daemon=True)
        with _recursion_limit(limits.frames):
            thread.start()
            thread.join()
    finally:
        threading.stack_size(old)
    if failure:
        raise failure[0]
    return result[0]
