"""A list of another system, pasted on the Search page, in a browser."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ragdebug import Workbench

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.browser

Visit = Callable[..., "Page"]
Settled = Callable[["Page"], None]
ASKED = "Search?q=paid+money&columns=bm25,bm25%2Bk1%3D2"  # needs no model
PASTED = {
    "hits": [
        {"id": "harbour.md", "score": 0.9},
        {"text": "Money is paid back within thirty days.", "score": 0.8},
        {"text": "Nobody wrote <b>this</b> here.", "source": "gone.md", "score": 0.7},
        {"id": "chunk-4711", "score": 0.6},
    ]
}


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pasted")
    docs = folder / "docs"
    docs.mkdir()
    (docs / "refunds.md").write_text("# Refunds\n\nMoney is paid back within thirty days.\n")
    (docs / "harbour.md").write_text("# Fees\n\nThe harbour fee is due when money is paid.\n")
    with Workbench(folder / "workspace") as wb:
        wb.ingest([docs])
    return folder / "workspace"


@pytest.fixture(scope="module")
def address(app: Callable[[Path], str], workspace: Path) -> str:
    return app(workspace)


def opened(page: Page, settled: Settled) -> Locator:
    page.get_by_role("option").first.wait_for()
    settled(page)
    page.get_by_role("button", name="Column", exact=False).first.click()
    page.get_by_role("button", name="Paste a list").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("What another system returned for: paid money").wait_for()
    return dialog


def paste(dialog: Locator, text: str) -> None:
    field = dialog.locator("textarea")
    field.fill(text)
    field.press("Control+Enter")


def test_a_pasted_list_becomes_a_column_that_a_link_keeps(
    address: str, visit: Visit, settled: Settled
) -> None:
    from playwright.sync_api import expect

    page = visit(address, ASKED)
    dialog = opened(page, settled)
    paste(dialog, json.dumps(PASTED))
    dialog.get_by_text("4 hits: ids, texts, sources, scores; 2 placed.").wait_for()
    dialog.get_by_role("textbox", name="Call it").fill("prod")
    dialog.get_by_role("button", name="Add the column").click()
    page.locator(".head").filter(has_text="prod").wait_for()
    head = page.locator(".head").first
    expect(head).to_contain_text("as returned")
    expect(head).to_contain_text("2 of 4 not placed")
    page.wait_for_url(lambda url: "columns=list%3Aprod" in url)
    expect(page.locator(".card").filter(has_text="not placed")).to_have_count(2)
    page.get_by_text("Nobody wrote <b>this</b> here.").first.click()
    page.get_by_text("the document is not here").wait_for()
    expect(page.get_by_role("button", name="Expect this")).to_be_disabled()
    page.get_by_text("only that system can tell").wait_for()
    settled(page)

    other = visit(address, page.url.removeprefix(f"{address}/"))
    other.get_by_text("the document is not here").wait_for()
    expect(other.locator(".head").first).to_contain_text("prod")


def test_what_cannot_be_read_says_so_and_adds_nothing(
    address: str, visit: Visit, settled: Settled
) -> None:
    from playwright.sync_api import expect

    page = visit(address, ASKED)
    dialog = opened(page, settled)
    paste(dialog, '{"hits": [')
    dialog.get_by_text("It begins like JSON and cannot be read as JSON.").wait_for()
    expect(dialog.get_by_role("button", name="Add the column")).to_be_disabled()
    paste(dialog, "")
    dialog.get_by_text("It begins like JSON").wait_for(state="detached")
    settled(page)
    dialog.get_by_role("button", name="Read it").click()
    dialog.get_by_text("Nothing is pasted yet.").wait_for()
    expect(dialog.get_by_role("button", name="Add the column")).to_be_disabled()


def test_a_hit_that_stands_nowhere_is_no_label(
    address: str, workspace: Path, visit: Visit, settled: Settled
) -> None:
    with Workbench(workspace) as wb:
        wb.paste_list("paid money", '["chunk-1", "chunk-2"]', "ids")
    page = visit(address, "Search?q=paid+money&columns=list:ids,bm25")
    card = page.locator(".card").filter(has_text="chunk-1")
    card.click()
    page.get_by_text("nothing here has this id").wait_for()
    settled(page)
    card.press("y")
    page.get_by_text("It stands nowhere in the documents").wait_for()
    settled(page)
    assert not page.get_by_text("Which sentences answer it?").count()


def test_a_list_is_traced_and_turned(address: str, workspace: Path, visit: Visit) -> None:
    with Workbench(workspace) as wb:
        wb.paste_list("who pays", '["The harbour fee is due when money is paid."]', "trace")
        place = wb.find_quote("paid back within thirty days")
        question = wb.add_question("who pays", [need(place)])
    page = visit(address, f"Trace?question={question.id}&strategy=list:trace&remedies=true")
    page.get_by_text("What stands below them cannot be known.").first.wait_for()
    page.get_by_text("below 1: cannot know").wait_for()
    page.get_by_text("only k, minimum score, filter and budget can be turned here").wait_for()
    page.get_by_text("recall@5").first.wait_for()


def need(places: tuple[object, ...]) -> object:
    from ragdebug.questions import Label, Need

    return Need(tuple(Label(p) for p in places))  # type: ignore[arg-type]
