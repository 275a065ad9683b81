"""Paths of local files as the database keeps them: text that stands for any bytes."""

from __future__ import annotations

import os
import re
from pathlib import Path

from ragdebug.store.saving import RECORD

# What `path_key` writes for a byte that is not UTF-8, and for the mark before a record's key.
_ESCAPED = re.compile(rb"\\x(1f|[89a-f][0-9a-f])")


def path_key(path: Path) -> str:
    r"""A path as it is kept, with ``\xff`` for each byte that is no text."""
    name = path.as_posix().encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    return name.replace(RECORD, r"\x1f")


def path_of(key: str) -> Path:
    r"""The path that a key was made of.

    A name may hold ``\xff`` as four plain characters; where such a file is there, it is meant.
    """
    if os.path.lexists(key) or not _ESCAPED.search(key.encode()):
        return Path(key)
    raw = _ESCAPED.sub(lambda found: bytes([int(found[1], 16)]), key.encode())
    return Path(raw.decode("utf-8", "surrogateescape"))
