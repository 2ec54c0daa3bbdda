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
FURTHER = {"gted": "GTED", "atom_f1": "atom F1", "equivalence": "equivalence", "judge": "judge"}
"""Metrics of evaluators that an experiment may choose, shown where they were measured."""


def shown_metrics(measured: Mapping[str, Any]) -> dict[str, str]:
    """Return the metrics of a table with their labels."""
    return SHOWN | {m: label for m, label in FURTHER.items() if m in measured}


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


def signed(value: float | None, digits: int = 3) -> str:
    """Format a difference with its sign."""
    return "–" if value is None else f"{value:+.{digits}f}"


def difference_cell(difference: Mapping[str, Any]) -> str:
    """Format a paired difference with its interval and the number of pairs."""
    if difference["mean"] is None:
        return "– (n=0)"
    text = signed(difference["mean"])
    if difference["low"] is not None:
        text += f" [{signed(difference['low'], 2)}, {signed(difference['high'], 2)}]"
    return f"{text} n={difference['n']}"


def optimisation_cell(arm: Mapping[str, Any]) -> str:
    """Say how an arm's optimisations ended; the seed arm has none."""
    if arm["arm"] == "seed":
        return "none"
    return f"{arm['status']}: {arm['message']}" if arm["message"] else str(arm["status"])


def arm_table(arms: Sequence[Mapping[str, Any]]) -> tuple[list[str], list[list[str]]]:
    """Return head and rows: a column for each arm, a row for each score, and rows for what became of the candidates."""
    head = ["score", *[a["arm"] for a in arms]]
    rows = [["optimisation", *[optimisation_cell(a) for a in arms]]]
    shown = shown_metrics(arms[0]["metrics"] if arms else {})
    rows += [[label, *[cell(a["metrics"][m]) for a in arms]] for m, label in shown.items()]
    rows.append(["candidates", *[str(a["candidates"]) for a in arms]])
    rows += [[f"  {label}", *[str(a["outcomes"][o]) for a in arms]] for o, label in OUTCOME_LABELS.items()]
    return head, rows


def difference_table(differences: Sequence[Mapping[str, Any]]) -> tuple[list[str], list[list[str]]]:
    """Return head and rows: a column for each pair of arms, a row for each score."""
    head = ["difference, paired by task", *[f"{d['second']} − {d['first']}" for d in differences]]
    shown = shown_metrics(differences[0]["metrics"] if differences else {})
    return head, [[label, *[difference_cell(d["metrics"][m]) for d in differences]] for m, label in shown.items()]


EXPLAINED = ("observed", "not_applicable", "generation_failure")


def missing_table(arms: Sequence[Mapping[str, Any]]) -> tuple[list[str], list[list[str]]]:
    """Return head and rows: for each score that could not be had of some candidates, their statuses in each arm.

    What does not apply, or has no output, shows in the rows of outcomes and is not listed.
    """
    rows = []
    for metric, label in shown_metrics(arms[0]["metrics"] if arms else {}).items():
        cells = []
        for arm in arms:
            counts = {s: n for s, n in arm.get("statuses", {}).get(metric, {}).items() if s not in EXPLAINED}
            cells.append(", ".join(f"{n} {status}" for status, n in counts.items()))
        if any(cells):
            rows.append([label, *cells])
    return ["not decided, candidates", *[a["arm"] for a in arms]], rows


OUTCOME_LABELS = {
    "well_formed": "well formed",
    "not_well_formed": "not well formed",
    "unsupported": "unsupported",
    "no_output": "without output",
}
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
    asked = f"; {n} candidates got no answer and no score, --resume asks again" if (n := summary["unanswered"]) else ""
    return (
        f"{mark}{summary['name']}: {tasks['test']} held-out tasks of {summary['dataset']} with held-out examples, "
        f"{tasks['train']} training and {tasks['validation']} validation tasks; "
        f"{len(summary['set_aside'])} records set aside{asked}"
    )


def tables(summary: Mapping[str, Any]) -> list[tuple[list[str], list[list[str]]]]:
    """Return the tables of a summary: arms, what has no value (where there is any), differences, costs."""
    missing = missing_table(summary["arms"])
    return [
        arm_table(summary["arms"]),
        *([missing] if missing[1] else []),
        difference_table(summary["differences"]),
        (COST_HEAD, cost_rows(summary["costs"])),
    ]


def markdown(summary: Mapping[str, Any]) -> str:
    """Return the whole summary as Markdown."""

    def line(cells: Sequence[str]) -> str:
        return "| " + " | ".join(" ".join(c.split()).replace("|", "\\|") for c in cells) + " |"

    def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
        return "\n".join([line(head), "|" + " --- |" * len(head), *map(line, rows)])

    parts = [
        f"# {summary['name']}",
        headline(summary) + ".",
        *(table(head, rows) for head, rows in tables(summary)),
        legend(),
    ]
    return "\n\n".join(parts) + "\n"


def legend() -> str:
    """Return what the cells mean."""
    return (
        "Cells: mean over tasks [95 % bootstrap interval] tasks with a value/tasks attempted. pass (all) counts "
        "candidates without output or not well formed as not passing; what could not be decided has no value."
    )


def print_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table for a person: as wide as the terminal, or as its content when printed elsewhere.

    Nothing is cut off: what a cell has no room for goes on in its next line.
    """
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(highlight=False)
    if not console.is_terminal:
        console = Console(width=PIPED_WIDTH, highlight=False)
    table = Table(show_lines=False)
    for at, title in enumerate(head):
        table.add_column(Text(title), overflow="fold", no_wrap=at == 0)
    for row in rows:
        table.add_row(*map(Text, row))
    console.print(table)


PIPED_WIDTH = 1000
"""Columns where there is no terminal: a table takes what it needs of them."""


def print_summary(summary: Mapping[str, Any]) -> None:
    """Print the summary for a person."""
    from rich.console import Console

    console = Console(highlight=False)
    style = "bold yellow" if summary["simulated"] else "bold"
    console.print(headline(summary), style=style, soft_wrap=True, markup=False)
    for head, rows in tables(summary):
        print_table(head, rows)
    console.print(legend(), style="dim", soft_wrap=True, markup=False)
