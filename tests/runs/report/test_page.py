"""The page as text: its numbers, its data, and that no text of a run is more than text in it."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

from runs.report import page_data
from runs.report.analysis import analyse
from runs.report.load import load_run
from runs.report.page import cards, difference, left_out, page
from runs.report.page_data import Left
from runs.report.write import report_tables, write_report, write_reports
from tests.runs.report.synthetic import HOSTILE, Shape, write_run
from tests.runs.report.test_analysis import naive


class Elements(HTMLParser):
    """All start tags with their attributes, and all text outside of scripts and styles."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def read(path: Path) -> tuple[str, Elements, dict[str, Any]]:
    text = path.read_text(encoding="utf-8")
    elements = Elements()
    elements.feed(text)
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)
    assert found
    data: dict[str, Any] = json.loads(found[1])
    return text, elements, data


def test_the_page_is_one_file_that_asks_for_nothing(tmp_path: Path) -> None:
    text, elements, _ = read(write_report(write_run(tmp_path / "run")).page)
    assert not [a for _, attrs in elements.tags for a in attrs if a in ("src", "srcset", "action", "formaction")]
    links = [attrs["href"] or "" for _, attrs in elements.tags if "href" in attrs]
    assert links and all(link.startswith("#") for link in links)
    assert "url(" not in text and "@import" not in text and "fetch(" not in text and "innerHTML" not in text
    policy = next(a["content"] for t, a in elements.tags if t == "meta" and a.get("http-equiv")) or ""
    assert "default-src 'none'" in policy and "unsafe" not in policy


def test_hostile_text_makes_no_element_and_no_attribute(tmp_path: Path) -> None:
    shape = Shape(text=HOSTILE, arms=("seed", HOSTILE), failed=())
    plain = Shape(text="x", arms=("seed", "x"), failed=())
    _, quiet, _ = read(write_report(write_run(tmp_path / "plain", plain)).page)
    text, elements, data = read(write_report(write_run(tmp_path / "run", shape)).page)
    count = {name: sum(t == name for t, _ in elements.tags) for name in ("script", "style", "img", "svg", "pre", "b")}
    assert count == {n: sum(t == n for t, _ in quiet.tags) for n in count}
    assert count["script"] == 2 and count["img"] == 0
    assert not [a for _, attrs in elements.tags for a in attrs if a.startswith("on")]
    assert "\x00" not in text and "\u2028" not in text and "\u202e" not in text
    assert "{{ 7*7 }}" in "".join(elements.text)  # no template ran
    whole = "\n".join(data["strings"])
    assert "</script><script>window.broken=1" in whole and "␀" in whole  # shown, as text


