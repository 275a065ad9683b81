"""SHA-256 of model files, remembered so that a large file is read once and not at every start."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import threading
from pathlib import Path

_known: dict[str, str] = {}
_read_from: Path | None = None
_lock = threading.Lock()


def cache_folder() -> Path:
    """Where this program keeps what it can compute again: RAGDEBUG_CACHE, else the usual place."""
    own = os.environ.get("RAGDEBUG_CACHE")
    if own:
        return Path(own)
    base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    return (Path(base) if base else Path.home() / ".cache") / "ragdebug"


def sha256(path: Path, remember: bool = True) -> str:
    """Hex SHA-256 of a file; read again only when path, size or times have changed.

    Args:
        path: the file.
        remember: whether to look the hash up, and keep it, on disk too.

    Raises:
        OSError: when the file cannot be read.
    """
    real = path.resolve()
    stat = real.stat()
    key = f"{real}|{stat.st_size}|{stat.st_mtime_ns}|{stat.st_ctime_ns}"
    with _lock:
        if remember:
            _load()
        if key not in _known:
            with real.open("rb") as file:
                _known[key] = hashlib.file_digest(file, "sha256").hexdigest()
            if remember and stat.st_size > 1_000_000:
                _save(real, key)
        return _known[key]


def _file() -> Path:
    return cache_folder() / "model-hashes.json"


def _load() -> None:
    """Read what earlier processes found out; a damaged file counts as none."""
    global _read_from
    path = _file()
    if _read_from == path:
        return
    _read_from = path
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
        _known.update({str(k): str(v) for k, v in stored.items()})
    except (OSError, ValueError, AttributeError):
        pass


def _save(real: Path, key: str) -> None:
    """Keep one more hash, and forget those of the same file before it changed."""
    path = _file()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            stored = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            stored = {}
        if not isinstance(stored, dict):
            stored = {}
        stored = {k: v for k, v in stored.items() if not k.startswith(f"{real}|")}
        stored[key] = _known[key]
        handle, name = tempfile.mkstemp(dir=path.parent)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(stored, file)
        os.replace(name, path)
    except OSError:
        pass  # a read-only home costs a fraction of a second at each start, no more
