"""What a settings file says of a strategy: tables, keys, kinds of value, and a word on each.

The one home of the file's names: writing and reading both walk over `TABLES`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ragdebug.settings import (
    CHUNKERS,
    LISTS,
    PRESETS,
    UNITS,
    VARIANTS,
    AnalyzerSettings,
    BM25Settings,
    ChunkingSettings,
    DenseSettings,
    FusionSettings,
    RemoteModel,
    RerankSettings,
    StrategySettings,
)

NONE = "none"  # TOML has no null


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of value.

    Attributes:
        said: what it must be, to end a sentence with.
        read: TOML's value to the setting's; raises TypeError for another kind.
        write: the setting's value to plain TOML.
    """

    said: str
    read: Callable[[Any], Any]
    write: Callable[[Any], Any] = lambda value: value


@dataclass(frozen=True, slots=True)
class Field:
    """A key of a table: its name in the file and in the record, its kind, what it is.

    A rare one is not written where it is empty.
    """

    key: str
    name: str
    kind: Kind
    about: str
    rare: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A table of a strategy: where it stands under it, the record it makes, its keys."""

    path: tuple[str, ...]
    record: type
    about: str
    fields: tuple[Field, ...]


def _of(*types: type) -> Callable[[Any], Any]:
    def read(value: Any) -> Any:  # noqa: ANN401
        if type(value) not in types:  # a bool is no number here
            raise TypeError
        return value

    return read


def _or_none(kind: Kind) -> Kind:
    return Kind(
        f'{kind.said} or "{NONE}"',
        lambda value: None if value == NONE else kind.read(value),
        lambda value: NONE if value is None else kind.write(value),
    )


def _pairs(first: str, second: str, kind: Kind) -> Kind:
    """A list of small tables with two keys, since the same first one may come twice."""

    def read(value: Any) -> tuple[tuple[str, Any], ...]:  # noqa: ANN401
        if any(set(_of(dict)(one)) != {first, second} for one in _of(list)(value)):
            raise TypeError
        return tuple((TEXT.read(one[first]), kind.read(one[second])) for one in value)

    def write(value: Any) -> list[dict[str, Any]]:  # noqa: ANN401
        return [{first: one, second: kind.write(other)} for one, other in value]

    said = f"a list of {{ {first} = a text, {second} = {kind.said} }}"
    return Kind(said, read, write)


TEXT = Kind("a text", _of(str))
WHOLE = Kind("a whole number", _of(int), int)
NUMBER = Kind("a number", _of(int, float), float)
YES = Kind("true or false", _of(bool))
TEXTS = Kind("a list of texts", lambda v: tuple(map(TEXT.read, _of(list)(v))), list)


def _known(names: tuple[str, ...]) -> str:
    return ", ".join(names[:-1]) + f" or {names[-1]}"


TABLES = (
    Table(
        (),
        StrategySettings,
        "",
        (
            Field("preset", "preset", TEXT, _known(PRESETS)),
            Field("outside", "outside", TEXT, "name of the list or searcher", rare=True),
            Field("model", "embedder", TEXT, "embeds chunks and queries"),
            Field("k", "k", WHOLE, "hits that are returned"),
            Field("depth", "depth", WHOLE, "hits each list gives to fusion"),
            Field("minimum", "minimum", _or_none(NUMBER), "hits that score less are left out"),
            Field("filter", "filter", _pairs("key", "value", TEXT),
                  "metadata; the same key twice means either"),
            Field("budget", "budget", _or_none(WHOLE), "tokens of context, when measuring"),
        ),
    ),
    Table(
        ("chunking",),
        ChunkingSettings,
        "How documents are cut.",
        (
            Field("strategy", "strategy", TEXT, _known(CHUNKERS)),
            Field("name", "name", TEXT, "of the imported chunks", rare=True),
            Field("size", "size", WHOLE, "the most a chunk's own text has"),
            Field("overlap", "overlap", WHOLE, "repeated at the start of the next chunk"),
            Field("unit", "unit", TEXT, f"of the size: {_known(UNITS)}"),
            Field("overlap_unit", "overlap_unit", TEXT, 'sentences, or "" for that of the size'),
            Field("tokenizer", "tokenizer", TEXT, "counts the tokens"),
            Field("label", "label", YES, "the section path stands before the text that is indexed"),
            Field("separators", "separators", TEXTS, "for recursive; none are the usual ones"),
        ),
    ),
    Table(
        ("dense",),
        DenseSettings,
        "Vector search.",
        (
            Field("index", "index", TEXT, "exact or hnsw"),
            Field("hnsw_m", "hnsw_m", WHOLE, "neighbours of a vector, for hnsw"),
            Field("ef_search", "ef_search", WHOLE, "candidates of a search, for hnsw"),
        ),
    ),
    Table(
        ("bm25",),
        BM25Settings,
        "Search by words.",
        (
            Field("variant", "variant", TEXT, _known(VARIANTS)),
            Field("k1", "k1", NUMBER, "how soon a term that is repeated stops to count"),
            Field("b", "b", NUMBER, "how much long chunks are held back, 0 to 1"),
            Field("epsilon", "epsilon", NUMBER, "for okapi: share of the mean idf as its floor"),
        ),
    ),
    Table(
        ("bm25", "analyzer"),
        AnalyzerSettings,
        "How text becomes terms.",
        (
            Field("language", "language", TEXT, "a code such as en, auto or none"),
            Field("stop_words", "stop_words", YES, "leave the most common words out"),
            Field("stemming", "stemming", YES, "words by their stems"),
            Field("parts", "parts", YES, "identifiers also in their parts"),
        ),
    ),
    Table(
        ("fusion",),
        FusionSettings,
        "How the lists of a hybrid search become one.",
        (
            Field("method", "method", TEXT, "rrf or weighted"),
            Field("rrf_k", "k", NUMBER, "the larger, the less first ranks count"),
            Field("weights", "weights", _pairs("list", "weight", NUMBER),
                  f"of {_known(LISTS)}; 1 where not given"),
        ),
    ),
    Table(
        ("rerank",),
        RerankSettings,
        "The first hits in a new order.",
        (
            Field("model", "model", TEXT, "late-interaction, identity or a cross-encoder"),
            Field("pool", "pool", WHOLE, "how many are read"),
            Field("blend", "blend", YES, "fuse the new order with the old one"),
        ),
    ),
)  # fmt: skip
"""Outer tables before the inner ones."""

REMOTE = Table(
    ("models",),
    RemoteModel,
    "A model behind an address; its key is in the environment, and never here.",
    (
        Field("kind", "kind", TEXT, "embedder or reranker"),
        Field("url", "url", TEXT, "the address"),
        Field("model", "model", TEXT, "what the server calls it"),
        Field("form", "form", TEXT, "the protocol: openai, cohere, tei or voyage"),
        Field("key_env", "key_env", TEXT, "name of the variable with the key"),
        Field("key_header", "key_header", TEXT, "that carries it; none: Authorization: Bearer"),
        Field("batch", "batch", WHOLE, "texts in one request"),
        Field("parallel", "parallel", WHOLE, "requests at the same time; 0: as the address"),
        Field("timeout_s", "timeout_s", NUMBER, "seconds"),
        Field("requests_per_minute", "requests_per_minute", NUMBER, "0 for no limit"),
        Field("tokens_per_minute", "tokens_per_minute", NUMBER, "0 for no limit"),
        Field("dimensions", "dimensions", WHOLE, "of its vectors; 0 for its own"),
        Field("query_prompt", "query_prompt", TEXT, "before a query"),
        Field("passage_prompt", "passage_prompt", TEXT, "before a text"),
        Field("window", "window", WHOLE, "tokens it reads; 0 where not known"),
        Field("tokenizer", "tokenizer", TEXT, "local model that counts for it"),
        Field("price_per_million", "price_per_million", NUMBER, "of a million tokens"),
        Field("languages", "languages", TEXTS, "it was made for; none for many"),
    ),
)
"""A model under its name; strategies call it ``api:NAME``."""
