"""Settings: frozen, validated once, with a text form and a fingerprint.

The text form is an identity: ``parse(str(x)) == x``, so it serves in command lines, URLs and keys.

    chunking   structure:220/40:tokens:label     recursive:800/1s:chars:nolabel     document
    strategy   reranked@structure:220/40         bm25@fixed:200/0+variant=okapi+b=0.5
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any
from urllib.parse import quote, unquote

from ragdebug.errors import InvalidSetting

DEFAULT_WORKSPACE = ".ragdebug"
DEFAULT_EMBEDDER = "all-MiniLM-L6-v2"
DRAFT_EMBEDDER = "wordllama-l2-supercat-256"
DEFAULT_RERANKER = "late-interaction"
CHUNKERS = ("structure", "recursive", "sentences", "fixed", "document")
UNITS = ("tokens", "chars")
PRESETS = ("vector", "bm25", "hybrid", "reranked")
LISTS = ("vector", "bm25")  # what a hybrid search fuses
VARIANTS = ("lucene", "okapi")
MAX_DEPTH = 10_000


def fingerprint(value: object) -> str:
    """Sixteen hex digits that are the same for equal plain values, in every process."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _refuse(message: str, hint: str = "") -> InvalidSetting:
    return InvalidSetting(message, hint=hint)


def _finite(name: str, value: float, low: float, high: float = math.inf) -> None:
    if not (isinstance(value, (int, float)) and math.isfinite(value) and low <= value <= high):
        limit = f"{low:g} or more" if high == math.inf else f"from {low:g} to {high:g}"
        raise _refuse(f"{name} is {value!r}; it must be a number {limit}.")


