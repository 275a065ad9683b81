"""Section paths, the labels made of them, and the text that is indexed."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence

from ragdebug.chunk.borders import trim
from ragdebug.protocols import TokenCounter
from ragdebug.records import ParsedDocument, Section

SEPARATOR = " > "
ELLIPSIS = "…"


def compose(label: str, context: str, text: str) -> str:
    """What is embedded and indexed: label, context and text, a line each, empty ones left out."""
    return "\n".join(part for part in (label, context, text) if part)


class SectionPaths:
    """Says in which section a chunk stands.

    A chunk stands in the section of its first character. Where that is a heading line followed at
    once by a deeper heading, it stands in the deeper one, as long as that holds all the rest of it.
    In source code a chunk of several functions stands in what holds them all.
    """

    def __init__(self, parsed: ParsedDocument) -> None:
        self._text = parsed.text
        self._whole = parsed.kind == "code"
        # Titles may come with line ends and runs of blanks out of PDF and HTML.
        self._titles: dict[Section, str] = {s: " ".join(s.title.split()) for s in parsed.sections}
        self._sections = sorted(parsed.sections, key=lambda s: (s.start, -s.end))
        self._starts = [s.start for s in self._sections]
        self._parents: list[int] = []
        open_: list[int] = []
        for index, section in enumerate(self._sections):
            while open_ and self._sections[open_[-1]].end <= section.start:
                open_.pop()
            self._parents.append(open_[-1] if open_ else -1)
            open_.append(index)
        self._paths: dict[int, tuple[str, ...]] = {-1: ()}

    def of(self, start: int, end: int) -> tuple[str, ...]:
        """Titles from the outermost section to the one that ``[start, end)`` stands in."""
        index = self._at(start)
        if self._whole:
            while index >= 0 and self._sections[index].end < end:
                index = self._parents[index]
        following = index + 1
        while 0 <= index and following < len(self._sections):
            here, deeper = self._sections[index], self._sections[following]
            if not (start < here.body and self._parents[following] == index):
                break
            if not (deeper.start < end <= deeper.end) or self._solid(here.body, deeper.start):
                break
            start, index, following = deeper.start, following, following + 1
        return self._path(index)

    def _at(self, position: int) -> int:
        index = bisect_right(self._starts, position) - 1
        while index >= 0 and self._sections[index].end <= position:
            index = self._parents[index]
        return index

    def _solid(self, start: int, end: int) -> bool:
        return start < end and trim(self._text, start, end) != (end, end)

    def _path(self, index: int) -> tuple[str, ...]:
        if index not in self._paths:
            title = self._titles[self._sections[index]]
            self._paths[index] = (*self._path(self._parents[index]), title)
        return self._paths[index]


def label_of(path: Sequence[str], room: int, count: Callable[[str], int]) -> str:
    """The path as a label of at most `room` tokens, shortened from its outermost heading.

    ``A > B > C`` becomes ``… > B > C``, then ``… > C``; a last heading that alone is too long loses
    words at its end. "" when there is no room at all.
    """
    titles = [t for t in path if t]
    for first in range(len(titles)):
        label = SEPARATOR.join([ELLIPSIS] * bool(first) + titles[first:])
        if count(label) <= room:
            return label
    if not titles:
        return ""
    words = titles[-1].split(" ")
    low, high = 0, len(words)  # the most words that fit: `low` fit, `high` do not
    while high - low > 1:
        middle = (low + high) // 2
        if count(" ".join(words[:middle]) + ELLIPSIS) <= room:
            low = middle
        else:
            high = middle
    return " ".join(words[:low]) + ELLIPSIS if low else ""


def rough_count(text: str) -> int:
    """About how many tokens a text has, rather too many, where there is no tokenizer at hand."""
    return len(text.encode("utf-8", "replace")) // 3 + 1 if text else 0


def token_count(counter: TokenCounter | None) -> Callable[[str], int]:
    """The counter's own count, or a rough one."""
    return counter.count if counter is not None else rough_count
