"""Why a hit has its score, in a browser: tables that add up, weights drawn on the text."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest

from ragdebug import Workbench

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

Visit = Callable[..., "Page"]
Settled = Callable[["Page"], None]
DRAFT = "wordllama-l2-supercat-256"
LEXICAL = quote("bm25,bm25+k1=2")  # needs no model
HOSTILE = "<b>pelican</b> :red[now] $x^2$"


@pytest.fixture(scope="module")
def address(app: Callable[[Path], str], tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("explain")
    docs = folder / "docs"
    docs.mkdir()
    (docs / "refunds.md").write_text(
        "# Refunds\n\nMoney is paid back within thirty days. The pier is green.\n\n"
        "## After a year\n\nAfter a year only the months that have not begun are paid back.\n",
        "utf-8",
    )
    (docs / "harbour.md").write_text("# Fees\n\nThe harbour fee is due when money is paid.\n")
    (docs / "bird.txt").write_text(f"The {HOSTILE} eats. Nobody pays money for it.")
    with Workbench(folder / "workspace") as wb:
        wb.ingest([docs])
        wb.build("structure:220/40:tokens:label", DRAFT)
    return app(folder / "workspace")


def test_the_terms_of_a_hit_add_up_to_the_score_on_its_card(
    address: str, visit: Visit, settled: Settled
) -> None:
    page = visit(address, f"Search?q=money+paid+back&columns={LEXICAL}")
    page.get_by_role("option").first.click()
    table = page.locator(".sums table").first
    table.wait_for()
    settled(page)
    adds = [float(x) for x in table.locator("tbody td:last-child").all_inner_texts()]
    total = float(table.locator("tfoot td:last-child").inner_text())
    card = float(page.locator(".card[aria-selected='true'] .score").inner_text())
    assert sum(adds) == pytest.approx(total, abs=3e-4)
    assert total == pytest.approx(card, abs=1e-3)


def test_words_of_a_query_are_shown_as_they_are(
    address: str, visit: Visit, settled: Settled
) -> None:
    page = visit(address, f"Search?q={quote('money <b>pelican</b> :red[now]')}&columns={LEXICAL}")
    page.get_by_role("option").first.click()
    page.locator(".sums table").first.wait_for()
    settled(page)
    panel = page.locator(".st-key-search_explain")
    assert panel.locator("b", has_text="pelican").count() == 0
    assert {"money", "pelican"} <= set(panel.locator("tbody td.word").all_inner_texts())


def test_each_sentence_has_a_weight_and_a_click_asks_for_its_words(
    address: str, visit: Visit, settled: Settled
) -> None:
    from playwright.sync_api import expect

    columns = quote("vector,bm25")
    page = visit(address, f"Search?q=money+back+pelican&columns={columns}&model={DRAFT}")
    page.locator(".column").first.get_by_role("option").filter(has_text="pelican").click()
    text = page.locator(".weighed").first
    text.locator(".number").nth(1).wait_for()
    settled(page)
    assert HOSTILE in text.inner_text()
    assert text.locator("b").count() == 0
    sentence = text.locator(".part", has_text="pelican")
    expect(sentence).to_have_class(re.compile(r"\badds\b"))
    sentence.click()
    page.get_by_text("Words of that sentence that add most").wait_for()
    settled(page)
    expect(page.locator(".weighed")).to_have_count(2)
    expect(text.locator(".part", has_text="pelican")).to_have_class(re.compile(r"\bpicked\b"))
    page.locator(".weighed").first.locator(".picked").click()
    page.get_by_text("Words of that sentence that add most").wait_for(state="detached")
