"""Judging passages by keys in a browser."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import FloatRect, Locator, Page

pytestmark = pytest.mark.browser

Visit = Callable[..., "Page"]
Settled = Callable[["Page"], None]
AtRest = Callable[["Page", "Locator"], "FloatRect"]


@pytest.fixture
def judge(gallery: str, visit: Visit, settled: Settled) -> Page:
    """The gallery's passages, with the keyboard at the first."""
    page = visit(gallery, "?part=judge")
    page.locator(".passage:focus").wait_for()
    settled(page)
    return page


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def said(page: Page, text: str) -> None:
    page.get_by_text(f"said={text}", exact=True).wait_for()


def chosen(page: Page) -> list[str]:
    return page.locator(".sentence.chosen").all_inner_texts()


def here(page: Page, passage: str) -> None:
    """Wait until the keyboard is at a passage."""
    page.locator(f".passage.here[data-id='{passage}']:focus").wait_for()


def test_y_chooses_the_likeliest_sentence_which_keys_widen_and_narrow(judge: Page) -> None:
    press(judge, "y")
    assert chosen(judge) == ["The driver signs the slip."]
    press(judge, "ArrowRight")
    assert chosen(judge) == ["The driver signs the slip.", "Ask for a copy!"]
    press(judge, "Shift+ArrowLeft")
    assert len(chosen(judge)) == 3
    press(judge, "Shift+ArrowRight", "Shift+ArrowRight", "Shift+ArrowRight")
    assert chosen(judge) == ["Ask for a copy!"]  # at least one stays
    press(judge, "ArrowLeft", "ArrowDown", "ArrowDown", "ArrowDown")
    assert chosen(judge) == ["Bring it along."]
    press(judge, "ArrowUp", "-", "+", "Enter")
    said(judge, "one 2 3 0 Ask for a copy! Bring it along.")
    assert judge.locator(".verdict.yes").inner_text() == "✓ answers"
    here(judge, "two")  # on to the next that nobody has judged


def test_what_it_counts_as_is_changed_by_key(judge: Page) -> None:
    press(judge, "y", "t")
    judge.get_by_role("button", name="Counts as a need of its own; change").wait_for()
    press(judge, "Enter")
    said(judge, "one 1 1 1 The driver signs the slip.")


def test_escape_leaves_the_choice_and_the_other_keys_say_what_they_say(
    judge: Page, settled: Settled
) -> None:
    press(judge, "y", "Escape")
    assert chosen(judge) == []
    press(judge, "j", "j", "k")
    here(judge, "two")
    press(judge, "n")
    said(judge, "no two")
    here(judge, "three")
    settled(judge)
    for key, what in (("s", "skip"), ("0", "nothing"), ("u", "undo"), ("Shift+U", "redo")):
        press(judge, key)
        said(judge, what)
        settled(judge)


def test_the_mouse_can_do_the_same(judge: Page, settled: Settled) -> None:
    judge.get_by_role("button", name="This answers it").click()
    sentences = judge.locator(".sentence")
    sentences.nth(0).click()
    sentences.nth(2).click(modifiers=["Shift"])
    assert len(chosen(judge)) == 3
    judge.get_by_role("button", name="narrow the end").click()
    judge.get_by_role("button", name="Take these sentences").click()
    said(judge, "one 0 1 0 💶 Refunds take a month. The driver signs the slip.")
    settled(judge)
    judge.get_by_role("button", name="does not answer").click()
    said(judge, "no two")


def test_text_from_documents_is_shown_as_it_is(judge: Page) -> None:
    press(judge, "j")
    text = judge.locator(".passage.here .text").inner_text()
    assert "<script>document.title='owned'</script>" in text
    assert judge.locator(".passage.here .section").inner_text() == "Billing › <i>Refunds</i>"
    assert judge.locator(".passage script, .passage img, .passage a, .passage b").count() == 0
    assert judge.title() == "gallery"


def test_a_hit_of_the_board_is_judged_by_key_and_by_button(
    gallery: str, visit: Visit, settled: Settled, at_rest: AtRest
) -> None:
    page = visit(gallery, "?part=board")
    card = page.get_by_role("listbox", name="Vector").get_by_role("option").first
    size = at_rest(page, card)
    card.focus()
    press(page, "j", "y")
    page.get_by_text("judged=('vector', 'cosine-refund-a', True)").wait_for()
    settled(page)
    assert page.locator(".card:focus .rank").inner_text() == "2"
    press(page, "n")
    page.get_by_text("judged=('vector', 'cosine-refund-a', False)").wait_for()
    settled(page)
    card.hover()
    card.get_by_role("button", name="This answers it").click()
    page.get_by_text("judged=('vector', 'cosine-invoice', True)").wait_for()
    settled(page)
    assert card.get_attribute("aria-selected") == "false"  # judging opens nothing
    assert card.bounding_box() == size
