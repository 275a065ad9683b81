"""The machine-readable part of a case file: JSON in a block that no payload can leave."""

from __future__ import annotations

import json
import re
from typing import Any

from ragdebug.errors import NotACase

ID = "ragdebug-case"
FORMAT = "ragdebug-case/1"
MOST_CHARS = 20_000_000
_BLOCK = re.compile(rf'<script type="application/json" id="{ID}">([^<]*)</script>')


def block(value: dict[str, Any]) -> str:
    """A script element that no browser runs.

    In JSON "<", ">" and "&" stand in strings only, where an escape says the same: no end tag, no
    comment and no CDATA mark can come up, whatever the strings hold.
    """
    text = json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    for sign in "<>&":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return f'<script type="application/json" id="{ID}">{text}</script>'


def read(document: str) -> dict[str, Any]:
    """The value in a case file.

    Raises:
        NotACase: there is none, or one of another format.
    """
    if len(document) > MOST_CHARS:
        raise NotACase("The file is too large for a case file.")
    found = _BLOCK.findall(document)
    try:
        value = json.loads(found[-1]) if found else None
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict) or not str(value.get("format", "")).startswith("ragdebug-case/"):
        raise NotACase(
            "The file holds no case.", hint="Case files are written by ragdebug case and the app."
        )
    if value["format"] != FORMAT:
        raise NotACase(
            f"The file has the format {str(value['format'])[:40]}; this program reads {FORMAT}.",
            hint="Open it with the version of ragdebug that wrote it.",
        )
    return value
