"""Locked, damaged, lying and hostile PDFs."""

from __future__ import annotations

import io
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pypdf import PdfWriter

from ragdebug.documents.options import Limits, ParseOptions
from ragdebug.documents.pdf import parse_pdf
from ragdebug.documents.pdf_guard import has_lost_update, is_truncated
from ragdebug.errors import (
    CorruptDocument,
    DocumentError,
    DocumentTooLarge,
    EmptyDocument,
    EncryptedDocument,
)

SMALL = Limits(max_inflated_bytes=2_000_000, ratio_floor_bytes=500_000)


def locked(data: bytes, user: str, owner: str, algorithm: str = "AES-256") -> bytes:
    writer = PdfWriter(clone_from=io.BytesIO(data))
    writer.encrypt(user, owner, algorithm=algorithm)
    target = io.BytesIO()
    writer.write(target)
    return target.getvalue()


@pytest.fixture(scope="module")
def vault(pdfs):
    return pdfs.draw(pdfs.lines("The vault opens at noon."))


@pytest.mark.parametrize("algorithm", ["AES-256", "AES-128", "RC4-128"])
def test_a_locked_file_asks_for_its_password(vault, algorithm):
    data = locked(vault, "open sesame", "owner", algorithm)
    with pytest.raises(EncryptedDocument) as refused:
        parse_pdf(data, "locked.pdf")
    assert refused.value.message == "locked.pdf: password-protected, not read"
    with pytest.raises(EncryptedDocument, match="does not open it"):
        parse_pdf(data, "locked.pdf", ParseOptions(password="guess"))
    for password in ("open sesame", "owner"):
        parsed = parse_pdf(data, "locked.pdf", ParseOptions(password=password))
        assert parsed.text == "The vault opens at noon."


@pytest.mark.parametrize("password", ["", "of another file"])
def test_a_restriction_by_the_owner_alone_asks_for_nothing(vault, password):
    data = locked(vault, "", "owner")
    parsed = parse_pdf(data, "owner.pdf", ParseOptions(password=password))
    assert parsed.text == "The vault opens at noon."
    assert parse_pdf(vault, "open.pdf", ParseOptions(password=password)).text == parsed.text


def test_no_bytes_and_no_pdf():
    with pytest.raises(EmptyDocument, match=r"none\.pdf"):
        parse_pdf(b"", "none.pdf")
    for data in (b"<html>not here</html>", b"PK\x03\x04rest", b"\0" * 5000):
        with pytest.raises(CorruptDocument, match=r"lying\.pdf: this is not a PDF"):
            parse_pdf(data, "lying.pdf")


def test_a_file_that_is_cut_off(vault):
    for share in (0.3, 0.6, 0.95):
        with pytest.raises(CorruptDocument, match=r"cut\.pdf: this PDF is cut off"):
            parse_pdf(vault[: int(len(vault) * share)], "cut.pdf")


def test_a_web_file_that_is_cut_off_in_spite_of_its_early_end_mark():
    head = b"%PDF-1.5\n1 0 obj <</Linearized 1/L 5000/H[1 2]>> endobj startxref 0 %%EOF\n"
    assert is_truncated(head + b"x" * 100)
    assert not is_truncated(head + b"x" * 5000)


def test_a_later_save_that_was_cut_off_is_told(vault):
    data = vault + b"\n7 0 obj\n<</Type/Page"
    assert has_lost_update(data)
    assert not has_lost_update(vault)
    parsed = parse_pdf(data, "saved.pdf")
    assert parsed.text == "The vault opens at noon."
    assert [w.code for w in parsed.warnings] == ["truncated"]


def test_a_header_alone_is_damaged():
    with pytest.raises(CorruptDocument, match=r"odd\.pdf"):
        parse_pdf(b"%PDF-1.7\nnothing of use\nstartxref\n0\n%%EOF", "odd.pdf")


def test_a_file_without_any_text_layer_is_empty(pdfs):
    data = pdfs.draw(lambda c: c.rect(9, 9, 99, 99, fill=1), lambda c: None)
    with pytest.raises(EmptyDocument, match=r"scan\.pdf: no text layer on any of its 2 page"):
        parse_pdf(data, "scan.pdf")


