"""Write the sample corpus' PDF and DOCX files from the texts in data/sources.

The same sources give the same bytes. Needs the development dependencies: make sample.
"""

from __future__ import annotations

import random
import re
import zipfile
from collections.abc import Iterable, Iterator
from datetime import datetime
from io import BytesIO
from pathlib import Path

import docx
from PIL import Image, ImageDraw, ImageFont
from reportlab.lib.pagesizes import A5
from reportlab.lib.styles import ParagraphStyle, getSampleStyleSheet
from reportlab.lib.units import cm
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import (
    BaseDocTemplate,
    Flowable,
    Frame,
    NextPageTemplate,
    PageBreak,
    PageTemplate,
    Paragraph,
    Spacer,
    Table,
)

HERE = Path(__file__).resolve().parent
SOURCES = HERE / "sources"
SAMPLE = HERE / "sample"
WHEN = datetime(2025, 3, 17, 9, 0)
MARK = re.compile(r"=+ |- |\d+\. |\| ")
Item = tuple[str, str]


def sheets(source: Path) -> Iterator[tuple[str, list[str]]]:
    """The name and the lines of each sheet; a source without marks for them is one sheet."""
    name, lines = "", list[str]()
    for line in source.read_text(encoding="utf-8").splitlines():
        if line.startswith("# "):
            continue
        if line.startswith("--- "):
            if name:
                yield name, lines
            name, lines = line.removeprefix("--- "), []
        else:
            lines.append(line)
    yield name, lines


def items(lines: Iterable[str]) -> Iterator[Item]:
    """(kind, text) of headings "=" and "==", list items "-" and "1", rows "|", paragraphs "p"."""
    kind, words = "", list[str]()
    for line in [*lines, ""]:
        marked = MARK.match(line)
        if words and (marked or not line.strip()):
            yield kind, " ".join(words)
            kind, words = "", []
        if marked:
            mark = marked[0].strip()
            kind, words = ("1" if mark[0].isdigit() else mark), [line[marked.end() :]]
        elif line.strip():
            kind = kind or "p"
            words.append(line.strip())


def cells(row: str) -> list[str]:
    """The cells of a table row."""
    return [cell.strip() for cell in row.rstrip(" |").split("|")]


def grouped(parts: Iterable[Item]) -> Iterator[tuple[str, list[str]]]:
    """Neighbours of one kind together, so that a list or a table is one thing."""
    kind, texts = "", list[str]()
    for new, text in parts:
        if texts and (new != kind or kind in ("=", "==", "p")):
            yield kind, texts
            texts = []
        kind = new
        texts.append(text)
    if texts:
        yield kind, texts


# PDF ---------------------------------------------------------------------------------------------


def styles() -> dict[str, ParagraphStyle]:
    """Paragraph styles by the kind of an item."""
    base = getSampleStyleSheet()
    text = ParagraphStyle("text", base["BodyText"], fontSize=9, leading=12, spaceAfter=6)
    return {
        "p": text,
        "=": ParagraphStyle(
            "h1", base["Heading1"], keepWithNext=1, fontSize=14, leading=18, spaceAfter=8
        ),
        "==": ParagraphStyle(
            "h2", base["Heading2"], keepWithNext=1, fontSize=10.5, leading=13, spaceAfter=3
        ),
        "list": ParagraphStyle("list", text, leftIndent=18, bulletIndent=4),
        "cover": ParagraphStyle("cover", text, fontSize=12, leading=22, alignment=1),
        "name": ParagraphStyle("name", text, fontSize=26, leading=38, alignment=1),
    }


class Heading(Paragraph):
    """A heading that also stands in the outline."""

    def __init__(self, text: str, level: int, style: ParagraphStyle) -> None:
        super().__init__(text, style)
        self.entry = (text, level)

    def draw(self) -> None:
        text, level = self.entry
        key = re.sub(r"\W+", "-", text)
        self.canv.bookmarkPage(key)
        self.canv.addOutlineEntry(text, key, level=level)
        super().draw()


class Scan(Flowable):
    """A sheet that somebody laid on a scanner: a picture of text, and no text."""

    def __init__(self, lines: list[str]) -> None:
        super().__init__()
        self.lines = lines
        self.width, self.height = 11.4 * cm, 15.2 * cm

    def draw(self) -> None:
        self.canv.drawImage(ImageReader(scanned(self.lines)), 0, 0, self.width, self.height)


def scanned(lines: list[str]) -> Image.Image:
    """The picture: slightly turned, with specks, black and white."""
    page = Image.new("L", (990, 1320), 250)
    draw = ImageDraw.Draw(page)
    for number, line in enumerate(lines):
        y = 110 + number * 78
        draw.text((80, y), line, fill=30, font=ImageFont.load_default(34 if number == 0 else 27))
        draw.line((80, y + 44, 910, y + 44), fill=120)
    page = page.rotate(0.6, fillcolor=250, resample=Image.Resampling.BICUBIC)
    specks = random.Random(480)
    for _ in range(260):
        page.putpixel((specks.randrange(990), specks.randrange(1320)), 90)
    return page.point(lambda grey: 255 if grey > 140 else 0).convert("1")


