"""Checks made by hand, for tests of what reads them."""

from __future__ import annotations

from evaluators.checks import Check, ContractChecks, Tri

TRI = {
    "h": Tri("holds"),
    "f": Tri("fails"),
    "u": Tri("unknown", "undecided", "no rule decides it"),
    "t": Tri("unknown", "timeout", "2 s"),
    "s": Tri("unknown", "unsupported", "Finset.sum"),
}


def conjunction(clauses: str) -> Tri:
    """Three-valued conjunction of clause letters."""
    if "f" in clauses:
        return TRI["f"]
    return next((TRI[c] for c in clauses if c != "h"), TRI["h"])


def posts(kind: str, rows: list[str]) -> tuple[Check, ...]:
    """One check a row; each letter is a clause."""
    return tuple(
        Check(f"{kind}[{i}]", f"{kind} example {i}", conjunction(row), tuple(TRI[c] for c in row))
        for i, row in enumerate(rows)
    )


def pres(kind: str, row: str) -> tuple[Check, ...]:
    """One check a letter."""
    return tuple(Check(f"{kind}[{i}]", f"{kind} input {i}", TRI[c]) for i, c in enumerate(row))


def checks(
    accepted: list[str] | None = None,
    rejected: list[str] | None = None,
    required: str = "",
    forbidden: str = "",
    clauses: tuple[str, ...] = ("clause one", "clause two"),
) -> ContractChecks:
    """A well-formed contract's checks."""
    return ContractChecks(
        "yes",
        clauses=clauses,
        accepted=posts("accepted", accepted or []),
        rejected=posts("rejected", rejected or []),
        required=pres("required", required),
        forbidden=pres("forbidden", forbidden),
    )
