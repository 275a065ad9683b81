"""A short piece of outside text with marked parts, shown literally.

    passage(chunk.index_text, key="index_text", marks=[Mark(0, 16, "label")])
    passage(query, key="query_terms", marks=[Mark(9, 16, "term")], small=True)

Kinds of marks: term, evidence, label (grey: not part of the chunk's own text), zero (struck in red:
a term that no chunk holds). For plain text without marks `literal.text` is enough.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ragdebug.ui.components.assets import component
from ragdebug.ui.offsets import Utf16Map

KINDS = ("term", "evidence", "label", "zero")

_render = component("passage", scripts=("passage.js",), styles=("passage.css",))


@dataclass(frozen=True, slots=True)
class Mark:
    """A marked range of code points; `kind` is one of `KINDS`."""

    start: int
    end: int
    kind: str = "term"


def passage(
    text: str,
    *,
    key: str,
    marks: Sequence[Mark] = (),
    mono: bool = False,
    small: bool = False,
    box: bool = True,
    height: int | None = None,
) -> None:
    """Draw a text with marks.

    Args:
        text: at most some thousand characters; use `document_view` for documents.
        key: unique on the page.
        marks: may overlap; unknown kinds are refused.
        mono: one width for all letters.
        small: smaller type.
        box: with a border around it.
        height: most pixels before it scrolls; None for all it needs.
    """
    unknown = {m.kind for m in marks} - set(KINDS)
    if unknown:
        raise ValueError(f"unknown kinds of marks: {sorted(unknown)}")
    positions = Utf16Map(text)
    _render(
        key=key,
        data={
            "text": text,
            "marks": [
                [positions.to_utf16(m.start), positions.to_utf16(m.end), m.kind] for m in marks
            ],
            "classes": [n for n, on in (("mono", mono), ("small", small), ("box", box)) if on],
            "height": height,
        },
    )
