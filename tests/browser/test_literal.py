"""Text from outside in Streamlit's own elements: shown, never read."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

PIECES = (
    "<script>document.title='owned'</script>",
    "<img src=x onerror=\"document.title='owned'\">",
    "[go](javascript:document.title='owned')",
    "~~kept~~ :red[colour] :smile:",
    "$x^2$ :material/home: ![pic](https://tracker.invalid/p.png)",
    "https://tracker.invalid/q www.tracker.invalid a@tracker.invalid -- ->",
    "a < b && c > d &amp; &lt;i&gt;",
    "`code` # Big line",
)


@pytest.fixture(scope="module")
def shown(gallery: str, visit_once: Callable[..., Page]) -> Page:
    """The gallery's page of outside text."""
    page = visit_once(gallery, "?part=literal", height=1800)
    page.locator(".passage").wait_for()
    page.get_by_test_id("stDataFrame").wait_for()
    return page


@pytest.mark.parametrize(
    "element",
    ["stText", "stCaptionContainer", "stMarkdown", "stButton", "stPills", "stAlert", "stExpander"],
)
def test_every_character_of_outside_text_is_visible(shown: Page, element: str) -> None:
    selector = element if element != "stPills" else "stButtonGroup"
    text = shown.get_by_test_id(selector).first.inner_text().replace("\u2060", "")
    for piece in PIECES:
        assert piece in text


def test_the_passage_component_shows_text_and_marks_as_they_are(shown: Page) -> None:
    text = shown.locator(".passage").inner_text()
    for piece in PIECES:
        assert piece in text
    marks = shown.locator(".passage mark.term")
    assert [marks.nth(i).inner_text() for i in range(marks.count())] == ["pelican", "😀"]


def test_no_link_picture_or_formula_is_made_of_outside_text(shown: Page) -> None:
    main = shown.get_by_test_id("stMain")
    assert main.locator("a[href*='tracker'], a[href^='javascript'], a[href^='mailto']").count() == 0
    assert main.locator("img, .katex, del, b:not([class])").count() == 0
    assert shown.title() == "gallery"


def test_a_character_that_reorders_text_is_named(shown: Page) -> None:
    assert re.search("⟦RLO⟧evil⟦PDF⟧", shown.get_by_test_id("stText").first.inner_text())
    assert shown.locator(".passage .hidden-char").first.get_attribute("data-name") == "RLO"
