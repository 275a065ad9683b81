"""The workbench: one workspace, all use cases, for the app, the command line and notebooks."""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any

from ragdebug.documents.options import ParseOptions
from ragdebug.embed import EmbedPlan
from ragdebug.errors import DocumentNotFound, QuoteNotFound, RagDebugError
from ragdebug.model_files import info as model_info
from ragdebug.model_files import known as known_models
from ragdebug.model_files import locate
from ragdebug.pipeline import Resources
from ragdebug.protocols import ModelInfo, PairScorer, Progress, Vectors, silent
from ragdebug.records import (
    Chunk,
    Document,
    DocumentInfo,
    ParseWarning,
    Place,
    ResultList,
    SearchResult,
)
from ragdebug.settings import (
    DEFAULT_EMBEDDER,
    DEFAULT_RERANKER,
    DEFAULT_WORKSPACE,
    BM25Settings,
    ChunkingSettings,
    StrategySettings,
    fingerprint,
)
from ragdebug.store.rows import PastQuery, PurgeReport
from ragdebug.store.workspace import Store
from ragdebug.table import ChunkTable, DocumentRef
from ragdebug.tokens import counter
from ragdebug.workbench import chunking as chunk_use
from ragdebug.workbench import doctor, filters, quotes
from ragdebug.workbench.indexing import Indexes, Kept, chunk_list
from ragdebug.workbench.ingest import Ingestion, IngestRequest
from ragdebug.workbench.jobs import Jobs
from ragdebug.workbench.reports import (
    PROMPT_TOKENS,
    BuildReport,
    Check,
    ChunkOverview,
    CorpusSummary,
    IngestReport,
)
from ragdebug.workbench.searching import failed_list, result_list

TEXT_CACHE_CHARS = 64_000_000  # canonical texts kept in memory

Strategies = Sequence["StrategySettings | str"]


