"""Somebody's own search: a Python function or an HTTP address, asked and understood."""

from ragdebug.searchers.opening import open_searcher
from ragdebug.searchers.plain import raw_text
from ragdebug.searchers.records import FoundHit, Reply, Searcher, Understood

__all__ = ["FoundHit", "Reply", "Searcher", "Understood", "open_searcher", "raw_text"]
