"""At which stage of a strategy an answer is lost, decided from facts alone."""

from ragdebug.diagnose.decide import applies, decide
from ragdebug.diagnose.facts import PlaceFacts
from ragdebug.diagnose.holding import Held, HeldDocument, HeldPassage, read_share
from ragdebug.diagnose.stages import (
    DELIVERED,
    LABELS,
    STAGES,
    earliest,
    furthest,
    stages_of,
)

__all__ = [
    "DELIVERED",
    "LABELS",
    "STAGES",
    "Held",
    "HeldDocument",
    "HeldPassage",
    "PlaceFacts",
    "applies",
    "decide",
    "earliest",
    "furthest",
    "read_share",
    "stages_of",
]
