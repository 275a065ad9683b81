"""How text becomes terms for BM25, the same way for chunks and for queries, and visibly.

Words by Unicode's rules, NFKC and case folding; accents stay. Identifiers whole and in parts (see
`identifiers`). Then, where the language is known, its stop words are dropped and its Snowball
stemmer is applied to words, never to identifiers or numbers. Chinese, Japanese, Korean, Thai, Lao,
Khmer and Burmese become overlapping pairs of characters, whatever the language.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from itertools import chain
from typing import TypeVar

from ragdebug.errors import InvalidSetting
from ragdebug.retrieve.folding import Word, fold
from ragdebug.retrieve.scan import is_run, pattern
from ragdebug.retrieve.stopwords import stop_words
from ragdebug.retrieve.words import run_terms, words
from ragdebug.settings import AnalyzerSettings, fingerprint

ANALYZER_VERSION = 1
"""Raised whenever the same text would give other terms: saved indexes are then built again."""

STEMMERS = {
    "ar": "arabic", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german", "el": "greek",
    "en": "english", "eo": "esperanto", "es": "spanish", "et": "estonian", "eu": "basque",
    "fa": "persian", "fi": "finnish", "fr": "french", "ga": "irish", "hi": "hindi",
    "hu": "hungarian", "hy": "armenian", "id": "indonesian", "it": "italian", "lt": "lithuanian",
    "ne": "nepali", "nl": "dutch", "no": "norwegian", "pl": "polish", "pt": "portuguese",
    "ro": "romanian", "ru": "russian", "sr": "serbian", "sv": "swedish", "ta": "tamil",
    "tr": "turkish", "yi": "yiddish",
}  # fmt: skip
"""ISO 639-1 code -> Snowball's name."""

PLAIN_LANGUAGES = frozenset({"none", "ja", "km", "ko", "lo", "my", "th", "vi", "zh"})
"""Languages that are searched well without stop words and stemmer."""

# fr, it, ca: articles and pronouns that lose their vowel before another one.
ELISIONS = frozenset(
    "l d j m t s n c qu jusqu lorsqu puisqu quoiqu un all dall dell nell sull coll gl agl dagl degl"
    " negl sugl v quest quell".split()
)
ELIDING = frozenset({"fr", "it", "ca"})
_CACHE_LIMIT = 1 << 16
Made = TypeVar("Made")


@dataclass(frozen=True, slots=True)
class QueryTerm:
    """What the analyzer made of one word of a query.

    Attributes:
        term: what is looked up; "" for a stop word.
        surface: the word as it stands in the query.
        parts: of an identifier or compound.
        alternative: the parts are asked for only where nothing holds `term`.
    """

    term: str
    surface: str
    parts: tuple[QueryTerm, ...] = ()
    alternative: bool = False


