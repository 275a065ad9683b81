"""Settings of the stages after cutting: analysis, vectors, BM25, fusion, reranking."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from ragdebug.settings.values import (
    DEFAULT_RERANKER,
    MAX_DEPTH,
    VARIANTS,
    fingerprint,
    finite,
    refuse,
)


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
                raise refuse(f"{flag!r} in the analyzer {text!r} is not understood.")
            values[name] = False
        return cls(**values)


PLAIN = AnalyzerSettings(language="none", stop_words=False, stemming=False, parts=True)


@dataclass(frozen=True, slots=True)
class DenseSettings:
    """Vector search: exact (a flat index) or HNSW, which is faster and may miss some."""

    index: str = "exact"
    hnsw_m: int = 32
    ef_search: int = 64

    def __post_init__(self) -> None:
        if self.index not in ("exact", "hnsw"):
            raise refuse(f"No index is called {self.index!r}.", "Use exact or hnsw.")
        finite("M", self.hnsw_m, 2, 512)
        finite("efSearch", self.ef_search, 1, 100_000)


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
            raise refuse(f"No BM25 is called {self.variant!r}.", f"Known: {', '.join(VARIANTS)}.")
        finite("k1", self.k1, 0)
        finite("b", self.b, 0, 1)
        finite("epsilon", self.epsilon, 0)

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
            raise refuse(f"No fusion is called {self.method!r}.", "Use rrf or weighted.")
        finite("The k of RRF", self.k, 0)
        for name, weight in self.weights:
            finite(f"The weight of {name}", weight, 0)
        given = [w for _, w in self.weights]
        if len(given) > 1 and not any(given):
            raise refuse(
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
        finite("The rerank pool", self.pool, 1, MAX_DEPTH)
