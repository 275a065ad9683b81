"""What an ingest would change: files that are new or changed, gone, or only somewhere else.

The whole difference is known before anything is written, so that a dry run and the question about a
half-empty folder come first.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

from ragdebug.errors import DocumentError, MassRemoval
from ragdebug.protocols import Progress
from ragdebug.store.documents import DocState
from ragdebug.store.paths import path_of
from ragdebug.workbench.sources import RECORD, Listing, below, file_hash


class Difference:
    """What is there now, beside what was read before.

    Attributes:
        states: all documents as they were, those that win last.
        by_file: file key -> the documents it gave.
        hashes: file key -> SHA-256 of the file, or why it cannot be read.
        moves: new file key -> old one, where the same bytes left one place and came to another.
        gone: keys of files that were there and are not any more, moved ones left out.
    """

    def __init__(
        self, listing: Listing, states: Mapping[str, DocState], progress: Progress
    ) -> None:
        self._listing = listing
        self._folders = [Path(r).as_posix() for r in listing.roots if Path(r).is_dir()]
        self.by_file: dict[str, list[DocState]] = defaultdict(list)
        self.states = tuple(states.values())
        for state in self.states:
            self.by_file[state.source_key.split(RECORD)[0]].append(state)
        self.hashes = self._hash_all(progress)
        gone = self._gone()
        self.moves = self._moves(gone)
        self.gone = [key for key in gone if key not in self.moves.values()]

    def ask(self) -> None:
        """Ask before most of what came from a place leaves the corpus.

        Raises:
            MassRemoval: more than half of the files are gone.
        """
        gone = [key for key in self.gone if any(s.version for s in self.by_file[key])]
        if not gone:
            return
        known = [
            key
            for key, states in self.by_file.items()
            if any(self._covered(s) and not s.removed and s.version for s in states)
        ]
        if len(gone) * 2 > len(known):
            raise MassRemoval(
                f"{len(gone)} of {len(known)} files that came from here are missing now. "
                "Nothing was changed.",
                hint="Look at the difference with --dry-run; say --yes if they should be removed.",
            )

    def _hash_all(self, progress: Progress) -> dict[str, str | DocumentError]:
        hashes: dict[str, str | DocumentError] = {}
        total = len(self._listing.items)
        for done, item in enumerate(self._listing.items):
            if done % 20 == 0:
                progress(done, total, "files compared")
            try:
                hashes[item.key] = file_hash(item.read())
            except DocumentError as e:
                hashes[item.key] = e
        return hashes

    def _gone(self) -> list[str]:
        """File keys that once came from one of the given roots and are not in it any more.

        What is there and could not be looked at is not gone.
        """
        seen = {i.key for i in self._listing.items} | {u.key for u in self._listing.failed}
        return [
            key
            for key, states in self.by_file.items()
            if key not in seen
            and not below(key, self._listing.unseen)
            and any(self._covered(s) and not s.removed for s in states)
        ]

    def _covered(self, state: DocState) -> bool:
        """Whether the given roots hold all of the root that a file came from."""
        if state.root in self._listing.roots:
            return True
        # A folder inside a given one; an archive inside it is not opened, so nothing is known.
        return (
            bool(state.root)
            and state.origin in ("file", "folder")
            and below(Path(state.root).as_posix(), self._folders)
        )

    def _moves(self, gone: Sequence[str]) -> dict[str, str]:
        lost: dict[str, list[str]] = defaultdict(list)
        for key, states in self.by_file.items():
            active = [s for s in states if not s.removed]
            if active and active[0].version and (key in gone or _vanished(key, active[0])):
                lost[active[0].file_hash].append(key)
        moves: dict[str, str] = {}
        for item in self._listing.items:
            digest = self.hashes[item.key]
            if item.key in self.by_file or isinstance(digest, DocumentError):
                continue
            if lost.get(digest):
                moves[item.key] = lost[digest].pop(0)
        return moves


def _vanished(key: str, state: DocState) -> bool:
    """Whether a local file that was once ingested is no longer where it was."""
    try:
        return state.origin in ("file", "folder") and not path_of(key).exists()
    except OSError:  # its folder may not be looked into
        return False
