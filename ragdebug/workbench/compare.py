"""Result lists against each other: the same passage in several lists, movement, overlap.

A passage is a span of a document. Two chunks of one table are the same passage when they are the
same row; chunks of two tables are when they overlap by more than half of the shorter.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ragdebug.evidence import FOUND_SHARE, Coverage
from ragdebug.fuse import rbo, shared
from ragdebug.records import Chunk, Hit, RankedList, ResultList, Share
from ragdebug.rerank import pool_size
from ragdebug.table import ChunkTable


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a passage stands in one list, also below k.

    Attributes:
        rank: from 1, None when it is not in the list.
        score: None where it was never scored, as below a reranker's pool.
        score_kind: of the list.
        row: the chunk of that list's table that was found, -1 when none.
        shown: whether it is among the hits.
        unscored: it stands below the reranker's pool, in the order it had before.
        shares: what each list gave to it, where lists were fused.
    """

    rank: int | None = None
    score: float | None = None
    score_kind: str = ""
    row: int = -1
    shown: bool = False
    unscored: bool = False
    shares: tuple[Share, ...] = ()


@dataclass(frozen=True, slots=True)
class ComparedHit:
    """One hit of one list, seen from all lists.

    Attributes:
        passage: equal for hits that are the same passage.
        standings: one a list, its own among them.
        movement: places gained (positive) or lost against the list to the left; None where there
            is none, or where it does not hold the passage.
        fresh: the list to the left does not hold the passage at all.
        held: share of the expected passage it holds, 0 to 1.
        found: whether that counts as found.
    """

    hit: Hit
    passage: str
    standings: tuple[Standing, ...]
    movement: int | None = None
    fresh: bool = False
    held: float = 0.0
    found: bool = False


@dataclass(frozen=True, slots=True)
class Overlap:
    """How much two lists agree in the hits they show.

    `rbo` is rank-biased overlap with p 0.9, 0 to 1.
    """

    first: int
    second: int
    shared: int
    rbo: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """Several lists side by side.

    Attributes:
        hits: for each list its hits.
        shared_by_all: number of passages that every list shows.
        only: for each list, the number of passages that no other list shows.
        overlaps: every pair of lists, left before right.
    """

    hits: tuple[tuple[ComparedHit, ...], ...]
    shared_by_all: int
    only: tuple[int, ...]
    overlaps: tuple[Overlap, ...]

    def passages(self) -> list[ComparedHit]:
        """One hit for each passage, in the order of first sight: by rank, then left to right."""
        seen: dict[str, ComparedHit] = {}
        depth = max(map(len, self.hits), default=0)
        for rank in range(depth):
            for hits in self.hits:
                if rank < len(hits):
                    seen.setdefault(hits[rank].passage, hits[rank])
        return list(seen.values())

    def find(self, at: int, chunk: str) -> ComparedHit | None:
        """The hit of a list with a chunk id."""
        return next((h for h in self.hits[at] if h.hit.chunk.id == chunk), None)


def same_passage(first: Chunk, second: Chunk) -> bool:
    """Whether two chunks of different chunkings overlap by more than half of the shorter."""
    if (first.document, first.version) != (second.document, second.version):
        return False
    return first.span.mostly(second.span)


def ranking(result: ResultList) -> RankedList:
    """The longest list a column has: the one before it was cut to k."""
    stages = result.trace.stages
    return stages[-2] if len(stages) > 1 else stages[-1]


