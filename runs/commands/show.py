"""`specgen show`: one candidate with everything that is known of it."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from evaluators.aggregate import ClauseAttribution, attribution
from evaluators.checks import Check
from runs.records import CHECK_KINDS, read_records, scored_from_record
from runs.store import read_json
from runs.table import number
from specgen.errors import SpecgenError, UserError
from specgen.tasks import load_dataset
from specgen.tasks.model import Task

MAX_TEXT = 6000
"""Longest candidate text, in characters, that is printed; `--json` has it whole."""

DATA_SET = "data set"
_UNSAFE = ("Cc", "Cf", "Cs")
_USAGE = ("model", "calls", "attempts", "input_tokens", "output_tokens", "cost_usd", "latency_s")


@dataclass(frozen=True, slots=True)
class Choice:
    """Which candidates are meant; None leaves it open."""

    task: str
    arm: str | None = None
    seed: str | None = None
    generator: str | None = None
    sample: int | None = None

    def fits(self, record: Mapping[str, Any]) -> bool:
        """Tell whether a record is of such a candidate."""
        pairs = (
            (self.task, record["task"]),
            (self.arm, record.get("arm")),
            (self.seed, record.get("seed")),
            (self.generator, record["candidate"]["generator"]),
            (self.sample, record["candidate"]["sample"]),
        )
        return all(wanted is None or wanted == found for wanted, found in pairs)


def run_show(run: Path, choice: Choice, as_json: bool) -> None:
    """Print the one candidate that fits, or the list of those that do.

    Raises:
        UserError: for a folder that is no run, or when no candidate fits.
    """
    records = read_records(run, "scored")
    mine = sorted([r for r in records if choice.fits(r)], key=_place)
    if not mine:
        raise _no_match(run, choice, records)
    if len(mine) > 1:
        _show_list(mine, as_json)
        return
    found = everything(run, mine[0])
    print(json.dumps(found, ensure_ascii=False)) if as_json else _show(found, mine[0])


def _no_match(run: Path, choice: Choice, records: Sequence[Mapping[str, Any]]) -> UserError:
    tasks = sorted({r["task"] for r in records})
    if choice.task not in tasks:
        near = get_close_matches(choice.task, tasks, n=3, cutoff=0.3) or tasks[:3]
        remedy = f"Near it: {', '.join(near)}" if near else "The run has no scored candidates"
        return UserError(f"{run} has no candidate for a task {choice.task!r}", remedy=remedy)
    there = [_name(r) for r in records if r["task"] == choice.task]
    more = f", and {len(there) - 5} more" if len(there) > 5 else ""
    return UserError(f"no candidate for {choice.task} fits", remedy=f"There are: {'; '.join(there[:5])}{more}")


def _place(record: Mapping[str, Any]) -> tuple[str, str, str, int]:
    candidate = record["candidate"]
    return record.get("arm", ""), record.get("seed", ""), candidate["generator"], candidate["sample"]


def _name(record: Mapping[str, Any]) -> str:
    candidate = record["candidate"]
    parts = {
        "arm": record.get("arm"),
        "prompt": record.get("seed"),
        "generator": candidate["generator"],
        "sample": str(candidate["sample"]),
    }
    return ", ".join(f"{name} {value}" for name, value in parts.items() if value)


def _show_list(records: Sequence[Mapping[str, Any]], as_json: bool) -> None:
    rows = []
    for r in records:
        values = {e["metric"]: e["value"] for e in r["evidence"]}
        rows.append(
            {
                "arm": r.get("arm", ""),
                "prompt": r.get("seed", ""),
                "generator": r["candidate"]["generator"],
                "sample": r["candidate"]["sample"],
                "outcome": r["outcome"],
                **{name: values.get(name) for name in ("verifier_grade", "R+", "R-", "pass")},
            }
        )
    if as_json:
        print(json.dumps({"schema": 1, "task": records[0]["task"], "matches": rows}, ensure_ascii=False))
        return
    print(f"{len(rows)} candidates for {records[0]['task']}: choose one with --arm, --prompt, --generator, --sample")
    shown = [
        [v if isinstance(v, str) else str(v) if isinstance(v, int) else number(v) for v in r.values()] for r in rows
    ]
    _table(list(rows[0]), shown)


def everything(run: Path, record: Mapping[str, Any]) -> dict[str, Any]:
    """Return the record with its task's requirement, the attribution of its clauses, and the origin of its labels."""
    scored = scored_from_record(record)
    task, missing = _task(run, record["task"])
    enriched = next((e for e in read_records(run, "enrichment") if e["task"] == record["task"]), None)
    return {
        **record,
        "schema": 1,
        "requirement": task.requirement if task else None,
        "signature": f"{task.signature.name} : {task.signature.function_type()}" if task else None,
        "task_missing": missing,
        "attribution": asdict(attribution(scored.checks)),
        "origins": {c["item"]: origin(c["item"], enriched) for c in record.get("checks", ())},
    }


