"""The Search page in a browser: keyboard, links, page changes, outside text."""

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

Visit = Callable[..., "Page"]
Settled = Callable[["Page"], None]
AtRest = Callable[["Page", "Locator"], "FloatRect"]
LEXICAL = quote("bm25,bm25+k1=2")  # needs no model
HOSTILE = (
    "The pelican <script>document.title='owned'</script> <img src=x onerror=\"document.title="
    "'owned'\"> eats &amp; [go](javascript:alert(1)) ~~fish~~ :red[now] $x^2$ # Big line"
)


@pytest.fixture(scope="module")
def address(app: Callable[[Path], str], tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("search")
    docs = folder / "docs"
    docs.mkdir()
    (docs / "refunds.md").write_text(
        "# Refunds\n\nMoney is paid back within thirty days.\n\n## After a year\n\n"
        "After a year only the months that have not begun are paid back.\n",
        "utf-8",
    )
    (docs / "harbour.md").write_text("# Fees\n\nThe harbour fee is due when money is paid.\n")
    (docs / "<b>pelican<b>.txt").write_text(HOSTILE, "utf-8")
    with Workbench(folder / "workspace") as wb:
        wb.ingest([docs])
    return app(folder / "workspace")


def shown(page: Page) -> Page:
    page.get_by_role("option").first.wait_for()
    return page


def test_enter_searches_and_j_k_enter_open_a_hit_below_a_board_that_stays(
    address: str, visit: Visit, settled: Settled, at_rest: AtRest
) -> None:
    page = visit(address, f"Search?columns={LEXICAL}")
    page.get_by_label("Query").fill("paid back money")
    page.keyboard.press("Enter")
    before = at_rest(page, shown(page).locator(".card").first)
    page.get_by_role("option").first.focus()
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    page.get_by_text("Where it stands").wait_for()
    settled(page)
    assert page.locator(".card[aria-selected='true'] .rank").inner_text() == "2"
    assert page.locator(".card").first.bounding_box() == before
    page.wait_for_url(lambda url: "hit=bm25" in url and "q=paid" in url)


def test_a_link_restores_the_whole_view_in_a_new_browser(
    address: str, visit: Visit, settled: Settled
) -> None:
    from playwright.sync_api import expect

    page = visit(address, f"Search?q=paid+money&k=2&columns={LEXICAL}")
    shown(page)
    page.get_by_role("button", name="Expected passage").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("textbox", name="Quote").fill("the months  that have not BEGUN")
    dialog.get_by_role("button", name="Find it").click()
    page.get_by_role("button", name="Forget it").wait_for()
    page.locator(".head .expected").first.wait_for()
    settled(page)
    page.get_by_role("option").nth(1).click()
    page.get_by_text("Where it stands").wait_for()
    settled(page)
    page.wait_for_url(lambda url: "hit=" in url and "expect=" in url)
    heads = page.locator(".head").all_inner_texts()

    other = shown(visit(address, page.url.removeprefix(f"{address}/")))
    other.get_by_text("Where it stands").wait_for()
    settled(other)
    expect(other.get_by_label("Query")).to_have_value("paid money")
    assert other.locator(".card[aria-selected='true'] .rank").inner_text() == "2"
    other.get_by_text("the months that have not begun").first.wait_for()
    strip = [" ".join(h.split()).split(" ms")[-1] for h in heads]
    assert [
        " ".join(h.split()).split(" ms")[-1] for h in other.locator(".head").all_inner_texts()
    ] == strip
    assert "expected #" in strip[0]


def test_settings_survive_a_page_change_and_are_the_ones_used(
    address: str, visit: Visit, settled: Settled
) -> None:
    from playwright.sync_api import expect

    page = visit(address, f"Search?columns={LEXICAL}")
    page.get_by_label("Query").fill("harbour fee")
    page.keyboard.press("Enter")
    shown(page)
    settled(page)
    page.get_by_role("button", name="structure 220/40").click()
    for name, value in (("Size", "307"), ("Overlap", "23")):
        page.get_by_role("spinbutton", name=name).fill(value)
        page.keyboard.press("Enter")
        settled(page)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="structure 307/23").wait_for()
    for name in ("Corpus", "Search"):
        page.get_by_test_id("stSidebar").get_by_role("link", name=name).click()
        page.get_by_role("heading", name=name).wait_for()
        settled(page)
    shown(page)
    expect(page.get_by_label("Query")).to_have_value("harbour fee")
    page.get_by_role("button", name="structure 307/23").wait_for()
    expect(page.locator(".chip", has_text="k1 2")).to_have_count(1)
    settled(page)
    page.get_by_role("option").first.click()
    page.get_by_text("Where it stands").wait_for()
    page.wait_for_url(lambda url: "size=307" in url and "overlap=23" in url)


def test_text_names_and_questions_of_others_never_act(
    address: str, visit: Visit, settled: Settled
) -> None:
    page = visit(address, f"Search?q={quote('pelican <b>fish</b> :red[x]')}&columns={LEXICAL}")
    shown(page).get_by_role("option").first.click()
    page.get_by_text("Where it stands").wait_for()
    card = page.get_by_role("option").first
    settled(page)
    assert "<script>document.title='owned'</script>" in card.inner_text()
    assert "&amp;" in card.inner_text()
    assert "<b>pelican<b>.txt" in card.inner_text()
    assert "pelican" in page.locator(".card mark.term").all_inner_texts()
    assert page.title() == "Search · ragdebug"
    main = page.get_by_test_id("stMain")
    assert main.locator("img[src='x'], a[href^='javascript'], .katex, del").count() == 0


def test_a_second_session_starts_empty(address: str, visit: Visit, settled: Settled) -> None:
    shown(visit(address, f"Search?q=harbour+fee&columns={LEXICAL}"))
    other = visit(address, "Search")
    settled(other)
    assert other.get_by_label("Query").input_value() == ""
    assert other.get_by_text("harbour").count() == 0


def test_a_column_is_changed_in_its_drawer_and_what_is_impossible_is_refused_there(
    address: str, visit: Visit, settled: Settled
) -> None:
    from playwright.sync_api import expect

    page = shown(visit(address, f"Search?q=money&columns={LEXICAL}"))
    page.get_by_role("button", name="Settings of BM25 2").click()
    drawer = page.get_by_role("dialog")
    drawer.get_by_label("b", exact=True).fill("7")
    drawer.get_by_label("b", exact=True).press("Enter")
    settled(page)
    drawer.get_by_role("button", name="Use these settings").click()
    drawer.get_by_text("it must be a number from 0 to 1").wait_for()
    drawer.get_by_label("b", exact=True).fill("0.5")
    drawer.get_by_label("b", exact=True).press("Enter")
    settled(page)
    drawer.get_by_role("button", name="Use these settings").click()
    page.locator(".chip", has_text="b 0.5").wait_for()
    expect(page.locator(".chip", has_text="k1 2")).to_have_count(1)
