"""The same passage in several lists, movement, evidence held, overlap: worked out by hand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from ragdebug import Workbench
from ragdebug.records import Chunk, Hit, RankedList, ResultList, Trace
from ragdebug.settings import BM25Settings, ChunkingSettings
from ragdebug.table import ChunkTable
from ragdebug.workbench.compare import compare, same_passage, standing

TEXT = "".join(f"Sentence number {i:02d} tells of a thing. " for i in range(40))


@pytest.fixture(scope="module")
def wb(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    folder = tmp_path_factory.mktemp("compare")
    (folder / "docs").mkdir()
    (folder / "docs" / "long.txt").write_text(TEXT, "utf-8")
    with Workbench(folder / "workspace") as opened:
        opened.ingest([folder / "docs"])
        yield opened


def chunk(start: int, end: int, document: str = "d", version: str = "v") -> Chunk:
    return Chunk(f"{document}.{start}-{end}", document, version, document, start, end, "", "")


def ranked(
    table: ChunkTable, chunking: str, rows: Sequence[int], k: int, name: str = "vector"
) -> ResultList:
    scores = np.linspace(1, 0.5, len(rows))
    full = RankedList(name, "cosine", np.array(rows, np.int64), scores, 50, len(table))
    final = RankedList("final", "cosine", full.rows[:k], scores[:k], k, len(table))
    hits = tuple(
        Hit(i + 1, float(s), "cosine", table.chunk(r), r)
        for i, (r, s) in enumerate(zip(rows[:k], scores[:k].tolist(), strict=True))
    )
    return ResultList(
        name, f"vector@{chunking}", chunking, "", len(table), len(table), 0.0, hits,
        Trace("q", "", (full, final)),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ((0, 100), (0, 100), True),
        ((0, 100), (49, 100), True),  # all of the shorter
        ((0, 100), (80, 120), False),  # exactly half of the shorter
        ((0, 100), (79, 119), True),
        ((0, 100), (100, 200), False),
    ],
)
def test_chunks_that_share_more_than_half_of_the_shorter_are_one_passage(
    first: tuple[int, int], second: tuple[int, int], same: bool
) -> None:
    assert same_passage(chunk(*first), chunk(*second)) is same
    assert same_passage(chunk(*second), chunk(*first)) is same


def test_equal_spans_of_two_documents_or_versions_are_two_passages() -> None:
    assert not same_passage(chunk(0, 9), chunk(0, 9, document="e"))
    assert not same_passage(chunk(0, 9), chunk(0, 9, version="w"))


def test_movement_counts_places_against_the_list_to_the_left_also_below_k(wb: Workbench) -> None:
    cut = "fixed:120/0:chars:nolabel"
    table = wb.chunk_table(cut)
    left = ranked(table, cut, [0, 1, 2, 3, 4], 2)
    right = ranked(table, cut, [4, 1, 7], 3)
    found = compare([left, right], {cut: table})
    assert [h.movement for h in found.hits[0]] == [None, None]
    assert [(h.movement, h.fresh) for h in found.hits[1]] == [(4, False), (0, False), (None, True)]
    assert [s.rank for s in found.hits[1][0].standings] == [5, 1]
    assert [s.shown for s in found.hits[1][0].standings] == [False, True]


def test_a_passage_is_found_in_a_list_of_another_chunking(wb: Workbench) -> None:
    small, large = "fixed:120/0:chars:nolabel", "fixed:240/0:chars:nolabel"
    tables = {c: wb.chunk_table(c) for c in (small, large)}
    one = ranked(tables[small], small, [3, 0], 2)
    two = ranked(tables[large], large, [5, 1, 2], 2)
    found = compare([one, two], tables)
    inside = [s.rank for s in found.hits[0][0].standings]
    spans = tables[large].spans
    start, end = tables[small].spans[3].tolist()
    row = int(np.flatnonzero((spans[:, 0] <= start) & (spans[:, 1] >= end))[0])
    assert inside == [1, [5, 1, 2].index(row) + 1]
    assert found.hits[0][0].passage == found.hits[1][1].passage
    assert found.shared_by_all == 1
    assert found.only == (1, 1)


def test_rows_of_one_table_are_never_taken_for_one_another(wb: Workbench) -> None:
    cut = "fixed:120/80:chars:nolabel"  # neighbours share two thirds
    table = wb.chunk_table(cut)
    result = ranked(table, cut, [4], 1)
    assert standing(table.chunk(3), 3, cut, result, table).rank is None
    assert standing(table.chunk(4), 4, cut, result, table).rank == 1


def test_overlap_of_equal_and_of_disjoint_lists(wb: Workbench) -> None:
    cut = "fixed:120/0:chars:nolabel"
    table = wb.chunk_table(cut)
    a, b, c = (ranked(table, cut, rows, 2) for rows in ([0, 1], [0, 1], [2, 3]))
    found = compare([a, b, c], {cut: table})
    assert [(o.first, o.second, o.shared) for o in found.overlaps] == [
        (0, 1, 2),
        (0, 2, 0),
        (1, 2, 0),
    ]
    assert [o.rbo for o in found.overlaps] == pytest.approx([1, 0, 0])
    assert (found.shared_by_all, found.only) == (0, (0, 0, 2))
    assert len(found.passages()) == 4


def test_the_share_of_the_expected_passage_is_said_for_every_hit(wb: Workbench) -> None:
    cut = "fixed:120/0:chars:nolabel"
    table = wb.chunk_table(cut)
    start, end = table.spans[2].tolist()
    document = table.document(2).id
    whole = wb.place(document, start, end)
    result = wb.search_one("sentence", f"bm25@{cut}+k=50", expect=[whole])
    found = wb.compare([result], [whole])
    held = {h.hit.row: (h.held, h.found) for h in found.hits[0]}
    assert held[2] == (1.0, True)
    assert all(value == (0.0, False) for row, value in held.items() if row != 2)
    region, moved = wb.follow_place(document, "", 0, len(TEXT.rstrip()), "whole document")
    everywhere = wb.compare([result], [region])
    assert not moved
    assert all(h.found for h in everywhere.hits[0])


def test_terms_are_found_where_they_stand_and_identifiers_once(wb: Workbench) -> None:
    result = wb.search_one("things numbered", "bm25")
    text = "A thing, two THINGS and the number."
    spans = wb.term_spans(text, result.trace.terms, BM25Settings())
    assert [text[a:b] for a, b in spans] == ["thing", "THINGS", "number"]


def test_an_expected_passage_follows_its_document_to_a_new_version(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("The refund is paid within thirty days.", "utf-8")
    with Workbench(tmp_path / "workspace") as wb:
        wb.ingest([file])
        old = wb.find_quote("thirty days")[0]
        file.write_text("News first.\n\nThe refund is paid within thirty days.", "utf-8")
        wb.ingest([file])
        place, moved = wb.follow_place(old.document, old.version[:8], old.start, old.end)
        text = wb.document(place.document).text
        assert moved
        assert text[place.start : place.end] == "thirty days"
        file.write_text("Nothing is paid.", "utf-8")
        wb.ingest([file])
        with pytest.raises(Exception, match="no longer in it"):
            wb.follow_place(old.document, old.version[:8], old.start, old.end)


def test_the_share_of_chunks_in_a_language_that_the_model_was_not_made_for(tmp_path: Path) -> None:
    (tmp_path / "en.txt").write_text("The machine is cleaned every day with warm water. " * 3)
    (tmp_path / "de.txt").write_text(
        "Die Maschine wird jeden Tag mit warmem Wasser gereinigt. " * 3
    )
    with Workbench(tmp_path / "workspace") as wb:
        wb.ingest([tmp_path / "en.txt", tmp_path / "de.txt"])
        assert wb.foreign_share(ChunkingSettings(), "all-MiniLM-L6-v2") == (0.5, ("de",))
