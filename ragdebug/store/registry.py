"""The shared connections of this process, by the real path of their files."""

from __future__ import annotations

import atexit
import os
import threading
from pathlib import Path

from ragdebug.store.shared import SharedConnection

_registry: dict[str, SharedConnection] = {}
_registry_lock = threading.Lock()


def shared(path: Path) -> SharedConnection:
    """The one shared connection of a file in this process."""
    key = os.path.realpath(path)
    with _registry_lock:
        if key not in _registry:
            _registry[key] = SharedConnection(Path(key))
        return _registry[key]


@atexit.register
def close_all() -> None:
    """Close every file that nobody uses."""
    for one in list(_registry.values()):
        one.close()


def _after_fork() -> None:
    global _registry_lock
    _registry_lock = threading.Lock()
    for one in _registry.values():
        one.abandon()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=close_all, after_in_child=_after_fork)
