"""The same text more than once: it fills several places of a list and brings nothing new."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ragdebug.counting import many
from ragdebug.protocols import Progress, silent, text_hash
from ragdebug.records import DocumentInfo
from ragdebug.table import ChunkTable
from ragdebug.workbench.health.findings import (
    CHUNKS,
    CORPUS,
    Finding,
    Where,
    finding,
    graded,
    percent,
)
from ragdebug.workbench.health.sample import Sample
from ragdebug.workbench.health.shingles import LIKE, near_pairs

SHOWN = 4


def documents(infos: Sequence[DocumentInfo]) -> list[Finding]:
    """Documents whose whole text another one has, too; a version is a hash of it."""
    read = [d for d in infos if d.version]
    first: dict[str, DocumentInfo] = {}
    repeats = []
    for info in sorted(read, key=lambda d: (d.source, d.id)):
        other = first.setdefault(info.version, info)
        if other is not info:
            repeats.append((info, other))
    if not repeats:
        return []
    return [
        finding(
            "duplicate_documents",
            graded(len(repeats) / len(read)),
            f"{many(len(repeats), 'document')} of {len(read):,} "
            f"{'has' if len(repeats) == 1 else 'have'} the same text as another one.",
            len(repeats),
            len(read),
            [
                Where(CORPUS, f"{info.source} = {other.source}", info.id)
                for info, other in repeats[:SHOWN]
            ],
            (info.id for pair in repeats for info in pair),
        )
    ]


def chunks(
    table: ChunkTable,
    sample: Sample,
    text_of: Callable[[str, str], str],
    progress: Progress = silent,
) -> list[Finding]:
    """Chunks with the same text, blanks aside, and those with nearly the same words."""
    rows, texts = _texts(table, sample, text_of, progress)
    first: dict[str, int] = {}
    same: list[tuple[int, int]] = []
    for at, text in enumerate(texts):
        other = first.setdefault(text_hash(" ".join(text.split())), at)
        if other != at:
            same.append((other, at))
    found = []
    at_least = "" if sample.whole else "at least "
    if same:
        found.append(
            finding(
                "duplicate_chunks",
                graded(len(same) / len(rows)),
                f"{at_least.capitalize()}{many(len(same), 'chunk')} of {len(rows):,} "
                f"({percent(len(same), len(rows))}) {'has' if len(same) == 1 else 'have'} the same "
                f"text as an earlier one; such hits push others out of the first k.{sample.said}",
                len(same),
                len(rows),
                [_where(table, rows[a], rows[b], "=") for a, b in _spread(table, rows, same)],
                (table.document(rows[at]).id for pair in same for at in pair),
            )
        )
    # What is exactly the same is told above, so that only one of each kind is compared.
    kept = sorted(first.values())
    progress(0, 0, "chunks compared")
    near = near_pairs([texts[at] for at in kept])
    if near:
        shares, its = ("shares", "its") if len(near) == 1 else ("share", "their")
        near.sort(key=lambda p: -p.similarity)
        pairs = [(kept[p.first], kept[p.second]) for p in near]
        found.append(
            finding(
                "near_duplicates",
                graded(len(near) / len(rows)),
                f"{at_least.capitalize()}{many(len(near), 'chunk')} of {len(rows):,} "
                f"({percent(len(near), len(rows))}) {shares} {LIKE:.0%} or more of {its} word "
                "sequences with another one: versions or templates, which a model can hardly tell "
                f"apart.{sample.said}",
                len(near),
                len(rows),
                [_where(table, rows[a], rows[b], "≈") for a, b in _spread(table, rows, pairs)],
                (table.document(rows[at]).id for pair in pairs for at in pair),
            )
        )
    return found


def _texts(
    table: ChunkTable,
    sample: Sample,
    text_of: Callable[[str, str], str],
    progress: Progress,
) -> tuple[list[int], list[str]]:
    """Rows and own texts of all chunks of the documents looked at."""
    rows: list[int] = []
    texts: list[str] = []
    for at, info in enumerate(sample.documents):
        progress(at, len(sample.documents), "documents compared")
        text = text_of(info.id, info.version)
        for row in table.rows_of(info.id):
            start, end = table.spans[row].tolist()
            rows.append(row)
            texts.append(text[start:end])
    return rows, texts


def _spread(
    table: ChunkTable, rows: Sequence[int], pairs: Sequence[tuple[int, int]]
) -> list[tuple[int, int]]:
    """A few pairs, of different documents as far as there are some."""
    seen: set[tuple[int, int]] = set()
    chosen = []
    for a, b in pairs:
        key = (int(table.document_of[rows[a]]), int(table.document_of[rows[b]]))
        if key not in seen:
            seen.add(key)
            chosen.append((a, b))
    return chosen[:SHOWN]


def _where(table: ChunkTable, first: int, second: int, sign: str) -> Where:
    a, b = table.document(first).source, table.document(second).source
    return Where(
        CHUNKS,
        f"{b} {sign} {a}" if a != b else f"{b}, twice",
        table.document(second).id,
        at=int(table.spans[second, 0]),
        chunk=table.chunk_id(second),
        chunking=table.chunking,
    )
