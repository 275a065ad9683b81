"""Chunks of one document or of the corpus, with what is worth knowing about them."""

from __future__ import annotations

from dataclasses import dataclass

from ragdebug.chunk.check import check_settings
from ragdebug.chunk.report import ChunkReport, report
from ragdebug.model_files import info as model_info
from ragdebug.records import Chunk, Document
from ragdebug.settings import ChunkingSettings
from ragdebug.table import ChunkTable
from ragdebug.tokens import counter
from ragdebug.workbench.indexing import chunk_list
from ragdebug.workbench.reports import ChunkOverview

WARNINGS = (
    "beyond_window", "mid_sentence", "torn_table", "torn_code", "duplicates", "tiny", "overlaps",
    "uncovered",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class DocumentReport:
    """Chunks of one document and what is worth knowing about them.

    Attributes:
        chunks: in order.
        tokens: tokens of each chunk's index text, by the embedder's tokenizer.
        window: tokens the embedder reads beside its special ones; 0 for no limit.
        report: sizes, counts and warnings.
    """

    chunks: tuple[Chunk, ...]
    tokens: tuple[int, ...]
    window: int
    report: ChunkReport

    def counts(self) -> dict[str, int]:
        """Warning -> number of chunks it holds for; uncovered spans and overlaps too."""
        return {name: len(getattr(self.report, name)) for name in WARNINGS}

    def rows(self, warning: str) -> tuple[int, ...]:
        """Positions in `chunks` of those a warning holds for, ascending."""
        found: tuple[int, ...] = getattr(self.report, warning)
        return found


def report_of(document: Document, settings: ChunkingSettings, embedder: str) -> DocumentReport:
    """Cut a document and look at the chunks."""
    model = model_info(embedder)
    window = max(0, model.window - model.special_tokens) if model.window else 0
    chunks = chunk_list(document, settings)
    tokens = counter(embedder).count_many([c.index_text for c in chunks])
    return DocumentReport(
        tuple(chunks), tuple(tokens), window, report(document, chunks, tokens, window)
    )


def warnings_of(settings: ChunkingSettings, embedder: str) -> list[str]:
    """What to know about settings before they run."""
    model = model_info(embedder)
    return check_settings(settings, model.window, model.special_tokens)


def overview_of(table: ChunkTable) -> ChunkOverview:
    """Number, sizes and duplicates over the whole corpus."""
    hashes = table.hashes()
    return ChunkOverview(
        chunking=table.chunking,
        chunks=len(table),
        documents=sum(bool(table.rows_of(d.id)) for d in table.documents),
        sizes=tuple(table.size.tolist()),
        duplicates=len(hashes) - len(set(hashes)),
    )
