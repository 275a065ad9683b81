"""Which document a piece belongs to, by what its file calls it, or by its words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ragdebug.pieces import GivenPiece
from ragdebug.protocols import Progress, silent
from ragdebug.records import DocumentInfo
from ragdebug.workbench.pieces.in_records import in_records, longest_line, records_of
from ragdebug.workbench.questions.naming import Naming

MADE = "pieces"  # origin of documents that were made of pieces
SCANNED = 20_000_000_000  # characters looked through at most, for pieces that name no document


class Sourcing:
    """Finds documents by the names of a file.

    Args:
        infos: the active documents.
        text_of: canonical text of a document.
        own: documents that this very set made before; they are made anew.
    """

    def __init__(
        self,
        infos: Sequence[DocumentInfo],
        text_of: Callable[[str], str],
        own: Mapping[str, str],
    ) -> None:
        self._infos = [i for i in infos if i.id not in own]
        self._real = Naming([i for i in self._infos if i.origin != MADE])
        self._any = Naming(self._infos)
        self._text_of = text_of

    def documents(
        self, pieces: Sequence[GivenPiece], progress: Progress = silent
    ) -> tuple[list[str], list[str]]:
        """The document of each piece, "" where it has to be made, and sentences to say.

        A name that fits several documents equally well is settled by the words of its pieces.
        """
        notes: list[str] = []
        by_name: dict[str, list[int]] = {}
        for at, piece in enumerate(pieces):
            by_name.setdefault(piece.source, []).append(at)
        result = [""] * len(pieces)
        for name, some in by_name.items():
            own = [pieces[at] for at in some]
            found = self._real.find(name) or self._any.find(name) if name else []
            if len(found) > 1:
                found, note = self._settle(name, found, own)
                notes.append(note)
            inside: dict[int, str] = {}
            if name and not found:
                inside, said = self._of_records(name, own)
                notes += said
            for nth, at in enumerate(some):
                result[at] = found[0].id if found else inside.get(nth, "")
        if by_name.get("") and self._infos:
            result, note = self._by_words(pieces, result, progress)
            notes += [note] if note else []
        return result, notes

    def _of_records(
        self, name: str, pieces: Sequence[GivenPiece]
    ) -> tuple[dict[int, str], list[str]]:
        """The records that pieces of a file stand in, where it is here as records; and a note."""
        records = records_of(name, self._infos)
        if not records:
            return {}, []
        found = in_records(pieces, records, self._text_of)
        said = f"{name} is here as {len(records):,} records; {len(found):,} of its {len(pieces):,}"
        said += " chunks stand in one of them."
        if len(found) < len(pieces):
            said += (
                " The others run through several, or hold other words than these: they cannot be"
                " placed in them, and labels on the records are not found in them. To place those,"
                " read the file in as one table: ragdebug ingest FILE --rows table"
            )
        return found, [said]

    def _settle(
        self, name: str, found: list[DocumentInfo], pieces: Sequence[GivenPiece]
    ) -> tuple[list[DocumentInfo], str]:
        held = []
        for info in found:
            text = self._text_of(info.id)
            held.append(sum(longest_line(p.text) in text for p in pieces[:200]))
        best = max(range(len(found)), key=lambda at: (held[at], -at))
        chosen = found[best]
        return [chosen], (
            f"{name} fits {len(found)} documents; {chosen.source} holds the most of its chunks"
            " and was taken."
        )

    def _by_words(
        self, pieces: Sequence[GivenPiece], result: list[str], progress: Progress
    ) -> tuple[list[str], str]:
        """Pieces that name no document go to the first one that holds their words."""
        nameless = [at for at, p in enumerate(pieces) if not p.source and p.text.strip()]
        chars = sum(i.chars for i in self._infos)
        if len(self._infos) == 1:
            for at in nameless:
                result[at] = self._infos[0].id
            return result, f"No document is named; {self._infos[0].source} is the only one."
        if len(nameless) * chars > SCANNED:
            return result, (
                f"{len(nameless):,} chunks name no document, too many to look for by their words."
                " Give the file a source column."
            )
        left = nameless
        for done, info in enumerate(self._infos):
            progress(done, len(self._infos), "documents looked through")
            text, still = self._text_of(info.id), []
            for at in left:
                if longest_line(pieces[at].text) in text:
                    result[at] = info.id
                else:
                    still.append(at)
            left = still
        placed = len(nameless) - len(left)
        return result, (
            f"{len(nameless):,} chunks name no document; {placed:,} were found by their words."
        )
