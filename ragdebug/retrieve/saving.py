"""A folder that is there whole or not at all, with arrays that are read without a copy."""

from __future__ import annotations

import shutil
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ragdebug.array_files import META, read_arrays, read_meta, write

__all__ = ["META", "new_folder", "read_arrays", "read_meta", "write"]


@contextmanager
def new_folder(folder: Path) -> Iterator[Path]:
    """A folder to write into, which takes the place of `folder` when the block ends well.

    A folder that is replaced stays readable for those who have it mapped.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    mark = uuid.uuid4().hex[:8]
    fresh, old = (folder.with_name(f".{folder.name}.{part}-{mark}") for part in ("new", "old"))
    fresh.mkdir()
    try:
        yield fresh
        if folder.exists():
            folder.rename(old)
        fresh.rename(folder)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
        shutil.rmtree(old, ignore_errors=True)
