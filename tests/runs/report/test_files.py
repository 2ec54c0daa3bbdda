"""What is written beside the page: CSV, LaTeX, Markdown, plots."""

from __future__ import annotations

import csv
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from runs.report import png
from runs.report.analysis import analyse
from runs.report.figures import BINS, all_figures, bin_of
from runs.report.files import csv_cell, latex_text, markdown_text
from runs.report.load import load_run
from runs.report.svg import figure_svg
from runs.report.text import visible
from runs.report.write import write_report
from tests.runs.report.synthetic import HOSTILE, Shape, write_run


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = write_run(
        tmp_path_factory.mktemp("r") / "run", Shape(text=HOSTILE, arms=("seed", HOSTILE, "=b"), failed=("=b",))
    )
    write_report(folder)
    return folder


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "  =1", "\t=1", "\r=1", "\n=1", "−"])
def test_no_text_of_a_csv_file_is_a_formula(text: str) -> None:
    cell = csv_cell(text)
    assert not cell.lstrip().startswith(("=", "+", "-", "@"))
    assert text.strip() in cell


def test_numbers_in_csv_are_whole_and_what_is_missing_is_empty() -> None:
    assert csv_cell(0.1 + 0.2) == "0.30000000000000004"
    assert (csv_cell(-0.5), csv_cell(None), csv_cell(0), csv_cell(True)) == ("-0.5", "", "0", "True")


def test_csv_files_read_back_with_the_analysis_numbers(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run", Shape(tasks=15))
    analysis = analyse([load_run(folder)])
    write_report(folder)
    with open(folder / "report" / "tables" / "arms.csv", encoding="utf-8", newline="") as f:
        rows = {(r["arm"], r["metric"]): r for r in csv.DictReader(f)}
    for arm in analysis.arms:
        for metric, cell in arm.metrics.items():
            row = rows[(arm.label, metric)]
            assert row["mean"] == ("" if cell.interval.mean is None else repr(cell.interval.mean))
            assert row["n"] == str(cell.interval.n)
    with open(folder / "report" / "tables" / "candidates.csv", encoding="utf-8", newline="") as f:
        candidates = list(csv.DictReader(f))
    assert len(candidates) == 60
    assert {r["R- status"] for r in candidates} >= {"observed", "not_applicable"}
    assert all((r["R- value"] == "") == (r["R- status"] != "observed") for r in candidates)


def test_hostile_text_in_csv_stays_in_its_cell(hostile: Path) -> None:
    for path in (hostile / "report" / "tables").glob("*.csv"):
        raw = path.read_bytes()
        assert b"\x00" not in raw and b"\x1b" not in raw
        with open(path, encoding="utf-8", newline="") as f:
            rows = list(csv.reader(f))
        assert len({len(r) for r in rows}) == 1, path.name
        texts = [c for r in rows[1:] for c in r]
        assert not [c for c in texts if c[:1] in "=+-@\t\r" and c[:1] and not re.fullmatch(r"-?[\d.e-]+", c)]


def test_latex_has_no_sign_left_that_latex_reads() -> None:
    shown = latex_text("a_b & 50% $x$ #1 {y} ~ ^ \\input{z} < > | → ∀ λ \x00")
    for sign in "&%$#_{}":
        assert not re.search(rf"(?<!\\){re.escape(sign)}", _without_macros(shown)), sign
    assert "\\input" not in shown and "\x00" not in shown and "U+03BB" in shown


def _without_macros(text: str) -> str:
    """Text without the macros that we write ourselves."""
    return re.sub(r"\\text\w+\{\}|\$\\\w+\$|\{\[\}|\{\]\}|\\dots\{\}", "", text)


def test_latex_tables_are_whole(hostile: Path) -> None:
    for path in (hostile / "report" / "tables").glob("*.tex"):
        text = path.read_text(encoding="utf-8")
        columns = len(re.search(r"tabular\}\{(l+)\}", text)[1])  # type: ignore[index]
        lines = [x for x in text.split("\n") if x.endswith(r"\\")]
        assert lines and {len(re.findall(r"(?<!\\)&", x)) + 1 for x in lines} == {columns}
        assert text.count(r"\toprule") == text.count(r"\midrule") == text.count(r"\bottomrule") == 1


def test_markdown_takes_nothing_for_markup(hostile: Path) -> None:
    assert markdown_text("a|b <img> *x* `y` [z](u) _w_") == r"a\|b &lt;img&gt; \*x\* \`y\` \[z\](u) \_w\_"
    text = (hostile / "report" / "report.md").read_text(encoding="utf-8")
    assert "<img" not in text and "<script" not in text and "\x00" not in text
    assert "SIMULATED" in text


def test_plots_are_well_formed_and_carry_the_numbers(hostile: Path) -> None:
    paths = sorted((hostile / "report" / "plots").glob("*.svg"))
    assert [p.stem for p in paths] == ["arms", "differences", "distributions", "optimisation"]
    allowed = {"svg", "g", "text", "title", "line", "circle", "rect", "polygon", "path", "style"}
    for path in paths:
        root = ET.fromstring(path.read_text(encoding="utf-8"))  # noqa: S314 - our own file
        assert {e.tag.rpartition("}")[2] for e in root.iter()} <= allowed
        assert not [a for e in root.iter() for a in e.attrib if a.startswith("on") or "href" in a]
    analysis = analyse([load_run(hostile)])
    mean = analysis.arms[0].metrics["R+"].interval.mean
    assert mean is not None and f"{mean:.3f}" in paths[0].read_text(encoding="utf-8")


def test_bins_of_values_keep_the_ends_apart() -> None:
    values = (0.0, 0.25, 0.26, 0.75, 0.999, 1.0, None)
    assert [BINS[bin_of(v)] for v in values] == ["0", "(0, ¼]", "(¼, ½]", "(½, ¾]", "(¾, 1)", "1", "no value"]


def test_distributions_count_every_candidate_once(tmp_path: Path) -> None:
    analysis = analyse([load_run(write_run(tmp_path / "a", Shape(tasks=20)))])
    figure = next(f for f in all_figures(analysis) if f.name == "distributions")
    for facet in figure.facets:
        assert [sum(b.counts) for b in facet.bars] == [40, 40]  # type: ignore[union-attr]
    assert figure_svg(figure).startswith("<svg")


@pytest.mark.skipif(not png.available(), reason="matplotlib is not installed (the extra plots)")
def test_png_plots(hostile: Path) -> None:
    for path in (hostile / "report" / "plots").glob("*.svg"):
        assert path.with_suffix(".png").read_bytes().startswith(b"\x89PNG\r\n")


def test_without_matplotlib_the_report_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(png, "available", lambda: False)
    written = write_report(write_run(tmp_path / "run", Shape(tasks=3)))
    assert any("plots" in n for n in written.notes)
    assert not list((written.folder / "plots").glob("*.png")) and list((written.folder / "plots").glob("*.svg"))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\x00b", "a␀b"),
        ("\x1b[1m", "␛[1m"),
        ("\u202ex", "⟨U+202E⟩x"),
        ("\ud800", "⟨U+D800⟩"),
        ("∀ x, é\n\t", "∀ x, é\n\t"),
    ],
)
def test_hidden_characters_are_shown(text: str, shown: str) -> None:
    assert visible(text) == shown
