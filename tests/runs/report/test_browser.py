"""The page in a real browser: nothing of a candidate runs, nothing is fetched, and the table works."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from runs.report.write import write_report
from tests.runs.report.browser import Page, find_browser, open_page
from tests.runs.report.synthetic import HOSTILE, Shape, write_run

BROWSER = find_browser()
pytestmark = pytest.mark.skipif(BROWSER is None, reason="no chromium, chromium-browser or google-chrome is installed")

ROWS = "document.querySelectorAll('#tasks-body td.name button').length"
SET = "(id, v) => {{ const e = document.getElementById(id); e.value = v; e.dispatchEvent(new Event('{event}')); }}"


def visit(tmp_path: Path, work: Callable[[Page], Awaitable[None]]) -> None:
    async def run() -> None:
        assert BROWSER is not None
        async with open_page(BROWSER, tmp_path / "profile") as page:
            await work(page)

    asyncio.run(run())


async def choose(page: Page, name: str, value: str) -> None:
    event = "input" if name == "search" else "change"
    await page.js(f"({SET.format(event=event)})({name!r}, {value!r})")
    await asyncio.sleep(0.3)


def test_search_filter_sort_and_drill_down(tmp_path: Path) -> None:
    url = write_report(write_run(tmp_path / "run", Shape(tasks=60))).page.as_uri()

    async def work(page: Page) -> None:
        await page.open(url)
        assert await page.js(ROWS) == 50
        await page.js("document.getElementById('more').click()")
        assert await page.js(ROWS) == 60
        await choose(page, "search", "task_0007")
        assert await page.js(ROWS) == 1
        await page.js("document.querySelector('#tasks-body td.name button').click()")
        text = await page.js("document.querySelector('.detail').innerText")
        assert "def p7 (x y : Nat)" in text and "finite(4 pairs)" in text and "rejected[1]" in text
        await choose(page, "search", "")
        await choose(page, "outcome", "not_well_formed")
        shown = await page.js(ROWS)
        flagged = await page.js("[...document.querySelectorAll('#tasks-body .flag.bad')].length > 0")
        assert 0 < shown < 60 and flagged
        await choose(page, "outcome", "")
        await page.js("document.querySelector('th[data-key=\"0\"] button').click()")
        values = await page.js(
            "[...document.querySelectorAll('#tasks-body tr td:nth-child(2) .num')].map(x => x.textContent)"
        )
        known = [float(v) for v in values if v != "–"]
        assert known == sorted(known) and "–" not in values[: len(known)]
        assert await page.js("document.querySelector('th[data-key=\"0\"]').ariaSort") == "ascending"
        await page.open(url + "#task=task_0003")
        assert "task_0003" in await page.js("document.getElementById('tasks-body').innerText")
        assert page.complaints == []
        assert {u.partition("#")[0] for u in page.requests} == {url}

    visit(tmp_path, work)


@pytest.mark.parametrize("finished", [True, False])
def test_nothing_of_a_hostile_run_is_run_or_fetched(tmp_path: Path, finished: bool) -> None:
    shape = Shape(tasks=5, text=HOSTILE, arms=("seed", HOSTILE), finished=finished)
    url = write_report(write_run(tmp_path / "run", shape)).page.as_uri()

    async def work(page: Page) -> None:
        await page.open(url)
        assert await page.js(ROWS) == 5
        await page.js("document.querySelectorAll('#tasks-body td.name button').forEach((b, i) => 0)")
        for _ in range(5):  # rows are made anew by each click
            await page.js("document.querySelector('#tasks-body button[aria-expanded=false]').click()")
        await page.js("document.querySelectorAll('.picker button').forEach((b) => b.click())")
        await page.js("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
        text = await page.js("document.querySelector('.detail pre').textContent")
        assert "</script><script>window.broken=1" in text and "␀" in text and "⟨U+2028⟩" in text
        await asyncio.sleep(0.3)
        assert await page.js("typeof window.broken") == "undefined"
        assert await page.js("document.querySelectorAll('img, iframe, object, embed, link').length") == 0
        assert page.complaints == []
        assert {u.partition("#")[0] for u in page.requests} == {url}

    visit(tmp_path, work)


def test_a_script_that_got_in_would_not_run(tmp_path: Path) -> None:
    path = write_report(write_run(tmp_path / "run", Shape(tasks=2))).page
    text = path.read_text(encoding="utf-8")
    path.write_text(
        text.replace("<main>", "<main><script>window.broken=1</script><img src=x onerror='window.broken=1'>")
    )

    async def work(page: Page) -> None:
        await page.open(path.as_uri())
        await asyncio.sleep(0.3)
        assert await page.js("typeof window.broken") == "undefined"
        assert await page.js(ROWS) == 2  # and our own still does
        assert any("Content Security Policy" in c for c in page.complaints)

    visit(tmp_path, work)


@pytest.mark.parametrize("width", [360, 768, 1400])
def test_nothing_is_wider_than_the_screen(tmp_path: Path, width: int) -> None:
    shape = Shape(tasks=4, name="a-run-with-" + "a-long-name-" * 8, arms=("seed", "verifier+adequacy+equivalence"))
    url = write_report(write_run(tmp_path / "run", shape)).page.as_uri()

    async def work(page: Page) -> None:
        await page.open(url + "#task=task_0001", width)
        assert await page.js("document.documentElement.scrollWidth") <= width
        assert await page.js("getComputedStyle(document.querySelector('.plots svg')).display") == "block"
        small = (
            "[...document.querySelectorAll('p, td, th, button, label')].filter((e) => e.offsetParent "
            "&& parseFloat(getComputedStyle(e).fontSize) < 11).length"
        )
        assert await page.js(small) == 0
        await page.screenshot(tmp_path / "page.png")
        assert (tmp_path / "page.png").stat().st_size > 10_000

    visit(tmp_path, work)
