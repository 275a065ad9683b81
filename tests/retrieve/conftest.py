from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from ragdebug.retrieve import Analyzer, BM25Index
from ragdebug.settings import PLAIN, AnalyzerSettings, BM25Settings

Build = Callable[..., BM25Index]


@pytest.fixture
def build() -> Build:
    """Index texts; words as they stand unless an analyzer is named, k1 1.5 and b 0.75."""

    def make(
        texts: Sequence[str],
        variant: str = "lucene",
        analyzer: AnalyzerSettings = PLAIN,
        language: str = "en",
        k1: float = 1.5,
        b: float = 0.75,
        epsilon: float = 0.25,
    ) -> BM25Index:
        settings = BM25Settings(variant=variant, k1=k1, b=b, epsilon=epsilon, analyzer=analyzer)
        return BM25Index.build(texts, Analyzer(analyzer, language), settings)

    return make
