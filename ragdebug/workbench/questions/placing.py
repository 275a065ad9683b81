"""Where the passage of an imported row stands: exactly, folded, or most alike.

Only what is certain is placed. A passage that is merely alike, or whose words stand in several
documents, is suggested: another version or another customer's copy may be wrong.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence

from ragdebug.errors import RagDebugError
from ragdebug.questions import PLACED, SUGGESTED, UNPLACED
from ragdebug.records import Document, DocumentInfo, Place
from ragdebug.workbench import quotes, regions
from ragdebug.workbench.questions import fuzzy
from ragdebug.workbench.questions.naming import Naming
from ragdebug.workbench.questions.records import Given, Placement

_WORD = re.compile(r"[0-9a-z]+", re.ASCII)

FOLDED_CHARS = 32_000_000  # folded texts kept in memory

Found = list[tuple[DocumentInfo, int, int]]


class Placing:
    """Places rows in one corpus; texts that were looked through stay at hand.

    Args:
        infos: the active documents.
        load: gives a document with its text.
    """

    def __init__(self, infos: Sequence[DocumentInfo], load: Callable[[str], Document]) -> None:
        self.naming = Naming(infos)
        self._infos = infos
        self._load = load
        self._folded: OrderedDict[str, str] = OrderedDict()
        self._chars = 0

    def place(self, row: Given) -> Placement:
        """Where a row's passage stands; `Given.has_place` must hold."""
        named = self.naming.find(row.source)
        quote = row.quote.replace("\r\n", "\n").replace("\r", "\n")
        if row.source and not named:
            return self._foreign(row, quote)
        if not quote.strip():
            return self._without_quote(row, named)
        if exact := self._where_given(row, named, quote):
            return exact
        wanted = quote.strip()
        infos = named or self._infos
        if found := self._exact(wanted, infos):
            return self._choose(row, "exact", found, bool(named))
        if found := self._loose(wanted, infos):
            return self._choose(row, "folded", found, bool(named))
        return self._alike(row, wanted, infos)

    def everywhere(self, quote: str) -> list[Place]:
        """All places of a quote: the exact ones, then those with blanks and typography folded."""
        wanted = quote.strip()
        found = [*self._exact(wanted, self._infos), *self._loose(wanted, self._infos)]
        return list(dict.fromkeys(self._span(*f) for f in found))

    def nearest(
        self, quote: str, infos: Iterable[DocumentInfo] | None = None
    ) -> tuple[Place, float] | None:
        """The passage most like a quote with its similarity, None when nothing is."""
        found = self.alike(quote, infos, 1)
        return found[0] if found else None

    def alike(
        self, quote: str, infos: Iterable[DocumentInfo] | None = None, most: int = 20
    ) -> list[tuple[Place, float]]:
        """The passages most like a quote with their similarities, best first."""
        within = list(self._infos if infos is None else infos)
        matches = fuzzy.nearest(quote, (self._fold(i) for i in within), most)
        return [(self._span(within[m.text], m.start, m.end), m.similarity) for m in matches]

    # Steps ----------------------------------------------------------------------------------------

    def _where_given(
        self, row: Given, named: Sequence[DocumentInfo], quote: str
    ) -> Placement | None:
        """The quote at the very position that the row names."""
        if row.start is None:
            return None
        for info in named:
            end = row.start + len(quote)
            if row.start >= 0 and self._text(info)[row.start : end] == quote:
                return Placement(PLACED, "exact", self._span(info, row.start, end))
        return None

    def _exact(self, quote: str, infos: Iterable[DocumentInfo]) -> Found:
        found: Found = []
        for info in infos:
            text, at = self._text(info), -1
            while (at := text.find(quote, at + 1)) >= 0 and len(found) <= quotes.MOST:
                found.append((info, at, at + len(quote)))
        return found

    def _loose(self, quote: str, infos: Iterable[DocumentInfo]) -> Found:
        words = _WORD.findall(fuzzy.fold(quote))
        longest = max(words, key=len, default="")
        pattern = quotes.pattern(quote)
        found: Found = []
        for info in infos:
            # The pattern is slow; most documents do not even hold its longest word.
            if longest in self._fold(info) and len(found) <= quotes.MOST:
                found += [(info, m.start(), m.end()) for m in pattern.finditer(self._text(info))]
        return found

    def _choose(self, row: Given, how: str, found: Found, named: bool) -> Placement:
        """One of the passages; those that the row's position, page or section speak for first."""
        hinted = found
        if row.start is not None and named:
            hinted = [min(found, key=lambda f: abs(f[1] - (row.start or 0)))]
        elif row.page is not None or row.section:
            hinted = [f for f in found if self._within(f, row)] or found
        info, start, end = hinted[0]
        place = self._span(info, start, end)
        documents = len({i.id for i, _, _ in hinted})
        if documents > 1:
            note = f"The quote stands in {documents} documents; say in which one it answers."
            return Placement(SUGGESTED, how, place, place, 100.0, note)
        note = ""
        if len(hinted) > 1:
            note = (
                f"The quote stands {len(hinted)} times in {info.source}; the first was taken. "
                "Give its start, page or section, or add the others as further places."
            )
        return Placement(PLACED, how, place, note=note)

    def _within(self, found: tuple[DocumentInfo, int, int], row: Given) -> bool:
        try:
            region = regions.region(self._load(found[0].id), row.page, row.section)
        except RagDebugError:
            return False
        return region.start <= found[1] and found[2] <= region.end

    def _without_quote(self, row: Given, named: Sequence[DocumentInfo]) -> Placement:
        if len(named) != 1:
            what = f"Several documents are called {row.source}" if named else "No document is named"
            return self._nowhere(row, f"{what}, and there is no quote to tell.")
        info = named[0]
        if row.start is not None and row.end is not None and not row.region:
            if 0 <= row.start < row.end <= info.chars:
                return Placement(PLACED, "exact", self._span(info, row.start, row.end))
            return self._nowhere(row, f"{info.source} has no characters {row.start} to {row.end}.")
        if row.page is None and not row.section:
            whole = Place(info.id, info.version, info.source, 0, info.chars, "", "document")
            return Placement(PLACED, "region", whole)
        try:
            place = regions.region(self._load(info.id), row.page, row.section, row.start)
        except RagDebugError as e:
            return self._nowhere(row, e.message)
        return Placement(PLACED, "region", place)

    def _foreign(self, row: Given, quote: str) -> Placement:
        """A row whose document is not here; its words in another document are a suggestion."""
        note = f"{row.source} is not in the corpus."
        wanted = quote.strip()
        if not wanted:
            return self._nowhere(row, note)
        found = self._exact(wanted, self._infos) or self._loose(wanted, self._infos)
        if found:
            place = self._span(*found[0])
            note = f"{note} The quote stands in {place.source}."
            return Placement(SUGGESTED, "fuzzy", place, place, 100.0, note)
        near = self.nearest(wanted)
        return self._nowhere(row, note, near)

    def _alike(self, row: Given, quote: str, infos: Sequence[DocumentInfo]) -> Placement:
        near = self.nearest(quote, infos)
        if near is not None and near[1] >= fuzzy.SUGGEST:
            note = f"Only a passage that is {near[1]:.0f}% alike was found."
            return Placement(SUGGESTED, "fuzzy", near[0], *near, note)
        where = f"in {row.source}" if row.source else "in any document"
        if near is None and row.source:
            near = self.nearest(quote)
        return self._nowhere(row, f"The quote stands nowhere {where}.", near)

    @staticmethod
    def _nowhere(row: Given, note: str, near: tuple[Place, float] | None = None) -> Placement:
        place = Place("", "", row.source, -1, -1, row.quote, "" if row.quote else _kind(row))
        nearest, similarity = near or (None, 0.0)
        return Placement(UNPLACED, "", place, nearest, similarity, note)

    # Texts ----------------------------------------------------------------------------------------

    def _span(self, info: DocumentInfo, start: int, end: int) -> Place:
        text = self._text(info)
        return Place(info.id, info.version, info.source, start, end, text[start:end])

    def _text(self, info: DocumentInfo) -> str:
        return self._load(info.id).text

    def _fold(self, info: DocumentInfo) -> str:
        known = self._folded.get(info.id)
        if known is None:
            known = self._folded[info.id] = fuzzy.fold(self._text(info))
            self._chars += len(known)
            while self._chars > FOLDED_CHARS and len(self._folded) > 1:
                self._chars -= len(self._folded.popitem(last=False)[1])
        return known


def _kind(row: Given) -> str:
    if row.page is not None:
        return f"page {row.page}"
    if row.section:
        return f"section {row.section}"
    return row.region or ("document" if row.start is None else "")
