"""The sentences of a hit, and which of them most likely answers a query.

A label as long as the chunk that found it would favour that chunking, so sentences are marked.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

from ragdebug.chunk.layout import TEXT_KINDS, Run, layout, lines
from ragdebug.chunk.sentence_spans import sentence_spans
from ragdebug.chunk.tables import row_spans
from ragdebug.records import Document
from ragdebug.retrieve.analyzer import Analyzer
from ragdebug.workbench.kept import Kept
from ragdebug.workbench.questions.records import SentenceChoice

_K1, _B = 1.5, 0.75

Span = tuple[int, int]
_LAYOUTS: Kept[tuple[Run, ...]] = Kept(16)


def sentences(document: Document, start: int, end: int) -> list[Span]:
    """Whole sentences, table rows and lines of code that share characters with a span, in order.

    A heading counts as a sentence, and one that answers nothing: see `titles`.
    """
    found = [
        s
        for run in _layout(document)
        if run.start < end and run.end > start
        for s in _of(document, run)
        if s[0] < end and s[1] > start
    ]
    return found or [(start, end)]


def titles(document: Document, spans: Sequence[Span]) -> frozenset[Span]:
    """Those of some spans that are headings, of sections or of tables."""
    found: set[Span] = set()
    for run in _layout(document):
        if run.kind == "heading":
            found.add((run.start, run.end))
        elif run.kind == "table" and run.header:
            found.add(row_spans(document.text, run)[0])
    return frozenset(spans) & found


def choose(
    document: Document,
    spans: Sequence[Span],
    query: str,
    analyzer: Analyzer,
    similar: Callable[[str, Sequence[str]], Sequence[float]] | None = None,
) -> SentenceChoice:
    """Choose the likeliest sentence.

    Args:
        document: with its text.
        spans: of the sentences, at least one.
        query: what was asked.
        analyzer: of words.
        similar: scores of a model for the query and each sentence, where one is loaded.

    Returns:
        A choice whose scores run from 0 to 1, or to 2 where a model had its say as well.
    """
    texts = [document.text[a:b] for a, b in spans]
    scores = _scaled(_bm25(query, texts, document.text, analyzer))
    if similar is not None and len(texts) > 1:
        scores = [a + b for a, b in zip(scores, _scaled(similar(query, texts)), strict=True)]
    above = titles(document, spans)
    best = max(range(len(spans)), key=lambda i: (spans[i] not in above, scores[i], -i))
    return SentenceChoice(document.id, document.version, tuple(spans), best, best, tuple(scores))


def _layout(document: Document) -> tuple[Run, ...]:
    """The layout of a whole document; the hits of one question lie in few of them."""
    key = (document.version, document.parsed.kind, hash(document.text))
    return _LAYOUTS.get(key, lambda: tuple(layout(document.parsed)))


def _of(document: Document, run: Run) -> Iterator[Span]:
    text = document.text
    if run.inner:
        for inner in run.inner:
            yield from _of(document, inner)
    elif run.kind in TEXT_KINDS:
        yield from sentence_spans(text, run.start, run.end, document.parsed.language)
    elif run.kind == "table":
        yield from row_spans(text, run)
    elif run.kind == "heading":
        yield run.start, run.end
    else:
        yield from lines(text, run.start, run.end)


def _bm25(query: str, texts: Sequence[str], whole: str, analyzer: Analyzer) -> list[float]:
    """BM25 of the sentences, with how often a word is in the whole document for its rarity."""
    words: dict[str, str] = {}
    for term, surface in analyzer.query_terms(query):
        if term:
            words.setdefault(term, surface)
    terms = [analyzer.terms(t) for t in texts]
    lower = whole.casefold()
    sentences_about = max(len(lower) / 100, len(texts))
    mean = sum(map(len, terms)) / len(terms) or 1.0
    scores = [0.0] * len(texts)
    for term, surface in words.items():
        n = min(lower.count(surface.casefold()), sentences_about)
        rarity = math.log(1 + (sentences_about - n + 0.5) / (n + 0.5))
        for at, found in enumerate(terms):
            tf = found.count(term)
            norm = _K1 * (1 - _B + _B * len(found) / mean)
            scores[at] += rarity * tf * (_K1 + 1) / (tf + norm) if tf else 0.0
    return scores


def _scaled(scores: Sequence[float]) -> list[float]:
    """From 0 for the lowest to 1 for the highest; all 0 where they are equal."""
    low, high = min(scores), max(scores)
    return [float((s - low) / (high - low)) if high > low else 0.0 for s in scores]
