"""The document view in a browser: marking, picking, finding, long documents."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import FloatRect, Locator, Page

pytestmark = pytest.mark.browser

Visit = Callable[..., "Page"]
Settled = Callable[["Page"], None]
AtRest = Callable[["Page", "Locator"], "FloatRect"]


def marked(page: Page) -> tuple[tuple[int, int], str]:
    """The range and the text that Python was told."""
    line = page.get_by_text(re.compile(r"^marked=\(")).inner_text()
    found = re.match(r"marked=(\(\d+, \d+\)) text=(.*)", line, re.DOTALL)
    assert found
    return ast.literal_eval(found[1]), ast.literal_eval(found[2])


@pytest.fixture
def document(gallery: str, visit: Visit) -> Page:
    """The gallery's short document, drawn."""
    page = visit(gallery, "?part=document")
    page.locator(".line", has_text="Who decides").wait_for()
    return page


@pytest.fixture
def long(gallery: str, visit: Visit) -> Page:
    """The gallery's document of 2,000 pages, drawn."""
    page = visit(gallery, "?part=long")
    page.get_by_text("Page 1 of the long handbook").wait_for()
    return page


def put_cursor(page: Page, before: str) -> None:
    """Set the cursor in front of a piece of text that stands in one run, as a click would."""
    page.evaluate(
        """(piece) => {
            const find = (root) => {
                const walker = document.createTreeWalker(root, NodeFilter.SHOW_ALL);
                while (walker.nextNode()) {
                    const node = walker.currentNode;
                    if (node.shadowRoot) { const hit = find(node.shadowRoot); if (hit) return hit; }
                    const text = node.nodeType === 3 && node.parentElement.closest('.text');
                    if (text && node.data.includes(piece)) return [node, node.data.indexOf(piece)];
                }
            };
            const [node, offset] = find(document.body);
            node.parentElement.closest('.text').focus();
            const root = node.getRootNode();
            (root.getSelection?.() ?? document.getSelection()).collapse(node, offset);
        }""",
        before,
    )


@pytest.mark.parametrize(
    ("before", "key", "presses", "expected"),
    [
        ("💶", "Shift+ArrowRight", 1, "💶"),
        ("👨\u200d👩", "Shift+ArrowRight", 1, "👨\u200d👩\u200d👧\u200d👦"),
        ("fe\u0301)", "Shift+ArrowRight", 2, "fe\u0301"),
        (") are valid", "Shift+ArrowLeft", 1, "e\u0301"),
        ("שלום", "Shift+ArrowLeft", 4, "שלום"),
    ],
    ids=["emoji", "joined emoji", "combining mark", "backwards", "right to left"],
)
def test_text_marked_by_keyboard_is_right(
    document: Page, settled: Settled, before: str, key: str, presses: int, expected: str
) -> None:
    page = document
    put_cursor(page, before)
    for _ in range(presses):
        page.keyboard.press(key)
    page.keyboard.press("Enter")
    settled(page)
    (start, end), text = marked(page)
    assert text == expected
    assert end - start == len(expected)


def test_text_marked_by_mouse_is_the_text_that_was_dragged_over(
    document: Page, settled: Settled, at_rest: AtRest
) -> None:
    page = document
    box = at_rest(page, page.locator(".run", has_text="- Gift cards cannot be").first)
    page.mouse.move(box["x"] + 1, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] - 1, box["y"] + box["height"] / 2, steps=5)
    page.mouse.up()
    page.get_by_role("button", name="Use as expected passage").click()
    settled(page)
    _, text = marked(page)
    assert text == "- Gift cards cannot be"


def test_marked_text_after_emoji_keeps_its_offsets(document: Page, settled: Settled) -> None:
    page = document
    put_cursor(page, "counts as one article")
    page.keyboard.press("Shift+End")
    page.keyboard.press("Enter")
    settled(page)
    _, text = marked(page)
    assert text == "counts as one article."


def test_a_click_picks_the_chunk_under_it_and_keeps_the_place(
    document: Page, settled: Settled, at_rest: AtRest
) -> None:
    page = document
    at_rest(page, page.locator(".run", has_text="above 500 are decided"))
    pane = page.locator(".pane")
    before = pane.evaluate("node => node.scrollTop")
    assert before > 0
    page.locator(".run", has_text="above 500 are decided").click()
    page.get_by_text(re.compile(r"^picked='c\d+'$")).wait_for()
    page.locator(".run.selected").first.wait_for()
    settled(page)
    assert abs(pane.evaluate("node => node.scrollTop") - before) < 2


def test_enter_picks_the_chunk_at_the_cursor(document: Page, settled: Settled) -> None:
    page = document
    put_cursor(page, "are available within 30 days")
    page.keyboard.press("Enter")
    page.get_by_text("picked='c0'", exact=True).wait_for()


def test_nothing_can_be_typed_pasted_or_cut(document: Page) -> None:
    page = document
    text = page.locator(".text")
    before = text.inner_text()
    put_cursor(page, "are available within 30 days")
    page.keyboard.type("x y")
    page.keyboard.press("Backspace")
    page.keyboard.press("Delete")
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.press("ControlOrMeta+x")
    page.keyboard.press("ControlOrMeta+v")
    assert text.inner_text() == before


