"""What another reader sees in a file: words that the canonical text does not have.

PDF is read by pypdf, HTML with all that a page hides, DOCX with headers, footers, comments, notes,
text boxes and deleted text, anything else in other encodings. A second reader decides nothing about
the text of a document; it only tells "not in this file" from "in this file, and lost in parsing".
"""

from __future__ import annotations

import logging
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from html.parser import HTMLParser

from ragdebug.documents.docx_package import Element, Package, local
from ragdebug.documents.inflate import inflate_named
from ragdebug.documents.options import Limits
from ragdebug.documents.parse import kind_of
from ragdebug.documents.pdf_guard import check
from ragdebug.documents.sniff import sniff
from ragdebug.errors import RagDebugError

MOST_PAGES = 2000
ENCODINGS = (
    "utf-8", "cp1252", "utf-16", "utf-16-le", "utf-16-be", "cp1250", "cp1251", "cp437", "cp850",
    "mac_roman", "shift_jis", "gb18030", "big5", "euc_kr",
)  # fmt: skip
_SPOKEN = ("alt", "title", "content", "placeholder", "aria-label", "value", "summary")
_DROPPED = re.compile(r"[\s\u00ad\u200b-\u200d\u2060\ufeff\-\u2010-\u2015\u2212]+")
_QUOTES = str.maketrans(dict.fromkeys("\u2018\u2019\u201a\u201b\u02bc`\u00b4", "'"))
_DOUBLE = str.maketrans(dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb", '"'))


@dataclass(frozen=True, slots=True)
class Reading:
    """Text as one reader sees it.

    Attributes:
        reader: such as ``pypdf``, ``DOCX footnotes``, ``read as cp1252``.
        text: what it sees.
        page: sheet number for a PDF, else None.
    """

    reader: str
    text: str
    page: int | None = None


def second_reading(data: bytes, name: str, quote: str, text: str = "") -> Reading | None:
    """The first other reading of a file that has a quote; None when none has it.

    Blanks, hyphens, case and typographic variants are folded. Where the canonical text has the
    quote but for its blanks, only a reading with its words apart counts: the parser glued or tore
    them.

    Args:
        data: the file.
        name: its name, which says what kind it is.
        quote: what is looked for.
        text: the document's canonical text.
    """
    wanted = folded(quote)
    if not wanted:
        return None
    torn = wanted in folded(text)
    before: Reading | None = None
    for reading in readings(data, name):
        if _has(reading.text, quote, wanted, torn):
            return Reading(reading.reader, _around(reading.text, quote), reading.page)
        if before is not None:
            # A sentence may run from one page to the next.
            both = f"{before.text}\n{reading.text}"
            if _has(both, quote, wanted, torn):
                return Reading(before.reader, _around(both, quote), before.page)
        before = reading if reading.page is not None else None
    return None


def readings(data: bytes, name: str) -> Iterator[Reading]:
    """All that other readers see in a file; one that fails sees nothing."""
    limits = Limits()
    try:
        data, inner = inflate_named(data, name, limits)
    except RagDebugError:
        return
    kind = sniff(data)
    kind = kind if kind in ("pdf", "docx", "html") else kind_of(inner)
    reader = {"pdf": _pdf, "docx": _docx, "html": _html}.get(kind, _decoded)
    try:
        yield from reader(data, name, limits)
    except RecursionError:
        return
    except Exception:  # noqa: BLE001 - a library met what it did not expect: it has no word
        return


def folded(text: str) -> str:
    """A text without blanks, hyphens and case, with typographic variants as one."""
    plain = unicodedata.normalize("NFKC", text).translate(_QUOTES).translate(_DOUBLE)
    return _DROPPED.sub("", plain).casefold()


def _has(text: str, quote: str, wanted: str, in_words: bool) -> bool:
    if wanted not in folded(text):
        return False
    words = r"\s+".join(re.escape(word) for word in quote.split())
    return not in_words or re.search(words, text, re.IGNORECASE) is not None


def _around(text: str, quote: str) -> str:
    """The passage with a little of what stands around it."""
    words = r"\s*".join(re.escape(word) for word in quote.split())
    at = re.search(words, text, re.IGNORECASE)
    start, end = at.span() if at else (0, min(len(text), 2 * len(quote)))
    return " ".join(text[max(0, start - 60) : end + 60].split())


def _pdf(data: bytes, name: str, limits: Limits) -> Iterator[Reading]:
    import io

    from pypdf import PdfReader

    check(data, name, limits)
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    for number, page in enumerate(PdfReader(io.BytesIO(data)).pages, 1):
        if number > MOST_PAGES:
            return
        yield Reading("pypdf", page.extract_text(), number)


def _html(data: bytes, name: str, limits: Limits) -> Iterator[Reading]:
    for reading in _decoded(data, name, limits):
        everything = _Everything()
        everything.feed(reading.text)
        everything.close()
        yield Reading("raw HTML", " ".join(everything.parts))


class _Everything(HTMLParser):
    """All text of a page, hidden or not, and what attributes say in words."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []

    def handle_data(self, data: str) -> None:
        self.parts.append(data)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.parts.extend(value for key, value in attrs if key in _SPOKEN and value)


def _docx(data: bytes, name: str, limits: Limits) -> Iterator[Reading]:
    package = Package(data, name, limits)
    main = package.related("").get("officeDocument", "word/document.xml")
    yield Reading("DOCX text boxes and deleted text", _words(package.xml(main)))
    for kind, part, _ in package.relations(main):
        if kind in ("footnotes", "endnotes", "header", "footer", "comments"):
            yield Reading(f"DOCX {kind}", _words(package.xml(part)))


def _words(root: Element | None) -> str:
    """Every text of a part, paragraphs on lines of their own."""
    parts: list[str] = []

    def walk(element: Element) -> None:
        for part in element:
            kind = local(part)
            if kind in ("t", "delText"):
                parts.append(part.text or "")
            elif kind in ("tab", "br", "cr"):
                parts.append(" ")
            walk(part)
            if kind == "p":
                parts.append("\n")

    if root is not None:
        walk(root)
    return "".join(parts)


def _decoded(data: bytes, name: str, limits: Limits) -> Iterator[Reading]:
    seen: set[str] = set()
    for encoding in ENCODINGS:
        try:
            text = data.decode(encoding)
        except UnicodeError:
            continue
        if text not in seen:
            seen.add(text)
            yield Reading(f"read as {encoding}", text)
