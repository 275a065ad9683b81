"""Documents built by hand, and a tokenizer that counts words."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from ragdebug.chunk.measure import measure_for
from ragdebug.chunk.run import chunk, pieces
from ragdebug.records import Block, Chunk, Document, ParsedDocument, Piece, Section, Span
from ragdebug.settings import ChunkingSettings


class WordCounter:
    """A token is a word; nothing else is counted."""

    name = "words"

    def count(self, text: str) -> int:
        return len(text.split())

    def count_many(self, texts: Sequence[str]) -> list[int]:
        return [self.count(t) for t in texts]

    def offsets(self, text: str) -> NDArray[np.int64]:
        spans = [m.span() for m in re.finditer(r"\S+", text)]
        return np.array(spans, np.int64).reshape(-1, 2)


def build_markdown(text: str, kind: str = "markdown", language: str = "en") -> ParsedDocument:
    """Sections and blocks of a small Markdown: #, fences, pipe tables, "- " items, paragraphs."""
    blocks: list[Block] = []
    headings: list[tuple[int, int, int, str]] = []
    at = 0
    while at < len(text):
        stop = text.find("\n", at)
        stop = len(text) if stop < 0 else stop + 1
        line = text[at:stop]
        if found := re.match(r"(#{1,6}) (.+)", line):
            headings.append((at, stop, len(found[1]), found[2].strip()))
            blocks.append(Block("heading", at, at + len(line.rstrip()), len(found[1])))
        elif line.startswith("```"):
            close = text.find("\n```", stop - 1)
            stop = len(text) if close < 0 else min(len(text), close + 5)
            blocks.append(Block("code", at, at + len(text[at:stop].rstrip())))
        elif table := re.match(r"\|[^\n]*\|\n\|[-| ]+\|(\n\|[^\n]*\|)*", text[at:]):
            rows = [Span(at + m.start(), at + m.end()) for m in re.finditer(r".+", table[0])]
            header = Span(rows[0].start, rows[1].end)
            rows = [header, *rows[2:]]
            blocks.append(Block("table", at, at + table.end(), rows=tuple(rows), header=header))
            stop = at + table.end()
        elif line.startswith("- "):
            blocks.append(Block("list_item", at, at + len(line.rstrip()), 1))
        elif line.strip():
            # A paragraph goes on until a blank line or another kind of line.
            blank = re.compile(r"\n(?=[^\S\n]*\n|#+ |```|\||- )").search(text, at)
            end = blank.start() if blank else len(text)
            stop = max(stop, end)
            solid = text[at:end]
            start = at + len(solid) - len(solid.lstrip())
            blocks.append(Block("paragraph", start, start + len(solid.strip())))
        at = stop
    sections = []
    for index, (start, body, level, title) in enumerate(headings):
        following = (h[0] for h in headings[index + 1 :] if h[2] <= level)
        sections.append(Section(start, next(following, len(text)), level, title, body))
    return ParsedDocument(
        text, kind, "test/1", sections=tuple(sections), blocks=tuple(blocks), language=language
    )


def stored(parsed: ParsedDocument) -> Document:
    return Document("doc", "0123456789abcdef", "some.md", parsed)


@pytest.fixture(scope="session")
def words() -> WordCounter:
    return WordCounter()


@pytest.fixture(scope="session")
def build() -> Callable[..., ParsedDocument]:
    return build_markdown


@pytest.fixture(scope="session")
def cut(words: WordCounter) -> Callable[[ParsedDocument | str, str], list[str]]:
    """Texts of the pieces of a document, or of a text without any structure."""

    def run(parsed: ParsedDocument | str, settings: str) -> list[str]:
        if isinstance(parsed, str):
            parsed = ParsedDocument(parsed, "text", "test/1")
        return [parsed.text[p.start : p.end] for p in cut_pieces(parsed, settings, words)]

    return run


def cut_pieces(parsed: ParsedDocument, settings: str, words: WordCounter) -> list[Piece]:
    chosen = ChunkingSettings.parse(settings)
    return pieces(parsed, chosen, measure_for(parsed.text, chosen, words))


@pytest.fixture(scope="session")
def chunks(words: WordCounter) -> Callable[..., list[Chunk]]:
    def run(parsed: ParsedDocument, settings: str, room: int = 30) -> list[Chunk]:
        return chunk(stored(parsed), ChunkingSettings.parse(settings), words, room)

    return run


@pytest.fixture(scope="session")
def as_document() -> Callable[[ParsedDocument], Document]:
    return stored
