"""A table gives back exactly the chunks it was made of, also after it was saved."""

from __future__ import annotations

from pathlib import Path

import pytest

from ragdebug.errors import IndexNotReadable
from ragdebug.records import Chunk, Page
from ragdebug.table import ChunkTable, DocumentChunks, DocumentRef, page_at, text_digest

TEXTS = {("a", "v1aaaaaaaa"): "Alpha beta. Gamma delta.", ("b", "v2bbbbbbbb"): "Omega only."}


def compose(label: str, context: str, text: str) -> str:
    return "\n".join(x for x in (label, context, text) if x)


def chunk(document: str, version: str, start: int, end: int, label: str = "") -> Chunk:
    text = TEXTS[document, version][start:end]
    return Chunk(
        id=f"{document}.{version[:8]}:{start}-{end}",
        document=document,
        version=version,
        source=f"{document}.md",
        start=start,
        end=end,
        index_text=compose(label, "", text),
        text=text,
        label=label,
        section=tuple(label.split(" > ")) if label else (),
        page=1 if document == "b" else None,
        page_label="i" if document == "b" else "",
        size=end - start,
    )


CHUNKS = [
    chunk("a", "v1aaaaaaaa", 0, 11, "Top > First"),
    chunk("a", "v1aaaaaaaa", 12, 24, "Top"),
    chunk("b", "v2bbbbbbbb", 0, 11),
]


def table() -> ChunkTable:
    return ChunkTable(
        "fp",
        "fixed:11/0:chars:label",
        [DocumentRef("a", "v1aaaaaaaa", "a.md"), DocumentRef("b", "v2bbbbbbbb", "b.md")],
        [DocumentChunks.of(CHUNKS[:2]), DocumentChunks.of(CHUNKS[2:])],
        lambda d, v: TEXTS[d, v],
        compose,
    )


def test_rows_are_the_chunks_that_went_in() -> None:
    made = table()
    assert [made.chunk(r) for r in range(len(made))] == CHUNKS
    assert list(made.index_texts()) == [c.index_text for c in CHUNKS]
    assert made.hashes() == [text_digest(c.index_text).hex() for c in CHUNKS]
    assert made.hash(1) == made.hashes()[1]


def test_rows_of_a_document() -> None:
    made = table()
    assert list(made.rows_of("a")) == [0, 1]
    assert list(made.rows_of("b")) == [2]
    assert list(made.rows_of("gone")) == []


def test_a_saved_table_is_the_same(tmp_path: Path) -> None:
    table().save(tmp_path / "t")
    made = ChunkTable.load(tmp_path / "t", lambda d, v: TEXTS[d, v], compose)
    assert [made.chunk(r) for r in range(len(made))] == CHUNKS
    assert made.section(0) == ("Top", "First")
    assert list(made.rows_of("b")) == [2]


def test_a_saved_table_that_has_changed_is_refused(tmp_path: Path) -> None:
    table().save(tmp_path / "t")
    for path in (tmp_path / "t").iterdir():
        whole = path.read_bytes()
        path.write_bytes(whole[:-9] + bytes([whole[-9] ^ 4]) + whole[-8:])
        with pytest.raises(IndexNotReadable, match=path.name):
            ChunkTable.load(tmp_path / "t", lambda d, v: TEXTS[d, v], compose)
        path.write_bytes(whole)
    assert len(ChunkTable.load(tmp_path / "t", lambda d, v: TEXTS[d, v], compose)) == 3


def test_an_empty_corpus_is_an_empty_table() -> None:
    made = ChunkTable("fp", "x", [], [], lambda d, v: "", compose)
    assert len(made) == 0
    assert made.hashes() == []
    assert list(made.index_texts()) == []


def test_a_position_is_on_the_page_that_holds_it() -> None:
    pages = [Page(1, 0, 10), Page(2, 10, 10), Page(3, 10, 20)]
    found = [page_at(pages, p) for p in (0, 9, 10, 19, 25)]
    assert [p.number for p in found if p] == [1, 1, 3, 3, 3]
    assert page_at([], 3) is None
