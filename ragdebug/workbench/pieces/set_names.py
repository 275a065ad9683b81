"""What a set of pieces may be called."""

from __future__ import annotations

import re
import unicodedata

from ragdebug.errors import InvalidSetting

LONGEST = 60


def stem(file: str) -> str:
    """The name of a file without its endings, as a chunking may be called."""
    name = re.sub(r"(\.(jsonl|ndjson|json|csv|tsv|parquet|gz))+$", "", file, flags=re.IGNORECASE)
    return re.sub(r"[:@+,]+", "-", name).strip(" .-")[:LONGEST] or "chunks"


def piece_name(name: str) -> str:
    """A name as it may be kept.

    Raises:
        InvalidSetting: it could be taken for something else in a text form.
    """
    name = " ".join(name.split())
    plain = name.partition(":")[2] if name.startswith(("list:", "searcher:")) else name
    odd = any(unicodedata.category(c) in ("Cc", "Cs") for c in plain)  # nothing can keep them
    if odd or not plain or len(plain) > LONGEST or set(plain) & set(":@+,=#/\\"):
        raise no_name(plain)
    return name


def no_name(name: str) -> InvalidSetting:
    """The error for a name that cannot be one."""
    return InvalidSetting(
        f"{name!r} cannot be a name.",
        hint=f"Use up to {LONGEST} characters without : @ + , = # and slashes.",
    )
