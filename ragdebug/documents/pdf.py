"""PDF: text, pages, outline, and what a reader should know about how it was read."""

from __future__ import annotations

import ctypes
import re

from ragdebug.documents import pdfium
from ragdebug.documents.canonical import one_line
from ragdebug.documents.letters import unknown_share
from ragdebug.documents.options import Limits, ParseOptions
from ragdebug.documents.pdf_guard import check, has_lost_update
from ragdebug.documents.pdf_layout import Layout, lay_out
from ragdebug.documents.pdf_lines import PageLines, read_page
from ragdebug.documents.pdf_outline import Heading, place_outline, read_outline
from ragdebug.documents.pdf_sections import blocks, find_headings, sections
from ragdebug.documents.pdfium import PdfFile
from ragdebug.errors import CorruptDocument, DocumentTooLarge, EmptyDocument
from ragdebug.records import Page, ParsedDocument, ParseWarning

PARSER = "pdf/1"
_DATE = re.compile(r"D:(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:([+-])(\d\d)'?(\d\d)?|Z)?")
# What PDF writers put where nobody gave a value.
_PLACEHOLDERS = {"", "untitled", "anonymous", "unspecified"}
_FILE_TITLE = re.compile(r"(?i)^microsoft \w+ - |\.(docx?|pdf|indd|tex|odt|pptx?|xlsx?)$")


def parse_pdf(
    data: bytes, name: str, options: ParseOptions | None = None, limits: Limits | None = None
) -> ParsedDocument:
    """Read a PDF.

    Paragraphs are parted by a blank line and keep their line ends; pages are joined the same way,
    so that page spans cover the text; columns are read one after the other. Sections come from the
    outline when it has at least two usable entries, else from size and weight of type. Running
    heads and feet stay in the text and are named in a warning.

    Args:
        data: the file.
        name: what messages call it.
        options: `password` and `language` count here.
        limits: see `Limits`.

    Raises:
        EncryptedDocument: it asks for a password, and the one given does not fit.
        CorruptDocument: damaged, cut off, or no PDF.
        EmptyDocument: no bytes, or no page with a text layer.
        DocumentTooLarge: beyond a limit on bytes, inflated bytes or pages.
    """
    options, limits = options or ParseOptions(), limits or Limits()
    check(data, name, limits)
    warnings = []
    if has_lost_update(data):
        warnings.append(
            ParseWarning("truncated", "The end of the file is missing; an older state was read.")
        )
    with pdfium.opened(data, name, options.password) as document:
        with pdfium.LOCK:
            count = len(document)
            labels = _labels(document, min(count, limits.max_pages))
            properties = _properties(document)
            bookmarks = read_outline(document)
            if pdfium.api().FPDF_GetFormType(document.raw):
                message = "The PDF is a form; what was typed into its fields is not in the text."
                warnings.append(ParseWarning("form_fields", message))
        if count > limits.max_pages:
            raise DocumentTooLarge(
                f"{name}: {count:,} pages; the limit is {limits.max_pages:,}.",
                hint="Split the file into parts.",
            )
        pages, unreadable = _read(document, count)
    if count == 0 or len(unreadable) == count:
        raise CorruptDocument(
            f"{name}: none of the pages of this PDF can be read.",
            hint="Save or download it again.",
        )
    warnings += unreadable
    layout = lay_out(pages)
    if not layout.text:
        raise EmptyDocument(
            f"{name}: no text layer on any of its {count} page(s); it seems to be scanned.",
            hint="Run text recognition (OCR) over it and load the result.",
        )
    warnings += _notes(layout, pages, {w.page for w in unreadable})
    by_type = find_headings(layout)
    headings = place_outline(bookmarks, layout, [page.turn != 0 for page in pages])
    if len(headings) < 2:
        headings = by_type or headings
    title = properties.pop("title", "") or _title(layout, by_type) or _title(layout, headings)
    language = properties.get("language", "")
    return ParsedDocument(
        text=layout.text,
        kind="pdf",
        parser=PARSER,
        title=title,
        sections=sections(headings, len(layout.text)),
        pages=tuple(
            Page(i + 1, start, end, labels[i]) for i, (start, end) in enumerate(layout.pages)
        ),
        blocks=blocks(layout, headings),
        metadata=properties,
        language=options.language or language.split("-")[0].lower()[:2],
        warnings=tuple(warnings),
    )


