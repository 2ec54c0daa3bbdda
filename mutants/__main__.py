"""`make mutants`: runs the tests with each mutant switched on, and reports which test notices it.

Exits with 1 when a mutant survives, when one has nothing to change any more, or when the tests are red without any.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, TypeAlias

from mutants.registry import MUTANTS, VARIABLE, Mutant

ROOT: Final = Path(__file__).resolve().parents[1]
_FAILED: Final = re.compile(r"^(?:FAILED|ERROR) (\S+?\.py(?:::.*?)?)(?: - .*)?$", re.MULTILINE)
_LIMIT_S: Final = 600.0

Fate: TypeAlias = Literal["killed", "survived", "vanished", "error"]


@dataclass(frozen=True, slots=True)
class Result:
    """What became of a mutant; `by` is the test that noticed it, or the reason of an error."""

    mutant: Mutant
    fate: Fate
    by: str
    seconds: float


def run_tests(paths: Sequence[str], mutant: str, extra: Sequence[str] = ()) -> tuple[int, str]:
    """Run tests in a process of their own; returns exit code and output. A run past its time has exit code 1."""
    environment = {k: v for k, v in os.environ.items() if k != VARIABLE and not k.startswith("PYTEST_")}
    environment["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # plugins take longer to load than most mutants to be killed
    if mutant:
        environment[VARIABLE] = mutant
    there = [p for p in paths if (ROOT / p.split("::")[0]).exists()]
    command = [sys.executable, "-m", "pytest", "-q", "--tb=no", "-p", "no:cacheprovider", *extra, *there]
    try:
        done = subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=_LIMIT_S, check=False
        )
    except subprocess.TimeoutExpired:
        return 1, f"FAILED {there[0]}::(more than {_LIMIT_S:.0f} s)"
    return done.returncode, done.stdout + done.stderr


def try_mutant(mutant: Mutant, deselected: Sequence[str]) -> Result:
    """Run the tests of one mutant until one fails."""
    start = time.monotonic()
    extra = ["-x", *[f"--deselect={t}" for t in deselected]]
    code, output = run_tests(mutant.tests, mutant.name, extra)
    seconds = time.monotonic() - start
    if "PatchError" in output:
        reason = next((line.strip() for line in output.splitlines() if "PatchError" in line), "PatchError")
        return Result(mutant, "vanished", reason, seconds)
    found = _FAILED.search(output)
    if code == 1 and found:
        return Result(mutant, "killed", found[1], seconds)
    if code == 0:
        return Result(mutant, "survived", "", seconds)
    if code == 2 and found:
        return Result(mutant, "killed", f"{found[1]} (cannot be collected)", seconds)
    return Result(mutant, "error", f"pytest exit code {code}: {output.strip().splitlines()[-1:]}", seconds)


def red_without(mutants: Sequence[Mutant]) -> list[str]:
    """Return the tests that fail with no mutant at all."""
    paths = list(dict.fromkeys(p for m in mutants for p in m.tests))
    code, output = run_tests(paths, "")
    found = _FAILED.findall(output)
    if code not in (0, 1) and not found:
        raise SystemExit(f"the tests do not run without a mutant: {output[-2000:]}")
    return found


def main() -> int:
    """Run the mutants that the command line names, or all."""
    parser = argparse.ArgumentParser(prog="python -m mutants", description=__doc__)
    parser.add_argument("names", nargs="*", help="mutants to run; all when none is named")
    parser.add_argument("--list", action="store_true", help="list the mutants and leave")
    parser.add_argument("--jobs", type=int, default=2, help="how many run at a time")
    options = parser.parse_args()
    unknown = [n for n in options.names if n not in MUTANTS]
    if unknown:
        parser.error(f"there is no mutant {', '.join(unknown)}")
    chosen = [MUTANTS[n] for n in options.names] or list(MUTANTS.values())
    if options.list:
        for m in chosen:
            print(f"{m.name:32} {m.breaks}")
        return 0
    red = red_without(chosen)
    for test in red:
        print(f"red without a mutant: {test}", flush=True)
    results: list[Result] = []
    with ThreadPoolExecutor(options.jobs) as pool:
        for result in pool.map(lambda m: try_mutant(m, red), chosen):
            results.append(result)
            print(f"{result.fate:9} {result.mutant.name:32} {result.seconds:5.0f} s  {result.by}", flush=True)
    counts = {fate: sum(r.fate == fate for r in results) for fate in ("killed", "survived", "vanished", "error")}
    print(f"{len(results)} mutants: " + ", ".join(f"{n} {fate}" for fate, n in counts.items()))
    for r in results:
        if r.fate != "killed":
            print(f"  {r.fate}: {r.mutant.name} ({r.mutant.breaks}) {r.by}")
    return 0 if counts["killed"] == len(results) and not red else 1


if __name__ == "__main__":
    sys.exit(main())
