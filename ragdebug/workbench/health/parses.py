"""Files that gave no text, or next to none."""

from __future__ import annotations

from collections.abc import Sequence

from ragdebug.counting import many
from ragdebug.records import DocumentInfo
from ragdebug.workbench.health.findings import (
    CORPUS,
    NOTE,
    SERIOUS,
    WARNING,
    Finding,
    Where,
    finding,
)

FEW_CHARS = 30  # of a document, or of a page on average
SHOWN = 4


def check(infos: Sequence[DocumentInfo]) -> list[Finding]:
    """Look at every document's facts; no text is read."""
    return [*_failed(infos), *_empty(infos), *_pages(infos)]


def _failed(infos: Sequence[DocumentInfo]) -> list[Finding]:
    failed = [d for d in infos if d.status == "failed"]
    if not failed:
        return []
    # A document without an id was never read: only the list on Corpus has it.
    return [
        finding(
            "failed_files",
            SERIOUS,
            f"{many(len(failed), 'file')} of {len(infos):,} could not be read and cannot be found: "
            f"{_names(failed)}.",
            len(failed),
            len(infos),
            [Where(CORPUS, d.source, d.id if d.version else "") for d in failed[:SHOWN]],
            (d.id for d in failed if d.id),
        )
    ]


def _empty(infos: Sequence[DocumentInfo]) -> list[Finding]:
    read = [d for d in infos if d.version]
    bare = sorted(
        (d for d in read if d.chars < FEW_CHARS * max(1, d.pages)),
        key=lambda d: (d.chars, d.source),
    )
    if not bare:
        return []
    return [
        finding(
            "empty_parses",
            WARNING,
            f"{many(len(bare), 'document')} of {len(read):,} "
            f"{'has' if len(bare) == 1 else 'have'} fewer than {FEW_CHARS} characters"
            f"{' a page' if any(d.pages for d in bare) else ''}: {_names(bare)}.",
            len(bare),
            len(read),
            [
                Where(CORPUS, f"{d.source}: {many(d.chars, 'character')}", d.id)
                for d in bare[:SHOWN]
            ],
            (d.id for d in bare),
        )
    ]


def _pages(infos: Sequence[DocumentInfo]) -> list[Finding]:
    read = [d for d in infos if d.version]
    lost = ("no_text_layer", "page_unreadable")
    missing = [(d, [w.page for w in d.warnings if w.code in lost and w.page]) for d in read]
    missing = sorted((m for m in missing if m[1]), key=lambda m: (-len(m[1]), m[0].source))
    count, of = sum(len(pages) for _, pages in missing), sum(d.pages for d in read)
    if not count:
        return []
    return [
        finding(
            "pages_without_text",
            WARNING if count * 20 >= of else NOTE,
            f"{many(count, 'page')} of {of:,} {'has' if count == 1 else 'have'} no text layer or "
            f"could not be read, in {many(len(missing), 'document')}; what stands there is not "
            "indexed.",
            count,
            of,
            [Where(CORPUS, f"{d.source}, {_listed(pages)}", d.id) for d, pages in missing[:SHOWN]],
            (d.id for d, _ in missing),
        )
    ]


def _listed(pages: Sequence[int]) -> str:
    shown = ", ".join(map(str, pages[:6])) + (" …" if len(pages) > 6 else "")
    return f"{'page' if len(pages) == 1 else 'pages'} {shown}"


def _names(infos: Sequence[DocumentInfo]) -> str:
    more = f" and {len(infos) - 3:,} more" if len(infos) > 3 else ""
    return ", ".join(d.source for d in infos[:3]) + more