def _task(run: Path, name: str) -> tuple[Task | None, str]:
    """Return the task from the run's data set, or why it cannot be had."""
    manifest = read_json(run / "manifest.json")
    data = manifest.get("data") or manifest.get("config", {}).get("data", {})
    try:
        dataset = load_dataset(data.get("dataset", "starter"), Path(data["path"]) if data.get("path") else None)
    except SpecgenError as exc:
        return None, exc.one_line()
    found = next((t for t in dataset.tasks if t.id == name), None)
    return found, "" if found else f"{dataset.name} has no task {name}"


def origin(item: str, enriched: Mapping[str, Any] | None) -> str:
    """Return where a labelled example comes from: `data set`, or how it was made."""
    kind, _, rest = item.partition("[")
    if kind == "known":
        return "reference implementation"
    tally = (enriched or {}).get("tallies", {}).get(kind)
    index = int(rest.rstrip("]"))
    if enriched is None or tally is None or index < tally["labelled"]:
        return DATA_SET
    made = enriched["origins"][kind][index - tally["labelled"]]
    words = [made["kind"], made["detail"], f"of {made['source']}" if made["source"] else ""]
    return " ".join(w for w in words if w)


def _show(found: Mapping[str, Any], record: Mapping[str, Any]) -> None:
    """Print a candidate for a person."""
    candidate = found["candidate"]
    _line(f"{found['task']}: {_name(found)}", "bold")
    mark = " (simulated)" if found.get("simulated") or candidate.get("simulated") else ""
    usage = ", ".join(f"{n} {candidate[n]}" for n in _USAGE if candidate.get(n) not in (None, "", 0, 0.0))
    _line(f"outcome: {found['outcome'].replace('_', ' ')}{mark}" + (f"; {usage}" if usage else ""))
    if found.get("message") or candidate["message"]:
        _line(f"message: {found.get('message') or candidate['message']}")
    _heading("Requirement")
    _line(found["requirement"] or f"not available: {found['task_missing']}")
    if found["signature"]:
        _line(found["signature"], "dim")
    _heading("Candidate")
    _line(_text_of(candidate))
    for note in dict.fromkeys([*found["notes"], *candidate.get("notes", ())]):
        _line(f"note: {note}", "dim")
    scored = scored_from_record(record)
    if scored.checks.clauses:
        _heading("Clauses of the postcondition, and what each rejects")
        rows = [_clause_row(c) for c in attribution(scored.checks).clauses]
        _table(["#", "clause", "alone", "with others", "wrongly", "remark"], rows)
    checks = [c for kind in CHECK_KINDS for c in getattr(scored.checks, kind)]
    if checks:
        _heading("Checks (by: number of the clause that fails)")
        head = ["item", "example", "outcome", "by", "made by"]
        _table(head, [_check_row(c, found["origins"][c.item]) for c in checks])
    _heading("Evidence")
    _table(["metric", "value", "status", "count", "scope"], [_evidence_row(e) for e in found["evidence"]])
    for e in found["evidence"]:
        words = "; ".join(filter(None, [e["witness"], e["message"]]))
        if words:
            _line(f"{e['metric']}: {words}", "dim")
    for e in found["evidence"]:
        if e["evaluator"] == "judge" and e["items"]:
            _heading("Judge")
            rows = [[i["item"], i["kind"], i["clause"], i["reason"]] for i in e["items"]]
            _table(["item", "verdict", "text", "reason"], rows)


