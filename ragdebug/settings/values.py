"""What all settings share: names and defaults, limits, refusals, fingerprints."""

from __future__ import annotations

import hashlib
import json
import math
from dataclasses import asdict
from typing import Any
from urllib.parse import quote

from ragdebug.errors import InvalidSetting

DEFAULT_WORKSPACE = ".ragdebug"
DEFAULT_EMBEDDER = "all-MiniLM-L6-v2"
DRAFT_EMBEDDER = "wordllama-l2-supercat-256"
DEFAULT_RERANKER = "late-interaction"
CHUNKERS = ("structure", "recursive", "sentences", "fixed", "document")
IMPORTED = "imported"  # pieces that another system cut, by the name they were given here
UNITS = ("tokens", "chars")
PRESETS = ("vector", "bm25", "hybrid", "reranked")
OUTSIDE = ("list", "searcher")  # what another system returned: imported, or asked for
LISTS = ("vector", "bm25")  # what a hybrid search fuses
VARIANTS = ("lucene", "okapi")
MAX_DEPTH = 10_000
_JOINERS = "\u200c\u200d"

# Of a fused score: two ways to add up the same number differ in its last bit, and are a tie.
FUSED_DECIMALS = 15


def fingerprint(value: object) -> str:
    """Sixteen hex digits that are the same for equal plain values, in every process."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def plain(settings: Any, *empty: str) -> dict[str, Any]:  # noqa: ANN401 - a dataclass
    """Settings as plain values; fields that came later are left out where they are empty.

    Fingerprints of what was kept before such a field was there stay as they are.
    """
    values = asdict(settings)
    return {k: v for k, v in values.items() if k not in empty or v}


def as_written(text: str, *, but: str = "%:+@,") -> str:
    """A name within a text form: as a person wrote it, except the marks of the form itself.

    What cannot be seen is encoded like a mark, except what joins emoji and Persian letters.

    Args:
        text: the name.
        but: ASCII characters that mean something in the form.
    """
    return "".join(
        quote(c, safe="") if c in but or not (c.isprintable() or c in _JOINERS) else c for c in text
    )


def refuse(message: str, hint: str = "") -> InvalidSetting:
    """The error for a setting that cannot work."""
    return InvalidSetting(message, hint=hint)


def finite(name: str, value: float, low: float, high: float = math.inf) -> None:
    """Refuse what is not a number from `low` to `high`; `name` is what the message calls it."""
    if not (isinstance(value, (int, float)) and math.isfinite(value) and low <= value <= high):
        limit = f"{low:g} or more" if high == math.inf else f"from {low:g} to {high:g}"
        raise refuse(f"{name} is {value!r}; it must be a number {limit}.")