class Workbench:
    """One workspace; several threads may share it.

    Args:
        path: the workspace folder; made when it is not there.
        on_wait: called with a sentence while another program holds the store.
        wait_s: seconds to wait for it.

    Example:
        >>> with Workbench("/tmp/mine") as wb:  # doctest: +SKIP
        ...     wb.ingest(["handbook/"])
        ...     wb.search("how do refunds work", ["bm25", "hybrid"])
    """

    def __init__(
        self,
        path: str | Path = DEFAULT_WORKSPACE,
        *,
        on_wait: Any = None,  # noqa: ANN401 - Callable[[str], None] or None
        wait_s: float = 15.0,
    ) -> None:
        self.path = Path(path)
        self.store = Store(self.path, wait_s=wait_s, on_wait=on_wait)
        self.jobs = Jobs()
        self._lock = threading.RLock()
        self._infos: tuple[int, list[DocumentInfo]] | None = None
        self._texts: OrderedDict[tuple[str, str], Document] = OrderedDict()
        self._text_chars = 0
        self._query_vectors: Kept[Vectors] = Kept(200)
        self.indexes = Indexes(
            self.store.documents,
            self.store.chunks,
            self.store.vectors,
            self.store.indexes,
            self._text,
            self._refs,
            lambda: self.corpus().language,
        )

    def close(self) -> None:
        """Stop jobs and release the store."""
        self.jobs.close()
        self.store.close()

    def __enter__(self) -> Workbench:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    # Documents ------------------------------------------------------------------------------------

    def ingest(
        self,
        paths: Iterable[str | Path],
        options: ParseOptions | None = None,
        metadata: Mapping[str, str] | None = None,
        *,
        folder_key: str = "",
        dry_run: bool = False,
        yes: bool = False,
        progress: Progress = silent,
    ) -> IngestReport:
        """Read files, folders (by reference) and zip archives; only changes are read again.

        Raises:
            MassRemoval: when most files of a folder are missing and `yes` was not said.
        """
        request = IngestRequest(options or ParseOptions(), metadata, folder_key, dry_run, yes)
        return self._ingestion().paths(list(paths), request, progress)

    def ingest_files(
        self,
        files: Sequence[tuple[str, bytes]],
        options: ParseOptions | None = None,
        metadata: Mapping[str, str] | None = None,
        *,
        on_conflict: str = "ask",
        dry_run: bool = False,
        progress: Progress = silent,
    ) -> IngestReport:
        """Read uploaded files; `on_conflict` is ask, replace or keep_both.

        Raises:
            NameTaken: with ``ask``, when another file of the same name is already there.
        """
        request = IngestRequest(options or ParseOptions(), metadata, dry_run=dry_run, yes=True)
        return self._ingestion().files(files, request, on_conflict, progress)

    def _ingestion(self) -> Ingestion:
        tokens = counter(DEFAULT_EMBEDDER)
        return Ingestion(self.store.documents, self.store.uploads, tokens.count_many)

    def documents(self, removed: bool = False) -> list[DocumentInfo]:
        """All documents by source, failed files among them; with `removed`, only the removed."""
        if removed:
            return [d for d in self.store.documents.infos(removed=True) if d.removed]
        return list(self._snapshot())

    def _snapshot(self) -> list[DocumentInfo]:
        """Active documents, read again only when somebody changed them."""
        revision = self.store.documents.revision()
        with self._lock:
            if self._infos is not None and self._infos[0] == revision:
                return self._infos[1]
        infos = _with_duplicates(
            [d for d in self.store.documents.infos(removed=False) if not d.removed]
        )
        infos.sort(key=lambda d: (d.source, d.id))
        with self._lock:
            self._infos = (revision, infos)
        return infos

    def _active(self) -> list[DocumentInfo]:
        return [d for d in self._snapshot() if d.version]

    def _refs(self) -> tuple[str, list[DocumentRef]]:
        infos = self._active()
        return self.corpus().fingerprint, [DocumentRef(d.id, d.version, d.source) for d in infos]

    def info(self, document: str) -> DocumentInfo:
        """One active document without its text."""
        for info in self._snapshot():
            if info.id == document:
                return info
        raise DocumentNotFound(f"There is no document {document}.", hint="It may be removed.")

    def resolve(self, name: str, removed: bool | None = False) -> DocumentInfo:
        """A document by id or by source.

        Args:
            name: id or source.
            removed: look among the active (False), the removed (True) or all (None).

        Raises:
            DocumentNotFound: when nothing, or more than one document, has that name.
        """
        infos = [] if removed else self._snapshot()
        if removed is not False:
            infos = [*infos, *self.documents(removed=True)]
        found = [d for d in infos if d.id and d.id == name] or [
            d for d in infos if d.source == name
        ]
        if len(found) != 1:
            raise DocumentNotFound(
                f"{'No document is' if not found else 'Several documents are'} called {name}.",
                hint="List them with: ragdebug documents list" + (" --removed" if removed else ""),
            )
        return found[0]

    def document(self, document: str, version: str = "") -> Document:
        """A document with its text; the present version when none is named.

        Raises:
            DocumentNotFound: when there is no such document or version.
        """
        version = version or self.info(document).version
        key = (document, version)
        with self._lock:
            if key in self._texts:
                self._texts.move_to_end(key)
                return self._texts[key]
        loaded = self.store.documents.load(document, version)
        with self._lock:
            if key not in self._texts:
                self._texts[key] = loaded
                self._text_chars += len(loaded.text)
                while self._text_chars > TEXT_CACHE_CHARS and len(self._texts) > 1:
                    _, old = self._texts.popitem(last=False)
                    self._text_chars -= len(old.text)
        return loaded

    def _text(self, document: str, version: str) -> str:
        return self.document(document, version).text

    def original(self, document: str) -> tuple[str, bytes] | None:
        """Name and bytes of the file a document came from, None when it is no longer there."""
        return self.store.documents.original(document, self.store.uploads)

    def page_image(self, document: str, page: int, width_px: int = 900) -> bytes | None:
        """PNG of one page of a PDF, None when the document has no pictures of pages."""
        from ragdebug.documents.pdf_image import page_image

        if self.document(document).parsed.kind != "pdf":
            return None
        found = self.original(document)
        return None if found is None else page_image(found[1], page, width_px)

    def tag(
        self, documents: Sequence[str], values: Mapping[str, str], unset: Sequence[str] = ()
    ) -> None:
        """Set and remove metadata; what a person sets wins over what the file says."""
        self.store.documents.tag(documents, dict(values), list(unset))

    def set_language(self, document: str, code: str) -> None:
        """Correct the detected language."""
        self.store.documents.set_language(document, code)

    def remove(self, documents: Sequence[str]) -> None:
        """Take documents out of every index; `restore` brings them back."""
        self.store.documents.remove(list(documents))

    def restore(self, documents: Sequence[str]) -> None:
        """Bring removed documents back."""
        self.store.documents.restore(list(documents))

    def purge(self, documents: Sequence[str]) -> PurgeReport:
        """Delete text, chunks, vectors, scores and upload for good."""
        report = self.store.purge(list(documents))
        with self._lock:
            self._texts.clear()
            self._text_chars = 0
            self._infos = None
        self.indexes.forget()
        return report

    def metadata_keys(self) -> dict[str, dict[str, int]]:
        """Key -> value -> number of active documents, for filters."""
        keys: dict[str, dict[str, int]] = {}
        for info in self._active():
            values = {"language": info.language, "kind": info.kind, **info.metadata}
            for key, value in values.items():
                if value:
                    counts = keys.setdefault(key, {})
                    counts[value] = counts.get(value, 0) + 1
        return keys

    def corpus(self) -> CorpusSummary:
        """The active documents as a whole."""
        infos = self._snapshot()
        active = [d for d in infos if d.version]
        languages: dict[str, int] = {}
        for d in active:
            languages[d.language] = languages.get(d.language, 0) + 1
        tokens = sum(d.tokens for d in active)
        return CorpusSummary(
            documents=len(active),
            failed=sum(d.status == "failed" for d in infos),
            chars=sum(d.chars for d in active),
            tokens=tokens,
            languages=languages,
            fingerprint=fingerprint([(d.id, d.version, d.source) for d in active]),
            fits_prompt=0 < tokens <= PROMPT_TOKENS,
        )

    # Chunks ---------------------------------------------------------------------------------------

    def chunk_document(self, document: str, chunking: ChunkingSettings | str) -> list[Chunk]:
        """Chunks of one document, cut now; nothing is stored."""
        return list(chunk_list(self.document(document), _chunking(chunking)))

    def chunk_report(
        self, document: str, chunking: ChunkingSettings | str, embedder: str = DEFAULT_EMBEDDER
    ) -> chunk_use.DocumentReport:
        """Chunks of one document with sizes, counts and warnings."""
        return chunk_use.report_of(self.document(document), _chunking(chunking), embedder)

    def chunk_table(
        self, chunking: ChunkingSettings | str, progress: Progress = silent
    ) -> ChunkTable:
        """All chunks of the corpus."""
        return self.indexes.table(_chunking(chunking), progress)

    def overview(
        self, chunking: ChunkingSettings | str, progress: Progress = silent
    ) -> ChunkOverview:
        """Number, sizes and duplicates of all chunks of the corpus."""
        return chunk_use.overview_of(self.chunk_table(chunking, progress))

    def check_chunking(
        self, chunking: ChunkingSettings | str, embedder: str = DEFAULT_EMBEDDER
    ) -> list[str]:
        """Warnings about settings before they run; raises InvalidSetting for impossible ones."""
        return chunk_use.warnings_of(_chunking(chunking), embedder)

    # Models and indexes ---------------------------------------------------------------------------

    def models(self) -> list[ModelInfo]:
        """Models that need no network."""
        return known_models()

    def plan(
        self,
        chunking: ChunkingSettings | str,
        embedder: str = DEFAULT_EMBEDDER,
        progress: Progress = silent,
    ) -> EmbedPlan:
        """How many texts are new to a model, and about how long it needs."""
        return self.indexes.plan(self.chunk_table(chunking, progress), model_info(embedder))

    def build(
        self,
        chunking: ChunkingSettings | str,
        embedder: str = DEFAULT_EMBEDDER,
        progress: Progress = silent,
        allow_download: bool = False,
    ) -> BuildReport:
        """Make every index of a chunking and a model; what is there already costs nothing."""
        from ragdebug.models import load_embedder

        table = self.chunk_table(chunking, progress)
        self.indexes.bm25(table, BM25Settings(), progress)
        report = self.indexes.build(
            table, embedder, lambda name: load_embedder(name, allow_download), progress
        )
        self.indexes.trim()
        return report

    @staticmethod
    def fetch_models(strategies: Sequence[StrategySettings]) -> None:
        """Fetch the hub models of some strategies, which a person agreed to."""
        for name in {s.embedder for s in strategies if s.uses_vectors}:
            locate(name, allow_download=True)
        rerankers = {s.rerank.model for s in strategies if s.preset == "reranked"}
        for name in rerankers - {DEFAULT_RERANKER, "identity"}:
            locate(name, allow_download=True)

    def indexed(self, chunking: ChunkingSettings | str, embedder: str = DEFAULT_EMBEDDER) -> float:
        """Share of chunks a model has vectors for, 0 to 1."""
        table = self.chunk_table(chunking)
        planned = self.indexes.plan(table, model_info(embedder))
        return 1.0 if not planned.distinct else 1 - planned.new / planned.distinct

    # Search ---------------------------------------------------------------------------------------

    def search(
        self,
        query: str,
        strategies: Strategies = ("vector", "bm25", "hybrid", "reranked"),
        *,
        k: int | None = None,
        filter: Sequence[tuple[str, str]] = (),  # noqa: A002 - what everybody calls it
        expect: Sequence[Place] = (),
        build: bool = True,
        allow_download: bool = False,
        progress: Progress = silent,
        remember: bool = True,
    ) -> SearchResult:
        """Run one query through several strategies.

        A strategy that fails gives a list with its error; the others are not affected.

        Args:
            query: any text; blank gives empty lists.
            strategies: settings or text forms such as ``reranked@structure:220/40``.
            k: hits a list, instead of each strategy's own.
            filter: (key, value) pairs added to each strategy's own.
            expect: places of the passage that should be found.
            build: embed what is missing first; otherwise part-built lists say so.
            allow_download: fetch a hub model that is not on this machine.
            progress: called while indexes are built.
            remember: keep the query in the history.
        """
        settings = [_changed(s, k, filter) for s in strategies]
        lists: dict[str, ResultList] = {}
        memos: dict[tuple[Any, ...], Resources] = {}
        if allow_download:
            self.fetch_models(settings)
        for one in settings:
            name = _name(one, lists)
            lists[name] = self._column(name, query, one, expect, build, progress, memos)
        if remember and query.strip():
            self.store.queries.add(query, {"strategies": [str(s) for s in settings]})
        terms = next((r.trace.terms for r in lists.values() if r.trace.terms), ())
        return SearchResult(query, terms, lists, tuple(expect))

    def search_one(
        self,
        query: str,
        strategy: StrategySettings | str,
        *,
        expect: Sequence[Place] = (),
        build: bool = False,
        progress: Progress = silent,
        memos: dict[tuple[Any, ...], Resources] | None = None,
    ) -> ResultList:
        """One column. Pass the same `memos` for the columns of one search to share their lists."""
        settings = _changed(strategy, None, ())
        memos = {} if memos is None else memos
        return self._column(settings.preset, query, settings, expect, build, progress, memos)

    def _column(
        self,
        name: str,
        query: str,
        strategy: StrategySettings,
        expect: Sequence[Place],
        build: bool,
        progress: Progress,
        memos: dict[tuple[Any, ...], Resources],
    ) -> ResultList:
        try:
            if build and query.strip() and strategy.uses_vectors and self._active():
                self.build(strategy.chunking, strategy.embedder, progress)
            key = (strategy.chunking, strategy.filter)
            resources = memos.get(key)
            if resources is None:
                resources = memos[key] = self._resources(strategy, progress)
            return result_list(
                name, query, strategy, resources, expect, self._text, self._window_notes
            )
        except RagDebugError as e:
            return failed_list(name, strategy, e)

    def _resources(self, strategy: StrategySettings, progress: Progress) -> Resources:
        table = self.chunk_table(strategy.chunking, progress)
        return Resources(
            table=table,
            mask=filters.mask(table, self._active(), strategy.filter),
            bm25=lambda s: self.indexes.bm25(table, s, progress),
            dense=lambda name, s: self.indexes.dense(table, name, s),
            embed_query=self._embed_query,
            scorer=self._scorer,
            scores=self.store.scores,
        )

    def _embed_query(self, embedder: str, query: str) -> Vectors:
        from ragdebug.models import load_embedder

        key = (model_info(embedder).fingerprint, query)
        return self._query_vectors.get(key, lambda: load_embedder(embedder).embed_query(query))

    @staticmethod
    def _scorer(name: str) -> PairScorer:
        from ragdebug.models import load_reranker

        return load_reranker(name)

    @staticmethod
    def _window_notes(
        strategy: StrategySettings, texts: Sequence[str]
    ) -> Mapping[int, tuple[str, ...]]:
        if not strategy.uses_vectors:
            return {}
        model = model_info(strategy.embedder)
        if not model.window:
            return {}
        room = model.window - model.special_tokens
        counts = counter(strategy.embedder).count_many(texts)
        return {
            at: (f"longer than the model reads: {n} of {room} tokens",)
            for at, n in enumerate(counts)
            if n > room
        }

    # Expected passage -----------------------------------------------------------------------------

    def find_quote(self, quote: str, source: str = "") -> tuple[Place, ...]:
        """Places where a quote stands: exact ones, else with blanks, case and typography folded.

        Raises:
            QuoteNotFound: when it stands nowhere.
        """
        infos = [d for d in self._active() if not source or source in (d.source, d.id)]
        if source and not infos:
            raise DocumentNotFound(
                f"No document is called {source}.", hint="List them with: ragdebug documents list"
            )
        texts = ((d.id, d.version, d.source, self._text(d.id, d.version)) for d in infos)
        places = quotes.find(quote, texts)
        if not places:
            where = f"in {source}" if source else "in any document"
            raise QuoteNotFound(
                f"The quote stands nowhere {where}.",
                hint="Copy it from the document as the Corpus page shows it.",
            )
        return tuple(places)

    def place(self, document: str, start: int, end: int, version: str = "") -> Place:
        """A marked span as an expected place.

        Raises:
            RagDebugError: when the span is not inside the text.
        """
        found = self.document(document, version)
        if not 0 <= start < end <= len(found.text):
            raise RagDebugError(f"{found.source} has no characters {start} to {end}.")
        return Place(found.id, found.version, found.source, start, end, found.text[start:end])

    def region(self, document: str, page: int | None = None, section: str = "") -> Place:
        """A whole document, a page or a section as an expected place.

        Raises:
            RagDebugError: when there is no such page or section.
        """
        found = self.document(document)
        start, end, kind = 0, len(found.text), "document"
        if page is not None:
            on = next((p for p in found.parsed.pages if p.number == page), None)
            if on is None:
                raise RagDebugError(f"{found.source} has no page {page}.")
            start, end, kind = on.start, on.end, "page"
        elif section:
            at = next((s for s in found.parsed.sections if s.title == section), None)
            if at is None:
                raise RagDebugError(f"{found.source} has no section {section!r}.")
            start, end, kind = at.start, at.end, "section"
        return Place(found.id, found.version, found.source, start, end, "", kind)

    # Housekeeping ---------------------------------------------------------------------------------

    def history(self, most: int = 50) -> list[PastQuery]:
        """The last queries, newest first."""
        return self.store.queries.recent(most)

    def doctor(self) -> list[Check]:
        """Checks of models, store, browser and versions."""
        return doctor.checks(self.store)

    def backup(self, file: str | Path) -> Path:
        """Write the whole workspace, less what can be computed again, to one file."""
        return self.store.backup(Path(file))

    @staticmethod
    def restore_backup(file: str | Path, path: str | Path) -> Workbench:
        """Make a workspace from a backup; refuses a folder that already holds one."""
        Store.restore_backup(Path(file), Path(path))
        return Workbench(path)


