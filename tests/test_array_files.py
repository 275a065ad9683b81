"""Arrays come back as they were written, or not at all."""

from __future__ import annotations

import json
import zlib
from pathlib import Path

import numpy as np
import pytest

from ragdebug.array_files import read_arrays, read_meta, write
from ragdebug.errors import IndexNotReadable

ARRAYS = {
    "numbers": np.arange(12, dtype=np.int32).reshape(3, 4),
    "columns": np.asfortranarray(np.arange(6.0).reshape(2, 3)),
    "none": np.empty((0, 4), np.float32),
    "words": np.array(["kelp", "温度"]),
}
META = {"format": "x/1", "titles": ['a, "crc32": 7}', "half \ud800"], "size": 0.1}


@pytest.mark.parametrize("mapped", [True, False])
def test_what_was_written_is_read(tmp_path: Path, mapped: bool) -> None:
    (tmp_path / "other.bin").write_bytes(b"not ours, and looked at all the same")
    write(tmp_path, META, ARRAYS)
    meta = read_meta(tmp_path)
    assert {k: meta[k] for k in META} == META
    found = read_arrays(tmp_path, meta, mapped=mapped)
    assert list(found) == list(ARRAYS)
    for name, array in ARRAYS.items():
        assert found[name].dtype == array.dtype
        assert found[name].tolist() == array.tolist()
        assert found[name].flags.writeable != mapped


def test_the_checksums_are_those_of_the_files(tmp_path: Path) -> None:
    (tmp_path / "other.bin").write_bytes(b"123456789")
    write(tmp_path, {}, ARRAYS)
    written = json.loads((tmp_path / "index.json").read_text("utf-8"))
    assert written["files"]["other.bin"] == 0xCBF43926  # the check value of CRC-32
    for name in ARRAYS:
        data = (tmp_path / f"{name}.npy").read_bytes()
        assert written["files"][f"{name}.npy"] == zlib.crc32(data)


@pytest.mark.parametrize("name", ["other.bin", "numbers.npy", "index.json"])
def test_a_file_that_has_changed_is_refused_by_name(tmp_path: Path, name: str) -> None:
    (tmp_path / "other.bin").write_bytes(bytes(3_000_000))
    write(tmp_path, META, ARRAYS)
    data = bytearray((tmp_path / name).read_bytes())
    data[-60 if name == "index.json" else -1] ^= 1
    (tmp_path / name).write_bytes(data)
    with pytest.raises(IndexNotReadable, match=name):
        read_arrays(tmp_path, read_meta(tmp_path))


def test_an_index_without_checksums_is_made_again(tmp_path: Path) -> None:
    (tmp_path / "index.json").write_text(json.dumps({"arrays": {}}), "utf-8")
    with pytest.raises(IndexNotReadable, match="checksum"):
        read_meta(tmp_path)