def test_hostile_text_is_shown_and_never_acts(document: Page) -> None:
    page = document
    shown = page.locator(".text").inner_text()
    for piece in (
        "<script>document.title='owned'</script>",
        "<b>bold?</b>",
        "[go](javascript:document.title='owned')",
        "~~kept~~ :red[colour] :smile:",
        "a < b && c > d &amp; &lt;i&gt;",
    ):
        assert piece in shown
    assert page.title() == "gallery"
    assert page.locator(".text a, .text img, .text script, .text b").count() == 0


def test_a_find_counts_all_matches_and_steps_through_them(long: Page, settled: Settled) -> None:
    from playwright.sync_api import expect

    page = long
    find, count = page.get_by_label("Find in text"), page.locator(".finder .count")
    find.fill("VALVE 10505")
    page.locator(".run.current", has_text="valve 10505").wait_for()
    expect(count).to_have_text("1 of 1")
    expect(page.get_by_label("Go to page")).to_have_value("1500")
    find.fill("paragraph")
    count.get_by_text("of 20,000").wait_for()
    settled(page)
    first = int(count.inner_text().split()[0].replace(",", ""))
    find.press("Enter")
    count.get_by_text(f"{first + 1:,} of").wait_for()
    find.press("Shift+Enter")
    count.get_by_text(f"{first:,} of").wait_for()
    find.fill("no such words")
    count.get_by_text("not found").wait_for()


def test_two_thousand_pages_are_reached_by_number_and_by_scrolling(
    long: Page, settled: Settled
) -> None:
    from playwright.sync_api import expect

    page = long
    assert page.locator(".line").count() < 2000
    number = page.get_by_label("Go to page")
    number.fill("1999")
    number.press("Enter")
    page.get_by_text("Page 1999 of the long handbook").wait_for()
    page.get_by_role("button", name="Next page").click()
    page.get_by_text("Page 2000 of the long handbook").wait_for()
    number.fill("1")
    number.press("Enter")
    page.get_by_text("Page 1 of the long handbook").wait_for()
    settled(page)
    before = page.locator(".line").first.text_content()
    pane = page.locator(".pane")
    pane.evaluate("node => node.scrollTo(0, node.scrollHeight)")
    page.wait_for_function(
        "([pane, was]) => pane.querySelector('.line').textContent !== was",
        arg=[pane.element_handle(), before],
    )
    expect(number).not_to_have_value("1")
    settled(page)
    at = int(number.input_value())
    pane.evaluate("node => node.scrollBy(0, 3000)")
    page.wait_for_function(
        "([field, was]) => Number(field.value) > was + 2", arg=[number.element_handle(), at]
    )


def test_the_text_stays_under_the_eye_when_more_is_fetched(long: Page, settled: Settled) -> None:
    page = long
    page.get_by_label("Go to page").fill("700")
    page.get_by_label("Go to page").press("Enter")
    page.get_by_text("Page 700 of the long handbook").wait_for()
    settled(page)
    pane = page.locator(".pane")
    top = """node => {
        const box = node.getBoundingClientRect();
        const lines = [...node.querySelectorAll('.line')].filter((l) => l.textContent);
        const line = lines.find((l) => l.getBoundingClientRect().top >= box.top);
        return [line.textContent, Math.round(line.getBoundingClientRect().top - box.top)];
    }"""
    # At once, before more of the text can have come.
    before, first = pane.evaluate(
        f"""node => {{
            node.scrollTop = node.scrollHeight - node.clientHeight - 850;
            return [({top})(node), node.querySelector('.text').textContent.slice(0, 300)];
        }}"""
    )
    page.wait_for_function(
        "([pane, was]) => pane.querySelector('.text').textContent.slice(0, 300) !== was",
        arg=[pane.element_handle(), first],
    )
    settled(page)
    after = pane.evaluate(top)
    assert after[0] == before[0]
    assert abs(after[1] - before[1]) <= 2


def test_an_order_to_scroll_reaches_the_passage(long: Page, settled: Settled) -> None:
    from playwright.sync_api import expect

    page = long
    page.get_by_role("button", name="Go to the evidence").click()
    evidence = page.locator(".run.evidence", has_text="Paragraph 1500.5")
    evidence.wait_for()
    settled(page)
    expect(evidence).to_be_in_viewport()
    box, pane = evidence.bounding_box(), page.locator(".pane").bounding_box()
    assert box and pane
    assert pane["y"] < box["y"] < pane["y"] + pane["height"]


def test_letters_typed_into_the_find_box_are_not_shortcuts_of_the_app(
    long: Page, settled: Settled
) -> None:
    page = long
    page.get_by_label("Find in text").press_sequentially("rc c r")
    settled(page)
    assert page.get_by_role("dialog").count() == 0
    assert page.get_by_label("Find in text").input_value() == "rc c r"