# Chunking -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ChunkingSettings:
    """How documents are cut.

    Attributes:
        strategy: one of `CHUNKERS`.
        size: the most a chunk's own text may have, in `unit`; ignored by ``document``.
        overlap: how much of a chunk is repeated at the start of the next, in `overlap_unit`.
        unit: tokens or chars.
        overlap_unit: "" for the same as `unit`, or ``sentences``.
        tokenizer: which tokenizer counts, where the unit is tokens.
        label: whether the section path is put in front of the text that is indexed.
        separators: for ``recursive``, tried in order, literal text; empty for the usual ones.
    """

    strategy: str = "structure"
    size: int = 220
    overlap: int = 40
    unit: str = "tokens"
    overlap_unit: str = ""
    tokenizer: str = DEFAULT_EMBEDDER
    label: bool = True
    separators: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.strategy not in CHUNKERS:
            raise _refuse(
                f"No chunker is called {self.strategy!r}.", f"Known: {', '.join(CHUNKERS)}."
            )
        if self.unit not in UNITS:
            raise _refuse(
                f"Sizes cannot be counted in {self.unit!r}.", f"Use {' or '.join(UNITS)}."
            )
        if self.overlap_unit not in ("", "sentences"):
            raise _refuse(f"Overlap cannot be counted in {self.overlap_unit!r}.")
        if self.strategy == "document":
            return
        for name, value in (("Size", self.size), ("Overlap", self.overlap)):
            if isinstance(value, bool) or not isinstance(value, int):
                raise _refuse(f"{name} is {value!r}; it must be a whole number.")
        if self.size < 1:
            raise _refuse(f"Size is {self.size}; it must be 1 or more (overlap is {self.overlap}).")
        if self.overlap < 0:
            raise _refuse(f"Overlap is {self.overlap}; it must be 0 or more (size is {self.size}).")
        if not self.overlap_unit and self.overlap >= self.size:
            raise _refuse(
                f"Overlap {self.overlap} is not smaller than size {self.size}: "
                "no chunk would ever end.",
                f"Use an overlap of {max(0, self.size // 5)} or less.",
            )

    def __str__(self) -> str:
        label = "label" if self.label else "nolabel"
        unit = self.unit
        if unit == "tokens" and self.tokenizer != DEFAULT_EMBEDDER:
            unit = f"tokens={quote(self.tokenizer, safe='/ .')}"
        if self.strategy == "document":
            return f"document:{label}"
        overlap = f"{self.overlap}s" if self.overlap_unit else f"{self.overlap}"
        separators = ",".join(quote(s, safe="") for s in self.separators)
        tail = f":separators={separators}" if separators else ""
        return f"{self.strategy}:{self.size}/{overlap}:{unit}:{label}{tail}"

    @classmethod
    def parse(cls, text: str) -> ChunkingSettings:
        """Read a text form; parts may be left out, except the name.

        Raises:
            InvalidSetting: naming the part that is wrong.
        """
        parts = [p.strip() for p in text.split(":")]
        values: dict[str, Any] = {"strategy": parts[0]}
        if parts[0] in CHUNKERS and parts[0] != "structure":
            values |= {"overlap": 0}
        for part in parts[1:]:
            if part in ("label", "nolabel"):
                values["label"] = part == "label"
            elif part in UNITS:
                values["unit"] = part
            elif part.startswith("tokens="):
                values |= {"unit": "tokens", "tokenizer": unquote(part.removeprefix("tokens="))}
            elif part.startswith("separators="):
                given = part.removeprefix("separators=").split(",")
                values["separators"] = tuple(unquote(s) for s in given)
            elif m := re.fullmatch(r"(-?\d+)(?:/(-?\d+)(s?))?", part):
                values["size"] = int(m[1])
                if m[2] is None:
                    values["overlap"] = min(values.get("overlap", 40), max(0, int(m[1]) // 5))
                else:
                    values |= {"overlap": int(m[2]), "overlap_unit": "sentences" if m[3] else ""}
            else:
                raise _refuse(
                    f"{part!r} in the chunking {text!r} is not understood.",
                    "Write it like structure:220/40:tokens:label.",
                )
        return cls(**values)

    def fingerprint(self) -> str:
        """Identity of the settings; the chunkers' own version is added by the caller."""
        return fingerprint(asdict(self))


# Analysis of text for BM25 ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class AnalyzerSettings:
    """How text becomes terms.

    Attributes:
        language: ISO 639-1 code whose stop words and Snowball stemmer are used; ``auto`` takes the
            language of most of the corpus; ``none`` is words as they stand.
        stop_words: drop the language's most common words.
        stemming: reduce words to their stems.
        parts: index identifiers (ERR_4021, loadProfile, a@b.org) also in their parts.
    """

    language: str = "auto"
    stop_words: bool = True
    stemming: bool = True
    parts: bool = True

    def __str__(self) -> str:
        flags = [n for n in ("stop_words", "stemming", "parts") if not getattr(self, n)]
        return "-".join([self.language, *(f"no_{f}" for f in flags)])

    @classmethod
    def parse(cls, text: str) -> AnalyzerSettings:
        """Read a text form such as ``auto``, ``de`` or ``en-no_stemming``."""
        language, *flags = text.strip().split("-")
        values: dict[str, Any] = {"language": language or "auto"}
        for flag in flags:
            name = flag.removeprefix("no_")
            if not flag.startswith("no_") or name not in ("stop_words", "stemming", "parts"):
                raise _refuse(f"{flag!r} in the analyzer {text!r} is not understood.")
            values[name] = False
        return cls(**values)


PLAIN = AnalyzerSettings(language="none", stop_words=False, stemming=False, parts=True)


# Retrieval, fusion, reranking ---------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DenseSettings:
    """Vector search: exact (a flat index) or HNSW, which is faster and may miss some."""

    index: str = "exact"
    hnsw_m: int = 32
    ef_search: int = 64

    def __post_init__(self) -> None:
        if self.index not in ("exact", "hnsw"):
            raise _refuse(f"No index is called {self.index!r}.", "Use exact or hnsw.")
        _finite("M", self.hnsw_m, 2, 512)
        _finite("efSearch", self.ef_search, 1, 100_000)


@dataclass(frozen=True, slots=True)
class BM25Settings:
    """BM25 and its constants. 0 means 0.

    `lucene` is Elasticsearch's, OpenSearch's and Tantivy's; `okapi` is rank-bm25's BM25Okapi.
    """

    variant: str = "lucene"
    k1: float = 1.2
    b: float = 0.75
    epsilon: float = 0.25
    analyzer: AnalyzerSettings = field(default_factory=AnalyzerSettings)

    def __post_init__(self) -> None:
        if self.variant not in VARIANTS:
            raise _refuse(f"No BM25 is called {self.variant!r}.", f"Known: {', '.join(VARIANTS)}.")
        _finite("k1", self.k1, 0)
        _finite("b", self.b, 0, 1)
        _finite("epsilon", self.epsilon, 0)

    def fingerprint(self) -> str:
        """Identity of the index these settings build."""
        return fingerprint(asdict(self))


@dataclass(frozen=True, slots=True)
class FusionSettings:
    """How lists become one.

    Attributes:
        method: ``rrf`` or ``weighted`` (min-max of the scores, then a weighted sum).
        k: the constant of RRF.
        weights: list name -> weight; 1 where not given. 0 leaves a list's rows without a share.
    """

    method: str = "rrf"
    k: float = 60
    weights: tuple[tuple[str, float], ...] = ()

    def __post_init__(self) -> None:
        if self.method not in ("rrf", "weighted"):
            raise _refuse(f"No fusion is called {self.method!r}.", "Use rrf or weighted.")
        _finite("The k of RRF", self.k, 0)
        for name, weight in self.weights:
            _finite(f"The weight of {name}", weight, 0)
        given = [w for _, w in self.weights]
        if len(given) > 1 and not any(given):
            raise _refuse(
                "All weights are 0: nothing would be ranked.", "Give one list a weight above 0."
            )

    def weight(self, name: str) -> float:
        """Weight of a list, 1 when none was set."""
        return dict(self.weights).get(name, 1.0)


@dataclass(frozen=True, slots=True)
class RerankSettings:
    """Reranking of the first `pool` candidates.

    `model` is ``late-interaction`` (embedded, untrained), ``identity``, or the name or folder of a
    cross-encoder. With `blend` the new order is fused with the old one by RRF.
    """

    model: str = DEFAULT_RERANKER
    pool: int = 20
    blend: bool = False

    def __post_init__(self) -> None:
        _finite("The rerank pool", self.pool, 1, MAX_DEPTH)


@dataclass(frozen=True, slots=True)
class StrategySettings:
    """A whole search: chunking, model, lists, fusion, reranking and cuts.

    Attributes:
        preset: vector, bm25, hybrid or reranked: which stages run.
        k: how many hits are returned.
        depth: how many each list gives to fusion.
        minimum: score below which a final hit is left out; None for no minimum.
        filter: (key, value) pairs of a document's metadata; the same key twice means either.
        budget: tokens of context, None for no limit; used when measuring.
    """

    preset: str = "hybrid"
    chunking: ChunkingSettings = field(default_factory=ChunkingSettings)
    embedder: str = DEFAULT_EMBEDDER
    dense: DenseSettings = field(default_factory=DenseSettings)
    bm25: BM25Settings = field(default_factory=BM25Settings)
    fusion: FusionSettings = field(default_factory=FusionSettings)
    rerank: RerankSettings = field(default_factory=RerankSettings)
    k: int = 5
    depth: int = 50
    minimum: float | None = None
    filter: tuple[tuple[str, str], ...] = ()
    budget: int | None = None

    def __post_init__(self) -> None:
        if self.preset not in PRESETS:
            raise _refuse(
                f"No strategy is called {self.preset!r}.", f"Known: {', '.join(PRESETS)}."
            )
        _finite("k", self.k, 1, MAX_DEPTH)
        _finite("Depth", self.depth, 1, MAX_DEPTH)
        unknown = [name for name, _ in self.fusion.weights if name not in LISTS]
        if unknown:
            raise _refuse(
                f"No list is called {unknown[0]!r}, so that it cannot have a weight.",
                f"Lists: {', '.join(LISTS)}.",
            )
        if self.minimum is not None:
            _finite("The minimum score", self.minimum, -math.inf)
        if self.preset == "reranked" and self.rerank.pool < self.k:
            raise _refuse(
                f"A rerank pool of {self.rerank.pool} is smaller than k {self.k}.",
                f"Use a pool of {self.k} or more.",
            )

    @property
    def uses_vectors(self) -> bool:
        """Whether a query has to be embedded."""
        return self.preset != "bm25"

    @property
    def uses_bm25(self) -> bool:
        """Whether a BM25 index is needed."""
        return self.preset != "vector"

    def options(self) -> dict[str, str]:
        """What differs from the defaults, other than preset and chunking, as text."""
        base = StrategySettings(preset=self.preset)
        return {key: read(self) for key, (read, _) in OPTIONS.items() if read(self) != read(base)}

    def __str__(self) -> str:
        options = "".join(f"+{key}={_quote(value)}" for key, value in self.options().items())
        return f"{self.preset}@{self.chunking}{options}"

    @classmethod
    def parse(cls, text: str, base: StrategySettings | None = None) -> StrategySettings:
        """Read ``preset[@chunking][+key=value...]`` on top of `base` (default: all defaults).

        Raises:
            InvalidSetting: naming the part that is wrong.
        """
        head, *options = text.strip().split("+")
        preset, _, chunking = head.partition("@")
        result = replace(base or cls(), preset=preset.strip())
        if chunking:
            result = replace(result, chunking=ChunkingSettings.parse(chunking))
        changes: dict[str, str] = {}
        for option in options:
            key, equals, value = option.partition("=")
            if not equals or key.strip() not in OPTIONS:
                raise _refuse(
                    f"{option!r} in the strategy {text!r} is not understood.",
                    f"Options: {', '.join(OPTIONS)}.",
                )
            changes[key.strip()] = unquote(value.strip())
        return result.changed(changes)

    def changed(self, options: Mapping[str, str]) -> StrategySettings:
        """The same strategy with some options (see `OPTIONS`) given as text."""
        values: dict[str, Any] = {}
        for key, text in options.items():
            try:
                _merge(values, OPTIONS[key][1](text))
            except ValueError as e:
                raise _refuse(
                    f"{key}={text} is not understood.", f"Options: {', '.join(OPTIONS)}."
                ) from e
        nested = {
            name: replace(getattr(self, name), **value) if isinstance(value, dict) else value
            for name, value in values.items()
        }
        return replace(self, **nested)

    def fingerprint(self) -> str:
        """Identity of the strategy."""
        return fingerprint(asdict(self))


def parse_strategies(text: str, base: StrategySettings | None = None) -> list[StrategySettings]:
    """Read strategies separated by commas; commas inside an option are left alone.

    Raises:
        InvalidSetting: naming the part that is wrong, or when there is none at all.
    """
    names = "|".join(PRESETS)
    parts = re.split(rf",(?=\s*(?:{names})\s*(?:[@+,]|$))", text)
    found = [StrategySettings.parse(p, base) for p in parts if p.strip(" ,")]
    if not found:
        raise _refuse(f"No strategy stands in {text!r}.", f"Known: {', '.join(PRESETS)}.")
    return found


def _merge(into: dict[str, Any], new: dict[str, Any]) -> None:
    for name, value in new.items():
        if isinstance(value, dict):
            into.setdefault(name, {}).update(value)
        else:
            into[name] = value


def parse_pairs(pairs: Iterable[str], what: str = "filter") -> tuple[tuple[str, str], ...]:
    """Read ``key=value`` texts, as a filter or as metadata.

    Raises:
        InvalidSetting: when a pair has no "=" or an empty key.
    """
    result = []
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals or not key.strip():
            raise _refuse(f"The {what} {pair!r} is not of the form key=value.")
        result.append((key.strip(), value.strip()))
    return tuple(result)


def _quote(text: str) -> str:
    """Keep the marks of the text form out of a value."""
    return quote(text, safe="/ ,.;:_-()[]&=")


def _filter_text(strategy: StrategySettings) -> str:
    return "&".join(f"{quote(k, safe=' ')}={quote(v, safe=' ')}" for k, v in strategy.filter)


def _read_filter(text: str) -> dict[str, Any]:
    pairs = parse_pairs(p for p in text.split("&") if p)
    return {"filter": tuple((unquote(k), unquote(v)) for k, v in pairs)}


def _number(value: float) -> str:
    return str(int(value)) if float(value).is_integer() else repr(float(value))


def _yes(text: str) -> bool:
    if text.lower() not in ("1", "yes", "true", "on", "0", "no", "false", "off"):
        raise ValueError(text)
    return text.lower() in ("1", "yes", "true", "on")


def _weights_text(strategy: StrategySettings) -> str:
    return ",".join(f"{name}:{_number(weight)}" for name, weight in strategy.fusion.weights)


def _read_weights(text: str) -> dict[str, Any]:
    pairs = [p.partition(":") for p in text.split(",") if p]
    return {"fusion": {"weights": tuple((name, float(weight)) for name, _, weight in pairs)}}


# Text option -> (how it reads from a strategy, what it changes). The key is what a person types.
OPTIONS: dict[str, tuple[Callable[[StrategySettings], str], Callable[[str], dict[str, Any]]]] = {
    "model": (lambda s: s.embedder, lambda t: {"embedder": t}),
    "index": (lambda s: s.dense.index, lambda t: {"dense": {"index": t}}),
    "hnsw_m": (lambda s: str(s.dense.hnsw_m), lambda t: {"dense": {"hnsw_m": int(t)}}),
    "ef_search": (lambda s: str(s.dense.ef_search), lambda t: {"dense": {"ef_search": int(t)}}),
    "variant": (lambda s: s.bm25.variant, lambda t: {"bm25": {"variant": t}}),
    "k1": (lambda s: _number(s.bm25.k1), lambda t: {"bm25": {"k1": float(t)}}),
    "b": (lambda s: _number(s.bm25.b), lambda t: {"bm25": {"b": float(t)}}),
    "epsilon": (lambda s: _number(s.bm25.epsilon), lambda t: {"bm25": {"epsilon": float(t)}}),
    "analyzer": (
        lambda s: str(s.bm25.analyzer),
        lambda t: {"bm25": {"analyzer": AnalyzerSettings.parse(t)}},
    ),
    "fusion": (lambda s: s.fusion.method, lambda t: {"fusion": {"method": t}}),
    "rrf_k": (lambda s: _number(s.fusion.k), lambda t: {"fusion": {"k": float(t)}}),
    "weights": (_weights_text, _read_weights),
    "reranker": (lambda s: s.rerank.model, lambda t: {"rerank": {"model": t}}),
    "pool": (lambda s: str(s.rerank.pool), lambda t: {"rerank": {"pool": int(t)}}),
    "blend": (
        lambda s: "yes" if s.rerank.blend else "no",
        lambda t: {"rerank": {"blend": _yes(t)}},
    ),
    "k": (lambda s: str(s.k), lambda t: {"k": int(t)}),
    "depth": (lambda s: str(s.depth), lambda t: {"depth": int(t)}),
    "minimum": (
        lambda s: "none" if s.minimum is None else _number(s.minimum),
        lambda t: {"minimum": None if t == "none" else float(t)},
    ),
    "filter": (_filter_text, _read_filter),
    "budget": (
        lambda s: "none" if s.budget is None else str(s.budget),
        lambda t: {"budget": None if t == "none" else int(t)},
    ),
}
