"""Strategies whose hits are another system's: the lists it returned, as resources of a search."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ragdebug.errors import NotBrought, RagDebugError
from ragdebug.pipeline import Resources, Returned
from ragdebug.protocols import PairScorer, Progress, Vectors, silent
from ragdebug.records import DocumentInfo
from ragdebug.retrieve.bm25 import BM25Index
from ragdebug.retrieve.dense import DenseIndex
from ragdebug.settings import BM25Settings, DenseSettings, StrategySettings, fingerprint
from ragdebug.store.pieces import KeptPiece
from ragdebug.store.result_lists import ReturnedList
from ragdebug.workbench import filters
from ragdebug.workbench.building import Building
from ragdebug.workbench.kept import Kept
from ragdebug.workbench.outside.answers import Answer, gather
from ragdebug.workbench.outside.identifying import elsewhere, identify
from ragdebug.workbench.outside.tables import PieceTable, piece_table


@dataclass(frozen=True, slots=True)
class OutsideLists:
    """Lists of another system over placed pieces.

    Attributes:
        key: fingerprint of the content.
        pieces: with their documents.
        lists: by query.
        questions: lists by the id of the question they were asked for.
        errors: query -> why it has no answer.
    """

    key: str
    pieces: tuple[KeptPiece, ...]
    lists: dict[str, ReturnedList]
    questions: dict[str, ReturnedList]
    errors: dict[str, str]


class OutsideSearch(Building):
    """Resources of strategies that another system answers."""

    def _outside_resources(
        self, strategy: StrategySettings, queries: Sequence[str], progress: Progress = silent
    ) -> Resources:
        """What a strategy ``list:`` or ``searcher:`` needs to answer some queries.

        Raises:
            NotBrought: there is no list or searcher of this name.
        """
        found = self._outside_lists(strategy, queries, progress)
        made = self._outside_table(strategy, found)
        infos = [*self._active(), *_stand_ins(found.pieces)]
        own = None
        if strategy.filter and len(made.table):
            by_row = {int(row): p for row, p in zip(made.rows, found.pieces, strict=True)}
            own = [by_row[row].metadata for row in range(len(made.table))]
        return Resources(
            table=made.table,
            mask=filters.mask(made.table, infos, strategy.filter, own),
            bm25=_no_index,
            dense=_no_vectors,
            embed_query=_no_query,
            scorer=_no_scorer,
            returned=lambda query: _returned(query, strategy, found, made),
        )

    def _outside_lists(
        self, strategy: StrategySettings, queries: Sequence[str], progress: Progress
    ) -> OutsideLists:
        if strategy.preset == "searcher":
            return self._placed_answers(self._ask(strategy, queries, progress), progress)
        info = self.store.result_lists.named(strategy.outside)
        if info is None:
            raise NotBrought(
                f"There is no result list {strategy.outside} here.",
                hint="Import it with: ragdebug lists import FILE --name NAME",
            )

        def read() -> OutsideLists:
            lists = self.store.result_lists.returned(info.id)
            return OutsideLists(
                info.id,
                tuple(self.store.pieces.pieces(info.pieces)),
                {x.query: x for x in reversed(lists) if x.query},
                {x.question: x for x in reversed(lists) if x.question},
                {},
            )

        return self._lists_kept.get(info.id, read)

    def _ask(
        self, strategy: StrategySettings, queries: Sequence[str], progress: Progress
    ) -> list[Answer]:
        """Answers of a searcher, one a query; one that fails has an error and no hits."""
        raise NotBrought(f"There is no searcher {strategy.outside} here.")

    def _placed_answers(self, answers: Sequence[Answer], progress: Progress) -> OutsideLists:
        """Answers over pieces with their documents; nothing is stored."""
        pieces, lists = gather(answers)
        kept, _ = identify(
            pieces, self._active(), lambda d: self.document(d).text, self._known_ids(), progress
        )
        return OutsideLists(
            fingerprint([[p.text, p.document, p.id, p.start, p.end] for p in kept]),
            tuple(kept),
            {x.query: x for x in lists},
            {},
            {a.query: a.error for a in answers if a.error},
        )

    def _known_ids(self) -> dict[str, KeptPiece]:
        """Pieces that were brought in, by the id their file gives them."""

        def read() -> dict[str, KeptPiece]:
            found: dict[str, KeptPiece] = {}
            for one in self.store.pieces.sets():
                if ":" not in one.name:
                    for piece in self.store.pieces.pieces(one.id):
                        if piece.id:
                            found.setdefault(piece.id, piece)
            return found

        sets = tuple(s.id for s in self.store.pieces.sets())
        return self._ids_kept.get(sets, read)

    def _outside_table(self, strategy: StrategySettings, found: OutsideLists) -> PieceTable:
        key = fingerprint([found.key, self.corpus().fingerprint])
        return self._tables_kept.get(
            key,
            lambda: piece_table(
                key,
                str(strategy.chunking),
                found.pieces,
                self._active(),
                self.document,
                self.pieces,
                self._text,
            ),
        )

    _lists_kept: Kept[OutsideLists]
    _ids_kept: Kept[dict[str, KeptPiece]]
    _tables_kept: Kept[PieceTable]


def _returned(
    query: str, strategy: StrategySettings, found: OutsideLists, made: PieceTable
) -> Returned:
    """The list of one query as rows; those at one place once."""
    if error := found.errors.get(query):
        raise RagDebugError(error)
    listed = found.lists.get(query)
    if listed is None:
        raise NotBrought(
            f"The {strategy.preset} {strategy.outside} has no answer to this query.",
            hint=f"It has answers to {len(found.lists):,} queries, word for word."
            if strategy.preset == "list"
            else "",
        )
    rows = made.rows[[hit.piece for hit in listed.hits]] if listed.hits else np.zeros(0, np.int64)
    scores = np.array([hit.score for hit in listed.hits], np.float64)
    known = rows >= 0
    rows, scores = rows[known], scores[known]
    _, first = np.unique(rows, return_index=True)
    order = np.sort(first)
    rows, scores = rows[order], scores[order]
    lost = sum(not made.table.placed(int(row)) for row in rows)
    notes = (f"{lost} of {len(rows)} not placed",) if lost else ()
    elapsed = listed.elapsed_s if math.isfinite(listed.elapsed_s) else 0.0
    return Returned(rows, scores, elapsed, notes)


def _stand_ins(pieces: Sequence[KeptPiece]) -> list[DocumentInfo]:
    """Infos of documents that are not here, so that a filter can look at their names."""
    known = {
        p.document: DocumentInfo(p.document, "", p.source, "")
        for p in pieces
        if p.document == elsewhere(p.source)
    }
    return list(known.values())


def _no_index(settings: BM25Settings) -> BM25Index:
    raise AssertionError("another system's list has no index")


def _no_vectors(name: str, settings: DenseSettings) -> DenseIndex:
    raise AssertionError("another system's list has no vectors")


def _no_query(name: str, query: str) -> Vectors:
    raise AssertionError("another system's list needs no vector of a query")


def _no_scorer(name: str) -> PairScorer:
    raise AssertionError("another system's list is not reranked")
