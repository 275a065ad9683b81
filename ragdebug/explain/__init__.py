"""Why a chunk has the score it has: the arithmetic of each list, and what each part of it adds.

Nothing here loads a model or looks anything up: indexes, ranks and scores come in from outside.
"""

from ragdebug.explain.admission import MOST_DEPTH, MOST_K, Change, Ranks, admissions, more
from ragdebug.explain.bm25 import BM25Explanation, TermRow, bm25_rows
from ragdebug.explain.ledger import Entry, Ledger, ledger
from ragdebug.explain.occlusion import AT_ONCE, Occlusion, Part, occlude
from ragdebug.explain.tokens import WordMatch, best_words, of_words, word_spans

__all__ = [
    "AT_ONCE",
    "MOST_DEPTH",
    "MOST_K",
    "BM25Explanation",
    "Change",
    "Entry",
    "Ledger",
    "Occlusion",
    "Part",
    "Ranks",
    "TermRow",
    "WordMatch",
    "admissions",
    "best_words",
    "bm25_rows",
    "ledger",
    "more",
    "occlude",
    "of_words",
    "word_spans",
]
