"""Pictures of pages and the places of passages on them."""

from __future__ import annotations

import io
import threading

import pytest
from PIL import Image
from pypdf import PdfWriter

from ragdebug.documents.pdf import parse_pdf
from ragdebug.documents.pdf_image import page_boxes, page_count, page_image, page_size
from ragdebug.errors import CorruptDocument, DocumentError, EncryptedDocument


@pytest.fixture(scope="module")
def two(pdfs):
    def columns(canvas):
        for i in range(4):
            canvas.drawString(60, 700 - 14 * i, f"left line {i} and some more words")
            canvas.drawString(300, 700 - 14 * i, f"right line {i} and some more words")

    return pdfs.draw(pdfs.lines("First page, and an exam-", "ple of an example."), columns)


def picture(data: bytes) -> Image.Image:
    return Image.open(io.BytesIO(data)).convert("L")


def boxes_of(data: bytes, number: int, passage: str):
    parsed = parse_pdf(data, "x.pdf")
    page = parsed.pages[number - 1]
    text = parsed.text[page.start : page.end]
    start = text.index(passage)
    return page_boxes(data, number, text, start, start + len(passage))


def test_a_picture_has_the_width_that_was_asked_for(pdfs, two):
    image = picture(page_image(two, 1, 500))
    assert image.width == 500
    assert abs(image.height - 500 * pdfs.height / pdfs.width) <= 1
    darkest, lightest = image.getextrema()
    assert darkest < 128 and lightest == 255
    assert picture(page_image(two, 1, 1)).width == 16
    assert picture(page_image(two, 1, 10**9)).width == 4000


def test_pages_are_counted_and_measured(pdfs, two):
    assert page_count(two) == 2
    width, height = page_size(two, 2)
    assert (round(width, 2), round(height, 2)) == (round(pdfs.width, 2), round(pdfs.height, 2))


def test_what_cannot_be_drawn(two):
    for number in (0, -1, 3):
        with pytest.raises(DocumentError, match=f"no page {number}"):
            page_image(two, number, 100)
    with pytest.raises(CorruptDocument):
        page_image(b"%PDF-1.4 nothing", 1, 100)
    writer = PdfWriter(clone_from=io.BytesIO(two))
    writer.encrypt("word", algorithm="AES-256")
    target = io.BytesIO()
    writer.write(target)
    with pytest.raises(EncryptedDocument):
        page_image(target.getvalue(), 1, 100)
    assert picture(page_image(target.getvalue(), 1, 100, password="word")).width == 100


def ink(image: Image.Image, box) -> tuple[int, int]:
    """Dark pixels inside a box and on the whole page."""
    left, top, right, bottom = box
    place = (left * image.width, top * image.height, right * image.width, bottom * image.height)
    inside = image.crop(tuple(round(x) for x in place))
    return sum(inside.histogram()[:128]), sum(image.histogram()[:128])


def test_a_box_lies_on_the_ink_of_its_passage(pdfs):
    data = pdfs.draw(pdfs.lines("Only this line."))
    (box,) = boxes_of(data, 1, "Only this line.")
    inside, everywhere = ink(picture(page_image(data, 1, 2400)), box)
    assert inside == everywhere > 100
    left, top, right, bottom = box
    assert left == pytest.approx(72 / pdfs.width, abs=0.002)
    assert top < (pdfs.height - 760) / pdfs.height < bottom
    (part,) = boxes_of(data, 1, "this")
    assert left < part[0] < part[2] < right


@pytest.mark.parametrize("turn", [90, 180, 270])
def test_boxes_follow_a_turned_page(pdfs, turn):
    def page(canvas):
        canvas.setPageRotation(turn)
        canvas.drawString(72, 500, "Only this line.")

    data = pdfs.draw(page)
    (box,) = boxes_of(data, 1, "Only this line.")
    inside, everywhere = ink(picture(page_image(data, 1, 2400)), box)
    assert inside == everywhere > 100


def test_a_passage_over_lines_has_a_box_for_each(two):
    mended = boxes_of(two, 1, "an example")
    assert len(mended) == 2
    (upper, lower) = mended
    assert upper[3] <= lower[1] + 0.005
    assert lower[0] < upper[0]
    columns = boxes_of(two, 2, "right line 0")
    assert len(columns) == 1
    assert columns[0][0] > 0.4


def test_text_of_another_page_has_no_place(two):
    assert page_boxes(two, 1, "Something else altogether", 0, 9) == []
    assert page_boxes(two, 9, "First page", 0, 5) == []


def test_pages_are_drawn_and_read_from_several_threads(two):
    expected = parse_pdf(two, "x.pdf"), page_image(two, 1, 200)
    wrong = []

    def work():
        for _ in range(5):
            if (parse_pdf(two, "x.pdf"), page_image(two, 1, 200)) != expected:
                wrong.append(1)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
