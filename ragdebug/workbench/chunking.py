"""Chunks of one document or of the corpus, with what is worth knowing about them."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from ragdebug.chunk.check import check_settings
from ragdebug.chunk.report import ChunkReport, report
from ragdebug.model_files import info as model_info
from ragdebug.records import Chunk, Document
from ragdebug.settings import ChunkingSettings
from ragdebug.table import ChunkTable
from ragdebug.tokens import counter
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

    def sizes(self) -> dict[str, int]:
        """Number of chunks, tokens of the median and the largest one, characters that repeat."""
        return {
            "chunks": len(self.chunks),
            "median": round(statistics.median(self.tokens)) if self.tokens else 0,
            "largest": max(self.tokens, default=0),
            "repeated": sum(o.end - o.start for o in self.report.overlaps),
        }

    def row_of(self, chunk: str) -> int | None:
        """Position of a chunk by its id; of the one that holds its start when it is cut anew.

        None when the id is of another document or text.
        """
        for row, known in enumerate(self.chunks):
            if known.id == chunk:
                return row
        head, _, span = chunk.rpartition(":")
        start = span.partition("-")[0]
        if not self.chunks or not start.isdecimal() or not self.chunks[0].id.startswith(f"{head}:"):
            return None
        at = int(start)
        return next((row for row, c in enumerate(self.chunks) if c.start <= at < c.end), None)

    def next_row(self, after: int, warning: str = "") -> int | None:
        """The first chunk that starts after a position, or from the top when there is none.

        Args:
            after: a code point of the document.
            warning: only chunks that it holds for; "" for all.
        """
        rows = self.rows(warning) if warning else range(len(self.chunks))
        return next((r for r in rows if self.chunks[r].start > after), next(iter(rows), None))

    def rows(self, warning: str) -> tuple[int, ...]:
        """Positions in `chunks` of those a warning holds for, ascending."""
        found: tuple[int, ...] = getattr(self.report, warning)
        return found


def report_of(document: Document, chunks: Sequence[Chunk], embedder: str) -> DocumentReport:
    """Look at the chunks of a document."""
    model = model_info(embedder)
    window = max(0, model.window - model.special_tokens) if model.window else 0
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
