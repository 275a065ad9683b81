"""One piece of work at a time in a workspace, whichever process or thread asks for it."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

RETRY_S = 0.1


@contextmanager
def exclusive(file: Path, waiting: Callable[[], None]) -> Iterator[None]:
    """Hold the lock of a file, which is empty and stays; the system frees it if the process dies.

    Args:
        file: made with its folder where missing.
        waiting: called again and again while somebody else holds it; may raise to give up.
    """
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        handle = file.open("a+b")
    except OSError:
        yield  # nothing can be saved in such a folder: the store will say so
        return
    with handle:
        while not _lock(handle):
            waiting()
            time.sleep(RETRY_S)
        yield  # closing the file frees it


def _lock(handle: IO[bytes]) -> bool:
    """Take the lock if it is free; True also where the file system knows no locks."""
    if sys.platform == "win32":
        import msvcrt

        try:
            handle.seek(0)
            msvcrt.locking(handle.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
    else:
        import fcntl

        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:
            pass
    return True
