"""Headings of plain text: numbered ones, legal articles, underlined titles.

A line is a heading only where it opens a paragraph; numbers must go on from the last one, so that
lists, versions, tables of contents and sentences that begin with "Section 3 of" are left alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ragdebug.documents.canonical import one_line

MAX_TITLE = 120
_LOOKED_AT = 400

# Outermost first: what a word usually stands above or below in statutes, contracts and manuals.
_WORDS: tuple[tuple[str, ...], ...] = (
    ("part", "book", "annex", "appendix", "schedule", "teil", "buch", "anhang", "anlage", "livre"),
    ("title", "titel", "titre", "título", "titolo"),
    ("chapter", "kapitel", "chapitre", "capítulo", "capitolo", "hoofdstuk", "rozdział"),
    ("section", "sec.", "abschnitt", "sección", "sezione", "seção", "afdeling"),
    ("article", "art.", "artikel", "artículo", "articolo", "artigo", "clause", "rule", "regulation")
    + ("§", "§§", "paragraph"),
)
_RANK = {word: rank for rank, words in enumerate(_WORDS) for word in words}
_NUMBER = r"(?:\d{1,4}(?:\.\d{1,3}){0,5}[a-z]{0,2}|[IVXLC]{1,7}|[A-Z])"
_LEGAL = re.compile(
    rf"[ \t]*(?P<word>{'|'.join(re.escape(w) for w in sorted(_RANK, key=len, reverse=True))})"
    rf"[ \t\u00a0]*(?P<number>{_NUMBER})(?![\w/])(?P<sep>[ \t]*[.:)\u2013\u2014-]?)"
    rf"(?P<rest>[^\n]*)",
    re.IGNORECASE,
)
_DOTTED = re.compile(
    r"[ \t]{0,3}(?P<number>\d{1,3}(?:\.\d{1,3}){0,5})(?P<dot>\.?)[ \t]+(?P<rest>\S[^\n]*)"
)
_LEADERS = re.compile(r"(?:\.[ \t]?){3,}|\t[ \t]*\d{1,4}$")
_UNDERLINE = re.compile(r"(?P<mark>[=\-~^*#])(?P=mark){2,}[ \t]*")


@dataclass(frozen=True, slots=True)
class NumberedLine:
    """A line that opens a section.

    Attributes:
        title: what the section is called.
        rank: position in the hierarchy; smaller is further out; only the order means anything.
        lines: how many lines the heading takes; 0 where the section's text goes on in the same
            line ("Article 5. The lessee shall pay ...").
    """

    title: str
    rank: tuple[int, int]
    lines: int


class Numbering:
    """Recognises headings line by line and remembers which number came last."""

    def __init__(self) -> None:
        self._last: tuple[int, ...] = ()

    def heading(self, line: str, following: str, inside: bool = False) -> NumberedLine | None:
        """What a line opens, if anything.

        Args:
            line: the line.
            following: the next line of its paragraph, "" when there is none.
            inside: the line is not the first one of its paragraph, so that a single number is
                more likely an item of a list.
        """
        first = line.lstrip()[:1]
        if not (first.isupper() or first.isdigit() or first == "§"):
            return None
        # No title is that long; what matters of a longer line is how it begins.
        line = line[:_LOOKED_AT]
        return self._legal(line) or self._dotted(line, following, inside)

    def _legal(self, line: str) -> NumberedLine | None:
        found = _LEGAL.fullmatch(line)
        if not found:
            return None
        word, number = found["word"], found["number"]
        sep, rest = found["sep"].strip(), found["rest"].strip()
        # "Section i think" is no section, and a row of dots leads to a page number.
        if number.isalpha() and number != number.upper() or _LEADERS.search(rest):
            return None
        name = f"{word} {number}"
        rank = (_RANK[word.lower()], number.count("."))
        if not rest:
            return NumberedLine(name, rank, 1)
        if not sep and not _opens_title(rest):
            return None
        if len(rest) <= MAX_TITLE and not _is_sentence(rest):
            return NumberedLine(one_line(line), rank, 1)
        if sep or word.startswith("§") or rest.startswith("("):
            return NumberedLine(name, rank, 0)
        return None

    def _dotted(self, line: str, following: str, inside: bool) -> NumberedLine | None:
        found = _DOTTED.fullmatch(line)
        if not found:
            return None
        number = tuple(int(n) for n in found["number"].split("."))
        rest = found["rest"].rstrip()
        if len(rest) > MAX_TITLE or _is_sentence(rest) or _LEADERS.search(rest):
            return None
        if not _opens_title(rest) or not self._goes_on(number):
            return None
        # "1. Something" with text right under it is an item of a list more often than a heading.
        if len(number) == 1 and (following.strip() or inside):
            return None
        self._last = number
        return NumberedLine(one_line(line), (len(_WORDS), len(number)), 1)

    def _goes_on(self, number: tuple[int, ...]) -> bool:
        if not self._last:
            return len(number) > 1 or number[0] in (0, 1)
        same = 0
        while same < min(len(number), len(self._last)) and number[same] == self._last[same]:
            same += 1
        if same == len(number):
            return False
        if same == len(self._last):
            return len(number) == same + 1 and number[same] in (0, 1)
        step = number[same] - self._last[same]
        return 1 <= step <= 3 and all(n in (0, 1) for n in number[same + 1 :])


def underlined(line: str, following: str) -> str:
    """The mark under a title that is underlined by a row of marks as long as it, else ""."""
    title = line.strip()
    found = _UNDERLINE.fullmatch(following)
    if not found or not title or _UNDERLINE.fullmatch(line):
        return ""
    if not any(map(str.isalnum, title)) or len(title) > MAX_TITLE:
        return ""
    return found["mark"] if len(following.strip()) + 2 >= len(title) else ""


def levels(ranks: Sequence[tuple[int, ...]]) -> list[int]:
    """Levels from 1 for ranks: each kind of rank that occurs is one level below the one before."""
    order = {rank: i for i, rank in enumerate(sorted(set(ranks)), 1)}
    return [order[rank] for rank in ranks]


def _opens_title(rest: str) -> bool:
    first = rest.lstrip("\"'(\u201c\u201e\u00ab[")[:1]
    return bool(first) and not first.islower() and (first.isalnum())


def _is_sentence(rest: str) -> bool:
    """Whether a line ends like a sentence or a clause rather than like a title."""
    words = rest.split()
    if rest[-1] in ";,":
        return True
    if rest[-1] in ".:!" or words[-1].lower() in ("and", "or", "und", "oder"):
        # A title may have a dot, too: then it is short, or Written in Capitals.
        long = [w for w in words if len(w) > 3]
        return len(words) > 6 and sum(w[0].isupper() for w in long) * 3 < len(long) * 2
    return ". " in rest and len(words) > 12
