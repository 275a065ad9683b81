"""Documents that another system returned passages of, and that are not here: names without text."""

from __future__ import annotations

from ragdebug.records import Document, DocumentInfo, ParsedDocument
from ragdebug.settings import fingerprint

ELSEWHERE = "elsewhere-"  # ids of documents that are not here
NAMELESS = "a document that is not here"
_VERSION = "elsewhere"


def elsewhere(source: str) -> str:
    """The id of a document that is not here, by what another system calls it."""
    return ELSEWHERE + fingerprint(source)


def is_elsewhere(document: str) -> bool:
    """Whether an id is that of a document that is not here."""
    return document.startswith(ELSEWHERE)


def stand_in(document: str, source: str) -> Document:
    """A document that is not here: it has a name and no text."""
    parsed = ParsedDocument("", "text", _VERSION)
    return Document(document, _VERSION, source or NAMELESS, parsed)


def stand_in_info(document: str, source: str) -> DocumentInfo:
    """The same without its text."""
    return DocumentInfo(document, _VERSION, source or NAMELESS, "elsewhere", origin="elsewhere")
