"""The Corpus page in a browser: files in, rows ticked, a document read."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

import pytest

from ragdebug import Workbench

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.browser


def pdf(pages: int) -> bytes:
    """A PDF whose pages say their number."""
    canvas = pytest.importorskip("reportlab.pdfgen.canvas")
    buffer = io.BytesIO()
    drawn = canvas.Canvas(buffer)
    for n in range(1, pages + 1):
        drawn.drawString(72, 720, f"This is sheet {n} of the manual about kettles.")
        for line in range(30):
            drawn.drawString(72, 690 - 18 * line, f"Line {line} of sheet {n} tells of water.")
        drawn.showPage()
    drawn.save()
    return buffer.getvalue()


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four documents."""
    folder: Path = tmp_path_factory.mktemp("corpus") / "work"
    files = [
        ("a.txt", b"Apples are red."),
        ("b.txt", b"Beans are green."),
        ("c.txt", b"Carrots: <b>not bold</b> $x^2$ :smile:"),
        ("manual.pdf", pdf(40)),
    ]
    with Workbench(folder) as wb:
        wb.ingest_files(files)
        wb.build("structure:220/40", "all-MiniLM-L6-v2")  # so that no job runs beside the tests
    return folder


def document(page: Page) -> Locator:
    """The text that is open."""
    return page.get_by_role("textbox", name="Document text")


def test_a_ticked_row_opens_its_document_and_never_passes_on_to_another(
    app: Callable[[Path], str],
    visit: Callable[..., Page],
    settled: Callable[[Page], None],
    workspace: Path,
    click_row: Callable[..., None],
) -> None:
    page = visit(app(workspace), "Corpus")
    table = page.get_by_test_id("stDataFrame").first
    click_row(page, table, 2)
    document(page).get_by_text("Beans are green.").wait_for()
    field = page.get_by_placeholder("Find in names", exact=False)
    field.fill("c.txt")
    field.press("Enter")
    settled(page)
    document(page).get_by_text("Beans are green.").wait_for()
    click_row(page, table, 1)
    document(page).get_by_text("<b>not bold</b> $x^2$ :smile:").wait_for()
    page.wait_for_url(lambda url: "doc=" in url)


def test_a_deep_link_stays_where_it_points(
    app: Callable[[Path], str],
    visit: Callable[..., Page],
    settled: Callable[[Page], None],
    workspace: Path,
) -> None:
    from playwright.sync_api import expect

    with Workbench(workspace) as wb:
        found = next(d for d in wb.documents() if d.source == "manual.pdf")
        start = wb.document(found.id).parsed.pages[29].start
    page = visit(app(workspace), f"Corpus?doc={found.id}&at={start}")
    document(page).get_by_text("This is sheet 30 of").wait_for()
    picture = page.get_by_label("Page", exact=True)
    expect(picture).to_have_value("30")
    settled(page)
    expect(picture).to_have_value("30")
    assert f"doc={found.id}" in page.url
    page.get_by_label("Go to page").fill("5")
    page.get_by_label("Go to page").press("Enter")
    document(page).get_by_text("This is sheet 5 of").wait_for()
    expect(picture).to_have_value("5")
    settled(page)
    picture.fill("12")
    picture.press("Enter")
    document(page).get_by_text("This is sheet 12 of").wait_for()


def test_files_are_uploaded_together_and_the_bad_one_is_named(
    app: Callable[[Path], str], visit: Callable[..., Page], tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("uploads")
    for name, text in (("x.md", "# Xylophones"), ("y.txt", "Yachts."), ("z.pdf", "no pdf")):
        (folder / name).write_text(text)
    page = visit(app(folder / "work"), "Corpus")
    page.locator("input[type=file]").set_input_files(
        [folder / "x.md", folder / "y.txt", folder / "z.pdf"]
    )
    page.get_by_role("button", name="Add 3 files").click()
    page.get_by_text("2 added, 1 failed").wait_for()
    page.get_by_text("z.pdf: this is not a PDF").wait_for()


def test_a_passage_that_is_marked_is_searched_for_with_its_question(
    app: Callable[[Path], str], visit: Callable[..., Page], workspace: Path
) -> None:
    from playwright.sync_api import expect

    with Workbench(workspace) as wb:
        apples = wb.resolve("a.txt")
    page = visit(app(workspace), f"Corpus?doc={apples.id}")
    text = document(page)
    text.get_by_text("Apples are red.").wait_for()
    text.focus()
    page.keyboard.press("Control+Home")
    for _ in "Apples":
        page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("“Apples”").wait_for()
    # The passage stays marked in the text that is asked about.
    page.locator(".run.evidence, .evidence").get_by_text("Apples", exact=True).first.wait_for()
    question = dialog.get_by_role("textbox", name="The question that this passage answers")
    question.fill("what is red?")
    question.press("Enter")
    page.wait_for_url("**/Search?*")
    page.get_by_text("Held by 1 chunk", exact=False).wait_for()
    page.wait_for_url(lambda url: f"{apples.id}@{apples.version[:8]}:0-6" in unquote(url))
    expect(page.get_by_role("textbox", name="Query")).to_have_value("what is red?")
