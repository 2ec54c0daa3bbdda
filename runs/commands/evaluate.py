"""`specgen evaluate`: score candidates that were made elsewhere."""

from __future__ import annotations

import contextlib
import hashlib
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evaluators.isolation import Tools, make_tools
from evaluators.registry import ADEQUACY, EvaluatorTools, check_names, make_evaluators
from runs.candidates import Input, read_input
from runs.enrichment import Enricher
from runs.evaluation import Parts, evaluate, summarise
from runs.evidence import DATABASE, RECORDS, open_evidence
from runs.manifest import lock_run, open_manifest, package_versions
from runs.progress import ConsoleProgress
from runs.store import SCHEMA, RecordLog, check_writable, write_atomic, write_json
from specgen.errors import ExitCode, UserError
from specgen.tasks import load_dataset
from specgen.tasks.model import Task
from specgen.tasks.normalise import neutral_task

if TYPE_CHECKING:
    from evaluators.examples import EnrichOptions
    from specgen.lm import Gateway

DEFAULT_EVALUATORS = ("adequacy", "similarity")
NEUTRAL = "~neutral"
JUDGE_THREADS = 16
FILE_SUFFIXES = (".jsonl", ".json", ".gz")


@dataclass(frozen=True, slots=True)
class EvaluateOptions:
    """What is scored, by which evaluators, and where the records go."""

    file: Path
    dataset: str = "starter"
    path: Path | None = None
    out: Path | None = None
    generator: str = ""
    evaluators: tuple[str, ...] = DEFAULT_EVALUATORS
    mutants: str = "off"
    seed: int = 0
    judge: str = ""
    api_base: str = ""
    max_usd: float | None = None
    equivalence_s: float = 5.0
    resume: bool = False

    def names(self) -> tuple[str, ...]:
        """Return the evaluators: those named, and the judge when it has a model."""
        judged = self.judge and "judge" not in self.evaluators
        return check_names((*self.evaluators, "judge") if judged else self.evaluators)

    @property
    def folder(self) -> Path | None:
        """The run folder, where `out` is one."""
        return None if self.out is None or _is_file(self.out) else self.out


def _is_file(out: Path) -> bool:
    return not out.is_dir() and (out.is_file() or out.suffix in FILE_SUFFIXES)


def run_evaluate(options: EvaluateOptions, as_json: bool) -> ExitCode:
    """Score every candidate and print the summary. Returns `FINDINGS` when parts of the input were skipped."""
    began = time.perf_counter()
    names = options.names()
    enrichment = _enrichment(options)
    if options.out is not None and options.folder is None:
        check_writable(options.out)
    task = _tasks(options)
    given = read_input(options.file, lambda name: task(name) is not None, options.dataset, options.generator)
    with contextlib.ExitStack() as held:
        log = _open_run(options, names, given, task, held)
        tools = held.enter_context(make_tools(isolate=True))
        enricher = Enricher(tools.runner, enrichment, log)
        parts = _parts(options, names, tools, enricher, log, task, held)
        progress = held.enter_context(ConsoleProgress())
        progress.start("evaluating", len(given.candidates))
        records = evaluate(given, parts, progress.step)
    summary = summarise(records, given.skipped, names)
    summary["enrichment"] = enricher.counts()
    summary["wall_s"] = round(time.perf_counter() - began, 3)
    _write(options, records, summary)
    print(json.dumps(summary, ensure_ascii=False)) if as_json else _print(summary, options)
    return ExitCode.FINDINGS if given.skipped else ExitCode.DONE


def _enrichment(options: EvaluateOptions) -> EnrichOptions | None:
    if options.mutants == "off":
        return None
    from evaluators.examples import EnrichOptions

    return EnrichOptions(mode=options.mutants, seed=options.seed)  # type: ignore[arg-type]


def _tasks(options: EvaluateOptions) -> Callable[[str], Task | None]:
    """Return the look-up of a task; `ID~neutral` is the task with neutral names."""
    tasks = {t.id: t for t in load_dataset(options.dataset, options.path).tasks}

    def find(name: str) -> Task | None:
        if name not in tasks and name.endswith(NEUTRAL) and name.removesuffix(NEUTRAL) in tasks:
            tasks[name] = neutral_task(tasks[name.removesuffix(NEUTRAL)])
        return tasks.get(name)

    return find


def _found(task: Callable[[str], Task | None], name: str) -> Task:
    found = task(name)
    if found is None:
        raise UserError(f"there is no task {name!r}")
    return found


def _open_run(
    options: EvaluateOptions,
    names: Sequence[str],
    given: Input,
    task: Callable[[str], Task | None],
    held: contextlib.ExitStack,
) -> RecordLog | None:
    """Open the run folder with its records; None where there is none."""
    folder = options.folder
    if folder is None:
        return None
    held.enter_context(lock_run(folder))
    open_manifest(folder, _manifest(options, names, given, task), options.resume)
    return held.enter_context(RecordLog(folder / RECORDS))


