"""Which document a returned hit belongs to, and its words where only an id was returned."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from ragdebug.pieces import GivenPiece
from ragdebug.protocols import Progress, silent
from ragdebug.records import DocumentInfo
from ragdebug.settings import fingerprint
from ragdebug.store.pieces import KeptPiece
from ragdebug.workbench.pieces.sourcing import Sourcing

ELSEWHERE = "elsewhere-"  # ids of documents that are not here


def elsewhere(source: str) -> str:
    """The id of a document that is not here, by what another system calls it."""
    return ELSEWHERE + fingerprint(source)


def identify(
    pieces: Sequence[GivenPiece],
    infos: Sequence[DocumentInfo],
    text_of: Callable[[str], str],
    known: Mapping[str, KeptPiece],
    progress: Progress = silent,
) -> tuple[list[KeptPiece], list[str]]:
    """Give every piece its document; those whose document is not here a stand-in.

    An id alone is looked for among the pieces that were brought in, then among the documents: it
    then stands for the document as a whole.

    Args:
        pieces: as they were returned.
        infos: the active documents.
        text_of: canonical text of a document.
        known: pieces that were brought in, by the id their file gives them.
        progress: called while documents are looked through for words.

    Returns:
        The pieces with their documents, and sentences to say.
    """
    filled = [_filled(p, known) for p in pieces]
    by_id = {i.id: i for i in infos}
    sourcing = Sourcing(infos, text_of, {})
    worded = [p if p.source or p.text.strip() else replace(p, source=p.id) for p in filled]
    documents, notes = sourcing.documents(worded, progress)
    kept = []
    for at, (piece, document) in enumerate(zip(worded, documents, strict=True)):
        whole = not piece.text.strip() and piece.start is None and document
        if whole:
            piece = replace(piece, start=0, end=by_id[document].chars)
        kept.append(
            KeptPiece(
                position=at,
                document=document or elsewhere(piece.source or piece.id),
                source=piece.source or piece.id,
                id=piece.id,
                text=piece.text,
                start=piece.start,
                end=piece.end,
                page=piece.page,
                metadata=dict(piece.metadata),
            )
        )
    return kept, notes


def _filled(piece: GivenPiece, known: Mapping[str, KeptPiece]) -> GivenPiece:
    """A piece that came as an id alone, with what is known of this id."""
    found = known.get(piece.id) if piece.id and not piece.text.strip() else None
    if found is None:
        return piece
    return GivenPiece(
        text=found.text,
        source=found.source,
        id=piece.id,
        page=found.page,
        start=found.start,
        end=found.end,
        metadata={**found.metadata, **piece.metadata},
    )
