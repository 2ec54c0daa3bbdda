"""The table at the end of an experiment, for a terminal and as Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

SHOWN = {
    "verifier_grade": "grade",
    "R+": "R+",
    "R-": "R-",
    "R_req": "R_req",
    "R_rej": "R_rej",
    "BAcc": "BAcc",
    "pass": "pass",
    "pass_all": "pass (all)",
}


def number(value: float | None, digits: int = 3) -> str:
    """Format a score; what was not measured is a dash, never 0."""
    return "–" if value is None else f"{value:.{digits}f}"


def cell(metric: Mapping[str, Any]) -> str:
    """Format one mean with its interval, and its coverage when it is not full."""
    if metric["mean"] is None:
        return f"– (0/{metric['attempted']})"
    text = number(metric["mean"])
    if metric["low"] is not None:
        text += f" [{number(metric['low'], 2)}, {number(metric['high'], 2)}]"
    return f"{text} {metric['n']}/{metric['attempted']}"


def signed(value: float | None) -> str:
    """Format a difference with its sign."""
    return "–" if value is None else f"{value:+.3f}"


def difference_cell(difference: Mapping[str, Any]) -> str:
    """Format a paired difference with its interval and the number of pairs."""
    if difference["mean"] is None:
        return "– (n=0)"
    text = signed(difference["mean"])
    if difference["low"] is not None:
        text += f" [{signed(difference['low'])}, {signed(difference['high'])}]"
    return f"{text} n={difference['n']}"


def arm_rows(arms: Sequence[Mapping[str, Any]]) -> list[list[str]]:
    """Return a row for each arm: name, candidates by outcome, then a cell for each score."""
    rows = []
    for arm in arms:
        o = arm["outcomes"]
        counts = f"{arm['candidates']} ({o['well_formed']}/{o['not_well_formed']}/{o['unsupported']}/{o['no_output']})"
        if arm["status"] != "completed" and not arm["candidates"]:
            rows.append([arm["arm"], f"FAILED: {arm['message']}", *["–" for _ in SHOWN]])
            continue
        name = arm["arm"] if arm["status"] == "completed" else f"{arm['arm']} ({arm['status']})"
        rows.append([name, counts, *[cell(arm["metrics"][m]) for m in SHOWN]])
    return rows


def difference_rows(differences: Sequence[Mapping[str, Any]]) -> list[list[str]]:
    """Return a row for each pair of arms."""
    return [[f"{d['second']} − {d['first']}", *[difference_cell(d["metrics"][m]) for m in SHOWN]] for d in differences]


ARM_HEAD = ["arm", "candidates (ok/ill-formed/unsupported/none)", *SHOWN.values()]
DIFFERENCE_HEAD = ["difference (paired by task)", *SHOWN.values()]
COST_HEAD = ["role", "calls", "from cache", "tokens in", "tokens out", "USD", "model seconds"]


def cost_rows(costs: Sequence[Mapping[str, Any]]) -> list[list[str]]:
    """Return a row for each role; an unknown price is said to be unknown."""
    return [
        [
            c["role"],
            str(c["calls"]),
            str(c["cached"]),
            str(c["input_tokens"]),
            str(c["output_tokens"]),
            "unknown" if c["cost_usd"] is None else f"{c['cost_usd']:.4f}" + (" (simulated)" if c["simulated"] else ""),
            f"{c['seconds']:.1f}",
        ]
        for c in costs
    ]


def headline(summary: Mapping[str, Any]) -> str:
    """Return the line above the table; it says when models were simulated."""
    mark = "SIMULATED MODELS: exercises the pipeline, says nothing about real models. " if summary["simulated"] else ""
    tasks = summary["tasks"]
    return (
        f"{mark}{summary['name']}: {tasks['test']} held-out tasks of {summary['dataset']} with held-out examples, "
        f"{tasks['train']} training and {tasks['validation']} validation tasks; "
        f"{len(summary['set_aside'])} records set aside"
    )


def markdown(summary: Mapping[str, Any]) -> str:
    """Return the whole summary as Markdown."""

    def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
        lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
        return "\n".join([*lines, *("| " + " | ".join(r) + " |" for r in rows)])

    parts = [
        f"# {summary['name']}",
        headline(summary) + ".",
        table(ARM_HEAD, arm_rows(summary["arms"])),
        table(DIFFERENCE_HEAD, difference_rows(summary["differences"])),
        table(COST_HEAD, cost_rows(summary["costs"])),
        legend(),
    ]
    return "\n\n".join(parts) + "\n"


def legend() -> str:
    """Return what the cells mean."""
    return (
        "Cells: mean over tasks [95 % bootstrap interval] tasks with a value/tasks attempted. pass (all) counts "
        "candidates without output or not well formed as not passing; what could not be decided has no value."
    )


def print_summary(summary: Mapping[str, Any]) -> None:
    """Print the summary for a person."""
    from rich.console import Console
    from rich.table import Table

    console = Console()
    if not console.is_terminal:
        console = Console(width=220)
    console.print(headline(summary), style="bold" if not summary["simulated"] else "bold yellow", soft_wrap=True)
    for head, rows in (
        (ARM_HEAD, arm_rows(summary["arms"])),
        (DIFFERENCE_HEAD, difference_rows(summary["differences"])),
        (COST_HEAD, cost_rows(summary["costs"])),
    ):
        table = Table(*head, show_lines=False)
        for row in rows:
            table.add_row(*row)
        console.print(table)
    console.print(legend(), style="dim", soft_wrap=True)
