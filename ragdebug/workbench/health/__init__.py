"""Checks before scores: what is wrong with texts, chunks, models and settings before any ranking.

One check a file, each a pure function from what is there to findings; `checking` puts them together
and keeps what they found, `index_checking` compares HNSW with exact search.
"""

from ragdebug.workbench.health.checking import Checked, Health
from ragdebug.workbench.health.findings import CHECKS, SEVERITIES, Finding, Where, clean
from ragdebug.workbench.health.index_check import Costly, IndexCheck

__all__ = [
    "CHECKS",
    "SEVERITIES",
    "Checked",
    "Costly",
    "Finding",
    "Health",
    "IndexCheck",
    "Where",
    "clean",
]
