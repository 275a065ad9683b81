"""Reading a PDF against pypdfium2's own text extraction of the same file.

    python tests/bench/pdf_parsing.py [--pages 100] [--runs 9] [FILE ...]

Without files, builds a handbook in one column (outline, headings, lists, a table) and one in two
columns. Prints medians of interleaved runs and their ratio; the aim for 100 pages is at most 2.
"""

from __future__ import annotations

import argparse
import io
import random
import statistics
import time
from pathlib import Path

import pypdfium2
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.platypus import (
    BaseDocTemplate,
    Flowable,
    Frame,
    PageBreak,
    PageTemplate,
    Paragraph,
    Table,
)

from ragdebug.documents.pdf import parse_pdf

WORDS = (
    "the river bank of a small town where people walk every morning before work and talk about "
    "weather prices bridges ferries tickets refunds timetables and the new pier in the harbour"
).split()


class Bookmark(Flowable):
    """An entry of the outline at the place where it is drawn."""

    def __init__(self, title: str, level: int) -> None:
        super().__init__()
        self.title, self.level = title, level

    def draw(self) -> None:
        key = f"{self.title}-{id(self)}"
        self.canv.bookmarkHorizontal(key, 0, 14)
        self.canv.addOutlineEntry(self.title, key, self.level)


def sentence(rng: random.Random, words: int) -> str:
    """A line of nonsense that looks like prose."""
    return " ".join(rng.choice(WORDS) for _ in range(words)).capitalize() + "."


def handbook(pages: int, columns: int) -> bytes:
    """A PDF of at least so many pages, cut to them by the reader of `main`."""
    rng, styles = random.Random(7), getSampleStyleSheet()
    target = io.BytesIO()
    gap = 18
    width = (A4[0] - 120 - gap * (columns - 1)) / columns
    frames = [Frame(60 + i * (width + gap), 60, width, 720, 0, 0, 0, 0) for i in range(columns)]

    def margins(canvas, document) -> None:
        canvas.setFont("Helvetica", 8)
        canvas.drawString(60, 805, "Handbook of the ferry line")
        canvas.drawRightString(A4[0] - 60, 30, str(document.page))

    document = BaseDocTemplate(target, pagesize=A4)
    document.addPageTemplates([PageTemplate(frames=frames, onPage=margins)])
    story: list[Flowable] = []
    for page in range(1, pages + 1):
        title = f"{page} On {rng.choice(WORDS)}"
        story += [Bookmark(title, 0), Paragraph(title, styles["Heading1"])]
        for part in range(1, 3 * columns):
            story.append(Paragraph(f"Part {part}", styles["Heading3"]))
            for _ in range(2):
                text = " ".join(sentence(rng, rng.randint(8, 20)) for _ in range(5))
                story.append(Paragraph(text, styles["BodyText"]))
        if page % 4 == 0 and columns == 1:
            rows = [[f"SKU-{page}{i}", sentence(rng, 4), f"{i}.50"] for i in range(6)]
            story.append(Table(rows))
        story.append(PageBreak())
    document.build(story)
    return target.getvalue()


def bare(data: bytes) -> int:
    """Characters of all pages as pypdfium2 extracts them."""
    document = pypdfium2.PdfDocument(data)
    count = 0
    for index in range(len(document)):
        page = document[index]
        text = page.get_textpage()
        count += len(text.get_text_range())
        text.close()
        page.close()
    document.close()
    return count


def measure(name: str, data: bytes, runs: int) -> float:
    """Print both medians and return their ratio."""
    ours, theirs = [], []
    parsed = parse_pdf(data, name)
    count = bare(data)
    for _ in range(runs):
        started = time.perf_counter()
        bare(data)
        between = time.perf_counter()
        parse_pdf(data, name)
        ours.append(time.perf_counter() - between)
        theirs.append(between - started)
    ratio = statistics.median(ours) / statistics.median(theirs)
    print(
        f"{name}: {len(parsed.pages)} pages, {count} characters, {len(parsed.sections)} sections; "
        f"pypdfium2 {1e3 * statistics.median(theirs):.0f} ms, parse_pdf "
        f"{1e3 * statistics.median(ours):.0f} ms, ratio {ratio:.2f}"
    )
    return ratio


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--pages", type=int, default=100)
    parser.add_argument("--runs", type=int, default=9)
    options = parser.parse_args()
    if options.files:
        for file in options.files:
            measure(file.name, file.read_bytes(), options.runs)
        return
    for columns in (1, 2):
        measure(f"{columns} column(s)", handbook(options.pages, columns), options.runs)


if __name__ == "__main__":
    main()
