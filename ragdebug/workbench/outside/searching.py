"""Strategies whose hits are another system's: the lists it returned, as resources of a search."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from ragdebug.errors import InvalidSetting, NotBrought, RagDebugError
from ragdebug.pipeline import Resources, Returned
from ragdebug.protocols import PairScorer, Progress, Vectors, silent
from ragdebug.records import DocumentInfo
from ragdebug.retrieve.bm25 import BM25Index
from ragdebug.retrieve.dense import DenseIndex
from ragdebug.settings import (
    BM25Settings,
    ChunkingSettings,
    DenseSettings,
    StrategySettings,
    fingerprint,
)
from ragdebug.store.pieces import KeptPiece
from ragdebug.store.result_lists import ResultListInfo, ReturnedList
from ragdebug.table import ChunkTable
from ragdebug.workbench import filters
from ragdebug.workbench.building import Building
from ragdebug.workbench.kept import Kept
from ragdebug.workbench.outside.answers import Answer, gather
from ragdebug.workbench.outside.elsewhere import is_elsewhere, stand_in_info
from ragdebug.workbench.outside.identifying import again, identify
from ragdebug.workbench.outside.matching import Matching
from ragdebug.workbench.outside.tables import PieceTable, piece_table


@dataclass(frozen=True, slots=True)
class OutsideLists:
    """Lists of another system over placed pieces.

    Attributes:
        key: fingerprint of the content.
        pieces: with their documents.
        lists: one a query.
        errors: query -> why it has no answer.
        kind: of the scores: ``given``, or ``distance``, where less is nearer.
    """

    key: str
    pieces: tuple[KeptPiece, ...]
    lists: tuple[ReturnedList, ...]
    errors: Mapping[str, str] = field(default_factory=dict)
    kind: str = "given"


class OutsideSearch(Building):
    """Resources of strategies that another system answers."""

    def _outside_resources(
        self, strategy: StrategySettings, queries: Sequence[str], progress: Progress = silent
    ) -> Resources:
        """What a strategy ``list:`` or ``searcher:`` needs to answer some queries.

        Raises:
            NotBrought: there is no list or searcher of this name.
            InvalidSetting: a minimum score where there are distances.
        """
        return self._resources_of(strategy, self._outside_lists(strategy, progress))

    def _resources_of(self, strategy: StrategySettings, found: OutsideLists) -> Resources:
        """Lists as resources of a search."""
        if strategy.minimum is not None and found.kind == "distance":
            raise InvalidSetting(
                f"The {strategy.preset} {strategy.outside} has distances, where less is nearer:"
                " no minimum score can be asked of them.",
                hint="Leave the minimum out.",
            )
        made = self._outside_table(strategy, found)
        infos = [*self._active(), *_stand_ins(found.pieces)]
        own: list[list[Mapping[str, str]]] | None = None
        if strategy.filter and len(made.table):
            own = [[] for _ in range(len(made.table))]
            for piece in found.pieces:
                if (row := int(made.rows[piece.position])) >= 0:
                    own[row].append(piece.metadata)
        asked = ((q.id, q.text) for q in self.store.questions.all())
        matching = Matching(found.lists, asked if strategy.preset == "list" else ())
        return Resources(
            table=made.table,
            mask=filters.mask(made.table, infos, strategy.filter, own),
            bm25=_no_index,
            dense=_no_vectors,
            embed_query=_no_query,
            scorer=_no_scorer,
            returned=lambda query: _returned(query, strategy, found, made, matching),
        )

    def _outside_lists(self, strategy: StrategySettings, progress: Progress) -> OutsideLists:
        return self._kept_lists(self._list_named(strategy.outside), progress)

    def _list_named(self, name: str) -> ResultListInfo:
        """The list in use with a name.

        Raises:
            NotBrought: there is none.
        """
        info = self.store.result_lists.named(name)
        if info is None:
            known = [x.name for x in self.store.result_lists.lists()]
            raise NotBrought(
                f"There is no result list {name} here.",
                hint=f"There are: {', '.join(known[:10])}."
                if known
                else "Import one with: ragdebug lists import FILE --name NAME",
            )
        return info

    def _kept_lists(self, info: ResultListInfo, progress: Progress = silent) -> OutsideLists:
        """A kept list with the documents that its hits belong to by now."""
        seen = self._seen()

        def read() -> OutsideLists:
            pieces, key = self.store.pieces.pieces(info.pieces), info.id
            if info.about.get("seen") != seen:
                placed = again(pieces, self._active(), self._words, self._known_ids(), progress)
                if placed != pieces:
                    key = fingerprint([key, [(p.document, p.text) for p in placed]])
                pieces = placed
            return OutsideLists(
                key,
                tuple(pieces),
                tuple(self.store.result_lists.returned(info.id)),
                kind=str(info.about.get("kind") or "given"),
            )

        return self._lists_kept.get((info.id, seen), read)

    def _seen(self) -> str:
        """Changes with what decides which document a hit belongs to."""
        sets = [s.id for s in self.store.pieces.sets() if ":" not in s.name]
        return fingerprint([self.corpus().fingerprint, sets])

    def _words(self, document: str) -> str:
        return self.document(document).text

    def _outside_version(self, strategy: StrategySettings) -> str:
        """What stands for the content of a list in a run; "" for a searcher."""
        if strategy.preset != "list":
            return ""
        return self._kept_lists(self._list_named(strategy.outside)).key

    def brought(self, chunking: ChunkingSettings | str) -> str:
        """Of a list or searcher "": its content is named beside it, see `_outside_version`."""
        settings = ChunkingSettings.parse(chunking) if isinstance(chunking, str) else chunking
        return "" if ":" in settings.name else super().brought(settings)

    def chunk_table(
        self, chunking: ChunkingSettings | str, progress: Progress = silent
    ) -> ChunkTable:
        """All chunks of the corpus; of a list, the passages that it returned."""
        settings = ChunkingSettings.parse(chunking) if isinstance(chunking, str) else chunking
        preset, _, name = settings.name.partition(":")
        if not (settings.is_imported and name and preset == "list"):
            return super().chunk_table(settings, progress)
        strategy = StrategySettings(preset=preset, outside=name)
        return self._outside_table(strategy, self._outside_lists(strategy, progress)).table

    def is_cut(self, chunking: ChunkingSettings | str) -> bool:
        """Whether `chunk_table` answers at once; what another system returned is never cut here."""
        settings = ChunkingSettings.parse(chunking) if isinstance(chunking, str) else chunking
        return ":" in settings.name or super().is_cut(settings)

    def _placed_answers(self, answers: Sequence[Answer], progress: Progress) -> OutsideLists:
        """Answers over pieces with their documents; nothing is stored."""
        pieces, lists = gather(answers)
        kept, _ = identify(pieces, self._active(), self._words, self._known_ids(), progress)
        return OutsideLists(
            fingerprint([[p.text, p.document, p.id, p.start, p.end] for p in kept]),
            tuple(kept),
            tuple(lists),
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
        key = fingerprint([found.key, self.corpus().fingerprint, str(strategy.chunking)])

        def make() -> PieceTable:
            here = self._by_id()
            wanted = dict.fromkeys(p.document for p in found.pieces if p.document in here)
            self._read_ahead(here[d] for d in wanted)
            return piece_table(
                key,
                str(strategy.chunking),
                found.pieces,
                self._active(),
                self.document,
                self.pieces,
                self._text,
            )

        return self._tables_kept.get(key, make)

    _lists_kept: Kept[OutsideLists]
    _ids_kept: Kept[dict[str, KeptPiece]]
    _tables_kept: Kept[PieceTable]


def _returned(
    query: str,
    strategy: StrategySettings,
    found: OutsideLists,
    made: PieceTable,
    matching: Matching,
) -> Returned:
    """The list of one query as rows; those at one place once."""
    if error := found.errors.get(query):
        raise RagDebugError(error)
    listed = matching.of(query)
    if listed is None:
        raise NotBrought(
            f"The {strategy.preset} {strategy.outside} has no answer to this query.",
            hint=f"It has answers to {len(found.lists):,} others."
            if strategy.preset == "list"
            else "",
        )
    # A document that was deleted for good took its pieces along.
    hits = [hit for hit in listed.hits if hit.piece < len(made.rows)]
    rows = made.rows[[hit.piece for hit in hits]] if hits else np.zeros(0, np.int64)
    scores = np.array([hit.score for hit in hits], np.float64)
    known = rows >= 0
    rows, scores = rows[known], scores[known]
    _, first = np.unique(rows, return_index=True)
    order = np.sort(first)
    rows, scores = rows[order], scores[order]
    lost = sum(not made.table.placed(int(row)) for row in rows)
    notes = [f"{lost} of {len(rows)} not placed"] if lost else []
    if gone := len(listed.hits) - int(known.sum()):
        notes.append(f"{gone} of documents that were taken out")
    if same := int(known.sum()) - len(rows):
        notes.append(f"{same} at the place of a better one")
    elapsed = listed.elapsed_s if math.isfinite(listed.elapsed_s) else 0.0
    return Returned(rows, scores, elapsed, tuple(notes), found.kind)


def _stand_ins(pieces: Sequence[KeptPiece]) -> list[DocumentInfo]:
    """Infos of documents that are not here, so that a filter can look at their names."""
    known = {
        p.document: stand_in_info(p.document, p.source) for p in pieces if is_elsewhere(p.document)
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
