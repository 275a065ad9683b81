"""``structure``: headings first, then paragraphs and list items, then sentences.

What stands under one heading is packed together up to the size; nothing is packed across a heading.
The heading line stays with what follows. Tables and code stay whole while they fit; a longer table
is cut between rows and its header goes with every part as context. A sentence is cut only when it
alone is longer than the size. In a paged document a chunk ends where its page does, unless a
paragraph or heading runs on.
"""

from __future__ import annotations

import re
from bisect import bisect_right

from ragdebug.chunk.layout import TEXT_KINDS, Run, layout, lines, paragraphs
from ragdebug.chunk.packer import Packer
from ragdebug.chunk.sentence_spans import sentence_spans
from ragdebug.chunk.tables import repeated_header, row_spans
from ragdebug.protocols import Measure
from ragdebug.records import ParsedDocument, Piece
from ragdebug.settings import ChunkingSettings

# "7", "xii", "- 7 -", "Page 7", "7 of 12".
_PAGE_NUMBER = re.compile(
    r"[\W_]*(?:[^\W\d_]{1,6}\.?\s+)?(?:\d{1,4}|[ivxlcIVXLC]{1,6})"
    r"(?:\s*(?:/|[^\W\d_]{1,3})\s*\d{1,4})?[\W_]*"
)


def structure(parsed: ParsedDocument, settings: ChunkingSettings, measure: Measure) -> list[Piece]:
    """Cut a document along its structure. See `ragdebug.chunk.run.pieces`."""
    return _Structure(parsed, settings, measure).run()


class _Structure:
    def __init__(
        self, parsed: ParsedDocument, settings: ChunkingSettings, measure: Measure
    ) -> None:
        self.text = parsed.text
        self.language = parsed.language
        self.measure = measure
        self.runs = layout(parsed)
        self.pages = [p.start for p in parsed.pages]
        self.page = -1  # the page we are on, and the last run that is no page number
        self.last: Run | None = None
        self.packer = Packer(self.text, measure, settings, self.sentence_starts)
        self._sentences: dict[int, list[tuple[int, int]]] = {}

    def run(self) -> list[Piece]:
        before: Run | None = None
        for run in self.runs:
            # A heading with nothing of its own goes with the first of its subsections.
            chained = before and before.kind == "heading" and before.level < run.level
            if self.turns_page(run) or (run.border and not chained):
                self.packer.wall(run.start)
            self.take(run)
            if run.kind == "unit":
                self.packer.wall(run.end)
            before = run
        self.packer.close()
        return self.packer.pieces

    def turns_page(self, run: Run) -> bool:
        """Whether a page begins with this run, so that a chunk can say which page it is from.

        A paragraph that runs on and a heading at the foot of a page stay with what follows; a page
        number at the head of one stays with what is before it rather than alone.
        """
        page = bisect_right(self.pages, run.start) - 1
        short = run.end - run.start <= 40
        if page > self.page and short and _PAGE_NUMBER.fullmatch(self.text, run.start, run.end):
            return False
        turned = page > self.page and self.last is not None
        if self.last is not None and turned:
            turned = self.last.kind != "heading" and self.last.end <= self.pages[page]
        self.page, self.last = page, run
        return turned

    def take(self, run: Run) -> None:
        if run.kind == "heading":
            self.packer.head(run.start, run.end)
        elif run.kind in TEXT_KINDS:
            self.text_run(run)
        elif self.packer.fits(run.end):
            self.packer.add(run.start, run.end)
            self.packer.guard(run.end)
        elif not self.packer.too_long(run.start, run.end):
            self.packer.close()
            self.packer.add(run.start, run.end)
            self.packer.guard(run.end)
        else:
            if not self.packer.small(2):
                self.packer.close()
            if run.kind == "table":
                self.table(run)
            elif run.inner:
                for part in run.inner:
                    self.take(part)
            else:
                self.code_lines(run)
            if run.kind == "unit" and not self.packer.small(4):
                self.packer.close()

    # Text -----------------------------------------------------------------------------------------

    def sentences(self, run: Run) -> list[tuple[int, int]]:
        if run.start not in self._sentences:
            spans = sentence_spans(self.text, run.start, run.end, self.language)
            self._sentences[run.start] = spans
        return self._sentences[run.start]

    def sentence_starts(self) -> list[int]:
        text_runs = (r for r in self.runs if r.kind in TEXT_KINDS)
        return [start for run in text_runs for start, _ in self.sentences(run)]

    def text_run(self, run: Run) -> None:
        packer = self.packer
        torn = packer.too_long(run.start, run.end)
        # A paragraph is cut to fill a piece only where the piece would else be next to nothing.
        fill = packer.small(2 if torn else 8)
        if packer.fits(run.end) or not (torn or fill):
            packer.add(run.start, run.end)
            return
        if not fill:
            packer.close()
        for start, end in self.sentences(run):
            if not packer.too_long(start, end):
                packer.add(start, end)
                continue
            for low, high in lines(self.text, start, end):
                if packer.too_long(low, high):
                    packer.pour(low, high)
                else:
                    packer.add(low, high)

    # Code -----------------------------------------------------------------------------------------

    def code_lines(self, run: Run) -> None:
        for start, end in paragraphs(self.text, run.start, run.end):
            if not self.packer.too_long(start, end):
                self.packer.add(start, end)
                self.packer.guard(end)
                continue
            for low, high in lines(self.text, start, end):
                self.atom(low, high)

    def atom(self, start: int, end: int, context: str = "", limit: int = 0) -> None:
        """A row or line: never repeated, cut at words only when it is too long by itself."""
        if self.packer.too_long(start, end):
            self.packer.pour(start, end, context=context, limit=limit, repeat=False)
        else:
            self.packer.add(start, end, context, limit)
        self.packer.guard(end)

    # Tables ---------------------------------------------------------------------------------------

    def table(self, run: Run) -> None:
        size = self.packer.size
        rows = row_spans(self.text, run)
        context, taken = repeated_header(self.text, run, self.measure, size // 2)
        # The parts leave room for the header, so that what is embedded keeps to the size.
        room = max(1, size // 2, size - taken)
        if len(rows) > 1 and not self.packer.too_long(rows[0][0], rows[1][1]):
            rows[:2] = [(rows[0][0], rows[1][1])]  # a header is not left without a row
        for index, (start, end) in enumerate(rows):
            self.atom(start, end, context if index else "", room if index else 0)
