"""`make oracle`: compare the library with Lean's compiled core library and print the report."""

from __future__ import annotations

import argparse
import fnmatch
import sys

from oracle.client import Child, Unavailable, find_library
from oracle.compare import Comparison
from oracle.report import Report


def main(argv: list[str] | None = None) -> int:
    """Run the comparison; returns 1 where the two sides differ, 0 else (and 0 where there is no oracle)."""
    parser = argparse.ArgumentParser(prog="python -m oracle", description=__doc__)
    parser.add_argument("names", nargs="*", help="names of functions, with * and ? (all, when none is given)")
    parser.add_argument("--cases", type=int, default=100, help="cases a function")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--least", type=int, default=0, help="fail when fewer functions than this were compared")
    parser.add_argument("--verbose", action="store_true", help="list every function, and more than one difference each")
    options = parser.parse_args(argv)
    sys.set_int_max_str_digits(0)
    names: list[str] = options.names

    def wanted(name: str) -> bool:
        return not names or any(name == n or fnmatch.fnmatchcase(name, n) for n in names)

    try:
        child = Child(find_library())
        child.has([])
    except Unavailable as error:
        print(f"oracle skipped: {error}")
        return 0
    report = Report(verbose=options.verbose)
    try:
        for outcome in Comparison(child, options.seed, options.cases).run(wanted):
            report.add(outcome)
    finally:
        child.close()
    print(report.text())
    if report.compared < options.least:
        print(f"only {report.compared} functions were compared, {options.least} are expected")
        return 1
    return 1 if report.failed else 0


if __name__ == "__main__":
    sys.exit(main())
