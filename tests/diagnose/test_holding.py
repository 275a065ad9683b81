"""Which chunks hold a place, and from which rank on."""

from __future__ import annotations

import numpy as np
import pytest

from ragdebug.diagnose import HeldDocument, HeldPassage, read_share
from ragdebug.evidence import Coverage
from ragdebug.records import Chunk, Place
from ragdebug.table import ChunkTable, DocumentChunks, DocumentRef

TEXT = "aaaa bbbb cccc dddd"
CUTS = [(0, 9), (5, 14), (10, 19)]


@pytest.fixture
def table() -> ChunkTable:
    """Two documents of the same text, three overlapping chunks each: rows 0-2 and 3-5."""

    def chunks(document: str) -> DocumentChunks:
        return DocumentChunks.of(
            [
                Chunk(f"{document}{s}", document, "v", document, s, e, TEXT[s:e], TEXT[s:e])
                for s, e in CUTS
            ]
        )

    refs = [DocumentRef(name, "v", name) for name in "ab"]
    parts = [chunks(name) for name in "ab"]
    return ChunkTable("t", "c", refs, parts, lambda d, v: TEXT, lambda label, context, text: text)


def rows(*values: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.array(values, np.int64)


def test_a_passage_in_two_pieces_is_held_by_both_together(table: ChunkTable) -> None:
    held = HeldPassage(Coverage(table, Place("a", "v", "a", 0, 14), TEXT))
    assert held.rows.tolist() == [0, 1, 2]
    assert held.whole.tolist() == []
    # Eight of its twelve letters stand in the first chunk, eight in the second.
    assert held.share(0) == held.share(1) == pytest.approx(8 / 12)
    assert held.rank(rows(4, 0, 3, 1)) == 4
    assert held.rank(rows(4, 0, 3)) is None
    assert held.rank_by({0: 7, 1: 90}.get) == 90


def test_a_passage_inside_one_chunk_is_held_by_it(table: ChunkTable) -> None:
    held = HeldPassage(Coverage(table, Place("b", "v", "b", 5, 9), TEXT))
    assert held.whole.tolist() == [3, 4]
    assert held.position(rows(0, 1, 2, 4)) == 4


def test_a_document_is_ranked_by_its_best_chunk_among_documents(table: ChunkTable) -> None:
    held = HeldDocument(table, "b")
    assert held.rows.tolist() == held.whole.tolist() == [3, 4, 5]
    # Three chunks of the other document stand above it: they are one document.
    assert held.rank(rows(2, 0, 1, 5, 3)) == 2
    assert held.position(rows(2, 0, 1, 5, 3)) == 4
    assert held.rank(rows(0, 1)) is None
    assert held.share(4) == 1 and held.share(0) == 0
    assert held.rank_by({5: 8, 3: 9}.get) == 8


@pytest.mark.parametrize(
    ("start", "end", "first", "read_to", "share"),
    [
        (0, 19, 0, 19, 1.0),
        (0, 9, 0, 4, 0.5),  # "aaaa" of "aaaa bbbb"
        (5, 14, 0, 9, 0.5),
        (5, 14, 10, 19, 0.5),  # the chunk starts inside of it
        (10, 14, 0, 9, 0.0),
        (4, 5, 0, 19, 0.0),  # a blank
    ],
)
def test_what_is_read_counts_in_letters(
    start: int, end: int, first: int, read_to: int, share: float
) -> None:
    assert read_share(TEXT, start, end, first, read_to) == share
