"""Embedders and rerankers. The only place that loads torch, and only when one is asked for."""

from ragdebug.models.cache import forget, is_loaded, load_embedder, load_reranker, warm

__all__ = ["forget", "is_loaded", "load_embedder", "load_reranker", "warm"]
