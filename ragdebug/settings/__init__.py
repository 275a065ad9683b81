"""Settings: frozen, validated once, with a text form and a fingerprint.

The text form is an identity: ``parse(str(x)) == x``, so it serves in command lines, URLs and keys.

    chunking   structure:220/40:tokens:label     recursive:800/1s:chars:nolabel     document
               imported:NAME
    strategy   reranked@structure:220/40         bm25@fixed:200/0+variant=okapi+b=0.5
               list:NAME                         searcher:NAME
"""

from ragdebug.settings.chunking import ChunkingSettings
from ragdebug.settings.options import OPTIONS, parse_pairs
from ragdebug.settings.remote import FORMS, REMOTE_PREFIX, RemoteModel, is_remote
from ragdebug.settings.searcher import SearcherSettings
from ragdebug.settings.stages import (
    PLAIN,
    AnalyzerSettings,
    BM25Settings,
    DenseSettings,
    FusionSettings,
    RerankSettings,
)
from ragdebug.settings.strategy import StrategySettings, parse_strategies
from ragdebug.settings.values import (
    CHUNKERS,
    DEFAULT_EMBEDDER,
    DEFAULT_RERANKER,
    DEFAULT_WORKSPACE,
    DRAFT_EMBEDDER,
    FUSED_DECIMALS,
    IMPORTED,
    LISTS,
    MAX_DEPTH,
    OUTSIDE,
    PRESETS,
    UNITS,
    VARIANTS,
    as_written,
    fingerprint,
)

__all__ = [
    "AnalyzerSettings",
    "BM25Settings",
    "CHUNKERS",
    "ChunkingSettings",
    "DEFAULT_EMBEDDER",
    "DEFAULT_RERANKER",
    "DEFAULT_WORKSPACE",
    "DRAFT_EMBEDDER",
    "DenseSettings",
    "FORMS",
    "FUSED_DECIMALS",
    "FusionSettings",
    "IMPORTED",
    "LISTS",
    "MAX_DEPTH",
    "OPTIONS",
    "OUTSIDE",
    "PLAIN",
    "PRESETS",
    "REMOTE_PREFIX",
    "RemoteModel",
    "RerankSettings",
    "SearcherSettings",
    "StrategySettings",
    "UNITS",
    "VARIANTS",
    "as_written",
    "fingerprint",
    "is_remote",
    "parse_pairs",
    "parse_strategies",
]