def test_a_page_that_cannot_be_loaded_does_not_stop_the_others(pdfs):
    data = pdfs.objects(
        [
            b"<</Type/Catalog/Pages 2 0 R>>",
            b"<</Type/Pages/Kids[3 0 R 9 0 R 3 0 R]/Count 3>>",
            b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F1 5 0 R>>>>"
            b"/Contents 4 0 R>>",
            pdfs.stream(b"BT /F1 12 Tf 72 700 Td (Words of a page) Tj ET"),
            b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
        ]
    )
    parsed = parse_pdf(data, "hole.pdf")
    assert parsed.text == "Words of a page\n\nWords of a page"
    assert [(w.code, w.page) for w in parsed.warnings] == [("page_unreadable", 2)]
    assert [p.number for p in parsed.pages] == [1, 2, 3]


def test_limits_on_bytes_and_pages_are_named(pdfs, vault):
    with pytest.raises(DocumentTooLarge, match=r"big\.pdf: 2 MB; the limit is 1 MB"):
        parse_pdf(vault + b" " * 2_000_000, "big.pdf", limits=Limits(max_bytes=1024 * 1024))
    three = pdfs.draw(*[pdfs.lines("a")] * 3)
    with pytest.raises(DocumentTooLarge, match=r"long\.pdf: 3 pages; the limit is 2"):
        parse_pdf(three, "long.pdf", limits=Limits(max_pages=2))


def bomb(pdfs, layers: int, declared: bytes = b"/Filter/FlateDecode") -> bytes:
    packed = b"BT /F1 12 Tf 72 700 Td (boom) Tj ET" + b" " * 3_000_000
    for _ in range(layers):
        packed = zlib.compress(packed, 9)
    return pdfs.one_page(packed, declared)


@pytest.mark.parametrize(
    ("layers", "declared"),
    [
        (1, b"/Filter/FlateDecode"),
        (2, b"/Filter[/FlateDecode/FlateDecode]"),
        (1, b"/Filter/Fl#61teDecode"),  # another spelling of the same name
    ],
)
def test_a_stream_that_inflates_beyond_reason_is_refused(pdfs, layers, declared):
    with pytest.raises(DocumentTooLarge, match=r"bomb\.pdf: a stream of .* inflates"):
        parse_pdf(bomb(pdfs, layers, declared), "bomb.pdf", limits=SMALL)


def test_a_dense_stream_below_the_floor_is_read(pdfs):
    content = b"BT /F1 12 Tf 72 700 Td (quiet) Tj ET" + b" " * 300_000
    data = pdfs.one_page(zlib.compress(content, 9), b"/Filter/FlateDecode")
    assert parse_pdf(data, "quiet.pdf", limits=SMALL).text == "quiet"


@pytest.fixture(scope="module")
def rich(pdfs):
    def page(canvas):
        canvas.bookmarkPage("a")
        canvas.addOutlineEntry("Tickets", "a", 0)
        for i in range(5):
            canvas.drawString(60, 700 - 14 * i, "and left of the gutter there is text")
            canvas.drawString(300, 700 - 14 * i, "and right of the gutter there is text")

    return pdfs.draw(page, pdfs.lines("Two.", "", "Three."), pageCompression=0)


def check(data: bytes) -> None:
    try:
        parsed = parse_pdf(data, "broken.pdf")
    except DocumentError as error:
        assert "broken.pdf" in error.message
        return
    assert "\0" not in parsed.text
    assert [p.start for p in parsed.pages][1:] == [p.end for p in parsed.pages][:-1]
    assert parsed.pages[-1].end == len(parsed.text)
    # Blocks follow each other, start and end with no blank, and hold all that is not blank.
    at = 0
    for block in parsed.blocks:
        text = parsed.text[block.start : block.end]
        assert text and text == text.strip()
        assert not parsed.text[at : block.start].strip()
        at = block.end
    assert at == len(parsed.text)


@given(st.floats(0, 1))
def test_any_truncation_is_refused_or_read(rich, share):
    check(rich[: int(share * len(rich))])


@given(st.lists(st.tuples(st.floats(0, 1, exclude_max=True), st.integers(0, 7)), max_size=20))
def test_any_flipped_bits_are_refused_or_read(rich, flips):
    data = bytearray(rich)
    for place, bit in flips:
        data[int(place * len(data))] ^= 1 << bit
    check(bytes(data))
