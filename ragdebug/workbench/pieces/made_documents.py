"""Documents of a set of pieces: those that are here, and those that are made of the pieces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ragdebug.documents.version import version_of
from ragdebug.pieces import GivenPiece
from ragdebug.protocols import Progress
from ragdebug.records import Document, ParsedDocument
from ragdebug.settings import DEFAULT_EMBEDDER, fingerprint
from ragdebug.store.pieces import PieceSet
from ragdebug.store.rows import DocState, StoredDocument
from ragdebug.tokens import counter
from ragdebug.workbench.documents import Documents
from ragdebug.workbench.pieces.cutting import place
from ragdebug.workbench.pieces.making import made_of, with_others
from ragdebug.workbench.pieces.sourcing import MADE, Sourcing


class MadeDocuments(Documents):
    """Finds the documents that pieces were cut from, and makes those that are not here."""

    def _documents_of(
        self, pieces: Sequence[GivenPiece], made: PieceSet, progress: Progress
    ) -> tuple[list[str], list[str], list[StoredDocument]]:
        """The document of each piece, what to say, and the documents that have to be made."""
        states = self.store.documents.states()
        prefix = f"{MADE}:{made.name}:"
        own = {s.id: s.source for key, s in states.items() if key.startswith(prefix)}
        sourcing = Sourcing(self._active(), lambda d: self.document(d).text, own)
        documents, notes = sourcing.documents(pieces, progress)
        missing: dict[str, list[GivenPiece]] = {}
        for piece, document in zip(pieces, documents, strict=True):
            if not document:
                missing.setdefault(piece.source, []).append(piece)
        taken = {s.source for s in states.values() if not s.removed and s.id not in own}
        created: dict[str, StoredDocument] = {}
        for name, some in missing.items():
            key = f"{prefix}{name}"
            old = states.get(key)
            source = old.source if old else _free(name or f"{made.name} (no source)", taken)
            taken.add(source)
            parsed = made_of(name or made.name, some, made.file)
            if old:
                parsed = with_others(parsed, self._of_others(old, parsed, made.name))
            created[name] = StoredDocument(
                id=old.id if old else fingerprint([MADE, made.name, name]),
                source=source,
                source_key=key,
                root="",
                origin=MADE,
                file_hash=made.id,
                options=made.name,
                parsed=parsed,
                version=version_of(parsed),
                tokens=0,
                tenant=parsed.metadata.get("tenant"),
            )
        used = set(documents)
        others = [s.source for s in states.values() if s.id in used and s.origin == MADE]
        if others:
            notes.append(
                f"Not here, but made of other chunks before: {', '.join(sorted(others))}. What"
                " those do not hold is not placed; add the documents themselves."
            )
        by_piece = [d or created[p.source].id for p, d in zip(pieces, documents, strict=True)]
        return by_piece, notes, list(created.values())

    def _of_others(self, old: DocState, parsed: ParsedDocument, name: str) -> list[str]:
        """Texts that pieces of other sets have in a made document, and would lose in its next one.

        Other sets stand in it as in any document; that its own set comes anew takes no place away.
        """
        if not old.version or old.removed:
            return []
        before = self.document(old.id, old.version)
        after = Document(old.id, "", old.source, parsed)
        lost: dict[str, None] = {}
        for other in self.store.pieces.sets():
            if other.name != name and (pieces := self.store.pieces.pieces(other.id, old.id)):
                stood = [one.piece for one in place(pieces, before) if one.placement.placed]
                now = place([p for p in stood if p.text.strip()], after)
                lost |= dict.fromkeys(p.piece.text for p in now if not p.placement.placed)
        return list(lost)

    def _take_out_made(self, name: str, wanted: set[str]) -> None:
        """Remove documents made of pieces that no set in use has pieces in, now that one is new."""
        sets = [s for s in self.store.pieces.sets() if s.name != name]
        used = wanted.union(*(self.store.pieces.documents(s.id) for s in sets))
        makers = {name, *(s.name for s in sets)}
        self.store.documents.remove(
            s.id
            for key, s in self.store.documents.states(origin=MADE).items()
            if key.split(":")[1] in makers and s.id not in used and not s.removed
        )

    @staticmethod
    def _counted(created: Sequence[StoredDocument], progress: Progress) -> list[StoredDocument]:
        """The documents with their tokens."""
        tokens, counted = counter(DEFAULT_EMBEDDER), []
        for at in range(0, len(created), 100):
            progress(at, len(created), "documents made of chunks")
            some = created[at : at + 100]
            counts = tokens.count_many([d.parsed.text for d in some])
            counted += [replace(d, tokens=n) for d, n in zip(some, counts, strict=True)]
        return counted


def as_document(stored: StoredDocument) -> Document:
    """A document as it will be once it is saved."""
    return Document(stored.id, stored.version, stored.source, stored.parsed)


def _free(source: str, taken: set[str]) -> str:
    """A source that no other document has."""
    if source not in taken:
        return source
    number = 2
    while f"{source} ({number})" in taken:
        number += 1
    return f"{source} ({number})"
