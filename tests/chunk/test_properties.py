"""What holds for every chunker, every setting and every text."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragdebug.chunk.layout import section_starts
from ragdebug.chunk.measure import measure_for
from ragdebug.chunk.report import report
from ragdebug.chunk.run import chunk, pieces
from ragdebug.records import Block, Page, ParsedDocument
from ragdebug.settings import CHUNKERS, ChunkingSettings

PARTS = [
    "Hello world. ", "a ", "b? ", "你好，世界", "。", "「", "」", "ไทย", "हिन्दी।", "\n", "\n\n",
    "  \n \n", "\t", "\u00a0", "\u200b", "x" * 37, "# H one\n", "## H two\n", "### H three\n\n",
    "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n| 5 | 6 |\n", "```\ncode here\n\nmore\n```\n",
    "Dr. Moor came. ", "! ", "... ", "- item one\n", "The same sentence again. ", "?", ".",
    "https://a.b/c?d=e&f ", "e\u0301", "\u0301", "\U0001f468\u200d\U0001f469\u200d\U0001f467",
    "\U0001f44d\U0001f3fd", "น้ำ", "\U0001f1e9\U0001f1ea\U0001f1eb\U0001f1f7", "क्षि",
]  # fmt: skip
JOINED = st.lists(st.sampled_from(PARTS), max_size=40).map("".join)
# Any characters, as canonical text may have them.
TEXTS = JOINED | st.text(max_size=60).map(
    lambda t: t.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")
)


@st.composite
def chunkings(draw: st.DrawFn, smallest: int = 1) -> ChunkingSettings:
    """Any legal settings, with overlap just below the size among them."""
    size = draw(st.sampled_from([n for n in (1, 2, 3, 5, 8, 13, 30, 100) if n >= smallest]))
    strategy = draw(st.sampled_from(CHUNKERS))
    separators: tuple[str, ...] = ()
    if strategy == "recursive":
        separators = draw(st.sampled_from([(), (), (".",), ("\n", " "), ("", "a")]))
    by_sentences = draw(st.booleans())
    overlap = draw(st.sampled_from([0, 0, size - 1, size // 2, size // 4]))
    return ChunkingSettings(
        strategy,
        size,
        draw(st.integers(0, 3)) if by_sentences else overlap,
        draw(st.sampled_from(["tokens", "chars"])),
        "sentences" if by_sentences else "",
        separators=separators,
    )


@st.composite
def units(draw: st.DrawFn, length: int) -> tuple[Block, ...]:
    """Units of a source file anywhere, one inside another, as a careless parser might give them."""
    a, b, c, d = sorted(draw(st.tuples(*[st.integers(0, length)] * 4)))
    return (Block("unit", a, d, 1), Block("unit", b, c, 2))


@st.composite
def documents(draw: st.DrawFn, build) -> ParsedDocument:
    text = draw(TEXTS)
    if draw(st.integers(0, 5)) == 0:
        return ParsedDocument(text, "code", "t/1", blocks=draw(units(len(text))))
    parsed = build(text)
    if draw(st.booleans()):
        return parsed
    if draw(st.booleans()):
        turns = sorted(draw(st.sets(st.integers(0, len(text)), max_size=4)) | {0})
        ends = [*turns[1:], len(text)]
        pages = (Page(i, a, b) for i, (a, b) in enumerate(zip(turns, ends, strict=True), 1))
        return replace(parsed, pages=tuple(pages))
    blocks = parsed.blocks if draw(st.booleans()) else ()
    sections = parsed.sections if draw(st.booleans()) else ()
    return ParsedDocument(text, "text", "t/1", sections=sections, blocks=blocks)


@settings(max_examples=250)
@given(st.data())
def test_spans_rise_keep_to_the_size_and_lose_nothing(build, words, data):
    parsed = data.draw(documents(build))
    chosen = data.draw(chunkings())
    text = parsed.text
    measure = measure_for(text, chosen, words)
    found = pieces(parsed, chosen, measure)
    covered = bytearray(len(text))
    for piece in found:
        part = text[piece.start : piece.end]
        assert part
        assert part == part.strip()
        covered[piece.start : piece.end] = b"\1" * len(part)
        if chosen.strategy != "document":
            assert measure.size(piece.start, piece.end) <= chosen.size
    assert all(c or char.isspace() for c, char in zip(covered, text, strict=True))
    walls = section_starts(parsed)
    for one, two in zip(found, found[1:], strict=False):
        assert one.start < two.start
        assert one.end < two.end
        if two.start < one.end:
            assert chosen.overlap
            assert chosen.overlap_unit or measure.size(two.start, one.end) <= chosen.overlap
            assert not any(two.start < wall < one.end for wall in walls)


@settings(max_examples=100)
@given(st.data())
def test_labels_change_no_span_and_the_report_misses_no_text(build, words, as_document, data):
    document = as_document(data.draw(documents(build)))
    chosen = data.draw(chunkings())
    room = data.draw(st.sampled_from([-1, 0, 1, 5, 30]))
    bare = ChunkingSettings.parse(str(chosen).replace(":label", ":nolabel"))
    found = chunk(document, chosen, words, room)
    assert [(c.start, c.end) for c in found] == [
        (c.start, c.end) for c in chunk(document, bare, words, room)
    ]
    for one in found:
        assert document.text[one.start : one.end] == one.text
        assert one.index_text.endswith(one.text)
        assert words.count(one.label) <= max(room, 0)
    assert not report(document, found, [0] * len(found), 100).uncovered


@settings(max_examples=100)
@given(st.data())
def test_no_character_a_reader_sees_is_cut_in_two(build, words, data):
    regex = pytest.importorskip("regex")
    parsed = build(data.draw(JOINED))
    # Every cluster of the parts fits into 13 units, so there always is another way.
    chosen = data.draw(chunkings(smallest=13))
    text = parsed.text
    inside: dict[int, int] = {}
    for cluster in regex.finditer(r"\X", text):
        low, high = cluster.span()
        if high - low <= 13:
            inside |= dict.fromkeys(range(low + 1, high), low)
    for piece in pieces(parsed, chosen, measure_for(text, chosen, words)):
        for edge in (piece.start, piece.end):
            # A mark on a blank is parted from it: no chunk begins or ends with a blank.
            assert edge not in inside or text[inside[edge] : edge].isspace()


LONG = {
    "one word": "x" * 60_000,
    "one row of dots": "." * 60_000 + "x",
    "one cluster": "a" + "\u0301" * 60_000,
    "one row of flags": "\U0001f1e9" * 20_000,
    "one blank": "a" + " " * 60_000 + "b",
    "blank lines": "a" + " \n" * 30_000 + "b",
    "chinese without a mark": "你好" * 15_000,
    "chinese marks only": "。" * 30_000,
    "one letter a paragraph": "a\n\n" * 15_000,
    "headings only": "# h\n" * 5_000,
}


@pytest.mark.parametrize("shape", LONG)
@pytest.mark.parametrize(
    "chosen",
    ["structure:100/90:chars", "recursive:100/30:chars", "sentences:500/2s:chars", "fixed:60/30"],
)
def test_odd_long_texts_come_to_an_end_soon(build, words, shape, chosen):
    # What costs the square of the length would run into the time limit of the suite.
    parsed = ParsedDocument(LONG[shape], "text", "t/1")
    settings_ = ChunkingSettings.parse(chosen)
    found = pieces(parsed, settings_, measure_for(parsed.text, settings_, words))
    assert found[-1].end == len(parsed.text.rstrip())
