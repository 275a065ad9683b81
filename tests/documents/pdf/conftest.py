"""Small PDFs made on the spot: drawn with reportlab, or written object by object."""

from __future__ import annotations

import io
import textwrap
from collections.abc import Callable, Sequence

import pytest
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

WIDTH, HEIGHT = A4


def draw(*pages: Callable[[Canvas], None], **settings: object) -> bytes:
    """A PDF with one page for each function."""
    target = io.BytesIO()
    canvas = Canvas(target, pagesize=A4, **settings)
    for page in pages:
        canvas.setFont("Helvetica", 11)
        page(canvas)
        canvas.showPage()
    canvas.save()
    return target.getvalue()


def lines(*texts: str, x: float = 72, top: float = 760, leading: float = 14) -> Callable:
    """Draws lines one under the other; an empty text leaves a blank line."""

    def page(canvas: Canvas) -> None:
        for i, text in enumerate(texts):
            if text:
                canvas.drawString(x, top - i * leading, text)

    return page


def objects(parts: Sequence[bytes]) -> bytes:
    """A PDF of numbered objects, the first of which is the catalog."""
    out = bytearray(b"%PDF-1.7\n")
    places = []
    for number, part in enumerate(parts, start=1):
        places.append(len(out))
        out += b"%d 0 obj\n" % number + part + b"\nendobj\n"
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(parts) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    out += b"trailer\n<</Size %d/Root 1 0 R>>\n" % (len(parts) + 1)
    return bytes(out + b"startxref\n%d\n%%%%EOF\n" % start)


def stream(data: bytes, extra: bytes = b"") -> bytes:
    """A stream object."""
    return b"<</Length %d %s>>stream\n" % (len(data), extra) + data + b"\nendstream"


def one_page(content: bytes, extra: bytes = b"", to_unicode: bytes = b"") -> bytes:
    """A PDF with one page of this content, in Helvetica; codes as `to_unicode` maps them."""
    font = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding%s>>"
    parts = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F1 5 0 R>>>>"
        b"/Contents 4 0 R>>",
        stream(content, extra),
        font % (b"/ToUnicode 6 0 R" if to_unicode else b""),
    ]
    return objects(parts + ([stream(to_unicode)] if to_unicode else []))


def mapped(text: str) -> bytes:
    """A page whose only line shows `text`, each character by a code that a map explains."""
    signs = list(dict.fromkeys(text))
    assert len(signs) < 90
    codes = {sign: 33 + i for i, sign in enumerate(signs)}
    codes[" "] = 32
    pairs = "\n".join(
        f"<{code:02X}> <{sign.encode('utf-16-be').hex().upper()}>" for sign, code in codes.items()
    )
    cmap = textwrap.dedent("""\
        /CIDInit /ProcSet findresource begin 12 dict begin begincmap
        /CMapName /Test def /CMapType 2 def
        1 begincodespacerange <00> <FF> endcodespacerange
        {count} beginbfchar
        {pairs}
        endbfchar endcmap end end
        """).format(count=len(codes), pairs=pairs)
    shown = "".join(f"{codes[sign]:02X}" for sign in text)
    return one_page(f"BT /F1 12 Tf 72 700 Td <{shown}> Tj ET".encode(), to_unicode=cmap.encode())


class Pdfs:
    """The builders above, for tests."""

    draw = staticmethod(draw)
    lines = staticmethod(lines)
    objects = staticmethod(objects)
    stream = staticmethod(stream)
    one_page = staticmethod(one_page)
    mapped = staticmethod(mapped)
    width, height = WIDTH, HEIGHT


@pytest.fixture(scope="session")
def pdfs() -> Pdfs:
    """Builders of small PDFs."""
    return Pdfs()
