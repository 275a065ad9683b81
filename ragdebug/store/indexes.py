"""Saved indexes: one folder each, named by fingerprint, put in place whole and taken away whole."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import threading
import time
from collections.abc import Callable
from pathlib import Path

from ragdebug.errors import StoreError
from ragdebug.store.disk import alive, size_of, sync_folder, sync_tree

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,199}")
KEEP = 24  # a chunking has about three: table, BM25, dense
MAX_BYTES = 4_000_000_000


class IndexFolder:
    """A folder of saved indexes that several processes share.

    A reader that has opened an index keeps it: files are renamed before they are deleted, and on
    POSIX open or mapped files outlive their names. An index that is missing is simply built again.
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)

    def path(self, fingerprint: str) -> Path:
        """Where an index lies if it is saved (ask ``exists()``); asking counts as use."""
        path = self._path(fingerprint)
        self.touch(fingerprint)
        return path

    def touch(self, fingerprint: str) -> None:
        """Note that an index was used now."""
        with contextlib.suppress(OSError):
            os.utime(self._path(fingerprint))

    def publish(self, fingerprint: str, save: Callable[[Path], None]) -> Path:
        """Save an index: `save` fills a new folder, which is then put in place in one step.

        When another process published the same index meanwhile, its copy stays.

        Raises:
            StoreError: the disk is full or not writable. Whatever `save` raises passes through.
        """
        target = self._path(fingerprint)
        made = self.folder / f".new-{os.getpid()}-{threading.get_ident()}-{time.monotonic_ns()}"
        try:
            made.mkdir(parents=True)
            save(made)
            sync_tree(made)
            with contextlib.suppress(OSError):  # somebody else was faster
                made.rename(target)
            if not target.is_dir():
                raise StoreError(f"The index {target} could not be put in place.")
            sync_folder(self.folder)
        except OSError as error:
            raise StoreError(
                f"An index could not be saved in {self.folder}: {error.strerror or error}.",
                hint="Check the room on the disk and the folder's permissions.",
            ) from error
        finally:
            shutil.rmtree(made, ignore_errors=True)
        return target

    def discard(self, fingerprint: str) -> None:
        """Delete one index; readers that have it open keep it."""
        path = self._path(fingerprint)
        away = self.folder / f".old-{os.getpid()}-{time.monotonic_ns()}"
        try:
            path.rename(away)
        except OSError:  # not here, or (elsewhere than on POSIX) still open: the next trim gets it
            return
        shutil.rmtree(away, ignore_errors=True)

    def clear(self) -> int:
        """Delete all indexes; returns how many."""
        names = self.names()
        for name in names:
            self.discard(name)
        return len(names)

    def names(self) -> list[str]:
        """Fingerprints of the saved indexes, last used first."""
        found = []
        if self.folder.is_dir():
            for path in self.folder.iterdir():
                with contextlib.suppress(OSError):
                    if _NAME.fullmatch(path.name) and path.is_dir():
                        found.append((path.stat().st_mtime_ns, path.name))
        return [name for _, name in sorted(found, reverse=True)]

    def trim(self, keep: int = KEEP, max_bytes: int = MAX_BYTES) -> list[str]:
        """Delete the indexes not used for longest, beyond a number and a size.

        Returns:
            Fingerprints of the deleted ones.
        """
        self._sweep()
        total, deleted = 0, []
        for at, name in enumerate(self.names()):
            total += size_of(self.folder / name)
            if at >= keep or (at > 0 and total > max_bytes):
                self.discard(name)
                deleted.append(name)
        return deleted

    def _sweep(self) -> None:
        """Delete what a killed process left behind."""
        if not self.folder.is_dir():
            return
        for path in self.folder.glob(".*-*"):
            pid = path.name.split("-")[1]
            if path.name.startswith((".new-", ".old-")) and pid.isdigit() and not alive(int(pid)):
                shutil.rmtree(path, ignore_errors=True)

    def _path(self, fingerprint: str) -> Path:
        if not _NAME.fullmatch(fingerprint):
            raise StoreError(f"{fingerprint!r} is not the name of an index.")
        return self.folder / fingerprint
