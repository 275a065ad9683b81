"""The form in which words are compared, and the record of a word with its parts."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from ragdebug.retrieve.scan import IGNORABLE

_FOLD = {ord(c): None for c in IGNORABLE} | {ord(c): "-" for c in "\u2010\u2011"}
_FOLD |= {ord(c): "'" for c in "\u2019\uff07\u02bc"}


def fold(text: str) -> str:
    """The form in which words are compared: NFKC, full case folding, no ignorable characters.

    Accents stay: "resume" and "résumé" are two words, as in Elasticsearch's and Lucene's standard
    analyzers. ``ß`` becomes ``ss``, full-width forms and ligatures become plain letters.
    """
    if text.isascii():
        return text.casefold()
    folded = unicodedata.normalize("NFKC", text).casefold()
    # The dot that case folding leaves on the Turkish capital I: "İzmir" is found as "izmir".
    return unicodedata.normalize("NFKC", folded).translate(_FOLD).replace("i\u0307", "i")


@dataclass(frozen=True, slots=True)
class Word:
    """A word, and what it is made of.

    Attributes:
        text: folded form; "" where there is nothing to index.
        start: first code point, from the start of the token.
        end: one past the last.
        parts: in order; they may nest, and never reach beyond the word.
        alternative: in a query the parts are asked for only where nothing holds the whole.
        hidden: parts that serve texts only, never queries.
        elided: joined by an apostrophe, so that the first part may be an article (l'eau).
    """

    text: str
    start: int
    end: int
    parts: tuple[Word, ...] = ()
    alternative: bool = False
    hidden: tuple[Word, ...] = ()
    elided: bool = False
