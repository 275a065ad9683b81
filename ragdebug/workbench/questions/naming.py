"""Which document a file of questions means by a name."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from ragdebug.records import DocumentInfo


class Naming:
    """Documents by every name that people and data sets give them.

    A name is looked for as id, as source, as the end of a source's path, without its suffix, and
    as the key of a record (``corpus.jsonl#17`` is ``17``); the first that fits decides.
    """

    def __init__(self, infos: Iterable[DocumentInfo]) -> None:
        self._tiers: list[dict[str, list[DocumentInfo]]] = [defaultdict(list) for _ in range(5)]
        for info in infos:
            self._tiers[0][info.id].append(info)
            self._tiers[1][info.source].append(info)
            file, mark, key = info.source.rpartition("#")
            for tail in _tails(info.source)[1:]:
                self._tiers[2][tail].append(info)
            for tail in _tails(file if mark else info.source):
                stem = _stem(tail)
                if stem:
                    self._tiers[3][f"{stem}#{key}" if mark else stem].append(info)
            if mark:
                self._tiers[4][key].append(info)

    def find(self, name: str) -> list[DocumentInfo]:
        """Documents of that name; several where it fits several equally well."""
        name = name.strip().replace("\\", "/")
        if not name:
            return []
        for tier in self._tiers:
            if name in tier:
                return list(tier[name])
        # The file may say more of the path than the corpus does.
        for tail in _tails(name)[1:]:
            for tier in self._tiers[1:2]:
                if tail in tier:
                    return list(tier[tail])
        return []

    def short(self, info: DocumentInfo) -> str:
        """The shortest name that means this document and no other: key, stem, or its source."""
        file, mark, key = info.source.rpartition("#")
        for name in (key if mark else "", "" if mark else _stem(_tails(info.source)[-1])):
            if name and self.find(name) == [info]:
                return name
        return info.source


def _tails(path: str) -> list[str]:
    """The path, and what is left of it folder by folder."""
    parts = path.split("/")
    return ["/".join(parts[i:]) for i in range(len(parts))]


def _stem(path: str) -> str:
    head, slash, name = path.rpartition("/")
    stem = name.rpartition(".")[0]
    return head + slash + (stem or name)
