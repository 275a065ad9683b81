"""Pictures of PDF pages, and where a passage lies on them."""

from __future__ import annotations

import io
from typing import Any

from ragdebug.documents import pdfium
from ragdebug.documents.letters import plain
from ragdebug.documents.pdf_lines import PageLines, read_page
from ragdebug.errors import DocumentError

WIDEST = 4000  # pixels
HIGHEST = 8000
NAME = "PDF"


def page_count(data: bytes, password: str = "") -> int:
    """Number of sheets.

    Raises:
        EncryptedDocument: it asks for a password.
        CorruptDocument: it cannot be opened.
    """
    with pdfium.opened(data, NAME, password) as document, pdfium.LOCK:
        return len(document)


def page_size(data: bytes, page_number: int, password: str = "") -> tuple[float, float]:
    """Width and height in points of a page as it is shown; pages count from 1."""
    with pdfium.opened(data, NAME, password) as document, pdfium.LOCK:
        page = _page(document, page_number)
        try:
            width, height = page.get_size()
            return float(width), float(height)
        finally:
            page.close()


def page_image(data: bytes, page_number: int, width_px: int, password: str = "") -> bytes:
    """A page as PNG, `width_px` wide (16 to 4000; less where it would be higher than 8000).

    Args:
        data: the PDF.
        page_number: sheet number, from 1.
        width_px: width of the picture in pixels.
        password: where the file asks for one.

    Raises:
        EncryptedDocument: it asks for a password.
        CorruptDocument: it cannot be opened.
        DocumentError: it has no such page, or the page cannot be drawn.
    """
    with pdfium.opened(data, NAME, password) as document, pdfium.LOCK:
        page = _page(document, page_number)
        try:
            width, height = page.get_size()
            scale = min(
                max(16, min(width_px, WIDEST)) / max(width, 1.0), HIGHEST / max(height, 1.0)
            )
            bitmap = page.render(scale=scale)
            try:
                # Its memory is pdfium's and goes with the bitmap.
                picture = bitmap.to_pil().copy()
            finally:
                bitmap.close()
        finally:
            page.close()
    written = io.BytesIO()
    picture.save(written, format="PNG")
    return written.getvalue()


def page_boxes(
    data: bytes, page_number: int, page_text: str, start: int, end: int, password: str = ""
) -> list[tuple[float, float, float, float]]:
    """Where ``page_text[start:end]`` lies on the page: one box a line.

    Args:
        data: the PDF.
        page_number: sheet number, from 1.
        page_text: the canonical text of that page.
        start: first code point of the passage inside `page_text`.
        end: one past the last.
        password: where the file asks for one.

    Returns:
        (left, top, right, bottom) as shares of the page's width and height, from its top left
        corner as shown. Empty when the text is not the page's.
    """
    with pdfium.opened(data, NAME, password) as document, pdfium.LOCK:
        if not 1 <= page_number <= len(document):
            return []
        with pdfium.TextPage(document, page_number - 1) as page:
            drawn = _positions(read_page(page), page_text, start, end)
            found = []
            for positions in drawn:
                left, bottom, right, top = zip(*page.boxes(positions), strict=True)
                found.append(page.on_picture((min(left), min(bottom), max(right), max(top))))
    return found


def _positions(page: PageLines, page_text: str, start: int, end: int) -> list[list[int]]:
    """Positions in pdfium's text of the passage's characters, a list a line.

    Both texts hold the same letters in the same order; blanks and hyphens at line ends differ.
    """
    wanted = ((i, c) for i, c in enumerate(page_text[:end]) if not c.isspace())
    at, sign = next(wanted, (end, ""))
    found: list[list[int]] = []
    for line in page.lines:
        own = []
        for position in range(line.start, line.end + (line.hyphen == "-")):
            for letter in plain(page.text[position]) or "-":
                if not sign:
                    break
                if letter != sign:
                    if letter.isspace() or position == line.end or letter == "-":
                        continue
                    return []
                if at >= start:
                    own.append(position)
                at, sign = next(wanted, (end, ""))
        if own:
            found.append(own)
    return found if not sign else []


def _page(document: Any, page_number: int) -> Any:  # noqa: ANN401 - pypdfium2 has no types
    count = len(document)
    if not 1 <= page_number <= count:
        raise DocumentError(f"There is no page {page_number}; the PDF has {count} page(s).")
    import pypdfium2

    try:
        return document.get_page(page_number - 1)
    except pypdfium2.PdfiumError as e:
        raise DocumentError(f"Page {page_number} of the PDF is damaged and cannot be drawn.") from e
