"""`specgen compare`: arms of one or several runs, paired by task, on the terminal."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from runs.report.analysis import Analysis, analyse, arm_labels
from runs.report.load import load_run
from runs.report.tables import PAIR_HEAD, all_tables, as_record, pair_name, pair_table
from specgen.errors import UserError


def run_compare(runs: Sequence[Path], first: str, second: str, metrics: Sequence[str], as_json: bool) -> None:
    """Print the comparison.

    Raises:
        UserError: for what is no run, a metric or an arm that is not there, one arm named without the other, or
            nothing to compare.
    """
    if bool(first) != bool(second):
        raise UserError("--first and --second go together", remedy="Name both arms, or none for all pairs")
    data = [load_run(folder) for folder in runs]
    labels = arm_labels(data)
    if len(labels) < 2:
        has = f"only {labels[0]}" if labels else "no candidates"
        raise UserError(f"nothing to compare: there is {has}", remedy="Name a run with two arms, or a second run")
    analysis = analyse(data, metrics, (first, second) if first else None)
    if as_json:
        print(json.dumps(as_record(analysis), ensure_ascii=False))
        return
    _print(analysis, bool(first))


def _print(analysis: Analysis, one_pair: bool) -> None:
    from rich.console import Console

    from runs.table import print_table

    console = Console(highlight=False)
    if analysis.simulated:
        text = "SIMULATED MODELS: exercises the pipeline, says nothing about real models."
        console.print(text, style="bold yellow", soft_wrap=True)
    for warning in analysis.warnings:
        console.print(f"note: {warning}", style="yellow", soft_wrap=True, markup=False)
    for table in all_tables(analysis):
        if table.name.startswith("costs"):
            continue
        head, rows = list(table.head), [list(r) for r in table.rows]
        if table.name == "comparisons" and one_pair:
            # One pair stands in the title; its column would only make the table wide.
            head, rows = [pair_name(analysis, analysis.pairs[0]), *PAIR_HEAD], [r[1:] for r in rows]
        print_table(head, rows)
    console.print(pair_table(analysis).note, style="dim", soft_wrap=True, markup=False)


__all__ = ["run_compare"]
