"""The published rows: four contracts of "Beyond Type-checking" (arXiv 2610.10604, appendix A), measured again.

Each row has the published scores, what must come out where that is known, what we measure, and in words why they
differ where they do. The candidates are the paper's, facts that it gives; data sets are not part of this package.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Literal, TypeAlias

from evaluators.contract import project
from evaluators.evidence import Evidence
from evaluators.isolation import Tools
from evaluators.registry import EvaluatorTools, Subject, known_evaluators, make_evaluators
from evaluators.scoring import score
from evaluators.similarity import similarity
from specgen.generators import Candidate
from specgen.tasks import Task, load_dataset

Verdict: TypeAlias = Literal["agrees", "differs", "corrects", "wrong", "undecided", "measured", "not measured"]
"""How ours stands to the published score: `agrees` or `differs`; `corrects` where the published one is not what must
come out and ours is; `wrong` where ours is not; `undecided` without a value; `measured` where nothing is published;
`not measured` where the evaluator is not here.
"""

EQUIVALENCE = "equivalence"
EQUIVALENT, REFUTED = "equivalent", "refuted"

ATOMS = (
    "The paper says which tokens its atoms leave out (numerals, ≤, ≥, ≠), not which are counted nor over which part of "
    "the reference's file; no tokenisation that we tried gives two of the four rows, and ours is the plain reading "
    "(docs/metrics.md)"
)
HARNESS = (
    "Published as failures because the harness failed, not the contract: the pairs are the data set's own, and each is "
    "decided here"
)


@dataclass(frozen=True, slots=True)
class Published:
    """One score of a row: as published (empty where it is not), and what must come out where that is known."""

    metric: str
    published: str = ""
    right: str = ""
    because: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """One published contract."""

    dataset: str
    task_id: str
    name: str
    candidate: str
    scores: tuple[Published, ...]


SAME_TEXT = (Published("NEM", "0", "0"), Published("signature_f1", "1.000", "1"))

ROWS = (
    Row(
        "verina",
        "verina_basic_65",
        "VERINA basic_65",
        "def generated_spec (impl : Nat → Nat) (N : Nat) : Prop :=\n"
        "  let r := impl N; r * r ≤ N ∧ N < (r + 1) * (r + 1)",
        (
            *SAME_TEXT,
            Published("atom_f1", "0.444", because=ATOMS),
            Published("R+", "5/5", "5/5"),
            Published("R-", "13/13", "13/13"),
            Published(EQUIVALENCE, "proved", EQUIVALENT),
        ),
    ),
    Row(
        "verina",
        "verina_advanced_81",
        "VERINA advanced_81",
        "def generated_spec (impl : List Int → List Int) (arr : List Int) : Prop :=\n"
        "  ∃ result : List Int, impl arr = result ∧ result.Nodup ∧ result.Pairwise (fun a b : Int => a < b) ∧\n"
        "    ∀ x : Int, x ∈ result ↔ x ∈ arr",
        (
            *SAME_TEXT,
            Published("atom_f1", "0.171", because=ATOMS),
            Published("R+", "0/5", "5/5", HARNESS),
            Published("R-", "0/15", "15/15", HARNESS),
            Published(EQUIVALENCE),
        ),
    ),
    Row(
        "clever",
        "clever_53",
        "CLEVER problem_53, add",
        "def generated_spec (impl : Int → Int → Int) (x y : Int) : Prop := impl x y = x + y",
        (
            *SAME_TEXT,
            Published("atom_f1", "0.538", because=ATOMS),
            Published("R+"),
            Published("R-"),
            Published(EQUIVALENCE, right=EQUIVALENT),
        ),
    ),
    Row(
        "clever",
        "clever_45",
        "CLEVER problem_45, triangle area",
        "def generated_spec (impl : Rat → Rat → Rat) (a h : Rat) : Prop :=\n  0 ≤ a ∧ 0 ≤ h → impl a h = (a * h) / 2",
        (
            *SAME_TEXT,
            Published("atom_f1", "0.688", because=ATOMS),
            Published("R+"),
            Published("R-"),
            Published(EQUIVALENCE, right=REFUTED),
        ),
    ),
)


@dataclass(frozen=True, slots=True)
class Comparison:
    """One score, published and ours.

    `found` is ours in the form of the published one: `12/26` counts, `0.462`, `proved(z3)`; a dash without a value.
    """

    metric: str
    published: str
    right: str
    found: str
    value: float | None
    status: str
    verdict: Verdict
    message: str = ""
    witness: str = ""

    @property
    def unmet(self) -> bool:
        """Whether ours is known not to be, or not known to be, what must come out."""
        return self.verdict == "wrong" or (self.verdict == "undecided" and bool(self.right))


@dataclass(frozen=True, slots=True)
class RowReport:
    """One row, measured; `unavailable` says why it was not."""

    row: Row
    comparisons: tuple[Comparison, ...] = ()
    unavailable: str = ""


def compare(score_of: Published, evidence: Evidence | None) -> Comparison:
    """Compare one published score with our evidence (None: not measured)."""
    p = score_of
    if evidence is None:
        return Comparison(p.metric, p.published, p.right, "–", None, "", "not measured")
    found = _shown(evidence)
    verdict: Verdict = "measured"
    if evidence.value is None:
        verdict = "undecided" if p.right or p.published else "measured"
    elif p.right and not _is(evidence, p.right):
        verdict = "wrong"
    elif p.published:
        verdict = "agrees" if _same(p, evidence) else "corrects" if p.right else "differs"
    message = p.because if verdict in ("corrects", "differs") else evidence.message if evidence.value is None else ""
    return Comparison(
        p.metric, p.published, p.right, found, evidence.value, evidence.status, verdict, message, evidence.witness
    )


def _is(evidence: Evidence, right: str) -> bool:
    """Tell whether a value is what must come out; where counts are given, they must be the same too."""
    if right in (EQUIVALENT, REFUTED):
        return evidence.value == float(right == EQUIVALENT)
    if "/" in right:
        return f"{evidence.numerator}/{evidence.denominator}" == right
    if evidence.numerator is not None and evidence.denominator:
        return Fraction(evidence.numerator, evidence.denominator) == Fraction(right)
    return evidence.value == float(Fraction(right))


def _same(p: Published, evidence: Evidence) -> bool:
    """Tell whether a value is the published one, at the digits that were published."""
    if p.metric == EQUIVALENCE:
        return evidence.value == (1.0 if p.published == "proved" else 0.0)
    if "/" in p.published:
        return f"{evidence.numerator}/{evidence.denominator}" == p.published
    digits = len(p.published.partition(".")[2])
    return f"{evidence.value:.{digits}f}" == p.published


def _shown(evidence: Evidence) -> str:
    if evidence.value is None:
        return f"– ({evidence.status})"
    if evidence.metric == EQUIVALENCE:
        return evidence.scope or ("equivalent" if evidence.value else "refuted")
    if evidence.metric in ("R+", "R-"):
        return f"{evidence.numerator}/{evidence.denominator}"
    counts = f" ({evidence.numerator}/{evidence.denominator})" if evidence.metric == "atom_f1" else ""
    return f"{evidence.value:.3f}{counts}" if evidence.metric != "NEM" else f"{evidence.value:.0f}"


def measure_row(row: Row, task: Task, tools: Tools, equivalence_s: float) -> RowReport:
    """Measure one row with the evaluators that any candidate gets."""
    candidate = Candidate(task.id, "published", row.candidate)
    scored = score(task, candidate, tools.checker)
    evidence = {e.metric: e for e in scored.evidence}
    # The text is the paper's, so it may be compared here, in its profile, which no run uses.
    contract = project(task, candidate)
    evidence |= {e.metric: e for e in similarity(task, contract, "paper")}
    if EQUIVALENCE in known_evaluators():
        made = make_evaluators([EQUIVALENCE], EvaluatorTools(tools.runner, equivalence_s=equivalence_s))
        subject = Subject(task, candidate, contract, scored.checks)
        evidence |= {e.metric: e for evaluator in made for e in evaluator.evidence(subject)}
    return RowReport(row, tuple(compare(p, evidence.get(p.metric)) for p in row.scores))


def measure_published(
    tools: Tools, verina: Path | None, equivalence_s: float = 20.0, rows: Sequence[Row] = ROWS
) -> list[RowReport]:
    """Measure the published rows; those of VERINA need the folder of the data set.

    Raises:
        UserError: the folder holds no such data.
        EnvironmentMissingError: CLEVER's package is not installed.
    """
    tasks = _loader(verina)
    reports = []
    for row in rows:
        if row.dataset == "verina" and verina is None:
            reports.append(RowReport(row, unavailable="not available: give --path, the folder of VERINA's tasks"))
            continue
        task = tasks(row.dataset).get(row.task_id)
        if task is None:
            reports.append(RowReport(row, unavailable=f"the data set has no task {row.task_id}"))
            continue
        reports.append(measure_row(row, task, tools, equivalence_s))
    return reports


def _loader(verina: Path | None) -> Callable[[str], dict[str, Task]]:
    loaded: dict[str, dict[str, Task]] = {}

    def tasks(dataset: str) -> dict[str, Task]:
        if dataset not in loaded:
            path = verina if dataset == "verina" else None
            loaded[dataset] = {t.id: t for t in load_dataset(dataset, path).tasks}
        return loaded[dataset]

    return tasks
