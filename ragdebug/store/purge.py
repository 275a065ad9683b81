"""Deletes documents for good: texts, chunks, vectors, scores, originals, saved indexes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ragdebug.errors import StoreBusy
from ragdebug.store.rows import PurgeReport
from ragdebug.store.sql import changed

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from ragdebug.store.workspace import Store


def purge(store: Store, documents: Sequence[str]) -> PurgeReport:
    """Delete documents for good, and rewrite the files they stood in.

    What is computed from the texts goes first and the documents last: after a crash they are still
    listed, and purging again finishes the work. Saved indexes are deleted as a whole, since any of
    them may hold the words; they are built again from what is left.
    """
    infos = [i for i in store.documents.infos(removed=True, ids=documents)]
    ids = [i.id for i in infos]
    if not ids:
        return PurgeReport()
    words = {i.id: i.source for i in infos} | {i.source: i.source for i in infos if i.source}
    purged = {i.id: i.source for i in infos}
    quoted = [
        *store.queries.quoting(words),
        *store.questions.quoting(purged),
        *store.runs.quoting(purged),
        *store.result_lists.quoting(purged),
    ]
    with store.facts.cursor() as cursor:
        own, shared = _uploads(cursor, ids)
    hashes = store.chunks.own_hashes(ids)
    vectors = store.vectors.delete(hashes)
    scores = store.scores.delete(hashes)
    chunks = store.chunks.delete(ids)
    store.answers.clear()
    store.indexes.clear()
    deleted = tuple(u for u in own if store.uploads.delete(u))
    with store.facts.transaction() as cursor:
        store.runs.forget_measures(store.questions.forget(purged))
        store.pieces.forget(ids)
        versions = changed(
            cursor,
            "DELETE FROM document_versions WHERE document IN (SELECT unnest(?::VARCHAR[]))",
            [ids],
        )
        cursor.execute("DELETE FROM documents WHERE id IN (SELECT unnest(?::VARCHAR[]))", [ids])
    late = [f"{p.name} is in use and may hold the text." for p in store.console_copy.clear()]
    for database in (store.facts, store.cache):
        try:
            database.compact()  # deleted rows stay in the file until it is rewritten
        except StoreBusy:
            late.append(f"{database.path.name} is in use; its free space still holds the text.")
    return PurgeReport(
        documents=tuple(i.source for i in infos),
        versions=versions,
        chunks=chunks,
        vectors=vectors,
        scores=scores,
        uploads=deleted,
        quoted_by=tuple(quoted),
        remains=(
            *late,
            *(f"The original {u} is kept: other documents come from it." for u in shared),
            *(f"{p.name} is an older copy and may hold the text." for p in copies(store.folder)),
        ),
    )


def copies(folder: Path) -> list[Path]:
    """Files kept aside in a workspace: copies made before an upgrade, damaged files."""
    return sorted(
        p for p in folder.glob("*.duckdb.*") if p.suffix == ".bak" or ".damaged-" in p.name
    )


def _uploads(cursor: DuckDBPyConnection, ids: list[str]) -> tuple[list[str], list[str]]:
    """Originals of these documents' versions: those nobody else needs, and the others."""
    rows = cursor.execute(
        "WITH used AS (SELECT id AS document, upload FROM documents UNION ALL"
        " SELECT document, upload FROM document_versions)"
        " SELECT upload, bool_or(document NOT IN (SELECT unnest(?::VARCHAR[]))) FROM used"
        " WHERE upload <> '' GROUP BY upload"
        " HAVING bool_or(document IN (SELECT unnest(?::VARCHAR[]))) ORDER BY upload",
        [ids, ids],
    ).fetchall()
    return [u for u, others in rows if not others], [u for u, others in rows if others]
