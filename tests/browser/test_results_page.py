"""The Results page in a browser: charts, ticks, notes, the way to Search, links."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ragdebug import Workbench

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

WORDS = ("kettle", "heron", "walnut", "copper", "lantern", "meadow", "anchor", "velvet", "pepper",
         "saddle", "violin", "harbour")  # fmt: skip
HOSTILE = "is <b>heron</b> :red[there] $x$ ~~now~~?"
ACTIVE = "img[src='x'], .katex, del, s, b"


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page a word, a labelled question each, two runs without a model."""
    folder: Path = tmp_path_factory.mktemp("results") / "work"
    other = "Nothing of importance stands in this sentence. " * 4
    with Workbench(folder) as wb:
        wb.ingest_files(
            [
                (f"{w}.md", f"{other}\n\nThe {w} costs three euros.\n\n{other}".encode())
                for w in WORDS
            ]
        )
        for word in WORDS:
            place = wb.find_quote(f"The {word} costs three euros.")[0]
            text = HOSTILE if word == "heron" else f"what does a {word} cost?"
            wb.label(wb.add_question(text).id, [place])
        wb.evaluate(["bm25"], note="<b>first</b> try")
        wb.evaluate(["bm25@fixed:30/0"])
    return folder


def test_both_curves_have_a_line_a_run_and_one_legend(
    app: Callable[[Path], str], visit: Callable[..., Page], workspace: Path
) -> None:
    from playwright.sync_api import expect

    page = visit(app(workspace), "Results")
    chart = page.locator(".st-key-results_curves .js-plotly-plot")
    expect(chart.locator(".legend .traces")).to_have_count(2)
    expect(chart.locator(".cartesianlayer .subplot")).to_have_count(2)
    assert page.get_by_test_id("stMain").locator(ACTIVE).count() == 0


def test_a_question_leads_to_search_with_its_evidence_and_the_strategies(
    app: Callable[[Path], str],
    visit: Callable[..., Page],
    workspace: Path,
    click_row: Callable[..., None],
) -> None:
    from playwright.sync_api import expect

    page = visit(app(workspace), "Results")
    page.get_by_role("textbox", name="Find in questions").fill("heron")
    page.get_by_role("textbox", name="Find in questions").press("Enter")
    page.get_by_text("1 question", exact=True).wait_for()
    tables = page.get_by_test_id("stDataFrame")
    table = tables.filter(has_text="heron").filter(has_not_text="kettle").last
    click_row(page, table, 1, x=22)
    page.wait_for_url(
        lambda url: (
            "/Search" in url and "expect=" in url and url.count("bm25%40") + url.count("bm25@") == 2
        )
    )
    expect(page.get_by_role("textbox", name="Query")).to_have_value(HOSTILE)


def test_a_note_is_written_in_its_cell(
    app: Callable[[Path], str],
    visit: Callable[..., Page],
    settled: Callable[[Page], None],
    workspace: Path,
    click_row: Callable[..., None],
) -> None:
    from playwright.sync_api import expect

    page = visit(app(workspace), "Results", width=1920)
    table = page.get_by_test_id("stDataFrame").filter(has_text="recall@2000t").first
    table.wait_for()
    note = table.locator("[role=columnheader]", has_text="note")
    at = note.get_attribute("aria-colindex")
    assert at is not None
    click_row(page, table, 1, x=120)
    for _ in range(int(at) - 2):
        page.keyboard.press("ArrowRight")
    expect(
        table.locator(f"[role=gridcell][aria-colindex='{at}'][aria-selected=true]")
    ).to_have_count(1)
    page.keyboard.press("Enter")
    cell = page.locator("textarea.gdg-input")
    cell.fill("from the browser")
    expect(cell).to_have_value("from the browser")
    page.keyboard.press("Enter")
    cell.wait_for(state="detached")
    settled(page)
    notes: set[str] = set()
    for _ in range(100):
        with Workbench(workspace) as wb:
            notes = {r.note for r in wb.runs()}
        if "from the browser" in notes:
            break
        page.wait_for_timeout(1000)
    assert notes == {"<b>first</b> try", "from the browser"}


def test_a_link_opens_the_same_view_for_a_colleague(
    app: Callable[[Path], str],
    visit: Callable[..., Page],
    settled: Callable[[Page], None],
    workspace: Path,
) -> None:
    page = visit(app(workspace), "Results")
    page.get_by_test_id("stMain").get_by_role("radio", name="0.5").or_(
        page.get_by_test_id("stMain").get_by_role("button", name="0.5", exact=True)
    ).first.click()
    settled(page)
    page.get_by_text("History", exact=True).click()
    settled(page)
    page.wait_for_url(lambda url: "share=0.5" in url and "view=History" in url)
    friend = visit(page.url.rsplit("/", 1)[0], page.url.rsplit("/", 1)[1])
    friend.locator(".st-key-results_history .js-plotly-plot").wait_for()


def test_a_printed_page_has_whole_charts_and_no_menu(
    app: Callable[[Path], str], visit: Callable[..., Page], workspace: Path
) -> None:
    from playwright.sync_api import expect

    page = visit(app(workspace), "Results")
    chart = page.locator(".st-key-results_curves .svg-container")
    drawing = chart.locator("svg.main-svg").first
    expect(chart.locator(".cartesianlayer .subplot")).to_have_count(2)
    page.locator(".st-key-printing").wait_for(state="attached")
    size = [drawing.get_attribute(name) for name in ("width", "height")]
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    # All that was drawn, in whatever width the paper gives it.
    assert drawing.get_attribute("viewBox") == f"0 0 {size[0]} {size[1]}"
    chart.evaluate("box => { box.parentElement.style.width = '400px' }")
    box, whole = drawing.bounding_box(), chart.bounding_box()
    assert box is not None and whole is not None
    assert box["width"] == pytest.approx(whole["width"], abs=2) and whole["width"] <= 402
    page.emulate_media(media="print")
    expect(page.get_by_test_id("stSidebar")).to_be_hidden()
    page.emulate_media(media="screen")
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    expect(page.get_by_test_id("stSidebar")).to_be_visible()
    assert drawing.get_attribute("viewBox") is None
