"""A folder of arrays that is there whole or not at all, and is read without a copy."""

from __future__ import annotations

import json
import shutil
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ragdebug.errors import IndexNotReadable

META = "index.json"


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


def write(folder: Path, meta: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write arrays as ``name.npy`` and `meta` as JSON."""
    for name, array in arrays.items():
        np.save(folder / f"{name}.npy", array, allow_pickle=False)
    sizes = {name: [str(a.dtype), *a.shape] for name, a in arrays.items()}
    text = json.dumps({**meta, "arrays": sizes}, ensure_ascii=False)
    (folder / META).write_text(text, encoding="utf-8")


def read_meta(folder: Path) -> dict[str, Any]:
    """What `write` was given as `meta`.

    Raises:
        IndexNotReadable: no index there, or a damaged one.
    """
    try:
        meta: dict[str, Any] = json.loads((folder / META).read_text(encoding="utf-8"))
    except (OSError, ValueError) as e:
        raise _not_readable(folder, str(e)) from e
    return meta


def read_arrays(folder: Path, meta: Mapping[str, Any]) -> dict[str, NDArray[Any]]:
    """The arrays that `meta` lists, mapped into memory, read-only.

    Raises:
        IndexNotReadable: a file is missing, was cut short, or is not the one that was written.
    """
    arrays: dict[str, NDArray[Any]] = {}
    try:
        for name, (dtype, *shape) in meta["arrays"].items():
            # As a plain array: the subclass for mapped files makes every slice slower.
            array = np.asarray(np.load(folder / f"{name}.npy", mmap_mode="r", allow_pickle=False))
            if str(array.dtype) != dtype or list(array.shape) != shape:
                raise ValueError(f"{name}.npy is not the array that was saved")
            arrays[name] = array
    except (OSError, ValueError, KeyError, AttributeError, EOFError) as e:
        raise _not_readable(folder, str(e)) from e
    return arrays


def _not_readable(folder: Path, why: str) -> IndexNotReadable:
    return IndexNotReadable(
        f"The saved index {folder.name} cannot be read: {why}.", hint="Build the index again."
    )
