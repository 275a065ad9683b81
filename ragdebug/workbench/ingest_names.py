"""What documents are called, and the ids that are made of it: each name and each id once."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePosixPath

from ragdebug.settings import fingerprint
from ragdebug.store.documents import DocState
from ragdebug.workbench.sources import Item, numbered


class SourceNames:
    """The sources and ids of a workspace while an ingest adds to them."""

    def __init__(self, states: Iterable[DocState]) -> None:
        known = list(states)
        self._owner = {s.source: s.id for s in known if s.version}
        self._ids = {s.id for s in known}

    def free(self, item: Item, record: str, old: DocState | None = None) -> str:
        """A name nobody else has: the item's own, else with its root's name, else with a number.

        Args:
            item: the file.
            record: key of a record in it, or "".
            old: the document that gets the name; it may keep the one it has.
        """
        tail = f"#{record}" if record else ""
        root = PurePosixPath(item.root.removeprefix("upload:")).name
        for name in (item.name, f"{root}/{item.name}" if root else item.name):
            owner = self._owner.get(name + tail)
            if owner is None or (old is not None and owner == old.id):
                return name + tail
        n = 2
        while (made := numbered(item.name, n) + tail) in self._owner:
            n += 1
        return made

    def new_id(self, source: str) -> str:
        """Ten hex digits from the source name, the same on every machine."""
        n = 0
        while (made := fingerprint([source, n] if n else source)[:10]) in self._ids:
            n += 1
        return made

    def take(self, source: str, document: str, instead_of: str = "") -> None:
        """Note that a document has a name now, and no longer the one it had."""
        self._owner.pop(instead_of, None)
        self._owner[source] = document
        self._ids.add(document)
