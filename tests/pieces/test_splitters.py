"""Pieces of other people's splitters come back to where these say they cut them."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from langchain_text_splitters import (
    MarkdownHeaderTextSplitter,
    RecursiveCharacterTextSplitter,
)
from llama_index.core import Document
from llama_index.core.node_parser import SentenceSplitter

from ragdebug.documents.canonical import normalise
from ragdebug.pieces import GivenPiece, PieceFile, place_pieces, read_pieces
from ragdebug.pieces.folds import folded

REPEATED = (
    "Please read the safety notes before you go on.",
    "| size | price |\n|---|---|\n| S | 10 € |\n| M | 12 € |",
    "Yes.",
    "---",
    "Caution: Cafe\u0301 \U0001f468\u200d\U0001f469\u200d\U0001f467 “hot” — don’t touch…",
)
WORDS = (
    "the pump valve 温度 pressure naïve re\u0301sume\u0301 must be checked every 12 months 😀 by a "
    "trained person who knows the manual and its notes".split()
)


def made(seed: int, parts: int = 60) -> str:
    """A Markdown document of sections, with passages that come back."""
    rng = random.Random(seed)
    blocks = []
    for at in range(parts):
        if at % 9 == 0:
            blocks.append(f"{'#' * rng.randint(1, 3)} Section {at // 9}")
        elif rng.random() < 0.4:
            blocks.append(rng.choice(REPEATED))
        else:
            sentences = [
                " ".join(rng.choices(WORDS, k=rng.randint(3, 14))).capitalize() + "."
                for _ in range(rng.randint(1, 5))
            ]
            blocks.append(rng.choice([" ", "\n", "  "]).join(sentences))
    return "\n\n".join(blocks) + "\n"


def same(text: str) -> list[int]:
    return folded(text).without_blanks().codes.tolist()


def check(text: str, pieces: Sequence[GivenPiece], truth: Sequence[int | None]) -> None:
    """All are placed where their text is, and begin where the splitter says, if it does."""
    placed = place_pieces(text, pieces)
    for piece, one, start in zip(pieces, placed, truth, strict=True):
        assert one.placed, piece.text
        assert same(text[one.start : one.end]) == same(piece.text)
        if start is not None:
            assert one.start == start, (piece.text, one, start)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("size", "overlap"), [(120, 0), (200, 60), (900, 200)])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_langchain_recursive(seed: int, size: int, overlap: int, end: str) -> None:
    source = made(seed).replace("\n", end)
    text = normalise(source)
    splitter = RecursiveCharacterTextSplitter(
        chunk_size=size, chunk_overlap=overlap, add_start_index=True,
        separators=[end + end, end, " ", ""],
    )  # fmt: skip
    chunks = splitter.create_documents([source])
    given = [c.metadata["start_index"] for c in chunks]
    assert -1 not in given
    truth = [len(normalise(source[:at])) for at in given]
    check(text, [GivenPiece(c.page_content) for c in chunks], truth)
    with_offsets = [GivenPiece(c.page_content, start=at) for c, at in zip(chunks, given)]  # noqa: B905
    assert {p.how for p in place_pieces(text, with_offsets)} == {"offsets"}
    check(text, with_offsets, truth)
    shuffled = list(zip(with_offsets, truth, strict=True))
    random.Random(seed).shuffle(shuffled)
    check(text, [p for p, _ in shuffled], [at for _, at in shuffled])


@pytest.mark.parametrize("seed", range(3))
def test_langchain_pieces_whose_white_space_was_lost(seed: int) -> None:
    source = made(seed)
    splitter = RecursiveCharacterTextSplitter(chunk_size=150, chunk_overlap=0, add_start_index=True)
    chunks = splitter.create_documents([source])
    pieces = [GivenPiece(" ".join(c.page_content.split())) for c in chunks]
    check(source, pieces, [c.metadata["start_index"] for c in chunks])


@pytest.mark.parametrize("seed", range(3))
def test_langchain_markdown_headers(seed: int) -> None:
    source = made(seed)
    splitter = MarkdownHeaderTextSplitter([("#", "one"), ("##", "two"), ("###", "three")])
    chunks = splitter.split_text(source)
    pieces = [GivenPiece(c.page_content, metadata=c.metadata) for c in chunks]
    # One section a chunk: what stands between two headings.
    sections = [s.partition("\n")[2] for s in ("\n" + source).replace("\n#", "\n\0#").split("\0")]
    bodies = [s.strip() for s in sections[1:] if s.strip()]
    assert len(bodies) == len(pieces)
    starts, at = [], 0
    for body in bodies:
        at = source.index(body, at)
        starts.append(at)
        at += len(body)
    check(source, pieces, starts)
    placed = place_pieces(source, pieces)
    assert [p.end for p in placed] == [s + len(b) for s, b in zip(starts, bodies, strict=True)]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("size", "overlap"), [(30, 0), (60, 20)])
def test_llama_index_sentences(seed: int, size: int, overlap: int) -> None:
    source = made(seed)
    splitter = SentenceSplitter(
        chunk_size=size, chunk_overlap=overlap, tokenizer=str.split,
        chunking_tokenizer_fn=lambda t: t.splitlines(keepends=True), include_metadata=False,
    )  # fmt: skip
    nodes = splitter.get_nodes_from_documents([Document(text=source, metadata={"file_name": "a"})])
    file = read_nodes([n.to_json() for n in nodes])
    assert [p.text for p in file.pieces] == [n.get_content() for n in nodes]
    given = [n.start_char_idx for n in nodes]
    check(source, file.pieces, given)
    bare = [GivenPiece(p.text) for p in file.pieces]
    check(source, bare, given if overlap else one_after_the_other(source, bare))


def one_after_the_other(text: str, pieces: list[GivenPiece]) -> list[int | None]:
    """Where pieces stand that do not overlap and leave nothing out.

    LlamaIndex takes the next place after the start of the piece before; of a passage that comes
    twice in a row that may be one that overlaps it.
    """
    starts: list[int | None] = []
    end = 0
    for piece in pieces:
        at = text.index(piece.text, end)
        assert not text[end:at].strip()
        starts.append(at)
        end = at + len(piece.text)
    return starts


def read_nodes(lines: list[str]) -> PieceFile:
    return read_pieces("\n".join(lines).encode(), "nodes.jsonl")
