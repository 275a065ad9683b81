"""What other readers see in a file, and what they may say of a quote."""

from __future__ import annotations

import gzip
import io

import docx
import pytest
from reportlab.pdfgen.canvas import Canvas

from ragdebug.documents.parse import parse
from ragdebug.documents.second_reader import folded, readings, second_reading


def pdf(*pages: str) -> bytes:
    target = io.BytesIO()
    canvas = Canvas(target)
    for page in pages:
        canvas.drawString(72, 700, page)
        canvas.showPage()
    canvas.save()
    return target.getvalue()


def test_pypdf_tells_the_page() -> None:
    data = pdf("Nothing here.", "The fee is 12 euros.", "The end.")
    found = second_reading(data, "fees.pdf", "the fee is  12 euros")
    assert found is not None
    assert (found.reader, found.page) == ("pypdf", 2)
    assert "The fee is 12 euros." in found.text


def test_a_sentence_may_run_over_the_end_of_a_page() -> None:
    found = second_reading(pdf("The fee is", "12 euros a year."), "fees.pdf", "fee is 12 euros")
    assert found is not None and found.page == 1


HTML = (
    b"<html><head><title>Fees</title></head><body><p>Shown.</p>"
    b"<div style='display:none'>The hidden fee is 7 euros.</div>"
    b"<img src='x.png' alt='A table of all fees'></body></html>"
)


@pytest.mark.parametrize("quote", ["hidden fee is 7", "table of all fees"])
def test_all_that_a_page_hides_is_read(quote: str) -> None:
    assert quote not in parse(HTML, "fees.html")[0].text
    found = second_reading(HTML, "fees.html", quote)
    assert found is not None and found.reader == "raw HTML"


def test_headers_and_comments_of_a_docx_are_read() -> None:
    document = docx.Document()
    document.add_paragraph("The body.")
    document.sections[0].header.paragraphs[0].text = "Valid until the end of March."
    target = io.BytesIO()
    document.save(target)
    data = target.getvalue()
    assert "March" not in parse(data, "fees.docx")[0].text
    found = second_reading(data, "fees.docx", "valid until the end of March")
    assert found is not None and found.reader == "DOCX header"


def test_text_in_another_encoding_is_read() -> None:
    text = "La cuota anual es de doce euros, sin excepci\u00f3n. \u041f\u043b\u0430\u0442\u0430"
    data = text.encode("cp1251", "replace")
    wrong = data.decode("cp1252", "replace")
    found = second_reading(data, "fees.txt", "\u041f\u043b\u0430\u0442\u0430", wrong)
    assert found is not None and found.reader == "read as cp1251"
    packed = second_reading(gzip.compress(data), "fees.txt.gz", "\u041f\u043b\u0430\u0442\u0430")
    assert packed is not None and packed.reader == "read as cp1251"


def test_words_that_a_parser_glued_are_told_from_words_it_has() -> None:
    data = pdf("The fee is due in March.")
    # The same reading says nothing new where the words stand apart in it only.
    glued = second_reading(data, "fees.pdf", "fee is due", "The feeisdue in March.")
    assert glued is not None and glued.reader == "pypdf"
    as_it_is = b"The feeisdue in March."
    assert second_reading(as_it_is, "fees.txt", "fee is due", as_it_is.decode()) is None


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (b"%PDF-1.7 broken", "a.pdf"),
        (b"PK\x03\x04word/document.xml", "a.docx"),
        (b"", "a.txt"),
        (b"\x1f\x8bbroken", "a.gz"),
        (b"The fee.", "a.txt"),
    ],
)
def test_a_file_that_cannot_be_read_says_nothing(data: bytes, name: str) -> None:
    assert second_reading(data, name, "The fee is 12 euros") is None


@pytest.mark.parametrize("quote", ["", "  ", "--"])
def test_a_quote_without_words_is_nowhere(quote: str) -> None:
    assert second_reading(b"-- -- --", "a.txt", quote) is None


def test_blanks_hyphens_case_and_typography_are_folded() -> None:
    assert folded("The \u201cre-\nfund\u201d\u00ad Isn\u2019t") == folded('the "refund" isn\'t')
    assert folded("\ufb01ve") == "five"
    assert folded("12 euros") != folded("13 euros")


def test_each_reading_is_of_one_reader() -> None:
    names = {r.reader for r in readings(b"caf\xe9", "a.txt")}
    assert "read as cp1252" in names and "read as utf-8" not in names
