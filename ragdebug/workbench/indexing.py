"""Chunk tables, BM25 indexes and dense indexes: made once, saved by fingerprint, kept while used.

Three places are asked in turn: memory, the workspace's ``indexes`` folder, the stages themselves.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ragdebug.chunk.labels import compose
from ragdebug.chunk.run import CHUNKER_VERSION, chunk
from ragdebug.embed import EmbedPlan, embed_missing, plan
from ragdebug.errors import IndexIncomplete, IndexNotReadable
from ragdebug.model_files import info as model_info
from ragdebug.model_files import remotes
from ragdebug.protocols import Embedder, ModelInfo, Progress, Vectors, silent
from ragdebug.records import Chunk, Document
from ragdebug.retrieve.analyzer import Analyzer
from ragdebug.retrieve.bm25 import BM25Index
from ragdebug.retrieve.dense import DenseIndex
from ragdebug.settings import (
    BM25Settings,
    ChunkingSettings,
    DenseSettings,
    fingerprint,
)
from ragdebug.table import ChunkTable, DocumentChunks, DocumentRef, with_pages
from ragdebug.tokens import counter
from ragdebug.workbench.kept import Kept, RememberingCounter
from ragdebug.workbench.pieces.cutting import PieceChunks
from ragdebug.workbench.reports import BuildReport

if TYPE_CHECKING:
    from ragdebug.store.chunks import ChunkStore
    from ragdebug.store.documents import DocumentStore
    from ragdebug.store.indexes import IndexFolder
    from ragdebug.store.pieces import PieceSet
    from ragdebug.store.vectors import VectorStore

WINDOW = 256 - 2  # tokens the embedded model leaves for label and text
REFRESH_S = 5.0  # how often a part-built dense index looks for new vectors
BATCH_DOCUMENTS = 50
# A saved index that is damaged, or of another release, is made again without a word.
_UNREADABLE = (IndexNotReadable, OSError, ValueError, KeyError, TypeError, EOFError)


_counters: Kept[RememberingCounter] = Kept(4)


def _remembering(name: str) -> RememberingCounter:
    return RememberingCounter(counter(name))


def names_of(model: ModelInfo) -> tuple[str, ...]:
    """What a model is called: its name here, and behind an address what the server calls it."""
    return (model.name, remotes.remote(model.name).model.model) if model.remote else (model.name,)


def label_room(settings: ChunkingSettings) -> int:
    """Tokens a label may take: what the embedded model's window leaves beside the text."""
    if settings.strategy != "document" and settings.unit == "tokens" and settings.size < WINDOW:
        return max(12, WINDOW - settings.size)
    return 34


def chunk_list(document: Document, settings: ChunkingSettings) -> list[Chunk]:
    """Cut one document; the chunks in order, with pages."""
    tokenizer = _counters.get(settings.tokenizer, lambda: _remembering(settings.tokenizer))
    return with_pages(chunk(document, settings, tokenizer, label_room(settings)), document)


