"""JSON, JSON Lines or what Python prints, as people paste it."""

from __future__ import annotations

import ast
import json
import re

_FENCE = re.compile(r"\A\s*```\w*\n(.*?)\n?```\s*\Z", re.DOTALL)


def parsed(text: str) -> object | None:
    """The value that a text spells as JSON, JSON Lines or as Python prints it; None for neither."""
    if fenced := _FENCE.match(text):
        text = fenced[1]
    text = text.strip().removeprefix("\ufeff")
    if not text.startswith(("{", "[")):
        return None
    try:
        return json.loads(text)  # type: ignore[no-any-return]
    except (ValueError, RecursionError):
        pass
    lines = [line for line in text.splitlines() if line.strip()]
    try:
        return [json.loads(line) for line in lines]
    except (ValueError, RecursionError):
        pass
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
        return None
    return value if isinstance(value, dict | list | tuple) else None