def _text_of(candidate: Mapping[str, Any]) -> str:
    if candidate["fields"] is not None:
        text = "\n".join(f"{name}: {value}" for name, value in candidate["fields"].items() if value.strip())
    else:
        text = candidate.get("lean") or candidate["text"]
    if len(text) > MAX_TEXT:
        return f"{text[:MAX_TEXT]}\n… {len(text) - MAX_TEXT} characters more"
    return text.strip("\n") or "(empty)"


def _clause_row(clause: ClauseAttribution) -> list[str]:
    remarks = []
    if clause.rejects_nothing == "holds":
        remarks.append("rejects nothing here")
    elif clause.redundant == "holds":
        remarks.append("redundant here")
    unknown = (*clause.unknown_rejected, *clause.unknown_accepted)
    if unknown:
        remarks.append(f"unknown on {_items(unknown)}")
    together = (*clause.together, *clause.alone_or_together)
    lists = [_items(clause.alone), _items(together), _items(clause.wrongly)]
    return [str(clause.index + 1), " ".join(clause.text.split()), *lists, "; ".join(remarks)]


def _items(names: Sequence[str]) -> str:
    """Return `rejected[1], rejected[4]` as `rejected 1 4`."""
    groups: dict[str, list[str]] = {}
    for name in names:
        kind, _, index = name.partition("[")
        groups.setdefault(kind, []).append(index.rstrip("]"))
    return "; ".join(f"{kind} {' '.join(indices)}" for kind, indices in groups.items())


def _check_row(check: Check, made: str) -> list[str]:
    outcome = check.whole.outcome
    if outcome == "unknown":
        outcome = f"unknown: {check.whole.kind}: {check.whole.reason}"  # type: ignore[assignment]
    good = "fails" if check.item.startswith(("rejected", "forbidden")) else "holds"
    mark = "" if outcome.startswith("unknown") else "✓ " if outcome == good else "✗ "
    failing = " ".join(str(i + 1) for i in check.failing_clauses())
    return [check.item, check.shown, mark + outcome, failing, "" if made == DATA_SET else made]


def _evidence_row(e: Mapping[str, Any]) -> list[str]:
    value = number(e["value"])
    if e["value"] is None and e["lower"] is not None:
        value = f"[{number(e['lower'])}, {number(e['upper'])}]"
    count = "" if e["denominator"] is None or e["numerator"] is None else f"{e['numerator']}/{e['denominator']}"
    if e["unknown"]:
        count += f", {e['unknown']} unknown"
    return [e["metric"], value, e["status"], count, e["scope"]]


def _console() -> Any:
    from rich.console import Console

    console = Console(highlight=False)
    return console if console.is_terminal else Console(width=max(60, min(120, console.width)), highlight=False)


def safe(text: str) -> str:
    """Return text that a terminal can be given: what would move its cursor, colour it or turn it round is shown as an
    escape. Candidate text is untrusted.
    """
    return "".join(
        c if c in "\n\t" or unicodedata.category(c) not in _UNSAFE else c.encode("unicode_escape").decode()
        for c in text
    )


def _line(text: str, style: str = "") -> None:
    _console().print(safe(text), style=style or None, markup=False)


def _heading(text: str) -> None:
    print()
    _line(text, "bold underline")


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table that fits 60 to 120 columns: long cells go on in their next line, empty columns are left out."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    kept = [i for i in range(len(head)) if any(row[i] for row in rows)]
    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for i in kept:
        short = max(len(row[i]) for row in rows) <= 14
        table.add_column(Text(head[i]), overflow="fold", no_wrap=short)
    for row in rows:
        table.add_row(*(Text(safe(row[i])) for i in kept))
    _console().print(table)


__all__ = ["Choice", "everything", "origin", "run_show"]