def test_cells_of_tasks_are_the_means_of_the_records(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run", Shape(tasks=15, samples=2))
    _, elements, data = read(write_report(folder).page)
    metrics = [m for m, _ in data["metrics"]]
    for a, arm in enumerate(("seed", "verifier")):
        for metric in ("verifier_grade", "R-", "pass_all"):
            values = naive(folder, arm, metric)
            for name, _, _, cells in data["tasks"]:
                shown = cells[a][1][metrics.index(metric)]
                mine = values.get(data["strings"][name])
                assert shown == (None if mine is None else pytest.approx(fmean(mine.values()), abs=5e-5))
    visible = " ".join(elements.text)
    for arm in ("seed", "verifier"):
        values = naive(folder, arm, "R-")
        assert f"{fmean(fmean(v.values()) for v in values.values()):.3f}" in visible
    assert len(data["candidates"]) == 15 * 2 * 2 * 2


def test_a_value_that_is_missing_is_a_dash_with_its_statuses(tmp_path: Path) -> None:
    shape = Shape(values=lambda *_: {"typecheck": 1.0, "R-": "timeout"})
    _, elements, data = read(write_report(write_run(tmp_path / "run", shape)).page)
    text = "|".join(t.strip() for t in elements.text if t.strip())
    assert "R−|–|0 of 12 tasks; 24 timeout" in text
    assert "24 timeout; mean within [0.250, 0.750]" in text
    at = [m for m, _ in data["metrics"]].index("R-")
    assert {cell[1][at] for _, _, _, cells in data["tasks"] for cell in cells} == {None}


def test_simulated_models_failures_and_unknown_prices_are_said(tmp_path: Path) -> None:
    shape = Shape(arms=("seed", "verifier", "both"), failed=("both",))
    _, elements, _ = read(write_report(write_run(tmp_path / "run", shape)).page)
    text = " ".join(elements.text)
    assert "Simulated models: task: sim/writer" in text
    assert "both: optimisation failed" in text
    assert "unknown" in text and "$0.00" not in text
    real = Shape(extra={"simulated": False, "models": {"task": {"name": "m", "simulated": False}}}, arms=())
    _, elements, _ = read(write_report(write_run(tmp_path / "real", real)).page)
    assert "Simulated models" not in " ".join(elements.text)


def test_an_unfinished_and_an_empty_run_have_a_report(tmp_path: Path) -> None:
    empty = Shape(arms=(), tasks=0, finished=False)
    _, elements, data = read(write_report(write_run(tmp_path / "run", empty)).page)
    assert "is not finished" in " ".join(elements.text)
    assert data["tasks"] == [] and data["candidates"] == []


def test_one_report_over_two_runs(tmp_path: Path) -> None:
    runs = [write_run(tmp_path / n, Shape(name=n, seed=i)) for i, n in enumerate(("first", "second"))]
    written = write_reports(runs, tmp_path / "out")
    _, _, data = read(written.page)
    assert data["arms"] == ["first: seed", "first: verifier", "second: seed", "second: verifier"]
    assert len(data["candidates"]) == 96


def test_what_has_no_room_is_counted_and_the_most_telling_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write_run(tmp_path / "run", Shape(tasks=10, samples=3))
    monkeypatch.setattr(page_data, "DETAIL_BYTES", 12_000)
    analysis = analyse([load_run(folder)])
    data, left = page_data.page_data(analysis)
    assert 0 < len(data["candidates"]) < 120 and left.candidates == 120 - len(data["candidates"])
    assert len(data["tasks"]) == 10 and left.tasks == 0
    text = page(analysis, report_tables(analysis), [])
    assert f"Details of {len(data['candidates'])} of 120 candidates" in text
    run = analysis.runs[0]
    best = max(page_data.telling(run, r) for r in run.rows if r.task == "task_0000" and r.arm == "seed")
    kept = {(data["strings"][data["tasks"][c[0]][0]], c[1], data["strings"][c[2]], c[3]) for c in data["candidates"]}
    first = [r for r in run.rows if (r.task, 0, r.seed, r.sample) in kept and r.task == "task_0000" and r.arm == "seed"]
    assert best in {page_data.telling(run, r) for r in first}


def test_nothing_is_said_to_be_left_out_when_nothing_is() -> None:
    assert left_out(Left(0, 10, 0, 3)) == ""
    assert "7 of 10 candidates" in left_out(Left(3, 10, 0, 3)) and "tasks are listed" in left_out(Left(0, 1, 1, 3))


def test_decided_is_never_rounded_up_to_everything(tmp_path: Path) -> None:
    def values(rng: object, arm: str, task: int) -> dict[str, float | str]:
        return {"typecheck": 1.0, "R-": "timeout" if task == 0 and arm == "seed" else 1.0}

    analysis = analyse([load_run(write_run(tmp_path / "run", Shape(tasks=600, seeds=("s",), values=values)))])
    card = next(c for c in cards(analysis) if c["label"] == "Values decided")
    assert card["value"] == "99.9%" and card["note"] == "1 of 2,400 open"


@pytest.mark.parametrize(
    ("old", "new"),
    [("a b c", "a c d"), ("", "x"), ("same", "same"), ("one two", "quite other words"), ("x\n", "x\ny\n")],
)
def test_parts_of_a_difference_give_both_texts_back(old: str, new: str) -> None:
    parts = difference(old, new)
    if ("same", "\n\n") not in parts:
        assert "".join(t for k, t in parts if k != "ins") == old
        assert "".join(t for k, t in parts if k != "del") == new
    else:
        assert parts == [("del", old), ("same", "\n\n"), ("ins", new)]


@pytest.mark.parametrize(("samples", "whole"), [(5, True), (20, False)])
def test_the_page_stays_below_three_megabytes(tmp_path: Path, samples: int, whole: bool) -> None:
    text = "∀ x < y, " * (30 if whole else 200)
    shape = Shape(tasks=100, seeds=("a", "b"), samples=samples, text=text)
    written = write_report(write_run(tmp_path / "run", shape))
    assert 500_000 < written.page.stat().st_size < 3_000_000
    _, elements, data = read(written.page)
    assert (len(data["candidates"]) == 100 * 2 * 2 * samples) == whole
    assert ("Details of" in " ".join(elements.text)) == (not whole)
    assert len(data["tasks"]) == 100
