"""The page: one self-contained HTML file, with a content policy under which nothing but its own script can run."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from functools import cache
from importlib import resources
from typing import Any

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from runs.report.analysis import OUTCOMES, Analysis, MetricCell, label, run_labels
from runs.report.figures import Figure
from runs.report.load import Optimisation, RunData
from runs.report.page_data import Left, as_script, page_data
from runs.report.svg import DARK, LIGHT, STYLE, facet_svg, legend_bins, variables
from runs.report.tables import Table, interval_text, status_text
from runs.report.text import visible
from runs.table import OUTCOME_LABELS, number
from specgen import __version__

HELD_DIFF = 0.2
"""Likeness of two prompts below which their differences are shown as the whole old and the whole new text."""


def _asset(name: str) -> str:
    return resources.files("runs.report").joinpath("assets", name).read_text(encoding="utf-8")


@cache
def _style() -> str:
    own = f":root{{{variables(LIGHT)}}}@media (prefers-color-scheme:dark){{:root{{{variables(DARK)}}}}}"
    printed = f"@media print{{:root{{{variables(LIGHT)}}}}}"
    return own + STYLE + _asset("report.css") + printed


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


@cache
def _environment() -> Environment:
    def shown(value: Any) -> Any:
        return value if isinstance(value, Markup) else visible(value) if isinstance(value, str) else value

    return Environment(autoescape=True, undefined=StrictUndefined, finalize=shown, trim_blocks=False)


def page(analysis: Analysis, tables: Mapping[str, Table], figures: Sequence[Figure]) -> str:
    """Return the page of an analysis with its tables (by name) and figures."""
    data, left = page_data(analysis)
    script, style = _asset("report.js"), _style()
    optional = {n: tables.get(n) for n in ("undecided", "rates", "comparisons", "common_support", "optimisations")}
    by_name = {f.name: f for f in figures}
    template = _environment().from_string(_asset("report.html.j2"))
    return template.render(
        **_head(analysis),
        cards=cards(analysis),
        sections=_sections(analysis, by_name),
        arms=analysis.arms,
        arm_rows=_arm_rows(analysis),
        outcome_rows=_outcome_rows(analysis),
        arm_note=tables["arms"].note,
        tables=optional,
        figures={n: by_name.get(n) for n in ("arms", "differences", "distributions", "optimisation")},
        draw=lambda facet: Markup(facet_svg(facet)),
        bins=legend_bins(),
        left=left_out(left),
        metrics=[(m, label(m)) for m in analysis.metrics],
        metric=next((m for m in ("BAcc", "pass_all") if m in analysis.metrics), ""),
        prompts=prompts(analysis),
        costs=[t for name, t in tables.items() if name.startswith("costs")],
        provenance=_provenance(analysis),
        version=__version__,
        style=Markup(style),
        script=Markup(script),
        style_hash=_hash(style),
        script_hash=_hash(script),
        data=Markup(as_script(data)),
    )


def _head(analysis: Analysis) -> dict[str, Any]:
    labels = run_labels(analysis.runs)
    several = len(labels) > 1
    names = [
        f"{f'{text}, ' if several else ''}{role}: {name}"
        for run, text in zip(analysis.runs, labels, strict=True)
        for role, name in _simulated_models(run)
    ]
    simulated = ("; " if several else ", ").join(dict.fromkeys(names))
    if analysis.simulated and not simulated:
        simulated = "in the runs' records"
    return {
        "title": ", ".join(labels),
        "subtitle": " | ".join(_line(run) for run in analysis.runs),
        "simulated": simulated,
        "warnings": analysis.warnings,
    }


def _simulated_models(run: RunData) -> list[tuple[str, str]]:
    return [(role, m["name"]) for role, m in run.manifest.get("models", {}).items() if m.get("simulated")]


def dataset_name(run: RunData) -> str:
    """Return the data set of a run."""
    data = run.manifest.get("data") or run.manifest.get("config", {}).get("data", {})
    return str(data.get("dataset", ""))


def _line(run: RunData) -> str:
    if run.kind == "evaluation":
        return f"Candidates made elsewhere for {len(run.tasks)} tasks of {dataset_name(run)}"
    models = ", ".join(str(m["name"]) for m in run.manifest.get("models", {}).values())
    sizes = {n: len(ids) for n, ids in run.splits.items()}
    return (
        f"{len(run.tasks)} held-out tasks of {dataset_name(run)}, {sizes.get('train', 0)} for training and "
        f"{sizes.get('validation', 0)} for validation; generator {run.manifest.get('generator', {}).get('name', '')}; "
        f"models {models}"
    )


def cards(analysis: Analysis) -> list[dict[str, str]]:
    """Return the summary cards: label, value, note."""
    rows = [r for run in analysis.runs for r in run.rows]
    well = sum(r.outcome == "well_formed" for r in rows)
    tasks = len({t for run in analysis.runs for t in run.tasks})
    costs = [c for run in analysis.runs for c in run.costs]
    known = [c["cost_usd"] for c in costs]
    found = [
        {"label": "Tasks", "value": str(tasks), "note": "held out" if analysis.runs[0].splits else "evaluated"},
        {"label": "Candidates", "value": f"{len(rows):,}", "note": f"in {len(analysis.arms)} arms"},
        {
            "label": "Well formed",
            "value": f"{well / len(rows):.1%}" if rows else "–",
            "note": f"{well:,} of {len(rows):,}",
        },
        {"label": "Values decided", **_decided(analysis)},
    ]
    if costs:
        calls = sum(c["calls"] for c in costs)
        cached = sum(c["cached"] for c in costs)
        found.append({"label": "Model calls", "value": f"{calls:,}", "note": f"{cached:,} from the cache"})
        cost = "unknown" if any(c is None for c in known) else f"${sum(known):.2f}"
        simulated = "simulated" if all(c["simulated"] for c in costs) else ""
        found.append({"label": "Cost", "value": cost, "note": simulated})
    return found


def _decided(analysis: Analysis) -> dict[str, str]:
    observed = open_ones = 0
    for arm in analysis.arms:
        for cell in arm.metrics.values():
            for status, n in cell.statuses.items():
                observed += n if status == "observed" else 0
                open_ones += n if status in ("inconclusive", "unsupported", "timeout", "evaluator_error") else 0
    total = observed + open_ones
    share = observed / total if total else 0.0
    # Rounding must not say that everything is decided when something is not.
    value = "–" if not total else f"{min(share, 0.999 if open_ones else 1.0):.1%}"
    return {"value": value, "note": f"{open_ones:,} of {total:,} open"}


def _sections(analysis: Analysis, figures: Mapping[str, Figure]) -> list[tuple[str, str]]:
    found = [("arms", "Arms")]
    found += [("comparisons", "Comparisons")] if analysis.pairs else []
    found += [("distributions", "Distributions")] if "distributions" in figures else []
    found += [("tasks", "Tasks")]
    found += [("prompts", "Prompts")] if any(r.optimisations or r.prompts for r in analysis.runs) else []
    found += [("optimisation", "Optimisation")] if "optimisation" in figures else []
    found += [("costs", "Costs")] if any(r.costs for r in analysis.runs) else []
    return [*found, ("provenance", "Provenance")]


def _arm_rows(analysis: Analysis) -> list[dict[str, Any]]:
    return [
        {"label": label(m), "cells": [_cell(a.label, a.metrics[m]) for a in analysis.arms]} for m in analysis.metrics
    ]


def _cell(arm: str, cell: MetricCell) -> dict[str, Any]:
    coverage = f"{cell.interval.n} of {cell.attempted} tasks"
    text = status_text(cell.statuses)
    if not cell.statuses and cell.candidates:
        return {"arm": arm, "mean": "–", "interval": "", "coverage": "not measured", "partial": False}
    return {
        "arm": arm,
        "mean": number(cell.interval.mean),
        "interval": interval_text(cell.interval.low, cell.interval.high),
        "coverage": coverage + (f"; {text}" if text else ""),
        "partial": cell.interval.n < cell.attempted,
    }


def _outcome_rows(analysis: Analysis) -> list[list[str]]:
    rows = [["candidates", *(str(a.candidates) for a in analysis.arms)]]
    return rows + [[OUTCOME_LABELS[o], *(str(a.outcomes[o]) for a in analysis.arms)] for o in OUTCOMES]


def left_out(left: Left) -> str:
    """Say what the page leaves out; empty when nothing."""
    parts = []
    if left.candidates:
        shown = left.all_candidates - left.candidates
        parts.append(
            f"Details of {shown:,} of {left.all_candidates:,} candidates are in this page, from each task and arm the "
            "most telling first (accepted though weak, not decided, not well formed, below full score)"
        )
    if left.tasks:
        parts.append(
            f"{left.all_tasks - left.tasks:,} of {left.all_tasks:,} tasks are listed, those with the largest "
            "differences between arms and the most open or ill-formed candidates"
        )
    return f"{'; '.join(parts)}. Tables and plots speak of everything; the CSV files hold all rows." if parts else ""


def prompts(analysis: Analysis) -> list[dict[str, Any]]:
    """Return for each optimisation the difference of its prompt to its seed prompt; seed prompts without any as they
    are.
    """
    out = []
    several = len(analysis.runs) > 1
    for run, text in zip(analysis.runs, run_labels(analysis.runs), strict=True):
        before = f"{text}: " if several else ""
        for o in run.optimisations:
            seed = run.prompts.get(o.seed, "")
            parts = difference(seed, o.instructions) if o.instructions is not None else []
            note = _prompt_note(o, seed)
            out.append({"title": f"{before}{o.reward} · {o.seed}", "note": note, "parts": parts, "shots": o.shots})
        tuned = {o.seed for o in run.optimisations}
        for name, seed in run.prompts.items():
            if name not in tuned:
                out.append({"title": f"{before}seed · {name}", "note": "", "parts": [("same", seed)], "shots": ()})
    return out


def _prompt_note(o: Optimisation, seed: str) -> str:
    if o.instructions is None:
        return f"{o.status}: {o.message}"
    note = f"{o.optimizer}, {o.status}" + (f", stopped by: {o.stopped}" if o.stopped else "")
    note += f"; {len(o.shots)} demonstrations" if o.shots else ""
    return note + ("; the seed prompt was kept" if o.instructions == seed and not o.shots else "")


def difference(old: str, new: str) -> list[tuple[str, str]]:
    """Return parts `same`, `del` and `ins` that lead from one text to the other, by words."""
    if old == new:
        return [("same", old)]
    a, b = re.findall(r"\s+|\w+|[^\w\s]", old), re.findall(r"\s+|\w+|[^\w\s]", new)
    matcher = SequenceMatcher(None, a, b, autojunk=False)
    if len(a) * len(b) > 4_000_000 or matcher.ratio() < HELD_DIFF:
        return [("del", old), ("same", "\n\n"), ("ins", new)]
    out: list[tuple[str, str]] = []
    for kind, i, j, k, m in matcher.get_opcodes():
        if kind == "equal":
            out.append(("same", "".join(a[i:j])))
            continue
        out += [("del", "".join(a[i:j]))] if j > i else []
        out += [("ins", "".join(b[k:m]))] if m > k else []
    return out


def _provenance(analysis: Analysis) -> list[dict[str, Any]]:
    found = []
    for run, text in zip(analysis.runs, run_labels(analysis.runs), strict=True):
        manifest = {k: v for k, v in run.manifest.items() if k != "tasks"}
        found.append(
            {
                "label": text,
                "facts": _facts(run),
                "set_aside": sorted(run.manifest.get("set_aside", {}).items()),
                "splits": list((run.splits or {"evaluated": tuple(run.tasks)}).items()),
                "leaks": [json.dumps(x, ensure_ascii=False) for x in run.summary.get("leaks", ())],
                "manifest": json.dumps(manifest, ensure_ascii=False, indent=2),
            }
        )
    return found


def _facts(run: RunData) -> Table:
    digest = hashlib.sha256()
    for task in sorted(run.tasks):
        digest.update(f"{task} {run.tasks[task]}\n".encode())
    versions = ", ".join(f"{k} {v}" for k, v in run.manifest.get("versions", {}).items())
    models = {r: f"{m['name']}{' (simulated)' if m.get('simulated') else ''}" for r, m in _models(run).items()}
    rows = [
        ("run", run.name),
        ("data set", dataset_name(run)),
        *((f"model for {role}", name) for role, name in models.items()),
        ("seed", str(run.manifest.get("seed", run.manifest.get("mutants", {}).get("seed", "")))),
        ("attempted tasks, SHA-256 of names and fingerprints", digest.hexdigest()),
        *((f"prompt {k}, SHA-256", str(v["sha256"])) for k, v in run.manifest.get("prompts", {}).items()),
        ("versions", versions),
    ]
    return Table("facts", "Facts", ("", ""), tuple(rows))


def _models(run: RunData) -> Mapping[str, Any]:
    models: Mapping[str, Any] = run.manifest.get("models", {})
    return models


__all__ = ["cards", "difference", "left_out", "page", "prompts"]
