"""The page that an answer stands on, as it looks, with the answer and the cuts on it."""

from __future__ import annotations

import io
from collections.abc import Sequence

from ragdebug.documents.pdf_image import page_boxes
from ragdebug.records import Document
from ragdebug.table import page_at
from ragdebug.workbench.casefile.records import Answer, Box, Picture

WIDTH_PX = 1000
MOST_BYTES = 700_000  # of a PNG; a larger picture becomes a JPEG
LINE = 60  # characters of a chunk whose line is drawn as its beginning
MOST_CUTS = 40


def picture(
    answer: Answer, document: Document, pdf: bytes, image: bytes, borders: Sequence[int]
) -> Picture | None:
    """A picture with its boxes.

    Args:
        answer: that stands on the page.
        document: its text in the same version.
        pdf: the file.
        image: PNG of the page.
        borders: starts of the chunks of the document.
    """
    page = page_at(document.parsed.pages, answer.start)
    if page is None:
        return None
    text = document.text[page.start : page.end]

    def boxes(start: int, end: int) -> tuple[Box, ...]:
        first, last = max(start, page.start), min(end, page.end)
        if first >= last:
            return ()
        drawn = page_boxes(pdf, page.number, text, first - page.start, last - page.start)
        return tuple(drawn)

    begins = [b for b in borders if page.start < b < page.end][:MOST_CUTS]
    lines = (boxes(b, b + LINE)[:1] for b in begins)
    packed, width, height = packed_image(image)
    return Picture(
        source=answer.source,
        page=page.number,
        document=answer.document,
        start=page.start,
        end=page.end,
        image=packed,
        width=width,
        height=height,
        evidence=() if answer.region else boxes(answer.start, answer.end),
        cuts=tuple(box for first in lines for box in first),
        text=text,
    )


def packed_image(image: bytes, most: int = MOST_BYTES) -> tuple[bytes, int, int]:
    """A picture in at most about so many bytes, with its width and height in pixels."""
    from PIL import Image

    with Image.open(io.BytesIO(image)) as opened:
        width, height = opened.size
        if len(image) <= most:
            return image, width, height
        plain = opened.convert("RGB")
    for quality in (80, 60, 40, 20):
        written = io.BytesIO()
        plain.save(written, format="JPEG", quality=quality, optimize=True)
        if written.tell() <= most or quality == 20:
            return written.getvalue(), width, height
    raise AssertionError("the last quality always returns")