def default_path() -> Path:
    """The workspace named by RAGDEBUG_WORKSPACE, else ``.ragdebug`` here."""
    return Path(os.environ.get("RAGDEBUG_WORKSPACE") or DEFAULT_WORKSPACE)


def _chunking(chunking: ChunkingSettings | str) -> ChunkingSettings:
    return ChunkingSettings.parse(chunking) if isinstance(chunking, str) else chunking


def _changed(
    strategy: StrategySettings | str, k: int | None, pairs: Sequence[tuple[str, str]]
) -> StrategySettings:
    one = StrategySettings.parse(strategy) if isinstance(strategy, str) else strategy
    if k is not None and k != one.k:
        # A pool is never below k: asking for more hits asks for more candidates.
        rerank = replace(one.rerank, pool=max(one.rerank.pool, k))
        one = replace(one, k=k, rerank=rerank)
    if pairs:
        one = replace(one, filter=(*one.filter, *pairs))
    return one


def _name(strategy: StrategySettings, taken: Mapping[str, object]) -> str:
    """The preset, or the whole text form where the preset is already used."""
    return strategy.preset if strategy.preset not in taken else str(strategy)


def _with_duplicates(infos: Sequence[DocumentInfo]) -> list[DocumentInfo]:
    """The same documents, those whose text another one has too marked with a warning."""
    first: dict[str, DocumentInfo] = {}
    result = []
    for info in sorted(infos, key=lambda d: (d.source, d.id)):
        other = first.setdefault(info.version, info) if info.version else info
        if other is not info:
            warning = ParseWarning("duplicate", f"Same text as {other.source}.")
            info = replace(info, warnings=(*info.warnings, warning))
        result.append(info)
    return result
