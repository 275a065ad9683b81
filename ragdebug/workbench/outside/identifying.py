"""Which document a returned hit belongs to, and its words where only an id was returned."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from ragdebug.pieces import GivenPiece, place_pieces
from ragdebug.protocols import Progress, silent
from ragdebug.records import DocumentInfo
from ragdebug.store.pieces import KeptPiece
from ragdebug.workbench.outside.elsewhere import elsewhere
from ragdebug.workbench.pieces.sourcing import Sourcing


def identify(
    pieces: Sequence[GivenPiece],
    infos: Sequence[DocumentInfo],
    text_of: Callable[[str], str],
    known: Mapping[str, KeptPiece],
    progress: Progress = silent,
) -> tuple[list[KeptPiece], list[str]]:
    """Give every piece its document; those whose document is not here a stand-in.

    An id alone is looked for among the pieces that were brought in, then among the documents: it
    then stands for the document as a whole, wherever that reaches to by then.

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
    sourcing = Sourcing(infos, text_of, {})
    worded = [p if p.source or p.text.strip() else replace(p, source=p.id) for p in filled]
    documents, notes = sourcing.documents(worded, progress)
    # A name that means nothing here says less than the words.
    lost = [at for at, p in enumerate(worded) if p.source and p.text.strip() and not documents[at]]
    if lost:
        nameless = [replace(worded[at], source="") for at in lost]
        found, _ = sourcing.documents(nameless, progress)
        for at, document in zip(lost, found, strict=True):
            documents[at] = document
    if len(infos) == 1:
        # An engine may know more documents than this one: only its words tell.
        unnamed = [*lost, *(at for at, p in enumerate(worded) if not p.source)]
        placed = place_pieces(text_of(infos[0].id), [worded[at] for at in unnamed])
        for at, placement in zip(unnamed, placed, strict=True):
            if not placement.placed:
                documents[at] = ""
    if lost:
        found_here = sum(bool(documents[at]) for at in lost)
        notes.append(
            f"{len(lost):,} passages name a document that is not here under that name;"
            f" {found_here:,} of them were found by their words."
        )
    kept = []
    for at, (piece, document) in enumerate(zip(worded, documents, strict=True)):
        kept.append(
            KeptPiece(
                position=at,
                document=document or elsewhere(piece.source or piece.id or piece.text),
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


def again(
    kept: Sequence[KeptPiece],
    infos: Sequence[DocumentInfo],
    text_of: Callable[[str], str],
    known: Mapping[str, KeptPiece],
    progress: Progress = silent,
) -> list[KeptPiece]:
    """`identify` for those of some kept pieces whose document is not here, or not here any more."""
    here = {i.id for i in infos}
    lost = [at for at, p in enumerate(kept) if p.document not in here]
    given = [
        GivenPiece(p.text, "" if p.source == p.id else p.source, p.id, p.page, p.start, p.end,
                   p.metadata)
        for p in (kept[at] for at in lost)
    ]  # fmt: skip
    found, _ = identify(given, infos, text_of, known, progress) if given else ([], [])
    result = list(kept)
    for at, piece in zip(lost, found, strict=True):
        result[at] = replace(piece, position=kept[at].position)
    return result


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
