"""Keyword search (BM25) and vector search over a chunk table."""

from ragdebug.retrieve.analyzer import Analyzer, QueryTerm
from ragdebug.retrieve.bm25 import BM25Index, TermShare
from ragdebug.retrieve.dense import DenseIndex

__all__ = ["Analyzer", "BM25Index", "DenseIndex", "QueryTerm", "TermShare"]
