"""Keys of other servers: from the environment, or from a source that somebody added.

A key is looked up at each use and kept nowhere but here, in memory, so that `redact` can take it
out of whatever is shown or logged.
"""

from __future__ import annotations

import base64
import json
import logging
import os
import re
import threading
from collections.abc import Callable
from typing import Any
from urllib.parse import quote, quote_plus

from ragdebug.errors import KeyMissing

Source = Callable[[str], str | None]

# Shorter values would be found in ordinary words.
SHORTEST = 4
MARK = "[key]"
# Loggers of the library that sends; their lines pass through `redact`.
LOGGERS = ("urllib3", "urllib3.connection", "urllib3.connectionpool", "urllib3.util.retry")

_sources: list[Source] = []
_seen: dict[str, tuple[str, ...]] = {}
_lock = threading.Lock()


def add_source(source: Source) -> None:
    """Ask `source` too, name -> key or None, where the environment has no such variable.

    Adding a source again changes nothing.
    """
    with _lock:
        if source not in _sources:
            _sources.append(source)


def has_key(name: str) -> bool:
    """Whether a key of this name is there; true for "", which stands for no key."""
    return not name or bool(_found(name))


def key_of(name: str) -> str:
    """The key of this name, "" for the name "".

    Raises:
        KeyMissing: when no source has one, or its value cannot stand in a header.
    """
    if not name:
        return ""
    key = _found(name)
    if not key:
        raise KeyMissing(
            f"The key is missing: there is no environment variable {name}.",
            hint=f"Set {name} and start again, or write it into .streamlit/secrets.toml.",
        )
    if not key.isascii() or not key.isprintable():
        raise KeyMissing(
            f"The value of {name} is no key: it holds a line end or a letter that no key has.",
            hint=f"Copy the key again into {name}.",
        )
    return key


def redact(text: str) -> str:
    """The text with every key that was looked up so far, however it is written, as ``[key]``."""
    with _lock:
        forms = [form for forms in _seen.values() for form in forms]
    for form in sorted(forms, key=len, reverse=True):
        text = text.replace(form, MARK)
    return text


def redacted(value: Any) -> Any:  # noqa: ANN401 - what JSON holds
    """What JSON holds, with ``[key]`` for every key in its texts and names."""
    with _lock:
        forms = [form for forms in _seen.values() for form in forms]
    if not forms:
        return value
    found = re.compile("|".join(map(re.escape, sorted(forms, key=len, reverse=True))))

    def clean(value: Any) -> Any:  # noqa: ANN401
        if isinstance(value, str):
            return found.sub(MARK, value)
        if isinstance(value, list):
            return [v if type(v) is float else clean(v) for v in value]
        if isinstance(value, dict):
            return {found.sub(MARK, name): clean(v) for name, v in value.items()}
        return value

    return clean(value)


def _found(name: str) -> str:
    with _lock:
        sources = list(_sources)
    value = os.environ.get(name) or next((v for s in sources if (v := s(name))), "") or ""
    key = value.strip()
    if len(key) >= SHORTEST:
        with _lock:
            if key not in _seen:
                _seen[key] = _forms(key, value)
                _guard_logs()
    return key


def _forms(key: str, value: str) -> tuple[str, ...]:
    """A key as it stands in headers, JSON, addresses and reprs."""
    plain = {key, value, quote(key, safe=""), quote_plus(key), json.dumps(key)[1:-1]}
    plain |= {repr(key)[1:-1], repr(key.encode("utf-8", "replace"))[2:-1]}
    plain.add(base64.b64encode(key.encode("utf-8", "replace")).decode())
    return tuple(plain)


class _Redacting(logging.Filter):
    """Takes keys out of a log's line before anybody formats it."""

    def filter(self, record: logging.LogRecord) -> bool:
        message = record.getMessage()
        clean = redact(message)
        if clean != message:
            record.msg, record.args = clean, None
        return True


_filter = _Redacting()


def _guard_logs() -> None:
    for name in LOGGERS:
        logging.getLogger(name).addFilter(_filter)
