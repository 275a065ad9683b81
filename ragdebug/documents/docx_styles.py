"""Styles of a DOCX: which paragraphs are headings, titles, list items, code or quotations."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ragdebug.documents.docx_package import Element, child, local, value

# Word keeps the English name whatever its language; other programs write their own.
_HEADING = re.compile(
    r"(?i)^(?:heading|überschrift|berschrift|titre|título|titulo|titolo|kop|rubrik|overskrift|"
    r"otsikko|nagłówek|nagwek|nadpis|заголовок|标题|標題|見出し|제목)[ _-]?([1-9])$"
)
_ROLES = (
    (re.compile(r"(?i)^(title|titel|titre principal)$"), "title"),
    (re.compile(r"(?i)^(toc|verzeichnis|tm|table of figures)[ _-]?\d*$"), "toc"),
    (
        re.compile(r"(?i)^(html preformatted|source ?code|code( block)?|preformatted( text)?)$"),
        "code",
    ),
    (re.compile(r"(?i)^((intense|block) ?)?(quote|text|quotations)$"), "quote"),
)
DEEPEST = 9


@dataclass(frozen=True, slots=True)
class Style:
    """What a style, with all it is based on, says of a paragraph.

    Attributes:
        level: of a heading, 1 to 9; 0 for text.
        role: title, toc, code, quote or "".
        numbering: (list id, depth from 0) of its automatic numbers, or None.
    """

    level: int = 0
    role: str = ""
    numbering: tuple[str, int] | None = None


class Styles:
    """Paragraph styles by id, resolved along what they are based on."""

    def __init__(self, root: Element | None) -> None:
        self._raw: dict[str, Element] = {}
        self._known: dict[str, Style] = {}
        self._default = ""
        for style in root if root is not None else ():
            if local(style) != "style" or value(style, "type") not in ("paragraph", ""):
                continue
            self._raw[value(style, "styleId")] = style
            if value(style, "default") in ("1", "true", "on"):
                self._default = value(style, "styleId")

    def of(self, properties: Element | None) -> Style:
        """The style of a paragraph with these properties, its own settings included."""
        named = child(properties, "pStyle")
        base = self._resolve(value(named) if named is not None else self._default, 0)
        return _apply(base, properties)

    def _resolve(self, style_id: str, depth: int) -> Style:
        if style_id in self._known:
            return self._known[style_id]
        raw = self._raw.get(style_id)
        if raw is None:
            return _named(Style(), style_id)
        parent = child(raw, "basedOn")
        # A style can be based on itself in a broken file.
        under = Style()
        if parent is not None and depth < 20:
            under = self._resolve(value(parent), depth + 1)
        name = child(raw, "name")
        style = _named(under, value(name) if name is not None else style_id)
        style = _apply(style, child(raw, "pPr"))
        self._known[style_id] = style
        return style


def _named(style: Style, name: str) -> Style:
    heading = _HEADING.match(name)
    if heading:
        return Style(int(heading[1]), "", style.numbering)
    for pattern, role in _ROLES:
        if pattern.match(name):
            return Style(0, role, style.numbering)
    return style


def _apply(style: Style, properties: Element | None) -> Style:
    """The style with outline level and numbering as the properties set them."""
    if properties is None:
        return style
    level, numbering = style.level, style.numbering
    outline = child(properties, "outlineLvl")
    if outline is not None and value(outline).isdigit():
        stated = int(value(outline))
        level = stated + 1 if stated < DEEPEST else 0
    number = child(properties, "numPr")
    if number is not None:
        listed, depth = child(number, "numId"), child(number, "ilvl")
        inherited = numbering or ("", 0)
        list_id = value(listed) if listed is not None else inherited[0]
        stated_depth = value(depth) if depth is not None else ""
        ilvl = int(stated_depth) if stated_depth.isdigit() else inherited[1]
        # Number 0 takes a paragraph out of the list of its style.
        numbering = (list_id, min(ilvl, 8)) if list_id not in ("", "0") else None
    return Style(level, style.role, numbering)
