"""The `specgen` command: arguments here, work in `runs.commands`, which is imported only when a command runs."""

from __future__ import annotations

import codecs
import contextlib
import io
import os
import sys
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from runs.commands.lm import lm_app
from specgen.errors import ExitCode, SpecgenError

app = typer.Typer(
    name="specgen",
    help="Tune the prompts that make language models write Lean 4 specifications, and measure the results honestly.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)
tasks_app = typer.Typer(help="Look at the tasks of a data set.", no_args_is_help=True)
lean_app = typer.Typer(help="The built-in Lean engine.", no_args_is_help=True)
calibrate_app = typer.Typer(help="Measure what is known beforehand.", no_args_is_help=True)
app.add_typer(tasks_app, name="tasks")
app.add_typer(lean_app, name="lean")
app.add_typer(lm_app, name="lm")
app.add_typer(calibrate_app, name="calibrate")
lab_app = typer.Typer(help="Simulated experiments whose answer is known by construction.", no_args_is_help=True)
app.add_typer(lab_app, name="lab")

JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON on standard output.")]
DatasetOption = Annotated[
    str, typer.Option("--dataset", help="starter, clever, verina, vericoding, algoveri, or FILE.jsonl.")
]
PathOption = Annotated[Path | None, typer.Option("--path", help="Folder or file of the data set.")]
OutOption = Annotated[Path | None, typer.Option("--out", help="Folder or file to write to.")]
JsonlOption = Annotated[Path | None, typer.Option("--jsonl", help="Many inputs, one JSON object a line (.gz too).")]
IdOption = Annotated[str, typer.Option("--id", help="Field that names a record.")]
VersionOption = Annotated[str, typer.Option("--lean", help="Lean version to judge by, e.g. 4.18.0.")]
ReportOption = Annotated[
    bool, typer.Option("--report/--no-report", help="Write RUN/report at the end: page, tables, plots.")
]
ImportsOption = Annotated[str, typer.Option("--imports", help="Imports of the environment, e.g. Mathlib,Std.")]


@app.command()
def demo(out: OutOption = None, report: ReportOption = True, json_out: JsonOption = False) -> None:
    """Run the whole job on the starter tasks with simulated models: about a minute, no key, no network."""
    from runs.commands.experiment import run_demo

    run_demo(out or Path("demo-run"), json_out, report)


@app.command()
def experiment(
    config: Annotated[Path, typer.Argument(help="The experiment's TOML file.")],
    out: OutOption = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the run in --out.")] = False,
    api_base: Annotated[str, typer.Option("--api-base", help="OpenAI-compatible server for the models.")] = "",
    max_usd: Annotated[float | None, typer.Option("--max-usd", help="Hard cap in dollars.")] = None,
    max_calls: Annotated[int | None, typer.Option("--max-calls", help="Hard cap in model calls.")] = None,
    max_tokens: Annotated[int | None, typer.Option("--max-tokens", help="Hard cap in tokens.")] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Begin without asking: the estimate is confirmed.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only print splits, arms and estimate; no call.")] = False,
    report: ReportOption = True,
    json_out: JsonOption = False,
) -> None:
    """Tune prompts under two rewards and compare them on held-out tasks with the seed prompts."""
    from runs.commands.experiment import Overrides, run_config

    run_config(config, out, resume, Overrides(api_base, max_usd, max_calls, max_tokens), json_out, yes, dry_run, report)


@app.command()
def audit(
    dataset: Annotated[str, typer.Argument(help="starter, clever, verina, vericoding, algoveri, or FILE.jsonl.")],
    path: PathOption = None,
    json_out: JsonOption = False,
) -> None:
    """Check reference specifications and implementations against the data set's own labels."""
    from runs.commands.audit import run_audit

    run_audit(dataset, path, json_out)


@app.command()
def evaluate(
    file: Annotated[Path, typer.Argument(help="Candidates: JSON lines (.gz too), or a folder of TASK.lean files.")],
    dataset: DatasetOption = "starter",
    path: PathOption = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="Run folder to write, or a file FILE.jsonl for the records alone.")
    ] = None,
    generator: Annotated[str, typer.Option("--generator", help="Name for candidates that give none.")] = "",
    evaluators: Annotated[
        str, typer.Option("--evaluators", help="Comma list of adequacy, similarity, equivalence, judge.")
    ] = "adequacy,similarity",
    mutants: Annotated[
        str, typer.Option("--mutants", help="Make further labels: off, fill (kinds that lack), extend.")
    ] = "off",
    seed: Annotated[int, typer.Option("--seed", help="Seed of the labels that are made.", min=0)] = 0,
    judge: Annotated[str, typer.Option("--judge", help="Model that judges the contracts (LiteLLM name).")] = "",
    api_base: Annotated[str, typer.Option("--api-base", help="OpenAI-compatible server for the judge.")] = "",
    max_usd: Annotated[float | None, typer.Option("--max-usd", help="Hard cap of the judge in dollars.")] = None,
    equivalence_s: Annotated[
        float, typer.Option("--equivalence-s", help="Seconds for the equivalence of one contract.", min=0.1)
    ] = 5.0,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the run in --out.")] = False,
    json_out: JsonOption = False,
) -> None:
    """Score candidates that were made elsewhere; exit 1 when parts of the input were no candidates."""
    from runs.commands.evaluate import EvaluateOptions, run_evaluate

    names = tuple(name.strip() for name in evaluators.split(",") if name.strip())
    options = EvaluateOptions(
        file, dataset, path, out, generator, names, mutants, seed, judge, api_base, max_usd, equivalence_s, resume
    )
    raise typer.Exit(run_evaluate(options, json_out))


