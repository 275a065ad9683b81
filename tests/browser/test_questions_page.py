"""The Questions page in a browser: keys, marking, links, labels from a search."""

from __future__ import annotations

from collections.abc import Callable, Iterator
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
SENTENCE = "Money is paid back within thirty days."
HOSTILE = "<b>who</b> <img src=x onerror=\"document.title='owned'\"> **pays** $x^2$ :smile:?"
LEXICAL = quote("bm25,bm25+k1=2")  # needs no model


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("questions")
    (folder / "docs").mkdir()
    (folder / "docs" / "refunds.md").write_text(
        f"# Refunds\n\n{SENTENCE} The driver signs the slip. Ask the office for a copy.\n\n"
        "## After a year\n\nOnly the months that have not begun are paid back.\n",
        "utf-8",
    )
    (folder / "docs" / "fees.md").write_text("# Fees\n\nThe harbour fee is due at once.\n", "utf-8")
    with Workbench(folder / "workspace") as wb:
        wb.ingest([folder / "docs"])
    return folder / "workspace"


@pytest.fixture
def wb(workspace: Path) -> Iterator[Workbench]:
    """The same workspace from another process, emptied of questions."""
    with Workbench(workspace) as opened:
        opened.remove_questions([q.id for q in opened.questions()])
        yield opened


@pytest.fixture
def address(app: Callable[[Path], str], workspace: Path) -> str:
    return app(workspace)


def press(page: Page, settled: Settled, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)
    settled(page)


def test_lines_are_pasted_and_labelled_by_keys_alone(
    address: str, wb: Workbench, visit: Visit, settled: Settled
) -> None:
    page = visit(address, "Questions")
    page.get_by_role("textbox", name="Questions, one a line").fill(
        "money paid back?\nharbour fee?\nthe moon?"
    )
    page.get_by_role("button", name="Add these lines").click()
    page.get_by_role("button", name="Label the next one").click()
    page.locator(".passage:focus").wait_for()
    settled(page)
    press(page, settled, "y", "ArrowRight", "Enter")
    page.locator(".verdict.yes").wait_for()
    press(page, settled, "s")
    page.get_by_role("heading", name="harbour fee?").wait_for()
    settled(page)
    page.locator(".passage:focus").wait_for()
    press(page, settled, "n")
    page.locator(".verdict.no").wait_for()
    press(page, settled, "u")
    page.locator(".verdict.no").wait_for(state="detached")
    press(page, settled, "0")
    page.get_by_role("heading", name="the moon?").wait_for()
    settled(page)
    one, two, three = wb.questions()
    assert one.needs[0].labels[0].place.quote == f"{SENTENCE} The driver signs the slip."
    assert two.not_answerable
    assert two.rejected == ()
    assert three.state == "unlabelled"


def test_a_question_opens_by_click_and_by_link_and_j_k_esc_lead_on(
    address: str,
    wb: Workbench,
    visit: Visit,
    settled: Settled,
    click_row: Callable[..., None],
) -> None:
    from playwright.sync_api import expect

    first, second = wb.add_lines(f"{HOSTILE}\nsecond question")
    page = visit(address, "Questions")
    click_row(page, page.get_by_test_id("stDataFrame").first, 1, x=200)
    page.get_by_role("button", name="All questions").wait_for()
    settled(page)
    page.wait_for_url(lambda url: f"question={first.id}" in url)
    heading = page.get_by_test_id("stMain").get_by_role("heading", level=3)
    assert heading.inner_text().replace("\u2060", "") == HOSTILE  # it keeps codes apart
    expect(page).to_have_title("Questions · ragdebug")
    press(page, settled, "j")
    page.get_by_role("heading", name="second question").wait_for()
    page.wait_for_url(lambda url: f"question={second.id}" in url)
    other = visit(address, page.url.removeprefix(f"{address}/"))
    other.get_by_role("heading", name="second question").wait_for()
    press(page, settled, "k")
    heading.filter(has_text="<b>who</b>").wait_for()
    settled(page)
    press(page, settled, "Escape")
    page.get_by_role("button", name="Label the next one").wait_for()
    page.wait_for_url(lambda url: "question=" not in url)
    settled(other)
    assert second.id in other.url


def test_words_marked_in_a_document_become_a_need_and_a_further_place(
    address: str, wb: Workbench, visit: Visit, settled: Settled, at_rest: AtRest
) -> None:
    (one,) = wb.add_lines("who signs what?")
    page = visit(address, f"Questions?question={one.id}")
    page.get_by_text("Choose the document in which").wait_for()
    page.get_by_role("combobox", name="Document").click()
    page.get_by_role("option", name="refunds.md").click()
    text = page.get_by_role("textbox", name="Document text")

    def mark(words: str) -> None:
        box = at_rest(page, text.get_by_text(words))
        page.mouse.click(box["x"] + 4, box["y"] + 8)
        page.keyboard.press("Home")
        page.keyboard.press("Shift+End")
        page.get_by_role("button", name="This answers it").wait_for()
        page.keyboard.press("Enter")
        settled(page)

    mark("Only the months")
    page.get_by_text("Answered by").wait_for()
    mark("The driver signs")
    page.get_by_text("any of 2 places").wait_for()
    (need,) = wb.question(one.id).needs
    assert need.labels[0].place.quote == "Only the months that have not begun are paid back."
    assert "The driver signs the slip." in need.labels[1].place.quote
    assert [x.origin for x in need.labels] == ["marked", "marked"]


def test_y_on_a_hit_of_a_search_marks_sentences_and_gives_the_keyboard_back(
    address: str, wb: Workbench, visit: Visit, settled: Settled, at_rest: AtRest
) -> None:
    from playwright.sync_api import expect

    page = visit(address, f"Search?q=money+paid+back&columns={LEXICAL}")
    card = page.locator(".card", has_text="thirty days").first
    before = at_rest(page, card)
    card.focus()
    press(page, settled, "y")
    page.get_by_text("Which sentences answer it?").wait_for()
    page.locator(".passage:focus").wait_for()
    expect(page.locator(".sentence.chosen")).to_have_text(SENTENCE)
    settled(page)
    page.keyboard.press("Enter")
    page.get_by_text("Which sentences answer it?").wait_for(state="detached")
    page.locator(".card .verdict.yes").first.wait_for()
    page.locator(".card:focus").wait_for()
    page.evaluate("document.querySelector('[data-testid=stMain]').scrollTo(0, 0)")
    after = at_rest(page, card)
    assert (after["x"], after["width"]) == (before["x"], before["width"])
    (question,) = wb.questions()
    assert question.text == "money paid back"
    assert question.needs[0].labels[0].place.quote == SENTENCE

    page.get_by_role("button", name="Expect its label").click()
    page.get_by_role("button", name="Forget it").wait_for()
    settled(page)
    page.get_by_test_id("stMain").get_by_role("link", name="Question").click()
    page.get_by_role("heading", name="money paid back").wait_for()
    page.wait_for_url(lambda url: f"question={question.id}" in url)
