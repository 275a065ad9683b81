"""Which document a piece belongs to, by what its file calls it, or by its words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ragdebug.pieces import GivenPiece
from ragdebug.protocols import Progress, silent
from ragdebug.records import DocumentInfo
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
        by_name: dict[str, list[GivenPiece]] = {}
        for piece in pieces:
            by_name.setdefault(piece.source, []).append(piece)
        known: dict[str, str] = {}
        for name, own in by_name.items():
            found = self._real.find(name) or self._any.find(name) if name else []
            if len(found) > 1:
                found, note = self._settle(name, found, own)
                notes.append(note)
            known[name] = found[0].id if found else ""
            if not found and name and (records := self._records(name)):
                notes.append(
                    f"{name} is here as {records:,} records, and these chunks were cut from it as a"
                    " whole: they cannot be placed in them, and labels on the records are not"
                    " found in them. Read the file in as one table: ragdebug ingest FILE --rows"
                    " table"
                )
        result = [known[p.source] for p in pieces]
        if by_name.get("") and self._infos:
            result, note = self._by_words(pieces, result, progress)
            notes += [note] if note else []
        return result, notes

    def _records(self, name: str) -> int:
        """How many documents are records of a file of that name."""
        tail = name.replace("\\", "/").rpartition("/")[2]
        files = (i.source.rpartition("#")[0].rpartition("/")[2] for i in self._infos)
        return sum(file == tail for file in files if file)

    def _settle(
        self, name: str, found: list[DocumentInfo], pieces: Sequence[GivenPiece]
    ) -> tuple[list[DocumentInfo], str]:
        held = []
        for info in found:
            text = self._text_of(info.id)
            held.append(sum(_sample(p.text) in text for p in pieces[:200]))
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
                if _sample(pieces[at].text) in text:
                    result[at] = info.id
                else:
                    still.append(at)
            left = still
        placed = len(nameless) - len(left)
        return result, (
            f"{len(nameless):,} chunks name no document; {placed:,} were found by their words."
        )


def _sample(text: str) -> str:
    """The longest line of a text, cut: other blanks stand between lines, not inside them."""
    return max((line.strip() for line in text.splitlines()), key=len, default="")[:200]
