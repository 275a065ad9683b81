"""Uploads whose names are already here: asked about, put in place of the old, or kept beside it.

An upload has no place of its own on a disk, so its name is all that says whether it is the same
file. A zip counts as one name: with other content it would take the documents of the first away.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace

from ragdebug.errors import DocumentError, NameTaken
from ragdebug.store.documents import DocState
from ragdebug.workbench.sources import RECORD, Item, Listing, file_hash, free_name

UPLOAD = "upload:"


class Names:
    """The names in use."""

    def __init__(self, states: Mapping[str, DocState]) -> None:
        active = [s for s in states.values() if not s.removed and s.version]
        self._by_source = {_file_source(s): s for s in active}
        self._by_root: dict[str, dict[str, str]] = defaultdict(dict)
        for s in active:
            self._by_root[s.root][s.source_key.partition(RECORD)[0]] = s.file_hash

    def taken(self, listing: Listing) -> Iterator[str]:
        """Names of files and zips that are here with other content."""
        for item in listing.items:
            if not item.root and self._other(item) is not None:
                yield item.name
        for root in listing.roots:
            if self._differs(root, listing):
                yield root.removeprefix(UPLOAD)

    def settle(self, listing: Listing, on_conflict: str) -> None:
        """Change the listing so that it replaces what has the same name, or stands beside it.

        Raises:
            NameTaken: with ``ask``, when there is anything to settle.
        """
        conflicts = list(self.taken(listing))
        if not conflicts:
            return
        if on_conflict == "ask":
            names = ", ".join(conflicts[:5]) + (" ..." if len(conflicts) > 5 else "")
            raise NameTaken(
                f"{len(conflicts)} names are already here, with other content: {names}."
                if len(conflicts) > 1
                else f"A document called {names} is already here, with other content.",
                hint="Replace it, or keep both.",
            )
        used = {*self._by_source, *(i.name for i in listing.items)}
        for at, item in enumerate(listing.items):
            other = None if item.root else self._other(item)
            if other is None:
                continue
            if on_conflict == "replace":
                listing.items[at] = replace(item, key=other.source_key.split(RECORD)[0])
            else:
                name = free_name(item.name, used)
                used.add(name)
                listing.items[at] = replace(item, name=name, key=f"{UPLOAD}{name}")
        if on_conflict != "replace":
            for root in [r for r in listing.roots if self._differs(r, listing)]:
                self._beside(root, listing)

    def _other(self, item: Item) -> DocState | None:
        """The document of the same name and other content."""
        other = self._by_source.get(item.name)
        return None if other is None or other.file_hash == file_hash(item.read()) else other

    def _differs(self, root: str, listing: Listing) -> bool:
        """Whether a zip of this name is here, and would lose or change documents."""
        known = self._by_root.get(root)
        if not known or not root.startswith(UPLOAD):
            return False
        given = {i.key: i for i in listing.items if i.root == root}
        return any(key not in given or _hash(given[key]) != old for key, old in known.items())

    def _beside(self, root: str, listing: Listing) -> None:
        """Give a zip a root of its own."""
        name = free_name(root.removeprefix(UPLOAD), {r.removeprefix(UPLOAD) for r in self._by_root})
        made = f"{UPLOAD}{name}"
        listing.roots[listing.roots.index(root)] = made
        for at, item in enumerate(listing.items):
            if item.root == root:
                key = made + item.key.removeprefix(root)
                listing.items[at] = replace(item, root=made, key=key)


def _hash(item: Item) -> str:
    try:
        return file_hash(item.read())
    except DocumentError:
        return ""


def _file_source(state: DocState) -> str:
    """Name of the file a document, or a record of it, belongs to."""
    key = state.source_key.partition(RECORD)[2]
    return state.source.removesuffix(f"#{key}") if key else state.source