@app.command()
def compare(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN…", help="Folders of runs.")],
    first: Annotated[str, typer.Option("--first", help="Arm to compare with (with several runs: RUN: ARM).")] = "",
    second: Annotated[str, typer.Option("--second", help="Arm that is compared.")] = "",
    metric: Annotated[list[str] | None, typer.Option("--metric", help="Only this metric; may be repeated.")] = None,
    json_out: JsonOption = False,
) -> None:
    """Compare arms of one or several runs, paired by task, with intervals and corrected tests."""
    from runs.commands.compare import run_compare

    run_compare(runs, first, second, tuple(metric or ()), json_out)


@app.command()
def report(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN…", help="Folders of runs.")],
    out: Annotated[
        Path | None, typer.Option("--out", help="Folder to write to (default: RUN/report; several runs: report).")
    ] = None,
    json_out: JsonOption = False,
) -> None:
    """Write report.html, report.md, CSV and LaTeX tables and plots of one or several runs."""
    from runs.commands.report import run_report

    run_report(runs, out, json_out)


@app.command()
def export(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="Folder of a run.")],
    out: Annotated[Path, typer.Option("--out", help="File to write; - is standard output.")],
    form: Annotated[str, typer.Option("--format", help="jsonl, csv or parquet.")] = "jsonl",
) -> None:
    """Write the evidence of a run as one table: a row for each metric of each candidate."""
    from runs.commands.export import run_export

    run_export(run, out, form)


@app.command()
def show(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="Folder of a run.")],
    task: Annotated[str, typer.Argument(metavar="TASK", help="Task id.")],
    arm: Annotated[str | None, typer.Option("--arm", help="Only candidates of this arm.")] = None,
    seed: Annotated[str | None, typer.Option("--prompt", help="Only candidates of this seed prompt.")] = None,
    generator: Annotated[str | None, typer.Option("--generator", help="Only candidates of this generator.")] = None,
    sample: Annotated[int | None, typer.Option("--sample", help="Only this sample.")] = None,
    json_out: JsonOption = False,
) -> None:
    """Show one candidate with everything that is known of it; lists the candidates where there are several."""
    from runs.commands.show import Choice, run_show

    run_show(run, Choice(task, arm, seed, generator, sample), json_out)


@app.command()
def generate(
    dataset: DatasetOption = "starter",
    path: PathOption = None,
    model: Annotated[str, typer.Option("--model", help="LiteLLM name, or sim/… for a simulated model.")] = "sim/writer",
    generator: Annotated[
        list[str] | None, typer.Option("--generator", help="direct, verina, clever, leanaide; several may be named.")
    ] = None,
    seed_prompt: Annotated[str, typer.Option("--prompt", help="Seed prompt.")] = "zero-shot",
    samples: Annotated[int, typer.Option("--samples", min=1)] = 1,
    api_base: Annotated[str, typer.Option("--api-base")] = "",
    limit: Annotated[int, typer.Option("--limit", help="Only the first so many tasks (0: all).", min=0)] = 0,
    out: OutOption = None,
    setting: Annotated[
        list[str] | None, typer.Option("--set", metavar="OPTION=VALUE", help="An option of the generator.")
    ] = None,
    match: Annotated[
        str, typer.Option("--match", help="Give all generators the same budget a task: calls, tokens or usd.")
    ] = "",
    neutral_names: Annotated[
        bool, typer.Option("--neutral-names", help="Function and parameters get names that tell nothing.")
    ] = False,
    seed: Annotated[int, typer.Option("--seed", help="Seed of the split of labelled examples.")] = 0,
    yes: Annotated[bool, typer.Option("--yes", help="Begin without asking: the estimate is confirmed.")] = False,
) -> None:
    """Generate candidates for tasks, as JSON lines."""
    from runs.commands.generate import GenerateOptions, run_generate
    from runs.matching import read_resource

    run_generate(
        GenerateOptions(
            dataset,
            path,
            model,
            tuple(generator or ("direct",)),
            seed_prompt,
            samples,
            api_base,
            limit,
            out,
            tuple(setting or ()),
            read_resource(match),
            neutral_names,
            seed,
            yes,
        )
    )


