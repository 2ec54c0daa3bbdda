"""Three-valued connectives: `False ∧ unknown` is False, `True ∨ unknown` is True, and so on."""

from __future__ import annotations

from typing import Any

from specgen.lean.eval.nodes import CAUGHT, Code, Frame, constant, constant_of, is_fatal


def conj(p: Code, q: Code) -> Code:
    """Return code for `p ∧ q` and `p && q`."""
    known = constant_of(p)
    if known is not None:
        return q if known[0] else constant(False)

    def run(fr: Frame) -> Any:
        try:
            first = p(fr)
        except CAUGHT as error:
            if not is_fatal(error) and q(fr) is False:
                return False
            raise
        return q(fr) if first else False

    return run


def disj(p: Code, q: Code) -> Code:
    """Return code for `p ∨ q` and `p || q`."""
    known = constant_of(p)
    if known is not None:
        return constant(True) if known[0] else q

    def run(fr: Frame) -> Any:
        try:
            first = p(fr)
        except CAUGHT as error:
            if not is_fatal(error) and q(fr) is True:
                return True
            raise
        return True if first else q(fr)

    return run


def implies(p: Code, q: Code) -> Code:
    """Return code for `p → q`."""
    known = constant_of(p)
    if known is not None:
        return q if known[0] else constant(True)

    def run(fr: Frame) -> Any:
        try:
            first = p(fr)
        except CAUGHT as error:
            if not is_fatal(error) and q(fr) is True:
                return True
            raise
        return q(fr) if first else True

    return run


def negate(p: Code) -> Code:
    """Return code for `¬ p` and `!p`."""
    known = constant_of(p)
    if known is not None:
        return constant(not known[0])
    return lambda fr: not p(fr)


def iff(p: Code, q: Code) -> Code:
    """Return code for `p ↔ q`."""
    return lambda fr: bool(p(fr)) is bool(q(fr))


def all_of(parts: list[Code]) -> Code:
    """Return code for a conjunction of any length."""
    if not parts:
        return constant(True)
    out = parts[-1]
    for part in reversed(parts[:-1]):
        out = conj(part, out)
    return out
