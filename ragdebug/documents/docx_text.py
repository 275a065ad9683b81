"""Text of DOCX paragraphs, as if every tracked change had been accepted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ragdebug.documents.docx_package import Element, child, local, value

# Deleted or moved away; instructions of fields; reading aids above characters.
_LEFT_OUT = frozenset(
    "del moveFrom delText delInstrText instrText pPr rPr rt sectPr tblPr trPr tcPr sdtPr sdtEndPr "
    "annotationRef footnoteRef endnoteRef separator continuationSeparator".split()
)
_SIGNS = {
    "tab": "\t",
    "ptab": "\t",
    "br": "\n",
    "cr": "\n",
    "noBreakHyphen": "-",
    "softHyphen": "",
}


@dataclass(slots=True)
class Inline:
    """A paragraph's text, and what hangs on it.

    Attributes:
        parts: pieces of its text.
        notes: (footnote or endnote, id) of the notes it refers to, in order.
        boxes: contents of text boxes anchored in it.
    """

    parts: list[str] = field(default_factory=list)
    notes: list[tuple[str, str]] = field(default_factory=list)
    boxes: list[Element] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The text in one string."""
        return "".join(self.parts)


@dataclass(slots=True)
class Changes:
    """How many tracked changes were met."""

    inserted: int = 0
    deleted: int = 0


def read_inline(element: Element, into: Inline, changes: Changes) -> None:
    """Add an element's text, and what it refers to, to `into`."""
    for part in element:
        name = local(part)
        if name == "t":
            into.parts.append(part.text or "")
        elif name in _LEFT_OUT:
            changes.deleted += name in ("del", "moveFrom")
        elif name == "r" and _is_hidden(part):
            continue
        elif name in _SIGNS:
            into.parts.append(_SIGNS[name])
        elif name == "sym":
            into.parts.append(_symbol(part))
        elif name in ("footnoteReference", "endnoteReference"):
            into.notes.append((name.removesuffix("Reference"), value(part, "id")))
        elif name == "txbxContent":
            into.boxes.append(part)
        elif name == "AlternateContent":
            chosen = _alternative(part)
            if chosen is not None:
                read_inline(chosen, into, changes)
        else:
            changes.inserted += name in ("ins", "moveTo")
            read_inline(part, into, changes)


def _alternative(part: Element) -> Element | None:
    """One of the two versions of a drawing: the one for new programs, else the one for old."""
    new = child(part, "Choice")
    return new if new is not None else child(part, "Fallback")


def _is_hidden(run: Element) -> bool:
    hidden = child(run, "rPr", "vanish")
    return hidden is not None and value(hidden) not in ("0", "false", "off")


def _symbol(part: Element) -> str:
    try:
        sign = chr(int(value(part, "char"), 16))
    except ValueError:
        return ""
    # Symbol fonts use the private area: their pictures have no letters.
    return "" if "\ue000" <= sign <= "\uf8ff" or "\ud800" <= sign <= "\udfff" else sign


def paragraph_mark_deleted(paragraph: Element) -> bool:
    """Whether a tracked change joins the paragraph with the next one."""
    mark = child(paragraph, "pPr", "rPr")
    return child(mark, "del") is not None or child(mark, "moveFrom") is not None


def block_children(container: Element) -> Iterator[Element]:
    """Paragraphs and tables of a container, through the wrappers Word puts around them."""
    for part in container:
        name = local(part)
        if name in ("p", "tbl"):
            yield part
        elif name in ("sdt", "sdtContent", "customXml", "smartTag", "ins", "moveTo"):
            yield from block_children(part)
        elif name == "AlternateContent":
            chosen = _alternative(part)
            if chosen is not None:
                yield from block_children(chosen)
