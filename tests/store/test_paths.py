"""Every path has a key that is text, and a key leads back to its file."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from ragdebug.store.paths import path_key, path_of

linux = pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")


@linux
@pytest.mark.parametrize(
    "name",
    [b"plain.txt", b"x\xff.txt", b"\x80\xfe/y\x1fz.txt", "süß\U0001f41f.md".encode(), b"a\\b"],
)
def test_a_path_comes_back_from_its_key(name: bytes) -> None:
    path = Path("/docs") / os.fsdecode(name)
    key = path_key(path)
    key.encode("utf-8")  # can be stored
    assert "\x1f" not in key
    assert path_of(key) == path


@linux
def test_a_name_that_looks_like_a_key_is_itself_where_it_is_there(tmp_path: Path) -> None:
    plain, odd = tmp_path / r"x\xff.txt", tmp_path / os.fsdecode(b"x\xff.txt")
    key = path_key(plain)
    assert path_of(key) == odd
    plain.write_text("x")
    assert path_of(key) == plain
