"""How well lists of chunks answer questions: measures, intervals, tests."""

from ragdebug.evaluate.curves import BUDGET_STEPS, budget_curve, curve, rank_curve, recall_curve
from ragdebug.evaluate.found import Hits, found_ranks
from ragdebug.evaluate.intervals import interval, intervals
from ragdebug.evaluate.masks import needs_of, positions
from ragdebug.evaluate.names import DEFINITIONS, definition, measure_names, split_name
from ragdebug.evaluate.paired import Paired, compare, holm, questions_needed
from ragdebug.evaluate.table import measure
from ragdebug.evaluate.verdict import verdict

__all__ = [
    "BUDGET_STEPS",
    "DEFINITIONS",
    "Hits",
    "Paired",
    "budget_curve",
    "compare",
    "curve",
    "definition",
    "found_ranks",
    "holm",
    "interval",
    "intervals",
    "measure",
    "measure_names",
    "needs_of",
    "positions",
    "questions_needed",
    "rank_curve",
    "recall_curve",
    "split_name",
    "verdict",
]
