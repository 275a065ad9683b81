"""The board of result lists in a browser."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.browser

Visit = Callable[..., "Page"]
Settled = Callable[["Page"], None]


@pytest.fixture
def board(gallery: str, visit: Visit, settled: Settled) -> Page:
    """The gallery's board, drawn."""
    page = visit(gallery, "?part=board")
    page.get_by_role("option").first.wait_for()
    settled(page)
    return page


def focused(page: Page) -> str:
    """Rank and score of the hit that has the focus."""
    return (
        page.locator(".card:focus .rank").inner_text()
        + " "
        + page.locator(".card:focus .score").inner_text()
    )


def first(page: Page, column: str) -> Locator:
    """First hit of a column."""
    return page.get_by_role("listbox", name=column).get_by_role("option").first


def test_j_and_k_move_and_enter_selects(board: Page, settled: Settled) -> None:
    first(board, "Vector").focus()
    board.keyboard.press("j")
    assert focused(board) == "2 0.588"
    board.keyboard.press("j")
    board.keyboard.press("k")
    board.keyboard.press("k")
    board.keyboard.press("k")
    assert focused(board) == "1 0.612"
    board.keyboard.press("l")
    assert focused(board) == "1 7.412"
    board.keyboard.press("End")
    assert focused(board) == "4 2.200"
    board.keyboard.press("h")
    assert focused(board) == "4 0.410"
    board.keyboard.press("Enter")
    board.get_by_text("card=('vector', 'cosine-hostile')").wait_for()
    settled(board)
    assert focused(board) == "4 0.410"


def test_the_board_is_one_stop_of_the_tab_key(board: Page) -> None:
    assert board.locator(".card[tabindex='0']").count() == 1
    first(board, "Hybrid").focus()
    assert board.locator(".card[tabindex='0'] .score").inner_text() == "0.0325"


def test_a_click_selects_without_moving_anything(board: Page, settled: Settled) -> None:
    hit = board.get_by_role("listbox", name="BM25").get_by_role("option").nth(1)
    before = [card.bounding_box() for card in board.locator(".card").all()]
    hit.click()
    board.get_by_text("card=('bm25', 'bm25-gift')").wait_for()
    settled(board)
    assert hit.get_attribute("aria-selected") == "true"
    assert [card.bounding_box() for card in board.locator(".card").all()] == before


def test_a_column_that_is_late_fills_in_without_moving_the_others(
    board: Page, settled: Settled
) -> None:
    board.get_by_text("scores 20 pairs …").wait_for()
    card = first(board, "BM25")
    before = card.bounding_box()
    card.evaluate("node => { node.mine = true; }")
    board.get_by_text("Last column ready").click()
    board.get_by_role("listbox", name="Reranked").wait_for()
    settled(board)
    assert first(board, "BM25").bounding_box() == before


def test_the_same_passage_lights_up_in_the_other_columns(board: Page) -> None:
    from playwright.sync_api import expect

    board.get_by_role("listbox", name="Vector").get_by_role("option").nth(1).hover()
    lit = board.locator(".card.same")
    expect(lit).to_have_count(2)
    assert {lit.nth(i).get_attribute("data-passage") for i in range(2)} == {"refund-a"}


def test_the_settings_of_a_column_are_asked_for_by_its_button(board: Page) -> None:
    board.get_by_role("button", name="Settings of Hybrid").click()
    board.get_by_text("settings=hybrid", exact=False).wait_for()


def test_a_failed_column_says_why_and_shows_the_text_as_it_is(board: Page) -> None:
    board.get_by_text("Last column failed").click()
    board.get_by_text("No model is called <script>document.title='owned'</script>").wait_for()
    assert board.title() == "gallery"


def test_hostile_hits_are_shown_and_never_act(board: Page) -> None:
    text = board.locator(".card", has_text="<img src=x onerror=alert(1)>.txt").first.inner_text()
    assert "<script>document.title='owned'</script>" in text
    assert "<b>Section</b>" in text
    assert board.title() == "gallery"
    assert board.locator(".board a, .board img, .board script").count() == 0


def test_a_narrow_board_scrolls_sideways_and_the_page_does_not(
    gallery: str, visit: Visit, settled: Settled
) -> None:
    page = visit(gallery, "?part=board", width=600)
    page.get_by_role("option").first.wait_for()
    settled(page)
    grid = page.locator(".board")
    assert grid.evaluate("node => node.scrollWidth > node.clientWidth + 100")
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_a_narrow_board_says_which_lists_are_seen_and_leads_to_the_others(
    gallery: str, visit: Visit, settled: Settled
) -> None:
    page = visit(gallery, "?part=board", width=700)
    page.get_by_role("option").first.wait_for()
    settled(page)
    pager = page.get_by_role("navigation", name="Lists side by side")
    columns = page.locator(".column").count()
    left = pager.get_by_role("button", name="Lists to the left")
    right = pager.get_by_role("button", name="Lists to the right")
    assert pager.get_by_text(re.compile(rf"^lists? 1.* of {columns}$")).is_visible()
    assert left.is_disabled()
    assert page.locator(".frame.more-right:not(.more-left)").count() == 1
    for _ in range(columns):
        if right.is_enabled():
            right.click()
            page.wait_for_timeout(200)
    assert right.is_disabled()
    assert page.locator(".frame.more-left:not(.more-right)").count() == 1
    edge = page.locator(".board").bounding_box()
    last = page.locator(".column").last.bounding_box()
    assert edge is not None
    assert last is not None
    assert last["x"] + last["width"] <= edge["x"] + edge["width"] + 1


def test_a_board_with_room_for_all_lists_says_nothing_of_others(
    gallery: str, visit: Visit, settled: Settled
) -> None:
    page = visit(gallery, "?part=board", width=1920)
    page.get_by_role("option").first.wait_for()
    settled(page)
    assert page.locator(".pager").is_hidden()
    assert page.locator(".frame.more-right, .frame.more-left").count() == 0
