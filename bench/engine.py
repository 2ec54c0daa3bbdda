"""Speed of the Lean engine: files and checks per second, deep loops, and how cost grows with input size.

`rows()` gives `(name, figure, note)`; every figure is measured in this process, on texts that stand here.
"""

from __future__ import annotations

import random
import resource
import sys
import time
from collections.abc import Callable

from specgen.lean import EvalLimits, LeanEnv, Value, check, load

ENV = LeanEnv((4, 24, 0), ())

CONTRACT = """
@[reducible]
def sort_pre (xs : List Int) : Prop := True

def insert (x : Int) : List Int → List Int
  | [] => [x]
  | y :: ys => if x ≤ y then x :: y :: ys else y :: insert x ys

def sort (xs : List Int) (_h : sort_pre xs) : List Int := match xs with
  | [] => []
  | y :: ys => insert y (sort ys trivial)

@[reducible]
def sort_post (xs result : List Int) (_h : sort_pre xs) : Prop :=
  List.Pairwise (· ≤ ·) result ∧ (∀ x, x ∈ xs → xs.count x = result.count x) ∧ result.length = xs.length

def subsequences (xs : List Nat) : List (List Nat) := match xs with
  | [] => [[]]
  | x :: t => let rest := subsequences t; rest ++ rest.map (x :: ·)

def longest (xs : List Nat) : Nat :=
  ((subsequences xs).filter (fun s => s.all (· % 2 == 0))).foldl (fun n s => max n s.length) 0

def total (xs : Array Nat) : Nat := Id.run do
  let mut sum := 0
  for x in xs do
    if x % 3 != 0 then sum := sum + x
  return sum
"""

LIMITS = EvalLimits(fuel=10**9, cells=10**9, wall_s=120)


def _timed(action: Callable[[], object], at_least_s: float = 0.3) -> float:
    """Return seconds a call, over as many calls as take `at_least_s`."""
    action()
    n, start = 0, time.perf_counter()
    while time.perf_counter() - start < at_least_s or n == 0:
        action()
        n += 1
    return (time.perf_counter() - start) / n


def _int_list(items: list[int], like: Value) -> Value:
    from specgen.lean.eval.values import to_list

    return Value(like.type, to_list(items))


def rows() -> list[tuple[str, str, str]]:
    """Measure and return the rows."""
    out: list[tuple[str, str, str]] = []
    check(CONTRACT, ENV)
    per_file = _timed(lambda: check(CONTRACT, ENV))
    lines = CONTRACT.count("\n")
    out.append(("engine: files checked", f"{1 / per_file:.0f} /s", f"{lines} lines, {per_file * 1e3:.1f} ms a file"))

    program = load(CONTRACT, ENV)
    start = time.perf_counter()
    xs, ys = program.read("[3, -1, 2]", "List Int"), program.read("[-1, 2, 3]", "List Int")
    program.decide("sort_post", (xs, ys))
    cold = time.perf_counter() - start
    warm = _timed(lambda: program.decide("sort_post", (xs, ys)))
    read = _timed(lambda: program.read("[3, -1, 2]", "List Int"))
    out.append(("engine: checks, warm", f"{1 / warm:.0f} /s", f"three clauses on a list of 3, {warm * 1e3:.3f} ms"))
    out.append(("engine: first check", f"{cold * 1e3:.1f} ms", "reading its values and compiling included"))
    out.append(("engine: values read", f"{1 / read:.0f} /s", "[3, -1, 2] : List Int"))

    rng = random.Random(0)
    times = {}
    for n in (750, 1500, 3000):
        items = _int_list([rng.randrange(10**6) for _ in range(n)], xs)
        start = time.perf_counter()
        result = program.run("sort", (items,), LIMITS)
        times[n] = time.perf_counter() - start
        if not isinstance(result, Value):
            raise RuntimeError(f"insertion sort of {n}: {result}")
    out.append(("engine: insertion sort of 3,000", f"{times[3000]:.2f} s", f"1,500: {times[1500]:.2f} s (quadratic)"))

    evens = program.read("List.range 18", "List Nat")
    start = time.perf_counter()
    program.run("longest", (evens,), LIMITS)
    out.append(("engine: subsequences at length 18", f"{time.perf_counter() - start:.2f} s", "262,144 lists, filtered"))

    sizes = {}
    for n in (20_000, 200_000):
        array = program.read(f"Array.range {n}", "Array Nat", LIMITS)
        start = time.perf_counter()
        program.run("total", (array,), LIMITS)
        sizes[n] = time.perf_counter() - start
    growth = sizes[200_000] / sizes[20_000]
    out.append(("engine: growth of a loop", f"x{growth:.1f}", "for ten times the elements"))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024 if sys.platform != "darwin" else 1024**2)
    out.append(("engine: peak memory", f"{peak:.0f} MB", "of this process so far"))
    return out
