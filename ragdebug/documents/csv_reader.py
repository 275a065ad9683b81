"""CSV records with their lines, by the standard reader, and a way out of a quote never closed."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

DELIMITERS = (",", ";", "\t", "|")
# A file of one column has no delimiter; this one is in no text.
NO_DELIMITER = "\x1f"
_SNIFFED_LINES = 200
_END = "\ue000end of file\ue000"
# Cells may be longer than the 128 KB that the standard reader allows; `Limits` keeps the bound.
# The number is global to the process, and the largest that fits everywhere.
_FIELD_LIMIT = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Record:
    """One record: lines from 0, `end` exclusive; `unclosed` when its quote had to be mended."""

    first: int
    end: int
    cells: list[str]
    unclosed: bool = False


def sniff_delimiter(lines: Sequence[str], suffix: str = "") -> str:
    """The delimiter that gives the most rows the same number of cells, more than one.

    Args:
        lines: all lines of the file, or its first ones.
        suffix: ``.tsv`` and ``.tab`` speak for the tab.
    """
    sample = [line for line in islice(lines, _SNIFFED_LINES) if line.strip()]
    best, delimiter = (0.0, 0), NO_DELIMITER
    for candidate in DELIMITERS:
        widths = [len(r.cells) for r in read_records(sample, candidate)]
        if not widths:
            continue
        width, count = Counter(widths).most_common(1)[0]
        share = count / len(widths)
        if width < 2 or share < 0.5 or (widths[0] != width and share < 0.8):
            continue
        if candidate == "\t" and suffix in (".tsv", ".tab"):
            return candidate
        if (round(share, 1), width) > best:
            best, delimiter = (round(share, 1), width), candidate
    if delimiter == NO_DELIMITER and sample:
        # Nothing is regular: the header alone decides.
        delimiter = next((d for d in DELIMITERS if d in sample[0]), NO_DELIMITER)
    return delimiter


def read_records(lines: Sequence[str], delimiter: str) -> Iterator[Record]:
    """Records of a CSV file, blank lines left out.

    A quote that is never closed, or that swallows rows until another one closes it in the middle
    of a cell, is taken as a plain character: its line becomes a record of its own, marked so.

    Args:
        lines: without line ends.
        delimiter: one character.
    """
    csv.field_size_limit(_FIELD_LIMIT)
    reader = _Reader(lines, delimiter)
    at = 0
    while at < len(lines):
        at = yield from reader.from_line(at)


class _Reader:
    def __init__(self, lines: Sequence[str], delimiter: str) -> None:
        self.lines = lines
        self.delimiter = delimiter
        self.width = 0
        # Mending reads lines again; a file made to be mended at every line must not take for ever.
        self.to_reread = 20 * len(lines) + 1000

    def from_line(self, start: int) -> Generator[Record, None, int]:
        """Records from a line on, up to one that had to be mended; returns the line after it."""
        reader = csv.reader(self._feed(start), delimiter=self.delimiter)
        first = start
        for cells in reader:
            end = start + reader.line_num
            if first >= len(self.lines):
                break
            unclosed = end > len(self.lines)
            end = min(end, len(self.lines))
            if unclosed or (end - first > 1 and not self._is_strict(first, end)):
                self.to_reread -= end - first
                if self._looks_like_rows(first, end):
                    yield Record(first, first + 1, self._plain(first), True)
                    return first + 1
                if unclosed:
                    cells[-1] = cells[-1].removesuffix(_END + "\n").removesuffix(_END).rstrip("\n")
                    yield Record(first, end, cells, True)
                    return end
            if cells:
                self.width = self.width or len(cells)
                yield Record(first, end, cells)
            first = end
        return len(self.lines)

    def _feed(self, start: int) -> Iterator[str]:
        for i in range(start, len(self.lines)):
            yield self.lines[i] + "\n"
        # If this comes out inside of a cell, that cell's quote was still open.
        yield _END

    def _is_strict(self, first: int, end: int) -> bool:
        """Whether a record of several lines is quoted as it should be."""
        part = (line + "\n" for line in self.lines[first:end])
        try:
            for _ in csv.reader(part, delimiter=self.delimiter, strict=True):
                pass
        except csv.Error:
            return False
        return True

    def _looks_like_rows(self, first: int, end: int) -> bool:
        """Whether the lines that a quote swallowed are rows of their own."""
        if self.to_reread < 0:
            return True
        swallowed = [line for line in self.lines[first + 1 : min(end, first + 21)] if line.strip()]
        width = self.width or len(self._plain(first))
        alike = sum(
            len(next(csv.reader([line], delimiter=self.delimiter), [])) == width
            for line in swallowed
        )
        return not swallowed or (width > 1 and alike * 2 >= len(swallowed))

    def _plain(self, line: int) -> list[str]:
        """Cells of one line whose last quote is never closed."""
        text = self.lines[line]
        cells = next(csv.reader([text], delimiter=self.delimiter, quoting=csv.QUOTE_NONE), [])
        return [c[1:] if c.startswith('"') and not c.endswith('"') else c for c in cells]
