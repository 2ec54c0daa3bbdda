"""Floating-point numbers as Lean shows them."""

from __future__ import annotations

import math


def show_float(value: float) -> str:
    """Return what `toString` gives: six decimals, `NaN`, `inf`, `-inf`."""
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return f"{value:f}"
