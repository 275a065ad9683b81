"""Pages of lines become one text: paragraphs by gaps, page spans, running heads noticed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from ragdebug.documents.letters import clean_line
from ragdebug.documents.pdf_hyphens import Hyphens
from ragdebug.documents.pdf_lines import Line, PageLines

SAMPLE = 30  # pages
LARGER = 1.12  # a heading's type against the body's
_SENTENCE_END = (".", "!", "?", ":", "\u3002", "\u2026", '"', "\u201d", "\u00bb")
_BULLETS = "\u2022\u25e6\u25aa\u25cf\u25a0\u25cb\u2023\u2043\u00b7\u2013*-"
_NUMBERED = re.compile(r"(?:\(?\d{1,3}[.)]|\(?[a-z]\)) ")
_DIGITS = re.compile(r"\d+")


@dataclass(slots=True)
class TextLine:
    """A line of the canonical text.

    Attributes:
        start, end: its place in the canonical text.
        page: index of its page, from 0.
        line: how it was drawn.
        opens: whether a paragraph starts here.
        running: whether it is a running head or foot.
    """

    start: int
    end: int
    page: int
    line: Line
    opens: bool
    running: bool


@dataclass(slots=True)
class Layout:
    """The canonical text of all pages, its lines, and the span of every page.

    Attributes:
        body_size: size of type, in points, in which most characters are set.
        repeated: an example of each running head or foot, and on how many pages it stands.
    """

    text: str = ""
    lines: list[TextLine] = field(default_factory=list)
    pages: list[tuple[int, int]] = field(default_factory=list)
    body_size: float = 0.0
    repeated: list[tuple[str, int]] = field(default_factory=list)

    def paragraphs(self) -> Iterator[list[TextLine]]:
        """Lines grouped by paragraph."""
        group: list[TextLine] = []
        for line in self.lines:
            if line.opens and group:
                yield group
                group = []
            group.append(line)
        if group:
            yield group


def lay_out(pages: Sequence[PageLines]) -> Layout:
    """Join pages: lines of a paragraph by a line end, paragraphs and pages by a blank line.

    A paragraph that runs on from one page to the next is not parted. Page spans cover the text: a
    page ends where the next one starts, and one without text has an empty span.
    """
    texts = [[clean_line(page.text[x.start : x.end]) for x in page.lines] for page in pages]
    body = body_size(pages)
    repeated = running_lines(pages, texts, body)
    leading = usual_leading(pages)
    hyphens = Hyphens(texts)
    layout = Layout(body_size=body, repeated=sorted(repeated.values(), key=lambda x: -x[1]))
    parts: list[str] = []
    at = 0
    previous: TextLine | None = None
    above = Line(0, 0, 0, 0, 0, 0)  # the line drawn before, which may have moved up altogether
    carried: str | None = None  # a line that lost its first word to the one before
    for number, page in enumerate(pages):
        page_start = at
        own, last = texts[number], len(page.lines) - 1
        for i, line in enumerate(page.lines):
            text = own[i] if carried is None else carried
            carried = None
            if line.hyphen:
                if i < last:
                    text, carried = hyphens.join(text, own[i + 1], line.hyphen)
                elif line.hyphen == "-":
                    text += "-"
            if not text:
                above = line
                continue
            running = (
                (i < 2 or i > last - 2)
                and line.size < LARGER * body
                and bool(repeated)
                and _shape(own[i]) in repeated
            )
            opens = True
            if previous is not None:
                after = page.lines[i + 1] if i < last else None
                elsewhere = previous.page != number or line.flow != above.flow
                opens = (
                    running
                    or previous.running
                    or _opens(above, elsewhere, line, after, parts[-1], text, leading)
                )
                separator = "\n\n" if opens else "\n"
                parts.append(separator)
                at += len(separator)
                if previous.page != number:
                    page_start = at
                    _close(layout, previous.page, number, at)
            previous = TextLine(at, at + len(text), number, line, opens, running)
            above = line
            layout.lines.append(previous)
            parts.append(text)
            at += len(text)
        layout.pages.append((page_start, at))
    if layout.pages and previous is not None:
        _close(layout, previous.page, len(layout.pages), at)
    layout.text = "".join(parts)
    return layout


def _close(layout: Layout, page: int, until: int, at: int) -> None:
    """Let a page reach to where the next text starts; empty pages between lie at that place."""
    for index in range(page, min(until, len(layout.pages))):
        start = layout.pages[index][0] if index == page else at
        layout.pages[index] = (start, at)


def _opens(
    above: Line,
    elsewhere: bool,
    line: Line,
    after: Line | None,
    before_text: str,
    text: str,
    leading: float,
) -> bool:
    """Whether a paragraph starts with this line."""
    if line.size != above.size and abs(line.size / max(above.size, 0.1) - 1) > 0.06:
        return True
    drop = above.bottom - line.bottom
    if elsewhere or drop < -0.5 * line.height:
        # Reading went to another column or page: the paragraph goes on only in mid-sentence.
        return before_text.endswith(_SENTENCE_END) or not text[:1].islower()
    if drop > 1.2 * leading * max(line.size, 1.0):
        return True
    if drop < 0.3 * line.height:  # beside it, on the same row
        return False
    indent = line.x0 - above.x0
    if indent > 0.8 * line.size and before_text.endswith(_SENTENCE_END):
        # An indented first line; in a hanging one the next line would be as far to the right.
        return after is None or after.x0 < line.x0 - 0.5 * line.size
    return False


def usual_leading(pages: Sequence[PageLines]) -> float:
    """Distance from line to line inside paragraphs, in sizes of type.

    The smallest step that at least a fifth of all steps share: paragraphs with blank lines between
    them have fewer such steps than lines, lists of single lines have no smaller ones.
    """
    steps: Counter[int] = Counter()
    for page in _sample(pages):
        for above, line in pairwise(page.lines):
            drop = above.bottom - line.bottom
            if abs(above.size - line.size) < 0.1 and above.flow == line.flow and line.size > 0:
                step = drop / line.size
                if 0.8 <= step <= 3.0:
                    steps[round(step * 20)] += 1
    total = sum(steps.values())
    for step in sorted(steps):
        near = steps[step - 1] + steps[step] + steps[step + 1]
        if near >= 0.2 * total and steps[step] >= steps[step + 1]:
            return min(max(step / 20, 0.9), 2.2)
    return 1.3


def running_lines(
    pages: Sequence[PageLines], texts: Sequence[Sequence[str]], body: float
) -> dict[str, tuple[str, int]]:
    """Lines at the edge of at least half of the pages (three or more), whatever their digits.

    Returns:
        By shape (digits as ``#``): an example, and on how many pages it stands. Lines in larger
        type are headings, even where every page starts with one.
    """
    seen: Counter[str] = Counter()
    example: dict[str, str] = {}
    for page, own in zip(pages, texts, strict=True):
        shapes = set()
        for i in {*range(min(2, len(own))), *range(max(0, len(own) - 2), len(own))}:
            if page.lines[i].size < LARGER * body:
                shapes.add(_shape(own[i]))
                example.setdefault(_shape(own[i]), own[i])
        seen.update(shapes)
    least = max(3, len(texts) / 2)
    return {s: (example[s], count) for s, count in seen.items() if count >= least and s}


def body_size(pages: Sequence[PageLines]) -> float:
    """Size of type, in points, in which most characters are set; 0 without text."""
    seen: Counter[float] = Counter()
    for page in _sample(pages):
        for line in page.lines:
            seen[round(line.size, 1)] += line.end - line.start
    return seen.most_common(1)[0][0] if seen else 0.0


def _sample(pages: Sequence[PageLines]) -> Sequence[PageLines]:
    """Some dozens of pages, evenly spread: enough to know how a document is set."""
    return pages[:: max(1, len(pages) // SAMPLE)]


def _shape(text: str) -> str:
    return _DIGITS.sub("#", text)


def is_list_item(text: str) -> bool:
    """Whether a line starts with a bullet or a number of a list."""
    return (
        has_bullet(text)
        or (text[0] in "(0123456789" or text[1:2] in ".)")
        and bool(_NUMBERED.match(text))
    )


def has_bullet(text: str) -> bool:
    """Whether a line starts with a bullet."""
    return text[0] in _BULLETS and text[1:2] == " "
