"""A document made of its pieces, where the document itself is not at hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ragdebug.documents.language import detect
from ragdebug.pieces import GivenPiece
from ragdebug.records import Page, ParsedDocument, ParseWarning

PARSER = "pieces/1"
LEAST_OVERLAP = 20  # characters; fewer in common may be chance
_MOST_OVERLAP = 4000


def made_of(title: str, pieces: Sequence[GivenPiece], file: str) -> ParsedDocument:
    """Put the pieces of one document one after the other, what two share only once.

    Args:
        title: what the file calls the document.
        pieces: its pieces, in the order of the file or, where all have offsets, of these.
        file: where they came from.
    """
    ordered = list(pieces)
    if all(p.start is not None for p in pieces):
        ordered.sort(key=lambda p: p.start or 0)
    parts: list[str] = []
    starts: list[int] = []
    at = 0
    last = ""
    for piece in ordered:
        text = _cleaned(piece.text)
        if not text:
            continue
        shared = _overlap(last, text)
        gap = "" if shared or not parts else "\n\n"
        starts.append(at + len(gap) - shared)
        parts.append(gap + text[shared:])
        at += len(parts[-1])
        last = text
    text = "".join(parts)
    pages = [p.page for p in ordered if p.text.strip()]
    return ParsedDocument(
        text=text,
        kind="text",
        parser=PARSER,
        title=title,
        pages=_pages(pages, starts, len(text)),
        metadata=_common(pieces),
        language=detect(text)[0],
        warnings=(
            ParseWarning(
                "made_of_pieces",
                f"Made of {len(starts):,} chunks of {file}: the document itself is not here, so"
                " what no chunk holds is missing, and the order is that of the file.",
            ),
        ),
    )


def with_others(parsed: ParsedDocument, texts: Sequence[str]) -> ParsedDocument:
    """A made document with the texts of other sets' pieces after its own, where there are any."""
    if not texts:
        return parsed
    (warning,) = parsed.warnings
    more = f"{warning.message} {len(texts):,} chunks of other files stand at its end."
    return replace(
        parsed,
        text="\n\n".join([parsed.text, *map(_cleaned, texts)]),
        pages=(),  # nobody knows the pages of what was added
        warnings=(replace(warning, message=more),),
    )


def _cleaned(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd").strip()


def _overlap(before: str, after: str) -> int:
    """How many characters the end of one text and the start of the next have in common.

    By the failure function of Knuth, Morris and Pratt, in linear time.
    """
    head, tail = after[:_MOST_OVERLAP], before[-_MOST_OVERLAP:]
    if len(after) <= LEAST_OVERLAP or not tail:
        return 0
    fail = [0] * len(head)
    k = 0
    for i in range(1, len(head)):
        while k and head[i] != head[k]:
            k = fail[k - 1]
        k += head[i] == head[k]
        fail[i] = k
    k = 0
    for c in tail:
        while k and (k == len(head) or c != head[k]):
            k = fail[k - 1]
        k += c == head[k]
    return k if LEAST_OVERLAP <= k < len(after) else 0


def _pages(numbers: Sequence[int | None], starts: Sequence[int], end: int) -> tuple[Page, ...]:
    """The page map, where all pieces name a page and pages only go up."""
    if not numbers or any(n is None for n in numbers):
        return ()
    known = [n for n in numbers if n is not None]
    if known != sorted(known) or known[0] < 1:
        return ()
    firsts: dict[int, int] = {}
    for number, start in zip(known, starts, strict=True):
        firsts.setdefault(number, start)
    begins = [0, *list(firsts.values())[1:]]
    if begins != sorted(begins):
        return ()
    return tuple(
        Page(number, start, after)
        for number, start, after in zip(firsts, begins, [*begins[1:], end], strict=True)
    )


def _common(pieces: Sequence[GivenPiece]) -> dict[str, str]:
    """Metadata that all pieces of a document share."""
    if not pieces:
        return {}
    shared = dict(pieces[0].metadata)
    for piece in pieces[1:]:
        shared = {k: v for k, v in shared.items() if piece.metadata.get(k) == v}
    return shared
