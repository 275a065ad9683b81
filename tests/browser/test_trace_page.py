"""The Trace page in a browser: the path, hostile words, parts of the bars that open questions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest

from ragdebug import Workbench

if TYPE_CHECKING:
    from playwright.sync_api import FloatRect, Locator, Page

pytestmark = pytest.mark.browser

WORDS = ("kettle", "heron", "walnut", "copper", "lantern", "meadow")
HOSTILE = "is <b>heron</b> :red[there] $x$ ~~now~~?"
PASSAGE = "The {} costs <img src=x onerror=alert(1)> $3$ ~~euros~~."
NAME = "<b>heron :red[c] $x$.txt"
ACTIVE = "img[src='x'], .katex, del, s, b, script + b"
STRATEGY = "bm25@structure:220/40:tokens:label+k=2"


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file a word and a labelled question each; half of them ask for something else; one run."""
    folder: Path = tmp_path_factory.mktemp("trace")
    docs = folder / "docs"
    docs.mkdir()
    for word in WORDS:
        name = NAME if word == "heron" else f"{word}.txt"
        (docs / name).write_text(PASSAGE.format(word), "utf-8")
    with Workbench(folder / "work") as wb:
        wb.ingest([docs])
        for at, word in enumerate(WORDS):
            place = wb.find_quote(PASSAGE.format(word))[0]
            text = f"what does a {word} cost?" if at % 2 else f"who painted ceiling {at}?"
            wb.label(wb.add_question(HOSTILE if word == "heron" else text).id, [place])
        wb.evaluate([STRATEGY])
    return folder / "work"


@pytest.fixture
def trace(
    app: Callable[[Path], str], visit: Callable[..., Page], workspace: Path
) -> Callable[[str], Page]:
    """Open the trace of the question about a word."""

    def open_page(text: str) -> Page:
        with Workbench(workspace) as wb:
            question = next(q.id for q in wb.questions() if q.text == text)
        page = visit(
            app(workspace), f"Trace?question={quote(question)}&strategy={quote(STRATEGY, safe='')}"
        )
        page.locator(".st-key-trace_path").wait_for()
        return page

    return open_page


def test_names_words_and_passages_are_seen_as_they_are(
    trace: Callable[[str], Page], settled: Callable[[Page], None]
) -> None:
    page = trace(HOSTILE)
    page.get_by_role("textbox", name="Document text").get_by_text("The heron costs").wait_for()
    settled(page)
    main = page.get_by_test_id("stMain")
    seen = main.inner_text().replace("\u2060", "")
    assert PASSAGE.format("heron") in seen
    assert NAME in seen
    assert page.get_by_role("combobox", name="Question").input_value().startswith(HOSTILE)
    assert main.locator(ACTIVE).count() == 0
    assert page.title() == "Trace · ragdebug"


def test_the_stage_that_lost_it_is_marked_in_words(trace: Callable[[str], Page]) -> None:
    from playwright.sync_api import expect

    page = trace("who painted ceiling 0?")
    marked = page.locator(".st-key-trace_path li", has_text="lost here")
    expect(marked).to_have_count(1)
    expect(marked).to_contain_text("candidates")
    expect(page.locator(".st-key-trace_report")).to_contain_text(
        "It is not among the candidates: BM25 not at all; the list gives 50."
    )


def test_a_part_of_a_bar_lists_its_questions_and_one_of_them_is_opened(
    trace: Callable[[str], Page],
    at_rest: Callable[[Page, Locator], FloatRect],
    click_row: Callable[..., None],
) -> None:
    page = trace(HOSTILE)
    opened = page.url
    chart = page.locator(".js-plotly-plot")
    # The first part is of the questions that no list had.
    part = chart.locator(".barlayer .trace .point").first
    box = at_rest(page, part)
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.get_by_text("not retrieved, 3").wait_for()
    click_row(page, page.locator("[class*=st-key-trace_questions_]"), 1)
    page.locator(".st-key-trace_report", has_text="not among the candidates").wait_for()
    page.wait_for_url(lambda url: "question=" in url and url != opened)
