"""Writing a report: the page, Markdown, CSV and LaTeX tables, plots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from runs.report import files, png
from runs.report.analysis import Analysis, analyse, run_labels
from runs.report.figures import all_figures
from runs.report.load import load_run
from runs.report.page import page
from runs.report.rates import rate_table
from runs.report.svg import figure_svg
from runs.report.tables import Table, all_tables
from runs.table import number

FOLDER = "report"
PAGE = "report.html"


@dataclass(frozen=True, slots=True)
class Written:
    """What was written: the folder, the page, and how many files there are; `notes` say what was left out."""

    folder: Path
    page: Path
    files: int
    notes: tuple[str, ...]


def write_report(folder: Path) -> Written:
    """Write the report of one run into its folder `report`.

    Raises:
        UserError: when the folder is no run, or cannot be written.
    """
    return write_reports([folder], folder / FOLDER)


def write_reports(runs: Sequence[Path], out: Path) -> Written:
    """Write one report over runs into a folder. Raises as `write_report`."""
    analysis = analyse([load_run(run) for run in runs])
    tables = report_tables(analysis)
    figures = all_figures(analysis)
    written = [files.write_text(out / PAGE, page(analysis, tables, figures))]
    with_png = png.available()
    plots = []
    for figure in figures:
        written.append(files.write_text(out / "plots" / f"{figure.name}.svg", figure_svg(figure)))
        plots.append((figure.title, f"plots/{figure.name}.svg"))
        if with_png:
            written.append(files.write_bytes(out / "plots" / f"{figure.name}.png", png.figure_png(figure)))
    for table in tables.values():
        written.append(files.write_text(out / "tables" / f"{table.name}.tex", files.latex(table)))
    for name, head, rows in files.csv_tables(analysis):
        files.write_csv(out / "tables" / f"{name}.csv", head, rows)
        written.append(out / "tables" / f"{name}.csv")
    text = files.markdown(", ".join(run_labels(analysis.runs)), lead(analysis), list(tables.values()), plots)
    written.append(files.write_text(out / "report.md", text))
    notes = () if with_png else ("plots as SVG only: PNG needs matplotlib, pip install 'specgen[plots]'",)
    return Written(out, out / PAGE, len(written), notes)


def report_tables(analysis: Analysis) -> Mapping[str, Table]:
    """Return the tables of a report by name, those that have rows."""
    tables = [*all_tables(analysis), rate_table(analysis), optimisation_table(analysis)]
    return {t.name: t for t in tables if t.rows}


def optimisation_table(analysis: Analysis) -> Table:
    """Return a row for each optimisation: what it tried, and validation scores of the seed and of what was kept."""
    several = len(analysis.runs) > 1
    rows = []
    for run, text in zip(analysis.runs, run_labels(analysis.runs), strict=True):
        for o in run.optimisations:
            kept = o.validation_scores[o.best] if 0 <= o.best < len(o.validation_scores) else None
            first = o.validation_scores[0] if o.validation_scores else None
            name = f"{text}: {o.reward}" if several else o.reward
            counts = [str(len(o.tried)), str(o.metric_calls), str(o.failed_calls)]
            status = f"{o.status}: {o.message}" if o.message else o.status
            rows.append((name, o.seed, o.optimizer, status, *counts, number(first), number(kept), o.stopped))
    head = ("reward", "prompt", "optimiser", "status", "tried", "scored", "failed calls", "seed", "kept", "stopped by")
    note = "Validation scores under the optimisation's own reward: scores of different rewards are not comparable."
    return Table("optimisations", "Optimisations", head, tuple(rows), note)


def lead(analysis: Analysis) -> list[str]:
    """Return the sentences before the tables."""
    mark = ["SIMULATED MODELS: exercises the pipeline, says nothing about real models."] if analysis.simulated else []
    return [*mark, *(f"Note: {w}" for w in analysis.warnings)]


__all__ = ["FOLDER", "PAGE", "Written", "report_tables", "write_report", "write_reports"]