def _manifest(
    options: EvaluateOptions, names: Sequence[str], given: Input, task: Callable[[str], Task | None]
) -> dict[str, Any]:
    """Return everything that the numbers depend on."""
    content = hashlib.sha256()
    for candidate in given.candidates:
        content.update(candidate.fingerprint().encode())
    used = dict.fromkeys(c.task_id for c in given.candidates)
    manifest: dict[str, Any] = {
        "schema": SCHEMA,
        "kind": "evaluation",
        "name": options.file.name,
        "simulated": any(c.simulated for c in given.candidates),
        "input": {
            "name": options.file.name,
            "candidates": len(given.candidates),
            "skipped": len(given.skipped),
            "sha256": content.hexdigest(),
        },
        "data": {"dataset": options.dataset, "path": str(options.path.resolve()) if options.path else ""},
        "tasks": [{"id": n, "fingerprint": _found(task, n).fingerprint()} for n in used],
        "evaluators": list(names),
        "mutants": {"mode": options.mutants, "seed": options.seed},
        "equivalence_s": options.equivalence_s,
        "versions": package_versions(),
    }
    if options.judge:
        manifest["models"] = {"judge": {"name": options.judge}}
    return manifest


def _parts(
    options: EvaluateOptions,
    names: Sequence[str],
    tools: Tools,
    enricher: Enricher,
    log: RecordLog | None,
    task: Callable[[str], Task | None],
    held: contextlib.ExitStack,
) -> Parts:
    judge, judge_options = None, None
    if options.judge:
        from evaluators.judge import JudgeOptions

        judge = held.enter_context(_gateway(options))
        judge_options = JudgeOptions(options.judge)
    made = make_evaluators(names, EvaluatorTools(tools.runner, judge, judge_options, options.equivalence_s))
    more = {"threads": JUDGE_THREADS} if options.judge else {}
    with_adequacy = ADEQUACY in names
    return Parts(lambda name: _found(task, name), tools.checker, made, with_adequacy, enricher, log, **more)


@contextlib.contextmanager
def _gateway(options: EvaluateOptions) -> Iterator[Gateway]:
    from runs.simulated import knowledge
    from specgen.lm import Budget, Gateway
    from specgen.lm.simulated import SIMULATED_PREFIX

    known = None
    if options.judge.startswith(SIMULATED_PREFIX):
        known = knowledge(load_dataset(options.dataset, options.path).tasks)
    store = options.folder / "calls.sqlite" if options.folder else None
    budget = Budget(max_usd=options.max_usd)
    with Gateway(
        store, budget=budget, api_base=options.api_base or None, knowledge=known, concurrency=JUDGE_THREADS
    ) as gateway:
        gateway.preflight([options.judge])
        yield gateway


def _write(options: EvaluateOptions, records: Sequence[Mapping[str, Any]], summary: Mapping[str, Any]) -> None:
    if options.folder is not None:
        write_json(options.folder / "summary.json", summary)
        open_evidence(options.folder).close()
    elif options.out is not None:
        lines = (json.dumps({"schema": SCHEMA, "kind": "scored", **r}, ensure_ascii=False) + "\n" for r in records)
        write_atomic(options.out, "".join(lines))


def _print(summary: Mapping[str, Any], options: EvaluateOptions) -> None:
    """Print the summary for a person."""
    kinds = ("well_formed", "not_well_formed", "unsupported", "no_output")
    print(f"{summary['candidates']} candidates: " + ", ".join(f"{summary[k]} {k.replace('_', ' ')}" for k in kinds))
    for kind, count in summary["skipped_by_reason"].items():
        first = next(s for s in summary["skipped"] if s["kind"] == kind)
        place = f"line {first['line']}" if "line" in first else first["file"]
        print(f"skipped, {kind.replace('_', ' ')}: {count}, e.g. {place}: {first['reason']}")
    checks = summary["checks"]
    print(f"{checks['decided']} of {checks['total']} checks of well-formed candidates decided")
    _print_metrics(summary["metrics"])
    if "grades" in summary:
        print("grades: " + ", ".join(f"{g}: {n}" for g, n in summary["grades"].items()))
    for generator, found in summary.get("aggregates", {}).items():
        _print_rates(generator, [r for rates in found.values() for r in rates])
    made = summary["enrichment"].get("kinds", {})
    for kind, tally in made.items():
        print(f"{kind} labels: {tally['labelled']} of the data set, {tally['generated']} made " + _dropped(tally))
    if options.folder is not None:
        print(f"Run folder: {options.folder} ({RECORDS}, {DATABASE}, summary.json); see specgen show, specgen export")


def _dropped(tally: Mapping[str, int]) -> str:
    names = [n for n in tally if n not in ("labelled", "generated", "tried") and tally[n]]
    return "(dropped: " + (", ".join(f"{tally[n]} {n}" for n in names) or "none") + ")"


def _print_metrics(metrics: Mapping[str, Any]) -> None:
    from runs.table import number, print_table

    rows = [
        [
            name,
            number(m["mean"]),
            str(m["n"]),
            "–" if m["lower"] is None else f"[{number(m['lower'])}, {number(m['upper'])}]",
            ", ".join(f"{count} {status}" for status, count in m["statuses"].items()),
        ]
        for name, m in metrics.items()
    ]
    print_table(["metric", "mean", "observed", "interval with unknowns", "statuses"], rows)


def _print_rates(generator: str, rates: Sequence[Mapping[str, Any]]) -> None:
    from runs.table import number, print_table

    rows = []
    for r in rates:
        value = number(r["value"])
        if r["status"] == "inconclusive":
            value = f"[{number(r['lower'])}, {number(r['upper'])}]"
        left = f", {r['left_out']} left out" if r["left_out"] else ""
        unknown = f", {r['unknown']} unknown" if r["unknown"] else ""
        rows.append([r["name"], value, f"{r['n']} {r['over']}{unknown}{left}"])
    print_table([f"over candidates of {generator}" if generator else "over candidates", "share", "of"], rows)


__all__ = ["DEFAULT_EVALUATORS", "EvaluateOptions", "run_evaluate"]
