"""Originals of uploaded files, by the hash of their bytes."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import threading
from pathlib import Path

from ragdebug.errors import StoreDamaged, StoreError
from ragdebug.store.disk import sync_folder

_NAME = re.compile(r"[0-9a-f]{64}")


class UploadStore:
    """A folder of files named by their SHA-256."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)

    def path(self, sha256: str) -> Path:
        """Where an original lies, or would lie.

        Raises:
            StoreError: for anything but 64 hexadecimal digits.
        """
        if not _NAME.fullmatch(sha256):
            raise StoreError(f"{sha256!r} is not the name of an upload.")
        return self.folder / sha256

    def put(self, data: bytes) -> str:
        """Keep the bytes; returns their SHA-256. A crash leaves all of the file or nothing."""
        name = hashlib.sha256(data).hexdigest()
        target = self.path(name)
        if target.exists() and target.stat().st_size == len(data):
            return name
        made = self.folder / f".{name}.{os.getpid()}-{threading.get_ident()}.part"
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with made.open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            os.replace(made, target)
            sync_folder(self.folder)
        except OSError as error:
            with contextlib.suppress(OSError):
                made.unlink()
            raise StoreError(
                f"An upload of {len(data):,} bytes could not be kept: {error.strerror or error}.",
                hint="Check the room on the disk and the folder's permissions.",
            ) from error
        return name

    def get(self, sha256: str) -> bytes | None:
        """The bytes, None when they are not here.

        Raises:
            StoreDamaged: the file's bytes are not the ones that were kept.
        """
        try:
            data = self.path(sha256).read_bytes()
        except FileNotFoundError:
            return None
        if hashlib.sha256(data).hexdigest() != sha256:
            raise StoreDamaged(
                f"The original {self.path(sha256)} is damaged: its bytes have changed.",
                hint="Upload the file again.",
            )
        return data

    def delete(self, sha256: str) -> bool:
        """Delete an original for good; False when it was not here."""
        try:
            self.path(sha256).unlink()
        except FileNotFoundError:
            return False
        return True

    def names(self) -> list[str]:
        """SHA-256 of all originals, sorted."""
        if not self.folder.is_dir():
            return []
        return sorted(p.name for p in self.folder.iterdir() if _NAME.fullmatch(p.name))
