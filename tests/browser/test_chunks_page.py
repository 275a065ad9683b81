"""The Chunks page in a browser: cuts, clicks, the open chunk."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ragdebug import Workbench

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

SENTENCE = "The kettle is filled with cold water up to the mark and switched on. "


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One handbook."""
    folder: Path = tmp_path_factory.mktemp("chunks") / "work"
    text = "# Handbook\n\n" + "\n\n".join(f"## Part {n}\n\n{SENTENCE * 6}" for n in range(1, 9))
    with Workbench(folder) as wb:
        wb.ingest_files([("handbook.md", text.encode())])
    return folder


def test_a_clicked_chunk_shows_what_is_indexed_and_is_in_the_url(
    app: Callable[[Path], str], visit: Callable[..., Page], workspace: Path
) -> None:
    page = visit(app(workspace), "Chunks?size=100&overlap=0")
    page.locator(".chunk-bar.main").nth(2).click()
    page.get_by_text("What is embedded and indexed", exact=False).wait_for()
    page.locator(".passage .label, .label").get_by_text(
        "Handbook > Part", exact=False
    ).first.wait_for()
    page.wait_for_url(lambda url: "chunk=" in url)
    friend = visit(page.url.rsplit("/", 1)[0], page.url.rsplit("/", 1)[1])
    friend.get_by_text("What is embedded and indexed", exact=False).wait_for()


def test_cuts_of_the_second_chunking_inside_the_expected_passage_are_red(
    app: Callable[[Path], str],
    visit: Callable[..., Page],
    settled: Callable[[Page], None],
    workspace: Path,
) -> None:
    with Workbench(workspace) as wb:
        info = wb.documents()[0]
        cut = wb.chunk_document(info.id, "fixed:200/0")[1].start
    page = visit(
        app(workspace),
        f"Chunks?compare=true&expect={info.id}@{info.version[:8]}:{cut - 20}-{cut + 20}",
    )
    page.locator(".cut.other.tears").first.wait_for(state="attached")
    settled(page)
    assert page.locator(".cut.tears").count() == 1
    page.locator(".chunk-bar.other").nth(1).click()
    page.get_by_text("of B of", exact=False).wait_for()


def test_a_slider_redraws_the_cuts(
    app: Callable[[Path], str],
    visit: Callable[..., Page],
    settled: Callable[[Page], None],
    workspace: Path,
) -> None:
    from playwright.sync_api import expect

    page = visit(app(workspace), "Chunks?overlap=0")
    bars = page.locator(".chunk-bar.main")
    bars.first.wait_for(state="attached")
    settled(page)
    before = bars.count()
    page.get_by_role("slider", name="Size").press("Home")
    expect(bars.nth(before)).to_be_attached()  # one more at least
