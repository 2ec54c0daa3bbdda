"""The properties with their strategies, by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from hypothesis import strategies as st

from fuzz import properties as p
from fuzz.strategies import broken_texts, contracts, functions, linear_formulas

CHECKS: Final[dict[str, tuple[Callable[[Any], None], st.SearchStrategy[Any]]]] = {
    "print-and-parse": (p.printed_text_parses_to_the_same_tree, st.one_of(functions(), contracts(guarded=False))),
    "values": (p.values_agree, functions()),
    "guarded-contracts": (p.guarded_statements_are_decided, contracts(guarded=True)),
    "open-contracts": (p.outcomes_do_not_contradict, contracts(guarded=False)),
    "linear-arithmetic": (p.quantifier_rules_agree_with_z3, linear_formulas()),
    "broken-text": (p.checking_never_raises, broken_texts()),
}
