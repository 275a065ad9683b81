"""Names, titles and texts from outside on the real pages: all of it is seen, none of it acts.

That no page asks another machine for anything is checked by `visit` itself.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ragdebug import Workbench

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.browser

Visit = Callable[..., "Page"]
LINES = (
    "<script>document.title='taken'</script> <b>bold?</b>",
    '<img src=x onerror="document.title=1"> <a href="javascript:alert(1)">go</a>',
    "The heron costs ~0.5 or ~0.7, ~~struck~~ :red[warm] :smile: $a^2$ &amp; &quot;&lt;u&gt;",
    "[go](javascript:alert(1)) ![pic](https://tracker.invalid/p.png)",
    "# Large line",
)
NAME = "<img src=x onerror=alert(1)> **b** :red[c] $x$ ~~s~~.txt"
QUESTION = "why <b>heron</b> :red[now] $x^2$ ~~s~~?"
ACTIVE = "img[src='x'], img[src*='tracker'], a[href^='javascript'], .katex, del, s, script + b"


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One document, hostile from its name to its last line, and such a question."""
    folder: Path = tmp_path_factory.mktemp("hostile")
    (folder / "docs").mkdir()
    (folder / "docs" / NAME).write_text("\n".join(LINES), "utf-8")
    with Workbench(folder / "work") as wb:
        wb.ingest([folder / "docs"], metadata={"tenant": "<b>x</b> :red[y]"})
        wb.build("structure:220/40", "all-MiniLM-L6-v2")  # so that no job runs beside the tests
        wb.remember(QUESTION, {})
    return folder / "work"


@pytest.fixture
def pages(app: Callable[[Path], str], visit: Visit, workspace: Path) -> Callable[[str], Page]:
    """Open a page on the document."""
    with Workbench(workspace) as wb:
        document = wb.documents()[0].id

    def open_page(path: str) -> Page:
        return visit(app(workspace), path.format(document=document))

    return open_page


def acts(page: Page) -> int:
    """How many elements were made of the document's text."""
    return page.get_by_test_id("stMain").locator(ACTIVE).count()


def whole(page: Page) -> Locator:
    """The document's text, with every line as it was written and in one size."""
    text = page.get_by_role("textbox", name="Document text")
    text.get_by_text("The heron costs").wait_for()
    seen = text.inner_text()
    for line in LINES:
        assert line in seen
    large, small = (
        text.get_by_text(words).first.evaluate("n => getComputedStyle(n).fontSize")
        for words in ("Large line", "The heron costs")
    )
    assert large == small
    return text


def test_a_document_and_its_name_are_seen_as_they_are(pages: Callable[[str], Page]) -> None:
    page = pages("Corpus?doc={document}")
    whole(page)
    head = page.locator(".st-key-corpus_reader_head").inner_text()  # drawn before the text
    assert NAME in head.replace("\u2060", "")
    assert acts(page) == 0
    assert page.title() == "Corpus · ragdebug"


def test_chunks_are_seen_as_they_are(pages: Callable[[str], Page]) -> None:
    from playwright.sync_api import expect

    page = pages("Chunks?doc={document}")
    whole(page)
    expect(page.get_by_role("combobox", name="Document")).to_have_value(NAME)
    page.locator(".st-key-_next_A_chunk button").first.click()
    indexed = page.locator(".passage", has_text="The heron costs")
    seen = indexed.inner_text()  # waits until it is drawn
    for line in LINES:
        assert line in seen
    assert acts(page) == 0
    assert page.title() == "Chunks · ragdebug"


def test_a_question_asked_before_is_seen_as_it_is(pages: Callable[[str], Page]) -> None:
    page = pages("")
    page.get_by_text("heron").first.wait_for()
    shown = page.get_by_test_id("stMain").inner_text().replace("\u2060", "")
    assert QUESTION in shown
    assert acts(page) == 0
