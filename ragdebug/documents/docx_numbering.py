"""Automatic numbers and bullets of a DOCX, which stand on the page but not in its text."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ragdebug.documents.docx_package import Element, child, local, value

LEVELS = 9
BULLET = "\u2022"
_PLACE = re.compile(r"%([1-9])")
_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"),
    (50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip


@dataclass(slots=True)
class _Level:
    kind: str = "decimal"
    text: str = ""
    start: int = 1
    legal: bool = False


@dataclass(slots=True)
class _List:
    abstract: str
    starts: dict[int, int] = field(default_factory=dict)


class Numbering:
    """Counts list items in document order and writes their labels as Word does."""

    def __init__(self, root: Element | None) -> None:
        self._levels: dict[str, list[_Level]] = {}
        self._lists: dict[str, _List] = {}
        self._counts: dict[str, list[int | None]] = {}
        self._started: set[tuple[str, int]] = set()
        for part in root if root is not None else ():
            if local(part) == "abstractNum":
                self._levels[value(part, "abstractNumId")] = _levels(part)
            elif local(part) == "num":
                self._add_list(part)

    def _add_list(self, part: Element) -> None:
        abstract = child(part, "abstractNumId")
        found = _List(value(abstract) if abstract is not None else "")
        for override in part:
            if local(override) == "lvlOverride":
                start, level = child(override, "startOverride"), value(override, "ilvl")
                if start is not None and value(start).isdigit() and level.isdigit():
                    found.starts[int(level)] = int(value(start))
        self._lists[value(part, "numId")] = found

    def label(self, list_id: str, depth: int) -> str:
        """The label of the next item of a list at a depth from 0; a bullet, or "" for none."""
        listed = self._lists.get(list_id)
        levels = self._levels.get(listed.abstract) if listed else None
        if listed is None or levels is None:
            return BULLET
        own = levels[depth]
        if own.kind == "none":
            return ""
        counts = self._counts.setdefault(listed.abstract, [None] * LEVELS)
        override = listed.starts.get(depth)
        if override is not None and (list_id, depth) not in self._started:
            counts[depth] = override
        else:
            current = counts[depth]
            counts[depth] = own.start if current is None else current + 1
        self._started.add((list_id, depth))
        counts[depth + 1 :] = [None] * (LEVELS - depth - 1)
        if own.kind == "bullet":
            return BULLET

        def written(match: re.Match[str]) -> str:
            at = int(match[1]) - 1
            count = counts[at]
            if count is None:
                count = levels[at].start
            return write_number(count, "decimal" if own.legal else levels[at].kind)

        return _PLACE.sub(written, own.text).strip()


def _levels(part: Element) -> list[_Level]:
    levels = [_Level() for _ in range(LEVELS)]
    for entry in part:
        depth = value(entry, "ilvl") if local(entry) == "lvl" else ""
        if not depth.isdigit() or int(depth) >= LEVELS:
            continue
        kind, text, start = (child(entry, name) for name in ("numFmt", "lvlText", "start"))
        stated = value(start) if start is not None else ""
        levels[int(depth)] = _Level(
            kind=value(kind) if kind is not None else "decimal",
            text=value(text) if text is not None else "",
            start=int(stated) if stated.isdigit() else 1,
            legal=child(entry, "isLgl") is not None,
        )
    return levels


def write_number(number: int, kind: str) -> str:
    """A number as Word's `kind` writes it: decimal, lowerLetter, upperRoman, ...; else decimal."""
    lower = kind.lower()
    if number < 1 or number > 5000:
        return str(number)
    if lower.endswith("letter"):
        # 27 is aa, 28 is bb.
        text = chr(ord("a") + (number - 1) % 26) * ((number - 1) // 26 + 1)
    elif lower.endswith("roman"):
        text, rest = "", number
        for worth, sign in _ROMAN:
            text += sign * (rest // worth)
            rest %= worth
    elif kind == "decimalZero":
        return f"{number:02d}"
    else:
        return str(number)
    return text.upper() if kind.startswith("upper") else text
