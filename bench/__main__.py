"""`make bench`: speed and memory as ratios within one run, never as timed tests."""

from __future__ import annotations

import importlib
import resource
import sys

MODULES = ("engine", "lm", "similarity", "equivalence", "evidence", "report")


def main() -> None:
    """Run every benchmark module, or those named on the command line, and print their rows."""
    chosen = sys.argv[1:] or list(MODULES)
    for name in chosen:
        module = importlib.import_module(f"bench.{name}")
        for row in module.rows():
            print(" | ".join(row), flush=True)
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak memory of this process | {peak_mb:.0f} MB | all rows above", flush=True)


if __name__ == "__main__":
    main()