def _read(document: PdfFile, count: int) -> tuple[list[PageLines], list[ParseWarning]]:
    """Lines of every page; pages that cannot be loaded are empty and named in a warning."""
    pages, unreadable = [], []
    sizes: dict[float, float] = {}
    for index in range(count):
        try:
            with pdfium.LOCK, pdfium.TextPage(document, index) as page:
                pages.append(read_page(page, sizes))
        except LookupError:
            pages.append(PageLines(""))
            message = f"Page {index + 1} is damaged and was not read."
            unreadable.append(ParseWarning("page_unreadable", message, page=index + 1))
    return pages, unreadable


def _notes(layout: Layout, pages: list[PageLines], known: set[int | None]) -> list[ParseWarning]:
    notes = []
    for number, page in enumerate(pages, start=1):
        start, end = layout.pages[number - 1]
        if start == end and number not in known:
            message = f"Page {number} has no text layer (a scan or a picture?); it is not indexed."
            notes.append(ParseWarning("no_text_layer", message, page=number))
        elif page.columns == "suspected":
            message = f"Page {number} seems to have several columns; lines may be mixed."
            notes.append(ParseWarning("columns_suspected", message, page=number))
        if unknown_share(layout.text[start:end]) > 0.05:
            message = f"Page {number} holds characters that its fonts do not explain."
            notes.append(ParseWarning("replaced_characters", message, page=number))
    if layout.repeated:
        lines = ", ".join(f"\u201c{line}\u201d on {n} pages" for line, n in layout.repeated[:4])
        notes.append(
            ParseWarning("repeated_lines", f"Running heads or feet are kept in the text: {lines}.")
        )
    return notes


def _title(layout: Layout, headings: list[Heading]) -> str:
    first_page = layout.pages[0][1]
    leading = [h for h in headings if h.start < first_page and h.end > h.start]
    return min(leading, key=lambda h: h.level).title if leading else ""


def _labels(document: PdfFile, count: int) -> list[str]:
    """Printed page labels; "" where the file gives none."""
    return [one_line(document.get_page_label(i) or "") for i in range(count)]


def _properties(document: PdfFile) -> dict[str, str]:
    """Title, author, subject, keywords, dates and language as the file states them."""
    found = {}
    stated = document.get_metadata_dict()
    for key in ("Title", "Author", "Subject", "Keywords"):
        value = one_line(stated.get(key, ""))
        if value.lower().strip("()") not in _PLACEHOLDERS and not (
            key == "Title" and _FILE_TITLE.search(value)
        ):
            found[key.lower()] = value
    for key, name in (("CreationDate", "created"), ("ModDate", "modified")):
        value = _iso(stated.get(key, ""))
        if value:
            found[name] = value
    language = _language(document)
    if language:
        found["language"] = language
    return found


def _iso(stated: str) -> str:
    match = _DATE.match(stated)
    if not match:
        return ""
    year, month, day, hour, minute, second, sign, off, off_minute = match.groups()
    text = f"{year}-{month or '01'}-{day or '01'}"
    if hour:
        text += f"T{hour}:{minute or '00'}:{second or '00'}"
        text += f"{sign}{off}:{off_minute or '00'}" if sign else "Z" if "Z" in match[0] else ""
    return text


def _language(document: PdfFile) -> str:
    read = getattr(pdfium.api(), "FPDFCatalog_GetLanguage", None)
    if read is None:  # older builds of pdfium
        return ""
    buffer = ctypes.create_string_buffer(128)
    target = ctypes.cast(buffer, ctypes.POINTER(ctypes.c_ushort))
    size = read(document.raw, target, 128)
    if not 2 < size <= 128:
        return ""
    text = one_line(buffer.raw[: size - 2].decode("utf-16-le", "replace"))
    return text if re.fullmatch(r"[A-Za-z]{2}(-[A-Za-z0-9-]+)?", text) else ""