@app.command()
def doctor(json_out: JsonOption = False) -> None:
    """Say what is here and what each thing is needed for."""
    from runs.commands.doctor import run_doctor

    run_doctor(json_out)


@tasks_app.command("list")
def tasks_list(dataset: DatasetOption = "starter", path: PathOption = None, json_out: JsonOption = False) -> None:
    """List the tasks of a data set."""
    from runs.commands.tasks import list_tasks

    list_tasks(dataset, path, json_out)


@tasks_app.command("show")
def tasks_show(
    task_id: Annotated[str, typer.Argument(metavar="ID")],
    dataset: DatasetOption = "starter",
    path: PathOption = None,
    json_out: JsonOption = False,
) -> None:
    """Show one task."""
    from runs.commands.tasks import show_task

    show_task(task_id, dataset, path, json_out)


@calibrate_app.command("mutants")
def calibrate_mutants(
    dataset: Annotated[
        list[str] | None, typer.Option("--dataset", help="starter, clever, verina; several may be named.")
    ] = None,
    path: PathOption = None,
    limit: Annotated[int, typer.Option("--limit", help="Only the first so many tasks (0: all).", min=0)] = 0,
    per_kind: Annotated[int, typer.Option("--per-kind", help="Spoiled contracts of one kind and task.", min=1)] = 2,
    out: OutOption = None,
    json_out: JsonOption = False,
) -> None:
    """Spoil references in known ways; exit 1 when a kind is noticed on fewer than 95 % of tasks."""
    from runs.commands.calibrate_mutants import MutantsOptions, run_mutants

    chosen = tuple(dataset or ("starter", "clever", *(("verina",) if path else ())))
    if not run_mutants(MutantsOptions(chosen, path, limit, per_kind, out, json_out)):
        raise typer.Exit(ExitCode.FINDINGS)


@lab_app.command("list")
def lab_list(json_out: JsonOption = False) -> None:
    """List the lab's experiments and what must come out."""
    from runs.commands.lab import list_experiments

    list_experiments(json_out)


@lab_app.command("run")
def lab_run(
    names: Annotated[list[str] | None, typer.Argument(metavar="NAME…", help="All of them when none is named.")] = None,
    seeds: Annotated[int, typer.Option("--seeds", min=1)] = 20,
    json_out: JsonOption = False,
) -> None:
    """Run the lab's experiments; exit 1 when an expected answer does not come out."""
    from runs.commands.lab import run_experiments

    if not run_experiments(list(names or ()), seeds, json_out):
        raise typer.Exit(ExitCode.FINDINGS)


@calibrate_app.command("controls")
def calibrate_controls(json_out: JsonOption = False) -> None:
    """Score eight contracts whose scores are known exactly; exit 1 when one differs."""
    from runs.commands.calibrate import run_controls

    run_controls(json_out)


@calibrate_app.command("published")
def calibrate_published(
    path: Annotated[Path | None, typer.Option("--path", help="Folder of VERINA's tasks, for its two rows.")] = None,
    json_out: JsonOption = False,
) -> None:
    """Measure the four published contracts again; exit 1 when a known result does not come out."""
    from runs.commands.calibrate import run_published

    run_published(path, json_out)


@lean_app.command("check")
def lean_check(
    files: Annotated[
        list[Path] | None, typer.Argument(metavar="FILE…", help="Lean files; - is standard input.")
    ] = None,
    jsonl: JsonlOption = None,
    field: Annotated[str, typer.Option("--field", help="Field with the Lean text.")] = "lean",
    id_field: IdOption = "id",
    lean: VersionOption = "",
    imports: ImportsOption = "",
    json_out: JsonOption = False,
) -> None:
    """Parse and elaborate Lean text."""
    from runs.commands.lean import run_check

    run_check(files or [], jsonl, field, id_field, lean, imports, json_out)


