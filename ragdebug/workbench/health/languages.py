"""Text in languages that a model was not made for, or that the analyzer treats as another one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from ragdebug.counting import many
from ragdebug.protocols import ModelInfo
from ragdebug.retrieve.analyzer import PLAIN_LANGUAGES, STEMMERS
from ragdebug.table import ChunkTable
from ragdebug.workbench.health.findings import (
    CHUNKS,
    SERIOUS,
    WARNING,
    Finding,
    Where,
    finding,
    graded,
    percent,
)

# Cut into pairs of characters whatever the analyzer's language is.
_PAIRS = frozenset({"zh", "ja", "ko", "th", "lo", "km", "my"})
SHOWN = 4


def of_model(table: ChunkTable, language_of: Mapping[str, str], model: ModelInfo) -> list[Finding]:
    """Chunks in a language that the model's card does not name; unknown ones count as suitable."""
    counts = chunks_by_language(table, language_of)
    foreign = {c: n for c, n in counts.items() if model.languages and c not in model.languages}
    count = sum(foreign.values())
    if not count:
        return []
    return [
        finding(
            "model_language",
            graded(count / len(table)),
            f"{many(count, 'chunk')} of {len(table):,} ({percent(count, len(table))}) "
            f"{'is' if count == 1 else 'are'} in {_codes(foreign)}; {model.name} was made for "
            f"{', '.join(model.languages)}.",
            count,
            len(table),
            _where(table, language_of, set(foreign), model.name),
            _documents(table, language_of, set(foreign)),
        )
    ]


def of_analyzer(
    table: ChunkTable, language_of: Mapping[str, str], language: str, chosen: str
) -> list[Finding]:
    """Chunks whose words are reduced by another language's rules, or by none.

    Args:
        table: the chunks.
        language_of: document -> ISO 639-1 code, "" for unknown.
        language: what the analyzer works with, as it was resolved.
        chosen: what the settings say, ``auto`` or a code; ``none`` is a decision and no fault.
    """
    if chosen == "none":
        return []
    counts = chunks_by_language(table, language_of)
    other = {c: n for c, n in counts.items() if c != language and c not in _PAIRS}
    count = sum(other.values())
    if not count:
        return []
    if language == "none":
        how = "BM25 takes the words of all chunks as they stand"
    elif language in PLAIN_LANGUAGES:
        how = f"BM25 takes their words as they stand, as for {language}"
    else:
        how = f"BM25 uses the stop words and word endings of {language} for them"
    unknown = sorted(set(other) - STEMMERS.keys() - PLAIN_LANGUAGES)
    none = f" There is no analyzer for {', '.join(unknown)}." if unknown else ""
    severity = graded(count / len(table))
    return [
        finding(
            "analyzer_language",
            # Words as they stand are still found where the query has the same word.
            WARNING if language == "none" and severity == SERIOUS else severity,
            f"{many(count, 'chunk')} of {len(table):,} ({percent(count, len(table))}) "
            f"{'is' if count == 1 else 'are'} in {_codes(other)}; {how}.{none}",
            count,
            len(table),
            _where(table, language_of, set(other), ""),
            _documents(table, language_of, set(other)),
        )
    ]


def chunks_by_language(table: ChunkTable, language_of: Mapping[str, str]) -> Counter[str]:
    """Number of chunks a language, the unknown left out."""
    counts: Counter[str] = Counter()
    for ref in table.documents:
        code = language_of.get(ref.id, "").split("-")[0]
        if code and (rows := len(table.rows_of(ref.id))):
            counts[code] += rows
    return counts


def _codes(counts: Mapping[str, int]) -> str:
    listed = sorted(counts, key=lambda c: (-counts[c], c))
    if len(listed) == 1:
        return listed[0]
    more = f" and {len(listed) - 5} more languages" if len(listed) > 5 else ""
    return ", ".join(f"{c} ({counts[c]:,})" for c in listed[:5]) + more


def _documents(table: ChunkTable, language_of: Mapping[str, str], codes: set[str]) -> Iterator[str]:
    return (d.id for d in table.documents if language_of.get(d.id, "").split("-")[0] in codes)


def _where(
    table: ChunkTable, language_of: Mapping[str, str], codes: set[str], model: str
) -> list[Where]:
    """The documents with most chunks in these languages."""
    found = [
        (len(table.rows_of(d.id)), d.source, d.id, code)
        for d in table.documents
        if (code := language_of.get(d.id, "").split("-")[0]) in codes
    ]
    return [
        Where(
            CHUNKS,
            f"{source}: {code}, {many(rows, 'chunk')}",
            document,
            chunking=table.chunking,
            model=model,
        )
        for rows, source, document, code in sorted(found, key=lambda f: (-f[0], f[1]))[:SHOWN]
        if rows
    ]
