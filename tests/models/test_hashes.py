from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path

import pytest

from ragdebug.model_files import hashes

BIG = b"weights " * 200_000


def test_the_hash_is_the_sha_256_of_the_bytes(caches: Path) -> None:
    path = caches / "weights"
    path.write_bytes(BIG)
    assert hashes.sha256(path) == hashlib.sha256(BIG).hexdigest()


def test_a_large_file_is_read_once_across_processes(
    caches: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = caches / "weights"
    path.write_bytes(BIG)
    first = hashes.sha256(path)
    monkeypatch.setattr(hashes, "_known", {})
    monkeypatch.setattr(hashes, "_read_from", None)
    monkeypatch.setattr(hashes.hashlib, "file_digest", None)  # reading it again would fail
    assert hashes.sha256(path) == first


def test_changed_bytes_of_the_same_size_are_read_again(caches: Path) -> None:
    path = caches / "weights"
    path.write_bytes(BIG)
    first = hashes.sha256(path)
    changed = b"x" + BIG[1:]
    path.write_bytes(changed)
    os.utime(path, ns=(1, 1))
    assert hashes.sha256(path) == hashlib.sha256(changed).hexdigest() != first
    assert len(json.loads((caches / "own" / "model-hashes.json").read_text())) == 1


@pytest.mark.parametrize("content", ["", "{", "[1]", "null"])
def test_a_damaged_memory_counts_as_none(content: str, caches: Path) -> None:
    (caches / "own").mkdir()
    (caches / "own" / "model-hashes.json").write_text(content)
    path = caches / "weights"
    path.write_bytes(BIG)
    assert hashes.sha256(path) == hashlib.sha256(BIG).hexdigest()


def test_a_place_that_cannot_be_written_costs_only_time(
    caches: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (caches / "file").write_text("no folder")
    monkeypatch.setenv("RAGDEBUG_CACHE", str(caches / "file" / "inside"))
    path = caches / "weights"
    path.write_bytes(BIG)
    assert hashes.sha256(path) == hashlib.sha256(BIG).hexdigest()