class Analyzer:
    """Turns text into terms. One object may be used by several threads at once.

    Args:
        settings: how.
        language: ISO 639-1 code of the corpus, used where the settings say ``auto``; any other
            text (such as "") means words as they stand.

    Raises:
        InvalidSetting: the settings name a language that there is nothing for.
    """

    def __init__(self, settings: AnalyzerSettings, language: str = "") -> None:
        self.settings = settings
        self.language = _resolve(settings.language, language)
        self._stop = stop_words(self.language) if settings.stop_words else frozenset()
        self._stems = settings.stemming and self.language in STEMMERS
        self._local = threading.local()
        self._terms: _Cache[tuple[str, ...]] = _Cache(self._flat)
        self._queries: _Cache[tuple[QueryTerm, ...]] = _Cache(self._query)

    @property
    def stems(self) -> bool:
        """Whether words are reduced to their stems."""
        return self._stems

    def fingerprint(self) -> str:
        """Changes when the same text could give other terms, also by another stemmer version."""
        stemmer = ""
        if self._stems:
            import Stemmer

            stemmer = Stemmer.version()
        settings = asdict(self.settings) | {"language": self.language}
        return fingerprint([ANALYZER_VERSION, settings, stemmer])

    def terms(self, text: str) -> list[str]:
        """Terms of a text in order, with repeats; a whole comes before its parts."""
        return list(chain.from_iterable(map(self._terms.__getitem__, pattern().findall(text))))

    def spans(self, text: str) -> list[tuple[str, int, int]]:
        """(term, start, end) of all terms, in code points of `text`; parts lie inside wholes."""
        found: list[tuple[str, int, int]] = []
        for match in pattern().finditer(text):
            for word in self._words(match[0]):
                found += [(w.text, match.start() + w.start, match.start() + w.end)
                          for w in _walk(word)]  # fmt: skip
        return found

    def query(self, text: str) -> tuple[QueryTerm, ...]:
        """The words of a query with their parts, stop words (term "") included."""
        return tuple(chain.from_iterable(map(self._queries.__getitem__, pattern().findall(text))))

    def query_terms(self, text: str) -> list[tuple[str, str]]:
        """(term, surface) of each word and each part in order; the term of a stop word is ""."""

        def flat(term: QueryTerm) -> list[tuple[str, str]]:
            return [(term.term, term.surface), *chain.from_iterable(map(flat, term.parts))]

        return list(chain.from_iterable(map(flat, self.query(text))))

    def _flat(self, token: str) -> tuple[str, ...]:
        if is_run(token):
            return run_terms(token)
        return tuple(w.text for word in self._words(token) for w in _walk(word))

    def _query(self, token: str) -> tuple[QueryTerm, ...]:
        return tuple(
            _query_term(word, token)
            for word in self._words(token)
            if word.text or word.parts or not word.hidden
        )

    def _words(self, token: str) -> list[Word]:
        return [w for word in words(token) for w in self._lower(word, token)]

    def _lower(self, word: Word, token: str) -> list[Word]:
        """A word with terms as its texts; several where it is only held together by an elision."""
        if not word.parts:
            term = self._term(word.text)
            return [word if term == word.text else Word(term, word.start, word.end)]
        parts = tuple(
            p for part in word.parts for p in self._lower(part, token) if p.text or p.parts
        )
        if word.elided and self.language in ELIDING:
            surface = fold(token[word.start : word.end])
            if surface.partition("'")[0] in ELISIONS:
                return list(parts) or [replace(word, text="", parts=())]
        if not word.alternative and not parts:  # and/or: nothing but stop words
            return [replace(word, text="", parts=())]
        keep = self.settings.parts or not word.text
        return [replace(word, parts=parts if keep else ())]

    def _term(self, text: str) -> str:
        if text in self._stop:
            return ""
        if not self._stems or not text or any(map(str.isdigit, text)):
            return text
        return self._stem(text)

    def _stem(self, word: str) -> str:
        """Snowball's stemmers keep state, so that every thread needs its own."""
        if not hasattr(self._local, "stem"):
            import Stemmer

            name = STEMMERS[self.language]
            # An installed Snowball may be older than its stemmer for this language.
            known = name in Stemmer.algorithms()
            self._local.stem = Stemmer.Stemmer(name, 0).stemWord if known else str
        stem: str = self._local.stem(word)
        return stem


class _Cache(dict[str, Made]):
    """What was made of each token; emptied when it is full, and not for very long tokens."""

    def __init__(self, make: Callable[[str], Made]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, token: str) -> Made:
        made = self._make(token)
        if len(token) <= 64:
            if len(self) >= _CACHE_LIMIT:
                self.clear()
            self[token] = made
        return made


def _walk(word: Word) -> list[Word]:
    """The word, its parts and their parts, those that have a term."""
    below = [w for part in (*word.parts, *word.hidden) for w in _walk(part)]
    return [word, *below] if word.text else below


def _query_term(word: Word, token: str) -> QueryTerm:
    parts = tuple(_query_term(part, token) for part in word.parts)
    return QueryTerm(word.text, token[word.start : word.end], parts, word.alternative)


def _resolve(wanted: str, corpus: str) -> str:
    """The language to use, or "none"."""
    code = corpus if wanted == "auto" else wanted
    code = code.lower().replace("_", "-").partition("-")[0]
    code = {"nb": "no", "nn": "no"}.get(code, code)
    if code in STEMMERS or code in PLAIN_LANGUAGES:
        return code
    if wanted == "auto":
        return "none"
    known = ", ".join(sorted(STEMMERS.keys() | PLAIN_LANGUAGES - {"none"}))
    raise InvalidSetting(
        f"There is no analyzer for the language {wanted!r}.",
        hint=f"Use auto, none or one of {known}.",
    )
