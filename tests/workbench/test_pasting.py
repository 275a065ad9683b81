"""A better text of a page: found at once, kept when the file is read anew, gone when taken away."""

from __future__ import annotations

from pathlib import Path

import pytest
from pypdf import PdfReader, PdfWriter

from ragdebug import Workbench
from ragdebug.documents.pasted import LEFT_OUT
from ragdebug.errors import InvalidSetting
from ragdebug.places import sample_folder

MANUAL = sample_folder() / "manuals" / "kw480-service-manual.pdf"
EMPTY = 6  # its page without a text layer
WORDS = "The rotary valve is greased with white paste every ninth month."


@pytest.fixture
def manual(wb: Workbench, folder: Path) -> str:
    """Id of a PDF with a page without a text layer, beside which another file stands."""
    (folder / "manual.pdf").write_bytes(MANUAL.read_bytes())
    (folder / "other.txt").write_text("Another file.", "utf-8")
    wb.ingest([folder])
    return wb.resolve("manual.pdf").id


def codes(wb: Workbench, document: str) -> set[tuple[str, int | None]]:
    return {(w.code, w.page) for w in wb.info(document).warnings}


def test_a_pasted_page_is_searched_and_the_version_before_stays(wb: Workbench, manual: str) -> None:
    before = wb.document(manual)
    assert wb.why(query="grease", quote=WORDS, source="manual.pdf", strategy="bm25").stage == (
        "not_in_corpus"
    )
    wb.paste_page(manual, EMPTY, f"  {WORDS}\n")
    after = wb.document(manual)
    page = after.parsed.pages[EMPTY - 1]
    assert after.text[page.start : page.end].strip() == WORDS
    assert wb.document(manual, before.version).text == before.text
    assert wb.original(manual) == ("manual.pdf", MANUAL.read_bytes())
    report = wb.why(query="white paste", quote=WORDS, strategy="bm25")
    assert report.stage == "delivered"
    assert ("no_text_layer", EMPTY) not in codes(wb, manual)
    assert wb.pasted_pages(manual) == (EMPTY,)


def test_it_is_there_again_when_the_file_is_read_anew(
    wb: Workbench, manual: str, folder: Path
) -> None:
    wb.paste_page(manual, EMPTY, WORDS)
    pasted = wb.document(manual)
    (folder / "manual.pdf").write_bytes(MANUAL.read_bytes() + b"\n% a comment\n")
    wb.ingest([folder])
    assert wb.document(manual).text == pasted.text
    wb.paste_page(manual, 1, "Only this is on the first page.")
    wb.paste_page(manual, EMPTY, "")
    assert wb.pasted_pages(manual) == (1,)
    assert WORDS not in wb.document(manual).text
    wb.paste_page(manual, 1, "")
    parsed = wb.document(manual).parsed
    assert (parsed.parser, wb.pasted_pages(manual)) == ("pdf/1", ())
    assert ("no_text_layer", EMPTY) in codes(wb, manual)
    assert all(code != LEFT_OUT for code, _ in codes(wb, manual))


def test_a_file_with_other_pages_leaves_it_out_and_says_so(
    wb: Workbench, manual: str, folder: Path
) -> None:
    wb.paste_page(manual, EMPTY, WORDS)
    turned = PdfWriter()
    for page in reversed(PdfReader(MANUAL).pages):
        turned.add_page(page)
    turned.write(folder / "manual.pdf")
    wb.ingest([folder])
    assert (LEFT_OUT, EMPTY) in codes(wb, manual)
    assert WORDS not in wb.document(manual).text


def test_purging_forgets_the_words(wb: Workbench, manual: str) -> None:
    wb.paste_page(manual, EMPTY, WORDS)
    wb.purge([manual])
    assert WORDS not in str(wb.store.settings.all())


def test_a_page_that_is_not_there_is_refused(wb: Workbench, manual: str) -> None:
    with pytest.raises(InvalidSetting, match="no page 99"):
        wb.paste_page(manual, 99, WORDS)
    with pytest.raises(InvalidSetting, match="no page 1"):
        wb.paste_page(wb.resolve("other.txt").id, 1, WORDS)
    assert wb.pasted_pages(manual) == ()