def standing(
    chunk: Chunk, row: int, chunking: str, other: ResultList, table: ChunkTable
) -> Standing:
    """Where a chunk's passage stands in a list.

    Args:
        chunk: the passage.
        row: its row in the table of `chunking`.
        chunking: what it was cut with.
        other: the list.
        table: the chunks of `other`.
    """
    rows = [row] if chunking == other.chunking else _rows_of(chunk, table)
    listed = ranking(other)
    ranks = [(rank, at) for at in rows if (rank := listed.rank_of(at)) is not None]
    if not ranks:
        return Standing(score_kind=listed.score_kind)
    rank, at = min(ranks)
    score = float(listed.scores[rank - 1])
    return Standing(
        rank=rank,
        score=score if math.isfinite(score) else None,
        score_kind=listed.score_kind,
        row=at,
        shown=any(h.row == at for h in other.hits),
        unscored=listed.name == "reranked" and rank > pool_size(listed),
        shares=other.trace.shares.get(at, ()),
    )


def _rows_of(chunk: Chunk, table: ChunkTable) -> list[int]:
    """Rows of a table that are the same passage as a chunk of another one."""
    rows = table.rows_of(chunk.document)
    if not rows or table.document(rows[0]).version != chunk.version:
        return []
    found = []
    for row in rows:
        start, end = table.spans[row].tolist()
        common = min(end, chunk.end) - max(start, chunk.start)
        if common > 0 and 2 * common > min(end - start, chunk.end - chunk.start):
            found.append(row)
    return found


def held(coverages: Sequence[Coverage], row: int) -> tuple[float, bool]:
    """The share of the expected passage that a row holds, and whether that counts as found."""
    best, found = 0.0, False
    for coverage in coverages:
        if row in coverage.rows:
            share = coverage.of(row)
            least = 0.5 if coverage.place.region else FOUND_SHARE - 1e-9
            best = max(best, share)
            found = found or (share > least if coverage.place.region else share >= least)
    return best, found


def compare(
    lists: Sequence[ResultList],
    tables: Mapping[str, ChunkTable],
    coverages: Mapping[str, Sequence[Coverage]] | None = None,
) -> Comparison:
    """Put lists side by side.

    Args:
        lists: from left to right.
        tables: the chunk table of each chunking among them, by its text form.
        coverages: the expected passage against each table, by the same text form.
    """
    names = _Passages()
    compared: list[tuple[ComparedHit, ...]] = []
    for at, result in enumerate(lists):
        hits = []
        for hit in result.hits:
            standings = tuple(
                standing(hit.chunk, hit.row, result.chunking, other, tables[other.chunking])
                if other.hits or len(ranking(other))
                else Standing()
                for other in lists
            )
            left = standings[at - 1] if at else None
            share, found = held((coverages or {}).get(result.chunking, ()), hit.row)
            hits.append(
                ComparedHit(
                    hit=hit,
                    passage=names.of(hit, result.chunking),
                    standings=standings,
                    movement=None if left is None or left.rank is None else left.rank - hit.rank,
                    fresh=left is not None and left.rank is None,
                    held=share,
                    found=found,
                )
            )
        compared.append(tuple(hits))
    keys = [[h.passage for h in hits] for hits in compared]
    sets = [set(k) for k in keys]
    return Comparison(
        hits=tuple(compared),
        shared_by_all=len(set.intersection(*sets)) if sets else 0,
        only=tuple(
            len(own.difference(*(s for j, s in enumerate(sets) if j != i)))
            for i, own in enumerate(sets)
        ),
        overlaps=tuple(
            Overlap(i, j, shared(keys[i], keys[j]), rbo(keys[i], keys[j]))
            for i in range(len(keys))
            for j in range(i + 1, len(keys))
        ),
    )


class _Passages:
    """Names for passages: the chunk that was seen first stands for those that are the same."""

    def __init__(self) -> None:
        self._seen: list[tuple[str, Chunk]] = []
        self._names: dict[tuple[str, str], str] = {}

    def of(self, hit: Hit, chunking: str) -> str:
        """The passage's name."""
        key = (chunking, hit.chunk.id)
        if key not in self._names:
            same = [
                first.id
                for other, first in self._seen
                if other != chunking and same_passage(first, hit.chunk)
            ]
            if not same:
                self._seen.append((chunking, hit.chunk))
            self._names[key] = same[0] if same else hit.chunk.id
        return self._names[key]
