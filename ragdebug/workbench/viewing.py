"""What a page needs to know about a search besides its hits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ragdebug.errors import RagDebugError
from ragdebug.evidence import Coverage
from ragdebug.model_files import info as model_info
from ragdebug.records import DocumentInfo, Place, ResultList, TermInfo
from ragdebug.settings import (
    DEFAULT_WORKSPACE,
    BM25Settings,
    ChunkingSettings,
    StrategySettings,
    fingerprint,
)
from ragdebug.workbench import quotes
from ragdebug.workbench.compare import Comparison, compare
from ragdebug.workbench.search import Search


@dataclass(frozen=True, slots=True)
class ChunkPlace:
    """A chunk's id and span, without its text. `number` counts from 1 in its document."""

    id: str
    start: int
    end: int
    number: int
    size: int


class Viewing(Search):
    """Use cases of looking at results."""

    def __init__(self, path: str | Path = DEFAULT_WORKSPACE, **options: Any) -> None:  # noqa: ANN401
        super().__init__(path, **options)
        self._revision: tuple[list[DocumentInfo], str] | None = None

    def revision(self) -> str:
        """Changes with anything a result can depend on: documents, their texts and their tags."""
        infos = self._snapshot()
        with self._lock:
            if self._revision is not None and self._revision[0] is infos:
                return self._revision[1]
        made = fingerprint(
            [(d.id, d.version, d.source, d.language, sorted(d.metadata.items())) for d in infos]
        )
        with self._lock:
            self._revision = (infos, made)
        return made

    def remember(self, query: str, state: Mapping[str, Any]) -> None:
        """Put a query into the history, with what is needed to ask it again."""
        if query.strip():
            self.store.queries.add(query, state)

    def keep_view(self, view: Mapping[str, Sequence[str]]) -> str:
        """Keep the values of a view that is too long for a link; returns a short id."""
        return self.store.queries.save_state({"view": {k: list(v) for k, v in view.items()}})

    def kept_view(self, view_id: str) -> dict[str, list[str]] | None:
        """The values kept under an id, None when there are none."""
        kept = self.store.queries.state(view_id)
        view = kept.get("view") if isinstance(kept, dict) else None
        return view if isinstance(view, dict) else None

    # Models ---------------------------------------------------------------------------------------

    @staticmethod
    def models_missing(strategy: StrategySettings) -> tuple[str, ...]:
        """Models that a strategy needs and that are not in memory yet."""
        from ragdebug.models import is_loaded

        wanted = [strategy.embedder] if strategy.uses_vectors else []
        if strategy.preset == "reranked":
            wanted.append(strategy.rerank.model)
        return tuple(name for name in dict.fromkeys(wanted) if not is_loaded(name))

    @staticmethod
    def load_models(strategy: StrategySettings) -> None:
        """Load what `models_missing` names, so that a search's seconds are the search's alone.

        Raises:
            ModelError: when one is not here or cannot be loaded.
        """
        from ragdebug.models import load_embedder, load_reranker

        if strategy.uses_vectors:
            load_embedder(strategy.embedder)
        if strategy.preset == "reranked":
            load_reranker(strategy.rerank.model)

    def foreign_share(
        self, chunking: ChunkingSettings, embedder: str
    ) -> tuple[float, tuple[str, ...]]:
        """Share of chunks in a language that a model was not made for, and those languages.

        Documents of unknown language count as suitable. Languages come most chunks first.
        """
        made_for = model_info(embedder).languages
        if not made_for:
            return 0.0, ()
        table = self.chunk_table(chunking)
        language = {d.id: d.language for d in self._active()}
        counts: dict[str, int] = {}
        for ref in table.documents:
            code = language.get(ref.id, "").split("-")[0]
            if code and code not in made_for:
                counts[code] = counts.get(code, 0) + len(table.rows_of(ref.id))
        share = sum(counts.values()) / len(table) if len(table) else 0.0
        return share, tuple(sorted((c for c in counts if counts[c]), key=lambda c: -counts[c]))

    # Terms ----------------------------------------------------------------------------------------

    def query_terms(
        self, query: str, chunking: ChunkingSettings, settings: BM25Settings
    ) -> tuple[TermInfo, ...]:
        """A query's terms after analysis, with the number of chunks that hold each."""
        return self.indexes.bm25(self.chunk_table(chunking), settings).terms(query)

    def term_spans(
        self, text: str, terms: Iterable[TermInfo], settings: BM25Settings
    ) -> list[tuple[int, int]]:
        """Where the words of a query stand in a text, in order and without overlaps."""
        wanted = {t.term for t in terms if t.term}
        found: list[tuple[int, int]] = []
        analyzer = self.indexes.analyzer(settings)
        for _, start, end in sorted(
            (s for s in analyzer.spans(text) if s[0] in wanted), key=lambda s: (s[1], -s[2])
        ):
            if found and start < found[-1][1]:
                found[-1] = (found[-1][0], max(end, found[-1][1]))
            else:
                found.append((start, end))
        return found

    # Lists ----------------------------------------------------------------------------------------

    def compare(self, lists: Sequence[ResultList], expected: Sequence[Place] = ()) -> Comparison:
        """Lists side by side: the same passages, movement, overlap, evidence held."""
        # What another system returned lies in a table of its own, which only the search knows.
        tables = {
            r.chunking: t
            if (t := r.trace.extras.get("table")) is not None
            else self.chunk_table(r.chunking)
            for r in lists
            if r.hits or not r.error
        }
        coverages = {
            chunking: [Coverage(table, p, self._text(p.document, p.version)) for p in expected]
            for chunking, table in tables.items()
        }
        return compare(lists, tables, coverages)

    def chunk_places(self, chunking: ChunkingSettings | str, document: str) -> list[ChunkPlace]:
        """Ids and spans of all chunks of one document, in order."""
        table = self.chunk_table(chunking)
        rows = table.rows_of(document)
        return [
            ChunkPlace(
                id=table.chunk_id(row),
                start=int(table.spans[row, 0]),
                end=int(table.spans[row, 1]),
                number=at,
                size=int(table.size[row]),
            )
            for at, row in enumerate(rows, 1)
        ]

    # Expected passage -----------------------------------------------------------------------------

    def follow_place(
        self, document: str, version: str, start: int, end: int, region: str = ""
    ) -> tuple[Place, bool]:
        """A place named in a link, in the present version of its document.

        Args:
            document: its id.
            version: the version the positions count in, or its first letters.
            start: first code point.
            end: one past the last.
            region: what a region is called, such as ``page 3``; "" for a passage.

        Returns:
            The place, and whether the text has changed since: the passage was then looked for.

        Raises:
            RagDebugError: when the document is gone, or the passage is no longer in it.
        """
        found = self.document(document)
        moved = not found.version.startswith(version)
        if not moved:
            text = found.text
        else:
            known = self.store.documents.versions(document)
            old = next((v.version for v in known if v.version.startswith(version)), "")
            if not old:
                raise RagDebugError(
                    f"{found.source} has changed, and the version that the passage was marked in "
                    "is not kept.",
                    hint="Mark it again.",
                )
            text = self.document(document, old).text
        if not 0 <= start < end <= len(text):
            raise RagDebugError(f"{found.source} has no characters {start} to {end}.")
        quote = text[start:end]
        if moved:
            places = quotes.find(quote, [(found.id, found.version, found.source, found.text)])
            if not places:
                raise RagDebugError(
                    f"{found.source} has changed, and the expected passage is no longer in it.",
                    hint="Mark it again.",
                )
            near = min(places, key=lambda p: abs(p.start - start))
            start, end, quote = near.start, near.end, near.quote
        return (
            Place(
                found.id, found.version, found.source, start, end, "" if region else quote, region
            ),
            moved,
        )
