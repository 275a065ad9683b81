"""Which process works on something, told in a way that outlives the process.

A process id alone is given to another process sooner or later, so the moment at which the process
was started goes with it, where the system tells it.
"""

from __future__ import annotations

import os
from pathlib import Path

from ragdebug.store import disk


def own_mark() -> str:
    """A mark of this process, ``PID/START``."""
    return f"{os.getpid()}/{_started(os.getpid())}"


def works(mark: str) -> bool:
    """Whether the process that left a mark is still there; True where that cannot be told."""
    number, _, started = mark.partition("/")
    if not number.isdigit():
        return False
    pid = int(number)
    return disk.alive(pid) and started == _started(pid)


def _started(pid: int) -> str:
    """When a process was started, in the system's own count; "" where it does not say."""
    try:
        line = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace")
    except OSError:
        return ""
    fields = line.rpartition(")")[2].split()  # the name before it may hold anything
    return fields[19] if len(fields) > 19 else ""
