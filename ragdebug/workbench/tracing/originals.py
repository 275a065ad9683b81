"""Words that stand nowhere in the corpus' texts: who else sees them in its files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ragdebug.documents.second_reader import second_reading
from ragdebug.errors import RagDebugError
from ragdebug.records import DocumentInfo

MOST_BYTES = 50_000_000  # of files that are read a second time for one quote
NO_LAYER = "no_text_layer"

Original = Callable[[str], "tuple[str, bytes] | None"]


def look_again(
    quote: str,
    documents: Sequence[DocumentInfo],
    original: Original,
    text_of: Callable[[str, str], str],
) -> dict[str, Any]:
    """What second readers say of a quote that the texts of some documents do not have.

    Returns:
        ``reader``, ``source``, ``page`` and ``reads`` where one has it; else ``pages_unknown``
        (source -> pages without a text layer), where nobody can tell, and ``not_read``, how many
        files were too many or are no longer there.
    """
    read, left = 0, 0
    for source, records in (_files(documents) if quote.strip() else {}).items():
        file = _original(records[0], original)
        if file is None or read + len(file[1]) > MOST_BYTES:
            left += 1
            continue
        name, data = file
        read += len(data)
        text = "\n".join(text_of(d.id, d.version) for d in records if d.version)
        found = second_reading(data, name, quote, text)
        if found is not None:
            page = {} if found.page is None else {"page": found.page}
            return {"reader": found.reader, "source": source, **page, "reads": found.text}
    unknown = pages_unknown(documents)
    return ({"pages_unknown": unknown} if unknown else {}) | ({"not_read": left} if left else {})


def pages_unknown(documents: Iterable[DocumentInfo]) -> dict[str, list[int]]:
    """Source -> pages without a text layer, of which nobody can tell what they say."""
    found: dict[str, list[int]] = {}
    for info in documents:
        pages = [w.page for w in info.warnings if w.code == NO_LAYER and w.page is not None]
        if pages:
            found[info.source] = sorted(pages)
    return found


def _files(documents: Iterable[DocumentInfo]) -> dict[str, list[DocumentInfo]]:
    """The documents by file: the records of one file share theirs."""
    files: dict[str, list[DocumentInfo]] = {}
    for info in documents:
        is_record = info.kind == "record"
        name = info.source.rpartition("#")[0] if is_record else info.source
        files.setdefault(name or info.source, []).append(info)
    return files


def _original(info: DocumentInfo, original: Original) -> tuple[str, bytes] | None:
    try:
        return original(info.id) if info.id else None
    except (RagDebugError, OSError):
        return None