class Indexes:
    """All indexes of one workspace."""

    def __init__(
        self,
        documents: DocumentStore,
        chunks: ChunkStore,
        vectors: VectorStore,
        folder: IndexFolder,
        pieces: PieceChunks,
        text_of: Callable[[str, str], str],
        refs: Callable[[], tuple[str, Sequence[DocumentRef]]],
        language: Callable[[], str],
    ) -> None:
        self._documents = documents
        self._chunks = chunks
        self._vectors = vectors
        self._folder = folder
        self._pieces = pieces
        self._text_of = text_of
        self._refs = refs
        self._language = language
        self._tables: Kept[ChunkTable] = Kept(3)
        self._bm25: Kept[BM25Index] = Kept(6)
        self._dense: Kept[DenseIndex] = Kept(4)
        self._given: Kept[tuple[NDArray[np.int64], Vectors]] = Kept(2)
        self._partial_since: dict[Hashable, float] = {}

    # Tables ---------------------------------------------------------------------------------------

    def table(self, settings: ChunkingSettings, progress: Progress = silent) -> ChunkTable:
        """The chunk table of the present corpus."""
        corpus, refs = self._refs()
        found = self._set(settings)
        key = self._table_key(corpus, settings, found)
        if found is not None:
            self._pieces.pin(key, found)
        return self._tables.get(key, lambda: self._make_table(key, settings, refs, progress, found))

    def has_table(self, settings: ChunkingSettings) -> bool:
        """Whether the present corpus is cut this way already."""
        key = self._table_key(self._refs()[0], settings, self._set(settings))
        return self._tables.peek(key) is not None or self._folder.path(f"{key}-table").exists()

    def _set(self, settings: ChunkingSettings) -> PieceSet | None:
        """The set of pieces that is in use now; it is asked for once for each table."""
        return self._pieces.set(settings.name) if settings.is_imported else None

    @staticmethod
    def _table_key(corpus: str, settings: ChunkingSettings, found: PieceSet | None) -> str:
        own = found.content if found else ()
        return fingerprint([corpus, settings.fingerprint(), CHUNKER_VERSION, *own])

    @staticmethod
    def _cut_by(settings: ChunkingSettings, found: PieceSet | None) -> str:
        """What decides the chunks besides the documents."""
        own = [found.id] if found else []
        return fingerprint([settings.fingerprint(), CHUNKER_VERSION, *own])

    def cut(self, document: Document, settings: ChunkingSettings) -> list[Chunk]:
        """Cut one document; the chunks in order, with pages."""
        if settings.is_imported:
            return self._pieces.chunks(settings.name, document)
        return chunk_list(document, settings)

    def _columns(
        self, document: Document, settings: ChunkingSettings, found: PieceSet | None
    ) -> DocumentChunks:
        if found is not None:
            return self._pieces.columns(found, document)
        return DocumentChunks.of(chunk_list(document, settings))

    def _make_table(
        self,
        key: str,
        settings: ChunkingSettings,
        refs: Sequence[DocumentRef],
        progress: Progress,
        found: PieceSet | None,
    ) -> ChunkTable:
        saved = self._folder.path(f"{key}-table")
        if saved.exists():
            try:
                return ChunkTable.load(saved, self._text_of, compose)
            except _UNREADABLE:
                self._folder.discard(f"{key}-table")
        parts = self._parts(settings, refs, progress, found)
        table = ChunkTable(key, str(settings), refs, parts, self._text_of, compose)
        self._folder.publish(f"{key}-table", table.save)
        return table

    def _parts(
        self,
        settings: ChunkingSettings,
        refs: Sequence[DocumentRef],
        progress: Progress,
        found: PieceSet | None,
    ) -> list[DocumentChunks]:
        """Chunks of each document; only versions never cut this way before are cut now."""
        cut = self._cut_by(settings, found)
        known = self._chunks.get([(r.id, r.version) for r in refs], cut)
        missing = [r for r in refs if (r.id, r.version) not in known]
        done = 0
        for at in range(0, len(missing), BATCH_DOCUMENTS):
            batch = missing[at : at + BATCH_DOCUMENTS]
            made: dict[tuple[str, str], DocumentChunks] = {}
            for document in self._documents.load_many([(r.id, r.version) for r in batch]):
                progress(done, len(missing), "documents cut")
                made[document.id, document.version] = self._columns(document, settings, found)
                done += 1
            for ref in batch:
                if (ref.id, ref.version) not in made:
                    self._documents.load(ref.id, ref.version)  # gone meanwhile, and says so
            self._chunks.put(made, cut)
            known.update(made)
        if missing:
            progress(done, len(missing), "documents cut")
        return [known[r.id, r.version] for r in refs]

    # BM25 -----------------------------------------------------------------------------------------

    def analyzer(self, settings: BM25Settings) -> Analyzer:
        """The analyzer of an index; ``auto`` takes the language of most documents."""
        language = settings.analyzer.language
        if language == "auto":
            language = self._language() or "en"
        return Analyzer(settings.analyzer, language)

    def bm25(
        self, table: ChunkTable, settings: BM25Settings, progress: Progress = silent
    ) -> BM25Index:
        """The BM25 index of a table."""
        analyzer = self.analyzer(settings)
        key = f"{table.fingerprint}-bm25-{fingerprint([settings.fingerprint(), analyzer.language])}"

        def make() -> BM25Index:
            saved = self._folder.path(key)
            if saved.exists():
                try:
                    return BM25Index.load(saved, analyzer)
                except _UNREADABLE:
                    self._folder.discard(key)
            made = BM25Index.build(table.index_texts(), analyzer, settings, progress)
            self._folder.publish(key, made.save)
            return made

        return self._bm25.get(key, make)

    # Dense ----------------------------------------------------------------------------------------

    def plan(self, table: ChunkTable, model: ModelInfo) -> EmbedPlan:
        """How many texts a model would have to embed, and about how long."""
        return plan(self._to_embed(table, model), model, self._vectors)

    def _to_embed(self, table: ChunkTable, model: ModelInfo) -> list[str]:
        """Hashes of the texts that have no given vector of this model."""
        given = self.given_vectors(table, model)
        hashes = table.hashes()
        if given is None:
            return hashes
        there = set(given[0].tolist())
        return [h for row, h in enumerate(hashes) if row not in there]

    def given_vectors(
        self, table: ChunkTable, model: ModelInfo
    ) -> tuple[NDArray[np.int64], Vectors] | None:
        """Rows and vectors that came with imported chunks, where they are this model's."""
        settings = ChunkingSettings.parse(table.chunking)
        if not settings.is_imported:
            return None
        own = self._pieces.of(settings.name, table)
        if own.model not in names_of(model) or own.dimension != model.dimension:
            return None
        return self._given.get(
            table.fingerprint, lambda: self._pieces.vectors(settings.name, table)
        )

    def vectors(self, table: ChunkTable, model: ModelInfo) -> tuple[NDArray[np.int64], Vectors]:
        """Rows that have a vector, shape (n,), rising, and their vectors, shape (n, dimension).

        What came with imported chunks is taken before what was embedded here.
        """
        at, vectors = self._vectors.get(model.fingerprint, table.hashes())
        vectors = vectors.reshape(-1, model.dimension) if not len(at) else vectors
        given = self.given_vectors(table, model)
        return (at, vectors) if given is None else _joined(given, (at, vectors))

    def build(
        self, table: ChunkTable, embedder: str, load: Callable[[str], Embedder], progress: Progress
    ) -> BuildReport:
        """Embed what is missing and save the dense index; does nothing when all is there."""
        start = time.perf_counter()
        model = model_info(embedder)
        settings = DenseSettings()
        key = self._dense_key(table, model, settings)
        embedded = 0
        kept = self._dense.peek(key)
        if not (kept is not None and kept.indexed >= 1) and not self._folder.path(key).exists():
            planned = self.plan(table, model)
            if planned.new:
                wanted = set(self._to_embed(table, model))
                texts = [
                    text
                    for text, known in zip(table.index_texts(), table.hashes(), strict=True)
                    if known in wanted
                ]
                stats = embed_missing(texts, load(embedder), self._vectors, progress)
                embedded = stats.embedded
                del texts
            self._dense.drop(key)
            self.dense(table, embedder, settings)
        return BuildReport(
            chunking=table.chunking,
            embedder=embedder,
            chunks=len(table),
            distinct=table.distinct,
            embedded=embedded,
            elapsed_s=time.perf_counter() - start,
        )

    def has_dense(self, table: ChunkTable, embedder: str, settings: DenseSettings) -> bool:
        """Whether the dense index of a table is made, and at hand or saved."""
        key = self._dense_key(table, model_info(embedder), settings)
        return self._dense.peek(key) is not None or self._folder.path(key).exists()

    def dense(
        self,
        table: ChunkTable,
        embedder: str,
        settings: DenseSettings,
        progress: Progress = silent,
    ) -> DenseIndex:
        """The dense index of a table, part-built where vectors are missing.

        HNSW takes minutes for 100,000 vectors, once: it is saved, for any efSearch.
        """
        model = model_info(embedder)
        key = self._dense_key(table, model, settings)
        since = self._partial_since.get(key)
        if since is not None and time.monotonic() - since > REFRESH_S:
            self._partial_since.pop(key, None)
            self._dense.drop(key)
        made = self._dense.get(key, lambda: self._make_dense(key, table, model, settings, progress))
        if settings.index == "hnsw" and made.settings.ef_search != settings.ef_search:
            return made.with_ef_search(settings.ef_search)
        return made

    def complete(
        self,
        table: ChunkTable,
        embedder: str,
        settings: DenseSettings,
        progress: Progress = silent,
    ) -> DenseIndex:
        """The dense index of a table; raises IndexIncomplete when vectors are missing."""
        index = self.dense(table, embedder, settings, progress)
        if index.indexed < 1:
            raise IndexIncomplete(
                f"{index.indexed:.0%} of the chunks are indexed with {embedder}.",
                hint="Build the index first.",
            )
        return index

    @staticmethod
    def _dense_key(table: ChunkTable, model: ModelInfo, settings: DenseSettings) -> str:
        if settings.index == "exact":  # M and efSearch mean nothing here
            settings = DenseSettings()
        settings = replace(settings, ef_search=DenseSettings().ef_search)  # of a search only
        return f"{table.fingerprint}-dense-{fingerprint([model.fingerprint, str(settings)])}"

    def _make_dense(
        self,
        key: str,
        table: ChunkTable,
        model: ModelInfo,
        settings: DenseSettings,
        progress: Progress,
    ) -> DenseIndex:
        saved = self._folder.path(key)
        if saved.exists():
            try:
                return DenseIndex.load(saved, model)
            except _UNREADABLE:
                self._folder.discard(key)
        at, vectors = self.vectors(table, model)
        if len(at) < len(table):
            settings = DenseSettings()  # a graph of what soon changes is not worth its minutes
        rows = np.asarray(at, np.int64)
        tell = progress if settings.index == "hnsw" else silent
        made = DenseIndex.build(vectors, rows, len(table), model, settings, tell)
        if made.indexed >= 1:
            self._folder.publish(key, made.save)
            self._folder.trim()
        else:
            self._partial_since[key] = time.monotonic()
        return made

    # Housekeeping ---------------------------------------------------------------------------------

    def forget(self) -> None:
        """Drop every index from memory; files stay."""
        self._tables.clear()
        self._bm25.clear()
        self._dense.clear()
        self._given.clear()
        self._partial_since.clear()


def _joined(
    given: tuple[NDArray[np.int64], Vectors], embedded: tuple[NDArray[np.int64], Vectors]
) -> tuple[NDArray[np.int64], Vectors]:
    """Vectors by row, the given ones before those embedded here."""
    rows, first = np.unique(np.concatenate([given[0], embedded[0]]), return_index=True)
    return rows, np.concatenate([given[1], embedded[1]])[first]
