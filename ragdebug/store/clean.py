"""Guards between Python's values and the database."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

_SURROGATE = re.compile("[\ud800-\udfff]")


def clean(text: str) -> str:
    """The text without half characters and NUL, each replaced by U+FFFD so that positions stay.

    Parsers have done this already; names of files and words typed by people come here uncleaned.
    """
    if "\0" in text:
        text = text.replace("\0", "\ufffd")
    return _SURROGATE.sub("\ufffd", text)


def dump(value: Any) -> str:  # noqa: ANN401 - any JSON value
    """JSON of a value, without half characters and NUL.

    Raises:
        ValueError: for NaN and infinities, which JSON does not have.
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    if "\\u0000" in text:  # perhaps only the six characters that a text about JSON may hold
        text = json.dumps(cleaned(value), ensure_ascii=False, separators=(",", ":"))
    return clean(text)


def cleaned(value: Any) -> Any:  # noqa: ANN401 - any JSON value
    """`clean` for all texts in a JSON value, names of fields among them."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, Mapping):
        return {cleaned(k): cleaned(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [cleaned(v) for v in value]
    return value


def finite(value: float | None) -> tuple[float | None, str]:
    """A number as it may be saved, and why it may not.

    A NaN would be the largest value in an ``ORDER BY`` and would turn every mean into NaN.

    Returns:
        The number and "", or None and a reason.
    """
    if value is None:
        return None, "no value"
    if math.isnan(value):
        return None, "not a number"
    if math.isinf(value):
        return None, "infinite"
    return float(value), ""


def now() -> datetime:
    """This moment in UTC, without a zone, as the tables keep it."""
    return datetime.now(UTC).replace(tzinfo=None)


def iso(moment: datetime | None) -> str:
    """A stored moment as text, ``2031-05-04T12:00:00Z``."""
    return "" if moment is None else f"{moment.replace(microsecond=0).isoformat()}Z"
