"""A folder of arrays and one JSON file, each with a checksum that is looked at when it is read.

A byte that flips on a disk would otherwise give wrong results without a word. CRC-32 finds any
burst of damage up to 32 bits and all but one of four billion others; it costs a third of a second
for each gigabyte, which is little beside reading it.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ragdebug.errors import IndexNotReadable

META = "index.json"
_STEP_BYTES = 1 << 20
_OWN_CHECKSUM = re.compile(rb', "crc32": (\d+)\}\Z')


def write(folder: Path, meta: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write arrays as ``name.npy``, and `meta` with the checksums of all files in the folder."""
    for name, array in arrays.items():
        np.save(folder / f"{name}.npy", array, allow_pickle=False)
    body = {
        **meta,
        "arrays": {name: [str(a.dtype), *a.shape] for name, a in arrays.items()},
        "files": {p.name: _crc32(p) for p in sorted(folder.iterdir()) if p.name != META},
    }
    text = json.dumps(body, ensure_ascii=False).encode("utf-8", "surrogatepass")
    (folder / META).write_bytes(text[:-1] + b', "crc32": %d}' % zlib.crc32(text))


def read_meta(folder: Path) -> dict[str, Any]:
    """What `write` was given as `meta`.

    Raises:
        IndexNotReadable: no index there, or a damaged one.
    """
    try:
        data = (folder / META).read_bytes()
        own = _OWN_CHECKSUM.search(data[-40:])
        text = data[: len(data) - len(own[0])] + b"}" if own else b""
        if own is None or zlib.crc32(text) != int(own[1]):
            raise ValueError(f"{META} has changed, or has no checksum")
        meta: dict[str, Any] = json.loads(text.decode("utf-8", "surrogatepass"))
    except (OSError, ValueError) as e:
        raise _not_readable(folder, str(e)) from e
    return meta


def read_arrays(
    folder: Path, meta: Mapping[str, Any], *, mapped: bool = True
) -> dict[str, NDArray[Any]]:
    """The arrays that `meta` lists, after a look at every file of the folder.

    Args:
        folder: where they lie.
        meta: from `read_meta`.
        mapped: map them into memory, read-only, instead of copying them there.

    Raises:
        IndexNotReadable: a file is missing, was cut short, or is not the one that was written.
    """
    arrays: dict[str, NDArray[Any]] = {}
    try:
        for name, checksum in meta["files"].items():
            if _crc32(folder / name) != checksum:
                raise ValueError(f"{name} has changed since it was saved")
        for name, (dtype, *shape) in meta["arrays"].items():
            file = folder / f"{name}.npy"
            array = np.load(file, mmap_mode="r" if mapped else None, allow_pickle=False)
            # As a plain array: the subclass for mapped files makes every slice slower.
            array = np.asarray(array)
            if str(array.dtype) != dtype or list(array.shape) != shape:
                raise ValueError(f"{name}.npy is not the array that was saved")
            arrays[name] = array
    except (OSError, ValueError, KeyError, AttributeError, EOFError) as e:
        raise _not_readable(folder, str(e)) from e
    return arrays


def _crc32(path: Path) -> int:
    checksum = 0
    with path.open("rb") as file:
        while part := file.read(_STEP_BYTES):
            checksum = zlib.crc32(part, checksum)
    return checksum


def _not_readable(folder: Path, why: str) -> IndexNotReadable:
    return IndexNotReadable(
        f"The saved index {folder.name} cannot be read: {why}.", hint="Build the index again."
    )
