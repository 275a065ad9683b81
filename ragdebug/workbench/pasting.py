"""Better texts of pages: kept by document, and put in place again when a file is read anew."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import replace
from operator import itemgetter
from typing import Any

from ragdebug.documents.pasted import LEFT_OUT, page_text, with_page
from ragdebug.records import ParsedDocument, ParseWarning
from ragdebug.settings import fingerprint
from ragdebug.store.values import SettingStore

KEY = "pasted pages"  # in the store's settings


class Pasted:
    """The pasted pages of a workspace.

    For each document the version that its file was read to, and for each pasted page a hash of what
    it replaces, and the text.
    """

    def __init__(self, settings: SettingStore) -> None:
        self._settings = settings
        self._known: dict[str, dict[str, Any]] = json.loads(settings.get(KEY, "{}"))

    def pages(self, document: str) -> tuple[int, ...]:
        """Pages of a document that have a pasted text."""
        return tuple(sorted(map(int, self._pages(document))))

    def base(self, document: str) -> str:
        """The version that the document's file was read to; "" where nothing is pasted."""
        return str(self._known.get(document, {}).get("base", ""))

    def keep(
        self, document: str, version: str, parsed: ParsedDocument, page: int, text: str
    ) -> None:
        """Keep a text of a page; `version` and `parsed` are as the file was read."""
        pages = {**self._pages(document), str(page): {"of": _hash(parsed, page), "text": text}}
        self._known[document] = {"base": version, "pages": pages}
        self._save()

    def rebase(self, document: str, version: str) -> None:
        """The file was read anew, to another version."""
        self._known[document]["base"] = version
        self._save()

    def forget(self, documents: Collection[str], page: int | None = None) -> None:
        """Forget the texts of some documents, or of one page of them."""
        for document in documents:
            left = {p: v for p, v in self._pages(document).items() if page not in (None, int(p))}
            if left:
                self._known[document]["pages"] = left
            else:
                self._known.pop(document, None)
        self._save()

    def apply(self, document: str, parsed: ParsedDocument) -> ParsedDocument:
        """A document as its file was read, with its pasted pages; not where the page changed."""
        made = parsed
        for number, kept in sorted(
            ((int(p), x) for p, x in self._pages(document).items()), key=itemgetter(0)
        ):
            if (
                any(p.number == number for p in parsed.pages)
                and _hash(parsed, number) == kept["of"]
            ):
                made = with_page(made, number, kept["text"])
            else:
                said = f"Page {number} of the file has changed: the text pasted for it is left out."
                left = ParseWarning(LEFT_OUT, said, number)
                made = replace(made, warnings=(*made.warnings, left))
        return made

    def _pages(self, document: str) -> dict[str, Any]:
        pages: dict[str, Any] = self._known.get(document, {}).get("pages", {})
        return pages

    def _save(self) -> None:
        self._settings.set(KEY, json.dumps(self._known, ensure_ascii=False, sort_keys=True))


def _hash(parsed: ParsedDocument, page: int) -> str:
    return fingerprint([page_text(parsed, page)])
