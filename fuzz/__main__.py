"""`make fuzz`: tries every property on fresh random inputs for `FUZZ_SECONDS` (600); shrinks and reports what fails.

Exits with 1 when there is a finding. `FUZZ_SEED` repeats a run; names on the command line choose properties.
"""

from __future__ import annotations

import os
import random
import sys
import time
import traceback
from collections.abc import Callable
from typing import Any, Final

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

os.environ.setdefault("SPECGEN_STRICT", "1")

from fuzz.checks import CHECKS  # noqa: E402 - strictness is read at import

_ROUND: Final = 40
_SETTINGS: Final = settings(
    max_examples=_ROUND,
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
    phases=(Phase.generate, Phase.shrink),
)


def attempt(prove: Callable[[Any], None], strategy: st.SearchStrategy[Any], number: int) -> tuple[int, str]:
    """Try a property on one round of inputs from a seed; returns how many there were, and the finding or ""."""
    count = 0

    def run(example: Any) -> None:
        nonlocal count
        count += 1
        prove(example)

    try:
        seed(number)(_SETTINGS(given(strategy)(run)))()
    except Exception:  # noqa: BLE001 - whatever it is, it is the finding
        return count, f"seed {number}\n{traceback.format_exc()[-4000:]}"
    return count, ""


def main() -> int:
    """Run the properties in turn until the time is up; a property with a finding is not run again."""
    budget_s = float(os.environ.get("FUZZ_SECONDS", "600"))
    chosen = {n: c for n, c in CHECKS.items() if not sys.argv[1:] or n in sys.argv[1:]}
    start = time.monotonic()
    tried = dict.fromkeys(chosen, 0)
    spent = dict.fromkeys(chosen, 0.0)
    findings: dict[str, str] = {}
    source = random.Random(os.environ.get("FUZZ_SEED"))
    while time.monotonic() - start < budget_s and len(findings) < len(chosen):
        # The property that has had the least time is next.
        name = min([n for n in chosen if n not in findings], key=lambda n: spent[n])
        began = time.monotonic()
        count, finding = attempt(*chosen[name], source.getrandbits(48))
        tried[name] += count
        spent[name] += time.monotonic() - began
        if finding:
            findings[name] = finding
            print(f"FINDING {name}: {finding}", flush=True)
    for name, count in tried.items():
        outcome = "FINDING" if name in findings else "no finding"
        print(f"{name:24} {count:7} examples  {spent[name]:5.0f} s  {outcome}")
    print(f"{time.monotonic() - start:.0f} s, {sum(tried.values())} examples, {len(findings)} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