def flowables(name: str, lines: list[str]) -> Iterator[Flowable]:
    """What stands on one sheet."""
    style = styles()
    lines = [line for line in lines if line.strip()] if name in ("cover", "scan") else lines
    if name == "scan":
        yield Scan(lines)
    elif name == "cover":
        yield Spacer(1, 5 * cm)
        yield Paragraph(lines[0], style["name"])
        yield from (Paragraph(line, style["cover"]) for line in lines[1:])
    else:
        yield from blocks(lines, style)


def blocks(lines: list[str], style: dict[str, ParagraphStyle]) -> Iterator[Flowable]:
    """Headings, paragraphs, lists and tables."""
    for kind, texts in grouped(items(lines)):
        if kind in ("=", "=="):
            yield Heading(texts[0], len(kind) - 1, style[kind])
        elif kind == "|":
            grid = [("GRID", (0, 0), (-1, -1), 0.4, "#999999"), ("FONTSIZE", (0, 0), (-1, -1), 8)]
            yield Table([cells(row) for row in texts], style=grid, hAlign="LEFT")
            yield Spacer(1, 10)
        elif kind in ("-", "1"):
            for number, text in enumerate(texts, 1):
                mark = "\u2022" if kind == "-" else f"{number}."
                yield Paragraph(text, style["list"], bulletText=mark)
        else:
            yield Paragraph(texts[0], style["p"])


def number_page(canvas: Canvas, document: BaseDocTemplate) -> None:
    """Print i, ii, 1, 2, ... and say so in the file; cover and scan show none."""
    sheet = canvas.getPageNumber()
    if sheet == 1:
        canvas.addPageLabel(0, style="ROMAN_LOWER", start=1)
        canvas.addPageLabel(2, style="ARABIC", start=1)
    if document.pageTemplate.id in ("cover", "scan"):
        return
    canvas.setFont("Helvetica", 9)
    canvas.drawCentredString(A5[0] / 2, 0.9 * cm, "ii" if sheet == 2 else str(sheet - 2))


def pdf(source: Path) -> bytes:
    """A manual with a cover, an outline, a page in two columns and a scanned sheet."""
    left, bottom, width, height = 1.7 * cm, 1.9 * cm, A5[0] - 3.4 * cm, A5[1] - 3.6 * cm
    half = (width - 0.7 * cm) / 2
    whole = [(left, width)]
    two = [(left, half), (left + half + 0.7 * cm, half)]
    templates = {"cover": whole, "page": whole, "scan": whole, "columns": two}
    story: list[Flowable] = []
    for name, lines in sheets(source):
        story.extend([NextPageTemplate(name), PageBreak()] if story else [])
        story.extend(flowables(name, lines))
    target = BytesIO()
    document = BaseDocTemplate(
        target,
        pagesize=A5,
        invariant=1,
        title="KW-480 Duo: service manual",
        author="Kettlewick Machines",
        lang="en",
        pageTemplates=[
            PageTemplate(
                name, [Frame(x, bottom, w, height, 0, 0, 0, 0) for x, w in frames], number_page
            )
            for name, frames in templates.items()
        ],
    )
    document.build(story)
    return target.getvalue()


# DOCX --------------------------------------------------------------------------------------------


def word(source: Path, title: str) -> bytes:
    """A document with Word's own heading, list and table styles."""
    document = docx.Document()
    core = document.core_properties
    core.title, core.author, core.language = title, "Kettlewick Machines", "en"
    core.created = core.modified = WHEN
    ((_, lines),) = sheets(source)
    first = True
    for kind, texts in grouped(items(lines)):
        if kind == "=":
            document.add_heading(texts[0], 0 if first else 1)
            first = False
        elif kind == "|":
            rows = [cells(row) for row in texts]
            table = document.add_table(len(rows), len(rows[0]), style="Table Grid")
            for row, values in zip(table.rows, rows, strict=True):
                for cell, value in zip(row.cells, values, strict=True):
                    cell.text = value
        elif kind in ("-", "1"):
            for text in texts:
                document.add_paragraph(text, "List Bullet" if kind == "-" else "List Number")
        else:
            document.add_paragraph(texts[0])
    written = BytesIO()
    document.save(written)
    return without_times(written.getvalue())


def without_times(archive: bytes) -> bytes:
    """The same zip, every member dated 1 January 1980: the writer puts the present time there."""
    result = BytesIO()
    with zipfile.ZipFile(BytesIO(archive)) as old, zipfile.ZipFile(result, "w") as new:
        for member in old.infolist():
            dated = zipfile.ZipInfo(member.filename, (1980, 1, 1, 0, 0, 0))
            new.writestr(dated, old.read(member), zipfile.ZIP_DEFLATED)
    return result.getvalue()


def build() -> dict[str, bytes]:
    """The files by their place in the sample corpus."""
    return {
        "manuals/kw480-service-manual.pdf": pdf(SOURCES / "service-manual.txt"),
        "manuals/installation-checklist.docx": word(
            SOURCES / "installation-checklist.txt", "Checklist for installation"
        ),
    }


if __name__ == "__main__":
    for name, data in build().items():
        (SAMPLE / name).write_bytes(data)
        print(f"{name}: {len(data):,} bytes")