@lean_app.command("eval")
def lean_eval(
    expr: Annotated[str | None, typer.Argument(metavar="EXPR")] = None,
    jsonl: JsonlOption = None,
    field: Annotated[str, typer.Option("--field", help="Field with the term.")] = "expr",
    id_field: IdOption = "id",
    lean: VersionOption = "",
    imports: ImportsOption = "",
    json_out: JsonOption = False,
) -> None:
    """Elaborate and evaluate a closed term."""
    from runs.commands.lean import run_eval

    run_eval(expr, jsonl, field, id_field, lean, imports, json_out)


def _fail(message: str, code: int) -> NoReturn:
    if sys.stderr is not None:  # None when the caller closed it
        sys.stderr.write(f"specgen: {' '.join(message.split())}\n")
    raise SystemExit(code)


def _escape(error: UnicodeError) -> tuple[str, int]:
    """Replace what the stream's encoding lacks by JSON escapes, which are right in JSON and readable elsewhere."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    units = error.object[error.start : error.end].encode("utf-16-be", "surrogatepass")
    pairs = zip(units[::2], units[1::2], strict=True)
    return "".join(f"\\u{high:02x}{low:02x}" for high, low in pairs), error.end


def _make_streams_safe() -> None:
    """Let no character end a command: a terminal may not be UTF-8, and a path may not be text."""
    codecs.register_error("specgen-escape", _escape)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="specgen-escape")


def _discard_stdout() -> None:
    """Point standard output nowhere, so that what is still in its buffer does not fail again when Python ends."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _run() -> int:
    """Run the command and write out its output; return the exit code."""
    try:
        code = app(prog_name="specgen", standalone_mode=False)
    except SystemExit as exc:
        if isinstance(exc.__context__, BrokenPipeError):  # the argument parser makes a code 1 of it, which is findings
            raise exc.__context__ from None
        code = exc.code
    if code == ExitCode.INTERRUPTED:  # what the argument parser makes of Ctrl-C, without a word
        raise KeyboardInterrupt
    if sys.stdout is not None:
        sys.stdout.flush()
    return code if isinstance(code, int) else 0


def main() -> None:
    """Entry point: one line and an exit code for every error that is ours."""
    _make_streams_safe()
    try:
        code = _run()
    except SpecgenError as exc:
        _fail(exc.one_line(), exc.exit_code)
    except KeyboardInterrupt:
        _leave_interrupted("interrupted; what was finished is saved, go on with --resume where there is a run folder")
    except typer.Abort:
        _fail("aborted", ExitCode.INTERRUPTED)
    except BrokenPipeError:
        _discard_stdout()
        code = ExitCode.DONE
    except OSError as exc:
        _discard_stdout()
        where = f" {exc.filename}" if exc.filename else ""
        _fail(
            f"cannot read or write{where}: {exc.strerror or exc}. Check the path and the free space, then run it again",
            ExitCode.MISSING_ENVIRONMENT,
        )
    except Exception as exc:  # noqa: BLE001 - the last boundary: an unforeseen error is one line too
        _fail_unexpected(exc)
    raise SystemExit(code)


def _leave_interrupted(message: str) -> NoReturn:
    """End with exit code 130. Python itself would end by the signal when it came while a module was being imported
    (an interrupt inside `exec` counts as unhandled for good), so it is not asked.
    """
    sys.stderr.write(f"specgen: {message}\n")
    sys.stderr.flush()
    with contextlib.suppress(OSError, ValueError):
        sys.stdout.flush()
    os._exit(ExitCode.INTERRUPTED)


def _fail_unexpected(exc: Exception) -> NoReturn:
    # A usage error of the argument parser: which module it comes from depends on typer's version.
    usage = getattr(exc, "format_message", None)
    if callable(usage):
        context = getattr(exc, "ctx", None)
        path = context.command_path if context is not None else "specgen"
        if type(exc).__name__ == "NoArgsIsHelpError":
            raise SystemExit(ExitCode.USER_ERROR) from None
        _fail(f"{usage().rstrip('.')}. See {path} --help", ExitCode.USER_ERROR)
    if os.environ.get("SPECGEN_DEBUG"):
        raise exc
    detail = f"{type(exc).__name__}: {exc}"
    _fail(f"internal error: {detail}. Report it, with the traceback of SPECGEN_DEBUG=1", ExitCode.INTERNAL_ERROR)


if __name__ == "__main__":
    main()
